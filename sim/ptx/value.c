/* value.c - what operands hold, and where results go. */
#include "coder.h"

static int64_t wrap(int64_t value, struct ptx_type type)
{
    return type.bytes == 1   ? (int8_t)value
           : type.bytes == 2 ? (int16_t)value
           : type.bytes == 4 ? (int32_t)value
                             : value;
}

static unsigned computed_data(struct coder_of_ptx *c)
{
    unsigned reg = coder_temporary(c);
    coder_emit(c, OP_DATA, 0, reg, 0, 0, 0);
    return reg;
}

static unsigned variable_address(struct coder_of_ptx *c, const struct operand *o)
{
    const struct variable *v = o->variable;
    if (v->shared < 0 || (v->space != PTX_SHARED && v->space != PTX_GLOBAL))
        return computed_data(c); /* local memory, constants: what is there is data */
    unsigned reg = v->space == PTX_GLOBAL ? (unsigned)v->shared
                                          : c->program->first_builtin + BUILTIN_COUNT + (unsigned)v->shared;
    if (!o->value)
        return reg;
    unsigned moved = coder_temporary(c);
    coder_emit(c, OP_ADD, NUMBER_I64, moved, reg, coder_constant(c, o->value, false), 0);
    return moved;
}

unsigned coder_value(struct coder_of_ptx *c, const struct operand *o, struct ptx_type type)
{
    unsigned reg;
    switch (o->kind) {
    case OPERAND_REGISTER:
        reg = coder_register(c, flat_register(c->flat, o));
        if (!o->negated)
            return reg;
        unsigned negated = coder_temporary(c);
        coder_emit(c, OP_NOT, 0, negated, reg, 0, 0);
        return negated;
    case OPERAND_INTEGER:
        if (type.is_pred) {
            reg = coder_temporary(c);
            coder_emit(c, OP_TO_BOOL, NUMBER_I32, reg, coder_constant(c, o->value != 0, false), 0, 0);
            return reg;
        }
        return coder_constant(c, type.is_float ? o->value : wrap(o->value, type), type.is_float);
    case OPERAND_FLOAT:
        return coder_constant(c, o->value, true);
    case OPERAND_SPECIAL:
        return coder_special(c, o->text);
    case OPERAND_VARIABLE:
        return variable_address(c, o);
    default:
        coder_fail(c, "an operand of this instruction is not supported here");
        return c->first_temporary;
    }
}

unsigned coder_use(struct coder_of_ptx *c, unsigned i, struct ptx_type type)
{
    if (i < c->in->operand_count)
        return coder_value(c, &c->in->operands[i], type);
    coder_fail(c, "this instruction has too few operands");
    return c->first_temporary;
}

unsigned coder_convert(struct coder_of_ptx *c, unsigned reg, enum number_kind kind)
{
    int64_t value;
    if (coder_is_constant(c, reg, &value) && kind == NUMBER_U32)
        return coder_constant(c, (uint32_t)value, false);
    if (coder_is_constant(c, reg, &value) && kind >= NUMBER_I64)
        return reg;
    unsigned converted = coder_temporary(c);
    coder_emit(c, OP_CONVERT, kind, converted, reg, 0, 0);
    return converted;
}

unsigned coder_use_as(struct coder_of_ptx *c, unsigned i, struct ptx_type type)
{
    unsigned reg = coder_use(c, i, type);
    return type.is_signed || type.bytes == 8 ? reg : coder_convert(c, reg, kind_of_type(type));
}

unsigned coder_result_of(struct coder_of_ptx *c, const struct operand *o)
{
    if (o->kind == OPERAND_NONE)
        return coder_temporary(c);
    if (o->kind != OPERAND_REGISTER) {
        coder_fail(c, "the result of this instruction goes into no register");
        return c->first_temporary;
    }
    uint32_t reg = flat_register(c->flat, o);
    return c->is_direct[reg] ? coder_register(c, reg) : coder_temporary(c);
}

unsigned coder_result(struct coder_of_ptx *c, unsigned i)
{
    if (i < c->in->operand_count)
        return coder_result_of(c, &c->in->operands[i]);
    coder_fail(c, "this instruction has too few operands");
    return c->first_temporary;
}

void coder_put(struct coder_of_ptx *c, const struct operand *o, unsigned from)
{
    if (o->kind != OPERAND_REGISTER)
        return;
    uint32_t of_list = flat_register(c->flat, o);
    unsigned reg = coder_register(c, of_list);
    struct instruction *last = c->program->code_count ? &c->program->code[c->program->code_count - 1] : NULL;
    if (reg == from)
        return;
    if (!c->is_direct[of_list] && last && last->op == OP_ADD && last->dst == from) {
        last->op = OP_ADD_TO;
        last->dst = (uint16_t)reg;
        return;
    }
    coder_emit(c, c->is_direct[of_list] ? OP_SET : OP_MOVE, 0, reg, from, 0, 0);
}

void coder_copy(struct coder_of_ptx *c, const struct operand *o, unsigned from)
{
    if (o->kind != OPERAND_REGISTER)
        return;
    uint32_t of_list = flat_register(c->flat, o);
    coder_emit(c, c->is_direct[of_list] ? OP_SET : OP_MOVE, 0, coder_register(c, of_list), from, 0, 0);
}
