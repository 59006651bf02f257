/* parting.h - compiled code: lanes that part at a branch, wait, and meet again. Inside exec.
 *
 * The lanes that run are those at the lowest place in the code; the others wait in the warp's frames, the
 * lowest on top, lanes at one place together. A front end lays out its code so that a loop's body comes
 * before what follows the loop, and whatever else in the order in which it can be reached: then lanes meet
 * where their ways first meet, as they do on hardware at the immediate post-dominator.
 *
 * Each frame holds a lane at least, so a warp has at most 32 that wait: a front end gives program.mask_depth
 * some more. Places are indices into program.code.
 */
#ifndef LANESCOPE_EXEC_PARTING_H
#define LANESCOPE_EXEC_PARTING_H

#include <string.h>

#include "state.h"

static inline void parting_wait(struct warp *warp, uint32_t lanes, uint32_t pc)
{
    uint32_t at = warp->depth;
    while (at && warp->frames[at - 1].other < pc)
        at--;
    if (at && warp->frames[at - 1].other == pc) {
        warp->frames[at - 1].saved |= lanes;
        return;
    }
    memmove(&warp->frames[at + 1], &warp->frames[at], (warp->depth - at) * sizeof *warp->frames);
    warp->frames[at] = (struct frame){.saved = lanes, .other = pc};
    warp->depth++;
}

/* The lowest that wait run now. Where. */
static inline uint32_t parting_resume(struct warp *warp)
{
    const struct frame *frame = &warp->frames[--warp->depth];
    warp->active = frame->saved;
    return frame->other;
}

/* Those that run go to `pc`, which lies ahead. Where those that run then are. */
static inline uint32_t parting_forward(struct warp *warp, uint32_t pc)
{
    if (!warp->depth || warp->frames[warp->depth - 1].other >= pc)
        return pc;
    parting_wait(warp, warp->active, pc);
    return parting_resume(warp);
}

static inline void parting_join(struct warp *warp, uint32_t pc)
{
    while (warp->depth && warp->frames[warp->depth - 1].other == pc)
        warp->active |= warp->frames[--warp->depth].saved;
}

/* Those that wait at `pc`, wherever that is, run too. */
static inline void parting_gather(struct warp *warp, uint32_t pc)
{
    for (uint32_t i = warp->depth; i-- > 0;)
        if (warp->frames[i].other == pc) {
            warp->active |= warp->frames[i].saved;
            memmove(&warp->frames[i], &warp->frames[i + 1], (warp->depth - i - 1) * sizeof *warp->frames);
            warp->depth--;
        }
}

/* Those that run wait at the barrier before *pc, and others run: false if they all wait at barriers already.
 * A frame whose lanes wait at a barrier is marked by is_loop. */
static inline bool parting_yield(struct warp *warp, uint32_t *pc)
{
    uint32_t at = warp->depth, here = *pc - 1;
    while (at && warp->frames[at - 1].is_loop)
        at--;
    if (!at)
        return false;
    struct frame next = warp->frames[at - 1];
    memmove(&warp->frames[at - 1], &warp->frames[at], (warp->depth - at) * sizeof *warp->frames);
    warp->depth--;
    parting_wait(warp, warp->active, here);
    for (uint32_t i = 0; i < warp->depth; i++)
        if (warp->frames[i].other == here)
            warp->frames[i].is_loop = 1;
    warp->active = next.saved;
    *pc = next.other;
    return true;
}

static inline void parting_guard(struct warp *warp, uint32_t lanes)
{
    warp->unguarded = warp->active;
    warp->active = lanes;
}

static inline void parting_unguard(struct warp *warp)
{
    warp->active = warp->unguarded;
    warp->unguarded = 0;
}

#endif
