/* scenario_launch.c - what the text's own launch says: block, grid, shared bytes, arguments, and so the sizes
 * of the matrix. Options and the headnote come first; sizes that the options give go to the host's variables,
 * and what the host computes from these is computed anew.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "scenario_parts.h"

static bool same_text(struct host_span a, const char *text)
{
    for (const struct token *t = a.begin; t < a.end; t++)
        for (uint32_t i = 0; i < t->length; i++) {
            while (*text == ' ')
                text++;
            if (*text++ != t->text[i])
                return false;
        }
    while (*text == ' ')
        text++;
    return !*text;
}

static bool shape_of(struct host_value v, uint32_t size[3], bool *assumed)
{
    if (v.kind == HOST_REAL && v.real >= 1 && v.real < 4e9)
        v = host_integer((int64_t)v.real);
    if (v.kind != HOST_INTEGER && v.kind != HOST_SHAPE)
        return false;
    for (unsigned i = 0; i < 3; i++) {
        int64_t n = i && v.kind == HOST_INTEGER ? 1 : v.n[i];
        if (n < 1 || n > UINT32_MAX)
            return false;
        size[i] = (uint32_t)n;
    }
    *assumed = *assumed || v.assumed;
    return true;
}

/* The first launch whose block and grid are known, else the first; of those with the chosen template
 * arguments if there are such. */
static bool choose_launch(struct scenario *s, const char *kernel)
{
    struct host *host = s->from->host;
    unsigned count, best = 0, chosen = 0;
    const struct host_launch *list = host_launches(host, kernel, &count);
    const char *arguments = s->options.template_arguments;
    for (unsigned i = 0; i < count; i++) {
        uint32_t size[3];
        bool ignored = false;
        const struct host_span *own = &list[i].template_arguments;
        bool same =
            (arguments && own->begin && same_text(*own, arguments)) || list[i].line == s->template_line;
        unsigned rank = 1 + (same ? 4 : 0);
        rank += shape_of(host_evaluate(host, list[i].place, list[i].block), size, &ignored) &&
                shape_of(host_evaluate(host, list[i].place, list[i].grid), size, &ignored);
        if (rank > best) {
            best = rank;
            chosen = i;
        }
    }
    if (count)
        s->from->launch = host_launch_for(&list[chosen], s->program);
    return count > 0;
}

void scenario_evaluate_launch(struct scenario *s)
{
    struct scenario_launch *from = s->from;
    const struct host_launch *launch = &from->launch;
    from->assumed = false;
    struct host_value block = host_evaluate(from->host, launch->place, launch->block);
    struct host_value grid = host_evaluate(from->host, launch->place, launch->grid);
    from->block = shape_of(block, from->block_size, &from->assumed);
    from->grid = shape_of(grid, from->grid_size, &from->assumed);
    from->block_lacks = block.unknown;
    from->grid_lacks = grid.unknown;
    if (launch->shared.begin)
        from->shared = host_evaluate(from->host, launch->place, launch->shared);
    for (unsigned i = 0; i < s->program->parameter_count && i < launch->argument_count; i++) {
        struct host_span span = launch->arguments[i];
        if (s->program->parameters[i].type.kind == TYPE_POINTER) {
            from->values[i] = host_pointer_shift(from->host, launch->place, span);
            from->bytes[i] = host_buffer_bytes(from->host, launch->place, span);
        } else {
            from->values[i] = host_evaluate(from->host, launch->place, span);
            from->assumed = from->assumed || from->values[i].assumed;
        }
        if (s->program->parameters[i].part)
            from->values[i] = host_part(&from->values[i], s->program->parameters[i].part);
        if (s->program->parameters[i].type.kind == TYPE_INTEGER)
            from->values[i] = host_truncated(from->values[i], span.begin);
    }
}

/* The values that are known before rows and cols are: those of the launch, of options that are plain numbers.
 */
