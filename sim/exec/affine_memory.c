/* affine_memory.c - accesses that move, and what they bring. */
#include "affine.h"
#include "cells.h"

static const char why_bounds[] = "this access leaves its buffer";
static const char why_kept[] = "what is read here depends on where";
static const char why_shared[] = "numbers that decide where the kernel goes lie elsewhere in shared memory";
static const char why_written[] = "blocks find here what others have written";
static const char why_far[] = "this address is too far away to be followed";

struct target {
    const struct site *site;
    bool is_shared;
    unsigned buffer;
    struct value pointer;
};

static bool find_target(const struct execution *e, const struct warp *warp, const struct instruction *at,
                        struct target *t)
{
    t->site = &e->program->sites[at->extra];
    t->pointer = warp->registers[at->a];
    if (t->pointer.kind == VALUE_PARTIAL)
        t->pointer.kind = warp->partials[at->a].kind;
    t->is_shared = e->program->is_compiled ? (t->pointer.buffer & POINTER_IS_SHARED) != 0
                                           : t->site->kind->space == SPACE_SHARED;
    t->buffer = t->pointer.buffer & (POINTER_IS_SHARED - 1);
    return t->pointer.kind == VALUE_POINTER;
}

/* Lanes within their buffer, before it and behind it stay so. */
static void hold_bounds(struct execution *e, const struct warp *warp, const struct instruction *at,
                        const struct target *t, const struct slope *slope)
{
    const struct reach *reach = t->is_shared ? &e->shared_reach[t->buffer] : &e->global_reach[t->buffer];
    int128 first = reach->first, last = (int128)reach->last - t->site->lane_bytes, up = ADDRESS_RANGE,
           down = -up, rise, fall;
    struct range range;
    affine_reach(e->affine, slope, &rise, &fall);
    if (lanes_range(e, t->pointer.base, t->pointer.pattern, &range) && range.low - fall >= first &&
        range.high + rise <= last)
        return; /* as usual: well within */
    for (uint32_t lanes = warp->active; lanes; lanes &= lanes - 1) {
        int128 v = lanes_value(e, &t->pointer, __builtin_ctz(lanes)), low = first, high = last;
        if (v < first) {
            low = 1 - (int128)ADDRESS_RANGE;
            high = first - 1;
        } else if (v > last) {
            low = last + 1;
            high = (int128)ADDRESS_RANGE - 1;
        }
        up = high - v < up ? high - v : up;
        down = low - v > down ? low - v : down;
    }
    if (up < 0 || down > 0) /* so far away that it is a problem */
        affine_pin(e, at, slope, why_bounds);
    else
        affine_keep(e, at, slope, down, up, why_bounds);
}

/* A base whose distance from 0 decides whether the token is known: it stays on its side of `end`. Returns
 * whether it is. */
static bool hold_near(struct execution *e, const struct instruction *at, const struct slope *slope,
                      int64_t base, int64_t end)
{
    bool near = base > -end && base < end;
    int128 down = near ? 1 - (int128)end - base : base > 0 ? (int128)end - base : -((int128)1 << 64);
    int128 up = near ? (int128)end - 1 - base : base > 0 ? (int128)1 << 64 : -(int128)end - base;
    affine_keep(e, at, slope, down, up, why_far);
    return near;
}

/* What a store brings of one register. */
static struct shadow stored(struct execution *e, const struct warp *warp, const struct instruction *at,
                            unsigned r)
{
    const struct value *v = &warp->registers[r];
    const struct pattern *pattern = e->patterns.at[v->pattern];
    struct shadow shadow = affine_shadows(e, warp)[r], none = {{{0}}, 0};
    unsigned kind = v->kind == VALUE_PARTIAL ? warp->partials[r].kind : v->kind;
    const int64_t end = TOKEN_RANGE / 2;
    if (!affine_moves(e->affine, &shadow) || (kind != VALUE_NUMBER && kind != VALUE_DATA))
        return none;
    for (int lane = 0; kind == VALUE_DATA && lane < LANES; lane++) /* what no cell held does not move */
        shadow.still |= (uint32_t)(data_class(lanes_value(e, v, lane)) < 2) << lane;
    if (kind == VALUE_DATA)
        return shadow;
    if (!hold_near(e, at, &shadow.slope, v->base, end) || pattern->low <= -end || pattern->high >= end)
        return none;
    return shadow;
}

