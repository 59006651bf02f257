/* test_census.c - whole launches by classes of blocks: against every block, against mathematics, and what it
 * does not do. `make fuzz` runs the random part on far more launches.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "../base/text.h"
#include "../sim/report/matrix.h"
#include "../sim/session/session.h"
#include "fuzz/census/affine.h"
#include "proof_support.h"

static void agree(const struct program *program, const struct launch *launch, const struct owners_task *task,
                  const char *what, unsigned number)
{
    struct census_count count;
    struct proof proof;
    const char *differs = census_agrees(program, launch, number & 1, &count);
    if (!differs && !count.census.given_up)
        differs = census_foresees(program, launch, number & 1);
    if (!differs && task && number % 4 == 0)
        differs = proof_agrees(program, launch, task, &proof);
    if (differs)
        fail_msg("%s %u: %s", what, number, differs);
}

static void random_kernels_come_to_what_every_block_comes_to(void **state)
{
    (void)state;
    static struct affine_kernel kernel;
    for (unsigned n = 0; n < (is_sanitized() ? 60 : 400); n++) {
        affine_make(&kernel, 77 + n * UINT64_C(0x2545f4914f6cdd1d));
        struct source source = text_source(kernel.text);
        struct problem problem = {0};
        struct unit *unit = unit_open(&source, NULL, 0, &problem);
        const struct program *program = unit ? unit_compile(unit, "k", &problem) : NULL;
        struct owners_task task = {.rows = (uint32_t)kernel.launch.arguments[2].value,
                                   .cols = (uint32_t)kernel.launch.arguments[3].value,
                                   .elem_bytes = kernel.elem_bytes,
                                   .in = 0,
                                   .out = 1,
                                   .is_copy = n & 4};
        if (program)
            agree(program, &kernel.launch, &task, "kernel", n);
        unit_close(unit);
    }
}

static struct scenario_options random_options(struct random *r)
{
    struct scenario_options o = {.rows = 1 + random_below(r, random_below(r, 3) ? 150 : 6),
                                 .cols = 1 + random_below(r, random_below(r, 3) ? 150 : 6),
                                 .tile = 1 + random_below(r, 64),
                                 .elem_bytes = 1u << random_below(r, 5)};
    o.block_rows = 1 + random_below(r, o.tile);
    o.block_rows = o.tile * o.block_rows > 1024 ? 1024 / o.tile : o.block_rows;
    o.in_offset = random_below(r, 2) ? 0 : random_below(r, 70);
    o.out_offset = random_below(r, 2) ? 0 : random_below(r, 70);
    if (random_below(r, 6) == 0)
        o.grid = (struct shape){3, {1 + random_below(r, 9), 1 + random_below(r, 9), 1 + random_below(r, 3)}};
    return o;
}

static void the_ladder_comes_to_what_every_block_comes_to(void **state)
{
    (void)state;
    struct random r = {31};
    for (unsigned n = 0; n < (is_sanitized() ? 60 : 400); n++) {
        const struct rung *rung = &rungs[random_below(&r, (uint32_t)rung_count)];
        struct scenario_options o = random_options(&r);
        bool is_pitched = strcmp(rung->name, "tiled") == 0 || strcmp(rung->name, "padded") == 0;
        o.pitch = is_pitched ? o.tile + random_below(&r, 129 - o.tile) : 0;
        struct scenario s;
        struct problem problem = {0};
        if (!scenario_open(&s, &rung->source, &o, &problem)) /* too much shared memory */
            continue;
        struct owners_task task = scenario_task(&s);
        agree(s.program, &s.launch, &task, rung->name, n);
        scenario_close(&s);
    }
}

static void compiled_rungs_come_to_what_every_block_comes_to(void **state)
{
    (void)state;
    static const char *const names[] = {"copy", "naive", "tiled", "padded", "swizzled"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        char path[100], *ptx;
        (void)snprintf(path, sizeof path, "ptx/%s.ptx", names[i]);
        ptx = read_data(path);
        struct source source = {path, ptx, strlen(ptx)};
        struct problem problem = {0};
        struct ptx_unit *unit = ptx_open(&source, &problem);
        const struct program *program = unit ? ptx_compile(unit, NULL, &problem) : NULL;
        assert_non_null(program);
        for (unsigned n = 0; n < 6; n++) {
            uint32_t rows = 31 + 57 * n, cols = 200 - 33 * n;
            struct launch launch = {.grid = {(cols + 31) / 32, (rows + 31) / 32, 1}, .block = {32, 8, 1}};
            launch.arguments[0].bytes = launch.arguments[1].bytes = (uint64_t)rows * cols * 4;
            launch.arguments[2].value = rows;
            launch.arguments[3].value = cols;
            struct owners_task task = {
                .rows = rows, .cols = cols, .elem_bytes = 4, .out = 1, .is_copy = i == 0};
            struct census_count count;
            agree(program, &launch, &task, names[i], 4 * n);
            assert_null(census_agrees(program, &launch, false, &count));
            assert_true(count.census.regions <= 4);
        }
        ptx_close(unit);
        free(ptx);
    }
}

