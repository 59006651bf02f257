/* affine_number.c - how the results of arithmetic move. */
#include "affine.h"

static const char why_bits[] = "this takes bits of blockIdx";
static const char why_wraps[] = "this result leaves its type";

/* An instruction and its operands, of which at least one moves. */
struct work {
    struct execution *e;
    const struct warp *warp;
    const struct instruction *at;
    const struct value *a, *b;
    const struct slope *x, *y;
    bool x_moves, y_moves;
};

static const struct slope nothing;

static struct shadow shadow_of(const struct slope *slope)
{
    return (struct shadow){.slope = *slope};
}

/* What no rule covers: the operands stay as they are. */
static struct shadow give_up(const struct work *w, const char *why)
{
    if (w->x_moves)
        affine_pin(w->e, w->at, w->x, why);
    if (w->y_moves)
        affine_pin(w->e, w->at, w->y, why);
    return shadow_of(&nothing);
}

static bool narrow(const int128 slope[TERMS], struct slope *out)
{
    for (int k = 0; k < TERMS; k++) {
        if (slope[k] < INT64_MIN || slope[k] > INT64_MAX)
            return false;
        out->at[k] = (int64_t)slope[k];
    }
    return true;
}

static unsigned bits_of(const struct instruction *at)
{
    return 8u << (at->kind / 2);
}

/* The lowest value of the type. */
static int128 lowest(const struct instruction *at)
{
    return at->kind % 2 ? 0 : -((int128)1 << (bits_of(at) - 1));
}

/* Of 64 bits: are all lanes far from both ends in all blocks? */
static bool is_far_from_ends(const struct work *w, const int128 exact[LANES], const struct slope *slope)
{
    const int128 end = (int128)1 << 62;
    int128 rise, fall;
    affine_reach(w->e->affine, slope, &rise, &fall);
    for (uint32_t lanes = w->warp->present; lanes; lanes &= lanes - 1) {
        int128 v = exact[__builtin_ctz(lanes)];
        if (v < -end || v > end || v + rise > end || v - fall < -end)
            return false;
    }
    return true;
}

/* Active lanes of which the type does not hold the result. */
static uint32_t wrapping(const struct work *w, const int128 exact[LANES])
{
    int128 low = lowest(w->at), high = low + ((int128)1 << bits_of(w->at));
    uint32_t wraps = 0;
    for (int lane = 0; lane < LANES; lane++)
        wraps |= (uint32_t)(exact[lane] < low || exact[lane] >= high) << lane;
    return wraps & w->warp->active;
}

/* A number as an int would hold its bits. */
static int128 as_int(const struct work *w, const struct value *v, int lane)
{
    return (int32_t)(uint32_t)(uint64_t)lanes_value(w->e, v, lane);
}

/* An unsigned sum that wraps is noted where that of ints leaves int (number.c): does it everywhere as here?
 */
static void hold_ints(const struct work *w, const struct slope *sum)
{
    const int128 half = (int128)1 << 31;
    int128 a[LANES], b[LANES], both[LANES];
    for (int lane = 0; lane < LANES; lane++) {
        a[lane] = lanes_value(w->e, w->a, lane);
        b[lane] = lanes_value(w->e, w->b, lane);
        both[lane] = as_int(w, w->a, lane) + as_int(w, w->b, lane) + half;
    }
    affine_hold(w->e, w->at, a, w->warp->present, w->x, half, why_wraps);
    affine_hold(w->e, w->at, b, w->warp->present, w->y, half, why_wraps);
    affine_hold(w->e, w->at, both, w->warp->present, sum, 2 * half, why_wraps);
}

/* The exact results of all lanes and their slope, brought into the type. Findings must be those of the first
 * block: where there may be any, how often a result wraps around must not change. */
