/* access_case.h - one access of a warp, written as an index: what a probe runs, and what the quiz asks about.
 *
 * The addresses come from an execution of the index by the simulator, lane by lane.
 */
#ifndef LANESCOPE_QUIZ_ACCESS_CASE_H
#define LANESCOPE_QUIZ_ACCESS_CASE_H

#include "../../sim/lang/lang.h"
#include "../../sim/model/sector.h"
#include "question.h"

struct access_case {
    char index[80]; /* of threadIdx.x and threadIdx.y */
    enum memory_space space;
    enum access_op op;
    unsigned lane_bytes;
    uint32_t block[2];
    uint32_t base; /* bytes that the array begins past a multiple of 128 */
};

struct warp_access { /* must not move: lanes.delta points to delta */
    struct lanes lanes;
    int64_t delta[32];
};

/* The first warp's access. False after filling the problem. */
bool access_case_run(const struct access_case *access, struct warp_access *out, struct problem *problem);

/* "The first warp of a 32 x 8 block loads `s[threadIdx.x * 33]` from shared memory, elements of 4 bytes, ..."
 */
void access_case_say(const struct access_case *access, struct words *words);

/* lanescope probe ... */
void access_case_command(const struct access_case *access, struct words *words);

/* "lane 0: byte 0, lane 1: byte 132, ..." of some lanes, each with `name` byte / unit mod `modulus` (0: no
 * remainder is taken). */
void access_case_say_lanes(const struct warp_access *access, const char *name, int64_t unit, unsigned modulus,
                           struct words *words);

#endif
