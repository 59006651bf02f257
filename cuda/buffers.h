/* buffers.h - a launch's matrices on the device, between guard zones.
 *
 * Each pointer parameter gets a buffer of its own: guard, the misalignment that the launch asks for past a
 * 256-byte boundary, the cells, guard. Guards hold GUARD_VALUE (payload.h). A kernel whose addresses go
 * further gets as much as it touches: struct reach. What the kernel is given are its parameters as its own
 * text has them, structs in one piece.
 */
#ifndef LANESCOPE_CUDA_BUFFERS_H
#define LANESCOPE_CUDA_BUFFERS_H

#include "../sim/exec/exec.h"
#include "gpu.h"

enum { BUFFERS_PARAMETER_BYTES = 4096 }; /* of all parameters together, CUDA's own limit */

/* The bytes of each parameter's buffer that a launch touches: [low, high). */
struct reach {
    int64_t low[64], high[64];
};

struct buffers {
    struct gpu *gpu;
    const struct program *program;
    const struct launch *launch;
    uint64_t allocation[64], base[64];       /* 0 for parameters that are no pointers */
    uint64_t bytes[64];                      /* from the base on, without guard */
    uint8_t values[BUFFERS_PARAMETER_BYTES]; /* what the kernel gets: addresses and numbers */
    void *arguments[64];                     /* pointers to those, one for each parameter of its list */
};

/* Runs all blocks. False after filling the problem. */
bool reach_find(struct execution *execution, const struct launch *launch, struct reach *reach,
                struct problem *problem);

/* False after filling the problem; call buffers_close() in either case. The cells are zero, or what the
 * launch says of their contents; buffers_fill() makes the latter anew. `reach` may be NULL. `also`: bytes of
 * the device that the caller is going to take besides. All of it is counted before anything is taken. */
bool buffers_open(struct buffers *buffers, struct gpu *gpu, const struct program *program,
                  const struct launch *launch, const struct reach *reach, uint64_t also,
                  struct problem *problem);
bool buffers_fill(const struct buffers *buffers, struct problem *problem);
void buffers_close(struct buffers *buffers);

/* Guard bytes that no longer hold their value. */
bool buffers_check_guards(const struct buffers *buffers, uint64_t *changed, char *first, size_t size,
                          struct problem *problem);

#endif
