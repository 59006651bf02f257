/* number.c - exact integer arithmetic on 32 lanes at once. */
#include <string.h>

#include "state.h"

struct range {
    int64_t low, high;
};

static const struct range ranges[] = {
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

static inline int64_t lane_value(const struct execution *e, const struct value *v, int lane)
{
    return (int64_t)((uint64_t)v->base + (uint64_t)e->patterns.at[v->pattern].delta[lane]);
}

/* The smallest and largest lane of a value; false if that leaves 64 bits. */
static inline bool bounds(const struct execution *e, int64_t base, pattern_id id, struct range *range)
{
    const struct pattern *pattern = &e->patterns.at[id];
    return !__builtin_add_overflow(base, pattern->low, &range->low) &&
           !__builtin_add_overflow(base, pattern->high, &range->high);
}

static void report_overflow(struct execution *e, const struct warp *warp, const struct instruction *at,
                            uint32_t lanes, int64_t value)
{
    if (!e->overflow.lanes) {
        e->overflow.place = e->program->places[at->place];
        memcpy(e->overflow.block, e->block, sizeof e->block);
        e->overflow.warp = warp->index;
        e->overflow.lane = (uint32_t)__builtin_ctz(lanes);
        e->overflow.value = value;
    }
    e->overflow.lanes += (uint64_t)__builtin_popcount(lanes);
}

/* Is a wrap of this operation a finding? Signed: always. Unsigned: only where an index grew too large for 32
 * bits. */
static bool wrap_is_finding(const struct instruction *at)
{
    if (at->kind == NUMBER_I32)
        return true;
    return at->kind == NUMBER_U32 && (at->op == OP_ADD || at->op == OP_MUL || at->op == OP_SHL);
}

/* base + pattern brought into the range of `kind`. */
static struct value fit(struct execution *e, struct warp *warp, const struct instruction *at,
                        enum number_kind kind, int64_t base, pattern_id pattern, bool report)
{
    struct range range;
    struct value result = {.base = base, .pattern = pattern, .kind = VALUE_NUMBER};
    if (kind >= NUMBER_I64)
        return result;
    if (bounds(e, base, pattern, &range) && range.low >= ranges[kind].low && range.high <= ranges[kind].high)
        return result;
    int64_t values[LANES];
    uint32_t wrapped = 0;
    for (int lane = 0; lane < LANES; lane++) {
        int64_t value = lane_value(e, &result, lane);
        values[lane] = wrap(kind, (uint64_t)value);
        wrapped |= (uint32_t)(values[lane] != value) << lane;
    }
    wrapped &= warp->active;
    if (wrapped && report)
        report_overflow(e, warp, at, wrapped, lane_value(e, &result, __builtin_ctz(wrapped)));
    result.pattern = pattern_intern(&e->patterns, values, &result.base);
    return result;
}

/* One lane of an operation. Returns false if it divides by zero. */
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
        if (is_signed && b == -1) {
            *result = at->op == OP_DIV ? (int64_t)(0 - ua) : 0;
            *overflow = at->op == OP_DIV && a == INT64_MIN;
        } else if (is_signed) {
            *result = at->op == OP_DIV ? a / b : a % b;
        } else {
            *result = (int64_t)(at->op == OP_DIV ? ua / ub : ua % ub);
        }
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
        *overflow = ub >= bits && a != 0;
        return true;
    case OP_SHR:
        if (is_signed)
            *result = ub >= bits ? (a < 0 ? -1 : 0) : a >> ub;
        else
            *result = ub >= bits ? 0 : (int64_t)(ua >> ub);
        return true;
    case OP_NEG:
        *result = (int64_t)(0 - ua);
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
        *result = (int64_t)(at->op == OP_SUB ? ua - ub : ua + ub);
        return true;
    }
}

static struct value lane_by_lane(struct execution *e, struct warp *warp, const struct instruction *at,
                                 const struct value *a, const struct value *b)
{
    struct value result = {.kind = VALUE_NUMBER};
    uint32_t key = at->op + 64u * at->kind;
    const struct pattern_result *known =
        pattern_recall(&e->patterns, key, a->pattern, b->pattern, a->base, b->base);
    if (known) {
        result.base = known->base;
        result.pattern = known->pattern;
        return result;
    }
    int64_t values[LANES];
    uint32_t divided = 0, wrapped = 0;
    for (int lane = 0; lane < LANES; lane++) {
        bool overflow;
        int64_t value = 0;
        if (!lane_operation(at, lane_value(e, a, lane), lane_value(e, b, lane), &value, &overflow))
            divided |= UINT32_C(1) << lane;
        values[lane] = wrap((enum number_kind)at->kind, (uint64_t)value);
        wrapped |= (uint32_t)(overflow || values[lane] != value) << lane;
    }
    result.pattern = pattern_intern(&e->patterns, values, &result.base);
    if (divided & warp->active)
        execution_fail(e, at, "this divides by zero");
    if ((wrapped & warp->active) && wrap_is_finding(at))
        report_overflow(e, warp, at, wrapped & warp->active, 0);
    if (!divided && !wrapped)
        pattern_remember(&e->patterns, key, a->pattern, b->pattern, a->base, b->base,
                         (struct pattern_result){result.base, result.pattern});
    return result;
}

