/* test_manual.c - the manual page and the completions: complete, without complaints, and what real shells
 * make of them.
 */
#include "terminal_support.h"

#include <stdlib.h>
#include <string.h>

#include "../base/version.h"
#include "../src/command.h"
#include "../src/option_row.h"

static char file[] = "/tmp/lanescope-manual-XXXXXX";

/* What the program prints for one of its own options, in `file` too. */
static char *printed(const char *argument)
{
    char line[400];
    (void)snprintf(line, sizeof line, "${LANESCOPE:-./lanescope} %s | tee %s", argument, file);
    struct run run = run_shell(line);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.err, "");
    free(run.err);
    return run.out;
}

/* The part between two texts; fails where it is not there. The whole is cut behind it. */
static char *part(char *whole, const char *begin, const char *end)
{
    char *at = strstr(whole, begin);
    if (!at)
        fail_msg("there is no \"%s\"", begin);
    char *stop = strstr(at + strlen(begin), end);
    if (stop)
        *stop = '\0';
    return at;
}

static void expect_in(const char *text, const char *format, const char *name)
{
    char wanted[200];
    (void)snprintf(wanted, sizeof wanted, format, name);
    if (!strstr(text, wanted))
        fail_msg("\"%s\" is not in\n%.3000s", wanted, text);
}

/* Each command with each of its options, and each option with its help. */
static void the_page_has_all_of_the_tables(void **state)
{
    (void)state;
    for (size_t i = 0; i < command_count; i++) {
        char begin[80], *page = printed("--man");
        (void)snprintf(begin, sizeof begin, "\n.It Ic %s", commands[i].name);
        const char *own = part(page, begin, "\n.It Ic");
        for (const char *const *name = commands[i].options; *name; name++)
            expect_in(own, "\n.Fl \\-%s ", *name);
        free(page);
    }
    char *page = printed("--man");
    for (size_t i = 0; i < option_count; i++)
        expect_in(strstr(page, ".Sh OPTIONS"), " Fl \\-%s", option_rows[i].name);
    free(page);
}

static void expect_silence(const char *format)
{
    char line[200];
    (void)snprintf(line, sizeof line, format, file);
    struct run run = run_shell(line);
    if (run.code != 0 || *run.out)
        fail_msg("%s: exit code %d\n%s%s", line, run.code, run.out, run.err);
    run_free(&run);
}

static void the_page_is_without_complaint(void **state)
{
    (void)state;
    free(printed("--man"));
    expect_silence("mandoc -Tlint %s");
    expect_silence("LC_ALL=C.UTF-8 man --warnings -l %s 2>&1 >/dev/null");
    struct run run = run_shell("${LANESCOPE:-./lanescope} --man | man -l - 2>/dev/null | col -b");
    assert_non_null(strstr(run.out, "lanescope --completion bash|zsh|fish"));
    assert_non_null(strstr(run.out, "--block-rows N"));
    run_free(&run);
}

/* A shell's text for one command, to the next. */
static void completes_all(const char *shell, const char *command_format, const char *option_format)
{
    char argument[40], begin[80], end[80] = "\nno command after the last";
    (void)snprintf(argument, sizeof argument, "--completion %s", shell);
    for (size_t i = 0; i < command_count; i++) {
        char *text = printed(argument);
        (void)snprintf(begin, sizeof begin, command_format, commands[i].name);
        if (i + 1 < command_count)
            (void)snprintf(end, sizeof end, command_format, commands[i + 1].name);
        const char *own = part(text, begin, end);
        for (const char *const *name = commands[i].options; *name; name++)
            expect_in(own, option_format, *name);
        if (strncmp(commands[i].operands, "[RUNG", 5) == 0)
            for (size_t k = 0; k < rung_count; k++)
                expect_in(own, "%s", rungs[k].name);
        free(text);
    }
}

static void completions_have_all_of_the_tables(void **state)
{
    (void)state;
    completes_all("bash", "\n        %s)\n", "--%s");
    completes_all("zsh", "\n        %s)\n", "--%s");
    completes_all("fish", " -n __lanescope_first -a %s ", " -l %s ");
    expect_run(run_program("--completion", "tcsh", NULL), 2, "", "bash, zsh or fish");
    expect_run(run_program("--completion", NULL), 2, "", "bash, zsh or fish");
}

/* What bash has for the last of these words. */
static void bash_has(const char *words, unsigned last, const char *wanted)
{
    char line[1000];
    (void)snprintf(
        line, sizeof line,
        "cd tests/data && exec bash --norc -c 'source %s; complete -p lanescope >/dev/null || exit; "
        "COMP_WORDS=(%s); COMP_CWORD=%u; _lanescope; printf \"%%s \" \"${COMPREPLY[@]}\"'",
        file, words, last);
    struct run run = run_shell(line);
    if (run.code != 0 || strcmp(run.out, wanted) != 0 || *run.err)
        fail_msg("%s: \"%s\", not \"%s\" (%s)", words, run.out, wanted, run.err);
    run_free(&run);
}

