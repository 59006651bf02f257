/* scenario_missing.c - what neither options nor headnote nor the text's own launch say, asked for at once. */
#include <stdio.h>
#include <string.h>

#include "scenario_parts.h"

struct missing {
    struct scenario *s;
    struct problem *problem;
    char text[300];
};

static void add(struct missing *m, const char *format, const char *what, const char *why)
{
    size_t used = strlen(m->text);
    if (used + 2 < sizeof m->text && used) {
        memcpy(m->text + used, ", ", 3);
        used += 2;
    }
    (void)snprintf(m->text + used, sizeof m->text - used, format, what, why);
}

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Does the kernel's own text have that word? */
static bool has_word(const struct scenario *s, const char *word)
{
    size_t length = strlen(word), end = s->ptx ? 0 : s->program->end;
    for (size_t i = s->program->begin; i + length < end && i + length < s->text.size; i++)
        if (memcmp(s->text.bytes + i, word, length) == 0 && !is_word_byte(s->text.bytes[i + length]) &&
            (i == 0 || !is_word_byte(s->text.bytes[i - 1])))
            return true;
    return false;
}

/* A macro or constant of the text by one of these names that the kernel uses; 0: none. */
static int64_t constant(struct scenario *s, const char *const *names)
{
    for (; *names; names++) {
        struct problem ignored = {0};
        struct source formula = {*names, *names, strlen(*names)};
        int64_t value;
        if (has_word(s, *names) && scenario_evaluate(s, &formula, &value, &ignored) && value >= 1 &&
            value <= 1024)
            return value;
    }
    return 0;
}

/* __launch_bounds__(N) of the kernel's head; 0: none. */
static int64_t launch_bounds(struct scenario *s)
{
    static const char word[] = "__launch_bounds__";
    const struct program *program = s->program;
    for (size_t i = program->begin; i + sizeof word < program->end && i + sizeof word < s->text.size; i++) {
        if (s->text.bytes[i] == '{')
            return 0;
        if (memcmp(s->text.bytes + i, word, sizeof word - 1) == 0) {
            size_t at = i + sizeof word - 1;
            while (at < program->end && (s->text.bytes[at] == ' ' || s->text.bytes[at] == '('))
                at++;
            size_t end = at;
            while (end < program->end && !strchr("),", s->text.bytes[end]))
                end++;
            struct problem ignored = {0};
            struct source formula = {word, s->text.bytes + at, end - at};
            int64_t value;
            if (scenario_evaluate(s, &formula, &value, &ignored) && value >= 1 && value <= 1024)
                return value;
        }
    }
    return 0;
}

bool scenario_guess_block(struct scenario *s, uint32_t size[2])
{
    static const char *const tiles[] = {"TILE_DIM",  "TILE",       "TILE_SIZE",   "TILE_WIDTH",
                                        "BLOCK_DIM", "BLOCK_SIZE", "BLOCK_DIM_X", "BDIMX",
                                        "BLOCKSIZE", "BLOCK",      NULL};
    static const char *const rows[] = {"BLOCK_ROWS", "BLOCK_DIM_Y", "BDIMY", "TILE_ROWS", NULL};
    int64_t tile = constant(s, tiles), row = constant(s, rows), bound = launch_bounds(s);
    size[0] = 32;
    size[1] = 8;
    if (tile) {
        size[0] = (uint32_t)tile;
        size[1] = (uint32_t)(row ? row : tile * tile <= 1024 ? tile : 1);
    } else if (bound) {
        size[0] = bound < 32 ? (uint32_t)bound : 32;
        size[1] = (uint32_t)bound / size[0];
    }
    if (size[0] * size[1] > 1024)
        size[1] = 1024 / size[0] ? 1024 / size[0] : 1;
    return tile || bound;
}

bool scenario_has_block(const struct scenario *s)
{
    uint32_t block[3];
    bool is_largest;
    return s->options.block.count || s->note.block.size || s->from->block ||
           (s->ptx && ptx_block(s->ptx, block, &is_largest));
}

bool scenario_has_grid(const struct scenario *s)
{
    return s->options.grid.count || s->note.grid.size || s->from->grid;
}

