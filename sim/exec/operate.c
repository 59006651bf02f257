/* operate.c - what an instruction makes of its operands, whichever values they hold. */
#include "operate.h"

#include "compiled.h"
#include "held.h"
#include "real.h"
#include "refuse.h"

bool operate_refuse(const struct execution *e, const struct warp *warp, const struct instruction *at,
                    const struct value *value)
{
    if (!warp->active)
        return true;
    if (value->kind == VALUE_UNSET)
        return execution_fail(e, at, "a variable is used here before it has a value");
    if (value->kind == VALUE_DATA)
        return refuse_data(e, warp, at, "this", value);
    return execution_fail(e, at, "this operation does not work on these values");
}

/* Each of the following is told its operands and leaves `result`, data that no cell holds, as it is where
 * nothing more is known of it. */

static bool arithmetic(struct execution *e, struct warp *warp, const struct instruction *at,
                       const struct value *a, const struct value *b, struct value *result)
{
    if (value_is_number(a) && value_is_number(b)) {
        *result = number_arithmetic(e, warp, at, a, b);
        return !e->problem->set;
    }
    if (e->program->is_compiled || a->kind == VALUE_POINTER || b->kind == VALUE_POINTER)
        return compiled_arithmetic(e, warp, at, a, b, result);
    if (a->kind == VALUE_UNSET || b->kind == VALUE_UNSET)
        return operate_refuse(e, warp, at, a->kind == VALUE_UNSET ? a : b);
    return true;
}

/* Two pointers into one buffer, or into shared memory, compare as their offsets do; others are unequal, and
 * have no order. */
static bool compare_pointers(struct execution *e, const struct warp *warp, const struct instruction *at,
                             enum opcode op, const struct value *a, const struct value *b,
                             struct value *result)
{
    bool both_shared = e->program->is_compiled && (a->buffer & b->buffer & POINTER_IS_SHARED);
    if (a->buffer == b->buffer || at->kind == POINTER_SHARED || both_shared) {
        *result = operate_bool(compare_numbers(e, at, op, a, b));
        return true;
    }
    *result = operate_bool(op == OP_NE ? UINT32_MAX : 0);
    return op == OP_EQ || op == OP_NE || !warp->active ||
           execution_fail(e, at, "pointers into different buffers have no order");
}

static bool compare(struct execution *e, const struct warp *warp, const struct instruction *at,
                    enum opcode op, const struct value *a, const struct value *b, struct value *result)
{
    if (value_is_number(a) && value_is_number(b)) {
        *result = operate_bool(compare_numbers(e, at, op, a, b));
    } else if (a->kind == VALUE_BOOL && b->kind == VALUE_BOOL && (op == OP_EQ || op == OP_NE)) {
        uint32_t differ = (uint32_t)(a->base ^ b->base);
        *result = operate_bool(op == OP_NE ? differ : ~differ);
    } else if (a->kind == VALUE_REAL && b->kind == VALUE_REAL) {
        *result = operate_bool(real_compare(e, op, a, b));
    } else if (a->kind == VALUE_POINTER && b->kind == VALUE_POINTER) {
        return compare_pointers(e, warp, at, op, a, b, result);
    } else if (e->program->is_compiled && (op == OP_EQ || op == OP_NE) &&
               ((a->kind == VALUE_POINTER && value_is_number(b)) ||
                (b->kind == VALUE_POINTER && value_is_number(a)))) {
        *result = operate_bool(op == OP_NE ? UINT32_MAX : 0); /* is it null? */
    } else if (!e->program->is_compiled && (a->kind == VALUE_UNSET || b->kind == VALUE_UNSET)) {
        return operate_refuse(e, warp, at, a->kind == VALUE_UNSET ? a : b);
    }
    return true;
}

static bool negate(const struct execution *e, const struct warp *warp, const struct instruction *at,
                   const struct value *a, struct value *result)
{
    if (a->kind == VALUE_DATA)
        return true;
    if (a->kind != VALUE_BOOL)
        return e->program->is_compiled || operate_refuse(e, warp, at, a);
    *result = operate_bool((uint32_t)~a->base);
    return true;
}

static bool pointer_add(struct execution *e, const struct warp *warp, const struct instruction *at,
                        const struct value *a, const struct value *b, struct value *result)
{
    if (a->kind == VALUE_POINTER && value_is_number(b)) {
        operate_pointer_add(e, at, a, b, result);
        return true;
    }
    if (warp->active && b->kind == VALUE_DATA)
        return refuse_data(e, warp, at, "this address", b);
    return operate_refuse(e, warp, at, a->kind != VALUE_POINTER ? a : b);
}

static bool pointer_difference(struct execution *e, struct warp *warp, const struct instruction *at,
                               const struct value *a, const struct value *b, struct value *result)
{
    if (a->kind != VALUE_POINTER || b->kind != VALUE_POINTER)
        return operate_refuse(e, warp, at, a->kind != VALUE_POINTER ? a : b);
    if (warp->active && a->buffer != b->buffer)
        return execution_fail(e, at, "pointers into different buffers cannot be subtracted");
    struct instruction divide = *at;
    divide.op = OP_DIV;
    struct value bytes = {.base = (int64_t)((uint64_t)a->base - (uint64_t)b->base), .kind = VALUE_NUMBER};
    struct value scale = {.base = (int64_t)e->program->scales[at->extra], .kind = VALUE_NUMBER};
    bytes.pattern = pattern_subtract(&e->patterns, a->pattern, b->pattern);
    *result = number_arithmetic(e, warp, &divide, &bytes, &scale);
    return true;
}

