// title: lab 7
// purpose: The naive transposition. Without a tile, let no store write a sector in part.
// block: 32, 8
// grid: (cols + 31) / 32, (rows + 31) / 32

__global__ void turn(const float *in, float *out, int rows, int cols)
{
    const int x = blockIdx.x * 32 + threadIdx.x; // column of the input
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int y = blockIdx.y * 32 + j; // row of the input
        if (x < cols && y < rows)
            out[(size_t)x * rows + y] = in[(size_t)y * cols + x];
    }
}
