#include "parse_number.h"

#include <errno.h>
#include <stdlib.h>

bool parse_number(const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    errno = 0;
    unsigned long long number = strtoull(text, &end, hex ? 16 : 10);
    if (errno || *end || number < low || number > high)
        return false;
    *value = number;
    return true;
}
