#include "sector.h"

/* Small and nearly sorted in practice: insertion sort. */
static void sort(int64_t *values, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        int64_t value = values[i];
        unsigned at = i;
        for (; at > 0 && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

/* How many aligned units of a size the bytes [start, end) add to those before `*next`, which moves on. */
static unsigned fresh_units(int64_t start, int64_t end, int64_t unit, int64_t *next)
{
    int64_t first = unit_of(start, unit), last = unit_of(end - 1, unit);
    if (first < *next)
        first = *next;
    if (last < first)
        return 0;
    *next = last + 1;
    return (unsigned)(last - first + 1);
}

/* Sectors that lie wholly in the bytes [start, end). */
static unsigned whole_sectors(int64_t start, int64_t end)
{
    int64_t first = unit_of(start + (SECTOR_BYTES - 1), SECTOR_BYTES), last = unit_of(end, SECTOR_BYTES);
    return last > first ? (unsigned)(last - first) : 0;
}

/* Atomics: of lanes sorted by address, how often each sector is taken. A lane lies in one sector. */
static unsigned taken_sectors(const int64_t *starts, unsigned count)
{
    unsigned taken = 0;
    for (unsigned i = 0; i < count;) {
        int64_t sector = unit_of(starts[i], SECTOR_BYTES);
        unsigned most = 0, run = 0;
        for (unsigned first = i; i < count && unit_of(starts[i], SECTOR_BYTES) == sector; i++) {
            run = i > first && starts[i] == starts[i - 1] ? run + 1 : 1;
            most = run > most ? run : most;
        }
        taken += most;
    }
    return taken;
}

struct sector_cost sector_cost_of(const struct lanes *lanes)
{
    struct sector_cost cost = {0};
    int64_t starts[32];
    unsigned count = 0;
    for (unsigned i = 0; i < 32; i++)
        if (lanes->mask >> i & 1)
            starts[count++] = (int64_t)((uint64_t)lanes->base + (uint64_t)lanes->delta[i]);
    sort(starts, count);
    int64_t next_sector = INT64_MIN, next_line = INT64_MIN, next_byte = INT64_MIN;
    int64_t run = 0, run_end = 0; /* bytes without a gap so far */
    unsigned bytes = 0, whole = 0;
    for (unsigned i = 0; i < count; i++) {
        int64_t end = starts[i] + (int64_t)lanes->lane_bytes;
        cost.sectors += fresh_units(starts[i], end, SECTOR_BYTES, &next_sector);
        cost.lines += fresh_units(starts[i], end, LINE_BYTES, &next_line);
        bytes += fresh_units(starts[i], end, 1, &next_byte);
        if (i && starts[i] > run_end)
            whole += whole_sectors(run, run_end);
        if (!i || starts[i] > run_end)
            run = starts[i];
        run_end = end;
    }
    cost.partial = cost.sectors - whole - (count ? whole_sectors(run, run_end) : 0);
    if (lanes->is_atomic)
        cost.sectors = taken_sectors(starts, count);
    cost.ideal = (bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
    return cost;
}

/* Adds the lane to its sector, in order. Returns how many there are then. */
static unsigned add_lane(struct sector *out, unsigned count, int64_t index, unsigned lane)
{
    unsigned at = count;
    while (at > 0 && out[at - 1].index > index)
        at--;
    if (at > 0 && out[at - 1].index == index) {
        out[at - 1].lanes |= UINT32_C(1) << lane;
        return count;
    }
    for (unsigned i = count; i > at; i--)
        out[i] = out[i - 1];
    out[at] = (struct sector){index, UINT32_C(1) << lane};
    return count + 1;
}

unsigned sectors_of(const struct lanes *lanes, struct sector out[SECTOR_LIMIT])
{
    unsigned count = 0;
    for (unsigned lane = 0; lane < 32; lane++) {
        if (!(lanes->mask >> lane & 1))
            continue;
        int64_t begin = (int64_t)((uint64_t)lanes->base + (uint64_t)lanes->delta[lane]);
        int64_t last = unit_of(begin + (int64_t)lanes->lane_bytes - 1, SECTOR_BYTES);
        for (int64_t index = unit_of(begin, SECTOR_BYTES); index <= last; index++)
            count = add_lane(out, count, index, lane);
    }
    return count;
}

/* How many lanes before this one ask for its address. */
static unsigned rank_of(const struct lanes *lanes, uint32_t of, unsigned lane)
{
    unsigned rank = 0;
    for (unsigned i = 0; i < lane; i++)
        rank += (of >> i & 1) && lanes->delta[i] == lanes->delta[lane];
    return rank;
}

uint32_t sector_taking(const struct lanes *lanes, unsigned part)
{
    struct sector sectors[SECTOR_LIMIT];
    unsigned count = sectors_of(lanes, sectors);
    for (unsigned s = 0; s < count; s++) {
        uint32_t takings[32] = {0}, most = 0;
        for (unsigned lane = 0; lane < 32; lane++) {
            if (!(sectors[s].lanes >> lane & 1))
                continue;
            unsigned rank = rank_of(lanes, sectors[s].lanes, lane);
            takings[rank] |= UINT32_C(1) << lane;
            most = rank + 1 > most ? rank + 1 : most;
        }
        if (part < most)
            return takings[part];
        part -= most;
    }
    return 0;
}
