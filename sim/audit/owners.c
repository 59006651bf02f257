#include "owners.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"
#include "../../base/pages.h"
#include "clash.h"

enum { WINDOW_CELLS = 1 << 24 }; /* at most */

/* Where something was seen first. */
struct first {
    const struct site *site; /* NULL: nowhere */
    uint32_t block[3];
};

struct owners {
    struct owners_task task;
    uint64_t cells;
    _Atomic uint8_t *states;      /* two cells a byte; the parts' are the whole's */
    bool is_part, shared;         /* shared: other threads write cells too */
    uint64_t counts[CELL_STATES]; /* of a part: by how much it changed them, modulo 2^64 */
    uint64_t out_of_bounds_reads, out_of_bounds_writes, misaligned, uninitialized_reads, hazards, unordered,
        computed, updates;
    struct first hazard, misalignment, disorder;
    struct clashes clashes;
    const struct owners_witness *witness;
    uint64_t missed;
    struct place barrier; /* the first that was, and its block */
    uint32_t barrier_block[3];
    const struct site *loaded[64]; /* by parameter: the first site of the text that reads it */
    uint64_t stored;               /* bit i: parameter i is written */
    bool second_pass;
    bool adds;                 /* owners_report.adds */
    uint64_t window;           /* first cell of this pass */
    uint64_t window_cells;     /* of each pass */
    _Atomic uint64_t *seen;    /* a fingerprint of a value of each cell of the window; 0: none yet */
    const struct site *misfit; /* the first store of the text that does not fit the cells */
};

bool owners_check(const struct owners_task *task, struct problem *problem)
{
    if (task->out < 0 || task->in < 0)
        return problem_say(problem, "the kernel has no pointer parameter that is %s",
                           task->out < 0 ? "written: there is no output to look at"
                                         : "read: there is no input to compare with");
    if (task->known >> task->in & 1)
        return problem_say(
            problem, "what the input holds is given as numbers, and numbers cannot be followed to where "
                     "they go: leave it out, or name another input");
    return true;
}

struct owners *owners_new(const struct owners_task *task, struct problem *problem)
{
    uint64_t cells = task_cells(task);
    if (!owners_check(task, problem))
        return NULL;
    if (cells > OWNERS_CELL_LIMIT) {
        problem_say(problem, "the matrix has more than the 2^34 cells that can be audited");
        return NULL;
    }
    struct owners *owners = memory_take(1, sizeof *owners);
    owners->task = *task;
    owners->cells = cells;
    owners->window_cells = cells < WINDOW_CELLS ? cells : WINDOW_CELLS;
    owners->states = pages_take(cells / 2 + 1);
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
    if (!owners->is_part) {
        pages_give((void *)owners->states, owners->cells / 2 + 1);
        free((void *)owners->seen);
    }
    free(owners);
}

void owners_hear(struct owners *owners, const struct owners_witness *witness)
{
    owners->witness = witness;
}

void owners_share(struct owners *owners)
{
    owners->shared = true;
}

struct owners *owners_part(const struct owners *whole)
{
    struct owners *part = memory_take(1, sizeof *part);
    part->task = whole->task;
    part->cells = whole->cells;
    part->states = whole->states;
    part->seen = whole->seen;
    part->window = whole->window;
    part->window_cells = whole->window_cells;
    part->second_pass = whole->second_pass;
    part->is_part = part->shared = true;
    return part;
}

bool owners_in_any_order(const struct program *program)
{
    for (unsigned i = 0; i < program->site_count; i++)
        if (program->sites[i].kind->id == GLOBAL_ATOMIC)
            return false;
    return true;
}

static enum cell_state state_in(uint8_t byte, uint64_t cell)
{
    return (enum cell_state)(byte >> (cell % 2 * 4) & 15);
}

static enum cell_state state_of(const struct owners *owners, uint64_t cell)
{
    return state_in(atomic_load_explicit(&owners->states[cell / 2], memory_order_relaxed), cell);
}

/* The cell from one state to another, unless another thread changed its byte meanwhile: *byte is then what
 * stands there now. */
