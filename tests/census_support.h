/* census_support.h - a launch by census against the same launch block by block.
 *
 * census_agrees(): the totals of each site, findings and problems, to the unit. census_foresees(): access by
 * access, what each region promises of its blocks against what those do: sites, masks, faults, addresses,
 * tokens. Both return NULL, or what differs, in a buffer that the next call overwrites.
 */
#ifndef LANESCOPE_TESTS_CENSUS_SUPPORT_H
#define LANESCOPE_TESTS_CENSUS_SUPPORT_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../sim/census/count.h"

static char census_message[1000];

#define CENSUS_DIFFERS(...)                                                                                  \
    ((void)snprintf(census_message, sizeof census_message, __VA_ARGS__), census_message)

/* Every block, and all that a census also says. */
struct by_block {
    struct tally tally;
    uint64_t missed;
    struct place barrier;
};

static void by_block_access(void *self, const struct access *access)
{
    tally_access(&((struct by_block *)self)->tally, access);
}

static void by_block_skipped(void *self, const struct site *site)
{
    tally_skipped(&((struct by_block *)self)->tally, site);
}

static void by_block_barrier(void *self, const struct barrier *barrier)
{
    struct by_block *all = self;
    if (barrier->missed && !all->missed)
        all->barrier = barrier->place;
    all->missed += barrier->missed;
}

static bool same_place(const struct place *a, const struct place *b)
{
    return a->source == b->source && a->begin == b->begin && a->end == b->end;
}

static bool same_overflow(const struct overflow *a, const struct overflow *b)
{
    return a->lanes == b->lanes &&
           (!a->lanes || (a->kind == b->kind && a->bits == b->bits && same_place(&a->place, &b->place) &&
                          a->warp == b->warp && a->lane == b->lane && a->value == b->value &&
                          memcmp(a->block, b->block, sizeof a->block) == 0));
}

static const char *compare_findings(const struct execution *a, const struct execution *b)
{
    if (!same_overflow(execution_overflow(a), execution_overflow(b)))
        return CENSUS_DIFFERS("overflow: %" PRIu64 " lanes, right is %" PRIu64, execution_overflow(a)->lanes,
                              execution_overflow(b)->lanes);
    if (!same_overflow(execution_wrap(a), execution_wrap(b)))
        return CENSUS_DIFFERS("wrapping: %" PRIu64 " lanes, right is %" PRIu64, execution_wrap(a)->lanes,
                              execution_wrap(b)->lanes);
    const struct noticed x = execution_noticed(a), y = execution_noticed(b);
    if (!same_place(&x.local_array.place, &y.local_array.place))
        return CENSUS_DIFFERS("another local array");
    const struct narrowed *m = &x.narrowed, *n = &y.narrowed;
    if (m->lanes != n->lanes || m->what != n->what || !same_place(&m->place, &n->place))
        return CENSUS_DIFFERS("narrowed: %" PRIu64 " lanes, right is %" PRIu64, m->lanes, n->lanes);
    return NULL;
}

static const char *compare_sites(const struct program *program, const struct tally *a, const struct tally *b)
{
    for (unsigned i = 0; i < program->site_count; i++) {
        const struct site_tally *x = &a->sites[i], *y = &b->sites[i];
        if (memcmp(x, y, sizeof *x) != 0)
            return CENSUS_DIFFERS(
                "site %u, line %d: requests %" PRIu64 " (%" PRIu64 "), lanes %" PRIu64 " (%" PRIu64
                "), units %" PRIu64 " (%" PRIu64 "), ideal %" PRIu64 " (%" PRIu64 "), lines %" PRIu64
                " (%" PRIu64 "), outside %" PRIu64 " (%" PRIu64 "), misaligned %" PRIu64 " (%" PRIu64
                "), skipped %" PRIu64 " (%" PRIu64 ")",
                i, program->sites[i].line, x->requests, y->requests, x->lanes, y->lanes, x->units, y->units,
                x->ideal, y->ideal, x->lines, y->lines, x->out_of_bounds, y->out_of_bounds, x->misaligned,
                y->misaligned, x->skipped, y->skipped);
    }
    return NULL;
}

