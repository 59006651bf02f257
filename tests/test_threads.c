/* test_threads.c - the numbers are the same with any number of threads; Ctrl-C leaves what is known so far.
 */
#include "support.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../sim/audit/owners.h"
#include "../sim/report/matrix.h"
#include "../src/crew.h"
#include "../src/interrupt.h"

#define KERNEL "__global__ void k(const float *in, float *out, int rows, int cols) "

/* Everything that a run says must not depend on the threads: findings with the block that they were met in
 * first, problems of the first failing block, totals. */
static const char *const texts[] = {
    /* races, clashes, unset reads, barriers that warps end without: at other sites in later blocks */
    "// block: 64\n// grid: 20000\n" KERNEL "{ __shared__ float s[64]; int t = threadIdx.x, b = blockIdx.x;\n"
    " if (b < 6000) { s[t] = in[t]; out[b * 6 + t % 6] = s[63 - t]; }\n"
    " else { s[t ^ 1] = in[t]; out[b * 6 + t % 6] = s[62 - t / 2]; }\n"
    " if (b > 4000 && b < 9000 && t < 32) __syncthreads();\n"
    " if (b > 9000 && t < 32) __syncthreads();\n"
    " if (b > 2000 && b < 5000) s[0] = in[t];\n if (b > 5000) s[1] = in[t]; }",
    /* overflow, first in a block that is not the first; cells whose writers disagree, reads out of bounds */
    "// block: 32\n// grid: 40000\n" KERNEL
    "{ int n = (int)blockIdx.x * 100000; if (blockIdx.x > 30000) n = n * 3;"
    " int i = blockIdx.x * 16 + threadIdx.x; out[i] = in[n % 7 + i * 3]; }",
    /* a division by zero in one block of many; the blocks behind it fail in other ways */
    "// block: 64\n// grid: 40000\n" KERNEL
    "{ int d = (int)blockIdx.x - 17000; int i = 64 / d; if (blockIdx.x > 17100) { int u; i = u; } "
    "out[i] = in[0]; }",
    /* an atomic and a store in each cell, from blocks that stand 500 apart: which came first decides */
    "// block: 32\n// grid: 40000\n" KERNEL "{ int b = blockIdx.x, c = b % 500 + b / 1000 * 500;"
    " if (threadIdx.x) return; if (b / 500 % 2) out[c] = in[7]; else atomicAdd(&out[c], 1.f); }",
    /* a buffer that is read and written: later blocks see what earlier ones wrote */
    "// block: 32\n// grid: 30000\n"
    "__global__ void k(const float *in, float *out, int *n, int rows, int cols) "
    "{ if (threadIdx.x == 0) n[0] = n[0] + 1; __syncthreads(); out[blockIdx.x] = in[n[0] % 100]; }",
    /* misaligned, a local array with different elements */
    "// block: 32\n// grid: 40000\n" KERNEL
    "{ int a[4] = {0, 1, 2, 3}; int i = blockIdx.x > 9000 ? a[threadIdx.x % 4] : 0;\n"
    " if (blockIdx.x > 9500) i += a[threadIdx.x % 3];\n"
    " out[i + blockIdx.x * 3] = *(const float *)((const char *)in + (blockIdx.x > 20000)); }",
};

static void any_number_of_threads_says_the_same(void **state)
{
    (void)state;
    static const char *const commands[][3] = {{"ladder", "csv"}, {"owners", "csv"}, {"owners", "text"}};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
            const char *name = write_temporary(texts[t]), *data = t == 4 ? "n=i*0" : "in=0";
            const char *const *command = commands[c];
            struct run alone =
                run_program(command[0], name, "-m", "300", "-n", "400", "-f", command[1], "-j", "1",
                            "--enumerate", t == 4 ? "--data" : "--seed", t == 4 ? data : "1", NULL);
            assert_in_range(alone.code, 0, 2);
            if (t == 0 && !strstr(alone.err, ":6:38: note: warps that ended")) /* not the last, in line 7 */
                fail_msg("%s does not place the first missed barrier: %s", command[0], alone.err);
            static const char *const workers[] = {"3", "8"};
            for (size_t w = 0; w < sizeof workers / sizeof *workers; w++) {
                struct run run = run_program(command[0], name, "-m", "300", "-n", "400", "-f", command[1],
                                             "-j", workers[w], "--enumerate", t == 4 ? "--data" : "--seed",
                                             t == 4 ? data : "1", NULL);
                assert_int_equal(run.code, alone.code);
                assert_string_equal(run.out, alone.out);
                assert_string_equal(run.err, alone.err);
                run_free(&run);
            }
            run_free(&alone);
        }
}

