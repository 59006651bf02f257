/* show.h - how things are shown: panes, views, maps, scrolling. `by` is 1 or -1. */
#ifndef LANESCOPE_TUI_SHOW_H
#define LANESCOPE_TUI_SHOW_H

#include "state.h"

void show_pane(struct state *state, int by);          /* the focus goes to another */
void show_pane_number(struct state *state, int pane); /* enum pane */
void show_zoomed(struct state *state);                /* the focused pane alone, or all again */
void show_tile_view(struct state *state);             /* the next */
void show_heat_mode(struct state *state);             /* the next */
void show_map(struct state *state, int by);           /* zoomed further in */
void show_scrolled(struct state *state, int by);
void show_ascii(struct state *state); /* or line drawing again */

void show_owners(struct state *state); /* or the panes again */
void show_lab(struct state *state);
void show_shifted(struct state *state, int by); /* the source, by columns */
void show_light(struct state *state);
void show_glossary(struct state *state);
void show_help(struct state *state); /* or what was shown before */
void show_panes(struct state *state);

#endif
