/* name.c - the own name of a mangled function: _ZN4cute8tr<...>EvPf is tr<...>, of which this gives "tr". */
#include <stdio.h>
#include <string.h>

#include "ptx.h"

/* A number and so many bytes at `*at`; moves behind them. */
static bool read_part(const char **at, const char **name, size_t *length)
{
    size_t n = 0;
    const char *c = *at;
    if (*c < '0' || *c > '9')
        return false;
    for (; *c >= '0' && *c <= '9' && n < 100000; c++)
        n = 10 * n + (size_t)(*c - '0');
    if (n == 0 || strlen(c) < n)
        return false;
    *name = c;
    *length = n;
    *at = c + n;
    return true;
}

/* Past I...E, whose parts may hold such lists again. */
static const char *past_arguments(const char *at)
{
    unsigned depth = 0;
    const char *name;
    size_t length;
    while (*at) {
        if (read_part(&at, &name, &length))
            continue;
        bool literal = *at == 'L' && at[1] != '_';
        if (*at == 'I' || *at == 'N' || literal || *at == 'X' || *at == 'J' || *at == 'F')
            depth++;
        if (literal) { /* Li32E: what stands in it is no name */
            while (*at && *at != 'E')
                at++;
            continue;
        }
        if (*at == 'E' && --depth == 0)
            return at + 1;
        at++;
    }
    return at;
}

void ptx_base_name(const char *mangled, char *out, size_t size)
{
    const char *at = mangled, *name = mangled, *found = NULL;
    size_t length = strlen(mangled), n;
    if (strncmp(at, "_ZZ", 3) == 0) { /* _ZZ5tiledPfE4tile: a function's own variable */
        const char *last = NULL;
        for (const char *e = at; (e = strchr(e, 'E')) != NULL; e++)
            if (e[1] >= '0' && e[1] <= '9')
                last = e + 1;
        at = last ? last : at;
        if (last && read_part(&at, &found, &n)) {
            name = found;
            length = n;
        }
    } else if (strncmp(at, "_Z", 2) == 0) {
        at += 2;
        bool nested = *at == 'N';
        at += nested;
        while (*at == 'K' || *at == 'L')
            at++;
        while (read_part(&at, &found, &n)) {
            name = found;
            length = n;
            if (*at == 'I')
                at = past_arguments(at);
            if (!nested)
                break;
        }
    }
    (void)snprintf(out, size, "%.*s", (int)(length < 10000 ? length : 10000), name);
}
