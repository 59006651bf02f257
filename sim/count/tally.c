#include "tally.h"

#include <stdlib.h>

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
    uint8_t
        lines[LINE_BYTES / SECTOR_BYTES]; /* by the sector of a line that the base lies in; 0: not met yet */
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

/* Two accesses with equal pattern, mask and shape cost the same: a base only matters modulo a sector; in
 * shared memory only modulo a word, since moving all lanes by whole words turns the banks round without
 * changing who meets whom. */
static uint32_t shape_of(const struct access *access)
{
    const struct site *site = access->site;
    bool shared = site->kind->space == SPACE_SHARED;
    uint32_t alignment = (uint32_t)((uint64_t)access->base + access->misalignment) & (shared ? 3u : 31u);
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
                                .cost = access_cost_of(access)};
    memo->lines[sector_in_line(access)] = (uint8_t)memo->cost.lines; /* at most 64 */
    return memo;
}

static inline const struct tally_memo *remember(struct tally *tally, const struct access *access)
{
    struct tally_memo *last = &tally->last[access->site->id];
    uint32_t shape = shape_of(access);
    if (!is_of(last, access, shape))
        *last = *look_up(tally, access, shape);
    return last;
}

/* Lines of a global access. They depend on the base modulo a line, where everything else repeats with the
 * sector: so a memo has four of them. */
static inline uint32_t lines_of(struct tally *tally, const struct access *access)
{
    struct tally_memo *last = &tally->last[access->site->id];
    unsigned at = sector_in_line(access);
    if (__builtin_expect(!last->lines[at], 0)) {
        struct tally_memo *memo = look_up(tally, access, shape_of(access));
        if (!memo->lines[at])
            memo->lines[at] = (uint8_t)access_cost_of(access).lines;
        *last = *memo;
    }
    return last->lines[at];
}

void tally_access(void *self, const struct access *access)
{
    struct tally *tally = self;
    struct site_tally *site = &tally->sites[access->site->id];
    const struct tally_memo *memo = remember(tally, access);
    site->requests++;
    site->lanes += memo->lanes;
    site->units += memo->cost.units;
    site->ideal += memo->cost.ideal;
    site->partial += memo->cost.partial;
    if (access->site->kind->space == SPACE_GLOBAL)
        site->lines += lines_of(tally, access);
    if (__builtin_expect((access->out_of_bounds | access->misaligned) != 0, 0)) {
        site->out_of_bounds += (unsigned)__builtin_popcount(access->out_of_bounds);
        site->misaligned += (unsigned)__builtin_popcount(access->misaligned);
    }
}

static bool add_times(uint64_t *sum, uint64_t count, uint64_t times)
{
    uint64_t product;
    return !__builtin_mul_overflow(count, times, &product) && !__builtin_add_overflow(*sum, product, sum);
}

bool tally_access_times(struct tally *tally, const struct access *access, uint64_t times)
{
    struct site_tally *site = &tally->sites[access->site->id];
    const struct tally_memo *memo = remember(tally, access);
    bool is_global = access->site->kind->space == SPACE_GLOBAL;
    uint64_t outside = (uint64_t)__builtin_popcount(access->out_of_bounds);
    uint64_t misaligned = (uint64_t)__builtin_popcount(access->misaligned);
    return add_times(&site->requests, 1, times) && add_times(&site->lanes, memo->lanes, times) &&
           add_times(&site->units, memo->cost.units, times) &&
           add_times(&site->ideal, memo->cost.ideal, times) &&
           add_times(&site->partial, memo->cost.partial, times) &&
           (!is_global || add_times(&site->lines, lines_of(tally, access), times)) &&
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
