/* pane_totals.c - what it all adds up to: in this block so far, and in the whole launch. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pane.h"
#include "panes.h"

struct columns {
    int label, span; /* of the names, of the four numbers together */
};

static struct columns columns_of(int cols)
{
    int label = cols >= 70 ? 24 : cols >= 50 ? 13 : 9, span = cols - label;
    return (struct columns){label, span > 60 ? 60 : span};
}

/* Where number `index` ends; -1 is where the numbers begin. */
static int column_end(const struct columns *c, int index)
{
    return c->label + (index + 1) * c->span / 4;
}

static void draw_right(struct canvas *canvas, const struct rect *area, int row, const struct columns *c,
                       int index, enum style style, const char *text)
{
    canvas_text(canvas, area, row, column_end(c, index) - (int)strlen(text), style, text);
}

static void draw_number(struct canvas *canvas, const struct rect *area, int row, const struct columns *c,
                        int index, enum style style, uint64_t value)
{
    char text[32];
    pane_count(text, sizeof text, value, column_end(c, index) - column_end(c, index - 1) - 1);
    draw_right(canvas, area, row, c, index, style, text);
}

static void draw_row(struct canvas *canvas, const struct rect *area, int row, const struct columns *c,
                     int kind, uint64_t requests, uint64_t units, uint64_t ideal)
{
    const char *unit = access_kinds[kind].units;
    if (c->label >= 24)
        canvas_format(canvas, area, row, 0, STYLE_TEXT, "%-12s %s", access_kinds[kind].name, unit);
    else
        canvas_text(canvas, area, row, 0, STYLE_TEXT,
                    c->label >= 13 ? access_kinds[kind].name : access_kinds[kind].label);
    enum style style = !requests ? STYLE_INACTIVE : pane_cost_style(units, ideal);
    draw_number(canvas, area, row, c, 0, requests ? STYLE_VALUE : STYLE_INACTIVE, requests);
    draw_number(canvas, area, row, c, 1, style, units);
    draw_number(canvas, area, row, c, 2, requests ? STYLE_VALUE : STYLE_INACTIVE, ideal);
    draw_number(canvas, area, row, c, 3, style, units - ideal);
}

static void draw_heading(struct canvas *canvas, const struct rect *area, int row, const struct columns *c)
{
    static const char *const names[] = {"requests", "actual", "ideal", "excess"};
    for (int i = 0; i < 4; i++)
        draw_right(canvas, area, row, c, i, STYLE_DIM, i == 0 && c->span < 40 ? "reqs" : names[i]);
}

/* Atomics have a row where the kernel has any. */
static bool is_shown(const struct session *session, int kind)
{
    const struct program *program = session->scenario.program;
    bool any = access_kinds[kind].op != ACCESS_ATOMIC;
    for (unsigned i = 0; !any && i < program->site_count; i++)
        any = (int)program->sites[i].kind->id == kind;
    return any;
}

static int draw_block(struct canvas *canvas, const struct rect *area, int row, const struct columns *c,
                      const struct side *side)
{
    const struct trace_access *at = side_access(side);
    const uint32_t *block = side->session->trace.block;
    char where[40], which[80], full[160], shorter[160];
    (void)snprintf(where, sizeof where, "block %u,%u", block[0], block[1]);
    (void)snprintf(which, sizeof which, "access %zu of %zu%s", at ? side->at + 1 : 0,
                   side->session->trace.count, side->session->trace.cut ? "+" : "");
    (void)snprintf(full, sizeof full, "%s so far: %s", where, which);
    (void)snprintf(shorter, sizeof shorter, "%s: %s", where, which);
    canvas_text(canvas, area, row++, 0, STYLE_TITLE, pane_text(area->cols, full, shorter, which));
    for (int i = 0; at && i < ACCESS_KINDS; i++) {
        const struct running *sum = &at->so_far[i];
        if (is_shown(side->session, i))
            draw_row(canvas, area, row++, c, i, sum->requests, sum->units, sum->ideal);
    }
    return row;
}

