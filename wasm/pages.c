/* pages.c - base/pages.h where there are no pages and no other threads. */
#include "../base/pages.h"

#include <stdlib.h>

#include "../base/arena.h"

void *pages_take(uint64_t bytes)
{
    return memory_try(bytes, 1);
}

void pages_give(void *memory, uint64_t bytes)
{
    (void)bytes;
    free(memory);
}
