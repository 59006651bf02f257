/* count.c - how often each cost occurs. */
#include "count.h"

#include <string.h>

#include "../model/sector.h"

enum { SPREADS = 16 };

/* How many blocks of the running region find an access's base so many bytes further, modulo a line. */
struct spread {
    uint32_t slope[AXES]; /* modulo a line */
    uint64_t blocks[LINE_BYTES];
    unsigned count; /* of those that have any: */
    uint8_t at[LINE_BYTES];
};

struct counting {
    struct census_count *count;
    struct tally *tally;
    struct region region;
    struct spread spreads[SPREADS];
    unsigned spread_count;
    bool stop; /* a sum does not fit */
    struct region first_missed;
};

static void add(struct counting *c, uint64_t *sum, uint64_t count)
{
    uint64_t product;
    if (__builtin_mul_overflow(count, region_blocks(&c->region), &product) ||
        __builtin_add_overflow(*sum, product, sum))
        c->stop = true;
}

static void take_region(void *self, const struct region *region)
{
    struct counting *c = self;
    c->region = *region;
    c->spread_count = 0;
}

/* One axis: its blocks lie at multiples of the slope, of which LINE_BYTES are all that differ. */
static void spread_axis(uint64_t blocks[LINE_BYTES], uint32_t slope, uint32_t count)
{
    uint64_t before[LINE_BYTES];
    if (!slope) { /* they all lie there */
        for (uint32_t at = 0; at < LINE_BYTES; at++)
            blocks[at] *= count;
        return;
    }
    memcpy(before, blocks, sizeof before);
    memset(blocks, 0, LINE_BYTES * sizeof *blocks);
    for (uint32_t i = 0; i < LINE_BYTES && i < count; i++) {
        uint64_t often = (count - 1 - i) / LINE_BYTES + 1;
        for (uint32_t at = 0; at < LINE_BYTES; at++)
            blocks[(at + slope * i) % LINE_BYTES] += before[at] * often;
    }
}

static int128 rounded_up(int128 value, int128 divisor)
{
    return value > 0 ? (value - 1) / divisor + 1 : -(-value / divisor);
}

/* Two axes with a band: their blocks by how far along each they are, modulo what differs. */
static void spread_band(uint64_t blocks[LINE_BYTES], const uint32_t slope[AXES], const struct region *r)
{
    uint32_t by_a = slope[r->band.a], by_b = slope[r->band.b], period = LINE_BYTES;
    uint64_t n = r->axis[r->band.a].count, m = r->axis[r->band.b].count;
    while (period > 1 && period / 2 * by_a % LINE_BYTES == 0 && period / 2 * by_b % LINE_BYTES == 0)
        period /= 2;
    memset(blocks, 0, LINE_BYTES * sizeof *blocks);
    for (uint32_t i = 0; i < period && i < n; i++)
        for (uint32_t j = 0; j < period && j < m; j++) {
            int128 shift = (int128)j - i;
            blocks[(by_a * i + by_b * j) % LINE_BYTES] += region_band_points(
                (n - 1 - i) / period + 1, (m - 1 - j) / period + 1, rounded_up(r->band.low + shift, period),
                -rounded_up(-(r->band.high + shift), period));
        }
}

static const struct spread *spread_of(struct counting *c, const struct slope *slope)
{
    uint32_t modulo[AXES];
    for (int k = 0; k < AXES; k++)
        modulo[k] = (uint32_t)((uint64_t)slope->at[k] % LINE_BYTES);
    for (unsigned i = 0; i < c->spread_count; i++)
        if (memcmp(c->spreads[i].slope, modulo, sizeof modulo) == 0)
            return &c->spreads[i];
    if (c->spread_count == SPREADS)
        c->spread_count = 0;
    struct spread *spread = &c->spreads[c->spread_count++];
    *spread = (struct spread){.blocks = {1}};
    memcpy(spread->slope, modulo, sizeof modulo);
    bool banded = region_is_banded(&c->region);
    if (banded)
        spread_band(spread->blocks, modulo, &c->region);
    for (int k = 0; k < AXES; k++)
        if (!banded || (k != c->region.band.a && k != c->region.band.b))
            spread_axis(spread->blocks, modulo[k], c->region.axis[k].count);
    for (unsigned i = 0; i < LINE_BYTES; i++)
        if (spread->blocks[i])
            spread->at[spread->count++] = (uint8_t)i;
    return spread;
}

