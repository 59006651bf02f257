/* operate.c - what an instruction makes of its operands, whichever values they hold. */
#include "operate.h"

#include "refuse.h"

/* An operand that the instruction cannot take. */
static bool refuse(const struct execution *e, const struct warp *warp, const struct instruction *at,
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

static struct value bool_value(uint32_t lanes)
{
    return (struct value){.base = lanes, .tag = VALUE_TAG(VALUE_BOOL, 0)};
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
    if (a->kind == VALUE_UNSET || b->kind == VALUE_UNSET)
        return refuse(e, warp, at, a->kind == VALUE_UNSET ? a : b);
    return true;
}

/* Two pointers into one buffer, or into shared memory, compare as their offsets do; others are unequal, and
 * have no order. */
static bool compare_pointers(struct execution *e, const struct warp *warp, const struct instruction *at,
                             enum opcode op, const struct value *a, const struct value *b,
                             struct value *result)
{
    if (a->buffer == b->buffer || at->kind == POINTER_SHARED) {
        *result = bool_value(compare_numbers(e, at, op, a, b));
        return true;
    }
    *result = bool_value(op == OP_NE ? UINT32_MAX : 0);
    return op == OP_EQ || op == OP_NE || !warp->active ||
           execution_fail(e, at, "pointers into different buffers have no order");
}

static bool compare(struct execution *e, const struct warp *warp, const struct instruction *at,
                    enum opcode op, const struct value *a, const struct value *b, struct value *result)
{
    if (value_is_number(a) && value_is_number(b)) {
        *result = bool_value(compare_numbers(e, at, op, a, b));
    } else if (a->kind == VALUE_BOOL && b->kind == VALUE_BOOL && (op == OP_EQ || op == OP_NE)) {
        uint32_t differ = (uint32_t)(a->base ^ b->base);
        *result = bool_value(op == OP_NE ? differ : ~differ);
    } else if (a->kind == VALUE_POINTER && b->kind == VALUE_POINTER) {
        return compare_pointers(e, warp, at, op, a, b, result);
    } else if (a->kind == VALUE_UNSET || b->kind == VALUE_UNSET) {
        return refuse(e, warp, at, a->kind == VALUE_UNSET ? a : b);
    }
    return true;
}

static bool negate(const struct execution *e, const struct warp *warp, const struct instruction *at,
                   const struct value *a, struct value *result)
{
    if (a->kind != VALUE_BOOL)
        return refuse(e, warp, at, a);
    *result = bool_value((uint32_t)~a->base);
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
    return refuse(e, warp, at, a->kind != VALUE_POINTER ? a : b);
}

static bool pointer_difference(struct execution *e, struct warp *warp, const struct instruction *at,
                               const struct value *a, const struct value *b, struct value *result)
{
    if (a->kind != VALUE_POINTER || b->kind != VALUE_POINTER)
        return refuse(e, warp, at, a->kind != VALUE_POINTER ? a : b);
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
    if (a->kind == VALUE_UNSET)
        return refuse(e, warp, at, a);
    if (at->op == OP_CONVERT && a->kind == VALUE_NUMBER)
        *result = number_convert(e, warp, at, a);
    else if (at->op == OP_FROM_BOOL && a->kind == VALUE_BOOL)
        *result = number_from_mask(e, (uint32_t)a->base);
    else if (at->op == OP_TO_BOOL && a->kind == VALUE_NUMBER)
        *result = bool_value(compare_is_not_zero(e, a));
    else if (at->op == OP_TO_BOOL && a->kind == VALUE_POINTER)
        *result = bool_value(UINT32_MAX); /* never null */
    else
        *result = *a; /* data keeps its origin through integer conversions */
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
        return a->kind != VALUE_UNSET || refuse(e, warp, at, a);
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
    case OP_POINTER_ADD:
        return pointer_add(e, warp, at, a, b, result);
    case OP_POINTER_DIFFERENCE:
        return pointer_difference(e, warp, at, a, b, result);
    default:
        return arithmetic(e, warp, at, a, b, result);
    }
}

/* Of operands in registers of their own. */
static bool operate_function(struct execution *e, struct warp *warp, const struct instruction *at)
{
    enum function_id function = (enum function_id)at->extra;
    struct value operands[FUNCTION_OPERANDS], result = data_computed();
    if (!warp->active) {
        warp->registers[at->dst] = result;
        return true;
    }
    for (unsigned i = 0; i < function_operands(function); i++) {
        if (!partial_settle(e, warp, at, at->a + i, &operands[i]))
            return false;
        if (operands[i].kind == VALUE_UNSET || operands[i].kind == VALUE_POINTER)
            return refuse(e, warp, at, &operands[i]);
    }
    if (!(function < FUNCTION_SHUFFLE ? function_of(e, warp, at, operands, &result)
                                      : shuffle_of(e, warp, at, operands, &result)))
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
    result->buffer = source ? source : refuse_source(e, warp, b);
}

bool operate(struct execution *e, struct warp *warp, const struct instruction *at)
{
    bool assigns = at->op == OP_MOVE || at->op == OP_ADD_TO; /* in the active lanes; others: in all */
    struct value a, b, result = data_computed();
    if (at->op == OP_FUNCTION)
        return operate_function(e, warp, at);
    if (assigns && !warp->active)
        return true;
    if (!partial_settle(e, warp, at, at->a, &a) || !partial_settle(e, warp, at, at->b, &b) ||
        !operate_on(e, warp, at, &a, &b, &result))
        return false;
    note_source(e, warp, &a, &b, &result);
    if (assigns)
        return partial_assign(e, warp, at, &result);
    warp->registers[at->dst] = result;
    return true;
}

bool operate_condition(struct execution *e, const struct warp *warp, const struct instruction *at,
                       uint32_t *lanes)
{
    struct value a, b, result = data_computed();
    if (!partial_settle(e, warp, at, at->a, &a) || !partial_settle(e, warp, at, at->b, &b))
        return false;
    if (!operate_is_compare_branch(at))
        result = a;
    else if (!compare(e, warp, at, (enum opcode)at->dst, &a, &b, &result))
        return false;
    *lanes = result.kind == VALUE_BOOL ? (uint32_t)result.base & warp->active : 0;
    if (result.kind != VALUE_DATA)
        return result.kind == VALUE_BOOL || refuse(e, warp, at, &result);
    note_source(e, warp, &a, &b, &result);
    return !warp->active || refuse_data(e, warp, at, "this condition", &result);
}

bool operate_refuse_label(const struct execution *e, const struct warp *warp, const struct instruction *at)
{
    const struct value *lanes = &warp->registers[at->a];
    return lanes->kind == VALUE_DATA
               ? refuse_data(e, warp, at, "this label", lanes)
               : execution_fail(e, at, "this label depends on data that is not known here");
}
