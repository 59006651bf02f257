#include "gather.h"

#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"

#define READ_LIMIT (UINT64_C(1) << 32) /* cells of the input */

static void hear_write(void *self, const struct access *access, unsigned lane, const struct cell_write *write,
                       enum cell_state before);

void gather_init(struct gather *gather, const struct program *program, const struct owners_task *task)
{
    *gather = (struct gather){.program = program, .task = *task, .weight = 1};
    gather->sites = memory_take(program->site_count + 1u, sizeof *gather->sites);
    gather->runs = memory_take(program->site_count + 1u, sizeof *gather->runs);
    gather->witness = (struct owners_witness){gather, hear_write};
}

void gather_watch_reads(struct gather *gather)
{
    if (gather->task.in >= 0 && task_cells(&gather->task) <= READ_LIMIT)
        gather->read = memory_try(task_cells(&gather->task) / 8 + 1, 1);
}

void gather_free(struct gather *gather)
{
    free(gather->sites);
    free(gather->runs);
    free(gather->read);
    *gather = (struct gather){0};
}

/* Of all blocks that do the same. */
static void add(const struct gather *gather, uint64_t *sum, uint64_t count)
{
    uint64_t product;
    if (__builtin_mul_overflow(count, gather->weight, &product) || __builtin_add_overflow(*sum, product, sum))
        *sum = UINT64_MAX;
}

/* The example, where this is the first block in which it happens; otherwise NULL. */
static struct gathered *note_lanes(struct gather *gather, const struct access *access,
                                   enum gathered_kind kind, unsigned lane, uint64_t lanes)
{
    struct gathered *gathered = &gather->sites[access->site->id][kind];
    bool first = !gathered->lanes || finding_block_before(access->block, gathered->thread.block);
    add(gather, &gathered->lanes, lanes);
    if (!first)
        return NULL;
    gathered->thread = (struct finding_thread){.warp = access->warp, .lane = lane, .step = access->step};
    memcpy(gathered->thread.block, access->block, sizeof gathered->thread.block);
    gathered->offset = access_offset(access, lane);
    return gathered;
}

bool gather_has_any(const struct gather *gather)
{
    for (unsigned i = 0; i < gather->program->site_count; i++)
        for (int kind = 0; kind < GATHERED_KINDS; kind++)
            if (gather->sites[i][kind].lanes)
                return true;
    return gather->missed_warps != 0;
}

static void note_mask(struct gather *gather, const struct access *access, enum gathered_kind kind,
                      uint32_t mask)
{
    if (mask)
        (void)note_lanes(gather, access, kind, (unsigned)__builtin_ctz(mask),
                         (uint64_t)__builtin_popcount(mask));
}

static void note_cell(struct gather *gather, const struct access *access, enum gathered_kind kind,
                      unsigned lane, const struct cell_write *write)
{
    struct gathered *gathered = note_lanes(gather, access, kind, lane, 1);
    if (!gathered)
        return;
    gathered->cell = write->cell;
    gathered->token = data_at(&access->data[write->first], lane);
}

/* How many of its parts are right, of a write that is wrong. */
static unsigned right_parts(const struct gather *gather, const struct access *access, unsigned lane,
                            const struct cell_write *write)
{
    unsigned bytes = access->site->lane_bytes / access->site->components, right = 0;
    int64_t expected = data_token((unsigned)gather->task.in, task_expected(&gather->task, write->cell));
    for (unsigned c = 0; c < write->parts; c++)
        right += data_at(&access->data[write->first + c], lane) == expected + (int64_t)(c * bytes);
    return right;
}

static void hear_write(void *self, const struct access *access, unsigned lane, const struct cell_write *write,
                       enum cell_state before)
{
    struct gather *gather = self;
    bool right_before = before == CELL_RIGHT || before == CELL_RIGHT_TWICE;
    if (write->right) {
        note_cell(gather, access, right_before ? GATHERED_TWICE : GATHERED_DISAGREE, lane, write);
        return;
    }
    struct origin origin = data_origin(data_at(&access->data[write->first], lane));
    uint64_t bytes = task_cells(&gather->task) * gather->task.elem_bytes;
    note_cell(gather, access, GATHERED_WRONG, lane, write);
    if (write->parts > 1 && right_parts(gather, access, lane, write))
        note_cell(gather, access, GATHERED_TORN, lane, write);
    if (origin.kind == ORIGIN_COMPUTED)
        note_cell(gather, access, GATHERED_COMPUTED, lane, write);
    if (origin.kind == ORIGIN_UNINITIALIZED)
        note_cell(gather, access, GATHERED_STALE, lane, write);
    if (origin.kind == ORIGIN_BUFFER && (int)origin.buffer == gather->task.in &&
        (origin.offset < 0 || (uint64_t)origin.offset >= bytes))
        note_cell(gather, access, GATHERED_OUTSIDE, lane, write);
    if (right_before)
        note_cell(gather, access, GATHERED_DISAGREE, lane, write);
}

static void note_reads(struct gather *gather, const struct access *access)
{
    uint64_t bytes = gather->task.elem_bytes, lane_bytes = access->site->lane_bytes;
    for (uint32_t lanes = access->mask & ~access->out_of_bounds; lanes; lanes &= lanes - 1) {
        int64_t offset = access_offset(access, (unsigned)__builtin_ctz(lanes));
        uint64_t first = (uint64_t)offset / bytes, last = ((uint64_t)offset + lane_bytes - 1) / bytes;
        for (uint64_t cell = first; offset >= 0 && cell <= last && cell < task_cells(&gather->task); cell++)
            gather->read[cell / 8] = (uint8_t)(gather->read[cell / 8] | 1u << cell % 8);
    }
}

void gather_access(struct gather *gather, const struct access *access)
{
    add(gather, &gather->runs[access->site->id], (uint64_t)__builtin_popcount(access->mask));
    if (gather->read && access->site->kind->id == GLOBAL_LOAD && access->buffer == gather->task.in)
        note_reads(gather, access);
    note_mask(gather, access, GATHERED_OUT_OF_BOUNDS, access->out_of_bounds);
    note_mask(gather, access, GATHERED_MISALIGNED, access->misaligned);
    note_mask(gather, access, GATHERED_UNSET, access->uninitialized & ~access->out_of_bounds);
    if (access->unordered)
        (void)note_lanes(gather, access, GATHERED_UNORDERED, (unsigned)__builtin_ctz(access->mask),
                         access->unordered);
    if (access->site->kind->op != ACCESS_STORE)
        return;
    clashes_access(&gather->clashes, access);
    note_mask(gather, access, GATHERED_CLASH, gather->clashes.different_lanes);
    note_mask(gather, access, GATHERED_MEETING, gather->clashes.equal_lanes);
}

void gather_barrier(struct gather *gather, const struct barrier *barrier)
{
    if (!barrier->missed)
        return;
    if (!gather->missed_warps || finding_block_before(barrier->block, gather->missed_thread.block)) {
        gather->missed = barrier->place;
        memcpy(gather->missed_thread.block, barrier->block, sizeof barrier->block);
    }
    add(gather, &gather->missed_warps, barrier->missed);
}
