// title: lab 2, solved
// purpose: threadIdx.x is the column: neighbouring lanes have neighbouring addresses.
// block: 32, 8
// grid: (cols + 31) / 32, (rows + 31) / 32
// task: copy

__global__ void move(const float *in, float *out, int rows, int cols)
{
    const int x = blockIdx.x * 32 + threadIdx.x; // column
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int y = blockIdx.y * 32 + j; // row
        if (x < cols && y < rows)
            out[(size_t)y * cols + x] = in[(size_t)y * cols + x];
    }
}
