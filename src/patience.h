/* patience.h - how long a warp may run: a loop that does not end must not hold the program.
 *
 * A watch (sim/exec/launch.h) with a clock. While one warp takes long, it shows its steps on the line of the
 * command's progress, if that is set.
 */
#ifndef LANESCOPE_PATIENCE_H
#define LANESCOPE_PATIENCE_H

#include "../base/progress.h"
#include "../sim/exec/launch.h"

struct patience {
    struct watch watch;
    unsigned seconds;          /* 0: any time */
    struct progress *progress; /* NULL: nothing is shown. Of one thread only. */
    bool interrupted;          /* a warp was stopped by Ctrl-C (interrupt.h), not for its time */
};

/* Fills patience->watch, which points back at it: call where it stays. */
void patience_begin(struct patience *patience);

/* The patience that watches a launch, or NULL. All watches of the program are of this kind. */
struct patience *patience_of(const struct launch *launch);

#endif
