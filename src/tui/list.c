#include "list.h"

#include <stdio.h>
#include <string.h>

#include "cursor.h"
#include "edit.h"
#include "history.h"
#include "motion.h"

int list_count(const struct state *state)
{
    const struct side *side = &state->side[state->active];
    if (!state->sides)
        return 0;
    if (state->view == VIEW_FINDINGS)
        return side->has_verdict ? (int)verdict_count(&side->verdict) : 0;
    if (state->view == VIEW_WORST)
        return (int)side->session->worst.count;
    if (state->view == VIEW_PITCHES)
        return side->has_pitches ? (int)side->pitches.count : 0;
    return 0;
}

static void choose(struct state *state, int row)
{
    int count = list_count(state);
    state->chosen = row >= count ? count - 1 : row;
    state->chosen = state->chosen < 0 ? 0 : state->chosen;
}

void list_choose(struct state *state, int by)
{
    choose(state, state->chosen + by);
}

void list_choose_page(struct state *state, int by)
{
    choose(state, state->chosen + 8 * by);
}

int list_top(const struct state *state, int rows)
{
    return state->chosen < rows ? 0 : state->chosen - rows + 1;
}

/* The access of the traced block that was number `step` of its run, or the first at `line`. */
static size_t access_of(const struct trace *trace, uint64_t step, bool has_step, int line)
{
    for (size_t i = 0; i < trace->count; i++)
        if (has_step ? trace->at[i].access.step >= step : trace->at[i].access.site->line == line)
            return i;
    return 0;
}

static void go(struct state *state, const uint32_t block[3], uint64_t step, bool has_step, int line)
{
    struct side *side = state_side(state);
    history_note(state);
    if (!move_to(state, block, 0, PART_WHOLE)) {
        state->history.count--;
        return;
    }
    (void)move_to(state, block, access_of(&side->session->trace, step, has_step, line), PART_WHOLE);
    state->view = VIEW_PANES;
    state->scroll = state->found_line = 0;
}

static void go_to_finding(struct state *state, int row)
{
    struct side *side = state_side(state);
    const struct finding *finding = verdict_finding(&side->verdict, (size_t)row);
    const struct finding_thread *thread = &finding->thread;
    uint32_t block[3];
    memcpy(block, finding->has_thread ? thread->block : side->session->trace.block, sizeof block);
    state->chosen = row;
    if (finding->has_thread || finding->line)
        go(state, block, thread->step, finding->has_thread, finding->line);
    if (finding->has_thread)
        side->lane = thread->lane % LANES;
    else if (finding->line)
        state->found_line = finding->line;
    if (finding->has_cell && !finding->is_shared)
        cursor_place(state, (int64_t)finding->row, (int64_t)finding->col);
    state_say(state, finding->severity == FINDING_FAULT, finding->sentence);
}

static void go_to_worst(struct state *state)
{
    const struct session *session = state_side(state)->session;
    const struct worst_row row = session->worst.rows[state->chosen];
    go(state, row.block, row.step, true, 0);
}

static void take_pitch(struct state *state)
{
    uint32_t pitch = state_side(state)->pitches.at[state->chosen].pitch;
    state->view = VIEW_PANES;
    edit_pitch_to(state, pitch);
}

void list_enter(struct state *state)
{
    if (state->chosen >= list_count(state))
        return;
    if (state->view == VIEW_FINDINGS)
        go_to_finding(state, state->chosen);
    else if (state->view == VIEW_WORST)
        go_to_worst(state);
    else
        take_pitch(state);
}

static void show(struct state *state, enum view view)
{
    state->view = state->view == view ? VIEW_PANES : view;
    state->chosen = 0;
    state->scroll = 0;
    state->playing = false;
}

void list_findings(struct state *state)
{
    show(state, VIEW_FINDINGS);
}

void list_worst(struct state *state)
{
    show(state, VIEW_WORST);
}

void list_pitches(struct state *state)
{
    struct side *side = state_side(state);
    if (!side->has_pitches && !pitches_begin(&side->pitches, side->session)) {
        state_say(state, true, "there is no tile here whose pitch could be another");
        return;
    }
    side->has_pitches = true;
    show(state, VIEW_PITCHES);
    for (unsigned i = 0; i < side->pitches.count; i++)
        if (side->pitches.at[i].pitch == side->pitches.found.pitch)
            state->chosen = (int)i;
}

void list_next_finding(struct state *state)
{
    const struct side *side = state_side(state);
    int count = side->has_verdict ? (int)verdict_count(&side->verdict) : 0;
    if (!count) {
        state_say(state, false,
                  side->has_verdict && side->verdict.finished ? "nothing is wrong" : "nothing found so far");
        return;
    }
    bool shown = state->view != VIEW_FINDINGS && side->next_finding;
    int row = shown ? side->next_finding % count : 0;
    go_to_finding(state, row);
    state_side(state)->next_finding = row + 1;
}
