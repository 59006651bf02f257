#include "payload.h"

#include <string.h>

struct wide {
    uint32_t word[4];
};

static uint64_t source_cell(const struct payload *p, uint64_t row, uint64_t column)
{
    return p->is_copy ? row * p->cols + column : column * p->cols + row;
}

unsigned payload_passes(const struct payload *payload)
{
    uint64_t largest = (uint64_t)payload->rows * payload->cols - 1;
    unsigned passes = 1, bits = 8 * payload->elem_bytes;
    while (bits < 64 && largest >> bits) {
        largest >>= bits;
        passes++;
    }
    return passes;
}

static uint64_t digit_of(const struct payload *p, unsigned pass, uint64_t index)
{
    return index >> (p->elem_bytes < 8 ? 8 * p->elem_bytes * pass : 0);
}

static struct wide wide_of(uint64_t index, uint32_t flip)
{
    uint32_t low = (uint32_t)index ^ flip, high = (uint32_t)(index >> 32) ^ flip;
    return (struct wide){{low, high, ~low, ~high}};
}

/* Writes the content that stands for input cell `index`, every bit flipped where `flip` is all ones. The
 * width's switch is the same for a whole matrix: a branch that is always guessed right. */
static inline void put_content(uint8_t *at, unsigned elem_bytes, uint64_t digit, uint64_t flip)
{
    struct wide wide;
    uint64_t value = digit ^ flip;
    uint32_t word = (uint32_t)value;
    uint16_t half = (uint16_t)value;
    switch (elem_bytes) {
    case 1:
        *at = (uint8_t)value;
        return;
    case 2:
        memcpy(at, &half, sizeof half);
        return;
    case 4:
        memcpy(at, &word, sizeof word);
        return;
    case 8:
        memcpy(at, &value, sizeof value);
        return;
    default:
        wide = wide_of(digit, (uint32_t)flip);
        memcpy(at, &wide, sizeof wide);
        return;
    }
}

static inline bool same_content(const uint8_t *at, unsigned elem_bytes, uint64_t digit)
{
    struct wide wide;
    uint64_t value;
    uint32_t word;
    uint16_t half;
    switch (elem_bytes) {
    case 1:
        return *at == (uint8_t)digit;
    case 2:
        memcpy(&half, at, sizeof half);
        return half == (uint16_t)digit;
    case 4:
        memcpy(&word, at, sizeof word);
        return word == (uint32_t)digit;
    case 8:
        memcpy(&value, at, sizeof value);
        return value == digit;
    default:
        wide = wide_of(digit, 0);
        return memcmp(at, &wide, sizeof wide) == 0;
    }
}

void payload_fill(const struct payload *p, unsigned pass, void *cells)
{
    uint64_t count = (uint64_t)p->rows * p->cols;
    uint8_t *at = cells;
    for (uint64_t i = 0; i < count; i++, at += p->elem_bytes)
        put_content(at, p->elem_bytes, digit_of(p, pass, i), 0);
}

void payload_poison(const struct payload *p, unsigned pass, void *cells)
{
    uint64_t rows = p->is_copy ? p->rows : p->cols, columns = p->is_copy ? p->cols : p->rows;
    uint8_t *at = cells;
    for (uint64_t row = 0; row < rows; row++)
        for (uint64_t column = 0; column < columns; column++, at += p->elem_bytes)
            put_content(at, p->elem_bytes, digit_of(p, pass, source_cell(p, row, column)), UINT64_MAX);
}

static uint64_t first_bytes(const void *cell, unsigned elem_bytes)
{
    uint64_t value = 0;
    memcpy(&value, cell, elem_bytes < 8 ? elem_bytes : 8);
    return value;
}

struct payload_difference payload_check(const struct payload *p, unsigned pass, const void *cells)
{
    struct payload_difference difference = {0};
    uint64_t rows = p->is_copy ? p->rows : p->cols, columns = p->is_copy ? p->cols : p->rows;
    const uint8_t *at = cells;
    for (uint64_t row = 0; row < rows; row++)
        for (uint64_t column = 0; column < columns; column++, at += p->elem_bytes) {
            uint64_t digit = digit_of(p, pass, source_cell(p, row, column));
            if (same_content(at, p->elem_bytes, digit))
                continue;
            if (!difference.wrong++) {
                uint8_t expected[16];
                put_content(expected, p->elem_bytes, digit, 0);
                difference.cell = row * columns + column;
                difference.expected = first_bytes(expected, p->elem_bytes);
                difference.got = first_bytes(at, p->elem_bytes);
            }
        }
    return difference;
}

uint64_t guard_check(const uint8_t *bytes, uint64_t count, uint64_t *first)
{
    uint64_t changed = 0;
    for (uint64_t i = count; i-- > 0;)
        if (bytes[i] != GUARD_VALUE) {
            changed++;
            *first = i;
        }
    return changed;
}
