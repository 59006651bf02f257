#include "choice.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    SECTOR = 32,       /* bytes that are written at once */
    LINE = 128,        /* bytes that are read at once */
    LINES_WIDTH = 384, /* bytes of a row in a tile of the rung lines */
    SMALL = 8 << 20,   /* bytes: the L2 holds both matrices, and a large tile leaves SMs without work */
    MEDIUM = 32 << 20,
    FLAT = 256,     /* rows: most tiles of the rung lines would be at an end of the matrix */
    FEW_ROWS = 5000 /* tiles half as high make enough blocks */
};

struct bench_choice bench_choose(uint32_t rows, uint32_t cols, unsigned elem_bytes, uint64_t l2_bytes)
{
    const unsigned side = elem_bytes == 16 ? 1 : elem_bytes == 8 ? 2 : 4; /* as the vector rung has it */
    const uint64_t bytes = (uint64_t)rows * cols * elem_bytes;
    const bool tall = l2_bytes && (uint64_t)rows * LINES_WIDTH > l2_bytes / 4;
    if (rows % side == 0 && cols % side == 0 && (uint64_t)rows * elem_bytes % SECTOR == 0)
        return (struct bench_choice){
            "vector", NULL, "rows begin at whole vectors on both sides, and the output's at sectors"};
    if (bytes < SMALL)
        return (struct bench_choice){"ordered", NULL, "the matrix is small"};
    if (elem_bytes == 4 && (bytes < MEDIUM || rows < FLAT || (uint64_t)cols * elem_bytes % LINE == 0))
        return (struct bench_choice){"sheared", tall ? "BAND=16" : NULL,
                                     "the output's rows do not begin at sectors, so its stores are shifted"};
    return (struct bench_choice){"lines",
                                 tall                                 ? "BAND=16"
                                 : elem_bytes == 4 && rows < FEW_ROWS ? "TALL=1"
                                                                      : NULL,
                                 "rows begin anywhere, so whole lines are read and their shifts undone"};
}
