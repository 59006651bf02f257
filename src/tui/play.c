#include "play.h"

#include <stdio.h>
#include <string.h>

#include "motion.h"

/* Between two steps, slowest first. */
static const int pauses_ms[PLAY_SPEEDS] = {1000, 500, 250, 120, 60, 25};

void play_or_pause(struct state *state)
{
    state->playing = !state->playing;
}

void play_faster(struct state *state, int by)
{
    char text[60];
    if (by < 0 ? state->speed > 0 : state->speed + 1 < PLAY_SPEEDS)
        state->speed += (unsigned)by;
    (void)snprintf(text, sizeof text, "speed %u of %u", state->speed + 1, PLAY_SPEEDS);
    state_say(state, false, text);
}

void play_rate(const struct state *state, char out[PLAY_RATE_SIZE])
{
    (void)snprintf(out, PLAY_RATE_SIZE, "%d/s", 1000 / pauses_ms[state->speed]);
}

int play_tick_ms(const struct state *state)
{
    bool playing = state->view == VIEW_LAB ? state->lab.playing : state->playing;
    return playing ? pauses_ms[state->speed] : -1;
}

void play_tick(struct state *state)
{
    if (state->view == VIEW_LAB) {
        (void)lab_step(&state->lab);
        return;
    }
    if (!state->playing)
        return;
    const struct side *side = state_side(state);
    size_t at = side->at;
    int part = side->part;
    uint32_t x = side->session->trace.block[0], y = side->session->trace.block[1];
    if (part == PART_WHOLE)
        move_access(state, 1);
    else
        move_part(state, 1);
    if (at == side->at && part == side->part && x == side->session->trace.block[0] &&
        y == side->session->trace.block[1])
        state->playing = false; /* the end */
    state_fit(state);
}
