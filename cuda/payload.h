/* payload.h - matrices whose cells carry their own index, and the check of what arrived.
 *
 * Cell i of the input holds the number i as an integer, never a float, in the width of the element. Narrow
 * elements cannot hold every index of a large matrix: then several passes are made, pass k with the k-th
 * digit of the index in base 2^(8 * width), and an element is right only if it is right in each. A 16-byte
 * element holds i, i >> 32 and the complements of both, so that torn elements are seen.
 *
 * The output is poisoned with the complement of what belongs in each cell: a cell that is never written can
 * not be right by chance. What belongs there is mathematics, out[j][i] = in[i][j], not the simulator.
 */
#ifndef LANESCOPE_CUDA_PAYLOAD_H
#define LANESCOPE_CUDA_PAYLOAD_H

#include <stdbool.h>
#include <stdint.h>

#define GUARD_BYTES UINT64_C(65536) /* before and after each buffer */
#define GUARD_VALUE 0xc7

struct payload {
    uint32_t rows, cols; /* of the input */
    unsigned elem_bytes; /* 1, 2, 4, 8, 16 */
    bool is_copy;
};

unsigned payload_passes(const struct payload *payload);

void payload_fill(const struct payload *payload, unsigned pass, void *cells);   /* the input */
void payload_poison(const struct payload *payload, unsigned pass, void *cells); /* the output */

struct payload_difference {
    uint64_t wrong;         /* cells */
    uint64_t cell;          /* the first one */
    uint64_t expected, got; /* its first 8 bytes at most */
};
struct payload_difference payload_check(const struct payload *payload, unsigned pass, const void *cells);

/* How many of the bytes are no longer the guard's value, and where the first is. */
uint64_t guard_check(const uint8_t *bytes, uint64_t count, uint64_t *first);

#endif
