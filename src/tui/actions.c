#include "actions.h"

#include <stdio.h>

#include "edit.h"
#include "keys.h"
#include "motion.h"
#include "play.h"
#include "prompt.h"
#include "show.h"

static void ask_for_jump(struct state *state)
{
    prompt_begin(state, PROMPT_JUMP, "");
}

static void ask_for_field(struct state *state)
{
    prompt_field(state, 0);
}

static void ask_for_file(struct state *state)
{
    char name[40] = "lanescope.svg";
    if (state->saves)
        (void)snprintf(name, sizeof name, "lanescope-%u.svg", state->saves + 1);
    prompt_begin(state, PROMPT_SAVE, name);
}

static void quit(struct state *state)
{
    state->quit = true;
}

/* clang-format off */
static const struct action pane_rows[] = {
    {.heading = "step",
     .keys = {PRESS_RIGHT, 'l', 'n'}, .label = "step", .help = "next access", .move = move_access, .by = 1},
    {.keys = {PRESS_LEFT, 'p'}, .help = "access before", .move = move_access, .by = -1},
    {.keys = {PRESS_DOWN, 'j'}, .label = "inside", .help = "into the access: next wavefront or sector",
     .move = move_part, .by = 1},
    {.keys = {PRESS_UP, 'k'}, .help = "wavefront or sector before", .move = move_part, .by = -1},
    {.keys = {'w'}, .label = "warp", .rank = 2, .help = "next warp", .move = move_warp, .by = 1},
    {.keys = {'W'}, .help = "warp before", .move = move_warp, .by = -1},
    {.keys = {'b'}, .label = "block", .rank = 2, .help = "next block", .move = move_block, .by = 1},
    {.keys = {'B'}, .help = "block before", .move = move_block, .by = -1},
    {.keys = {' '}, .label = "play", .rank = 1, .help = "play or pause", .run = play_or_pause},
    {.keys = {'>', '.'}, .help = "play faster", .move = play_faster, .by = 1},
    {.keys = {'<', ','}, .help = "play slower", .move = play_faster, .by = -1},
    {.keys = {'0', PRESS_HOME}, .help = "reset: first access of the first block", .run = move_reset},
    {.keys = {'$', PRESS_END}, .help = "the block's costliest access", .run = move_to_costliest},
    {.keys = {'g'}, .label = "jump", .rank = 3, .help = "jump to a block, warp or site", .run = ask_for_jump},

    {.heading = "change",
     .keys = {'+'}, .also = '=', .label = "pitch", .help = "pitch one wider", .move = edit_pitch, .by = 1},
    {.keys = {'-'}, .also = '_', .help = "pitch one narrower", .move = edit_pitch, .by = -1},
    {.keys = {']'}, .label = "rung", .help = "next rung of the ladder", .move = edit_rung, .by = 1},
    {.keys = {'['}, .help = "rung before", .move = edit_rung, .by = -1},
    {.keys = {'e'}, .label = "edit", .rank = 1, .help = "edit rows, cols, tile, block rows, pitch, elem",
     .run = ask_for_field},
    {.keys = {'c'}, .label = "compare", .help = "two configurations side by side, or one again",
     .run = edit_compare},
    {.keys = {'x'}, .help = "comparing: keys act on the other side", .run = move_to_other_side},

    {.heading = "look",
     .keys = {PRESS_TAB}, .label = "pane", .rank = 1, .help = "next pane", .move = show_pane, .by = 1},
    {.keys = {PRESS_BACK_TAB}, .help = "pane before", .move = show_pane, .by = -1},
    {.keys = {'z'}, .label = "zoom", .rank = 2, .help = "this pane alone, or all again", .run = show_zoomed},
    {.keys = {'v'}, .label = "view", .rank = 2, .help = "tile pane: cells, punch card, wavefronts",
     .run = show_tile_view},
    {.keys = {'h'}, .label = "heat", .rank = 3, .help = "heatmap: against ideal, sectors a request, off",
     .run = show_heat_mode},
    {.keys = {'}', 'i'}, .help = "matrix pane: zoom in", .move = show_map, .by = 1},
    {.keys = {'{', 'I'}, .help = "matrix pane: zoom out", .move = show_map, .by = -1},
    {.keys = {PRESS_PAGE_DOWN, 'd'}, .help = "scroll down", .move = show_scrolled, .by = 1},
    {.keys = {PRESS_PAGE_UP, 'u'}, .help = "scroll up", .move = show_scrolled, .by = -1},
    {.keys = {'o'}, .label = "owners", .rank = 2, .help = "who writes each output cell", .run = show_owners},

    {.heading = "more",
     .keys = {'m'}, .label = "lab", .rank = 2, .help = "the modular lab: why 33 and not 32", .run = show_lab},
    {.keys = {'s'}, .help = "save the screen: NAME.svg, or text under any other name", .run = ask_for_file},
    {.keys = {'a'}, .help = "plain ASCII, or line drawing again", .run = show_ascii},
    {.keys = {PRESS_ESCAPE}, .help = "back to the panes", .run = show_panes},
    {.keys = {'?'}, .label = "help", .help = "this help", .run = show_help},
    {.keys = {'q'}, .also = 'Q', .label = "quit", .help = "quit", .run = quit},
};

static const struct action help_rows[] = {
    {.keys = {PRESS_PAGE_DOWN, PRESS_DOWN, 'd'}, .help = "scroll down", .move = show_scrolled, .by = 1},
    {.keys = {PRESS_PAGE_UP, PRESS_UP, 'u'}, .help = "scroll up", .move = show_scrolled, .by = -1},
    {.keys = {'?', 'q', PRESS_ESCAPE}, .label = "back", .help = "close the help", .run = show_help},
};
/* clang-format on */

struct action_table actions_of(enum view view)
{
    if (view == VIEW_LAB)
        return lab_actions;
    if (view == VIEW_HELP)
        return (struct action_table){help_rows, sizeof help_rows / sizeof *help_rows};
    return (struct action_table){pane_rows, sizeof pane_rows / sizeof *pane_rows};
}

bool action_has_key(const struct action *action, int key)
{
    for (int i = 0; i < ACTION_KEYS; i++)
        if (action->keys[i] && action->keys[i] == key)
            return true;
    return action->also && action->also == key;
}

void action_run(const struct action *action, struct state *state)
{
    if (action->run)
        action->run(state);
    else
        action->move(state, action->by);
}

void action_keys(const struct action *action, char out[ACTION_KEYS_SIZE])
{
    char name[PRESS_NAME_SIZE];
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < ACTION_KEYS && action->keys[i]; i++)
        used += (size_t)snprintf(out + used, ACTION_KEYS_SIZE - used, "%s%s", i ? " " : "",
                                 press_name(action->keys[i], name));
}
