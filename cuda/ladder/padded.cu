// rung: 5
// title: padded
// purpose: The tile with one spare column: a column's words now lie in different banks.
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
#define PITCH (TILE + 1) // elements from one row of the tile to the next
#endif
#ifndef ELEM
#define ELEM float
#endif

__global__ void padded(const ELEM *__restrict__ in, ELEM *__restrict__ out, int rows, int cols)
{
    __shared__ ELEM tile[TILE][PITCH];

    const int x = blockIdx.x * TILE + threadIdx.x;
#pragma unroll 1 // one pass after another: each access stays one instruction
    for (int j = threadIdx.y; j < TILE; j += BLOCK_ROWS) {
        const int y = blockIdx.y * TILE + j;
        if (x < cols && y < rows)
            tile[j][threadIdx.x] = in[(size_t)y * cols + x];
    }

    __syncthreads();

    const int ox = blockIdx.y * TILE + threadIdx.x; // column of the output
#pragma unroll 1 // one pass after another: each access stays one instruction
    for (int j = threadIdx.y; j < TILE; j += BLOCK_ROWS) {
        const int oy = blockIdx.x * TILE + j; // row of the output
        if (ox < rows && oy < cols)
            out[(size_t)oy * rows + ox] = tile[threadIdx.x][j];
    }
}
