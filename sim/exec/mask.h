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
    warp->gone = frame->gone_saved | frame->other | warp->returned | warp->left;
    warp->active = frame->saved & ~warp->gone;
    if (!warp->active)
        *pc = at->extra;
}

static inline void leave_loop(struct warp *warp)
{
    const struct frame *frame = &warp->frames[--warp->depth];
    warp->gone = frame->gone_saved | warp->returned | warp->left;
    warp->active = frame->saved & ~warp->gone;
}

static inline void enter_call(struct warp *warp)
{
    warp->frames[warp->depth++] =
        (struct frame){.saved = warp->active, .gone_saved = warp->gone, .other = warp->left};
}

static inline void leave_call(struct warp *warp)
{
    warp->left |= warp->active;
    warp->gone |= warp->active;
    warp->active = 0;
}

/* Who left comes back, but for lanes that are gone for another reason. */
static inline void end_call(struct warp *warp)
{
    const struct frame *frame = &warp->frames[--warp->depth];
    warp->left = frame->other;
    warp->gone = frame->gone_saved | warp->returned | warp->left;
    warp->active = frame->saved & ~warp->gone;
}

static inline void enter_switch(struct warp *warp)
{
    enter_loop(warp);
    warp->active = 0;
}

static inline void enter_case(struct warp *warp, uint32_t lanes)
{
    warp->active |= lanes & warp->frames[warp->depth - 1].saved & ~warp->gone;
}

/* Who broke out comes back; who continued the loop around, left or returned does not. */
static inline void end_switch(struct warp *warp)
{
    const struct frame *frame = &warp->frames[--warp->depth];
    warp->gone &= ~frame->other;
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
