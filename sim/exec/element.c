#include "element.h"

#include "lanes.h"
#include "refuse.h"

/* The lanes of `left`, which is not 0, that have the same index as its first one; that index. */
static uint32_t same_index(const struct execution *e, const struct value *index, uint32_t left,
                           int64_t *which)
{
    uint32_t same = 0;
    *which = lanes_value(e, index, __builtin_ctz(left));
    if (!index->pattern)
        return left;
    for (uint32_t lanes = left; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        same |= (uint32_t)(lanes_value(e, index, lane) == *which) << lane;
    }
    return same;
}

/* Does `step` for each index that active lanes have, with just those lanes active. */
static bool for_each_index(struct execution *e, struct warp *warp, const struct instruction *at,
                           bool (*step)(struct execution *, struct warp *, const struct instruction *,
                                        unsigned))
{
    struct value index;
    if (!warp->active)
        return true;
    if (!partial_settle(e, warp, at, at->a, &index))
        return false;
    if (index.kind == VALUE_DATA)
        return refuse_data(e, warp, at, "the index of this local array", &index);
    if (index.kind != VALUE_NUMBER)
        return execution_fail(e, at, "the index of this local array has no value yet");
    uint32_t active = warp->active;
    bool ok = true;
    for (uint32_t left = active; ok && left;) {
        int64_t which;
        warp->active = same_index(e, &index, left, &which);
        if (warp->active != active && !e->local_array.place.source)
            e->local_array = (struct local_array){.place = e->program->places[at->place],
                                                  .block = {e->block[0], e->block[1], e->block[2]}};
        left &= ~warp->active;
        if (which < 0 || which > (int64_t)at->extra)
            ok = execution_fail(e, at, "this index lies outside its local array");
        else
            ok = step(e, warp, at, (unsigned)which);
    }
    warp->active = active;
    return ok;
}

static bool pick(struct execution *e, struct warp *warp, const struct instruction *at, unsigned index)
{
    struct value value;
    if (!partial_settle(e, warp, at, at->b + index, &value))
        return false;
    if (value.kind == VALUE_UNSET)
        return execution_fail(e, at, "this element is used before it has a value");
    return partial_assign(e, warp, at, &value);
}

bool element_pick(struct execution *e, struct warp *warp, const struct instruction *at)
{
    warp->registers[at->dst] = (struct value){.kind = VALUE_UNSET};
    if (!warp->active)
        warp->registers[at->dst] = data_computed();
    return for_each_index(e, warp, at, pick);
}

static bool put(struct execution *e, struct warp *warp, const struct instruction *at, unsigned index)
{
    struct instruction own = *at;
    struct value value;
    own.dst = (uint16_t)(at->dst + index);
    if (!partial_settle(e, warp, at, at->b, &value))
        return false;
    if (value.kind == VALUE_UNSET)
        return execution_fail(e, at, "what is stored here has no value yet");
    return partial_assign(e, warp, &own, &value);
}

bool element_put(struct execution *e, struct warp *warp, const struct instruction *at)
{
    return for_each_index(e, warp, at, put);
}
