/* held.c - buffers that the kernel reads after it has written them: which token each piece holds. */
#include "held.h"

#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"

/* In memory: 0 is "as when the kernel began", and a value that nobody wrote is no 0. */
enum { HELD_UNSET = -1 };

static uint64_t granules_in(const struct execution *e, const struct argument *argument)
{
    return (argument->before + argument->bytes + e->program->granule - 1) / e->program->granule;
}

bool held_begin(struct execution *e)
{
    unsigned count = e->program->parameter_count;
    for (unsigned i = 0; i < count; i++) {
        const struct argument *argument = &e->launch.arguments[i];
        if (!argument->follows)
            continue;
        if (!e->followed)
            e->followed = memory_take(count, sizeof *e->followed);
        unsigned owner = argument->alias ? argument->alias - 1 : i;
        struct followed *own = &e->followed[owner];
        if (!own->tokens) {
            own->count = granules_in(e, &e->launch.arguments[owner]);
            own->tokens = own->count <= HELD_LIMIT ? memory_try(own->count, sizeof *own->tokens) : NULL;
            own->before = e->launch.arguments[owner].before;
            own->owner = owner;
            own->is_owner = true;
        }
        if (!own->tokens)
            return false;
        if (owner != i)
            e->followed[i] = (struct followed){
                .tokens = own->tokens, .count = own->count, .before = own->before, .owner = owner};
    }
    return true;
}

void held_free(struct execution *e)
{
    for (unsigned i = 0; e->followed && i < e->program->parameter_count; i++)
        if (e->followed[i].is_owner)
            free(e->followed[i].tokens);
    free(e->followed);
    free(e->sums.at);
    free(e->sums.places);
    e->sums = (struct sums){0};
    e->followed = NULL;
}

void held_rewind(struct execution *e)
{
    for (unsigned i = 0; e->followed && i < e->program->parameter_count; i++)
        if (e->followed[i].is_owner)
            memset(e->followed[i].tokens, 0, (size_t)e->followed[i].count * sizeof *e->followed[i].tokens);
}

/* The granule at a byte offset; false where there is none, or the offset is in the middle of one. */
static bool find(const struct execution *e, const struct followed *followed, int64_t offset, uint64_t *at)
{
    int64_t byte = offset + (int64_t)followed->before;
    *at = (uint64_t)byte / e->program->granule;
    return byte >= 0 && (uint64_t)byte % e->program->granule == 0 && *at < followed->count;
}

static int64_t token_at(const struct execution *e, const struct followed *followed, uint64_t at)
{
    int64_t token = followed->tokens[at];
    int64_t offset = (int64_t)(at * e->program->granule) - (int64_t)followed->before;
    return token == HELD_UNSET ? 0 : token ? token : TOKEN_BUFFER(followed->owner) + offset;
}

/* The token of `bytes` at an offset: of the first granule, where the others are its continuation. */
static int64_t token_of(const struct execution *e, const struct followed *followed, int64_t offset,
                        unsigned bytes)
{
    uint64_t at;
    if (!find(e, followed, offset, &at))
        return TOKEN_COMPUTED;
    int64_t token = token_at(e, followed, at);
    for (unsigned i = 1; i < bytes / e->program->granule; i++)
        if (at + i >= followed->count || token_at(e, followed, at + i) != data_part(e, token, i))
            return TOKEN_COMPUTED;
    return token;
}

void held_load(struct execution *e, struct value *dst)
{
    const struct access *access = &e->access;
    const struct followed *followed = &e->followed[access->buffer];
    unsigned bytes = access->site->lane_bytes / access->site->components;
    for (unsigned c = 0; c < access->site->components; c++) {
        int64_t tokens[LANES], any = 0;
        for (uint32_t lanes = access->mask; lanes; lanes &= lanes - 1) {
            unsigned lane = (unsigned)__builtin_ctz(lanes);
            any = tokens[lane] =
                token_of(e, followed, access_offset(access, lane) + (int64_t)(c * bytes), bytes);
        }
        for (unsigned lane = 0; lane < LANES; lane++) /* idle lanes repeat a token: fewer patterns */
            if (!(access->mask >> lane & 1))
                tokens[lane] = any;
        dst[c] = (struct value){.kind = VALUE_DATA};
        dst[c].pattern = pattern_intern(&e->patterns, tokens, &dst[c].base);
    }
}

