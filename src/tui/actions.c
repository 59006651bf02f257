/* actions.c - the keys. The bar, the help and what a key does are one table. */
#include <stdio.h>
#include <string.h>

#include "actions.h"
#include "edit.h"
#include "motion.h"

static void next_access(struct state *state)
{
    move_access(state, 1);
}

static void last_access(struct state *state)
{
    move_access(state, -1);
}

static void next_part(struct state *state)
{
    move_part(state, 1);
}

static void last_part(struct state *state)
{
    move_part(state, -1);
}

static void next_warp(struct state *state)
{
    move_warp(state, 1);
}

static void last_warp(struct state *state)
{
    move_warp(state, -1);
}

static void next_block(struct state *state)
{
    move_block(state, 1);
}

static void last_block(struct state *state)
{
    move_block(state, -1);
}

static void play(struct state *state)
{
    state->playing = !state->playing;
}

static void say_speed(struct state *state)
{
    char text[60];
    (void)snprintf(text, sizeof text, "speed %u of %u", state->speed + 1, STATE_SPEEDS);
    state_say(state, false, text);
}

static void faster(struct state *state)
{
    if (state->speed + 1 < STATE_SPEEDS)
        state->speed++;
    say_speed(state);
}

static void slower(struct state *state)
{
    if (state->speed > 0)
        state->speed--;
    say_speed(state);
}

static void jump(struct state *state)
{
    edit_begin(state, PROMPT_JUMP, "");
}

static void wider_pitch(struct state *state)
{
    edit_pitch(state, 1);
}

static void narrower_pitch(struct state *state)
{
    edit_pitch(state, -1);
}

static void next_rung(struct state *state)
{
    edit_rung(state, 1);
}

static void last_rung(struct state *state)
{
    edit_rung(state, -1);
}

static void edit(struct state *state)
{
    edit_field(state, 0);
}

static void other_side(struct state *state)
{
    if (state->sides == 2) {
        state->active = 1 - state->active;
        state->side[state->active].waiting = false;
        move_follow(state);
    } else {
        state_say(state, false, "there is one side only; c sets another beside it");
    }
}

static void next_focus(struct state *state)
{
    state->focus = (enum pane)((state->focus + 1) % PANE_COUNT);
    state->scroll = 0;
}

static void last_focus(struct state *state)
{
    state->focus = (enum pane)((state->focus + PANE_COUNT - 1) % PANE_COUNT);
    state->scroll = 0;
}

static void zoom(struct state *state)
{
    state->zoom = !state->zoom;
    state->scroll = 0;
}

static void next_tile_view(struct state *state)
{
    static const char *const names[TILE_VIEWS] = {"the tile's cells with their banks",
                                                  "the punch card, lane by bank",
                                                  "the wavefronts, one after another"};
    state->tile_view = (enum tile_view)((state->tile_view + 1) % TILE_VIEWS);
    if (state->focus == PANE_SOURCE || state->focus == PANE_TOTALS)
        state->focus = PANE_TILE;
    state->scroll = 0;
    state_say(state, false, names[state->tile_view]);
}

static void next_heat(struct state *state)
{
    static const char *const names[HEAT_MODES] = {"heatmap: sectors against their ideal",
                                                  "heatmap: sectors a request", "heatmap: off"};
    state->heat_mode = (enum heat_mode)((state->heat_mode + 1) % HEAT_MODES);
    state_say(state, false, names[state->heat_mode]);
}

/* The matrix pane comes forward where it does not show. */
static void show_map(struct state *state)
{
    state->view = VIEW_PANES;
    if (state->layout.pane[state->active][PANE_MATRIX].rows > 0)
        return;
    state->focus = PANE_MATRIX;
    state->scroll = 0;
}

static void map_in(struct state *state)
{
    const struct side *side = &state->side[state->active];
    bool shown = state->layout.pane[state->active][PANE_MATRIX].rows > 0 && side->has_heat;
    if (shown && side->heat.geometry.scale == 1)
        state_say(state, false, "the map shows single elements: it goes no further in");
    else if (state->map_zoom < 32)
        state->map_zoom++;
    show_map(state);
}

static void map_out(struct state *state)
{
    if (state->map_zoom > 0)
        state->map_zoom--;
    if (state->map_zoom == 0)
        state_say(state, false, "the map shows the whole matrix");
    show_map(state);
}

static void scroll_down(struct state *state)
{
    if (state->scroll < 4096)
        state->scroll += 8;
}

static void scroll_up(struct state *state)
{
    state->scroll = state->scroll > 8 ? state->scroll - 8 : 0;
}

