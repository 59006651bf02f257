#include "cycles.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../../base/arena.h"

bool cycles_each(uint32_t rows, uint32_t cols, void *self,
                 void (*found)(void *self, uint64_t leader, uint64_t length), struct problem *problem)
{
    uint64_t cells = (uint64_t)rows * cols;
    if (cells > CYCLES_CELL_LIMIT)
        return problem_say(problem, "cycles are looked for in at most 2^31 cells; %u x %u has %" PRIu64, rows,
                           cols, cells);
    uint8_t *seen = memory_try(cells / 8 + 1, 1);
    if (!seen)
        return problem_say_world(problem, "there is not enough memory for a bit a cell");
    for (uint64_t leader = 0; leader < cells; leader++) {
        uint64_t length = 0;
        for (uint64_t k = leader; !(seen[k / 8] >> k % 8 & 1); k = cycle_next(rows, cols, k)) {
            seen[k / 8] = (uint8_t)(seen[k / 8] | 1u << k % 8);
            length++;
        }
        if (length)
            found(self, leader, length);
    }
    free(seen);
    return true;
}
