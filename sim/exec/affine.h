/* affine.h - how values move from block to block of a region. Inside exec.
 *
 * While the first block of a region runs, each register has a shadow beside its value: the slope by which the
 * values of all its lanes move. blockIdx.x moves by the region's step along x, and so on; a sum moves by the
 * sum of the slopes. What is not the same, up to such a move, in all blocks of the region makes the region
 * smaller, and is noted: a comparison is kept as it came out by dropping the blocks where it comes out
 * otherwise; a division by a number keeps the quotient or, if that costs fewer regions, every so many-th
 * block, of which the quotients lie evenly; what no rule covers stays as it is because all blocks along the
 * axes that move it are dropped but one. That is always right, and may leave a single block.
 *
 * So when a run ends, every branch was taken, every access made and every finding found by the same lanes in
 * all blocks that the region still has. A region that was thinned has other slopes: the run is void and
 * begins anew.
 *
 * Values of lanes that a block has (present) are followed whether they are active or not; masks of branches
 * and of accesses for active lanes.
 *
 * Data moves too, where values are tracked. Lanes that joined from several registers may then be `still`:
 * constants beside elements of a matrix.
 */
#ifndef LANESCOPE_EXEC_AFFINE_H
#define LANESCOPE_EXEC_AFFINE_H

#include "numbering.h"
#include "lanes.h"
#include "region.h"

struct shadow {
    struct slope slope;
    uint32_t still; /* of data: lanes that do not move; 0 for numbers and pointers */
};

struct affine {
    struct region region;
    bool again;   /* thinned: the run is void */
    bool changed; /* smaller than when the run began */
    bool refused; /* blocks depend on each other: `worst` says where */
    bool follows_data;
    struct numbering numbering;
    int64_t terms[TERMS]; /* in the region's first block */
    bool may_split;       /* the numbering, in the first region's first run */
    bool split;           /* it was: the run is void */
    bool is_bent;         /* it does not do: refused */
    struct region_cause worst;
    struct shadow *shadows; /* one a register of each warp */
    struct slope *granules; /* one a granule of shared memory whose contents are kept; or NULL */
    struct motion motion;   /* of the running access */
};

/* affine.c: beside an execution that has none. */
struct affine *affine_new(const struct execution *e);
void affine_free(struct affine *f);
/* affine.c: the first block of this region is about to run. */
void affine_begin(struct execution *e, const struct region *region);

static inline struct shadow *affine_shadows(const struct execution *e, const struct warp *warp)
{
    return e->affine->shadows + (size_t)warp->index * e->program->register_count;
}

static inline bool affine_moves(const struct affine *f, const struct shadow *s)
{
    return region_moves(&f->region, &s->slope) ||
           (f->numbering.terms > AXES && numbering_is_bent(&f->numbering, &f->region, &s->slope));
}

/* affine_cut.c: how regions get smaller. `why` is what the cause says. What moves by terms of the numbering
 * that are no axes makes nothing smaller: the numbering does not do. */
void affine_bend(struct execution *e);
/* The most and the least that blocks of the region lie apart, by a slope; at least 0 each. */
void affine_reach(const struct affine *f, const struct slope *slope, int128 *up, int128 *down);

/* Blocks in which sums of the slope leave [down, up] are dropped; down <= 0 <= up. */
void affine_keep(struct execution *e, const struct instruction *at, const struct slope *slope, int128 down,
                 int128 up, const char *why);
/* All blocks are dropped but one along the axes that move it. */
void affine_pin(struct execution *e, const struct instruction *at, const struct slope *slope,
                const char *why);
/* Every so many-th block stays where the slope is no multiple of `divisor`, or, if that leaves more, one. */
void affine_thin(struct execution *e, const struct instruction *at, const struct slope *slope, int128 divisor,
                 const char *why);
/* value / divisor, rounded down, of the lanes: its slope into `quotient`, that of the remainder into
 * `remainder`. */
void affine_divide(struct execution *e, const struct instruction *at, const int128 value[LANES],
                   uint32_t lanes, const struct slope *slope, int128 divisor, struct slope *quotient,
                   struct slope *remainder);
/* The same where the quotient must not move at all. */
void affine_hold(struct execution *e, const struct instruction *at, const int128 value[LANES], uint32_t lanes,
                 const struct slope *slope, int128 divisor, const char *why);
/* Blocks in which a lane of these falls below 0 are dropped. False: one of the first block is below it. */
bool affine_stay_natural(struct execution *e, const struct instruction *at, const struct value *value,
                         uint32_t lanes, const struct slope *slope);

/* Blocks in which a lane of these lies 2^62 or more from 0 are dropped. False: one of the first block does.
 */
bool affine_stay_near(struct execution *e, const struct instruction *at, const struct value *value,
                      uint32_t lanes, const struct slope *slope);

extern const char affine_why_other[];

/* affine_number.c: the shadow of an instruction's result, of numbers. Unary instructions have no b. */
struct shadow affine_arithmetic(struct execution *e, const struct warp *warp, const struct instruction *at,
                                const struct value *a, const struct value *b, const struct shadow *x,
                                const struct shadow *y);
/* affine_compare.c: a comparison is to come out in these lanes as it does in the first block. `op`: OP_LT and
 * so on; b NULL: with 0. */
void affine_compare(struct execution *e, const struct instruction *at, enum opcode op, uint32_t lanes,
                    const struct value *a, const struct value *b, const struct shadow *x,
                    const struct shadow *y);

/* affine_join.c: what lanes hold that get it from two places: x in `lanes`, y in `others`. */
struct shadow affine_join(struct execution *e, const struct instruction *at, bool is_data,
                          const struct shadow *x, uint32_t lanes, const struct shadow *y, uint32_t others);
/* affine_join.c: partial.c's assignment to register r, about to happen. `kind` of the fresh value. */
void affine_assign(struct execution *e, const struct warp *warp, const struct instruction *at, unsigned r,
                   const struct shadow *fresh, unsigned kind);

/* affine_memory.c: a LOAD, a STORE or an ATOMIC, about to run. */
void affine_access(struct execution *e, const struct warp *warp, const struct instruction *at);

/* affine_step.c: what any instruction does to the shadows, just before it runs. False: the run ends here. */
bool affine_step(struct execution *e, const struct warp *warp, const struct instruction *at);

#endif
