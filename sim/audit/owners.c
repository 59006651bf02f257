#include "owners.h"

#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"
#include "clash.h"

enum { WINDOW_CELLS = 1 << 24 }; /* at most */

struct owners {
    struct owners_task task;
    uint64_t cells;
    uint8_t *states; /* two a byte */
    uint64_t counts[CELL_STATES];
    uint64_t out_of_bounds_reads, out_of_bounds_writes, misaligned, uninitialized_reads, hazards, unordered,
        computed, updates;
    const struct site *hazard, *misalignment, *disorder; /* where each was seen first */
    struct clashes clashes;
    const struct owners_witness *witness;
    uint64_t missed;
    struct place barrier;          /* the first that was */
    const struct site *loaded[64]; /* by parameter: a site that reads it */
    uint64_t stored;               /* bit i: parameter i is written */
    bool second_pass;
    bool adds;                 /* owners_report.adds */
    uint64_t window;           /* first cell of this pass */
    uint64_t window_cells;     /* of each pass */
    uint64_t *seen;            /* a fingerprint of the first value of each cell of the window; 0: none yet */
    const struct site *misfit; /* a store that does not fit the cells */
};

struct owners *owners_new(const struct owners_task *task, struct problem *problem)
{
    uint64_t cells = task_cells(task);
    if (task->out < 0 || task->in < 0) {
        problem_say(problem, "the kernel has no pointer parameter that is %s",
                    task->out < 0 ? "written: there is no output to look at"
                                  : "read: there is no input to compare with");
        return NULL;
    }
    if (task->known >> task->in & 1) {
        problem_say(problem,
                    "what the input holds is given as numbers, and numbers cannot be followed to where "
                    "they go: leave it out, or name another input");
        return NULL;
    }
    if (cells > OWNERS_CELL_LIMIT) {
        problem_say(problem, "the matrix has more than the 2^34 cells that can be audited");
        return NULL;
    }
    struct owners *owners = memory_take(1, sizeof *owners);
    owners->task = *task;
    owners->cells = cells;
    owners->window_cells = cells < WINDOW_CELLS ? cells : WINDOW_CELLS;
    owners->states = memory_try(cells / 2 + 1, 1);
    owners->counts[CELL_MISSING] = cells;
    if (owners->states)
        return owners;
    problem_say_world(problem,
                      "there is not enough memory to audit this matrix: half a byte a cell is needed");
    free(owners);
    return NULL;
}

void owners_free(struct owners *owners)
{
    if (!owners)
        return;
    free(owners->states);
    free(owners->seen);
    free(owners);
}

void owners_hear(struct owners *owners, const struct owners_witness *witness)
{
    owners->witness = witness;
}

static enum cell_state state_of(const struct owners *owners, uint64_t cell)
{
    return (enum cell_state)(owners->states[cell / 2] >> (cell % 2 * 4) & 15);
}

static void set_state(struct owners *owners, uint64_t cell, enum cell_state old, enum cell_state state)
{
    owners->states[cell / 2] ^= (uint8_t)(((unsigned)old ^ (unsigned)state) << (cell % 2 * 4));
    owners->counts[old]--;
    owners->counts[state]++;
}

static void write_cell(struct owners *owners, uint64_t cell, bool right)
{
    enum cell_state old = state_of(owners, cell), state = cell_after(old, right);
    if (state != old)
        set_state(owners, cell, old, state);
}

static void compare_value(struct owners *owners, uint64_t cell, uint64_t value)
{
    if (cell < owners->window || cell - owners->window >= owners->window_cells ||
        state_of(owners, cell) != CELL_WRONG_TWICE)
        return;
    uint64_t *seen = &owners->seen[cell - owners->window];
    if (*seen && *seen != value)
        set_state(owners, cell, CELL_WRONG_TWICE, CELL_DISAGREE);
    *seen = value;
}

static void judge_lane(struct owners *owners, const struct access *access, unsigned lane)
{
    struct cell_write writes[CELL_WRITES];
    unsigned count = cell_writes_of(&owners->task, access, lane, writes);
    if (!count)
        owners->misfit = access->site;
    for (unsigned k = 0; k < count; k++) {
        const struct cell_write *write = &writes[k];
        if (owners->second_pass) {
            compare_value(owners, write->cell, cell_write_value(access, lane, write));
            continue;
        }
        owners->computed +=
            !write->right && data_origin(data_at(&access->data[write->first], lane)).kind == ORIGIN_COMPUTED;
        enum cell_state before = state_of(owners, write->cell);
        if (owners->witness && (!write->right || before != CELL_MISSING))
            owners->witness->write(owners->witness->self, access, lane, write, before);
        if (cell_changes(before, access))
            write_cell(owners, write->cell, write->right);
    }
}

