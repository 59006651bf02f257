// zoo: 13
// title: swizzle-on-one-side
// purpose: The tile is stored with columns exchanged and read as if they were not.
// finding: swizzle-differs
// block: 32, 8
// grid: (cols + 31) / 32, (rows + 31) / 32

__global__ void turn(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[32][32];
    const int x = blockIdx.x * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int y = blockIdx.y * 32 + j;
        if (x < cols && y < rows)
            tile[j][threadIdx.x ^ j] = in[y * cols + x];
    }
    __syncthreads();
    const int ox = blockIdx.y * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int oy = blockIdx.x * 32 + j;
        if (ox < rows && oy < cols)
            out[oy * rows + ox] = tile[threadIdx.x][j]; // <- here
    }
}
