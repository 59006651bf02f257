#include "actions.h"

#include <stdio.h>

#include "cursor.h"
#include "edit.h"
#include "find.h"
#include "history.h"
#include "keys.h"
#include "list.h"
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

static void ask_for_words(struct state *state)
{
    prompt_begin(state, PROMPT_FIND, "");
}

static void ask_for_editor(struct state *state)
{
    state->wants_editor = true; /* whoever runs the loop knows whether there is a file */
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
    {.keys = {PRESS_DOWN, 'j'}, .label = "inside", .rank = 1, .help = "into the access: next wavefront or sector",
     .move = move_part, .by = 1},
    {.keys = {PRESS_UP, 'k'}, .help = "wavefront or sector before", .move = move_part, .by = -1},
    {.keys = {'t'}, .label = "lane", .rank = 3, .help = "the cursor to the next lane (thread)",
     .move = move_lane, .by = 1},
    {.keys = {'T'}, .help = "the cursor to the lane before", .move = move_lane, .by = -1},
    {.keys = {'w'}, .label = "warp", .rank = 3, .help = "next warp", .move = move_warp, .by = 1},
    {.keys = {'W'}, .help = "warp before", .move = move_warp, .by = -1},
    {.keys = {'b'}, .label = "block", .rank = 3, .help = "next block", .move = move_block, .by = 1},
    {.keys = {'B'}, .help = "block before", .move = move_block, .by = -1},
    {.keys = {' '}, .label = "play", .rank = 2, .help = "play or pause", .run = play_or_pause},
    {.keys = {'>', '.'}, .help = "play faster", .move = play_faster, .by = 1},
    {.keys = {'<', ','}, .help = "play slower", .move = play_faster, .by = -1},
    {.keys = {'0', PRESS_HOME}, .help = "reset: first access of the first block", .run = move_reset},
    {.keys = {'$', PRESS_END}, .help = "the block's costliest access", .run = move_to_costliest},
    {.keys = {'g'}, .label = "jump", .rank = 4, .help = "jump to a block, warp, lane, site or cell", .run = ask_for_jump},
    {.keys = {PRESS_BACKSPACE}, .help = "back to where the last jump came from", .run = history_back},

    {.heading = "change",
     .keys = {'+'}, .also = '=', .label = "pitch", .help = "pitch one wider", .move = edit_pitch, .by = 1},
    {.keys = {'-'}, .also = '_', .help = "pitch one narrower", .move = edit_pitch, .by = -1},
    {.keys = {']'}, .label = "rung", .rank = 1, .help = "next rung of the ladder", .move = edit_rung, .by = 1},
    {.keys = {'['}, .help = "rung before", .move = edit_rung, .by = -1},
    {.keys = {'e'}, .label = "edit", .rank = 2, .help = "edit rows, cols, tile, block rows, pitch, elem",
     .run = ask_for_field},
    {.keys = {'c'}, .label = "compare", .rank = 1, .help = "two configurations side by side, or one again",
     .run = edit_compare},
    {.keys = {'x'}, .help = "comparing: keys act on the other side", .run = move_to_other_side},

    {.heading = "look",
     .keys = {PRESS_TAB}, .label = "pane", .rank = 2, .help = "next pane; 1 to 5 go to a pane", .move = show_pane, .by = 1},
    {.keys = {'1'}, .move = show_pane_number, .by = 0},
    {.keys = {'2'}, .move = show_pane_number, .by = 1},
    {.keys = {'3'}, .move = show_pane_number, .by = 2},
    {.keys = {'4'}, .move = show_pane_number, .by = 3},
    {.keys = {'5'}, .move = show_pane_number, .by = 4},
    {.keys = {PRESS_BACK_TAB}, .help = "pane before", .move = show_pane, .by = -1},
    {.keys = {'z'}, .label = "zoom", .rank = 3, .help = "this pane alone, or all again", .run = show_zoomed},
    {.keys = {'v'}, .label = "view", .rank = 3, .help = "tile pane: cells, punch card, wavefronts, launch",
     .run = show_tile_view},
    {.keys = {'h'}, .label = "heat", .rank = 4, .help = "heatmap: sectors to ideal, a request; wavefronts; off",
     .run = show_heat_mode},
    {.keys = {'}', 'i'}, .help = "matrix pane: zoom in", .move = show_map, .by = 1},
    {.keys = {'{', 'I'}, .help = "matrix pane: zoom out", .move = show_map, .by = -1},
    {.keys = {PRESS_PAGE_DOWN, 'd'}, .help = "scroll down", .move = show_scrolled, .by = 1},
    {.keys = {PRESS_PAGE_UP, 'u'}, .help = "scroll up", .move = show_scrolled, .by = -1},
    {.keys = {'('}, .help = "source: to the left", .move = show_shifted, .by = -1},
    {.keys = {')'}, .help = "source: to the right", .move = show_shifted, .by = 1},
    {.keys = {'/'}, .label = "find", .rank = 4, .help = "find words in the source (in help: there)",
     .run = ask_for_words},
    {.keys = {'f'}, .help = "find the next", .move = find_again, .by = 1},
    {.keys = {'F'}, .help = "find the one before", .move = find_again, .by = -1},
    {.keys = {'o'}, .label = "owners", .rank = 3, .help = "who writes each output cell", .run = show_owners},

    {.keys = {PRESS_ENTER}, .help = "owners, matrix (arrows move the cursor): who wrote the cell, and go there",
     .run = cursor_enter},

    {.heading = "judge",
     .keys = {'!'}, .label = "findings", .rank = 2, .help = "what is wrong, by line; enter goes there",
     .run = list_findings},
    {.keys = {'N'}, .help = "go to the next finding", .run = list_next_finding},
    {.keys = {'P'}, .label = "pitches", .rank = 4,
     .help = "the curve of pitches from the tile's width to twice that; enter takes one", .run = list_pitches},
    {.keys = {'H'}, .label = "worst", .rank = 4, .help = "the warps that cost most; enter goes there",
     .run = list_worst},

    {.heading = "more",
     .keys = {'m'}, .label = "lab", .rank = 3, .help = "the modular lab: why 33 and not 32", .run = show_lab},
    {.keys = {'s'}, .help = "save the screen: NAME.svg, or text under any other name", .run = prompt_save},
    {.keys = {'E'}, .help = "open the file in $EDITOR; it is read again whenever it changes",
     .run = ask_for_editor},
    {.keys = {'a'}, .help = "plain ASCII, or line drawing again", .run = show_ascii},
    {.keys = {'L'}, .help = "colours for a light background, or a dark one", .run = show_light},
    {.keys = {PRESS_ESCAPE}, .help = "back to the panes", .run = show_panes},
    {.keys = {'G'}, .help = "the words: sector, wavefront, ideal, ...", .run = show_glossary},
    {.keys = {'?'}, .label = "help", .help = "this help", .run = show_help},
    {.keys = {'q'}, .also = 'Q', .label = "quit", .help = "quit", .run = quit},
};

