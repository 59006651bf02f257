/* region.c - boxes of blocks. */
#include "region.h"

struct region region_of_grid(const uint32_t grid[3])
{
    struct region r;
    for (int k = 0; k < AXES; k++)
        r.axis[k] = (struct axis){0, 1, grid[k]};
    return r;
}

/* What an axis adds to the most. */
static int128 most_of(const struct axis *axis, int128 slope)
{
    return slope > 0 ? slope * (int128)(axis->count - 1) : 0;
}

int128 region_most(const struct region *r, const int128 slope[AXES])
{
    int128 most = 0;
    for (int k = 0; k < AXES; k++)
        most += most_of(&r->axis[k], slope[k]);
    return most;
}

/* How many blocks of axis k may stay where it alone is cut; 0: that does not do. */
static int128 stays(const struct region *r, const int128 slope[AXES], int128 excess, int k)
{
    int128 own = most_of(&r->axis[k], slope[k]) - excess;
    return slope[k] > 0 && own >= 0 ? own / slope[k] + 1 : 0;
}

void region_cut(struct region *r, const int128 slope[AXES], int128 most)
{
    for (int128 excess; (excess = region_most(r, slope) - most) > 0;) {
        int best = -1, steepest = 0;
        int128 left = 0;
        for (int k = 0; k < AXES; k++) {
            int128 count = stays(r, slope, excess, k);
            /* count / r->axis[k].count > left / r->axis[best].count */
            if (count && (best < 0 || count * r->axis[best].count > left * r->axis[k].count)) {
                best = k;
                left = count;
            }
            if (most_of(&r->axis[k], slope[k]) > most_of(&r->axis[steepest], slope[steepest]))
                steepest = k;
        }
        if (best >= 0)
            r->axis[best].count = (uint32_t)left;
        else
            r->axis[steepest].count = 1;
    }
}

void region_thin(struct region *r, const int128 every[AXES])
{
    for (int k = 0; k < AXES; k++) {
        struct axis *axis = &r->axis[k];
        if (every[k] >= (int128)axis->count) {
            axis->count = 1;
        } else {
            axis->count = (uint32_t)((axis->count - 1) / (uint64_t)every[k] + 1);
            axis->step *= (uint32_t)every[k];
        }
    }
}

/* Blocks of an axis left over by part: those behind its last, and those between its blocks. */
static uint64_t rest_of_axis(const struct region *whole, const struct region *part, int k, struct region *out,
                             uint64_t room, uint64_t used)
{
    const struct axis *all = &whole->axis[k], *kept = &part->axis[k];
    uint64_t every = kept->count > 1 ? kept->step / all->step : 1;
    struct region piece = *whole;
    for (int j = 0; j < k; j++)
        piece.axis[j] = part->axis[j];
    for (uint64_t i = 0; i < every && used <= room; i++) {
        uint64_t from = i ? i : every * kept->count;
        if (from >= all->count)
            continue;
        piece.axis[k] =
            (struct axis){(uint32_t)(all->first + from * all->step), (uint32_t)(all->step * every),
                          (uint32_t)((all->count - 1 - from) / every + 1)};
        if (piece.axis[k].count == 1)
            piece.axis[k].step = 1;
        if (used < room)
            out[used] = piece;
        used++;
    }
    return used;
}

uint64_t region_rest(const struct region *whole, const struct region *part, struct region *out, uint64_t room)
{
    uint64_t used = 0;
    for (int k = 0; k < AXES && used <= room; k++)
        if (part->axis[k].count < whole->axis[k].count)
            used = rest_of_axis(whole, part, k, out, room, used);
    return used;
}

bool region_is_before(const struct region *a, const struct region *b)
{
    for (int k = AXES - 1; k >= 0; k--)
        if (a->axis[k].first != b->axis[k].first)
            return a->axis[k].first < b->axis[k].first;
    return false;
}
