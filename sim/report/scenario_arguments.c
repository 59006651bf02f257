/* scenario_arguments.c - a kernel's parameters: the two matrices, their buffers, and the values of the rest.
 */
#include "scenario_data.h"

#include <inttypes.h>
#include <string.h>

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
    if (!scenario_evaluate(s, formula, value, problem))
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

static const char *argument_name(const struct scenario *s)
{
    return s->options.argument_name ? s->options.argument_name : "argument";
}

static bool set_scalar(struct scenario *s, unsigned index, struct problem *problem)
{
    const char *name = s->program->parameters[index].name;
    int64_t *value = &s->launch.arguments[index].value;
    struct source formula;
    for (unsigned i = s->options.argument_count; i-- > 0;) { /* a later one replaces an earlier */
        struct source text = scenario_text(s, argument_name(s), s->options.arguments[i]);
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
    problem_offer(problem, PROBLEM_CURE_ARGUMENT);
    return problem_say(problem, "the parameter %s has no value: a number, rows, cols or a formula of them",
                       name);
}

/* Every argument must name a parameter: a misspelt one would silently leave its value to the headnote. */
static bool check_arguments(struct scenario *s, struct problem *problem)
{
    for (unsigned i = 0; i < s->options.argument_count; i++) {
        struct source text = scenario_text(s, argument_name(s), s->options.arguments[i]), formula;
        bool found = false;
        for (unsigned p = 0; p < s->program->parameter_count; p++)
            found = found || argument_for(&text, s->program->parameters[p].name, &formula);
        if (!found)
            return problem_say(problem, "%s %s: the kernel has no such parameter, or this is not name=value",
                               argument_name(s), s->options.arguments[i]);
    }
    return true;
}

/* The pointer parameter of that name; `cure` is the way to name another. */
static bool find_parameter(const struct scenario *s, const char *name, enum problem_cure cure, int *index,
                           struct problem *problem)
{
    for (unsigned i = 0; i < s->program->parameter_count; i++)
        if (s->program->parameters[i].type.kind == TYPE_POINTER &&
            strcmp(s->program->parameters[i].name, name) == 0) {
            *index = (int)i;
            return true;
        }
    problem_offer(problem, cure);
    return problem_say(problem, "%s: the kernel has no pointer parameter of that name", name);
}

/* The first parameter that is only read and the first that is written, of those whose contents are given or
 * of the others; -1: there is none. */
static void look_for_matrices(const struct scenario *s, bool given, int *in, int *out)
{
    int updated = -1; /* read and written */
    *in = *out = -1;
    for (int i = (int)s->program->parameter_count - 1; i >= 0; i--) {
        const struct parameter *parameter = &s->program->parameters[i];
        if (parameter->type.kind != TYPE_POINTER || (scenario_data_of(s, (unsigned)i) != NULL) != given)
            continue;
        if (parameter->is_stored)
            *out = i;
        else if (parameter->is_loaded)
            *in = i;
        if (parameter->is_stored && parameter->is_loaded)
            updated = i;
    }
    if (*in < 0)
        *in = updated;
}

static bool find_matrices(struct scenario *s, struct problem *problem)
{
    int in, out;
    look_for_matrices(s, false, &s->in, &s->out);
    look_for_matrices(s, true, &in, &out);
    s->in = s->in < 0 ? in : s->in;
    s->out = s->out < 0 ? out : s->out;
    return (!s->options.in || find_parameter(s, s->options.in, PROBLEM_CURE_IN, &s->in, problem)) &&
           (!s->options.out || find_parameter(s, s->options.out, PROBLEM_CURE_OUT, &s->out, problem));
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

bool scenario_set_arguments(struct scenario *s, struct problem *problem)
{
    return scenario_find_data(s, problem) && find_matrices(s, problem) && check_arguments(s, problem) &&
           set_buffers(s, problem) && scenario_set_data(s, problem);
}
