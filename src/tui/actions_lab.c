/* actions_lab.c - the keys of the modular lab. Digits are typed: input.c hands them over. */
#include <string.h>

#include "actions.h"
#include "keys.h"
#include "play.h"
#include "prompt.h"
#include "show.h"

static void say_predict(struct state *state)
{
    if (!state->lab.predicted)
        state_say(state, false, "predict the period first: type a number and press Enter");
}

static void step(struct state *state)
{
    say_predict(state);
    (void)lab_step(&state->lab);
}

static void step_back(struct state *state)
{
    (void)lab_step_back(&state->lab);
}

static void play(struct state *state)
{
    say_predict(state);
    state->lab.playing = state->lab.predicted && !state->lab.playing;
}

static void again(struct state *state)
{
    lab_reset(&state->lab, state->lab.modulus, state->lab.stride);
}

static void change_modulus(struct state *state, int by)
{
    lab_reset(&state->lab, state->lab.modulus + (unsigned)by, state->lab.stride);
}

static void change_stride(struct state *state, int by)
{
    if (by > 0 || state->lab.stride)
        lab_reset(&state->lab, state->lab.modulus, state->lab.stride + (unsigned)by);
    else
        again(state);
}

static void next_example(struct state *state)
{
    lab_next_example(&state->lab);
}

static void answer(struct state *state)
{
    lab_answer(&state->lab);
}

static void erase(struct state *state)
{
    size_t length = strlen(state->lab.typed);
    if (length && !state->lab.predicted)
        state->lab.typed[length - 1] = '\0';
}

static void leave(struct state *state)
{
    state->lab.playing = false;
    if (state->lab_only)
        state->quit = true;
    else
        state->view = VIEW_PANES;
}

/* clang-format off */
static const struct action rows[] = {
    {.heading = "modular lab",
     .keys = {PRESS_DIGIT, PRESS_ENTER}, .label = "predict", .help = "answer: the period", .run = answer},
    {.keys = {PRESS_BACKSPACE}, .help = "erase a digit", .run = erase},
    {.keys = {'s', PRESS_DOWN, 'n'}, .label = "step", .help = "next residue", .run = step},
    {.keys = {'p', PRESS_UP}, .help = "residue before", .run = step_back},
    {.keys = {' '}, .label = "play", .help = "play or pause", .run = play},
    {.keys = {'r'}, .label = "reset", .help = "reset, and predict anew", .run = again},
    {.keys = {'a', '+', PRESS_RIGHT}, .label = "stride", .rank = 1, .help = "a one larger",
     .move = change_stride, .by = 1},
    {.keys = {'A', '-', PRESS_LEFT}, .help = "a one smaller", .move = change_stride, .by = -1},
    {.keys = {'m', ']'}, .label = "modulus", .rank = 1, .help = "m one larger",
     .move = change_modulus, .by = 1},
    {.keys = {'M', '['}, .help = "m one smaller", .move = change_modulus, .by = -1},
    {.keys = {'e', PRESS_TAB}, .label = "example", .rank = 1, .help = "the story's next pair of m and a",
     .run = next_example},
    {.keys = {'>', '.'}, .help = "play faster", .move = play_faster, .by = 1},
    {.keys = {'<', ','}, .help = "play slower", .move = play_faster, .by = -1},
    {.keys = {'S'}, .help = "save the screen: NAME.svg, or text under any other name", .run = prompt_save},
    {.keys = {'?'}, .label = "help", .help = "the keys", .run = show_help},
    {.keys = {'q', PRESS_ESCAPE}, .label = "back", .help = "leave the lab", .run = leave},
};
/* clang-format on */

const struct action_table lab_actions = {rows, sizeof rows / sizeof *rows};
