#include "scenario.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rung.h"

const char *scenario_elem_type(unsigned elem_bytes)
{
    switch (elem_bytes) {
    case 1:
        return "unsigned char";
    case 2:
        return "unsigned short";
    case 4:
        return "float";
    case 8:
        return "double";
    case 16:
        return "float4";
    default:
        return NULL;
    }
}

static struct source text_of(struct scenario *s, const char *name, const char *text)
{
    size_t size = strlen(text);
    return (struct source){name, arena_copy(&s->arena, text, size), size};
}

static struct source number_definition(struct scenario *s, const char *name, uint64_t value)
{
    char text[64];
    (void)snprintf(text, sizeof text, "%s=%" PRIu64, name, value);
    return text_of(s, "option", text);
}

static bool open_unit(struct scenario *s, struct problem *problem)
{
    const struct scenario_options *o = &s->options;
    struct source *list = arena_take(&s->arena, (SCENARIO_TEXT_LIMIT + 4) * sizeof *list);
    size_t count = 0;
    if (o->tile)
        list[count++] = number_definition(s, "TILE", o->tile);
    if (o->block_rows)
        list[count++] = number_definition(s, "BLOCK_ROWS", o->block_rows);
    if (o->pitch)
        list[count++] = number_definition(s, "PITCH", o->pitch);
    if (o->elem_type || o->elem_bytes) {
        char text[80];
        (void)snprintf(text, sizeof text, "ELEM=%s",
                       o->elem_type ? o->elem_type : scenario_elem_type(o->elem_bytes));
        list[count++] = text_of(s, "option", text);
    }
    for (unsigned i = 0; i < o->definition_count; i++)
        list[count++] = text_of(s, "-D", o->definitions[i]);
    s->unit = unit_open(&s->text, list, count, problem);
    return s->unit != NULL;
}

static bool evaluate(struct scenario *s, const struct source *formula, int64_t *value,
                     struct problem *problem)
{
    const struct binding bindings[] = {{"rows", s->rows}, {"cols", s->cols}};
    const struct source *text = &s->text;
    if (unit_evaluate(s->unit, formula, bindings, 2, value, problem))
        return true;
    if (problem->column && formula->bytes >= text->bytes && formula->bytes < text->bytes + text->size) {
        struct problem inner = *problem; /* placed in the formula; the reader looks for it in the text */
        *problem = (struct problem){0};
        return problem_at(problem, text, (size_t)(formula->bytes - text->bytes) + (size_t)inner.column - 1,
                          "%s", inner.message);
    }
    return false;
}

/* A macro's value, or 0 if the text has none of that name or it is no positive number. */
static uint64_t macro_value(struct scenario *s, const char *name)
{
    struct problem ignored = {0};
    struct source formula = {name, name, strlen(name)};
    int64_t value;
    if (!unit_defines(s->unit, name) || !evaluate(s, &formula, &value, &ignored) || value < 0)
        return 0;
    return (uint64_t)value;
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Does the text have this name as a word? */
static bool mentions(const struct source *text, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i + length <= text->size; i++) {
        bool begins = i == 0 || !is_name_byte(text->bytes[i - 1]);
        bool ends = i + length == text->size || !is_name_byte(text->bytes[i + length]);
        if (begins && ends && memcmp(text->bytes + i, name, length) == 0)
            return true;
    }
    return false;
}

static bool is_used(const struct scenario *s, const char *name)
{
    bool used = unit_uses(s->unit, name) || mentions(&s->note.block, name) || mentions(&s->note.grid, name) ||
                mentions(&s->note.shared, name);
    for (unsigned i = 0; i < s->note.argument_count; i++)
        used = used || mentions(&s->note.arguments[i], name);
    return used;
}

static bool is_rung(const struct scenario *s)
{
    for (size_t i = 0; i < rung_count; i++)
        if (rungs[i].source.bytes == s->text.bytes)
            return true;
    return false;
}

/* The macro's value, 0 if the text does not use it. A file that is given a value must use it; a rung need
 * not, since the whole ladder is run with one set of options. */
static bool take_macro(struct scenario *s, const char *name, const char *option, uint32_t given,
                       uint64_t *value, struct problem *problem)
{
    bool used = is_used(s, name);
    *value = used ? macro_value(s, name) : 0;
    if (!given || is_rung(s) || *value == given)
        return true;
    if (!used)
        return problem_say(problem, "%s does not use %s, so --%s would change nothing", s->text.name, name,
                           option);
    return problem_say(problem,
                       "%s defines %s itself, so --%s would change nothing; put #ifndef %s around it",
                       s->text.name, name, option, name);
}

