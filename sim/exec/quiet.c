/* quiet.c - conditions that only data knows, where no memory hangs on them. */
#include "quiet.h"

#include "affine.h"
#include "mask.h"
#include "refuse.h"

const struct quiet *quiet_of(const struct execution *e, const struct instruction *at)
{
    const struct quiet *quiets = e->program->quiets;
    uint32_t branch = (uint32_t)(at - e->program->code);
    size_t low = 0, high = e->program->quiet_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (quiets[middle].branch < branch)
            low = middle + 1;
        else
            high = middle;
    }
    return low < e->program->quiet_count && quiets[low].branch == branch ? &quiets[low] : NULL;
}

/* What this instruction assigns to a variable is data in the active lanes. What else is computed in the
 * region is not read outside of it. */
static bool lose(struct execution *e, struct warp *warp, const struct instruction *at,
                 const struct value *lost)
{
    static const struct shadow nothing;
    unsigned count = at->op == OP_PUT ? at->extra + 1 : at->op == OP_MOVE || at->op == OP_ADD_TO ? 1 : 0;
    bool ok = true;
    for (unsigned i = 0; ok && i < count; i++) {
        struct instruction assign = *at;
        assign.dst = (uint16_t)(at->dst + i);
        if (e->follows)
            affine_assign(e, warp, &assign, assign.dst, &nothing, VALUE_DATA);
        ok = partial_assign(e, warp, &assign, lost);
    }
    return ok;
}

bool quiet_pass(struct execution *e, struct warp *warp, const struct quiet *quiet,
                const struct value *condition)
{
    struct value lost = data_computed();
    bool ok = true;
    lost.buffer = refuse_source(e, warp, condition);
    if (!quiet->frames)
        mask_enter_if(warp, 0);
    else
        warp->depth -= quiet->frames - 1;
    const struct frame *frame = &warp->frames[warp->depth - 1];
    if (quiet->restores)
        warp->masked = frame->masked_saved | warp->exited | warp->left;
    warp->active = frame->saved & ~warp->masked;
    for (uint32_t i = quiet->begin; ok && i < quiet->end; i++)
        ok = lose(e, warp, &e->program->code[i], &lost);
    warp->active = 0;
    return ok;
}
