/* crew.h - work that is a row of units, done in pieces by several threads.
 *
 * Pieces are neighbouring units, handed out in ascending order and as long as takes about a hundredth of a
 * second. The calling thread is worker 0: it begins alone, so that short work starts no thread, and shows the
 * progress. Where a piece fails, those before it are still done and those behind it are not begun, so that
 * the failure is that of the first failing piece, as one thread alone would meet it. Ctrl-C (interrupt.h)
 * ends the work between two pieces.
 */
#ifndef LANESCOPE_CREW_H
#define LANESCOPE_CREW_H

#include <stdint.h>

#include "../base/progress.h"

#define CREW_LIMIT 256u /* workers */

struct crew {
    uint64_t total;   /* units */
    unsigned workers; /* at least 1; more than CREW_LIMIT are not used */
    void *self;
    /* Units [first, first + count); false: it failed, and this worker gets no other. Several at a time, each
     * with another worker's number, from 0. */
    bool (*piece)(void *self, unsigned worker, uint64_t first, uint64_t count);
    struct progress *progress; /* NULL: none */
    /* What came of it: */
    uint64_t done;    /* units of pieces that did not fail */
    bool interrupted; /* by Ctrl-C, before all were done */
    bool failed;
    unsigned failed_worker; /* of the first failing piece */
};

/* Returns when all workers have ended. True: all of it is done. */
bool crew_run(struct crew *crew);

/* How many workers this machine is good for: its processors. */
unsigned crew_default(void);

#endif
