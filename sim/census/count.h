/* count.h - the totals of a whole launch, by census.
 *
 * The same numbers as handing every access of every block to a tally (count/tally.h), site by site. What an
 * access costs depends on its base modulo a line at most; how many blocks of a region have it at which
 * residue is counted, not run.
 */
#ifndef LANESCOPE_CENSUS_COUNT_H
#define LANESCOPE_CENSUS_COUNT_H

#include "../count/tally.h"
#include "census.h"

struct census_count {
    struct census census;
    uint64_t missed;      /* barriers that lanes of a warp ended without, each warp counted */
    struct place barrier; /* the first of them */
};

/* `most`: of census_run(). Adds a launch to a tally that holds nothing. False: the problem is set (a sum that
 * does not fit 64 bits is one), or count->census.given_up; the tally is then to be freed. */
bool census_count(struct execution *execution, const struct launch *launch, uint64_t most,
                  struct tally *tally, struct census_count *count, struct problem *problem);

#endif
