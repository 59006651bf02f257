/* code_order.c - a value that was read first, while what comes after it changes the variable it was read
 * from. */
#include "code.h"

/* Registers of a value. */
struct span {
    unsigned first, count;
};

static bool statements_change(const struct coder *coder, const struct statement *s, const struct span *span);

static bool is_changed(const struct coder *coder, const struct expr *place, const struct span *span)
{
    while (place->kind == EXPR_COMPONENT || place->kind == EXPR_ELEMENT || place->kind == EXPR_PUN)
        place = place->a;
    if (place->kind != EXPR_VARIABLE)
        return false;
    unsigned first = place->symbol->index;
    if (place->symbol->kind == SYMBOL_PARAMETER)
        first += coder->program->first_parameter;
    return span->first < first + code_slots(&place->type) && first < span->first + span->count;
}

/* A variable of a function in place that has no registers yet may be taken for a changed one: one copy more.
 */
static bool expr_changes(const struct coder *coder, const struct expr *e, const struct span *span)
{
    if (!e)
        return false;
    if ((e->kind == EXPR_ASSIGN || e->kind == EXPR_UPDATE) && is_changed(coder, e->a, span))
        return true;
    for (unsigned i = 0; e->parts && i < e->part_count; i++)
        if (expr_changes(coder, e->parts[i], span))
            return true;
    return expr_changes(coder, e->a, span) || expr_changes(coder, e->b, span) ||
           expr_changes(coder, e->c, span) ||
           (e->kind == EXPR_CALL &&
            (statements_change(coder, e->bindings, span) || statements_change(coder, e->body, span)));
}

static bool statements_change(const struct coder *coder, const struct statement *s, const struct span *span)
{
    for (; s; s = s->next)
        if (statements_change(coder, s->init, span) || expr_changes(coder, s->expr, span) ||
            expr_changes(coder, s->step, span) || statements_change(coder, s->body, span) ||
            statements_change(coder, s->other, span))
            return true;
    return false;
}

unsigned code_kept(struct coder *coder, unsigned value, unsigned slots, const struct expr *later)
{
    const struct span span = {value, slots};
    if (value >= CODE_FIRST_CONSTANT || !expr_changes(coder, later, &span))
        return value;
    unsigned kept = code_registers(coder, slots);
    for (unsigned i = 0; i < slots; i++)
        code_emit(coder, OP_SET, kept + i, value + i, 0, later);
    return kept;
}
