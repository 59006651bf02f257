/* test_bench.c - lanescope bench where there is no GPU: the arithmetic of times, recorded tables, the report.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "../src/bench/choice.h"
#include "../src/bench/rows.h"

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
                                                .macros = "BAND=16 PITCH=33",
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
    assert_string_equal(again.list[0].macros, "BAND=16 PITCH=33");
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

/* A made table: the copies and ceilings give 1000 GB/s from DRAM, 2000 from the L2, 4000 from shared memory.
 */
static struct run replay_made(const char *rows)
{
    char line[6000];
    (void)snprintf(
        line, sizeof line,
        "f=$(mktemp) && { head -1 tests/data/bench_h200.csv; printf '%%s\\n' "
        "'copy,cuMemcpyDtoD,1000,1000,4,,,,cold,9,0.008,0.008,0.008,8000000,,,yes,0,,,,,D,1,1,1,1,,,,,,,,,,' "
        "'ceiling,dram,,,,,,,cold,9,0.008,0.008,0.008,8000000,,,no,0,,,,,D,1,1,1,1,,,,,,,,,,' "
        "'ceiling,l2,,,,,,,cold,9,0.004,0.004,0.004,8000000,,,no,0,,,,,D,1,1,1,1,,,,,,,,,,' "
        "'ceiling,shared,,,,,,,cold,9,0.002,0.002,0.002,8000000,,,no,0,,,,,D,1,1,1,1,,,,,,,,,,' %s; } >$f && "
        "\"$LANESCOPE\" bench --replay $f; c=$?; rm -f $f; exit $c",
        rows);
    return run_shell(line);
}

/* 1,000,000 sectors are 32 MB where 8 MB are of use: a quarter, so that the L2's roof is 500 GB/s, and 400
 * are measured. Shared memory: 250,000 wavefronts, 32 MB, a roof of 1000. */
static void a_kernel_stands_below_its_roof(void **state)
{
    (void)state;
    struct run run = replay_made("'kernel,a,1000,1000,4,,,,cold,9,0.02,0.02,0.02,8000000,,,yes,0,1000000,1,"
                                 "250000,1,D,1,1,1,1,,,,,,,,,0,'");
    assert_int_equal(run.code, 0);
    assert_non_null(strstr(run.out, "- DRAM 1000 GB/s, / L2 2000 GB/s,\n: shared memory 4000 GB/s"));
    assert_non_null(strstr(run.out, "a  a        0.250  400.0       500.0     80.0  L2"));
    /* the lines are thirds of an octave below 1000 GB/s: 400 is the fourth, a quarter is column 40 */
    const char *chart = strstr(run.out, "  1000 |---");
    assert_non_null(chart);
    for (unsigned i = 0; i < 4; i++)
        chart = strchr(chart, '\n') + 1;
    assert_int_equal(chart[8 + 40], 'a');
    run_free(&run);
    /* counted behind the L1, 250,000 sectors reach the L2: all of it is of use, and DRAM is the roof */
    run = replay_made("'kernel,a,1000,1000,4,,,,cold,9,0.02,0.02,0.02,8000000,,,yes,0,1000000,1,0,0,"
                      "D,1,1,1,1,,,,,125000,125000,4000000,4000000,0,'");
    assert_non_null(strstr(run.out, "a  a        1.000  400.0      1000.0     40.0  DRAM"));
    run_free(&run);
}

static void what_tuning_tried_is_shown_fastest_first(void **state)
{
    (void)state;
    struct run run = replay_made(
        "'kernel,k,1000,1000,4,,,,cold,9,0.02,0.02,0.02,8000000,,,yes,0,,,,,D,1,1,1,1,,,,,,,,,,TILE=8' "
        "'trial,k,1000,1000,4,,,,cold,9,0.04,0.04,0.04,8000000,,,yes,0,,,,,D,1,1,1,1,,,,,,,,,,TILE=4' "
        "'trial,k,1000,1000,4,,,,cold,9,0.02,0.02,0.02,8000000,,,yes,0,,,,,D,1,1,1,1,,,,,,,,,,TILE=8'");
    const char *tried = strstr(run.out, "\ntried");
    assert_non_null(tried);
    const char *first = strstr(tried, "TILE=8      0.0200  400.0       40.0"),
               *second = strstr(tried, "TILE=4      0.0400  200.0       20.0");
    assert_true(first && second && first < second);
    run_free(&run);
}

