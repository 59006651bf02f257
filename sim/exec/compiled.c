/* compiled.c - pointers among numbers, bits, and other lanes' values. */
#include "compiled.h"

#include "bits.h"

#include "lanes.h"
#include "operate.h"

static bool is_pointer(const struct value *v)
{
    return v->kind == VALUE_POINTER;
}

/* Pointer + number. */
static struct value moved(struct execution *e, const struct value *pointer, int64_t base, pattern_id pattern)
{
    struct value result = *pointer;
    result.base = (int64_t)((uint64_t)pointer->base + (uint64_t)base);
    result.pattern = pattern_add(&e->patterns, pointer->pattern, pattern);
    return result;
}

static bool subtract(struct execution *e, const struct warp *warp, const struct instruction *at,
                     const struct value *a, const struct value *b, struct value *result)
{
    *result = *a;
    result->base = (int64_t)((uint64_t)a->base - (uint64_t)b->base);
    result->pattern = pattern_subtract(&e->patterns, a->pattern, b->pattern);
    if (value_is_number(b))
        return true;
    result->kind = VALUE_NUMBER;
    result->buffer = 0;
    if (a->buffer == b->buffer || (a->buffer & b->buffer & POINTER_IS_SHARED) || !warp->active)
        return true;
    return execution_fail(e, at, "addresses of different buffers cannot be subtracted");
}

/* One lane of a pointer's bits and a number. `*stays`: the result is the pointer, moved; else it is a number.
 */
static bool mask_lane(enum opcode op, uint64_t known, uint64_t address, uint64_t number, bool *stays,
                      int64_t *value)
{
    uint64_t low = address & known, changed;
    if (op == OP_MOD) { /* by a power of two */
        *stays = false;
        *value = (int64_t)(low & (number - 1));
        return number && number <= known + 1 && (number & (number - 1)) == 0;
    }
    *stays = op != OP_AND || number > known;
    if (op == OP_AND && number <= known)
        changed = low & number;
    else if (op == OP_AND && ~number <= known)
        changed = 0 - (low & ~number);
    else if (op != OP_AND && number <= known)
        changed = (op == OP_OR ? low | number : low ^ number) - low;
    else
        return false;
    *value = (int64_t)changed;
    return true;
}

static bool mask_pointer(struct execution *e, const struct warp *warp, const struct instruction *at,
                         const struct value *pointer, const struct value *number, struct value *result)
{
    bool is_shared = pointer->buffer & POINTER_IS_SHARED, any = false, all_stay = true;
    uint64_t known = is_shared ? 1023 : 255;
    uint64_t begin = is_shared ? 0 : e->global_reach[pointer->buffer].misalignment;
    int64_t values[LANES] = {0}, base;
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint64_t address = (uint64_t)lanes_value(e, pointer, (int)lane) + begin;
        bool stays, ok = mask_lane((enum opcode)at->op, known, address,
                                   (uint64_t)lanes_value(e, number, (int)lane), &stays, &values[lane]);
        if (!(warp->active >> lane & 1))
            continue;
        if (!ok || (any && stays != all_stay))
            return execution_fail(e, at,
                                  "this needs the bits of an address, of which only the lowest are known");
        any = true;
        all_stay = stays;
    }
    struct value change = {.kind = VALUE_NUMBER};
    change.pattern = pattern_intern(&e->patterns, values, &base);
    change.base = base;
    *result = all_stay ? moved(e, pointer, change.base, change.pattern) : change;
    return true;
}

static void combine_conditions(enum opcode op, const struct value *a, const struct value *b,
                               struct value *result)
{
    uint32_t x = (uint32_t)a->base, y = (uint32_t)b->base;
    *result = operate_bool(op == OP_AND ? x & y : op == OP_OR ? x | y : x ^ y);
}

/* One is data: all the same where the other one decides in every lane. */
static bool condition_decides(const struct warp *warp, enum opcode op, const struct value *known,
                              struct value *result)
{
    uint32_t decides = op == OP_AND ? ~(uint32_t)known->base : op == OP_OR ? (uint32_t)known->base : 0;
    if (warp->active & ~decides)
        return false;
    *result = operate_bool(op == OP_OR ? UINT32_MAX : 0);
    return true;
}

