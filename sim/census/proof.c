/* proof.c - an audit by census. */
#include "proof.h"

#include <string.h>

#include "../audit/clash.h"
#include "hole.h"
#include "writes.h"

/* A finding that says where it was seen first. */
struct seen {
    uint64_t count;
    const struct site *site;
    struct region at;
};

struct proving {
    const struct owners_task *task;
    struct proof *proof;
    struct proof_onlooker *onlooker;
    struct writes writes;
    struct region region;
    struct seen hazard, disorder, misalignment, clash;
    uint64_t meeting, missed, out_of_bounds_reads, out_of_bounds_writes, uninitialized, computed, updates;
    struct place barrier;
    struct region first_missed;
    struct clashes clashes; /* of the running access */
    struct {
        const struct site *site;
        uint32_t last[AXES]; /* the last block that has it */
    } misfit, loaded[64];
    uint64_t stored;
    bool stop, too_many;
};

static void add(struct proving *p, uint64_t *sum, uint64_t count)
{
    uint64_t product;
    if (__builtin_mul_overflow(count, region_blocks(&p->region), &product) ||
        __builtin_add_overflow(*sum, product, sum))
        p->stop = p->too_many = true;
}

static void see(struct proving *p, struct seen *seen, uint64_t count, const struct site *site)
{
    if (!count)
        return;
    if (!seen->count || region_is_before(&p->region, &seen->at)) {
        seen->site = site;
        seen->at = p->region;
    }
    add(p, &seen->count, count);
}

/* The site that comes last in the launch so far. */
static void see_last(const struct region *region, const struct site *site, const struct site **last_site,
                     uint32_t last[AXES])
{
    uint32_t end[AXES];
    int order = 0;
    region_last(region, end);
    for (int k = 0; k < AXES; k++)
        order = end[k] == last[k] ? order : end[k] > last[k] ? 1 : -1; /* the slowest axis decides */
    if (*last_site && order < 0)
        return;
    *last_site = site;
    memcpy(last, end, sizeof end);
}

/* Do lanes that move share bytes with lanes whose data is still? Their values are then equal here and there
 * only. */
static bool mixes_values(const struct access *access)
{
    unsigned bytes = access->site->lane_bytes;
    uint32_t still = 0;
    for (unsigned c = 0; c < access->site->components; c++)
        if (region_moves(access->motion->region, &access->motion->data[c]))
            still |= access->motion->still[c];
    still &= access->mask;
    for (uint32_t lanes = still; lanes; lanes &= lanes - 1)
        for (uint32_t others = access->mask & ~still; others; others &= others - 1) {
            int64_t apart = access->delta[__builtin_ctz(lanes)] - access->delta[__builtin_ctz(others)];
            if (apart < (int64_t)bytes && -apart < (int64_t)bytes)
                return true;
        }
    return false;
}

static void narrow(void *self, const struct access *access, struct region *region)
{
    struct proving *p = self;
    const struct motion *motion = access->motion;
    for (int k = 0; k < AXES; k++)
        if (motion->address.at[k] % (int64_t)access->site->lane_bytes)
            region_keep_one(region, k); /* misaligned everywhere or nowhere */
    for (unsigned c = 0; c < access->site->components; c++)
        for (int k = 0; k < AXES; k++)
            if (access->site->kind->op == ACCESS_STORE && motion->data[c].at[k] && mixes_values(access))
                region_keep_one(region, k);
    writes_narrow(&p->writes, access, region);
}

static void take_region(void *self, const struct region *region)
{
    struct proving *p = self;
    p->region = *region;
    if (p->onlooker)
        p->onlooker->region(p->onlooker->self, region);
}

static void take_clashes(struct proving *p, const struct access *access)
{
    p->clashes.different = p->clashes.equal = 0;
    clashes_access(&p->clashes, access);
    see(p, &p->clash, p->clashes.different, access->site);
    add(p, &p->meeting, p->clashes.equal);
}

