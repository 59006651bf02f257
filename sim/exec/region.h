/* region.h - blocks that are run as one.
 *
 * A region is a box of blocks that lie evenly: along each axis of the grid those at first + i * step for i in
 * [0, count). Its first block is its lowest. Where all blocks of a region do the same, access by access, but
 * for addresses that move evenly from one block to the next, one of them stands for all: exec.h runs it.
 *
 * A band keeps, of the steps along two axes, those that differ by no more than so much: the blocks on one
 * side of a diagonal, or on it. Counts and bounds of a region are tight: each axis and the band reach their
 * ends, so that the first blocks of all axes are one block of the region.
 *
 * A slope says how far something moves with each step along an axis. Along an axis with one block nothing
 * moves, whatever the slope says.
 *
 * Pure arithmetic; nothing here fails.
 */
#ifndef LANESCOPE_EXEC_REGION_H
#define LANESCOPE_EXEC_REGION_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef __int128 int128;

/* The axes of a region: x, y and z, or others that number its blocks; and more of which sums may be made
 * (numbering.h). */
enum { AXES = 3, TERMS = AXES + 5 };

struct region {
    struct axis {
        uint32_t first, step, count; /* count >= 1, step >= 1 */
    } axis[AXES];
    struct band {
        int64_t low, high; /* steps along a less those along b; low <= 0 <= high */
        uint8_t a, b;      /* a < b; both 0: there is none */
    } band;
};

struct slope {
    int64_t at[TERMS]; /* of accesses 0 from AXES on */
};

/* How an access of a region moves (struct access, exec.h). */
struct motion {
    const struct region *region;
    struct slope address;
    struct slope data[4]; /* stores, where values are tracked: each component's tokens */
    uint32_t still[4];    /* lanes whose token does not move with them */
};

struct region region_of_grid(const uint32_t grid[3]);

static inline bool region_is_banded(const struct region *r)
{
    return r->band.b != 0;
}

/* How many pairs of i < n and j < m have i - j in [low, high]; it fits. */
uint64_t region_band_points(uint64_t n, uint64_t m, int128 low, int128 high);

/* At most 2^31 * 2^16 * 2^16 blocks: what a launch may have fits. */
uint64_t region_blocks(const struct region *r);

/* The last block, x fastest. */
void region_last(const struct region *r, uint32_t block[AXES]);

/* Does a slope move anything in this region? */
static inline bool region_moves(const struct region *r, const struct slope *slope)
{
    return (slope->at[0] && r->axis[0].count > 1) || (slope->at[1] && r->axis[1].count > 1) ||
           (slope->at[2] && r->axis[2].count > 1);
}

/* Of two that are not negative. */
static inline int128 region_common_divisor(int128 a, int128 b)
{
    while (b) {
        int128 rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The most that sums of these slopes, as many blocks along as there are, come to; at least 0. */
int128 region_most(const struct region *r, const int128 slope[AXES]);

/* Drops blocks, the upper ones, until the most is at most `most` (>= 0): by a band where that is what the
 * slopes ask for and a box would lose more than half; else from the axis first that costs the fewest. */
void region_cut(struct region *r, const int128 slope[AXES], int128 most);

/* Keeps one block of an axis: the first. */
void region_keep_one(struct region *r, int axis);

/* Keeps every so many-th block of each axis, from the first on; of axes with a band, as many of both. */
void region_thin(struct region *r, const int128 every[AXES]);

/* The blocks of `whole` that are not in `part`, which has the same first block and was made of it by cutting
 * and thinning: as disjoint regions, at most `room` of them. Returns how many, or more than `room`: they are
 * not all there. */
uint64_t region_rest(const struct region *whole, const struct region *part, struct region *out,
                     uint64_t room);

/* Does the first block of `a` run before that of `b`, x fastest? */
bool region_is_before(const struct region *a, const struct region *b);

#endif
