// title: lab 8, solved
// purpose: convert runs once; consume then walks along rows that are rows in memory.
// block: 32, 8
// grid: (cols + 31) / 32, (rows + 31) / 32

// Turns a matrix of rows x cols; right as it stands.
__global__ void convert(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[32][33];

    const int x = blockIdx.x * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int y = blockIdx.y * 32 + j;
        if (x < cols && y < rows)
            tile[j][threadIdx.x] = in[(size_t)y * cols + x];
    }

    __syncthreads();

    const int ox = blockIdx.y * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int oy = blockIdx.x * 32 + j;
        if (ox < rows && oy < cols)
            out[(size_t)oy * rows + ox] = tile[threadIdx.x][j];
    }
}

// Walks along the rows of a rows x cols matrix, which convert has written.
__global__ void consume(const float *converted, float *result, int rows, int cols)
{
    const int col = blockIdx.x * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int row = blockIdx.y * 32 + j;
        if (col < cols && row < rows)
            result[(size_t)row * cols + col] = converted[(size_t)row * cols + col];
    }
}
