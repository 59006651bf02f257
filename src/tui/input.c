#include "input.h"

#include <stdio.h>

#include "actions.h"
#include "prompt.h"

static void run_action(struct state *state, int key)
{
    const struct action_table table = actions_of(state->view);
    for (size_t i = 0; i < table.count; i++)
        if (action_has_key(&table.rows[i], key)) {
            action_run(&table.rows[i], state);
            return;
        }
    if (key > ' ' && key < 0x7f) {
        char text[80];
        (void)snprintf(text, sizeof text, "%c does nothing here; ? lists the keys", key);
        state_say(state, false, text);
    }
}

void input_key(struct state *state, int key)
{
    state->message[0] = '\0';
    if (state->prompt != PROMPT_NONE)
        prompt_press(state, key);
    else if (state->view == VIEW_LAB && key >= '0' && key <= '9')
        lab_type(&state->lab, (char)key);
    else
        run_action(state, key);
    state_fit(state);
}
