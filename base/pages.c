#include "pages.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "arena.h"

#define PIECE ((size_t)1 << 23)

void *pages_take(uint64_t bytes)
{
    if (bytes < PAGES_FROM || bytes > SIZE_MAX / 2)
        return memory_try(bytes, 1);
    /* cppcheck-suppress invalidFunctionArg ; -1 is what MAP_ANONYMOUS asks for */
    void *memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    /* cppcheck-suppress memleak ; it is the caller's */
    return memory == MAP_FAILED ? NULL : memory;
}

void pages_give(void *memory, uint64_t bytes)
{
    if (bytes < PAGES_FROM) {
        free(memory);
        return;
    }
    char *at = memory;
    for (uint64_t left = memory ? bytes : 0; left;) {
        size_t piece = left < PIECE ? (size_t)left : PIECE;
        (void)munmap(at, piece);
        at += piece;
        left -= piece;
    }
}
