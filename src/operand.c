/* operand.c - texts that operands name. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../sim/arena.h"
#include "../sim/lang/token.h"
#include "../sim/report/rung.h"
#include "command.h"

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

bool text_open(struct text *text, const char *operand, struct problem *problem)
{
    const struct rung *rung = rung_find(operand);
    if (rung) {
        *text = (struct text){.source = rung->source};
        return true;
    }
    if (!strchr(operand, '.') && !strchr(operand, '/')) {
        char names[200] = "";
        for (size_t i = 0; i < rung_count; i++) {
            size_t used = strlen(names);
            (void)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", rungs[i].name);
        }
        return problem_say(problem, "there is no rung %s; the rungs are %s, or name a .cu file", operand,
                           names);
    }
    return text_read_file(text, operand, SOURCE_SIZE_LIMIT, problem);
}

void text_close(struct text *text)
{
    free(text->owned);
    *text = (struct text){0};
}
