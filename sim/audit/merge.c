#include "merge.h"

#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"

void merges_init(struct merges *merges, const struct program *program)
{
    *merges = (struct merges){.program = program};
    merges->sites = memory_take(program->site_count + 1u, sizeof *merges->sites);
    for (unsigned i = 0; i < program->site_count; i++)
        merges->sites[i].aligned = true;
}

void merges_free(struct merges *merges)
{
    free(merges->sites);
    *merges = (struct merges){0};
}

static bool is_next_to(const struct access *before, const struct access *access)
{
    return before->site && before->site != access->site && before->site->kind == access->site->kind &&
           memcmp(before->block, access->block, sizeof access->block) == 0 && before->warp == access->warp &&
           before->step + 1 == access->step && before->mask == access->mask &&
           before->pattern == access->pattern && before->generation == access->generation &&
           before->site->lane_bytes == access->site->lane_bytes &&
           access->base - before->base == (int64_t)access->site->lane_bytes;
}

static bool is_aligned(const struct access *access, uint64_t bytes)
{
    uint64_t bits = 0;
    for (uint32_t lanes = access->mask; lanes; lanes &= lanes - 1)
        bits |= (uint64_t)access_offset(access, (unsigned)__builtin_ctz(lanes));
    return (bits & (bytes - 1)) == 0;
}

void merges_access(struct merges *merges, const struct access *access)
{
    struct merge_site *site = &merges->sites[access->site->id];
    if (access->site->kind->space != SPACE_SHARED || access->site->kind->op == ACCESS_ATOMIC)
        return;
    bool next = is_next_to(&merges->last, access);
    if (next && (!site->joined || site->before == merges->last.site->id)) {
        site->joined++;
        site->before = merges->last.site->id;
    }
    if (!next && site->aligned)
        site->aligned = is_aligned(access, 2 * (uint64_t)access->site->lane_bytes);
    site->runs++;
    merges->last = *access; /* its pointers are only compared */
}

static bool always_joins(const struct merge_site *site)
{
    return site->runs && site->joined == site->runs;
}

void merge_findings(const struct merges *merges, struct findings *findings)
{
    unsigned count = merges->program->site_count;
    for (unsigned i = 0; i < count; i++) {
        const struct merge_site *first = &merges->sites[i];
        unsigned length = 1, last = i;
        if (!first->runs || always_joins(first) || !first->aligned)
            continue;
        for (unsigned k = 0; k < count; k++)
            if (always_joins(&merges->sites[k]) && merges->sites[k].before == last) {
                last = k;
                length++;
                k = (unsigned)-1; /* look again from the first: sites need not stand in order */
            }
        const struct site *site = &merges->program->sites[i];
        if (length < 2 || length * site->lane_bytes > 16)
            continue;
        struct finding *f = findings_add(findings, FINDING_MERGED);
        findings_place(f, &site->place);
        f->line = site->line;
        f->other_line = merges->program->sites[last].line;
        f->site = (int)i;
        f->is_shared = true;
        findings_say(
            f,
            "from here to line %d %u accesses of %u bytes a lane are neighbours: a compiler may make "
            "one of %u bytes of them, which counts otherwise",
            f->other_line, length, site->lane_bytes, length * site->lane_bytes);
    }
}
