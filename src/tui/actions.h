/* actions.h - what each key does: one table a view, from which the bar and the help come, too. */
#ifndef LANESCOPE_TUI_ACTIONS_H
#define LANESCOPE_TUI_ACTIONS_H

#include "state.h"

#define ACTION_RANKS 4u

/* One row a key; the bar and the help come from here. */
struct action {
    int keys[3];         /* 0: none */
    const char *shown;   /* the keys, as shown */
    const char *label;   /* in the bar; NULL: help only */
    const char *help;    /* what it does */
    const char *heading; /* in the help, above this row; or NULL */
    void (*run)(struct state *state);
    unsigned rank; /* in the bar: 0 is always there, higher ones where there is room */
};
extern const struct action actions[];
extern const size_t action_count;
extern const struct action help_actions[]; /* while the help is shown */
extern const size_t help_action_count;
extern const struct action lab_actions[];
extern const size_t lab_action_count;

#endif
