/* function.c - functions of integers, each lane alone. */
#include "lanes.h"

unsigned function_operands(enum function_id function)
{
    if (function == FUNCTION_ACTIVE)
        return 0;
    if (function >= FUNCTION_SHUFFLE)
        return function <= FUNCTION_SHUFFLE_XOR ? 3 : 2;
    if (function >= FUNCTION_BYTE_PERM && function <= FUNCTION_FUNNEL_RIGHT_CAP)
        return 3;
    return function == FUNCTION_MUL24 || function == FUNCTION_MULHI ? 2 : 1;
}

static uint64_t reverse(uint64_t x, unsigned bits)
{
    uint64_t result = 0;
    for (unsigned i = 0; i < bits; i++)
        result |= (x >> i & 1) << (bits - 1 - i);
    return result;
}

/* Bytes of y:x by the nibbles of `selector`; bit 3 of a nibble asks for the byte's sign instead. */
static uint64_t permute(uint64_t x, uint64_t y, uint64_t selector)
{
    uint64_t both = (y & UINT32_MAX) << 32 | (x & UINT32_MAX), result = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned nibble = (unsigned)(selector >> (4 * i)) & 15;
        uint64_t byte = both >> (8 * (nibble & 7)) & 0xff;
        if (nibble & 8)
            byte = byte & 0x80 ? 0xff : 0;
        result |= byte << (8 * i);
    }
    return result;
}

static uint64_t funnel(enum function_id function, uint64_t low, uint64_t high, uint64_t count)
{
    bool cap = function == FUNCTION_FUNNEL_LEFT_CAP || function == FUNCTION_FUNNEL_RIGHT_CAP;
    bool left = function == FUNCTION_FUNNEL_LEFT || function == FUNCTION_FUNNEL_LEFT_CAP;
    uint64_t both = (high & UINT32_MAX) << 32 | (low & UINT32_MAX);
    count &= UINT32_MAX;
    count = cap ? (count < 32 ? count : 32) : count & 31;
    return (left ? both << count >> 32 : both >> count) & UINT32_MAX;
}

/* The upper half of a product of two numbers of 32 or 64 bits. */
static uint64_t high_half(uint64_t a, uint64_t b, bool is_signed, unsigned bits)
{
    if (bits == 32)
        return is_signed ? (uint64_t)(((int64_t)a * (int64_t)b) >> 32) : a * b >> 32;
    uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
    uint64_t middle = (a0 * b0 >> 32) + (a1 * b0 & UINT32_MAX) + (a0 * b1 & UINT32_MAX);
    uint64_t high = a1 * b1 + (a1 * b0 >> 32) + (a0 * b1 >> 32) + (middle >> 32);
    if (is_signed && a >> 63)
        high -= b;
    if (is_signed && b >> 63)
        high -= a;
    return high;
}

static int64_t low_24(int64_t x, bool is_signed)
{
    int64_t low = x & 0xffffff;
    return is_signed && low >> 23 ? low - 0x1000000 : low;
}

/* One lane; the result's bits, the lower half of them where `bits` is 32. */
static uint64_t lane_function(enum function_id function, bool is_signed, unsigned bits, const int64_t *x)
{
    uint64_t a = (uint64_t)x[0], mask = bits == 64 ? UINT64_MAX : UINT32_MAX;
    switch (function) {
    case FUNCTION_ABS:
        return x[0] < 0 ? 0 - a : a;
    case FUNCTION_POPC:
        return (uint64_t)__builtin_popcountll(a & mask);
    case FUNCTION_BREV:
        return reverse(a & mask, bits);
    case FUNCTION_CLZ:
        return a & mask ? (uint64_t)__builtin_clzll(a & mask) - (64 - bits) : bits;
    case FUNCTION_FFS:
        return a & mask ? (uint64_t)__builtin_ctzll(a & mask) + 1 : 0;
    case FUNCTION_MUL24:
        return (uint64_t)(low_24(x[0], is_signed) * low_24(x[1], is_signed));
    case FUNCTION_MULHI:
        return high_half(a, (uint64_t)x[1], is_signed, bits);
    case FUNCTION_BYTE_PERM:
        return permute(a, (uint64_t)x[1], (uint64_t)x[2]);
    default:
        return funnel(function, a, (uint64_t)x[1], (uint64_t)x[2]);
    }
}

/* As a number of the type that the function returns: an int where it counts bits, else its operands'. */
static int64_t as_result(enum function_id function, bool is_signed, unsigned bits, uint64_t x)
{
    bool counts = function == FUNCTION_POPC || function == FUNCTION_CLZ || function == FUNCTION_FFS;
    if (counts || bits == 64)
        return (int64_t)x;
    return is_signed ? (int32_t)(uint32_t)x : (int64_t)(uint32_t)x;
}

bool function_of(struct execution *e, const struct warp *warp, const struct instruction *at,
                 const struct value *operands, struct value *result)
{
    enum function_id function = (enum function_id)at->extra;
    unsigned count = function_operands(function), bits = at->kind >= NUMBER_I64 ? 64 : 32;
    bool is_signed = at->kind % 2 == 0;
    (void)warp;
    if (function == FUNCTION_BITS) { /* of a number they are data's that no cell holds */
        if (operands[0].kind == VALUE_DATA)
            *result = operands[0];
        return true;
    }
    for (unsigned i = 0; i < count; i++)
        if (!value_is_number(&operands[i]))
            return true;
    int64_t values[LANES];
    for (int lane = 0; lane < LANES; lane++) {
        int64_t x[FUNCTION_OPERANDS] = {0};
        for (unsigned i = 0; i < count; i++)
            x[i] = lanes_value(e, &operands[i], lane);
        values[lane] = as_result(function, is_signed, bits, lane_function(function, is_signed, bits, x));
    }
    *result = (struct value){.kind = VALUE_NUMBER};
    result->pattern = pattern_intern(&e->patterns, values, &result->base);
    return true;
}
