/* pane_help.c - the keys and what they do, from the tables of actions; the words of the field. */
#include "panes.h"

#include <stdio.h>
#include <string.h>

#include "actions.h"
#include "find.h"
#include "pane.h"

enum { KEYS_COLS = 14, TERM_COLS = 13 };

/* Lines of at most 62 columns; a line without a term goes on with the one before. */
static const struct {
    const char *term, *text;
} words[] = {
    {"lane", "one of the 32 threads of a warp, 0 to 31"},
    {"warp", "32 threads that run one instruction together"},
    {"block", "warps that share one shared memory and its barriers"},
    {"request", "one memory instruction of one warp, whichever lanes take part"},
    {"", ""},
    {"sector", "32 bytes of global memory: the least that moves. A warp that"},
    {"", "reads 32 floats in a row needs 4; one in each of 32 rows, 32"},
    {"line", "128 aligned bytes of global memory, four sectors"},
    {"coalesced", "the lanes' addresses fill the sectors they touch"},
    {"", ""},
    {"bank", "shared memory has 32, side by side: word k (4 bytes) is in bank"},
    {"", "k mod 32. A bank hands out one word at a time"},
    {"wavefront", "one turn of all banks; an access that needs n words of one bank"},
    {"", "takes n of them, one after another. Also: pass"},
    {"conflict", "more wavefronts than must be: an n-way conflict takes n for 1"},
    {"broadcast", "lanes that read the same word are served together, at no cost"},
    {"wide element", "8 bytes a lane go in two halves of a warp, 16 in four quarters:"},
    {"", "2 and 4 wavefronts are their ideal"},
    {"", ""},
    {"actual", "sectors or wavefronts that the access takes"},
    {"ideal", "the fewest that could do it"},
    {"excess", "actual - ideal: what a better kernel would save"},
    {"", ""},
    {"occupancy", "how many of the warps that an SM can hold do fit, in per cent"},
    {"block order", "which blocks run one after another"},
    {"census", "the exact totals of a launch from one block of each kind"},
    {"", ""},
    {"tile", "the part of a matrix that a block holds in shared memory"},
    {"pitch", "elements from one row of the tile to the next"},
    {"pad", "columns that nothing uses; they move each row to other banks"},
    {"swizzle", "the column changed by the row (col ^ row): no pad needed"},
    {"guard", "the if that keeps threads beyond the matrix from its memory"},
    {"owner", "the thread that writes a cell of the output"},
    {"race", "two threads at one cell with no barrier in between, one writing"},
    {"barrier", "__syncthreads(): no warp goes on before all have come"},
};

static size_t line_count(const struct action_table *table)
{
    size_t lines = 0;
    for (size_t i = 0; i < table->count; i++)
        lines += (size_t)(table->rows[i].heading != NULL) + (table->rows[i].help != NULL);
    return lines;
}

/* The action on a line of the help; `heading` where the line is one. */
static const struct action *action_at(const struct action_table *table, int line, bool *heading)
{
    int at = 0;
    for (size_t i = 0; i < table->count; i++) {
        const struct action *action = &table->rows[i];
        *heading = true;
        if (action->heading && at++ == line)
            return action;
        *heading = false;
        if (action->help && at++ == line)
            return action;
    }
    return NULL;
}

int pane_lines(const struct state *state)
{
    const struct action_table table = actions_of(state->back);
    return state->view == VIEW_GLOSSARY ? (int)(sizeof words / sizeof *words) : (int)line_count(&table);
}

void pane_line(const struct state *state, int line, char *out, size_t size)
{
    const struct action_table table = actions_of(state->back);
    char keys[ACTION_KEYS_SIZE] = "";
    bool heading;
    if (state->view == VIEW_GLOSSARY) {
        (void)snprintf(out, size, "%s %s", words[line].term, words[line].text);
        return;
    }
    const struct action *action = action_at(&table, line, &heading);
    out[0] = '\0';
    if (!action)
        return;
    if (!heading)
        action_keys(action, keys);
    (void)snprintf(out, size, "%s %s", keys, heading ? action->heading : action->help);
}

static void draw_action(struct canvas *canvas, const struct rect *area, int row,
                        const struct action_table *table, int line)
{
    char keys[ACTION_KEYS_SIZE];
    bool heading;
    const struct action *action = action_at(table, line, &heading);
    if (!action)
        return;
    if (heading) {
        canvas_text(canvas, area, row, 0, STYLE_TITLE, action->heading);
        return;
    }
    action_keys(action, keys);
    canvas_text(canvas, area, row, 2, STYLE_KEY, keys);
    canvas_text(canvas, area, row, KEYS_COLS, STYLE_TEXT, action->help);
}

/* The line that was found is marked. */
static void mark_found(struct canvas *canvas, const struct rect *area, const struct state *state, int row,
                       int line)
{
    if (state->sought[0] && state->found_line == line + 1)
        canvas_restyle(canvas, area, row, 0, area->cols, STYLE_PROMPT);
}

void pane_help(struct canvas *canvas, const struct rect *area, const struct state *state)
{
    const struct action_table table = actions_of(state->back);
    struct rect inside = canvas_box(canvas, area, STYLE_FOCUS, "keys");
    int lines = (int)line_count(&table), columns = inside.cols >= 120 ? 2 : 1;
    int each = (lines + columns - 1) / columns, scroll = pane_scroll(state->scroll, each, inside.rows);
    for (int column = 0; column < columns; column++) {
        struct rect part = rect_part(&inside, 0, 1 + column * (inside.cols / 2), inside.rows,
                                     columns == 2 ? inside.cols / 2 - 1 : inside.cols - 2);
        for (int row = 0; row < inside.rows && row + scroll < each; row++) {
            int line = column * each + row + scroll;
            draw_action(canvas, &part, row, &table, line);
            mark_found(canvas, &part, state, row, line);
        }
    }
    pane_range(canvas, area, "lines", scroll + 1, inside.rows, each);
}

void pane_glossary(struct canvas *canvas, const struct rect *area, const struct state *state)
{
    struct rect inside = canvas_box(canvas, area, STYLE_FOCUS, "words");
    int lines = (int)(sizeof words / sizeof *words), scroll = pane_scroll(state->scroll, lines, inside.rows);
    struct rect part = rect_part(&inside, 0, 1, inside.rows, inside.cols - 2);
    for (int row = 0; row < part.rows && row + scroll < lines; row++) {
        canvas_text(canvas, &part, row, 0, STYLE_KEY, words[row + scroll].term);
        canvas_text(canvas, &part, row, TERM_COLS, STYLE_TEXT, words[row + scroll].text);
        mark_found(canvas, &part, state, row, row + scroll);
    }
    pane_range(canvas, area, "lines", scroll + 1, inside.rows, lines);
}
