#include "occupancy.h"

enum { SM_REGISTERS = 65536, REGISTER_UNIT = 256, PARTITIONS = 4, LANES_PER_WARP = 32 };

static unsigned round_up(unsigned value, unsigned unit)
{
    return (value + unit - 1) / unit * unit;
}

/* Registers are given out a warp at a time, a quarter of them in each partition. */
static unsigned blocks_by_registers(unsigned warps, unsigned registers)
{
    unsigned per_warp = round_up(registers * LANES_PER_WARP, REGISTER_UNIT);
    unsigned warps_fit = SM_REGISTERS / PARTITIONS / per_warp * PARTITIONS;
    return warps_fit / warps;
}

struct occupancy occupancy_of(const struct device *device, unsigned threads, uint64_t shared_bytes,
                              unsigned registers)
{
    unsigned warps = (threads + LANES_PER_WARP - 1) / LANES_PER_WARP;
    struct occupancy result = {.most_warps = device->warps_per_sm, .limit = LIMIT_IMPOSSIBLE};
    if (!warps || threads > 1024 || shared_bytes > (uint64_t)device->shared_per_block * 1024)
        return result;
    result.blocks = device->warps_per_sm / warps;
    result.limit = LIMIT_WARPS;
    if (device->blocks_per_sm < result.blocks) {
        result.blocks = device->blocks_per_sm;
        result.limit = LIMIT_BLOCKS;
    }
    if (registers && blocks_by_registers(warps, registers) < result.blocks) {
        result.blocks = blocks_by_registers(warps, registers);
        result.limit = LIMIT_REGISTERS;
    }
    unsigned taken = round_up((unsigned)shared_bytes + device->reserved, device->granularity);
    if (shared_bytes && device->shared_per_sm * 1024 / taken < result.blocks) {
        result.blocks = device->shared_per_sm * 1024 / taken;
        result.limit = LIMIT_SHARED;
    }
    result.warps = result.blocks * warps;
    return result;
}

const char *occupancy_limit_name(enum occupancy_limit limit)
{
    static const char *const names[] = {"warps", "blocks", "registers", "shared", "impossible"};
    return names[limit];
}