/* A file's kernel at some sizes. */
static struct scenario open_text(const char *text, uint32_t rows, uint32_t cols)
{
    struct source source = text_source(text);
    struct scenario_options options = {.rows = rows, .cols = cols, .any_grid = true};
    struct scenario s;
    open_scenario(&s, &source, &options);
    return s;
}

static struct site_tally sum_of(const struct scenario *s, enum access_kind_id kind, uint64_t *regions)
{
    struct problem problem = {0};
    struct execution *execution = execution_new(s->program, &s->launch, false, &problem);
    struct tally tally;
    struct census_count count;
    tally_init(&tally, s->program->site_count);
    if (!census_count(execution, &s->launch, CENSUS_REGIONS, &tally, &count, &problem))
        fail_msg("%s", problem.message);
    struct site_tally sum = tally_sum(&tally, s->program, kind);
    *regions = count.census.regions;
    tally_free(&tally);
    execution_free(execution);
    return sum;
}

/* What can be said without running anything: each element is moved once, in rows of whole sectors. */
static void huge_matrices_have_the_totals_of_mathematics(void **state)
{
    (void)state;
    const struct rung *rung = rung_find("padded");
    const uint32_t sizes[][2] = {{1000003, 999983}, {500000003, 1000003}, {2000000, 1000000}};
    for (unsigned i = 0; i < 3; i++) {
        uint64_t rows = sizes[i][0], cols = sizes[i][1], regions;
        struct scenario_options options = {.rows = sizes[i][0], .cols = sizes[i][1], .any_grid = true};
        struct scenario s;
        open_scenario(&s, &rung->source, &options);
        struct site_tally load = sum_of(&s, GLOBAL_LOAD, &regions),
                          store = sum_of(&s, GLOBAL_STORE, &regions),
                          tile = sum_of(&s, SHARED_LOAD, &regions);
        assert_true(regions <= 9);
        assert_int_equal(load.lanes, rows * cols);
        assert_int_equal(store.lanes, rows * cols);
        assert_int_equal(load.requests, (cols + 31) / 32 * rows);
        assert_int_equal(store.requests, (rows + 31) / 32 * cols);
        assert_int_equal(tile.units, tile.requests);
        assert_int_equal(load.out_of_bounds + store.out_of_bounds, 0);
        if (cols % 8 == 0) {
            assert_int_equal(load.units, rows * cols / 8);
            assert_int_equal(load.units, load.ideal);
        }
        scenario_close(&s);
    }
}

/* Each element is loaded and stored once, and the proof says the same. */
static void every_rung_is_counted_and_proven_at_any_size(void **state)
{
    (void)state;
    const uint32_t sizes[][2] = {{1000003, 999983}, {500000003, 1000003}};
    for (unsigned i = 0; i < 2 * rung_count; i++) {
        const struct rung *rung = &rungs[i / 2];
        uint64_t regions;
        struct scenario_options options = {
            .rows = sizes[i % 2][0], .cols = sizes[i % 2][1], .any_grid = true};
        struct scenario s;
        struct execution *execution;
        struct owners_report report;
        struct proof proof;
        struct problem problem = {0};
        open_scenario(&s, &rung->source, &options);
        struct owners_task task = scenario_task(&s);
        (void)sum_of(&s, GLOBAL_LOAD, &regions);
        if (regions > 20)
            fail_msg("%s: %u regions", rung->name, (unsigned)regions);
        if (!proof_run(&execution, s.program, &s.launch, &task, NULL, &report, &proof, &problem) ||
            !report.correct)
            fail_msg("%s: %s", rung->name, proof.why ? proof.why : problem.message);
        assert_int_equal(report.written_twice, 0);
        execution_free(execution);
        scenario_close(&s);
    }
}

