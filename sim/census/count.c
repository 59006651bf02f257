/* count.c - how often each cost occurs. */
#include "count.h"

#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"
#include "../model/sector.h"

enum { SPREADS = 16 };

/* How many blocks of the running region find an access's base so many bytes further, modulo a line. */
struct spread {
    uint32_t slope[AXES]; /* modulo a line */
    uint64_t blocks[LINE_BYTES];
    unsigned count; /* of those that have any: */
    uint8_t at[LINE_BYTES];
};

/* What a site's last access came to in all blocks of a region: the next is most often alike. */
struct outcome {
    uint64_t region; /* counted from 1 */
    pattern_id pattern;
    uint32_t mask, generation, out_of_bounds, misaligned, at; /* at: of the base, modulo a line */
    uint32_t slope[AXES];
    struct site_tally sum;
};

struct counting {
    struct census_count *count;
    struct tally *tally;
    struct region region;
    struct spread spreads[SPREADS];
    unsigned spread_count;
    uint64_t regions;
    struct outcome *last; /* one a site */
    bool over;            /* a sum does not fit, of this region or one before */
    bool stop;            /* of one before */
    struct region first_missed;
    struct before { /* this region, which may be taken back */
        struct site_tally *sites;
        uint64_t missed;
        struct place barrier;
        struct region first_missed;
    } before;
};

static void add(struct counting *c, uint64_t *sum, uint64_t count)
{
    uint64_t product;
    if (__builtin_mul_overflow(count, region_blocks(&c->region), &product) ||
        __builtin_add_overflow(*sum, product, sum))
        c->over = true;
}

static void take_region(void *self, const struct region *region)
{
    struct counting *c = self;
    c->stop = c->over;
    c->region = *region;
    c->spread_count = 0;
    c->regions++;
    memcpy(c->before.sites, c->tally->sites, c->tally->site_count * sizeof *c->tally->sites);
    c->before.missed = c->count->missed;
    c->before.barrier = c->count->barrier;
    c->before.first_missed = c->first_missed;
}

static void take_back(void *self)
{
    struct counting *c = self;
    c->over = c->stop;
    memcpy(c->tally->sites, c->before.sites, c->tally->site_count * sizeof *c->tally->sites);
    c->count->missed = c->before.missed;
    c->count->barrier = c->before.barrier;
    c->first_missed = c->before.first_missed;
}

/* After how many blocks along two axes everything lies as before, modulo a line: a power of two. */
static uint32_t period_of(uint32_t slope, uint32_t other)
{
    uint32_t period = LINE_BYTES;
    while (period > 1 && period / 2 * slope % LINE_BYTES == 0 && period / 2 * other % LINE_BYTES == 0)
        period /= 2;
    return period;
}

/* One axis: its blocks lie at multiples of the slope. */
static void spread_axis(uint64_t blocks[LINE_BYTES], uint32_t slope, uint32_t count)
{
    uint64_t before[LINE_BYTES];
    uint32_t period = period_of(slope, 0);
    memcpy(before, blocks, sizeof before);
    memset(blocks, 0, LINE_BYTES * sizeof *blocks);
    for (uint32_t at = 0; at < LINE_BYTES; at++)
        for (uint32_t i = 0; before[at] && i < period && i < count; i++)
            blocks[(at + slope * i) % LINE_BYTES] += before[at] * ((count - 1 - i) / period + 1);
}

static int128 rounded_up(int128 value, int128 divisor)
{
    return value > 0 ? (value - 1) / divisor + 1 : -(-value / divisor);
}

