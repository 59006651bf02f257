// zoo: 17
// title: overflow-32-bit-fixed
// purpose: The kernel overflow-32-bit put right.
// block: 256
// grid: (rows * cols + 255) / 256

__global__ void turn(const float *in, float *out, int rows, int cols)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    const int reciprocal = (1 << 25) / cols + 1; // division by multiplication
    if (i < rows * cols) {
        const int y = (int)((long long)i * reciprocal >> 25), x = i - y * cols;
        out[x * rows + y] = in[i];
    }
}