/* "NAME=..." or "NAME" of that name? */
static bool is_definition_of(const char *definition, const char *name)
{
    size_t length = strlen(name);
    return strncmp(definition, name, length) == 0 && !is_name_byte(definition[length]);
}

/* An option and a -D of its macro must say the same: neither silently overrides the other. */
static bool check_definitions(struct scenario *s, struct problem *problem)
{
    const struct scenario_options *o = &s->options;
    const struct {
        const char *macro, *formula, *option;
        uint64_t given;
    } both[] = {{"TILE", "TILE", "tile", o->tile},
                {"BLOCK_ROWS", "BLOCK_ROWS", "block-rows", o->block_rows},
                {"PITCH", "PITCH", "pitch", o->pitch},
                {"ELEM", "sizeof(ELEM)", "elem", o->elem_bytes}};
    for (unsigned i = 0; i < o->definition_count; i++)
        for (unsigned k = 0; k < sizeof both / sizeof *both; k++) {
            if (!both[k].given || !is_definition_of(o->definitions[i], both[k].macro))
                continue;
            struct problem ignored = {0};
            struct source formula = {"-D", both[k].formula, strlen(both[k].formula)};
            int64_t value;
            bool plain = true; /* 8*2 is not 16 where a formula divides by it */
            for (const char *c = o->definitions[i]; *c && k < 3; c++)
                plain = plain && (is_name_byte(*c) || *c == '=');
            if (plain && evaluate(s, &formula, &value, &ignored) && value == (int64_t)both[k].given)
                continue;
            return problem_say(problem, "-D %s and --%s %" PRIu64 " contradict each other; give one of them",
                               o->definitions[i], both[k].option, both[k].given);
        }
    return true;
}

static bool check_rung_macros(const struct scenario *s, struct problem *problem)
{
    if (!is_rung(s)) /* what the names mean in a file is the file's business */
        return true;
    if (s->tile && s->block_rows && s->block_rows > s->tile)
        return problem_say(problem, "block rows (%" PRIu64 ") must not exceed the tile (%" PRIu64 ")",
                           s->block_rows, s->tile);
    if (s->tile && s->pitch && s->pitch < s->tile)
        return problem_say(problem, "the pitch (%" PRIu64 ") must be at least the tile (%" PRIu64 ")",
                           s->pitch, s->tile);
    return true;
}

/* "a, b, c" at top-level commas, each a formula. */
static bool evaluate_shape(struct scenario *s, const struct source *text, const char *what, uint32_t size[3],
                           struct problem *problem)
{
    size_t at = 0;
    for (unsigned i = 0; i < 3; i++)
        size[i] = 1;
    for (unsigned i = 0; at < text->size; i++) {
        size_t end = at;
        int depth = 0;
        while (end < text->size && (depth > 0 || text->bytes[end] != ',')) {
            depth += (text->bytes[end] == '(') - (text->bytes[end] == ')');
            end++;
        }
        struct source formula = {text->name, text->bytes + at, end - at};
        int64_t value;
        if (i == 3)
            return problem_say(problem, "a %s has at most three directions", what);
        if (!evaluate(s, &formula, &value, problem))
            return false;
        if (value < 1 || value > UINT32_MAX)
            return problem_say(
                problem, "the %s of %s comes to %" PRId64 " in one direction; it must be 1 to 4294967295",
                what, text->name, value);
        size[i] = (uint32_t)value;
        at = end + 1;
    }
    return true;
}

static bool set_shape(struct scenario *s, const struct shape *given, const struct source *note,
                      const char *what, uint32_t size[3], struct problem *problem)
{
    bool is_grid = strcmp(what, "grid") == 0;
    if (!given->count && !note->size)
        return problem_say(problem,
                           "%s does not say its %s; give --%s %s, or a comment line `// %s: %s` at its top",
                           s->text.name, what, what, is_grid ? "3x4" : "32x8", what,
                           is_grid ? "(cols + 31) / 32, (rows + 31) / 32" : "32, 8");
    if (!given->count)
        return evaluate_shape(s, note, what, size, problem);
    for (unsigned i = 0; i < 3; i++)
        size[i] = i < given->count ? given->size[i] : 1;
    return true;
}

/* The formula of "name = formula" if it is for this parameter. */
static bool argument_for(const struct source *text, const char *name, struct source *formula)
{
    size_t length = strlen(name), at = 0;
    if (text->size <= length || memcmp(text->bytes, name, length) != 0)
        return false;
    for (at = length; at < text->size && text->bytes[at] == ' '; at++)
        ;
    if (at >= text->size || text->bytes[at] != '=')
        return false;
    *formula = (struct source){text->name, text->bytes + at + 1, text->size - at - 1};
    return true;
}

