#include "escape.h"

#include <stdbool.h>
#include <string.h>

#include "../../base/utf8.h"

/* U+FFFE and U+FFFF: XML forbids them. */
static bool is_no_character(const char *text, unsigned length)
{
    return length == 3 && (memcmp(text, "\xef\xbf\xbe", 3) == 0 || memcmp(text, "\xef\xbf\xbf", 3) == 0);
}

/* In one byte or in two. */
static bool is_control(const char *text, unsigned length)
{
    const unsigned char *at = (const unsigned char *)text;
    return (length == 1 && (at[0] < 32 || at[0] == 127)) || (length == 2 && at[0] == 0xc2 && at[1] < 0xa0);
}

const char *clean_next(const char **text, unsigned *length)
{
    const char *at = *text;
    *length = utf8_length(at);
    *text += *length ? *length : 1;
    if (!*length || is_no_character(at, *length)) {
        *length = 3;
        return "\xef\xbf\xbd";
    }
    if (is_control(at, *length)) {
        *length = 1;
        return " ";
    }
    return at;
}

void write_escaped(const char *text, FILE *out)
{
    while (*text) {
        unsigned length;
        const char *at = clean_next(&text, &length);
        const char *entity = *at == '&'    ? "&amp;"
                             : *at == '<'  ? "&lt;"
                             : *at == '>'  ? "&gt;"
                             : *at == '"'  ? "&quot;"
                             : *at == '\'' ? "&#39;"
                                           : NULL;
        if (entity)
            (void)fputs(entity, out);
        else
            (void)fwrite(at, 1, length, out);
    }
}
