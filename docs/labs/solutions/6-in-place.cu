// title: lab 6, solved
// purpose: One thread has both cells of a pair: it loads both before it stores either.
// block: 32, 8
// grid: (cols + 31) / 32, (rows + 7) / 8

__global__ void turn(const float *in, float *out, int rows, int cols)
{
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y = blockIdx.y * 8 + threadIdx.y;
    if (x < cols && y <= x) { // on and above the diagonal
        const float above = in[y * cols + x];
        const float below = in[x * cols + y];
        out[x * rows + y] = above;
        out[y * rows + x] = below;
    }
}
