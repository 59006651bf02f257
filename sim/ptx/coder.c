/* coder.c - instructions, constants, operands and results. */
#include "coder.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

size_t coder_emit(struct coder_of_ptx *c, enum opcode op, unsigned kind, unsigned dst, unsigned a, unsigned b,
                  uint32_t extra)
{
    struct program *p = c->program;
    p->code = module_grow(p->code, p->code_count, &c->code_capacity, sizeof *p->code);
    p->code[p->code_count] = (struct instruction){.op = (uint8_t)op,
                                                  .kind = (uint8_t)kind,
                                                  .dst = (uint16_t)dst,
                                                  .a = (uint16_t)a,
                                                  .b = (uint16_t)b,
                                                  .extra = extra,
                                                  .place = c->place};
    return p->code_count++;
}

bool coder_fail(struct coder_of_ptx *c, const char *format, ...)
{
    char message[PROBLEM_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return problem_at(c->problem, c->module->source, c->in->begin, "%s", message);
}

unsigned coder_temporary(struct coder_of_ptx *c)
{
    if (c->temporaries == CODER_TEMPORARIES) {
        coder_fail(c, "this instruction has too many operands");
        return c->first_temporary;
    }
    return c->first_temporary + c->temporaries++;
}

unsigned coder_constant(struct coder_of_ptx *c, int64_t value, bool is_data)
{
    struct program *p = c->program;
    uint64_t hash = ((uint64_t)value * 2 + is_data) * UINT64_C(0x9e3779b97f4a7c15) >> 48;
    while (c->constant_slots[hash]) {
        const struct constant *known = &p->constants[c->constant_slots[hash] - 1];
        if (known->value == value && known->is_data == is_data)
            return CODER_REGISTERS + c->constant_slots[hash] - 1;
        hash = (hash + 1) & 0xffff;
    }
    if (p->constant_count == CODER_CONSTANTS) {
        coder_fail(c, "this kernel has more than %d constants", CODER_CONSTANTS);
        return CODER_REGISTERS;
    }
    p->constants[p->constant_count] = (struct constant){value, is_data};
    c->constant_slots[hash] = ++p->constant_count;
    return CODER_REGISTERS + p->constant_count - 1;
}

bool coder_is_constant(const struct coder_of_ptx *c, unsigned reg, int64_t *value)
{
    if (reg < CODER_REGISTERS || c->program->constants[reg - CODER_REGISTERS].is_data)
        return false;
    *value = c->program->constants[reg - CODER_REGISTERS].value;
    return true;
}

unsigned coder_register(struct coder_of_ptx *c, uint32_t of_list)
{
    if (!c->register_of[of_list]) {
        if (c->next_register == CODER_REGISTERS) {
            problem_at(c->problem, c->module->source, c->program->begin,
                       "this kernel needs more than %d registers", CODER_REGISTERS);
            return 0;
        }
        c->register_of[of_list] = (uint16_t)(++c->next_register);
    }
    return c->register_of[of_list] - 1u;
}

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