static void bash_completes(void **state)
{
    (void)state;
    free(printed("--completion bash"));
    bash_has("lanescope ow", 1, "owners ");
    bash_has("lanescope --comp", 1, "--completion ");
    bash_has("lanescope --completion z", 2, "zsh ");
    bash_has("lanescope ladder --pi", 2, "--pitch ");
    bash_has("lanescope ladder --format js", 3, "json ");
    bash_has("lanescope ladder --format = js", 4, "json ");
    bash_has("lanescope ladder -e 1", 3, "1 16 ");
    bash_has("lanescope modular -m 1", 3, " ");
    bash_has("lanescope trace pad", 2, "padded ");
    bash_has("lanescope trace goto", 2, "goto.cu ");
    bash_has("lanescope compare launches_l", 2, "launches_large.csv ");
    bash_has("lanescope ladder -I cen", 3, "census ");
    bash_has("lanescope ladder -o goto", 3, "goto.cu ");
    bash_has("lanescope nothing x", 2, " ");
}

static void fish_has(const char *words, const char *wanted)
{
    char line[1000];
    (void)snprintf(
        line, sizeof line,
        "cd tests/data && HOME=%s.home fish --no-config -c 'source %s; complete -C \"%s\"' | cut -f1 "
        "| tr '\\n' ' '",
        file, file, words);
    struct run run = run_shell(line);
    if (strcmp(run.out, wanted) != 0)
        fail_msg("%s: \"%s\", not \"%s\" (%s)", words, run.out, wanted, run.err);
    run_free(&run);
}

static void fish_completes(void **state)
{
    (void)state;
    free(printed("--completion fish"));
    expect_silence("HOME=%1$s.home fish --no-execute %1$s 2>&1");
    fish_has("lanescope ow", "owners ");
    fish_has("lanescope --completion z", "zsh ");
    fish_has("lanescope ladder --pi", "--pitch ");
    fish_has("lanescope ladder --format js", "json ");
    fish_has("lanescope trace pad", "padded ");
    fish_has("lanescope trace goto", "goto.cu ");
    fish_has("lanescope ladder -I cen", "census/ ");
}

/* In a real terminal: its completion runs only there. */
static void zsh_completes(void **state)
{
    struct terminal *t = *state;
    char line[300];
    free(printed("--completion zsh"));
    expect_silence("zsh -n %s 2>&1");
    begin(t, 100, 30);
    keys(t, "-l 'cd tests/data; PS1=\"%# \" exec zsh -f'");
    keys(t, "Enter");
    expect(t, "# ");
    (void)snprintf(line, sizeof line,
                   "-l 'PS1=\"zsh. \"; autoload -Uz compinit; compinit -D -u; source %s; clear'", file);
    keys(t, line);
    keys(t, "Enter");
    expect(t, "zsh. ");
    static const char *const cases[][2] = {
        {"ow", "owners"},
        {"--comp", "--completion"},
        {"--completion z", "zsh"},
        {"ladder --pi", "ladder --pitch="},
        {"ladder --format=js", "--format=json"},
        {"ladder -D A=1 -D B=2 --enu", "--enumerate"},
        {"trace pad", "trace padded"},
        {"trace goto", "trace goto.cu"},
        {"compare launches_l", "launches_large.csv"},
        {"ladder -I cen", "census/"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)snprintf(line, sizeof line, "-l 'lanescope %s'", cases[i][0]);
        keys(t, line);
        keys(t, "Tab");
        (void)snprintf(line, sizeof line, "%s", cases[i][1]);
        expect(t, line);
        keys(t, "C-c");
        keys(t, "-l clear");
        keys(t, "Enter");
    }
    keys(t, "-l 'lanescope modular --'"); /* a list, with what each is for */
    keys(t, "Tab");
    expect(t, "the step a, 0 to 1024");
}

/* Four places say which version it is and of which day. */
static void the_version_is_the_same_everywhere(void **state)
{
    (void)state;
    char line[100], *changes = read_file("CHANGELOG.md"), *packages = read_file("debian/changelog");
    struct tm day = {0};
    assert_non_null(strptime(LANESCOPE_DATE, "%B %d, %Y", &day));
    (void)snprintf(line, sizeof line, "## [" LANESCOPE_VERSION "] - %04d-%02d-%02d\n", day.tm_year + 1900,
                   day.tm_mon + 1, day.tm_mday);
    expect_in(changes, "%s", line);
    if (strncmp(packages, "lanescope (" LANESCOPE_VERSION ") ",
                sizeof "lanescope () " LANESCOPE_VERSION - 1) != 0)
        fail_msg("debian/changelog begins with %.40s", packages);
    (void)strftime(line, sizeof line, "%d %b %Y", &day);
    expect_in(packages, ", %s ", line);
    free(changes);
    free(packages);
}

static int make_file(void **state)
{
    (void)state;
    int handle = mkstemp(file);
    return handle < 0 ? -1 : close(handle);
}

static int remove_file(void **state)
{
    char line[100];
    (void)state;
    (void)snprintf(line, sizeof line, "rm -rf %s %s.home", file, file); /* fish makes folders */
    return system(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_version_is_the_same_everywhere),
        cmocka_unit_test(the_page_has_all_of_the_tables),
        cmocka_unit_test(the_page_is_without_complaint),
        cmocka_unit_test(completions_have_all_of_the_tables),
        cmocka_unit_test(bash_completes),
        cmocka_unit_test(fish_completes),
        cmocka_unit_test_setup_teardown(zsh_completes, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
