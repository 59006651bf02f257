/* worst.h - which warps of which blocks cost most at which line: the top of a launch, kept while it is
 * counted.
 *
 * A row is all that one warp of one block does at one site. Rows are sorted by what they are above their
 * ideal, the first in the order of the launch first among equals. WORST_LIMIT are kept. A sink's consumer
 * that hands each access on to the tally, which knows its cost.
 */
#ifndef LANESCOPE_SESSION_WORST_H
#define LANESCOPE_SESSION_WORST_H

#include "../count/tally.h"

#define WORST_LIMIT 64u

struct worst_row {
    uint32_t block[3], warp;
    unsigned site;
    uint64_t step; /* of the block's run: the first of these accesses */
    uint64_t requests, units, ideal;
};

struct worst {
    struct tally *tally;
    struct worst_row rows[WORST_LIMIT];
    unsigned count;
    struct worst_row *open; /* of the running block: one a warp and site */
    uint32_t *touched;
    size_t touched_count;
    unsigned site_count;
    uint32_t warps;
};

void worst_init(struct worst *worst, struct tally *tally, uint32_t warps);
void worst_free(struct worst *worst);
void worst_access(void *worst, const struct access *access); /* fits struct sink */
void worst_settle(struct worst *worst);                      /* at the end of a block */

#endif
