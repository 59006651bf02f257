/* loop.c - loops that take long: do they end at all?
 *
 * A warp's way through the code depends on its registers, its masks and its place, and on the numbers that it
 * loads: other data is never a condition. Numbers of a buffer that no store of the kernel writes are the same
 * whenever they are loaded, so that they depend on registers again. Numbers of other memory (a buffer whose
 * contents are known and that the kernel writes, shared memory) may be others next time, by this warp's own
 * stores or by another warp's: whoever loads one voids what was noted of this warp (snapshot_outdate), and a
 * loop that does so each time round is never proved endless; the budget ends it. Any other loop that jumps
 * back in a state it was in before never ends. States are compared with one that was noted when the warp had
 * spent 2^16, 2^17, 2^18 ... steps (Brent's way of finding a cycle), for an eighth of those steps each:
 * cycles of that length are found, and loops that are only long are hardly slowed.
 */
#include <stdio.h>
#include <string.h>

#include "state.h"

static void note(struct execution *e, const struct warp *warp, const struct instruction *at)
{
    struct snapshot *s = &e->snapshot;
    size_t registers = e->program->register_count, frames = e->program->mask_depth + 1u;
    s->at = at;
    s->warp = warp->index;
    s->active = warp->active;
    s->exited = warp->exited;
    s->left = warp->left;
    s->masked = warp->masked;
    s->depth = warp->depth;
    s->until = warp->spent + warp->spent / 8;
    s->next = 2 * warp->spent;
    memcpy(s->registers, warp->registers, registers * sizeof *s->registers);
    memcpy(s->partials, warp->partials, registers * sizeof *s->partials);
    memcpy(s->frames, warp->frames, frames * sizeof *s->frames);
}

static bool is_as_noted(const struct execution *e, const struct warp *warp, const struct instruction *at)
{
    const struct snapshot *s = &e->snapshot;
    size_t registers = e->program->register_count;
    return s->at == at && s->active == warp->active && s->exited == warp->exited && s->left == warp->left &&
           s->masked == warp->masked && s->depth == warp->depth &&
           memcmp(s->registers, warp->registers, registers * sizeof *s->registers) == 0 &&
           memcmp(s->partials, warp->partials, registers * sizeof *s->partials) == 0 &&
           memcmp(s->frames, warp->frames, warp->depth * sizeof *s->frames) == 0;
}

static bool fail(struct execution *e, const struct warp *warp, const struct instruction *at, const char *what)
{
    char message[300];
    (void)snprintf(message, sizeof message, "%s: block (%u, %u, %u), warp %u, %llu steps", what, e->block[0],
                   e->block[1], e->block[2], warp->index, (unsigned long long)warp->spent);
    return execution_fault(e, at, PROBLEM_FAULT_ENDLESS, message);
}

/* The smallest step count after now at which there is something to do. */
static uint64_t next_look(const struct execution *e, const struct warp *warp)
{
    const struct snapshot *s = &e->snapshot;
    if (s->at && s->warp == warp->index && warp->spent < s->until)
        return warp->spent; /* each jump is compared */
    uint64_t next = (warp->spent / LOOP_LOOK + 1) * LOOP_LOOK;
    return next < e->launch.budget ? next : e->launch.budget;
}

static bool ask_watch(const struct execution *e, struct warp *warp)
{
    const struct watch *watch = e->launch.watch;
    if (!watch)
        return true;
    struct watched watched = {{e->block[0], e->block[1], e->block[2]}, warp->index, warp->spent, warp->mark};
    bool go_on = watch->go_on(watch->self, &watched);
    warp->mark = watched.mark;
    return go_on;
}

bool loop_look(struct execution *e, struct warp *warp, const struct instruction *at)
{
    const struct snapshot *s = &e->snapshot;
    if (warp->spent > e->launch.budget) {
        problem_offer(e->problem, PROBLEM_CURE_BUDGET);
        return fail(e, warp, at, "this loop does not end within the budget of steps");
    }
    if (s->at && s->warp == warp->index && is_as_noted(e, warp, at))
        return fail(e, warp, at, "this loop never ends: all its variables are as they were before");
    uint64_t looked = warp->look_at / LOOP_LOOK;
    if (warp->spent / LOOP_LOOK != looked && !ask_watch(e, warp)) {
        problem_offer(e->problem, PROBLEM_CURE_TIME);
        return fail(e, warp, at, "this loop was still running when it was stopped");
    }
    if (!s->at || warp->spent >= s->next) /* one warp at a time */
        note(e, warp, at);
    warp->look_at = next_look(e, warp);
    return true;
}