static void rungs_count_the_same_with_any_number_of_threads(void **state)
{
    (void)state;
    struct run alone = run_program("ladder", "-m", "2003", "-n", "1501", "-j", "1", "-f", "json", NULL);
    expect_output(run_program("ladder", "-m", "2003", "-n", "1501", "-j", "9", "-f", "json", NULL), 0,
                  alone.out);
    run_free(&alone);
    alone = run_program("owners", "padded", "-m", "2003", "-n", "1501", "-p", "40", "-j", "1", NULL);
    expect_output(run_program("owners", "padded", "-m", "2003", "-n", "1501", "-p", "40", "-j", "9", NULL), 0,
                  alone.out);
    run_free(&alone);
}

/* Units by worker, and one that fails. */
struct toil {
    uint64_t sum[8], fails, fails_too;
};

static bool toil(void *self, unsigned worker, uint64_t first, uint64_t count)
{
    struct toil *t = self;
    for (uint64_t i = first; i < first + count; i++) {
        if (i == t->fails || i == t->fails_too)
            return false;
        for (volatile int k = 0; k < 2000; k++)
            ;
        t->sum[worker] += i;
    }
    return true;
}

/* Half of the blocks, by one thread. */
struct half {
    const struct scenario *scenario;
    struct owners *owners;
    uint32_t first;
    bool ok;
};

static void *run_half(void *self)
{
    struct half *half = self;
    const struct launch *launch = &half->scenario->launch;
    struct problem problem = {0};
    struct execution *execution = execution_new(half->scenario->program, launch, true, &problem);
    struct sink sink = {.self = half->owners, .access = owners_access};
    half->ok = execution != NULL;
    for (uint32_t block[3] = {half->first, 0, 0}; half->ok && block[0] < launch->grid[0]; block[0] += 2)
        half->ok = execution_run_block(execution, block, &sink, &problem);
    execution_free(execution);
    return NULL;
}

/* Every other block from `first` on by one thread, which the report is asked of; the rest by another. */
static void audit_in_halves(const char *kernel, uint32_t first, struct owners_report *report)
{
    struct source text = text_source(kernel);
    struct scenario_options options = {.rows = 2000, .cols = 1024};
    struct scenario scenario;
    struct problem problem = {0};
    open_scenario(&scenario, &text, &options);
    struct owners_task task = scenario_task(&scenario);
    struct owners *whole = owners_new(&task, &problem);
    assert_non_null(whole);
    owners_share(whole);
    struct half halves[2] = {{&scenario, whole, first, false},
                             {&scenario, owners_part(whole), 1 - first, false}};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, run_half, &halves[1]), 0);
    (void)run_half(&halves[0]);
    assert_int_equal(pthread_join(thread, NULL), 0);
    owners_merge(whole, halves[1].owners);
    assert_true(halves[0].ok && halves[1].ok);
    assert_false(owners_next_pass(whole));
    assert_true(owners_report(whole, report, &problem));
    owners_free(whole);
    scenario_close(&scenario);
}

/* Two threads write the two halves of the same bytes at the same time. */
static void cells_that_share_a_byte_are_written_by_two_threads(void **state)
{
    (void)state;
    struct owners_report report;
    audit_in_halves("// block: 256\n// grid: 8000\n// task: copy\n" KERNEL
                    "{ int i = (blockIdx.x / 2 * 256 + threadIdx.x) * 2 + blockIdx.x % 2; out[i] = in[i]; }",
                    0, &report);
    assert_int_equal(report.missing, 0);
    assert_true(report.correct);
}

/* Block 0 races at s[t ^ 1], block 1 at s[t]. */
static void the_first_race_is_the_first_blocks(void **state)
{
    (void)state;
    static const char kernel[] =
        "// block: 64\n// grid: 32000\n// task: copy\n" KERNEL "{\n"
        "  __shared__ float s[64];\n  int t = threadIdx.x, i = blockIdx.x * 64 + t;\n"
        "  if (blockIdx.x % 2)\n    s[t] = in[t];\n  else\n    s[t ^ 1] = in[t];\n"
        "  float v = s[63 - t];\n  out[i] = in[i];\n}";
    for (uint32_t first = 0; first < 2; first++) {
        struct owners_report report;
        audit_in_halves(kernel, first, &report);
        assert_true(report.hazards);
        assert_int_equal(report.hazard.begin, strstr(kernel, "s[t ^ 1]") - kernel);
    }
}