void held_store(struct execution *e)
{
    const struct access *access = &e->access;
    struct followed *followed = &e->followed[access->buffer];
    unsigned bytes = access->site->lane_bytes / access->site->components, parts = bytes / e->program->granule;
    for (uint32_t lanes = access->mask; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        for (unsigned c = 0; c < access->site->components; c++) {
            uint64_t at;
            int64_t token = data_at(&access->data[c], lane);
            if (!find(e, followed, access_offset(access, lane) + (int64_t)(c * bytes), &at))
                continue;
            for (unsigned i = 0; i < parts && at + i < followed->count; i++) {
                int64_t part = data_part(e, token, i);
                followed->tokens[at + i] = part ? part : HELD_UNSET;
            }
        }
    }
}

/* Two summands; the table's place is its number. */
struct sum {
    int64_t a, b;
};

enum { SUM_LIMIT = 1 << 22, FIRST_SUMS = 1024 };

static uint32_t sum_hash(int64_t a, int64_t b)
{
    return (uint32_t)(((uint64_t)a * 0x9e3779b97f4a7c15u ^ (uint64_t)b * 0xc2b2ae3d27d4eb4fu) >> 29);
}

static void place_sum(struct sums *sums, uint32_t number)
{
    uint32_t at = sum_hash(sums->at[number].a, sums->at[number].b);
    while (sums->places[at & (sums->capacity * 2 - 1)])
        at++;
    sums->places[at & (sums->capacity * 2 - 1)] = number + 1;
}

/* Room for one more; twice as many places as sums. */
static bool grow_sums(struct sums *sums)
{
    if (sums->count < sums->capacity)
        return true;
    if (sums->capacity >= SUM_LIMIT)
        return false;
    sums->capacity = sums->capacity ? 2 * sums->capacity : FIRST_SUMS;
    sums->at = memory_resize(sums->at, sums->capacity, sizeof *sums->at);
    free(sums->places);
    sums->places = memory_take(2 * (size_t)sums->capacity, sizeof *sums->places);
    for (uint32_t i = 0; i < sums->count; i++)
        place_sum(sums, i);
    return true;
}

/* The token of a sum, which has no order. */
static int64_t sum_token(struct sums *sums, int64_t a, int64_t b)
{
    int64_t low = a < b ? a : b, high = a < b ? b : a;
    if (data_class(low) < 2 || !grow_sums(sums))
        return TOKEN_COMPUTED;
    uint32_t at = sum_hash(low, high), number;
    for (; (number = sums->places[at & (sums->capacity * 2 - 1)]) != 0; at++)
        if (sums->at[number - 1].a == low && sums->at[number - 1].b == high)
            return TOKEN_COMPUTED + number;
    sums->at[sums->count++] = (struct sum){low, high};
    place_sum(sums, sums->count - 1);
    return TOKEN_COMPUTED + sums->count;
}

struct value held_sum(struct execution *e, const struct value *a, const struct value *b)
{
    int64_t tokens[LANES];
    if (a->kind < VALUE_NUMBER || b->kind < VALUE_NUMBER)
        return data_computed();
    struct value x = data_of_value(e, a), y = data_of_value(e, b);
    const int64_t *dx = e->patterns.at[x.pattern]->delta, *dy = e->patterns.at[y.pattern]->delta;
    for (unsigned lane = 0; lane < LANES; lane++)
        tokens[lane] = sum_token(&e->sums, x.base + dx[lane], y.base + dy[lane]);
    struct value result = {.kind = VALUE_DATA};
    result.pattern = pattern_intern(&e->patterns, tokens, &result.base);
    return result;
}

bool execution_summands(const struct execution *e, int64_t token, int64_t summands[2])
{
    int64_t number = token - TOKEN_COMPUTED;
    if (number < 1 || number > (int64_t)e->sums.count)
        return false;
    summands[0] = e->sums.at[number - 1].a;
    summands[1] = e->sums.at[number - 1].b;
    return true;
}

int64_t execution_token(const struct execution *e, unsigned buffer, int64_t offset, unsigned bytes)
{
    return e->followed && e->followed[buffer].tokens ? token_of(e, &e->followed[buffer], offset, bytes)
                                                     : TOKEN_BUFFER(buffer) + offset;
}
