/* pane_owners.c - who writes each cell of the output; missing and double cells stand out. */
#include <inttypes.h>
#include <stdio.h>

#include "view.h"

struct verdict {
    int missing, twice, wrong;
};

static void draw_cell(struct canvas *canvas, const struct rect *area, int row, int col,
                      const struct owner_cell *cell, bool done, bool now, struct verdict *verdict)
{
    char text[4] = ". ";
    enum style style = STYLE_INACTIVE;
    if (cell->writes) {
        text[0] = digit_of(cell->warp);
        text[1] = cell->wrong ? '!' : cell->writes > 1 ? '*' : ' ';
        style = (cell->block[0] + cell->block[1]) % 2 ? STYLE_GROUP : STYLE_TEXT;
        style = now ? STYLE_MARK : style;
        style = cell->wrong || cell->writes > 1 ? STYLE_BAD : style;
    } else if (done) {
        text[0] = 'X';
        style = STYLE_PART;
    }
    verdict->missing += done && !cell->writes;
    verdict->twice += cell->writes > 1;
    verdict->wrong += cell->wrong;
    canvas_text(canvas, area, row, col, style, text);
}

/* Is the cell written by the access that is shown? */
static bool is_now(const struct side *side, const struct owner_cell *cell, int64_t row, int64_t col)
{
    const struct trace_access *at = side_access(side);
    int64_t r, c;
    if (!at || at->access.site->space != SPACE_GLOBAL || at->access.site->op != ACCESS_STORE ||
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
    (void)snprintf(short_one, sizeof short_one, "%d missing, %d twice, %d wrong", verdict->missing,
                   verdict->twice, verdict->wrong);
    (void)snprintf(full, sizeof full, "shown: %s", short_one);
    int col = canvas_text(canvas, inside, row, 0, wrong ? STYLE_BAD : STYLE_GOOD,
                          inside->cols < 60 ? short_one : full);
    int left = inside->cols - col;
    if (o->failed)
        canvas_text(canvas, inside, row, col, STYLE_BAD,
                    text_that_fits(left, "; stopped: a block cannot run", "; stopped", ""));
    else if (!ownership_is_done(o))
        canvas_format(canvas, inside, row, col, STYLE_WARN, "; %.0f %%%s",
                      100.0 * (double)o->done / (double)o->count, left >= 11 ? " run" : "");
    else if (o->nearby)
        canvas_text(canvas, inside, row, col, STYLE_DIM,
                    text_that_fits(left, "; only blocks nearby were run", "; nearby", ""));
    else
        canvas_text(canvas, inside, row, col, STYLE_DIM,
                    text_that_fits(left, "; all blocks run", "; all run", ""));
}

void pane_owners(struct canvas *canvas, const struct rect *area, const struct state *state, int index)
{
    const struct side *side = &state->side[index];
    const struct ownership *o = &side->owners;
    struct verdict verdict = {0, 0, 0};
    struct rect inside =
        canvas_box(canvas, area, index == state->active ? STYLE_FOCUS : STYLE_FRAME,
                   text_that_fits(area->cols - 6, "owners: the warp that writes each output cell",
                                  "owners: who writes each cell", "owners"));
    if (!side->has_owners || inside.rows < 4)
        return;
    bool done = ownership_is_done(o) && !o->failed && !o->nearby;
    for (int row = 0; row < o->rows && row < inside.rows - 3; row++) {
        canvas_format(canvas, &inside, row + 1, 0, STYLE_DIM, "%5" PRId64, o->row0 + row);
        for (int col = 0; col < o->cols; col++) {
            const struct owner_cell *cell = &o->cells[row * o->cols + col];
            draw_cell(canvas, &inside, row + 1, 6 + 2 * col, cell, done,
                      is_now(side, cell, o->row0 + row, o->col0 + col), &verdict);
        }
    }
    canvas_format(canvas, &inside, 0, 0, STYLE_DIM, "rows %" PRId64 "-%" PRId64 ", cols %" PRId64 "-%" PRId64,
                  o->row0, o->row0 + o->rows - 1, o->col0, o->col0 + o->cols - 1);
    draw_verdict(canvas, &inside, o, &verdict);
    canvas_text(
        canvas, &inside, inside.rows - 1, 0, STYLE_DIM,
        text_that_fits(inside.cols,
                       "0-9a-v warp  X nobody  * more than once  ! not the right element  shades: blocks",
                       "0-9a-v warp  X nobody  * more than once  ! wrong element  shades: blocks",
                       "0-v warp  X none  * twice  ! wrong"));
}
