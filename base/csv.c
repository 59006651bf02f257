#include "csv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"

void csv_open(struct csv *csv, const struct source *source)
{
    *csv = (struct csv){.name = source->name, .at = source->bytes, .end = source->bytes + source->size};
    if (source->size >= 3 && memcmp(source->bytes, "\xef\xbb\xbf", 3) == 0)
        csv->at += 3; /* a byte order mark, as spreadsheets write it */
    csv->buffer = memory_take(CSV_LINE_LIMIT + 1, 1);
}

void csv_close(struct csv *csv)
{
    free(csv->buffer);
    csv->buffer = NULL;
}

static bool fail(const struct csv *csv, struct problem *problem, const char *what)
{
    return problem_say(problem, "%s, line %" PRIu64 ": %s", csv->name, csv->line, what);
}

/* Copies the next line into the buffer; false at the end. */
static bool take_line(struct csv *csv, struct problem *problem, size_t *length)
{
    if (csv->at >= csv->end)
        return false;
    const char *newline = memchr(csv->at, '\n', (size_t)(csv->end - csv->at));
    size_t size = newline ? (size_t)(newline - csv->at) : (size_t)(csv->end - csv->at);
    csv->line++;
    if (size > CSV_LINE_LIMIT)
        return fail(csv, problem, "the line is longer than 65536 bytes");
    memcpy(csv->buffer, csv->at, size);
    csv->at += size + (newline != NULL);
    while (size && csv->buffer[size - 1] == '\r')
        size--;
    csv->buffer[size] = '\0';
    *length = size;
    if (memchr(csv->buffer, '\0', size))
        return fail(csv, problem, "the line holds a NUL byte: this is no text");
    return true;
}

/* Takes a quoted field's quotes off in place; returns what follows it, or NULL. */
static char *unquote(char *at)
{
    char *to = at;
    for (char *from = at + 1; *from; from++) {
        if (*from == '"' && from[1] != '"') {
            *to = '\0';
            return from + 1;
        }
        if (*from == '"')
            from++;
        *to++ = *from;
    }
    return NULL;
}

static bool split(struct csv *csv, struct problem *problem)
{
    char *at = csv->buffer;
    for (csv->count = 0;;) {
        if (csv->count == CSV_FIELD_LIMIT)
            return fail(csv, problem, "a row has at most 1024 fields");
        csv->fields[csv->count++] = at;
        char *end = *at == '"' ? unquote(at) : at + strcspn(at, ",");
        if (!end)
            return fail(csv, problem, "a quoted field has no closing quote");
        if (*end && *end != ',')
            return fail(csv, problem, "a comma is expected after a quoted field");
        if (!*end)
            return true;
        *end = '\0';
        at = end + 1;
    }
}

bool csv_next(struct csv *csv, struct problem *problem)
{
    size_t length = 0;
    while (take_line(csv, problem, &length))
        if (length && csv->buffer[0] != '#')
            return split(csv, problem);
    return false;
}

bool csv_header(struct csv *csv, struct problem *problem)
{
    if (!csv_next(csv, problem))
        return problem->set ? false : problem_say(problem, "%s is empty", csv->name);
    for (unsigned i = 0; i < csv->count; i++)
        for (unsigned k = 0; *csv->fields[i] && k < i; k++)
            if (strcmp(csv->fields[i], csv->fields[k]) == 0)
                return problem_say(problem,
                                   "%s, line %" PRIu64
                                   ": the column '%.80s' is there twice, as number %u and %u; "
                                   "leave one of them",
                                   csv->name, csv->line, csv->fields[i], k + 1, i + 1);
    return true;
}

unsigned csv_find(const struct csv *csv, const char *name)
{
    for (unsigned i = 0; i < csv->count; i++)
        if (strcmp(csv->fields[i], name) == 0)
            return i;
    return CSV_FIELD_LIMIT;
}

const char *csv_field(const struct csv *csv, unsigned place)
{
    return place < csv->count ? csv->fields[place] : "";
}
