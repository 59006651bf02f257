// zoo: 10
// title: grid-swapped-fixed
// purpose: The kernel grid-swapped put right.
// block: 32, 8
// grid: (cols + 31) / 32, (rows + 31) / 32

__global__ void turn(const float *in, float *out, int rows, int cols)
{
    const int x = blockIdx.x * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int y = blockIdx.y * 32 + j;
        if (x < cols && y < rows)
            out[x * rows + y] = in[y * cols + x];
    }
}
