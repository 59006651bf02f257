/* sheet.h - texts one after the other. Begins as {0}; the bytes, of `size` and a NUL, are the owner's:
 * free().
 */
#ifndef LANESCOPE_CUDA_SHEET_H
#define LANESCOPE_CUDA_SHEET_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../base/arena.h"

struct sheet {
    char *bytes;
    size_t size;
};

static inline void put(struct sheet *sheet, const char *bytes, size_t size)
{
    sheet->bytes = memory_resize(sheet->bytes, sheet->size + size + 1, 1);
    memcpy(sheet->bytes + sheet->size, bytes, size);
    sheet->size += size;
    sheet->bytes[sheet->size] = '\0';
}

static inline void put_text(struct sheet *sheet, const char *text)
{
    put(sheet, text, strlen(text));
}

/* At most 500 bytes of it. */
__attribute__((format(printf, 2, 3))) static inline void put_format(struct sheet *sheet, const char *format,
                                                                    ...)
{
    char text[500];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put_text(sheet, text);
}

#endif
