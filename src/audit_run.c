#include "audit_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "../base/progress.h"
#include "../sim/report/matrix.h"
#include "interrupt.h"
#include "patience.h"

/* Blocks of a step: few where blocks take long. */
enum { STEP_MOST = 4096 };
#define STEP_SECONDS 0.01

void audit_run(struct audit *audit, const struct scenario *s)
{
    struct progress progress;
    struct patience *patience = patience_of(&s->launch);
    uint64_t step = 1;
    bool more = true;
    progress_begin(&progress, "audit");
    if (patience)
        patience->progress = &progress;
    while (more && !interrupt_asked()) {
        clock_t before = clock();
        more = audit_step(audit, step);
        if (step < STEP_MOST && (double)(clock() - before) < STEP_SECONDS * CLOCKS_PER_SEC)
            step *= 2;
        const struct audit_progress at = audit_progress(audit);
        progress_show(&progress, at.done, at.total);
    }
    if (more || (patience && patience->interrupted))
        audit_stop(audit);
    if (patience)
        patience->progress = NULL;
    progress_clear(&progress);
}

/* Ctrl-C: what is missing, and what is right in the end, nobody knows yet. */
static void partial_sentence(const struct audit_result *r, const char *task, char *out, size_t size)
{
    uint64_t bad = r->cells.wrong + r->cells.disagreeing, faults = r->findings.leading;
    if (!faults)
        (void)snprintf(out, size, "not yet known: as a %s nothing is wrong so far", task);
    else
        (void)snprintf(out, size,
                       "not correct: as a %s it leaves %" PRIu64 " cells wrong so far; %" PRIu64
                       " fault%s so far",
                       task, bad, faults, faults == 1 ? "" : "s");
}

void audit_sentence(const struct scenario *s, const struct audit_result *r, char *out, size_t size)
{
    char task[200];
    const struct owners_report *c = &r->cells;
    scenario_task_name(s, task, sizeof task);
    uint64_t bad = c->wrong + c->disagreeing + c->missing;
    if (!r->finished)
        partial_sentence(r, task, out, size);
    else if (r->verdict == AUDIT_CORRECT)
        (void)snprintf(out, size, "correct: a %s, each of the %" PRIu64 " output cells has its own%s%s", task,
                       c->cells, c->adds ? ", added to what it held" : "",
                       r->findings.leading ? "; but there are faults" : "");
    else if (!bad)
        (void)snprintf(
            out, size,
            "not correct: as a %s no cell comes out wrong here, by means that are not defined; %" PRIu64
            " fault%s",
            task, r->findings.leading, r->findings.leading == 1 ? "" : "s");
    else
        (void)snprintf(out, size,
                       "not correct: as a %s it leaves %" PRIu64 " of %" PRIu64
                       " cells wrong or missing; %" PRIu64 " fault%s",
                       task, bad, c->cells, r->findings.leading, r->findings.leading == 1 ? "" : "s");
}
