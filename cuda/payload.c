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

/* The content that stands for input cell `index` in this pass. */
static struct wide content(const struct payload *p, unsigned pass, uint64_t index)
{
    struct wide wide = {{0}};
    uint64_t digit = index >> (p->elem_bytes < 8 ? 8 * p->elem_bytes * pass : 0);
    wide.word[0] = (uint32_t)digit;
    wide.word[1] = (uint32_t)(digit >> 32);
    wide.word[2] = ~wide.word[0];
    wide.word[3] = ~wide.word[1];
    return wide;
}

void payload_fill(const struct payload *p, unsigned pass, void *cells)
{
    uint64_t count = (uint64_t)p->rows * p->cols;
    uint8_t *at = cells;
    for (uint64_t i = 0; i < count; i++, at += p->elem_bytes) {
        struct wide wide = content(p, pass, i);
        memcpy(at, &wide, p->elem_bytes);
    }
}

void payload_poison(const struct payload *p, unsigned pass, void *cells)
{
    uint64_t rows = p->is_copy ? p->rows : p->cols, columns = p->is_copy ? p->cols : p->rows;
    uint8_t *at = cells;
    for (uint64_t row = 0; row < rows; row++)
        for (uint64_t column = 0; column < columns; column++, at += p->elem_bytes) {
            struct wide wide = content(p, pass, source_cell(p, row, column));
            for (unsigned w = 0; w < 4; w++)
                wide.word[w] = ~wide.word[w];
            memcpy(at, &wide, p->elem_bytes);
        }
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
            struct wide wide = content(p, pass, source_cell(p, row, column));
            if (memcmp(at, &wide, p->elem_bytes) == 0)
                continue;
            if (!difference.wrong++) {
                difference.cell = row * columns + column;
                difference.expected = first_bytes(&wide, p->elem_bytes);
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