static void a_crew_does_each_unit_once_and_ends_at_the_first_failure(void **state)
{
    (void)state;
    struct toil t = {.fails = UINT64_MAX, .fails_too = UINT64_MAX};
    struct crew crew = {.total = 20000, .workers = 8, .self = &t, .piece = toil};
    uint64_t sum = 0;
    assert_true(crew_run(&crew) && crew.done == 20000 && !crew.failed && !crew.interrupted);
    for (int i = 0; i < 8; i++)
        sum += t.sum[i];
    assert_int_equal(sum, UINT64_C(20000) * 19999 / 2);
    t = (struct toil){.fails = 15000, .fails_too = 15900};
    assert_false(crew_run(&crew));
    assert_true(crew.failed && crew.done >= 15000 - 4096 && crew.done < 20000);
    crew = (struct crew){.total = 0, .workers = 4, .self = &t, .piece = toil};
    assert_true(crew_run(&crew) && crew.done == 0);
    assert_true(crew_default() >= 1);
}

/* Two pieces that fail, the earlier one well after the later one. */
struct late {
    pthread_mutex_t lock;
    bool has_early, has_later;
    unsigned early_worker;
};

static void wait_ms(long ms)
{
    struct timespec time = {.tv_nsec = ms * 1000000};
    (void)nanosleep(&time, NULL);
}

static bool fail_late(void *self, unsigned worker, uint64_t first, uint64_t count)
{
    struct late *late = self;
    enum { BOTH_ARE_AT_WORK = 40, PATIENCE = 1000 };
    if (first < BOTH_ARE_AT_WORK) {
        wait_ms((long)count);
        return true;
    }
    (void)pthread_mutex_lock(&late->lock);
    bool early = !late->has_early;
    if (early) {
        late->has_early = true;
        late->early_worker = worker;
    } else {
        late->has_later = true;
    }
    (void)pthread_mutex_unlock(&late->lock);
    for (int i = 0; early && i < PATIENCE; i++) {
        (void)pthread_mutex_lock(&late->lock);
        bool has_later = late->has_later;
        (void)pthread_mutex_unlock(&late->lock);
        wait_ms(has_later ? 100 : 10); /* the crew has to hear of it, too */
        if (has_later)
            break;
    }
    return false;
}

static void the_failure_is_that_of_the_first_piece(void **state)
{
    (void)state;
    struct late late = {.has_early = false};
    assert_int_equal(pthread_mutex_init(&late.lock, NULL), 0);
    struct crew crew = {.total = 1000, .workers = 2, .self = &late, .piece = fail_late};
    assert_false(crew_run(&crew));
    assert_true(late.has_early && late.has_later && crew.failed);
    assert_int_equal(crew.failed_worker, late.early_worker);
    assert_int_equal(pthread_mutex_destroy(&late.lock), 0);
}

/* The command is met by Ctrl-C once it is at work, however long that takes on a machine that has much to do.
 */
static void expect_interrupted(const char *command, const char *out, const char *err)
{
    static const char *const seconds[] = {"0.3", "1", "4"};
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
        char line[400];
        (void)snprintf(line, sizeof line,
                       "timeout --foreground -k 30 --preserve-status -s INT %s \"$LANESCOPE\" %s", seconds[i],
                       command); /* in the background it would be met twice, which ends it for good */
        struct run run = run_shell(line);
        bool begun = strstr(run.out, "partial") || strstr(run.err, "partial") || i == 2;
        if (begun) {
            expect_run(run, 130, out, err);
            return;
        }
        run_free(&run);
    }
}

static void ctrl_c_leaves_what_is_known_and_says_so(void **state)
{
    (void)state;
    expect_interrupted("ladder -m 400000 -n 400000 --enumerate",
                       "partial: Ctrl-C ended this; the numbers of ", "");
    expect_interrupted("ladder -m 400000 -n 400000 --enumerate", "and there are none of ", "");
    expect_interrupted("ladder tiled -m 400000 -n 400000 -f csv --enumerate", ",0,0,0,0,0,0,0,yes,",
                       "blocks");
    expect_interrupted("owners tiled -m 100000 -n 100000 --enumerate", "partial: Ctrl-C ended this after ",
                       "");
    expect_interrupted("owners tiled -m 100000 -n 100000 --enumerate -f json",
                       "\"missing\": null, \"wrong\": 0", "partial: ");
    expect_interrupted("owners tiled -m 100000 -n 100000 --enumerate -f csv", ",unknown,", "");
    expect_interrupted("sweep tiled -m 50000 -n 50000 --sweep PITCH=32:60000", "partial: Ctrl-C ended this; ",
                       "");
}