/* The granules of a lane's component; false: it has no place among them. */
static bool granules_at(const struct execution *e, const struct target *t, unsigned lane, unsigned c,
                        int64_t *first, unsigned *count)
{
    unsigned bytes = t->site->lane_bytes / t->site->components, granule = e->program->granule;
    int64_t offset = lanes_value(e, &t->pointer, (int)lane) + (int64_t)(c * bytes);
    *first = offset / granule;
    *count = bytes / granule;
    return offset >= 0 && (uint64_t)offset + bytes <= e->shared_bytes && offset % granule == 0;
}

static void put_granules(struct execution *e, const struct warp *warp, const struct target *t, unsigned c,
                         const struct shadow *shadow)
{
    static const struct slope nothing;
    for (uint32_t lanes = warp->active; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes), count;
        int64_t first;
        if (granules_at(e, t, lane, c, &first, &count))
            for (unsigned i = 0; i < count; i++)
                e->affine->granules[first + i] = shadow->still >> lane & 1 ? nothing : shadow->slope;
    }
}

/* What a component's lanes find in shared memory. */
static struct shadow get_granules(struct execution *e, const struct warp *warp, const struct instruction *at,
                                  const struct target *t, unsigned c)
{
    struct shadow result = {{{0}}, 0};
    uint32_t before = 0;
    bool is_data = true;
    for (uint32_t lanes = warp->active; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes), count;
        int64_t first;
        if (!granules_at(e, t, lane, c, &first, &count))
            continue;
        is_data = is_data && (at->kind == HELD_DATA || !e->held[first]);
        for (unsigned i = 0; i < count; i++) {
            struct shadow one = {e->affine->granules[first + i], 0};
            result = i ? affine_join(e, at, false, &result, UINT32_C(1) << lane, &one, UINT32_C(1) << lane)
                       : affine_join(e, at, is_data, &result, before, &one, UINT32_C(1) << lane);
        }
        before |= UINT32_C(1) << lane;
    }
    return result;
}

static void load(struct execution *e, const struct warp *warp, const struct instruction *at,
                 const struct target *t, const struct shadow *address)
{
    struct affine *f = e->affine;
    struct shadow *to = affine_shadows(e, warp) + at->dst, none = {{{0}}, 0};
    bool known = !t->is_shared && cells_are_known(e, t->buffer);
    for (unsigned c = 0; c < t->site->components; c++) {
        struct shadow result = none;
        if (t->is_shared && e->shared)
            result = get_granules(e, warp, at, t, c);
        else if (!t->is_shared && !known && f->follows_data && affine_moves(f, address) &&
                 hold_near(e, at, &address->slope, t->pointer.base, TOKEN_RANGE))
            result = *address;
        to[c] = result;
    }
}

static void store(struct execution *e, const struct warp *warp, const struct instruction *at,
                  const struct target *t)
{
    struct affine *f = e->affine;
    bool into_kept = t->is_shared && e->shared;
    if (!f->follows_data && !into_kept)
        return;
    for (unsigned c = 0; c < t->site->components; c++) {
        struct shadow shadow = {{{0}}, 0};
        if (at->op == OP_STORE)
            shadow = stored(e, warp, at, at->b + c);
        if (numbering_is_bent(&f->numbering, &f->region, &shadow.slope))
            affine_bend(e);
        f->motion.data[c] = shadow.slope;
        f->motion.still[c] = shadow.still;
        if (into_kept)
            put_granules(e, warp, t, c, &shadow);
    }
}

void affine_access(struct execution *e, const struct warp *warp, const struct instruction *at)
{
    struct affine *f = e->affine;
    struct target t;
    struct shadow *shadows = affine_shadows(e, warp), address = shadows[at->a];
    if (at->op != OP_STORE)
        for (unsigned c = 0; c < e->program->sites[at->extra].components; c++)
            shadows[at->dst + c] = (struct shadow){{{0}}, 0};
    if (!warp->active || !find_target(e, warp, at, &t))
        return;
    bool known = !t.is_shared && cells_are_known(e, t.buffer);
    if (known && at->op != OP_LOAD) {
        f->refused = true;
        f->worst = (struct region_cause){e->program->places[at->place], why_written, 0};
        return;
    }
    if (affine_moves(f, &address) && (known || (t.is_shared && e->shared)))
        affine_pin(e, at, &address.slope, known ? why_kept : why_shared);
    if (affine_moves(f, &address))
        hold_bounds(e, warp, at, &t, &address.slope);
    if (numbering_is_bent(&f->numbering, &f->region, &address.slope))
        affine_bend(e);
    f->motion.address = address.slope;
    for (int k = 0; k < AXES; k++)
        f->motion.address.at[k] *= f->region.axis[k].count > 1;
    if (at->op == OP_LOAD)
        load(e, warp, at, &t, &address);
    else
        store(e, warp, at, &t);
}
