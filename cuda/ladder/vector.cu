// rung: 12
// title: vector
// purpose: Up to 16 bytes an access on both sides: small squares turn in registers, and the tile is swizzled by them.
// block: ACROSS, BLOCK_ROWS
// grid: (rows + EDGE - 1) / EDGE, (cols + EDGE - 1) / EDGE
#ifndef TILE
#define TILE 32
#endif
#ifndef ELEM
#define ELEM float
#endif
#define SIDE (sizeof(ELEM) == 16 ? 1 : sizeof(ELEM) == 8 ? 2 : 4)    // elements an access
#define ACROSS (sizeof(ELEM) == 4 && TILE > 1 ? TILE / 2 : TILE + 0) // squares along an edge of the tile
#ifndef BLOCK_ROWS // rows of threads
#define BLOCK_ROWS (sizeof(ELEM) == 1 && ACROSS > 4 ? 4 : ACROSS > 16 ? 16 : ACROSS + 0)
#endif
#define EDGE (SIDE * ACROSS) // the tile is EDGE x EDGE elements
#define SPAN                                                                                                          \
    (ACROSS <= 1    ? 1                                                                                               \
     : ACROSS <= 2  ? 2                                                                                               \
     : ACROSS <= 4  ? 4                                                                                               \
     : ACROSS <= 8  ? 8                                                                                               \
     : ACROSS <= 16 ? 16                                                                                              \
     : ACROSS <= 32 ? 32                                                                                              \
                    : 64) // column XOR row stays below the next power of two

template <typename VEC>
__device__ void turn(const ELEM *__restrict__ in, ELEM *__restrict__ out, int rows, int cols)
{
    __shared__ VEC tile[EDGE][SPAN];
    // Where rows do not begin at whole vectors, elements go one by one.
    const bool whole = rows % SIDE == 0 && cols % SIDE == 0 && (size_t)in % sizeof(VEC) == 0 &&
                       (size_t)out % sizeof(VEC) == 0;

    const int x = (blockIdx.y * ACROSS + threadIdx.x) * SIDE;
#pragma unroll
    for (int pass = 0; pass < ACROSS; pass += BLOCK_ROWS) {
        const int j = pass + threadIdx.y;
        if (ACROSS % BLOCK_ROWS && j >= ACROSS)
            break;
        const int y = (blockIdx.x * ACROSS + j) * SIDE;
        ELEM square[SIDE][SIDE] = {}, turned[SIDE][SIDE];
#pragma unroll
        for (int k = 0; k < SIDE; k++)
            if (whole) {
                if (x < cols && y < rows)
                    *reinterpret_cast<VEC *>(square[k]) =
                        *reinterpret_cast<const VEC *>(&in[(size_t)(y + k) * cols + x]);
            } else {
#pragma unroll
                for (int i = 0; i < SIDE; i++)
                    if (x + i < cols && y + k < rows)
                        square[k][i] = in[(size_t)(y + k) * cols + x + i];
            }
#pragma unroll
        for (int k = 0; k < SIDE; k++)
#pragma unroll
            for (int i = 0; i < SIDE; i++)
                turned[i][k] = square[k][i];
        if (x < cols && y < rows)
#pragma unroll
            for (int k = 0; k < SIDE; k++)
                tile[threadIdx.x * SIDE + k][j ^ threadIdx.x] = *reinterpret_cast<VEC *>(turned[k]);
    }

    __syncthreads();

    const int ox = (blockIdx.x * ACROSS + threadIdx.x) * SIDE; // column of the output
#pragma unroll
    for (int pass = 0; pass < EDGE; pass += BLOCK_ROWS) {
        const int j = pass + threadIdx.y;
        if (EDGE % BLOCK_ROWS && j >= EDGE)
            break;
        const int oy = blockIdx.y * EDGE + j; // row of the output
        if (ox < rows && oy < cols) {
            ELEM line[SIDE];
            *reinterpret_cast<VEC *>(line) = tile[j][threadIdx.x ^ j / SIDE];
            if (whole)
                *reinterpret_cast<VEC *>(&out[(size_t)oy * rows + ox]) = *reinterpret_cast<VEC *>(line);
            else
#pragma unroll
                for (int i = 0; i < SIDE; i++)
                    if (ox + i < rows)
                        out[(size_t)oy * rows + ox + i] = line[i];
        }
    }
}

__global__ void vector(const ELEM *__restrict__ in, ELEM *__restrict__ out, int rows, int cols)
{
    if constexpr (sizeof(ELEM) == 1)
        turn<uchar4>(in, out, rows, cols);
    else if constexpr (sizeof(ELEM) == 2)
        turn<ushort4>(in, out, rows, cols);
    else if constexpr (sizeof(ELEM) == 8)
        turn<ulonglong2>(in, out, rows, cols);
    else
        turn<uint4>(in, out, rows, cols);
}
