#include "totals.h"

#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "patience.h"
#include "run.h"

static void take_access(void *self, const struct access *access)
{
    tally_access(&((struct totals *)self)->tally, access);
}

static void take_skipped(void *self, const struct site *site)
{
    tally_skipped(&((struct totals *)self)->tally, site);
}

static void add_missed(struct totals *totals, uint64_t missed, const struct place *barrier,
                       const uint32_t block[3])
{
    if (missed && (!totals->missed || launch_block_before(block, totals->barrier_block))) {
        totals->barrier = *barrier;
        memcpy(totals->barrier_block, block, sizeof totals->barrier_block);
    }
    totals->missed += missed;
}

static void take_barrier(void *self, const struct barrier *barrier)
{
    add_missed(self, barrier->missed, &barrier->place, barrier->block);
}

static void *split(void *self)
{
    const struct totals *whole = self;
    struct totals *part = memory_take(1, sizeof *part);
    tally_init(&part->tally, whole->tally.site_count);
    return part;
}

static void merge(void *self, void *other)
{
    struct totals *whole = self, *part = other;
    tally_add(&whole->tally, &part->tally);
    add_missed(whole, part->missed, &part->barrier, part->barrier_block);
    tally_free(&part->tally);
    free(part);
}

/* True where the census counted the launch, or Ctrl-C ended it; otherwise the totals are as they were, or the
 * problem is set. */
static bool take_census(struct totals *totals, const struct scenario *scenario, const struct totals_how *how,
                        struct problem *problem)
{
    const struct patience *patience = patience_of(&scenario->launch);
    struct launch launch = scenario->launch; /* with a patience of its own */
    struct patience own = {0};
    struct census_count count;
    if (patience) {
        own = *patience;
        patience_begin(&own);
        own.progress = how->progress;
        launch.watch = &own.watch;
    }
    struct execution *execution = execution_new(scenario->program, &launch, false, problem);
    if (!execution)
        return false;
    bool ok = census_count(execution, &launch, how->most_regions ? how->most_regions : CENSUS_REGIONS,
                           &totals->tally, &count, problem);
    totals->census = count.census;
    totals->blocks = launch_blocks(&launch);
    if (ok) {
        totals->missed = count.missed;
        totals->barrier = count.barrier;
        totals->noticed = execution_noticed(execution);
        totals->counted = totals->blocks;
    } else {
        tally_free(&totals->tally);
        tally_init(&totals->tally, scenario->program->site_count);
    }
    if (own.interrupted) {
        totals->partial = true;
        *problem = (struct problem){0};
    }
    execution_free(execution);
    return ok || own.interrupted;
}

static bool enumerate(struct totals *totals, const struct scenario *scenario, const struct totals_how *how,
                      struct problem *problem)
{
    struct launch_run run = {
        .program = scenario->program,
        .launch = &scenario->launch,
        .workers = how->workers,
        .sink = {.self = totals, .access = take_access, .barrier = take_barrier, .skipped = take_skipped},
        .split = split,
        .merge = merge,
        .progress = how->progress};
    bool ok = run_launch(&run, problem);
    totals->noticed = run.noticed;
    totals->blocks = run.blocks;
    totals->counted = run.done;
    totals->partial = run.interrupted;
    return ok;
}

bool totals_of(struct totals *totals, const struct scenario *scenario, const struct totals_how *how,
               struct problem *problem)
{
    *totals = (struct totals){0};
    tally_init(&totals->tally, scenario->program->site_count);
    bool ok = !how->enumerate && take_census(totals, scenario, how, problem);
    totals->left_out = !ok && !how->enumerate && !problem->set && how->most_blocks &&
                       launch_blocks(&scenario->launch) > how->most_blocks;
    ok = ok || totals->left_out || (!problem->set && enumerate(totals, scenario, how, problem));
    totals->summary = summary_of(scenario, &totals->tally, how->registers);
    for (unsigned i = 0; i < totals->tally.site_count; i++) {
        totals->out_of_bounds += totals->tally.sites[i].out_of_bounds;
        totals->misaligned += totals->tally.sites[i].misaligned;
    }
    return ok;
}

void totals_free(struct totals *totals)
{
    tally_free(&totals->tally);
}
