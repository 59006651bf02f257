/* code_choice.c - &&, || and ?:, where only some lanes evaluate a side.
 *
 * A condition that turns out to be data would end the kernel: nobody knows which lanes go where. But where
 * neither side touches memory that makes no difference to what is counted, and the value is data.
 */
#include "code.h"

/* Does it touch no memory and change nothing? Then it does not matter whether it is evaluated. */
static bool is_pure(const struct expr *e)
{
    if (!e)
        return true;
    bool acts = e->kind == EXPR_MEMORY || e->kind == EXPR_CALL || e->kind == EXPR_ASSIGN ||
                e->kind == EXPR_UPDATE || e->kind == EXPR_BARRIER || e->kind == EXPR_SYNCWARP ||
                e->kind == EXPR_ATOMIC || (e->kind == EXPR_FUNCTION && e->value >= FUNCTION_SHUFFLE);
    for (unsigned i = 0; !acts && i < e->part_count; i++)
        acts = !is_pure(e->parts[i]);
    return !acts && is_pure(e->a) && is_pure(e->b) && is_pure(e->c);
}

static bool holds_data(const struct type *type)
{
    return type->kind == TYPE_BOOL || type->kind == TYPE_INTEGER || type->kind == TYPE_FLOAT;
}

/* Where `condition` turns out to be data, on behind what follows, up to code_passed(). */
static size_t code_pass_data(struct coder *coder, unsigned dst, unsigned condition, const struct expr *e)
{
    return code_emit(coder, OP_PASS_DATA, dst, condition, code_slots(&e->type), e);
}

static void code_passed(struct coder *coder, size_t pass)
{
    coder->program->code[pass].extra = (uint32_t)coder->program->code_count;
    coder->passed_to = coder->program->code_count;
}

unsigned code_logical(struct coder *coder, const struct expr *e)
{
    unsigned dst = code_registers(coder, 1);
    unsigned a = code_expression(coder, e->a);
    unsigned condition = a;
    bool pure = is_pure(e->b);
    code_emit(coder, OP_SET, dst, a, 0, e);
    size_t pass = pure ? code_pass_data(coder, dst, a, e) : 0;
    if (e->kind == EXPR_OR) {
        condition = code_registers(coder, 1);
        code_emit(coder, OP_NOT, condition, a, 0, e);
    }
    size_t branch = code_emit(coder, OP_IF, 0, condition, 0, e->a);
    code_open_mask(coder);
    code_emit(coder, OP_MOVE, dst, code_expression(coder, e->b), 0, e);
    coder->program->code[branch].extra = (uint32_t)code_emit(coder, OP_END, 0, 0, 0, e);
    code_close_mask(coder);
    if (pure)
        code_passed(coder, pass);
    return dst;
}

unsigned code_condition(struct coder *coder, const struct expr *e)
{
    unsigned components = code_slots(&e->type);
    unsigned dst = code_registers(coder, components);
    unsigned condition = code_expression(coder, e->a);
    for (unsigned i = 0; i < components; i++)
        code_emit(coder, OP_UNSET, dst + i, 0, 0, e);
    bool pure = holds_data(&e->type) && is_pure(e->b) && is_pure(e->c);
    size_t pass = pure ? code_pass_data(coder, dst, condition, e) : 0;
    size_t branch = code_emit(coder, OP_IF, 0, condition, 0, e->a);
    code_open_mask(coder);
    code_move(coder, dst, code_expression(coder, e->b), components, e);
    size_t other = code_emit(coder, OP_ELSE, 0, 0, 0, e);
    coder->program->code[branch].extra = (uint32_t)other;
    code_move(coder, dst, code_expression(coder, e->c), components, e);
    coder->program->code[other].extra = (uint32_t)code_emit(coder, OP_END, 0, 0, 0, e);
    code_close_mask(coder);
    if (pure)
        code_passed(coder, pass);
    return dst;
}
