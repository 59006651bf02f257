/* panes.h - the panes, one file each: pane_source.c to pane_help.c.
 *
 * Each is given its rectangle, borders included, and which side it shows. Drawing only reads.
 */
#ifndef LANESCOPE_TUI_PANES_H
#define LANESCOPE_TUI_PANES_H

#include "state.h"

void pane_source(struct canvas *canvas, const struct rect *area, const struct state *state, int side);
/* The line of the text shown on that row of the screen; 0: none. */
int pane_source_line_at(const struct rect *area, const struct state *state, int side, int row);

void pane_lanes(struct canvas *canvas, const struct rect *area, const struct state *state, int side);
/* The lane shown there, in the lanes' or the tile's pane; -1: none. */
int pane_lanes_lane_at(const struct rect *area, const struct state *state, int side, int row, int col);
int pane_tile_lane_at(const struct rect *area, const struct state *state, int side, int row, int col);
int pane_list_row_at(const struct state *state, int row); /* of the list that is shown; -1: none */

void pane_matrix(struct canvas *canvas, const struct rect *area, const struct state *state, int side);
void pane_tile(struct canvas *canvas, const struct rect *area, const struct state *state, int side);
/* pane_launch.c: inside the tile pane, the launch's sums for one shared array of so many rows and columns. */
struct launch_tile {
    int buffer;
    int64_t rows, cols;
};
void pane_launch(struct canvas *canvas, const struct rect *inside, const struct state *state, int side,
                 const struct launch_tile *tile);

void pane_totals(struct canvas *canvas, const struct rect *area, const struct state *state, int side);
/* The cell of the output shown there; false: none. */
bool pane_owners_cell_at(const struct rect *area, const struct state *state, int side, int row, int col,
                         int64_t *cell_row, int64_t *cell_col);
bool pane_matrix_cell_at(const struct rect *area, const struct state *state, int side, int row, int col,
                         int64_t *cell_row, int64_t *cell_col);

void pane_owners(struct canvas *canvas, const struct rect *area, const struct state *state, int side);
void pane_broken(struct canvas *canvas, const struct rect *area, const struct state *state);
void pane_findings(struct canvas *canvas, const struct rect *area, const struct state *state, int side);
void pane_pitches(struct canvas *canvas, const struct rect *area, const struct state *state, int side);
void pane_worst(struct canvas *canvas, const struct rect *area, const struct state *state, int side);
void pane_glossary(struct canvas *canvas, const struct rect *area, const struct state *state);

/* The lines of the help or the glossary, whichever is shown, as text: for who looks for a word in them. */
int pane_lines(const struct state *state);
void pane_line(const struct state *state, int line, char *out, size_t size);

void pane_help(struct canvas *canvas, const struct rect *area, const struct state *state);

/* pane_card.c: the current access as a card, inside the tile pane: lane by bank, or part by bank. */
void card_lanes(struct canvas *canvas, const struct rect *area, const struct side *side, int scroll);
void card_waves(struct canvas *canvas, const struct rect *area, const struct side *side, int scroll);
int card_top(const struct side *side, int scroll, int rows); /* the first lane that card_lanes() shows */

/* The last lines of the area: what each bank hands out; few passes get a line each, with their lanes. */
void card_banks(struct canvas *canvas, const struct rect *area, const struct side *side);
int card_strip_rows(const struct side *side, int rows); /* of those in an area of so many lines */

#endif
