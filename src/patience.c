#include "patience.h"

#include <time.h>

#include "interrupt.h"

static int64_t milliseconds(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000 + 1; /* never 0 */
}

static bool go_on(void *self, struct watched *warp)
{
    struct patience *patience = self;
    int64_t now = milliseconds();
    if (!warp->mark)
        warp->mark = now;
    if (patience->progress && now - warp->mark > 500) /* blocks that take less say enough by ending */
        progress_count(patience->progress, warp->steps, "steps of a warp", 0);
    if (interrupt_asked())
        return !(patience->interrupted = true);
    return !patience->seconds || now - warp->mark <= (int64_t)patience->seconds * 1000;
}

static bool between(void *self, uint64_t regions, uint64_t most)
{
    struct patience *patience = self;
    if (patience->progress)
        progress_count(patience->progress, regions, "kinds of blocks", most);
    if (interrupt_asked())
        return !(patience->interrupted = true);
    return true;
}

void patience_begin(struct patience *patience)
{
    patience->watch = (struct watch){.self = patience, .go_on = go_on, .between = between};
}

struct patience *patience_of(const struct launch *launch)
{
    return launch->watch ? launch->watch->self : NULL;
}
