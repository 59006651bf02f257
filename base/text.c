#include "text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"

bool text_read_file(struct text *text, const char *path, size_t limit, struct problem *problem)
{
    *text = (struct text){0};
    FILE *file = fopen(path, "rb");
    if (!file)
        return problem_say_world(problem, "%s cannot be read: %s", path, strerror(errno));
    size_t size = 0, capacity = 1 << 16;
    char *bytes = memory_take(capacity, 1);
    for (;;) {
        size_t got = fread(bytes + size, 1, capacity - size, file);
        size += got;
        if (got == 0 || size > limit)
            break;
        if (size == capacity)
            bytes = memory_resize(bytes, capacity *= 2, 1);
    }
    bool failed = ferror(file) != 0;
    int error = errno;
    (void)fclose(file);
    text->owned = bytes;
    text->source = (struct source){path, bytes, size};
    if (!failed && size <= limit)
        return true;
    text_close(text);
    if (failed)
        return problem_say_world(problem, "%s cannot be read: %s", path, strerror(error));
    return problem_say(problem, "%s is larger than the %zu MiB that are read of such a file", path,
                       limit >> 20);
}

void text_close(struct text *text)
{
    free(text->owned);
    *text = (struct text){0};
}
