#include "layout.h"

enum { WIDE_ROWS = 33, WIDE_COLS = 150, TOTALS_ROWS = 16, TILE_ROWS = 37, MATRIX_COLS = 64 };

static int minimum(int a, int b)
{
    return a < b ? a : b;
}

static int maximum(int a, int b)
{
    return a > b ? a : b;
}

/* The pane that shares the screen with source and totals, where there is room for one only. */
static enum pane third_pane(enum pane focus)
{
    return focus == PANE_SOURCE || focus == PANE_TOTALS ? PANE_TILE : focus;
}

/* All five panes: source and totals, lanes, matrix and tile, from left to right. */
static void place_wide(struct rect pane[PANE_COUNT], const struct rect *area)
{
    int lanes = 52, rest = area->cols - lanes;
    int left = minimum(72, maximum(rest * 2 / 5, rest - MATRIX_COLS)), right = rest - left;
    int totals = minimum(TOTALS_ROWS, area->rows / 2);
    int tile = minimum(maximum(TILE_ROWS, area->rows / 2), area->rows - 12);
    pane[PANE_SOURCE] = rect_part(area, 0, 0, area->rows - totals, left);
    pane[PANE_TOTALS] = rect_part(area, area->rows - totals, 0, totals, left);
    pane[PANE_LANES] = rect_part(area, 0, left, area->rows, lanes);
    pane[PANE_MATRIX] = rect_part(area, 0, left + lanes, area->rows - tile, right);
    pane[PANE_TILE] = rect_part(area, area->rows - tile, left + lanes, tile, right);
}

/* Source and totals on the left, lanes, matrix or tile on the right. */
static void place_narrow(struct rect pane[PANE_COUNT], const struct rect *area, enum pane focus)
{
    int left = area->cols / 2 - (area->cols < 90 ? 2 : 0);
    int totals = area->rows >= 28 ? TOTALS_ROWS : area->rows >= 19 ? 9 : 7;
    pane[PANE_SOURCE] = rect_part(area, 0, 0, area->rows - totals, left);
    pane[PANE_TOTALS] = rect_part(area, area->rows - totals, 0, totals, left);
    pane[third_pane(focus)] = rect_part(area, 0, left, area->rows, area->cols - left);
}

/* One side of a comparison: source, the focused pane, totals, one below the other. */
static void place_side(struct rect pane[PANE_COUNT], const struct rect *area, enum pane focus)
{
    bool low = area->rows < 28;
    int totals = low ? 7 : minimum(TOTALS_ROWS, maximum(9, area->rows / 4));
    int source = low ? 3 : maximum(5, area->rows / 5);
    pane[PANE_SOURCE] = rect_part(area, 0, 0, source, area->cols);
    pane[third_pane(focus)] = rect_part(area, source, 0, area->rows - source - totals, area->cols);
    pane[PANE_TOTALS] = rect_part(area, area->rows - totals, 0, totals, area->cols);
}

static void place_panes(struct layout *layout, const struct layout_wish *wish)
{
    int sides = wish->compare ? 2 : 1, width = layout->body.cols / sides;
    for (int side = 0; side < sides; side++) {
        int cols = side == sides - 1 ? layout->body.cols - side * width : width;
        struct rect area = rect_part(&layout->body, 0, side * width, layout->body.rows, cols);
        struct rect *pane = layout->pane[side];
        layout->header[side] = (struct rect){0, side * width, 1, cols};
        if (wish->zoom)
            pane[wish->focus] = area;
        else if (wish->compare && cols < WIDE_COLS)
            place_side(pane, &area, wish->focus);
        else if (cols >= WIDE_COLS && area.rows >= WIDE_ROWS)
            place_wide(pane, &area);
        else
            place_narrow(pane, &area, wish->focus);
    }
}

struct layout layout_of(const struct layout_wish *wish)
{
    struct layout layout = {.too_small = wish->rows < LAYOUT_ROWS || wish->cols < LAYOUT_COLS};
    if (layout.too_small)
        return layout;
    int hint = 4;
    layout.where = (struct rect){1, 0, 1, wish->cols};
    layout.body = (struct rect){2, 0, wish->rows - hint - 3, wish->cols};
    layout.hint = (struct rect){wish->rows - hint - 1, 0, hint, wish->cols};
    layout.bar = (struct rect){wish->rows - 1, 0, 1, wish->cols};
    place_panes(&layout, wish);
    return layout;
}
