/* recording.h - what the twin wrote down, held against the simulator's stream.
 *
 * A recording is plain memory, whoever filled it: a GPU's twin, or a test. Two comparisons walk the
 * simulator's accesses, as sinks, and look each lane up:
 *   addresses: in blocks that have a slot, the address of every lane of every access, by (site, visit);
 *   owners: for every store into the output, that its cell's writes are counted and its owner is this lane.
 *
 * A visit is counted per lane here: how often this lane passed this site before. (struct access counts per
 * warp; the two differ where a lane sat out.) Lanes that write out of bounds have no cell.
 */
#ifndef LANESCOPE_CUDA_RECORDING_H
#define LANESCOPE_CUDA_RECORDING_H

#include "../sim/exec/exec.h"

struct recording {
    const struct program *program;
    const struct launch *launch;
    uint64_t base[64];    /* device address of each pointer parameter's buffer */
    uint64_t shared_base; /* where a block's shared arrays begin in the shared window */
    uint32_t threads;     /* of a block */
    uint32_t capacity;    /* visits a slot holds */
    uint64_t slot_count;
    uint64_t *blocks;  /* [slot]: linear block, ascending */
    uint64_t *records; /* as struct twin_state says; NULL: no addresses */
    uint32_t *visits;  /* [slot][thread of the block][site] */
    int out;           /* parameter */
    unsigned elem_bytes;
    uint64_t cells;
    uint32_t *writes; /* [cell] */
    uint64_t *owners; /* [cell] */
};

enum difference_kind {
    DIFFERENCE_NONE,
    DIFFERENCE_ADDRESS, /* got and expected are byte offsets */
    DIFFERENCE_MISSING, /* the simulator has an access that the GPU did not make */
    DIFFERENCE_VISITS,  /* how often a lane passed a site */
    DIFFERENCE_OWNER,   /* a cell's writer: thread of the launch and visit */
    DIFFERENCE_WRITES   /* how often a cell was written */
};

struct difference {
    enum difference_kind kind;
    uint32_t block[3], warp, lane;
    const struct site *site; /* NULL: none in particular */
    uint32_t visit;
    uint64_t cell; /* of the output */
    int64_t expected, got;
};

struct comparison_result {
    uint64_t compared; /* lane addresses, or cells */
    uint64_t differ;
    struct difference first;
};

/* `execution` runs the blocks again for the comparison. False after filling the problem if it cannot. */
bool recording_compare_addresses(const struct recording *recording, struct execution *execution,
                                 struct comparison_result *result, struct problem *problem);

/* Over the whole launch; needs 5 bytes a cell for a while. */
bool recording_compare_owners(const struct recording *recording, struct execution *execution,
                              struct comparison_result *result, struct problem *problem);

/* The most visits that a lane pays to one site in these blocks: what the capacity must be. */
bool recording_visits(const struct program *program, const struct launch *launch, struct execution *execution,
                      const uint64_t *blocks, uint64_t count, uint32_t *visits, struct problem *problem);

/* The difference as a sentence, with block, warp, lane, site, line, expected and got. */
void difference_print(const struct difference *difference, const struct recording *recording, char *out,
                      size_t size);

void recording_free(struct recording *recording); /* the arrays */

#endif