static const struct action cell_rows[] = {
    {.keys = {PRESS_DOWN}, .move = cursor_rows, .by = 1},
    {.keys = {PRESS_UP}, .move = cursor_rows, .by = -1},
    {.keys = {PRESS_RIGHT}, .move = cursor_cols, .by = 1},
    {.keys = {PRESS_LEFT}, .move = cursor_cols, .by = -1},
    {.keys = {PRESS_PAGE_DOWN}, .move = cursor_page, .by = 1},
    {.keys = {PRESS_PAGE_UP}, .move = cursor_page, .by = -1},
    {.keys = {PRESS_HOME}, .move = cursor_home, .by = -1},
    {.keys = {PRESS_END}, .move = cursor_home, .by = 1},
};

static const struct action list_rows[] = {
    {.heading = "list",
     .keys = {PRESS_DOWN, 'j'}, .label = "next", .help = "next row", .move = list_choose, .by = 1},
    {.keys = {PRESS_UP, 'k'}, .help = "row before", .move = list_choose, .by = -1},
    {.keys = {PRESS_PAGE_DOWN, 'd'}, .help = "eight rows on", .move = list_choose_page, .by = 1},
    {.keys = {PRESS_PAGE_UP, 'u'}, .help = "eight rows back", .move = list_choose_page, .by = -1},
    {.keys = {PRESS_ENTER}, .label = "go there", .help = "go to block, warp, lane and access of the row",
     .run = list_enter},
    {.keys = {'N'}, .help = "go to the next finding", .run = list_next_finding},
    {.keys = {'!'}, .help = "findings", .run = list_findings},
    {.keys = {'H'}, .help = "the warps that cost most", .run = list_worst},
    {.keys = {'P'}, .help = "the curve of pitches", .run = list_pitches},
    {.keys = {'s'}, .help = "save the screen: NAME.svg, or text under any other name", .run = prompt_save},
    {.keys = {'G'}, .help = "the words", .run = show_glossary},
    {.keys = {'?'}, .label = "help", .help = "this help", .run = show_help},
    {.keys = {PRESS_ESCAPE, PRESS_BACKSPACE}, .label = "back", .help = "back to the panes", .run = show_panes},
    {.keys = {'q'}, .also = 'Q', .label = "quit", .help = "quit", .run = quit},
};

