/* shuffle.c - functions of a warp that look at other lanes: shuffles, votes, matches, reductions.
 *
 * A warp is cut into segments of `width` lanes. Who takes part are the lanes that run. What a lane gets from
 * one that does not run is undefined in CUDA: here it is data that no cell holds.
 */
#include "data.h"
#include "lanes.h"

/* The segments' width, the same in all lanes that run. 0: a problem is set. */
static unsigned width_of(const struct execution *e, const struct warp *warp, const struct instruction *at,
                         const struct value *width)
{
    int64_t first = lanes_value(e, width, __builtin_ctz(warp->active));
    bool one = value_is_number(width);
    for (uint32_t lanes = warp->active; lanes; lanes &= lanes - 1)
        one = one && lanes_value(e, width, __builtin_ctz(lanes)) == first;
    if (one && first >= 1 && first <= LANES && (first & (first - 1)) == 0)
        return (unsigned)first;
    execution_fail(e, at, "the width of a shuffle is 1, 2, 4, 8, 16 or 32, the same in all lanes");
    return 0;
}

/* Which lane `lane` gets its value from; itself where that would lie outside its segment. */
static unsigned source_of(enum function_id function, unsigned lane, unsigned operand, unsigned width)
{
    unsigned first = lane & ~(width - 1), last = first + width - 1;
    operand &= LANES - 1;
    switch (function) {
    case FUNCTION_SHUFFLE:
        return first + (operand & (width - 1));
    case FUNCTION_SHUFFLE_UP:
        return lane >= first + operand ? lane - operand : lane;
    case FUNCTION_SHUFFLE_DOWN:
        return lane + operand <= last ? lane + operand : lane;
    default:
        return (lane ^ operand) <= last ? lane ^ operand : lane;
    }
}

static bool shuffle(struct execution *e, const struct warp *warp, const struct instruction *at,
                    const struct value *operands, struct value *result)
{
    unsigned width = width_of(e, warp, at, &operands[2]);
    uint8_t from[LANES];
    bool defined = true;
    if (!width || !value_is_number(&operands[1])) /* from a lane that only data knows */
        return width != 0;
    for (uint32_t lanes = warp->active; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        from[lane] = (uint8_t)source_of((enum function_id)at->extra, lane,
                                        (unsigned)lanes_value(e, &operands[1], (int)lane), width);
        defined = defined && warp->active >> from[lane] & 1;
    }
    struct value moved = operands[0];
    if (moved.kind == VALUE_BOOL)
        moved = number_from_mask(e, (uint32_t)moved.base);
    if (!defined)
        moved = data_of_value(e, &moved);
    int64_t values[LANES], any = 0;
    for (uint32_t lanes = warp->active; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        bool runs = warp->active >> from[lane] & 1;
        any = values[lane] = runs ? lanes_value(e, &moved, from[lane]) : TOKEN_COMPUTED;
    }
    for (unsigned lane = 0; lane < LANES; lane++) /* idle lanes repeat a value: fewer patterns */
        if (!(warp->active >> lane & 1))
            values[lane] = any;
    *result = (struct value){.kind = moved.kind};
    result->pattern = pattern_intern(&e->patterns, values, &result->base);
    return true;
}

/* The lanes that run in the segment that `lane` lies in. */
static uint32_t segment(const struct warp *warp, unsigned lane, unsigned width)
{
    uint32_t all = width == LANES ? UINT32_MAX : (UINT32_C(1) << width) - 1;
    return warp->active & all << (lane & ~(width - 1));
}

/* One lane's answer to a vote: who of its segment says yes. */
static int64_t vote(enum function_id function, uint32_t yes, uint32_t lanes, unsigned first)
{
    yes &= lanes;
    return function == FUNCTION_BALLOT ? (int64_t)(yes >> first)
           : function == FUNCTION_ANY  ? yes != 0
                                       : yes == lanes;
}

/* The lanes of `lanes` whose value is that of `lane`. */
static int64_t match(const struct execution *e, const struct value *v, uint32_t lanes, unsigned lane,
                     unsigned first)
{
    uint32_t same = 0;
    for (uint32_t left = lanes; left; left &= left - 1) {
        unsigned other = (unsigned)__builtin_ctz(left);
        same |= (uint32_t)(lanes_value(e, v, (int)other) == lanes_value(e, v, (int)lane)) << other;
    }
    return (int64_t)(same >> first);
}

/* The sum, smallest, largest, and, or, exclusive or of what `lanes` hold, as a number of the given kind. */
static int64_t reduce(const struct execution *e, const struct instruction *at, const struct value *v,
                      uint32_t lanes)
{
    bool is_signed = at->kind % 2 == 0, first = true;
    int64_t sum = 0;
    for (; lanes; lanes &= lanes - 1) {
        int64_t x = lanes_value(e, v, __builtin_ctz(lanes));
        bool less = is_signed ? x < sum : (uint64_t)x < (uint64_t)sum;
        switch ((enum function_id)at->extra) {
        case FUNCTION_REDUCE_ADD:
            sum = (int64_t)((uint64_t)sum + (uint64_t)x);
            break;
        case FUNCTION_REDUCE_MIN:
            sum = first || less ? x : sum;
            break;
        case FUNCTION_REDUCE_MAX:
            sum = first || !less ? x : sum;
            break;
        case FUNCTION_REDUCE_AND:
            sum = first ? x : sum & x;
            break;
        case FUNCTION_REDUCE_OR:
            sum |= x;
            break;
        default:
            sum ^= x;
        }
        first = false;
    }
    if (at->kind >= NUMBER_I64)
        return sum;
    return is_signed ? (int32_t)(uint32_t)(uint64_t)sum : (int64_t)(uint32_t)(uint64_t)sum;
}

static int64_t lane_answer(const struct execution *e, const struct warp *warp, const struct instruction *at,
                           const struct value *v, unsigned lane, unsigned width)
{
    enum function_id function = (enum function_id)at->extra;
    uint32_t lanes = segment(warp, lane, width);
    unsigned first = lane & ~(width - 1);
    if (function <= FUNCTION_ALL)
        return vote(function, (uint32_t)v->base, lanes, first);
    return function == FUNCTION_MATCH ? match(e, v, lanes, lane, first) : reduce(e, at, v, lanes);
}

bool shuffle_of(struct execution *e, const struct warp *warp, const struct instruction *at,
                const struct value *operands, struct value *result)
{
    enum function_id function = (enum function_id)at->extra;
    if (function <= FUNCTION_SHUFFLE_XOR)
        return shuffle(e, warp, at, operands, result);
    if (function == FUNCTION_ACTIVE) {
        *result = (struct value){.base = warp->active, .tag = VALUE_TAG(VALUE_NUMBER, 0)};
        return true;
    }
    unsigned width = width_of(e, warp, at, &operands[1]);
    bool known = function <= FUNCTION_ALL ? operands[0].kind == VALUE_BOOL : value_is_number(&operands[0]);
    if (!width || !known)
        return width != 0;
    int64_t values[LANES], any = 0;
    for (uint32_t lanes = warp->active; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        any = values[lane] = lane_answer(e, warp, at, &operands[0], lane, width);
    }
    for (unsigned lane = 0; lane < LANES; lane++)
        if (!(warp->active >> lane & 1))
            values[lane] = any;
    *result = (struct value){.kind = VALUE_NUMBER};
    result->pattern = pattern_intern(&e->patterns, values, &result->base);
    return true;
}
