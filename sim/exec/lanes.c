/* lanes.c - values joined from two, lane by lane. */
#include "lanes.h"

struct value lanes_merge(struct execution *e, uint32_t mask, const struct value *fresh,
                         const struct value *old)
{
    struct value result = *old;
    if (fresh->pattern == old->pattern && fresh->base == old->base)
        return result;
    int64_t apart = (int64_t)((uint64_t)fresh->base - (uint64_t)old->base);
    const struct pattern_result *known =
        pattern_recall(&e->patterns, OP_MOVE, fresh->pattern, old->pattern, apart, mask);
    if (known) {
        result.base = (int64_t)((uint64_t)old->base + (uint64_t)known->base);
        result.pattern = known->pattern;
        return result;
    }
    int64_t values[LANES], base;
    for (int lane = 0; lane < LANES; lane++) {
        const struct value *from = mask >> lane & 1 ? fresh : old;
        values[lane] = (int64_t)((uint64_t)lanes_value(e, from, lane) - (uint64_t)old->base);
    }
    result.pattern = pattern_intern(&e->patterns, values, &base);
    pattern_remember(&e->patterns, OP_MOVE, fresh->pattern, old->pattern, apart, mask,
                     (struct pattern_result){base, result.pattern});
    result.base = (int64_t)((uint64_t)old->base + (uint64_t)base);
    return result;
}
