/* occupancy.h - how many blocks of a shape fit on one SM, and what stops the next one.
 *
 * Blocks = min(warps an SM / warps of a block; blocks an SM; registers; shared memory). Source:
 * cuda_occupancy.h of CUDA 13.0, whose formulas are restated in occupancy.c. The kernel's text does not tell
 * its registers: with registers = 0 they are taken not to limit.
 */
#ifndef LANESCOPE_MODEL_OCCUPANCY_H
#define LANESCOPE_MODEL_OCCUPANCY_H

#include "device.h"

enum occupancy_limit { LIMIT_WARPS, LIMIT_BLOCKS, LIMIT_REGISTERS, LIMIT_SHARED, LIMIT_IMPOSSIBLE };

struct occupancy {
    unsigned blocks;            /* an SM */
    unsigned warps;             /* an SM: blocks * warps of a block */
    unsigned most_warps;        /* an SM */
    enum occupancy_limit limit; /* the tightest; of equals the first in the order of the enum */
};

struct occupancy occupancy_of(const struct device *device, unsigned threads, uint64_t shared_bytes,
                              unsigned registers);
const char *occupancy_limit_name(enum occupancy_limit limit); /* "warps", "blocks", ... */

#endif
