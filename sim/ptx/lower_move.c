/* lower_move.c - mov, cvt, cvta, and whatever yields data. */
#include "coder.h"

static unsigned half_of(struct coder_of_ptx *c, enum bits_function function, struct ptx_type whole,
                        unsigned from)
{
    unsigned half = coder_temporary(c);
    coder_emit(c, OP_BITS, signed_kind(whole), half, from, from, bits_extra(function, from));
    return half;
}

/* mov.b64 {%r1, %r2}, %rd1; and with four parts */
static bool split(struct coder_of_ptx *c, struct ptx_type type)
{
    const struct operand *to = &c->in->operands[0];
    unsigned parts[4], from = coder_use(c, 1, type);
    if (to->part_count != 2 && to->part_count != 4)
        return coder_fail(c, "a register is split into two or four");
    struct ptx_type half = type;
    half.bytes /= 2;
    if (to->part_count == 2) {
        parts[0] = half_of(c, BITS_LOW, type, from);
        parts[1] = half_of(c, BITS_HIGH, type, from);
    } else {
        unsigned low = half_of(c, BITS_LOW, type, from), high = half_of(c, BITS_HIGH, type, from);
        for (unsigned i = 0; i < 4; i++)
            parts[i] = half_of(c, i % 2 ? BITS_HIGH : BITS_LOW, half, i < 2 ? low : high);
    }
    for (unsigned i = 0; i < to->part_count; i++)
        coder_copy(c, &to->parts[i], parts[i]);
    return !c->problem->set;
}

static unsigned joined(struct coder_of_ptx *c, struct ptx_type whole, unsigned low, unsigned high)
{
    unsigned result = coder_temporary(c);
    coder_emit(c, OP_BITS, signed_kind(whole), result, low, high, bits_extra(BITS_JOIN, low));
    return result;
}

/* mov.b64 %rd1, {%r1, %r2} */
static bool join(struct coder_of_ptx *c, struct ptx_type type)
{
    const struct operand *from = &c->in->operands[1];
    struct ptx_type half = type;
    unsigned parts[4], result;
    half.bytes /= 2;
    if (from->part_count != 2 && from->part_count != 4)
        return coder_fail(c, "two or four registers are joined to one");
    struct ptx_type part = half;
    part.bytes /= from->part_count == 4 ? 2 : 1;
    for (unsigned i = 0; i < from->part_count; i++)
        parts[i] = coder_value(c, &from->parts[i], part);
    if (from->part_count == 2)
        result = joined(c, type, parts[0], parts[1]);
    else
        result = joined(c, type, joined(c, half, parts[0], parts[1]), joined(c, half, parts[2], parts[3]));
    coder_copy(c, &c->in->operands[0], result);
    return !c->problem->set;
}

bool lower_move(struct coder_of_ptx *c)
{
    struct ptx_type type;
    if (c->in->operand_count != 2 || !op_type(c->in, 0, &type))
        return coder_fail(c, "this instruction has a type, a result and an operand");
    if (type.bytes == 16)
        return lower_data(c);
    if (c->in->operands[0].kind == OPERAND_LIST)
        return split(c, type);
    if (c->in->operands[1].kind == OPERAND_LIST)
        return join(c, type);
    if (c->in->operands[1].kind == OPERAND_NAME) /* a function's address: data until it is called */
        return lower_data(c);
    coder_copy(c, &c->in->operands[0], coder_use(c, 1, type));
    return !c->problem->set;
}

/* The width of the register that an operand is. */
static unsigned register_bytes(const struct coder_of_ptx *c, const struct operand *o)
{
    return o->kind == OPERAND_REGISTER ? c->flat->frame->function->registers[o->reg].type.bytes : 0;
}

/* cvt.u32.u64: the operand as its type has it, then in the range of the result's, then as a register holds
 * it. */
bool lower_convert(struct coder_of_ptx *c)
{
    struct ptx_type to, from;
    if (c->in->operand_count != 2 || !op_type(c->in, 0, &to) || !op_type(c->in, 1, &from) || to.is_float ||
        from.is_float || to.is_pred || from.is_pred || to.bytes == 16 || op_has(c->in, "sat"))
        return lower_data(c);
    unsigned value = coder_use(c, 1, from);
    unsigned held = register_bytes(c, &c->in->operands[1]), holds = register_bytes(c, &c->in->operands[0]);
    if (from.bytes < 8 && (!from.is_signed || held > from.bytes))
        value = coder_convert(c, value, kind_of_type(from));
    bool narrows = to.bytes < from.bytes || (to.bytes == from.bytes && to.is_signed != from.is_signed);
    if (holds > to.bytes && narrows)
        value = coder_convert(c, value, kind_of_type(to));
    else if (holds <= to.bytes && to.bytes < 8 && (narrows || !from.is_signed) && to.bytes <= from.bytes)
        value = coder_convert(c, value, signed_kind(to));
    coder_copy(c, &c->in->operands[0], value);
    return !c->problem->set;
}

bool lower_data(struct coder_of_ptx *c)
{
    unsigned data = coder_temporary(c);
    coder_emit(c, OP_DATA, 0, data, 0, 0, 0);
    if (!c->in->operand_count)
        return true;
    const struct operand *to = &c->in->operands[0];
    coder_copy(c, to, data);
    for (unsigned i = 0; i < to->part_count && to->kind != OPERAND_ADDRESS; i++)
        coder_copy(c, &to->parts[i], data);
    return !c->problem->set;
}
