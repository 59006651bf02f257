/* pane_owners.c - who writes each cell of the output; missing and double cells stand out. Beside it, where
 * the window lies in the whole. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cursor.h"
#include "pane.h"
#include "panes.h"

struct flaws { /* cells of the window */
    int missing, twice, wrong, disagree;
};

/* How a written cell stands out; ' ': not at all. */
static char mark_of(enum cell_state state)
{
    return state == CELL_DISAGREE         ? '#'
           : cell_is_wrong(state)         ? '!'
           : cell_is_written_twice(state) ? '*'
                                          : ' ';
}

static void draw_cell(struct canvas *canvas, const struct rect *area, int row, int col,
                      const struct owner *cell, bool done, bool now, struct flaws *flaws)
{
    char text[4] = ". ";
    enum style style = STYLE_INACTIVE;
    if (cell->writes) {
        text[0] = pane_digit(cell->warp);
        text[1] = mark_of(cell->state);
        style = (cell->block[0] + cell->block[1]) % 2 ? STYLE_GROUP : STYLE_TEXT;
        style = now ? STYLE_MARK : style;
        style = text[1] != ' ' ? STYLE_BAD : style;
    } else if (done) {
        text[0] = 'X';
        style = STYLE_PART;
    }
    flaws->missing += done && cell->state == CELL_MISSING;
    flaws->twice += cell_is_written_twice(cell->state);
    flaws->wrong += cell_is_wrong(cell->state);
    flaws->disagree += cell->state == CELL_DISAGREE;
    canvas_text(canvas, area, row, col, style, text);
}

/* Is the cell written by the access that is shown? */
static bool is_now(const struct side *side, const struct owner *cell, int64_t row, int64_t col)
{
    const struct trace_access *at = side_access(side);
    int64_t r, c;
    if (!at || at->access.site->kind->space != SPACE_GLOBAL || !at->access.site->kind->writes ||
        !cell->writes || cell->lane >= LANES)
        return false;
    return session_element(side->session, &at->access, cell->lane, &r, &c) && r == row && c == col;
}

/* What is wrong with the cells shown, and how much of the launch that speaks of. */
static void draw_flaws(struct canvas *canvas, const struct rect *inside, const struct ownership *o,
                       const struct flaws *flaws)
{
    char full[120], short_one[100];
    int row = inside->rows - 2;
    bool wrong = flaws->missing || flaws->twice || flaws->wrong;
    int used = snprintf(short_one, sizeof short_one, "%d missing, %d twice, %d wrong", flaws->missing,
                        flaws->twice, flaws->wrong);
    if (flaws->disagree)
        (void)snprintf(short_one + used, sizeof short_one - (size_t)used, ", %d disagree", flaws->disagree);
    (void)snprintf(full, sizeof full, "in this window: %s", short_one);
    int col = canvas_text(canvas, inside, row, 0, wrong ? STYLE_BAD : STYLE_GOOD,
                          inside->cols < 60 ? short_one : full);
    int left = inside->cols - col;
    if (o->map.misfit)
        canvas_text(canvas, inside, row, col, STYLE_BAD,
                    pane_text(left, "; a store does not fit the cells' width", "; a store does not fit", ""));
    else if (o->failed)
        canvas_text(canvas, inside, row, col, STYLE_BAD,
                    pane_text(left, "; stopped: a block cannot run", "; stopped", ""));
    else if (!ownership_is_done(o))
        canvas_format(canvas, inside, row, col, STYLE_WARN, "; %.0f %%%s",
                      100.0 * (double)o->done / (double)o->count, left >= 11 ? " run" : "");
    else if (o->nearby)
        canvas_text(canvas, inside, row, col, STYLE_DIM,
                    pane_text(left, "; only blocks nearby were run", "; nearby", ""));
    else
        canvas_text(canvas, inside, row, col, STYLE_DIM,
                    pane_text(left, "; all blocks run", "; all run", ""));
}

/* Does [a, a + n) meet [b, b + m)? */
static bool meets(int64_t a, int64_t n, int64_t b, int64_t m)
{
    return a < b + m && b < a + n;
}

