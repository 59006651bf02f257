/* test_sweep.c - many configurations, one row each: the same numbers as ladder, refusals as rows, order,
 * maps. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#define HEADER                                                                                               \
    "rung,rows,cols,tile,block_rows,pitch,elem_bytes,wavefronts,ideal,excess,sectors,ideal_sectors,"         \
    "shared_bytes,blocks_per_sm,warps_per_sm,occupancy_percent,occupancy_limit,reason,device,rules\n"

static void rows_are_in_the_sweeps_order_and_refusals_are_rows(void **state)
{
    (void)state;
    expect_output(
        run_program("sweep", "tiled", "-m", "64", "-n", "96", "--sweep", "TILE=16,32,64", "--sweep",
                    "PITCH=32:33", "-f", "csv", NULL),
        0,
        HEADER
        "tiled,64,96,16,8,32,4,3456,384,3072,1536,1536,2048,16,64,100.0,warps,,sm_90,verified\n"
        "tiled,64,96,16,8,33,4,768,384,384,1536,1536,2112,16,64,100.0,warps,,sm_90,verified\n"
        "tiled,64,96,32,8,32,4,6336,384,5952,1536,1536,4096,8,64,100.0,warps,,sm_90,verified\n"
        "tiled,64,96,32,8,33,4,384,384,0,1536,1536,4224,8,64,100.0,warps,,sm_90,verified\n"
        "tiled,64,96,64,,32,,,,,,,,,,,,the pitch (32) must be at least the tile (64),sm_90,verified\n"
        "tiled,64,96,64,,33,,,,,,,,,,,,the pitch (33) must be at least the tile (64),sm_90,verified\n");
    /* too many threads, too much shared memory */
    expect_run(
        run_program("sweep", "tiled", "--sweep", "TILE=32,64", "--sweep", "BLOCK_ROWS=32", "-f", "csv", NULL),
        0, "tiled,,,64,32,,,,,,,,,,,,,\"a block has at most 1024 threads, not 64 x 32 x 1", "");
    expect_run(run_program("sweep", "tiled", "--sweep", "TILE=32,256", "-f", "csv", NULL), 0,
               "a block needs 262144 bytes of shared memory; sm_90 has at most 232448", "");
    expect_run(run_program("sweep", "tiled", "--sweep", "TILE=256", NULL), 2, "",
               "none of the 1 configurations can run; the first: a block needs 262144 bytes");
}

/* The cells of csv's row `row` (0 is the header) in these columns, with commas between them. */
static void cells_of(const char *csv, unsigned row, const char *const *columns, char *out, size_t size)
{
    const char *header = csv, *line = csv;
    for (unsigned i = 0; i < row && line; i++)
        line = strchr(line, '\n') + 1;
    out[0] = '\0';
    for (; *columns; columns++) {
        const char *name = header, *cell = line;
        size_t length = strlen(*columns);
        while (strncmp(name, *columns, length) != 0 || (name[length] != ',' && name[length] != '\n')) {
            name += strcspn(name, ",") + 1;
            cell += strcspn(cell, ",") + 1;
        }
        size_t used = strlen(out);
        (void)snprintf(out + used, size - used, "%.*s,", (int)strcspn(cell, ",\n"), cell);
    }
}

