// rung: 10
// title: wide
// purpose: A tile of twice the edge: each thread has four times as many loads under way before it waits for one.
// block: TILE, BLOCK_ROWS
// grid: (cols + EDGE - 1) / EDGE, (rows + EDGE - 1) / EDGE
#ifndef TILE
#define TILE 32 // threads in a row of the block
#endif
#ifndef BLOCK_ROWS // rows of threads
#if TILE < 16
#define BLOCK_ROWS TILE
#else
#define BLOCK_ROWS 16
#endif
#endif
#ifndef ELEM
#define ELEM float
#endif
#define COLUMNS (sizeof(ELEM) == 16 ? 1 : 2)            // elements of a tile's row that a thread moves
#define EDGE    ((int)(COLUMNS * TILE))                 // the tile is EDGE x EDGE elements
#define PITCH   (EDGE + 1)                              // elements from one row of the tile to the next
#define PASSES  ((EDGE + BLOCK_ROWS - 1) / BLOCK_ROWS) // of the block over the tile

__global__ void wide(const ELEM *__restrict__ in, ELEM *__restrict__ out, int rows, int cols)
{
    __shared__ ELEM tile[EDGE][PITCH];

    const int x = blockIdx.x * EDGE + threadIdx.x;
    const int y = blockIdx.y * EDGE + threadIdx.y;
#pragma unroll // the loads of all passes are under way together
    for (int k = 0; k < PASSES; k++)
#pragma unroll
        for (int c = 0; c < COLUMNS; c++)
            if (threadIdx.y + k * BLOCK_ROWS < EDGE && y + k * BLOCK_ROWS < rows && x + c * TILE < cols)
                tile[threadIdx.y + k * BLOCK_ROWS][threadIdx.x + c * TILE] =
                    in[(size_t)(y + k * BLOCK_ROWS) * cols + x + c * TILE];

    __syncthreads();

    const int ox = blockIdx.y * EDGE + threadIdx.x; // column of the output
    const int oy = blockIdx.x * EDGE + threadIdx.y; // row of the output
#pragma unroll
    for (int k = 0; k < PASSES; k++)
#pragma unroll
        for (int c = 0; c < COLUMNS; c++)
            if (threadIdx.y + k * BLOCK_ROWS < EDGE && oy + k * BLOCK_ROWS < cols && ox + c * TILE < rows)
                out[(size_t)(oy + k * BLOCK_ROWS) * rows + ox + c * TILE] =
                    tile[threadIdx.x + c * TILE][threadIdx.y + k * BLOCK_ROWS];
}
