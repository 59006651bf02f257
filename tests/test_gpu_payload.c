/* Payloads identify each cell, poison is never right, guards see one byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../cuda/payload.h"
#include "../base/arena.h"

static const unsigned widths[] = {1, 2, 4, 8, 16};

enum { ROWS = 301, COLS = 257, CELLS = ROWS * COLS };

static struct payload payload_of(unsigned width, bool is_copy)
{
    return (struct payload){.rows = ROWS, .cols = COLS, .elem_bytes = width, .is_copy = is_copy};
}

/* out[j][i] = in[i][j], on the host. */
static void transpose(const uint8_t *in, uint8_t *out, unsigned width)
{
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLS; j++)
            memcpy(out + (j * ROWS + i) * width, in + (i * COLS + j) * width, width);
}

static void narrow_elements_take_several_passes(void **state)
{
    struct payload p = {.rows = 8192, .cols = 8192, .elem_bytes = 1};
    static const unsigned passes[] = {4, 2, 1, 1, 1};
    (void)state;
    for (unsigned w = 0; w < 5; w++) {
        p.elem_bytes = widths[w];
        assert_int_equal(payload_passes(&p), passes[w]);
    }
    p = (struct payload){.rows = 16, .cols = 16, .elem_bytes = 1};
    assert_int_equal(payload_passes(&p), 1);
    p.cols = 17;
    assert_int_equal(payload_passes(&p), 2);
    p = (struct payload){.rows = 1, .cols = 1, .elem_bytes = 1};
    assert_int_equal(payload_passes(&p), 1);
}

static void a_true_transpose_is_right_in_every_pass(void **state)
{
    uint8_t *in = memory_take(CELLS, 16), *out = memory_take(CELLS, 16);
    (void)state;
    for (unsigned w = 0; w < 5; w++) {
        struct payload p = payload_of(widths[w], false), copy = payload_of(widths[w], true);
        for (unsigned pass = 0; pass < payload_passes(&p); pass++) {
            payload_fill(&p, pass, in);
            transpose(in, out, widths[w]);
            assert_int_equal(payload_check(&p, pass, out).wrong, 0);
            assert_int_equal(payload_check(&copy, pass, in).wrong, 0);
            assert_true(payload_check(&copy, pass, out).wrong > 0);
        }
    }
    free(in);
    free(out);
}

static void poison_is_wrong_in_every_cell(void **state)
{
    uint8_t *out = memory_take(CELLS, 16);
    (void)state;
    for (unsigned w = 0; w < 5; w++) {
        struct payload p = payload_of(widths[w], false);
        for (unsigned pass = 0; pass < payload_passes(&p); pass++) {
            payload_poison(&p, pass, out);
            assert_int_equal(payload_check(&p, pass, out).wrong, CELLS);
        }
    }
    free(out);
}

/* Cells 256 apart have the same lowest byte: only a later pass tells them from each other. */
static void two_cells_swapped_are_seen_in_some_pass(void **state)
{
    uint8_t *in = memory_take(CELLS, 16), *out = memory_take(CELLS, 16);
    uint8_t cell[16];
    (void)state;
    for (unsigned w = 0; w < 5; w++) {
        struct payload p = payload_of(widths[w], true);
        uint64_t wrong = 0;
        for (unsigned pass = 0; pass < payload_passes(&p); pass++) {
            payload_fill(&p, pass, in);
            memcpy(out, in, (size_t)CELLS * widths[w]);
            memcpy(cell, out + (size_t)1000 * widths[w], widths[w]);
            memcpy(out + (size_t)1000 * widths[w], out + (size_t)1256 * widths[w], widths[w]);
            memcpy(out + (size_t)1256 * widths[w], cell, widths[w]);
            struct payload_difference d = payload_check(&p, pass, out);
            if (d.wrong)
                assert_int_equal(d.cell, 1000);
            wrong = d.wrong > wrong ? d.wrong : wrong;
        }
        assert_int_equal(wrong, 2);
    }
    free(in);
    free(out);
}

static void half_of_a_wide_element_is_seen(void **state)
{
    struct payload p = payload_of(16, true);
    uint8_t *cells = memory_take(CELLS, 16);
    (void)state;
    payload_fill(&p, 0, cells);
    memcpy(cells + 16 * 40 + 8, cells + 16 * 41 + 8, 8);
    struct payload_difference d = payload_check(&p, 0, cells);
    assert_int_equal(d.wrong, 1);
    assert_int_equal(d.cell, 40);
    free(cells);
}

static void one_guard_byte_is_seen(void **state)
{
    uint8_t bytes[300];
    uint64_t first = 0;
    (void)state;
    memset(bytes, GUARD_VALUE, sizeof bytes);
    assert_int_equal(guard_check(bytes, sizeof bytes, &first), 0);
    bytes[123] = bytes[250] = 0;
    assert_int_equal(guard_check(bytes, sizeof bytes, &first), 2);
    assert_int_equal(first, 123);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(narrow_elements_take_several_passes),
        cmocka_unit_test(a_true_transpose_is_right_in_every_pass),
        cmocka_unit_test(poison_is_wrong_in_every_cell),
        cmocka_unit_test(two_cells_swapped_are_seen_in_some_pass),
        cmocka_unit_test(half_of_a_wide_element_is_seen),
        cmocka_unit_test(one_guard_byte_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
