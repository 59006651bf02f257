#include "prompt.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../base/parse_number.h"
#include "edit.h"
#include "fields.h"
#include "find.h"
#include "history.h"
#include "keys.h"
#include "motion.h"

void prompt_begin(struct state *state, enum prompt prompt, const char *typed)
{
    state->prompt = prompt;
    state->playing = false;
    (void)snprintf(state->typed, sizeof state->typed, "%s", typed);
}

void prompt_save(struct state *state)
{
    char name[40] = "lanescope.svg";
    if (state->saves)
        (void)snprintf(name, sizeof name, "lanescope-%u.svg", state->saves + 1);
    prompt_begin(state, PROMPT_SAVE, name);
}

/* A block or grid given as numbers does not follow the sizes. */
static void say_what_stays(struct state *state)
{
    const struct scenario *s = &state_side(state)->session->scenario;
    enum field field = state->field;
    bool is_size = field == FIELD_ROWS || field == FIELD_COLS;
    bool grid = s->options.grid.count && (is_size || field == FIELD_TILE);
    bool block = s->options.block.count && (field == FIELD_TILE || field == FIELD_BLOCK_ROWS);
    const uint32_t *g = s->launch.grid, *b = s->launch.block;
    char text[160];
    int used = snprintf(text, sizeof text, "%s is %" PRIu64, fields[field].name,
                        field_value(state_side(state)->session, field));
    if (grid)
        used += snprintf(text + used, sizeof text - (size_t)used, "; the grid stays %u x %u x %u, as given",
                         g[0], g[1], g[2]);
    if (block)
        (void)snprintf(text + used, sizeof text - (size_t)used, "; the block stays %u x %u x %u, as given",
                       b[0], b[1], b[2]);
    if (grid || block)
        state_say(state, false, text);
}

static bool apply_field(struct state *state)
{
    const struct session *session = state_side(state)->session;
    struct scenario_options options = session->scenario.options;
    uint64_t value;
    char text[120];
    if (!parse_number(state->typed, 1, INT32_MAX, &value)) {
        (void)snprintf(text, sizeof text, "%s is a number from 1 to 2147483647, not '%.20s'",
                       fields[state->field].name, state->typed);
        state_say(state, true, text);
        return false;
    }
    field_set(&options, &session->scenario, state->field, (uint32_t)value);
    if (!edit_options(state, &options))
        return false;
    say_what_stays(state);
    return true;
}

/* From the current field on, `by` further; fields that the text does not use are passed over. */
void prompt_field(struct state *state, int by)
{
    const struct session *session = state_side(state)->session;
    char text[32];
    int field = ((int)state->field + by + FIELD_COUNT) % FIELD_COUNT, step = by ? by : 1;
    while (!field_applies(session, (enum field)field))
        field = (field + step + FIELD_COUNT) % FIELD_COUNT;
    state->field = (enum field)field;
    (void)snprintf(text, sizeof text, "%" PRIu64, field_value(session, state->field));
    prompt_begin(state, PROMPT_FIELD, text);
}

static void find(struct state *state)
{
    find_forget(state);
    (void)snprintf(state->sought, sizeof state->sought, "%s", state->typed);
    if (state->sought[0])
        (void)find_next(state, 1);
}

static bool jump(struct state *state)
{
    history_note(state);
    if (move_jump(state, state->typed))
        return true;
    state->history.count--;
    return false;
}

static void apply(struct state *state)
{
    enum prompt prompt = state->prompt;
    bool done = true;
    if (prompt == PROMPT_FIELD)
        done = apply_field(state);
    else if (prompt == PROMPT_JUMP)
        done = jump(state);
    else if (prompt == PROMPT_FIND)
        find(state);
    else if (state->typed[0])
        (void)snprintf(state->save_path, sizeof state->save_path, "%s", state->typed);
    if (done) /* otherwise it stays open, to be mended */
        state->prompt = PROMPT_NONE;
}

void prompt_press(struct state *state, int key)
{
    size_t length = strlen(state->typed);
    bool is_field = state->prompt == PROMPT_FIELD;
    if (key == PRESS_ESCAPE) {
        state->prompt = PROMPT_NONE;
    } else if (key == PRESS_ENTER) {
        apply(state);
    } else if (is_field && (key == PRESS_TAB || key == PRESS_RIGHT || key == PRESS_DOWN)) {
        prompt_field(state, 1);
    } else if (is_field && (key == PRESS_BACK_TAB || key == PRESS_LEFT || key == PRESS_UP)) {
        prompt_field(state, -1);
    } else if (key == PRESS_BACKSPACE) {
        if (length)
            state->typed[length - 1] = '\0';
    } else if (key == PRESS_CLEAR) {
        state->typed[0] = '\0';
    } else if (key >= ' ' && key < 0x7f && length + 1 < PROMPT_SIZE) {
        state->typed[length] = (char)key;
        state->typed[length + 1] = '\0';
    }
}
