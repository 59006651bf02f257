#include "run.h"

#include <stdlib.h>

#include "../base/arena.h"
#include "crew.h"
#include "patience.h"

/* A worker's own: nothing of it is shared. */
struct runner {
    struct execution *execution;
    struct launch launch; /* with a patience of its own */
    struct patience patience;
    struct sink sink; /* its self: the whole, of worker 0, or a part */
    struct problem problem;
};

struct gang {
    struct launch_run *run;
    struct runner *runners;
    unsigned count;
};

/* Do blocks read what other blocks wrote? */
static bool in_order(const struct program *program, const struct launch *launch)
{
    bool known = false, writes = false;
    for (unsigned i = 0; i < program->parameter_count; i++)
        known = known || launch->arguments[i].contents;
    for (unsigned i = 0; i < program->site_count; i++)
        writes = writes ||
                 (program->sites[i].kind->space == SPACE_GLOBAL && program->sites[i].kind->writes &&
                  (program->sites[i].buffer < 0 || launch->arguments[program->sites[i].buffer].contents));
    return known && writes;
}

/* With the worker's first piece: a short launch needs only one. */
static bool begin_runner(struct gang *gang, struct runner *r, unsigned worker)
{
    const struct launch_run *run = gang->run;
    const struct patience *patience = patience_of(run->launch);
    r->launch = *run->launch;
    if (patience) {
        r->patience = *patience;
        patience_begin(&r->patience);
        r->patience.progress = worker ? NULL : run->progress;
        r->launch.watch = &r->patience.watch;
    }
    r->execution = execution_new(run->program, &r->launch, run->track_values, &r->problem);
    r->sink = run->sink;
    if (r->execution && worker)
        r->sink.self = run->split(run->sink.self);
    return r->execution != NULL;
}

static bool run_piece(void *self, unsigned worker, uint64_t first, uint64_t count)
{
    struct gang *gang = self;
    struct runner *r = &gang->runners[worker];
    return (r->execution || begin_runner(gang, r, worker)) &&
           execution_run_blocks(r->execution, first, count, &r->sink, &r->problem);
}

/* Worker 0 counts into the whole, so that it comes first. */
static void end_runners(struct gang *gang)
{
    struct launch_run *run = gang->run;
    for (unsigned i = 0; i < gang->count; i++) {
        struct runner *r = &gang->runners[i];
        if (!r->execution)
            continue;
        struct noticed noticed = execution_noticed(r->execution);
        if (i == 0) {
            run->noticed = noticed;
        } else {
            noticed_add(&run->noticed, &noticed);
            run->merge(run->sink.self, r->sink.self);
        }
        execution_free(r->execution);
    }
}

bool run_launch(struct launch_run *run, struct problem *problem)
{
    bool alone = !run->split || in_order(run->program, run->launch);
    struct gang gang = {.run = run, .count = alone ? 1 : run->workers};
    uint64_t blocks = launch_blocks(run->launch);
    if (gang.count > CREW_LIMIT)
        gang.count = CREW_LIMIT;
    if (gang.count > blocks)
        gang.count = (unsigned)blocks;
    struct crew crew = {
        .total = blocks, .workers = gang.count, .self = &gang, .piece = run_piece, .progress = run->progress};
    gang.runners = memory_take(gang.count, sizeof *gang.runners);
    (void)crew_run(&crew);
    bool stopped = crew.failed && gang.runners[crew.failed_worker].patience.interrupted;
    bool failed = crew.failed && !stopped;
    if (failed)
        *problem = gang.runners[crew.failed_worker].problem;
    run->blocks = blocks;
    run->done = crew.done;
    run->interrupted = crew.interrupted || stopped;
    end_runners(&gang);
    free(gang.runners);
    if (run->progress)
        progress_clear(run->progress);
    return !failed;
}
