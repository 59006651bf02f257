// rung: 6
// title: swizzled
// purpose: The tile without a spare column: column XOR row spreads a column over the banks.
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
#ifndef PITCH // column XOR row stays below the next power of two
#if TILE <= 2
#define PITCH TILE
#elif TILE <= 4
#define PITCH 4
#elif TILE <= 8
#define PITCH 8
#elif TILE <= 16
#define PITCH 16
#elif TILE <= 32
#define PITCH 32
#elif TILE <= 64
#define PITCH 64
#elif TILE <= 128
#define PITCH 128
#elif TILE <= 256
#define PITCH 256
#elif TILE <= 512
#define PITCH 512
#else
#define PITCH 1024
#endif
#endif
#ifndef ELEM
#define ELEM float
#endif

__global__ void swizzled(const ELEM *__restrict__ in, ELEM *__restrict__ out, int rows, int cols)
{
    __shared__ ELEM tile[TILE][PITCH];

    const int x = blockIdx.x * TILE + threadIdx.x;
#pragma unroll 1 // one pass after another: each access stays one instruction
    for (int j = threadIdx.y; j < TILE; j += BLOCK_ROWS) {
        const int y = blockIdx.y * TILE + j;
        if (x < cols && y < rows)
            tile[j][threadIdx.x ^ j] = in[(size_t)y * cols + x];
    }

    __syncthreads();

    const int ox = blockIdx.y * TILE + threadIdx.x; // column of the output
#pragma unroll 1 // one pass after another: each access stays one instruction
    for (int j = threadIdx.y; j < TILE; j += BLOCK_ROWS) {
        const int oy = blockIdx.x * TILE + j; // row of the output
        if (ox < rows && oy < cols)
            out[(size_t)oy * rows + ox] = tile[threadIdx.x][j ^ threadIdx.x];
    }
}
