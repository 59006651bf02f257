/* affine_step.c - what instructions do to the shadows. */
#include "affine.h"
#include "operate.h"

static const struct shadow nothing;

/* A register's value with the kind that its lanes have. */
static struct value settled(const struct warp *warp, unsigned r)
{
    struct value value = warp->registers[r];
    if (value.kind == VALUE_PARTIAL)
        value.kind = warp->partials[r].kind;
    return value;
}

static struct shadow resolved(const struct execution *e, struct shadow shadow)
{
    if (e->affine->numbering.splits)
        numbering_resolve(&e->affine->numbering, &e->affine->region, &shadow.slope);
    return shadow;
}

static void pin(struct execution *e, const struct warp *warp, const struct instruction *at, unsigned r)
{
    const struct shadow *shadow = &affine_shadows(e, warp)[r];
    if (warp->active && affine_moves(e->affine, shadow))
        affine_pin(e, at, &shadow->slope, affine_why_other);
}

/* Pointers compare as numbers do as long as they are no further away than accesses may be. */
static bool stay_near(struct execution *e, const struct warp *warp, const struct instruction *at, unsigned r)
{
    struct value v = settled(warp, r);
    const struct shadow *s = &affine_shadows(e, warp)[r];
    return !affine_moves(e->affine, s) || affine_stay_near(e, at, &v, warp->present, &s->slope);
}

/* Sums of a pointer and so many times a number, or another pointer. */
static struct shadow pointer_sum(struct execution *e, const struct warp *warp, const struct instruction *at,
                                 int64_t scale)
{
    const struct shadow *x = &affine_shadows(e, warp)[at->a], *y = &affine_shadows(e, warp)[at->b];
    struct shadow sum = nothing;
    bool fits = true;
    if (!affine_moves(e->affine, x) && !affine_moves(e->affine, y))
        return nothing;
    for (int k = 0; k < TERMS; k++) {
        int64_t part;
        fits = fits && !__builtin_mul_overflow(y->slope.at[k], scale, &part) &&
               !__builtin_add_overflow(x->slope.at[k], part, &sum.slope.at[k]);
    }
    if (fits)
        return resolved(e, sum);
    pin(e, warp, at, at->a);
    pin(e, warp, at, at->b);
    return nothing;
}

/* (a - b) / bytes: even where all lanes' differences are multiples of them, and stay so. */
static struct shadow pointer_difference(struct execution *e, const struct warp *warp,
                                        const struct instruction *at)
{
    int64_t scale = (int64_t)e->program->scales[at->extra];
    struct shadow sum = pointer_sum(e, warp, at, -1);
    struct value a = settled(warp, at->a), b = settled(warp, at->b);
    bool even = a.kind == VALUE_POINTER && b.kind == VALUE_POINTER;
    for (uint32_t lanes = warp->present; even && lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        even = (lanes_value(e, &a, lane) - lanes_value(e, &b, lane)) % scale == 0;
    }
    for (int k = 0; k < TERMS; k++) {
        even = even && sum.slope.at[k] % scale == 0;
        sum.slope.at[k] /= scale;
    }
    if (even && stay_near(e, warp, at, at->a) && stay_near(e, warp, at, at->b))
        return sum;
    pin(e, warp, at, at->a);
    pin(e, warp, at, at->b);
    return nothing;
}

/* Bits of an address and a number: an address moves by what no low bit sees. */
static struct shadow mask_pointer(struct execution *e, const struct warp *warp, const struct instruction *at,
                                  const struct shadow *pointer, unsigned number)
{
    struct value v = settled(warp, number);
    bool keeps = at->op != OP_AND;
    pin(e, warp, at, number);
    affine_thin(e, at, &pointer->slope, 1024, affine_why_other);
    for (uint32_t lanes = warp->active; lanes; lanes &= lanes - 1)
        keeps = keeps || lanes_value(e, &v, __builtin_ctz(lanes)) < 0;
    return keeps ? *pointer : nothing;
}

/* Compiled code takes pointers for numbers. */
static struct shadow compiled(struct execution *e, const struct warp *warp, const struct instruction *at,
                              const struct value *a, const struct value *b)
{
    struct shadow *s = affine_shadows(e, warp);
    bool first = a->kind == VALUE_POINTER, second = b->kind == VALUE_POINTER;
    if ((!first && !second) || (!affine_moves(e->affine, &s[at->a]) && !affine_moves(e->affine, &s[at->b])))
        return nothing;
    if (at->op == OP_ADD || at->op == OP_ADD_TO)
        return pointer_sum(e, warp, at, 1);
    if (at->op == OP_SUB)
        return pointer_sum(e, warp, at, -1);
    if (at->op == OP_AND || at->op == OP_OR || at->op == OP_XOR)
        return mask_pointer(e, warp, at, &s[first ? at->a : at->b], first ? at->b : at->a);
    pin(e, warp, at, at->a);
    pin(e, warp, at, at->b);
    return nothing;
}

