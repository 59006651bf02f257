/* region.c - boxes of blocks. */
#include "region.h"

struct region region_of_grid(const uint32_t grid[3])
{
    struct region r = {0};
    for (int k = 0; k < AXES; k++)
        r.axis[k] = (struct axis){0, 1, grid[k]};
    return r;
}

static int128 least_of(int128 a, int128 b)
{
    return a < b ? a : b;
}

static int128 greatest_of(int128 a, int128 b)
{
    return a > b ? a : b;
}

/* Pairs of i < n and j < m with i - j <= high. */
static int128 points_up_to(int128 n, int128 m, int128 high)
{
    int128 from = greatest_of(0, -high);                        /* a row of them: j */
    int128 full = least_of(m, greatest_of(from, n - 1 - high)); /* from there on all i */
    if (from >= m)
        return 0;
    return (full - from) * (2 * high + from + full + 1) / 2 + (m - full) * n;
}

uint64_t region_band_points(uint64_t n, uint64_t m, int128 low, int128 high)
{
    low = greatest_of(low, -(int128)m); /* what lies beyond makes no difference */
    high = least_of(high, (int128)n);
    return low > high ? 0 : (uint64_t)(points_up_to(n, m, high) - points_up_to(n, m, low - 1));
}

uint64_t region_blocks(const struct region *r)
{
    if (!region_is_banded(r))
        return (uint64_t)r->axis[0].count * r->axis[1].count * r->axis[2].count;
    return region_band_points(r->axis[r->band.a].count, r->axis[r->band.b].count, r->band.low, r->band.high) *
           r->axis[AXES - r->band.a - r->band.b].count;
}

void region_last(const struct region *r, uint32_t block[AXES])
{
    int64_t last[AXES];
    for (int k = 0; k < AXES; k++)
        last[k] = (int64_t)r->axis[k].count - 1;
    if (region_is_banded(r) && last[r->band.a] > last[r->band.b] + r->band.high)
        last[r->band.a] = last[r->band.b] + r->band.high;
    for (int k = 0; k < AXES; k++)
        block[k] = r->axis[k].first + r->axis[k].step * (uint32_t)last[k];
}

/* Counts that the band reaches, and bounds that the counts do. The first block is one of the region's. */
static void tighten(struct region *r)
{
    struct axis *a = &r->axis[r->band.a], *b = &r->axis[r->band.b];
    struct band *band = &r->band;
    if (!region_is_banded(r))
        return;
    int64_t i = (int64_t)a->count - 1, j = (int64_t)b->count - 1;
    i = i < j + band->high ? i : j + band->high;
    j = j < i - band->low ? j : i - band->low;
    a->count = (uint32_t)i + 1;
    b->count = (uint32_t)j + 1;
    band->low = band->low > -j ? band->low : -j;
    band->high = band->high < i ? band->high : i;
    if (band->low == -j && band->high == i)
        *band = (struct band){0};
}

/* The same where the first block may be none of the region's. False: no block is. */
static bool settle(struct region *r)
{
    struct axis *a = &r->axis[r->band.a], *b = &r->axis[r->band.b];
    struct band *band = &r->band;
    if (!region_is_banded(r))
        return true;
    int64_t i = band->low > 0 ? band->low : 0, j = band->high < 0 ? -band->high : 0;
    if (band->low > band->high || i >= a->count || j >= b->count)
        return false;
    a->first += a->step * (uint32_t)i;
    b->first += b->step * (uint32_t)j;
    a->count -= (uint32_t)i;
    b->count -= (uint32_t)j;
    band->low += j - i;
    band->high += j - i;
    tighten(r);
    return true;
}

/* What an axis adds to the most. */
static int128 most_of(const struct axis *axis, int128 slope)
{
    return slope > 0 ? slope * (int128)(axis->count - 1) : 0;
}

/* The most of two axes with a band: at one of its corners. */
static int128 most_of_band(const struct region *r, const int128 slope[AXES])
{
    const struct band *band = &r->band;
    int128 i = (int128)r->axis[band->a].count - 1, j = (int128)r->axis[band->b].count - 1, most = 0;
    const int128 corners[][2] = {{0, least_of(j, -band->low)},       {i, greatest_of(0, i - band->high)},
                                 {i, least_of(j, i - band->low)},    {least_of(i, band->high), 0},
                                 {greatest_of(0, j + band->low), j}, {least_of(i, j + band->high), j}};
    for (unsigned c = 0; c < sizeof corners / sizeof *corners; c++)
        most = greatest_of(most, slope[band->a] * corners[c][0] + slope[band->b] * corners[c][1]);
    return most;
}

