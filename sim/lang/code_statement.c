/* code_statement.c - statements to instructions. */
#include "code.h"

static void code_list(struct coder *coder, const struct statement *s)
{
    unsigned registers = coder->next_register;
    for (; s && !coder->problem->set; s = s->next)
        code_statement(coder, s);
    coder->next_register = registers;
}

static void code_declare(struct coder *coder, const struct statement *s)
{
    unsigned components = code_slots(&s->symbol->type);
    unsigned first = code_variable(coder, components);
    s->symbol->index = first;
    struct expr where = {.source = s->source, .begin = s->begin, .end = s->end};
    for (unsigned i = 0; i < components && s->symbol->reads_itself; i++)
        code_emit(coder, OP_UNSET, first + i, 0, 0, &where);
    unsigned value = s->expr ? code_expression(coder, s->expr) : 0;
    bool done = s->expr && components == 1 && peephole_declare(coder, value, first);
    for (unsigned i = 0; i < components && !done; i++)
        code_emit(coder, s->expr ? OP_SET : OP_UNSET, first + i, value + i, 0, &where);
    coder->next_register = first + components;
}

/* `a && b && c` without an else: one frame, narrowed by each condition in turn. Lists the branches, whose
 * targets are not known yet, from the last back through their `extra`. */
static size_t code_chain(struct coder *coder, const struct expr *condition, enum opcode op, size_t before)
{
    if (condition->kind == EXPR_AND) {
        size_t first = code_chain(coder, condition->a, op, before);
        return code_chain(coder, condition->b, OP_NARROW, first);
    }
    size_t branch = peephole_branch(coder, op, code_expression(coder, condition), condition);
    coder->program->code[branch].extra = (uint32_t)before;
    return branch;
}

/* The last `if` of a chain that has no else. */
static void code_last_if(struct coder *coder, const struct statement *s)
{
    struct program *p = coder->program;
    size_t branch = code_chain(coder, s->expr, OP_IF, UINT32_MAX);
    code_open_mask(coder);
    code_statement(coder, s->body);
    size_t end = code_emit(coder, OP_END, 0, 0, 0, s->expr);
    while (branch != UINT32_MAX && !coder->problem->set) {
        size_t before = p->code[branch].extra;
        p->code[branch].extra = (uint32_t)end;
        branch = before;
    }
    code_close_mask(coder);
}

/* if, else if, ..., else: each stands in the else side of the one before, and all end together. Lists the
 * ELSEs, whose ENDs are not known yet, from the last back through their `extra`. */
static void code_if(struct coder *coder, const struct statement *s)
{
    struct program *p = coder->program;
    size_t others = UINT32_MAX;
    for (; s && s->kind == STATEMENT_IF && s->other; s = s->other) {
        unsigned registers = coder->next_register;
        size_t branch = peephole_branch(coder, OP_IF, code_expression(coder, s->expr), s->expr);
        code_open_mask(coder);
        code_statement(coder, s->body);
        coder->next_register = registers;
        size_t other = code_emit(coder, OP_ELSE, 0, 0, 0, s->expr);
        p->code[branch].extra = (uint32_t)other;
        p->code[other].extra = (uint32_t)others;
        others = other;
    }
    if (s && s->kind == STATEMENT_IF)
        code_last_if(coder, s);
    else if (s)
        code_statement(coder, s);
    while (others != UINT32_MAX && !coder->problem->set) {
        size_t before = p->code[others].extra;
        struct expr where = {.source = p->places[p->code[others].place].source,
                             .begin = p->places[p->code[others].place].begin,
                             .end = p->places[p->code[others].place].end};
        p->code[others].extra = (uint32_t)code_emit(coder, OP_END, 0, 0, 0, &where);
        code_close_mask(coder);
        others = before;
    }
}

static size_t code_test(struct coder *coder, const struct statement *s)
{
    unsigned a = code_expression(coder, s->expr);
    return peephole_branch(coder, OP_TEST, a, s->expr);
}

static void code_loop(struct coder *coder, const struct statement *s)
{
    struct program *p = coder->program;
    struct expr where = {.source = s->source, .begin = s->begin, .end = s->end};
    unsigned registers = coder->next_register;
    size_t test = SIZE_MAX;
    if (s->init) /* its variables outlive the block that the parser wrapped around them */
        for (const struct statement *i = s->init->kind == STATEMENT_BLOCK ? s->init->body : s->init; i;
             i = i->next)
            code_statement(coder, i);
    code_emit(coder, OP_LOOP, 0, 0, 0, &where);
    code_open_mask(coder);
    size_t again = p->code_count;
    unsigned temporaries = coder->next_register;
    if (s->expr && !s->test_last)
        test = code_test(coder, s);
    coder->next_register = temporaries;
    code_statement(coder, s->body);
    size_t step = peephole_step(coder, &where);
    if (s->step)
        code_expression(coder, s->step);
    if (s->expr && s->test_last)
        test = code_test(coder, s);
    coder->next_register = registers;
    size_t jump = code_emit(coder, OP_JUMP, 0, 0, 0, &where);
    p->code[jump].extra = (uint32_t)again;
    size_t end = code_emit(coder, OP_LOOP_END, 0, 0, 0, &where);
    p->code[step].extra = (uint32_t)end;
    if (test != SIZE_MAX)
        p->code[test].extra = (uint32_t)end;
    code_close_mask(coder);
}