static bool convert(struct execution *e, struct warp *warp, const struct instruction *at,
                    const struct value *a, struct value *result)
{
    const struct value zero = real_uniform(0);
    if (a->kind == VALUE_UNSET)
        return e->program->is_compiled || operate_refuse(e, warp, at, a);
    if (at->op == OP_CONVERT && a->kind == VALUE_NUMBER)
        *result = number_convert(e, warp, at, a);
    else if (at->op == OP_FROM_BOOL && a->kind == VALUE_BOOL)
        *result = number_from_mask(e, (uint32_t)a->base);
    else if (at->op == OP_TO_BOOL && a->kind == VALUE_NUMBER)
        *result = operate_bool(compare_is_not_zero(e, a));
    else if (at->op == OP_TO_BOOL && a->kind == VALUE_REAL)
        *result = operate_bool(~real_compare(e, OP_EQ, a, &zero));
    else if (at->op == OP_TO_BOOL && a->kind == VALUE_POINTER)
        *result = operate_bool(UINT32_MAX); /* never null */
    else
        *result = *a; /* data keeps its origin through integer conversions */
    return true;
}

/* Does the narrowing leave an element of that buffer as it was? Floats that went through a double do. */
static bool holds_element(const struct execution *e, int64_t buffer, const struct type *to)
{
    const struct type *element = e->program->parameters[buffer].type.to;
    return element->kind == to->kind && element->bytes <= to->bytes;
}

/* Converted data keeps its origin; where not every value survives, that is noted. */
static bool keep(struct execution *e, const struct warp *warp, const struct instruction *at,
                 const struct value *a, struct value *result)
{
    if (a->kind == VALUE_UNSET)
        return operate_refuse(e, warp, at, a);
    if (a->kind != VALUE_DATA) {
        real_convert(e, warp, at, a, result);
        return true;
    }
    *result = *a;
    int64_t buffer = data_class(a->base) - 3;
    if (!at->extra || buffer < 0 || !warp->active ||
        holds_element(e, buffer, &e->program->narrowings[at->extra - 1].to))
        return true;
    if (!e->narrowed.lanes)
        e->narrowed = (struct narrowed){.what = &e->program->narrowings[at->extra - 1],
                                        .place = e->program->places[at->place],
                                        .block = {e->block[0], e->block[1], e->block[2]}};
    e->narrowed.lanes += (uint64_t)__builtin_popcount(warp->active);
    return true;
}

static bool operate_on(struct execution *e, struct warp *warp, const struct instruction *at,
                       const struct value *a, const struct value *b, struct value *result)
{
    switch ((enum opcode)at->op) {
    case OP_SET:
        *result = *a;
        return true;
    case OP_MOVE:
        *result = *a;
        return a->kind != VALUE_UNSET || operate_refuse(e, warp, at, a);
    case OP_LT:
    case OP_LE:
    case OP_EQ:
    case OP_NE:
        return compare(e, warp, at, (enum opcode)at->op, a, b, result);
    case OP_NOT:
        return negate(e, warp, at, a, result);
    case OP_CONVERT:
    case OP_TO_BOOL:
    case OP_FROM_BOOL:
        return convert(e, warp, at, a, result);
    case OP_KEEP:
        return keep(e, warp, at, a, result);
    case OP_POINTER_ADD:
        return pointer_add(e, warp, at, a, b, result);
    case OP_POINTER_DIFFERENCE:
        return pointer_difference(e, warp, at, a, b, result);
    case OP_SELECT:
        return compiled_select(e, warp, at, a, b, result);
    case OP_BITS:
        return compiled_bits(e, warp, at, a, b, result);
    case OP_SHUFFLE:
        return compiled_shuffle(e, warp, at, a, b, result);
    case OP_VOTE:
        compiled_vote(warp, at, a, result);
        return true;
    default:
        return arithmetic(e, warp, at, a, b, result);
    }
}

/* An operand of a function. */
static bool settle_operand(const struct execution *e, const struct warp *warp, const struct instruction *at,
                           unsigned r, struct value *operand)
{
    if (!partial_settle(e, warp, at, r, operand))
        return false;
    return (operand->kind != VALUE_UNSET && operand->kind != VALUE_POINTER) ||
           operate_refuse(e, warp, at, operand);
}

/* What a shuffle moves: a variable that only the lanes have set that others get it from will do. */
static bool settle_moved(const struct execution *e, const struct warp *warp, const struct instruction *at,
                         struct value *operand, uint32_t *set)
{
    bool shuffles = at->extra >= FUNCTION_SHUFFLE && at->extra <= FUNCTION_SHUFFLE_XOR;
    *set = UINT32_MAX;
    if (!shuffles || warp->registers[at->a].kind != VALUE_PARTIAL)
        return settle_operand(e, warp, at, at->a, operand);
    *operand = warp->registers[at->a];
    operand->kind = warp->partials[at->a].kind;
    *set = warp->partials[at->a].lanes;
    return operand->kind != VALUE_POINTER || operate_refuse(e, warp, at, operand);
}

