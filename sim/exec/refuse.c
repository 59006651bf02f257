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
    if (!source) {
        (void)snprintf(
            message, sizeof message,
            "%s depends on loaded data or on floating-point arithmetic, whose values are not known "
            "here",
            what);
        return execution_fail(e, at, message);
    }
    const struct parameter *parameter = &e->program->parameters[source - 1];
    const struct argument *argument = &e->launch.arguments[source - 1];
    const char *why = !parameter_integer(parameter) ? "floating-point data that is not known here"
                      : !argument->contents
                          ? "which is not known here"
                          : "outside of it or after data was stored there: no number is known";
    if (parameter_integer(parameter) && !argument->contents)
        problem_offer_for(e->problem, PROBLEM_CURE_DATA, parameter->name);
    (void)snprintf(message, sizeof message, "%s depends on what is loaded from `%.100s`, %s", what,
                   parameter->name, why);
    return execution_fail(e, at, message);
}