static void a_row_has_the_numbers_of_ladder(void **state)
{
    (void)state;
    static const char *const names[] = {"tiled", "padded", "swizzled", "naive", "copy", "naive-swap"};
    static const char *const elems[] = {"1", "2", "4", "8", "16"};
    static const char *const of_sweep[] = {
        "rows",       "cols",         "tile",         "block_rows",        "pitch",
        "elem_bytes", "shared_bytes", "warps_per_sm", "occupancy_percent", NULL};
    struct random random = {7};
    unsigned ran = 0;
    for (int i = 0; i < 40; i++) {
        const char *name = names[random_below(&random, 6)], *elem = elems[random_below(&random, 5)];
        char tile[8], rows[8], pitch[8], m[8], n[8], axis[3][32], a[300], b[300];
        unsigned t = 1 + random_below(&random, 40);
        (void)snprintf(tile, sizeof tile, "%u", t);
        (void)snprintf(rows, sizeof rows, "%u", 1 + random_below(&random, t));
        (void)snprintf(pitch, sizeof pitch, "%u", t + random_below(&random, 20));
        (void)snprintf(m, sizeof m, "%u", 1 + random_below(&random, 150));
        (void)snprintf(n, sizeof n, "%u", 1 + random_below(&random, 150));
        (void)snprintf(axis[0], sizeof axis[0], "TILE=%s", tile);
        (void)snprintf(axis[1], sizeof axis[1], "BLOCK_ROWS=%s", rows);
        (void)snprintf(axis[2], sizeof axis[2], "ELEM=%s", elem);
        bool pitched = strcmp(name, "tiled") == 0 || strcmp(name, "padded") == 0;
        struct run sweep =
            run_program("sweep", name, "-m", m, "-n", n, "--sweep", axis[0], "--sweep", axis[1], "--sweep",
                        axis[2], "-f", "csv", pitched ? "-p" : "-j", pitched ? pitch : "2", NULL);
        struct run ladder = run_program("ladder", name, "-m", m, "-n", n, "-t", tile, "-b", rows, "-e", elem,
                                        "-f", "csv", pitched ? "-p" : "-j", pitched ? pitch : "2", NULL);
        assert_int_equal(sweep.code, ladder.code);
        if (sweep.code == 0) {
            static const char *const sums[][3] = {{"shared_load_wavefronts", "shared_store_wavefronts", NULL},
                                                  {"shared_load_ideal", "shared_store_ideal", NULL},
                                                  {"load_sectors", "store_sectors", NULL},
                                                  {"load_ideal_sectors", "store_ideal_sectors", NULL}};
            static const char *const sum_names[][2] = {
                {"wavefronts", NULL}, {"ideal", NULL}, {"sectors", NULL}, {"ideal_sectors", NULL}};
            ran++;
            cells_of(sweep.out, 1, of_sweep, a, sizeof a);
            cells_of(ladder.out, 1, of_sweep, b, sizeof b);
            assert_string_equal(a, b);
            for (int k = 0; k < 4; k++) {
                char *end;
                cells_of(sweep.out, 1, sum_names[k], a, sizeof a);
                cells_of(ladder.out, 1, sums[k], b, sizeof b);
                unsigned long long first = strtoull(b, &end, 10);
                assert_int_equal(strtoull(a, NULL, 10), first + strtoull(end + 1, NULL, 10));
            }
        }
        run_free(&sweep);
        run_free(&ladder);
    }
    assert_true(ran > 20);
}

static void a_rung_that_does_not_use_a_macro_has_no_rows_for_it(void **state)
{
    (void)state;
    expect_run(run_program("sweep", "--sweep", "PITCH=32:40", NULL), 0, "86 configurations", "");
    expect_run(
        run_program("sweep", "--sweep", "RUNG=copy,padded", "--sweep", "PITCH=33:35", "-f", "json", NULL), 0,
        "\"rung\": \"copy\", \"rows\": 100, \"cols\": 70, \"tile\": 32, \"block_rows\": 8, \"pitch\": null",
        "");
    expect_run(run_program("sweep", "naive", "--sweep", "PITCH=32", NULL), 2, "",
               "naive does not use PITCH, so that sweeping it changes nothing");
    expect_run(run_program("sweep", "--sweep", "NOBODY=1,2", NULL), 2, "", "the ladder does not use NOBODY");
}

static const char file[] =
    "// block: 32, 8\n// grid: (cols + 31) / 32, (rows + 31) / 32\n"
    "#define PAD 0\n#define STEP 8\n"
    "__global__ void turn(const float *in, float *out, int rows, int cols)\n{\n"
    "    __shared__ T s[32][32 + PAD];\n"
    "    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;\n"
    "    for (int j = 0; j < 32; j += STEP) if (x < cols && y + j < rows) s[threadIdx.y + j][threadIdx.x] = "
    "in[(y + j) * "
    "cols + x];\n"
    "    __syncthreads();\n"
    "    int u = blockIdx.y * 32 + threadIdx.x, v = blockIdx.x * 32 + threadIdx.y;\n"
    "    for (int j = 0; j < 32; j += STEP) if (u < rows && v + j < cols) out[(v + j) * rows + u] = "
    "s[threadIdx.x][threadIdx.y + j];\n}\n";

