/* memory.c - loads and stores: the access, its faults, and the tokens that move. */
#include <string.h>

#include "contents.h"
#include "held.h"
#include "lanes.h"
#include "refuse.h"

/* Are all lanes, active or not, in [first, last]? */
static inline bool is_within(const struct access *access, const struct pattern *pattern, int64_t first,
                             int64_t last)
{
    int64_t low, high;
    return !__builtin_add_overflow(access->base, pattern->low, &low) &&
           !__builtin_add_overflow(access->base, pattern->high, &high) && low >= first && high <= last;
}

/* Active lanes outside [first, last]; `far`: some lie ADDRESS_RANGE or more away. */
static uint32_t lanes_outside(const struct access *access, const struct pattern *pattern, int64_t first,
                              int64_t last, uint32_t *far)
{
    uint32_t outside = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        int64_t offset = (int64_t)((uint64_t)access->base + (uint64_t)pattern->delta[lane]);
        outside |= (uint32_t)(offset < first || offset > last) << lane;
        *far |= (uint32_t)(offset <= -ADDRESS_RANGE || offset >= ADDRESS_RANGE) << lane;
    }
    *far &= access->mask;
    return outside & access->mask;
}

static inline bool is_aligned(const struct access *access, const struct pattern *pattern, uint64_t lane_bytes)
{
    uint64_t base = (uint64_t)access->base + access->misalignment;
    return ((base | pattern->low_bits) & (lane_bytes - 1)) == 0;
}

static uint32_t lanes_misaligned(const struct access *access, const struct pattern *pattern,
                                 uint64_t lane_bytes)
{
    uint64_t base = (uint64_t)access->base + access->misalignment;
    uint32_t misaligned = 0;
    for (unsigned lane = 0; lane < LANES; lane++)
        misaligned |= (uint32_t)(((base + (uint64_t)pattern->delta[lane]) & (lane_bytes - 1)) != 0) << lane;
    return misaligned & access->mask;
}

/* The site of a compiled access is that of the pointer's space. */
static bool find_site(const struct execution *e, const struct instruction *at, const struct value *pointer,
                      const struct site **site)
{
    bool is_shared = pointer->buffer & POINTER_IS_SHARED;
    if (pointer->kind == VALUE_NUMBER)
        return execution_fail(
            e, at, "this address is a number that points into no parameter's buffer and no shared array");
    if (pointer->kind != VALUE_POINTER)
        return true; /* said by who is about to use it */
    if (is_shared && (*site)->is_generic)
        (*site)++;
    return is_shared == ((*site)->kind->space == SPACE_SHARED) ||
           execution_fail(e, at,
                          is_shared ? "this access to global memory has an address of shared memory"
                                    : "this access to shared memory has an address of a parameter's buffer");
}

static bool refuse_pointer(const struct execution *e, const struct warp *warp, const struct instruction *at,
                           const struct value *pointer)
{
    return pointer->kind == VALUE_DATA ? refuse_data(e, warp, at, "this address", pointer)
                                       : execution_fail(e, at, "this pointer is used before it has a value");
}

/* Fills e->access, whose block is set already. */
__attribute__((always_inline)) static inline bool begin_access(struct execution *e, struct warp *warp,
                                                               const struct instruction *at,
                                                               const struct value *pointer)
{
    const struct site *site = &e->program->sites[at->extra];
    struct access *access = &e->access;
    if (e->program->is_compiled && !find_site(e, at, pointer, &site))
        return false;
    if (pointer->kind != VALUE_POINTER)
        return refuse_pointer(e, warp, at, pointer);
    unsigned buffer = (unsigned)(pointer->tag >> 48) & (POINTER_IS_SHARED - 1);
    pattern_id id = (pattern_id)pointer->tag;
    const struct pattern *pattern = e->patterns.at[id];
    const struct reach *reach =
        site->kind->space == SPACE_SHARED ? &e->shared_reach[buffer] : &e->global_reach[buffer];
    access->site = site;
    access->warp = warp->index;
    access->step = e->step++;
    access->visit = warp->visits[site->id]++;
    access->mask = warp->active;
    access->uninitialized = 0;
    access->hazard = 0;
    access->unordered = 0;
    access->buffer = (int)buffer;
    access->base = pointer->base;
    access->delta = pattern->delta;
    access->pattern = id;
    access->misalignment = reach->misalignment;
    uint32_t far = 0;
    int64_t last = reach->last - (int64_t)site->lane_bytes;
    access->out_of_bounds = is_within(access, pattern, reach->first, last)
                                ? 0
                                : lanes_outside(access, pattern, reach->first, last, &far);
    access->misaligned = is_aligned(access, pattern, site->lane_bytes)
                             ? 0
                             : lanes_misaligned(access, pattern, site->lane_bytes);
    return !far || execution_fail(e, at,
                                  "this address lies 2^62 bytes or more away from its buffer: the index has "
                                  "wrapped around or is no index");
}

