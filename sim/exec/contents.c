/* contents.c - loads and stores of memory that holds numbers. */
#include "contents.h"

#include <stdio.h>

#include "lanes.h"
#include "real.h"

/* What the buffer held in the beginning. */
static bool ask(const struct execution *e, const struct instruction *at, unsigned buffer, uint32_t mask,
                const int64_t index[LANES], int64_t value[LANES])
{
    const struct contents *contents = e->cells[buffer].contents;
    struct problem problem = {0};
    if (mask && !contents->values(contents->self, mask, index, value, &problem))
        return execution_fail(e, at, problem.message);
    const struct cells *cells = &e->cells[buffer];
    for (; (cells->is_real || cells->is_bool) && mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        value[lane] = cells->is_real ? real_bits((double)value[lane]) : value[lane] != 0;
    }
    return true;
}

/* A whole cell, which lies in the buffer. */
static bool get(const struct execution *e, const struct instruction *at, unsigned buffer, uint64_t index,
                struct cell *cell)
{
    int64_t indices[LANES] = {(int64_t)index}, values[LANES] = {0};
    if (cells_written(&e->cells[buffer], index, cell))
        return true;
    if (!ask(e, at, buffer, 1, indices, values))
        return false;
    *cell = (struct cell){true, values[0]};
    return true;
}

static bool put(struct execution *e, const struct instruction *at, unsigned buffer, uint64_t index,
                struct cell cell)
{
    char message[300];
    if (cells_put(&e->cells[buffer], index, cell))
        return true;
    (void)snprintf(
        message, sizeof message,
        "the kernel has written %llu cells of `%.100s`, whose contents are followed, and there is no "
        "room for more; take a smaller size",
        (unsigned long long)e->cells[buffer].used, e->program->parameters[buffer].name);
    return execution_fail(e, at, message);
}

static bool lies_in(const struct cells *cells, int64_t offset, unsigned bytes)
{
    uint64_t size = cells->contents->is_endless ? UINT64_C(1) << 46 : cells->count * cells->bytes;
    return offset >= 0 && (uint64_t)offset + bytes <= size && (uint64_t)offset % bytes == 0;
}

static uint64_t low_bits(int64_t value, unsigned bytes)
{
    return (uint64_t)value & (UINT64_MAX >> (64 - 8 * bytes));
}

