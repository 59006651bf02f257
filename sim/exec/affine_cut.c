/* affine_cut.c - how regions get smaller. */
#include "affine.h"

const char affine_why_other[] = "what this makes of blockIdx is no sum of its multiples";
enum { WORTH_A_SPLIT = 4 }; /* pieces */

static const char why_divided[] = "this divides blockIdx, of which the quotients are not even";

/* How many regions such a part leaves at least. */
static double pieces_of(const struct region *whole, const struct region *part)
{
    return (double)region_blocks(whole) / (double)region_blocks(part);
}

/* The region becomes this one. */
static void shrink(struct execution *e, const struct instruction *at, const struct region *part,
                   const char *why)
{
    struct affine *f = e->affine;
    double pieces = pieces_of(&f->region, part);
    if (pieces <= 1)
        return;
    f->changed = true;
    if (pieces > f->worst.pieces)
        f->worst = (struct region_cause){e->program->places[at->place], why, pieces};
    f->region = *part;
}

static struct region cut(const struct region *region, const struct slope *slope, int128 down, int128 up)
{
    struct region part = *region;
    int128 rising[AXES], falling[AXES];
    for (int k = 0; k < AXES; k++) {
        rising[k] = slope->at[k];
        falling[k] = -(int128)slope->at[k];
    }
    region_cut(&part, rising, up);
    region_cut(&part, falling, -down);
    return part;
}

void affine_bend(struct execution *e)
{
    e->affine->is_bent = e->affine->refused = true;
}

/* The same of the region's own axes. */
static void reach_of_axes(const struct region *r, const struct slope *slope, int128 *up, int128 *down)
{
    int128 rising[AXES], falling[AXES];
    *up = *down = 0;
    if (!region_is_banded(r)) { /* both at once: it is asked of every sum */
        for (int k = 0; k < AXES; k++) {
            if (!slope->at[k])
                continue;
            int128 far = (int128)slope->at[k] * (r->axis[k].count - 1);
            *(far > 0 ? up : down) += far > 0 ? far : -far;
        }
        return;
    }
    for (int k = 0; k < AXES; k++) {
        rising[k] = slope->at[k];
        falling[k] = -(int128)slope->at[k];
    }
    *up = region_most(r, rising);
    *down = region_most(r, falling);
}

void affine_reach(const struct affine *f, const struct slope *slope, int128 *up, int128 *down)
{
    reach_of_axes(&f->region, slope, up, down);
    for (unsigned t = AXES; t < f->numbering.terms; t++) { /* the first block may have any value of these */
        int128 before = (int128)slope->at[t] * f->terms[t];
        int128 behind = (int128)slope->at[t] * ((int64_t)f->numbering.extent[t] - 1 - f->terms[t]);
        *up += behind > 0 ? behind : before < 0 ? -before : 0;
        *down += before > 0 ? before : behind < 0 ? -behind : 0;
    }
}

/* Is a part of the region all that there is to choose? */
static bool is_bent(struct execution *e, const struct slope *slope)
{
    bool bent = numbering_is_bent(&e->affine->numbering, &e->affine->region, slope);
    if (bent)
        affine_bend(e);
    return bent;
}

/* Does the slope stay there by itself? */
static bool stays_within(const struct affine *f, const struct slope *slope, int128 down, int128 up)
{
    int128 most, least;
    affine_reach(f, slope, &most, &least);
    return most <= up && -least >= down;
}

void affine_keep(struct execution *e, const struct instruction *at, const struct slope *slope, int128 down,
                 int128 up, const char *why)
{
    if (stays_within(e->affine, slope, down, up) || is_bent(e, slope))
        return;
    struct region part = cut(&e->affine->region, slope, down, up);
    shrink(e, at, &part, why);
}

static struct region pinned(const struct region *region, const struct slope *slope)
{
    struct region part = *region;
    for (int k = 0; k < AXES; k++)
        if (slope->at[k])
            region_keep_one(&part, k);
    return part;
}

void affine_pin(struct execution *e, const struct instruction *at, const struct slope *slope, const char *why)
{
    if (is_bent(e, slope))
        return;
    struct region part = pinned(&e->affine->region, slope);
    shrink(e, at, &part, why);
}

/* The region with every so many-th block, so that the slope is a multiple of the divisor. */
static struct region thinned(const struct region *region, const struct slope *slope, int128 divisor)
{
    struct region part = *region;
    int128 every[AXES];
    for (int k = 0; k < AXES; k++) {
        int128 own = slope->at[k] < 0 ? -(int128)slope->at[k] : slope->at[k];
        every[k] = divisor / region_common_divisor(divisor, own % divisor);
    }
    region_thin(&part, every);
    return part;
}

