/* mask.h - which lanes run: loops, breaks and returns on a warp's mask stack. Inside exec. */
#ifndef LANESCOPE_EXEC_MASK_H
#define LANESCOPE_EXEC_MASK_H

#include "state.h"

static inline void enter_loop(struct warp *warp)
{
    warp->frames[warp->depth++] =
        (struct frame){.saved = warp->active, .gone_saved = warp->gone, .is_loop = 1};
}

static inline void step_loop(struct warp *warp, const struct instruction *at, uint32_t *pc)
{
    const struct frame *frame = &warp->frames[warp->depth - 1];
    warp->gone = frame->gone_saved | frame->other | warp->returned;
    warp->active = frame->saved & ~warp->gone;
    if (!warp->active)
        *pc = at->extra;
}

static inline void leave_loop(struct warp *warp)
{
    const struct frame *frame = &warp->frames[--warp->depth];
    warp->gone = frame->gone_saved | warp->returned;
    warp->active = frame->saved & ~warp->gone;
}

static inline void break_loop(struct warp *warp)
{
    uint32_t depth = warp->depth;
    while (!warp->frames[depth - 1].is_loop)
        depth--;
    warp->frames[depth - 1].other |= warp->active;
    warp->gone |= warp->active;
    warp->active = 0;
}

static inline void return_lanes(struct warp *warp)
{
    warp->returned |= warp->active;
    warp->gone |= warp->active;
    warp->active = 0;
    if (!(warp->exists & ~warp->returned))
        warp->state = WARP_DONE;
}

#endif
