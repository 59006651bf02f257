/* census.c - which regions there are. */
#include "census.h"

#include <stdlib.h>

#include "../../base/arena.h"

/* Regions that are still to be run: a heap, the largest on top. */
struct queue {
    struct region *at;
    size_t count, capacity;
};

static bool is_larger(const struct queue *queue, size_t a, size_t b)
{
    return region_blocks(&queue->at[a]) > region_blocks(&queue->at[b]);
}

static void swap(struct queue *queue, size_t a, size_t b)
{
    struct region keep = queue->at[a];
    queue->at[a] = queue->at[b];
    queue->at[b] = keep;
}

static void push(struct queue *queue, const struct region *region)
{
    if (queue->count == queue->capacity) {
        queue->capacity = queue->capacity ? 2 * queue->capacity : 64;
        queue->at = memory_resize(queue->at, queue->capacity, sizeof *queue->at);
    }
    size_t at = queue->count++;
    queue->at[at] = *region;
    for (; at && is_larger(queue, at, (at - 1) / 2); at = (at - 1) / 2)
        swap(queue, at, (at - 1) / 2);
}

static struct region pop(struct queue *queue)
{
    struct region top = queue->at[0];
    queue->at[0] = queue->at[--queue->count];
    for (size_t at = 0, child; (child = 2 * at + 1) < queue->count; at = child) {
        child += child + 1 < queue->count && is_larger(queue, child + 1, child);
        if (!is_larger(queue, child, at))
            break;
        swap(queue, at, child);
    }
    return top;
}

struct run {
    struct census *census;
    struct queue queue;
    struct region *rest; /* room for the pieces of one: few, most often */
    uint64_t room, most; /* regions */
    uint64_t blocks;     /* run, or stood for */
    bool split;          /* there are other axes: everything anew */
    struct region first; /* where the problem is that comes first */
    struct problem problem;
};

/* Too many regions, for what they are worth? */
static bool is_hopeless(const struct run *run)
{
    uint64_t regions = run->census->regions;
    return regions + run->queue.count > run->most ||
           (regions >= CENSUS_TRIAL && run->blocks / regions < CENSUS_WORTH && run->queue.count);
}

/* The region that stands on top. False: it is over. */
static bool step(struct run *run, struct execution *execution, const struct sink *sink,
                 struct problem *problem)
{
    struct region whole = pop(&run->queue), part = whole;
    struct problem found = {0};
    bool refused;
    if (run->problem.set && !region_is_before(&whole, &run->first))
        return true;
    if (!execution_run_region(execution, &part, sink, &run->census->cause, &refused, &found)) {
        run->split = execution_was_split(execution);
        run->census->given_up = refused;
        if (!found.set || refused)
            return false;
        if (found.cure == PROBLEM_CURE_TIME) { /* of somebody's patience, not of a block */
            *problem = found;
            return false;
        }
        run->problem = found;
        run->first = whole;
        return true; /* no block of it runs before its first */
    }
    uint64_t pieces = region_rest(&whole, &part, run->rest, run->room);
    if (pieces > run->room && run->room < run->most) {
        run->room = run->most;
        run->rest = memory_resize(run->rest, (size_t)run->room, sizeof *run->rest);
        pieces = region_rest(&whole, &part, run->rest, run->room);
    }
    run->census->regions++;
    run->blocks += region_blocks(&part);
    run->census->given_up = pieces > run->most;
    for (uint64_t i = 0; i < pieces && !run->census->given_up; i++)
        push(&run->queue, &run->rest[i]);
    run->census->given_up = run->census->given_up || is_hopeless(run);
    return !run->census->given_up;
}

bool census_run(struct execution *execution, const struct launch *launch, uint64_t most,
                const struct sink *sink, struct census *census, struct problem *problem)
{
    struct run run = {.census = census, .room = most < 16 ? most : 16, .most = most};
    const struct watch *watch = launch->watch;
    bool ok;
    run.rest = memory_take((size_t)run.room, sizeof *run.rest);
    do {
        struct region start[2];
        *census = (struct census){.numbering = execution_numbering(execution)};
        run.queue.count = 0;
        run.split = false;
        for (unsigned i = numbering_start(&census->numbering, start); i--;)
            push(&run.queue, &start[i]);
        ok = true;
        while (ok && run.queue.count) {
            ok = step(&run, execution, sink, problem);
            if (ok && watch && watch->between && !watch->between(watch->self, census->regions, most)) {
                census->stopped = true;
                ok = false;
            }
        }
    } while (run.split);
    if (ok && run.problem.set) {
        *problem = run.problem;
        ok = false;
    }
    census->axes_failed = census->numbering.splits && (census->given_up || run.problem.set);
    free(run.queue.at);
    free(run.rest);
    return ok;
}

bool census_again(struct execution *execution, const struct launch *launch, const struct census *census,
                  bool found)
{
    const struct noticed n = execution_noticed(execution);
    found = found || n.overflow.lanes || n.wrap.lanes || n.narrowed.lanes || n.local_array.place.source;
    return census->numbering.splits &&
           (census->axes_failed || (found && launch_blocks(launch) <= CENSUS_ORDERED)) &&
           execution_keep_axes(execution);
}
