/* audit_census.c - an audit by census: the consumers see one block of each region, which counts for all. */
#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"
#include "../census/proof.h"
#include "audit_parts.h"

/* So many cells are run block by block where some are wrong: that shows what of the input was not read. */
#define CELLS_TO_LOOK_AT (UINT64_C(1) << 24)

/* A cell that the running block has written. */
struct met {
    uint64_t region; /* counted from 1; 0: free */
    uint64_t cell;
    int64_t slope[AXES]; /* how the writes move */
    enum cell_state state;
};

/* Where cells are written more than once: what each block finds in a cell, by its own writes alone. If the
 * blocks' cells are no more than there are, no two blocks share one, and that is all that there is to find.
 */
struct meeting {
    bool wanted;
    struct met *at; /* a hash table of so many: a power of two */
    size_t room, used;
    uint64_t region, weight;
    uint64_t cells; /* of all blocks */
};

struct count {
    struct audit *audit;
    struct proof_onlooker onlooker;
    struct problem problem;
    struct meeting meeting;
};

static void begin(void *self)
{
    struct count *count = self;
    count->meeting.cells = 0;
    if (!audit_begin_passes(count->audit, &count->problem))
        count->onlooker.refuse = true;
}

static void take_region(void *self, const struct region *region)
{
    struct count *count = self;
    count->meeting.weight = region_blocks(region);
    count->audit->gather.weight = count->audit->races.weight = count->meeting.weight;
    count->meeting.region++;
    count->meeting.used = 0;
}

/* The cell's place in the table, or a free one: what other regions left is free. */
static struct met *met_at(const struct meeting *m, uint64_t cell)
{
    size_t at = (size_t)(cell * 0x9e3779b97f4a7c15u >> 32);
    for (;; at++) {
        struct met *met = &m->at[at & (m->room - 1)];
        if (met->region != m->region || met->cell == cell)
            return met;
    }
}

static void make_room(struct meeting *m)
{
    struct meeting larger = *m;
    if (m->used < m->room / 2)
        return;
    larger.room = m->room ? 2 * m->room : 4096;
    larger.at = memory_take(larger.room, sizeof *larger.at);
    for (size_t i = 0; i < m->room; i++)
        if (m->at[i].region == m->region)
            *met_at(&larger, m->at[i].cell) = m->at[i];
    free(m->at);
    *m = larger;
}

/* What this write finds in its cell, of the block's own. Writes that move apart find each other in one block
 * only: not here. */
static enum cell_state meet(struct count *count, const struct access *access, const struct cell_write *write)
{
    struct meeting *m = &count->meeting;
    make_room(m);
    struct met *met = met_at(m, write->cell);
    static const struct slope still;
    const int64_t *slope = access->motion ? access->motion->address.at : still.at;
    if (met->region != m->region) {
        *met = (struct met){.region = m->region, .cell = write->cell, .state = CELL_MISSING};
        memcpy(met->slope, slope, sizeof met->slope);
        m->used++;
        if (__builtin_add_overflow(m->cells, m->weight, &m->cells))
            count->onlooker.refuse = true;
    }
    if (memcmp(met->slope, slope, sizeof met->slope) != 0)
        count->onlooker.refuse = true;
    enum cell_state before = met->state;
    met->state = cell_after(before, write->right);
    return before;
}

/* Writes that are wrong, or not the first. Parts of one may be right in some blocks of the region and not in
 * others: not here.
 */
static void take_output(struct count *count, const struct access *access)
{
    struct audit *audit = count->audit;
    for (uint32_t lanes = access->mask & ~access->out_of_bounds; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        struct cell_write writes[CELL_WRITES];
        unsigned number = cell_writes_of(&audit->task, access, lane, writes);
        for (unsigned i = 0; i < number; i++) {
            const struct owners_witness *witness = &audit->gather.witness;
            enum cell_state before = count->meeting.wanted ? meet(count, access, &writes[i]) : CELL_MISSING;
            if (writes[i].right && before == CELL_MISSING)
                continue;
            witness->write(witness->self, access, lane, &writes[i], before);
            count->onlooker.refuse = count->onlooker.refuse || (!writes[i].right && writes[i].parts > 1);
        }
    }
}

