/* motion.h - moving about in a launch: by access, by wavefront or sector, by warp, by block.
 *
 * `by` is 1 or -1. The active side leads; comparing, the other side comes along where it has the same access,
 * and waits where it has not.
 */
#ifndef LANESCOPE_TUI_MOTION_H
#define LANESCOPE_TUI_MOTION_H

#include "state.h"

void move_access(struct state *state, int by);
void move_part(struct state *state, int by);
void move_warp(struct state *state, int by);
void move_block(struct state *state, int by);
void move_reset(struct state *state);
void move_to_costliest(struct state *state);  /* of the block */
void move_to_other_side(struct state *state); /* which leads from then on */
bool move_jump(struct state *state,
               const char *where); /* "block 1,2 warp 3 lane 7"; false after saying why not */
void move_lane(struct state *state, int by);

/* A block's access, by its index in the trace. False after saying why not. */
bool move_to(struct state *state, const uint32_t block[3], size_t at, int part);
void move_follow(struct state *state); /* the other side comes along */

#endif
