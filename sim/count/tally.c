#include "tally.h"

#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"
#include "../model/sector.h"

enum { FIRST_BITS = 6, MOST_BITS = 12 }; /* of the memo's size */

struct tally_memo {
    pattern_id pattern;
    uint32_t mask;
    uint32_t generation;
    uint32_t shape; /* site shape and alignment; never 0 when used */
    uint32_t lanes; /* active */
    struct access_cost cost;
    uint8_t aligned;                          /* bits of the base that are in the shape */
    uint8_t lines[LINE_BYTES / SECTOR_BYTES]; /* and one more, by the sector of a line that the base lies in;
                                                 0: not met yet */
};

void tally_init(struct tally *tally, unsigned site_count)
{
    tally->site_count = site_count;
    tally->sites = memory_take(site_count, sizeof *tally->sites);
    tally->memo_bits = FIRST_BITS;
    tally->missed = 0;
    tally->memo = memory_take((size_t)1 << FIRST_BITS, sizeof *tally->memo);
    tally->last = memory_take(site_count, sizeof *tally->last);
}

void tally_free(struct tally *tally)
{
    free(tally->sites);
    free(tally->memo);
    free(tally->last);
    *tally = (struct tally){0};
}

struct lanes access_lanes(const struct access *access)
{
    return (struct lanes){.lane_bytes = access->site->lane_bytes,
                          .is_load = access->site->kind->merges_groups,
                          .is_atomic = access->site->kind->op == ACCESS_ATOMIC,
                          .turns = access->site->atomic == ATOMIC_ONCE    ? 1
                                   : access->site->atomic == ATOMIC_TWICE ? 2
                                                                          : 0,
                          .mask = access->mask,
                          .base = access->base + access->misalignment,
                          .delta = access->delta};
}

struct access_cost access_cost_of(const struct access *access)
{
    struct lanes lanes = access_lanes(access);
    if (access->site->kind->space == SPACE_SHARED) {
        struct bank_cost cost = bank_cost_of(&lanes);
        return (struct access_cost){cost.wavefronts, cost.ideal, 0, 0};
    }
    struct sector_cost cost = sector_cost_of(&lanes);
    return (struct access_cost){cost.sectors, cost.ideal, cost.lines, cost.partial};
}

static uint8_t aligned_bits(const struct site *site)
{
    return site->kind->space == SPACE_SHARED ? 3 : SECTOR_BYTES - 1;
}

/* Two accesses with equal pattern, mask and shape cost the same: a base only matters modulo a sector; in
 * shared memory only modulo a word, since moving all lanes by whole words turns the banks round without
 * changing who meets whom. */
static uint32_t shape_of(const struct access *access)
{
    const struct site *site = access->site;
    uint32_t alignment = (uint32_t)((uint64_t)access->base + access->misalignment) & aligned_bits(site);
    return 1u << 31 | (uint32_t)site->atomic << 18 | (uint32_t)site->kind->id << 15 | site->lane_bytes << 8 |
           alignment;
}

static inline bool is_of(const struct tally_memo *memo, const struct access *access, uint32_t shape)
{
    return memo->pattern == access->pattern && memo->mask == access->mask && memo->shape == shape &&
           memo->generation == access->generation;
}

/* Which sector of its line the base lies in. */
static inline unsigned sector_in_line(const struct access *access)
{
    uint64_t address = (uint64_t)access->base + access->misalignment;
    return (unsigned)(address / SECTOR_BYTES % (LINE_BYTES / SECTOR_BYTES));
}

static struct tally_memo *look_up(struct tally *tally, const struct access *access, uint32_t shape)
{
    uint64_t key = ((uint64_t)access->mask << 32 | shape) ^ (uint64_t)access->pattern << 17;
    uint64_t hash = key * 0x9e3779b97f4a7c15u;
    struct tally_memo *memo = &tally->memo[hash >> (64 - tally->memo_bits)];
    if (is_of(memo, access, shape))
        return memo;
    if (++tally->missed >> tally->memo_bits &&
        tally->memo_bits < MOST_BITS) { /* begin anew in a larger one */
        tally->memo_bits += 3;
        free(tally->memo);
        tally->memo = memory_take((size_t)1 << tally->memo_bits, sizeof *tally->memo);
        memo = &tally->memo[hash >> (64 - tally->memo_bits)];
    }
    *memo = (struct tally_memo){.pattern = access->pattern,
                                .mask = access->mask,
                                .generation = access->generation,
                                .shape = shape,
                                .lanes = (uint32_t)__builtin_popcount(access->mask),
                                .cost = access_cost_of(access),
                                .aligned = aligned_bits(access->site)};
    if (access->site->kind->space == SPACE_SHARED)
        memset(memo->lines, 1, sizeof memo->lines); /* none, wherever it lies */
    else
        memo->lines[sector_in_line(access)] = (uint8_t)(memo->cost.lines + 1); /* at most 65 */
    return memo;
}

