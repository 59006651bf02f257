/* order.c - who touches which shared memory in an order that nothing defines: between warps, and within one.
 */
#include "state.h"

/* Has another warp touched the granule since the last barrier, and one of the two writes? Notes that this one
 * does. */
static inline bool is_hazard(struct cell_use *use, uint32_t phase, uint32_t warp, enum access_op op)
{
    uint32_t self = phase * USE_WARPS + warp + 1, many = phase * USE_WARPS + USE_MANY;
    bool written = use->write / USE_WARPS == phase && use->write != self;
    bool read = use->read / USE_WARPS == phase && use->read != self;
    bool updated = use->update / USE_WARPS == phase && use->update != self;
    if (op == ACCESS_STORE)
        use->write = self;
    else if (op == ACCESS_LOAD)
        use->read = read ? many : self;
    else
        use->update = updated ? many : self;
    return written || (op != ACCESS_LOAD && read) || (op != ACCESS_ATOMIC && updated);
}

/* Has another lane of this warp touched the granule in this stretch, in another instruction, and one of the
 * two writes? Lanes that load are noted at once: loads do not disturb each other. */
static inline bool is_unordered(struct cell_use *use, uint64_t stretch, uint32_t lane, bool writes)
{
    if (use->stretch != stretch) {
        use->stretch = stretch;
        use->writers = use->readers = 0;
    }
    uint32_t others = (use->writers | (writes ? use->readers : 0)) & ~lane;
    use->readers |= writes ? 0 : lane;
    return others != 0;
}

void order_note(struct execution *e, struct access *access)
{
    enum access_op op = access->site->kind->op;
    bool writes = op != ACCESS_LOAD, stores = op == ACCESS_STORE;
    unsigned components = access->site->components, parts = e->granules.parts;
    uint32_t phase = e->barrier_count + 1;
    uint64_t stretch = e->warps[access->warp].stretch;
    for (uint32_t lanes = access->mask; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        for (unsigned c = 0; c < components; c++) {
            int64_t at = e->granules.at[c][lane];
            bool fresh = false;
            for (unsigned i = 0; at >= 0 && i < parts; i++) {
                struct cell_use *use = &e->uses[at + i];
                access->hazard |= (uint32_t)is_hazard(use, phase, access->warp, op) << lane;
                if (is_unordered(use, stretch, UINT32_C(1) << lane, writes) && !use->told)
                    fresh = use->told = true;
            }
            access->unordered += fresh;
        }
    }
    /* Lanes of one store that meet are another matter (audit/clash.h): each is noted after all have looked.
     * Atomics are no such store: they may meet. */
    for (uint32_t lanes = stores ? access->mask : 0; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        for (unsigned c = 0; c < components; c++)
            for (unsigned i = 0; e->granules.at[c][lane] >= 0 && i < parts; i++)
                e->uses[e->granules.at[c][lane] + i].writers |= UINT32_C(1) << lane;
    }
}
