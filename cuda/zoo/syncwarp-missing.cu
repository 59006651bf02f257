// zoo: 27
// title: syncwarp-missing
// purpose: Lanes of a warp exchange and nothing says that they run in step.
// finding: warp-race
// block: 32, 8
// grid: (cols + 7) / 8, (rows + 31) / 32

__global__ void turn(const float *in, float *out, int rows, int cols)
{
    __shared__ float strip[8][8][5]; // each warp turns 4 x 8 elements of its own
    const int x = threadIdx.x % 8, y = threadIdx.x / 8;
    const int left = blockIdx.x * 8, top = (blockIdx.y * 8 + threadIdx.y) * 4;
    if (left + x < cols && top + y < rows)
        strip[threadIdx.y][x][y] = in[(top + y) * cols + left + x];
    const int ox = threadIdx.x % 4, oy = threadIdx.x / 4;
    if (left + oy < cols && top + ox < rows)
        out[(left + oy) * rows + top + ox] = strip[threadIdx.y][oy][ox]; // <- here
}