static void take_output(struct proving *p, const struct access *access)
{
    for (uint32_t lanes = access->mask & ~access->out_of_bounds; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        struct cell_write writes[CELL_WRITES];
        unsigned count = cell_writes_of(p->task, access, lane, writes);
        if (!count)
            see_last(&p->region, access->site, &p->misfit.site, p->misfit.last);
        for (unsigned i = 0; i < count; i++)
            add(p, &p->computed,
                !writes[i].right &&
                    data_origin(data_at(&access->data[writes[i].first], lane)).kind == ORIGIN_COMPUTED);
    }
    writes_access(&p->writes, access);
    p->stop = p->stop || p->writes.why;
}

static void take_access(void *self, const struct access *access)
{
    struct proving *p = self;
    const struct site *site = access->site;
    add(p, site->kind->writes ? &p->out_of_bounds_writes : &p->out_of_bounds_reads,
        (uint64_t)__builtin_popcount(access->out_of_bounds));
    add(p, &p->uninitialized, (uint64_t)__builtin_popcount(access->uninitialized & ~access->out_of_bounds));
    see(p, &p->hazard, (uint64_t)__builtin_popcount(access->hazard), site);
    see(p, &p->disorder, access->unordered, site);
    see(p, &p->misalignment, (uint64_t)__builtin_popcount(access->misaligned), site);
    if (site->kind->op == ACCESS_STORE)
        take_clashes(p, access);
    if (site->kind->space == SPACE_GLOBAL) {
        add(p, &p->updates, site->kind->op == ACCESS_ATOMIC ? (uint64_t)__builtin_popcount(access->mask) : 0);
        if (site->kind->writes)
            p->stored |= UINT64_C(1) << access->buffer;
        else
            see_last(&p->region, site, &p->loaded[access->buffer].site, p->loaded[access->buffer].last);
    }
    if (task_is_output(p->task, access))
        take_output(p, access);
    if (p->onlooker)
        p->onlooker->access(p->onlooker->self, access);
    p->stop = p->stop || (p->onlooker && p->onlooker->refuse);
}

static void take_barrier(void *self, const struct barrier *barrier)
{
    struct proving *p = self;
    if (p->onlooker)
        p->onlooker->barrier(p->onlooker->self, barrier);
    if (!barrier->missed)
        return;
    if (!p->missed || region_is_before(&p->region, &p->first_missed)) {
        p->barrier = barrier->place;
        p->first_missed = p->region;
    }
    add(p, &p->missed, barrier->missed);
}

static struct place place_of(const struct site *site)
{
    return site ? site->place : (struct place){0};
}

/* As owners_report() has them. */
static bool fill(const struct proving *p, struct owners_report *r, struct problem *problem)
{
    const uint64_t *n = p->writes.cover.cells;
    if (p->misfit.site)
        return owners_misfit(p->task, p->misfit.site, problem);
    for (unsigned i = 0; i < 64; i++)
        if (p->loaded[i].site && (p->stored & ~p->task->known) >> i & 1)
            return owners_both_ways(p->loaded[i].site, problem);
    *r = (struct owners_report){.cells = (uint64_t)p->task->rows * p->task->cols,
                                .missing = n[CELL_MISSING],
                                .wrong = n[CELL_WRONG] + n[CELL_WRONG_SAME],
                                .written_twice = n[CELL_RIGHT_TWICE] + n[CELL_DISAGREE] + n[CELL_WRONG_SAME],
                                .disagreeing = n[CELL_DISAGREE],
                                .out_of_bounds_reads = p->out_of_bounds_reads,
                                .out_of_bounds_writes = p->out_of_bounds_writes,
                                .uninitialized_tile_reads = p->uninitialized,
                                .misaligned = p->misalignment.count,
                                .hazards = p->hazard.count,
                                .clashing = p->clash.count,
                                .meeting = p->meeting,
                                .unordered = p->disorder.count,
                                .missed = p->missed,
                                .updates = p->updates,
                                .computed = p->computed,
                                .hazard = place_of(p->hazard.site),
                                .clash = place_of(p->clash.site),
                                .misalignment = place_of(p->misalignment.site),
                                .disorder = place_of(p->disorder.site),
                                .barrier = p->barrier};
    owners_judge(r);
    return true;
}

