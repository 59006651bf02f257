#include "race.h"

#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"

bool races_init(struct races *races, const struct program *program, const struct launch *launch,
                struct problem *problem)
{
    uint64_t bytes = program_shared_bytes(program, launch->dynamic_shared_bytes);
    *races = (struct races){
        .program = program, .weight = 1, .count = bytes / program->granule + 1, .last_barrier = -1};
    races->cells = memory_try(races->count, sizeof *races->cells);
    races->touched = memory_try(races->count, sizeof *races->touched);
    races->warps = launch_warps(launch);
    races->orders = memory_take(races->warps, sizeof *races->orders);
    races->arrays = memory_take(program->shared_count + 1u, sizeof *races->arrays);
    if (races->cells && races->touched)
        return true;
    races_free(races);
    return problem_say_world(problem, "there is not enough memory to watch a block's shared memory");
}

void races_free(struct races *races)
{
    free(races->cells);
    free(races->touched);
    free(races->orders);
    free(races->arrays);
    free(races->pairs);
    *races = (struct races){0};
}

static void next_stretch(struct races *races, bool new_block)
{
    if (races->stretch > UINT32_MAX - 8) { /* numbers begin anew: nothing lasts from block to block */
        memset(races->cells, 0, (size_t)races->count * sizeof *races->cells);
        memset(races->orders, 0, races->warps * sizeof *races->orders);
        races->stretch = 0;
    }
    races->stretch += new_block ? 2 : 1; /* so that a block's first follows no other */
    if (new_block) {
        races->block_stretch = races->stretch;
        races->last_barrier = -1;
    }
}

static bool other_warp(const struct race_touch *touch, uint32_t stretch, uint16_t thread)
{
    return touch->stretch == stretch && (touch->warps || touch->thread / LANES != thread / LANES);
}

static bool other_thread(const struct race_touch *touch, uint32_t stretch, uint16_t thread)
{
    return touch->stretch == stretch && (touch->threads || touch->thread != thread);
}

/* Does this touch meet one of kind `other`, if they are in no order? Atomics do not disturb each other. */
static bool disturbs(enum access_op op, enum access_op other)
{
    return op == ACCESS_LOAD ? other != ACCESS_LOAD : op == ACCESS_STORE || other != ACCESS_ATOMIC;
}

/* Of all blocks that do the same. */
static void add(const struct races *races, uint64_t *sum, uint64_t count)
{
    uint64_t product;
    if (__builtin_mul_overflow(count, races->weight, &product) || __builtin_add_overflow(*sum, product, sum))
        *sum = UINT64_MAX;
}

static struct race_pair *pair_of(struct races *races, unsigned first, unsigned second)
{
    for (size_t i = 0; i < races->pair_count; i++)
        if (races->pairs[i].first == first && races->pairs[i].second == second)
            return &races->pairs[i];
    if (races->pair_count == races->pair_capacity) {
        races->pair_capacity = races->pair_capacity ? 2 * races->pair_capacity : 8;
        races->pairs = memory_resize(races->pairs, races->pair_capacity, sizeof *races->pairs);
    }
    struct race_pair *pair = &races->pairs[races->pair_count++];
    *pair = (struct race_pair){.first = first, .second = second};
    return pair;
}

static struct finding_thread thread_of(const struct access *access, uint16_t thread, uint32_t step)
{
    struct finding_thread result = {.warp = thread / LANES, .lane = thread % LANES, .step = step};
    memcpy(result.block, access->block, sizeof result.block);
    return result;
}

static void note_race(struct races *races, const struct access *access, uint64_t at,
                      const struct race_touch *mine, const struct race_touch *theirs)
{
    bool before = mine->order < theirs->order || (mine->order == theirs->order && mine->site < theirs->site);
    const struct race_touch *a = before ? mine : theirs, *b = before ? theirs : mine;
    struct race_pair *pair = pair_of(races, a->site, b->site);
    if (!pair->cells || finding_block_before(access->block, pair->a.block)) {
        pair->seen = races->seen++;
        pair->cell = at * races->program->granule;
        pair->a = thread_of(access, a->thread, a->step);
        pair->b = thread_of(access, b->thread, b->step);
    }
    add(races, &pair->cells, 1);
    add(races, &races->raced, 1);
    races->cells[at].raced = races->block_stretch;
}

