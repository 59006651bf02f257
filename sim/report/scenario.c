#include "scenario_parts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "element.h"
#include "scenario_data.h"

struct source scenario_text(struct scenario *s, const char *name, const char *text)
{
    size_t size = strlen(text);
    return (struct source){name, arena_copy(&s->arena, text, size), size};
}

bool scenario_evaluate(struct scenario *s, const struct source *formula, int64_t *value,
                       struct problem *problem)
{
    const struct binding bindings[] = {
        {"rows", s->rows}, {"cols", s->cols}, {"batch", s->options.batch ? s->options.batch : 1}};
    const struct source *text = &s->text;
    if (unit_evaluate(s->unit, formula, bindings, s->options.batch > 1 ? 3 : 2, value, problem))
        return true;
    if (problem->column && formula->bytes >= text->bytes && formula->bytes < text->bytes + text->size) {
        struct problem inner = *problem; /* placed in the formula; the reader looks for it in the text */
        *problem = (struct problem){0};
        return problem_at(problem, text, (size_t)(formula->bytes - text->bytes) + (size_t)inner.column - 1,
                          "%s", inner.message);
    }
    return false;
}

static bool set_shared(struct scenario *s, struct problem *problem)
{
    int64_t dynamic = (int64_t)s->options.dynamic_shared;
    if (!dynamic && s->note.shared.size && !scenario_evaluate(s, &s->note.shared, &dynamic, problem))
        return false;
    if (!dynamic && !s->note.shared.size && s->from->shared.kind == HOST_INTEGER)
        dynamic = s->from->shared.n[0];
    if (dynamic < 0 || dynamic > INT64_C(1) << 31)
        return problem_say(
            problem, "the dynamic shared memory comes to %" PRId64 " bytes, which is impossible", dynamic);
    s->launch.dynamic_shared_bytes = (uint64_t)dynamic;
    s->shared_bytes = program_shared_bytes(s->program, (uint64_t)dynamic);
    uint64_t most = (uint64_t)s->device->shared_per_block * 1024;
    if (s->shared_bytes > most && !problem->set)
        problem->fault = PROBLEM_FAULT_LIMIT;
    if (s->shared_bytes > most)
        return problem_say(problem,
                           "a block needs %" PRIu64 " bytes of shared memory; %s has at most %" PRIu64
                           ": take a smaller tile, pitch or element",
                           s->shared_bytes, s->device->name, most);
    return true;
}

void scenario_append(char *list, size_t size, const char *between, const char *format, va_list arguments)
{
    size_t used = strlen(list), more = strlen(between);
    if (used && used + more + 1 < size) {
        memcpy(list + used, between, more + 1);
        used += more;
    }
    (void)vsnprintf(list + used, size - used, format, arguments);
}

void scenario_note(struct scenario *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    scenario_append(s->note_of_launch, sizeof s->note_of_launch, "; ", format, arguments);
    va_end(arguments);
}

/* PTX that a compiler made to a program, its parameters called as in the text. */
static const struct program *program_of_ptx(struct scenario *s, struct problem *problem)
{
    s->ptx = ptx_open(&s->compiled.ptx, problem);
    const struct program *program = s->ptx ? ptx_compile(s->ptx, NULL, problem) : NULL;
    if (program) {
        ptx_name_parameters(s->ptx, s->compiled.parameters, s->compiled.parameter_count);
        return program;
    }
    ptx_close(s->ptx);
    s->ptx = NULL;
    return NULL;
}

/* Words of C's types, numbers and commas, so that it means the same wherever it stands? */
static bool is_of_plain_types(const char *text)
{
    static const char *const words[] = {"float", "double", "int",  "unsigned",
                                        "char",  "short",  "long", "bool"};
    while (*text) {
        size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"),
               i = 0;
        while (i < sizeof words / sizeof *words &&
               !(strlen(words[i]) == length && memcmp(text, words[i], length) == 0))
            i++;
        bool is_number = *text >= '0' && *text <= '9';
        if (length ? !is_number && i == sizeof words / sizeof *words : strchr(", -", *text) == NULL)
            return false;
        text += length ? length : 1;
    }
    return true;
}

