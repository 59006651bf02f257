/* cells.c - buffers whose contents are known: numbers that loads give and stores change. */
#include "cells.h"

#include <stdio.h>
#include <stdlib.h>

#include "../../base/arena.h"
#include "lanes.h"

/* A written cell: its number plus 1, twice, plus whether it holds data; 0: a free place. */
struct written {
    uint64_t key;
    int64_t value;
};

enum { FIRST_PLACES = 1024 };

/* Does a store of the text write this buffer, or may it? */
static bool is_written(const struct program *program, unsigned buffer)
{
    for (unsigned i = 0; i < program->site_count; i++) {
        const struct site *site = &program->sites[i];
        if (site->kind->space == SPACE_GLOBAL && site->kind->writes &&
            (site->buffer < 0 || site->buffer == (int)buffer))
            return true;
    }
    return false;
}

void cells_begin(struct execution *e)
{
    unsigned count = e->program->parameter_count;
    for (unsigned i = 0; i < count; i++) {
        const struct contents *contents = e->launch.arguments[i].contents;
        const struct type *type = parameter_integer(&e->program->parameters[i]);
        if (!contents || !type)
            continue;
        if (!e->cells)
            e->cells = memory_take(count, sizeof *e->cells);
        e->cells[i] = (struct cells){.contents = contents,
                                     .bytes = type->bytes,
                                     .count = e->launch.arguments[i].bytes / type->bytes,
                                     .is_written = is_written(e->program, i)};
    }
}

void cells_rewind(struct execution *e)
{
    for (unsigned i = 0; e->cells && i < e->program->parameter_count; i++) {
        free(e->cells[i].written);
        e->cells[i].written = NULL;
        e->cells[i].places = e->cells[i].used = 0;
    }
}

void cells_free(struct execution *e)
{
    cells_rewind(e);
    free(e->cells);
    e->cells = NULL;
}

/* The place of a cell, or the free one where it belongs. There is one. */
static struct written *place_of(const struct cells *cells, uint64_t index)
{
    uint64_t key = 2 * (index + 1), at = key * 0x9e3779b97f4a7c15u >> 20;
    for (;; at++) {
        struct written *place = &cells->written[at & (cells->places - 1)];
        if (!place->key || (place->key & ~UINT64_C(1)) == key)
            return place;
    }
}

/* Room for one more cell at most half the places are taken. */
static bool grow(struct execution *e, const struct instruction *at, unsigned buffer)
{
    struct cells *cells = &e->cells[buffer], old = *cells;
    if (2 * (cells->used + 1) <= cells->places)
        return true;
    uint64_t places = cells->places ? 2 * cells->places : FIRST_PLACES;
    struct written *fresh = cells->used < CELLS_WRITTEN_LIMIT ? memory_try(places, sizeof *fresh) : NULL;
    if (!fresh) {
        char message[300];
        (void)snprintf(
            message, sizeof message,
            "the kernel writes more than %llu cells of %s, whose contents are followed: there is no "
            "room for more; take a smaller size",
            (unsigned long long)cells->used, e->program->parameters[buffer].name);
        return execution_fail(e, at, message);
    }
    cells->written = fresh;
    cells->places = places;
    for (uint64_t i = 0; i < old.places; i++)
        if (old.written[i].key)
            *place_of(cells, old.written[i].key / 2 - 1) = old.written[i];
    free(old.written);
    return true;
}

static bool put(struct execution *e, const struct instruction *at, unsigned buffer, uint64_t index,
                struct cell cell)
{
    struct cells *cells = &e->cells[buffer];
    if (!grow(e, at, buffer))
        return false;
    struct written *place = place_of(cells, index);
    cells->used += !place->key;
    *place = (struct written){2 * (index + 1) + !cell.is_number, cell.value};
    return true;
}

/* What the buffer held in the beginning. */
static bool ask(const struct execution *e, const struct instruction *at, unsigned buffer, uint32_t mask,
                const int64_t index[LANES], int64_t value[LANES])
{
    const struct contents *contents = e->cells[buffer].contents;
    struct problem problem = {0};
    return !mask || contents->values(contents->self, mask, index, value, &problem) ||
           execution_fail(e, at, problem.message);
}

