/* held.h - buffers that the kernel reads after it has written them: which token each piece holds. Inside
 * exec.
 *
 * Only of buffers that the launch asks for (struct argument): what stood there when the kernel began is the
 * token of its own place, what a store brings lies over it, granule by granule. Two parameters that are one
 * memory share it.
 */
#ifndef LANESCOPE_EXEC_HELD_H
#define LANESCOPE_EXEC_HELD_H

#include "data.h"

/* Takes what the launch asks for. False: there is not that much memory. */
bool held_begin(struct execution *e);
void held_free(struct execution *e);

/* The buffers hold again what they held when the kernel began. */
void held_rewind(struct execution *e);

static inline bool held_is_followed(const struct execution *e, unsigned buffer)
{
    return e->followed && e->followed[buffer].tokens;
}

/* All lanes of e->access: a load's components into dst; a store's, whose tokens are in the access. */
void held_load(struct execution *e, struct value *dst);
void held_store(struct execution *e);

/* The sum of two values, where a buffer is followed: data that no cell holds, by a token that is the same for
 * the same two summands (execution_summands()). Sums of sums are not known. */
struct value held_sum(struct execution *e, const struct value *a, const struct value *b);

#endif
