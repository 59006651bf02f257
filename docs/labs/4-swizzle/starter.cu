// title: lab 4
// purpose: A tile for blocks of 16 x 16 threads. Free it of bank conflicts without a byte more.
// block: 16, 16
// grid: (cols + 15) / 16, (rows + 15) / 16

__global__ void turn(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[16][16];

    const int x = blockIdx.x * 16 + threadIdx.x; // column of the input
    const int y = blockIdx.y * 16 + threadIdx.y; // row of the input
    if (x < cols && y < rows)
        tile[threadIdx.y][threadIdx.x] = in[(size_t)y * cols + x];

    __syncthreads();

    const int ox = blockIdx.y * 16 + threadIdx.x; // column of the output
    const int oy = blockIdx.x * 16 + threadIdx.y; // row of the output
    if (ox < rows && oy < cols)
        out[(size_t)oy * rows + ox] = tile[threadIdx.x][threadIdx.y];
}