/* What a launch in the text says of the kernel's template, where that is all known and of C's own types; or
 * NULL. */
static const char *launched_arguments(struct scenario *s)
{
    const char *name = s->options.kernel                            ? s->options.kernel
                       : s->unit && unit_kernel_count(s->unit) == 1 ? unit_kernel_name(s->unit, 0)
                                                                    : NULL;
    if (!s->unit || !name)
        return NULL;
    struct host *host = unit_host(s->unit);
    unsigned count;
    struct host_launch *list = host_launches(host, name, &count);
    for (unsigned i = 0; i < count; i++) {
        char text[300];
        bool assumed = false;
        if (host_template_text(host, &list[i], name, text, sizeof text, &assumed) && !assumed &&
            is_of_plain_types(text))
            return arena_copy(&s->arena, text, strlen(text));
    }
    return NULL;
}

/* The kernel by way of a compiler's PTX; NULL after filling the problem: the first complaint of them. */
static const struct program *compile_elsewhere(struct scenario *s, struct problem *problem)
{
    const struct scenario_compiler *compiler = s->options.compiler;
    const struct device_part_request request = {.text = &s->text,
                                                .definitions = s->definitions,
                                                .definition_count = s->definition_count,
                                                .kernel = s->options.kernel,
                                                .template_given = s->options.template_arguments
                                                                      ? s->options.template_arguments
                                                                      : launched_arguments(s),
                                                .includes = s->options.includes};
    struct problem first = {0};
    for (unsigned attempt = 0;; attempt++) {
        struct problem inner = {0};
        bool ok = compiler->compile(compiler->self, attempt, &request, &s->compiled, &inner);
        const struct program *program = ok ? program_of_ptx(s, &inner) : NULL;
        if (program)
            return program;
        s->compiled = (struct scenario_compiled){0};
        if (!ok && !inner.set)
            break;
        if (!first.set ||
            (inner.want_count && !first.want_count)) /* what helps is better than what is wrong */
            first = inner;
    }
    *problem = first;
    if (!problem->set)
        (void)problem_say(problem, "there is no compiler for %s here", s->text.name);
    return NULL;
}

enum { TEMPLATE_TRIES = 8 };

/* Where the text has several instantiations, or says arguments only in host code: those of its launches, the
 * first whose kernel can be read. */
static const struct program *compile_as_launched(struct scenario *s, struct problem *problem, bool *tried)
{
    struct problem first = {0};
    struct host *host = unit_host(s->unit);
    const char *name = s->options.kernel;
    if (!name && unit_kernel_count(s->unit) != 1)
        return NULL;
    name = name ? name : unit_kernel_name(s->unit, 0);
    unsigned count, tries = 0;
    const struct host_launch *list = host_launches(host, name, &count);
    for (unsigned i = 0; i < count && tries < TEMPLATE_TRIES; i++) {
        char text[300];
        bool assumed = false;
        struct problem own = {0};
        if (!host_template_text(host, &list[i], name, text, sizeof text, &assumed))
            continue;
        struct source *arguments = arena_take(&s->arena, sizeof *arguments);
        *arguments = scenario_text(s, "template arguments", text);
        const struct program *program = unit_compile_as(s->unit, s->options.kernel, arguments, &own);
        tries++;
        *tried = true;
        first = first.set ? first : own;
        if (!program)
            continue;
        *problem = (struct problem){0};
        s->template_line = list[i].line;
        char others[40] = "";
        if (count > 1)
            (void)snprintf(others, sizeof others, i ? ", of %u" : ", the first of %u", count);
        const char *said =
            assumed && *unit_template_arguments(s->unit) ? unit_template_arguments(s->unit) : text;
        scenario_note(s, "%s<%s> of the launch in line %d%s", program->name, said, list[i].line, others);
        return program;
    }
    if (first.set) /* says more than that there are several */
        *problem = first;
    return NULL;
}

