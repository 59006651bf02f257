/* quiet.h - conditions that only data knows, where no memory hangs on them. Inside exec.
 *
 * `if (v > max) max = v;`: which lanes go in is not known, but no access depends on it. The lanes that come
 * to such a part of the program (lang/quiet.h) pass it together, and what is assigned in it is data in them.
 * A loop in there is taken to end.
 */
#ifndef LANESCOPE_EXEC_QUIET_H
#define LANESCOPE_EXEC_QUIET_H

#include "data.h"

/* The region of the branch `at`, or NULL. */
const struct quiet *quiet_of(const struct execution *e, const struct instruction *at);

/* The warp passes it; `condition` is the data. It goes on at the region's last instruction, with no lane:
 * that brings them back. False: a problem is set. */
bool quiet_pass(struct execution *e, struct warp *warp, const struct quiet *quiet,
                const struct value *condition);

#endif