/* `census` says how it went; where it gave up, nothing is compared. */
static inline const char *census_agrees(const struct program *program, const struct launch *launch,
                                        bool track_values, struct census_count *count)
{
    struct problem by_census = {0}, by_blocks = {0};
    struct execution *a = execution_new(program, launch, track_values, &by_census);
    struct execution *b = execution_new(program, launch, track_values, &by_blocks);
    struct by_block all = {0};
    struct tally tally;
    const char *differs = NULL;
    *count = (struct census_count){0};
    if (a && b) {
        tally_init(&tally, program->site_count);
        tally_init(&all.tally, program->site_count);
        struct sink sink = {.self = &all,
                            .access = by_block_access,
                            .barrier = by_block_barrier,
                            .skipped = by_block_skipped};
        bool ok = census_count(a, launch, CENSUS_REGIONS, &tally, count, &by_census);
        bool right =
            count->census.given_up || execution_run_blocks(b, 0, launch_blocks(launch), &sink, &by_blocks);
        if (count->census.given_up)
            ;
        else if (ok != right || (!ok && strcmp(by_census.message, by_blocks.message) != 0))
            differs = CENSUS_DIFFERS("problem '%s', right is '%s'", by_census.message, by_blocks.message);
        else if (ok && (count->missed != all.missed || !same_place(&count->barrier, &all.barrier)))
            differs = CENSUS_DIFFERS("missed %" PRIu64 ", right is %" PRIu64, count->missed, all.missed);
        else if (ok)
            differs = compare_sites(program, &tally, &all.tally);
        if (ok && !differs && !count->census.given_up)
            differs = compare_findings(a, b);
        tally_free(&tally);
        tally_free(&all.tally);
    }
    execution_free(a);
    execution_free(b);
    return differs;
}

/* An access with all that it promises. */
struct promise {
    struct access access;
    struct motion motion;
    int64_t delta[LANES], token[4][LANES];
};

enum { PROMISES = 1 << 15, PROMISED_REGIONS = 4096 };

struct foreseen {
    const struct program *program;
    struct promise *promises;
    unsigned count, regions;
    struct region region[PROMISED_REGIONS];
    unsigned first[PROMISED_REGIONS + 1]; /* promise of each region */
    bool full;
    /* while blocks run: */
    unsigned at, end;
    const struct region *own;
    int64_t along[AXES];
    const char *differs;
};

static void foresee_region(void *self, const struct region *region)
{
    struct foreseen *f = self;
    f->full = f->full || f->regions + 1 >= PROMISED_REGIONS;
    if (f->full)
        return;
    f->first[f->regions] = f->count;
    f->region[f->regions++] = *region;
}

static void foresee_access(void *self, const struct access *access)
{
    struct foreseen *f = self;
    f->full = f->full || f->count == PROMISES;
    if (f->full)
        return;
    struct promise *p = &f->promises[f->count++];
    p->access = *access;
    p->motion = *access->motion;
    memcpy(p->delta, access->delta, sizeof p->delta);
    bool stores = access->site->kind->op == ACCESS_STORE;
    for (unsigned c = 0; stores && c < access->site->components; c++)
        for (unsigned lane = 0; lane < LANES; lane++)
            p->token[c][lane] = data_at(&access->data[c], lane);
}

static int64_t moved(const struct foreseen *f, const struct slope *slope)
{
    int64_t sum = 0;
    for (int k = 0; k < AXES; k++)
        sum += slope->at[k] * f->along[k];
    return sum;
}

static const char *compare_promise(const struct foreseen *f, const struct promise *p, const struct access *a,
                                   bool tokens)
{
    const struct access *b = &p->access;
    if (a->site != b->site || a->warp != b->warp || a->step != b->step || a->visit != b->visit ||
        a->mask != b->mask || a->out_of_bounds != b->out_of_bounds || a->uninitialized != b->uninitialized ||
        a->hazard != b->hazard || a->unordered != b->unordered || a->buffer != b->buffer)
        return CENSUS_DIFFERS("block %u,%u,%u step %u: line %d lanes %08x outside %08x unset %08x "
                              "hazard %08x unordered %08x visit %u, foreseen line %d %08x %08x %08x "
                              "%08x %08x %u",
                              a->block[0], a->block[1], a->block[2], (unsigned)a->step, a->site->line,
                              a->mask, a->out_of_bounds, (unsigned)a->uninitialized, (unsigned)a->hazard,
                              (unsigned)a->unordered, (unsigned)a->visit, b->site->line, b->mask,
                              b->out_of_bounds, (unsigned)b->uninitialized, (unsigned)b->hazard,
                              (unsigned)b->unordered, (unsigned)b->visit);
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (!(a->mask >> lane & 1))
            continue;
        int64_t there = b->base + p->delta[lane] + moved(f, &p->motion.address);
        if (access_offset(a, lane) != there)
            return CENSUS_DIFFERS("block %u,%u,%u step %u line %d lane %u: byte %" PRId64
                                  ", foreseen %" PRId64,
                                  a->block[0], a->block[1], a->block[2], (unsigned)a->step, a->site->line,
                                  lane, access_offset(a, lane), there);
        bool stores = a->site->kind->op == ACCESS_STORE;
        for (unsigned c = 0; tokens && stores && c < a->site->components; c++) {
            int64_t token = p->token[c][lane];
            if (!(p->motion.still[c] >> lane & 1))
                token += moved(f, &p->motion.data[c]);
            if (data_at(&a->data[c], lane) != token)
                return CENSUS_DIFFERS("block %u,%u,%u step %u line %d lane %u: token %" PRIx64
                                      ", foreseen %" PRIx64,
                                      a->block[0], a->block[1], a->block[2], (unsigned)a->step, a->site->line,
                                      lane, (uint64_t)data_at(&a->data[c], lane), (uint64_t)token);
        }
    }
    return NULL;
}

