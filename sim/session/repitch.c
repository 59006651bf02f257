#include "repitch.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The word at or after `at`, before `end`; `end` where there is none. */
static size_t find_word(const struct source *text, size_t at, size_t end, const char *word)
{
    size_t length = strlen(word);
    for (; at + length <= end; at++)
        if (memcmp(text->bytes + at, word, length) == 0 && (at == 0 || !is_word(text->bytes[at - 1])) &&
            (at + length == text->size || !is_word(text->bytes[at + length])))
            return at;
    return end;
}

/* Past a bracket that opens at `at`, blanks before it passed over; 0: none does. */
static size_t past_bracket(const struct source *text, size_t at, size_t end, size_t *inside)
{
    int depth = 0;
    while (at < end && isspace((unsigned char)text->bytes[at]))
        at++;
    if (at >= end || text->bytes[at] != '[')
        return 0;
    *inside = at + 1;
    for (; at < end; at++) {
        depth += text->bytes[at] == '[';
        depth -= text->bytes[at] == ']';
        if (!depth)
            return at + 1;
    }
    return 0;
}

/* The last dimension where the array is declared. */
static bool find_dimension(const struct source *text, const struct program *program, struct repitch *found)
{
    size_t end = program->end, at = program->begin, inside;
    while ((at = find_word(text, at, end, "__shared__")) < end) {
        size_t stop = at;
        while (stop < end && text->bytes[stop] != ';')
            stop++;
        size_t name = find_word(text, at, stop, found->name), first, second;
        at = stop;
        if (name == stop)
            continue;
        first = past_bracket(text, name + strlen(found->name), stop, &inside);
        second = first ? past_bracket(text, first, stop, &inside) : 0;
        if (!second)
            continue;
        int column;
        found->begin = (uint32_t)inside;
        found->end = (uint32_t)second - 1;
        source_place(text, inside, &found->line, &column);
        return true;
    }
    return false;
}

/* Where the text itself says #define PITCH, so that a person can change it. */
static int line_of_define(const struct source *text)
{
    for (size_t at = 0; (at = find_word(text, at, text->size, "define")) < text->size; at++) {
        size_t word = at + 6;
        int line, column;
        while (word < text->size && (text->bytes[word] == ' ' || text->bytes[word] == '\t'))
            word++;
        if (find_word(text, word, text->size, "PITCH") != word)
            continue;
        source_place(text, at, &line, &column);
        return line;
    }
    return 0;
}

/* Of a square tile: more is a tile of another shape. */
static uint64_t pad_most(uint64_t rows)
{
    return rows / 4 < 8 ? rows / 4 : 8;
}

/* The columns of the array that the session's block touches, from the first. */
static uint64_t touched_width(const struct session *session, unsigned buffer, uint64_t pitch)
{
    const struct shared_array *array = &session->scenario.program->shared[buffer];
    int64_t size = (int64_t)type_size(&array->element), row = (int64_t)pitch * size, width = 0;
    for (size_t i = 0; i < session->trace.count; i++) {
        const struct access *access = &session->trace.at[i].access;
        if (access->site->kind->space != SPACE_SHARED || access->buffer != (int)buffer)
            continue;
        for (uint32_t lanes = access->mask & ~access->out_of_bounds; lanes; lanes &= lanes - 1) {
            int64_t byte = access_offset(access, (unsigned)__builtin_ctz(lanes)) - (int64_t)array->offset;
            int64_t end = byte % row + access->site->lane_bytes;
            width = end > width ? end : width;
        }
    }
    return (uint64_t)((width < row ? width : row) / size);
}

bool repitch_find(const struct session *session, const struct access *at, struct repitch *found)
{
    const struct scenario *s = &session->scenario;
    const struct program *p = s->program;
    bool touches = at && at->site->kind->space == SPACE_SHARED && at->buffer >= 0;
    *found = (struct repitch){.by_option = session_mentions(session, "PITCH") && s->pitch};
    unsigned first = touches ? (unsigned)at->buffer : 0, last = touches ? first + 1 : p->shared_count;
    for (unsigned i = first; i < last && i < p->shared_count; i++) {
        const struct shared_array *array = &p->shared[i];
        if (array->type.kind != TYPE_ARRAY || array->type.to->kind != TYPE_ARRAY || array->dynamic)
            continue;
        found->name = array->name;
        found->pitch = type_size(array->type.to) / type_size(&array->element);
        found->array = i;
        break;
    }
    if (found->by_option) {
        found->pitch = s->pitch;
        found->line = line_of_define(&s->text);
        return true;
    }
    return found->name && !s->compiled.compiler && find_dimension(&s->text, p, found);
}

uint64_t repitch_width(const struct session *session, const struct repitch *found)
{
    uint64_t tile = found->by_option ? session->scenario.tile : 0;
    if (tile || !found->name)
        return tile ? tile : BANK_COUNT;
    const struct shared_array *array = &session->scenario.program->shared[found->array];
    uint64_t pitch = type_size(array->type.to) / type_size(&array->element), rows = array->type.count;
    if (rows <= pitch && pitch <= rows + pad_most(rows))
        return rows;
    uint64_t width = touched_width(session, found->array, pitch);
    return width ? width : pitch;
}

struct session *repitch_open(const struct session *session, const struct repitch *found, uint32_t pitch,
                             char **text, struct problem *problem)
{
    const struct scenario *s = &session->scenario;
    struct scenario_options options = s->options;
    struct source source = s->text;
    char digits[16];
    *text = NULL;
    if (found->by_option) {
        options.pitch = pitch;
        return session_open(session->name, &source, &options, problem);
    }
    size_t length = (size_t)snprintf(digits, sizeof digits, "%u", pitch);
    size_t rest = source.size - found->end;
    *text = memory_take(source.size + sizeof digits, 1);
    memcpy(*text, source.bytes, found->begin);
    memcpy(*text + found->begin, digits, length);
    memcpy(*text + found->begin + length, source.bytes + found->end, rest);
    source.bytes = *text;
    source.size = found->begin + length + rest;
    struct session *fresh = session_open(session->name, &source, &options, problem);
    if (fresh)
        return fresh;
    free(*text);
    *text = NULL;
    return NULL;
}