/* One operand is the same in all lanes: the base is a product and the pattern a multiple. */
static struct value multiply(struct execution *e, struct warp *warp, const struct instruction *at,
                             const struct value *a, const struct value *b)
{
    const struct value *varying = b->pattern ? b : a, *factor = b->pattern ? a : b;
    struct range range;
    int64_t base, low, high;
    if (factor->pattern || !bounds(e, varying->base, varying->pattern, &range) ||
        __builtin_mul_overflow(range.low, factor->base, &low) ||
        __builtin_mul_overflow(range.high, factor->base, &high))
        return lane_by_lane(e, warp, at, a, b);
    base = varying->base * factor->base; /* between low and high */
    return fit(e, warp, at, (enum number_kind)at->kind, base,
               pattern_scale(&e->patterns, varying->pattern, factor->base), wrap_is_finding(at));
}

struct value number_arithmetic(struct execution *e, struct warp *warp, const struct instruction *at,
                               const struct value *a, const struct value *b)
{
    switch (at->op) {
    case OP_ADD:
        return fit(e, warp, at, (enum number_kind)at->kind, (int64_t)((uint64_t)a->base + (uint64_t)b->base),
                   pattern_add(&e->patterns, a->pattern, b->pattern), wrap_is_finding(at));
    case OP_SUB:
        return fit(e, warp, at, (enum number_kind)at->kind, (int64_t)((uint64_t)a->base - (uint64_t)b->base),
                   pattern_subtract(&e->patterns, a->pattern, b->pattern), wrap_is_finding(at));
    case OP_MUL:
        return multiply(e, warp, at, a, b);
    case OP_SHL:
        if (b->pattern == 0 && b->base >= 0 && b->base < 31) {
            struct value factor = {.base = INT64_C(1) << b->base, .kind = VALUE_NUMBER};
            return multiply(e, warp, at, a, &factor);
        }
        break;
    default:
        break;
    }
    return lane_by_lane(e, warp, at, a, b);
}

struct value number_convert(struct execution *e, struct warp *warp, const struct instruction *at,
                            const struct value *a)
{
    return fit(e, warp, at, (enum number_kind)at->kind, a->base, a->pattern, false);
}

/* Compared lane by lane, without subtracting: for values that 64 signed bits do not order. */
static uint32_t compare_lanes(const struct execution *e, enum opcode op, bool is_signed,
                              const struct value *a, const struct value *b)
{
    uint32_t mask = 0;
    for (int lane = 0; lane < LANES; lane++) {
        int64_t x = lane_value(e, a, lane), y = lane_value(e, b, lane);
        bool less = is_signed ? x < y : (uint64_t)x < (uint64_t)y;
        bool result = op == OP_LT ? less : op == OP_LE ? less || x == y : op == OP_EQ ? x == y : x != y;
        mask |= (uint32_t)result << lane;
    }
    return mask;
}

/* Lanes where base + pattern is below, not above, equal to, unequal to 0. */
static uint32_t compare_zero(struct execution *e, enum opcode op, int64_t base, pattern_id id)
{
    const struct pattern *pattern = &e->patterns.at[id];
    struct range range;
    if (bounds(e, base, id, &range)) {
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

uint32_t number_compare(struct execution *e, enum opcode op, enum number_kind kind, const struct value *a,
                        const struct value *b)
{
    int64_t difference;
    if (kind >= NUMBER_I64) {
        const int64_t far = INT64_C(1) << 61;
        struct range x, y;
        bool near = bounds(e, a->base, a->pattern, &x) && bounds(e, b->base, b->pattern, &y) &&
                    x.low >= (kind == NUMBER_U64 ? 0 : -far) && y.low >= (kind == NUMBER_U64 ? 0 : -far) &&
                    x.high <= far && y.high <= far;
        if (!near)
            return compare_lanes(e, op, kind == NUMBER_I64, a, b);
    }
    difference = a->base - b->base;
    return compare_zero(e, op, difference, pattern_subtract(&e->patterns, a->pattern, b->pattern));
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

struct value value_merge(struct execution *e, uint32_t mask, const struct value *fresh,
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
        values[lane] = (int64_t)((uint64_t)lane_value(e, from, lane) - (uint64_t)old->base);
    }
    result.pattern = pattern_intern(&e->patterns, values, &base);
    pattern_remember(&e->patterns, OP_MOVE, fresh->pattern, old->pattern, apart, mask,
                     (struct pattern_result){base, result.pattern});
    result.base = (int64_t)((uint64_t)old->base + (uint64_t)base);
    return result;
}
