#include "bits.h"

static unsigned width_of(unsigned kind)
{
    return 8u << (kind / 2 & 3);
}

static uint64_t low_bits(uint64_t value, unsigned count)
{
    return count >= 64 ? value : value & ((UINT64_C(1) << count) - 1);
}

static int64_t extend(uint64_t value, unsigned width)
{
    uint64_t sign = UINT64_C(1) << (width - 1);
    return (int64_t)((low_bits(value, width) ^ sign) - sign);
}

static uint64_t multiply_high_64(uint64_t a, uint64_t b)
{
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t middle = ah * bl + (al * bl >> 32), other = al * bh + (uint32_t)middle;
    return ah * bh + (middle >> 32) + (other >> 32);
}

static uint64_t multiply_high(unsigned kind, int64_t a, int64_t b)
{
    unsigned width = width_of(kind);
    bool is_signed = kind % 2 == 0;
    if (width < 64 && is_signed)
        return (uint64_t)(a * b) >> width;
    if (width < 64)
        return low_bits((uint64_t)a, width) * low_bits((uint64_t)b, width) >> width;
    uint64_t high = multiply_high_64((uint64_t)a, (uint64_t)b);
    if (is_signed)
        high -= (a < 0 ? (uint64_t)b : 0) + (b < 0 ? (uint64_t)a : 0);
    return high;
}

static uint64_t multiply_24(bool is_signed, bool high, int64_t a, int64_t b)
{
    uint64_t x = low_bits((uint64_t)a, 24), y = low_bits((uint64_t)b, 24);
    uint64_t product = is_signed ? (uint64_t)(extend(x, 24) * extend(y, 24)) : x * y;
    return high ? product >> 16 : product;
}

static uint64_t extract(unsigned kind, int64_t a, uint64_t first, uint64_t count)
{
    unsigned width = width_of(kind);
    uint64_t value = low_bits((uint64_t)a, width), taken = first < width ? value >> first : 0;
    bool is_signed = kind % 2 == 0;
    if (!count)
        return 0;
    uint64_t last = first + count - 1 < width ? first + count - 1 : width - 1;
    bool fill = is_signed && value >> last & 1;
    taken = low_bits(taken, (unsigned)count);
    uint64_t have = first < width ? (first + count < width ? count : width - first) : 0;
    return fill && have < 64 ? taken | ~UINT64_C(0) << have : taken;
}

static uint64_t insert(unsigned kind, int64_t a, int64_t b, uint64_t where)
{
    unsigned width = width_of(kind);
    uint64_t first = where & 255, count = where >> 8 & 255;
    if (first >= width || !count)
        return (uint64_t)b;
    uint64_t mask = low_bits(~UINT64_C(0), (unsigned)count) << first;
    return ((uint64_t)b & ~mask) | ((uint64_t)a << first & mask);
}

/* Which of the eight bytes stands at byte i of the result; bit 3: its sign, eight times. */
static unsigned selected_byte(unsigned mode, uint64_t selector, unsigned i)
{
    unsigned low = (unsigned)selector & 3;
    switch (mode) {
    case 1: /* f4e */
        return low + i;
    case 2: /* b4e */
        return (low - i) & 7;
    case 3: /* rc8 */
        return low;
    case 4: /* ecl */
        return i > low ? i : low;
    case 5: /* ecr */
        return i < low ? i : low;
    case 6: /* rc16 */
        return (low & 1) * 2 + (i & 1);
    default:
        return (unsigned)(selector >> (4 * i)) & 15;
    }
}

static uint64_t permute(unsigned mode, int64_t a, int64_t b, int64_t selector)
{
    uint64_t bytes = (uint32_t)a | (uint64_t)(uint32_t)b << 32, result = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned from = selected_byte(mode, (uint64_t)selector, i);
        uint64_t byte = bytes >> (8 * (from & 7)) & 255;
        if (from & 8)
            byte = byte >> 7 ? 255 : 0;
        result |= byte << (8 * i);
    }
    return result;
}

static uint64_t logic(unsigned table, int64_t a, int64_t b, int64_t c)
{
    uint64_t result = 0;
    for (unsigned i = 0; i < 8; i++)
        if (table >> i & 1)
            result |= (uint64_t)((i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c));
    return result;
}

