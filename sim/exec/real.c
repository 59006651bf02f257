/* real.c - floating numbers that are known. */
#include "real.h"

#include <float.h>
#include <math.h>

#include "data.h"
#include "lanes.h"

struct value real_uniform(double x)
{
    return (struct value){.kind = VALUE_REAL, .base = real_bits(x)};
}

bool real_fits(double x, unsigned bytes)
{
    int exponent;
    if (!isfinite(x) || x == 0)
        return !isnan(x);
    if (bytes == 8)
        return true;
    if (bytes == 4 && fabs(x) < 1e38 && fabs(x) > 1e-37)
        return (double)(float)x == x;
    double mantissa = frexp(x, &exponent); /* 0.5 to 1; a bfloat16 has 8 bits, a half begins at 2^-14 */
    if (bytes == 4)
        return exponent >= FLT_MIN_EXP && exponent <= FLT_MAX_EXP &&
               ldexp(mantissa, 24) == rint(ldexp(mantissa, 24));
    return exponent > -13 && exponent <= 15 && ldexp(mantissa, 8) == rint(ldexp(mantissa, 8));
}

static bool is_whole_quotient(double a, double b, double quotient)
{
    return b != 0 && isfinite(quotient) && fma(quotient, b, -a) == 0;
}

/* False: it is not known, or the double next to the true result is not that. */
static bool compute(enum real_function function, double a, double b, double *x)
{
    double part;
    switch (function) {
    case REAL_ADD:
    case REAL_SUBTRACT:
        b = function == REAL_SUBTRACT ? -b : b;
        *x = a + b;
        part = *x - a;
        return isinf(a) || isinf(b) || (a - (*x - part)) + (b - part) == 0;
    case REAL_MULTIPLY:
        *x = a * b;
        return *x == 0 ? a == 0 || b == 0 : isinf(*x) ? isinf(a) || isinf(b) : fma(a, b, -*x) == 0;
    case REAL_DIVIDE:
        *x = a / b;
        return is_whole_quotient(a, b, *x);
    case REAL_MINIMUM:
        *x = a < b ? a : b;
        return true;
    case REAL_MAXIMUM:
        *x = a > b ? a : b;
        return true;
    case REAL_FMOD:
        *x = b != 0 && isfinite(a) ? fmod(a, b) : 0;
        return b != 0 && isfinite(a);
    case REAL_COPYSIGN:
        *x = copysign(a, b);
        return true;
    case REAL_NEGATE:
        *x = -a;
        return true;
    case REAL_ABSOLUTE:
        *x = fabs(a);
        return true;
    case REAL_FLOOR:
        *x = floor(a);
        return true;
    case REAL_CEIL:
        *x = ceil(a);
        return true;
    case REAL_TRUNCATE:
        *x = trunc(a);
        return true;
    case REAL_ROUND:
        *x = round(a);
        return true;
    case REAL_NEAREST:
        *x = rint(a);
        return true;
    case REAL_SQUARE_ROOT:
        *x = a >= 0 ? sqrt(a) : 0;
        return a >= 0 && (isinf(a) || fma(*x, *x, -a) == 0);
    case REAL_SAME:
        *x = a;
        return true;
    default:
        return false;
    }
}

static bool is_question(enum real_function function)
{
    return function >= REAL_IS_NAN;
}

/* The answer to a question, of a number: it is never NaN. */
static bool answer(enum real_function function, double a)
{
    return function == REAL_IS_INFINITE ? isinf(a)
           : function == REAL_IS_FINITE ? isfinite(a)
           : function == REAL_SIGN_BIT  ? signbit(a)
                                        : false;
}

/* Lanes as a value of this kind. */
static struct value of_lanes(struct execution *e, enum value_kind kind, const int64_t values[LANES])
{
    struct value result = {.kind = (uint16_t)kind};
    result.pattern = pattern_intern(&e->patterns, values, &result.base);
    return result;
}

static bool is_operand(const struct value *v)
{
    return v->kind == VALUE_REAL;
}

