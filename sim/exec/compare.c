/* compare.c - comparisons of numbers. */
#include "lanes.h"

/* Compared lane by lane, without subtracting: for values that 64 signed bits do not order. */
static uint32_t compare_lanes(const struct execution *e, enum opcode op, bool is_signed,
                              const struct value *a, const struct value *b)
{
    uint32_t mask = 0;
    for (int lane = 0; lane < LANES; lane++) {
        int64_t x = lanes_value(e, a, lane), y = lanes_value(e, b, lane);
        bool less = is_signed ? x < y : (uint64_t)x < (uint64_t)y;
        bool result = op == OP_LT ? less : op == OP_LE ? less || x == y : op == OP_EQ ? x == y : x != y;
        mask |= (uint32_t)result << lane;
    }
    return mask;
}

/* Lanes where base + pattern is below, not above, equal to, unequal to 0. */
static uint32_t compare_zero(struct execution *e, enum opcode op, int64_t base, pattern_id id)
{
    const struct pattern *pattern = e->patterns.at[id];
    struct range range;
    if (lanes_range(e, base, id, &range)) {
        if (op == OP_LT && (range.high < 0 || range.low >= 0))
            return range.high < 0 ? UINT32_MAX : 0;
        if (op == OP_LE && (range.high <= 0 || range.low > 0))
            return range.high <= 0 ? UINT32_MAX : 0;
        if ((op == OP_EQ || op == OP_NE) && (range.high < 0 || range.low > 0))
            return op == OP_NE ? UINT32_MAX : 0;
    }
    const struct pattern_result *known = pattern_recall(&e->patterns, op, id, 0, base, 0);
    if (known)
        return (uint32_t)known->base;
    uint32_t mask = 0;
    for (int lane = 0; lane < LANES; lane++) {
        int64_t value = (int64_t)((uint64_t)base + (uint64_t)pattern->delta[lane]);
        bool result = op == OP_LT   ? value < 0
                      : op == OP_LE ? value <= 0
                      : op == OP_EQ ? value == 0
                                    : value != 0;
        mask |= (uint32_t)result << lane;
    }
    pattern_remember(&e->patterns, op, id, 0, base, 0, (struct pattern_result){mask, 0});
    return mask;
}

/* Both operands far from where their difference could overflow, and non-negative where that matters? */
static bool are_near(const struct execution *e, enum number_kind kind, const struct value *a,
                     const struct value *b)
{
    const int64_t far = INT64_C(1) << 61, least = kind == NUMBER_U64 ? 0 : -far;
    struct range x, y;
    return lanes_range(e, a->base, a->pattern, &x) && lanes_range(e, b->base, b->pattern, &y) &&
           x.low >= least && y.low >= least && x.high <= far && y.high <= far;
}

uint32_t compare_numbers(struct execution *e, const struct instruction *at, enum opcode op,
                         const struct value *a, const struct value *b)
{
    enum number_kind kind = (enum number_kind)at->kind;
    if (a->kind == VALUE_POINTER)
        kind = NUMBER_I64; /* by their offsets: what lies before the buffer is less, as its address is */
    if (kind >= NUMBER_I64 && !are_near(e, kind, a, b))
        return compare_lanes(e, op, kind != NUMBER_U64, a, b);
    int64_t difference = a->base - b->base;
    pattern_id x = (pattern_id)a->tag, y = (pattern_id)b->tag;
    if ((x | y) == 0) {
        bool result = op == OP_LT   ? difference < 0
                      : op == OP_LE ? difference <= 0
                      : op == OP_EQ ? difference == 0
                                    : difference != 0;
        return result ? UINT32_MAX : 0;
    }
    struct pattern_cache *cache = cache_of(e, at);
    if (cache->a != x || cache->b != y) {
        cache->result = pattern_subtract(&e->patterns, x, y);
        cache->a = x;
        cache->b = y;
    }
    return compare_zero(e, op, difference, cache->result);
}

uint32_t compare_is_not_zero(struct execution *e, const struct value *a)
{
    return compare_zero(e, OP_NE, a->base, a->pattern);
}
