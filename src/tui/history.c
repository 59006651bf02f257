#include "history.h"

#include <string.h>

#include "motion.h"

void history_note(struct state *state)
{
    struct history *history = &state->history;
    const struct side *side = state_side(state);
    if (history->count == HISTORY_LIMIT) {
        memmove(history->at, history->at + 1, (HISTORY_LIMIT - 1) * sizeof *history->at);
        history->count--;
    }
    struct mark *mark = &history->at[history->count++];
    *mark = (struct mark){.side = state->active,
                          .at = side->at,
                          .part = side->part,
                          .lane = side->lane,
                          .view = state->view,
                          .focus = state->focus};
    memcpy(mark->block, side->session->trace.block, sizeof mark->block);
}

void history_back(struct state *state)
{
    if (!state->history.count) {
        state_say(state, false, "this is where the jumps began");
        return;
    }
    const struct mark mark = state->history.at[--state->history.count];
    if (mark.side != state->active) /* the other side has other accesses */
        move_to_other_side(state);
    if (!move_to(state, mark.block, mark.at, mark.part))
        return;
    state_side(state)->lane = mark.lane;
    state->view = mark.view;
    state->focus = mark.focus;
}

void history_forget(struct state *state)
{
    state->history.count = 0;
}
