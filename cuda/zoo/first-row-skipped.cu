// zoo: 21
// title: first-row-skipped
// purpose: A guard that begins at 1.
// finding: missing-cell
// block: 32, 8
// grid: (cols + 31) / 32, (rows + 31) / 32

__global__ void turn(const float *in, float *out, int rows, int cols)
{
    const int x = blockIdx.x * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int y = blockIdx.y * 32 + j;
        if (0 < x && x < cols && y < rows) // <- here
            out[x * rows + y] = in[y * cols + x];
    }
}
