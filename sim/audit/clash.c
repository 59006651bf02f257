#include "clash.h"

static int64_t distance(const struct access *access, unsigned from, unsigned to)
{
    return access_offset(access, to) - access_offset(access, from);
}

/* Do no two of the lanes touch a common byte? Sorted by address, only neighbours can. */
static bool are_apart(const struct access *access, uint32_t mask)
{
    int64_t begin[LANES] = {0};
    unsigned count = 0;
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        int64_t offset = access_offset(access, (unsigned)__builtin_ctz(lanes));
        unsigned at = count++;
        for (; at > 0 && begin[at - 1] > offset; at--)
            begin[at] = begin[at - 1];
        begin[at] = offset;
    }
    for (unsigned i = 1; i < count; i++)
        if (begin[i] - begin[i - 1] < (int64_t)access->site->lane_bytes)
            return false;
    return true;
}

/* Lane b begins `apart` bytes, 0 or more but less than a lane's, behind lane a: do they bring the same to the
 * bytes that both write? */
static bool bring_the_same(const struct access *access, unsigned a, unsigned b, unsigned apart)
{
    unsigned components = access->site->components, bytes = access->site->lane_bytes / components;
    if (apart % bytes)
        return false;
    for (unsigned c = apart / bytes; c < components; c++)
        if (data_at(&access->data[c], a) != data_at(&access->data[c - apart / bytes], b))
            return false;
    return true;
}

static void count_meetings(struct clashes *clashes, const struct access *access, uint32_t mask)
{
    uint32_t different = 0, equal = 0;
    for (unsigned a = 0; a < LANES; a++)
        for (unsigned b = a + 1; b < LANES; b++) {
            if (!(mask >> a & 1) || !(mask >> b & 1))
                continue;
            int64_t apart = distance(access, a, b), bytes = access->site->lane_bytes;
            if (apart <= -bytes || apart >= bytes)
                continue;
            uint32_t both = UINT32_C(1) << a | UINT32_C(1) << b;
            if (apart >= 0 ? bring_the_same(access, a, b, (unsigned)apart)
                           : bring_the_same(access, b, a, (unsigned)-apart))
                equal |= both;
            else
                different |= both;
        }
    clashes->different_lanes = different;
    clashes->equal_lanes = equal & ~different;
    clashes->different += (uint64_t)__builtin_popcount(different);
    clashes->equal += (uint64_t)__builtin_popcount(equal & ~different);
    if (different && !clashes->site)
        clashes->site = access->site;
}

void clashes_access(struct clashes *clashes, const struct access *access)
{
    clashes->different_lanes = clashes->equal_lanes = 0;
    uint32_t mask = access->mask & ~access->out_of_bounds, bytes = access->site->lane_bytes;
    uint64_t key = ((uint64_t)mask << 32 | bytes) ^ (uint64_t)access->pattern << 17;
    struct clash_memo *memo = &clashes->apart[(key * 0x9e3779b97f4a7c15u >> 32) % CLASH_MEMO];
    if (memo->bytes == bytes && memo->pattern == access->pattern && memo->mask == mask &&
        memo->generation == access->generation)
        return;
    if (are_apart(access, mask))
        *memo = (struct clash_memo){access->pattern, access->generation, mask, bytes};
    else
        count_meetings(clashes, access, mask);
}
