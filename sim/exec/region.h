/* region.h - blocks that are run as one.
 *
 * A region is a box of blocks that lie evenly: along each axis of the grid those at first + i * step for i in
 * [0, count). Its first block is its lowest. Where all blocks of a region do the same, access by access, but
 * for addresses that move evenly from one block to the next, one of them stands for all: exec.h runs it.
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

enum { AXES = 3 }; /* x, y, z */

struct region {
    struct axis {
        uint32_t first, step, count; /* count >= 1, step >= 1 */
    } axis[AXES];
};

struct slope {
    int64_t at[AXES];
};

/* How an access of a region moves (struct access, exec.h). */
struct motion {
    const struct region *region;
    struct slope address;
    struct slope data[4]; /* stores, where values are tracked: each component's tokens */
    uint32_t still[4];    /* lanes whose token does not move with them */
};

struct region region_of_grid(const uint32_t grid[3]);

/* At most 2^31 * 2^16 * 2^16 blocks: what a launch may have fits. */
static inline uint64_t region_blocks(const struct region *r)
{
    return (uint64_t)r->axis[0].count * r->axis[1].count * r->axis[2].count;
}

/* Does a slope move anything in this region? */
static inline bool region_moves(const struct region *r, const struct slope *slope)
{
    return (slope->at[0] && r->axis[0].count > 1) || (slope->at[1] && r->axis[1].count > 1) ||
           (slope->at[2] && r->axis[2].count > 1);
}

/* The most that sums of these slopes, as many blocks along as there are, come to; at least 0. */
int128 region_most(const struct region *r, const int128 slope[AXES]);

/* Drops blocks, the upper ones, until the most is at most `most` (>= 0): the axis first that costs the
 * fewest. */
void region_cut(struct region *r, const int128 slope[AXES], int128 most);

/* Keeps every so many-th block of each axis, from the first on. */
void region_thin(struct region *r, const int128 every[AXES]);

/* The blocks of `whole` that are not in `part`, which has the same first block and was made of it by cutting
 * and thinning: as disjoint regions, at most `room` of them. Returns how many, or more than `room`: they are
 * not all there. */
uint64_t region_rest(const struct region *whole, const struct region *part, struct region *out,
                     uint64_t room);

/* Does the first block of `a` run before that of `b`, x fastest? */
bool region_is_before(const struct region *a, const struct region *b);

#endif
