/* block.c - a block's warps, phase by phase. */
#include <string.h>

#include "affine.h"
#include "cells.h"
#include "held.h"

static void begin_block(struct execution *e)
{
    for (uint32_t w = 0; w < e->warp_count; w++) {
        struct warp *warp = &e->warps[w];
        struct value *r = warp->registers + e->program->first_builtin + BUILTIN_BLOCK;
        warp->state = WARP_RUNNING;
        warp->active = warp->present;
        warp->exited = 0;
        warp->left = 0;
        warp->unguarded = 0;
        warp->missed = 0;
        warp->masked = ~warp->present;
        warp->pc = 0;
        warp->depth = 0;
        warp->spent = 0;
        warp->look_at = e->launch.budget < LOOP_LOOK ? e->launch.budget : LOOP_LOOK;
        for (int i = 0; i < 3; i++)
            r[i].base = e->block[i];
        for (unsigned i = 0; i < e->program->parameter_count; i++)
            if (e->program->parameters[i]
                    .is_changed) /* by the block before: it is a variable of each thread */
                warp->registers[e->program->first_parameter + i] = input_argument(e, i);
    }
    memset(e->visits, 0, (size_t)e->warp_count * (e->program->site_count + 1u) * sizeof *e->visits);
    if (e->shared) {
        size_t granules = (size_t)granules_of(e); /* fits: they were allocated */
        memset(e->shared, 0, granules * sizeof *e->shared);
        memset(e->held, 0, granules * sizeof *e->held); /* a number of the block before is none of this one */
        if (e->uses)
            memset(e->uses, 0, granules * sizeof *e->uses);
    }
    memcpy(e->access.block, e->block, sizeof e->block);
    e->access.generation = e->patterns.generation;
    snapshot_forget(&e->snapshot);
    e->step = 0;
    e->stretches = 0;
    e->barrier_count = 0;
}

/* What __syncthreads_count and its kin return: exact where every warp knows what its lanes say. */
static void count_votes(struct execution *e, const struct instruction *at)
{
    struct value result = data_computed();
    int64_t yes = 0, all = 0;
    bool known = true;
    for (uint32_t w = 0; w < e->warp_count; w++) {
        const struct warp *warp = &e->warps[w];
        if (warp->state != WARP_WAITING)
            continue;
        known = known && warp->said.kind == VALUE_BOOL;
        yes += __builtin_popcount((uint32_t)warp->said.base & warp->active);
        all += __builtin_popcount(warp->active);
    }
    if (known)
        result = (struct value){.base = at->extra == VOTE_COUNT ? yes
                                        : at->extra == VOTE_OR  ? yes > 0
                                                                : yes == all,
                                .tag = VALUE_TAG(VALUE_NUMBER, 0)};
    for (uint32_t w = 0; w < e->warp_count; w++)
        if (e->warps[w].state == WARP_WAITING)
            e->warps[w].registers[at->dst] = result;
    snapshot_forget(&e->snapshot); /* what a warp does next no longer follows from its own registers */
}

/* All warps wait: at one barrier, or something is wrong. */
static bool pass_barrier(struct execution *e)
{
    const struct instruction *at = NULL;
    uint32_t missed = 0;
    const struct warp *partly = NULL; /* one that some lanes of do not wait */
    for (uint32_t w = 0; w < e->warp_count; w++) {
        const struct warp *warp = &e->warps[w];
        missed += warp->state == WARP_DONE ? warp_alive(warp) != 0 : warp->missed != 0;
        if (warp->state != WARP_WAITING)
            continue;
        partly = warp->missed ? warp : partly;
        const struct instruction *here = &e->program->code[e->warps[w].pc - 1];
        if (at && at != here && partly)
            return execution_missed(e, partly);
        if (at && at != here)
            return execution_fault(
                e, here, PROBLEM_FAULT_BARRIER,
                "some warps wait at this barrier while others wait at another one; every thread "
                "of the block must reach the same barrier");
        at = here;
    }
    if (at && e->sink->barrier) {
        struct barrier barrier = {.block = {e->block[0], e->block[1], e->block[2]},
                                  .index = e->barrier_count,
                                  .place = e->program->places[at->place],
                                  .missed = missed,
                                  .votes = at->op == OP_BARRIER_VOTE};
        e->sink->barrier(e->sink->self, &barrier);
    }
    if (at && at->op == OP_BARRIER_VOTE)
        count_votes(e, at);
    e->barrier_count++;
    return true;
}

static bool run_phase(struct execution *e, bool *waiting)
{
    *waiting = false;
    for (uint32_t w = 0; w < e->warp_count; w++) {
        struct warp *warp = &e->warps[w];
        if (warp->state == WARP_DONE)
            continue;
        warp->stretch = ++e->stretches;
        warp->mark = 0;
        if (!warp_run(e, warp))
            return false;
        *waiting = *waiting || warp->state == WARP_WAITING;
        if (pattern_table_is_full(&e->patterns))
            execution_collect(e);
    }
    return !*waiting || pass_barrier(e);
}

static bool run_block(struct execution *e, const uint32_t block[3], const struct sink *sink,
                      struct problem *problem)
{
    memcpy(e->block, block, sizeof e->block);
    e->sink = sink;
    e->problem = problem;
    begin_block(e);
    bool waiting = true;
    while (waiting)
        if (!run_phase(e, &waiting))
            return false;
    return true;
}

