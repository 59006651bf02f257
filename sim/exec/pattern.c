#include "pattern.h"

#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"

enum { MEMO_FIRST = 128, MEMO_MOST = 8192, CHUNK = 64, PATTERN_LIMIT = 1 << 16 };

/* One remembered operation: a direct-mapped cache, so that a hit costs one comparison. */
struct pattern_memo {
    int64_t x, y;
    uint32_t op;
    pattern_id a, b;
    uint32_t used;
    struct pattern_result result;
};

enum { MEMO_ADD = 1000, MEMO_SUBTRACT, MEMO_SCALE };

/* Room for more patterns. Those that are there stay where they are. */
static void add_chunk(struct pattern_table *table)
{
    struct pattern *chunk = memory_take(CHUNK, sizeof *chunk);
    table->at = memory_resize(table->at, table->capacity + CHUNK, sizeof *table->at);
    for (uint32_t i = 0; i < CHUNK; i++)
        table->at[table->capacity++] = &chunk[i];
}

void pattern_table_init(struct pattern_table *table)
{
    *table = (struct pattern_table){.bucket_count = 1024, .memo_size = MEMO_FIRST};
    add_chunk(table);
    table->buckets = memory_take(table->bucket_count, sizeof *table->buckets);
    table->memo = memory_take(table->memo_size, sizeof *table->memo);
    table->count = 1;
}

void pattern_table_free(struct pattern_table *table)
{
    for (uint32_t i = 0; i < table->capacity; i += CHUNK)
        free(table->at[i]);
    free(table->at);
    free(table->buckets);
    free(table->memo);
    *table = (struct pattern_table){0};
}

static uint64_t hash_deltas(const int64_t *delta)
{
    uint64_t hash = 0x9e3779b97f4a7c15u;
    for (int i = 1; i < LANES; i++)
        hash = (hash ^ (uint64_t)delta[i]) * 0xff51afd7ed558ccdu + (hash >> 29);
    return hash ^ hash >> 32;
}

static void insert_bucket(struct pattern_table *table, pattern_id id)
{
    uint32_t mask = table->bucket_count - 1;
    uint32_t at = (uint32_t)table->at[id]->hash & mask;
    while (table->buckets[at])
        at = (at + 1) & mask;
    table->buckets[at] = id;
}

static void grow(struct pattern_table *table)
{
    if (table->count == table->capacity)
        add_chunk(table);
    if (table->count * 2 < table->bucket_count)
        return;
    free(table->buckets);
    table->bucket_count *= 2;
    table->buckets = memory_take(table->bucket_count, sizeof *table->buckets);
    for (pattern_id id = 1; id < table->count; id++)
        insert_bucket(table, id);
}

/* delta[0] is 0 already. */
static pattern_id intern_deltas(struct pattern_table *table, const int64_t *delta)
{
    uint64_t any = 0;
    for (int i = 1; i < LANES; i++)
        any |= (uint64_t)delta[i];
    if (!any)
        return 0;
    uint64_t hash = hash_deltas(delta);
    uint32_t mask = table->bucket_count - 1;
    for (uint32_t at = (uint32_t)hash & mask; table->buckets[at]; at = (at + 1) & mask) {
        const struct pattern *pattern = table->at[table->buckets[at]];
        if (pattern->hash == hash && memcmp(pattern->delta, delta, sizeof pattern->delta) == 0)
            return table->buckets[at];
    }
    grow(table);
    pattern_id id = table->count++;
    struct pattern *pattern = table->at[id];
    memcpy(pattern->delta, delta, sizeof pattern->delta);
    pattern->hash = hash;
    pattern->low = pattern->high = 0;
    pattern->low_bits = any;
    for (int i = 1; i < LANES; i++) {
        if (delta[i] < pattern->low)
            pattern->low = delta[i];
        if (delta[i] > pattern->high)
            pattern->high = delta[i];
    }
    insert_bucket(table, id);
    return id;
}