/* A formula's value for a parameter, which must be able to hold it. */
static bool evaluate_argument(struct scenario *s, unsigned index, const struct source *formula,
                              int64_t *value, struct problem *problem)
{
    const struct parameter *parameter = &s->program->parameters[index];
    if (!evaluate(s, formula, value, problem))
        return false;
    if (parameter->type.kind != TYPE_INTEGER || parameter->type.bytes == 8)
        return true;
    unsigned bits = 8u * parameter->type.bytes;
    int64_t low = parameter->type.is_signed ? -(INT64_C(1) << (bits - 1)) : 0;
    int64_t high = low + (INT64_C(1) << bits) - 1;
    if (*value >= low && *value <= high)
        return true;
    return problem_say(problem, "the parameter %s holds %" PRId64 " to %" PRId64 ", not %" PRId64,
                       parameter->name, low, high, *value);
}

static bool set_scalar(struct scenario *s, unsigned index, struct problem *problem)
{
    const char *name = s->program->parameters[index].name;
    int64_t *value = &s->launch.arguments[index].value;
    struct source formula;
    for (unsigned i = s->options.argument_count; i-- > 0;) { /* a later one replaces an earlier, as with -D */
        struct source text = text_of(s, "--arg", s->options.arguments[i]);
        if (argument_for(&text, name, &formula))
            return evaluate_argument(s, index, &formula, value, problem);
    }
    for (unsigned i = 0; i < s->note.argument_count; i++)
        if (argument_for(&s->note.arguments[i], name, &formula))
            return evaluate_argument(s, index, &formula, value, problem);
    if (s->program->parameters[index].type.kind == TYPE_FLOAT)
        return true; /* data: its value never matters to an address */
    if (s->program->parameters[index].has_default) {
        *value = s->program->parameters[index].default_value;
        return true;
    }
    if (strcmp(name, "rows") == 0 || strcmp(name, "cols") == 0) {
        *value = name[0] == 'r' ? s->rows : s->cols;
        return true;
    }
    return problem_say(problem,
                       "the parameter %s has no value; give it with --arg %s=VALUE: a number, rows, cols or "
                       "a formula of them",
                       name, name);
}

/* Every --arg must name a parameter: a misspelt one would silently leave its value to the headnote. */
static bool check_arguments(struct scenario *s, struct problem *problem)
{
    for (unsigned i = 0; i < s->options.argument_count; i++) {
        struct source text = text_of(s, "--arg", s->options.arguments[i]), formula;
        bool found = false;
        for (unsigned p = 0; p < s->program->parameter_count; p++)
            found = found || argument_for(&text, s->program->parameters[p].name, &formula);
        if (!found)
            return problem_say(problem,
                               "--arg %s: the kernel has no such parameter, or this is not name=value",
                               s->options.arguments[i]);
    }
    return true;
}

/* The pointer parameter of that name. */
static bool find_parameter(const struct scenario *s, const char *name, const char *option, int *index,
                           struct problem *problem)
{
    for (unsigned i = 0; i < s->program->parameter_count; i++)
        if (s->program->parameters[i].type.kind == TYPE_POINTER &&
            strcmp(s->program->parameters[i].name, name) == 0) {
            *index = (int)i;
            return true;
        }
    return problem_say(problem, "--%s %s: the kernel has no pointer parameter of that name", option, name);
}

static bool find_matrices(struct scenario *s, struct problem *problem)
{
    s->in = s->out = -1;
    int updated = -1; /* read and written */
    for (int i = (int)s->program->parameter_count - 1; i >= 0; i--) {
        const struct parameter *parameter = &s->program->parameters[i];
        if (parameter->type.kind != TYPE_POINTER)
            continue;
        if (parameter->is_stored)
            s->out = i;
        else if (parameter->is_loaded)
            s->in = i;
        if (parameter->is_stored && parameter->is_loaded)
            updated = i;
    }
    if (s->in < 0)
        s->in = updated;
    return (!s->options.in || find_parameter(s, s->options.in, "in", &s->in, problem)) &&
           (!s->options.out || find_parameter(s, s->options.out, "out", &s->out, problem));
}

