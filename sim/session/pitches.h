/* pitches.h - what shared memory costs at each pitch from the tile's own width to twice that: a curve.
 *
 * Each pitch is a launch of its own, run when pitches_step() comes to it: the whole of it up to
 * PITCHES_WHOLE_BLOCKS blocks, of a larger one the block that the session looks at (`whole` says which).
 * The session must outlive the curve.
 */
#ifndef LANESCOPE_SESSION_PITCHES_H
#define LANESCOPE_SESSION_PITCHES_H

#include "repitch.h"

#define PITCHES_LIMIT        257u
#define PITCHES_WHOLE_BLOCKS 256u

struct pitch_point {
    uint32_t pitch;
    bool failed;           /* the kernel cannot run with it */
    uint64_t units, ideal; /* wavefronts */
};

struct pitches {
    const struct session *session;
    struct repitch found;
    struct pitch_point at[PITCHES_LIMIT];
    unsigned count, done;
    bool whole;
};

/* False: the kernel has no tile whose pitch could be another. */
bool pitches_begin(struct pitches *pitches, const struct session *session);
bool pitches_step(struct pitches *pitches); /* one more pitch. False when all are known */

#endif
