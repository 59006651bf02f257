/* pane_owners.c - who writes each cell of the output; missing and double cells stand out. */
#include <inttypes.h>
#include <stdio.h>

#include "pane.h"
#include "panes.h"

struct verdict {
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
                      const struct owner *cell, bool done, bool now, struct verdict *verdict)
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
    verdict->missing += done && cell->state == CELL_MISSING;
    verdict->twice += cell_is_written_twice(cell->state);
    verdict->wrong += cell_is_wrong(cell->state);
    verdict->disagree += cell->state == CELL_DISAGREE;
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
static void draw_verdict(struct canvas *canvas, const struct rect *inside, const struct ownership *o,
                         const struct verdict *verdict)
{
    char full[120], short_one[100];
    int row = inside->rows - 2;
    bool wrong = verdict->missing || verdict->twice || verdict->wrong;
    int used = snprintf(short_one, sizeof short_one, "%d missing, %d twice, %d wrong", verdict->missing,
                        verdict->twice, verdict->wrong);
    if (verdict->disagree)
        (void)snprintf(short_one + used, sizeof short_one - (size_t)used, ", %d disagree", verdict->disagree);
    (void)snprintf(full, sizeof full, "shown: %s", short_one);
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

void pane_owners(struct canvas *canvas, const struct rect *area, const struct state *state, int index)
{
    const struct side *side = &state->side[index];
    const struct ownership *o = &side->owners;
    const struct window *w = &o->map.window;
    struct verdict verdict = {0, 0, 0, 0};
    struct rect inside = canvas_box(canvas, area, index == state->active ? STYLE_FOCUS : STYLE_FRAME,
                                    pane_text(area->cols - 6, "owners: the warp that writes each output cell",
                                              "owners: who writes each cell", "owners"));
    if (!side->has_owners || inside.rows < 4)
        return;
    bool done = ownership_is_done(o) && !o->failed && !o->nearby;
    int64_t row0 = (int64_t)w->row, col0 = (int64_t)w->col;
    for (int row = 0; row < (int)w->rows && row < inside.rows - 3; row++) {
        canvas_format(canvas, &inside, row + 1, 0, STYLE_DIM, "%5" PRId64, row0 + row);
        for (int col = 0; col < (int)w->cols; col++) {
            const struct owner *cell = &o->map.cells[row * (int)w->cols + col];
            draw_cell(canvas, &inside, row + 1, 6 + 2 * col, cell, done,
                      is_now(side, cell, row0 + row, col0 + col), &verdict);
        }
    }
    canvas_format(canvas, &inside, 0, 0, STYLE_DIM, "rows %" PRId64 "-%" PRId64 ", cols %" PRId64 "-%" PRId64,
                  row0, row0 + w->rows - 1, col0, col0 + w->cols - 1);
    draw_verdict(canvas, &inside, o, &verdict);
    canvas_text(
        canvas, &inside, inside.rows - 1, 0, STYLE_DIM,
        pane_text(
            inside.cols,
            "0-9a-v warp  X nobody  * more than once  ! wrong element  # writers disagree  shades: blocks",
            "0-9a-v warp  X nobody  * twice  ! wrong  # disagree  shades: blocks",
            "0-v warp X none *twice !wrong #differ"));
}