void real_function(struct execution *e, const struct warp *warp, const struct instruction *at,
                   const struct value *a, const struct value *b, struct value *result)
{
    enum real_function function = (enum real_function)at->extra;
    bool pair = function < REAL_NEGATE, uniform = !a->pattern && !(pair && b->pattern);
    int64_t values[LANES] = {0};
    uint32_t yes = 0, lanes = warp->active;
    double known = 0;
    if (function == REAL_NONE || !is_operand(a) || (pair && !is_operand(b)) || !lanes)
        return;
    if (uniform && !is_question(function)) {
        if (compute(function, real_of_bits(a->base), pair ? real_of_bits(b->base) : 0, &known) &&
            real_fits(known, at->kind))
            *result = real_uniform(known);
        return;
    }
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        double x = real_of_bits(lanes_value(e, a, (int)lane));
        double y = pair ? real_of_bits(lanes_value(e, b, (int)lane)) : 0;
        if (is_question(function))
            yes |= (uint32_t)answer(function, x) << lane;
        else if (!compute(function, x, y, &known) || !real_fits(known, at->kind))
            return;
        else
            values[lane] = real_bits(known);
    }
    for (unsigned lane = 0; lane < LANES; lane++) /* idle lanes repeat a value: fewer patterns */
        if (!(warp->active >> lane & 1))
            values[lane] = values[__builtin_ctz(warp->active)];
    *result = is_question(function) ? (struct value){.base = yes, .tag = VALUE_TAG(VALUE_BOOL, 0)}
                                    : of_lanes(e, VALUE_REAL, values);
}

/* The nearest that the type holds, halves to even, as conversions have it; false: that is not known here. */
static bool rounded(double x, unsigned bytes, double *result)
{
    *result = bytes == 4 && fabs(x) < 1e38 && (x == 0 || fabs(x) > 1e-37) ? (double)(float)x : x;
    return real_fits(*result, bytes);
}

/* A real as an integer: towards 0. False: outside of the type. */
static bool to_integer(double x, enum number_kind kind, int64_t *result)
{
    unsigned bits = 8u << (unsigned)kind / 2;
    bool is_signed = kind % 2 == 0;
    double top = ldexp(1, (int)(bits - is_signed)), whole = trunc(x);
    if (!(whole < top && whole >= (is_signed ? -top : 0)))
        return false;
    *result = whole >= 9.2e18 ? (int64_t)(uint64_t)whole : (int64_t)whole;
    return true;
}

static bool convert_lane(const struct value *a, int64_t value, uint8_t kind, int64_t *result)
{
    double x;
    if (a->kind != VALUE_REAL) {
        if ((kind & KEEP_FROM_U64) && value < 0)
            return false;
        if (kind & KEEP_REAL && (kind & 15) == 4) /* once, not by way of a double */
            x = (double)(float)value;
        else
            x = (double)value;
    } else {
        x = real_of_bits(value);
    }
    if (!(kind & KEEP_REAL))
        return to_integer(x, (enum number_kind)(kind & 15), result);
    bool known = rounded(x, kind & 15, &x);
    *result = real_bits(x);
    return known;
}

void real_convert(struct execution *e, const struct warp *warp, const struct instruction *at,
                  const struct value *a, struct value *result)
{
    int64_t values[LANES] = {0};
    bool is_bool = a->kind == VALUE_BOOL;
    if ((!is_bool && a->kind != VALUE_NUMBER && a->kind != VALUE_REAL) || !warp->active)
        return;
    if (!is_bool && !a->pattern) { /* the same in all lanes */
        if (convert_lane(a, a->base, at->kind, &values[0]))
            *result =
                (struct value){.kind = at->kind & KEEP_REAL ? VALUE_REAL : VALUE_NUMBER, .base = values[0]};
        return;
    }
    for (uint32_t lanes = warp->active; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        int64_t value = is_bool ? (int64_t)((uint32_t)a->base >> lane & 1) : lanes_value(e, a, lane);
        if (!convert_lane(a, value, at->kind, &values[lane]))
            return;
    }
    for (unsigned lane = 0; lane < LANES; lane++)
        if (!(warp->active >> lane & 1))
            values[lane] = values[__builtin_ctz(warp->active)];
    *result = of_lanes(e, at->kind & KEEP_REAL ? VALUE_REAL : VALUE_NUMBER, values);
}

uint32_t real_compare(const struct execution *e, enum opcode op, const struct value *a, const struct value *b)
{
    uint32_t holds = 0;
    for (int lane = 0; lane < LANES; lane++) {
        double x = real_of_bits(lanes_value(e, a, lane)), y = real_of_bits(lanes_value(e, b, lane));
        bool yes = op == OP_LT ? x < y : op == OP_LE ? x <= y : op == OP_EQ ? x == y : x != y;
        holds |= (uint32_t)yes << lane;
    }
    return holds;
}
