/* list.h - views that are lists with a chosen row: findings, the worst warps, pitches. */
#ifndef LANESCOPE_TUI_LIST_H
#define LANESCOPE_TUI_LIST_H

#include "state.h"

int list_count(const struct state *state); /* rows of the view that is shown; 0: it is no list */
void list_choose(struct state *state, int by);
void list_choose_page(struct state *state, int by);
void list_enter(struct state *state); /* goes to what the row is about */

/* Shows a list, or what was there before. */
void list_findings(struct state *state);
void list_worst(struct state *state);
void list_pitches(struct state *state);
void list_next_finding(struct state *state); /* goes to the one after the last */

/* The first row to draw where `rows` fit. */
int list_top(const struct state *state, int rows);

#endif
