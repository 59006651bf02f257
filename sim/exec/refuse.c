/* refuse.c - what depends on data that is not known is refused by the name of its buffer. */
#include "refuse.h"

#include <stdio.h>

int64_t refuse_blamed(const struct execution *e, const struct warp *warp, const struct value *value)
{
    const int64_t *delta = e->patterns.at[value->pattern]->delta;
    int64_t blamed = TOKEN_COMPUTED;
    for (uint32_t lanes = warp->active; lanes; lanes &= lanes - 1) {
        int64_t token = (int64_t)((uint64_t)value->base + (uint64_t)delta[__builtin_ctz(lanes)]);
        if (data_class(token) >= 3)
            return token;
        if (data_class(token) == 0)
            blamed = token;
    }
    return blamed;
}

/* Whose data it is has been lost: on its way through shared memory, say. It may be that of the first buffer
 * that could be given and is not. */
static bool refuse_unknown(const struct execution *e, const struct instruction *at, const char *what)
{
    char message[300], perhaps[200] = "";
    const struct program *p = e->program;
    for (unsigned i = 0; i < p->parameter_count && !perhaps[0]; i++) {
        const struct parameter *parameter = &p->parameters[i];
        if (!parameter->is_loaded || !parameter_number(parameter) || e->launch.arguments[i].contents)
            continue;
        problem_offer_for(e->problem, PROBLEM_CURE_DATA, parameter->name);
        (void)snprintf(perhaps, sizeof perhaps, "; it may be what `%.100s` holds", parameter->name);
    }
    (void)snprintf(
        message, sizeof message,
        "%s depends on loaded data or on floating-point arithmetic, whose values are not known here%s", what,
        perhaps);
    return execution_fail(e, at, message);
}

bool refuse_data(const struct execution *e, const struct warp *warp, const struct instruction *at,
                 const char *what, const struct value *value)
{
    char message[300];
    e->problem->needs_data = !e->problem->set;
    int64_t token = refuse_blamed(e, warp, value), class = data_class(token);
    unsigned source = class >= 3 ? (unsigned)(class - 2) : class == 1 ? value->buffer : 0;
    if (class == 0) {
        (void)snprintf(message, sizeof message, "%s depends on a cell of shared memory that nobody wrote",
                       what);
        return execution_fail(e, at, message);
    }
    if (!source)
        return refuse_unknown(e, at, what);
    const struct parameter *parameter = &e->program->parameters[source - 1];
    const struct argument *argument = &e->launch.arguments[source - 1];
    if (parameter->type.kind != TYPE_POINTER) {
        problem_offer_for(e->problem, PROBLEM_CURE_ARGUMENT, parameter->name);
        if (!argument->is_number)
            problem_want(e->problem, PROBLEM_CURE_ARGUMENT, "%.70s=1", parameter->name);
        (void)snprintf(message, sizeof message, "%s depends on the floating-point parameter `%.100s`, %s",
                       what, parameter->name,
                       argument->is_number ? "by arithmetic that rounds" : "which is not known here");
        return execution_fail(e, at, message);
    }
    const char *why = !parameter_number(parameter) ? "data that has no number here"
                      : !argument->contents        ? "which is not known here"
                                                   : "outside of it, after data was stored there, or by "
                                                     "floating-point arithmetic that rounds: no number is known";
    if (parameter_number(parameter) && !argument->contents)
        problem_offer_for(e->problem, PROBLEM_CURE_DATA, parameter->name);
    (void)snprintf(message, sizeof message, "%s depends on what is loaded from `%.100s`, %s", what,
                   parameter->name, why);
    return execution_fail(e, at, message);
}
