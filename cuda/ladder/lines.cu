// rung: 14
// title: lines
// purpose: Rows that begin anywhere: whole lines are read as they lie in memory, and their shifts are undone in the tile.
// block: TILE, BLOCK_ROWS
// grid: BAND, (cols + WIDTH - 1) / WIDTH, (rows + BAND * HEIGHT - 1) / (BAND * HEIGHT)
#ifndef TILE
#define TILE 32 // threads in a row of the block
#endif
#ifndef BLOCK_ROWS // rows of threads
#define BLOCK_ROWS (TILE < 8 ? TILE + 0 : sizeof(ELEM) == 1 && TILE >= 16 ? 16 : 8)
#endif
#ifndef ELEM
#define ELEM float
#endif
#define BYTES ((int)sizeof(ELEM))
#define WORD  (BYTES < 4 ? 4 : BYTES) // bytes that a lane moves at once
#define PACK  (WORD / BYTES)          // elements of a word
#ifndef LINE // bytes: reads begin at multiples of it
#define LINE (BYTES == 1 ? 32 : 128)
#endif
#ifndef SPAN // a row of threads reads so many words of a row of the input
#define SPAN (BYTES == 2 || BYTES == 4 ? 4 : 2)
#endif
#ifndef TALL // and writes so many of a row of the output
#define TALL (BYTES == 4 ? 2 : 1)
#endif
#define SECTOR 32            // bytes: stores do
#define MARGIN (LINE / WORD) // words that a row may begin before the tile
#define WORDS  ((int)(SPAN * TILE > 2 * MARGIN ? SPAN * TILE : 2 * MARGIN + TILE))
#define WIDTH  ((WORDS - MARGIN) * PACK) // columns of the tile
#define SHEAR  (SECTOR / BYTES)
#define HEIGHT ((int)((TALL * TILE * PACK + SHEAR - 1) / SHEAR * SHEAR)) // rows of the input that a tile writes
#define ROWS   (HEIGHT + SHEAR - 1)
#ifndef BAND // tiles below each other that come before those beside them
#define BAND ((rows + HEIGHT - 1) / HEIGHT)
#endif
#define STRIDE (BLOCK_ROWS % SHEAR == 0 ? BLOCK_ROWS : SHEAR % BLOCK_ROWS == 0 ? SHEAR : SHEAR * BLOCK_ROWS)
#define PASSES(count) (((count) + BLOCK_ROWS - 1) / BLOCK_ROWS)

struct place {
    int rows, cols, top, left; // of the matrix, of the tile
    int before, after;         // bytes from a line's beginning to the matrix, from a sector's to the output
    int skew;                  // 1 where rows of an even width would begin in the same banks
};

// Where row r of the tile begins, in words, and where in that word's line column 0 lies, in elements.
__device__ int row_at(const place &p, int r)
{
    return r * WORDS + (p.skew ? r / PACK : LINE < 128 ? r / (MARGIN * PACK) * MARGIN : 0);
}
__device__ int shift_in(const place &p, int r)
{
    return (int)((((size_t)(p.top + r) * p.cols + p.left) * BYTES + p.before) % LINE) / BYTES;
}

// INSIDE: no row ends within reach, nor the matrix.
template <bool INSIDE, typename VEC>
__device__ void fetch(const place &p, const VEC *__restrict__ lines, VEC *tile, int height)
{
    const size_t end = ((size_t)p.rows * p.cols * BYTES + p.before) / WORD;
    const size_t first = ((size_t)(p.top + threadIdx.y) * p.cols + p.left) * BYTES + p.before;
    const int reach = p.cols - p.left < WIDTH + MARGIN * PACK ? (p.cols - p.left) * BYTES : (WORDS + MARGIN) * WORD;
    VEC held[PASSES(ROWS)][(WORDS + TILE - 1) / TILE]; // inside, the loads of all passes are under way together
#pragma unroll
    for (int k = 0; k < PASSES(ROWS); k++) {
        const int j = threadIdx.y + k * BLOCK_ROWS;
        const size_t begin = first + (size_t)(k * BLOCK_ROWS * BYTES) * p.cols;
        const size_t line = begin / LINE * MARGIN; // in words
        const int most = ((int)(begin % LINE) + reach + LINE - 1) / LINE * MARGIN;
        bool is_read[(WORDS + TILE - 1) / TILE];
#pragma unroll
        for (int w = 0; w < WORDS; w += TILE) {
            const int x = w + threadIdx.x;
            is_read[w / TILE] =
                j < height && (WORDS % TILE == 0 || x < WORDS) &&
                (INSIDE || (p.top + j < p.rows && x < most && line + x < end && (line + x) * WORD >= p.before));
            if (is_read[w / TILE])
                held[k][w / TILE] = lines[line + x];
        }
#pragma unroll
        for (int w = 0; !INSIDE && w < WORDS; w += TILE)
            if (is_read[w / TILE])
                tile[row_at(p, j) + w + threadIdx.x] = held[k][w / TILE];
    }
#pragma unroll
    for (int k = 0; INSIDE && k < PASSES(ROWS); k++) {
        const int j = threadIdx.y + k * BLOCK_ROWS;
#pragma unroll
        for (int w = 0; w < WORDS; w += TILE)
            if (j < height && (WORDS % TILE == 0 || w + threadIdx.x < WORDS))
                tile[row_at(p, j) + w + threadIdx.x] = held[k][w / TILE];
    }
}