/* A block number taken apart, and blockIdx beside it where the first block of a region is not the grid's. */
static void blockIdx_beside_its_other_number_is_no_axis(void **state)
{
    (void)state;
    static const char text[] = "// block: 32\n// grid: 8, 6\n"
                               "__global__ void k(const float *in, float *out, int rows, int cols)\n{\n"
                               "    const int id = blockIdx.y * gridDim.x + blockIdx.x;\n"
                               "    const int bx = id % 5, by = id / 5;\n"
                               "    if (bx >= 2 && blockIdx.x > 1)\n"
                               "        out[(by * 5 + bx) * 32 + threadIdx.x] = in[threadIdx.x];\n}\n";
    struct scenario s = open_text(text, 60, 60);
    struct owners_task task = scenario_task(&s);
    for (unsigned n = 0; n < 8; n += 4)
        agree(s.program, &s.launch, &task, "beside", n);
    scenario_close(&s);
}

static void totals_beyond_64_bits_are_a_message(void **state)
{
    (void)state;
    struct run run =
        run_program("ladder", "tests/data/census/everyone.cu", "--grid", "2147483647x65535x1000", NULL);
    expect_run(run, 2, "", "the totals of this launch do not fit 64 bits");
    expect_run(run_program("ladder", "tests/data/census/first.cu", "--grid", "2147483647x65535x1000", NULL),
               0, "100,000  100,000  400,000  4.00  400,000",
               ""); /* of one block, whatever it was taken to stand for at first */
}

/* Where nothing can be foreseen each block is run, and the place is named. */
static void what_is_not_affine_is_run_block_by_block(void **state)
{
    (void)state;
    expect_run(run_program("ladder", "tests/data/census/xor.cu", "-m", "4096", "-n", "4096", "--grid",
                           "64x64", NULL),
               0, "xor.cu",
               "xor.cu:6:20: note: this takes bits of blockIdx, so that each block is run by itself");
    struct run census = run_program("ladder", "-f", "csv", "-m", "777", "-n", "511", NULL);
    struct run every = run_program("ladder", "-f", "csv", "-m", "777", "-n", "511", "--enumerate", NULL);
    assert_string_equal(census.out, every.out);
    run_free(&census);
    run_free(&every);
}

static void a_grid_that_cuda_refuses_is_counted_and_refused(void **state)
{
    (void)state;
    expect_run(run_program("ladder", "-m", "500000003", "-n", "1000003", NULL), 1, "15,625,500,093,753",
               "CUDA refuses the launch; these are the numbers that it would have");
    expect_run(run_program("owners", "padded", "-m", "500000003", "-n", "1000003", NULL), 1,
               "each of the 500001503000009 output cells has its own", "CUDA refuses");
    expect_run(run_program("ladder", "-m", "500000003", "-n", "1000003", "--enumerate", NULL), 2, "",
               "a grid is at most");
}

static void the_user_interface_has_the_totals_at_once(void **state)
{
    (void)state;
    struct problem problem = {0};
    struct scenario_options options = {.rows = 1000003, .cols = 999983};
    struct session *session = session_open("padded", &rung_find("padded")->source, &options, &problem);
    assert_non_null(session);
    assert_true(session_is_counted(session));
    struct summary summary = session_summary(session);
    assert_int_equal(summary.of[GLOBAL_LOAD].lanes, UINT64_C(1000003) * 999983);
    session_free(session);
}