static void touch_cell(struct races *races, const struct access *access, uint64_t at,
                       const struct race_touch *mine)
{
    struct race_cell *cell = &races->cells[at];
    enum access_op op = access->site->kind->op;
    uint32_t now = races->stretch;
    bool raced = cell->raced == races->block_stretch;
    for (unsigned other = 0; other < 3; other++) {
        const struct race_touch *theirs = &cell->now[other];
        const struct race_touch *past = theirs->stretch == now ? &cell->before[other] : theirs;
        if (!disturbs(op, (enum access_op)other))
            continue;
        if (!raced && other_warp(theirs, now, mine->thread)) {
            note_race(races, access, at, mine, theirs);
            raced = true;
        }
        if (races->last_barrier >= 0 && other_thread(past, now - 1, mine->thread))
            races->barriers[races->last_barrier].needed = true;
    }
    struct race_touch *touch = &cell->now[op];
    if (touch->stretch != now) {
        cell->before[op] = *touch;
        *touch = *mine;
        return;
    }
    touch->warps = touch->warps || touch->thread / LANES != mine->thread / LANES;
    touch->threads = touch->threads || touch->thread != mine->thread;
}

/* What a tile is for: threads take what others put. */
static void note_exchange(struct races *races, const struct access *access, uint64_t at, uint16_t thread)
{
    struct race_cell *cell = &races->cells[at];
    struct race_array *array = &races->arrays[access->buffer];
    bool written = cell->written == races->block_stretch;
    add(races, &array->exchanged, access->site->kind->reads && written && cell->writer != thread);
    races->touched[at] = true;
    if (!access->site->kind->writes)
        return;
    cell->written = races->block_stretch;
    cell->writer = thread;
}

void races_access(struct races *races, const struct access *access)
{
    if (access->step == 0)
        next_stretch(races, true);
    if (access->site->kind->space != SPACE_SHARED)
        return;
    const uint64_t granule = races->program->granule;
    struct race_order *order = &races->orders[access->warp];
    if (order->stretch != races->stretch)
        *order = (struct race_order){.stretch = races->stretch};
    struct race_touch mine = {.stretch = races->stretch,
                              .site = (uint16_t)access->site->id,
                              .order = order->count++,
                              .step = (uint32_t)access->step};
    struct race_array *array = &races->arrays[access->buffer];
    array->full_warps = array->full_warps || (access->site->kind->writes && access->mask == UINT32_MAX);
    for (uint32_t lanes = access->mask & ~access->out_of_bounds; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        int64_t offset = access_offset(access, lane);
        mine.thread = (uint16_t)(access->warp * LANES + lane);
        add(races, &array->stores, access->site->kind->writes);
        add(races, &array->loads, access->site->kind->reads);
        for (uint64_t i = 0; i < access->site->lane_bytes; i += granule) {
            uint64_t at = ((uint64_t)offset + i) / granule;
            if (offset < 0 || at >= races->count)
                continue;
            touch_cell(races, access, at, &mine);
            note_exchange(races, access, at, mine.thread);
        }
    }
}

void races_barrier(struct races *races, const struct barrier *barrier)
{
    unsigned i = 0;
    const struct place *place = &barrier->place;
    while (i < races->barrier_count && (races->barriers[i].place.source != place->source ||
                                        races->barriers[i].place.begin != place->begin))
        i++;
    next_stretch(races, false);
    races->last_barrier = -1;
    if (i == RACE_BARRIERS)
        return;
    if (i == races->barrier_count)
        races->barriers[races->barrier_count++] = (struct race_barrier){.place = *place};
    add(races, &races->barriers[i].passed, 1);
    races->barriers[i].needed = races->barriers[i].needed || barrier->votes;
    races->last_barrier = (int)i;
}

static int by_example(const void *a, const void *b)
{
    const struct race_pair *x = a, *y = b;
    if (finding_block_before(x->a.block, y->a.block))
        return -1;
    if (finding_block_before(y->a.block, x->a.block))
        return 1;
    return (x->seen > y->seen) - (x->seen < y->seen);
}

void races_settle(struct races *races)
{
    if (races->pair_count)
        qsort(races->pairs, races->pair_count, sizeof *races->pairs, by_example);
}