/* Two axes with a band: their blocks by how far along each they are, modulo what differs. */
static void spread_band(uint64_t blocks[LINE_BYTES], const uint32_t slope[AXES], const struct region *r)
{
    uint32_t by_a = slope[r->band.a], by_b = slope[r->band.b];
    uint32_t period = period_of(by_a, by_b);
    uint64_t n = r->axis[r->band.a].count, m = r->axis[r->band.b].count;
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

/* False: a sum does not fit. */
static bool add_site(struct site_tally *sum, const struct site_tally *site)
{
    return !__builtin_add_overflow(sum->requests, site->requests, &sum->requests) &&
           !__builtin_add_overflow(sum->lanes, site->lanes, &sum->lanes) &&
           !__builtin_add_overflow(sum->units, site->units, &sum->units) &&
           !__builtin_add_overflow(sum->ideal, site->ideal, &sum->ideal) &&
           !__builtin_add_overflow(sum->partial, site->partial, &sum->partial) &&
           !__builtin_add_overflow(sum->lines, site->lines, &sum->lines) &&
           !__builtin_add_overflow(sum->out_of_bounds, site->out_of_bounds, &sum->out_of_bounds) &&
           !__builtin_add_overflow(sum->misaligned, site->misaligned, &sum->misaligned) &&
           !__builtin_add_overflow(sum->skipped, site->skipped, &sum->skipped);
}

/* The access in all blocks of the region, as the only one of its site. False: a sum does not fit. */
static bool count_access(struct counting *c, const struct access *access, const struct spread *spread,
                         struct site_tally *sum)
{
    struct site_tally *site = &c->tally->sites[access->site->id], others = *site;
    struct access there = *access;
    bool fits = true;
    *site = (struct site_tally){0};
    for (unsigned i = 0; i < spread->count; i++) {
        uint32_t at = spread->at[i];
        there.base = (int64_t)((uint64_t)access->base + at);
        there.misaligned =
            at & (access->site->lane_bytes - 1) ? misaligned_lanes(&there) : access->misaligned;
        fits = tally_access_times(c->tally, &there, spread->blocks[at]) && fits;
    }
    *sum = *site;
    *site = others;
    return fits;
}

static void take_access(void *self, const struct access *access)
{
    struct counting *c = self;
    struct outcome *last = &c->last[access->site->id];
    const struct spread *spread = spread_of(c, &access->motion->address);
    uint32_t at = (uint32_t)((uint64_t)access->base + access->misalignment) % LINE_BYTES;
    if (last->region != c->regions || last->pattern != access->pattern || last->mask != access->mask ||
        last->generation != access->generation || last->out_of_bounds != access->out_of_bounds ||
        last->misaligned != access->misaligned || last->at != at ||
        memcmp(last->slope, spread->slope, sizeof last->slope) != 0) {
        *last = (struct outcome){.region = c->regions,
                                 .pattern = access->pattern,
                                 .mask = access->mask,
                                 .generation = access->generation,
                                 .out_of_bounds = access->out_of_bounds,
                                 .misaligned = access->misaligned,
                                 .at = at};
        memcpy(last->slope, spread->slope, sizeof last->slope);
        c->over = !count_access(c, access, spread, &last->sum) || c->over;
    }
    c->over = !add_site(&c->tally->sites[access->site->id], &last->sum) || c->over;
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
    for (unsigned i = 0; i < tally->site_count; i++)
        fit = add_site(&sum, &tally->sites[i]) && fit;
    return fit;
}

bool census_count(struct execution *execution, const struct launch *launch, uint64_t most,
                  struct tally *tally, struct census_count *count, struct problem *problem)
{
    struct site_tally *before = memory_take(tally->site_count, sizeof *before);
    struct outcome *last = memory_take(tally->site_count, sizeof *last);
    struct counting c = {.count = count, .tally = tally, .last = last, .before.sites = before};
    const struct sink sink = {.self = &c,
                              .access = take_access,
                              .barrier = take_barrier,
                              .skipped = take_skipped,
                              .region = take_region,
                              .take_back = take_back,
                              .stop = &c.stop};
    *count = (struct census_count){0};
    bool ok = census_run(execution, launch, most, &sink, &count->census, problem);
    if (!c.over && census_again(execution, launch, &count->census, count->missed)) {
        unsigned sites = tally->site_count;
        tally_free(tally);
        tally_init(tally, sites);
        memset(last, 0, sites * sizeof *last);
        c = (struct counting){.count = count, .tally = tally, .last = last, .before.sites = before};
        *count = (struct census_count){0};
        *problem = (struct problem){0};
        ok = census_run(execution, launch, most, &sink, &count->census, problem);
    }
    free(before);
    free(last);
    if (c.over || (ok && !sums_fit(tally)))
        return problem_say(problem, "the totals of this launch do not fit 64 bits: take smaller sizes");
    return ok;
}
