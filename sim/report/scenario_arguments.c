/* scenario_arguments.c - a kernel's parameters: the two matrices, their buffers, and the values of the rest.
 */
#include "scenario_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The formula of "name = formula" if it is for this parameter. */
static bool argument_for(const struct scenario *s, const struct source *text, unsigned parameter,
                         struct source *formula)
{
    const char *name = s->program->parameters[parameter].name;
    if (s->ptx && text->size && text->bytes[0] >= '0' && text->bytes[0] <= '9' &&
        strncmp(name, "param_", 6) == 0) /* by the place that compiled code numbers: 2 = rows */
        name += 6;
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
    if (parameter->type.kind != TYPE_INTEGER)
        return true;
    int64_t low, high;
    scenario_limits(&parameter->type, &low, &high);
    if (*value >= low && *value <= high)
        return true;
    return problem_say(problem, "the parameter %s holds %" PRId64 " to %" PRId64 ", not %" PRId64,
                       parameter->name, low, high, *value);
}

static const char *argument_name(const struct scenario *s)
{
    return s->options.argument_name ? s->options.argument_name : "argument";
}

bool scenario_given_argument(struct scenario *s, unsigned index, int64_t *value, bool *given,
                             struct problem *problem)
{
    struct source formula;
    *given = true;
    for (unsigned i = s->options.argument_count; i-- > 0;) { /* a later one replaces an earlier */
        struct source text = scenario_text(s, argument_name(s), s->options.arguments[i]);
        if (argument_for(s, &text, index, &formula))
            return evaluate_argument(s, index, &formula, value, problem);
    }
    for (unsigned i = 0; i < s->note.argument_count; i++)
        if (argument_for(s, &s->note.arguments[i], index, &formula))
            return evaluate_argument(s, index, &formula, value, problem);
    *given = false;
    return true;
}

/* Where options and headnote say nothing: the launch, the kernel's own default, the sizes. What is still
 * missing has been asked for. */
static bool set_scalar(struct scenario *s, unsigned index, struct problem *problem)
{
    const struct parameter *parameter = &s->program->parameters[index];
    int64_t *value = &s->launch.arguments[index].value;
    bool given;
    if (!scenario_given_argument(s, index, value, &given, problem))
        return false;
    s->launch.arguments[index].is_number = given;
    if (given || parameter->type.kind == TYPE_FLOAT)
        return true; /* data, where it is not given */
    const struct host_value *from = &s->from->values[index];
    if ((int)index == s->from->total_of)
        *value = (int64_t)s->rows * s->cols;
    else if ((int)index == s->from->rows_of)
        *value = s->rows;
    else if ((int)index == s->from->cols_of)
        *value = s->cols;
    else if (from->kind == HOST_INTEGER)
        *value = type_wrap(&parameter->type, from->n[0]);
    else if (parameter->has_default)
        *value = parameter->default_value;
    else
        *value = parameter->name[0] == 'r' ? s->rows : s->cols;
    return true;
}

