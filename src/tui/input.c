#include "input.h"

#include <stdio.h>

#include "actions.h"
#include "keys.h"
#include "prompt.h"

static bool run_of(struct state *state, const struct action_table table, int key)
{
    for (size_t i = 0; i < table.count; i++)
        if (action_has_key(&table.rows[i], key)) {
            action_run(&table.rows[i], state);
            return true;
        }
    return false;
}

static void run_action(struct state *state, int key)
{
    if (run_of(state, actions_of_cells(state), key) || run_of(state, actions_of(state->view), key))
        return;
    if (key > ' ' && key < 0x7f) {
        char text[80];
        (void)snprintf(text, sizeof text, "%c does nothing here; ? lists the keys", key);
        state_say(state, false, text);
    }
}

void input_key(struct state *state, int key)
{
    bool pasted = key & PRESS_PASTED;
    key &= ~PRESS_PASTED;
    if (pasted && (state->prompt == PROMPT_NONE || key < ' ' || key >= 0x7f))
        return; /* text is no command, and its end no Enter */
    state->message[0] = '\0';
    if (state->prompt != PROMPT_NONE)
        prompt_press(state, key);
    else if (state->view == VIEW_LAB && key >= '0' && key <= '9')
        lab_type(&state->lab, (char)key);
    else
        run_action(state, key);
    state_fit(state);
}
