#include "owners.h"

#include <stdlib.h>
#include <string.h>

#include "../arena.h"

enum { WINDOW_CELLS = 1 << 24 };

/* What is known of a cell. */
enum cell_state {
    CELL_MISSING,
    CELL_RIGHT,
    CELL_WRONG,
    CELL_RIGHT_TWICE,
    CELL_DISAGREE,
    CELL_WRONG_TWICE, /* whether its writers agree is not known yet */
    CELL_WRONG_SAME,  /* they do */
    CELL_STATES
};

struct owners {
    struct owners_task task;
    uint64_t cells;
    uint8_t *states; /* two a byte */
    uint64_t counts[CELL_STATES];
    uint64_t out_of_bounds_reads, out_of_bounds_writes, unset_reads, racing, computed;
    const struct site *race;
    const struct site *loaded[64]; /* by parameter: a site that reads it */
    uint64_t stored;               /* bit i: parameter i is written */
    bool second_pass;
    uint64_t window;           /* first cell of this pass */
    uint64_t *seen;            /* a fingerprint of the first value of each cell of the window; 0: none yet */
    const struct site *misfit; /* a store that does not fit the cells */
};

int64_t owners_expected(const struct owners_task *task, uint64_t cell)
{
    uint64_t source = task->is_copy ? cell : cell % task->rows * task->cols + cell / task->rows;
    return (int64_t)(source * task->elem_bytes);
}

struct owners *owners_new(const struct owners_task *task, struct problem *problem)
{
    uint64_t cells = (uint64_t)task->rows * task->cols;
    if (task->out < 0 || task->in < 0) {
        problem_say(problem, "the kernel has no pointer parameter that is %s",
                    task->out < 0 ? "written: there is no output to look at"
                                  : "read: there is no input to compare with");
        return NULL;
    }
    if (cells > OWNERS_CELL_LIMIT) {
        problem_say(problem, "the matrix has more than the 2^34 cells that can be audited");
        return NULL;
    }
    struct owners *owners = memory_take(1, sizeof *owners);
    owners->task = *task;
    owners->cells = cells;
    owners->states = calloc(cells / 2 + 1, 1);
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
    static const enum cell_state next[][2] = {
        /* after:              a wrong write     a right one */
        [CELL_MISSING] = {CELL_WRONG, CELL_RIGHT},
        [CELL_RIGHT] = {CELL_DISAGREE, CELL_RIGHT_TWICE},
        [CELL_WRONG] = {CELL_WRONG_TWICE, CELL_DISAGREE},
        [CELL_RIGHT_TWICE] = {CELL_DISAGREE, CELL_RIGHT_TWICE},
        [CELL_DISAGREE] = {CELL_DISAGREE, CELL_DISAGREE},
        [CELL_WRONG_TWICE] = {CELL_WRONG_TWICE, CELL_DISAGREE},
        [CELL_WRONG_SAME] = {CELL_WRONG_SAME, CELL_WRONG_SAME},
    };
    enum cell_state old = state_of(owners, cell), state = next[old][right];
    if (state != old)
        set_state(owners, cell, old, state);
}

/* One number for the value that lane's components [first, first + count) bring: never 0. */
static uint64_t fingerprint(const struct access *access, unsigned lane, unsigned first, unsigned count)
{
    uint64_t hash = 1469598103934665603u;
    for (unsigned c = first; c < first + count; c++)
        hash = (hash ^ (uint64_t)data_at(&access->data[c], lane)) * 1099511628211u;
    return hash | 1;
}

static void compare_value(struct owners *owners, uint64_t cell, uint64_t value)
{
    if (cell < owners->window || cell - owners->window >= WINDOW_CELLS ||
        state_of(owners, cell) != CELL_WRONG_TWICE)
        return;
    uint64_t *seen = &owners->seen[cell - owners->window];
    if (*seen && *seen != value)
        set_state(owners, cell, CELL_WRONG_TWICE, CELL_DISAGREE);
    *seen = value;
}

