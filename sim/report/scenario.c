#include "scenario_parts.h"

#include <inttypes.h>
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

static bool set_shared(struct scenario *s, struct problem *problem)
{
    int64_t dynamic = (int64_t)s->options.dynamic_shared;
    if (!dynamic && s->note.shared.size && !scenario_evaluate(s, &s->note.shared, &dynamic, problem))
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

/* PTX to a program, its parameters called as in the text. */
static const struct program *program_of_ptx(struct scenario *s, struct problem *problem)
{
    (void)problem_say(problem, "%s made PTX of %s, which this lanescope does not read", s->compiled.compiler,
                      s->text.name);
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
        if (!first.set)
            first = inner;
    }
    *problem = first;
    if (!problem->set)
        (void)problem_say(problem, "there is no compiler for %s here", s->text.name);
    return NULL;
}

/* The built-in language first, where it is not passed over. What only the user can say (which kernel, a
 * template's arguments) no compiler knows better; otherwise, where none does, its own complaint stands. */
static const struct program *compile_kernel(struct scenario *s, struct problem *problem)
{
    const struct scenario_compiler *compiler = s->options.compiler;
    if (compiler && compiler->only)
        return compile_elsewhere(s, problem);
    const struct program *program = unit_compile(s->unit, s->options.kernel, problem);
    if (program || !compiler || problem->cure == PROBLEM_CURE_KERNEL)
        return program;
    struct problem ignored = {0};
    program = compile_elsewhere(s, &ignored);
    if (program)
        *problem = (struct problem){0};
    return program;
}

static bool open_checked(struct scenario *s, struct problem *problem)
{
    if (s->rows < 1 || s->cols < 1 || s->rows > INT32_MAX || s->cols > INT32_MAX)
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
    s->program = compile_kernel(s, problem);
    return s->program && scenario_set_arguments(s, problem) && set_shared(s, problem) &&
           scenario_set_shapes(s, problem) && launch_check(&s->launch, problem);
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
    scenario_free_data(scenario);
    arena_free(&scenario->arena);
    scenario->unit = NULL;
    scenario->program = NULL;
}
