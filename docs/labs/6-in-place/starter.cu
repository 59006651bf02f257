// title: lab 6
// purpose: Turns a square matrix, right as long as in and out are two buffers. Make it right in place too.
// block: 32, 8
// grid: (cols + 31) / 32, (rows + 7) / 8

__global__ void turn(const float *in, float *out, int rows, int cols)
{
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y = blockIdx.y * 8 + threadIdx.y;
    if (x < cols && y < rows)
        out[x * rows + y] = in[y * cols + x];
}
