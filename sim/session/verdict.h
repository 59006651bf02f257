/* verdict.h - is the launch correct, found out a few blocks at a time while nothing else is to be done.
 *
 * A verdict belongs to one session, which must outlive it.
 */
#ifndef LANESCOPE_SESSION_VERDICT_H
#define LANESCOPE_SESSION_VERDICT_H

#include "../audit/owners.h"
#include "session.h"

#define VERDICT_FINDINGS 64u
#define VERDICT_SENTENCE 400

enum verdict_answer { VERDICT_UNKNOWN, VERDICT_CORRECT, VERDICT_NOT_CORRECT, VERDICT_NONE };

struct verdict_finding {
    const char *title; /* "race in shared memory" */
    bool is_fault;     /* otherwise a note */
    int line;          /* from 1; 0: none */
    bool has_thread;   /* an example: */
    uint32_t block[3], warp, lane;
    uint64_t step; /* which access of the block's run */
    char sentence[VERDICT_SENTENCE];
};

struct verdict {
    const struct session *session;
    struct execution *execution;
    struct owners *owners;
    uint64_t done, total;
    struct owners_report cells; /* of the blocks so far */
    enum verdict_answer answer;
    bool finished;
    struct verdict_finding findings[VERDICT_FINDINGS];
    unsigned count, faults;
};

void verdict_begin(struct verdict *verdict, const struct session *session);
void verdict_free(struct verdict *verdict);

/* Runs at most `blocks` more. False when all is known. */
bool verdict_step(struct verdict *verdict, uint64_t blocks);

/* "correct (all blocks)", "NOT CORRECT: 3,066 cells wrong, race at line 11", "not yet known 41 %"; cut to
 * its first words where `cols` are too few. */
void verdict_headline(const struct verdict *verdict, int cols, char *out, size_t size);

#endif