/* Where the active lanes' components lie among the tokens; who uses them is noted where order matters. */
static void find_granules(struct execution *e, struct access *access)
{
    unsigned bytes = access->site->lane_bytes / access->site->components, granule = e->program->granule;
    unsigned shift = (unsigned)__builtin_ctz(granule);
    e->granules.parts = bytes >> shift;
    for (unsigned c = 0; c < access->site->components; c++)
        for (uint32_t lanes = access->mask; lanes; lanes &= lanes - 1) {
            unsigned lane = (unsigned)__builtin_ctz(lanes);
            int64_t offset = access_offset(access, lane) + (int64_t)(c * bytes);
            bool lies = offset >= 0 && (uint64_t)offset + bytes <= e->shared_bytes &&
                        ((uint64_t)offset & (granule - 1)) == 0;
            e->granules.at[c][lane] = lies ? offset >> shift : -1;
        }
    if (e->uses)
        order_note(e, access);
}

/* `numbers`: which components are integers in all lanes; `reals`: which of `stored` are floating numbers. */
static void shared_write(struct execution *e, const struct access *access, unsigned numbers, unsigned reals,
                         const struct value *stored)
{
    unsigned parts = e->granules.parts;
    unsigned width = (unsigned)__builtin_ctz(access->site->lane_bytes / access->site->components);
    for (uint32_t lanes = access->mask; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        for (unsigned c = 0; c < access->site->components; c++) {
            int64_t at = e->granules.at[c][lane];
            int64_t token = data_at(&access->data[c], lane);
            for (unsigned i = 0; at >= 0 && i < parts; i++) {
                e->shared[at + i] = data_part(e, token, i);
                e->held[at + i] = numbers >> c & 1 ? HELD_PART(width, i) : 0;
                if (reals >> c & 1) {
                    e->shared[at + i] = lanes_value(e, &stored[c], (int)lane);
                    e->held[at + i] = HELD_PART(width, i) | HELD_IS_REAL;
                }
            }
        }
    }
}

/* The same where a granule belongs to a floating number: that of all of it, or data. */
static int64_t shared_real_token(const struct execution *e, int64_t at, unsigned parts)
{
    unsigned width = (unsigned)__builtin_ctz(parts * e->program->granule);
    for (unsigned i = 0; i < parts; i++)
        if (e->held[at + i] != (HELD_PART(width, i) | HELD_IS_REAL))
            return TOKEN_COMPUTED;
    return data_token_of_real(e->shared[at]);
}

static int64_t shared_token(const struct execution *e, int64_t at, unsigned parts, bool *uninitialized)
{
    int64_t token = e->shared[at];
    bool real = false;
    for (unsigned i = 0; i < parts; i++)
        real = real || (e->held[at + i] & HELD_IS_REAL);
    if (real)
        return shared_real_token(e, at, parts);
    for (unsigned i = 0; i < parts; i++) {
        *uninitialized = *uninitialized || data_class(e->shared[at + i]) <= 0;
        if (e->shared[at + i] != data_part(e, token, i))
            token = *uninitialized ? 0 : TOKEN_COMPUTED;
    }
    return *uninitialized ? 0 : token;
}

/* Do the granules from `at` on hold one number of this width, floating (HELD_IS_REAL) or not (0)? */
static bool holds_number(const struct execution *e, int64_t at, unsigned parts, unsigned width, unsigned real)
{
    for (unsigned i = 0; i < parts; i++)
        if (e->held[at + i] != (HELD_PART(width, i) | real))
            return false;
    return true;
}

/* Tokens of which all are numbers, as what the load gives. */
static struct value shared_numbers(struct execution *e, const struct warp *warp, unsigned held, uint32_t mask,
                                   int64_t tokens[LANES])
{
    for (unsigned lane = 0; lane < LANES; lane++)
        tokens[lane] -= TOKEN_CONSTANT;
    snapshot_outdate(&e->snapshot, warp);
    return contents_value(e, held, mask, tokens);
}

