/* What was recorded on an H200 by `lanescope confirm` replays without a GPU: every row agrees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

static void replay(const char *table, const char *expected)
{
    const char *program = getenv("LANESCOPE");
    char command[600], text[2000];
    (void)snprintf(command, sizeof command, "%s compare %s 2>&1", program ? program : "./lanescope", table);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t got = fread(text, 1, sizeof text - 1, pipe);
    text[got] = '\0';
    int status = pclose(pipe);
    assert_string_equal(text, expected);
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void recorded_launches_agree(void **state)
{
    (void)state;
    replay("tests/data/confirmed_launches.csv", "649 rows, 0 differ\n");
    replay("tests/data/confirmed_rungs.csv", "319 rows, 0 differ\n");
}

static void recorded_accesses_agree(void **state)
{
    (void)state;
    replay("tests/data/confirmed_accesses.csv", "240 rows, 0 differ\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_launches_agree),
        cmocka_unit_test(recorded_accesses_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