static void owners(struct state *state)
{
    state->view = state->view == VIEW_OWNERS ? VIEW_PANES : VIEW_OWNERS;
}

static void lab(struct state *state)
{
    state->view = VIEW_LAB;
    state->playing = false;
}

static void save(struct state *state)
{
    char name[40] = "lanescope.svg";
    if (state->saves)
        (void)snprintf(name, sizeof name, "lanescope-%u.svg", state->saves + 1);
    edit_begin(state, PROMPT_SAVE, name);
}

static void ascii(struct state *state)
{
    state->ascii = !state->ascii;
}

static void help(struct state *state)
{
    if (state->view == VIEW_HELP) {
        state->view = state->back;
    } else {
        state->back = state->view;
        state->view = VIEW_HELP;
    }
    state->scroll = 0;
}

static void back(struct state *state)
{
    state->view = VIEW_PANES;
    state->zoom = false;
}

static void quit(struct state *state)
{
    state->quit = true;
}

const struct action actions[] = {
    {{PRESS_RIGHT, 'l', 'n'}, "right l n", "step", "next access", "step", next_access, 0},
    {{PRESS_LEFT, 'p', 0}, "left p", NULL, "access before", NULL, last_access, 0},
    {{PRESS_DOWN, 'j', 0},
     "down j",
     "inside",
     "into the access: next wavefront or sector",
     NULL,
     next_part,
     0},
    {{PRESS_UP, 'k', 0}, "up k", NULL, "wavefront or sector before", NULL, last_part, 0},
    {{'w', 0, 0}, "w", "warp", "next warp", NULL, next_warp, 2},
    {{'W', 0, 0}, "W", NULL, "warp before", NULL, last_warp, 0},
    {{'b', 0, 0}, "b", "block", "next block", NULL, next_block, 2},
    {{'B', 0, 0}, "B", NULL, "block before", NULL, last_block, 0},
    {{' ', 0, 0}, "space", "play", "play or pause", NULL, play, 1},
    {{'>', '.', 0}, "> .", NULL, "play faster", NULL, faster, 0},
    {{'<', ',', 0}, "< ,", NULL, "play slower", NULL, slower, 0},
    {{'0', PRESS_HOME, 0}, "0 home", NULL, "reset: first access of the first block", NULL, move_reset, 0},
    {{'$', PRESS_END, 0}, "$ end", NULL, "the block's costliest access", NULL, move_to_worst, 0},
    {{'g', 0, 0}, "g", "jump", "jump to a block, warp or site", NULL, jump, 3},
    {{'+', '=', 0}, "+", "pitch", "pitch one wider", "change", wider_pitch, 0},
    {{'-', '_', 0}, "-", NULL, "pitch one narrower", NULL, narrower_pitch, 0},
    {{']', 0, 0}, "]", "rung", "next rung of the ladder", NULL, next_rung, 0},
    {{'[', 0, 0}, "[", NULL, "rung before", NULL, last_rung, 0},
    {{'e', 0, 0}, "e", "edit", "edit rows, cols, tile, block rows, pitch, elem", NULL, edit, 1},
    {{'c', 0, 0}, "c", "compare", "two configurations side by side, or one again", NULL, edit_compare, 0},
    {{'x', 0, 0}, "x", NULL, "comparing: keys act on the other side", NULL, other_side, 0},
    {{PRESS_TAB, 0, 0}, "tab", "pane", "next pane", "look", next_focus, 1},
    {{PRESS_BACK_TAB, 0, 0}, "shift-tab", NULL, "pane before", NULL, last_focus, 0},
    {{'z', 0, 0}, "z", "zoom", "this pane alone, or all again", NULL, zoom, 2},
    {{'v', 0, 0}, "v", "view", "tile pane: cells, punch card, wavefronts", NULL, next_tile_view, 2},
    {{'h', 0, 0}, "h", "heat", "heatmap: against ideal, sectors a request, off", NULL, next_heat, 3},
    {{'}', 'i', 0}, "} i", NULL, "matrix pane: zoom in", NULL, map_in, 0},
    {{'{', 'I', 0}, "{ I", NULL, "matrix pane: zoom out", NULL, map_out, 0},
    {{PRESS_PAGE_DOWN, 'd', 0}, "pgdn d", NULL, "scroll down", NULL, scroll_down, 0},
    {{PRESS_PAGE_UP, 'u', 0}, "pgup u", NULL, "scroll up", NULL, scroll_up, 0},
    {{'o', 0, 0}, "o", "owners", "who writes each output cell", NULL, owners, 2},
    {{'m', 0, 0}, "m", "lab", "the modular lab: why 33 and not 32", "more", lab, 2},
    {{'s', 0, 0}, "s", NULL, "save the screen: NAME.svg, or text under any other name", NULL, save, 0},
    {{'a', 0, 0}, "a", NULL, "plain ASCII, or line drawing again", NULL, ascii, 0},
    {{PRESS_ESCAPE, 0, 0}, "esc", NULL, "back to the panes", NULL, back, 0},
    {{'?', 0, 0}, "?", "help", "this help", NULL, help, 0},
    {{'q', 'Q', 0}, "q", "quit", "quit", NULL, quit, 0},
};
const size_t action_count = sizeof actions / sizeof *actions;

