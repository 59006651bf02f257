/* test_gpu_device.c - confirm on a real GPU. Where there is none the tests are skipped, and counted as that.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Runs confirm; skips the test where no GPU, driver or NVRTC is (exit code 3). */
static struct run confirm(const char *kernel, const char *option, const char *value)
{
    struct run run = run_program("confirm", kernel, option, value, NULL);
    if (run.code == 3) {
        print_message("note: skipped: 1 check on a GPU: %s", run.err);
        run_free(&run);
        skip();
    }
    return run;
}

static void every_rung_agrees_in_values_owners_and_addresses(void **state)
{
    (void)state;
    for (size_t i = 0; i < rung_count; i++) {
        struct run run = confirm(rungs[i].name, "-m", "257");
        if (run.code != 0 || !strstr(run.out, ", 0 differ"))
            fail_msg("%s: %s%s", rungs[i].name, run.out, run.err);
        run_free(&run);
    }
}

static void random_configurations_agree(void **state)
{
    (void)state;
    struct run run = confirm("--random=50", "--seed", "3");
    if (run.code != 0 || !strstr(run.out, "50 configurations, 0 differ"))
        fail_msg("%s%s", run.out, run.err);
    run_free(&run);
}

/* A kernel that leaves out a column is simulated as it runs, and mathematics says that it is wrong. */
static void a_wrong_kernel_is_found_by_its_values(void **state)
{
    (void)state;
    char name[] = "/tmp/lanescope-gpu-XXXXXX.cu";
    int descriptor = mkstemps(name, 3);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    assert_non_null(file);
    (void)fputs("// block: 32, 8\n// grid: (cols + 31) / 32, (rows + 7) / 8\n"
                "__global__ void k(const unsigned *in, unsigned *out, int rows, int cols) {\n"
                "    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;\n"
                "    if (x < cols && y < rows && x != 7) out[x * rows + y] = in[y * cols + x];\n}\n",
                file);
    assert_int_equal(fclose(file), 0);
    struct run run = run_program("confirm", name, "-m", "100", "-n", "70", NULL);
    (void)remove(name);
    if (run.code == 3) {
        print_message("note: skipped: 1 check on a GPU: %s", run.err);
        run_free(&run);
        skip();
    }
    assert_int_equal(run.code, 1);
    assert_non_null(strstr(run.out, "wrong values 100"));
    run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rung_agrees_in_values_owners_and_addresses),
        cmocka_unit_test(random_configurations_agree),
        cmocka_unit_test(a_wrong_kernel_is_found_by_its_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