static bool set_state(struct owners *owners, uint64_t cell, uint8_t *byte, enum cell_state state)
{
    enum cell_state old = state_in(*byte, cell);
    uint8_t next = (uint8_t)(*byte ^ ((unsigned)old ^ (unsigned)state) << (cell % 2 * 4));
    if (!owners->shared)
        atomic_store_explicit(&owners->states[cell / 2], next, memory_order_relaxed);
    else if (!atomic_compare_exchange_weak_explicit(&owners->states[cell / 2], byte, next,
                                                    memory_order_relaxed, memory_order_relaxed))
        return false;
    owners->counts[old]--;
    owners->counts[state]++;
    return true;
}

/* What a cell's state becomes does not depend on the order of its writes (cell_after()). */
static void write_cell(struct owners *owners, uint64_t cell, bool right, const struct access *access)
{
    uint8_t byte = atomic_load_explicit(&owners->states[cell / 2], memory_order_relaxed);
    for (;;) {
        enum cell_state old = state_in(byte, cell), state = cell_after(old, right);
        if (!cell_changes(old, access) || state == old || set_state(owners, cell, &byte, state))
            return;
    }
}

/* From CELL_WRONG_TWICE, unless it has left that meanwhile. */
static void settle(struct owners *owners, uint64_t cell, enum cell_state state)
{
    uint8_t byte = atomic_load_explicit(&owners->states[cell / 2], memory_order_relaxed);
    while (state_in(byte, cell) == CELL_WRONG_TWICE && !set_state(owners, cell, &byte, state))
        ;
}

static void compare_value(struct owners *owners, uint64_t cell, uint64_t value)
{
    if (cell < owners->window || cell - owners->window >= owners->window_cells ||
        state_of(owners, cell) != CELL_WRONG_TWICE)
        return;
    uint64_t seen = 0; /* the first value stays: any other differs from it */
    if (!atomic_compare_exchange_strong_explicit(&owners->seen[cell - owners->window], &seen, value,
                                                 memory_order_relaxed, memory_order_relaxed) &&
        seen != value)
        settle(owners, cell, CELL_DISAGREE);
}

/* Of two sites the one that comes first in the text: which is seen first may be a matter of threads. */
static void note_site(const struct site **at, const struct site *site)
{
    if (site && (!*at || site->id < (*at)->id))
        *at = site;
}

static void judge_lane(struct owners *owners, const struct access *access, unsigned lane)
{
    struct cell_write writes[CELL_WRITES];
    unsigned count = cell_writes_of(&owners->task, access, lane, writes);
    if (!count)
        note_site(&owners->misfit, access->site);
    for (unsigned k = 0; k < count; k++) {
        const struct cell_write *write = &writes[k];
        if (owners->second_pass) {
            compare_value(owners, write->cell, cell_write_value(access, lane, write));
            continue;
        }
        owners->computed +=
            !write->right && data_origin(data_at(&access->data[write->first], lane)).kind == ORIGIN_COMPUTED;
        if (owners->witness) {
            enum cell_state before = state_of(owners, write->cell);
            if (!write->right || before != CELL_MISSING)
                owners->witness->write(owners->witness->self, access, lane, write, before);
        }
        write_cell(owners, write->cell, write->right, access);
    }
}

/* Adds to a count; the first time, notes where. */
static void count_at(uint64_t *sum, uint64_t count, struct first *first, const struct access *access)
{
    if (count && !first->site) {
        first->site = access->site;
        memcpy(first->block, access->block, sizeof first->block);
    }
    *sum += count;
}

