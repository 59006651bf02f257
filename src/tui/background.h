/* background.h - work that can wait, on a thread of its own, so that a block of seconds does not hold the
 * keys.
 *
 * It is no parallel work: either the keys' side runs or the work, one hands over to the other, and nothing is
 * touched by two at once. The work hands back between blocks or in the midst of one (where the interpreter
 * asks the watch) as soon as `wanted` says that something else is to be done: it is then paused,
 * and what it works on must not be freed before background_cancel().
 */
#ifndef LANESCOPE_TUI_BACKGROUND_H
#define LANESCOPE_TUI_BACKGROUND_H

#include <pthread.h>
#include <stdbool.h>

#include "../../sim/exec/launch.h"

enum background_turn { TURN_KEYS, TURN_WORK };

struct background {
    struct watch watch;         /* of all executions of the UI */
    const struct watch *outer;  /* asked first; NULL: nobody */
    bool (*work)(void *self);   /* until something else is wanted; true: there is more */
    bool (*wanted)(void *self); /* should it pause here? */
    /* The watch's answer on the keys' own thread, where a key is waiting for a long block. NULL: true. */
    bool (*go_on)(void *self, const struct watched *warp);
    void *self;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t turned;
    enum background_turn turn;
    bool runs; /* the thread */
    bool more, paused, cancelled, ended;
};

/* Fills the watch, which points back: call where it stays. The functions are set by the caller. */
void background_begin(struct background *background, const struct watch *outer);
void background_end(struct background *background);

/* Works until its function comes back or is paused. True: there is more. */
bool background_run(struct background *background);

/* Ends a paused slice: its block is left as if it had failed. */
void background_cancel(struct background *background);

#endif
