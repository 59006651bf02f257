/* view.h - a state as a frame: every pane drawn onto a canvas of the state's size.
 *
 * Drawing only reads. Each pane_...() is given its rectangle, borders included, and the side it shows.
 */
#ifndef LANESCOPE_TUI_VIEW_H
#define LANESCOPE_TUI_VIEW_H

#include "../../sim/session/explain.h"
#include "state.h"

/* The whole frame. The canvas is cleared first and must have the state's rows and columns. */
void view_draw(struct canvas *canvas, const struct state *state);

void pane_source(struct canvas *canvas, const struct rect *area, const struct state *state, int side);
void pane_lanes(struct canvas *canvas, const struct rect *area, const struct state *state, int side);
void pane_matrix(struct canvas *canvas, const struct rect *area, const struct state *state, int side);
void pane_tile(struct canvas *canvas, const struct rect *area, const struct state *state, int side);
void pane_totals(struct canvas *canvas, const struct rect *area, const struct state *state, int side);
void pane_owners(struct canvas *canvas, const struct rect *area, const struct state *state, int side);
void view_help(struct canvas *canvas, const struct rect *area, const struct state *state);

/* pane_card.c: the current access as a card, inside the tile pane: lane by bank, or part by bank. */
void card_lanes(struct canvas *canvas, const struct rect *area, const struct side *side, int scroll);
void card_waves(struct canvas *canvas, const struct rect *area, const struct side *side, int scroll);
int card_top(const struct side *side, int scroll, int rows); /* the first lane that card_lanes() shows */
void card_banks(struct canvas *canvas, const struct rect *area, const struct side *side, int row);

/* A pane's border; its style tells whether keys act on it. Returns the inside. */
struct rect pane_frame(struct canvas *canvas, const struct rect *area, const struct state *state, int side,
                       enum pane pane, const char *title);

/* The lanes of the current wavefront or sector; all active lanes where the access is shown whole. */
uint32_t side_part_lanes(const struct side *side);

/* In a pane's lower edge: which of its lines are shown, where not all are. */
void pane_range(struct canvas *canvas, const struct rect *area, const char *what, int64_t first,
                int64_t shown, int64_t all);

/* How far a list of `count` lines may be scrolled in `rows` lines, at most `wanted`. */
int scroll_limited(int wanted, int count, int rows);

/* "7,168", "7168" or "~7.2k", whichever fits the width first. */
void count_text(char *out, size_t size, uint64_t value, int width);

/* The first of three ASCII texts, longest first, that takes at most `cols` columns; else the last. */
const char *text_that_fits(int cols, const char *full, const char *shorter, const char *shortest);

/* One digit for 0 to 35: 0-9, a-z; '+' above. */
char digit_of(unsigned value);

enum style cost_style(uint64_t units, uint64_t ideal);

#endif
