/* test_kernel_files.c - kernels of files: what they bring with them, what is wrong with them and how that is
 * said. */
#include "support.h"

#define LAUNCH "// block: 32\n// grid: 1\n"

static void a_faulty_kernel_exits_1_and_an_unsupported_one_2(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        int code;
        const char *err;
    } kernels[] = {
        {"if (threadIdx.x < 3) __syncthreads(); __syncthreads(); out[0] = 1.f;", 1,
         "reached by only some lanes"},
        {"if (threadIdx.x < 32) __syncthreads(); else { out[1] = 2.f; __syncthreads(); } out[0] = 1.f;", 1,
         "wait at another one"},
        {"for (int i = 0; i < 9; i += 0) out[0] = 1.f;", 1, "does not end within the budget"},
        {"out[(int)out[0]] = 1.f;", 2, "depends on what is loaded"},
        {"out[0] = nobody;", 2, "nobody"},
    };
    static const char *const commands[] = {"ladder", "trace", "owners"};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        char text[400];
        (void)snprintf(
            text, sizeof text,
            "// block: 64\n// grid: 1\n__global__ void k(const float *in, float *out)\n{ %s %s }\n",
            "float v = in[threadIdx.x]; out[threadIdx.x] = v;", kernels[i].body);
        const char *name = write_temporary(text);
        for (size_t k = 0; k < 3; k++)
            expect_run(run_program(commands[k], name, "--budget", "20000", "-o", "/dev/null", NULL),
                       kernels[i].code, "", kernels[i].err);
        (void)remove(name);
    }
}

static void a_file_brings_its_launch_or_is_told_how(void **state)
{
    (void)state;
    const char *path = "tests/data/cases/c57_0.cu";
    expect_run(
        run_program("owners", path, NULL), 2, "",
        "c57_0 lacks its block, its grid: options, comment lines at the file's top or a launch in it would "
        "say\nfor example: lanescope owners tests/data/cases/c57_0.cu --block 32x8 --grid 3x4\n");
    expect_run(run_program("owners", path, "--block", "32", NULL), 2, "",
               " --block 32 tests/data/cases/c57_0.cu --grid 3x100\n");
    expect_run(run_program("ladder", path, "--block", "32", "--grid", "2x2", "-m", "64", "-n", "64", "-f",
                           "csv", NULL),
               0, "c57_0.cu,64,64,,,,4,sm_90,128,128,512,", "");
    expect_run(run_program("ladder", path, "--kernel", "c57_0", "--block", "32", "--grid", "2x2", "-m", "64",
                           "-n", "64", "-f", "csv", NULL),
               0, "c57_0.cu:c57_0,64,64,", "");
    expect_run(run_program("ladder", path, "--block", "32", "--grid", "3x2", "-m", "64", "-n", "64", NULL), 1,
               "", "out of bounds");
}

static void includes_are_passed_over_and_that_is_said(void **state)
{
    (void)state;
    const char *name = write_temporary(
        "// block: 32\n// grid: 1\n#include <cstdio>\n#include \"x.h\"\n"
        "__global__ void k(float *out) { out[threadIdx.x] = 1.0f; }\nint main() { return 0; }\n");
    expect_run(run_program("ladder", name, NULL), 0, "", "2 #include lines were passed over");
    (void)remove(name);
}

static void what_owners_cannot_judge_it_says(void **state)
{
    (void)state;
    const char *name = write_temporary(LAUNCH "__global__ void k(float *a, int rows, int cols) {\n"
                                              "    a[threadIdx.x] = a[31 - threadIdx.x];\n}\n");
    expect_run(run_program("owners", name, "-m", "4", "-n", "8", NULL), 2, "",
               ":4:22: the kernel also writes the buffer");
    (void)remove(name);
    name = write_temporary(
        LAUNCH
        "__global__ void k(const float *in, float *out) { out[threadIdx.x] = 2.0f * in[threadIdx.x]; }\n");
    expect_run(run_program("owners", name, "-m", "1", "-n", "32", NULL), 1, "32 cells wrong",
               "32 values written are results of arithmetic, which is not followed");
    (void)remove(name);
    name = write_temporary(LAUNCH "__global__ void k(int *flag, const float *a, const float *b, float *c) {\n"
                                  "    flag[0] = 1; c[threadIdx.x] = b[threadIdx.x] ; }\n");
    expect_run(run_program("owners", name, "-m", "1", "-n", "32", "--in", "b", "--out", "c", NULL), 0,
               "judged: b is the input, c the output", "");
    expect_run(run_program("owners", name, "-m", "1", "-n", "32", "--in", "d", NULL), 2, "",
               "d: the kernel has no pointer parameter of that name; name one with --in");
    (void)remove(name);
}

