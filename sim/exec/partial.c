/* partial.c - assignment in some lanes, and variables that only some lanes have given a value.
 *
 * `float v; if (x < cols) v = in[x]; ... if (x < cols) out[x] = v;` is right: the lanes that read are among
 * those that wrote. Any other lane's read is undefined, and must be a problem rather than some other lane's
 * value.
 */
#include "data.h"
#include "lanes.h"

bool partial_fill(const struct execution *e, const struct warp *warp, const struct instruction *at,
                  unsigned r, struct value *value)
{
    if (warp->active & ~warp->partials[r].lanes)
        return execution_fail(e, at,
                              "a variable is used here that only some of these lanes have given a value");
    value->kind = warp->partials[r].kind;
    return true;
}

/* The active lanes of `fresh` over the others of `old`, into old. Both have values, in whichever lanes. */
static bool blend(struct execution *e, const struct warp *warp, const struct instruction *at,
                  const struct value *fresh, struct value *old)
{
    if (fresh->kind == VALUE_BOOL && old->kind == VALUE_BOOL) {
        old->base = (int64_t)(((uint32_t)fresh->base & warp->active) | ((uint32_t)old->base & ~warp->active));
    } else if ((fresh->kind == VALUE_POINTER || old->kind == VALUE_POINTER) && fresh->kind != VALUE_DATA &&
               old->kind != VALUE_DATA) {
        bool same = fresh->kind == old->kind && fresh->buffer == old->buffer;
        if (!same && e->program->is_compiled) { /* a register that nobody may read any more */
            *old = data_computed();
            return true;
        }
        if (!same)
            return execution_fail(e, at, "lanes would point into different buffers after this");
        *old = lanes_merge(e, warp->active, fresh, old);
    } else if (fresh->kind == old->kind && (fresh->kind == VALUE_NUMBER || fresh->kind == VALUE_REAL)) {
        *old = lanes_merge(e, warp->active, fresh, old);
    } else {
        struct value a = data_of_value(e, fresh), b = data_of_value(e, old);
        *old = lanes_merge(e, warp->active, &a, &b);
    }
    return true;
}

bool partial_assign(struct execution *e, struct warp *warp, const struct instruction *at,
                    const struct value *fresh)
{
    struct value *old = &warp->registers[at->dst];
    struct partial *partial = &warp->partials[at->dst];
    uint32_t alive = warp_alive(warp);
    if (warp->active == alive) {
        *old = *fresh;
        return true;
    }
    if (old->kind == VALUE_UNSET) {
        *old = *fresh;
        *partial = (struct partial){warp->active, fresh->kind};
        old->kind = VALUE_PARTIAL;
        return true;
    }
    bool was_partial = old->kind == VALUE_PARTIAL;
    if (was_partial)
        old->kind = partial->kind;
    if (!blend(e, warp, at, fresh, old))
        return false;
    if (was_partial) {
        *partial = (struct partial){partial->lanes | warp->active, old->kind};
        if (alive & ~partial->lanes)
            old->kind = VALUE_PARTIAL;
    }
    return true;
}