static void ctrl_c_does_not_wait_for_a_long_warp_nor_replace_a_file(void **state)
{
    (void)state;
    expect_interrupted("ladder tests/data/endless.cu --time-limit 100 --budget 1000000000000",
                       "are of 0 of its ", "");
    expect_run(
        run_shell(
            "echo old >build/threads_old; timeout --foreground -k 30 --preserve-status -s INT 1 "
            "\"$LANESCOPE\" "
            "ladder -m 400000 -n 400000 --enumerate -o build/threads_old; echo $?; cat build/threads_old; "
            "rm -f build/threads_old"),
        0, "130\nold\n", "");
}

/* A text of which a warp goes round so often; blocks of two kinds, row by row. */
static const char *write_slow(const char *rounds)
{
    char text[600];
    (void)snprintf(
        text, sizeof text,
        "// block: 32, 8\n// grid: (cols + 31) / 32, (rows + 7) / 8\n" KERNEL
        "{ int x = (blockIdx.x ^ blockIdx.y & 1) * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;\n"
        " float sum = 0; for (long long i = 0; i < %s; i++) sum += in[i %% 100];\n"
        " if (x < cols && y < rows) out[(size_t)x * rows + y] = in[(size_t)y * cols + x]; }",
        rounds);
    return write_temporary(text);
}

static void ctrl_c_in_the_midst_of_a_proof_leaves_no_answer(void **state)
{
    (void)state;
    static const char *const rounds[] = {"200000", "100000000000"}; /* of a block: a second, hours */
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
        const char *name = write_slow(rounds[i]);
        char line[300];
        (void)snprintf(line, sizeof line, "owners %s -m 10000 -n 10000 --budget 1000000000000", name);
        expect_interrupted(line, "partial: Ctrl-C ended this after 0 of 391250 blocks", "");
        expect_interrupted(line, " unknown\n", "");
        (void)snprintf(line, sizeof line, "audit %s -m 10000 -n 10000 --budget 1000000000000", name);
        expect_interrupted(line, "partial: Ctrl-C ended this after 0 of 391250 blocks\nnot yet known: as a",
                           "");
        (void)snprintf(line, sizeof line, "audit %s -m 10000 -n 10000 --budget 1000000000000 -f csv", name);
        expect_interrupted(line, "\n0,unknown,verdict,,,,,,,,,,,,,,,,,,,,0,0,not yet known: ", "partial: ");
        expect_interrupted(line, ",verified,yes\n", "");
    }
}

static void ctrl_c_leaves_the_findings_so_far(void **state)
{
    (void)state;
    expect_interrupted("audit zoo:barrier-missing --enumerate -m 40000 -n 40000",
                       "race in shared memory: warp 1, lane 0", "");
    expect_interrupted("audit zoo:barrier-missing --enumerate -m 40000 -n 40000", " fault so far", "");
    expect_run(run_program("audit", "zoo:barrier-missing", "-f", "csv", NULL), 1, ",verified,no\n", "");
}

static void ctrl_c_leaves_the_rows_that_were_compared(void **state)
{
    (void)state;
    struct run run = run_shell("{ cat tests/data/accesses.csv; for i in $(seq 300); do tail -n +2 "
                               "tests/data/accesses.csv; done; } >build/threads_rows.csv");
    expect_run(run, 0, "", "");
    expect_interrupted("compare build/threads_rows.csv", " and what follows it were not compared\n", "");
    expect_interrupted("compare build/threads_rows.csv", " rows, 0 differ\n", "");
    expect_interrupted("compare build/threads_rows.csv -f csv", ",verified\n", "were not compared\n");
    (void)remove("build/threads_rows.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_says_the_same),
        cmocka_unit_test(rungs_count_the_same_with_any_number_of_threads),
        cmocka_unit_test(cells_that_share_a_byte_are_written_by_two_threads),
        cmocka_unit_test(the_first_race_is_the_first_blocks),
        cmocka_unit_test(a_crew_does_each_unit_once_and_ends_at_the_first_failure),
        cmocka_unit_test(the_failure_is_that_of_the_first_piece),
        cmocka_unit_test(ctrl_c_leaves_what_is_known_and_says_so),
        cmocka_unit_test(ctrl_c_does_not_wait_for_a_long_warp_nor_replace_a_file),
        cmocka_unit_test(ctrl_c_in_the_midst_of_a_proof_leaves_no_answer),
        cmocka_unit_test(ctrl_c_leaves_the_findings_so_far),
        cmocka_unit_test(ctrl_c_leaves_the_rows_that_were_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
