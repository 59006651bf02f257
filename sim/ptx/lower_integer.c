/* lower_integer.c - sums, products, quotients, shifts. */
#include "coder.h"

static const struct {
    const char *name;
    enum opcode op;
    bool by_sign; /* do signed and unsigned operands give other bits? */
    unsigned operands;
} rows[] = {
    {"add", OP_ADD, false, 2}, {"sub", OP_SUB, false, 2}, {"and", OP_AND, false, 2}, {"or", OP_OR, false, 2},
    {"xor", OP_XOR, false, 2}, {"min", OP_MIN, true, 2},  {"max", OP_MAX, true, 2},  {"div", OP_DIV, true, 2},
    {"rem", OP_MOD, true, 2},  {"neg", OP_NEG, false, 1}, {"not", OP_COM, false, 1},
};

/* A result of the type's own kind as all registers hold it. */
static void put_number(struct coder_of_ptx *c, struct ptx_type type, unsigned from)
{
    const struct operand *to = &c->in->operands[0];
    if (type.is_signed || type.bytes == 8) {
        coder_put(c, to, from);
        return;
    }
    unsigned result = coder_result(c, 0);
    coder_emit(c, OP_CONVERT, signed_kind(type), result, from, 0, 0);
    coder_put(c, to, result);
}

static bool lower_condition(struct coder_of_ptx *c, struct ptx_type type, enum opcode op, unsigned operands)
{
    unsigned a = coder_use(c, 1, type), b = operands == 2 ? coder_use(c, 2, type) : a;
    unsigned result = coder_result(c, 0);
    coder_emit(c, op == OP_COM ? OP_NOT : op, NUMBER_I32, result, a, b, 0);
    coder_put(c, &c->in->operands[0], result);
    return !c->problem->set;
}

bool lower_arithmetic(struct coder_of_ptx *c)
{
    struct ptx_type type;
    size_t row = 0;
    while (row < sizeof rows / sizeof *rows && !op_is(c->in, rows[row].name))
        row++;
    if (!op_type(c->in, 0, &type) || type.is_float || op_has(c->in, "sat") ||
        row == sizeof rows / sizeof *rows)
        return lower_data(c);
    if (type.is_pred)
        return lower_condition(c, type, rows[row].op, rows[row].operands);
    type.is_signed = type.is_signed || !rows[row].by_sign;
    unsigned a = coder_use_as(c, 1, type), b = rows[row].operands == 2 ? coder_use_as(c, 2, type) : a;
    bool straight = type.is_signed || type.bytes == 8;
    unsigned result = straight ? coder_result(c, 0) : coder_temporary(c);
    coder_emit(c, rows[row].op, kind_of_type(type), result, a, b, 0);
    put_number(c, type, result);
    return !c->problem->set;
}

/* The product of operands 1 and 2 as a .lo, .hi or .wide one, as registers hold it. */
static unsigned product(struct coder_of_ptx *c, struct ptx_type type)
{
    unsigned result = coder_temporary(c);
    if (op_has(c->in, "hi")) {
        unsigned a = coder_use(c, 1, type), b = coder_use(c, 2, type);
        coder_emit(c, OP_BITS, kind_of_type(type), result, a, b, bits_extra(BITS_MUL_HIGH, a));
    } else if (op_has(c->in, "wide")) {
        unsigned a = coder_use_as(c, 1, type), b = coder_use_as(c, 2, type);
        type.bytes *= 2;
        coder_emit(c, OP_MUL, kind_of_type(type), result, a, b, 0);
        if (type.bytes == 4 && !type.is_signed)
            result = coder_convert(c, result, NUMBER_I32);
    } else {
        unsigned a = coder_use(c, 1, type), b = coder_use(c, 2, type);
        coder_emit(c, OP_MUL, signed_kind(type), result, a, b, 0);
    }
    return result;
}

static unsigned product_24(struct coder_of_ptx *c, struct ptx_type type)
{
    unsigned a = coder_use(c, 1, type), b = coder_use(c, 2, type), result = coder_temporary(c);
    coder_emit(c, OP_BITS, kind_of_type(type), result, a, b,
               bits_extra(op_has(c->in, "hi") ? BITS_MUL24_HIGH : BITS_MUL24_LOW, a));
    return result;
}

/* mul, mad, mul24, mad24, sad. */
bool lower_multiply(struct coder_of_ptx *c)
{
    struct ptx_type type;
    if (!op_type(c->in, 0, &type) || type.is_float || op_has(c->in, "sat"))
        return lower_data(c);
    unsigned result;
    if (op_is(c->in, "sad")) {
        unsigned a = coder_use(c, 1, type), b = coder_use(c, 2, type);
        result = coder_temporary(c);
        coder_emit(c, OP_BITS, kind_of_type(type), result, a, b, bits_extra(BITS_DISTANCE, a));
    } else if (op_is(c->in, "mul24") || op_is(c->in, "mad24")) {
        result = product_24(c, type);
    } else {
        result = product(c, type);
        type.bytes *= op_has(c->in, "wide") ? 2 : 1;
    }
    if (op_is(c->in, "mad") || op_is(c->in, "mad24") || op_is(c->in, "sad")) {
        unsigned addend = coder_use(c, 3, type), sum = coder_result(c, 0);
        coder_emit(c, OP_ADD, signed_kind(type), sum, result, addend, 0);
        result = sum;
    }
    coder_put(c, &c->in->operands[0], result);
    return !c->problem->set;
}

/* shl, shr: the count is unsigned; so large a one that it looks negative shifts everything out, too. */
bool lower_shift(struct coder_of_ptx *c)
{
    struct ptx_type type, count = {.bytes = 4, .is_signed = true, .components = 1};
    if (!op_type(c->in, 0, &type) || type.is_float)
        return lower_data(c);
    bool left = op_is(c->in, "shl");
    type.is_signed = type.is_signed || left;
    unsigned a = coder_use_as(c, 1, type), b = coder_use(c, 2, count);
    int64_t by;
    bool fits = type.is_signed || type.bytes == 8 || (coder_is_constant(c, b, &by) && by > 0);
    unsigned result = fits ? coder_result(c, 0) : coder_temporary(c);
    coder_emit(c, left ? OP_SHL : OP_SHR, kind_of_type(type), result, a, b, 0);
    if (fits)
        coder_put(c, &c->in->operands[0], result);
    else
        put_number(c, type, result);
    return !c->problem->set;
}
