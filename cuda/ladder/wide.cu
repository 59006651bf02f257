// rung: 7
// title: wide
// purpose: A tile of twice the edge and the same rows of threads: every thread has four times the loads under way.
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
#define EDGE (2 * TILE)  // the tile is EDGE x EDGE elements
#define PITCH (EDGE + 1) // elements from one row of the tile to the next
#ifndef ELEM
#define ELEM float
#endif

__global__ void wide(const ELEM *__restrict__ in, ELEM *__restrict__ out, int rows, int cols)
{
    __shared__ ELEM tile[EDGE][PITCH];

    const int x = blockIdx.x * EDGE + threadIdx.x;
#pragma unroll // the loads of all passes are under way together
    for (int j = threadIdx.y; j < EDGE; j += BLOCK_ROWS) {
        const int y = blockIdx.y * EDGE + j;
        if (x < cols && y < rows)
            tile[j][threadIdx.x] = in[(size_t)y * cols + x];
        if (x + TILE < cols && y < rows)
            tile[j][threadIdx.x + TILE] = in[(size_t)y * cols + x + TILE];
    }

    __syncthreads();

    const int ox = blockIdx.y * EDGE + threadIdx.x; // column of the output
#pragma unroll
    for (int j = threadIdx.y; j < EDGE; j += BLOCK_ROWS) {
        const int oy = blockIdx.x * EDGE + j; // row of the output
        if (ox < rows && oy < cols)
            out[(size_t)oy * rows + ox] = tile[threadIdx.x][j];
        if (ox + TILE < rows && oy < cols)
            out[(size_t)oy * rows + ox + TILE] = tile[threadIdx.x + TILE][j];
    }
}
