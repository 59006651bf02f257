// rung: 10
// title: sheared
// purpose: Where the output's rows do not begin at sectors: each row of the tile is shifted until its stores do.
// block: TILE, BLOCK_ROWS
// grid: (rows + HEIGHT - 1) / HEIGHT, (cols + TILE - 1) / TILE
#ifndef TILE
#define TILE 32 // columns of the tile, and threads in a row of the block
#endif
#ifndef BLOCK_ROWS // rows of threads
#if TILE < 8
#define BLOCK_ROWS TILE
#else
#define BLOCK_ROWS 8
#endif
#endif
#ifndef ELEM
#define ELEM float
#endif
#define SECTOR (sizeof(ELEM) >= 16 ? 2 : (int)(32 / sizeof(ELEM))) // elements
#define HEIGHT ((2 * TILE + SECTOR - 1) / SECTOR * SECTOR)         // rows of the input that a tile writes
#define PITCH  (TILE + 1)                                          // elements from one row of the tile to the next

__global__ void sheared(const ELEM *__restrict__ in, ELEM *__restrict__ out, int rows, int cols)
{
    __shared__ ELEM tile[HEIGHT + SECTOR][PITCH];

    const int x = blockIdx.y * TILE + threadIdx.x;
    const int top = blockIdx.x * HEIGHT;
#pragma unroll
    for (int j = threadIdx.y; j < HEIGHT + SECTOR; j += BLOCK_ROWS)
        if (x < cols && top + j < rows)
            tile[j][threadIdx.x] = in[(size_t)(top + j) * cols + x];

    __syncthreads();

#pragma unroll
    for (int j = threadIdx.y; j < TILE; j += BLOCK_ROWS) {
        const int oy = blockIdx.y * TILE + j; // row of the output
        const size_t begin = (size_t)oy * rows + top;
        const int shift = (int)((SECTOR - begin % SECTOR) % SECTOR); // to the next sector's first element
        if (oy < cols) {
            for (int i = threadIdx.x; i < shift; i += TILE) // what lies before it in the output's row
                if (top == 0 && i < rows)
                    out[begin + i] = tile[i][j];
#pragma unroll
            for (int i = threadIdx.x; i < HEIGHT; i += TILE)
                if (top + shift + i < rows)
                    out[begin + shift + i] = tile[shift + i][j];
        }
    }
}
