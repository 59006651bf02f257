#include "run.h"

#include <time.h>

#include "patience.h"

/* Blocks between two looks at the clock: few where blocks take long. */
enum { CHUNK_MOST = 4096 };
#define CHUNK_SECONDS 0.01

bool run_launch_part(struct execution *execution, const struct launch *launch, const struct sink *sink,
                     struct progress *progress, struct problem *problem)
{
    uint64_t total = launch_blocks(launch), chunk = 1;
    struct patience *patience = patience_of(launch);
    bool ok = true;
    if (patience)
        patience->progress = progress;
    for (uint64_t done = 0; ok && done < total;) {
        uint64_t count = total - done < chunk ? total - done : chunk;
        clock_t before = clock();
        ok = execution_run_blocks(execution, done, count, sink, problem);
        done += count;
        if (chunk < CHUNK_MOST && (double)(clock() - before) < CHUNK_SECONDS * CLOCKS_PER_SEC)
            chunk *= 2;
        progress_show(progress, done, total);
    }
    if (patience)
        patience->progress = NULL;
    progress_clear(progress);
    return ok;
}

bool run_launch(struct execution *execution, const struct launch *launch, const struct sink *sink,
                const char *what, struct problem *problem)
{
    struct progress progress;
    progress_begin(&progress, what);
    return run_launch_part(execution, launch, sink, &progress, problem);
}
