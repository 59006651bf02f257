/* numbering.h - another way to number the blocks of a grid.
 *
 * Kernels take block numbers apart: number % gridDim.y, number / gridDim.y, (bx + by) % gridDim.x. What comes
 * out is no sum of multiples of blockIdx, but it numbers the blocks just as well: each block has its own
 * quotient and remainder. A numbering takes such numbers for the axes of regions (region.h) in place of
 * blockIdx.
 *
 * It is made by splits, one after the other. A split has a form, a sum of multiples of terms, and a divisor:
 *
 *     base + form = divisor * quotient + rest
 *
 * Of the terms in the form some are replaced by the quotient, the rest or both, one to one over the whole
 * grid: either those that number all values of the form (x + gridDim.x * y), by both; or one that the rest
 * follows around a circle (x + y modulo gridDim.x), by the rest alone. Terms that are replaced are no axes
 * any more but stay known by this equation: sums in which they occur as in the form move evenly along the
 * axes.
 *
 * Terms 0 to 2 are the axes; those from AXES on are what was replaced, and quotients that go round. All are 0
 * in the grid's first block, or the equation says what they are. Pure arithmetic; nothing here fails.
 */
#ifndef LANESCOPE_EXEC_NUMBERING_H
#define LANESCOPE_EXEC_NUMBERING_H

#include "region.h"

enum { SPLITS = 2 };

struct numbering {
    struct split {
        int64_t form[TERMS], base, divisor;
        unsigned quotient, rest; /* terms */
        unsigned replaced;       /* terms, one bit each */
        bool goes_round;         /* the quotient is no axis */
    } split[SPLITS];
    unsigned splits, terms;
    unsigned builtin[AXES];  /* which terms blockIdx.x, y and z are */
    uint64_t extent[TERMS];  /* values each term has */
    unsigned depends[TERMS]; /* on which axes, one bit each */
    uint64_t tail;           /* so many rests belong to the last quotient; 0: as many as to the others */
};

struct numbering numbering_of_grid(const uint32_t grid[AXES]);

/* A division of base + the slope, over the blocks of this region, as a split more. False: it is none. */
bool numbering_split(struct numbering *numbering, const struct region *region, const struct slope *slope,
                     int128 base, int128 divisor);

/* The regions that all blocks lie in, one or two. */
unsigned numbering_start(const struct numbering *numbering, struct region start[2]);

/* What all terms are at this place along the axes. */
void numbering_terms(const struct numbering *numbering, const uint32_t at[AXES], int64_t value[TERMS]);

/* The block at this place along the axes. */
void numbering_block(const struct numbering *numbering, const uint32_t at[AXES], uint32_t block[AXES]);

/* A slope with terms that are no axes: without them, where the splits say how. */
void numbering_resolve(const struct numbering *numbering, const struct region *region, struct slope *slope);

/* Does a slope move by terms that are no axes? */
bool numbering_is_bent(const struct numbering *numbering, const struct region *region,
                       const struct slope *slope);

#endif