static struct shadow fit(const struct work *w, const int128 exact[LANES], const int128 slope[TERMS])
{
    struct slope own, turns, rest;
    bool silent = w->e->program->is_compiled || w->at->op == OP_CONVERT;
    if (!narrow(slope, &own))
        return give_up(w, affine_why_other);
    if (w->at->kind >= NUMBER_I64)
        return is_far_from_ends(w, exact, &own) ? shadow_of(&own) : give_up(w, why_wraps);
    int128 above[LANES], size = (int128)1 << bits_of(w->at);
    for (int lane = 0; lane < LANES; lane++)
        above[lane] = exact[lane] - lowest(w->at);
    if (silent) {
        affine_divide(w->e, w->at, above, w->warp->present, &own, size, &turns, &rest);
        return shadow_of(&rest);
    }
    bool adds = w->at->op == OP_ADD || w->at->op == OP_ADD_TO, is_word = w->at->kind == NUMBER_U32;
    if (wrapping(w, exact) && !(is_word && (adds || w->at->op == OP_SUB)) &&
        !(w->at->kind == NUMBER_I32 && (adds || w->at->op == OP_SUB)))
        return give_up(w, why_wraps);
    if (wrapping(w, exact) && is_word && adds)
        hold_ints(w, &own);
    affine_hold(w->e, w->at, above, w->warp->present, &own, size, why_wraps);
    return shadow_of(&own);
}

/* The usual case, told from the ends of the lanes' results: far from those of the type in all blocks. */
static bool fits_easily(const struct work *w, int128 low, int128 high, const struct slope *slope)
{
    const int128 end = (int128)1 << 62;
    bool is_long = w->at->kind >= NUMBER_I64;
    int128 first = is_long ? -end : lowest(w->at), last = is_long ? end : first, rise, fall;
    if (!is_long)
        last += ((int128)1 << bits_of(w->at)) - 1;
    if (low < first || high > last)
        return false;
    affine_reach(w->e->affine, slope, &rise, &fall);
    return low - fall >= first && high + rise <= last;
}

static bool range_of(const struct work *w, const struct value *v, struct range *range)
{
    return lanes_range(w->e, v->base, v->pattern, range);
}

/* x + y or x - y; false: it does not fit. */
static bool slopes_sum(const struct slope *x, const struct slope *y, int sign, struct slope *sum)
{
    bool fits = true;
    for (int k = 0; k < TERMS; k++)
        fits = !(sign > 0 ? __builtin_add_overflow(x->at[k], y->at[k], &sum->at[k])
                          : __builtin_sub_overflow(x->at[k], y->at[k], &sum->at[k])) &&
               fits;
    return fits;
}

static struct shadow sum(const struct work *w, int sign)
{
    int128 exact[LANES], slope[TERMS];
    struct range a, b;
    struct slope own;
    if (slopes_sum(w->x, w->y, sign, &own) && range_of(w, w->a, &a) && range_of(w, w->b, &b) &&
        fits_easily(w, (int128)a.low + (sign > 0 ? (int128)b.low : -(int128)b.high),
                    (int128)a.high + (sign > 0 ? (int128)b.high : -(int128)b.low), &own))
        return shadow_of(&own);
    for (int k = 0; k < TERMS; k++)
        slope[k] = (int128)w->x->at[k] + sign * (int128)w->y->at[k];
    for (int lane = 0; lane < LANES; lane++)
        exact[lane] = (int128)lanes_value(w->e, w->a, lane) + sign * (int128)lanes_value(w->e, w->b, lane);
    return fit(w, exact, slope);
}

/* The number that all lanes of the block hold; false if they differ. */
static bool one_number(const struct work *w, const struct value *v, int64_t *number)
{
    if (!v->pattern) {
        *number = v->base;
        return true;
    }
    *number = lanes_value(w->e, v, __builtin_ctz(w->warp->present));
    for (uint32_t lanes = w->warp->present; lanes; lanes &= lanes - 1)
        if (lanes_value(w->e, v, __builtin_ctz(lanes)) != *number)
            return false;
    return true;
}

/* factor * v, which moves. */
static struct shadow multiple(const struct work *w, const struct value *v, const struct slope *slope,
                              int128 factor)
{
    int128 exact[LANES], product[TERMS];
    struct range range;
    struct slope own;
    bool fits = true;
    for (int k = 0; k < TERMS; k++)
        fits = !__builtin_mul_overflow(slope->at[k], factor, &own.at[k]) && fits;
    if (fits && range_of(w, v, &range) &&
        fits_easily(w, factor * (factor < 0 ? range.high : range.low),
                    factor * (factor < 0 ? range.low : range.high), &own))
        return shadow_of(&own);
    for (int k = 0; k < TERMS; k++)
        product[k] = slope->at[k] * factor;
    for (int lane = 0; lane < LANES; lane++)
        exact[lane] = lanes_value(w->e, v, lane) * factor;
    return fit(w, exact, product);
}