static struct shadow arithmetic(struct execution *e, const struct warp *warp, const struct instruction *at)
{
    const struct shadow *s = affine_shadows(e, warp);
    bool is_unary = at->op == OP_NEG || at->op == OP_COM;
    if (!warp->active ||
        (!affine_moves(e->affine, &s[at->a]) && (is_unary || !affine_moves(e->affine, &s[at->b]))))
        return nothing;
    struct value a = settled(warp, at->a), b = is_unary ? a : settled(warp, at->b);
    if (value_is_number(&a) && value_is_number(&b))
        return resolved(e, affine_arithmetic(e, warp, at, &a, &b, &s[at->a], &s[at->b]));
    bool pointers = a.kind == VALUE_POINTER || b.kind == VALUE_POINTER;
    return e->program->is_compiled || pointers ? compiled(e, warp, at, &a, &b) : nothing;
}

static void compare(struct execution *e, const struct warp *warp, const struct instruction *at,
                    enum opcode op, uint32_t lanes)
{
    const struct shadow *s = affine_shadows(e, warp);
    struct value a = settled(warp, at->a), b = settled(warp, at->b);
    bool numbers = value_is_number(&a) && value_is_number(&b);
    bool pointers = a.kind == VALUE_POINTER && b.kind == VALUE_POINTER;
    if (pointers && (!stay_near(e, warp, at, at->a) || !stay_near(e, warp, at, at->b))) {
        pin(e, warp, at, at->a);
        pin(e, warp, at, at->b);
    }
    if (warp->active && (numbers || pointers))
        affine_compare(e, at, op, lanes, &a, &b, &s[at->a], &s[at->b]);
}

static struct shadow convert(struct execution *e, const struct warp *warp, const struct instruction *at)
{
    const struct shadow *s = &affine_shadows(e, warp)[at->a];
    struct value a = settled(warp, at->a);
    if (!warp->active || a.kind == VALUE_BOOL)
        return nothing;
    if (!value_is_number(&a))
        return a.kind == VALUE_POINTER && at->op == OP_TO_BOOL ? nothing : *s;
    if (at->op == OP_TO_BOOL) {
        affine_compare(e, at, OP_NE, warp->present, &a, NULL, s, NULL);
        return nothing;
    }
    return resolved(e, affine_arithmetic(e, warp, at, &a, &a, s, s));
}

/* Its lanes get b or what register `extra` holds. */
static struct shadow select_one(struct execution *e, const struct warp *warp, const struct instruction *at)
{
    unsigned third = at->extra & 0xffff;
    const struct shadow *s = affine_shadows(e, warp);
    struct value a = settled(warp, at->a), b = settled(warp, at->b), c = settled(warp, third);
    uint32_t lanes = (uint32_t)a.base & warp->active;
    if (b.kind == VALUE_UNSET || c.kind == VALUE_UNSET)
        return s[b.kind == VALUE_UNSET ? third : at->b];
    if (a.kind == VALUE_BOOL)
        return affine_join(e, at, b.kind == VALUE_DATA || c.kind == VALUE_DATA, &s[at->b], lanes, &s[third],
                           warp->active & ~lanes);
    pin(e, warp, at, at->b);
    pin(e, warp, at, third);
    return nothing;
}

/* Elements of a local array: the index does not move, and each group of lanes has its element. */
static void element(struct execution *e, const struct warp *warp, const struct instruction *at)
{
    struct shadow *s = affine_shadows(e, warp);
    struct value index = settled(warp, at->a);
    struct warp some = *warp;
    pin(e, warp, at, at->a);
    if (at->op == OP_PICK)
        s[at->dst] = nothing;
    if (!value_is_number(&index))
        return;
    struct shadow picked = nothing;
    bool is_data = false;
    uint32_t before = 0;
    for (uint32_t left = warp->active; left; left &= ~some.active) {
        int64_t which = lanes_value(e, &index, __builtin_ctz(left));
        some.active = 0;
        for (uint32_t lanes = left; lanes; lanes &= lanes - 1)
            if (lanes_value(e, &index, __builtin_ctz(lanes)) == which)
                some.active |= lanes & (0 - lanes);
        if (which < 0 || which > (int64_t)at->extra)
            return; /* a problem */
        if (at->op == OP_PUT) {
            affine_assign(e, &some, at, at->dst + (unsigned)which, &s[at->b], settled(warp, at->b).kind);
            continue;
        }
        is_data = is_data || settled(warp, at->b + (unsigned)which).kind == VALUE_DATA;
        picked = affine_join(e, at, is_data, &picked, before, &s[at->b + which], some.active);
        before |= some.active;
    }
    if (at->op == OP_PICK)
        s[at->dst] = picked;
}

