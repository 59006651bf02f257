/* owners.h - is every output cell written, once, with the right element?
 *
 * Each write is judged as it happens (judge.h). Half a byte a cell is kept, nothing else that grows with the
 * matrix, so that 16384 x 16384 needs 128 MB. Cells that several writers gave wrong values need to know
 * whether those agree; only then the launch is run again, a window of cells at a time.
 *
 * Use: owners_new(); then run the whole launch with owners_access as its sink, and again as long as
 * owners_next_pass() says so; then owners_report().
 *
 * Terms: missing = never written; wrong = written, once or more often, with one consistent wrong value;
 * written twice = written more than once; disagreeing = its writers brought different values, which of them
 * stays is not defined. Out-of-bounds and unset reads are counted in lanes. Two reads of unset memory count
 * as one and the same value.
 */
#ifndef LANESCOPE_AUDIT_OWNERS_H
#define LANESCOPE_AUDIT_OWNERS_H

#include "judge.h"

#define OWNERS_CELL_LIMIT (UINT64_C(1) << 34)

struct owners_report {
    uint64_t cells;
    uint64_t missing, wrong, written_twice, disagreeing; /* cells */
    uint64_t out_of_bounds_reads, out_of_bounds_writes;  /* lanes */
    uint64_t uninitialized_tile_reads;                   /* lanes */
    uint64_t misaligned;                                 /* lanes: the launch would fault */
    uint64_t hazards;   /* lanes: another warp touches their shared cell, no barrier in between */
    uint64_t clashing;  /* lanes that store what another lane of the same instruction overwrites: clash.h */
    uint64_t meeting;   /* lanes that do so with equal values: no fault */
    uint64_t unordered; /* shared cells exchanged within a warp without __syncwarp(): no fault, but since
                           Volta lanes need not run in step */
    uint64_t missed;    /* barriers that a warp ended without, each warp counted: no fault on hardware */
    uint64_t updates;   /* lanes of atomics in global memory: what they leave is computed */
    uint64_t computed;  /* lane writes whose value is a result of arithmetic: a right one cannot be told */
    struct place hazard, clash, misalignment, disorder,
        barrier;  /* where the first was seen, where there is one */
    bool correct; /* nothing missing, wrong, disagreeing, out of bounds or misaligned, no hazard, no clash */
};

struct owners;

/* NULL after filling the problem. */
struct owners *owners_new(const struct owners_task *task, struct problem *problem);
void owners_free(struct owners *owners);
void owners_access(void *owners, const struct access *access);    /* fits struct sink; needs tracked values */
void owners_barrier(void *owners, const struct barrier *barrier); /* likewise; needed only for `missed` */
bool owners_next_pass(struct owners *owners);

/* False if a store did not fit the cells (narrower than one, or across two), or a buffer was read that is
 * also written: the problem says where. */
bool owners_report(const struct owners *owners, struct owners_report *report, struct problem *problem);

/* What an audit by another way (census/proof.h) says in the same words. Can the task be judged at all? False:
 * the problem is set; the next two always set it. */
bool owners_check(const struct owners_task *task, struct problem *problem);
bool owners_misfit(const struct owners_task *task, const struct site *site, struct problem *problem);
bool owners_both_ways(const struct site *site, struct problem *problem);
/* Fills `correct`. */
void owners_judge(struct owners_report *report);

#endif
