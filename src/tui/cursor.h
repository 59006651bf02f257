/* cursor.h - a cell of the output that the cursor is on, in the owners' view and on the maps. */
#ifndef LANESCOPE_TUI_CURSOR_H
#define LANESCOPE_TUI_CURSOR_H

#include "state.h"

void cursor_place(struct state *state, int64_t row, int64_t col); /* cut to the output */
void cursor_rows(struct state *state, int by);                    /* on the map, pieces of it */
void cursor_cols(struct state *state, int by);
void cursor_page(struct state *state, int by); /* as many rows as are shown */
void cursor_home(struct state *state, int by); /* -1: the first cell; 1: the last */

/* From the map to the owners; from there to the access that wrote the cell. */
void cursor_enter(struct state *state);

/* What the cell's owner is, where it is in the owners' window and known; NULL otherwise. */
const struct owner *cursor_owner(const struct state *state);

/* The story of the cell, told anew where the cell or its owner is another. */
void cursor_fit(struct state *state);

#endif