/* Functions see single bits, or other lanes. What a shuffle moves of data is moved as it is. */
static struct shadow function(struct execution *e, const struct warp *warp, const struct instruction *at)
{
    const struct shadow *s = affine_shadows(e, warp);
    unsigned count = function_operands((enum function_id)at->extra);
    bool moves_data =
        count && settled(warp, at->a).kind == VALUE_DATA && !s[at->a].still &&
        (at->extra == FUNCTION_BITS || (at->extra >= FUNCTION_SHUFFLE && at->extra <= FUNCTION_SHUFFLE_XOR));
    if (count && !moves_data)
        pin(e, warp, at, at->a);
    for (unsigned i = 1; i < count; i++)
        pin(e, warp, at, at->b + i - 1);
    return moves_data ? s[at->a] : nothing;
}

/* Of compiled code: a, b and a third register. */
static struct shadow bits_or_shuffle(struct execution *e, const struct warp *warp,
                                     const struct instruction *at)
{
    const struct shadow *s = affine_shadows(e, warp);
    unsigned function = at->extra >> 16;
    bool moves_data = settled(warp, at->a).kind == VALUE_DATA && !s[at->a].still;
    pin(e, warp, at, at->extra & 0xffff);
    if (at->op == OP_BITS && moves_data && (function == BITS_LOW || function == BITS_HIGH))
        return s[at->a];
    if (at->op == OP_SHUFFLE && moves_data) {
        pin(e, warp, at, at->b);
        return s[at->a];
    }
    if (at->op == OP_BITS && moves_data && function == BITS_JOIN)
        return affine_join(e, at, false, &s[at->a], warp->active, &s[at->b], warp->active);
    pin(e, warp, at, at->a);
    pin(e, warp, at, at->b);
    return nothing;
}

/* An instruction that computes or moves values. */
static void step_value(struct execution *e, const struct warp *warp, const struct instruction *at)
{
    struct shadow *s = affine_shadows(e, warp), sum;
    switch ((enum opcode)at->op) {
    case OP_SET:
        s[at->dst] = s[at->a];
        break;
    case OP_MOVE:
        if (!e->program->is_compiled || settled(warp, at->a).kind != VALUE_UNSET)
            affine_assign(e, warp, at, at->dst, &s[at->a], settled(warp, at->a).kind);
        break;
    case OP_ADD_TO:
        sum = arithmetic(e, warp, at);
        affine_assign(e, warp, at, at->dst, &sum, VALUE_NUMBER);
        break;
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_DIV:
    case OP_MOD:
    case OP_AND:
    case OP_OR:
    case OP_XOR:
    case OP_SHL:
    case OP_SHR:
    case OP_NEG:
    case OP_COM:
    case OP_MIN:
    case OP_MAX:
        s[at->dst] = arithmetic(e, warp, at);
        break;
    case OP_LT:
    case OP_LE:
    case OP_EQ:
    case OP_NE:
        compare(e, warp, at, (enum opcode)at->op, warp->present);
        s[at->dst] = nothing;
        break;
    case OP_CONVERT:
    case OP_TO_BOOL:
        s[at->dst] = convert(e, warp, at);
        break;
    case OP_FROM_BOOL: /* of data: the same data */
    case OP_KEEP:
        if (settled(warp, at->a).kind == VALUE_DATA) {
            s[at->dst] = s[at->a];
        } else { /* to or from a floating number: the same one in all blocks */
            pin(e, warp, at, at->a);
            s[at->dst] = nothing;
        }
        break;
    case OP_REAL:
        pin(e, warp, at, at->a);
        pin(e, warp, at, at->b);
        s[at->dst] = nothing;
        break;
    case OP_POINTER_ADD:
        s[at->dst] = pointer_sum(e, warp, at, (int64_t)e->program->scales[at->extra]);
        break;
    case OP_POINTER_DIFFERENCE:
        s[at->dst] = pointer_difference(e, warp, at);
        break;
    case OP_SELECT:
        s[at->dst] = select_one(e, warp, at);
        break;
    case OP_BITS:
    case OP_SHUFFLE:
        s[at->dst] = bits_or_shuffle(e, warp, at);
        break;
    case OP_FUNCTION:
        s[at->dst] = function(e, warp, at);
        break;
    case OP_PICK:
    case OP_PUT:
        element(e, warp, at);
        break;
    case OP_LOAD:
    case OP_STORE:
    case OP_ATOMIC:
        affine_access(e, warp, at);
        break;
    case OP_UNSET:
    case OP_DATA:
    case OP_NOT:
        s[at->dst] = nothing;
        break;
    default: /* OP_VOTE: conditions are the same in all blocks */
        pin(e, warp, at, at->a);
        s[at->dst] = nothing;
    }
}

bool affine_step(struct execution *e, const struct warp *warp, const struct instruction *at)
{
    struct shadow *s = affine_shadows(e, warp);
    if (at->op <= OP_PUT)
        step_value(e, warp, at);
    else if (operate_is_compare_branch(at))
        compare(e, warp, at, (enum opcode)at->dst, warp->active);
    else if (at->op == OP_BARRIER_VOTE)
        s[at->dst] = nothing;
    else if (at->op == OP_PASS_DATA && settled(warp, at->a).kind == VALUE_DATA)
        for (unsigned i = 0; i < at->b; i++)
            s[at->dst + i] = nothing;
    return !e->affine->again && !e->affine->refused;
}
