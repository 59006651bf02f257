// rung: 7
// title: copy-tile
// purpose: Copies through a tile: what the detour through shared memory costs when nothing is turned.
// task: copy
// block: TILE, BLOCK_ROWS
// grid: (cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE
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
#define PITCH TILE // elements from one row of the tile to the next
#endif
#ifndef ELEM
#define ELEM float
#endif

__global__ void copy_tile(const ELEM *__restrict__ in, ELEM *__restrict__ out, int rows, int cols)
{
    __shared__ ELEM tile[TILE][PITCH];

    const int x = blockIdx.x * TILE + threadIdx.x;
#pragma unroll 1 // one pass after another: each access stays one instruction
    for (int j = threadIdx.y; j < TILE; j += BLOCK_ROWS) {
        const int y = blockIdx.y * TILE + j;
        if (x < cols && y < rows)
            tile[j][threadIdx.x] = in[(size_t)y * cols + x];
    }

    __syncthreads(); // nothing needs it here; a transpose does

#pragma unroll 1 // one pass after another: each access stays one instruction
    for (int j = threadIdx.y; j < TILE; j += BLOCK_ROWS) {
        const int y = blockIdx.y * TILE + j;
        if (x < cols && y < rows)
            out[(size_t)y * cols + x] = tile[j][threadIdx.x];
    }
}
