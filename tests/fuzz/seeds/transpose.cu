// block: TILE, 8
#include <cuda_runtime.h>
#define COLS (TILE + 1)
#if defined(FAST) && TILE >= 16
__global__ void transpose(const float *__restrict__ in, float *__restrict__ out, int rows, int cols)
{
    __shared__ float tile[16][COLS];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 16; j += 4)
        if (x < cols && y + j < rows)
            tile[(threadIdx.y + j) & 15][threadIdx.x] = in[(size_t)(y + j) * cols + x];
    __syncthreads();
    for (int j = 0; j < 16; j += 4)
        out[(size_t)(x + j) * rows + y] = tile[threadIdx.x][(threadIdx.y + j) & 15];
}
#endif