static void known_values(struct scenario *s, bool known[64], int64_t values[64])
{
    for (unsigned i = 0; i < s->program->parameter_count; i++) {
        struct problem ignored = {0};
        bool given = false;
        known[i] = s->program->parameters[i].type.kind != TYPE_POINTER &&
                   scenario_given_argument(s, i, &values[i], &given, &ignored) && given;
        if (!known[i] && s->from->values[i].kind == HOST_INTEGER) {
            known[i] = true;
            values[i] = s->from->values[i].n[0];
        } else if (!known[i] && s->program->parameters[i].has_default) {
            known[i] = true;
            values[i] = s->program->parameters[i].default_value;
        }
    }
}

/* Has the kernel one size only, for rows and columns? Where it has more, one that it uses for both is a
 * mistake to be shown, not a square. */
static bool is_square(const struct scenario *s)
{
    unsigned sizes = 0;
    for (unsigned i = 0; i < s->program->parameter_count; i++)
        sizes += s->program->parameters[i].type.kind == TYPE_INTEGER;
    return !s->is_copy && sizes == 1 && s->from->rows_of >= 0 && s->from->rows_of == s->from->cols_of;
}

/* Is the parameter called so, and nothing but its name to go by? */
static bool is_called(const struct scenario *s, int parameter, const char *name)
{
    return parameter >= 0 && !s->from->found && strcmp(s->program->parameters[parameter].name, name) == 0;
}

/* A parameter that options or the headnote set is none of ours. One called rows or cols is that, without a
 * launch that says otherwise, and one that a kernel of several sizes uses for both is the columns: that it is
 * used for the rows too is then seen as the mistake that it is. */
static void drop_given_roles(struct scenario *s)
{
    int *roles[] = {&s->from->rows_of, &s->from->cols_of, &s->from->total_of};
    for (unsigned i = 0; i < 3; i++) {
        struct problem ignored = {0};
        bool given = false;
        int64_t value;
        if (*roles[i] >= 0)
            (void)scenario_given_argument(s, (unsigned)*roles[i], &value, &given, &ignored);
        if (given)
            *roles[i] = -1;
    }
    if (s->from->rows_of == s->from->cols_of && !is_square(s))
        s->from->rows_of = -1;
    if (is_called(s, s->from->rows_of, "cols"))
        s->from->rows_of = -1;
    if (is_called(s, s->from->cols_of, "rows"))
        s->from->cols_of = -1;
}

void scenario_override_argument(struct scenario *s, int parameter, int64_t value)
{
    const struct token *chain[HOST_CHAIN_LIMIT];
    struct scenario_launch *from = s->from;
    if (parameter < 0 || !from->found || (unsigned)parameter >= from->launch.argument_count ||
        s->program->parameters[parameter].part)
        return;
    unsigned count = host_chain(from->host, from->launch.place, from->launch.arguments[parameter], chain);
    for (unsigned i = 0; i < count; i++)
        host_override(from->host, chain[i], value);
}

static bool fits(int64_t value)
{
    return value >= 1 && value <= INT32_MAX;
}

/* The value of a role's parameter, where the launch says it. */
static int64_t role_value(const struct scenario *s, int parameter)
{
    const struct host_value *v = parameter >= 0 ? &s->from->values[parameter] : NULL;
    return v && v->kind == HOST_INTEGER && fits(v->n[0]) ? v->n[0] : 0;
}

/* Rows and columns that are in the kernel's own constants or follow from the grid: measured with the launch's
 * values. */
static void measure(struct scenario *s, const bool known[64], const int64_t values[64], int64_t *rows,
                    int64_t *cols)
{
    struct scenario_launch *from = s->from;
    bool all = from->block && from->grid;
    for (unsigned i = 0; i < s->program->parameter_count; i++) {
        const struct parameter *parameter = &s->program->parameters[i];
        s->launch.arguments[i].value = known[i] ? values[i] : 0;
        all = all && (known[i] || parameter->type.kind != TYPE_INTEGER);
    }
    if (!all)
        return;
    memcpy(s->launch.block, from->block_size, sizeof s->launch.block);
    memcpy(s->launch.grid, from->grid_size, sizeof s->launch.grid);
    if (from->shared.kind == HOST_INTEGER && from->shared.n[0] > 0)
        s->launch.dynamic_shared_bytes = (uint64_t)from->shared.n[0];
    if (!*cols)
        *cols = scenario_measure_row(s, s->in);
    if (!*rows && !s->is_copy)
        *rows = scenario_measure_row(s, s->out);
}

