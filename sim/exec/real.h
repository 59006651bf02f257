/* real.h - floating numbers that are known: constants, integers that became floating, and what buffers hold
 * whose contents are given. Inside exec.
 *
 * Each lane's is the double that it is exactly, whatever its type. A result is a number only where nothing
 * had to be rounded: a compiler may fuse, reorder or approximate what rounds, so that the machine's result
 * may be another. What rounds is data, as everything floating is that comes from data.
 */
#ifndef LANESCOPE_EXEC_REAL_H
#define LANESCOPE_EXEC_REAL_H

#include <string.h>

#include "state.h"

static inline int64_t real_bits(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double real_of_bits(int64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The same number in all lanes. */
struct value real_uniform(double x);

/* Does a floating type of so many bytes hold it exactly? Two bytes may be a half or a bfloat16: both must. */
bool real_fits(double x, unsigned bytes);

/* What an OP_REAL makes of its operands, both settled; `result` is data and stays so where it is not known.
 */
void real_function(struct execution *e, const struct warp *warp, const struct instruction *at,
                   const struct value *a, const struct value *b, struct value *result);

/* What an OP_KEEP makes of numbers; likewise. */
void real_convert(struct execution *e, const struct warp *warp, const struct instruction *at,
                  const struct value *a, struct value *result);

/* Lanes for which a op b holds, of two reals. */
uint32_t real_compare(const struct execution *e, enum opcode op, const struct value *a,
                      const struct value *b);

#endif
