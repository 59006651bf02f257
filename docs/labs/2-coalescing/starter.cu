// title: lab 2
// purpose: A copy whose lanes walk down a column. Let them walk along a row.
// block: 32, 8
// grid: (cols + 31) / 32, (rows + 31) / 32
// task: copy

__global__ void move(const float *in, float *out, int rows, int cols)
{
    const int y = blockIdx.y * 32 + threadIdx.x; // row
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int x = blockIdx.x * 32 + j; // column
        if (x < cols && y < rows)
            out[(size_t)y * cols + x] = in[(size_t)y * cols + x];
    }
}
