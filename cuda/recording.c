#include "recording.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "instrument.h"

enum cell_state { CELL_OPEN, CELL_MET, CELL_SAID }; /* owner not met yet, met, its difference counted */

/* One walk over blocks of the simulator. */
struct walk {
    const struct recording *recording;
    uint64_t slot;
    uint64_t block;    /* linear */
    unsigned *site_of; /* whose records hold a site's: twin_site() */
    uint32_t *passed;  /* [thread of the block][site]: visits of this block so far */
    uint8_t *state;    /* [cell]: enum cell_state */
    uint32_t *count;   /* [cell]: the simulator's writes */
    uint32_t most;
    struct comparison_result *result;
};

static uint32_t *passed_at(const struct walk *walk, uint32_t thread, const struct site *site)
{
    return &walk->passed[(size_t)thread * walk->recording->program->site_count + walk->site_of[site->id]];
}

static uint64_t linear_block(const struct launch *launch, const uint32_t block[3])
{
    return block[0] + launch->grid[0] * (block[1] + (uint64_t)launch->grid[1] * block[2]);
}

static void differ(struct walk *walk, const struct difference *difference)
{
    if (!walk->result->differ++)
        walk->result->first = *difference;
}

static struct difference at_lane(const struct access *access, unsigned lane, uint32_t visit)
{
    struct difference d = {.site = access->site, .warp = access->warp, .lane = lane, .visit = visit};
    memcpy(d.block, access->block, sizeof d.block);
    return d;
}

static void walk_begin(struct walk *walk, const struct recording *recording, struct comparison_result *result)
{
    *walk = (struct walk){.recording = recording, .result = result};
    walk->passed =
        memory_take((size_t)recording->threads * recording->program->site_count + 1, sizeof(uint32_t));
    walk->site_of = memory_take(recording->program->site_count + 1, sizeof *walk->site_of);
    for (unsigned i = 0; i < recording->program->site_count; i++)
        walk->site_of[i] = twin_site(recording->program, &recording->program->sites[i]);
}

static void walk_end(struct walk *walk)
{
    free(walk->passed);
    free(walk->site_of);
    free(walk->state);
    free(walk->count);
}

static void walk_block(struct walk *walk, uint64_t block)
{
    const struct recording *r = walk->recording;
    walk->block = block;
    memset(walk->passed, 0, (size_t)r->threads * r->program->site_count * sizeof(uint32_t));
}

static void compare_access(void *self, const struct access *access)
{
    struct walk *walk = self;
    const struct recording *r = walk->recording;
    const struct site *site = access->site;
    uint64_t base = site->kind->space == SPACE_GLOBAL ? r->base[access->buffer] : r->shared_base;
    const uint64_t *at = r->records + (walk->slot * r->program->site_count + walk->site_of[site->id]) *
                                          r->capacity * r->threads;
    for (uint32_t lanes = access->mask; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        uint32_t thread = access->warp * LANES + lane, visit = (*passed_at(walk, thread, site))++;
        uint64_t got = visit < r->capacity ? at[(uint64_t)visit * r->threads + thread] : TWIN_NOT_WRITTEN;
        uint64_t expected = base + (uint64_t)access_offset(access, lane);
        walk->result->compared++;
        if (got == expected)
            continue;
        struct difference d = at_lane(access, lane, visit);
        d.kind = got == TWIN_NOT_WRITTEN ? DIFFERENCE_MISSING : DIFFERENCE_ADDRESS;
        d.expected = access_offset(access, lane);
        d.got = (int64_t)(got - base);
        differ(walk, &d);
    }
}

/* Accesses that the GPU made and the simulator did not, and the other way round. */
static void compare_visits(struct walk *walk)
{
    const struct recording *r = walk->recording;
    unsigned sites = r->program->site_count;
    const uint32_t *got = r->visits + walk->slot * r->threads * sites;
    for (uint32_t i = 0; i < r->threads * sites; i++) {
        if (got[i] == walk->passed[i])
            continue;
        struct difference d = {.kind = DIFFERENCE_VISITS,
                               .warp = i / sites / LANES,
                               .lane = i / sites % LANES,
                               .site = &r->program->sites[i % sites],
                               .expected = walk->passed[i],
                               .got = got[i]};
        launch_block_at(r->launch, walk->block, d.block);
        differ(walk, &d);
    }
}

