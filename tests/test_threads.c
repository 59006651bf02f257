/* test_threads.c - the numbers are the same with any number of threads; Ctrl-C leaves what is known so far.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "../src/crew.h"
#include "../src/interrupt.h"

#define KERNEL "__global__ void k(const float *in, float *out, int rows, int cols) "

/* Everything that a run says must not depend on the threads: findings with the block that they were met in
 * first, problems of the first failing block, totals. */
static const char *const texts[] = {
    /* races, clashes, unset reads, a barrier that warps end without */
    "// block: 64\n// grid: 20000\n" KERNEL
    "{ __shared__ float s[64]; int t = threadIdx.x; s[t] = in[t]; out[blockIdx.x * 64 + t] = s[63 - t];"
    " if (blockIdx.x > 4000 && t < 32) __syncthreads(); if (blockIdx.x > 2000) s[0] = in[t]; }",
    /* overflow, first in a block that is not the first; cells whose writers disagree, reads out of bounds */
    "// block: 32\n// grid: 40000\n" KERNEL "{ int n = (int)blockIdx.x * 100000; int i = blockIdx.x * 16 + "
                                            "threadIdx.x; out[i] = in[n % 7 + i * 3]; }",
    /* a division by zero in one block of many; the blocks behind it fail in other ways */
    "// block: 64\n// grid: 40000\n" KERNEL "{ int d = (int)blockIdx.x - 17000; int i = 64 / d; if "
                                            "(blockIdx.x > 17500) { int u; i = u; } out[i] = in[0]; }",
    /* atomics on the output and stores: what is judged depends on the order of blocks */
    "// block: 32\n// grid: 40000\n" KERNEL
    "{ if (blockIdx.x % 3) atomicAdd(&out[blockIdx.x % 64], 1.f); else out[blockIdx.x % 64] = in[0]; }",
    /* a buffer that is read and written: later blocks see what earlier ones wrote */
    "// block: 32\n// grid: 30000\n__global__ void k(const float *in, float *out, int *n, int rows, int "
    "cols) "
    "{ if (threadIdx.x == 0) n[0] = n[0] + 1; __syncthreads(); out[blockIdx.x] = in[n[0] % 100]; }",
    /* misaligned, a local array with different elements, narrowing */
    "// block: 32\n// grid: 40000\n" KERNEL
    "{ int a[4] = {0, 1, 2, 3}; int i = blockIdx.x > 9000 ? a[threadIdx.x % 4] : 0;"
    " out[i + blockIdx.x * 4] = *(const float *)((const char *)in + (blockIdx.x > 20000)); }",
};

static void any_number_of_threads_says_the_same(void **state)
{
    (void)state;
    static const char *const commands[][3] = {{"ladder", "csv"}, {"owners", "csv"}, {"owners", "text"}};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
            const char *name = write_temporary(texts[t]), *data = t == 4 ? "n=i*0" : "in=0";
            const char *const *command = commands[c];
            struct run alone = run_program(command[0], name, "-m", "300", "-n", "400", "-f", command[1], "-j",
                                           "1", t == 4 ? "--data" : "--seed", t == 4 ? data : "1", NULL);
            assert_in_range(alone.code, 0, 2);
            static const char *const workers[] = {"2", "3", "16"};
            for (size_t w = 0; w < sizeof workers / sizeof *workers; w++) {
                struct run run =
                    run_program(command[0], name, "-m", "300", "-n", "400", "-f", command[1], "-j",
                                workers[w], t == 4 ? "--data" : "--seed", t == 4 ? data : "1", NULL);
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

#define INTERRUPTED "timeout --preserve-status -s INT 0.4 \"$LANESCOPE\" "

static void ctrl_c_leaves_what_is_known_and_says_so(void **state)
{
    (void)state;
    expect_run(run_shell(INTERRUPTED "ladder -m 400000 -n 400000"), 130,
               "partial: Ctrl-C ended this; the numbers of ", "");
    expect_run(run_shell(INTERRUPTED "ladder -m 400000 -n 400000"), 130, "and there are none of ", "");
    expect_run(run_shell(INTERRUPTED "ladder tiled -m 400000 -n 400000 -f csv"), 130, ",0,0,0,0,0,0,0,yes\n",
               "blocks");
    expect_run(run_shell(INTERRUPTED "owners tiled -m 100000 -n 100000"), 130,
               "partial: Ctrl-C ended this after ", "");
    expect_run(run_shell(INTERRUPTED "owners tiled -m 100000 -n 100000 -f json"), 130,
               "\"missing\": null, \"wrong\": 0", "partial: ");
    expect_run(run_shell(INTERRUPTED "owners tiled -m 100000 -n 100000 -f csv"), 130, ",unknown,", "");
    expect_run(run_shell(INTERRUPTED "compare tests/data/launches_large.csv"), 130,
               "partial: Ctrl-C ended this; line ", "");
}

static void ctrl_c_does_not_wait_for_a_long_warp_nor_replace_a_file(void **state)
{
    (void)state;
    expect_run(run_shell(INTERRUPTED "ladder tests/data/endless.cu --time-limit 100 --budget 1000000000000"),
               130, "are of 0 of its ", "");
    expect_run(run_shell("echo old >build/threads_old; " INTERRUPTED
                         "ladder -m 400000 -n 400000 -o build/threads_old; echo $?; cat build/threads_old; "
                         "rm -f build/threads_old"),
               0, "130\nold\n", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_says_the_same),
        cmocka_unit_test(rungs_count_the_same_with_any_number_of_threads),
        cmocka_unit_test(a_crew_does_each_unit_once_and_ends_at_the_first_failure),
        cmocka_unit_test(ctrl_c_leaves_what_is_known_and_says_so),
        cmocka_unit_test(ctrl_c_does_not_wait_for_a_long_warp_nor_replace_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
