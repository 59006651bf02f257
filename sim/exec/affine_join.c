/* affine_join.c - registers whose lanes come from two places. */
#include "affine.h"

static const char why_joined[] = "this joins lanes that move differently";

static bool are_equal(const struct affine *f, const struct slope *x, const struct slope *y)
{
    for (int k = 0; k < TERMS; k++)
        if (x->at[k] != y->at[k] && (k >= AXES || f->region.axis[k].count > 1))
            return false;
    return true;
}

struct shadow affine_join(struct execution *e, const struct instruction *at, bool is_data,
                          const struct shadow *x, uint32_t lanes, const struct shadow *y, uint32_t others)
{
    const struct affine *f = e->affine;
    bool x_moves = lanes && affine_moves(f, x), y_moves = others && affine_moves(f, y);
    if (!x_moves && !y_moves)
        return (struct shadow){{{0}}, 0};
    if (!others || !lanes)
        return lanes ? *x : *y;
    if (are_equal(f, &x->slope, &y->slope))
        return (struct shadow){x->slope, (x->still & lanes) | (y->still & others)};
    if (is_data && !y_moves)
        return (struct shadow){x->slope, (x->still & lanes) | others};
    if (is_data && !x_moves)
        return (struct shadow){y->slope, (y->still & others) | lanes};
    affine_pin(e, at, &x->slope, why_joined);
    affine_pin(e, at, &y->slope, why_joined);
    return (struct shadow){{{0}}, 0};
}

void affine_assign(struct execution *e, const struct warp *warp, const struct instruction *at, unsigned r,
                   const struct shadow *fresh, unsigned kind)
{
    struct shadow *old = &affine_shadows(e, warp)[r];
    const struct value *value = &warp->registers[r];
    uint32_t others = warp->present & ~warp->active;
    unsigned old_kind = value->kind;
    if (!warp->active)
        return;
    if (value->kind == VALUE_UNSET || warp->active == warp_alive(warp)) {
        others = 0;
    } else if (value->kind == VALUE_PARTIAL) {
        others &= warp->partials[r].lanes;
        old_kind = warp->partials[r].kind;
    }
    bool is_data = kind == VALUE_DATA || old_kind == VALUE_DATA;
    *old = affine_join(e, at, is_data, fresh, warp->active, old, others);
}
