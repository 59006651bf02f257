/* mask.h - which lanes run: ifs, loops, breaks and returns on a warp's mask stack. Inside exec. */
#ifndef LANESCOPE_EXEC_MASK_H
#define LANESCOPE_EXEC_MASK_H

#include "state.h"

/* `lanes` take the if; who takes no part in them waits for the else side. */
static inline void mask_enter_if(struct warp *warp, uint32_t lanes)
{
    struct frame *frame = &warp->frames[warp->depth++];
    frame->is_loop = 0;
    frame->saved = warp->active;
    frame->other = warp->active & ~lanes;
}

/* The lanes that run now. */
static inline uint32_t mask_else(struct warp *warp)
{
    return warp->active = warp->frames[warp->depth - 1].other; /* they were idle: none of them has left */
}

static inline void mask_end_if(struct warp *warp)
{
    warp->active = warp->frames[--warp->depth].saved & ~warp->masked;
}

static inline void mask_enter_loop(struct warp *warp)
{
    warp->frames[warp->depth++] =
        (struct frame){.saved = warp->active, .masked_saved = warp->masked, .is_loop = 1};
}

static inline void mask_stay_in_loop(struct warp *warp, uint32_t lanes)
{
    warp->frames[warp->depth - 1].other |= warp->active & ~lanes;
    warp->active = lanes;
}

/* Lanes that continued come back. The lanes that run now. */
static inline uint32_t mask_step_loop(struct warp *warp)
{
    const struct frame *frame = &warp->frames[warp->depth - 1];
    warp->masked = frame->masked_saved | frame->other | warp->exited | warp->left;
    return warp->active = frame->saved & ~warp->masked;
}

static inline void mask_leave_loop(struct warp *warp)
{
    const struct frame *frame = &warp->frames[--warp->depth];
    warp->masked = frame->masked_saved | warp->exited | warp->left;
    warp->active = frame->saved & ~warp->masked;
}

static inline void mask_enter_call(struct warp *warp)
{
    warp->frames[warp->depth++] =
        (struct frame){.saved = warp->active, .masked_saved = warp->masked, .other = warp->left};
}

static inline void mask_leave_call(struct warp *warp)
{
    warp->left |= warp->active;
    warp->masked |= warp->active;
    warp->active = 0;
}

/* Who left the function comes back, but for lanes that are masked for another reason. */
static inline void mask_end_call(struct warp *warp)
{
    const struct frame *frame = &warp->frames[--warp->depth];
    warp->left = frame->other;
    warp->masked = frame->masked_saved | warp->exited | warp->left;
    warp->active = frame->saved & ~warp->masked;
}

static inline void mask_enter_switch(struct warp *warp)
{
    mask_enter_loop(warp);
    warp->active = 0;
}

static inline void mask_enter_case(struct warp *warp, uint32_t lanes)
{
    warp->active |= lanes & warp->frames[warp->depth - 1].saved & ~warp->masked;
}

/* Who broke out comes back; who continued the loop around, left a function or exited does not. */
static inline void mask_end_switch(struct warp *warp)
{
    const struct frame *frame = &warp->frames[--warp->depth];
    warp->masked &= ~frame->other;
    warp->active = frame->saved & ~warp->masked;
}

static inline void mask_continue(struct warp *warp)
{
    warp->masked |= warp->active;
    warp->active = 0;
}

static inline void mask_break(struct warp *warp)
{
    uint32_t depth = warp->depth;
    while (!warp->frames[depth - 1].is_loop)
        depth--;
    warp->frames[depth - 1].other |= warp->active;
    mask_continue(warp);
}

static inline void mask_exit(struct warp *warp)
{
    warp->exited |= warp->active;
    mask_continue(warp);
    if (!warp_alive(warp))
        warp->state = WARP_DONE;
}

#endif
