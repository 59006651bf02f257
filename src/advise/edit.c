#include "edit.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool edits_add(struct edits *edits, struct arena *arena, size_t begin, size_t end, const char *format, ...)
{
    va_list arguments;
    if (edits->count == EDIT_LIMIT)
        return false;
    va_start(arguments, format);
    int size = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = arena_take(arena, (size_t)size + 1);
    va_start(arguments, format);
    (void)vsnprintf(text, (size_t)size + 1, format, arguments);
    va_end(arguments);
    edits->list[edits->count++] = (struct edit){begin, end, text};
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    return x->begin != y->begin ? (x->begin < y->begin ? -1 : 1) : x->end < y->end ? -1 : x->end > y->end;
}

struct source edits_apply(struct edits *edits, const struct source *source, struct arena *arena)
{
    size_t size = source->size, from = 0, at = 0;
    qsort(edits->list, edits->count, sizeof *edits->list, by_place);
    for (unsigned i = 0; i < edits->count; i++)
        size += strlen(edits->list[i].text);
    char *text = arena_take(arena, size + 1);
    for (unsigned i = 0; i < edits->count; i++) {
        const struct edit *edit = &edits->list[i];
        memcpy(text + at, source->bytes + from, edit->begin - from);
        at += edit->begin - from;
        memcpy(text + at, edit->text, strlen(edit->text));
        at += strlen(edit->text);
        from = edit->end;
    }
    memcpy(text + at, source->bytes + from, source->size - from);
    return (struct source){source->name, text, at + source->size - from};
}

static size_t line_begin(const struct source *source, size_t at)
{
    while (at > 0 && source->bytes[at - 1] != '\n')
        at--;
    return at;
}

static size_t line_end(const struct source *source, size_t at)
{
    while (at < source->size && source->bytes[at] != '\n')
        at++;
    return at;
}

/* Lines with a sign in front of each. */
static void print_lines(char sign, const char *bytes, size_t size, FILE *out)
{
    for (size_t at = 0; at <= size;) {
        size_t length = 0;
        while (at + length < size && bytes[at + length] != '\n')
            length++;
        (void)fprintf(out, "%c%.*s\n", sign, (int)length, bytes + at);
        at += length + 1;
    }
}

static unsigned lines_of(const char *bytes, size_t size)
{
    unsigned lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += bytes[i] == '\n';
    return lines;
}

void edits_print(const struct edits *edits, const struct source *source, FILE *out)
{
    long shift = 0; /* lines that the text has more by now */
    (void)fprintf(out, "--- %s\n+++ %s\n", source->name, source->name);
    for (unsigned i = 0; i < edits->count;) {
        struct arena arena = {0};
        struct edits here = {.count = 0};
        size_t begin = line_begin(source, edits->list[i].begin), end = begin;
        int line, column;
        do { /* all changes of neighbouring lines */
            here.list[here.count] = edits->list[i];
            here.list[here.count].begin -= begin;
            here.list[here.count++].end -= begin;
            end = line_end(source, edits->list[i++].end);
        } while (i < edits->count && line_begin(source, edits->list[i].begin) <= end + 1);
        struct source old = {source->name, source->bytes + begin, end - begin};
        struct source new = edits_apply(&here, &old, &arena);
        unsigned before = lines_of(old.bytes, old.size), after = lines_of(new.bytes, new.size);
        source_place(source, begin, &line, &column);
        (void)fprintf(out, "@@ -%d,%u +%ld,%u @@\n", line, before, line + shift, after);
        print_lines('-', old.bytes, old.size, out);
        print_lines('+', new.bytes, new.size, out);
        shift += (long)after - (long)before;
        arena_free(&arena);
    }
}
