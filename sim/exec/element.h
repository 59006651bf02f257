/* element.h - local arrays, which live in registers: their elements by an index. Inside exec.
 *
 * Where the active lanes agree on the index, the element is a register, as a compiler sees it that has
 * unrolled the loop. Where they do not, the compiler keeps the array in local memory: the values are still
 * exact, and the execution says where it was (struct noticed): local memory is neither global nor
 * shared, and not counted.
 */
#ifndef LANESCOPE_EXEC_ELEMENT_H
#define LANESCOPE_EXEC_ELEMENT_H

#include "data.h"

/* PICK and PUT. False: a problem is set. */
bool element_pick(struct execution *e, struct warp *warp, const struct instruction *at);
bool element_put(struct execution *e, struct warp *warp, const struct instruction *at);

#endif