/* What no cell shows: orders that are not defined, faults, and buffers that are read as well as written. */
static void note_hazards(struct owners *owners, const struct access *access)
{
    const struct site *site = access->site;
    count_at(&owners->hazards, (uint64_t)__builtin_popcount(access->hazard), &owners->hazard, access);
    count_at(&owners->unordered, access->unordered, &owners->disorder, access);
    count_at(&owners->misaligned, (uint64_t)__builtin_popcount(access->misaligned), &owners->misalignment,
             access);
    if (site->kind->op == ACCESS_STORE)
        clashes_access(&owners->clashes, access);
    if (access->site->kind->space != SPACE_GLOBAL)
        return;
    if (access->site->kind->op == ACCESS_ATOMIC)
        owners->updates += (uint64_t)__builtin_popcount(access->mask);
    if (access->site->kind->writes)
        owners->stored |= UINT64_C(1) << access->buffer;
    else
        note_site(&owners->loaded[access->buffer], access->site);
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

static void add_missed(struct owners *owners, uint64_t missed, const struct place *barrier,
                       const uint32_t block[3])
{
    if (missed && (!owners->missed || launch_block_before(block, owners->barrier_block))) {
        owners->barrier = *barrier;
        memcpy(owners->barrier_block, block, sizeof owners->barrier_block);
    }
    owners->missed += missed;
}

void owners_barrier(void *self, const struct barrier *barrier)
{
    struct owners *owners = self;
    if (!owners->second_pass)
        add_missed(owners, barrier->missed, &barrier->place, barrier->block);
}

static void merge_first(struct first *to, const struct first *from)
{
    if (from->site && (!to->site || launch_block_before(from->block, to->block)))
        *to = *from;
}

void owners_merge(struct owners *owners, struct owners *part)
{
    for (int i = 0; i < CELL_STATES; i++)
        owners->counts[i] += part->counts[i];
    owners->out_of_bounds_reads += part->out_of_bounds_reads;
    owners->out_of_bounds_writes += part->out_of_bounds_writes;
    owners->misaligned += part->misaligned;
    owners->uninitialized_reads += part->uninitialized_reads;
    owners->hazards += part->hazards;
    owners->unordered += part->unordered;
    owners->computed += part->computed;
    owners->updates += part->updates;
    owners->stored |= part->stored;
    merge_first(&owners->hazard, &part->hazard);
    merge_first(&owners->misalignment, &part->misalignment);
    merge_first(&owners->disorder, &part->disorder);
    clashes_add(&owners->clashes, &part->clashes);
    add_missed(owners, part->missed, &part->barrier, part->barrier_block);
    note_site(&owners->misfit, part->misfit);
    for (unsigned i = 0; i < 64; i++)
        note_site(&owners->loaded[i], part->loaded[i]);
    owners_free(part);
}

/* Undecided cells of the window that kept one value. */
static void settle_window(struct owners *owners)
{
    for (uint64_t i = 0; i < owners->window_cells && owners->window + i < owners->cells; i++)
        settle(owners, owners->window + i, CELL_WRONG_SAME);
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
    memset((void *)owners->seen, 0, (size_t)owners->window_cells * sizeof *owners->seen);
    while (state_of(owners, owners->window) != CELL_WRONG_TWICE)
        owners->window++;
    return true;
}

static struct place place_of(const struct site *site)
{
    return site ? site->place : (struct place){0};
}

bool owners_misfit(const struct owners_task *task, const struct site *site, struct problem *problem)
{
    problem_offer(problem, PROBLEM_CURE_ELEMENT);
    return problem_at(problem, site->place.source, site->place.begin,
                      "this store of %u bytes a lane does not fit the output's cells of %u bytes",
                      site->lane_bytes, task->elem_bytes);
}

bool owners_both_ways(const struct site *site, struct problem *problem)
{
    return problem_at(problem, site->place.source, site->place.begin,
                      "the kernel also writes the buffer that it reads here: only what stood there "
                      "before it ran is known, so its result cannot be judged");
}

void owners_judge(struct owners_report *report)
{
    report->correct = !report->missing && !report->wrong && !report->disagreeing &&
                      !report->out_of_bounds_reads && !report->out_of_bounds_writes && !report->misaligned &&
                      !report->hazards && !report->clashing;
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
        uint8_t byte = atomic_load_explicit(&owners->states[cell / 2], memory_order_relaxed);
        enum cell_state old = state_in(byte, cell);
        enum cell_state now = right ? CELL_RIGHT : old == CELL_MISSING ? CELL_MISSING : CELL_WRONG;
        if (now != old)
            (void)set_state(owners, cell, &byte, now);
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
                                     .undecided = n[CELL_WRONG_TWICE],
                                     .computed = owners->computed,
                                     .updates = owners->updates};
    report->hazard = place_of(owners->hazard.site);
    report->clash = place_of(owners->clashes.site);
    report->misalignment = place_of(owners->misalignment.site);
    report->disorder = place_of(owners->disorder.site);
    owners_judge(report);
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
    if (owners->misfit)
        return owners_misfit(&owners->task, owners->misfit, problem);
    for (unsigned i = 0; i < 64; i++)
        if (owners->loaded[i] && (owners->stored & ~(owners->task.known | owners->task.followed)) >> i & 1)
            return owners_both_ways(owners->loaded[i], problem);
    owners_glance(owners, report);
    return true;
}