/* A whole cell, which lies in the buffer. */
static bool get(const struct execution *e, const struct instruction *at, unsigned buffer, uint64_t index,
                struct cell *cell)
{
    const struct cells *cells = &e->cells[buffer];
    const struct written *place = cells->used ? place_of(cells, index) : NULL;
    if (place && place->key) {
        *cell = (struct cell){!(place->key & 1), place->value};
        return true;
    }
    int64_t indices[LANES] = {(int64_t)index}, values[LANES] = {0};
    *cell = (struct cell){.is_number = true};
    if (!ask(e, at, buffer, 1, indices, values))
        return false;
    cell->value = values[0];
    return true;
}

static bool lies_in(const struct cells *cells, int64_t offset, unsigned bytes)
{
    return offset >= 0 && (uint64_t)offset + bytes <= cells->count * cells->bytes &&
           (uint64_t)offset % bytes == 0;
}

static uint64_t low_bits(int64_t value, unsigned bytes)
{
    return (uint64_t)value & (UINT64_MAX >> (64 - 8 * bytes));
}

bool cells_read(struct execution *e, const struct instruction *at, unsigned buffer, int64_t offset,
                unsigned bytes, struct cell *cell)
{
    const struct cells *cells = &e->cells[buffer];
    unsigned width = cells->bytes;
    bool far = offset <= -TOKEN_RANGE || offset >= TOKEN_RANGE;
    *cell = (struct cell){.value = far ? TOKEN_COMPUTED : data_token(buffer, offset)};
    if (!lies_in(cells, offset, bytes))
        return true;
    uint64_t bits = 0;
    for (unsigned done = 0; done < bytes; done += width) { /* bytes and width are powers of 2 */
        struct cell part;
        if (!get(e, at, buffer, ((uint64_t)offset + done) / width, &part))
            return false;
        if (!part.is_number) {
            cell->value = width == bytes ? part.value : TOKEN_COMPUTED;
            return true;
        }
        bits |= low_bits(part.value, width) >> 8 * ((uint64_t)offset % width) << 8 * done;
    }
    *cell = (struct cell){true, (int64_t)low_bits((int64_t)bits, bytes)};
    return true;
}

bool cells_write(struct execution *e, const struct instruction *at, unsigned buffer, int64_t offset,
                 unsigned bytes, struct cell cell)
{
    const struct cells *cells = &e->cells[buffer];
    unsigned width = cells->bytes;
    if (!lies_in(cells, offset, bytes))
        return true;
    uint64_t index = (uint64_t)offset / width;
    if (bytes < width) { /* a part of a cell */
        struct cell whole;
        unsigned shift = 8 * (unsigned)((uint64_t)offset % width);
        if (!get(e, at, buffer, index, &whole))
            return false;
        uint64_t mask = low_bits(-1, bytes) << shift;
        struct cell joined = {whole.is_number && cell.is_number, TOKEN_COMPUTED};
        if (joined.is_number)
            joined.value =
                (int64_t)(((uint64_t)whole.value & ~mask) | ((uint64_t)cell.value << shift & mask));
        return put(e, at, buffer, index, joined);
    }
    for (unsigned done = 0; done < bytes; done += width) {
        struct cell part = {cell.is_number, bytes > width ? TOKEN_COMPUTED : cell.value};
        if (cell.is_number)
            part.value = (int64_t)((uint64_t)cell.value >> 8 * done);
        if (!put(e, at, buffer, index++, part))
            return false;
    }
    return true;
}

struct value cells_value(struct execution *e, unsigned held, uint32_t mask, int64_t numbers[LANES])
{
    struct value result = {.kind = VALUE_NUMBER};
    uint32_t holds = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (!(mask >> lane & 1)) /* fewer patterns */
            numbers[lane] = numbers[__builtin_ctz(mask)];
        if (held >= HELD_NUMBER)
            numbers[lane] = cells_wrap((enum number_kind)(held - HELD_NUMBER), numbers[lane]);
        holds |= (uint32_t)(numbers[lane] != 0) << lane;
    }
    if (held == HELD_BOOL)
        return (struct value){.kind = VALUE_BOOL, .base = holds};
    result.pattern = pattern_intern(&e->patterns, numbers, &result.base);
    return result;
}

/* The lanes' cells of one component, one cell each, as numbers. False: not all lanes have such a number, or a
 * problem is set. The usual case, 32 lanes at a time. */
