// zoo: 12
// title: block-mismatch
// purpose: The kernel counts on rows of 32 threads and is launched with 16.
// finding: block-mismatch
// block: 16, 8 // <- here
// grid: (cols + 31) / 32, (rows + 31) / 32

#define TILE 32

__global__ void turn(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    const int x = blockIdx.x * TILE + threadIdx.x;
    for (int j = threadIdx.y; j < TILE; j += 8) {
        const int y = blockIdx.y * TILE + j;
        if (x < cols && y < rows)
            tile[j][threadIdx.x] = in[y * cols + x];
    }
    __syncthreads();
    const int ox = blockIdx.y * TILE + threadIdx.x;
    for (int j = threadIdx.y; j < TILE; j += 8) {
        const int oy = blockIdx.x * TILE + j;
        if (ox < rows && oy < cols)
            out[oy * rows + ox] = tile[threadIdx.x][j];
    }
}
