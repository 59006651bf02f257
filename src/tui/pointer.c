#include "pointer.h"

#include <stdio.h>

#include "cursor.h"
#include "history.h"
#include "list.h"
#include "motion.h"
#include "panes.h"
#include "show.h"

static bool is_in(const struct rect *area, const struct pointer_event *event)
{
    return event->row >= area->row && event->row < area->row + area->rows && event->col >= area->col &&
           event->col < area->col + area->cols;
}

/* The next access at that line, from the current one on; the line is marked where there is none. */
static void click_line(struct state *state, int line)
{
    struct side *side = state_side(state);
    const struct trace *trace = &side->session->trace;
    for (size_t i = 0; i < trace->count; i++) {
        size_t at = (side->at + 1 + i) % trace->count;
        if (trace->at[at].access.site->line != line)
            continue;
        history_note(state);
        (void)move_to(state, trace->block, at, PART_WHOLE);
        return;
    }
    char text[80];
    (void)snprintf(text, sizeof text, "line %d touches no memory in this block", line);
    state_say(state, false, text);
}

static void click_pane(struct state *state, enum pane pane, const struct pointer_event *event)
{
    const struct rect *area = &state->layout.pane[state->active][pane];
    int64_t row, col;
    int hit;
    switch (pane) {
    case PANE_SOURCE:
        hit = pane_source_line_at(area, state, state->active, event->row);
        if (hit)
            click_line(state, hit);
        break;
    case PANE_LANES:
        hit = pane_lanes_lane_at(area, state, state->active, event->row, event->col);
        if (hit >= 0)
            state_side(state)->lane = (unsigned)hit;
        break;
    case PANE_MATRIX:
        if (pane_matrix_cell_at(area, state, state->active, event->row, event->col, &row, &col))
            cursor_place(state, row, col);
        break;
    case PANE_TILE:
        hit = pane_tile_lane_at(area, state, state->active, event->row, event->col);
        if (hit >= 0)
            state_side(state)->lane = (unsigned)hit;
        break;
    default:
        break;
    }
}

static void click_panes(struct state *state, const struct pointer_event *event)
{
    for (int side = 0; side < state->sides; side++)
        for (int pane = 0; pane < PANE_COUNT; pane++) {
            const struct rect *area = &state->layout.pane[side][pane];
            if (!area->rows || !is_in(area, event))
                continue;
            if (side != state->active)
                move_to_other_side(state);
            if (state->focus != (enum pane)pane) {
                state->focus = (enum pane)pane;
                state->scroll = 0;
                state_fit(state);
                area = &state->layout.pane[side][pane];
                if (!is_in(area, event))
                    return;
            }
            click_pane(state, (enum pane)pane, event);
            return;
        }
}

static void click_owners(struct state *state, const struct pointer_event *event)
{
    int width = state->layout.body.cols / state->sides;
    for (int side = 0; side < state->sides; side++) {
        struct rect area = rect_part(&state->layout.body, 0, side * width, state->layout.body.rows, width);
        int64_t row, col;
        if (!is_in(&area, event))
            continue;
        if (side != state->active)
            move_to_other_side(state);
        if (pane_owners_cell_at(&area, state, side, event->row, event->col, &row, &col))
            cursor_place(state, row, col);
    }
}

static void click(struct state *state, const struct pointer_event *event)
{
    if (state->view == VIEW_PANES) {
        click_panes(state, event);
    } else if (state->view == VIEW_OWNERS) {
        click_owners(state, event);
    } else if (list_count(state)) {
        int row = pane_list_row_at(state, event->row);
        if (row >= 0 && row < list_count(state) && row == state->chosen)
            list_enter(state);
        else if (row >= 0 && row < list_count(state))
            state->chosen = row;
    }
}

/* What is under the pointer, so that the wheel moves that and nothing else. */
static void wheel(struct state *state, const struct pointer_event *event, int by)
{
    if (state->view == VIEW_OWNERS) {
        cursor_rows(state, 3 * by);
        return;
    }
    if (list_count(state)) {
        list_choose(state, by);
        return;
    }
    for (int pane = 0; state->view == VIEW_PANES && pane < PANE_COUNT; pane++) {
        const struct rect *area = &state->layout.pane[state->active][pane];
        if (area->rows && is_in(area, event) && state->focus != (enum pane)pane) {
            bool shown = state->focus == PANE_SOURCE || state->focus == PANE_TOTALS || pane == PANE_SOURCE ||
                         pane == PANE_TOTALS;
            state->focus = (enum pane)pane;
            state->scroll = 0;
            if (shown)
                break;
        }
    }
    show_scrolled(state, by);
}

void pointer_act(struct state *state, const struct pointer_event *event)
{
    state->message[0] = '\0';
    if (state->layout.too_small || !state->sides || state->prompt != PROMPT_NONE)
        return;
    if (event->what == POINTER_CLICK)
        click(state, event);
    else
        wheel(state, event, event->what == POINTER_WHEEL_DOWN ? 1 : -1);
    state_fit(state);
}
