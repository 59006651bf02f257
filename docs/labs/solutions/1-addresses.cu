// title: lab 1, solved
// purpose: Blocks enough for the edges, a guard for the threads beyond them, and rows of the output as long as the input has rows.
// block: 3, 3
// grid: (cols + 2) / 3, (rows + 2) / 3

__global__ void turn(const float *in, float *out, int rows, int cols)
{
    const int x = blockIdx.x * 3 + threadIdx.x; // column of the input
    const int y = blockIdx.y * 3 + threadIdx.y; // row of the input
    if (x < cols && y < rows)
        out[x * rows + y] = in[y * cols + x];
}
