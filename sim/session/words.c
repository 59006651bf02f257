#include "words.h"

#include <stdarg.h>
#include <stdio.h>

struct words words_in(char *out, size_t size)
{
    out[0] = '\0';
    return (struct words){.out = out, .size = size};
}

void words_say(struct words *words, const char *format, ...)
{
    size_t left = words->size - words->used;
    va_list arguments;
    va_start(arguments, format);
    int wanted = vsnprintf(words->out + words->used, left, format, arguments);
    va_end(arguments);
    if (wanted > 0)
        words->used += (size_t)wanted < left ? (size_t)wanted : left - 1;
}