static uint64_t funnel(bool left, bool clamp, int64_t a, int64_t b, int64_t c)
{
    uint64_t whole = (uint32_t)a | (uint64_t)(uint32_t)b << 32, count = (uint32_t)c;
    count = clamp ? (count < 32 ? count : 32) : count & 31;
    return left ? (count ? whole << count >> 32 : whole >> 32) : whole >> count;
}

static unsigned leading_zeros(uint64_t value, unsigned width)
{
    return value ? (unsigned)__builtin_clzll(value) - (64 - width) : width;
}

static uint64_t reverse(uint64_t value, unsigned width)
{
    uint64_t result = 0;
    for (unsigned i = 0; i < width; i++)
        result |= (value >> i & 1) << (width - 1 - i);
    return result;
}

static int64_t find(unsigned kind, int64_t a, bool shift)
{
    unsigned width = width_of(kind);
    bool is_signed = kind % 2 == 0;
    uint64_t value = low_bits(is_signed && a < 0 ? ~(uint64_t)a : (uint64_t)a, width);
    if (!value)
        return -1;
    int highest = 63 - __builtin_clzll(value);
    return shift ? (int64_t)width - 1 - highest : highest;
}

static uint64_t distance(unsigned kind, int64_t a, int64_t b)
{
    unsigned width = width_of(kind);
    if (kind % 2 == 0)
        return a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
    uint64_t x = low_bits((uint64_t)a, width), y = low_bits((uint64_t)b, width);
    return x < y ? y - x : x - y;
}

static unsigned result_width(enum bits_function function, unsigned kind)
{
    if (function == BITS_LOGIC3)
        return 64;
    if (function == BITS_PERMUTE || (function >= BITS_COUNT && function <= BITS_LEADING_ZEROS) ||
        function == BITS_FIND || function == BITS_FIND_SHIFT ||
        (function >= BITS_FUNNEL_LEFT && function <= BITS_FUNNEL_RIGHT_CLAMP))
        return 32;
    if (function == BITS_LOW || function == BITS_HIGH)
        return width_of(kind) / 2;
    return width_of(kind);
}

static uint64_t compute(enum bits_function function, unsigned kind, int64_t a, int64_t b, int64_t c)
{
    unsigned width = width_of(kind);
    uint64_t value = low_bits((uint64_t)a, width);
    switch (function) {
    case BITS_MUL_HIGH:
        return multiply_high(kind, a, b);
    case BITS_MUL24_LOW:
    case BITS_MUL24_HIGH:
        return multiply_24(kind % 2 == 0, function == BITS_MUL24_HIGH, a, b);
    case BITS_EXTRACT:
        return extract(kind, a, (uint64_t)b & 255, (uint64_t)c & 255);
    case BITS_INSERT:
        return insert(kind, a, b, (uint64_t)c);
    case BITS_PERMUTE:
        return permute(kind, a, b, c);
    case BITS_LOGIC3:
        return logic(kind, a, b, c);
    case BITS_FUNNEL_LEFT:
    case BITS_FUNNEL_LEFT_CLAMP:
        return funnel(true, function == BITS_FUNNEL_LEFT_CLAMP, a, b, c);
    case BITS_FUNNEL_RIGHT:
    case BITS_FUNNEL_RIGHT_CLAMP:
        return funnel(false, function == BITS_FUNNEL_RIGHT_CLAMP, a, b, c);
    case BITS_COUNT:
        return (uint64_t)__builtin_popcountll(value);
    case BITS_LEADING_ZEROS:
        return leading_zeros(value, width);
    case BITS_REVERSE:
        return reverse(value, width);
    case BITS_FIND:
    case BITS_FIND_SHIFT:
        return (uint64_t)find(kind, a, function == BITS_FIND_SHIFT);
    case BITS_IS_ZERO:
        return value == 0;
    case BITS_ABSOLUTE:
        return a < 0 ? 0 - (uint64_t)a : (uint64_t)a;
    case BITS_DISTANCE:
        return distance(kind, a, b);
    case BITS_LOW:
        return value;
    case BITS_HIGH:
        return value >> (width / 2);
    case BITS_JOIN:
        return low_bits((uint64_t)a, width / 2) | (uint64_t)b << (width / 2);
    default:
        return 0;
    }
}

int64_t bits_lane(enum bits_function function, unsigned kind, int64_t a, int64_t b, int64_t c)
{
    return extend(compute(function, kind, a, b, c), result_width(function, kind));
}