bool compiled_arithmetic(struct execution *e, const struct warp *warp, const struct instruction *at,
                         const struct value *a, const struct value *b, struct value *result)
{
    enum opcode op = at->op == OP_ADD_TO ? OP_ADD : (enum opcode)at->op;
    if (a->kind == VALUE_BOOL && b->kind == VALUE_BOOL) {
        combine_conditions(op, a, b, result);
        return true;
    }
    if (a->kind == VALUE_BOOL || b->kind == VALUE_BOOL) {
        (void)condition_decides(warp, op, a->kind == VALUE_BOOL ? a : b, result);
        return true;
    }
    const struct value *pointer = is_pointer(a) ? a : b, *other = pointer == a ? b : a;
    if (!is_pointer(pointer) || other->kind == VALUE_DATA || other->kind == VALUE_UNSET)
        return true; /* data, or of no defined value: what uses it says so */
    if (op == OP_SUB && is_pointer(a))
        return subtract(e, warp, at, a, b, result);
    if (op == OP_ADD && value_is_number(other)) {
        *result = moved(e, pointer, other->base, other->pattern);
        return true;
    }
    if ((op == OP_AND || op == OP_OR || op == OP_XOR || (op == OP_MOD && other == b)) &&
        value_is_number(other))
        return mask_pointer(e, warp, at, pointer, other, result);
    return !warp->active || execution_fail(e, at, "this computes with an address as if it were a number");
}

bool compiled_select(struct execution *e, const struct warp *warp, const struct instruction *at,
                     const struct value *a, const struct value *b, struct value *result)
{
    struct value c;
    compiled_settle(warp, at->extra, &c);
    uint32_t lanes = (uint32_t)a->base;
    if (b->kind == VALUE_UNSET || c.kind == VALUE_UNSET) { /* of no defined value: any will do */
        *result = b->kind == VALUE_UNSET ? c : *b;
        return true;
    }
    if (a->kind != VALUE_BOOL) {
        if (b->base == c.base && b->tag == c.tag)
            *result = *b;
        return true;
    }
    if ((lanes & warp->active) == warp->active)
        *result = *b;
    else if (!(lanes & warp->active))
        *result = c;
    else if (is_pointer(b) && is_pointer(&c)) {
        if (b->buffer != c.buffer)
            return execution_fail(e, at, "lanes would point into different buffers after this");
        *result = lanes_merge(e, lanes, b, &c);
    } else if (value_is_number(b) && value_is_number(&c))
        *result = lanes_merge(e, lanes, b, &c);
    else {
        struct value x = data_of_value(e, b), y = data_of_value(e, &c);
        *result = lanes_merge(e, lanes, &x, &y);
    }
    return true;
}

/* What a function of bits leaves of data: halves of a cell's bytes, and halves that make them whole again. */
static void follow_data(const struct instruction *at, const struct value *a, const struct value *b,
                        struct value *result)
{
    enum bits_function function = (enum bits_function)(at->extra >> 16);
    int64_t half = 1 << (at->kind / 2 & 3) >> 1;
    if (a->kind != VALUE_DATA || data_class(a->base) < 3)
        return;
    if (function == BITS_LOW || function == BITS_HIGH) {
        *result = *a;
        result->base += function == BITS_HIGH ? half : 0;
    } else if (function == BITS_JOIN && b->kind == VALUE_DATA && a->pattern == b->pattern &&
               b->base == a->base + half)
        *result = *a;
}