/* Steps of 1, 1, 1, 4 and 2 ms: converting pays from the first k with 2 + 2 k <= 4 k on. Of the chains that
 * were measured, 2 uses take 9 strided and 7 converted, and 1 use 4 and 5. */
static void the_pipeline_says_from_which_use_converting_pays(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double ms;
    } stages[] = {
        {"allocate", 1},          {"convert", 1},     {"convert back", 1}, {"consume strided", 4},
        {"consume dense", 2},     {"strided x 1", 4}, {"strided x 2", 9},  {"converted once x 1", 5},
        {"converted once x 2", 7}};
    struct bench_rows rows = {0};
    char *text = NULL;
    size_t size;
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        struct bench_row *row = bench_rows_add(&rows);
        *row = (struct bench_row){.kind = BENCH_STAGE,
                                  .rows = 1000,
                                  .cols = 1000,
                                  .elem_bytes = 4,
                                  .timing = {stages[i].ms, stages[i].ms, stages[i].ms, 9}};
        (void)snprintf(row->name, sizeof row->name, "%s", stages[i].name);
    }
    for (unsigned wrong = 0; wrong < 2; wrong++) {
        rows.list[7].wrong = wrong * 3;
        FILE *out = open_memstream(&text, &size);
        bench_report(&rows, false, out);
        (void)fclose(out);
        assert_non_null(strstr(text,
                               "by the steps, converting pays from use 1 on (1 without the allocation); of "
                               "the chains, that with 2 is the first in which it did"));
        assert_non_null(strstr(text, "   2   9.0000          7.0000"));
        assert_non_null(strstr(text, wrong ? "3 results differ between the forms: the times do not compare"
                                           : "all forms give the same results, bit by bit"));
        free(text);
    }
    bench_rows_free(&rows);
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
        {"bench best --tune", "leave out best"},
        {"bench padded --sweep PITCH=32,33", "give both"},
        {"bench padded --tune --sweep NOSUCH=1,2", "does not use NOSUCH"},
        {"bench copy --tune --tile 32 --block-rows 8", "has no TILE, BLOCK_ROWS or BAND to vary"},
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
    static const struct {
        uint32_t rows, cols;
        unsigned elem_bytes;
        const char *rung, *definition;
    } cases[] = {
        {4096, 4096, 4, "vector", NULL},
        {4, 4, 8, "vector", NULL},
        {16384, 16384, 1, "vector", NULL},
        {1000, 1000, 4, "vector", NULL},
        {20000, 12001, 4, "lines", NULL},
        {20001, 12001, 4, "lines", NULL},
        {4097, 4095, 4, "lines", "TALL=1"},
        {12001, 20000, 4, "sheared", NULL}, /* the input's rows begin at lines */
        {2047, 2049, 4, "sheared", NULL},
        {100, 100000, 4, "sheared", NULL},
        {1000003, 257, 4, "lines", "BAND=16"},
        {1023, 1025, 4, "ordered", NULL},
        {8191, 8193, 1, "lines", NULL},
        {8191, 8193, 2, "lines", NULL},
        {8191, 8193, 8, "lines", NULL},
        {8191, 8193, 16, "lines", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench_choice c = bench_choose(cases[i].rows, cases[i].cols, cases[i].elem_bytes, 60u << 20);
        if (strcmp(c.rung, cases[i].rung) != 0 || !c.definition != !cases[i].definition ||
            (c.definition && strcmp(c.definition, cases[i].definition) != 0))
            fail_msg("%u x %u of %u: %s %s", cases[i].rows, cases[i].cols, cases[i].elem_bytes, c.rung,
                     c.definition ? c.definition : "");
    }
    assert_null(bench_choose(1000003, 257, 4, 0).definition); /* whose L2 is not known */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_median_is_the_middle),
        cmocka_unit_test(converting_pays_from_the_first_k_on),
        cmocka_unit_test(a_recorded_table_is_read_as_it_was),
        cmocka_unit_test(a_table_that_is_none_is_refused_with_its_place),
        cmocka_unit_test(a_replay_needs_no_device),
        cmocka_unit_test(a_kernel_stands_below_its_roof),
        cmocka_unit_test(what_tuning_tried_is_shown_fastest_first),
        cmocka_unit_test(the_pipeline_says_from_which_use_converting_pays),
        cmocka_unit_test(a_wrong_kernel_is_no_time),
        cmocka_unit_test(what_cannot_be_measured_is_said_first),
        cmocka_unit_test(the_rung_is_chosen_by_how_rows_begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
