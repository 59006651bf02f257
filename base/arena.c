#include "arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CHUNK = 4 * 1024, MOST_CHUNK = 32 * 1024 };

struct arena_chunk {
    struct arena_chunk *next;
    size_t used, size;
    alignas(16) char bytes[];
};

void *arena_take(struct arena *arena, size_t size)
{
    size = (size + 15) & ~(size_t)15;
    struct arena_chunk *chunk = arena->chunks;
    if (!chunk || chunk->size - chunk->used < size) {
        size_t capacity = !chunk ? FIRST_CHUNK : chunk->size < MOST_CHUNK / 2 ? 2 * chunk->size : MOST_CHUNK;
        capacity = size > capacity ? size : capacity;
        chunk = memory_take(1, sizeof *chunk + capacity);
        chunk->size = capacity;
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }
    void *result = chunk->bytes + chunk->used;
    chunk->used += size;
    return result;
}

char *arena_copy(struct arena *arena, const char *bytes, size_t size)
{
    char *copy = arena_take(arena, size + 1);
    memcpy(copy, bytes, size);
    return copy;
}

void arena_free(struct arena *arena)
{
    while (arena->chunks) {
        struct arena_chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
}

void *memory_take(size_t count, size_t size)
{
    void *result = calloc(count ? count : 1, size ? size : 1);
    if (!result)
        abort();
    return result;
}

void *memory_try(uint64_t count, size_t size)
{
    return count > SIZE_MAX ? NULL : calloc(count ? (size_t)count : 1, size ? size : 1);
}

void *memory_resize(void *old, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        abort();
    void *result = realloc(old, count && size ? count * size : 1);
    if (!result)
        abort();
    return result;
}
