#include "bar.h"

#include <string.h>

#include "actions.h"
#include "fields.h"
#include "keys.h"
#include "list.h"
#include "play.h"

/* The key that the bar names: the first that is not the cursor's. */
static int key_of(const struct action *action, const struct action_table *cells)
{
    for (int k = 0; k < ACTION_KEYS && action->keys[k]; k++) {
        bool taken = false;
        for (size_t i = 0; i < cells->count; i++)
            taken = taken || action_has_key(&cells->rows[i], action->keys[k]);
        if (!taken)
            return action->keys[k];
    }
    return action->keys[0];
}

/* Returns the columns of key and label, and what parts them from the next. */
static int entry_cols(const struct action *action, const struct action_table *cells, int *key_cols)
{
    char name[PRESS_NAME_SIZE];
    *key_cols = (int)strlen(press_name(key_of(action, cells), name));
    return *key_cols + 1 + (int)strlen(action->label) + 2;
}

/* Where something is wrong the list of it comes before all others. */
static unsigned rank_of(const struct action *action, const struct state *state)
{
    const struct side *side = &state->side[state->active];
    bool wrong = state->sides && side->has_verdict && side->verdict.known.findings.leading;
    return wrong && action->run == list_findings ? 0 : action->rank;
}

/* Those of the lower ranks first, as long as they fit; shown in the table's order. */
static void draw_keys(struct canvas *canvas, const struct rect *area, const struct state *state,
                      const struct action_table *table)
{
    const struct action_table cells = actions_of_cells(state);
    bool shown[64] = {false};
    int left = area->cols + 2, col = 0, key_cols;
    for (unsigned rank = 0; rank < ACTION_RANKS; rank++)
        for (size_t i = 0; i < table->count && i < sizeof shown; i++) {
            const struct action *action = &table->rows[i];
            if (!action->label || rank_of(action, state) != rank ||
                entry_cols(action, &cells, &key_cols) > left)
                continue;
            shown[i] = true;
            left -= entry_cols(action, &cells, &key_cols);
        }
    for (size_t i = 0; i < table->count && i < sizeof shown; i++) {
        const struct action *action = &table->rows[i];
        char name[PRESS_NAME_SIZE];
        if (!shown[i])
            continue;
        int cols = entry_cols(action, &cells, &key_cols);
        canvas_text(canvas, area, 0, col, STYLE_KEY, press_name(key_of(action, &cells), name));
        canvas_text(canvas, area, 0, col + key_cols + 1, STYLE_DIM, action->label);
        col += cols;
    }
}

static void draw_prompt(struct canvas *canvas, const struct rect *area, const struct state *state)
{
    static const char *const asks[] = {[PROMPT_JUMP] =
                                           "jump to (block X,Y  warp N  lane N  site N, or cell R,C): ",
                                       [PROMPT_SAVE] = "save the screen as (.svg, else text): ",
                                       [PROMPT_FIND] = "find: "};
    bool is_field = state->prompt == PROMPT_FIELD;
    int col = canvas_format(canvas, area, 0, 0, STYLE_TITLE, is_field ? "%s = " : "%s",
                            is_field ? fields[state->field].name : asks[state->prompt]);
    col += canvas_format(canvas, area, 0, col, STYLE_PROMPT, "%s_", state->typed);
    static const struct {
        int key;
        const char *label;
    } keys[] = {
        {PRESS_TAB, "next field"}, {PRESS_ENTER, "apply"}, {PRESS_ESCAPE, "cancel"}, {PRESS_CLEAR, "clear"}};
    for (size_t i = 0; is_field && i < sizeof keys / sizeof *keys; i++) {
        char name[PRESS_NAME_SIZE];
        col += canvas_format(canvas, area, 0, col, STYLE_DIM, "%s  %s %s", i ? "" : " ",
                             press_name(keys[i].key, name), keys[i].label);
    }
}

void bar_draw(struct canvas *canvas, const struct state *state)
{
    struct rect area = rect_part(&state->layout.bar, 0, 1, 1, state->layout.bar.cols - 1);
    const struct action_table table = actions_of(state->view);
    int col = 0;
    if (state->prompt != PROMPT_NONE) {
        draw_prompt(canvas, &area, state);
        return;
    }
    if (state->playing && (state->view == VIEW_PANES || state->view == VIEW_OWNERS)) {
        char rate[PLAY_RATE_SIZE];
        play_rate(state, rate);
        col = canvas_format(canvas, &area, 0, 0, STYLE_PROMPT, "playing %s", rate) + 1;
    }
    if (actions_of_cells(state).count) {
        col += canvas_text(canvas, &area, 0, col, STYLE_KEY, "arrows");
        col += canvas_text(canvas, &area, 0, col, STYLE_DIM, " cell  ");
        col += canvas_text(canvas, &area, 0, col, STYLE_KEY, "enter");
        col += canvas_text(canvas, &area, 0, col, STYLE_DIM, " who wrote it  ");
    }
    struct rect rest = rect_part(&area, 0, col, 1, area.cols - col);
    draw_keys(canvas, &rest, state, &table);
}
