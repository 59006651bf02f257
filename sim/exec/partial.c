/* partial.c - variables that only some lanes have given a value.
 *
 * `float v; if (x < cols) v = in[x]; ... if (x < cols) out[x] = v;` is right: the lanes that read are among
 * those that wrote. Any other lane's read is undefined, and must be a problem rather than some other lane's
 * value.
 */
#include "state.h"

/* Gives a partly set register its lanes' kind for one instruction, if all active lanes are among them. */
static bool settle(struct execution *e, struct warp *warp, const struct instruction *at, unsigned r)
{
    struct value *value = &warp->registers[r];
    if (value->kind != VALUE_PARTIAL)
        return true;
    if (warp->active & ~warp->partials[r].lanes)
        return execution_fail(e, at,
                              "a variable is used here that only some of these lanes have given a value");
    value->kind = warp->partials[r].kind;
    return true;
}

bool partial_operands(struct execution *e, struct warp *warp, const struct instruction *at,
                      bool (*run)(struct execution *, struct warp *, const struct instruction *))
{
    unsigned registers[5] = {at->a, at->b}, count = 2;
    bool was_partial[5];
    if (at->op == OP_STORE)
        for (unsigned c = 1; c < e->program->sites[at->extra].components; c++)
            registers[count++] = at->b + c;
    for (unsigned i = 0; i < count; i++)
        was_partial[i] = warp->registers[registers[i]].kind == VALUE_PARTIAL;
    bool ok = true;
    for (unsigned i = 0; ok && i < count; i++)
        ok = settle(e, warp, at, registers[i]);
    ok = ok && run(e, warp, at);
    for (unsigned i = 0; i < count; i++)
        if (was_partial[i] && (registers[i] != at->dst || at->op == OP_STORE))
            warp->registers[registers[i]].kind = VALUE_PARTIAL;
    return ok;
}

void partial_move(struct execution *e, struct warp *warp, const struct value *fresh, unsigned dst)
{
    struct value *old = &warp->registers[dst];
    struct partial *partial = &warp->partials[dst];
    if (old->kind == VALUE_UNSET) {
        *old = *fresh;
        *partial = (struct partial){warp->active, fresh->kind};
    } else {
        struct value a = *fresh, b = *old;
        b.kind = partial->kind;
        if (a.kind != b.kind) {
            a = value_as_data(e, &a);
            b = value_as_data(e, &b);
        }
        if (a.kind == VALUE_BOOL) {
            uint32_t mask = warp->active;
            old->base = (int64_t)(((uint32_t)a.base & mask) | ((uint32_t)b.base & ~mask));
        } else {
            *old = value_merge(e, warp->active, &a, &b);
        }
        partial->kind = b.kind;
        partial->lanes |= warp->active;
    }
    bool whole = !(warp->exists & ~warp->returned & ~partial->lanes);
    old->kind = whole ? partial->kind : VALUE_PARTIAL;
}
