/* test_faults.c - what a kernel does wrong is in the exit code and said, in each command that can see it; and
 * colours say the same. */
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD                                                                                                 \
    "// block: 64\n// grid: 1\n__global__ void k(const float *in, float *out) {\nint t = threadIdx.x;\n"

static const char sound[] = HEAD "out[t] = in[t];\n}\n";
static const char misaligned[] =
    HEAD "((float2 *)(out + 2 * t))[0] = *(const float2 *)(in + 1 + 2 * t);\n}\n";
static const char racing[] = HEAD "__shared__ float s[64];\ns[63 - t] = in[t];\nout[t] = s[t];\n}\n";
static const char outside[] = HEAD "out[t] = in[t + 4090];\n}\n";

/* Runs `command` on a file of this text. */
static void expect(const char *command, const char *text, int code, const char *err)
{
    char name[] = "/tmp/lanescope-faults-XXXXXX.cu";
    int descriptor = mkstemps(name, 3);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    assert_non_null(file);
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
    struct run run = run_program(command, name, "-m", "64", "-n", "64", NULL);
    (void)unlink(name);
    if (run.code != code || (*err ? !strstr(run.err, err) : *run.err != '\0'))
        fail_msg("%s: expected %d '%s', got %d '%s' of\n%s", command, code, err, run.code, run.err, text);
    run_free(&run);
}

static void the_ladder_says_no_to_faulty_lanes(void **state)
{
    (void)state;
    expect("ladder", sound, 0, "");
    expect("ladder", misaligned, 1, "64 lane accesses are misaligned, an error on hardware");
    expect("ladder", outside, 1, "58 lane accesses are out of bounds");
}

static void a_trace_says_no_to_faulty_lanes(void **state)
{
    (void)state;
    expect("trace", sound, 0, "");
    expect("trace", misaligned, 1, "2 accesses have lanes out of bounds, misaligned or in a race");
    expect("trace", outside, 1, "2 accesses have lanes out of bounds, misaligned or in a race");
    expect("trace", racing, 1, "accesses have lanes out of bounds, misaligned or in a race");
}

/* Green where nothing is lost, red where something is: which cells, and which of the two. */
static void expect_colours(const char *rung, const char *good, const char *bad)
{
    struct run run = run_program("ladder", rung, "--color", "always", NULL);
    char wanted[40];
    assert_int_equal(run.code, 0);
    (void)snprintf(wanted, sizeof wanted, "\033[32m%s\033[0m", good);
    if (!strstr(run.out, wanted))
        fail_msg("%s should show %s in green:\n%s", rung, good, run.out);
    (void)snprintf(wanted, sizeof wanted, "\033[31m%s\033[0m", bad);
    if (!strstr(run.out, wanted))
        fail_msg("%s should show %s in red:\n%s", rung, bad, run.out);
    run_free(&run);
}

static void colours_say_which_numbers_are_good(void **state)
{
    (void)state;
    expect_colours("naive", " 81.8", " 12.9");
    expect_colours("tiled", "     0", " 6,720");
    struct run run = run_program("ladder", "padded", "--color", "always", NULL);
    assert_null(strstr(run.out, "\033[31m"));
    run_free(&run);
    run = run_program("probe", "tx * 32", "--color", "always", NULL);
    assert_non_null(strstr(run.out, "\033[31m"));
    run_free(&run);
    run = run_program("probe", "tx", "--color", "always", NULL);
    assert_null(strstr(run.out, "\033[31m"));
    assert_non_null(strstr(run.out, "\033[32m"));
    run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ladder_says_no_to_faulty_lanes),
        cmocka_unit_test(a_trace_says_no_to_faulty_lanes),
        cmocka_unit_test(colours_say_which_numbers_are_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
