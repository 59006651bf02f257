/* audit_parts.h - what the files of an audit need of each other; others include audit.h. */
#ifndef LANESCOPE_REPORT_AUDIT_PARTS_H
#define LANESCOPE_REPORT_AUDIT_PARTS_H

#include "../audit/gather.h"
#include "../audit/meet.h"
#include "../audit/merge.h"
#include "audit.h"

enum audit_pass {
    PASS_CENSUS, /* the launch, by census */
    PASS_LAUNCH, /* the launch */
    PASS_WRONG,  /* once more, for cells with several wrong writers */
    PASS_TRIAL,  /* another launch, to tell a cause */
    PASS_DONE
};

enum { TRIAL_LIMIT = 10 };

/* Another launch, or other sizes: if the audit of it finds no fault, that tells the cause. */
struct trial {
    enum finding_kind kind; /* what it then is */
    struct launch launch;
    uint32_t rows, cols; /* not 0: of a scenario of its own */
    char text[200];      /* how the sentence goes on */
    int line;
};

struct audit {
    const struct scenario *scenario;
    struct launch launch;
    struct owners_task task;
    struct audit_options options;
    bool is_trial; /* starts none itself */
    struct execution *execution;
    struct owners *owners; /* NULL: by census, and result.cells says all */
    struct gather gather;
    struct races races;
    struct meets meets;
    struct merges merges;
    enum audit_pass pass;
    uint64_t next, blocks; /* of the pass */
    bool whole;            /* the launch ran to its end */
    bool refuted;          /* of a trial: it is not correct, and what is wrong is of no interest */
    bool has_hole;         /* then: some cell is missing */
    struct owners_hole hole;
    bool concluded; /* the result is that of the last step */
    struct trial trials[TRIAL_LIMIT];
    unsigned trial_count, trial_at;
    struct audit *trial;    /* the one that runs */
    struct scenario *sizes; /* its scenario, where it has one of its own */
    bool decided;           /* one of them told */
    struct trial verdict;
    struct finding told; /* a note that a trial led to; kind of a fault: none */
    bool has_told;
    struct problem fault; /* what ended the run, of the kernel's own */
    struct audit_result result;
};

/* audit.c: an audit of another launch of the scenario. */
struct audit *audit_begin_trial(const struct scenario *scenario, const struct launch *launch,
                                struct problem *problem);

/* audit_census.c: tries the launch by census. False: every block has to be run, and nothing is known; *why is
 * a sentence's end. */
bool audit_by_census(struct audit *audit, const char **why);

/* audit.c: consumers that have seen nothing. False: the problem is set. */
bool audit_begin_passes(struct audit *audit, struct problem *problem);

/* audit_trials.c: what could tell the cause, after the launch ran whole; and one step of it. */
void audit_plan_trials(struct audit *audit);
void audit_step_trial(struct audit *audit, uint64_t blocks);
void audit_free_trial(struct audit *audit);

/* audit_findings.c: all that is known, as findings; fills the result. */
void audit_conclude(struct audit *audit);

#endif
