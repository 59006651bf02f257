/* How `lanescope confirm` ends where it cannot work: one message that says why, and the exit code for it.
 * The program is the one that the variable LANESCOPE names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

/* The stub's gpu_open() and compiler_open() stand before the library's. */
#include "../cuda/stub/stub.c"

struct ended {
    int code;
    char text[4000];
    unsigned lines;
};

static struct ended run(const char *arguments)
{
    const char *program = getenv("LANESCOPE");
    struct ended ended = {.code = -1};
    char command[600];
    (void)snprintf(command, sizeof command, "%s %s 2>&1", program ? program : "./lanescope", arguments);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t got = fread(ended.text, 1, sizeof ended.text - 1, pipe);
    ended.text[got] = '\0';
    int status = pclose(pipe);
    ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    for (const char *at = ended.text; (at = strchr(at, '\n')); at++)
        ended.lines++;
    return ended;
}

static void without_a_gpu_one_message_and_code_3(void **state)
{
    struct ended ended = run("confirm tiled");
    (void)state;
    if (ended.code == 0 || ended.code == 1) {
        print_message("note: skipped: 1 check, this machine has a GPU\n");
        skip();
    }
    assert_int_equal(ended.code, 3);
    assert_int_equal(ended.lines, 1);
    assert_true(strstr(ended.text, "no NVIDIA driver") || strstr(ended.text, "finds no GPU") ||
                strstr(ended.text, "built without CUDA") || strstr(ended.text, "cuInit") ||
                strstr(ended.text, "NVRTC is missing"));
}

static void usage_is_said_before_a_device_is_looked_for(void **state)
{
    static const char *const bad[][2] = {
        {"confirm nosuch", "there is no rung nosuch"},
        {"confirm --random lots", "--random takes"},
        {"confirm tiled --random 5", "leave out tiled"},
        {"confirm tiled --tile 3 --block-rows 8", "must not exceed the tile"},
        {"confirm tiled padded", "one too many"}};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct ended ended = run(bad[i][0]);
        assert_int_equal(ended.code, 2);
        if (!strstr(ended.text, bad[i][1]))
            fail_msg("%s: '%s' is not in '%s'", bad[i][0], bad[i][1], ended.text);
    }
}

static void a_list_that_cannot_be_read_is_code_2(void **state)
{
    struct ended ended = run("confirm --configs /nonexistent.csv");
    (void)state;
    assert_int_equal(ended.code, 2);
    assert_non_null(strstr(ended.text, "cannot be read"));
}

static void the_stub_says_that_it_is_one(void **state)
{
    struct gpu *gpu;
    struct compiler *compiler;
    struct problem problem = {0};
    (void)state;
    assert_false(gpu_open(&gpu, &problem));
    assert_null(gpu);
    assert_non_null(strstr(problem.message, "built without CUDA"));
    problem = (struct problem){0};
    assert_false(compiler_open(&compiler, &problem));
    assert_non_null(strstr(problem.message, "built without CUDA"));
    gpu_close(NULL);
    compiler_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_gpu_one_message_and_code_3),
        cmocka_unit_test(usage_is_said_before_a_device_is_looked_for),
        cmocka_unit_test(a_list_that_cannot_be_read_is_code_2),
        cmocka_unit_test(the_stub_says_that_it_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
