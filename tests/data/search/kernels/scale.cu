// block: 32, 8
// grid: (cols + 31) / 32, (rows + 7) / 8
#include "sizes.h"

__global__ void scale(const elem *in, elem *out, int rows, int cols)
{
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    if (row < rows && col < cols)
        out[AT(row, col, cols)] = 2 * in[AT(row, col, cols)];
}