/* Adds to a count; the first time, notes where. */
static void count_at(uint64_t *sum, uint64_t count, const struct site **where, const struct site *site)
{
    if (count && !*where)
        *where = site;
    *sum += count;
}

/* What no cell shows: orders that are not defined, faults, and buffers that are read as well as written. */
static void note_hazards(struct owners *owners, const struct access *access)
{
    const struct site *site = access->site;
    count_at(&owners->hazards, (uint64_t)__builtin_popcount(access->hazard), &owners->hazard, site);
    count_at(&owners->unordered, access->unordered, &owners->disorder, site);
    count_at(&owners->misaligned, (uint64_t)__builtin_popcount(access->misaligned), &owners->misalignment,
             site);
    if (site->kind->op == ACCESS_STORE)
        clashes_access(&owners->clashes, access);
    if (access->site->kind->space != SPACE_GLOBAL)
        return;
    if (access->site->kind->op == ACCESS_ATOMIC)
        owners->updates += (uint64_t)__builtin_popcount(access->mask);
    if (access->site->kind->writes)
        owners->stored |= UINT64_C(1) << access->buffer;
    else
        owners->loaded[access->buffer] = access->site;
}

void owners_access(void *self, const struct access *access)
{
    struct owners *owners = self;
    bool store = access->site->kind->writes;
    if (!owners->second_pass) {
        uint64_t outside = (uint64_t)__builtin_popcount(access->out_of_bounds);
        if (store)
            owners->out_of_bounds_writes += outside;
        else
            owners->out_of_bounds_reads += outside;
        note_hazards(owners, access);
        owners->uninitialized_reads +=
            (uint64_t)__builtin_popcount(access->uninitialized & ~access->out_of_bounds);
    }
    if (!task_is_output(&owners->task, access))
        return;
    for (uint32_t lanes = access->mask & ~access->out_of_bounds; lanes; lanes &= lanes - 1)
        judge_lane(owners, access, (unsigned)__builtin_ctz(lanes));
}

void owners_barrier(void *self, const struct barrier *barrier)
{
    struct owners *owners = self;
    if (owners->second_pass || !barrier->missed)
        return;
    if (!owners->missed)
        owners->barrier = barrier->place;
    owners->missed += barrier->missed;
}

/* Undecided cells of the window that kept one value. */
static void settle_window(struct owners *owners)
{
    for (uint64_t i = 0; i < owners->window_cells && owners->window + i < owners->cells; i++)
        if (state_of(owners, owners->window + i) == CELL_WRONG_TWICE)
            set_state(owners, owners->window + i, CELL_WRONG_TWICE, CELL_WRONG_SAME);
}

bool owners_next_pass(struct owners *owners)
{
    if (owners->second_pass)
        settle_window(owners);
    if (owners->misfit || !owners->counts[CELL_WRONG_TWICE])
        return false;
    if (!owners->second_pass)
        owners->seen = memory_take((size_t)owners->window_cells, sizeof *owners->seen);
    owners->second_pass = true;
    memset(owners->seen, 0, (size_t)owners->window_cells * sizeof *owners->seen);
    while (state_of(owners, owners->window) != CELL_WRONG_TWICE)
        owners->window++;
    return true;
}

static struct place place_of(const struct site *site)
{
    return site ? site->place : (struct place){0};
}

/* Does the cell now hold the element that belongs there, or (`adds`) that and what it held before? */
static bool holds_what_is_due(const struct owners *owners, const struct execution *execution, uint64_t cell,
                              bool adds)
{
    const struct owners_task *task = &owners->task;
    int64_t offset = (int64_t)(cell * task->elem_bytes), summands[2];
    int64_t due = data_token((unsigned)task->in, task_expected(task, cell));
    int64_t own = data_token((unsigned)task->out, offset);
    int64_t token = execution_token(execution, (unsigned)task->out, offset, task->elem_bytes);
    if (!adds)
        return token == due;
    return execution_summands(execution, token, summands) && summands[0] == (due < own ? due : own) &&
           summands[1] == (due < own ? own : due);
}