static void any_macro_of_a_file_is_an_axis(void **state)
{
    (void)state;
    const char *name = write_temporary(file);
    expect_run(run_program("sweep", name, "-m", "64", "-n", "64", "--sweep", "PAD=0:2", "--sweep",
                           "T=float,double", "-f", "csv", NULL),
               0, ",64,64,,,,4,1,double,", "");
    expect_run(run_program("sweep", name, "-m", "64", "-n", "64", "--sweep", "PAD=0:2", "--sweep", "T=float",
                           "--sort", "excess,-PAD", "-f", "csv", NULL),
               0, "reason,device,rules\n", "");
    /* text in a macro's place, commas in parentheses */
    expect_run(run_program("sweep", name, "--sweep", "PAD=min(1, 2),3", "-D", "T=float", "-f", "csv", NULL),
               0, "\"min(1, 2)\",", "");
    /* what the text refuses is said once, with its place, where it refuses all */
    expect_run(run_program("sweep", name, "--sweep", "PAD=0:2", "-D", "T=void", "--via", "builtin", NULL), 2,
               "", "none of the 3 configurations can run; the first: ");
    /* faults are rows too, and an answer */
    expect_run(run_program("sweep", name, "--sweep", "STEP=8,7", "-D", "T=float", "-m", "64", "-n", "64",
                           "-f", "csv", NULL),
               1, "lane accesses out of bounds", "");
    expect_run(run_program("sweep", name, "--sweep", "STEP=0,8", "-D", "T=float", "-f", "csv", NULL), 1,
               "never ends", "");
    expect_run(run_program("sweep", name, "--sweep", "NOBODY=0,1", NULL), 2, "",
               "does not use NOBODY, so that sweeping it changes nothing");
    expect_run(run_program("sweep", name, "--sweep", "excess=0,1", NULL), 2, "",
               "the macro excess cannot be swept: the table has another column of that name");
}

static void rows_are_sorted_and_the_best_is_one_a_rung(void **state)
{
    (void)state;
    struct run run = run_program("sweep", "tiled", "-m", "64", "-n", "64", "--sweep", "PITCH=32:36", "--sort",
                                 "excess,-shared_bytes", "-f", "csv", NULL);
    const char *at = run.out;
    static const char *const pitches[] = {"35,", "33,", "34,", "36,", "32,"};
    for (int i = 0; i < 5; i++) {
        at = strchr(at, '\n') + 1;
        assert_memory_equal(at + strlen("tiled,64,64,32,8,"), pitches[i], 3);
    }
    run_free(&run);
    /* equal rows stay in their order */
    expect_run(
        run_shell("\"$LANESCOPE\" sweep tiled --sweep PITCH=32:39 --sort excess -f csv | cut -d, -f6 | tr "
                  "'\\n' ' '"),
        0, "pitch 33 35 37 39 ", "");
    expect_run(run_program("sweep", "--sweep", "RUNG=tiled,swizzled", "--sweep", "TILE=16,32", "--sweep",
                           "PITCH=32:40", "--best", "-f", "csv", "-m", "64", "-n", "64", NULL),
               0, "\ntiled,64,64,32,8,33,4,256,256,0,", "");
    expect_run(run_program("sweep", "--sweep", "TILE=2000,32", "--sort", "tile", "-f", "csv", NULL), 0,
               "\nswizzled,,,2000,", "");
    expect_run(run_program("sweep", "tiled", "--sweep", "PITCH=32,33", "--sort", "nothing", NULL), 2, "",
               "there is no column nothing to go by; there are tile, ");
    expect_run(run_program("sweep", "tiled", "--sweep", "PITCH=32,33", "--sort", "", NULL), 2, "",
               "--sort takes a column's name");
}

