// title: lab 1
// purpose: A copy so far. Make it a transposition, out(c, r) = in(r, c), of any number of rows and columns.
// block: 3, 3
// grid: cols / 3, rows / 3

__global__ void turn(const float *in, float *out, int rows, int cols)
{
    const int x = blockIdx.x * 3 + threadIdx.x; // column of the input
    const int y = blockIdx.y * 3 + threadIdx.y; // row of the input
    out[y * cols + x] = in[y * cols + x];
}
