#include "cursor.h"

#include <stdio.h>
#include <string.h>

#include "../../sim/session/story.h"
#include "history.h"
#include "motion.h"

static int64_t cut(int64_t value, int64_t count)
{
    return value < 0 ? 0 : value >= count ? count - 1 : value;
}

void cursor_place(struct state *state, int64_t row, int64_t col)
{
    const struct owners_task task = scenario_task(&state_side(state)->session->scenario);
    state->cursor_row = cut(row, task_out_rows(&task));
    state->cursor_col = cut(col, task_out_cols(&task));
}

/* Cells that a step goes on. */
static int64_t step_of(const struct state *state)
{
    const struct side *side = &state->side[state->active];
    return state->view == VIEW_OWNERS || !side->has_heat ? 1 : side->heat.geometry.scale;
}

void cursor_rows(struct state *state, int by)
{
    cursor_place(state, state->cursor_row + by * step_of(state), state->cursor_col);
}

void cursor_cols(struct state *state, int by)
{
    cursor_place(state, state->cursor_row, state->cursor_col + by * step_of(state));
}

void cursor_page(struct state *state, int by)
{
    const struct side *side = state_side(state);
    int64_t rows = side->has_owners ? side->owners.map.window.rows : 8;
    cursor_place(state, state->cursor_row + by * rows, state->cursor_col);
}

void cursor_home(struct state *state, int by)
{
    cursor_place(state, by < 0 ? 0 : INT64_MAX, by < 0 ? 0 : INT64_MAX);
}

const struct owner *cursor_owner(const struct state *state)
{
    const struct side *side = &state->side[state->active];
    const struct window *w = &side->owners.map.window;
    if (!side->has_owners)
        return NULL;
    int64_t row = state->cursor_row - (int64_t)w->row, col = state->cursor_col - (int64_t)w->col;
    if (row < 0 || col < 0 || row >= w->rows || col >= w->cols)
        return NULL;
    return &side->owners.map.cells[row * w->cols + col];
}

void cursor_fit(struct state *state)
{
    struct side *side = state_side(state);
    const struct owner *owner = cursor_owner(state);
    struct cell_story *told = &state->story;
    if (!owner || (!owner->writes && !ownership_is_done(&side->owners))) {
        told->words[0] = '\0';
        return;
    }
    if (told->words[0] && told->session == side->session && told->row == state->cursor_row &&
        told->col == state->cursor_col && told->writes == owner->writes)
        return;
    *told = (struct cell_story){.session = side->session,
                                .row = state->cursor_row,
                                .col = state->cursor_col,
                                .writes = owner->writes};
    story_tell(side->session, told->row, told->col, owner, told->words);
}

static void go_to_writer(struct state *state, const struct owner *owner)
{
    struct side *side = state_side(state);
    uint64_t step = owner->step;
    unsigned lane = owner->lane;
    uint32_t block[3];
    memcpy(block, owner->block, sizeof block);
    history_note(state);
    if (!move_to(state, block, 0, PART_WHOLE)) {
        state->history.count--;
        return;
    }
    const struct trace *trace = &side->session->trace;
    size_t at = 0;
    while (at + 1 < trace->count && trace->at[at].access.step < step)
        at++;
    (void)move_to(state, block, at, PART_WHOLE);
    side->lane = lane;
    state->view = VIEW_PANES;
    state_say(state, false, state->story.words);
}

void cursor_enter(struct state *state)
{
    if (state->view != VIEW_OWNERS) {
        history_note(state);
        state->view = VIEW_OWNERS;
        return;
    }
    const struct owner *owner = cursor_owner(state);
    if (owner && owner->writes)
        go_to_writer(state, owner);
    else
        state_say(state, false, "nobody writes this cell, as far as it is known");
}