int128 region_most(const struct region *r, const int128 slope[AXES])
{
    bool banded = region_is_banded(r);
    int128 most = banded ? most_of_band(r, slope) : 0;
    for (int k = 0; k < AXES; k++)
        most += banded && (k == r->band.a || k == r->band.b) ? 0 : most_of(&r->axis[k], slope[k]);
    return most;
}

static struct region with_count(const struct region *r, int k, uint32_t count)
{
    struct region part = *r;
    part.axis[k].count = count;
    tighten(&part);
    return part;
}

/* How many blocks of axis k may stay where it alone is cut; 0: that does not do. */
static int128 stays(const struct region *r, const int128 slope[AXES], int128 most, int k)
{
    int128 own = most_of(&r->axis[k], slope[k]) - (region_most(r, slope) - most);
    if (!region_is_banded(r) || slope[k] <= 0)
        return slope[k] > 0 && own >= 0 ? own / slope[k] + 1 : 0;
    uint32_t some = 0, more = r->axis[k].count; /* what a band leaves is no sum of the axes: halve */
    while (more - some > 1) {
        struct region part = with_count(r, k, some + (more - some) / 2);
        *(region_most(&part, slope) <= most ? &some : &more) = some + (more - some) / 2;
    }
    return some;
}

static void cut_axes(struct region *r, const int128 slope[AXES], int128 most)
{
    while (region_most(r, slope) > most) {
        int best = -1, steepest = 0;
        int128 left = 0;
        for (int k = 0; k < AXES; k++) {
            int128 count = stays(r, slope, most, k);
            /* count / r->axis[k].count > left / r->axis[best].count */
            if (count && (best < 0 || count * r->axis[best].count > left * r->axis[k].count)) {
                best = k;
                left = count;
            }
            if (most_of(&r->axis[k], slope[k]) > most_of(&r->axis[steepest], slope[steepest]))
                steepest = k;
        }
        *r = best >= 0 ? with_count(r, best, (uint32_t)left) : with_count(r, steepest, 1);
    }
}

/* Do these slopes move by the difference of two axes, which may have a band? */
static bool is_difference(const struct region *r, const int128 slope[AXES], int *a, int *b)
{
    int moving = 0;
    for (int k = 0; k < AXES; k++) {
        if (!slope[k] || r->axis[k].count == 1)
            continue;
        *(moving ? b : a) = k;
        moving++;
    }
    return moving == 2 && slope[*a] + slope[*b] == 0 &&
           (!region_is_banded(r) || (r->band.a == *a && r->band.b == *b));
}

void region_cut(struct region *r, const int128 slope[AXES], int128 most)
{
    int a = 0, b = 0;
    struct region box = *r;
    if (region_most(r, slope) <= most)
        return;
    cut_axes(&box, slope, most);
    if (!is_difference(r, slope, &a, &b) || region_blocks(&box) > region_blocks(r) / 2) {
        *r = box;
        return;
    }
    if (!region_is_banded(r))
        r->band = (struct band){1 - (int64_t)r->axis[b].count, (int64_t)r->axis[a].count - 1, (uint8_t)a,
                                (uint8_t)b};
    if (slope[a] > 0)
        r->band.high = (int64_t)least_of(r->band.high, most / slope[a]);
    else
        r->band.low = (int64_t)greatest_of(r->band.low, -(most / slope[b]));
    tighten(r);
}

void region_keep_one(struct region *r, int axis)
{
    r->axis[axis].count = 1;
    tighten(r);
}

/* Every so many-th block of an axis, from block `from` on. False: there is none. */
static bool thin_axis(struct axis *axis, int128 every, uint32_t from)
{
    if (from >= axis->count)
        return false;
    uint32_t count = (uint32_t)((axis->count - 1 - from) / every + 1);
    axis->first += axis->step * from;
    axis->step *= count > 1 ? (uint32_t)every : 1;
    axis->count = count;
    return true;
}

static int128 rounded_down(int128 value, int128 divisor)
{
    return value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor);
}

/* Both axes with a band, from blocks `from_a` and `from_b` on. False: there is none. */
static bool thin_band(struct region *r, int128 every, uint32_t from_a, uint32_t from_b)
{
    struct band *band = &r->band;
    int128 shift = (int128)from_b - from_a;
    if (!thin_axis(&r->axis[band->a], every, from_a) || !thin_axis(&r->axis[band->b], every, from_b))
        return false;
    band->low = (int64_t)-rounded_down(-(band->low + shift), every);
    band->high = (int64_t)rounded_down(band->high + shift, every);
    return settle(r);
}