const struct action help_actions[] = {
    {{PRESS_PAGE_DOWN, PRESS_DOWN, 'd'}, "pgdn", NULL, "scroll down", NULL, scroll_down, 0},
    {{PRESS_PAGE_UP, PRESS_UP, 'u'}, "pgup", NULL, "scroll up", NULL, scroll_up, 0},
    {{'?', 'q', PRESS_ESCAPE}, "? q esc", "back", "close the help", NULL, help, 0},
};
const size_t help_action_count = sizeof help_actions / sizeof *help_actions;

static void lab_next(struct state *state)
{
    if (!state->lab.predicted)
        state_say(state, false, "predict the period first: type a number and press Enter");
    (void)lab_step(&state->lab);
}

static void lab_back(struct state *state)
{
    (void)lab_step_back(&state->lab);
}

static void lab_play(struct state *state)
{
    if (!state->lab.predicted)
        state_say(state, false, "predict the period first: type a number and press Enter");
    state->lab.playing = state->lab.predicted && !state->lab.playing;
}

static void lab_again(struct state *state)
{
    lab_reset(&state->lab, state->lab.modulus, state->lab.stride);
}

static void more_modulus(struct state *state)
{
    lab_reset(&state->lab, state->lab.modulus + 1, state->lab.stride);
}

static void less_modulus(struct state *state)
{
    lab_reset(&state->lab, state->lab.modulus - 1, state->lab.stride);
}

static void more_stride(struct state *state)
{
    lab_reset(&state->lab, state->lab.modulus, state->lab.stride + 1);
}

static void less_stride(struct state *state)
{
    lab_reset(&state->lab, state->lab.modulus, state->lab.stride ? state->lab.stride - 1 : 0);
}

static void lab_example(struct state *state)
{
    lab_next_example(&state->lab);
}

static void lab_enter(struct state *state)
{
    lab_answer(&state->lab);
}

static void lab_erase(struct state *state)
{
    size_t length = strlen(state->lab.typed);
    if (length && !state->lab.predicted)
        state->lab.typed[length - 1] = '\0';
}

static void lab_leave(struct state *state)
{
    state->lab.playing = false;
    if (state->lab_only)
        state->quit = true;
    else
        state->view = VIEW_PANES;
}

const struct action lab_actions[] = {
    {{PRESS_ENTER, 0, 0}, "0-9 enter", "predict", "answer: the period", "modular lab", lab_enter, 0},
    {{PRESS_BACKSPACE, 0, 0}, "backspace", NULL, "erase a digit", NULL, lab_erase, 0},
    {{'s', PRESS_DOWN, 'n'}, "s down n", "step", "next residue", NULL, lab_next, 0},
    {{'p', PRESS_UP, 0}, "p up", NULL, "residue before", NULL, lab_back, 0},
    {{' ', 0, 0}, "space", "play", "play or pause", NULL, lab_play, 0},
    {{'r', 0, 0}, "r", "reset", "reset, and predict anew", NULL, lab_again, 0},
    {{'a', '+', PRESS_RIGHT}, "a + right", "stride", "a one larger", NULL, more_stride, 1},
    {{'A', '-', PRESS_LEFT}, "A - left", NULL, "a one smaller", NULL, less_stride, 0},
    {{'m', ']', 0}, "m ]", "modulus", "m one larger", NULL, more_modulus, 1},
    {{'M', '[', 0}, "M [", NULL, "m one smaller", NULL, less_modulus, 0},
    {{'e', PRESS_TAB, 0}, "e tab", "example", "the story's next pair of m and a", NULL, lab_example, 1},
    {{'>', '.', 0}, "> .", NULL, "play faster", NULL, faster, 0},
    {{'<', ',', 0}, "< ,", NULL, "play slower", NULL, slower, 0},
    {{'?', 0, 0}, "?", "help", "the keys", NULL, help, 0},
    {{'q', PRESS_ESCAPE, 0}, "q esc", "back", "leave the lab", NULL, lab_leave, 0},
};
const size_t lab_action_count = sizeof lab_actions / sizeof *lab_actions;