bool contents_read(struct execution *e, const struct instruction *at, unsigned buffer, int64_t offset,
                   unsigned bytes, struct cell *cell)
{
    const struct cells *cells = &e->cells[buffer];
    unsigned width = cells->bytes;
    bool far = offset <= -TOKEN_RANGE || offset >= TOKEN_RANGE;
    *cell = (struct cell){.value = far ? TOKEN_COMPUTED : data_token(buffer, offset)};
    if (!lies_in(cells, offset, bytes))
        return true;
    if (cells->is_real) { /* as a whole, or not as a number */
        if (width == bytes)
            return get(e, at, buffer, (uint64_t)offset / width, cell);
        cell->value = TOKEN_COMPUTED;
        return true;
    }
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

bool contents_write(struct execution *e, const struct instruction *at, unsigned buffer, int64_t offset,
                    unsigned bytes, struct cell cell)
{
    const struct cells *cells = &e->cells[buffer];
    unsigned width = cells->bytes;
    if (!lies_in(cells, offset, bytes))
        return true;
    uint64_t index = (uint64_t)offset / width;
    if (cells->is_real && width != bytes) {
        cell = (struct cell){false, TOKEN_COMPUTED};
        if (bytes < width)
            return put(e, at, buffer, index, cell);
    }
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

struct value contents_value(struct execution *e, unsigned held, uint32_t mask, int64_t numbers[LANES])
{
    struct value result = {.kind = held == HELD_REAL ? VALUE_REAL : VALUE_NUMBER};
    uint32_t holds = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (!(mask >> lane & 1)) /* fewer patterns */
            numbers[lane] = numbers[__builtin_ctz(mask)];
        if (held >= HELD_NUMBER)
            numbers[lane] = contents_wrap((enum number_kind)(held - HELD_NUMBER), numbers[lane]);
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
        struct cell cell;
        if (!cells_written(cells, (uint64_t)index[lane], &cell))
            continue;
        if (!cell.is_number)
            return false;
        number[lane] = cell.value;
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
    struct cell cells[LANES] = {{0}};
    int64_t values[LANES];
    uint32_t numbers = 0;
    for (uint32_t lanes = access->mask; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        if (!contents_read(e, at, (unsigned)access->buffer, access_offset(access, lane) + first, bytes,
                           &cells[lane]))
            return false;
        numbers |= (uint32_t)cells[lane].is_number << lane;
    }
    bool fits = e->cells[access->buffer].is_real ? at->kind == HELD_REAL : held_is_integer(at->kind);
    unsigned any = (unsigned)__builtin_ctz(access->mask);
    for (unsigned lane = 0; lane < LANES; lane++) {
        struct cell cell = cells[access->mask >> lane & 1 ? lane : any];
        values[lane] = cell.value;
        if (numbers != access->mask && cell.is_number) /* other lanes have data */
            values[lane] = TOKEN_COMPUTED;
    }
    if (numbers == access->mask && fits) {
        *dst = contents_value(e, at->kind, access->mask, values);
        return true;
    }
    if (numbers == access->mask) {
        *dst = data_computed(); /* an integer's bits as a floating number, or the other way round */
        return true;
    }
    *dst = (struct value){.kind = VALUE_DATA};
    dst->pattern = pattern_intern(&e->patterns, values, &dst->base);
    return true;
}

bool contents_load(struct execution *e, const struct warp *warp, const struct instruction *at,
                   struct value *dst)
{
    const struct access *access = &e->access;
    const struct cells *cells = &e->cells[access->buffer];
    unsigned bytes = access->site->lane_bytes / access->site->components;
    for (unsigned c = 0; c < access->site->components; c++) {
        int64_t number[LANES] = {0};
        bool fits = cells->is_real ? at->kind == HELD_REAL : held_is_integer(at->kind);
        if (bytes == cells->bytes && fits && load_whole(e, at, (int64_t)(c * bytes), number))
            dst[c] = contents_value(e, at->kind, access->mask, number);
        else if (e->problem->set || !load_parts(e, at, (int64_t)(c * bytes), bytes, &dst[c]))
            return false;
        if (dst[c].kind == VALUE_REAL)
            dst[c].buffer = (uint16_t)(access->buffer + 1);
    }
    if (cells->is_written)
        snapshot_outdate(&e->snapshot, warp);
    return true;
}

bool contents_store(struct execution *e, const struct instruction *at, const struct value *stored)
{
    const struct access *access = &e->access;
    const struct cells *cells = &e->cells[access->buffer];
    unsigned bytes = access->site->lane_bytes / access->site->components;
    for (uint32_t lanes = access->mask; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        for (unsigned c = 0; c < access->site->components; c++) {
            struct cell cell = {.value = data_at(&access->data[c], lane)};
            bool is_integer = held_is_integer(at->kind) && !cells->is_real;
            if (cells->is_real && at->kind == HELD_REAL && stored[c].kind == VALUE_REAL)
                cell = (struct cell){true, lanes_value(e, &stored[c], (int)lane)};
            else if (is_integer && stored[c].kind == VALUE_NUMBER)
                cell = (struct cell){true, lanes_value(e, &stored[c], (int)lane)};
            else if (is_integer && stored[c].kind == VALUE_BOOL)
                cell = (struct cell){true, (uint32_t)stored[c].base >> lane & 1};
            if (!contents_write(e, at, (unsigned)access->buffer,
                                access_offset(access, lane) + (int64_t)(c * bytes), bytes, cell))
                return false;
        }
    }
    return true;
}
