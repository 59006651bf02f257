/* data.h - values that memory held, as tokens that say where they came from. Inside exec.
 *
 * A token is a class times 2^ORIGIN_SHIFT plus an offset: which byte of which buffer, or which constant. All
 * lanes of a register may differ in it, as numbers do: a base and a pattern. An integer that is stored to
 * memory whose contents are kept is also a number again when it is loaded (memory.c, cells.h).
 */
#ifndef LANESCOPE_EXEC_DATA_H
#define LANESCOPE_EXEC_DATA_H

#include "state.h"

enum { ORIGIN_SHIFT = 56 };
#define TOKEN_COMPUTED  (INT64_C(1) << ORIGIN_SHIFT)
#define TOKEN_CONSTANT  (INT64_C(2) << ORIGIN_SHIFT)
#define TOKEN_BUFFER(n) ((int64_t)(3 + (n)) << ORIGIN_SHIFT)
#define TOKEN_RANGE     (INT64_C(1) << 54) /* offsets and constants beyond it are only COMPUTED */

/* 0: uninitialized; 1: computed; 2: a constant; 3 + n: buffer n. */
static inline int64_t data_class(int64_t token)
{
    return (token + (INT64_C(1) << (ORIGIN_SHIFT - 1))) >> ORIGIN_SHIFT;
}

/* The token of the i-th granule of a component whose token is `token`. */
static inline int64_t data_part(const struct execution *e, int64_t token, unsigned i)
{
    return token >= TOKEN_BUFFER(0) - TOKEN_RANGE ? token + (int64_t)(i * e->program->granule) : token;
}

/* Data that no cell holds. */
static inline struct value data_computed(void)
{
    return (struct value){.base = TOKEN_COMPUTED, .tag = VALUE_TAG(VALUE_DATA, 0)};
}

/* The token of a floating number that is known, by the bits of its double: of equal numbers the same. */
int64_t data_token_of_real(int64_t bits);

/* What is left of any value when it is stored, or joined with data. */
struct value data_of_value(struct execution *e, const struct value *a);

/* Whose data it is, for messages: the parameter's index + 1, or 0. */
static inline uint16_t data_source(const struct value *v)
{
    int64_t class = v->kind == VALUE_DATA ? data_class(v->base) : 0;
    return class >= 3 ? (uint16_t)(class - 2) : v->kind == VALUE_DATA ? v->buffer : 0;
}

/* The same of a result of both: data is to blame rather than numbers that came from a buffer. */
static inline uint16_t data_source_of_both(const struct value *a, const struct value *b)
{
    uint16_t source = data_source(a);
    source = source ? source : data_source(b);
    if (source || a->kind == VALUE_DATA || b->kind == VALUE_DATA)
        return source;
    source = a->kind == VALUE_REAL ? a->buffer : 0;
    return source || b->kind != VALUE_REAL ? source : b->buffer;
}

#endif
