/* cells.c - buffers whose contents are known: which they are, and what was written into them. */
#include "cells.h"

#include <stdlib.h>

#include "../../base/arena.h"

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
        const struct type *type = parameter_number(&e->program->parameters[i]);
        if (!contents || !type)
            continue;
        if (!e->cells)
            e->cells = memory_take(count, sizeof *e->cells);
        e->cells[i] = (struct cells){
            .contents = contents,
            .bytes = type->bytes,
            .is_real = type->kind == TYPE_FLOAT,
            .is_bool = type->kind == TYPE_BOOL,
            .count = contents->is_endless ? CELLS_COUNT_LIMIT : e->launch.arguments[i].bytes / type->bytes,
            .is_written = is_written(e->program, i)};
    }
}

bool cells_have_reals(const struct execution *e)
{
    bool any = false;
    for (unsigned i = 0; e->cells && i < e->program->parameter_count; i++)
        any = any || e->cells[i].is_real;
    return any;
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

/* Room for one more cell: at most half the places are taken. */
static bool grow(struct cells *cells)
{
    struct cells old = *cells;
    if (2 * (cells->used + 1) <= cells->places)
        return true;
    uint64_t places = cells->places ? 2 * cells->places : FIRST_PLACES;
    struct written *fresh = cells->used < CELLS_WRITTEN_LIMIT ? memory_try(places, sizeof *fresh) : NULL;
    if (!fresh)
        return false;
    cells->written = fresh;
    cells->places = places;
    for (uint64_t i = 0; i < old.places; i++)
        if (old.written[i].key)
            *place_of(cells, old.written[i].key / 2 - 1) = old.written[i];
    free(old.written);
    return true;
}

bool cells_put(struct cells *cells, uint64_t index, struct cell cell)
{
    if (!grow(cells))
        return false;
    struct written *place = place_of(cells, index);
    cells->used += !place->key;
    *place = (struct written){2 * (index + 1) + !cell.is_number, cell.value};
    return true;
}

bool cells_written(const struct cells *cells, uint64_t index, struct cell *cell)
{
    const struct written *place = cells->used ? place_of(cells, index) : NULL;
    if (!place || !place->key)
        return false;
    *cell = (struct cell){!(place->key & 1), place->value};
    return true;
}
