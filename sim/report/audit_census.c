/* audit_census.c - an audit by census: the consumers see one block of each region, which counts for all. */
#include "../census/proof.h"
#include "audit_parts.h"

/* So many cells are run block by block where some are wrong: that shows what of the input was not read. */
#define CELLS_TO_LOOK_AT (UINT64_C(1) << 24)

struct count {
    struct audit *audit;
    struct proof_onlooker onlooker;
    struct problem problem;
};

static void begin(void *self)
{
    struct count *count = self;
    if (!audit_begin_passes(count->audit, &count->problem))
        count->onlooker.refuse = true;
}

static void take_region(void *self, const struct region *region)
{
    struct audit *audit = ((struct count *)self)->audit;
    audit->gather.weight = audit->races.weight = region_blocks(region);
}

/* Writes that are wrong. Parts of one may be right in some blocks of the region and not in others: not here.
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
            if (writes[i].right)
                continue;
            witness->write(witness->self, access, lane, &writes[i], CELL_MISSING);
            count->onlooker.refuse = count->onlooker.refuse || writes[i].parts > 1;
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
static const char *why_not(const struct audit *audit, const struct owners_report *report,
                           const struct proof *proof)
{
    bool is_small = task_cells(&audit->task) <= CELLS_TO_LOOK_AT && audit->options.way != AUDIT_BY_CENSUS;
    if (report->written_twice || report->disagreeing)
        return "cells are written more than once";
    if (report->missing && !proof->has_hole)
        return "the cells that nobody writes lie in no simple shape";
    if (report->wrong && (is_small || !input_fits(audit)))
        return "what wrong cells got is told block by block";
    return NULL;
}

bool audit_by_census(struct audit *audit, const char **why)
{
    struct count count = {.audit = audit};
    struct owners_report report;
    struct proof proof;
    struct problem problem = {0};
    struct execution *execution;
    count.onlooker =
        (struct proof_onlooker){&count, begin, take_region, take_access, take_barrier, found, false};
    *why = "too many blocks differ";
    if (!proof_run(&execution, audit->scenario->program, &audit->launch, &audit->task, &count.onlooker,
                   &report, &proof, &problem)) {
        *why = proof.why ? proof.why : *why;
        return false;
    }
    audit->refuted = audit->is_trial && !report.correct;
    *why = count.onlooker.refuse ? "writes or tiles differ from block to block"
                                 : why_not(audit, &report, &proof);
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
