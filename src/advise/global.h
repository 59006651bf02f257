/* global.h - other ways of a kernel to global memory: axes exchanged, rows and buffers aligned, neighbouring
 * elements loaded at once.
 *
 * Each change is made to the text (or, of a buffer's beginning, to the launch) and the whole launch counted
 * again. What is tried:
 *  - swap: threadIdx.x with threadIdx.y, blockDim alike, and the block's shape;
 *  - start: buffers that the host or an option shifts begin at their allocation;
 *  - rows: `* NAME` becomes NAME rounded up to whole sectors, for an integer parameter that holds a matrix's
 *    row; the host must allocate the rows so long;
 *  - vector: 2 or 4 loads whose lanes are neighbours become one load of a vector.
 *  - together: the best of them, and on top of it those that need still fewer sectors then.
 * A change counts only where the sampled blocks do the same to global memory (trial.h) and the whole launch
 * needs fewer sectors.
 */
#ifndef LANESCOPE_ADVISE_GLOBAL_H
#define LANESCOPE_ADVISE_GLOBAL_H

#include "edit.h"
#include "trial.h"

#define CHANGE_LIMIT 64u

enum change_kind { CHANGE_SWAP, CHANGE_START, CHANGE_ROWS, CHANGE_VECTOR, CHANGE_TOGETHER };

struct change {
    enum change_kind kind;
    char what[160];      /* in words */
    struct edits *edits; /* of the text; none of CHANGE_START */
    bool starts;         /* buffers begin at their allocation */
    struct shape block;  /* of CHANGE_SWAP */
    struct remap *remap; /* of CHANGE_ROWS; else NULL */
    bool runs, same, helps;
    struct trial trial; /* where it is the same */
};

struct global {
    const struct options *options;
    const struct scenario *scenario;
    struct sample before;
    struct trial now;
    struct tally tally; /* of the text as it stands, site by site */
    struct change list[CHANGE_LIMIT];
    unsigned count;
    bool *merged; /* by site: part of a vector that is tried */
    struct arena arena;
};

/* False after filling the problem, where the text itself cannot run. Either way global_free(). */
bool global_search(struct global *global, const struct options *options, const struct scenario *scenario,
                   struct problem *problem);
void global_free(struct global *global);

const char *change_kind_name(enum change_kind kind);

#endif
