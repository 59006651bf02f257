/* pattern.h - the shapes that 32 lanes' values take.
 *
 * A warp's value is a base, the same for all lanes, plus a pattern: how the lanes differ from lane 0. Most of
 * a kernel's arithmetic only moves the base; the patterns of threadIdx, of a row and of a column of the tile
 * come back again and again. So patterns are interned: equal shapes have one number, arithmetic on them is
 * looked up, and what an access costs can be remembered under its pattern's number.
 *
 * Pattern 0 is "all lanes equal". Every pattern has delta[0] = 0. Lanes that do not exist (a partial warp) or
 * do not run have deltas too; they are never looked at.
 *
 * A pattern table belongs to one execution. Numbers, and pointers to patterns, stay valid until
 * pattern_table_collect(): a pattern never moves while others are added.
 */
#ifndef LANESCOPE_EXEC_PATTERN_H
#define LANESCOPE_EXEC_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LANES 32

typedef uint32_t pattern_id;

struct pattern {
    int64_t delta[LANES];
    int64_t low, high; /* smallest and largest delta */
    uint64_t low_bits; /* all deltas or-ed: a multiple of 2^k has k low bits clear */
    uint64_t hash;
};

struct pattern_memo;

struct pattern_table {
    struct pattern **at; /* by number */
    uint32_t count, capacity;
    uint32_t *buckets; /* numbers, 0 = empty (pattern 0 is not in here) */
    uint32_t bucket_count;
    struct pattern_memo *memo;
    uint32_t memo_size, remembered; /* a power of two; more of them make it grow */
    uint32_t generation;            /* changes when numbers change their meaning */
};

void pattern_table_init(struct pattern_table *table);
void pattern_table_free(struct pattern_table *table);

/* The number of the pattern of `values` (any values: the base is taken off and returned). */
pattern_id pattern_intern(struct pattern_table *table, const int64_t *values, int64_t *base);

/* Sums, differences and multiples of patterns, remembered. */
pattern_id pattern_add(struct pattern_table *table, pattern_id a, pattern_id b);
pattern_id pattern_subtract(struct pattern_table *table, pattern_id a, pattern_id b);
pattern_id pattern_scale(struct pattern_table *table, pattern_id a, int64_t factor);

/* For operations that depend on the bases too: looks up / remembers a result under (op, a, b, x, y).
 * pattern_recall() returns NULL on a miss. The pointer is valid until the next call. */
struct pattern_result {
    int64_t base;
    pattern_id pattern;
};
const struct pattern_result *pattern_recall(const struct pattern_table *table, uint32_t op, pattern_id a,
                                            pattern_id b, int64_t x, int64_t y);
void pattern_remember(struct pattern_table *table, uint32_t op, pattern_id a, pattern_id b, int64_t x,
                      int64_t y, struct pattern_result result);

/* Is the table so full that the owner should call pattern_table_collect()? */
bool pattern_table_is_full(const struct pattern_table *table);

/* Forgets all patterns but those that `keep` names, and gives those new numbers in place. */
void pattern_table_collect(struct pattern_table *table, pattern_id **keep, size_t count);

#endif
