/* meet.h - who meets in global memory that the kernel both reads and writes.
 *
 * Nothing orders the blocks of a launch, and within a block only barriers order its warps. A cell that two
 * threads touch in no order, one of them writing, is a race: an in-place kernel reads after another thread
 * may have written. Lanes of one warp are taken to run in step.
 *
 * A sink's consumer, of the buffers that the launch follows (exec/launch.h); blocks one after the other.
 * Cells are granules; MEET_LIMIT of them are looked at, about 100 bytes each.
 */
#ifndef LANESCOPE_AUDIT_MEET_H
#define LANESCOPE_AUDIT_MEET_H

#include "finding.h"
#include "judge.h"

#define MEET_LIMIT (UINT64_C(1) << 23)

struct meet_touch {
    struct finding_thread thread; /* the last */
    uint64_t block;               /* its number, from 1; 0: nobody */
    uint32_t stretch;
    uint16_t site;
    bool blocks, warps; /* another block ever; another warp in this stretch */
};

struct meet_cell {
    struct meet_touch read, write;
    bool met;
};

struct meet_pair {
    unsigned first, second; /* sites, the lower id first */
    uint64_t cells;
    int buffer;
    int64_t offset; /* the example */
    struct finding_thread a, b;
};

struct meets {
    const struct program *program;
    const struct launch *launch;
    struct meet_cell *cells[64]; /* by parameter; NULL: not looked at */
    uint64_t count[64], before[64];
    unsigned owner[64];
    uint64_t block;
    uint32_t stretch;
    struct meet_pair *pairs;
    size_t pair_count, pair_capacity;
};

/* False after filling the problem: a buffer is too large. */
bool meets_init(struct meets *meets, const struct program *program, const struct launch *launch,
                struct problem *problem);
void meets_free(struct meets *meets);
void meets_access(struct meets *meets, const struct access *access);
void meets_barrier(struct meets *meets);
void meet_findings(const struct meets *meets, const struct owners_task *task, struct findings *findings);

#endif