bool recording_compare_addresses(const struct recording *recording, struct execution *execution,
                                 struct comparison_result *result, struct problem *problem)
{
    struct walk walk;
    struct sink sink = {.self = &walk, .access = compare_access};
    bool ok = true;
    *result = (struct comparison_result){0};
    walk_begin(&walk, recording, result);
    for (; ok && walk.slot < recording->slot_count; walk.slot++) {
        uint32_t block[3];
        walk_block(&walk, recording->blocks[walk.slot]);
        launch_block_at(recording->launch, walk.block, block);
        ok = execution_run_block(execution, block, &sink, problem);
        if (ok)
            compare_visits(&walk);
    }
    walk_end(&walk);
    return ok;
}

static void own_cell(struct walk *walk, const struct access *access, unsigned lane, uint32_t visit,
                     uint64_t cell)
{
    const struct recording *r = walk->recording;
    uint64_t thread = walk->block * r->threads + access->warp * LANES + lane;
    uint64_t owner = thread << TWIN_VISIT_BITS | visit;
    walk->count[cell]++;
    if (r->owners[cell] == owner) {
        walk->state[cell] = CELL_MET;
    } else if (r->writes[cell] <= 1 && walk->state[cell] == CELL_OPEN) { /* of several, any may be the last */
        struct difference d = at_lane(access, lane, visit);
        d.kind = r->writes[cell] ? DIFFERENCE_OWNER : DIFFERENCE_WRITES;
        d.cell = cell;
        d.expected = (int64_t)owner;
        d.got = (int64_t)r->owners[cell];
        walk->state[cell] = CELL_SAID;
        differ(walk, &d);
    }
}

static void own_access(void *self, const struct access *access)
{
    struct walk *walk = self;
    const struct recording *r = walk->recording;
    const struct site *site = access->site;
    if (site->kind->space != SPACE_GLOBAL || !site->kind->writes)
        return;
    uint64_t block = linear_block(r->launch, access->block);
    if (block != walk->block)
        walk_block(walk, block);
    for (uint32_t lanes = access->mask; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        uint32_t visit = (*passed_at(walk, access->warp * LANES + lane, site))++;
        uint64_t offset = (uint64_t)access_offset(access, lane);
        if (access->buffer != r->out)
            continue;
        for (unsigned k = 0; k * r->elem_bytes < site->lane_bytes; k++)
            if (offset / r->elem_bytes + k < r->cells)
                own_cell(walk, access, lane, visit, offset / r->elem_bytes + k);
    }
}

/* Cells that were written another number of times, or by someone the simulator does not know. */
static void settle_owners(struct walk *walk)
{
    const struct recording *r = walk->recording;
    for (uint64_t cell = 0; cell < r->cells; cell++) {
        bool counted = r->writes[cell] == walk->count[cell];
        if (walk->state[cell] == CELL_SAID ||
            (counted && (walk->state[cell] == CELL_MET || !walk->count[cell])))
            continue;
        struct difference d = {.kind = counted ? DIFFERENCE_OWNER : DIFFERENCE_WRITES,
                               .cell = cell,
                               .expected = counted ? -1 : (int64_t)walk->count[cell],
                               .got = counted ? (int64_t)r->owners[cell] : (int64_t)r->writes[cell]};
        differ(walk, &d);
    }
}

bool recording_compare_owners(const struct recording *recording, struct execution *execution,
                              struct comparison_result *result, struct problem *problem)
{
    struct walk walk;
    struct sink sink = {.self = &walk, .access = own_access};
    *result = (struct comparison_result){.compared = recording->cells};
    walk_begin(&walk, recording, result);
    walk.state = memory_take(recording->cells + 1, sizeof *walk.state);
    walk.count = memory_take(recording->cells + 1, sizeof *walk.count);
    walk.block = UINT64_MAX;
    bool ok = execution_run_blocks(execution, 0, launch_blocks(recording->launch), &sink, problem);
    if (ok)
        settle_owners(&walk);
    walk_end(&walk);
    return ok;
}

