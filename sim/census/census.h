/* census.h - a whole launch by classes of blocks instead of block by block.
 *
 * The grid is taken apart into regions (exec/region.h): boxes of evenly lying blocks that all do the same,
 * but for addresses that move evenly. One block of each region is run. That is what a launch comes to in time
 * that does not depend on the size of its matrix, as long as few regions do: for kernels whose addresses are
 * sums of multiples of blockIdx, and whose conditions compare such sums.
 *
 * What does not work: a launch of which no block can stand for another because they read what other blocks
 * have written (buffers whose contents are known and that the kernel writes), and one that falls into very
 * many regions. Then the census gives up, says why, and the launch has to be run block by block.
 */
#ifndef LANESCOPE_CENSUS_CENSUS_H
#define LANESCOPE_CENSUS_CENSUS_H

#include "../exec/exec.h"

/* More regions than this are too many, for whoever can wait; and, from CENSUS_TRIAL on, more than one for
 * CENSUS_WORTH blocks. */
#define CENSUS_REGIONS 16384u
#define CENSUS_TRIAL   256u
#define CENSUS_WORTH   16u

/* So many blocks can be run in their order. */
#define CENSUS_ORDERED (UINT64_C(1) << 20)

struct census {
    uint64_t regions;
    bool given_up;
    bool stopped;               /* by the launch's watch */
    struct numbering numbering; /* the axes of the regions */
    bool axes_failed;           /* given up, or a problem: by other axes than the grid's */
    struct region_cause cause;  /* what took the grid apart most; `why` NULL: nothing did */
};

/* False also where the launch's watch stops it (census->stopped). `most` regions, at most CENSUS_REGIONS.
 * Each region's first block through the sink, whose `region` hears of the region before; the largest regions
 * come first, in no order of blocks. False: the problem is set, that of the launch's first block that has
 * one; or the sink stopped it; or census->given_up. What the sink has heard is then void. */
bool census_run(struct execution *execution, const struct launch *launch, uint64_t most,
                const struct sink *sink, struct census *census, struct problem *problem);

/* After a run by other axes than the grid's: is it to be made again by those, with nothing of what the sink
 * has heard? Where it failed, or where something was `found` or noticed of which the first is told, as long
 * as there are few enough blocks to tell which that is; of more it is one of them. */
bool census_again(struct execution *execution, const struct launch *launch, const struct census *census,
                  bool found);

#endif