static bool set_buffers(struct scenario *s, struct problem *problem)
{
    if (!s->elem_bytes) {
        int matrix = s->out >= 0 ? s->out : s->in;
        s->elem_bytes = matrix >= 0 ? (unsigned)type_size(s->program->parameters[matrix].type.to) : 4;
    }
    uint64_t cells = (uint64_t)s->rows * s->cols;
    for (unsigned i = 0; i < s->program->parameter_count; i++) {
        if (s->program->parameters[i].type.kind != TYPE_POINTER) {
            if (!set_scalar(s, i, problem))
                return false;
            continue;
        }
        uint64_t offset = (int)i == s->out ? s->options.out_offset : s->options.in_offset;
        if ((int)i != s->out && (int)i != s->in)
            offset = 0;
        if (cells > (UINT64_C(1) << 46) / s->elem_bytes)
            return problem_say(problem, "a matrix of %u x %u elements of %u bytes is larger than 64 TiB",
                               s->rows, s->cols, s->elem_bytes);
        s->launch.arguments[i].bytes = cells * s->elem_bytes;
        s->launch.arguments[i].misalignment = offset % 256 * s->elem_bytes % 256;
    }
    return true;
}

static bool set_shared(struct scenario *s, struct problem *problem)
{
    int64_t dynamic = (int64_t)s->options.dynamic_shared;
    if (!dynamic && s->note.shared.size && !evaluate(s, &s->note.shared, &dynamic, problem))
        return false;
    if (dynamic < 0 || dynamic > INT64_C(1) << 31)
        return problem_say(
            problem, "the dynamic shared memory comes to %" PRId64 " bytes, which is impossible", dynamic);
    s->launch.dynamic_shared_bytes = (uint64_t)dynamic;
    s->shared_bytes = program_shared_bytes(s->program, (uint64_t)dynamic);
    uint64_t most = (uint64_t)s->device->shared_per_block * 1024;
    if (s->shared_bytes > most)
        return problem_say(problem,
                           "a block needs %" PRIu64 " bytes of shared memory; %s has at most %" PRIu64
                           ": take a smaller tile, pitch or element",
                           s->shared_bytes, s->device->name, most);
    return true;
}

static bool open_checked(struct scenario *s, struct problem *problem)
{
    if (s->rows < 1 || s->cols < 1 || s->rows > INT32_MAX || s->cols > INT32_MAX)
        return problem_say(problem, "rows and cols are 1 to 2147483647");
    if (s->elem_bytes && !scenario_elem_type(s->elem_bytes))
        return problem_say(problem, "an element has 1, 2, 4, 8 or 16 bytes, not %u", s->elem_bytes);
    headnote_read(&s->text, &s->note);
    const struct source *task = &s->note.task;
    bool is_copy = task->size == 4 && memcmp(task->bytes, "copy", 4) == 0;
    bool is_transpose = task->size == 9 && memcmp(task->bytes, "transpose", 9) == 0;
    if (task->size && !is_copy && !is_transpose)
        return problem_at(problem, &s->text, (size_t)(task->bytes - s->text.bytes),
                          "a task is transpose or copy");
    s->is_copy = s->options.task == TASK_COPY || (s->options.task == TASK_OF_TEXT && is_copy);
    if (!open_unit(s, problem) || !check_definitions(s, problem))
        return false;
    if (!take_macro(s, "TILE", "tile", s->options.tile, &s->tile, problem) ||
        !take_macro(s, "BLOCK_ROWS", "block-rows", s->options.block_rows, &s->block_rows, problem) ||
        !take_macro(s, "PITCH", "pitch", s->options.pitch, &s->pitch, problem) ||
        !check_rung_macros(s, problem))
        return false;
    s->program = unit_compile(s->unit, s->options.kernel, problem);
    if (!s->program)
        return false;
    return find_matrices(s, problem) && check_arguments(s, problem) && set_buffers(s, problem) &&
           set_shared(s, problem) &&
           set_shape(s, &s->options.block, &s->note.block, "block", s->launch.block, problem) &&
           set_shape(s, &s->options.grid, &s->note.grid, "grid", s->launch.grid, problem) &&
           launch_check(&s->launch, problem);
}

bool scenario_open(struct scenario *scenario, const struct source *text,
                   const struct scenario_options *options, struct problem *problem)
{
    *scenario = (struct scenario){.options = *options,
                                  .text = *text,
                                  .rows = options->rows,
                                  .cols = options->cols,
                                  .elem_bytes = options->elem_bytes,
                                  .device = options->device ? options->device : device_find(DEVICE_DEFAULT)};
    scenario->launch.budget = options->budget;
    scenario->launch.watch = options->watch;
    if (open_checked(scenario, problem))
        return true;
    scenario_close(scenario);
    return false;
}

void scenario_close(struct scenario *scenario)
{
    unit_close(scenario->unit);
    arena_free(&scenario->arena);
    scenario->unit = NULL;
    scenario->program = NULL;
}