/* The better of a part that keeps its steps and of one that does not: the run is then void. */
static void choose(struct execution *e, const struct instruction *at, const struct region *even,
                   const struct region *thin, const char *why)
{
    struct affine *f = e->affine;
    if (region_blocks(thin) <= region_blocks(even)) {
        shrink(e, at, even, why);
        return;
    }
    for (int k = 0; k < AXES; k++)
        f->again = f->again || thin->axis[k].step != f->region.axis[k].step;
    shrink(e, at, thin, why);
}

void affine_thin(struct execution *e, const struct instruction *at, const struct slope *slope, int128 divisor,
                 const char *why)
{
    bool whole = true;
    for (unsigned t = 0; t < TERMS; t++)
        whole = whole && slope->at[t] % divisor == 0;
    if (whole || is_bent(e, slope))
        return;
    struct region pin = pinned(&e->affine->region, slope);
    struct region thin = thinned(&e->affine->region, slope, divisor);
    choose(e, at, &pin, &thin, why);
}

static int128 floor_of(int128 value, int128 divisor)
{
    return value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor);
}

/* How far all lanes may move before the quotient of one changes. */
static void room_of(const int128 value[LANES], uint32_t lanes, int128 divisor, int128 *down, int128 *up)
{
    *down = -(divisor - 1);
    *up = divisor - 1;
    for (; lanes; lanes &= lanes - 1) {
        int128 v = value[__builtin_ctz(lanes)], rest = v - divisor * floor_of(v, divisor);
        *down = -rest > *down ? -rest : *down;
        *up = divisor - 1 - rest < *up ? divisor - 1 - rest : *up;
    }
}

static bool is_one_value(const int128 value[LANES], uint32_t lanes)
{
    int128 first = value[__builtin_ctz(lanes)];
    for (; lanes; lanes &= lanes - 1)
        if (value[__builtin_ctz(lanes)] != first)
            return false;
    return true;
}

void affine_divide(struct execution *e, const struct instruction *at, const int128 value[LANES],
                   uint32_t lanes, const struct slope *slope, int128 divisor, struct slope *quotient,
                   struct slope *remainder)
{
    struct affine *f = e->affine;
    struct region *region = &f->region;
    int128 down, up;
    room_of(value, lanes, divisor, &down, &up);
    for (int k = 0; k < TERMS; k++) {
        bool one = k < AXES && region->axis[k].count == 1;
        quotient->at[k] = one ? 0 : (int64_t)(slope->at[k] / divisor);
        remainder->at[k] = one ? 0 : (int64_t)(slope->at[k] % divisor);
    }
    if (stays_within(f, remainder, down, up) || is_bent(e, remainder))
        return;
    struct region even = cut(region, remainder, down, up), thin = thinned(region, remainder, divisor);
    const struct region *best = region_blocks(&thin) > region_blocks(&even) ? &thin : &even;
    if (f->may_split && pieces_of(region, best) > WORTH_A_SPLIT && is_one_value(value, lanes) &&
        numbering_split(&f->numbering, region, slope, value[__builtin_ctz(lanes)], divisor))
        f->split = f->again = true;
    else
        choose(e, at, &even, &thin, why_divided);
}

void affine_hold(struct execution *e, const struct instruction *at, const int128 value[LANES], uint32_t lanes,
                 const struct slope *slope, int128 divisor, const char *why)
{
    int128 down, up;
    room_of(value, lanes, divisor, &down, &up);
    affine_keep(e, at, slope, down, up, why);
}

bool affine_stay_near(struct execution *e, const struct instruction *at, const struct value *value,
                      uint32_t lanes, const struct slope *slope)
{
    const int128 end = ADDRESS_RANGE;
    int128 least = end, most = -end;
    for (; lanes; lanes &= lanes - 1) {
        int128 v = lanes_value(e, value, __builtin_ctz(lanes));
        least = v < least ? v : least;
        most = v > most ? v : most;
    }
    if (least < -end || most > end)
        return false;
    affine_keep(e, at, slope, -end - least, end - most, affine_why_other);
    return true;
}

bool affine_stay_natural(struct execution *e, const struct instruction *at, const struct value *value,
                         uint32_t lanes, const struct slope *slope)
{
    int64_t least = INT64_MAX;
    for (; lanes; lanes &= lanes - 1) {
        int64_t v = lanes_value(e, value, __builtin_ctz(lanes));
        least = v < least ? v : least;
    }
    if (least < 0)
        return false;
    affine_keep(e, at, slope, -(int128)least, (int128)INT64_MAX, "this number turns negative");
    return true;
}