/* The value goes to the call's result, and the lanes wait for the call's end: unless that comes next anyway.
 */
static void code_leave(struct coder *coder, const struct statement *s)
{
    struct expr where = {.source = s->source, .begin = s->begin, .end = s->end};
    unsigned value = s->expr ? code_expression(coder, s->expr) : 0;
    for (unsigned i = 0; s->expr && i < code_slots(&s->expr->type); i++)
        code_emit(coder, OP_MOVE, s->symbol->index + i, value + i, 0, s->expr);
    if (!s->is_last)
        code_emit(coder, OP_LEAVE, 0, 0, 0, &where);
}

/* Each label has a register with the lanes that enter there; those of `default` are the ones of no other. */
static void code_switch(struct coder *coder, const struct statement *s)
{
    struct expr where = {.source = s->source, .begin = s->begin, .end = s->end};
    unsigned value = code_expression(coder, s->expr), any = code_registers(coder, 1);
    unsigned no = code_constant(coder, 0, false, &where);
    code_emit(coder, OP_TO_BOOL, any, no, 0, &where);
    for (struct statement *label = s->labels; label; label = label->labels) {
        label->symbol = arena_take(coder->arena, sizeof *label->symbol);
        label->symbol->index = code_variable(coder, 1);
        if (!label->expr)
            continue;
        unsigned constant = code_constant(coder, label->expr->value, false, label->expr);
        size_t at = code_emit(coder, OP_EQ, label->symbol->index, value, constant, label->expr);
        coder->program->code[at].kind = NUMBER_I64;
        size_t branch = code_emit(coder, OP_IF, 0, label->symbol->index, 0, label->expr);
        code_open_mask(coder);
        unsigned yes = code_registers(coder, 1);
        code_emit(coder, OP_NOT, yes, any, 0, &where); /* no lane matches twice, so that this is: true */
        code_emit(coder, OP_MOVE, any, yes, 0, &where);
        coder->program->code[branch].extra = (uint32_t)code_emit(coder, OP_END, 0, 0, 0, &where);
        code_close_mask(coder);
    }
    for (struct statement *label = s->labels; label; label = label->labels)
        if (!label->expr)
            code_emit(coder, OP_NOT, label->symbol->index, any, 0, &where);
    code_emit(coder, OP_SWITCH, 0, 0, 0, &where);
    code_open_mask(coder);
    code_statement(coder, s->body);
    code_emit(coder, OP_SWITCH_END, 0, 0, 0, &where);
    code_close_mask(coder);
}

void code_statement(struct coder *coder, const struct statement *s)
{
    unsigned registers = coder->next_register;
    struct expr where = {.source = s->source, .begin = s->begin, .end = s->end};
    if (coder->problem->set)
        return;
    switch (s->kind) {
    case STATEMENT_DECLARE:
        code_declare(coder, s);
        return; /* its registers stay until the block ends */
    case STATEMENT_EXPR:
        code_expression(coder, s->expr);
        break;
    case STATEMENT_IF:
        code_if(coder, s);
        break;
    case STATEMENT_LOOP:
        code_loop(coder, s);
        break;
    case STATEMENT_BLOCK:
        if (s->is_declaration) {
            for (const struct statement *i = s->body; i; i = i->next)
                code_statement(coder, i);
            return;
        }
        code_list(coder, s->body);
        break;
    case STATEMENT_BREAK:
        code_emit(coder, OP_BREAK, 0, 0, 0, &where);
        break;
    case STATEMENT_CONTINUE:
        code_emit(coder, OP_CONTINUE, 0, 0, 0, &where);
        break;
    case STATEMENT_RETURN:
        code_emit(coder, OP_RETURN, 0, 0, 0, &where);
        break;
    case STATEMENT_LEAVE:
        code_leave(coder, s);
        break;
    case STATEMENT_SWITCH:
        code_switch(coder, s);
        break;
    case STATEMENT_LABEL:
        code_emit(coder, OP_CASE, 0, s->symbol->index, 0, &where);
        break;
    }
    coder->next_register = registers;
}