/* Cells that the host allocates for a matrix; 0: not known. */
static int64_t allocated_cells(const struct scenario *s, int parameter)
{
    if (parameter < 0 || s->from->bytes[parameter].kind != HOST_INTEGER)
        return 0;
    int64_t size = s->from->elem_bytes ? (int64_t)s->from->elem_bytes
                   : s->elem_bytes     ? (int64_t)s->elem_bytes
                                       : (int64_t)type_size(s->program->parameters[parameter].type.to);
    return s->from->bytes[parameter].n[0] / size;
}

/* The sizes that the launch says, 0 where it does not. */
static void launch_sizes(struct scenario *s, const bool known[64], const int64_t values[64], int64_t *rows,
                         int64_t *cols)
{
    struct scenario_launch *from = s->from;
    *cols = role_value(s, from->cols_of);
    *rows = from->rows_of != from->cols_of || !s->is_copy ? role_value(s, from->rows_of) : 0;
    if (from->total_of >= 0) {
        *cols = role_value(s, from->total_of);
        *rows = *cols ? 1 : 0;
        return;
    }
    if (!*rows || !*cols)
        measure(s, known, values, rows, cols);
    int64_t cells = allocated_cells(s, s->out);
    cells = cells ? cells : allocated_cells(s, s->in);
    if (!*cols && *rows && cells % *rows == 0)
        *cols = cells / *rows;
    else if (!*rows && *cols && cells % *cols == 0)
        *rows = cells / *cols;
    else if (*rows && *cols && cells && *rows == *cols && cells != *rows * *cols && cells % *cols == 0)
        *rows = cells / *cols; /* one row's length for both: not square after all */
    else if (!*rows && !*cols && fits(cells)) {
        *rows = 1;
        *cols = cells;
    }
    if (!*rows && *cols && from->rows_of < 0)
        *rows = *cols;
    if (!fits(*rows) || !fits(*cols))
        *rows = *cols = 0;
}

/* "rows = ny = 64". */
static void note_size(struct scenario *s, const char *what, int parameter, uint32_t value)
{
    const struct scenario_launch *from = s->from;
    const char *name = parameter >= 0 ? s->program->parameters[parameter].name : NULL;
    struct host_span span = {NULL, NULL};
    if (name && from->found && (unsigned)parameter < from->launch.argument_count)
        span = from->launch.arguments[parameter];
    bool plain =
        span.end - span.begin == 1 && span.begin->kind == TOKEN_NAME &&
        (span.begin->length != strlen(name) || memcmp(span.begin->text, name, span.begin->length) != 0);
    const char *first = name && strcmp(name, what) == 0 ? NULL : name;
    name = first;
    if (plain && !name)
        scenario_note(s, "%s = %.*s = %u", what, (int)(span.begin->length < 40 ? span.begin->length : 40),
                      span.begin->text, value);
    else if (plain)
        scenario_note(s, "%s = %s = %.*s = %u", what, name,
                      (int)(span.begin->length < 40 ? span.begin->length : 40), span.begin->text, value);
    else if (name)
        scenario_note(s, "%s = %s = %u", what, name, value);
    else
        scenario_note(s, "%s = %u", what, value);
}

static void note_launch(struct scenario *s, bool block, bool grid)
{
    const struct scenario_launch *from = s->from;
    const uint32_t *b = from->block_size, *g = from->grid_size;
    char text[2][64] = {"", ""};
    (void)snprintf(text[0], sizeof text[0], b[2] > 1 ? "block %u x %u x %u" : "block %u x %u", b[0], b[1],
                   b[2]);
    (void)snprintf(text[1], sizeof text[1], g[2] > 1 ? "grid %u x %u x %u" : "grid %u x %u", g[0], g[1],
                   g[2]);
    if (block || grid)
        scenario_note(s, "%s%s%s from the launch in line %d%s", block ? text[0] : "",
                      block && grid ? ", " : "", grid ? text[1] : "", from->launch.line,
                      from->assumed ? " (with the values that the text has where its user may choose)" : "");
}

