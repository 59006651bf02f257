/* verdict.h - is the launch correct, found out a few blocks at a time while nothing else is to be done: the
 * audit (report/audit.h) as a session has it, and its answer in one line.
 *
 * A verdict belongs to one session, which must outlive it.
 */
#ifndef LANESCOPE_SESSION_VERDICT_H
#define LANESCOPE_SESSION_VERDICT_H

#include "../report/audit.h"
#include "session.h"

struct verdict {
    struct audit *audit;       /* NULL: it cannot be judged, `problem` says why */
    struct problem problem;    /* likewise when a run ended in one */
    struct audit_result known; /* of the blocks so far; its findings are the audit's */
    struct audit_progress progress;
    bool finished;
};

void verdict_begin(struct verdict *verdict, const struct session *session);
void verdict_free(struct verdict *verdict);

/* Runs at most `blocks` more. False when all is known. */
bool verdict_step(struct verdict *verdict, uint64_t blocks);

/* In the order in which a person reads them: faults that lead, notes that lead, what follows. */
size_t verdict_count(const struct verdict *verdict);
const struct finding *verdict_finding(const struct verdict *verdict, size_t index);

/* A fault that follows from no other. */
bool verdict_leads(const struct finding *finding);

/* "correct (all blocks)", "NOT CORRECT: 3,066 cells wrong, race at line 11", "not yet known 41 %"; cut to
 * its first words where `cols` are too few. */
void verdict_headline(const struct verdict *verdict, int cols, char *out, size_t size);

#endif
