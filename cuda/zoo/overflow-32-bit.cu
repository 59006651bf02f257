// zoo: 17
// title: overflow-32-bit
// purpose: A product of an index and a constant leaves the range of int.
// finding: overflow
// block: 256
// grid: (rows * cols + 255) / 256

__global__ void turn(const float *in, float *out, int rows, int cols)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    const int reciprocal = (1 << 25) / cols + 1; // division by multiplication
    if (i < rows * cols) {
        const int y = i * reciprocal >> 25, x = i - y * cols; // <- here
        out[x * rows + y] = in[i];
    }
}
