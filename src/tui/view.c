#include "view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../sim/session/explain.h"
#include "bar.h"
#include "header.h"
#include "pane.h"
#include "panes.h"
#include "where.h"

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

/* The lane at the cursor, on the last lines: two where its numbers need them and the rest does not. Returns
 * the lines taken. */
static int draw_lane(struct canvas *canvas, const struct rect *area, const struct state *state, int needed)
{
    const struct side *side = &state->side[state->active];
    const struct trace_access *access = side_access(side);
    char text[LANE_SIZE + 40];
    if (!access)
        return 0;
    bool on = access->access.mask >> side->lane & 1;
    int label = snprintf(text, sizeof text, "lane %u: ", side->lane);
    (void)snprintf(text + label, sizeof text - (size_t)label, "%s", side->lane_words);
    struct rect nowhere = {0, 0, 0, area->cols};
    int lines = canvas_wrap(canvas, &nowhere, 0, 2, STYLE_TEXT, text);
    lines = lines > area->rows - needed ? area->rows - needed : lines;
    lines = lines < 1 ? 1 : lines;
    int row = area->rows - lines;
    canvas_wrap(canvas, area, row, lines, on ? STYLE_GROUP : STYLE_DIM, text);
    canvas_restyle(canvas, area, row, 0, label - 1, STYLE_TITLE);
    return lines;
}

/* What the file on the disk suffers from, with the line and a caret under the place. */
static void draw_broken(struct canvas *canvas, const struct rect *area, const struct problem *problem)
{
    char text[PROBLEM_MESSAGE_SIZE + PROBLEM_LINE_SIZE + 40];
    bool has_place = problem->file[0] != '\0';
    if (has_place)
        (void)snprintf(text, sizeof text, "%s:%d:%d: %s", problem->file, problem->line, problem->column,
                       problem->message);
    else
        (void)snprintf(text, sizeof text, "%s", problem->message);
    int row = canvas_wrap(canvas, area, 0, area->rows - (has_place ? 2 : 0), STYLE_BAD, text);
    int caret = (int)problem->caret, shift = caret < area->cols - 6 ? 0 : caret - area->cols + 12;
    if (!has_place)
        return;
    struct rect line = rect_part(area, row, 4, 2, area->cols - 4);
    canvas_text(canvas, &line, 0, -shift, STYLE_TEXT, problem->source_line);
    canvas_put(canvas, &line, 1, caret - shift, '^', STYLE_BAD);
}

/* What the text that is shown suffers from, and what to do. */
static void draw_cure(struct canvas *canvas, const struct rect *area, const struct state *state)
{
    char text[PROBLEM_MESSAGE_SIZE + PROBLEM_LINE_SIZE + 40];
    const struct problem *problem = &state->broken;
    bool here = strcmp(problem->file, state->file.name) == 0;
    if (problem->file[0] && !here) { /* of an included file: its line is not on the screen */
        draw_broken(canvas, area, problem);
        return;
    }
    if (problem->line)
        (void)snprintf(text, sizeof text, "line %d: %s", problem->line, problem->message);
    else
        (void)snprintf(text, sizeof text, "%s", problem->message);
    int row = canvas_wrap(canvas, area, 0, area->rows - 1, STYLE_BAD, text);
    canvas_wrap(
        canvas, area, row, area->rows - row, STYLE_TEXT,
        "E opens it in an editor; or mend it in yours: as soon as it is saved it is read again here.");
}

/* What just happened, if anything, and what the current access does. */
static void draw_hint(struct canvas *canvas, const struct state *state)
{
    const struct rect *hint = &state->layout.hint;
    struct rect area = rect_part(hint, 0, 1, hint->rows, hint->cols - 2);
    char text[EXPLAIN_SIZE + LANE_SIZE];
    int row = state->sides == 2 && (state->view == VIEW_PANES || state->view == VIEW_OWNERS)
                  ? draw_both(canvas, state)
                  : 0;
    if (state->broken.set && !state->message[0]) {
        if (state->view == VIEW_BROKEN)
            draw_cure(canvas, &area, state);
        else
            draw_broken(canvas, &area, &state->broken);
        return;
    }
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
    size_t used = strlen(text);
    if (side->off_words[0] && strcmp(side->off_words, "off") != 0)
        (void)snprintf(text + used, sizeof text - used, " Lane %u: %s.", side->off_lane, side->off_words);
    const struct access *a = &access->access;
    bool faulty = a->out_of_bounds || a->misaligned || a->uninitialized;
    struct rect nowhere = {0, 0, 0, area.cols};
    int needed = row + canvas_wrap(canvas, &nowhere, 0, area.rows, STYLE_TEXT, text);
    int lane = draw_lane(canvas, &area, state, needed);
    canvas_wrap(canvas, &area, row, area.rows - lane - row,
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
    canvas->light = state->light;
    canvas_clear(canvas);
    if (state->layout.too_small) {
        draw_too_small(canvas, state);
        return;
    }
    enum view view = state->view;
    where_draw(canvas, state);
    for (int side = 0; side < state->sides; side++)
        header_draw(canvas, state, side);
    if (!state->sides)
        header_draw_alone(canvas, state);
    if (view == VIEW_LAB)
        lab_draw(canvas, &state->layout.body, &state->lab);
    else if (view == VIEW_HELP)
        pane_help(canvas, &state->layout.body, state);
    else if (view == VIEW_GLOSSARY)
        pane_glossary(canvas, &state->layout.body, state);
    else if (view == VIEW_FINDINGS)
        pane_findings(canvas, &state->layout.body, state, state->active);
    else if (view == VIEW_WORST)
        pane_worst(canvas, &state->layout.body, state, state->active);
    else if (view == VIEW_BROKEN)
        pane_broken(canvas, &state->layout.body, state);
    else if (view == VIEW_PITCHES)
        pane_pitches(canvas, &state->layout.body, state, state->active);
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
