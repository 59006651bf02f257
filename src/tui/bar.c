#include "bar.h"

#include <string.h>

#include "actions.h"
#include "edit.h"

static const char *const speeds[STATE_SPEEDS] = {"1/s", "2/s", "4/s", "8/s", "16/s", "40/s"};

/* The key that the bar names: the first of those shown. */
static int key_cols(const struct action *action)
{
    return (int)strcspn(action->shown, " ");
}

static int bar_cols(const struct action *action)
{
    return key_cols(action) + 1 + (int)strlen(action->label) + 2;
}

/* Those of the lower ranks first, as long as they fit; shown in the table's order. */
static void draw_keys(struct canvas *canvas, const struct rect *area, const struct action *table,
                      size_t count)
{
    bool shown[64] = {false};
    int left = area->cols + 2, col = 0;
    for (unsigned rank = 0; rank < ACTION_RANKS; rank++)
        for (size_t i = 0; i < count && i < sizeof shown; i++)
            if (table[i].label && table[i].rank == rank && bar_cols(&table[i]) <= left) {
                shown[i] = true;
                left -= bar_cols(&table[i]);
            }
    for (size_t i = 0; i < count && i < sizeof shown; i++) {
        if (!shown[i])
            continue;
        canvas_format(canvas, area, 0, col, STYLE_KEY, "%.*s", key_cols(&table[i]), table[i].shown);
        canvas_text(canvas, area, 0, col + key_cols(&table[i]) + 1, STYLE_DIM, table[i].label);
        col += bar_cols(&table[i]);
    }
}

void bar_draw(struct canvas *canvas, const struct state *state)
{
    struct rect area = rect_part(&state->layout.bar, 0, 1, 1, state->layout.bar.cols - 1);
    static const char *const asks[] = {
        "", "", "jump to (block X,Y  warp N  site N): ", "save the screen as (.svg, else text): "};
    if (state->prompt == PROMPT_FIELD) {
        int col = canvas_format(canvas, &area, 0, 0, STYLE_TITLE, "%s = ", field_names[state->field]);
        col += canvas_format(canvas, &area, 0, col, STYLE_PROMPT, "%s_", state->typed);
        canvas_text(canvas, &area, 0, col, STYLE_DIM,
                    "   tab next field  enter apply  esc cancel  ctrl-u clear");
    } else if (state->prompt != PROMPT_NONE) {
        int col = canvas_text(canvas, &area, 0, 0, STYLE_TITLE, asks[state->prompt]);
        canvas_format(canvas, &area, 0, col, STYLE_PROMPT, "%s_", state->typed);
    } else if (state->view == VIEW_LAB) {
        draw_keys(canvas, &area, lab_actions, lab_action_count);
    } else if (state->view == VIEW_HELP) {
        draw_keys(canvas, &area, help_actions, help_action_count);
    } else {
        int col = 0;
        if (state->playing)
            col = canvas_format(canvas, &area, 0, 0, STYLE_PROMPT, "playing %s", speeds[state->speed]) + 1;
        struct rect rest = rect_part(&area, 0, col, 1, area.cols - col);
        draw_keys(canvas, &rest, actions, action_count);
    }
}
