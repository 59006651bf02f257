/* pane_pitches.c - what shared memory costs at each pitch: a curve, one row a pitch. */
#include <inttypes.h>
#include <stdio.h>

#include "palette.h"
#include "pane.h"
#include "panes.h"

enum { COLUMN_COLS = 37, NUMBERS_COLS = 25 };

static void draw_point(struct canvas *canvas, const struct rect *area, int row, const struct pitches *p,
                       unsigned index, uint64_t most, bool chosen)
{
    const struct pitch_point *point = &p->at[index];
    char units[24];
    bool now = point->pitch == p->found.pitch;
    canvas_put(canvas, area, row, 0, chosen ? 0x203a : ' ', STYLE_TITLE);
    canvas_put(canvas, area, row, 1, now ? 0x25c6 : ' ', STYLE_MARK);
    canvas_format(canvas, area, row, 2, chosen ? STYLE_CURSOR : STYLE_VALUE, "%5u", point->pitch);
    if (index >= p->done) {
        canvas_text(canvas, area, row, 9, STYLE_DIM, "...");
        return;
    }
    if (point->failed) {
        canvas_text(canvas, area, row, 9, STYLE_DIM, "cannot run");
        return;
    }
    unsigned level = heat_ratio_level(point->units, point->ideal);
    pane_count(units, sizeof units, point->units, 9);
    canvas_format(canvas, area, row, 8, pane_cost_style(point->units, point->ideal), "%9s %5.1fx", units,
                  point->ideal ? (double)point->units / (double)point->ideal : 1.0);
    int width = area->cols - NUMBERS_COLS - 1;
    int length = most ? (int)((double)point->units / (double)most * width + 0.5) : 0;
    for (int i = 0; i < (length ? length : 1); i++)
        canvas_put(canvas, area, row, NUMBERS_COLS + i, 0x2588, STYLE_HEAT + level);
}

/* How the rows are laid out: columns of `rows` each, from the first shown on. */
static int columns_of(const struct rect *inside)
{
    int columns = inside->cols / COLUMN_COLS;
    return columns < 1 ? 1 : columns > 3 ? 3 : columns;
}

static int rows_of(const struct rect *inside, unsigned count)
{
    int columns = columns_of(inside), rows = ((int)count + columns - 1) / columns;
    return rows > inside->rows - 2 ? inside->rows - 2 : rows;
}

/* What the chosen pitch would change. */
static void draw_chosen(struct canvas *canvas, const struct rect *inside, const struct state *state,
                        const struct pitches *p)
{
    char units[32], ideal[32];
    if ((unsigned)state->chosen >= p->done)
        return;
    const struct pitch_point *point = &p->at[state->chosen];
    pane_count(units, sizeof units, point->units, 20);
    pane_count(ideal, sizeof ideal, point->ideal, 20);
    canvas_format(canvas, inside, inside->rows - 1, 2, STYLE_TEXT,
                  "pitch %u: %s wavefronts, ideal %s%s; enter takes it", point->pitch, units, ideal,
                  point->pitch == p->found.pitch ? " (as it is now)" : "");
}

void pane_pitches(struct canvas *canvas, const struct rect *area, const struct state *state, int index)
{
    const struct side *side = &state->side[index];
    const struct pitches *p = &side->pitches;
    char title[160];
    if (!side->has_pitches || !p->count) {
        (void)canvas_box(canvas, area, STYLE_FOCUS, "pitches");
        return;
    }
    const char *name = p->found.name ? p->found.name : "the tile";
    (void)snprintf(title, sizeof title, "pitches of %s: wavefronts of %s", name,
                   p->whole ? "the launch" : "this block");
    struct rect inside = canvas_box(canvas, area, STYLE_FOCUS, title);
    uint64_t most = 0;
    for (unsigned i = 0; i < p->done; i++)
        most = p->at[i].units > most ? p->at[i].units : most;
    int columns = columns_of(&inside), rows = rows_of(&inside, p->count), page = rows * columns;
    int first = page > 0 ? state->chosen / page * page : 0, width = inside.cols / columns;
    for (int column = 0; column < columns; column++) {
        struct rect part = rect_part(&inside, 0, column * width, inside.rows - 1, width);
        canvas_text(canvas, &part, 0, 2, STYLE_DIM, "pitch   actual to ideal");
        for (int row = 0; row < rows; row++) {
            unsigned at = (unsigned)(first + column * rows + row);
            if (at < p->count)
                draw_point(canvas, &part, row + 1, p, at, most, (int)at == state->chosen);
        }
    }
    draw_chosen(canvas, &inside, state, p);
    pane_range(canvas, area, "rows", first + 1, page, p->count);
}
