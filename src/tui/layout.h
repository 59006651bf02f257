/* layout.h - where each part of the screen goes: rectangles from a size, nothing else.
 *
 * Every rectangle lies inside the screen and no two overlap; a part that is not shown has an empty one. Below
 * LAYOUT_ROWS x LAYOUT_COLS only `too_small` is set. A side is one configuration; comparing has two of them,
 * left and right.
 */
#ifndef LANESCOPE_TUI_LAYOUT_H
#define LANESCOPE_TUI_LAYOUT_H

#include "canvas.h"

#define LAYOUT_ROWS 24
#define LAYOUT_COLS 80

enum pane { PANE_SOURCE, PANE_LANES, PANE_MATRIX, PANE_TILE, PANE_TOTALS, PANE_COUNT };

struct layout_wish {
    int rows, cols;
    bool compare;    /* two sides */
    enum pane focus; /* shown where there is no room for all */
    bool zoom;       /* only the focused pane */
};

struct layout {
    bool too_small;
    struct rect header[2];           /* one line a side: the configuration */
    struct rect where;               /* one line: the place in the launch */
    struct rect pane[2][PANE_COUNT]; /* borders included */
    struct rect body;                /* all panes: for views that take their place */
    struct rect hint;                /* what is happening, in words; last, the lane at the cursor */
    struct rect bar;                 /* keys, or the line that is being typed */
};

struct layout layout_of(const struct layout_wish *wish);

#endif
