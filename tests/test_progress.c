/* test_progress.c - the line for people who wait: on a terminal only, not at once, gone at the end. */
#include "support.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/progress.h"

static void expect_line(const char *part, uint64_t index, uint64_t count, double seconds, double fraction,
                        const char *expected)
{
    struct progress progress;
    char line[200];
    progress_begin(&progress, "ladder");
    if (count)
        progress_part(&progress, part, index, count);
    progress_line(&progress, seconds, fraction, line, sizeof line);
    assert_string_equal(line, expected);
}

static void the_rest_is_taken_to_go_as_fast(void **state)
{
    (void)state;
    expect_line("", 0, 0, 4, 0.25, "ladder:  25 %, about 12 s left");
    expect_line("tiled", 3, 6, 30, 0.5, "ladder: tiled  50 %, about 30 s left");
    expect_line("", 0, 0, 2, 0, "ladder:   0 %");
    expect_line("", 0, 0, 2, 1, "ladder: 100 %, about 1 s left");
    expect_line("", 0, 0, 600, 0.5, "ladder:  50 %, about 10 min left");
    expect_line("", 0, 0, 36000, 0.5, "ladder:  50 %, about 10 h left");
}

static void parts_fill_the_whole(void **state)
{
    (void)state;
    struct progress progress;
    progress_begin(&progress, "x");
    assert_true(progress.from == 0 && progress.to == 1);
    progress_part(&progress, "b", 1, 4);
    assert_true(progress.from == 0.25 && progress.to == 0.5);
}

/* Runs the program with its standard error on a terminal of its own; what was written there. */
static char *run_on_terminal(const char *const *arguments)
{
    static char got[65536];
    const char *program = getenv("LANESCOPE");
    char *a[12] = {(char *)(uintptr_t)(program ? program : "./lanescope")};
    size_t used = 0;
    int terminal = posix_openpt(O_RDWR | O_NOCTTY), status;
    assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    for (size_t i = 0; i < 10 && arguments[i]; i++)
        a[i + 1] = (char *)(uintptr_t)arguments[i];
    int err = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    assert_true(err >= 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (dup2(err, 2) < 0 || !freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "r", stdin))
            _exit(127);
        execv(a[0], a);
        _exit(127);
    }
    (void)close(err);
    for (ssize_t n; used < sizeof got - 1 && (n = read(terminal, got + used, sizeof got - 1 - used)) > 0;)
        used += (size_t)n;
    got[used] = '\0';
    assert_int_equal(waitpid(child, &status, 0), child);
    (void)close(terminal);
    return got;
}

static void long_work_shows_how_far_it_is_and_cleans_up(void **state)
{
    (void)state;
    static const char *const commands[][8] = {
        {"ladder", "-m", "9000", "-n", "7000", "--enumerate"},
        {"owners", "tiled", "-m", "5000", "-n", "5000", "--enumerate"},
        {"trace", "tests/data/endless.cu", "--limit", "100000"},
    };
    static const char *const lines[] = {"\rladder: tiled", "\rowners:", "\rtrace: "};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (is_sanitized() && i < 2) /* an order longer */
            continue;
        const char *got = run_on_terminal(commands[i]);
        const char *end = got + strlen(got);
        if (!strstr(got, lines[i]) || !strstr(got, " left"))
            fail_msg("%s shows no progress: '%.300s'", commands[i][0], got);
        if (end - got < 4 || strcmp(end - 4, "\r\033[K") != 0)
            fail_msg("%s leaves its line behind: '%s'", commands[i][0], end - got > 100 ? end - 100 : got);
    }
}

static void short_work_and_files_show_nothing(void **state)
{
    (void)state;
    static const char *const quick[] = {"ladder", NULL};
    assert_string_equal(run_on_terminal(quick), "");
    struct run run = run_program("ladder", "tiled", "-m", "9000", "-n", "9000", "-o", "/dev/null", NULL);
    assert_string_equal(run.err, "");
    run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rest_is_taken_to_go_as_fast),
        cmocka_unit_test(parts_fill_the_whole),
        cmocka_unit_test(long_work_shows_how_far_it_is_and_cleans_up),
        cmocka_unit_test(short_work_and_files_show_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