bool compiled_bits(struct execution *e, const struct warp *warp, const struct instruction *at,
                   const struct value *a, const struct value *b, struct value *result)
{
    struct value c;
    enum bits_function function = (enum bits_function)(at->extra >> 16);
    compiled_settle(warp, at->extra & 0xffff, &c);
    if (!value_is_number(a) || !value_is_number(b) || !value_is_number(&c)) {
        follow_data(at, a, b, result);
        return true;
    }
    bool memo = c.pattern == 0 && c.base >= 0 && c.base < 1 << 11;
    uint32_t key =
        OP_BITS + 128u * (at->kind + 256u * (uint32_t)(c.base & 2047)) + ((uint32_t)function << 26);
    const struct pattern_result *known =
        memo ? pattern_recall(&e->patterns, key, a->pattern, b->pattern, a->base, b->base) : NULL;
    *result = (struct value){.kind = VALUE_NUMBER};
    if (known) {
        result->base = known->base;
        result->pattern = known->pattern;
        return true;
    }
    int64_t values[LANES];
    for (int lane = 0; lane < LANES; lane++)
        values[lane] = bits_lane(function, at->kind, lanes_value(e, a, lane), lanes_value(e, b, lane),
                                 lanes_value(e, &c, lane));
    result->pattern = pattern_intern(&e->patterns, values, &result->base);
    if (memo)
        pattern_remember(&e->patterns, key, a->pattern, b->pattern, a->base, b->base,
                         (struct pattern_result){result->base, result->pattern});
    return true;
}

/* The lane that `lane` gets its value from; false: there is none, it keeps its own. */
static bool source_lane(enum shuffle_kind kind, int lane, int64_t b, int64_t c, int *from)
{
    int distance = (int)(b & 31), clamp = (int)(c & 31), mask = (int)(c >> 8 & 31);
    int last = (lane & mask) | (clamp & ~mask), first = lane & mask;
    int at = kind == SHUFFLE_UP          ? lane - distance
             : kind == SHUFFLE_DOWN      ? lane + distance
             : kind == SHUFFLE_BUTTERFLY ? lane ^ distance
                                         : first | (distance & ~mask);
    bool there = kind == SHUFFLE_UP ? at >= last : at <= last;
    *from = there && at >= 0 && at < LANES ? at : lane;
    return there;
}

bool compiled_shuffle(struct execution *e, struct warp *warp, const struct instruction *at,
                      const struct value *a, const struct value *b, struct value *result)
{
    struct value c;
    unsigned predicate = at->extra >> 16;
    compiled_settle(warp, at->extra & 0xffff, &c);
    if (!value_is_number(b) || !value_is_number(&c)) {
        if (predicate)
            warp->registers[predicate - 1] = data_computed();
        return true;
    }
    int64_t values[LANES];
    uint32_t there = 0;
    for (int lane = 0; lane < LANES; lane++) {
        int from;
        there |= (uint32_t)source_lane((enum shuffle_kind)at->kind, lane, lanes_value(e, b, lane),
                                       lanes_value(e, &c, lane), &from)
                 << lane;
        values[lane] = lanes_value(e, a, from);
    }
    *result = *a;
    if (a->kind != VALUE_UNSET)
        result->pattern = pattern_intern(&e->patterns, values, &result->base);
    if (predicate)
        warp->registers[predicate - 1] = operate_bool(there);
    return true;
}

void compiled_vote(const struct warp *warp, const struct instruction *at, const struct value *a,
                   struct value *result)
{
    uint32_t active = warp->active, lanes = (uint32_t)a->base & active;
    if (at->kind == VOTE_ACTIVE || at->kind == VOTE_FIRST)
        lanes = active;
    else if (a->kind != VALUE_BOOL)
        return; /* of data */
    switch ((enum vote_kind)at->kind) {
    case VOTE_ANY:
        *result = operate_bool(lanes ? UINT32_MAX : 0);
        break;
    case VOTE_ALL:
        *result = operate_bool(lanes == active ? UINT32_MAX : 0);
        break;
    case VOTE_SAME:
        *result = operate_bool(lanes == active || !lanes ? UINT32_MAX : 0);
        break;
    case VOTE_FIRST:
        *result = operate_bool(active & (0 - active));
        break;
    default:
        *result = (struct value){.kind = VALUE_NUMBER, .base = (int32_t)lanes};
    }
}
