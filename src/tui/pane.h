/* pane.h - what the panes have in common: frames, scrolling, texts and styles for numbers. */
#ifndef LANESCOPE_TUI_PANE_H
#define LANESCOPE_TUI_PANE_H

#include "state.h"

/* A pane's border, its title behind the key that goes there; its style tells whether keys act on it. Returns
 * the inside. */
struct rect pane_frame(struct canvas *canvas, const struct rect *area, const struct state *state, int side,
                       enum pane pane, const char *title);

/* In a pane's lower edge: which of its lines are shown, where not all are. */
void pane_range(struct canvas *canvas, const struct rect *area, const char *what, int64_t first,
                int64_t shown, int64_t all);

/* How far a list of `count` lines may be scrolled in `rows` lines, at most `wanted`. */
int pane_scroll(int wanted, int count, int rows);

/* "7,168", "7168" or "~7.2k", whichever fits the width first. */
void pane_count(char *out, size_t size, uint64_t value, int width);

/* The first of three ASCII texts, longest first, that takes at most `cols` columns; else the last. */
const char *pane_text(int cols, const char *full, const char *shorter, const char *shortest);

/* A line of a program's text, moved so many columns to the left; a tab takes four columns. */
void pane_code(struct canvas *canvas, const struct rect *area, int row, const struct source *line, int shift,
               enum style style);
/* The column of the line's byte `at`, not moved. */
int pane_code_col(const struct source *line, size_t at);

/* One digit for 0 to 35: 0-9, a-z; '+' above. */
char pane_digit(unsigned value);

/* A cost in sectors or wavefronts: at its ideal, above it, far above it. */
enum style pane_cost_style(uint64_t units, uint64_t ideal);

#endif
