#include "conflicts.h"

#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"

enum { PLACES = 4 * CONFLICTS_SHAPES };

void conflicts_init(struct conflicts *conflicts, const struct session *session)
{
    const struct scenario *s = &session->scenario;
    struct problem problem = {0};
    *conflicts = (struct conflicts){.session = session, .count = session->blocks};
    conflicts->sampled = session->blocks > CONFLICTS_BLOCKS;
    conflicts->count = conflicts->sampled ? CONFLICTS_BLOCKS : session->blocks;
    conflicts->execution = execution_new(s->program, &s->launch, false, &problem);
    conflicts->failed = !conflicts->execution;
    conflicts->shapes = memory_take(CONFLICTS_SHAPES, sizeof *conflicts->shapes);
    conflicts->places = memory_take(PLACES, sizeof *conflicts->places);
}

void conflicts_free(struct conflicts *conflicts)
{
    execution_free(conflicts->execution);
    free(conflicts->shapes);
    free(conflicts->places);
    *conflicts = (struct conflicts){.session = NULL};
}

static uint32_t place_of(const struct access *access)
{
    uint64_t h = (uint64_t)access->base * 0x9e3779b97f4a7c15u;
    h ^= access->pattern * UINT64_C(0xff51afd7ed558ccd) + access->mask * UINT64_C(0xc4ceb9fe1a85ec53);
    h ^= (uint64_t)access->site->id << 40;
    h *= 0x9e3779b97f4a7c15u;
    return (uint32_t)(h >> 40) % PLACES;
}

static bool is_shape(const struct conflict_shape *shape, const struct access *access)
{
    return shape->site == access->site && shape->base == access->base && shape->mask == access->mask &&
           shape->pattern == access->pattern && shape->generation == access->generation;
}

static void take_access(void *self, const struct access *access)
{
    struct conflicts *conflicts = self;
    if (access->site->kind->space != SPACE_SHARED)
        return;
    uint32_t at = place_of(access);
    for (; conflicts->places[at]; at = (at + 1) % PLACES) {
        struct conflict_shape *shape = &conflicts->shapes[conflicts->places[at] - 1];
        if (is_shape(shape, access)) {
            shape->count++;
            return;
        }
    }
    if (conflicts->shape_count == CONFLICTS_SHAPES) {
        conflicts->cut = true;
        return;
    }
    struct conflict_shape *fresh = &conflicts->shapes[conflicts->shape_count++];
    *fresh = (struct conflict_shape){.site = access->site,
                                     .pattern = access->pattern,
                                     .generation = access->generation,
                                     .mask = access->mask,
                                     .buffer = access->buffer,
                                     .base = access->base,
                                     .count = 1,
                                     .cost = access_cost_of(access)};
    memcpy(fresh->delta, access->delta, sizeof fresh->delta);
    conflicts->places[at] = conflicts->shape_count;
}

bool conflicts_is_done(const struct conflicts *conflicts)
{
    return conflicts->failed || conflicts->done == conflicts->count;
}

bool conflicts_advance(struct conflicts *conflicts, unsigned blocks)
{
    const struct session *session = conflicts->session;
    struct sink sink = {.self = conflicts, .access = take_access};
    for (; blocks && !conflicts_is_done(conflicts); blocks--, conflicts->done++) {
        struct problem problem = {0};
        uint32_t block[3];
        long double part = (long double)conflicts->done / (long double)conflicts->count;
        uint64_t index =
            conflicts->sampled ? (uint64_t)(part * (long double)session->blocks) : conflicts->done;
        launch_block_at(&session->scenario.launch, index, block);
        if (!execution_run_block(conflicts->execution, block, &sink, &problem))
            conflicts->failed = true;
    }
    return !conflicts_is_done(conflicts);
}

static void sum_banks(const struct conflict_shape *shape, struct conflict_banks *banks)
{
    struct access access = {
        .site = shape->site, .mask = shape->mask, .base = shape->base, .delta = shape->delta};
    struct lanes lanes = access_lanes(&access);
    unsigned words[BANK_COUNT];
    bank_words_of(&lanes, words);
    for (unsigned bank = 0; bank < BANK_COUNT; bank++) {
        banks->turns[bank] += words[bank] * shape->count;
        banks->extra[bank] += words[bank] > 1 ? (words[bank] - 1) * shape->count : 0;
    }
}

static void sum_cells(const struct conflict_shape *shape, int64_t first, int64_t size,
                      struct conflict_cell *cells, size_t count)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        int64_t byte = shape->base + shape->delta[lane] - first, last = byte + shape->site->lane_bytes;
        for (; (shape->mask >> lane & 1) && byte < last; byte += size) {
            if (byte < 0 || (size_t)(byte / size) >= count)
                continue;
            struct conflict_cell *cell = &cells[byte / size];
            cell->requests += shape->count;
            cell->units += shape->cost.units * shape->count;
            cell->ideal += shape->cost.ideal * shape->count;
        }
    }
}

void conflicts_sum(const struct conflicts *conflicts, int buffer, struct conflict_banks *banks,
                   struct conflict_cell *cells, size_t count)
{
    const struct shared_array *array = &conflicts->session->scenario.program->shared[buffer];
    *banks = (struct conflict_banks){{0}, {0}};
    for (unsigned i = 0; i < conflicts->shape_count; i++) {
        const struct conflict_shape *shape = &conflicts->shapes[i];
        if (shape->buffer != buffer)
            continue;
        sum_banks(shape, banks);
        sum_cells(shape, (int64_t)array->offset, (int64_t)type_size(&array->element), cells, count);
    }
}
