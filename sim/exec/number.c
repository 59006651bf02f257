/* number.c - exact integer arithmetic on 32 lanes at once. */
#include <string.h>

#include "lanes.h"

const struct range number_ranges[] = {
    [NUMBER_I8] = {INT8_MIN, INT8_MAX},    [NUMBER_U8] = {0, UINT8_MAX},
    [NUMBER_I16] = {INT16_MIN, INT16_MAX}, [NUMBER_U16] = {0, UINT16_MAX},
    [NUMBER_I32] = {INT32_MIN, INT32_MAX}, [NUMBER_U32] = {0, UINT32_MAX},
    [NUMBER_I64] = {INT64_MIN, INT64_MAX}, [NUMBER_U64] = {INT64_MIN, INT64_MAX},
};

static int64_t wrap(enum number_kind kind, uint64_t value)
{
    switch (kind) {
    case NUMBER_I8:
        return (int8_t)(uint8_t)value;
    case NUMBER_U8:
        return (uint8_t)value;
    case NUMBER_I16:
        return (int16_t)(uint16_t)value;
    case NUMBER_U16:
        return (uint16_t)value;
    case NUMBER_I32:
        return (int32_t)(uint32_t)value;
    case NUMBER_U32:
        return (uint32_t)value;
    case NUMBER_I64:
    case NUMBER_U64:
        break;
    }
    return (int64_t)value;
}

static void report(struct execution *e, struct overflow *overflow, const struct warp *warp,
                   const struct instruction *at, enum overflow_kind kind, uint32_t lanes, int64_t value)
{
    if (e->program->is_compiled) /* whose arithmetic wraps by definition */
        return;
    if (!overflow->lanes) {
        overflow->kind = kind;
        overflow->bits = 8u << (at->kind / 2);
        overflow->place = e->program->places[at->place];
        memcpy(overflow->block, e->block, sizeof e->block);
        overflow->warp = warp->index;
        overflow->lane = (uint32_t)__builtin_ctz(lanes);
        overflow->value = value;
    }
    overflow->lanes += (uint64_t)__builtin_popcount(lanes);
}

/* Active `lanes` have wrapped, the first from `value`. Types narrower than int only wrap in conversions,
 * which C++ defines; an unsigned difference below 0 is every day's. */
static void report_wrap(struct execution *e, const struct warp *warp, const struct instruction *at,
                        uint32_t lanes, int64_t value)
{
    if (at->kind == NUMBER_I32 || at->kind == NUMBER_I64)
        report(e, &e->overflow, warp, at, OVERFLOW_SIGNED, lanes, value);
    else if (at->kind == NUMBER_U32 &&
             (at->op == OP_ADD || at->op == OP_ADD_TO || at->op == OP_MUL || at->op == OP_SHL))
        report(e, &e->wrap, warp, at, OVERFLOW_SIGNED, lanes, value);
}

/* Is a value outside its type's range that of a << which may fill the sign bit? */
static bool fills_sign(const struct instruction *at, int64_t value)
{
    return at->op == OP_SHL && at->kind == NUMBER_I32 && value > 0 && value <= UINT32_MAX;
}

/* What a result was made of. `op`: OP_ADD or OP_MUL, which stands for a shift too. */
struct operands {
    enum opcode op;
    const struct value *a, *b;
};

/* An unsigned sum or product that wraps is everyday's where it is that of ints: s[threadIdx.x + 1 + i] with
 * i = -3. Does it leave int, its operands read as ints? */
static bool leaves_int(enum opcode op, int64_t a, int64_t b)
{
    int64_t x = (int32_t)(uint32_t)(uint64_t)a, y = (int32_t)(uint32_t)(uint64_t)b;
    int64_t result = op == OP_MUL ? x * y : x + y;
    return result != (int32_t)result;
}

static uint32_t lanes_that_leave_int(const struct execution *e, uint32_t lanes, const struct operands *from)
{
    uint32_t leave = 0;
    for (; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        leave |= (uint32_t)leaves_int(from->op, lanes_value(e, from->a, lane), lanes_value(e, from->b, lane))
                 << lane;
    }
    return leave;
}