static bool slope_moves(const struct execution *e, const struct slope *slope)
{
    struct shadow shadow = shadow_of(slope);
    return affine_moves(e->affine, &shadow);
}

/* Of two that move one must stay: that which costs fewer regions. */
static void stay_one(struct work *w)
{
    const struct region *r = &w->e->affine->region;
    uint64_t x = 1, y = 1;
    for (int k = 0; k < AXES; k++) {
        x *= w->x->at[k] ? r->axis[k].count : 1;
        y *= w->y->at[k] ? r->axis[k].count : 1;
    }
    affine_pin(w->e, w->at, x <= y ? w->x : w->y, affine_why_other);
    w->x_moves = slope_moves(w->e, w->x);
    w->y_moves = slope_moves(w->e, w->y);
}

static struct shadow product(struct work *w)
{
    int64_t factor;
    if (w->x_moves && w->y_moves)
        stay_one(w);
    if (!w->x_moves && !w->y_moves)
        return shadow_of(&nothing);
    if (!one_number(w, w->x_moves ? w->b : w->a, &factor))
        return give_up(w, affine_why_other);
    return multiple(w, w->x_moves ? w->a : w->b, w->x_moves ? w->x : w->y, factor);
}

/* b, which must be one number of this range and not move; false: it is none. */
static bool second(const struct work *w, int64_t low, int64_t high, int64_t *number)
{
    if (w->y_moves)
        affine_pin(w->e, w->at, w->y, affine_why_other);
    return one_number(w, w->b, number) && *number >= low && *number <= high;
}

static struct shadow shift_left(const struct work *w)
{
    int64_t count;
    if (!second(w, 0, bits_of(w->at) - 1, &count))
        return give_up(w, affine_why_other);
    return multiple(w, w->a, w->x, (int128)1 << count);
}

static struct shadow quotient(const struct work *w, int128 divisor, bool wants_rest)
{
    int128 value[LANES];
    struct slope turns, rest;
    for (int lane = 0; lane < LANES; lane++)
        value[lane] = lanes_value(w->e, w->a, lane);
    affine_divide(w->e, w->at, value, w->warp->present, w->x, divisor, &turns, &rest);
    return shadow_of(wants_rest ? &rest : &turns);
}

static struct shadow divide(const struct work *w)
{
    int64_t divisor;
    if (!second(w, 1, INT64_MAX, &divisor) || !affine_stay_natural(w->e, w->at, w->a, w->warp->present, w->x))
        return give_up(w, affine_why_other);
    return quotient(w, divisor, w->at->op == OP_MOD);
}

static struct shadow shift_right(const struct work *w)
{
    int64_t count;
    if (!second(w, 0, bits_of(w->at) - 1, &count) ||
        (w->at->kind == NUMBER_U64 && !affine_stay_natural(w->e, w->at, w->a, w->warp->present, w->x)))
        return give_up(w, affine_why_other);
    return quotient(w, (int128)1 << count, false);
}

/* How many low bits decide in a number whose others are all alike: 0 (*ones false) or 1. False: there is no
 * such. */
static bool low_bits(const struct work *w, const struct value *v, unsigned *bits, bool *ones)
{
    bool first = true;
    *bits = 0;
    *ones = false;
    for (uint32_t lanes = w->warp->present; lanes; lanes &= lanes - 1, first = false) {
        int64_t number = lanes_value(w->e, v, __builtin_ctz(lanes));
        if (w->at->kind <= NUMBER_U32)
            number = (int32_t)(uint32_t)(uint64_t)number;
        if (!first && *ones != (number < 0))
            return false;
        *ones = number < 0;
        uint64_t decide = (uint64_t)(number < 0 ? ~number : number);
        unsigned count = decide ? 64 - (unsigned)__builtin_clzll(decide) : 0;
        *bits = count > *bits ? count : *bits;
    }
    return true;
}

/* a and a number that does not move, whose lowest `bits` bits decide. */
static struct shadow mask_with(const struct work *w, const struct slope *slope, unsigned bits, bool ones)
{
    struct slope inverse;
    affine_thin(w->e, w->at, slope, (int128)1 << bits, why_bits);
    for (int k = 0; k < TERMS; k++)
        inverse.at[k] = slope->at[k] == INT64_MIN ? 0 : -slope->at[k];
    if (w->at->op == OP_AND)
        return shadow_of(ones ? slope : &nothing);
    if (w->at->op == OP_OR)
        return shadow_of(ones ? &nothing : slope);
    return shadow_of(ones ? &inverse : slope);
}

