/* proof_support.h - an audit by census against the audit cell by cell. */
#ifndef LANESCOPE_TESTS_PROOF_SUPPORT_H
#define LANESCOPE_TESTS_PROOF_SUPPORT_H

#include "../sim/audit/ownermap.h"
#include "../sim/census/proof.h"
#include "census_support.h"

static void proof_barrier(void *self, const struct barrier *barrier)
{
    owners_barrier(self, barrier);
}

static bool audit_by_cells(struct execution *execution, const struct launch *launch,
                           const struct owners_task *task, struct owners_report *report,
                           struct problem *problem)
{
    struct owners *owners = owners_new(task, problem);
    struct sink sink = {.self = owners, .access = owners_access, .barrier = proof_barrier};
    bool ok = owners && execution_run_blocks(execution, 0, launch_blocks(launch), &sink, problem);
    while (ok && owners_next_pass(owners)) {
        struct problem again = {0};
        struct sink second = {.self = owners, .access = owners_access};
        ok = execution_run_blocks(execution, 0, launch_blocks(launch), &second, &again);
    }
    ok = ok && owners_report(owners, report, problem);
    owners_free(owners);
    return ok;
}

static const char *compare_reports(const struct owners_report *a, const struct owners_report *b)
{
    const struct {
        const char *name;
        uint64_t found, right;
    } rows[] = {{"cells", a->cells, b->cells},
                {"missing", a->missing, b->missing},
                {"wrong", a->wrong, b->wrong},
                {"written twice", a->written_twice, b->written_twice},
                {"disagreeing", a->disagreeing, b->disagreeing},
                {"reads out of bounds", a->out_of_bounds_reads, b->out_of_bounds_reads},
                {"writes out of bounds", a->out_of_bounds_writes, b->out_of_bounds_writes},
                {"unset tile reads", a->uninitialized_tile_reads, b->uninitialized_tile_reads},
                {"misaligned", a->misaligned, b->misaligned},
                {"hazards", a->hazards, b->hazards},
                {"clashing", a->clashing, b->clashing},
                {"meeting", a->meeting, b->meeting},
                {"unordered", a->unordered, b->unordered},
                {"missed", a->missed, b->missed},
                {"updates", a->updates, b->updates},
                {"computed", a->computed, b->computed},
                {"correct", a->correct, b->correct}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].found != rows[i].right)
            return CENSUS_DIFFERS("%s: %" PRIu64 ", right is %" PRIu64, rows[i].name, rows[i].found,
                                  rows[i].right);
    const struct place *const places[][2] = {{&a->hazard, &b->hazard},
                                             {&a->clash, &b->clash},
                                             {&a->misalignment, &b->misalignment},
                                             {&a->disorder, &b->disorder},
                                             {&a->barrier, &b->barrier}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (!same_place(places[i][0], places[i][1]))
            return CENSUS_DIFFERS("place %zu: byte %u, right is %u", i, places[i][0]->begin,
                                  places[i][1]->begin);
    return NULL;
}

/* Is the cell as the example says, and brings its writer that? */
struct example_look {
    const struct proof_example *example;
    const struct owners_task *task;
    bool found;
};

static void look_for_example(void *self, const struct access *access)
{
    struct example_look *look = self;
    const struct proof_example *e = look->example;
    struct cell_write writes[CELL_WRITES];
    if (!task_is_output(look->task, access) || access->warp != e->warp || access->site != e->site ||
        memcmp(access->block, e->block, sizeof e->block) != 0 ||
        !((access->mask & ~access->out_of_bounds) >> e->lane & 1))
        return;
    unsigned count = cell_writes_of(look->task, access, e->lane, writes);
    for (unsigned i = 0; i < count; i++)
        if (writes[i].cell == e->row * task_out_cols(look->task) + e->col &&
            data_at(&access->data[writes[i].first], e->lane) == e->token)
            look->found = true;
}

static const char *check_example(const struct program *program, const struct launch *launch,
                                 const struct owners_task *task, const struct proof_example *example)
{
    struct problem problem = {0};
    struct execution *execution = execution_new(program, launch, true, &problem);
    struct window window = {example->row, example->col, 1, 1};
    struct ownermap map;
    struct example_look look = {example, task, example->state == CELL_MISSING};
    ownermap_init(&map, task, &window);
    struct sink sink = {.self = &map, .access = ownermap_access};
    bool ok = execution_run_blocks(execution, 0, launch_blocks(launch), &sink, &problem);
    sink = (struct sink){.self = &look, .access = look_for_example};
    ok = ok && execution_run_blocks(execution, 0, launch_blocks(launch), &sink, &problem);
    const char *differs = NULL;
    if (!ok || map.cells[0].state != example->state || !look.found)
        differs = CENSUS_DIFFERS("example cell %" PRIu64 ",%" PRIu64 " is said to be %d, right is %d%s",
                                 example->row, example->col, (int)example->state, (int)map.cells[0].state,
                                 look.found ? "" : "; its writer does not write it");
    ownermap_free(&map);
    execution_free(execution);
    return differs;
}

static inline const char *proof_agrees(const struct program *program, const struct launch *launch,
                                       const struct owners_task *task, struct proof *proof)
{
    struct problem by_proof = {0}, by_cells = {0};
    struct owners_report a = {0}, b = {0};
    struct execution *execution = NULL, *other = NULL;
    const char *differs = NULL;
    bool ok = proof_run(&execution, program, launch, task, NULL, &a, proof, &by_proof);
    if (!proof->given_up) {
        other = execution_new(program, launch, true, &by_cells);
        bool right = other && audit_by_cells(other, launch, task, &b, &by_cells);
        if (ok != right || (!ok && strcmp(by_proof.message, by_cells.message) != 0) ||
            (!ok && (by_proof.line != by_cells.line || by_proof.column != by_cells.column)))
            differs = CENSUS_DIFFERS("problem '%s', right is '%s'", by_proof.message, by_cells.message);
        else if (ok)
            differs = compare_reports(&a, &b);
        bool wrong = ok && (b.missing || b.wrong || b.disagreeing);
        if (!differs && wrong && !proof->has_example)
            differs = CENSUS_DIFFERS("no example");
        if (!differs && ok && proof->has_example)
            differs = check_example(program, launch, task, &proof->example);
    }
    execution_free(execution);
    execution_free(other);
    return differs;
}

#endif