/* base + pattern brought into the range of `kind`; `from` is NULL for a conversion. */
static struct value fit(struct execution *e, struct warp *warp, const struct instruction *at,
                        enum number_kind kind, int64_t base, pattern_id pattern, const struct operands *from)
{
    struct range range;
    struct value result = {.base = base, .tag = VALUE_TAG(VALUE_NUMBER, pattern)};
    if (kind >= NUMBER_I64)
        return result;
    if (lanes_range(e, base, pattern, &range) && range.low >= number_ranges[kind].low &&
        range.high <= number_ranges[kind].high)
        return result;
    int64_t values[LANES];
    uint32_t wrapped = 0;
    for (int lane = 0; lane < LANES; lane++) {
        int64_t value = lanes_value(e, &result, lane);
        values[lane] = wrap(kind, (uint64_t)value);
        wrapped |= (uint32_t)(values[lane] != value && !fills_sign(at, value)) << lane;
    }
    wrapped &= from ? warp->active : 0;
    if (wrapped && kind == NUMBER_U32)
        wrapped = lanes_that_leave_int(e, wrapped, from);
    if (wrapped)
        report_wrap(e, warp, at, wrapped, lanes_value(e, &result, __builtin_ctz(wrapped)));
    result.pattern = pattern_intern(&e->patterns, values, &result.base);
    return result;
}

/* a << b fits neither the signed nor the unsigned type of 64 bits. */
static bool shift_leaves_64(int64_t a, uint64_t b)
{
    int64_t shifted = (int64_t)((uint64_t)a << b);
    return shifted >> b != a && (a < 0 || (uint64_t)shifted >> b != (uint64_t)a);
}

/* One lane of a division whose divisor is not 0. `overflow`: 64 bits do not hold the quotient. */
static int64_t divide(const struct instruction *at, int64_t a, int64_t b, bool *overflow)
{
    bool quotient = at->op == OP_DIV;
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    if (at->kind % 2) /* unsigned */
        return (int64_t)(quotient ? ua / ub : ua % ub);
    if (b == -1) {
        *overflow = quotient && a == INT64_MIN;
        return quotient ? (int64_t)(0 - ua) : 0;
    }
    return quotient ? a / b : a % b;
}

/* One lane of an operation. Returns false if it divides by zero. `overflow`: 64 bits do not hold the result.
 */
static bool lane_operation(const struct instruction *at, int64_t a, int64_t b, int64_t *result,
                           bool *overflow)
{
    bool is_signed = at->kind % 2 == 0;
    unsigned bits = 8u << (at->kind / 2);
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    *overflow = false;
    switch (at->op) {
    case OP_MUL:
        *overflow = __builtin_mul_overflow(a, b, result);
        *result = (int64_t)(ua * ub);
        return true;
    case OP_DIV:
    case OP_MOD:
        if (b == 0)
            return false;
        *result = divide(at, a, b, overflow);
        return true;
    case OP_AND:
        *result = a & b;
        return true;
    case OP_OR:
        *result = a | b;
        return true;
    case OP_XOR:
        *result = a ^ b;
        return true;
    case OP_SHL: /* as the hardware: a count of the width or more gives 0 */
        *result = ub >= bits ? 0 : (int64_t)(ua << ub);
        *overflow = ub < bits && bits == 64 && shift_leaves_64(a, ub);
        return true;
    case OP_SHR:
        if (is_signed)
            *result = ub >= bits ? (a < 0 ? -1 : 0) : a >> ub;
        else
            *result = ub >= bits ? 0 : (int64_t)(ua >> ub);
        return true;
    case OP_NEG:
        *result = (int64_t)(0 - ua);
        *overflow = a == INT64_MIN;
        return true;
    case OP_COM:
        *result = ~a;
        return true;
    case OP_MIN:
    case OP_MAX: {
        bool less = is_signed ? a < b : ua < ub;
        *result = less == (at->op == OP_MIN) ? a : b;
        return true;
    }
    default:
        *overflow =
            at->op == OP_SUB ? __builtin_sub_overflow(a, b, result) : __builtin_add_overflow(a, b, result);
        *result = (int64_t)(at->op == OP_SUB ? ua - ub : ua + ub);
        return true;
    }
}

/* The same of one lane, where operands differ from lane to lane. */
static bool reads_as_int(const struct instruction *at, const struct execution *e, const struct value *a,
                         const struct value *b, int lane)
{
    int64_t x = lanes_value(e, a, lane), y = lanes_value(e, b, lane);
    if (at->op == OP_SHL)
        return y >= 0 && y < 31 && !leaves_int(OP_MUL, x, INT64_C(1) << y);
    return at->op == OP_MUL && !leaves_int(OP_MUL, x, y);
}

