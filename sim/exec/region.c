/* region.c - conditions that only data knows, where no memory hangs on them. */
#include "region.h"

#include "mask.h"
#include "refuse.h"

const struct region *region_of(const struct execution *e, const struct instruction *at)
{
    const struct region *regions = e->program->regions;
    uint32_t branch = (uint32_t)(at - e->program->code);
    size_t low = 0, high = e->program->region_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (regions[middle].branch < branch)
            low = middle + 1;
        else
            high = middle;
    }
    return low < e->program->region_count && regions[low].branch == branch ? &regions[low] : NULL;
}

/* What this instruction assigns to a variable is data in the active lanes. What else is computed in the
 * region is not read outside of it. */
static bool lose(struct execution *e, struct warp *warp, const struct instruction *at,
                 const struct value *lost)
{
    unsigned count = at->op == OP_PUT ? at->extra + 1 : at->op == OP_MOVE || at->op == OP_ADD_TO ? 1 : 0;
    bool ok = true;
    for (unsigned i = 0; ok && i < count; i++) {
        struct instruction assign = *at;
        assign.dst = (uint16_t)(at->dst + i);
        ok = partial_assign(e, warp, &assign, lost);
    }
    return ok;
}

bool region_pass(struct execution *e, struct warp *warp, const struct region *region,
                 const struct value *condition)
{
    struct value lost = data_computed();
    bool ok = true;
    lost.buffer = refuse_source(e, warp, condition);
    if (!region->frames)
        mask_enter_if(warp, 0);
    else
        warp->depth -= region->frames - 1;
    const struct frame *frame = &warp->frames[warp->depth - 1];
    if (region->restores)
        warp->masked = frame->masked_saved | warp->exited | warp->left;
    warp->active = frame->saved & ~warp->masked;
    for (uint32_t i = region->begin; ok && i < region->end; i++)
        ok = lose(e, warp, &e->program->code[i], &lost);
    warp->active = 0;
    return ok;
}
