#include "view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../sim/report/scenario_data.h"
#include "../../sim/session/explain.h"
#include "bar.h"
#include "fields.h"
#include "pane.h"
#include "panes.h"

/* One field of the header, where it fits whole; while it is edited, what is typed stands in its place. */
static int draw_field(struct canvas *canvas, const struct rect *area, int col, const struct state *state,
                      int side, enum field field)
{
    const struct session *session = state->side[side].session;
    uint64_t value = field_value(session, field);
    bool edited = state->prompt == PROMPT_FIELD && state->field == field && side == state->active;
    char text[64];
    const char *label = fields[field].label, *unit = fields[field].unit;
    int cols = snprintf(text, sizeof text, "%s%" PRIu64, label, value);
    if (!edited && (!value || col + cols > area->cols))
        return col;
    col += canvas_text(canvas, area, 0, col, STYLE_DIM, label);
    if (edited)
        col += canvas_format(canvas, area, 0, col, STYLE_PROMPT, "%s_", state->typed);
    else
        col += canvas_format(canvas, area, 0, col, STYLE_VALUE, "%" PRIu64, value);
    return col + (int)strlen(unit) <= area->cols ? col + canvas_text(canvas, area, 0, col, STYLE_DIM, unit)
                                                 : col;
}

/* What buffers are assumed to hold, as far as there is room. */
static void draw_data(struct canvas *canvas, const struct rect *area, int col, const struct scenario *s)
{
    for (unsigned i = 0; i < s->data_count; i++) {
        col += canvas_format(canvas, area, 0, col, STYLE_DIM, i ? ", " : "  data ");
        col += canvas_format(canvas, area, 0, col, STYLE_VALUE, "%s=%.*s", s->data[i].name,
                             (int)s->data[i].text.size, s->data[i].text.bytes);
    }
}

static void draw_header(struct canvas *canvas, const struct state *state, int index)
{
    const struct rect *area = &state->layout.header[index];
    const struct side *side = &state->side[index];
    const struct session *session = side->session;
    bool active = state->sides == 2 && index == state->active;
    int col = 0;
    if (state->sides == 1)
        col += canvas_text(canvas, area, 0, col, STYLE_DIM, "lanescope ");
    col += canvas_text(canvas, area, 0, col, active ? STYLE_PROMPT : STYLE_TITLE, active ? ">" : " ");
    const char *slash = strrchr(session->name, '/');
    col += canvas_format(canvas, area, 0, col, active ? STYLE_PROMPT : STYLE_TITLE, "%.24s",
                         slash ? slash + 1 : session->name);
    for (int field = 0; field < FIELD_COUNT; field++)
        col = draw_field(canvas, area, col, state, index, (enum field)field);
    if (side->waiting)
        canvas_text(canvas, area, 0, area->cols - 8, STYLE_WARN, " (waits)");
    else if (area->cols >= 78)
        col += canvas_format(canvas, area, 0, col, STYLE_DIM, "  %s %s", session->scenario.device->name,
                             session->scenario.device->verified ? "verified" : "rules assumed");
    if (!side->waiting)
        draw_data(canvas, area, col, &session->scenario);
}

/* Comparing: what the access costs on each side, below its half. Returns the lines used. */
static int draw_both(struct canvas *canvas, const struct state *state)
{
    for (int i = 0; i < state->sides; i++) {
        const struct rect *header = &state->layout.header[i];
        const struct rect area = {state->layout.hint.row, header->col + 1, 1, header->cols - 2};
        const struct trace_access *access = side_access(&state->side[i]);
        if (!access || state->side[i].waiting) {
            canvas_text(canvas, &area, 0, 0, STYLE_DIM, "waits: no such access here");
            continue;
        }
        bool shared = access->access.site->kind->space == SPACE_SHARED;
        canvas_format(canvas, &area, 0, 0, pane_cost_style(access->cost.units, access->cost.ideal),
                      "%u %s%s, ideal %u", access->cost.units, shared ? "wavefront" : "sector",
                      access->cost.units == 1 ? "" : "s", access->cost.ideal);
    }
    return 1;
}

