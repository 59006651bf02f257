#include "owners_run.h"

#include <stdlib.h>

#include "../base/arena.h"
#include "../sim/report/matrix.h"
#include "patience.h"
#include "report.h"
#include "run.h"

static void take_access(void *self, const struct access *access)
{
    struct owners_run *run = self;
    owners_access(run->owners, access);
    if (run->has_map)
        ownermap_access(&run->map, access);
}

static void take_barrier(void *self, const struct barrier *barrier)
{
    owners_barrier(((struct owners_run *)self)->owners, barrier);
}

static void *split_owners(void *self)
{
    struct owners_run *run = self, *part = memory_take(1, sizeof *part);
    part->owners = owners_part(run->owners);
    return part;
}

static void merge_owners(void *self, void *other)
{
    struct owners_run *run = self, *part = other;
    owners_merge(run->owners, part->owners);
    free(part);
}

/* All blocks once, by all workers; where cells are shown one worker alone sees them in their order. */
static bool run_pass(const struct scenario *s, struct owners_run *run, const char *what,
                     struct launch_run *launch, struct problem *problem)
{
    struct progress progress;
    bool together = !run->has_map && owners_in_any_order(s->program);
    progress_begin(&progress, what);
    if (together)
        owners_share(run->owners);
    *launch = (struct launch_run){
        .program = s->program,
        .launch = &s->launch,
        .track_values = true,
        .workers = together ? run->workers : 1,
        .sink = {.self = run, .access = take_access, .barrier = take_barrier},
        .split = together ? split_owners : NULL,
        .merge = merge_owners,
        .progress = &progress,
    };
    return run_launch(launch, problem);
}

/* By census. False: the problem is set, or it has to be done cell by cell. */
static bool prove(const struct scenario *s, struct owners_run *run, const struct owners_task *task,
                  struct problem *problem)
{
    struct execution *execution;
    struct launch launch = s->launch;
    struct progress progress;
    struct patience own = {0}; /* with a line of progress */
    if (patience_of(&launch)) {
        own = *patience_of(&launch);
        patience_begin(&own);
        progress_begin(&progress, "owners");
        own.progress = &progress;
        launch.watch = &own.watch;
    }
    run->is_proof =
        proof_run(&execution, s->program, &launch, task, NULL, &run->report, &run->proof, problem);
    if (own.progress)
        progress_clear(&progress);
    if (own.interrupted) { /* nothing is known yet of what stays */
        *problem = (struct problem){0};
        run->report = (struct owners_report){.cells = task_cells(task)};
        run->blocks = launch_blocks(&launch);
        run->partial = true;
        run->proof.has_example = false;
        return true;
    }
    if (run->is_proof) {
        run->noticed = execution_noticed(execution);
        run->blocks = run->done = launch_blocks(&s->launch);
    }
    execution_free(execution);
    if (run->proof.given_up && !run->quiet && !run->proof.why)
        report_census(&run->proof.census);
    else if (run->proof.given_up && !run->quiet)
        (void)fprintf(stderr, "lanescope: note: %s, so that the output is judged cell by cell\n",
                      run->proof.why);
    return run->is_proof;
}

static bool audit(const struct scenario *s, struct owners_run *run, const struct owners_task *task,
                  struct problem *problem)
{
    struct launch_run launch = {0}, again = {0};
    run->owners = owners_new(task, problem);
    bool ok = run->owners && run_pass(s, run, "owners", &launch, problem);
    run->noticed = launch.noticed;
    run->blocks = launch.blocks;
    run->done = launch.done;
    run->partial = launch.interrupted;
    while (ok && !run->partial && owners_next_pass(run->owners)) {
        ok = run_pass(s, run, "owners, wrong cells", &again, problem);
        run->partial = again.interrupted;
    }
    return ok && owners_report(run->owners, &run->report, problem);
}

bool owners_run_all(struct owners_run *run, const struct scenario *s, bool enumerate, struct problem *problem)
{
    struct owners_task task = scenario_task(s);
    struct window whole = window_whole(&task);
    if (run->has_map)
        ownermap_init(&run->map, &task, &whole);
    bool counts = run->has_map || enumerate;
    return (!counts && prove(s, run, &task, problem)) || (!problem->set && audit(s, run, &task, problem));
}

void owners_run_free(struct owners_run *run)
{
    owners_free(run->owners);
    ownermap_free(&run->map);
    *run = (struct owners_run){0};
}
