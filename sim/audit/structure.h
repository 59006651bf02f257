/* structure.h - the ifs and loops around an access, as the code of a program has them (lang/program.h).
 *
 * Of compiled code nothing is known: its branches have any shape.
 */
#ifndef LANESCOPE_AUDIT_STRUCTURE_H
#define LANESCOPE_AUDIT_STRUCTURE_H

#include "../lang/program.h"

/* The condition that decides whether a lane comes to the access: of the last if before it that returns, where
 * a barrier follows (who has left is missed), else of the innermost if around it, else of the last that
 * returns, else the innermost loop. `loop_first`: the innermost loop comes before the ifs around the access.
 * False: nothing does. */
bool structure_guard(const struct program *program, unsigned site, bool loop_first, struct place *guard);

/* Where a barrier between two accesses belongs, the first of which runs before the second: the line before
 * which it stands, or (`after`) behind which, at the end of a loop that goes round. 0: not known. */
int structure_barrier_line(const struct program *program, unsigned first, unsigned second, bool *after);

#endif