// Words that lie only in part in the matrix, at its beginning and at its end.
__device__ void fetch_ends(const place &p, const ELEM *__restrict__ in, ELEM *cells, int height, int width)
{
    const long long count = (long long)p.rows * p.cols;
    for (int i = threadIdx.x; i < 2 * PACK; i += TILE) {
        const int part = i < PACK ? (WORD - p.before % WORD) % WORD / BYTES : (int)((count * BYTES + p.before) % WORD / BYTES);
        const long long e = i < PACK ? i : count - 1 - i % PACK;
        const int r = (int)(e / p.cols) - p.top, c = (int)(e % p.cols) - p.left;
        if (i % PACK < part && e >= 0 && e < count && r >= 0 && r < height && c >= 0 && c < width)
            cells[row_at(p, r) * PACK + shift_in(p, r) + c] = in[e];
    }
}

// INSIDE: every store is a whole word. Rows of the output that lie STRIDE apart begin alike in their sectors.
template <bool INSIDE, typename PACKED>
__device__ void store(const place &p, const ELEM *cells, ELEM *__restrict__ out, int width)
{
    const int stride = row_at(p, TILE * PACK) * PACK; // a row of threads further down the tile
#pragma unroll 1
    for (int s = threadIdx.y; s < STRIDE; s += BLOCK_ROWS) {
        const size_t begin = (size_t)(p.left + s) * p.rows + p.top;
        const int shift = (int)((SECTOR - (begin * BYTES + p.after) % SECTOR) % SECTOR) / BYTES;
        const int y = shift + threadIdx.x * PACK;
        int from[PACK];
#pragma unroll
        for (int i = 0; i < PACK; i++)
            from[i] = row_at(p, y + i) * PACK + shift_in(p, y + i) + s;
#pragma unroll
        for (int k = 0; k < (WIDTH + STRIDE - 1) / STRIDE; k++) {
            const int c = k * STRIDE; // past s
            ELEM *const row = out + (begin + (size_t)c * p.rows);
            if ((!INSIDE || WIDTH % STRIDE) && s + c >= width)
                break;
#pragma unroll
            for (int m = 0; m < HEIGHT / PACK; m += TILE) {
                const int r = y + m * PACK;
                if ((HEIGHT / PACK % TILE == 0 || m + threadIdx.x < HEIGHT / PACK) && (INSIDE || p.top + r + PACK <= p.rows)) {
                    ELEM word[PACK];
#pragma unroll
                    for (int i = 0; i < PACK; i++)
                        word[i] = TILE * WORD % LINE == 0
                                      ? cells[from[i] + m / TILE * stride + c]
                                      : cells[row_at(p, r + i) * PACK + shift_in(p, r + i) + s + c];
                    *reinterpret_cast<PACKED *>(&row[r]) = *reinterpret_cast<PACKED *>(word);
                }
            }
            if (!INSIDE && p.top == 0) // what lies before the row's first sector
                for (int r = threadIdx.x; r < shift && r < p.rows; r += TILE)
                    row[r] = cells[row_at(p, r) * PACK + shift_in(p, r) + s + c];
            if (!INSIDE && PACK > 1 && p.top + shift < p.rows) // and behind its last whole word
                for (int r = shift + (p.rows - p.top - shift) / PACK * PACK + threadIdx.x; r < shift + HEIGHT && p.top + r < p.rows; r += TILE)
                    row[r] = cells[row_at(p, r) * PACK + shift_in(p, r) + s + c];
        }
    }
}

template <typename VEC, typename PACKED>
__device__ void move(const ELEM *__restrict__ in, ELEM *__restrict__ out, int rows, int cols)
{
    __shared__ VEC tile[ROWS * WORDS + ROWS / PACK + MARGIN];
    const place p = {rows, cols, (int)(blockIdx.z * BAND + blockIdx.x) * HEIGHT, (int)blockIdx.y * WIDTH,
                     (int)((size_t)in % LINE), (int)((size_t)out % SECTOR), 1 - cols % 2};
    ELEM *const cells = reinterpret_cast<ELEM *>(tile);
    const VEC *const lines = reinterpret_cast<const VEC *>(in - p.before / BYTES);
    const int width = cols - p.left < WIDTH ? cols - p.left : WIDTH;
    const bool shifted = rows * BYTES % SECTOR || p.after;
    const int height = shifted ? ROWS : HEIGHT;
    // inside: whatever is read is the matrix; whatever is stored is a whole word, and nothing lies before it
    const bool reads_inside = (p.before == 0 || p.top > 0 || p.left > 0) && p.top + ROWS < rows && cols >= WORDS * PACK;
    const bool stores_inside = p.top > 0 && p.top + ROWS <= rows && width == WIDTH;

    if (reads_inside)
        fetch<true, VEC>(p, lines, tile, height);
    else
        fetch<false, VEC>(p, lines, tile, height);
    if (PACK > 1 && threadIdx.y == 0 && !reads_inside)
        fetch_ends(p, in, cells, height, width);

    __syncthreads();

    if (stores_inside)
        store<true, PACKED>(p, cells, out, width);
    else
        store<false, PACKED>(p, cells, out, width);
}

__global__ void __launch_bounds__(1024) lines(const ELEM *__restrict__ in, ELEM *__restrict__ out, int rows, int cols)
{
    if constexpr (sizeof(ELEM) == 1)
        move<unsigned, uchar4>(in, out, rows, cols);
    else if constexpr (sizeof(ELEM) == 2)
        move<unsigned, ushort2>(in, out, rows, cols);
    else
        move<ELEM, ELEM>(in, out, rows, cols);
}
