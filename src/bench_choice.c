#include "bench_choice.h"

#include <stddef.h>

struct bench_choice bench_choose(uint32_t rows, uint32_t cols, unsigned elem_bytes)
{
    unsigned side = elem_bytes == 16 ? 1 : elem_bytes == 8 ? 2 : 4; /* as the vector rung has it */
    if ((uint64_t)rows * elem_bytes % 32 && elem_bytes >= 4)
        return (struct bench_choice){"sheared", (uint64_t)cols * elem_bytes < 4096 ? "BAND=16" : NULL,
                                     "the output's rows do not begin at sectors, so its stores are shifted"};
    if (rows % side || cols % side)
        return (struct bench_choice){"ordered", NULL,
                                     "rows do not begin at whole vectors, so elements go one by one"};
    return (struct bench_choice){"vector", NULL, "rows begin at whole vectors on both sides"};
}
