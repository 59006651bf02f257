#include "problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void set(struct problem *problem, enum problem_kind kind, const char *format, va_list arguments)
{
    if (problem->set) /* the first one stands */
        return;
    problem->set = true;
    problem->kind = kind;
    (void)vsnprintf(problem->message, sizeof problem->message, format, arguments);
    /* Names in a message come from hostile text: control bytes must not reach a terminal. */
    for (char *c = problem->message; *c; c++)
        if ((unsigned char)*c < 32 || *c == 127)
            *c = '?';
}

bool problem_say(struct problem *problem, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(problem, problem->kind, format, arguments);
    va_end(arguments);
    return false;
}

bool problem_say_world(struct problem *problem, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(problem, PROBLEM_WORLD, format, arguments);
    va_end(arguments);
    return false;
}

void problem_offer(struct problem *problem, enum problem_cure cure)
{
    if (!problem->set)
        problem->cure = cure;
}

void problem_offer_for(struct problem *problem, enum problem_cure cure, const char *subject)
{
    problem_offer(problem, cure);
    if (!problem->set && strlen(subject) < sizeof problem->subject)
        memcpy(problem->subject, subject, strlen(subject) + 1);
}

void problem_want(struct problem *problem, enum problem_cure cure, const char *format, ...)
{
    va_list arguments;
    if (problem->set || problem->want_count == PROBLEM_WANT_LIMIT)
        return;
    struct problem_want *want = &problem->wants[problem->want_count++];
    want->cure = cure;
    va_start(arguments, format);
    (void)vsnprintf(want->value, sizeof want->value, format, arguments);
    va_end(arguments);
}

size_t source_text_begin(const struct source *source)
{
    return source->size >= 3 && memcmp(source->bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

void problem_within(struct problem *problem, const char *format, ...)
{
    struct problem whole = {0};
    char where[PROBLEM_MESSAGE_SIZE];
    va_list arguments;
    if (!problem->set)
        return;
    va_start(arguments, format);
    (void)vsnprintf(where, sizeof where, format, arguments);
    va_end(arguments);
    (void)problem_say(&whole, "%s: %s", where, problem->message);
    memcpy(problem->message, whole.message, sizeof problem->message);
}

void source_place(const struct source *source, size_t offset, int *line, int *column)
{
    *line = 1;
    *column = 1;
    if (offset > source->size)
        offset = source->size;
    for (size_t i = 0; i < offset; i++) {
        if (source->bytes[i] == '\n') {
            ++*line;
            *column = 1;
        } else {
            ++*column;
        }
    }
}

/* Copies the line around `offset`, at most PROBLEM_LINE_SIZE - 1 bytes of it, the offset kept in sight. */
static void copy_line(struct problem *problem, const struct source *source, size_t offset)
{
    if (offset > source->size)
        offset = source->size;
    size_t start = offset;
    while (start > 0 && source->bytes[start - 1] != '\n' && offset - start < PROBLEM_LINE_SIZE / 2)
        start--;
    size_t length = 0;
    while (start + length < source->size && source->bytes[start + length] != '\n' &&
           length < PROBLEM_LINE_SIZE - 1) {
        unsigned char c = (unsigned char)source->bytes[start + length];
        problem->source_line[length++] = c < 32 || c == 127 ? ' ' : (char)c;
    }
    problem->source_line[length] = '\0';
    problem->caret = (int)(offset - start);
}

bool problem_at(struct problem *problem, const struct source *source, size_t offset, const char *format, ...)
{
    if (problem->set)
        return false;
    va_list arguments;
    va_start(arguments, format);
    set(problem, problem->kind, format, arguments);
    va_end(arguments);
    (void)snprintf(problem->file, sizeof problem->file, "%s", source->name);
    source_place(source, offset, &problem->line, &problem->column);
    copy_line(problem, source, offset);
    return false;
}

size_t problem_format(const struct problem *problem, const char *advice, char *out, size_t size)
{
    const char *link = advice ? "; " : "";
    int n;
    advice = advice ? advice : "";
    if (problem->file[0])
        n = snprintf(out, size, "%s:%d:%d: %s%s%s\n    %s\n    %*s^", problem->file, problem->line,
                     problem->column, problem->message, link, advice, problem->source_line, problem->caret,
                     "");
    else
        n = snprintf(out, size, "%s%s%s", problem->message, link, advice);
    if (n < 0)
        return 0;
    return (size_t)n < size ? (size_t)n : size - 1;
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool source_mentions(const struct source *source, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i + length <= source->size; i++) {
        bool begins = i == 0 || !is_name_byte(source->bytes[i - 1]);
        bool ends = i + length == source->size || !is_name_byte(source->bytes[i + length]);
        if (begins && ends && memcmp(source->bytes + i, name, length) == 0)
            return true;
    }
    return false;
}
