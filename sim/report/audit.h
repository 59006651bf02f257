/* audit.h - what is wrong with a scenario, where and why: the one audit of the command line and the UI.
 *
 *     audit = audit_begin(&scenario, &options, &problem);  NULL: the problem says why
 *     while (audit_step(audit, blocks))                    a slice at a time
 *         show(audit_result(audit));                       what is known so far
 *     audit_free(audit);
 *
 * A launch of many blocks is tried by census first (census/proof.h), in one step: one block of each kind then
 * stands for all, in time and memory that do not grow with the matrix, and the findings are those of every
 * block, to the unit. Where no census can tell (cells written by several blocks, buffers that are read and
 * written), and where a matrix of at most 2^24 cells has wrong ones (every block then shows which of the
 * input was not read), every block is run. The launch is then run whole, again where wrong cells need a
 * second look, and parts of it under other launches (the grid's axes exchanged, a block more) where that
 * tells the cause. An audit keeps half a byte a cell of the output, a bit a cell of the input and about 180
 * bytes for each granule (lang/program.h) of a block's shared memory; the scenario must outlive it. A buffer
 * that is both read and written is followed: what counts is what it holds in the end. That takes about 110
 * bytes for each of its cells, of at most 2^23; who meets there without an order is a finding. Nothing is
 * shared between two audits. A step of n blocks takes as long as n blocks do.
 *
 * What only the whole launch shows (missing cells, tiles without exchange, causes) is not in a result before
 * `finished`; what is in an unfinished one stays, though its cause may still be found.
 */
#ifndef LANESCOPE_REPORT_AUDIT_H
#define LANESCOPE_REPORT_AUDIT_H

#include "../audit/finding.h"
#include "../audit/owners.h"
#include "scenario.h"

enum audit_way {
    AUDIT_AS_FITS,
    AUDIT_EACH_BLOCK,
    AUDIT_BY_CENSUS,     /* of few blocks and cells, too: for tests */
    AUDIT_BY_CENSUS_ONLY /* where it cannot tell, the result's problem says why: for who will not wait */
};

struct audit_options {
    enum audit_way way;
    bool strict;       /* lanes of a warp without __syncwarp() are a fault */
    const char *alias; /* "out=in": two pointer parameters that the launch gives one buffer; NULL: none */
};

enum audit_verdict {
    AUDIT_UNKNOWN, /* nothing wrong so far, not all is known */
    AUDIT_CORRECT, /* every cell has what belongs there, by defined means */
    AUDIT_NOT_CORRECT
};

struct audit_result {
    enum audit_verdict verdict;
    bool finished;
    uint64_t done, total;       /* blocks of the passes known so far: total may grow */
    struct findings findings;   /* owned by the audit */
    struct owners_report cells; /* its totals, of the blocks done */
    uint64_t regions,
        boxes; /* by census: blocks that each do the same, cells of one write; 0: not by census */
    struct problem problem; /* set: the run ended there, and no answer can be given */
};

struct audit;

/* options NULL: all false. NULL after filling the problem. */
struct audit *audit_begin(const struct scenario *scenario, const struct audit_options *options,
                          struct problem *problem);
void audit_free(struct audit *audit);

/* Runs at most `blocks` more. False when all is known, or a problem ended it. */
bool audit_step(struct audit *audit, uint64_t blocks);

/* Whoever ended the last step by the launch's watch, for a reason of his own (Ctrl-C), says so: what it ran
 * into is no finding. The audit is over; the result is what was known, not finished. */
void audit_stop(struct audit *audit);

/* How far it is; cheaper than the result. */
struct audit_progress {
    uint64_t done, total; /* as in the result */
};
struct audit_progress audit_progress(const struct audit *audit);

/* Valid until the next step. Takes time with the number of access sites, not with the launch. */
const struct audit_result *audit_result(struct audit *audit);

#endif
