/* test_bench.c - lanescope bench where there is no GPU: the arithmetic of times, recorded tables, the report.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "../src/bench_choice.h"
#include "../src/bench_rows.h"

static void the_median_is_the_middle(void **state)
{
    (void)state;
    double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 100}, one[] = {7};
    struct timing t = timing_of(odd, 3);
    assert_true(t.median == 3 && t.least == 1 && t.most == 5 && t.repeats == 3);
    t = timing_of(even, 4);
    assert_true(t.median == 3.5 && t.least == 1 && t.most == 100);
    t = timing_of(one, 1);
    assert_true(t.median == 7 && t.least == 7 && t.most == 7);
    t = timing_of(one, 0);
    assert_true(t.median == 0 && t.repeats == 0);
    assert_true(timing_rate(&t, 1000) == 0);
    t.median = 2; /* ms */
    assert_true(timing_rate(&t, UINT64_C(8000000000)) == 4000);
}

/* once + k * after <= k * before, against a count by hand. */
static void converting_pays_from_the_first_k_on(void **state)
{
    (void)state;
    for (unsigned once = 0; once < 20; once++)
        for (unsigned after = 0; after < 8; after++)
            for (unsigned before = 0; before < 8; before++) {
                uint64_t k = 1;
                while (k < 100 && once + k * after > k * before)
                    k++;
                if (before <= after)
                    k = 0; /* never faster */
                assert_int_equal(timing_break_even(once, after, before), k);
            }
}

/* What is written is read again as it was. */
static void a_recorded_table_is_read_as_it_was(void **state)
{
    (void)state;
    struct bench_rows rows = {.machine = {.device = "a \"device\", named so",
                                          .driver = "1.2",
                                          .cuda = "13.0",
                                          .processors = 3,
                                          .l2_bytes = 1 << 20,
                                          .before = {1000, 2000},
                                          .after = {900, 2000}}},
                      again = {0};
    *bench_rows_add(&rows) = (struct bench_row){.kind = BENCH_KERNEL,
                                                .name = "tiled",
                                                .rows = 7,
                                                .cols = 9,
                                                .elem_bytes = 4,
                                                .tile = 32,
                                                .block_rows = 8,
                                                .pitch = 33,
                                                .is_warm = true,
                                                .timing = {0.5, 0.25, 1.5, 20},
                                                .bytes = 504,
                                                .is_checked = true,
                                                .is_modelled = true,
                                                .sectors = 11,
                                                .ideal_sectors = 10,
                                                .wavefronts = 13,
                                                .ideal_wavefronts = 12};
    *bench_rows_add(&rows) = (struct bench_row){.kind = BENCH_PEER,
                                                .name = "wrong one",
                                                .rows = 7,
                                                .cols = 9,
                                                .elem_bytes = 4,
                                                .wrong = 5,
                                                .is_checked = true};
    char *text = NULL, *second = NULL;
    size_t size, second_size;
    FILE *out = open_memstream(&text, &size);
    bench_rows_write(&rows, FORMAT_CSV, out);
    (void)fclose(out);
    struct problem problem = {0};
    struct source source = {"made.csv", text, size};
    assert_true(bench_rows_read(&again, &source, &problem));
    assert_int_equal(again.count, 2);
    assert_memory_equal(&again.list[0].timing, &rows.list[0].timing, sizeof(struct timing));
    assert_string_equal(again.machine.device, rows.machine.device);
    assert_int_equal(again.machine.after.core, 900);
    assert_int_equal(again.list[1].wrong, 5);
    assert_false(again.list[1].is_modelled);
    out = open_memstream(&second, &second_size);
    bench_rows_write(&again, FORMAT_CSV, out);
    (void)fclose(out);
    assert_string_equal(second, text);
    free(text);
    free(second);
    bench_rows_free(&rows);
    bench_rows_free(&again);
}