/* The whole output, the window in it, the cursor and the current block. */
static void draw_overview(struct canvas *canvas, const struct rect *area, const struct state *state,
                          const struct side *side)
{
    const struct owners_task task = scenario_task(&side->session->scenario);
    const struct window *w = &side->owners.map.window;
    const struct box *box = &side->session->trace.target;
    int64_t all_rows = task_out_rows(&task), all_cols = task_out_cols(&task);
    int rows = area->rows - 2, cols = area->cols;
    if (rows < 2 || cols < 4)
        return;
    int64_t high = (all_rows + rows - 1) / rows, wide = (all_cols + cols - 1) / cols;
    high = 2 * wide > high ? 2 * wide : high; /* a character is about twice as high as wide */
    wide = (high + 1) / 2;
    canvas_format(canvas, area, 0, 0, STYLE_TITLE, "all %" PRId64 "x%" PRId64, all_rows, all_cols);
    for (int row = 0; row * high < all_rows && row < rows; row++)
        for (int col = 0; col * wide < all_cols && col < cols; col++) {
            bool here = meets(row * high, high, state->cursor_row, 1) &&
                        meets(col * wide, wide, state->cursor_col, 1);
            bool block = meets(row * high, high, box->row0, box->row1 - box->row0) &&
                         meets(col * wide, wide, box->col0, box->col1 - box->col0);
            bool shown = meets(row * high, high, (int64_t)w->row, w->rows) &&
                         meets(col * wide, wide, (int64_t)w->col, w->cols);
            canvas_put(canvas, area, row + 1, col,
                       here    ? 0x25c6
                       : block ? 0x2593
                       : shown ? 0x2591
                               : 0xb7,
                       here    ? STYLE_CURSOR
                       : block ? STYLE_BLOCK
                       : shown ? STYLE_GROUP
                               : STYLE_INACTIVE);
        }
}

/* The cells' part of the pane, and the overview's, empty where there is no room. */
static struct rect cells_area(const struct rect *inside, struct rect *overview)
{
    int beside = inside->cols >= OWNERS_OVERVIEW_FROM ? OWNERS_OVERVIEW : 0;
    *overview = (struct rect){0, 0, 0, 0};
    if (beside)
        *overview = rect_part(inside, 0, inside->cols - beside + 2, inside->rows - 3, beside - 2);
    return rect_part(inside, 0, 0, inside->rows - 3, inside->cols - beside);
}

void pane_owners(struct canvas *canvas, const struct rect *area, const struct state *state, int index)
{
    const struct side *side = &state->side[index];
    const struct ownership *o = &side->owners;
    const struct window *w = &o->map.window;
    struct flaws flaws = {0, 0, 0, 0};
    struct rect overview,
        inside = canvas_box(canvas, area, index == state->active ? STYLE_FOCUS : STYLE_FRAME,
                            pane_text(area->cols - 6, "owners: the warp that writes each output cell",
                                      "owners: who writes each cell", "owners"));
    if (!side->has_owners || inside.rows < 6)
        return;
    struct rect cells = cells_area(&inside, &overview);
    bool done = ownership_is_done(o) && !o->failed && !o->nearby;
    int64_t row0 = (int64_t)w->row, col0 = (int64_t)w->col;
    for (int row = 0; row < (int)w->rows; row++) {
        canvas_format(canvas, &cells, row + 1, 0, STYLE_DIM, "%5" PRId64, row0 + row);
        for (int col = 0; col < (int)w->cols; col++) {
            const struct owner *cell = &o->map.cells[row * (int)w->cols + col];
            draw_cell(canvas, &cells, row + 1, 6 + 2 * col, cell, done,
                      is_now(side, cell, row0 + row, col0 + col), &flaws);
            if (row0 + row == state->cursor_row && col0 + col == state->cursor_col)
                canvas_restyle(canvas, &cells, row + 1, 6 + 2 * col, 1, STYLE_CURSOR);
        }
    }
    canvas_format(canvas, &cells, 0, 0, STYLE_DIM, "rows %" PRId64 "-%" PRId64 ", cols %" PRId64 "-%" PRId64,
                  row0, row0 + w->rows - 1, col0, col0 + w->cols - 1);
    draw_overview(canvas, &overview, state, side);
    if (index == state->active)
        canvas_text(canvas, &inside, inside.rows - 3, 0, STYLE_VALUE, state->story.words);
    draw_flaws(canvas, &inside, o, &flaws);
    canvas_text(
        canvas, &inside, inside.rows - 1, 0, STYLE_DIM,
        pane_text(
            inside.cols,
            "0-9a-v warp  X nobody  * more than once  ! wrong element  # writers disagree  shades: blocks",
            "0-9a-v warp  X nobody  * twice  ! wrong  # disagree  shades: blocks",
            "0-v warp X none *twice !wrong #differ"));
}

bool pane_owners_cell_at(const struct rect *area, const struct state *state, int index, int row, int col,
                         int64_t *cell_row, int64_t *cell_col)
{
    const struct side *side = &state->side[index];
    const struct window *w = &side->owners.map.window;
    int r = row - area->row - 2, c = (col - area->col - 1 - 6) / 2;
    if (!side->has_owners || r < 0 || col < area->col + 7 || r >= (int)w->rows || c >= (int)w->cols)
        return false;
    *cell_row = (int64_t)w->row + r;
    *cell_col = (int64_t)w->col + c;
    return true;
}