static void shared_read(struct execution *e, const struct warp *warp, const struct instruction *from,
                        struct value *dst)
{
    struct access *access = &e->access;
    unsigned parts = e->granules.parts;
    unsigned width = (unsigned)__builtin_ctz(access->site->lane_bytes / access->site->components);
    for (unsigned c = 0; c < access->site->components; c++) {
        int64_t tokens[LANES] = {0};
        int64_t any = 0;
        bool numbers = held_is_integer(from->kind), reals = from->kind == HELD_REAL;
        int64_t bits[LANES] = {0};
        for (uint32_t lanes = access->mask; lanes; lanes &= lanes - 1) {
            unsigned lane = (unsigned)__builtin_ctz(lanes);
            int64_t at = e->granules.at[c][lane];
            bool uninitialized = at < 0;
            any = tokens[lane] = uninitialized ? 0 : shared_token(e, at, parts, &uninitialized);
            access->uninitialized |= (uint32_t)uninitialized << lane;
            numbers = numbers && data_class(any) == 2 && holds_number(e, at, parts, width, 0);
            reals = reals && at >= 0 && holds_number(e, at, parts, width, HELD_IS_REAL);
            bits[lane] = reals ? e->shared[at] : 0;
        }
        for (unsigned lane = 0; lane < LANES; lane++) /* idle lanes repeat a token: fewer patterns */
            if (!(access->mask >> lane & 1))
                tokens[lane] = any;
        if (reals) {
            snapshot_outdate(&e->snapshot, warp);
            dst[c] = contents_value(e, HELD_REAL, access->mask, bits);
            continue;
        }
        if (numbers) {
            dst[c] = shared_numbers(e, warp, from->kind, access->mask, tokens);
            continue;
        }
        dst[c] = (struct value){.kind = VALUE_DATA};
        dst[c].pattern = pattern_intern(&e->patterns, tokens, &dst[c].base);
    }
}

static void global_read(const struct access *access, pattern_id pattern, struct value *dst)
{
    unsigned component_bytes = access->site->lane_bytes / access->site->components;
    bool far = access->base <= -TOKEN_RANGE || access->base >= TOKEN_RANGE;
    for (unsigned c = 0; c < access->site->components; c++)
        dst[c] = far ? data_computed()
                     : (struct value){.kind = VALUE_DATA,
                                      .base = TOKEN_BUFFER(access->buffer) + access->base +
                                              (int64_t)(c * component_bytes),
                                      .pattern = pattern};
}

static inline bool show(struct execution *e, const struct access *access)
{
    e->sink->access(e->sink->self, access);
    return !e->sink->stop || !*e->sink->stop;
}

/* Are the contents of what the access touches kept? Asked only where any are (e->keeps). */
static bool is_kept(const struct execution *e)
{
    const struct access *access = &e->access;
    return access->site->kind->space == SPACE_GLOBAL
               ? cells_are_known(e, (unsigned)access->buffer) || held_is_followed(e, (unsigned)access->buffer)
               : e->shared != NULL;
}

/* From memory whose contents are kept. */
static bool load_kept(struct execution *e, const struct warp *warp, const struct instruction *at,
                      struct value *dst)
{
    struct access *access = &e->access;
    if (access->site->kind->space == SPACE_GLOBAL && held_is_followed(e, (unsigned)access->buffer)) {
        held_load(e, dst);
        return true;
    }
    if (access->site->kind->space == SPACE_GLOBAL)
        return contents_load(e, warp, at, dst);
    find_granules(e, access);
    shared_read(e, warp, at, dst);
    return true;
}

bool memory_load(struct execution *e, struct warp *warp, const struct instruction *at)
{
    struct value *dst = &warp->registers[at->dst];
    struct value pointer;
    struct access *access = &e->access;
    if (!warp->active) {
        for (unsigned c = 0; c < e->program->sites[at->extra].components; c++)
            dst[c] = data_computed();
        return true;
    }
    if (!partial_settle(e, warp, at, at->a, &pointer) || !begin_access(e, warp, at, &pointer))
        return false;
    if (e->keeps && is_kept(e)) {
        if (!load_kept(e, warp, at, dst))
            return false;
    } else if (access->site->kind->space == SPACE_GLOBAL && access->site->components == 1) {
        bool far = access->base <= -TOKEN_RANGE || access->base >= TOKEN_RANGE;
        dst->base = far ? TOKEN_COMPUTED : TOKEN_BUFFER(access->buffer) + access->base;
        dst->tag = VALUE_TAG(VALUE_DATA, far ? 0 : access->pattern);
    } else if (access->site->kind->space == SPACE_GLOBAL) {
        global_read(access, access->pattern, dst);
    } else {
        for (unsigned c = 0; c < access->site->components; c++) {
            dst[c].base = TOKEN_COMPUTED;
            dst[c].tag = VALUE_TAG(VALUE_DATA, 0);
        }
    }
    return show(e, access);
}

