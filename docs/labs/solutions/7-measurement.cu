// title: lab 7, solved
// purpose: Lanes run down the input and along the output: the loads are scattered instead, which costs far less.
// block: 32, 8
// grid: (cols + 31) / 32, (rows + 31) / 32

__global__ void turn(const float *in, float *out, int rows, int cols)
{
    const int y = blockIdx.y * 32 + threadIdx.x; // row of the input
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int x = blockIdx.x * 32 + j; // column of the input
        if (x < cols && y < rows)
            out[(size_t)x * rows + y] = in[(size_t)y * cols + x];
    }
}