void owners_settle_in_place(struct owners *owners, const struct execution *execution)
{
    const struct owners_task *task = &owners->task;
    uint64_t moved = 0, added = 0;
    for (uint64_t cell = 0; cell < owners->cells; cell++) {
        moved += holds_what_is_due(owners, execution, cell, false);
        added += holds_what_is_due(owners, execution, cell, true);
    }
    owners->adds = task->in != task->out && added > moved;
    for (uint64_t cell = 0; cell < owners->cells; cell++) {
        bool right = holds_what_is_due(owners, execution, cell, owners->adds);
        enum cell_state old = state_of(owners, cell);
        enum cell_state now = right ? CELL_RIGHT : old == CELL_MISSING ? CELL_MISSING : CELL_WRONG;
        if (now != old)
            set_state(owners, cell, old, now);
    }
}

void owners_glance(const struct owners *owners, struct owners_report *report)
{
    const uint64_t *n = owners->counts;
    *report = (struct owners_report){.cells = owners->cells,
                                     .adds = owners->adds,
                                     .missing = n[CELL_MISSING],
                                     .wrong = n[CELL_WRONG] + n[CELL_WRONG_SAME] + n[CELL_WRONG_TWICE],
                                     .written_twice = n[CELL_RIGHT_TWICE] + n[CELL_DISAGREE] +
                                                      n[CELL_WRONG_SAME] + n[CELL_WRONG_TWICE],
                                     .disagreeing = n[CELL_DISAGREE],
                                     .out_of_bounds_reads = owners->out_of_bounds_reads,
                                     .out_of_bounds_writes = owners->out_of_bounds_writes,
                                     .uninitialized_tile_reads = owners->uninitialized_reads,
                                     .misaligned = owners->misaligned,
                                     .hazards = owners->hazards,
                                     .clashing = owners->clashes.different,
                                     .meeting = owners->clashes.equal,
                                     .unordered = owners->unordered,
                                     .missed = owners->missed,
                                     .barrier = owners->barrier,
                                     .computed = owners->computed,
                                     .updates = owners->updates};
    report->hazard = place_of(owners->hazard);
    report->clash = place_of(owners->clashes.site);
    report->misalignment = place_of(owners->misalignment);
    report->disorder = place_of(owners->disorder);
    report->correct = !report->missing && !report->wrong && !report->disagreeing &&
                      !report->out_of_bounds_reads && !report->out_of_bounds_writes && !report->misaligned &&
                      !report->hazards && !report->clashing;
}

bool owners_first_hole(const struct owners *owners, struct owners_hole *hole)
{
    uint64_t cols = task_out_cols(&owners->task), rows = task_out_rows(&owners->task), cell = 0;
    if (!owners->counts[CELL_MISSING])
        return false;
    while (state_of(owners, cell) != CELL_MISSING)
        cell++;
    *hole = (struct owners_hole){.row = cell / cols, .col = cell % cols};
    for (uint64_t row = 1; row + 1 < rows && !hole->inside; row++)
        for (uint64_t col = 1; col + 1 < cols && !hole->inside; col++)
            hole->inside = state_of(owners, row * cols + col) == CELL_MISSING;
    for (uint64_t col = 0; col < cols; col++)
        hole->in_row += state_of(owners, hole->row * cols + col) == CELL_MISSING;
    for (uint64_t row = 0; row < rows; row++)
        hole->in_col += state_of(owners, row * cols + hole->col) == CELL_MISSING;
    return true;
}

bool owners_report(const struct owners *owners, struct owners_report *report, struct problem *problem)
{
    if (owners->misfit) {
        problem_offer(problem, PROBLEM_CURE_ELEMENT);
        return problem_at(problem, owners->misfit->place.source, owners->misfit->place.begin,
                          "this store of %u bytes a lane does not fit the output's cells of %u bytes",
                          owners->misfit->lane_bytes, owners->task.elem_bytes);
    }
    for (unsigned i = 0; i < 64; i++)
        if (owners->loaded[i] && (owners->stored & ~(owners->task.known | owners->task.followed)) >> i & 1)
            return problem_at(problem, owners->loaded[i]->place.source, owners->loaded[i]->place.begin,
                              "the kernel also writes the buffer that it reads here: only what stood there "
                              "before it ran is known, so its result cannot be judged");
    owners_glance(owners, report);
    return true;
}
