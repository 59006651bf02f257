/* actions.h - what each key does: one table a view, from which the bar and the help come, too. */
#ifndef LANESCOPE_TUI_ACTIONS_H
#define LANESCOPE_TUI_ACTIONS_H

#include "state.h"

#define ACTION_KEYS      3
#define ACTION_RANKS     5u
#define ACTION_KEYS_SIZE 40

struct action {
    int keys[ACTION_KEYS];            /* as the help names them, the first also in the bar; 0: none */
    int also;                         /* does the same and is named nowhere; 0: none */
    const char *label;                /* in the bar; NULL: help only */
    const char *help;                 /* what it does; NULL: another row says it */
    const char *heading;              /* in the help, above this row; or NULL */
    unsigned rank;                    /* in the bar: 0 is always there, others where there is room */
    void (*run)(struct state *state); /* either this */
    void (*move)(struct state *state, int by); /* or this */
    int by;
};

struct action_table {
    const struct action *rows;
    size_t count;
};

/* What keys do in a view. */
struct action_table actions_of(enum view view);

/* Keys that come first where the cursor is on a cell of the output: in the owners' view and on the map. */
struct action_table actions_of_cells(const struct state *state);

bool action_has_key(const struct action *action, int key);
void action_run(const struct action *action, struct state *state);

/* "right l n" */
void action_keys(const struct action *action, char out[ACTION_KEYS_SIZE]);

/* The laboratory's, of actions_lab.c. */
extern const struct action_table lab_actions;

#endif
