/* refuse.h - what depends on data that is not known is refused by the name of its buffer. Inside exec. */
#ifndef LANESCOPE_EXEC_REFUSE_H
#define LANESCOPE_EXEC_REFUSE_H

#include "data.h"

/* Of the active lanes' tokens in a register of VALUE_DATA: one that no constant is, some buffer's if there is
 * one. For messages. */
int64_t refuse_blamed(const struct execution *e, const struct warp *warp, const struct value *value);

/* A register of VALUE_DATA that no cell holds any longer may still say from which buffer it comes: its
 * `buffer` is then the parameter's index + 1. For messages only. */
static inline uint16_t refuse_source(const struct execution *e, const struct warp *warp,
                                     const struct value *v)
{
    int64_t class = v->kind == VALUE_DATA ? data_class(refuse_blamed(e, warp, v)) : 0;
    return class >= 3 ? (uint16_t)(class - 2) : data_source(v);
}

/* Fails: `what` ("this address") depends on the data in this register. Says whose data that is, and offers to
 * be given it, where that would help. */
bool refuse_data(const struct execution *e, const struct warp *warp, const struct instruction *at,
                 const char *what, const struct value *value);

#endif