static uint32_t misaligned_lanes(const struct access *access)
{
    uint64_t base = (uint64_t)access->base + access->misalignment;
    uint32_t lanes = 0;
    for (unsigned lane = 0; lane < LANES; lane++)
        lanes |= (uint32_t)(((base + (uint64_t)access->delta[lane]) & (access->site->lane_bytes - 1)) != 0)
                 << lane;
    return lanes & access->mask;
}

static void take_access(void *self, const struct access *access)
{
    struct counting *c = self;
    const struct spread *spread = spread_of(c, &access->motion->address);
    struct access there = *access;
    for (unsigned i = 0; i < spread->count && !c->stop; i++) {
        uint32_t at = spread->at[i];
        there.base = (int64_t)((uint64_t)access->base + at);
        there.misaligned = at ? misaligned_lanes(&there) : access->misaligned;
        c->stop = !tally_access_times(c->tally, &there, spread->blocks[at]);
    }
}

static void take_barrier(void *self, const struct barrier *barrier)
{
    struct counting *c = self;
    if (!barrier->missed)
        return;
    if (!c->count->missed || region_is_before(&c->region, &c->first_missed)) {
        c->count->barrier = barrier->place;
        c->first_missed = c->region;
    }
    add(c, &c->count->missed, barrier->missed);
}

static void take_skipped(void *self, const struct site *site)
{
    struct counting *c = self;
    add(c, &c->tally->sites[site->id].skipped, 1);
}

/* Does each column, summed over all sites, still fit? */
static bool sums_fit(const struct tally *tally)
{
    struct site_tally sum = {0};
    bool fit = true;
    for (unsigned i = 0; i < tally->site_count; i++) {
        const struct site_tally *site = &tally->sites[i];
        fit = fit && !__builtin_add_overflow(sum.requests, site->requests, &sum.requests) &&
              !__builtin_add_overflow(sum.lanes, site->lanes, &sum.lanes) &&
              !__builtin_add_overflow(sum.units, site->units, &sum.units) &&
              !__builtin_add_overflow(sum.ideal, site->ideal, &sum.ideal) &&
              !__builtin_add_overflow(sum.lines, site->lines, &sum.lines) &&
              !__builtin_add_overflow(sum.out_of_bounds, site->out_of_bounds, &sum.out_of_bounds) &&
              !__builtin_add_overflow(sum.misaligned, site->misaligned, &sum.misaligned) &&
              !__builtin_add_overflow(sum.skipped, site->skipped, &sum.skipped);
    }
    return fit;
}

bool census_count(struct execution *execution, const struct launch *launch, uint64_t most,
                  struct tally *tally, struct census_count *count, struct problem *problem)
{
    struct counting c = {.count = count, .tally = tally};
    const struct sink sink = {.self = &c,
                              .access = take_access,
                              .barrier = take_barrier,
                              .skipped = take_skipped,
                              .region = take_region,
                              .stop = &c.stop};
    *count = (struct census_count){0};
    bool ok = census_run(execution, launch, most, &sink, &count->census, problem);
    if (!c.stop && census_again(execution, launch, &count->census, count->missed)) {
        unsigned sites = tally->site_count;
        tally_free(tally);
        tally_init(tally, sites);
        c = (struct counting){.count = count, .tally = tally};
        *count = (struct census_count){0};
        *problem = (struct problem){0};
        ok = census_run(execution, launch, most, &sink, &count->census, problem);
    }
    if (c.stop || (ok && !sums_fit(tally)))
        return problem_say(problem, "the totals of this launch do not fit 64 bits: take smaller sizes");
    return ok;
}