static bool operate_function(struct execution *e, struct warp *warp, const struct instruction *at)
{
    enum function_id function = (enum function_id)at->extra;
    struct value operands[FUNCTION_OPERANDS], result = data_computed();
    unsigned count = function_operands(function);
    uint32_t set = UINT32_MAX;
    bool ok = true;
    if (!warp->active) {
        warp->registers[at->dst] = result;
        return true;
    }
    if (count)
        ok = settle_moved(e, warp, at, &operands[0], &set);
    for (unsigned i = 1; ok && i < count; i++)
        ok = settle_operand(e, warp, at, at->b + i - 1, &operands[i]);
    if (!ok || !(function < FUNCTION_SHUFFLE ? function_of(e, at, operands, &result)
                                             : shuffle_of(e, warp, at, operands, set, &result)))
        return false;
    warp->registers[at->dst] = result;
    return true;
}

/* Data that came out of an operation says whose data went in. */
static void note_source(const struct execution *e, const struct warp *warp, const struct value *a,
                        const struct value *b, struct value *result)
{
    if (result->tag != VALUE_TAG(VALUE_DATA, 0) || result->base != TOKEN_COMPUTED)
        return;
    uint16_t source = refuse_source(e, warp, a);
    source = source ? source : refuse_source(e, warp, b);
    result->buffer = source ? source : data_source_of_both(a, b);
}

/* What is unset, in all lanes or in some that run, makes a floating result data: it may go nowhere. */
static void settle_real(const struct warp *warp, unsigned r, struct value *value)
{
    *value = warp->registers[r];
    if (value->kind == VALUE_PARTIAL)
        value->kind = warp->active & ~warp->partials[r].lanes ? VALUE_UNSET : warp->partials[r].kind;
}

bool operate_real(struct execution *e, struct warp *warp, const struct instruction *at)
{
    const struct value *left = &warp->registers[at->a], *right = &warp->registers[at->b];
    struct value a, b, result = data_computed();
    if (left->kind == VALUE_DATA || right->kind == VALUE_DATA) { /* the usual */
        if (e->followed && at->extra == REAL_ADD)
            result = held_sum(e, left, right);
        result.buffer = data_source_of_both(left, right);
        warp->registers[at->dst] = result;
        return true;
    }
    settle_real(warp, at->a, &a);
    settle_real(warp, at->b, &b);
    real_function(e, warp, at, &a, &b, &result);
    if (result.kind != VALUE_BOOL)
        result.buffer = data_source_of_both(&a, &b);
    warp->registers[at->dst] = result;
    return true;
}

bool operate(struct execution *e, struct warp *warp, const struct instruction *at)
{
    bool assigns = at->op == OP_MOVE || at->op == OP_ADD_TO; /* in the active lanes; others: in all */
    struct value a, b, result = data_computed();
    if (at->op == OP_FUNCTION)
        return operate_function(e, warp, at);
    if (assigns && !warp->active)
        return true;
    if (e->program->is_compiled) {
        compiled_settle(warp, at->a, &a);
        compiled_settle(warp, at->b, &b);
        if (a.kind == VALUE_UNSET && (at->op == OP_MOVE || at->op == OP_SET))
            return true; /* what it is given is undefined: anything, so what it has */
    } else if (!partial_settle(e, warp, at, at->a, &a) || !partial_settle(e, warp, at, at->b, &b)) {
        return false;
    }
    if (!operate_on(e, warp, at, &a, &b, &result))
        return false;
    note_source(e, warp, &a, &b, &result);
    if (assigns)
        return partial_assign(e, warp, at, &result);
    warp->registers[at->dst] = result;
    return true;
}

bool operate_condition(struct execution *e, const struct warp *warp, const struct instruction *at,
                       struct value *result)
{
    struct value a, b;
    if (!partial_settle(e, warp, at, at->a, &a) || !partial_settle(e, warp, at, at->b, &b))
        return false;
    *result = a;
    if (operate_is_compare_branch(at)) {
        *result = data_computed();
        if (!compare(e, warp, at, (enum opcode)at->dst, &a, &b, result))
            return false;
        note_source(e, warp, &a, &b, result);
    }
    return result->kind == VALUE_BOOL || result->kind == VALUE_DATA || operate_refuse(e, warp, at, result);
}

bool operate_refuse_condition(const struct execution *e, const struct warp *warp,
                              const struct instruction *at, const struct value *condition)
{
    return refuse_data(e, warp, at, "this condition", condition);
}

bool operate_refuse_label(const struct execution *e, const struct warp *warp, const struct instruction *at)
{
    const struct value *lanes = &warp->registers[at->a];
    return lanes->kind == VALUE_DATA
               ? refuse_data(e, warp, at, "this label", lanes)
               : execution_fail(e, at, "this label depends on data that is not known here");
}
