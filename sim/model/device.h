/* device.h - the limits of NVIDIA's architectures that matter here, and whether the rules were checked on
 * them.
 *
 * Sources, by column: cuda_occupancy.h of CUDA 13.0 (blocks an SM, carve-outs, granularity, reserved bytes)
 * and the CUDA programming guide's table of compute capabilities (warps an SM, opt-in bytes a block).
 * `uncertain` marks the architectures for which the guide's figures could not be confirmed. Common to all:
 * warps of 32 lanes, 65,536 registers an SM given out 256 at a time a warp, 4 sub-partitions, 1,024 threads a
 * block, 48 KB of shared memory a block without opting in.
 */
#ifndef LANESCOPE_MODEL_DEVICE_H
#define LANESCOPE_MODEL_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct device {
    const char *name;   /* "sm_90" */
    const char *family; /* "Hopper" */
    unsigned major, minor;
    unsigned warps_per_sm;
    unsigned blocks_per_sm;
    unsigned shared_per_sm;    /* KB: the largest carve-out */
    unsigned shared_per_block; /* KB: with opting in */
    unsigned granularity;      /* bytes that shared memory is given out in */
    unsigned reserved;         /* bytes that the system takes of each block's shared memory */
    bool verified;             /* the rules of bank.h and sector.h equal this architecture's counters */
    bool uncertain;
};

#define DEVICE_DEFAULT              "sm_90"
#define DEVICE_SHARED_WITHOUT_OPTIN 49152u /* bytes a block */

extern const struct device devices[];
extern const size_t device_count;

/* "sm_90", "90" or "9.0"; NULL if there is none. */
const struct device *device_find(const char *name);

/* "sm_90 (Hopper), rules verified against hardware counters" and the like, for reports. */
const char *device_rules(const struct device *device);

/* The same in one word, for tables: "verified" or "assumed". */
const char *device_rules_word(const struct device *device);

#endif
