/* peephole.c - pairs of instructions that become one. */
#include "code.h"

static struct instruction *last_instruction(const struct coder *coder)
{
    struct program *p = coder->program;
    return p->code_count ? &p->code[p->code_count - 1] : NULL;
}

static bool is_temporary(const struct coder *coder, unsigned r)
{
    return r < CODE_FIRST_CONSTANT && !coder->is_variable[r];
}

/* The last instruction if it did nothing but put `value`, a scalar, into a temporary; or NULL. */
static struct instruction *computed_last(const struct coder *coder, unsigned value)
{
    struct instruction *last = last_instruction(coder);
    if (!last || last->dst != value || !is_temporary(coder, value))
        return NULL;
    if (last->op == OP_LOAD)
        return coder->program->sites[last->extra].components == 1 ? last : NULL;
    return last->op >= OP_ADD && last->op <= OP_POINTER_DIFFERENCE && last->op != OP_ADD_TO ? last : NULL;
}

bool peephole_declare(struct coder *coder, unsigned value, unsigned variable)
{
    struct instruction *last = computed_last(coder, value);
    if (last)
        last->dst = (uint16_t)variable;
    return last != NULL;
}

bool peephole_add_to(struct coder *coder, unsigned value, unsigned variable)
{
    struct instruction *last = computed_last(coder, value);
    if (!last || last->op != OP_ADD)
        return false;
    last->op = OP_ADD_TO;
    last->dst = (uint16_t)variable;
    return true;
}

size_t peephole_branch(struct coder *coder, enum opcode op, unsigned condition, const struct expr *where)
{
    struct instruction *last = computed_last(coder, condition);
    if (!last || last->op < OP_LT || last->op > OP_NE)
        return code_emit(coder, op, 0, condition, 0, where);
    last->dst = last->op;
    last->op = op == OP_IF ? OP_IF_COMPARE : op == OP_TEST ? OP_TEST_COMPARE : OP_NARROW_COMPARE;
    return coder->program->code_count - 1;
}

size_t peephole_step(struct coder *coder, const struct expr *where)
{
    struct instruction *last = last_instruction(coder);
    if (!last || last->op != OP_END)
        return code_emit(coder, OP_STEP, 0, 0, 0, where);
    last->op = OP_END_STEP;
    return coder->program->code_count - 1;
}
