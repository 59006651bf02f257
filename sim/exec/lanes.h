/* lanes.h - single lanes of a value and the range over all of them. Inside exec. */
#ifndef LANESCOPE_EXEC_LANES_H
#define LANESCOPE_EXEC_LANES_H

#include "state.h"

struct range {
    int64_t low, high;
};

extern const struct range number_ranges[]; /* number.c: what each enum number_kind holds */

static inline int64_t lanes_value(const struct execution *e, const struct value *v, int lane)
{
    return (int64_t)((uint64_t)v->base + (uint64_t)e->patterns.at[v->pattern]->delta[lane]);
}

/* The smallest and largest lane of a value; false if that leaves 64 bits. */
static inline bool lanes_range(const struct execution *e, int64_t base, pattern_id id, struct range *range)
{
    const struct pattern *pattern = e->patterns.at[id];
    return !__builtin_add_overflow(base, pattern->low, &range->low) &&
           !__builtin_add_overflow(base, pattern->high, &range->high);
}

/* `fresh` in the lanes of `mask`, `old` in the others; both of one kind, pointers of one buffer. */
struct value lanes_merge(struct execution *e, uint32_t mask, const struct value *fresh,
                         const struct value *old);

#endif
