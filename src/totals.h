/* totals.h - a configuration's launch in numbers: the one way to them, for ladder, sweep, advise and compare.
 */
#ifndef LANESCOPE_TOTALS_H
#define LANESCOPE_TOTALS_H

#include "../base/progress.h"
#include "../sim/census/count.h"
#include "../sim/report/summary.h"

struct totals {
    struct tally tally; /* site by site; also what a warp passed with no lane (skipped) */
    struct summary summary;
    uint64_t out_of_bounds, misaligned; /* lanes */
    uint64_t missed;                    /* barriers that lanes of a warp ended without, each warp counted */
    struct place barrier;               /* the first of them, and its block */
    uint32_t barrier_block[3];
    struct noticed noticed;
    uint64_t blocks, counted; /* of the launch; that the numbers are of: fewer only after Ctrl-C */
    bool partial;             /* after Ctrl-C */
    bool left_out;            /* nothing was counted */
    struct census census;     /* given_up: every block was run, and why */
};

struct totals_how {
    unsigned workers;      /* threads; at least 1 */
    unsigned registers;    /* a thread, for occupancy; 0: taken not to limit */
    bool enumerate;        /* every block, never by census (sim/census/count.h) */
    uint64_t most_regions; /* of a census; 0: CENSUS_REGIONS */
    uint64_t most_blocks;  /* where the census gives up, larger launches are left out; 0: none are */
    struct progress *progress;
};

/* By census, or block by block where that does not work. False after filling the problem. Either way
 * totals_free() the totals. */
bool totals_of(struct totals *totals, const struct scenario *scenario, const struct totals_how *how,
               struct problem *problem);
void totals_free(struct totals *totals);

#endif
