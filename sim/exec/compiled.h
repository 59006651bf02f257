/* compiled.h - what only compiled code asks of the executor: pointers among numbers, bits, other lanes'
 * values. Inside exec; operate.c calls these with settled operands and a `result` that is data of no cell.
 *
 * In compiled code a pointer lies in an integer register. Sums keep it a pointer; its low bits are known,
 * because a buffer begins at a known distance from a multiple of 256 and shared memory at a multiple of
 * 1,024; so masks that test or clear them work. Everything else that would need the address itself is
 * refused: false, with a problem at the instruction's place. `at->kind` is the instruction's, as program.h
 * has it.
 */
#ifndef LANESCOPE_EXEC_COMPILED_H
#define LANESCOPE_EXEC_COMPILED_H

#include "data.h"

/* ADD, SUB, AND and so on where not both operands are numbers. */
bool compiled_arithmetic(struct execution *e, const struct warp *warp, const struct instruction *at,
                         const struct value *a, const struct value *b, struct value *result);
bool compiled_select(struct execution *e, const struct warp *warp, const struct instruction *at,
                     const struct value *a, const struct value *b, struct value *result);
bool compiled_bits(struct execution *e, const struct warp *warp, const struct instruction *at,
                   const struct value *a, const struct value *b, struct value *result);
bool compiled_shuffle(struct execution *e, struct warp *warp, const struct instruction *at,
                      const struct value *a, const struct value *b, struct value *result);
void compiled_vote(const struct warp *warp, const struct instruction *at, const struct value *a,
                   struct value *result);

/* A register's value where an undefined one may be computed with: compilers do so where nobody looks at the
 * result. Lanes without a value have any; a register without one stays VALUE_UNSET. */
static inline void compiled_settle(const struct warp *warp, unsigned r, struct value *value)
{
    *value = warp->registers[r];
    if (value->kind == VALUE_PARTIAL)
        value->kind = warp->partials[r].kind;
}

#endif