/* The site's last access once more, all lanes where they should be? Then nothing has to be looked up. */
static inline bool repeats(const struct tally_memo *last, const struct access *access, unsigned sector)
{
    uint32_t address = (uint32_t)((uint64_t)access->base + access->misalignment);
    return last->pattern == access->pattern && last->mask == access->mask &&
           last->generation == access->generation && ((last->shape ^ address) & last->aligned) == 0 &&
           last->lines[sector];
}

/* What it costs: the site's last memo from now on. Lines depend on the base modulo a line, where everything
 * else repeats with the sector: so a memo has four of them. */
static const struct tally_memo *remember(struct tally *tally, const struct access *access, unsigned sector)
{
    struct tally_memo *last = &tally->last[access->site->id];
    if (repeats(last, access, sector))
        return last;
    struct tally_memo *memo = look_up(tally, access, shape_of(access));
    if (!memo->lines[sector])
        memo->lines[sector] = (uint8_t)(access_cost_of(access).lines + 1);
    *last = *memo;
    return last;
}

static inline void add(struct site_tally *site, const struct tally_memo *memo, unsigned sector)
{
    site->requests++;
    site->lanes += memo->lanes;
    site->units += memo->cost.units;
    site->ideal += memo->cost.ideal;
    site->partial += memo->cost.partial;
    site->lines += memo->lines[sector] - 1u;
}

__attribute__((noinline)) static void add_other(struct tally *tally, const struct access *access,
                                                unsigned sector)
{
    struct site_tally *site = &tally->sites[access->site->id];
    add(site, remember(tally, access, sector), sector);
    site->out_of_bounds += (unsigned)__builtin_popcount(access->out_of_bounds);
    site->misaligned += (unsigned)__builtin_popcount(access->misaligned);
}

void tally_access(void *self, const struct access *access)
{
    struct tally *tally = self;
    const struct tally_memo *last = &tally->last[access->site->id];
    unsigned sector = sector_in_line(access);
    if (__builtin_expect(repeats(last, access, sector) && !(access->out_of_bounds | access->misaligned), 1))
        add(&tally->sites[access->site->id], last, sector);
    else
        add_other(tally, access, sector); /* the only call, and the last thing: the usual way saves nothing */
}

static bool add_times(uint64_t *sum, uint64_t count, uint64_t times)
{
    uint64_t product;
    return !__builtin_mul_overflow(count, times, &product) && !__builtin_add_overflow(*sum, product, sum);
}

bool tally_access_times(struct tally *tally, const struct access *access, uint64_t times)
{
    struct site_tally *site = &tally->sites[access->site->id];
    unsigned sector = sector_in_line(access);
    const struct tally_memo *memo = remember(tally, access, sector);
    uint64_t outside = (uint64_t)__builtin_popcount(access->out_of_bounds);
    uint64_t misaligned = (uint64_t)__builtin_popcount(access->misaligned);
    return add_times(&site->requests, 1, times) && add_times(&site->lanes, memo->lanes, times) &&
           add_times(&site->units, memo->cost.units, times) &&
           add_times(&site->ideal, memo->cost.ideal, times) &&
           add_times(&site->partial, memo->cost.partial, times) &&
           add_times(&site->lines, memo->lines[sector] - 1u, times) &&
           add_times(&site->out_of_bounds, outside, times) && add_times(&site->misaligned, misaligned, times);
}

void tally_skipped(void *self, const struct site *site)
{
    struct tally *tally = self;
    tally->sites[site->id].skipped++;
}

static void add_site(struct site_tally *sum, const struct site_tally *site)
{
    sum->requests += site->requests;
    sum->emulated += site->emulated;
    sum->lanes += site->lanes;
    sum->units += site->units;
    sum->ideal += site->ideal;
    sum->lines += site->lines;
    sum->partial += site->partial;
    sum->out_of_bounds += site->out_of_bounds;
    sum->misaligned += site->misaligned;
    sum->skipped += site->skipped;
}

void tally_add(struct tally *tally, const struct tally *other)
{
    for (unsigned i = 0; i < tally->site_count; i++)
        add_site(&tally->sites[i], &other->sites[i]);
}

struct site_tally tally_sum(const struct tally *tally, const struct program *program,
                            enum access_kind_id kind)
{
    struct site_tally sum = {0};
    for (unsigned i = 0; i < tally->site_count; i++) {
        const struct site_tally *site = &tally->sites[i];
        if (program->sites[i].kind->id != kind)
            continue;
        add_site(&sum, site);
        sum.emulated += program->sites[i].atomic == ATOMIC_EMULATED ? site->requests : 0;
    }
    return sum;
}
