/* code_intrinsic.c - CUDA's own functions to instructions. */
#include "code.h"

/* Of one register each, but for the first operand of a shuffle: it moves each component alone. */
unsigned code_function(struct coder *coder, const struct expr *e)
{
    unsigned components = e->type.components, count = e->part_count, values[FUNCTION_OPERANDS];
    const struct type *operand = count ? &e->parts[0]->type : &e->type;
    for (unsigned i = 0; i < count; i++)
        values[i] = code_expression(coder, e->parts[i]);
    unsigned dst = code_registers(coder, components);
    for (unsigned c = 0; c < components; c++) {
        unsigned first = code_registers(coder, FUNCTION_OPERANDS - 1);
        for (unsigned i = 1; i < count; i++)
            code_emit(coder, OP_SET, first + i - 1, values[i], 0, e);
        size_t at = code_emit(coder, OP_FUNCTION, dst + c, count ? values[0] + c : dst, first, e);
        coder->program->code[at].extra = (uint32_t)e->value;
        coder->program->code[at].kind = (uint8_t)code_number_kind(operand);
    }
    return dst;
}

/* An operand of a floating function: an integer is the number that it is as a double. */
static unsigned code_operand(struct coder *coder, const struct expr *part)
{
    const struct type number = type_float(8);
    unsigned value = code_expression(coder, part);
    return type_is_index(&part->type) ? code_keep(coder, &part->type, &number, value, part) : value;
}

unsigned code_computed(struct coder *coder, const struct expr *e)
{
    unsigned operands[3] = {0}, components = e->type.components;
    for (unsigned i = 0; i < e->part_count; i++) {
        unsigned value = code_operand(coder, e->parts[i]);
        if (i < 3)
            operands[i] = value;
    }
    unsigned dst = code_registers(coder, components);
    if (!e->part_count || components != 1 || e->parts[0]->type.components != 1) {
        for (unsigned i = 0; i < components; i++)
            code_emit(coder, OP_DATA, dst + i, dst + i, dst + i, e);
        return dst;
    }
    enum real_function function = (enum real_function)e->value;
    if (function == REAL_FUSED) { /* its product is not rounded */
        const struct type wide = type_float(8);
        unsigned product = code_registers(coder, 1);
        code_real_function(coder, REAL_MULTIPLY, &wide, product, operands[0], operands[1], e);
        code_real_function(coder, REAL_ADD, &e->type, dst, product, operands[2], e);
        return dst;
    }
    code_real_function(coder, function, &e->type, dst, operands[0], operands[e->part_count > 1], e);
    return dst;
}

/* What is given to it does not matter: what it leaves is data. */
unsigned code_atomic(struct coder *coder, const struct expr *e)
{
    unsigned pointer = code_expression(coder, e->a->a);
    for (unsigned i = 0; i < e->part_count; i++)
        code_expression(coder, e->parts[i]);
    unsigned dst = code_registers(coder, e->type.components);
    size_t at = code_emit(coder, OP_ATOMIC, dst, pointer, 0, e->a);
    unsigned site = code_site(coder, e->a, ACCESS_ATOMIC);
    if (coder->problem->set)
        return 0;
    coder->program->code[at].extra = site;
    coder->program->sites[site].atomic = (enum atomic_cost)e->value;
    return dst;
}

/* A barrier that counts what its threads say. */
unsigned code_barrier(struct coder *coder, const struct expr *e)
{
    unsigned said = e->a ? code_expression(coder, e->a) : 0, dst = e->a ? code_registers(coder, 1) : 0;
    size_t at = code_emit(coder, e->a ? OP_BARRIER_VOTE : OP_BARRIER, dst, said, said, e);
    coder->program->code[at].extra = (uint32_t)e->value;
    return dst;
}
