#include "utf8.h"

#include <stdbool.h>
#include <stdint.h>

unsigned utf8_length(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned length = at[0] < 0x80   ? 1
                      : at[0] < 0xc0 ? 0
                      : at[0] < 0xe0 ? 2
                      : at[0] < 0xf0 ? 3
                      : at[0] < 0xf8 ? 4
                                     : 0;
    if (length <= 1)
        return length;
    uint32_t value = at[0] & (0x7fu >> length);
    for (unsigned i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (at[i] & 0x3fu);
    }
    bool surrogate = value >= 0xd800 && value <= 0xdfff;
    return value < least[length] || value > 0x10ffff || surrogate ? 0 : length;
}
