/* race.h - who meets in shared memory without a barrier in between, which barriers are needed, and whether a
 * tile moves anything between threads.
 *
 * Between two barriers of a block no order of its warps is promised. A cell at which two warps meet there,
 * one of them writing, is a race, whichever of them came first: cells are counted, once a block, so that the
 * order in which the warps were run does not matter. A barrier is needed if some cell is touched by different
 * threads in the stretch before it and in the stretch after it, one of them writing.
 *
 * A sink's consumer; blocks must come one after the other, whichever first. Cells are granules of the program
 * (lang/program.h); about 130 bytes are kept for each. Global memory is not looked at.
 */
#ifndef LANESCOPE_AUDIT_RACE_H
#define LANESCOPE_AUDIT_RACE_H

#include "finding.h"

enum { RACE_BARRIERS = 64 };

struct race_touch {      /* what threads did to a cell in a stretch */
    uint32_t stretch;    /* 0: never */
    uint16_t thread;     /* warp * 32 + lane, the first that did */
    bool warps, threads; /* another warp, another thread did, too */
    uint16_t site;
    uint32_t order; /* the access's number among those of its warp in this stretch */
    uint32_t step;
};

struct race_cell {
    struct race_touch now[3], before[3]; /* by enum access_op */
    uint32_t raced;                      /* the block's first stretch, when it raced; 0: never */
    uint32_t written;                    /* likewise, when it was written: by thread `writer` last */
    uint16_t writer;
};

struct race_pair { /* two sites, the one that comes first in the program's run first */
    unsigned first, second;
    uint64_t cells;
    uint64_t cell; /* the example, of the first block: bytes from the block's shared memory */
    struct finding_thread a, b;
    uint64_t seen; /* the how manieth example it is */
};

struct race_barrier {
    struct place place;
    uint64_t passed;
    bool needed;
};

struct races {
    const struct program *program;
    uint64_t weight; /* so many blocks are like the one that runs; sums that do not fit stay at the most */
    uint64_t seen;   /* examples so far */
    struct race_cell *cells;
    uint64_t count;   /* of cells */
    uint32_t stretch; /* from 1, of all blocks; each block takes at least two */
    uint32_t block_stretch;
    struct race_order { /* a warp's accesses in the stretch so far */
        uint32_t stretch, count;
    } * orders;
    uint32_t warps;
    struct race_pair *pairs;
    size_t pair_count, pair_capacity;
    uint64_t raced; /* cells of all blocks */
    struct race_barrier barriers[RACE_BARRIERS];
    unsigned barrier_count;
    int last_barrier;   /* the one that the stretch began with; -1: the block's beginning */
    bool *touched;      /* a cell, in any block */
    struct race_array { /* one a shared array */
        uint64_t stores, loads, exchanged, foreign; /* lanes; exchanged: loads of another thread's value */
        bool full_warps;                            /* some warp stored with all its lanes */
    } * arrays;
};

/* False: there is not that much memory. */
bool races_init(struct races *races, const struct program *program, const struct launch *launch,
                struct problem *problem);
void races_free(struct races *races);
void races_access(struct races *races, const struct access *access);
void races_barrier(struct races *races, const struct barrier *barrier);

/* After blocks that did not come in their order: puts the pairs into it. */
void races_settle(struct races *races);

#endif
