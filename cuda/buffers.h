/* buffers.h - a launch's matrices on the device, between guard zones.
 *
 * Each pointer parameter gets a buffer of its own: guard, the misalignment that the launch asks for past a
 * 256-byte boundary, the cells, guard. Guards hold GUARD_VALUE (payload.h).
 */
#ifndef LANESCOPE_CUDA_BUFFERS_H
#define LANESCOPE_CUDA_BUFFERS_H

#include "gpu.h"

struct buffers {
    struct gpu *gpu;
    const struct program *program;
    const struct launch *launch;
    uint64_t allocation[64], base[64]; /* 0 for parameters that are no pointers */
    uint64_t value[64];                /* what the kernel gets: an address or a number */
    void *arguments[64];               /* pointers to those */
};

/* False after filling the problem; call buffers_close() in either case. The cells are zero. */
bool buffers_open(struct buffers *buffers, struct gpu *gpu, const struct program *program,
                  const struct launch *launch, struct problem *problem);
void buffers_close(struct buffers *buffers);

/* Guard bytes that no longer hold their value. */
bool buffers_check_guards(const struct buffers *buffers, uint64_t *changed, char *first, size_t size,
                          struct problem *problem);

#endif
