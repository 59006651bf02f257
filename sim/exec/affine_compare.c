/* affine_compare.c - comparisons that come out the same in all blocks. */
#include "affine.h"

static const char why_compared[] = "this comparison comes out differently";

/* How far differences may fall and rise before a comparison of one comes out otherwise. */
struct room {
    int128 down, up;
    bool none;
};

static void add_lane(struct room *room, enum opcode op, int128 difference)
{
    int128 below = op == OP_LE ? 1 : 0; /* it holds for differences less than this */
    if (op == OP_EQ || op == OP_NE) {
        if (difference == 0)
            room->none = true;
        below = difference < 0 ? 0 : 1;
    }
    if (difference < below)
        room->up = below - 1 - difference < room->up ? below - 1 - difference : room->up;
    else
        room->down = below - difference > room->down ? below - difference : room->down;
}

static struct slope difference_of(const struct slope *x, const struct slope *y, bool *fits)
{
    struct slope s;
    *fits = true;
    for (int k = 0; k < TERMS; k++)
        *fits = !__builtin_sub_overflow(x->at[k], y->at[k], &s.at[k]) && *fits;
    return s;
}

/* Unsigned numbers of 64 bits compare as signed ones do as long as they are small. */
static bool are_natural(struct execution *e, const struct instruction *at, uint32_t lanes,
                        const struct value *a, const struct value *b, const struct shadow *x,
                        const struct shadow *y)
{
    return affine_stay_natural(e, at, a, lanes, &x->slope) && affine_stay_natural(e, at, b, lanes, &y->slope);
}

/* The usual case, told from the ends of the lanes' differences: they stay on one side. */
static bool is_settled(struct execution *e, const struct instruction *at, enum opcode op,
                       const struct value *a, const struct value *b, const struct slope *slope)
{
    bool equal = op == OP_EQ || op == OP_NE;
    struct range x, y;
    int128 rise, fall, below = op == OP_LE ? 1 : 0;
    if ((at->kind == NUMBER_U64 && !equal) || !lanes_range(e, a->base, a->pattern, &x) ||
        !lanes_range(e, b->base, b->pattern, &y))
        return false;
    affine_reach(e->affine, slope, &rise, &fall);
    int128 low = (int128)x.low - y.high - fall, high = (int128)x.high - y.low + rise;
    return high < below || low >= below + (equal ? 1 : 0);
}

void affine_compare(struct execution *e, const struct instruction *at, enum opcode op, uint32_t lanes,
                    const struct value *a, const struct value *b, const struct shadow *x,
                    const struct shadow *y)
{
    static const struct value zero = {.kind = VALUE_NUMBER};
    static const struct shadow still;
    b = b ? b : &zero;
    y = b == &zero ? &still : y;
    if (!lanes || (!affine_moves(e->affine, x) && !affine_moves(e->affine, y)))
        return;
    bool fits;
    struct slope slope = difference_of(&x->slope, &y->slope, &fits);
    if (fits && is_settled(e, at, op, a, b, &slope))
        return;
    struct room room = {.down = -((int128)1 << 100), .up = (int128)1 << 100};
    if (at->kind == NUMBER_U64 && op != OP_EQ && op != OP_NE && !are_natural(e, at, lanes, a, b, x, y))
        fits = false;
    for (; lanes && fits; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        add_lane(&room, op, (int128)lanes_value(e, a, lane) - lanes_value(e, b, lane));
    }
    if (!fits) {
        affine_pin(e, at, &x->slope, affine_why_other);
        affine_pin(e, at, &y->slope, affine_why_other);
    } else if (room.none) {
        affine_keep(e, at, &slope, 0, 0, why_compared);
    } else {
        affine_keep(e, at, &slope, room.down, room.up, why_compared);
    }
}