static bool foreseen_tokens;

static void meet_access(void *self, const struct access *access)
{
    struct foreseen *f = self;
    if (f->differs)
        return;
    if (f->at == f->end)
        f->differs = CENSUS_DIFFERS("block %u,%u,%u makes more accesses", access->block[0], access->block[1],
                                    access->block[2]);
    else
        f->differs = compare_promise(f, &f->promises[f->at++], access, foreseen_tokens);
}

/* Runs each block of a region as it is, against what the region promised. */
static const char *meet_region(struct foreseen *f, unsigned region, const struct numbering *numbering,
                               const struct launch *launch, struct execution *execution, bool *met)
{
    struct sink sink = {.self = f, .access = meet_access};
    struct problem problem = {0};
    const struct region *r = &f->region[region];
    uint64_t count = (uint64_t)r->axis[0].count * r->axis[1].count * r->axis[2].count;
    f->own = r;
    for (uint64_t i = 0; i < count && !f->differs; i++) {
        uint64_t left = i;
        uint32_t at[AXES], block[AXES];
        for (int k = 0; k < AXES; k++) {
            f->along[k] = (int64_t)(left % r->axis[k].count);
            at[k] = r->axis[k].first + r->axis[k].step * (uint32_t)f->along[k];
            left /= r->axis[k].count;
        }
        int64_t apart = f->along[r->band.a] - f->along[r->band.b];
        if (r->band.b && (apart < r->band.low || apart > r->band.high))
            continue;
        numbering_block(numbering, at, block);
        uint64_t number = ((uint64_t)block[2] * launch->grid[1] + block[1]) * launch->grid[0] + block[0];
        if (block[0] >= launch->grid[0] || block[1] >= launch->grid[1] || block[2] >= launch->grid[2] ||
            met[number])
            return CENSUS_DIFFERS("block %u,%u,%u is not in one region", block[0], block[1], block[2]);
        met[number] = true;
        f->at = f->first[region];
        f->end = region + 1 < f->regions ? f->first[region + 1] : f->count;
        if (!execution_run_block(execution, block, &sink, &problem))
            return CENSUS_DIFFERS("a problem not foreseen: %s", problem.message);
        if (!f->differs && f->at != f->end)
            return CENSUS_DIFFERS("block %u,%u,%u makes fewer accesses", block[0], block[1], block[2]);
    }
    return f->differs;
}

static inline const char *census_foresees(const struct program *program, const struct launch *launch,
                                          bool track_values)
{
    struct problem problem = {0};
    struct execution *a = execution_new(program, launch, track_values, &problem);
    struct execution *b = execution_new(program, launch, track_values, &problem);
    struct foreseen *f = memory_take(1, sizeof *f);
    f->program = program;
    f->promises = memory_take(PROMISES, sizeof *f->promises);
    foreseen_tokens = track_values;
    struct sink sink = {.self = f, .access = foresee_access, .region = foresee_region, .stop = &f->full};
    struct census census;
    bool ok = a && b && census_run(a, launch, CENSUS_REGIONS, &sink, &census, &problem);
    if (a && b && !f->full && census_again(a, launch, &census, false)) {
        f->count = f->regions = 0;
        problem = (struct problem){0};
        ok = census_run(a, launch, CENSUS_REGIONS, &sink, &census, &problem);
    }
    if (ok && !f->full) {
        bool *met = memory_take((size_t)launch_blocks(launch), sizeof *met);
        for (unsigned i = 0; i < f->regions && !f->differs; i++)
            f->differs = meet_region(f, i, &census.numbering, launch, b, met);
        for (uint64_t i = 0; i < launch_blocks(launch) && !f->differs; i++)
            if (!met[i])
                f->differs = CENSUS_DIFFERS("block %u is in no region", (unsigned)i);
        free(met);
    }
    const char *differs = f->differs;
    free(f->promises);
    free(f);
    execution_free(a);
    execution_free(b);
    return differs;
}

#endif
