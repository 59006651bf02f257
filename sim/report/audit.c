#include "audit_parts.h"

#include <stdlib.h>
#include <string.h>

#include "matrix.h"

#define CENSUS_BLOCKS 2048u /* as many as take no time to speak of */

static void take_access(void *self, const struct access *access)
{
    struct audit *audit = self;
    owners_access(audit->owners, access);
    if (audit->pass != PASS_LAUNCH)
        return;
    gather_access(&audit->gather, access);
    races_access(&audit->races, access);
    merges_access(&audit->merges, access);
    meets_access(&audit->meets, access);
}

static void take_barrier(void *self, const struct barrier *barrier)
{
    struct audit *audit = self;
    if (audit->pass != PASS_LAUNCH)
        return;
    owners_barrier(audit->owners, barrier);
    gather_barrier(&audit->gather, barrier);
    races_barrier(&audit->races, barrier);
    meets_barrier(&audit->meets);
}

static int parameter_named(const struct program *program, const char *name, size_t length)
{
    for (unsigned i = 0; i < program->parameter_count; i++)
        if (program->parameters[i].type.kind == TYPE_POINTER &&
            strlen(program->parameters[i].name) == length &&
            memcmp(program->parameters[i].name, name, length) == 0)
            return (int)i;
    return -1;
}

/* Does the kernel read by a load what it may have written? An atomic reads only for itself. */
static bool is_reread(const struct program *program, int buffer)
{
    bool loads = false, writes = false;
    for (unsigned i = 0; i < program->site_count; i++) {
        const struct access_kind *kind = program->sites[i].kind;
        bool own = kind->space == SPACE_GLOBAL && program->sites[i].buffer == buffer;
        loads = loads || (own && kind->op == ACCESS_LOAD);
        writes = writes || (own && kind->writes);
    }
    return loads && writes;
}

/* Which buffers are followed: those that are read as well as written, and those that are one. */
static bool follow(struct audit *audit, struct owners_task *task, struct problem *problem)
{
    const struct program *program = audit->scenario->program;
    const char *alias = audit->options.alias, *equals = alias ? strchr(alias, '=') : NULL;
    for (unsigned i = 0; i < program->parameter_count; i++)
        if (is_reread(program, (int)i) && !audit->launch.arguments[i].contents &&
            program->parameters[i].origin != ORIGIN_POINTEE)
            task->followed |= UINT64_C(1) << i;
    if (alias) {
        int one = equals ? parameter_named(program, alias, (size_t)(equals - alias)) : -1;
        int other = equals ? parameter_named(program, equals + 1, strlen(equals + 1)) : -1;
        if (one < 0 || other < 0 || one == other)
            return problem_say(
                problem, "an alias names two pointer parameters of the kernel, OUT=IN, which %s does not",
                alias);
        task->followed |= UINT64_C(1) << one | UINT64_C(1) << other;
        audit->launch.arguments[one].alias = (unsigned)other + 1;
    }
    for (unsigned i = 0; i < program->parameter_count; i++)
        audit->launch.arguments[i].follows = task->followed >> i & 1;
    return true;
}

static void free_passes(struct audit *audit)
{
    gather_free(&audit->gather);
    races_free(&audit->races);
    meets_free(&audit->meets);
    merges_free(&audit->merges);
}

bool audit_begin_passes(struct audit *audit, struct problem *problem)
{
    const struct program *program = audit->scenario->program;
    const struct owners_task *task = &audit->task;
    free_passes(audit);
    gather_init(&audit->gather, program, task);
    merges_init(&audit->merges, program);
    audit->gather.in_place = task->in >= 0 && task->out >= 0 && (task->followed >> task->out & 1);
    return meets_init(&audit->meets, program, &audit->launch, problem) &&
           races_init(&audit->races, program, &audit->launch, problem);
}

/* What every block's run needs, and a census does not. */
static bool begin_blocks(struct audit *audit, struct problem *problem)
{
    audit->pass = PASS_LAUNCH;
    gather_watch_reads(&audit->gather);
    audit->execution = execution_new(audit->scenario->program, &audit->launch, true, problem);
    audit->owners = audit->execution ? owners_new(&audit->task, problem) : NULL;
    if (audit->owners)
        owners_hear(audit->owners, &audit->gather.witness);
    return audit->owners != NULL;
}

/* Is it worth a try? */
static bool may_count(const struct audit *audit)
{
    enum audit_way way = audit->options.way;
    return way == AUDIT_BY_CENSUS || way == AUDIT_BY_CENSUS_ONLY ||
           (way == AUDIT_AS_FITS && audit->blocks >= CENSUS_BLOCKS);
}

