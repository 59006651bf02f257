#include "where.h"

#include <stdio.h>

#include "../../sim/session/explain.h"
#include "pane.h"

static int draw_word(struct canvas *canvas, const struct rect *area, int col, const char *name,
                     const char *value)
{
    col += canvas_format(canvas, area, 0, col, STYLE_DIM, "%s ", name);
    return col + canvas_text(canvas, area, 0, col, STYLE_VALUE, value) + 2;
}

static int draw_pass(struct canvas *canvas, const struct rect *area, int col, const struct side *side,
                     const struct trace_access *at)
{
    char text[40];
    bool shared = at->access.site->kind->space == SPACE_SHARED;
    unsigned parts = access_parts(at);
    if (side->part == PART_WHOLE && parts != 1)
        (void)snprintf(text, sizeof text, "all %u", parts);
    else
        (void)snprintf(text, sizeof text, "%d/%u", side->part == PART_WHOLE ? 1 : side->part + 1, parts);
    return draw_word(canvas, area, col, shared ? "pass" : "sector", text);
}

void where_draw(struct canvas *canvas, const struct state *state)
{
    if (!state->sides)
        return;
    const struct side *side = &state->side[state->active];
    const struct trace *trace = &side->session->trace;
    const struct trace_access *at = side_access(side);
    struct rect area = rect_part(&state->layout.where, 0, 1, 1, state->layout.where.cols - 2);
    char text[160];
    if (side->session->scenario.launch.grid[2] > 1)
        (void)snprintf(text, sizeof text, "%u,%u,%u", trace->block[0], trace->block[1], trace->block[2]);
    else
        (void)snprintf(text, sizeof text, "%u,%u", trace->block[0], trace->block[1]);
    int col = draw_word(canvas, &area, 0, "block", text);
    if (!at) {
        canvas_text(canvas, &area, 0, col, STYLE_DIM, "no access");
        return;
    }
    (void)snprintf(text, sizeof text, "%u", at->access.warp);
    col = draw_word(canvas, &area, col, "warp", text);
    (void)snprintf(text, sizeof text, "%u", side->lane);
    col = draw_word(canvas, &area, col, "lane", text);
    (void)snprintf(text, sizeof text, "%d", at->access.site->line);
    col = draw_word(canvas, &area, col, "line", text);
    col = draw_pass(canvas, &area, col, side, at);
    (void)snprintf(text, sizeof text, "%zu/%zu%s", side->at + 1, trace->count, trace->cut ? "+" : "");
    col = draw_word(canvas, &area, col, "access", text);
    explain_site(at->access.site, text, sizeof text);
    if (col + 1 < area.cols)
        canvas_format(canvas, &area, 0, col, STYLE_DIM, "%.*s", area.cols - col, text);
}