/* A rung with one thing changed. */
static const struct {
    const char *rung, *from, *to;
    bool uneven; /* no boxes of cells: at large sizes only the example is left */
} bugs[] = {
    {"tiled", "ox < rows &&", "ox < rows - 1 &&", false},
    {"tiled", "oy < cols)", "oy < cols - 40)", false},
    {"tiled", "tile[threadIdx.x][j];", "tile[j][threadIdx.x];", false},
    {"tiled", "(size_t)oy * rows + ox", "(size_t)oy * cols + ox", true},
    {"tiled", "(size_t)y * cols + x]", "(size_t)y * rows + x]", false},
    {"tiled", "ox = blockIdx.y * TILE", "ox = blockIdx.x * TILE", true},
    {"tiled", "oy = blockIdx.x * TILE", "oy = blockIdx.y * TILE", true},
    {"tiled", "ox = blockIdx.y * TILE + threadIdx.x", "ox = blockIdx.y * TILE + threadIdx.x + 1", false},
    {"tiled", "oy = blockIdx.x * TILE + j", "oy = blockIdx.x * (TILE - 1) + j", false},
    {"tiled", "x = blockIdx.x * TILE + threadIdx.x", "x = blockIdx.x * (TILE + 1) + threadIdx.x", false},
    {"tiled", "rows + ox]", "rows + ox - 1]", false},
    {"tiled", "ox < rows &&", "(ox < rows || blockIdx.x == 7) &&", false},
    {"tiled", "if (ox < rows && oy < cols)", "if (blockIdx.x != 20000 && ox < rows && oy < cols)", false},
    {"tiled", "if (ox < rows && oy < cols)", "if (ox != 1000000 && ox < rows && oy < cols)", false},
    {"tiled", "x < cols && y < rows)", "x < cols - 3 && y < rows)", false},
    {"swizzled", "j ^ threadIdx.x];", "j];", false},
    {"swizzled", "threadIdx.x ^ j]", "threadIdx.x ^ (j & 15)]", false},
    {"naive", "(size_t)x * rows + y", "(size_t)x * rows + (y ^ 1)", false},
    {"naive", "x < cols && y < rows", "x < cols - 1 && y < rows", false},
    {"naive", "[(size_t)y * cols + x]", "[(size_t)y * cols + (x & ~1)]", false},
    {"naive", "[(size_t)y * cols + x]", "[(size_t)(blockIdx.y == 32000 ? 0 : y) * cols + x]", false},
    {"copy", "out[(size_t)y * cols + x]", "out[(size_t)y * cols + x / 2]", false},
    {"inplace", "if (left < top)", "if (left <= top)", false},
    {"inplace", "if (left < top)", "if (left - TILE < top)", false},
    {"inplace", "upper[threadIdx.x][j]", "upper[j][threadIdx.x]", false},
    {"inplace", "lower[threadIdx.x][j]", "upper[threadIdx.x][j]", false},
    {"inplace", "left != top && left + threadIdx.x < rows", "left + threadIdx.x < rows", false},
    {"inplace", "left != top && left + threadIdx.x < rows", "left != top + TILE && left + threadIdx.x < rows",
     false},
    {"diagonal", "x < cols && y < rows", "x < cols && y < rows && bx != by", false},
    {"diagonal", "oy < cols)", "oy < cols - 40)", false},
};

static char *with_bug(unsigned i)
{
    const struct source *text = &rung_find(bugs[i].rung)->source;
    char *copy = memory_take(text->size + 200, 1);
    memcpy(copy, text->bytes, text->size);
    char *at = strstr(copy, bugs[i].from);
    if (!at)
        fail_msg("%s has no %s", bugs[i].rung, bugs[i].from);
    char *rest = memory_take(text->size + 1, 1);
    (void)strcpy(rest, at + strlen(bugs[i].from));
    (void)strcpy(at, bugs[i].to);
    (void)strcat(copy, rest);
    free(rest);
    return copy;
}

/* At sizes where each block runs the figures are the same; at sizes beyond 2^20 a side each bug shows, and
 * its example is a real one. */
static void planted_bugs_are_found_at_any_size(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof bugs / sizeof *bugs; i++) {
        struct problem problem = {0};
        struct execution *execution;
        struct owners_report report;
        struct proof proof;
        char *text = with_bug(i);
        struct scenario s = open_text(text, 130, 190);
        struct owners_task task = scenario_task(&s);
        const char *differs = proof_agrees(s.program, &s.launch, &task, &proof);
        if (differs || (proof.given_up && !bugs[i].uneven))
            fail_msg("bug %u: %s", i, differs ? differs : proof.why ? proof.why : proof.census.cause.why);
        scenario_close(&s);
        s = open_text(text, 1048583, 1048613);
        task = scenario_task(&s);
        bool is_proof = proof_run(&execution, s.program, &s.launch, &task, NULL, &report, &proof, &problem);
        if (!is_proof && (!bugs[i].uneven || problem.set))
            fail_msg("bug %u: %s", i,
                     problem.set ? problem.message
                     : proof.why ? proof.why
                                 : proof.census.cause.why);
        if (is_proof && report.correct)
            fail_msg("bug %u is not found", i);
        if (!proof.has_example && (!is_proof || report.wrong || report.missing || report.disagreeing))
            fail_msg("bug %u has no example", i);
        execution_free(execution);
        scenario_close(&s);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_kernels_come_to_what_every_block_comes_to),
        cmocka_unit_test(the_ladder_comes_to_what_every_block_comes_to),
        cmocka_unit_test(compiled_rungs_come_to_what_every_block_comes_to),
        cmocka_unit_test(huge_matrices_have_the_totals_of_mathematics),
        cmocka_unit_test(every_rung_is_counted_and_proven_at_any_size),
        cmocka_unit_test(blockIdx_beside_its_other_number_is_no_axis),
        cmocka_unit_test(totals_beyond_64_bits_are_a_message),
        cmocka_unit_test(what_is_not_affine_is_run_block_by_block),
        cmocka_unit_test(a_grid_that_cuda_refuses_is_counted_and_refused),
        cmocka_unit_test(the_user_interface_has_the_totals_at_once),
        cmocka_unit_test(planted_bugs_are_found_at_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