static void judge_lane(struct owners *owners, const struct access *access, unsigned lane, unsigned cells,
                       unsigned parts)
{
    const struct owners_task *task = &owners->task;
    uint64_t offset = (uint64_t)access_offset(access, lane);
    unsigned part_bytes = access->site->lane_bytes / access->site->components;
    if (offset % task->elem_bytes) {
        owners->misfit = access->site;
        return;
    }
    for (unsigned k = 0; k < cells; k++) {
        uint64_t cell = offset / task->elem_bytes + k;
        if (owners->second_pass) {
            compare_value(owners, cell, fingerprint(access, lane, k * parts, parts));
            continue;
        }
        int64_t expected = data_token((unsigned)task->in, owners_expected(task, cell));
        bool right = true;
        for (unsigned c = 0; c < parts; c++) {
            const struct data *data = &access->data[k * parts + c];
            right = right && data_at(data, lane) == expected + (int64_t)(c * part_bytes);
        }
        owners->computed +=
            !right && data_origin(data_at(&access->data[k * parts], lane)).kind == ORIGIN_COMPUTED;
        write_cell(owners, cell, right);
    }
}

static void judge_store(struct owners *owners, const struct access *access)
{
    const struct site *site = access->site;
    unsigned cells = site->lane_bytes / owners->task.elem_bytes;
    if (!cells || site->components % cells) {
        owners->misfit = site;
        return;
    }
    for (uint32_t lanes = access->mask & ~access->out_of_bounds; lanes; lanes &= lanes - 1)
        judge_lane(owners, access, (unsigned)__builtin_ctz(lanes), cells, site->components / cells);
}

/* Races in shared memory, and buffers that are read as well as written. */
static void note_hazards(struct owners *owners, const struct access *access)
{
    if (access->racing) {
        owners->racing += (uint64_t)__builtin_popcount(access->racing);
        if (!owners->race)
            owners->race = access->site;
    }
    if (access->site->space != SPACE_GLOBAL)
        return;
    if (access->site->op == ACCESS_STORE)
        owners->stored |= UINT64_C(1) << access->buffer;
    else
        owners->loaded[access->buffer] = access->site;
}

void owners_access(void *self, const struct access *access)
{
    struct owners *owners = self;
    bool store = access->site->op == ACCESS_STORE;
    if (!owners->second_pass) {
        uint64_t outside = (uint64_t)__builtin_popcount(access->out_of_bounds);
        if (store)
            owners->out_of_bounds_writes += outside;
        else
            owners->out_of_bounds_reads += outside;
        note_hazards(owners, access);
        owners->unset_reads += (uint64_t)__builtin_popcount(access->unset & ~access->out_of_bounds);
    }
    if (store && access->site->space == SPACE_GLOBAL && access->buffer == owners->task.out)
        judge_store(owners, access);
}

/* Undecided cells of the window that kept one value. */
static void settle_window(struct owners *owners)
{
    for (uint64_t i = 0; i < WINDOW_CELLS && owners->window + i < owners->cells; i++)
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
        owners->seen = memory_take(WINDOW_CELLS, sizeof *owners->seen);
    owners->second_pass = true;
    memset(owners->seen, 0, WINDOW_CELLS * sizeof *owners->seen);
    while (state_of(owners, owners->window) != CELL_WRONG_TWICE)
        owners->window++;
    return true;
}

bool owners_report(const struct owners *owners, struct owners_report *report, struct problem *problem)
{
    const uint64_t *n = owners->counts;
    if (owners->misfit)
        return problem_at(
            problem, owners->misfit->place.source, owners->misfit->place.begin,
            "this store of %u bytes a lane does not fit the output's cells of %u bytes; say their width "
            "with --elem",
            owners->misfit->lane_bytes, owners->task.elem_bytes);
    for (unsigned i = 0; i < 64; i++)
        if (owners->loaded[i] && (owners->stored >> i & 1))
            return problem_at(problem, owners->loaded[i]->place.source, owners->loaded[i]->place.begin,
                              "the kernel also writes the buffer that it reads here: only what stood there "
                              "before it ran is known, so its result cannot be judged");
    *report =
        (struct owners_report){.cells = owners->cells,
                               .missing = n[CELL_MISSING],
                               .wrong = n[CELL_WRONG] + n[CELL_WRONG_SAME],
                               .written_twice = n[CELL_RIGHT_TWICE] + n[CELL_DISAGREE] + n[CELL_WRONG_SAME],
                               .disagreeing = n[CELL_DISAGREE],
                               .out_of_bounds_reads = owners->out_of_bounds_reads,
                               .out_of_bounds_writes = owners->out_of_bounds_writes,
                               .unset_tile_reads = owners->unset_reads,
                               .racing = owners->racing,
                               .computed = owners->computed};
    if (owners->race)
        report->race = owners->race->place;
    report->correct = !report->missing && !report->wrong && !report->disagreeing &&
                      !report->out_of_bounds_reads && !report->out_of_bounds_writes;
    return true;
}
