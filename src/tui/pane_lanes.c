/* pane_lanes.c - the 32 lanes of the current access, one by one. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../sim/session/explain.h"
#include "pane.h"
#include "panes.h"

enum { WIDE = 48, MEDIUM = 35 }; /* columns for all fields; without the thread */

/* What a lane shares with its neighbours: a sector of global memory, a word of shared memory. */
static int64_t share_of(const struct trace_access *at, unsigned lane)
{
    int64_t address = session_address(&at->access, lane);
    return unit_of(address, at->access.site->kind->space == SPACE_GLOBAL ? SECTOR_BYTES : BANK_BYTES);
}

static bool is_active(const struct trace_access *at, int lane)
{
    return lane >= 0 && lane < LANES && (at->access.mask >> lane & 1);
}

static bool is_shared(const struct trace_access *at, int a, int b)
{
    return is_active(at, a) && is_active(at, b) && share_of(at, (unsigned)a) == share_of(at, (unsigned)b);
}

/* A bracket beside lanes in a row that share. */
static uint32_t bracket(const struct trace_access *at, int lane)
{
    bool above = is_shared(at, lane - 1, lane), below = is_shared(at, lane, lane + 1);
    return above && below ? 0x2502 : above ? 0x2514 : below ? 0x250c : ' ';
}

/* Groups of neighbours get alternating styles. */
static bool is_odd_group(const struct trace_access *at, int lane)
{
    bool odd = false;
    for (int i = 1; i <= lane; i++)
        odd ^= !is_shared(at, i - 1, i);
    return odd;
}

static const char *fault_of(const struct access *access, int lane)
{
    if (access->out_of_bounds >> lane & 1)
        return " OUT OF BOUNDS";
    if (access->misaligned >> lane & 1)
        return " MISALIGNED";
    return access->uninitialized >> lane & 1 ? " UNWRITTEN" : "";
}

static void draw_lane(struct canvas *canvas, const struct rect *area, int row, int lane,
                      const struct side *side)
{
    const struct trace_access *at = side_access(side);
    const struct access *access = &at->access;
    const struct launch *launch = &side->session->scenario.launch;
    uint32_t id = access->warp * LANES + (uint32_t)lane;
    bool wide = area->cols >= WIDE, medium = area->cols >= MEDIUM;
    bool cursor = (unsigned)lane == side->lane;
    bool part = side->part != PART_WHOLE && (side_part_lanes(side) >> lane & 1);
    enum style style = part ? STYLE_PART : is_odd_group(at, lane) ? STYLE_GROUP : STYLE_TEXT;
    int col = 0;
    canvas_put(canvas, area, row, 0, cursor ? 0x203a : ' ', STYLE_TITLE);
    canvas_format(canvas, area, row, 1, cursor ? STYLE_CURSOR : part ? STYLE_PART : STYLE_DIM, "%2d", lane);
    canvas_put(canvas, area, row, 3, part ? 0x25b6 : ' ', STYLE_BAD);
    col = 4;
    if (id >= launch_threads(launch)) {
        canvas_text(canvas, area, row, col, STYLE_INACTIVE, "  no such thread");
        return;
    }
    if (wide) {
        char thread[32];
        (void)snprintf(thread, sizeof thread, "%u,%u", id % launch->block[0],
                       id / launch->block[0] % launch->block[1]);
        col += canvas_format(canvas, area, row, col, is_active(at, lane) ? STYLE_DIM : STYLE_INACTIVE, "%7s ",
                             thread);
    }
    if (!is_active(at, lane)) {
        canvas_text(canvas, area, row, col, STYLE_INACTIVE,
                    medium ? "\u00b7 \u00b7 \u00b7  inactive" : "\u00b7 inactive");
        return;
    }
    int64_t r, c;
    if (medium) {
        char element[48] = "-";
        if (session_element(side->session, access, (unsigned)lane, &r, &c))
            (void)snprintf(element, sizeof element, "%" PRId64 ",%" PRId64, r, c);
        col += canvas_format(canvas, area, row, col, style, "%*s ", wide ? 12 : 9, element);
    }
    col += canvas_format(canvas, area, row, col, style, "%*" PRId64 " ", medium ? 10 : 6,
                         access_offset(access, (unsigned)lane));
    canvas_put(canvas, area, row, col++, bracket(at, lane), style);
    if (access->site->kind->space == SPACE_GLOBAL)
        col += canvas_format(canvas, area, row, col, style, "%*" PRId64, medium ? 9 : 5,
                             share_of(at, (unsigned)lane));
    else
        col += canvas_format(canvas, area, row, col, style, "%*" PRId64 " %2u", medium ? 6 : 4,
                             share_of(at, (unsigned)lane), bank_of(session_address(access, (unsigned)lane)));
    canvas_text(canvas, area, row, col, STYLE_BAD, fault_of(access, lane));
}