static void a_heatmap_has_a_glyph_a_configuration(void **state)
{
    (void)state;
    expect_output(run_program("sweep", "tiled", "-m", "64", "-n", "64", "--sweep", "TILE=16,32", "--sweep",
                              "PITCH=16,31:34", "--heatmap", "excess", NULL),
                  0,
                  "64 x 64 matrix; sm_90: rules verified against hardware counters\n"
                  "10 configurations, 2 of them cannot run\n"
                  "\ntiled\n"
                  "     PITCH\n"
                  "     13333\n"
                  "     61234\n"
                  "TILE\n"
                  "  16 32421\n"
                  "  32 --5.1\n"
                  "\nexcess:\n"
                  ". 0                     1 128                   2 256                   3 896             "
                  "      4 2048\n"
                  "5 3968\n"
                  "- cannot run\n");
    expect_run(run_program("sweep", "tiled", "--sweep", "PITCH=32:34", "--heatmap", "excess", "--color",
                           "always", NULL),
               0, "\033[30;48;5;46m.\033[0m", "");
    expect_run(run_program("sweep", "tiled", "--sweep", "PITCH=32", "--heatmap", "excess", NULL), 2, "",
               "a heatmap is of two names with several values, RUNG apart, and the sweep has 0");
    expect_run(
        run_program("sweep", "tiled", "--sweep", "PITCH=32,33", "--heatmap", "excess", "-f", "csv", NULL), 2,
        "", "--heatmap prints text");
}

static void what_is_no_sweep_is_said_before_anything_runs(void **state)
{
    (void)state;
    static const struct {
        const char *axis, *why;
    } cases[] = {
        {"PITCH", "--sweep takes NAME=VALUES, such as PITCH=32:66"},
        {"3=4", "--sweep takes NAME=VALUES"},
        {"PITCH=", "a value of no characters"},
        {"PITCH=32,,33", "a value of no characters"},
        {"PITCH=32:", "a range is LO:HI or LO:HI:STEP"},
        {"PITCH=33:32", "a range is LO:HI"},
        {"PITCH=1:9:0", "STEP at least 1"},
        {"PITCH=1:2:3:4", "a range is LO:HI"},
        {"PITCH=0:4294967295", "more than 1000000 values"},
        {"ELEM=3", "an element has 1, 2, 4, 8 or 16 bytes, not 3"},
        {"RUNG=tilde", "there is no rung tilde"},
        {"TILE=1:2000", "these are more than 1000000 configurations"},
        {"BLOCK_ROWS=8", "BLOCK_ROWS is swept and given by --block-rows"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_run(
            run_program("sweep", "-b", "4", "--sweep", "PITCH2=1:1000", "--sweep", cases[i].axis, NULL), 2,
            "", cases[i].why);
    expect_run(run_program("sweep", NULL), 2, "", "say what to vary, for example --sweep TILE=16,32");
    expect_run(run_program("sweep", "tiled", "--sweep", "TILE=8", "--sweep", "TILE=9", NULL), 2, "",
               "TILE is swept twice");
    expect_run(run_program("sweep", "tiled", "--sweep", "TILE=8", "-D", "TILE=9", NULL), 2, "",
               "TILE is swept and given by -D TILE=9");
    expect_run(run_program("sweep", "tiled", "--sweep", "RUNG=copy", NULL), 2, "",
               "RUNG is swept and tiled named");
}

static void any_number_of_threads_sweeps_the_same(void **state)
{
    (void)state;
    struct run one = run_program("sweep", "--sweep", "TILE=5:30:5", "--sweep", "ELEM=1,2,4,8,16", "-j", "1",
                                 "-f", "csv", NULL);
    assert_int_equal(one.code, 0);
    expect_output(run_program("sweep", "--sweep", "TILE=5:30:5", "--sweep", "ELEM=1,2,4,8,16", "-j", "5",
                              "-f", "csv", NULL),
                  0, one.out);
    expect_output(run_program("sweep", "--sweep", "TILE=5:30:5", "--sweep", "ELEM=1,2,4,8,16", "-j", "200",
                              "-f", "csv", NULL),
                  0, one.out);
    run_free(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_in_the_sweeps_order_and_refusals_are_rows),
        cmocka_unit_test(a_row_has_the_numbers_of_ladder),
        cmocka_unit_test(a_rung_that_does_not_use_a_macro_has_no_rows_for_it),
        cmocka_unit_test(any_macro_of_a_file_is_an_axis),
        cmocka_unit_test(rows_are_sorted_and_the_best_is_one_a_rung),
        cmocka_unit_test(a_heatmap_has_a_glyph_a_configuration),
        cmocka_unit_test(what_is_no_sweep_is_said_before_anything_runs),
        cmocka_unit_test(any_number_of_threads_sweeps_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