static struct value lane_by_lane(struct execution *e, struct warp *warp, const struct instruction *at,
                                 const struct value *a, const struct value *b)
{
    struct value result = {.kind = VALUE_NUMBER};
    uint32_t key = at->op + 128u * at->kind;
    const struct pattern_result *known =
        pattern_recall(&e->patterns, key, a->pattern, b->pattern, a->base, b->base);
    if (known) {
        result.base = known->base;
        result.pattern = known->pattern;
        return result;
    }
    int64_t values[LANES], exact[LANES];
    uint32_t divided = 0, wrapped = 0, shifted = at->op == OP_SHL || at->op == OP_SHR ? UINT32_MAX : 0;
    for (int lane = 0; lane < LANES; lane++) {
        bool overflow;
        int64_t value = 0, count = lanes_value(e, b, lane);
        if (!lane_operation(at, lanes_value(e, a, lane), count, &value, &overflow))
            divided |= UINT32_C(1) << lane;
        values[lane] = wrap((enum number_kind)at->kind, (uint64_t)value);
        exact[lane] = overflow ? 0 : value;
        bool fine = fills_sign(at, value) || (at->kind == NUMBER_U32 && reads_as_int(at, e, a, b, lane));
        wrapped |= (uint32_t)(overflow || (values[lane] != value && !fine)) << lane;
        shifted &= ~((uint32_t)((uint64_t)count < 8u << (at->kind / 2)) << lane);
    }
    result.pattern = pattern_intern(&e->patterns, values, &result.base);
    if (divided & warp->active)
        execution_fail(e, at, "this divides by zero");
    if (wrapped & warp->active)
        report_wrap(e, warp, at, wrapped & warp->active, exact[__builtin_ctz(wrapped & warp->active)]);
    if (shifted & warp->active)
        report(e, &e->overflow, warp, at, OVERFLOW_SHIFT, shifted & warp->active,
               lanes_value(e, b, __builtin_ctz(shifted & warp->active)));
    if (!divided && !wrapped && !shifted)
        pattern_remember(&e->patterns, key, a->pattern, b->pattern, a->base, b->base,
                         (struct pattern_result){result.base, result.pattern});
    return result;
}

/* Are all lanes so small that a sum of two such values cannot leave 64 bits? */
static bool is_small(const struct execution *e, const struct value *v)
{
    const struct pattern *pattern = e->patterns.at[(pattern_id)v->tag];
    const int64_t most = INT64_C(1) << 61;
    return v->base > -most && v->base < most && pattern->low > -most && pattern->high < most;
}

/* Puts base + pattern into dst if all lanes are within the range of a 32-bit `kind` (any for 64 bits). The
 * operands' values have at most 33 bits, so that the sums cannot leave 64. */
static inline bool fits(const struct execution *e, enum number_kind kind, int64_t base, pattern_id id,
                        struct value *dst)
{
    const struct pattern *pattern = e->patterns.at[id];
    if (kind < NUMBER_I64 &&
        (base + pattern->low < number_ranges[kind].low || base + pattern->high > number_ranges[kind].high))
        return false;
    dst->base = base;
    dst->tag = VALUE_TAG(VALUE_NUMBER, id);
    return true;
}

/* a + b with the same two patterns as last time, or looked up. */
static inline pattern_id add_patterns(struct execution *e, const struct instruction *at, pattern_id a,
                                      pattern_id b)
{
    if (a == 0 || b == 0)
        return a | b;
    struct pattern_cache *cache = cache_of(e, at);
    if (cache->a != a || cache->b != b) {
        cache->result = pattern_add(&e->patterns, a, b);
        cache->a = a;
        cache->b = b;
    }
    return cache->result;
}

static inline pattern_id scale_pattern(struct execution *e, const struct instruction *at, pattern_id a,
                                       int64_t factor)
{
    if (a == 0)
        return 0;
    struct pattern_cache *cache = cache_of(e, at);
    if (cache->a != a || cache->x != factor) {
        cache->result = pattern_scale(&e->patterns, a, factor);
        cache->a = a;
        cache->x = factor;
    }
    return cache->result;
}