static bool load_whole(struct execution *e, const struct instruction *at, int64_t first,
                       int64_t number[LANES])
{
    const struct access *access = &e->access;
    const struct cells *cells = &e->cells[access->buffer];
    int64_t index[LANES] = {0};
    uint32_t unwritten = access->mask;
    for (uint32_t lanes = access->mask; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        int64_t offset = access_offset(access, lane) + first;
        if (!lies_in(cells, offset, cells->bytes))
            return false;
        index[lane] = offset / cells->bytes;
        const struct written *place = cells->used ? place_of(cells, (uint64_t)index[lane]) : NULL;
        if (!place || !place->key)
            continue;
        if (place->key & 1)
            return false;
        number[lane] = place->value;
        unwritten &= ~(UINT32_C(1) << lane);
    }
    int64_t value[LANES] = {0};
    if (!ask(e, at, (unsigned)access->buffer, unwritten, index, value))
        return false;
    for (uint32_t lanes = unwritten; lanes; lanes &= lanes - 1)
        number[__builtin_ctz(lanes)] = value[__builtin_ctz(lanes)];
    return true;
}

/* Any width, lane by lane: numbers if all lanes have one, otherwise tokens. */
static bool load_parts(struct execution *e, const struct instruction *at, int64_t first, unsigned bytes,
                       struct value *dst)
{
    const struct access *access = &e->access;
    struct cell cells[LANES];
    int64_t values[LANES];
    uint32_t numbers = 0;
    for (uint32_t lanes = access->mask; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        if (!cells_read(e, at, (unsigned)access->buffer, access_offset(access, lane) + first, bytes,
                        &cells[lane]))
            return false;
        numbers |= (uint32_t)cells[lane].is_number << lane;
    }
    unsigned any = (unsigned)__builtin_ctz(access->mask);
    for (unsigned lane = 0; lane < LANES; lane++) {
        struct cell cell = cells[access->mask >> lane & 1 ? lane : any];
        values[lane] = cell.value;
        if (numbers != access->mask && cell.is_number) /* other lanes have data */
            values[lane] = TOKEN_COMPUTED;
    }
    if (numbers == access->mask && at->kind != HELD_DATA) {
        *dst = cells_value(e, at->kind, access->mask, values);
        return true;
    }
    if (numbers == access->mask) {
        *dst = data_computed(); /* an integer's bits, as a floating number */
        return true;
    }
    *dst = (struct value){.kind = VALUE_DATA};
    dst->pattern = pattern_intern(&e->patterns, values, &dst->base);
    return true;
}

bool cells_load(struct execution *e, const struct warp *warp, const struct instruction *at, struct value *dst)
{
    const struct access *access = &e->access;
    const struct cells *cells = &e->cells[access->buffer];
    unsigned bytes = access->site->lane_bytes / access->site->components;
    for (unsigned c = 0; c < access->site->components; c++) {
        int64_t number[LANES] = {0};
        if (bytes == cells->bytes && at->kind != HELD_DATA && load_whole(e, at, (int64_t)(c * bytes), number))
            dst[c] = cells_value(e, at->kind, access->mask, number);
        else if (e->problem->set || !load_parts(e, at, (int64_t)(c * bytes), bytes, &dst[c]))
            return false;
    }
    if (cells->is_written)
        snapshot_outdate(&e->snapshot, warp);
    return true;
}

bool cells_store(struct execution *e, const struct instruction *at, const struct value *stored)
{
    const struct access *access = &e->access;
    unsigned bytes = access->site->lane_bytes / access->site->components;
    for (uint32_t lanes = access->mask; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        for (unsigned c = 0; c < access->site->components; c++) {
            struct cell cell = {.value = data_at(&access->data[c], lane)};
            bool is_integer = at->kind != HELD_DATA;
            if (is_integer && stored[c].kind == VALUE_NUMBER)
                cell = (struct cell){true, lanes_value(e, &stored[c], (int)lane)};
            else if (is_integer && stored[c].kind == VALUE_BOOL)
                cell = (struct cell){true, (uint32_t)stored[c].base >> lane & 1};
            if (!cells_write(e, at, (unsigned)access->buffer,
                             access_offset(access, lane) + (int64_t)(c * bytes), bytes, cell))
                return false;
        }
    }
    return true;
}
