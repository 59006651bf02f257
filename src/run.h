/* run.h - whole launches on all processors, with progress for people who wait.
 *
 * Blocks are handed out in their order (crew.h). Each worker has an execution of its own and what its sink
 * counts into; those are put together at the end, in the order of the workers. For sums and for the first of
 * something by block, the result is then the same for any number of workers; and the problem is that of the
 * first failing block. Where blocks see what others wrote (launch.h: contents of a buffer that the kernel
 * writes), one worker runs them all.
 *
 * Ctrl-C ends the launch between two blocks: the caller says so (interrupt.h).
 */
#ifndef LANESCOPE_RUN_H
#define LANESCOPE_RUN_H

#include "../base/progress.h"
#include "../sim/exec/exec.h"

struct launch_run {
    const struct program *program;
    const struct launch *launch;
    bool track_values;
    unsigned workers; /* at least 1 */
    struct sink sink; /* of worker 0 */
    /* What another worker counts into: a part of sink.self, made and taken back by the calling thread. Both
     * NULL: one worker runs all blocks. */
    void *(*split)(void *self);
    void (*merge)(void *self, void *part); /* adds the part, and frees it */
    struct progress *progress;             /* NULL: none */
    /* What came of it: */
    uint64_t blocks, done; /* of the launch; that ran to their end */
    bool interrupted;      /* by Ctrl-C, before all were done: the sink has seen those, and parts of others
                              where Ctrl-C met a warp that takes long */
    struct noticed noticed;
};

/* False after filling the problem; true also where it was interrupted. */
bool run_launch(struct launch_run *run, struct problem *problem);

#endif
