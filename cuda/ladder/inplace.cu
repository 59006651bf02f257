// rung: 9
// title: inplace
// purpose: A block exchanges two tiles that lie opposite: of a square matrix, out may be in.
// block: TILE, BLOCK_ROWS
// grid: ((rows > cols ? rows : cols) + TILE - 1) / TILE, ((rows > cols ? rows : cols) + TILE - 1) / TILE
// pitch: any
#ifndef TILE
#define TILE 32 // the tile is TILE x TILE elements
#endif
#ifndef BLOCK_ROWS // rows of threads: each thread handles TILE / BLOCK_ROWS elements
#if TILE < 8
#define BLOCK_ROWS TILE
#else
#define BLOCK_ROWS 8
#endif
#endif
#ifndef PITCH
#define PITCH (TILE + 1) // elements from one row of the tile to the next
#endif
#ifndef ELEM
#define ELEM float
#endif

__global__ void inplace(const ELEM *in, ELEM *out, int rows, int cols)
{
    __shared__ ELEM upper[TILE][PITCH], lower[TILE][PITCH];

    const int left = blockIdx.x * TILE, top = blockIdx.y * TILE;
    if (left < top)
        return; // the block on the other side of the diagonal does both

#pragma unroll 1 // one pass after another: each access stays one instruction
    for (int j = threadIdx.y; j < TILE; j += BLOCK_ROWS) {
        if (left + threadIdx.x < cols && top + j < rows)
            upper[j][threadIdx.x] = in[(size_t)(top + j) * cols + left + threadIdx.x];
        if (left != top && top + threadIdx.x < cols && left + j < rows)
            lower[j][threadIdx.x] = in[(size_t)(left + j) * cols + top + threadIdx.x];
    }

    __syncthreads(); // both tiles are read before any of it is written

#pragma unroll 1 // one pass after another: each access stays one instruction
    for (int j = threadIdx.y; j < TILE; j += BLOCK_ROWS) {
        if (top + threadIdx.x < rows && left + j < cols)
            out[(size_t)(left + j) * rows + top + threadIdx.x] = upper[threadIdx.x][j];
        if (left != top && left + threadIdx.x < rows && top + j < cols)
            out[(size_t)(top + j) * rows + left + threadIdx.x] = lower[threadIdx.x][j];
    }
}