/* " (BLOCK_SIZE, of the launch in line 104, is not known)". */
static const char *why_unknown(const struct scenario *s, const struct token *lacks, char why[120])
{
    const struct scenario_launch *from = s->from;
    why[0] = '\0';
    if (from->found && lacks && lacks->kind == TOKEN_NAME)
        (void)snprintf(why, 120, " (%.*s, of the launch in line %d, is not known)",
                       (int)(lacks->length < 40 ? lacks->length : 40), lacks->text, from->launch.line);
    else if (from->found)
        (void)snprintf(why, 120, " (the launch in line %d does not tell)", from->launch.line);
    return why;
}

static void want_shapes(struct missing *m)
{
    struct scenario *s = m->s;
    uint32_t size[2];
    if (scenario_has_block(s) && scenario_has_grid(s))
        return;
    (void)scenario_guess_block(s, size);
    if (s->options.block.count)
        memcpy(size, s->options.block.size, sizeof size);
    else if (s->from->block)
        memcpy(size, s->from->block_size, sizeof size);
    char why[120];
    if (!scenario_has_block(s)) {
        add(m, "its %s%s", "block", why_unknown(s, s->from->block_lacks, why));
        problem_want(m->problem, PROBLEM_CURE_BLOCK, "%ux%u", size[0], size[1]);
    }
    if (!scenario_has_grid(s)) {
        uint32_t step = size[1] > 1 && size[1] < size[0] && !s->options.block.count ? size[0] : size[1];
        add(m, "its %s%s", "grid", why_unknown(s, s->from->grid_lacks, why));
        problem_want(m->problem, PROBLEM_CURE_GRID, "%ux%u", (s->cols + size[0] - 1) / size[0],
                     step > 1 ? (s->rows + step - 1) / step : s->rows);
    }
}

bool scenario_has_value(struct scenario *s, unsigned index)
{
    const struct parameter *p = &s->program->parameters[index];
    const struct scenario_launch *from = s->from;
    struct problem ignored = {0};
    int64_t value;
    bool given = false;
    if (!scenario_given_argument(s, index, &value, &given, &ignored) || given)
        return true; /* a formula that fails is complained of where it is used */
    return p->type.kind == TYPE_POINTER || p->type.kind == TYPE_FLOAT || p->has_default ||
           from->values[index].kind == HOST_INTEGER || (int)index == from->rows_of ||
           (int)index == from->cols_of || (int)index == from->total_of || strcmp(p->name, "rows") == 0 ||
           strcmp(p->name, "cols") == 0;
}

static void want_arguments(struct missing *m)
{
    struct scenario *s = m->s;
    const struct host_launch *launch = &s->from->launch;
    for (unsigned i = 0; i < s->program->parameter_count; i++) {
        const char *name = s->program->parameters[i].name;
        char why[100] = "";
        if (scenario_has_value(s, i))
            continue;
        if (s->from->found && i < launch->argument_count && launch->arguments[i].begin->kind == TOKEN_NAME)
            (void)snprintf(
                why, sizeof why, " (%.*s in line %d, not known)",
                (int)(launch->arguments[i].begin->length < 40 ? launch->arguments[i].begin->length : 40),
                launch->arguments[i].begin->text, launch->line);
        bool is_row = strchr("hHrRmM", name[0]) || strstr(name, "ny");
        add(m, "a value of its parameter %s%s", name, why);
        problem_want(m->problem, PROBLEM_CURE_ARGUMENT, "%.70s=%s", name, is_row ? "rows" : "cols");
    }
}

bool scenario_has_shared(const struct scenario *s)
{
    return !s->program->has_dynamic_shared || s->options.dynamic_shared || s->note.shared.size ||
           (s->from->shared.kind == HOST_INTEGER && s->from->shared.n[0] > 0);
}

bool scenario_check_missing(struct scenario *s, struct problem *problem)
{
    struct missing m = {.s = s, .problem = problem};
    want_shapes(&m);
    want_arguments(&m);
    if (!scenario_has_shared(s)) {
        uint32_t size[2];
        (void)scenario_guess_block(s, size);
        add(&m, "the bytes of its %s memory%s", "extern __shared__", "");
        problem_want(problem, PROBLEM_CURE_SHARED_BYTES, "%u", size[0] * (size[0] + 1) * 4);
    }
    if (!*m.text)
        return true;
    return problem_say(problem,
                       "%s lacks %s: options, comment lines at the file's top or a launch in it would say",
                       s->program->name, m.text);
}
