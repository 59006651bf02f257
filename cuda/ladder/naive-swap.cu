// rung: 3
// title: naive-swap
// purpose: Reads down columns, writes along rows: the same sectors, now on the side of the loads.
// block: TILE, BLOCK_ROWS
// grid: (cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE

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
#ifndef ELEM
#define ELEM float
#endif

__global__ void naive_swap(const ELEM *__restrict__ in, ELEM *__restrict__ out, int rows, int cols)
{
    const int y = blockIdx.y * TILE + threadIdx.x;
#pragma unroll 1 // one pass after another: each access stays one instruction
    for (int j = threadIdx.y; j < TILE; j += BLOCK_ROWS) {
        const int x = blockIdx.x * TILE + j;
        if (x < cols && y < rows)
            out[(size_t)x * rows + y] = in[(size_t)y * cols + x];
    }
}
