/* cycles.h - the permutation that an in-place transposition of a rows x cols matrix is.
 *
 * Row by row, the element in place k belongs in place k * rows mod (rows * cols - 1); the first and the last
 * stay. Following k from place to place comes back to where it began: a cycle. Its leader is its smallest
 * place.
 */
#ifndef LANESCOPE_REPORT_CYCLES_H
#define LANESCOPE_REPORT_CYCLES_H

#include "../../base/problem.h"

#include <stdint.h>

#define CYCLES_CELL_LIMIT (UINT64_C(1) << 31)

/* Where the element in place k belongs. */
static inline uint64_t cycle_next(uint64_t rows, uint64_t cols, uint64_t k)
{
    uint64_t last = rows * cols - 1;
    return k == last ? last : k * rows % last;
}

/* Calls `found` for each cycle, fixed places among them, by ascending leader. One bit a cell is kept. False
 * after filling the problem: too many cells, or not so much memory. */
bool cycles_each(uint32_t rows, uint32_t cols, void *self,
                 void (*found)(void *self, uint64_t leader, uint64_t length), struct problem *problem);

#endif
