/* lane.h - one lane at an access, in numbers: what its index comes to, and which guard lets it in or keeps it
 * out.
 *
 * A glass runs the block once more up to the access and stops there, so that the values are those that the
 * warp's registers hold at that moment; the text's own conditions are then evaluated with them. A statement
 * is only made where it agrees with the lane's mask. Of compiled code (PTX) see lane_compiled.h.
 *
 * Limit: a warp of more than LANE_BUDGET steps is not run again: "" is said, as it is where nothing can be.
 * A glass belongs to one session, is made when first needed and freed with lane_glass_free().
 */
#ifndef LANESCOPE_SESSION_LANE_H
#define LANESCOPE_SESSION_LANE_H

#include "session.h"

#define LANE_BUDGET (UINT64_C(1) << 20)
#define LANE_SIZE   300

struct lane_glass {
    struct execution *execution;
    uint32_t block[3];
    uint64_t step; /* the access it stands at */
    bool stands;
};

void lane_glass_free(struct lane_glass *glass);

/* "x = 2*32+7 = 71, x < cols (70) is false: off", or for a lane that takes part what its index comes to. */
void lane_explain(struct lane_glass *glass, const struct session *session, const struct trace_access *at,
                  unsigned lane, char out[LANE_SIZE]);

#endif
