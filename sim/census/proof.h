/* proof.h - is every output cell written once, with the right element, for a launch of any size?
 *
 * The same report as audit/owners.h gives after running every block, from a census: the writes of a region
 * are boxes of cells, which either cover the output without meeting, or show where they do not. A region is
 * made small enough for each of its writes to be right in all blocks or in none. Memory does not depend on
 * the matrix.
 *
 * What does not work, besides what no census does: writes that run along diagonals of the matrix, atomics
 * that write to the output, boxes that meet too often (cover.h). proof->given_up is then set, and why.
 */
#ifndef LANESCOPE_CENSUS_PROOF_H
#define LANESCOPE_CENSUS_PROOF_H

#include "../audit/owners.h"
#include "census.h"

/* Sees what the proof sees: each region, then the accesses and barriers of its first block, which stand for
 * all its blocks. `begin`: what it has seen so far is void. `found`: has it seen anything of which the first
 * block is told? It may make `refuse` true: the proof is then given up. */
struct proof_onlooker {
    void *self;
    void (*begin)(void *self);
    void (*region)(void *self, const struct region *region);
    void (*access)(void *self, const struct access *access);
    void (*barrier)(void *self, const struct barrier *barrier);
    bool (*found)(const void *self);
    bool refuse;
};

/* A cell that is not as it should be. */
struct proof_example {
    enum cell_state state;         /* CELL_MISSING, CELL_WRONG, CELL_WRONG_SAME or CELL_DISAGREE */
    uint64_t row, col;             /* of the output */
    uint32_t block[3], warp, lane; /* who writes it; of a CELL_MISSING cell nobody */
    int64_t token;                 /* what it brings, of the cell's first byte */
    const struct site *site;
};

struct proof {
    struct census census;
    uint64_t boxes; /* of cells */
    bool given_up;
    const char *why;              /* given up, and no census gave up: a sentence's end */
    bool has_example;             /* may be there after it was given up, too: a wrong write (CELL_WRONG) */
    struct proof_example example; /* confirmed by running that block */
    bool has_hole;                /* some cells are missing, and no cell is written more than once */
    struct owners_hole hole;
};

/* `*execution` is the one that ran, with its findings: to be freed; NULL after false. False: the problem is
 * set, or proof->given_up. `onlooker` NULL: nobody. */
bool proof_run(struct execution **execution, const struct program *program, const struct launch *launch,
               const struct owners_task *task, struct proof_onlooker *onlooker, struct owners_report *report,
               struct proof *proof, struct problem *problem);

#endif