/* Looks for a write in its own block. */
struct look {
    const struct write *write;
    const struct write_group *group;
    const struct writes *writes;
    uint64_t cell;
    bool found, right;
    int64_t token;
};

static void look_access(void *self, const struct access *access)
{
    struct look *look = self;
    struct cell_write writes[CELL_WRITES];
    if (access->warp != look->group->warp || access->step != look->group->step ||
        !task_is_output(look->writes->task, access))
        return;
    unsigned count = cell_writes_of(look->writes->task, access, look->write->lane, writes);
    for (unsigned i = 0; i < count; i++)
        if (writes[i].cell == look->cell) {
            look->found = true;
            look->right = writes[i].right;
            look->token = data_at(&access->data[writes[i].first], look->write->lane);
        }
}

/* The cell's writer, in a block that is run to see it. */
static bool confirm(const struct proving *p, struct execution *execution, enum cell_state state,
                    const struct cover_example *example, struct proof_example *out)
{
    const struct writes *w = &p->writes;
    const struct write *write = &w->writes[example->source];
    const struct write_group *group = &w->groups[write->group];
    uint64_t width = task_out_cols(p->task), cell = example->row * w->cover.cols + example->col;
    struct look look = {.write = write, .group = group, .writes = w, .cell = cell};
    struct sink sink = {.self = &look, .access = look_access};
    struct problem problem = {0};
    int64_t along[AXES];
    *out = (struct proof_example){.state = state,
                                  .row = cell / width,
                                  .col = cell % width,
                                  .warp = group->warp,
                                  .lane = write->lane,
                                  .site = group->site};
    uint32_t at[AXES];
    if (!writes_find_block(w, write, example->row, example->col, at, along))
        return false;
    numbering_block(&p->proof->census.numbering, at, out->block);
    if (!execution_run_block(execution, out->block, &sink, &problem))
        return false;
    out->token = look.token;
    return look.found && (state == CELL_DISAGREE || !look.right);
}

/* Where boxes say too little: any write that is wrong. */
static void show_wrong_write(const struct proving *p, const struct program *program,
                             const struct launch *launch)
{
    const struct writes *w = &p->writes;
    struct problem ignored = {0};
    struct execution *alone = NULL;
    for (uint64_t i = 0; i < w->cover.count && !p->proof->has_example; i++) {
        uint32_t source = w->cover.boxes[i].source;
        if (w->cover.boxes[i].right)
            continue;
        struct cover_example example = {true, w->writes[source].row, w->writes[source].col, source, source};
        alone = alone ? alone : execution_new(program, launch, true, &ignored);
        if (!alone)
            return;
        p->proof->has_example = confirm(p, alone, CELL_WRONG, &example, &p->proof->example);
    }
    execution_free(alone);
}

/* One cell that is not right: a wrong one before one that is missing. */
static void show_example(const struct proving *p, const struct program *program, const struct launch *launch)
{
    static const enum cell_state states[] = {CELL_WRONG, CELL_WRONG_SAME, CELL_DISAGREE};
    const struct cover *cover = &p->writes.cover;
    struct proof *proof = p->proof;
    struct problem ignored = {0};
    struct execution *alone =
        execution_new(program, launch, true, &ignored); /* whose findings are nobody's */
    for (unsigned i = 0; alone && i < 3 && !proof->has_example; i++)
        if (cover->examples[states[i]].there)
            proof->has_example = confirm(p, alone, states[i], &cover->examples[states[i]], &proof->example);
    execution_free(alone);
    uint64_t row, col;
    if (proof->has_example || !cover->cells[CELL_MISSING] || !cover_find_missing(cover, &row, &col))
        return;
    uint64_t width = task_out_cols(p->task), cell = row * cover->cols + col;
    proof->has_example = true;
    proof->example = (struct proof_example){.state = CELL_MISSING, .row = cell / width, .col = cell % width};
}

