// title: lab 5, solved
// purpose: The guard ends before the last column, a barrier stands between store and load, the output's rows have the input's rows.
// block: 32, 8
// grid: (cols + 31) / 32, (rows + 31) / 32

__global__ void turn(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[32][33];

    const int x = blockIdx.x * 32 + threadIdx.x; // column of the input
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int y = blockIdx.y * 32 + j; // row of the input
        if (x < cols && y < rows)
            tile[j][threadIdx.x] = in[(size_t)y * cols + x];
    }

    __syncthreads();

    const int ox = blockIdx.y * 32 + threadIdx.x; // column of the output
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int oy = blockIdx.x * 32 + j; // row of the output
        if (ox < rows && oy < cols)
            out[(size_t)oy * rows + ox] = tile[threadIdx.x][j];
    }
}