static void take_access(void *self, const struct access *access)
{
    struct count *count = self;
    struct audit *audit = count->audit;
    bool shared = access->site->kind->space == SPACE_SHARED;
    if (shared && access->motion && region_moves(access->motion->region, &access->motion->address)) {
        count->onlooker.refuse = true; /* whom it meets is not the same everywhere */
        return;
    }
    if (task_is_output(&audit->task, access))
        take_output(count, access);
    gather_access(&audit->gather, access);
    races_access(&audit->races, access);
    merges_access(&audit->merges, access);
}

static void take_barrier(void *self, const struct barrier *barrier)
{
    struct audit *audit = ((struct count *)self)->audit;
    gather_barrier(&audit->gather, barrier);
    races_barrier(&audit->races, barrier);
}

static bool found(const void *self)
{
    const struct audit *audit = ((const struct count *)self)->audit;
    return gather_has_any(&audit->gather) || audit->races.pair_count;
}

/* Is the buffer as long as the matrix? What is read outside is then outside of both. */
static bool input_fits(const struct audit *audit)
{
    const struct owners_task *task = &audit->task;
    return task->in < 0 || audit->launch.arguments[task->in].bytes == task_cells(task) * task->elem_bytes;
}

/* Does the census say all that every block would say? NULL, or why it does not. */
static const char *why_not(const struct count *count, const struct owners_report *report,
                           const struct proof *proof)
{
    const struct audit *audit = count->audit;
    bool is_alone = count->meeting.wanted && count->meeting.cells == report->cells - report->missing;
    bool is_small = task_cells(&audit->task) <= CELLS_TO_LOOK_AT && audit->options.way != AUDIT_BY_CENSUS;
    if ((report->written_twice || report->disagreeing) && !is_alone)
        return "cells are written by more than one block";
    if (report->missing && !proof->has_hole)
        return "the cells that nobody writes lie in no simple shape";
    if (report->wrong && (is_small || !input_fits(audit)))
        return "what wrong cells got is told block by block";
    return NULL;
}

/* One census. False: there is none, and *why. */
static bool run(struct count *count, struct execution **execution, struct owners_report *report,
                struct proof *proof, const char **why)
{
    const struct audit *audit = count->audit;
    struct problem problem = {0};
    count->onlooker =
        (struct proof_onlooker){count, begin, take_region, take_access, take_barrier, found, false};
    *why = "too many blocks differ";
    if (!proof_run(execution, audit->scenario->program, &audit->launch, &audit->task, &count->onlooker,
                   report, proof, &problem)) {
        *why = proof->why ? proof->why : *why;
        return false;
    }
    *why =
        count->onlooker.refuse ? "writes or tiles differ from block to block" : why_not(count, report, proof);
    return true;
}

bool audit_by_census(struct audit *audit, const char **why)
{
    struct count count = {.audit = audit};
    struct owners_report report;
    struct proof proof;
    struct execution *execution;
    bool ok = run(&count, &execution, &report, &proof, why);
    if (ok && *why && !count.onlooker.refuse && report.written_twice) { /* each block's own cells, too */
        execution_free(execution);
        count.meeting.wanted = true;
        ok = run(&count, &execution, &report, &proof, why);
    }
    free(count.meeting.at);
    if (!ok)
        return false;
    audit->refuted = audit->is_trial && !report.correct;
    if (*why && !audit->refuted) {
        execution_free(execution);
        return false;
    }
    races_settle(&audit->races);
    audit->execution = execution;
    audit->result.cells = report;
    audit->result.regions = proof.census.regions;
    audit->result.boxes = proof.boxes;
    audit->has_hole = proof.has_hole;
    audit->hole = proof.hole;
    return true;
}
