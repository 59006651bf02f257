/* arena.h - memory that is given back all at once.
 *
 * For many small pieces that live equally long, such as a tree's nodes. arena_take() returns zeroed, 16-byte
 * aligned memory that lives until arena_free(). Running out of memory ends the process (abort): callers
 * bound what they ask for by the sizes of their input, so that is the world's failure and there is nothing
 * sensible to go on with.
 */
#ifndef LANESCOPE_ARENA_H
#define LANESCOPE_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena_chunk;

struct arena {
    struct arena_chunk *chunks; /* newest first */
};

void *arena_take(struct arena *arena, size_t size);
char *arena_copy(struct arena *arena, const char *bytes, size_t size); /* adds a NUL */
void arena_free(struct arena *arena);

/* malloc family that never returns NULL; the product count * size is checked. */
void *memory_take(size_t count, size_t size);
void *memory_resize(void *old, size_t count, size_t size);

/* Zeroed memory for what grows with the user's numbers; NULL where there is not that much, also where a
 * size_t of 32 bits does not hold it: the caller then says so. */
void *memory_try(uint64_t count, size_t size);

#endif