/* Of memory whose contents are kept, a buffer's or shared: what this store leaves there. */
static bool keep_stored(struct execution *e, const struct warp *warp, const struct instruction *at)
{
    struct access *access = &e->access;
    struct value stored[4];
    unsigned numbers = 0, reals = 0;
    if (access->site->kind->space == SPACE_GLOBAL && held_is_followed(e, (unsigned)access->buffer)) {
        held_store(e);
        return true;
    }
    for (unsigned c = 0; c < access->site->components; c++) {
        if (!partial_settle(e, warp, at, at->b + c, &stored[c]))
            return false;
        if (stored[c].kind == VALUE_BOOL && at->kind == HELD_BOOL) {
            stored[c] = number_from_mask(e, (uint32_t)stored[c].base);
            struct value token = data_of_value(e, &stored[c]);
            access->data[c] = (struct data){token.base, e->patterns.at[token.pattern]->delta};
        }
        bool is_number = stored[c].kind == VALUE_NUMBER && held_is_integer(at->kind);
        reals |= (unsigned)(stored[c].kind == VALUE_REAL && at->kind == HELD_REAL) << c;
        numbers |= (unsigned)(is_number && access->data[c].base != TOKEN_COMPUTED) << c;
    }
    if (access->site->kind->space == SPACE_GLOBAL)
        return contents_store(e, at, stored);
    find_granules(e, access);
    shared_write(e, access, numbers, reals, stored);
    return true;
}

bool memory_store(struct execution *e, struct warp *warp, const struct instruction *at)
{
    struct value pointer, stored;
    struct access *access = &e->access;
    if (!warp->active)
        return true;
    if (!partial_settle(e, warp, at, at->a, &pointer) || !begin_access(e, warp, at, &pointer))
        return false;
    for (unsigned c = 0; c < access->site->components; c++) {
        if (!partial_settle(e, warp, at, at->b + c, &stored))
            return false;
        if (stored.kind == VALUE_UNSET)
            return execution_fail(e, at, "what is stored here has no value yet");
        if (stored.kind != VALUE_DATA)
            stored = data_of_value(e, &stored);
        access->data[c].base = stored.base;
        access->data[c].delta = e->patterns.at[(pattern_id)stored.tag]->delta;
    }
    if (e->keeps && is_kept(e) && !keep_stored(e, warp, at))
        return false;
    return show(e, access);
}

/* The same for what an atomic leaves, which is not followed. */
static bool lose_stored(struct execution *e, const struct instruction *at)
{
    const struct value lost[4] = {data_computed(), data_computed(), data_computed(), data_computed()};
    if (e->access.site->kind->space == SPACE_GLOBAL && held_is_followed(e, (unsigned)e->access.buffer)) {
        held_store(e);
        return true;
    }
    if (e->access.site->kind->space == SPACE_GLOBAL)
        return contents_store(e, at, lost);
    find_granules(e, &e->access);
    shared_write(e, &e->access, 0, 0, lost);
    return true;
}

/* Reads, changes and writes: what it leaves and what it returns is data that no cell held. */
bool memory_atomic(struct execution *e, struct warp *warp, const struct instruction *at)
{
    struct value pointer;
    struct access *access = &e->access;
    unsigned components = e->program->sites[at->extra].components;
    for (unsigned c = 0; warp->active && c < components; c++) {
        access->data[c].base = TOKEN_COMPUTED;
        access->data[c].delta = e->patterns.at[0]->delta;
    }
    bool ok = !warp->active ||
              (partial_settle(e, warp, at, at->a, &pointer) && begin_access(e, warp, at, &pointer));
    for (unsigned c = 0; ok && c < components; c++)
        warp->registers[at->dst + c] = data_computed();
    if (!ok || !warp->active)
        return ok;
    if (e->keeps && is_kept(e) && !lose_stored(e, at))
        return false;
    return show(e, access);
}
