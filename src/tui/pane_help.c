/* pane_help.c - the keys and what they do, from the tables of actions. */
#include "panes.h"

#include "actions.h"
#include "pane.h"

static int draw_action(struct canvas *canvas, const struct rect *area, int row, const struct action *action)
{
    char keys[ACTION_KEYS_SIZE];
    action_keys(action, keys);
    if (action->heading)
        canvas_text(canvas, area, row++, 0, STYLE_TITLE, action->heading);
    canvas_text(canvas, area, row, 2, STYLE_KEY, keys);
    canvas_text(canvas, area, row, 14, STYLE_TEXT, action->help);
    return row + 1;
}

void pane_help(struct canvas *canvas, const struct rect *area, const struct state *state)
{
    const struct action_table table = actions_of(state->back);
    struct rect inside = canvas_box(canvas, area, STYLE_FOCUS, "keys");
    int lines = (int)table.count;
    for (size_t i = 0; i < table.count; i++)
        lines += table.rows[i].heading != NULL;
    bool two = inside.cols >= 120;
    int column = two ? (lines + 1) / 2 : lines, scroll = pane_scroll(state->scroll, column, inside.rows);
    int row = 0, left = 1;
    for (size_t i = 0; i < table.count; i++) {
        struct rect part =
            rect_part(&inside, 0, left, inside.rows, two ? inside.cols / 2 - 1 : inside.cols - 2);
        row = draw_action(canvas, &part, row - scroll, &table.rows[i]) + scroll;
        if (two && left == 1 && row >= column) {
            row = 0;
            left = inside.cols / 2;
        }
    }
    pane_range(canvas, area, "lines", scroll + 1, inside.rows, column);
}
