/* lane_compiled.h - lane.h for compiled code: the branch or guard that keeps a lane from an access, with what
 * its predicate compared, and where the address points.
 *
 * Compiled code has no conditions of a text: what is said are registers, under the names of the kernel's
 * parameters and of threadIdx and its kin where that is all they hold. Registers are read as they are at the
 * access; nothing is said where they have no number or contradict the lane's mask.
 */
#ifndef LANESCOPE_SESSION_LANE_COMPILED_H
#define LANESCOPE_SESSION_LANE_COMPILED_H

#include "session.h"
#include "words.h"

/* The execution stands at the access. */
void lane_compiled_say(const struct program *program, const struct execution *execution,
                       const struct access *access, unsigned lane, struct words *words);

#endif