static bool square_check(const struct scenario *s, struct problem *problem)
{
    const struct scenario_options *o = &s->options;
    if (!is_square(s) || !o->rows || !o->cols || o->rows == o->cols)
        return true;
    return problem_say(
        problem,
        "%s is both the rows and the columns of what this kernel takes, a square matrix, so it "
        "cannot be %u x %u",
        s->program->parameters[s->from->rows_of].name, o->rows, o->cols);
}

/* rows and cols: of the options, of the launch, or the usual ones. */
static void settle_sizes(struct scenario *s, int64_t rows, int64_t cols)
{
    const struct scenario_options *o = &s->options;
    bool square = is_square(s);
    if (square && !o->rows != !o->cols)
        rows = cols = o->rows ? o->rows : o->cols;
    s->rows = o->rows ? o->rows : rows ? (uint32_t)rows : SCENARIO_ROWS;
    s->cols = o->cols ? o->cols : cols ? (uint32_t)cols : SCENARIO_COLS;
    if (square && !o->rows && !o->cols && !rows)
        s->rows = s->cols;
}

/* Is there a parameter that only its use can give a value? */
static bool lacks_value(const struct scenario *s, const bool known[64])
{
    for (unsigned i = 0; i < s->program->parameter_count; i++) {
        const struct parameter *p = &s->program->parameters[i];
        if (p->type.kind == TYPE_INTEGER && !known[i] && strcmp(p->name, "rows") != 0 &&
            strcmp(p->name, "cols") != 0)
            return true;
    }
    return false;
}

/* Is there anything to say of a parameter that holds rows or columns: more than that it is called so? */
static bool is_news(const struct scenario *s, int parameter, const char *what)
{
    return parameter >= 0 && strcmp(s->program->parameters[parameter].name, what) != 0;
}

bool scenario_read_launch(struct scenario *s, struct problem *problem)
{
    bool known[64] = {false};
    int64_t values[64] = {0}, rows = 0, cols = 0;
    struct scenario_launch *from = s->from = arena_take(&s->arena, sizeof *s->from);
    from->rows_of = from->cols_of = from->total_of = -1;
    from->host = unit_host(s->unit);
    from->found = choose_launch(s, s->program->name);
    if (from->found)
        scenario_evaluate_launch(s);
    uint32_t given_rows = s->options.rows, given_cols = s->options.cols;
    s->rows = given_rows ? given_rows : SCENARIO_ROWS; /* for formulas of arguments */
    s->cols = given_cols ? given_cols : SCENARIO_COLS;
    bool headnote = s->note.block.size && s->note.grid.size;
    known_values(s, known, values);
    if (!headnote || from->found || lacks_value(s, known))
        scenario_find_roles(s, known, values);
    drop_given_roles(s);
    if (!square_check(s, problem))
        return false;
    if (from->found)
        launch_sizes(s, known, values, &rows, &cols);
    settle_sizes(s, rows, cols);
    if (from->found) { /* also the usual sizes, where the text says none */
        if (from->total_of >= 0)
            scenario_override_argument(s, from->total_of, (int64_t)s->rows * s->cols);
        scenario_override_argument(s, from->rows_of, s->rows);
        scenario_override_argument(s, from->cols_of, s->cols);
        scenario_evaluate_launch(s);
    }
    bool block = from->block && !s->options.block.count && !s->note.block.size;
    bool grid = from->grid && !s->options.grid.count && !s->note.grid.size;
    if (from->found)
        note_launch(s, block, grid);
    if (from->total_of >= 0) {
        note_size(s, "rows * cols", from->total_of, s->rows * s->cols);
    } else if (from->found || is_news(s, from->rows_of, "rows") || is_news(s, from->cols_of, "cols")) {
        note_size(s, "rows", from->rows_of, s->rows);
        note_size(s, "cols", from->cols_of, s->cols);
    }
    if (from->found && ((!rows && !given_rows) || (!cols && !given_cols)))
        scenario_note(s, "the file does not say %s, so the usual is taken",
                      rows || given_rows   ? "how many columns"
                      : cols || given_cols ? "how many rows"
                                           : "which size");
    return true;
}