static struct shadow mask(const struct work *w)
{
    unsigned bits;
    bool ones;
    int64_t number;
    if ((w->x_moves && w->y_moves) || (w->at->kind < NUMBER_I32))
        return give_up(w, why_bits);
    struct work other = *w;
    if (w->y_moves) {
        other.a = w->b;
        other.b = w->a;
        other.x = w->y;
        other.y = w->x;
        other.x_moves = true;
        other.y_moves = false;
    }
    if (!low_bits(w, other.b, &bits, &ones) || bits > 62)
        return give_up(w, why_bits);
    if (w->at->op == OP_AND && !ones && one_number(w, other.b, &number) && (number & (number + 1)) == 0)
        return quotient(&other, (int128)number + 1, true);
    return mask_with(&other, other.x, bits, ones);
}

static struct shadow negative(const struct work *w, int128 less)
{
    int128 exact[LANES], slope[TERMS];
    for (int lane = 0; lane < LANES; lane++)
        exact[lane] = -(int128)lanes_value(w->e, w->a, lane) - less;
    for (int k = 0; k < TERMS; k++)
        slope[k] = -(int128)w->x->at[k];
    if (less == 0)
        return fit(w, exact, slope);
    struct slope own; /* ~a is no finding */
    int128 above[LANES];
    if (!narrow(slope, &own) || w->at->kind < NUMBER_I32)
        return give_up(w, why_bits);
    if (w->at->kind >= NUMBER_I64)
        return is_far_from_ends(w, exact, &own) ? shadow_of(&own) : give_up(w, why_wraps);
    for (int lane = 0; lane < LANES; lane++)
        above[lane] = exact[lane] - lowest(w->at);
    affine_hold(w->e, w->at, above, w->warp->present, &own, (int128)1 << bits_of(w->at), why_wraps);
    return shadow_of(&own);
}

/* The lesser or the greater: which of the two it is must not change. */
static struct shadow extreme(const struct work *w)
{
    uint32_t less = 0, present = w->warp->present;
    struct shadow x = shadow_of(w->x), y = shadow_of(w->y);
    affine_compare(w->e, w->at, OP_LT, present, w->a, w->b, &x, &y);
    for (int lane = 0; lane < LANES; lane++) {
        int64_t a = lanes_value(w->e, w->a, lane), b = lanes_value(w->e, w->b, lane);
        less |= (uint32_t)(w->at->kind % 2 ? (uint64_t)a < (uint64_t)b : a < b) << lane;
    }
    uint32_t first = (w->at->op == OP_MIN ? less : ~less) & present;
    return affine_join(w->e, w->at, false, &x, first, &y, present & ~first);
}

struct shadow affine_arithmetic(struct execution *e, const struct warp *warp, const struct instruction *at,
                                const struct value *a, const struct value *b, const struct shadow *x,
                                const struct shadow *y)
{
    bool is_unary = at->op == OP_NEG || at->op == OP_COM || at->op == OP_CONVERT;
    struct work w = {e,
                     warp,
                     at,
                     a,
                     b,
                     &x->slope,
                     is_unary ? &nothing : &y->slope,
                     affine_moves(e->affine, x),
                     !is_unary && affine_moves(e->affine, y)};
    if ((!w.x_moves && !w.y_moves) || !warp->active)
        return shadow_of(&nothing);
    switch ((enum opcode)at->op) {
    case OP_ADD:
    case OP_ADD_TO:
        return sum(&w, 1);
    case OP_SUB:
        return sum(&w, -1);
    case OP_MUL:
        return product(&w);
    case OP_SHL:
        return shift_left(&w);
    case OP_DIV:
    case OP_MOD:
        return divide(&w);
    case OP_SHR:
        return shift_right(&w);
    case OP_AND:
    case OP_OR:
    case OP_XOR:
        return mask(&w);
    case OP_NEG:
        return negative(&w, 0);
    case OP_COM:
        return negative(&w, 1);
    case OP_MIN:
    case OP_MAX:
        return extreme(&w);
    case OP_CONVERT:
        return multiple(&w, a, w.x, 1);
    default:
        return give_up(&w, affine_why_other);
    }
}