static void a_licence_may_stand_before_the_headnote(void **state)
{
    (void)state;
    const char *name =
        write_temporary("/* a licence\n   of two lines */\n\n" LAUNCH
                        "__global__ void k(float *out, int height) { out[threadIdx.x] = 1.f; }\n");
    expect_run(
        run_program("audit", name, NULL), 2, "",
        "k lacks a value of its parameter height: options, comment lines at the file's top or a launch in it "
        "would say\nfor example: lanescope audit ");
    expect_run(run_program("ladder", name, "--arg", "height=rows", NULL), 0, "block 32 x 1", "");
    (void)remove(name);
}

static void a_file_must_use_what_it_is_given(void **state)
{
    (void)state;
    const char *name = write_temporary("// block: TILE\n// grid: 1\n#define PITCH 4\n"
                                       "__global__ void k(float *out) { out[threadIdx.x + PITCH] = 1.f; }\n");
    expect_run(run_program("ladder", name, "-t", "16", NULL), 0, "block 16 x 1", "");
    expect_run(run_program("ladder", name, "-t", "16", "-b", "4", NULL), 2, "",
               "does not use BLOCK_ROWS, so a value for it would change nothing; leave out --block-rows");
    expect_run(run_program("ladder", name, "-t", "16", "-p", "17", NULL), 2, "",
               "would change nothing; leave out --pitch");
    (void)remove(name);
}

static void overloads_are_told_apart_by_line(void **state)
{
    (void)state;
    const char *name = write_temporary(LAUNCH "__global__ void k(float *out) { out[threadIdx.x] = 1.f; }\n"
                                              "__global__ void k(double *out) { out[threadIdx.x] = 1.; }\n"
                                              "__global__ void other(char *out) { out[threadIdx.x] = 1; }\n");
    expect_run(run_program("ladder", name, NULL), 2, "",
               "has several kernels: k:3, k:4, other; choose one with --kernel\n");
    expect_run(run_program("ladder", name, "--kernel", "k", NULL), 2, "",
               "has 2 kernels named k; choose one by its line: k:3, k:4\n");
    expect_run(run_program("ladder", name, "--kernel", "k:3", NULL), 0, "4-byte elements", "");
    expect_run(run_program("trace", name, "--kernel", "k:4", NULL), 0, "8 bytes each", "");
    expect_run(run_program("ladder", name, "--kernel", "other", NULL), 0, "1-byte elements", "");
    expect_run(run_program("ladder", name, "--kernel", "k:5", NULL), 2, "",
               "no kernel named k:5; it has: k:3, k:4, other");
    (void)remove(name);
}

static void overflow_is_reported_with_its_line(void **state)
{
    (void)state;
    const char *name = write_temporary(
        "// block: 32\n// grid: 1\n// arg: n = 70000\n__global__ void k(float *out, int n) {\n"
        "    out[(size_t)(unsigned)(n * n)] = 1.0f;\n}\n");
    expect_run(run_program("ladder", name, "-m", "70000", "-n", "70000", NULL), 1, "",
               ":5:27: 32-bit arithmetic overflows here");
    (void)remove(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_faulty_kernel_exits_1_and_an_unsupported_one_2),
        cmocka_unit_test(a_file_brings_its_launch_or_is_told_how),
        cmocka_unit_test(includes_are_passed_over_and_that_is_said),
        cmocka_unit_test(what_owners_cannot_judge_it_says),
        cmocka_unit_test(a_licence_may_stand_before_the_headnote),
        cmocka_unit_test(a_file_must_use_what_it_is_given),
        cmocka_unit_test(overloads_are_told_apart_by_line),
        cmocka_unit_test(overflow_is_reported_with_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
