/* test_nvcc.c - the rungs are CUDA: nvcc compiles each as it stands. Skipped, and said so, where there is no
 * nvcc. */
#include "support.h"

#include <string.h>
#include <unistd.h>

static bool find_nvcc(char *path, size_t size)
{
    static const char *const places[] = {"/usr/local/cuda/bin/nvcc", "/usr/bin/nvcc", "/opt/cuda/bin/nvcc"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (access(places[i], X_OK) == 0) {
            (void)snprintf(path, size, "%s", places[i]);
            return true;
        }
    return false;
}

static void nvcc_compiles_every_rung_for_sm_90(void **state)
{
    (void)state;
    char nvcc[64];
    if (!find_nvcc(nvcc, sizeof nvcc)) {
        (void)puts("note: no nvcc here, so the rungs were not compiled");
        skip();
    }
    for (size_t i = 0; i < rung_count; i++) {
        char path[200];
        (void)snprintf(path, sizeof path, "cuda/ladder/%s.cu", rungs[i].name);
        char *arguments[] = {nvcc, "-arch=sm_90", "-ptx", "-o", "/dev/null", path, NULL};
        struct run run = run_arguments(arguments);
        if (run.code != 0)
            fail_msg("%s: %s%s", path, run.out, run.err);
        run_free(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nvcc_compiles_every_rung_for_sm_90)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
