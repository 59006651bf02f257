// rung: 8
// title: diagonal
// purpose: Padded, its blocks in diagonal order: against partition camping on the GPUs before Fermi; the counts stay.
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

__global__ void diagonal(const ELEM *__restrict__ in, ELEM *__restrict__ out, int rows, int cols)
{
    __shared__ ELEM tile[TILE][PITCH];

    // Blocks that run one after another touch neither the same rows nor the same columns.
    const size_t number = (size_t)blockIdx.y * gridDim.x + blockIdx.x;
    const int by = number % gridDim.y, bx = (number / gridDim.y + by) % gridDim.x;

    const int x = bx * TILE + threadIdx.x;
#pragma unroll 1 // one pass after another: each access stays one instruction
    for (int j = threadIdx.y; j < TILE; j += BLOCK_ROWS) {
        const int y = by * TILE + j;
        if (x < cols && y < rows)
            tile[j][threadIdx.x] = in[(size_t)y * cols + x];
    }

    __syncthreads();

    const int ox = by * TILE + threadIdx.x; // column of the output
#pragma unroll 1 // one pass after another: each access stays one instruction
    for (int j = threadIdx.y; j < TILE; j += BLOCK_ROWS) {
        const int oy = bx * TILE + j; // row of the output
        if (ox < rows && oy < cols)
            out[(size_t)oy * rows + ox] = tile[threadIdx.x][j];
    }
}
