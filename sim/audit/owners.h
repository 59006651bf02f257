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
    bool adds;    /* in place: each right cell holds what belongs there added to what it held before */
    bool correct; /* nothing missing, wrong, disagreeing, out of bounds or misaligned, no hazard, no clash */
};

struct owners;

/* Hears, in the first pass, of each lane's write to an output cell that is not the only, right one: what the
 * cell was before. */
struct owners_witness {
    void *self;
    void (*write)(void *self, const struct access *access, unsigned lane, const struct cell_write *write,
                  enum cell_state before);
};

/* NULL after filling the problem. */
struct owners *owners_new(const struct owners_task *task, struct problem *problem);
void owners_free(struct owners *owners);
void owners_hear(struct owners *owners,
                 const struct owners_witness *witness);           /* it must outlive the owners */
void owners_access(void *owners, const struct access *access);    /* fits struct sink; needs tracked values */
void owners_barrier(void *owners, const struct barrier *barrier); /* likewise; needed only for `missed` */
bool owners_next_pass(struct owners *owners);

/* The report of what was seen so far: where passes are missing, cells that wait for them count as wrong and
 * written twice; a misfit is left out. */
void owners_glance(const struct owners *owners, struct owners_report *report);

/* Missing cells: the first one, and how many of its row and its column are; false if there are none. */
struct owners_hole {
    uint64_t row, col, in_row, in_col;
    bool inside; /* some lie neither in the first nor the last row or column */
};
bool owners_first_hole(const struct owners *owners, struct owners_hole *hole);

/* The kernel works in place: what counts is what the output holds in the end, wherever that came from and
 * however often it was written. After the first pass, instead of further ones. */
void owners_settle_in_place(struct owners *owners, const struct execution *execution);

/* False if a store did not fit the cells (narrower than one, or across two), or a buffer was read that is
 * also written: the problem says where. */
bool owners_report(const struct owners *owners, struct owners_report *report, struct problem *problem);

#endif