static void a_table_that_is_none_is_refused_with_its_place(void **state)
{
    (void)state;
    static const char *const changes[][3] = {
        /* a sed script, and what is said */
        {"1s/median_ms/time/", "no column median_ms", NULL},
        {"2s/^kernel/colonel/", ":2: kind is `colonel`, but should be kernel, copy", NULL},
        {"3s/4096/4,0,96/", ":3: ", NULL},
        {"3s/4096/99999999999/", ":3: rows is `99999999999`", NULL},
        {"4s/cold,[0-9]*,[0-9.]*/cold,20,-1/", ":4: median_ms is `-1`", NULL},
        {"4s/cold,[0-9]*,[0-9.]*/cold,20,0/", ":4: median_ms is `0`", NULL},
        {"4s/cold,[0-9]*,[0-9.]*/cold,20,nan/", ":4: median_ms is `nan`", NULL},
        {"2,$d", "has no row", NULL},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char line[400];
        (void)snprintf(
            line, sizeof line,
            "f=$(mktemp) && sed '%s' tests/data/bench_h200.csv >$f && \"$LANESCOPE\" bench --replay $f; "
            "c=$?; rm -f $f; exit $c",
            changes[i][0]);
        expect_run(run_shell(line), 2, "", changes[i][1]);
    }
}

static void a_replay_needs_no_device(void **state)
{
    (void)state;
    expect_run(run_program("bench", "--replay", "tests/data/bench_h200.csv", NULL), 0,
               "every cell of every output was checked before it was timed", "");
    expect_run(run_program("bench", "--replay", "tests/data/bench_h200.csv", NULL), 0,
               "device: NVIDIA H200, 132 SMs, L2 60 MiB; driver 580.159.04, CUDA 13.0", "");
    expect_run(run_program("bench", "--replay", "tests/data/bench_h200.csv", "-f", "json", NULL), 0,
               "\"kind\": \"copy\", \"name\": \"cuMemcpyDtoD\"", "");
    /* the same table comes out again */
    expect_run(run_shell("\"$LANESCOPE\" bench --replay tests/data/bench_h200.csv -f csv | cmp - "
                         "tests/data/bench_h200.csv"),
               0, "", "");
}

/* A wrong row makes the answer no, and is not shown with a time. */
static void a_wrong_kernel_is_no_time(void **state)
{
    (void)state;
    expect_run(
        run_shell(
            "f=$(mktemp) && sed '2s/cold,[0-9]*,[0-9.]*,[0-9.]*,[0-9.]*/cold,0,,,/;2s/,yes,0,/,yes,17,/' "
            "tests/data/bench_h200.csv >$f && \"$LANESCOPE\" bench --replay $f; c=$?; rm -f $f; exit $c"),
        1, "copy: 17 cells or guard bytes are wrong, so it is not timed", "");
}

static void what_cannot_be_measured_is_said_first(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"bench best --sizes 12", "is no list of sizes"},
        {"bench best --sizes 12x", "is no list of sizes"},
        {"bench best --sizes 0x5", "is no list of sizes"},
        {"bench best --sizes 5x5,", "is no list of sizes"},
        {"bench best --sizes -5x5", "is no list of sizes"},
        {"bench best --sizes 5x99999999999", "is no list of sizes"},
        {"bench best --sizes 5x5 -m 3", "leave out --rows"},
        {"bench --pipeline", "name it"},
        {"bench nosuch", "there is no rung nosuch"},
        {"bench --replay nosuch.csv", "nosuch.csv"},
        {"bench padded --replay tests/data/bench_h200.csv", "leave out the kernel"},
        {"bench --repeats 0", "--repeats"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char line[300];
        (void)snprintf(line, sizeof line, "\"$LANESCOPE\" %s", bad[i][0]);
        expect_run(run_shell(line), 2, "", bad[i][1]);
    }
}

static void the_rung_is_chosen_by_how_rows_begin(void **state)
{
    (void)state;
    assert_string_equal(bench_choose(4096, 4096, 4).rung, "vector");
    assert_string_equal(bench_choose(20000, 12001, 4).rung, "ordered");
    assert_string_equal(bench_choose(12001, 20000, 4).rung, "sheared");
    assert_string_equal(bench_choose(4097, 4096, 4).rung, "sheared");
    assert_string_equal(bench_choose(4, 4, 8).rung, "vector");
    assert_string_equal(bench_choose(4, 5, 8).rung, "ordered");
    assert_string_equal(bench_choose(3, 5, 16).rung, "sheared");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_median_is_the_middle),
        cmocka_unit_test(converting_pays_from_the_first_k_on),
        cmocka_unit_test(a_recorded_table_is_read_as_it_was),
        cmocka_unit_test(a_table_that_is_none_is_refused_with_its_place),
        cmocka_unit_test(a_replay_needs_no_device),
        cmocka_unit_test(a_wrong_kernel_is_no_time),
        cmocka_unit_test(what_cannot_be_measured_is_said_first),
        cmocka_unit_test(the_rung_is_chosen_by_how_rows_begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
