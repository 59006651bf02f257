/* bank.h - what one shared-memory instruction of a warp costs.
 *
 * The rule (source: 2,550 single-warp accesses counted on an H200, tests/data/accesses.csv; pinned by
 * tests/test_recorded.c):
 *  - 32 banks of 4 bytes; bank = (byte / 4) mod 32.
 *  - The warp is cut into groups of consecutive lanes: one of 32 for lanes of 1, 2 or 4 bytes, two of 16 for
 * 8 bytes, four of 8 for 16 bytes.
 *  - Loads of 8 and 16 bytes merge the groups pairwise when, over the whole warp, either every active lane i
 * has lane i^1 inactive or at the same address, or every active lane i has lane i^2 inactive or at the same
 * address. Stores never merge.
 *  - Wavefronts: summed over the groups with an active lane, the largest number of distinct words that one
 * bank has to serve. Lanes in one word cost nothing extra (broadcast), in loads and stores alike.
 *  - Ideal: the number of groups with an active lane. Conflicts: wavefronts - ideal.
 *  - Atomics on 32-bit integers (source: 133 single-warp accesses, tests/data/accesses_atomic.csv; pinned by
 * tests/test_atomics.c): wavefronts = the largest number of active lanes in one bank. Equal addresses do not
 * merge: 32 lanes on one word are 32. A compare-and-swap takes each wavefront twice. Ideal: one, or one taken
 * twice. Limits: other atomics (floats, 64 bits) are loops of the compiler's, which no rule covers; ldmatrix
 * and asynchronous copies are not covered.
 */
#ifndef LANESCOPE_MODEL_BANK_H
#define LANESCOPE_MODEL_BANK_H

#include <stdbool.h>
#include <stdint.h>

#define BANK_COUNT 32u
#define BANK_BYTES 4u

/* One warp instruction. Lane i touches lane_bytes bytes from base + delta[i]. */
struct lanes {
    unsigned lane_bytes; /* 1, 2, 4, 8, 16 */
    bool is_load;
    bool is_atomic;       /* lanes do not share: each is served alone */
    unsigned turns;       /* of an atomic: how often each wavefront is taken; 0: nobody knows */
    uint32_t mask;        /* active lanes */
    int64_t base;         /* bytes */
    const int64_t *delta; /* 32 of them */
};

struct bank_cost {
    unsigned wavefronts;
    unsigned ideal; /* wavefronts if no bank were asked for two words */
};

struct bank_cost bank_cost_of(const struct lanes *lanes);

/* Which bank serves how many distinct words, the largest over the groups. */
void bank_words_of(const struct lanes *lanes, unsigned words[BANK_COUNT]);

/* How the access spreads over the banks. */
struct bank_spread {
    unsigned words; /* distinct, of all lanes */
    unsigned banks; /* that serve any */
    unsigned ways;  /* distinct words of the bank that serves most, the largest over the groups: an n-way
                       conflict */
};
struct bank_spread bank_spread_of(const struct lanes *lanes);

/* The access wavefront by wavefront. The order within a group is an illustration (the first words in lane
 * order go first); their number is the rule's. */
struct bank_wavefront {
    uint32_t lanes;              /* lanes that this wavefront serves, wholly or in part */
    uint32_t banks;              /* banks at work */
    unsigned group;              /* of lanes, from 0 */
    uint32_t served[BANK_COUNT]; /* lanes, by bank: those whose word it hands out */
};
#define BANK_WAVEFRONT_LIMIT 160u /* 32 lanes of at most 5 words */
unsigned bank_wavefronts_of(const struct lanes *lanes, struct bank_wavefront out[BANK_WAVEFRONT_LIMIT]);

/* Which whole unit of so many bytes a byte lies in; bytes below 0 count downwards. */
static inline int64_t unit_of(int64_t byte, int64_t unit)
{
    return byte >= 0 ? byte / unit : -((unit - 1 - byte) / unit);
}

/* Bank of a byte offset from the block's shared memory. */
static inline unsigned bank_of(int64_t byte)
{
    return (unsigned)((uint64_t)byte / BANK_BYTES % BANK_COUNT);
}

#endif
