/* loop.h - the life of the UI on a screen: keys first, then the clock, then the file, then what can wait.
 *
 * The watch goes into the options of every session: by it work is paused in the midst of a long block when a
 * key comes, and a long block that a key waits for shows its progress and is left with Escape.
 */
#ifndef LANESCOPE_TUI_LOOP_H
#define LANESCOPE_TUI_LOOP_H

#include "background.h"
#include "live.h"
#include "screen.h"
#include "state.h"

enum { LOOP_KEPT = 64 };

struct loop {
    struct screen *screen; /* NULL: not begun */
    struct state *state;
    struct canvas canvas;
    struct live live;
    struct background background;
    int64_t began;                     /* ms: the slice of work */
    int64_t asked;                     /* ms: what is done for a key */
    int64_t shown;                     /* ms: the screen */
    bool is_told;                      /* the message was that of a long block */
    char before[PROBLEM_MESSAGE_SIZE]; /* the one that it stands in the place of */
    bool before_is_bad;
    bool has_ended;      /* by a signal, while a block was waited for */
    int kept[LOOP_KEPT]; /* keys that came while a block was waited for */
    unsigned kept_count;
};

/* Before anything is run. The watch is background.watch; call where it stays. */
void loop_begin(struct loop *loop, const struct watch *outer);

/* Until the user quits. `path`: of the kernel's file, or NULL. */
void loop_run(struct loop *loop, struct screen *screen, struct state *state, const char *path);

/* Before the state is freed; texts that it reads are freed by live_end(). */
void loop_end(struct loop *loop);

#endif
