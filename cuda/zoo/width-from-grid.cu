// zoo: 16
// title: width-from-grid
// purpose: The matrix is taken to be as wide as the grid: right for multiples of 32.
// finding: grid-width
// block: 32, 8
// grid: (cols + 31) / 32, (rows + 31) / 32

__global__ void turn(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[32][33];
    const int width = gridDim.x * 32, height = gridDim.y * 32; // <- here
    const int x = blockIdx.x * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int y = blockIdx.y * 32 + j;
        if (x < cols && y < rows)
            tile[j][threadIdx.x] = in[y * width + x];
    }
    __syncthreads();
    const int ox = blockIdx.y * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int oy = blockIdx.x * 32 + j;
        if (ox < rows && oy < cols)
            out[oy * height + ox] = tile[threadIdx.x][j];
    }
}
