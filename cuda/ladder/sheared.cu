// rung: 13
// title: sheared
// purpose: Where the output's rows do not begin at sectors: each row of the tile is shifted until its stores do.
// block: TILE, BLOCK_ROWS
// grid: BAND, (cols + TILE - 1) / TILE, (rows + BAND * HEIGHT - 1) / (BAND * HEIGHT)
#ifndef TILE
#define TILE 32 // columns of the tile, and threads in a row of the block
#endif
#ifndef BLOCK_ROWS // rows of threads
#if TILE < 4
#define BLOCK_ROWS TILE
#else
#define BLOCK_ROWS 4
#endif
#endif
#ifndef ELEM
#define ELEM float
#endif
#define SECTOR (sizeof(ELEM) >= 16 ? 2 : (int)(32 / sizeof(ELEM))) // elements
#define HEIGHT ((2 * TILE + SECTOR - 1) / SECTOR * SECTOR)         // rows of the input that a tile writes
#define PITCH  (TILE + 1)                                          // elements from one row of the tile to the next
#ifndef BAND // tiles below each other that come before those beside them: 16 keep a narrow matrix in the L2
#define BAND ((rows + HEIGHT - 1) / HEIGHT)
#endif
#define LOADS  ((HEIGHT + SECTOR + BLOCK_ROWS - 1) / BLOCK_ROWS)   // passes of the block over the tile
#define STORES ((TILE + BLOCK_ROWS - 1) / BLOCK_ROWS)

__global__ void sheared(const ELEM *__restrict__ in, ELEM *__restrict__ out, int rows, int cols)
{
    __shared__ ELEM tile[HEIGHT + SECTOR][PITCH];

    const int x = blockIdx.y * TILE + threadIdx.x;
    const int top = (blockIdx.z * BAND + blockIdx.x) * HEIGHT;
#pragma unroll // the loads of all passes are under way together
    for (int k = 0; k < LOADS; k++) {
        const int j = threadIdx.y + k * BLOCK_ROWS;
        if (((HEIGHT + SECTOR) % BLOCK_ROWS == 0 || j < HEIGHT + SECTOR) && x < cols && top + j < rows)
            tile[j][threadIdx.x] = in[(size_t)(top + j) * cols + x];
    }

    __syncthreads();

#pragma unroll
    for (int k = 0; k < STORES; k++) {
        const int j = threadIdx.y + k * BLOCK_ROWS;
        const int oy = blockIdx.y * TILE + j; // row of the output
        const size_t begin = (size_t)oy * rows + top;
        const int shift = (int)((SECTOR - begin % SECTOR) % SECTOR); // to the next sector's first element
#pragma unroll
        for (int part = 0; part < HEIGHT; part += TILE) {
            const int i = part + threadIdx.x;
            if ((HEIGHT % TILE == 0 || i < HEIGHT) && (TILE % BLOCK_ROWS == 0 || j < TILE) && oy < cols && top + shift + i < rows)
                out[begin + shift + i] = tile[shift + i][j];
        }
        if (top == 0 && j < TILE && oy < cols) // what lies before the first sector of the output's row
            for (int i = threadIdx.x; i < shift && i < rows; i += TILE)
                out[begin + i] = tile[i][j];
    }
}
