// zoo: 24
// title: tile-not-filled
// purpose: The loop ends a pass too early: the last rows of the tile are never stored.
// finding: input-not-read
// block: 32, 8
// grid: (cols + 31) / 32, (rows + 31) / 32

__global__ void turn(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[32][33];
    const int x = blockIdx.x * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 24; j += 8) { // <- here
        const int y = blockIdx.y * 32 + j;
        if (x < cols && y < rows)
            tile[j][threadIdx.x] = in[y * cols + x];
    }
    __syncthreads();
    const int ox = blockIdx.y * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int oy = blockIdx.x * 32 + j;
        if (ox < rows && oy < cols)
            out[oy * rows + ox] = tile[threadIdx.x][j];
    }
}