void region_thin(struct region *r, const int128 every[AXES])
{
    struct region before = *r;
    if (region_is_banded(r)) {
        int128 a = every[r->band.a], b = every[r->band.b];
        (void)thin_band(r, a / region_common_divisor(a, b) * b, 0, 0);
    }
    for (int k = 0; k < AXES; k++)
        if (!region_is_banded(&before) || (k != before.band.a && k != before.band.b))
            (void)thin_axis(&r->axis[k], every[k], 0);
}

/* The pieces of a region that were left over. */
struct rest {
    struct region *out;
    uint64_t room, used;
};

static void leave(struct rest *rest, struct region piece)
{
    if (rest->used > rest->room || !settle(&piece))
        return;
    for (int k = 0; k < AXES; k++)
        piece.axis[k].step = piece.axis[k].count == 1 ? 1 : piece.axis[k].step;
    if (rest->used < rest->room)
        rest->out[rest->used] = piece;
    rest->used++;
}

/* Leaves all blocks from `from` on along an axis. */
static void leave_upper(struct rest *rest, struct region *now, int k, uint32_t from)
{
    struct region piece = *now;
    if (from >= now->axis[k].count)
        return;
    piece.axis[k].first += piece.axis[k].step * from;
    piece.axis[k].count -= from;
    if (region_is_banded(&piece) && (k == piece.band.a || k == piece.band.b)) {
        int64_t shift = k == piece.band.a ? -(int64_t)from : (int64_t)from;
        piece.band.low += shift;
        piece.band.high += shift;
    }
    leave(rest, piece);
    now->axis[k].count = from;
    tighten(now);
}

/* How many steps of the whole are one of the part. */
static uint32_t steps_of(const struct region *whole, const struct region *part, int k)
{
    return part->axis[k].count > 1 ? part->axis[k].step / whole->axis[k].step : 1;
}

/* Leaves the blocks between those that stay. Where there is a band, the part was thinned along both axes
 * alike: before the band was gone, or it would not be there. */
static void leave_between(struct rest *rest, struct region *now, const struct region *part)
{
    struct region whole = *now;
    uint64_t both = region_is_banded(now) ? steps_of(now, part, now->band.a) : 1;
    for (uint64_t i = 0; both > 1 && i < both * both && rest->used <= rest->room; i++) {
        struct region piece = whole;
        if (!thin_band(&piece, both, (uint32_t)(i / both), (uint32_t)(i % both)))
            continue;
        if (i)
            leave(rest, piece);
        else
            *now = piece;
    }
    for (int k = 0; k < AXES; k++) {
        uint64_t every = steps_of(now, part, k);
        struct axis axis = now->axis[k];
        for (uint64_t i = 1; i < every && rest->used <= rest->room; i++) {
            struct region piece = *now;
            if (thin_axis(&piece.axis[k], every, (uint32_t)i))
                leave(rest, piece);
        }
        if (every > 1 && thin_axis(&axis, every, 0))
            now->axis[k] = axis;
    }
}

/* Leaves what lies on either side of the part's band. */
static void leave_sides(struct rest *rest, const struct region *now, const struct region *part)
{
    struct region below = *now, above = *now;
    int a = part->band.a, b = part->band.b;
    if (!region_is_banded(part))
        return;
    if (!region_is_banded(now))
        below.band = above.band = (struct band){1 - (int64_t)now->axis[b].count,
                                                (int64_t)now->axis[a].count - 1, (uint8_t)a, (uint8_t)b};
    below.band.high = part->band.low - 1;
    above.band.low = part->band.high + 1;
    leave(rest, below);
    leave(rest, above);
}

uint64_t region_rest(const struct region *whole, const struct region *part, struct region *out, uint64_t room)
{
    struct rest rest = {out, room, 0};
    struct region now = *whole;
    for (int k = 0; k < AXES; k++)
        leave_upper(&rest, &now, k, (part->axis[k].count - 1) * steps_of(&now, part, k) + 1);
    leave_between(&rest, &now, part);
    leave_sides(&rest, &now, part);
    return rest.used;
}

bool region_is_before(const struct region *a, const struct region *b)
{
    for (int k = AXES - 1; k >= 0; k--)
        if (a->axis[k].first != b->axis[k].first)
            return a->axis[k].first < b->axis[k].first;
    return false;
}