/* What just happened, if anything, and what the current access does. */
static void draw_hint(struct canvas *canvas, const struct state *state)
{
    const struct rect *hint = &state->layout.hint;
    struct rect area = rect_part(hint, 0, 1, hint->rows, hint->cols - 2);
    char text[EXPLAIN_SIZE];
    int row = state->sides == 2 && (state->view == VIEW_PANES || state->view == VIEW_OWNERS)
                  ? draw_both(canvas, state)
                  : 0;
    if (state->message[0])
        row += canvas_wrap(canvas, &area, row, area.rows - row,
                           state->message_is_bad ? STYLE_BAD : STYLE_TITLE, state->message);
    if (state->view != VIEW_PANES && state->view != VIEW_OWNERS)
        return;
    const struct side *side = &state->side[state->active];
    const struct trace_access *access = side_access(side);
    explain_overflow(side->session, text);
    row += canvas_wrap(canvas, &area, row, 1, STYLE_BAD, text);
    if (!access) {
        canvas_text(canvas, &area, row, 0, STYLE_DIM,
                    "This block touches no memory: it lies beyond the matrix.");
        return;
    }
    if (side->part != PART_WHOLE) {
        explain_part(access, (unsigned)side->part, text);
        row += canvas_wrap(canvas, &area, row, 1, STYLE_TITLE, text);
    }
    explain_access(side->session, access, text);
    const struct access *a = &access->access;
    bool faulty = a->out_of_bounds || a->misaligned || a->uninitialized;
    canvas_wrap(canvas, &area, row, area.rows - row,
                faulty ? STYLE_BAD : pane_cost_style(access->cost.units, access->cost.ideal), text);
}

static void draw_too_small(struct canvas *canvas, const struct state *state)
{
    struct rect area = canvas_rect(canvas);
    int middle = state->rows / 2;
    canvas_format(canvas, &area, middle > 0 ? middle - 1 : 0, 0, STYLE_TITLE, "lanescope needs %d x %d",
                  LAYOUT_COLS, LAYOUT_ROWS);
    canvas_format(canvas, &area, middle > 0 ? middle : 1, 0, STYLE_TEXT, "here: %d x %d; q quits",
                  state->cols, state->rows);
}

static void draw_panes(struct canvas *canvas, const struct state *state)
{
    static void (*const draw[PANE_COUNT])(struct canvas *, const struct rect *, const struct state *, int) = {
        pane_source, pane_lanes, pane_matrix, pane_tile, pane_totals};
    for (int side = 0; side < state->sides; side++)
        for (int pane = 0; pane < PANE_COUNT; pane++) {
            const struct rect *area = &state->layout.pane[side][pane];
            if (area->rows > 0 && area->cols > 0)
                draw[pane](canvas, area, state, side);
        }
}

void view_draw(struct canvas *canvas, const struct state *state)
{
    canvas->ascii = state->ascii;
    canvas_clear(canvas);
    if (state->layout.too_small) {
        draw_too_small(canvas, state);
        return;
    }
    enum view view = state->view;
    for (int side = 0; side < state->sides; side++)
        draw_header(canvas, state, side);
    if (state->lab_only)
        canvas_text(canvas, &state->layout.header[0], 0, 0, STYLE_DIM, "lanescope modular");
    if (view == VIEW_LAB)
        lab_draw(canvas, &state->layout.body, &state->lab);
    else if (view == VIEW_HELP)
        pane_help(canvas, &state->layout.body, state);
    else if (view == VIEW_PANES)
        draw_panes(canvas, state);
    for (int side = 0; view == VIEW_OWNERS && side < state->sides; side++) {
        int width = state->layout.body.cols / state->sides;
        struct rect area = rect_part(&state->layout.body, 0, side * width, state->layout.body.rows, width);
        pane_owners(canvas, &area, state, side);
    }
    draw_hint(canvas, state);
    bar_draw(canvas, state);
}