void number_add(struct execution *e, struct warp *warp, const struct instruction *at, const struct value *a,
                const struct value *b, struct value *dst)
{
    enum number_kind kind = (enum number_kind)at->kind;
    if (kind == NUMBER_I64 && !(is_small(e, a) && is_small(e, b))) {
        *dst = lane_by_lane(e, warp, at, a, b);
        return;
    }
    int64_t base = (int64_t)((uint64_t)a->base + (uint64_t)b->base);
    pattern_id id = add_patterns(e, at, (pattern_id)a->tag, (pattern_id)b->tag);
    if (!fits(e, kind, base, id, dst))
        *dst = fit(e, warp, at, kind, base, id, &(struct operands){OP_ADD, a, b});
}

/* One operand is the same in all lanes: the base is a product and the pattern a multiple. False if neither
 * is, or if the product leaves 64 bits. */
static inline bool multiply(struct execution *e, struct warp *warp, const struct instruction *at,
                            const struct value *a, const struct value *b, struct value *dst)
{
    enum number_kind kind = (enum number_kind)at->kind;
    const struct value *varying = (pattern_id)b->tag ? b : a;
    const struct value *factor = varying == b ? a : b;
    const struct pattern *pattern = e->patterns.at[(pattern_id)varying->tag];
    int64_t low, high;
    if ((pattern_id)factor->tag || __builtin_add_overflow(varying->base, pattern->low, &low) ||
        __builtin_add_overflow(varying->base, pattern->high, &high) ||
        __builtin_mul_overflow(low, factor->base, &low) || __builtin_mul_overflow(high, factor->base, &high))
        return false;
    int64_t base = varying->base * factor->base; /* between low and high */
    pattern_id id = scale_pattern(e, at, (pattern_id)varying->tag, factor->base);
    int64_t least = low < high ? low : high, most = low < high ? high : low;
    if (kind >= NUMBER_I64 || (least >= number_ranges[kind].low && most <= number_ranges[kind].high)) {
        dst->base = base;
        dst->tag = VALUE_TAG(VALUE_NUMBER, id);
        return true;
    }
    *dst = fit(e, warp, at, kind, base, id, &(struct operands){OP_MUL, a, b});
    return true;
}

void number_multiply(struct execution *e, struct warp *warp, const struct instruction *at,
                     const struct value *a, const struct value *b, struct value *dst)
{
    if (!multiply(e, warp, at, a, b, dst))
        *dst = lane_by_lane(e, warp, at, a, b);
}

struct value number_arithmetic(struct execution *e, struct warp *warp, const struct instruction *at,
                               const struct value *a, const struct value *b)
{
    struct value result;
    if (at->op == OP_ADD || at->op == OP_ADD_TO) {
        number_add(e, warp, at, a, b, &result);
        return result;
    }
    if (at->op == OP_MUL) {
        number_multiply(e, warp, at, a, b, &result);
        return result;
    }
    if (at->op == OP_SUB && (at->kind != NUMBER_I64 || (is_small(e, a) && is_small(e, b))))
        return fit(e, warp, at, (enum number_kind)at->kind, (int64_t)((uint64_t)a->base - (uint64_t)b->base),
                   pattern_subtract(&e->patterns, a->pattern, b->pattern), &(struct operands){OP_SUB, a, b});
    if (at->op == OP_SHL && b->pattern == 0 && b->base >= 0 && b->base < 31) {
        struct value factor = {.base = INT64_C(1) << b->base, .tag = VALUE_TAG(VALUE_NUMBER, 0)};
        if (multiply(e, warp, at, a, &factor, &result))
            return result;
    }
    return lane_by_lane(e, warp, at, a, b);
}

struct value number_convert(struct execution *e, struct warp *warp, const struct instruction *at,
                            const struct value *a)
{
    struct value result;
    enum number_kind kind = (enum number_kind)at->kind;
    const struct pattern *pattern = e->patterns.at[a->pattern];
    int64_t low, high;
    if (!__builtin_add_overflow(a->base, pattern->low, &low) &&
        !__builtin_add_overflow(a->base, pattern->high, &high) && low >= number_ranges[kind].low &&
        high <= number_ranges[kind].high) {
        result.base = a->base;
        result.tag = VALUE_TAG(VALUE_NUMBER, a->pattern);
        return result;
    }
    return fit(e, warp, at, kind, a->base, a->pattern, NULL);
}

struct value number_from_mask(struct execution *e, uint32_t mask)
{
    struct value result = {.kind = VALUE_NUMBER};
    int64_t values[LANES];
    for (int lane = 0; lane < LANES; lane++)
        values[lane] = mask >> lane & 1;
    result.pattern = pattern_intern(&e->patterns, values, &result.base);
    return result;
}
