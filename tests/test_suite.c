/* test_suite.c - the suite itself: programs run side by side are shown in order and summed, whatever they do;
 * and flags of one's own are built in a folder of their own. */
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct run shell(const char *command)
{
    char *copy = strdup(command);
    assert_non_null(copy);
    char *arguments[] = {"/bin/sh", "-c", copy, NULL};
    struct run run = run_arguments(arguments);
    free(copy);
    return run;
}

/* A shell script in the place of a test program. */
static void write_script(const char *folder, const char *name, const char *text)
{
    char path[200];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fprintf(file, "#!/bin/sh\n%s\n", text);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
}

/* tests/run.sh on scripts of the folder, named in `programs` without it. */
static struct run run_suite(const char *folder, unsigned jobs, const char *programs)
{
    char command[400];
    (void)snprintf(command, sizeof command, "p=; for n in %s; do p=\"$p %s/$n\"; done; sh tests/run.sh %u $p",
                   programs, folder, jobs);
    return shell(command);
}

static void expect(struct run run, int code, const char *out)
{
    if (run.code != code || strcmp(run.out, out) != 0)
        fail_msg("expected %d\n%s\ngot %d\n%s\n%s", code, out, run.code, run.out, run.err);
    run_free(&run);
}

static void programs_side_by_side_are_shown_in_order_and_summed(void **state)
{
    (void)state;
    char folder[] = "/tmp/lanescope-suite-XXXXXX", command[100];
    assert_non_null(mkdtemp(folder));
    write_script(folder, "slow", "sleep 0.3; echo '[  PASSED  ] 2 test(s).'");
    write_script(folder, "fast",
                 "echo 'note: a remark'; echo '[  PASSED  ] 3 test(s).'; echo '[  SKIPPED ] 1 test(s), "
                 "listed below:'");
    write_script(folder, "bad",
                 "echo '[  PASSED  ] 1 test(s).'; echo '[  FAILED  ] 2 test(s), listed below:'; exit 2");
    write_script(folder, "dead", "echo half a line; exit 139");
    for (unsigned jobs = 1; jobs <= 4; jobs += 3) {
        expect(run_suite(folder, jobs, "slow fast"), 0,
               "slow                           2 passed\n"
               "fast                           3 passed, 1 skipped  (a remark)\n"
               "[  PASSED  ] 5 test(s).\n5 passed, 0 failed, 1 skipped\n");
        expect(run_suite(folder, jobs, "slow bad fast dead"), 1,
               "slow                           2 passed\n"
               "bad                            1 passed\n"
               "[  PASSED  ] 1 test(s).\n[  FAILED  ] 2 test(s), listed below:\n"
               "fast                           3 passed, 1 skipped  (a remark)\n"
               "dead                           0 passed\nhalf a line\n"
               "failed: bad dead\n"
               "[  PASSED  ] 6 test(s).\n[  FAILED  ] 3 test(s).\n6 passed, 3 failed, 1 skipped\n");
    }
    struct run run = run_suite(folder, 2, "absent fast");
    assert_int_equal(run.code, 1);
    assert_non_null(strstr(run.out, "3 passed, 1 failed, 1 skipped\n"));
    run_free(&run);
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    run = shell(command);
    assert_int_equal(run.code, 0);
    run_free(&run);
}

static char *build_folder(const char *flags)
{
    char command[200];
    (void)snprintf(command, sizeof command, "env -u MAKEFLAGS -u MAKELEVEL -u CFLAGS make -s print-folder %s",
                   flags);
    struct run run = shell(command);
    if (run.code != 0)
        fail_msg("%s: %s", command, run.err);
    free(run.err);
    return run.out;
}

static void flags_of_one_s_own_have_a_folder_of_their_own(void **state)
{
    (void)state;
    static const char *const flags[] = {"",           "CFLAGS=-Werror", "CFLAGS=-Wno-error",
                                        "LDFLAGS=-s", "MODE=debug",     "CFLAGS='-DA=\"'\\''\"'"};
    enum { FLAGS = sizeof flags / sizeof *flags };
    char *folders[FLAGS];
    for (size_t i = 0; i < FLAGS; i++) {
        folders[i] = build_folder(flags[i]);
        assert_memory_equal(folders[i], "build/", 6);
        for (size_t k = 0; k < i; k++)
            if (strcmp(folders[i], folders[k]) == 0)
                fail_msg("'%s' and '%s' are both built in %s", flags[i], flags[k], folders[i]);
    }
    for (size_t i = 0; i < FLAGS; i++)
        free(folders[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_side_by_side_are_shown_in_order_and_summed),
        cmocka_unit_test(flags_of_one_s_own_have_a_folder_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