uint64_t execution_work(const struct execution *e)
{
    uint64_t work = 0;
    for (uint32_t w = 0; w < e->warp_count; w++)
        work += e->warps[w].spent;
    return work;
}

bool execution_run_block(struct execution *execution, const uint32_t block[3], const struct sink *sink,
                         struct problem *problem)
{
    cells_rewind(execution);
    held_rewind(execution);
    return run_block(execution, block, sink, problem);
}

bool execution_run_blocks(struct execution *execution, uint64_t first, uint64_t count,
                          const struct sink *sink, struct problem *problem)
{
    if (first == 0) {
        cells_rewind(execution);
        held_rewind(execution);
    }
    for (uint64_t i = first; i < first + count; i++) {
        uint32_t block[3];
        launch_block_at(&execution->launch, i, block);
        if (!run_block(execution, block, sink, problem))
            return false;
    }
    return true;
}

/* Before a region is settled: who narrows it. */
struct settler {
    struct affine *affine;
    const struct sink *sink;
};

static void settle_access(void *self, const struct access *access)
{
    struct settler *settler = self;
    struct affine *f = settler->affine;
    uint64_t before = region_blocks(&f->region);
    if (!settler->sink->narrow)
        return;
    settler->sink->narrow(settler->sink->self, access, &f->region);
    f->changed = f->changed || region_blocks(&f->region) < before;
}

static void first_block(const struct execution *e, const struct region *region, uint32_t block[AXES])
{
    const uint32_t first[AXES] = {region->axis[0].first, region->axis[1].first, region->axis[2].first};
    numbering_block(&e->affine->numbering, first, block);
}

/* Runs the region's first block until what is left of the region does the same. */
static bool settle_region(struct execution *e, struct region *region, const struct sink *sink,
                          struct problem *problem)
{
    struct affine *f = e->affine;
    struct settler settler = {f, sink};
    const struct sink own = {.self = &settler, .access = settle_access};
    bool ok = true;
    e->access.motion = &f->motion;
    do {
        uint32_t block[AXES];
        first_block(e, region, block);
        affine_begin(e, region);
        cells_rewind(e);
        ok = (run_block(e, block, &own, problem) || f->again) && !f->refused;
        *region = f->region;
        ok = ok && !f->split;
    } while (ok && f->changed);
    e->access.motion = NULL;
    return ok;
}

/* The same once more, for the sink. */
static bool show_region(struct execution *e, const struct region *region, const struct sink *sink,
                        struct problem *problem)
{
    uint32_t block[AXES];
    first_block(e, region, block);
    e->affine->may_split = false;
    affine_begin(e, region);
    cells_rewind(e);
    if (sink->region)
        sink->region(sink->self, region);
    e->access.motion = &e->affine->motion;
    bool ok = run_block(e, block, sink, problem);
    e->access.motion = NULL;
    e->affine->refused = e->affine->refused || e->affine->changed;
    return ok && !e->affine->refused;
}

/* Both at once, for a sink that takes back what was told of a region that turned out smaller. */
static bool show_at_once(struct execution *e, struct region *region, const struct sink *sink,
                         struct problem *problem)
{
    struct affine *f = e->affine;
    bool ok, settled;
    e->access.motion = &f->motion;
    do {
        uint32_t block[AXES];
        first_block(e, region, block);
        affine_begin(e, region);
        cells_rewind(e);
        (void)noticed_begin(e);
        sink->region(sink->self, region);
        ok = run_block(e, block, sink, problem);
        settled = ok && !f->changed && !f->refused;
        if (!settled)
            sink->take_back(sink->self);
        *region = f->region;
        ok = (ok || f->again) && !f->refused && !f->split;
    } while (ok && !settled);
    f->may_split = f->may_split && !settled;
    e->access.motion = NULL;
    return ok;
}

struct numbering execution_numbering(struct execution *e)
{
    if (!e->affine)
        e->affine = affine_new(e);
    return e->affine->numbering;
}

bool execution_was_split(const struct execution *e)
{
    return e->affine && e->affine->split;
}

bool execution_keep_axes(struct execution *e)
{
    struct affine *f = e->affine;
    if (!f || !f->numbering.splits)
        return false;
    f->numbering = numbering_of_grid(e->launch.grid);
    f->may_split = f->split = false;
    (void)noticed_begin(e);
    return true;
}

bool execution_run_region(struct execution *e, struct region *region, const struct sink *sink,
                          struct region_cause *cause, bool *refused, struct problem *problem)
{
    if (!e->affine)
        e->affine = affine_new(e);
    e->affine->worst = *cause;
    e->affine->split = e->affine->is_bent = e->affine->refused = false;
    e->follows = true;
    struct noticed before = noticed_begin(e);
    bool ok;
    if (sink->take_back) {
        ok = show_at_once(e, region, sink, problem);
    } else {
        ok = region_blocks(region) == 1 || settle_region(e, region, sink, problem);
        (void)noticed_begin(e);
        ok = ok && show_region(e, region, sink, problem);
    }
    noticed_end(e, &before, region_blocks(region));
    e->follows = false;
    *cause = e->affine->worst;
    *refused = e->affine->refused || e->affine->split;
    return ok;
}
