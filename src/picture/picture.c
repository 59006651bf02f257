#include "picture.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"

enum { TEXT_LIMIT = 2000 }; /* bytes of a text or a note; what is longer is cut */

void picture_init(struct picture *picture, double cols, double rows)
{
    *picture = (struct picture){.cols = cols, .rows = rows};
}

void picture_free(struct picture *picture)
{
    free(picture->marks);
    arena_free(&picture->arena);
    *picture = (struct picture){0};
}

const char *picture_copy(struct picture *picture, const char *text)
{
    char *copy = arena_take(&picture->arena, 3 * strlen(text) + 1), *to = copy;
    while (*text) {
        unsigned length;
        const char *at = clean_next(&text, &length);
        to = (char *)memcpy(to, at, length) + length;
    }
    *to = '\0';
    return copy;
}

static struct mark *add(struct picture *picture, const struct mark *mark)
{
    if (picture->count == picture->capacity) {
        picture->capacity = picture->capacity ? 2 * picture->capacity : 256;
        picture->marks = memory_resize(picture->marks, picture->capacity, sizeof *picture->marks);
    }
    picture->marks[picture->count] = *mark;
    return &picture->marks[picture->count++];
}

void picture_rectangle(struct picture *picture, double col, double row, double cols, double rows,
                       enum ink ink)
{
    (void)add(picture, &(struct mark){MARK_RECTANGLE, ink, col, row, cols, rows, .width = 0});
}

void picture_line(struct picture *picture, double col, double row, double cols, double rows, double width,
                  enum ink ink)
{
    (void)add(picture, &(struct mark){MARK_LINE, ink, col, row, cols, rows, .width = width});
}

__attribute__((format(printf, 2, 0))) static const char *say(struct picture *picture, const char *format,
                                                             va_list arguments)
{
    char text[TEXT_LIMIT];
    (void)vsnprintf(text, sizeof text, format, arguments);
    return picture_copy(picture, text);
}

void picture_text(struct picture *picture, double col, double row, enum face face, enum anchor anchor,
                  enum ink ink, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = say(picture, format, arguments);
    va_end(arguments);
    (void)add(picture,
              &(struct mark){MARK_TEXT, ink, col, row, 0, 0, .face = face, .anchor = anchor, .text = text});
}

void picture_label(struct picture *picture, double col, double row, enum ink ink, const char *text)
{
    picture_text(picture, col, row, FACE_DIGITS, ANCHOR_MIDDLE, ink, "%s", text);
    picture->marks[picture->count - 1].on = true;
}

void picture_cell(struct picture *picture, double col, double row, double cols, double rows, enum ink ink,
                  const char *text)
{
    const double gap = 0.5; /* units */
    picture_rectangle(picture, col + gap / PICTURE_CELL_WIDTH, row + gap / PICTURE_CELL_HEIGHT,
                      cols - 2 * gap / PICTURE_CELL_WIDTH, rows - 2 * gap / PICTURE_CELL_HEIGHT, ink);
    if (text)
        picture_label(picture, col + cols / 2, row, ink, text);
}

void picture_note(struct picture *picture, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *note = say(picture, format, arguments);
    va_end(arguments);
    size_t at = picture->count - 1;
    while (at && picture->marks[at].shape == MARK_TEXT)
        at--;
    picture->marks[at].note = note;
}

const char *grouped(uint64_t number, char text[32])
{
    char digits[24];
    size_t length = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, number), used = 0;
    for (size_t i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = digits[i];
    }
    text[used] = '\0';
    return text;
}

size_t text_columns(const char *text)
{
    size_t columns = 0;
    for (; *text; text++)
        columns += ((unsigned char)*text & 0xc0) != 0x80;
    return columns;
}
