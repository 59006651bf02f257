/* usual.h - sums, products and comparisons of numbers as almost all of them are: patterns that the
 * instruction met last time, results that their type holds. Inline in the interpreter's loop, where a call
 * would cost as much again; false where it is not so, and nothing has happened: number.c and compare.c then
 * do all of it. Inside exec.
 */
#ifndef LANESCOPE_EXEC_USUAL_H
#define LANESCOPE_EXEC_USUAL_H

#include "lanes.h"

/* The pattern that the instruction made of these two last time; false: of others. */
static inline bool usual_pattern(const struct execution *e, const struct instruction *at, pattern_id a,
                                 pattern_id b, pattern_id *result)
{
    const struct pattern_cache *cache = cache_of(e, at);
    *result = cache->result;
    return cache->a == a && cache->b == b;
}

static inline bool usual_put(const struct execution *e, const struct instruction *at, int64_t base,
                             pattern_id id, struct value *dst)
{
    const struct pattern *pattern = e->patterns.at[id];
    const struct range *range = &number_ranges[at->kind];
    if ((int64_t)((uint64_t)base + (uint64_t)pattern->low) < range->low ||
        (int64_t)((uint64_t)base + (uint64_t)pattern->high) > range->high)
        return false;
    dst->base = base;
    dst->tag = VALUE_TAG(VALUE_NUMBER, id);
    return true;
}

static inline bool usual_add(const struct execution *e, const struct instruction *at, const struct value *a,
                             const struct value *b, struct value *dst)
{
    pattern_id x = (pattern_id)a->tag, y = (pattern_id)b->tag, id = x | y;
    if (at->kind == NUMBER_I64 || (x && y && !usual_pattern(e, at, x, y, &id)))
        return false;
    return usual_put(e, at, (int64_t)((uint64_t)a->base + (uint64_t)b->base), id, dst);
}

/* One operand is the same in all lanes, and non-negative; the other one is multiplied by it as last time. */
static inline bool usual_multiply(const struct execution *e, const struct instruction *at,
                                  const struct value *a, const struct value *b, struct value *dst)
{
    const struct value *varying = (pattern_id)b->tag ? b : a, *factor = varying == b ? a : b;
    pattern_id id = (pattern_id)varying->tag;
    const struct pattern *pattern = e->patterns.at[id];
    int64_t low, high;
    if ((pattern_id)factor->tag || factor->base < 0 ||
        __builtin_add_overflow(varying->base, pattern->low, &low) ||
        __builtin_add_overflow(varying->base, pattern->high, &high) ||
        __builtin_mul_overflow(low, factor->base, &low) || __builtin_mul_overflow(high, factor->base, &high))
        return false;
    if (low < number_ranges[at->kind].low || high > number_ranges[at->kind].high)
        return false;
    if (id) {
        const struct pattern_cache *cache = cache_of(e, at);
        if (cache->a != id || cache->x != factor->base)
            return false;
        id = cache->result;
    }
    dst->base = varying->base * factor->base; /* between low and high */
    dst->tag = VALUE_TAG(VALUE_NUMBER, id);
    return true;
}

/* Numbers of at most 32 bits, and all lanes decide alike. */
static inline bool usual_compare(const struct execution *e, const struct instruction *at, enum opcode op,
                                 const struct value *a, const struct value *b, uint32_t *lanes)
{
    pattern_id x = (pattern_id)a->tag, y = (pattern_id)b->tag, id = 0;
    if (at->kind >= NUMBER_I64 || ((x | y) && !usual_pattern(e, at, x, y, &id)))
        return false;
    const struct pattern *pattern = e->patterns.at[id];
    int64_t low = a->base - b->base + pattern->low, high = a->base - b->base + pattern->high;
    bool all, none;
    if (op == OP_LT) {
        all = high < 0;
        none = low >= 0;
    } else if (op == OP_LE) {
        all = high <= 0;
        none = low > 0;
    } else {
        bool equal = !(low | high), differ = low > 0 || high < 0;
        all = op == OP_EQ ? equal : differ;
        none = op == OP_EQ ? differ : equal;
    }
    *lanes = all ? UINT32_MAX : 0;
    return all || none;
}

#endif