static void count_access(void *self, const struct access *access)
{
    struct walk *walk = self;
    for (uint32_t lanes = access->mask; lanes; lanes &= lanes - 1) {
        uint32_t thread = access->warp * LANES + (uint32_t)__builtin_ctz(lanes);
        uint32_t visits = ++*passed_at(walk, thread, access->site);
        walk->most = visits > walk->most ? visits : walk->most;
    }
}

bool recording_visits(const struct program *program, const struct launch *launch, struct execution *execution,
                      const uint64_t *blocks, uint64_t count, uint32_t *visits, struct problem *problem)
{
    struct recording shape = {.program = program, .launch = launch, .threads = launch_threads(launch)};
    struct walk walk;
    struct sink sink = {.self = &walk, .access = count_access};
    bool ok = true;
    walk_begin(&walk, &shape, NULL);
    for (uint64_t i = 0; ok && i < count; i++) {
        uint32_t block[3];
        walk_block(&walk, blocks[i]);
        launch_block_at(launch, blocks[i], block);
        ok = execution_run_block(execution, block, &sink, problem);
    }
    walk_end(&walk);
    *visits = walk.most;
    return ok;
}

static void print_owner(const struct recording *r, int64_t owner, char *out, size_t size)
{
    uint64_t thread = (uint64_t)owner >> TWIN_VISIT_BITS, in_block = thread % r->threads;
    uint32_t block[3];
    if (owner < 0) {
        (void)snprintf(out, size, "nobody");
        return;
    }
    launch_block_at(r->launch, thread / r->threads, block);
    (void)snprintf(out, size, "block (%u, %u, %u), warp %" PRIu64 ", lane %" PRIu64 ", visit %" PRIu64,
                   block[0], block[1], block[2], in_block / LANES, in_block % LANES,
                   (uint64_t)owner & ((UINT64_C(1) << TWIN_VISIT_BITS) - 1));
}

void difference_print(const struct difference *d, const struct recording *r, char *out, size_t size)
{
    char place[160] = "", where[200] = "", expected[120], got[120];
    if (d->site) {
        (void)snprintf(place, sizeof place, "%.60s:%d, site %u (%s %s)", d->site->place.source->name,
                       d->site->line, d->site->id, d->site->kind->space == SPACE_SHARED ? "shared" : "global",
                       d->site->kind->op_name);
        (void)snprintf(where, sizeof where, "block (%u, %u, %u), warp %u, lane %u", d->block[0], d->block[1],
                       d->block[2], d->warp, d->lane);
    }
    switch (d->kind) {
    case DIFFERENCE_ADDRESS:
    case DIFFERENCE_MISSING:
        (void)snprintf(got, sizeof got, "byte %" PRId64, d->got);
        (void)snprintf(out, size, "%s, visit %u, at %s: expected byte %" PRId64 ", got %s", where, d->visit,
                       place, d->expected, d->kind == DIFFERENCE_MISSING ? "no access" : got);
        return;
    case DIFFERENCE_VISITS:
        (void)snprintf(out, size, "%s, at %s: expected %" PRId64 " accesses, got %" PRId64, where, place,
                       d->expected, d->got);
        return;
    case DIFFERENCE_OWNER:
        print_owner(r, d->expected, expected, sizeof expected);
        print_owner(r, d->got, got, sizeof got);
        (void)snprintf(out, size, "output cell %" PRIu64 "%s%s: expected %s, got %s", d->cell,
                       *place ? ", at " : "", place,
                       d->expected < 0 ? "one of its simulated writers" : expected, got);
        return;
    case DIFFERENCE_WRITES:
        if (d->site) {
            print_owner(r, d->expected, expected, sizeof expected);
            (void)snprintf(out, size, "output cell %" PRIu64 ", at %s: expected a write by %s, got none",
                           d->cell, place, expected);
            return;
        }
        (void)snprintf(out, size, "output cell %" PRIu64 ": expected %" PRId64 " writes, got %" PRId64,
                       d->cell, d->expected, d->got);
        return;
    case DIFFERENCE_NONE:
        (void)snprintf(out, size, "no difference");
        return;
    }
}

void recording_free(struct recording *recording)
{
    free(recording->blocks);
    free(recording->records);
    free(recording->visits);
    free(recording->writes);
    free(recording->owners);
    *recording = (struct recording){0};
}
