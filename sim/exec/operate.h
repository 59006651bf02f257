/* operate.h - what an instruction makes of its operands, whichever values they hold. Inside exec.
 *
 * The interpreter does the usual itself (numbers in all lanes); the rest comes here. Operands are settled
 * once, before anything looks at them: what follows meets no VALUE_PARTIAL. An operand that an instruction
 * cannot take is a problem where lanes run. Where none does (all have left the loop, or continued) it is
 * right, and the result goes nowhere.
 */
#ifndef LANESCOPE_EXEC_OPERATE_H
#define LANESCOPE_EXEC_OPERATE_H

#include "data.h"

/* An instruction with a result: SET to POINTER_DIFFERENCE. False: a problem is set. */
bool operate(struct execution *e, struct warp *warp, const struct instruction *at);

/* An OP_REAL. Returns true. */
bool operate_real(struct execution *e, struct warp *warp, const struct instruction *at);

/* The condition of a branch: lanes for which it holds (VALUE_BOOL), or data. False: a problem is set. */
bool operate_condition(struct execution *e, const struct warp *warp, const struct instruction *at,
                       struct value *result);
/* Fails: which lanes go where depends on this data. Returns false. */
bool operate_refuse_condition(const struct execution *e, const struct warp *warp,
                              const struct instruction *at, const struct value *condition);

/* Complains of an operand that the instruction cannot take, where lanes run. False: a problem is set. */
bool operate_refuse(const struct execution *e, const struct warp *warp, const struct instruction *at,
                    const struct value *value);

static inline struct value operate_bool(uint32_t lanes)
{
    return (struct value){.base = lanes, .tag = VALUE_TAG(VALUE_BOOL, 0)};
}
/* Fails: the lanes that come in at a label are not known. Returns false. */
bool operate_refuse_label(const struct execution *e, const struct warp *warp, const struct instruction *at);

/* The comparison in a COMPARE branch stands where others have their result. */
static inline bool operate_is_compare_branch(const struct instruction *at)
{
    return at->op == OP_IF_COMPARE || at->op == OP_TEST_COMPARE || at->op == OP_NARROW_COMPARE;
}

/* a is a pointer, b a number. */
static inline void operate_pointer_add(struct execution *e, const struct instruction *at,
                                       const struct value *a, const struct value *b, struct value *dst)
{
    uint64_t scale = e->program->scales[at->extra];
    pattern_id x = (pattern_id)a->tag, y = (pattern_id)b->tag, sum = x;
    if (y) {
        struct pattern_cache *cache = cache_of(e, at);
        if (cache->a != x || cache->b != y) {
            cache->result = pattern_add(&e->patterns, x, pattern_scale(&e->patterns, y, (int64_t)scale));
            cache->a = x;
            cache->b = y;
        }
        sum = cache->result;
    }
    uint64_t kind = a->tag >> 32;
    dst->base = (int64_t)((uint64_t)a->base + (uint64_t)b->base * scale);
    dst->tag = kind << 32 | sum;
}

#endif
