#include "bench_choice.h"

struct bench_choice bench_choose(uint32_t rows, uint32_t cols, unsigned elem_bytes)
{
    unsigned side = elem_bytes == 16 ? 1 : elem_bytes == 8 ? 2 : 4; /* as the vector rung has it */
    if ((uint64_t)rows * elem_bytes % 32)
        return (struct bench_choice){"sheared", 0, 0,
                                     "the output's rows do not begin at sectors, so its stores are shifted"};
    if (rows % side || cols % side)
        return (struct bench_choice){"ordered", 0, 0,
                                     "rows do not begin at whole vectors, so elements go one by one"};
    return (struct bench_choice){"vector", 0, 0, "rows begin at whole vectors on both sides"};
}