/* The built-in language first, where it is not passed over. What only the user can say (which kernel, a
 * template's arguments) no compiler knows better; otherwise, where none does, its own complaint stands. */
static const struct program *compile_cuda(struct scenario *s, const struct source *arguments,
                                          struct problem *problem)
{
    const struct scenario_compiler *compiler = s->options.compiler;
    if (compiler && compiler->only)
        return compile_elsewhere(s, problem);
    const struct program *program = unit_compile_as(s->unit, s->options.kernel, arguments, problem);
    bool lacks_arguments = !program && problem->cure == PROBLEM_CURE_TEMPLATE;
    if (!arguments && (lacks_arguments || *unit_assumed_types(s->unit))) {
        struct problem own = *problem;
        bool tried = false;
        const struct program *launched = compile_as_launched(s, &own, &tried);
        if (launched || lacks_arguments)
            *problem = own;
        if (launched || !program)
            program = launched;
        else if (tried) /* what was assumed once more */
            program = unit_compile_as(s->unit, s->options.kernel, arguments, problem);
    }
    if (program || !compiler || !problem->line || problem->cure == PROBLEM_CURE_KERNEL ||
        problem->cure == PROBLEM_CURE_TEMPLATE)
        return program;
    struct problem ignored = {0};
    program = compile_elsewhere(s, &ignored);
    if (!program && ignored.cure == PROBLEM_CURE_DEFINITION) { /* a compiler would take it then */
        problem->cure = ignored.cure;
        memcpy(problem->subject, ignored.subject, sizeof problem->subject);
        memcpy(problem->wants, ignored.wants, sizeof problem->wants);
        problem->want_count = ignored.want_count;
    }
    if (program) {
        (void)snprintf(s->refusal, sizeof s->refusal, "line %d: %s", problem->line, problem->message);
        *problem = (struct problem){0};
    }
    return program;
}

/* The kernel of the options: name<arguments> is a name and arguments. */
static bool compile(struct scenario *s, struct problem *problem)
{
    const char *name = s->options.kernel, *arguments = s->options.template_arguments;
    size_t length = name ? strlen(name) : 0;
    const char *open = name ? strchr(name, '<') : NULL;
    if (s->ptx) {
        s->program = ptx_compile(s->ptx, name, problem);
        return s->program != NULL;
    }
    if (open && name[length - 1] == '>') {
        if (arguments)
            return problem_say(problem, "%s has its template's arguments already", name);
        arguments = arena_copy(&s->arena, open + 1, (size_t)(name + length - 1 - (open + 1)));
        s->options.template_arguments = arguments;
        s->options.kernel = arena_copy(&s->arena, name, (size_t)(open - name));
    }
    struct source *text = NULL;
    if (s->options.kernel) /* who opens another scenario with these options may close this one first */
        s->options.kernel = arena_copy(&s->arena, s->options.kernel, strlen(s->options.kernel));
    if (arguments) {
        s->options.template_arguments = arguments = arena_copy(&s->arena, arguments, strlen(arguments));
        text = arena_take(&s->arena, sizeof *text);
        *text = scenario_text(s, "template arguments", arguments);
    }
    s->program = compile_cuda(s, text, problem);
    if (s->program && !s->ptx && *unit_assumed_types(s->unit))
        scenario_note(s, "%s, which the text does not say", unit_assumed_types(s->unit));
    if (s->program && !s->ptx && *unit_borrowed(s->unit))
        scenario_note(s, "%s: no header here defines it", unit_borrowed(s->unit));
    return s->program != NULL;
}

