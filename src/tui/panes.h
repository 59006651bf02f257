/* panes.h - the panes, one file each: pane_source.c to pane_help.c.
 *
 * Each is given its rectangle, borders included, and which side it shows. Drawing only reads.
 */
#ifndef LANESCOPE_TUI_PANES_H
#define LANESCOPE_TUI_PANES_H

#include "state.h"

void pane_source(struct canvas *canvas, const struct rect *area, const struct state *state, int side);
void pane_lanes(struct canvas *canvas, const struct rect *area, const struct state *state, int side);
void pane_matrix(struct canvas *canvas, const struct rect *area, const struct state *state, int side);
void pane_tile(struct canvas *canvas, const struct rect *area, const struct state *state, int side);
void pane_totals(struct canvas *canvas, const struct rect *area, const struct state *state, int side);
void pane_owners(struct canvas *canvas, const struct rect *area, const struct state *state, int side);
void pane_help(struct canvas *canvas, const struct rect *area, const struct state *state);

/* pane_card.c: the current access as a card, inside the tile pane: lane by bank, or part by bank. */
void card_lanes(struct canvas *canvas, const struct rect *area, const struct side *side, int scroll);
void card_waves(struct canvas *canvas, const struct rect *area, const struct side *side, int scroll);
int card_top(const struct side *side, int scroll, int rows); /* the first lane that card_lanes() shows */
void card_banks(struct canvas *canvas, const struct rect *area, const struct side *side, int row);

#endif