static const struct action broken_rows[] = {
    {.heading = "a text that cannot be run yet",
     .keys = {'E'}, .label = "edit", .help = "open the file in $EDITOR; it is read again whenever it changes",
     .run = ask_for_editor},
    {.keys = {PRESS_DOWN, PRESS_PAGE_DOWN, 'd'}, .label = "scroll", .help = "scroll down",
     .move = show_scrolled, .by = 1},
    {.keys = {PRESS_UP, PRESS_PAGE_UP, 'u'}, .help = "scroll up", .move = show_scrolled, .by = -1},
    {.keys = {'('}, .help = "the text to the left", .move = show_shifted, .by = -1},
    {.keys = {')'}, .help = "the text to the right", .move = show_shifted, .by = 1},
    {.keys = {'s'}, .help = "save the screen: NAME.svg, or text under any other name", .run = prompt_save},
    {.keys = {'a'}, .help = "plain ASCII, or line drawing again", .run = show_ascii},
    {.keys = {'L'}, .help = "colours for a light background, or a dark one", .run = show_light},
    {.keys = {'G'}, .help = "the words: sector, wavefront, ideal, ...", .run = show_glossary},
    {.keys = {'?'}, .label = "help", .help = "this help", .run = show_help},
    {.keys = {'q'}, .also = 'Q', .label = "quit", .help = "quit", .run = quit},
};

static const struct action help_rows[] = {
    {.keys = {PRESS_PAGE_DOWN, PRESS_DOWN, 'd'}, .help = "scroll down", .move = show_scrolled, .by = 1},
    {.keys = {PRESS_PAGE_UP, PRESS_UP, 'u'}, .help = "scroll up", .move = show_scrolled, .by = -1},
    {.keys = {'/'}, .label = "find", .help = "find words here", .run = ask_for_words},
    {.keys = {'f'}, .label = "next", .help = "find the next", .move = find_again, .by = 1},
    {.keys = {'F'}, .help = "find the one before", .move = find_again, .by = -1},
    {.keys = {'G'}, .label = "words", .help = "the words: sector, wavefront, ideal, ...", .run = show_glossary},
    {.keys = {'s'}, .help = "save the screen", .run = prompt_save},
    {.keys = {'?', 'q', PRESS_ESCAPE}, .label = "back", .help = "close the help", .run = show_help},
};
/* clang-format on */

struct action_table actions_of(enum view view)
{
    if (view == VIEW_LAB)
        return lab_actions;
    if (view == VIEW_FINDINGS || view == VIEW_WORST || view == VIEW_PITCHES)
        return (struct action_table){list_rows, sizeof list_rows / sizeof *list_rows};
    if (view == VIEW_BROKEN)
        return (struct action_table){broken_rows, sizeof broken_rows / sizeof *broken_rows};
    if (view == VIEW_HELP || view == VIEW_GLOSSARY)
        return (struct action_table){help_rows, sizeof help_rows / sizeof *help_rows};
    return (struct action_table){pane_rows, sizeof pane_rows / sizeof *pane_rows};
}

struct action_table actions_of_cells(const struct state *state)
{
    bool on_cells = state->view == VIEW_OWNERS || (state->view == VIEW_PANES && state->focus == PANE_MATRIX);
    return (struct action_table){cell_rows, on_cells ? sizeof cell_rows / sizeof *cell_rows : 0};
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
