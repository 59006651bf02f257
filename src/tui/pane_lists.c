/* pane_lists.c - what is wrong, and what costs most: lists with a chosen row. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "list.h"
#include "palette.h"
#include "pane.h"
#include "panes.h"

/* Lines below a list for what the chosen row means. */
#define DETAIL_ROWS(rows) ((rows) > 14 ? 7 : 5)

static void mark_chosen(struct canvas *canvas, const struct rect *area, int row, bool chosen)
{
    canvas_put(canvas, area, row, 0, chosen ? 0x203a : ' ', STYLE_TITLE);
    if (chosen)
        canvas_restyle(canvas, area, row, 1, area->cols - 1, STYLE_CURSOR);
}

static void draw_finding(struct canvas *canvas, const struct rect *area, int row, const struct finding *f,
                         bool chosen)
{
    char where[60] = "";
    int col = 2;
    enum style style = verdict_leads(f) ? STYLE_BAD : f->severity == FINDING_FAULT ? STYLE_WARN : STYLE_DIM;
    if (f->line)
        canvas_format(canvas, area, row, col, STYLE_VALUE, "line %d", f->line);
    col += 10;
    col += canvas_text(canvas, area, row, col, STYLE_DIM, f->cause >= 0 ? "  it follows: " : "");
    col += canvas_text(canvas, area, row, col, STYLE_DIM, f->severity == FINDING_FAULT ? "" : "note: ");
    col += canvas_text(canvas, area, row, col, style, finding_title(f->kind));
    if (f->has_thread)
        (void)snprintf(where, sizeof where, "block %u,%u warp %u lane %u", f->thread.block[0],
                       f->thread.block[1], f->thread.warp, f->thread.lane);
    int end = area->cols - (int)strlen(where);
    if (end > col + 1)
        canvas_text(canvas, area, row, end, STYLE_DIM, where);
    mark_chosen(canvas, area, row, chosen);
}

/* What was found of the launch so far, and what the chosen one means. */
void pane_findings(struct canvas *canvas, const struct rect *area, const struct state *state, int index)
{
    const struct side *side = &state->side[index];
    const struct verdict *verdict = &side->verdict;
    char title[120] = "findings: not yet known", headline[100];
    if (side->has_verdict) {
        verdict_headline(verdict, area->cols - 16, headline, sizeof headline);
        (void)snprintf(title, sizeof title, "findings: %s", headline);
    }
    struct rect inside = canvas_box(canvas, area, STYLE_FOCUS, title);
    int count = side->has_verdict ? (int)verdict_count(verdict) : 0, below = DETAIL_ROWS(inside.rows);
    if (side->has_verdict && verdict->problem.set)
        canvas_wrap(canvas, &inside, count ? inside.rows - 2 : 2, 2, STYLE_DIM, verdict->problem.message);
    if (!count) {
        canvas_text(canvas, &inside, 0, 1, STYLE_GOOD,
                    side->has_verdict && verdict->finished && !verdict->problem.set
                        ? "Nothing is wrong."
                        : "Nothing is wrong as far as it is known.");
        return;
    }
    struct rect list = rect_part(&inside, 0, 0, inside.rows - below, inside.cols);
    int top = list_top(state, list.rows);
    for (int row = 0; row < list.rows && top + row < count; row++)
        draw_finding(canvas, &list, row, verdict_finding(verdict, (size_t)(top + row)),
                     top + row == state->chosen);
    pane_range(canvas, area, "findings", top + 1, list.rows, count);
    struct rect detail = rect_part(&inside, inside.rows - below + 1, 2, below - 1, inside.cols - 4);
    if (state->chosen < count)
        canvas_wrap(canvas, &detail, 0, detail.rows, STYLE_TEXT,
                    verdict_finding(verdict, (size_t)state->chosen)->sentence);
}

static void draw_bar(struct canvas *canvas, const struct rect *area, int row, int col, int width,
                     uint64_t value, uint64_t most, unsigned level)
{
    int length = most ? (int)((double)value / (double)most * width + 0.5) : 0;
    length = value && !length ? 1 : length;
    for (int i = 0; i < length; i++)
        canvas_put(canvas, area, row, col + i, 0x2588, STYLE_HEAT + level);
}

/* The warps of the launch that are furthest above their ideal at one line. */
void pane_worst(struct canvas *canvas, const struct rect *area, const struct state *state, int index)
{
    const struct session *session = state->side[index].session;
    const struct worst *worst = &session->worst;
    char title[120];
    (void)snprintf(title, sizeof title, "worst warps of %s",
                   session_is_ranked(session) ? "the launch" : "the blocks counted so far");
    struct rect inside = canvas_box(canvas, area, STYLE_FOCUS, title);
    if (!worst->count) {
        canvas_text(canvas, &inside, 0, 1, STYLE_GOOD, "No warp is above its ideal.");
        return;
    }
    canvas_text(canvas, &inside, 0, 2, STYLE_DIM,
                "block        warp  line  kind         reqs   actual    ideal   excess");
    struct rect list = rect_part(&inside, 1, 0, inside.rows - 1, inside.cols);
    int top = list_top(state, list.rows);
    for (int row = 0; row < list.rows && top + row < (int)worst->count; row++) {
        const struct worst_row *w = &worst->rows[top + row];
        const struct site *site = &session->scenario.program->sites[w->site];
        char block[40];
        (void)snprintf(block, sizeof block, "%u,%u", w->block[0], w->block[1]);
        int col = 2 + canvas_format(canvas, &list, row, 2, STYLE_VALUE, "%-12s %4u %5d  %-9s %7" PRIu64,
                                    block, w->warp, site->line, site->kind->label, w->requests);
        col += canvas_format(canvas, &list, row, col, pane_cost_style(w->units, w->ideal),
                             " %8" PRIu64 " %8" PRIu64 " %8" PRIu64, w->units, w->ideal, w->units - w->ideal);
        mark_chosen(canvas, &list, row, top + row == state->chosen);
        draw_bar(canvas, &list, row, col + 2, list.cols - col - 3, w->units - w->ideal,
                 worst->rows[0].units - worst->rows[0].ideal, heat_ratio_level(w->units, w->ideal));
    }
    pane_range(canvas, area, "rows", top + 1, list.rows, worst->count);
}

int pane_list_row_at(const struct state *state, int row)
{
    int first = state->layout.body.row + (state->view == VIEW_FINDINGS ? 1 : 2);
    int rows = state->layout.body.rows - (state->view == VIEW_FINDINGS ? 2 : 3);
    if (state->view == VIEW_FINDINGS)
        rows -= DETAIL_ROWS(rows);
    return row < first || row >= first + rows ? -1 : row - first + list_top(state, rows);
}