pattern_id pattern_intern(struct pattern_table *table, const int64_t *values, int64_t *base)
{
    int64_t delta[LANES];
    for (int i = 0; i < LANES; i++)
        delta[i] = (int64_t)((uint64_t)values[i] - (uint64_t)values[0]);
    *base = values[0];
    return intern_deltas(table, delta);
}

static struct pattern_memo *slot(const struct pattern_table *table, uint32_t op, pattern_id a, pattern_id b,
                                 int64_t x, int64_t y)
{
    uint64_t hash = (uint64_t)x * 0x9e3779b97f4a7c15u;
    hash ^= (uint64_t)y * 0xc2b2ae3d27d4eb4fu;
    hash ^= ((uint64_t)a << 40) + ((uint64_t)b << 20) + op;
    hash *= 0xff51afd7ed558ccdu;
    return &table->memo[(hash >> 40) & (table->memo_size - 1)];
}

const struct pattern_result *pattern_recall(const struct pattern_table *table, uint32_t op, pattern_id a,
                                            pattern_id b, int64_t x, int64_t y)
{
    const struct pattern_memo *memo = slot(table, op, a, b, x, y);
    if (memo->used && memo->op == op && memo->a == a && memo->b == b && memo->x == x && memo->y == y)
        return &memo->result;
    return NULL;
}

void pattern_remember(struct pattern_table *table, uint32_t op, pattern_id a, pattern_id b, int64_t x,
                      int64_t y, struct pattern_result result)
{
    if (++table->remembered > table->memo_size &&
        table->memo_size < MEMO_MOST) { /* begin anew in a larger one */
        table->memo_size *= 8;
        free(table->memo);
        table->memo = memory_take(table->memo_size, sizeof *table->memo);
    }
    *slot(table, op, a, b, x, y) =
        (struct pattern_memo){.x = x, .y = y, .op = op, .a = a, .b = b, .used = 1, .result = result};
}

static pattern_id combine(struct pattern_table *table, uint32_t op, pattern_id a, pattern_id b,
                          int64_t factor)
{
    const struct pattern_result *known = pattern_recall(table, op, a, b, factor, 0);
    if (known)
        return known->pattern;
    int64_t delta[LANES];
    const int64_t *left = table->at[a]->delta, *right = table->at[b]->delta;
    for (int i = 0; i < LANES; i++)
        delta[i] = (int64_t)((uint64_t)left[i] * (op == MEMO_SCALE ? (uint64_t)factor : 1u) +
                             (uint64_t)right[i] * (op == MEMO_SUBTRACT ? UINT64_MAX : 1u));
    pattern_id id = intern_deltas(table, delta);
    pattern_remember(table, op, a, b, factor, 0, (struct pattern_result){0, id});
    return id;
}

pattern_id pattern_add(struct pattern_table *table, pattern_id a, pattern_id b)
{
    if (!a)
        return b;
    return b ? combine(table, MEMO_ADD, a, b, 0) : a;
}

pattern_id pattern_subtract(struct pattern_table *table, pattern_id a, pattern_id b)
{
    return b ? combine(table, MEMO_SUBTRACT, a, b, 0) : a;
}

pattern_id pattern_scale(struct pattern_table *table, pattern_id a, int64_t factor)
{
    if (!a || factor == 1)
        return a;
    return factor ? combine(table, MEMO_SCALE, a, 0, factor) : 0;
}

bool pattern_table_is_full(const struct pattern_table *table)
{
    return table->count > PATTERN_LIMIT;
}

void pattern_table_collect(struct pattern_table *table, pattern_id **keep, size_t count)
{
    struct pattern_table fresh;
    pattern_table_init(&fresh);
    for (size_t i = 0; i < count; i++)
        *keep[i] = intern_deltas(&fresh, table->at[*keep[i]]->delta);
    fresh.generation = table->generation + 1;
    pattern_table_free(table);
    *table = fresh;
}
