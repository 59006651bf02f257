/* code_choice.c - &&, || and ?:, where only some lanes evaluate a side. */
#include "code.h"

unsigned code_logical(struct coder *coder, const struct expr *e)
{
    unsigned dst = code_registers(coder, 1);
    unsigned a = code_expression(coder, e->a);
    unsigned condition = a;
    code_emit(coder, OP_SET, dst, a, 0, e);
    if (e->kind == EXPR_OR) {
        condition = code_registers(coder, 1);
        code_emit(coder, OP_NOT, condition, a, 0, e);
    }
    size_t branch = code_emit(coder, OP_IF, 0, condition, 0, e->a);
    code_open_mask(coder);
    code_emit(coder, OP_MOVE, dst, code_expression(coder, e->b), 0, e);
    coder->program->code[branch].extra = (uint32_t)code_emit(coder, OP_END, 0, 0, 0, e);
    code_close_mask(coder);
    return dst;
}

/* A side that points nowhere leaves the result without a value. */
static void code_side(struct coder *coder, unsigned dst, const struct expr *side, const struct expr *e)
{
    if (e->type.kind != TYPE_POINTER || side->type.kind == TYPE_POINTER)
        code_move(coder, dst, code_expression(coder, side), code_slots(&e->type), e);
}

unsigned code_condition(struct coder *coder, const struct expr *e)
{
    unsigned components = code_slots(&e->type);
    unsigned dst = code_registers(coder, components);
    unsigned condition = code_expression(coder, e->a);
    for (unsigned i = 0; i < components; i++)
        code_emit(coder, OP_UNSET, dst + i, 0, 0, e);
    size_t branch = code_emit(coder, OP_IF, 0, condition, 0, e->a);
    code_open_mask(coder);
    code_side(coder, dst, e->b, e);
    size_t other = code_emit(coder, OP_ELSE, 0, 0, 0, e);
    coder->program->code[branch].extra = (uint32_t)other;
    code_side(coder, dst, e->c, e);
    coder->program->code[other].extra = (uint32_t)code_emit(coder, OP_END, 0, 0, 0, e);
    code_close_mask(coder);
    return dst;
}