/* One line of it, for the kind of access that is shown. */
static int draw_block_line(struct canvas *canvas, const struct rect *area, int row, const struct side *side)
{
    const struct trace_access *at = side_access(side);
    if (!at)
        return row;
    enum access_kind_id kind = at->access.site->kind->id;
    const struct running *sum = &at->so_far[kind];
    canvas_format(canvas, area, row, 0, STYLE_DIM, "so far %" PRIu64 " %s: %" PRIu64 " %s%s, ideal %" PRIu64,
                  sum->requests, access_kinds[kind].label, sum->units,
                  access_kinds[kind].space == SPACE_SHARED ? "wavefront" : "sector",
                  sum->units == 1 ? "" : "s", sum->ideal);
    return row + 1;
}

static int draw_numbers(struct canvas *canvas, const struct rect *area, int row, const struct columns *c,
                        const struct session *session)
{
    const struct summary summary = session_summary(session);
    for (int i = 0; i < ACCESS_KINDS; i++)
        if (is_shown(session, i))
            draw_row(canvas, area, row++, c, i, summary.of[i].requests, summary.of[i].units,
                     summary.of[i].ideal);
    return row;
}

static double percent_of(const struct session *session)
{
    return 100.0 * (double)session->counted / (double)session->blocks;
}

static int draw_title(struct canvas *canvas, const struct rect *area, int row, const struct session *session)
{
    char blocks[32];
    pane_count(blocks, sizeof blocks, session->blocks, 14);
    if (session->count_problem.set)
        canvas_format(canvas, area, row, 0, STYLE_BAD, "stopped at %.1f %% of %s blocks", percent_of(session),
                      blocks);
    else if (!session_is_counted(session))
        canvas_format(canvas, area, row, 0, STYLE_WARN, "counting %.1f %% of %s blocks", percent_of(session),
                      blocks);
    else
        canvas_format(canvas, area, row, 0, STYLE_TITLE, "whole launch, %s block%s", blocks,
                      session->blocks == 1 ? "" : "s");
    return 1;
}

/* The same in the width of the names: "launch", or how much of it is counted. */
static int draw_short_title(struct canvas *canvas, const struct rect *area, int row,
                            const struct session *session)
{
    if (session_is_counted(session) && !session->count_problem.set)
        canvas_text(canvas, area, row, 0, STYLE_TITLE, "launch");
    else
        canvas_format(canvas, area, row, 0, STYLE_WARN, "%.1f %%", percent_of(session));
    return 1;
}

static void draw_device(struct canvas *canvas, const struct rect *area, int row,
                        const struct session *session)
{
    const struct summary summary = session_summary(session);
    const struct scenario *s = &session->scenario;
    char block[40], rest[100], full[200], shorter[160];
    const char *limit = occupancy_limit_name(summary.occupancy.limit);
    (void)snprintf(block, sizeof block, "%ux%u, %" PRIu64 " B", s->launch.block[0], s->launch.block[1],
                   s->shared_bytes);
    unsigned blocks = summary.occupancy.blocks;
    (void)snprintf(rest, sizeof rest, "%u an SM (%s)", blocks, limit);
    (void)snprintf(full, sizeof full, "block %s shared: %u block%s an SM (limit: %s)", block, blocks,
                   blocks == 1 ? "" : "s", limit);
    (void)snprintf(shorter, sizeof shorter, "%s shared: %s", block, rest);
    if (row < area->rows)
        canvas_text(canvas, area, row++, 0, STYLE_DIM, pane_text(area->cols, full, shorter, rest));
    if (row < area->rows)
        canvas_wrap(canvas, area, row, area->rows - row, STYLE_DIM, device_rules(s->device));
}

void pane_totals(struct canvas *canvas, const struct rect *area, const struct state *state, int index)
{
    const struct side *side = &state->side[index];
    struct rect inside = pane_frame(canvas, area, state, index, PANE_TOTALS, "totals");
    struct columns c = columns_of(inside.cols);
    int row = 0;
    if (inside.rows < 6) { /* one line for the title and the headings */
        draw_heading(canvas, &inside, row, &c);
        draw_numbers(canvas, &inside, row + draw_short_title(canvas, &inside, row, side->session), &c,
                     side->session);
        return;
    }
    draw_heading(canvas, &inside, row++, &c);
    if (inside.rows >= 11)
        row = draw_block(canvas, &inside, row, &c, side);
    else if (inside.rows >= 7)
        row = draw_block_line(canvas, &inside, row, side);
    row += draw_title(canvas, &inside, row, side->session);
    row = draw_numbers(canvas, &inside, row, &c, side->session);
    draw_device(canvas, &inside, row, side->session);
}
