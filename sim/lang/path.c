#include "path.h"

#include "parse.h"

struct search {
    const struct place *place;
    struct path *path;
};

static bool in_expr(struct search *search, const struct expr *e);
static bool in_statements(struct search *search, const struct statement *s);

static unsigned push(struct path *path, const struct expr *e, bool wanted, bool is_loop)
{
    unsigned before = path->count;
    if (!e)
        return before;
    if (path->count == PATH_LIMIT) {
        for (unsigned i = 1; i < PATH_LIMIT; i++)
            path->conditions[i - 1] = path->conditions[i];
        path->count--;
        path->cut = true;
    }
    path->conditions[path->count++] = (struct condition){e, wanted, is_loop};
    return before;
}

/* What is behind a condition that holds, or does not. */
static bool behind(struct search *search, const struct expr *condition, bool wanted, const struct expr *e)
{
    unsigned before = push(search->path, condition, wanted, false);
    if (in_expr(search, e))
        return true;
    search->path->count = before;
    return false;
}

static bool is_it(const struct search *search, const struct expr *e)
{
    return e->kind == EXPR_MEMORY && e->source && e->source->bytes == search->place->source->bytes &&
           e->begin == search->place->begin && e->end == search->place->end;
}

static bool in_expr(struct search *search, const struct expr *e)
{
    if (!e)
        return false;
    if (is_it(search, e)) {
        search->path->memory = e;
        return true;
    }
    if (in_expr(search, e->a))
        return true;
    if (e->kind == EXPR_AND || e->kind == EXPR_OR)
        return behind(search, e->a, e->kind == EXPR_AND, e->b);
    if (e->kind == EXPR_CONDITION)
        return behind(search, e->a, true, e->b) || behind(search, e->a, false, e->c);
    if (in_expr(search, e->b) || in_expr(search, e->c))
        return true;
    for (unsigned i = 0; e->parts && i < e->part_count; i++)
        if (in_expr(search, e->parts[i]))
            return true;
    return e->kind == EXPR_CALL && (in_statements(search, e->bindings) || in_statements(search, e->body));
}

static bool in_statement(struct search *search, const struct statement *s)
{
    struct path *path = search->path;
    unsigned before = path->count;
    if (s->kind == STATEMENT_LOOP && in_statements(search, s->init))
        return true;
    if (in_expr(search, s->expr))
        return true;
    if (s->kind == STATEMENT_IF || s->kind == STATEMENT_LOOP) {
        bool is_loop = s->kind == STATEMENT_LOOP;
        if (!s->test_last)
            (void)push(path, s->expr, true, is_loop);
        if (in_statements(search, s->body) || in_expr(search, s->step))
            return true;
        path->count = before;
        if (!is_loop)
            (void)push(path, s->expr, false, false);
        if (in_statements(search, s->other))
            return true;
        path->count = before;
        return false;
    }
    return in_statements(search, s->body);
}

/* Does no lane come out behind it? */
static bool leaves(const struct statement *s)
{
    for (; s; s = s->next) {
        if (s->kind == STATEMENT_RETURN || s->kind == STATEMENT_LEAVE || s->kind == STATEMENT_BREAK ||
            s->kind == STATEMENT_CONTINUE)
            return true;
        if (s->kind == STATEMENT_BLOCK && leaves(s->body))
            return true;
    }
    return false;
}

static bool in_statements(struct search *search, const struct statement *s)
{
    unsigned before = search->path->count;
    for (; s; s = s->next) {
        if (in_statement(search, s))
            return true;
        if (s->kind == STATEMENT_IF && !s->other && leaves(s->body))
            (void)push(search->path, s->expr, false, false);
    }
    search->path->count = before;
    return false;
}

bool path_to(const struct kernel_tree *tree, const struct place *place, struct path *path)
{
    struct search search = {place, path};
    *path = (struct path){.count = 0};
    return tree && in_statements(&search, tree->body);
}

struct uses {
    const struct symbol *symbol;
    const struct expr *initial;
    unsigned assignments;
};

static void count_statements(struct uses *uses, const struct statement *s);

static void count_expr(struct uses *uses, const struct expr *e)
{
    if (!e)
        return;
    const struct expr *target = e->a;
    while (target && (target->kind == EXPR_COMPONENT || target->kind == EXPR_ELEMENT))
        target = target->a;
    bool changes = e->kind == EXPR_ASSIGN || e->kind == EXPR_UPDATE || e->kind == EXPR_ADDRESS;
    if (changes && target && target->kind == EXPR_VARIABLE && target->symbol == uses->symbol)
        uses->assignments++;
    count_expr(uses, e->a);
    count_expr(uses, e->b);
    count_expr(uses, e->c);
    for (unsigned i = 0; e->parts && i < e->part_count; i++)
        count_expr(uses, e->parts[i]);
    if (e->kind == EXPR_CALL) {
        count_statements(uses, e->bindings);
        count_statements(uses, e->body);
    }
}

static void count_statements(struct uses *uses, const struct statement *s)
{
    for (; s; s = s->next) {
        if (s->kind == STATEMENT_DECLARE && s->symbol == uses->symbol) {
            uses->initial = s->expr;
            uses->assignments++;
        }
        count_statements(uses, s->init);
        count_expr(uses, s->expr);
        count_expr(uses, s->step);
        count_statements(uses, s->body);
        count_statements(uses, s->other);
    }
}

const struct expr *path_definition(const struct kernel_tree *tree, const struct symbol *symbol)
{
    struct uses uses = {.symbol = symbol};
    if (symbol->kind != SYMBOL_VARIABLE)
        return NULL;
    count_statements(&uses, tree->body);
    return uses.assignments == 1 ? uses.initial : NULL;
}

/* The register that a leaf stands for; false: it is none. */
static bool register_of(const struct program *program, const struct expr *e, unsigned *index)
{
    unsigned first = 0;
    if (e->kind == EXPR_BUILTIN) {
        *index = program->first_builtin + (unsigned)e->value;
        return true;
    }
    if (e->kind == EXPR_COMPONENT && e->a && e->a->kind == EXPR_VARIABLE) {
        first = (unsigned)e->value;
        e = e->a;
    }
    if (e->kind != EXPR_VARIABLE || !e->symbol)
        return false;
    if (e->symbol->kind == SYMBOL_PARAMETER)
        first += program->first_parameter;
    else if (e->symbol->kind != SYMBOL_VARIABLE)
        return false;
    *index = first + e->symbol->index;
    return *index < program->register_count;
}

bool path_value(const struct program *program, const struct expr *e, const struct registers *registers,
                int64_t *value)
{
    int64_t a = 0, b = 0;
    unsigned index;
    if (!type_is_index(&e->type))
        return false;
    if (e->kind == EXPR_INTEGER) {
        *value = e->value;
        return true;
    }
    if (register_of(program, e, &index))
        return registers->number(registers->self, index, value);
    if (!e->a || !path_value(program, e->a, registers, &a))
        return false;
    if (e->kind == EXPR_AND || e->kind == EXPR_OR) {
        *value = a != 0;
        if ((a != 0) == (e->kind == EXPR_OR))
            return true;
        if (!path_value(program, e->b, registers, &b))
            return false;
        *value = b != 0;
        return true;
    }
    if (e->kind == EXPR_CONDITION)
        return path_value(program, a ? e->b : e->c, registers, value);
    return (!e->b || path_value(program, e->b, registers, &b)) && constant_operation(e, a, b, value);
}
