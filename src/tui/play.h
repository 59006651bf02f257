/* play.h - playing: the steps that time makes, and how fast. */
#ifndef LANESCOPE_TUI_PLAY_H
#define LANESCOPE_TUI_PLAY_H

#include "state.h"

#define PLAY_RATE_SIZE 12

void play_or_pause(struct state *state);
void play_faster(struct state *state, int by);                       /* -1: slower */
void play_rate(const struct state *state, char out[PLAY_RATE_SIZE]); /* "4/s" */

/* How long until play_tick() is due, ms; -1 when nothing plays. */
int play_tick_ms(const struct state *state);
void play_tick(struct state *state);

#endif