static bool open_checked(struct scenario *s, struct problem *problem)
{
    if (!scenario_take_shape(s, problem))
        return false;
    if (s->rows > INT32_MAX || s->cols > INT32_MAX)
        return problem_say(problem, "rows and cols are 1 to 2147483647");
    if (s->elem_bytes && !element_type(s->elem_bytes))
        return problem_say(problem, "an element has 1, 2, 4, 8 or 16 bytes, not %u", s->elem_bytes);
    headnote_read(&s->text, &s->note);
    const struct source *task = &s->note.task;
    bool is_copy = headnote_says(task, "copy");
    if (task->size && !is_copy && !headnote_says(task, "transpose"))
        return problem_at(problem, &s->text, (size_t)(task->bytes - s->text.bytes),
                          "a task is transpose or copy");
    s->is_copy = s->options.task == TASK_COPY || (s->options.task == TASK_OF_TEXT && is_copy);
    if (!scenario_open_unit(s, problem) || !scenario_take_macros(s, problem))
        return false;
    if (!compile(s, problem) || !scenario_find_matrices(s, problem) || !scenario_read_launch(s, problem))
        return false;
    scenario_assume(s);
    return scenario_check_missing(s, problem) && scenario_set_task(s, problem) &&
           scenario_set_arguments(s, problem) && set_shared(s, problem) && scenario_set_shapes(s, problem) &&
           launch_check(&s->launch, problem);
}

static bool open_once(struct scenario *scenario, const struct source *text,
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
    scenario->launch.any_grid = options->any_grid;
    if (open_checked(scenario, problem))
        return true;
    scenario_close(scenario);
    return false;
}

static void see_nothing(void *self, const struct access *access)
{
    (void)self;
    (void)access;
}

/* Does the launch's first block come to a condition or an address that only data decides? */
static bool stops_at_data(const struct scenario *s, struct problem *problem)
{
    enum { PROBE_BUDGET = 1 << 20 };
    struct launch launch = s->launch;
    struct sink nobody = {.access = see_nothing};
    struct problem ignored = {0};
    launch.watch = NULL;
    if (!launch.budget || launch.budget > PROBE_BUDGET)
        launch.budget = PROBE_BUDGET;
    struct execution *execution = execution_new(s->program, &launch, false, &ignored);
    bool fine = !execution || execution_run_block(execution, (const uint32_t[3]){0, 0, 0}, &nobody, problem);
    execution_free(execution);
    return !fine && problem->needs_data;
}

/* A branch that data decides may be none in compiled code, or pass: then that is taken. */
static bool open_compiled(struct scenario *scenario, const struct source *text,
                          const struct scenario_options *options, const struct problem *refusal,
                          struct problem *problem)
{
    struct scenario_options own = *options;
    struct scenario_compiler only = *options->compiler;
    struct problem ignored = {0};
    only.only = true;
    own.compiler = &only;
    scenario_close(scenario);
    bool ok = open_once(scenario, text, &own, &ignored);
    if (ok && stops_at_data(scenario, &ignored)) {
        scenario_close(scenario);
        ok = false;
    }
    if (!ok)
        return open_once(scenario, text, options, problem); /* and say there what it comes to */
    scenario->options.compiler = options->compiler;
    (void)snprintf(scenario->refusal, sizeof scenario->refusal, "line %d: %s", refusal->line,
                   refusal->message);
    return true;
}

bool scenario_open(struct scenario *scenario, const struct source *text,
                   const struct scenario_options *options, struct problem *problem)
{
    struct problem refusal = {0};
    if (!open_once(scenario, text, options, problem))
        return false;
    bool asks = options->compiler && !options->compiler->only && !scenario->ptx;
    return !asks || !stops_at_data(scenario, &refusal) ||
           open_compiled(scenario, text, options, &refusal, problem);
}

void scenario_close(struct scenario *scenario)
{
    unit_close(scenario->unit);
    ptx_close(scenario->ptx);
    scenario_free_data(scenario);
    arena_free(&scenario->arena);
    scenario->unit = NULL;
    scenario->ptx = NULL;
    scenario->program = NULL;
}