/* Every argument must name a parameter: a misspelt one would silently leave its value to the headnote. */
static bool check_arguments(struct scenario *s, struct problem *problem)
{
    for (unsigned i = 0; i < s->options.offset_count; i++) {
        struct source text = scenario_text(s, "offset", s->options.offsets[i]), formula;
        bool found = false;
        for (unsigned p = 0; p < s->program->parameter_count; p++)
            found = found || (s->program->parameters[p].type.kind == TYPE_POINTER &&
                              argument_for(s, &text, p, &formula));
        if (!found)
            return problem_say(problem,
                               "offset %s: the kernel has no such pointer, or this is not name=elements",
                               s->options.offsets[i]);
    }
    for (unsigned i = 0; i < s->options.argument_count; i++) {
        struct source text = scenario_text(s, argument_name(s), s->options.arguments[i]), formula;
        bool found = false;
        for (unsigned p = 0; p < s->program->parameter_count; p++)
            found = found || argument_for(s, &text, p, &formula);
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
        if (parameter->type.kind != TYPE_POINTER || (scenario_data_of(s, (unsigned)i) != NULL) != given ||
            parameter->origin != ORIGIN_LISTED || parameter->type.to->kind == TYPE_POINTER)
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

bool scenario_find_matrices(struct scenario *s, struct problem *problem)
{
    int in, out;
    if (!check_arguments(s, problem) || !scenario_find_data(s, problem))
        return false;
    look_for_matrices(s, false, &s->in, &s->out);
    look_for_matrices(s, true, &in, &out);
    s->in = s->in < 0 ? in : s->in;
    s->out = s->out < 0 ? out : s->out;
    return (!s->options.in || find_parameter(s, s->options.in, PROBLEM_CURE_IN, &s->in, problem)) &&
           (!s->options.out || find_parameter(s, s->options.out, PROBLEM_CURE_OUT, &s->out, problem));
}

/* A buffer that is not the output has at least the bytes that the host code allocates. */
static void set_known_buffer(struct scenario *s, unsigned index)
{
    const struct host_value *bytes = &s->from->bytes[index];
    uint64_t *own = &s->launch.arguments[index].bytes;
    if ((int)index != s->out && bytes->kind == HOST_INTEGER && bytes->n[0] <= INT64_C(1) << 46 &&
        (uint64_t)bytes->n[0] > *own)
        *own = (uint64_t)bytes->n[0];
}

/* A pointer that the host shifts: the launch's or an option's number of elements. */
static bool shift_buffer(struct scenario *s, unsigned index, struct problem *problem)
{
    const struct parameter *parameter = &s->program->parameters[index];
    const struct host_value *from = &s->from->values[index];
    struct argument *argument = &s->launch.arguments[index];
    int64_t shift = from->kind == HOST_INTEGER ? from->n[0] : 0;
    struct source formula;
    for (unsigned i = 0; i < s->options.offset_count; i++) {
        struct source text = scenario_text(s, "offset", s->options.offsets[i]);
        if (argument_for(s, &text, index, &formula) && !scenario_evaluate(s, &formula, &shift, problem))
            return false;
    }
    uint64_t size = type_size(parameter->type.to);
    if (shift < 0 || (uint64_t)shift > (UINT64_C(1) << 46) / size)
        return problem_say(problem,
                           "the pointer %s is shifted by %" PRId64 " elements; 0 to 2^46 bytes are possible",
                           parameter->name, shift);
    uint64_t before = (uint64_t)shift * size;
    argument->misalignment = (argument->misalignment + before) % 256;
    if ((int)index == s->out) /* whose cells begin at the pointer */
        return true;
    argument->before = before;
    if (s->from->bytes[index].kind == HOST_INTEGER && argument->bytes == (uint64_t)s->from->bytes[index].n[0])
        argument->bytes -= before < argument->bytes ? before : argument->bytes;
    return true;
}

/* A __device__ variable has its size; what a pointer in memory points at has any. */
static void set_other_buffer(struct scenario *s, unsigned index)
{
    const struct parameter *parameter = &s->program->parameters[index];
    bool is_variable = parameter->origin == ORIGIN_VARIABLE;
    s->launch.arguments[index].bytes = is_variable ? parameter->own_bytes : UINT64_C(1) << 55;
}

/* Says what was assumed of buffers that the kernel does not list. */
static void note_others(struct scenario *s, enum parameter_origin origin, const char *what)
{
    char names[300] = "";
    for (unsigned i = 0; i < s->program->parameter_count; i++) {
        const struct parameter *parameter = &s->program->parameters[i];
        size_t used = strlen(names);
        if (parameter->origin == origin && (parameter->is_stored || parameter->is_loaded))
            (void)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", parameter->name);
    }
    if (*names)
        scenario_note(s, "%s: %s", names, what);
}

static bool set_buffers(struct scenario *s, struct problem *problem)
{
    if (!s->elem_bytes) {
        int matrix = s->out >= 0 ? s->out : s->in;
        s->elem_bytes = matrix >= 0 ? (unsigned)type_size(s->program->parameters[matrix].type.to) : 4;
        if (s->from->elem_bytes && s->from->elem_bytes != s->elem_bytes) {
            s->elem_bytes = s->from->elem_bytes;
            scenario_note(s, "cells of %u bytes, by how the kernel steps from row to row", s->elem_bytes);
        }
    }
    uint64_t cells = (uint64_t)s->rows * s->cols * s->task.batch;
    for (unsigned i = 0; i < s->program->parameter_count; i++) {
        if (s->program->parameters[i].type.kind != TYPE_POINTER) {
            if (!set_scalar(s, i, problem))
                return false;
            continue;
        }
        if (s->program->parameters[i].origin != ORIGIN_LISTED) {
            set_other_buffer(s, i);
            continue;
        }
        uint64_t offset = (int)i == s->out ? s->options.out_offset : s->options.in_offset;
        if ((int)i != s->out && (int)i != s->in)
            offset = 0;
        if (cells > (UINT64_C(1) << 53) / s->elem_bytes)
            return problem_say(problem, "a matrix of %u x %u elements of %u bytes is larger than 8 PiB",
                               s->rows, s->cols, s->elem_bytes);
        s->launch.arguments[i].bytes = *s->assumed ? SCENARIO_LARGE : cells * s->elem_bytes;
        s->launch.arguments[i].misalignment = offset % 256 * s->elem_bytes % 256;
        set_known_buffer(s, i);
        if (!shift_buffer(s, i, problem))
            return false;
    }
    return true;
}

bool scenario_set_arguments(struct scenario *s, struct problem *problem)
{
    note_others(s, ORIGIN_VARIABLE, "__device__ variables, taken to begin at multiples of 256 bytes");
    note_others(s, ORIGIN_POINTEE,
                "what pointers in memory point at, each a buffer of its own that begins at a multiple of 256 "
                "bytes");
    return set_buffers(s, problem) && scenario_set_data(s, problem);
}