static bool prove(struct proving *p, struct execution *execution, const struct launch *launch,
                  struct owners_report *report, struct problem *problem)
{
    const struct sink sink = {.self = p,
                              .access = take_access,
                              .barrier = take_barrier,
                              .region = take_region,
                              .narrow = narrow,
                              .stop = &p->stop};
    struct proof *proof = p->proof;
    if (p->onlooker)
        p->onlooker->begin(p->onlooker->self);
    bool ok = census_run(execution, launch, CENSUS_REGIONS, &sink, &proof->census, problem);
    proof->given_up = proof->census.given_up || p->stop || proof->census.stopped;
    if (!ok && !p->stop)
        return false;
    if (p->too_many) {
        proof->given_up = false;
        return problem_say(problem, "the counts of this audit do not fit 64 bits: take smaller sizes");
    }
    if (ok && !p->misfit.site && !cover_count(&p->writes.cover))
        p->writes.why = "the cells that blocks write overlap too often";
    proof->why = p->writes.why;
    proof->given_up = proof->given_up || p->writes.why;
    proof->boxes = p->writes.cover.count;
    if (proof->given_up || !fill(p, report, problem))
        return false;
    if (!p->writes.flat && !report->written_twice)
        proof->has_hole = hole_of(&p->writes.cover, &proof->hole);
    return true;
}

/* Is anything told of which the first or the last counts? */
static bool has_first(const struct proving *p)
{
    bool both_ways = false;
    for (unsigned i = 0; i < 64; i++)
        both_ways = both_ways || (p->loaded[i].site && (p->stored & ~p->task->known) >> i & 1);
    bool found = p->onlooker && p->onlooker->found(p->onlooker->self);
    return found || both_ways || p->misfit.site || p->hazard.count || p->disorder.count ||
           p->misalignment.count || p->clash.count || p->missed;
}

/* The output taken for its rows, or for one row. */
static bool try(struct execution **execution, const struct program *program, const struct launch *launch,
                const struct owners_task *task, bool flat, struct proof_onlooker *onlooker,
                struct owners_report *report, struct proof *proof, struct problem *problem)
{
    struct proving p = {.task = task, .proof = proof, .onlooker = onlooker};
    *proof = (struct proof){0};
    *execution = execution_new(program, launch, true, problem);
    if (!*execution)
        return false;
    writes_init(&p.writes, task, flat);
    bool ok = prove(&p, *execution, launch, report, problem);
    if (!p.too_many && !(onlooker && onlooker->refuse) &&
        census_again(*execution, launch, &proof->census, has_first(&p))) {
        writes_free(&p.writes);
        p = (struct proving){.task = task, .proof = proof, .onlooker = onlooker};
        *proof = (struct proof){0};
        *problem = (struct problem){0};
        writes_init(&p.writes, task, flat);
        ok = prove(&p, *execution, launch, report, problem);
    }
    if (ok && !report->correct)
        show_example(&p, program, launch);
    else if (!ok && proof->given_up)
        show_wrong_write(&p, program, launch);
    writes_free(&p.writes);
    if (!ok) {
        execution_free(*execution);
        *execution = NULL;
    }
    return ok;
}

bool proof_run(struct execution **execution, const struct program *program, const struct launch *launch,
               const struct owners_task *task, struct proof_onlooker *onlooker, struct owners_report *report,
               struct proof *proof, struct problem *problem)
{
    *execution = NULL;
    *proof = (struct proof){0};
    if (!owners_check(task, problem))
        return false;
    if (task->batch > 1 || task->axes || task->map || task->followed) {
        proof->given_up = true;
        proof->why = "the task is neither a transpose nor a copy of one matrix to another";
        return false;
    }
    if (task->is_copy && try(execution, program, launch, task, true, onlooker, report, proof, problem))
        return true;
    return !problem->set && !proof->census.stopped && !(onlooker && onlooker->refuse) &&
           try(execution, program, launch, task, false, onlooker, report, proof, problem);
}
