#include "meet.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"

bool meets_init(struct meets *meets, const struct program *program, const struct launch *launch,
                struct problem *problem)
{
    *meets = (struct meets){.program = program, .launch = launch};
    for (unsigned i = 0; i < program->parameter_count; i++) {
        const struct argument *argument = &launch->arguments[i];
        if (!argument->follows)
            continue;
        unsigned owner = argument->alias ? argument->alias - 1 : i;
        meets->owner[i] = owner;
        if (meets->cells[owner])
            continue;
        meets->before[owner] = launch->arguments[owner].before;
        meets->count[owner] = (meets->before[owner] + launch->arguments[owner].bytes) / program->granule + 1;
        meets->cells[owner] = meets->count[owner] <= MEET_LIMIT
                                  ? memory_try(meets->count[owner], sizeof *meets->cells[owner])
                                  : NULL;
        if (meets->cells[owner])
            continue;
        meets_free(meets);
        return problem_say(problem,
                           "%s is both read and written, and is too large to watch who does: at most %" PRIu64
                           " cells are looked at",
                           program->parameters[owner].name, MEET_LIMIT);
    }
    return true;
}

void meets_free(struct meets *meets)
{
    for (unsigned i = 0; i < 64; i++)
        free(meets->cells[i]);
    free(meets->pairs);
    *meets = (struct meets){0};
}

static bool same_lanes(const struct finding_thread *a, const struct finding_thread *b)
{
    return a->warp == b->warp;
}

/* Has somebody touched it who is in no order with this one? */
static bool is_unordered(const struct meets *meets, const struct meet_touch *theirs,
                         const struct finding_thread *mine)
{
    if (!theirs->block)
        return false;
    if (theirs->block != meets->block || theirs->blocks)
        return true;
    return theirs->stretch == meets->stretch && (theirs->warps || !same_lanes(&theirs->thread, mine));
}

static void note_pair(struct meets *meets, const struct access *access, int64_t offset,
                      const struct finding_thread *mine, const struct meet_touch *theirs)
{
    unsigned here = access->site->id, there = theirs->site, first = here < there ? here : there,
             second = here < there ? there : here;
    struct meet_pair *pair = NULL;
    for (size_t i = 0; i < meets->pair_count && !pair; i++)
        if (meets->pairs[i].first == first && meets->pairs[i].second == second)
            pair = &meets->pairs[i];
    if (!pair) {
        if (meets->pair_count == meets->pair_capacity) {
            meets->pair_capacity = meets->pair_capacity ? 2 * meets->pair_capacity : 8;
            meets->pairs = memory_resize(meets->pairs, meets->pair_capacity, sizeof *meets->pairs);
        }
        pair = &meets->pairs[meets->pair_count++];
        *pair =
            (struct meet_pair){.first = first, .second = second, .buffer = access->buffer, .offset = offset};
        pair->a = here < there ? *mine : theirs->thread;
        pair->b = here < there ? theirs->thread : *mine;
    }
    pair->cells++;
}

static void touch(struct meets *meets, const struct access *access, int64_t offset, struct meet_cell *cell,
                  const struct finding_thread *mine)
{
    bool writes = access->site->kind->writes, atomic = access->site->kind->op == ACCESS_ATOMIC;
    const struct meet_touch *theirs = is_unordered(meets, &cell->write, mine)            ? &cell->write
                                      : writes && is_unordered(meets, &cell->read, mine) ? &cell->read
                                                                                         : NULL;
    if (theirs && !cell->met && !atomic) {
        note_pair(meets, access, offset, mine, theirs);
        cell->met = true;
    }
    struct meet_touch *touch = writes ? &cell->write : &cell->read;
    bool here = touch->block == meets->block;
    bool now = here && touch->stretch == meets->stretch;
    *touch = (struct meet_touch){.thread = *mine,
                                 .block = meets->block,
                                 .stretch = meets->stretch,
                                 .site = (uint16_t)access->site->id,
                                 .blocks = touch->blocks || (touch->block && !here),
                                 .warps = now && (touch->warps || !same_lanes(&touch->thread, mine))};
}

void meets_access(struct meets *meets, const struct access *access)
{
    if (access->step == 0) {
        meets->block++;
        meets->stretch = 0;
    }
    if (access->site->kind->space != SPACE_GLOBAL || !meets->launch->arguments[access->buffer].follows)
        return;
    unsigned owner = meets->owner[access->buffer];
    uint64_t granule = meets->program->granule;
    struct finding_thread mine = {.warp = access->warp, .step = access->step};
    memcpy(mine.block, access->block, sizeof mine.block);
    for (uint32_t lanes = access->mask & ~access->out_of_bounds; lanes; lanes &= lanes - 1) {
        mine.lane = (unsigned)__builtin_ctz(lanes);
        int64_t offset = access_offset(access, mine.lane);
        for (uint64_t i = 0; i < access->site->lane_bytes; i += granule) {
            uint64_t at = ((uint64_t)offset + meets->before[owner] + i) / granule;
            if (at < meets->count[owner])
                touch(meets, access, offset, &meets->cells[owner][at], &mine);
        }
    }
}

void meets_barrier(struct meets *meets)
{
    meets->stretch++;
}

static const char *does(const struct site *site)
{
    return site->kind->op == ACCESS_LOAD ? "reads" : site->kind->op == ACCESS_STORE ? "writes" : "updates";
}

void meet_findings(const struct meets *meets, const struct owners_task *task, struct findings *findings)
{
    for (size_t i = 0; i < meets->pair_count; i++) {
        const struct meet_pair *pair = &meets->pairs[i];
        const struct site *a = &meets->program->sites[pair->first], *b = &meets->program->sites[pair->second];
        struct finding *f = findings_add(findings, FINDING_GLOBAL_RACE);
        uint64_t cell = (uint64_t)pair->offset / task->elem_bytes, cols = task_out_cols(task);
        findings_place(f, &b->place);
        f->line = b->line;
        f->other_line = a->line;
        f->site = (int)b->id;
        f->has_thread = f->has_other = f->has_cell = true;
        f->thread = pair->b;
        f->other = pair->a;
        f->buffer = pair->buffer;
        f->row = cell / cols;
        f->col = cell % cols;
        f->cells = pair->cells * meets->program->granule / task->elem_bytes;
        f->cells = f->cells ? f->cells : 1;
        findings_say(
            f,
            "block (%u,%u), warp %u, lane %u %s %s(%" PRIu64 ",%" PRIu64
            ") in line %d and block (%u,%u), warp %u, lane %u %s it here, and nothing says which comes "
            "first; %" PRIu64 " cell%s in all: what is read must be read by all before any of it is "
            "written",
            f->other.block[0], f->other.block[1], f->other.warp, f->other.lane, does(a),
            meets->program->parameters[pair->buffer].name, f->row, f->col, a->line, f->thread.block[0],
            f->thread.block[1], f->thread.warp, f->thread.lane, does(b), f->cells, f->cells == 1 ? "" : "s");
    }
}
