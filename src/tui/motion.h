/* motion.h - moving about in a launch: by access, by wavefront or sector, by warp, by block. */
#ifndef LANESCOPE_TUI_MOTION_H
#define LANESCOPE_TUI_MOTION_H

#include "state.h"

void move_access(struct state *state, int by);
void move_part(struct state *state, int by);
void move_warp(struct state *state, int by);
void move_block(struct state *state, int by);
void move_reset(struct state *state);
void move_to_worst(struct state *state); /* the first access with the largest excess */
bool move_jump(struct state *state, const char *where);
void move_follow(struct state *state); /* the other side comes along */

#endif