static void draw_heading(struct canvas *canvas, const struct rect *area, bool shared)
{
    bool wide = area->cols >= WIDE, medium = area->cols >= MEDIUM;
    char text[120];
    (void)snprintf(text, sizeof text, "%s%s%s%*s  %s", " ln ", wide ? " thread " : "",
                   wide     ? "     element "
                   : medium ? "  element "
                            : "",
                   medium ? 10 : 6, "byte",
                   !shared  ? (medium ? "  sector" : "sect")
                   : medium ? " word bk"
                            : "word bk");
    canvas_text(canvas, area, 0, 0, STYLE_DIM, text);
}

/* 32 lines where there is room, else two columns of 16, else a part of them. */
struct grid {
    int columns, rows, width, visible, scroll;
};

static struct grid grid_of(const struct rect *inside, const struct state *state)
{
    struct grid g = {.columns = inside->rows >= LANES + 1 || inside->cols < 38 ? 1 : 2,
                     .visible = inside->rows - 1};
    g.rows = LANES / g.columns;
    g.width = (inside->cols - (g.columns - 1)) / g.columns;
    g.scroll = state->focus == PANE_LANES ? pane_scroll(state->scroll, g.rows, g.visible) : 0;
    return g;
}

int pane_lanes_lane_at(const struct rect *area, const struct state *state, int index, int row, int col)
{
    (void)index;
    struct rect inside = rect_part(area, 1, 1, area->rows - 2, area->cols - 2);
    const struct grid g = grid_of(&inside, state);
    int line = row - inside.row - 1, column = (col - inside.col) / (g.width + 1);
    if (line < 0 || line >= g.visible || line >= g.rows || col < inside.col || column >= g.columns)
        return -1;
    int lane = column * g.rows + line + g.scroll;
    return lane < LANES ? lane : -1;
}

void pane_lanes(struct canvas *canvas, const struct rect *area, const struct state *state, int index)
{
    const struct side *side = &state->side[index];
    const struct trace_access *at = side_access(side);
    char title[200], text[120] = "";
    if (at)
        explain_site(at->access.site, text, sizeof text);
    (void)snprintf(title, sizeof title, "lanes: warp %u %s", at ? at->access.warp : 0, text);
    struct rect inside = pane_frame(canvas, area, state, index, PANE_LANES, title);
    if (!at) {
        canvas_text(canvas, &inside, 0, 0, STYLE_DIM, "no access");
        return;
    }
    const struct grid g = grid_of(&inside, state);
    if (g.columns == 1)
        pane_range(canvas, area, "lanes", g.scroll, g.visible, g.rows);
    for (int column = 0; column < g.columns; column++) {
        struct rect part = rect_part(&inside, 0, column * (g.width + 1), inside.rows, g.width);
        draw_heading(canvas, &part, at->access.site->kind->space == SPACE_SHARED);
        for (int row = 0; row < g.rows && row < g.visible; row++)
            draw_lane(canvas, &part, row + 1, column * g.rows + row + g.scroll, side);
    }
    int below = g.rows + 2, left = inside.rows - below;
    if (left > 0 && g.visible >= g.rows) {
        char sharing[EXPLAIN_SIZE];
        explain_sharing(at, sharing);
        canvas_wrap(canvas, &inside, below, left, STYLE_TEXT, sharing);
    }
}
