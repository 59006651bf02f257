/* constant.c - the value of an expression of constants: what C++ defines of it, with the wrap-around of
 * unsigned types. */
#include "parse.h"

static bool fold_division(uint32_t op, int64_t a, int64_t b, bool is_signed, int64_t *value)
{
    if (b == 0 || (is_signed && a == INT64_MIN && b == -1))
        return false;
    if (is_signed)
        *value = op == '/' ? a / b : a % b;
    else
        *value = (int64_t)(op == '/' ? (uint64_t)a / (uint64_t)b : (uint64_t)a % (uint64_t)b);
    return true;
}

/* A signed result that its type does not hold is undefined: no constant, so that it is found where it runs.
 */
static bool holds(const struct type *type, bool left_64_bits, int64_t value)
{
    return !type->is_signed || (!left_64_bits && type_wrap(type, value) == value);
}

/* a << b for a count within the width. As in C++14 it may fill the sign bit of a signed type. */
static bool fold_shift_left(const struct type *type, int64_t a, uint64_t count, int64_t *value)
{
    int64_t shifted = (int64_t)((uint64_t)a << count);
    struct type as_unsigned = *type;
    as_unsigned.is_signed = false;
    *value = shifted;
    if (!type->is_signed)
        return true;
    if (shifted >> count == a && type_wrap(type, shifted) == shifted)
        return true;
    return a > 0 && type_wrap(&as_unsigned, shifted) == shifted && (uint64_t)shifted >> count == (uint64_t)a;
}

static bool fold_binary(const struct expr *e, int64_t a, int64_t b, int64_t *value)
{
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    unsigned bits = 8u * e->type.bytes;
    bool overflow;
    switch (e->op) {
    case '+':
        overflow = __builtin_add_overflow(a, b, value);
        return holds(&e->type, overflow, *value);
    case '-':
        overflow = __builtin_sub_overflow(a, b, value);
        return holds(&e->type, overflow, *value);
    case '*':
        overflow = __builtin_mul_overflow(a, b, value);
        return holds(&e->type, overflow, *value);
    case '/':
    case '%':
        return fold_division(e->op, a, b, e->type.is_signed, value) && holds(&e->type, false, *value);
    case '&':
        *value = a & b;
        return true;
    case '|':
        *value = a | b;
        return true;
    case '^':
        *value = a ^ b;
        return true;
    case PUNCT2('<', '<'):
        return b >= 0 && ub < bits && fold_shift_left(&e->type, a, ub, value);
    case PUNCT2('>', '>'):
        *value = e->type.is_signed ? a >> (ub & 63) : (int64_t)(ua >> (ub & 63));
        return b >= 0 && ub < bits;
    default:
        return false;
    }
}

static bool fold_compare(const struct expr *e, int64_t a, int64_t b, int64_t *value)
{
    bool less = e->a->type.is_signed || e->a->type.kind == TYPE_BOOL ? a < b : (uint64_t)a < (uint64_t)b;
    switch (e->op) {
    case '<':
        *value = less;
        return true;
    case '>':
        *value = !less && a != b;
        return true;
    case PUNCT2('<', '='):
        *value = less || a == b;
        return true;
    case PUNCT2('>', '='):
        *value = !less;
        return true;
    case PUNCT2('=', '='):
        *value = a == b;
        return true;
    default:
        *value = a != b;
        return true;
    }
}

bool constant_operation(const struct expr *e, int64_t a, int64_t b, int64_t *value)
{
    bool less;
    switch (e->kind) {
    case EXPR_CONVERT:
        *value = a;
        break;
    case EXPR_NEGATE:
        *value = (int64_t)(0 - (uint64_t)a);
        if (!holds(&e->type, a == INT64_MIN, *value))
            return false;
        break;
    case EXPR_COMPLEMENT:
        *value = ~a;
        break;
    case EXPR_NOT:
        *value = !a;
        break;
    case EXPR_BINARY:
        if (!fold_binary(e, a, b, value))
            return false;
        break;
    case EXPR_COMPARE:
        (void)fold_compare(e, a, b, value);
        break;
    case EXPR_MINIMUM:
    case EXPR_MAXIMUM:
        less = e->type.is_signed ? a < b : (uint64_t)a < (uint64_t)b;
        *value = less == (e->kind == EXPR_MINIMUM) ? a : b;
        break;
    default:
        return false;
    }
    *value = type_wrap(&e->type, *value);
    return true;
}

static bool fold(const struct expr *e, int64_t *value)
{
    int64_t a = 0, b = 0;
    switch (e->kind) {
    case EXPR_INTEGER:
        *value = e->value;
        return true;
    case EXPR_AND:
    case EXPR_OR:
        if (!constant_value(e->a, &a))
            return false;
        *value = a != 0; /* decided, unless the right side has the say */
        return (a != 0) == (e->kind == EXPR_OR) || constant_value(e->b, value);
    case EXPR_CONDITION:
        return constant_value(e->a, &a) && constant_value(a ? e->b : e->c, value);
    default:
        return e->a && constant_value(e->a, &a) && (!e->b || constant_value(e->b, &b)) &&
               constant_operation(e, a, b, value);
    }
}

bool constant_value(const struct expr *e, int64_t *value)
{
    if (!type_is_index(&e->type) || !fold(e, value))
        return false;
    *value = type_wrap(&e->type, *value);
    return true;
}

bool parse_constant(const struct token *tokens, int64_t *value, struct problem *problem)
{
    struct arena arena = {0};
    struct scope scope = {0};
    struct parser parser = {.at = tokens,
                            .last = tokens,
                            .arena = &arena,
                            .problem = problem,
                            .scope = &scope,
                            .is_directive = true};
    bool ok = parse_constant_expression(&parser, value);
    if (ok && parser.at->kind != TOKEN_END)
        ok = parse_fail(&parser, parser.at, "the expression should end here");
    arena_free(&arena);
    return ok;
}
