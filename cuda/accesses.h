/* accesses.h - single accesses measured: one warp, one instruction, 32 chosen byte offsets.
 *
 * For each (space, op, width) a kernel is generated whose only access of that kind is one inline instruction;
 * the offsets and the active lanes reach it as parameters, which costs no memory access of its own. Each
 * pattern is one launch under Nsight Compute.
 */
#ifndef LANESCOPE_CUDA_ACCESSES_H
#define LANESCOPE_CUDA_ACCESSES_H

#include "confirm.h"
#include "counters.h"

#define ACCESSES_SHARED_LIMIT 49152u     /* bytes that a pattern may span in shared memory */
#define ACCESSES_GLOBAL_LIMIT (1u << 24) /* and in global memory */

struct single_access {
    char name[32];
    enum memory_space space;
    enum access_op op;
    unsigned bytes; /* of a lane: 1, 2, 4, 8, 16 */
    uint32_t mask;  /* active lanes */
    uint64_t offsets[32];
};

struct access_list {
    struct single_access *list;
    size_t count, capacity;
};

void access_list_free(struct access_list *accesses);

/* From a table with at least the columns space, op, bytes, active_mask and offsets. */
bool access_list_read(struct access_list *accesses, const struct source *table, struct problem *problem);

/* `count` seeded ones: strides, shuffles, broadcasts, pairs, gaps. */
void access_list_random(struct access_list *accesses, uint64_t seed, uint64_t count);

/* The generated kernel's text, for kernels named `access`. */
void access_kernel_text(enum memory_space space, enum access_op op, unsigned bytes, char *out, size_t size);

/* Launches each once: what the profiler wants to see. */
bool access_list_launch(struct confirmer *confirmer, const struct access_list *accesses,
                        struct problem *problem);

/* Measures a program that does so, as counters_run(): a row of the table an access, for access_judge(). */
bool access_list_measure(const char *launch_only, struct counter_table *table, struct problem *problem);

struct access_verdict { /* of shared memory wavefronts and bank conflicts, of global requests and sectors */
    uint64_t predicted[2], measured[2];
    bool differs;
};
struct access_verdict access_judge(const struct single_access *access, const struct counter_row *row);

#endif