static struct audit *begin(const struct scenario *scenario, const struct launch *launch,
                           const struct audit_options *options, struct problem *problem)
{
    struct audit *audit = memory_take(1, sizeof *audit);
    audit->task = scenario_task(scenario);
    audit->scenario = scenario;
    audit->launch = *launch;
    audit->options = options ? *options : (struct audit_options){0};
    audit->blocks = launch_blocks(launch);
    audit->result.total = audit->blocks;
    if (follow(audit, &audit->task, problem) && owners_check(&audit->task, problem) &&
        audit_begin_passes(audit, problem) && (may_count(audit) || begin_blocks(audit, problem)))
        return audit;
    audit_free(audit);
    return NULL;
}

struct audit *audit_begin(const struct scenario *scenario, const struct audit_options *options,
                          struct problem *problem)
{
    return begin(scenario, &scenario->launch, options, problem);
}

struct audit *audit_begin_trial(const struct scenario *scenario, const struct launch *launch,
                                struct problem *problem)
{
    struct audit *audit = begin(scenario, launch, NULL, problem);
    if (audit)
        audit->is_trial = true;
    return audit;
}

void audit_free(struct audit *audit)
{
    if (!audit)
        return;
    audit_free_trial(audit);
    execution_free(audit->execution);
    owners_free(audit->owners);
    free_passes(audit);
    findings_free(&audit->result.findings);
    free(audit);
}

static void finish(struct audit *audit)
{
    audit->pass = PASS_DONE;
    audit->result.finished = true;
    audit->concluded = false;
}

static void begin_trials(struct audit *audit)
{
    audit->pass = PASS_TRIAL;
    if (!audit->is_trial)
        audit_plan_trials(audit);
    if (!audit->trial_count)
        finish(audit);
}

/* The pass has run to its end: what comes next? */
static void next_pass(struct audit *audit)
{
    struct audit_result *result = &audit->result;
    audit->next = 0;
    if (audit->gather.in_place && !audit->whole)
        owners_settle_in_place(audit->owners, audit->execution);
    if (!audit->whole) {
        audit->has_hole = owners_first_hole(audit->owners, &audit->hole);
        gather_settle(&audit->gather);
    }
    audit->whole = true;
    if (owners_next_pass(audit->owners)) {
        audit->pass = PASS_WRONG;
        result->total += audit->blocks;
        return;
    }
    struct owners_report report;
    if (!owners_report(audit->owners, &report, &result->problem)) {
        finish(audit);
        return;
    }
    begin_trials(audit);
}

static void count_blocks(struct audit *audit)
{
    struct audit_result *result = &audit->result;
    struct problem *problem = &result->problem;
    const char *why;
    if (audit_by_census(audit, &why)) {
        result->done += audit->blocks;
        audit->whole = true;
        begin_trials(audit);
    } else if (audit->options.way == AUDIT_BY_CENSUS_ONLY) {
        problem_say(problem, "only every block, run one by one, would tell whether it is right: %s", why);
        finish(audit);
    } else if (task_cells(&audit->task) > OWNERS_CELL_LIMIT) {
        problem_say(
            problem,
            "a matrix of more than 2^34 cells can only be audited by census, and here %s: take smaller "
            "sizes, which have the same faults",
            why);
        finish(audit);
    } else if (!audit_begin_passes(audit, problem) || !begin_blocks(audit, problem)) {
        finish(audit);
    }
}

static void run_blocks(struct audit *audit, uint64_t blocks)
{
    struct audit_result *result = &audit->result;
    struct problem problem = {0};
    struct sink sink = {.self = audit, .access = take_access, .barrier = take_barrier};
    uint64_t left = audit->blocks - audit->next, count = blocks < left ? blocks : left;
    bool ok = execution_run_blocks(audit->execution, audit->next, count, &sink, &problem);
    audit->next += ok ? count : 0;
    result->done += ok ? count : 0;
    if (ok && audit->next == audit->blocks)
        next_pass(audit);
    if (ok)
        return;
    if (problem.kind == PROBLEM_KERNEL)
        audit->fault = problem;
    else
        result->problem = problem;
    finish(audit);
}

bool audit_step(struct audit *audit, uint64_t blocks)
{
    if (audit->pass == PASS_DONE)
        return false;
    audit->concluded = false;
    if (audit->pass == PASS_CENSUS)
        count_blocks(audit);
    else if (audit->pass == PASS_TRIAL)
        audit_step_trial(audit, blocks);
    else
        run_blocks(audit, blocks);
    if (audit->pass == PASS_TRIAL && !audit->trial && audit->trial_at == audit->trial_count)
        finish(audit);
    return audit->pass != PASS_DONE;
}

void audit_stop(struct audit *audit)
{
    if (audit->fault.cure == PROBLEM_CURE_TIME)
        audit->fault = (struct problem){0};
    audit->result.problem = (struct problem){0};
    audit->result.finished = false;
    audit->concluded = false;
    audit->pass = PASS_DONE;
}

struct audit_progress audit_progress(const struct audit *audit)
{
    return (struct audit_progress){audit->result.done, audit->result.total};
}

const struct audit_result *audit_result(struct audit *audit)
{
    audit_conclude(audit);
    return &audit->result;
}
