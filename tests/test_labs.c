/* test_labs.c - the labs are as they say: every command prints what is shown, each has its parts, the line
 * that is handed in fails on the starter and passes on the solution, and figures that were measured are those
 * recorded.
 */
#include "support.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const lab_names[] = {"1-addresses", "2-coalescing", "3-banks",       "4-swizzle",
                                        "5-zoo",       "6-in-place",   "7-measurement", "8-convert"};
enum { LABS = sizeof lab_names / sizeof *lab_names };

static void path_of(const char *lab, const char *name, char out[300])
{
    (void)snprintf(out, 300, "docs/labs/%s/%s", lab, name);
}

static void every_command_prints_what_it_shows(void **state)
{
    (void)state;
    char path[300], folder[300], key[60];
    for (unsigned i = 0; i < LABS; i++) {
        path_of(lab_names[i], "lab.md", path);
        path_of(lab_names[i], ".", folder);
        assert_true(run_examples(path, folder) >= 3);
        (void)snprintf(key, sizeof key, "%s.md", lab_names[i]);
        path_of("solutions", key, path);
        assert_true(run_examples(path, "docs/labs/solutions") >= 2);
    }
    assert_true(run_examples("docs/labs/README.md", "docs/labs") >= 1);
}

/* Commands in the running text, `lanescope lines starter.cu -m 100 -n 70`: those that have more than a name
 * must run. A GPU may be missing (3). */
static unsigned run_spans(const char *path, const char *folder)
{
    unsigned count = 0;
    char *text = read_file(path);
    for (char *at = text, *end; (at = strchr(at, '`')) != NULL; at = end + 1) {
        if (strncmp(at, "```", 3) == 0) {
            end = strstr(at + 3, "```");
            assert_non_null(end);
            end += 2;
            continue;
        }
        end = strchr(at + 1, '`');
        assert_non_null(end);
        static const char name[] = "lanescope ";
        if (strncmp(at + 1, name, sizeof name - 1) != 0 ||
            !memchr(at + sizeof name, ' ', (size_t)(end - at) - sizeof name))
            continue;
        char line[600];
        (void)snprintf(line, sizeof line, "l=$(realpath \"$LANESCOPE\") && cd %s && \"$l\" %.*s", folder,
                       (int)(end - at - (long)sizeof name), at + sizeof name);
        for (char *newline = line; (newline = strchr(newline, '\n')) != NULL;)
            *newline = ' ';
        struct run run = run_shell(line);
        if (run.code != 0 && run.code != 1 && run.code != 3)
            fail_msg("%s: %s ends with %d: %s", path, line, run.code, run.err);
        run_free(&run);
        count++;
    }
    free(text);
    return count;
}

static void commands_in_the_text_run(void **state)
{
    (void)state;
    char path[300], folder[300];
    unsigned count = 0;
    for (unsigned i = 0; i < LABS; i++) {
        path_of(lab_names[i], "lab.md", path);
        path_of(lab_names[i], ".", folder);
        count += run_spans(path, folder);
    }
    assert_true(count >= 10);
    assert_true(run_spans("docs/labs/README.md", "docs/labs") >= 3);
}

/* A lab that is not in the list above would not be tried. */
static void every_folder_is_a_lab(void **state)
{
    (void)state;
    DIR *open = opendir("docs/labs");
    unsigned count = 0;
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open)) != NULL;)
        count += entry->d_name[0] >= '0' && entry->d_name[0] <= '9';
    (void)closedir(open);
    assert_int_equal(count, LABS);
}

static void each_lab_has_its_parts(void **state)
{
    (void)state;
    static const char *const parts[] = {"\n**Goal.**",
                                        "\n**Start.** In the clone's top folder: `make -j4`",
                                        "\n## Predict\n",
                                        "\n## Reveal\n",
                                        "\n## Do\n",
                                        "\n## Hand in\n",
                                        "\n## Questions\n\n1. ",
                                        "\n## What the model does not see\n"};
    char path[300], link[200];
    char *index = read_file("docs/labs/README.md");
    for (unsigned i = 0; i < LABS; i++) {
        path_of(lab_names[i], "lab.md", path);
        char *text = read_file(path);
        const char *at = text;
        for (unsigned p = 0; p < sizeof parts / sizeof *parts; p++) {
            const char *found = strstr(at, parts[p]);
            if (!found)
                fail_msg("%s has no \"%s\" where it should be", path, parts[p] + 1);
            at = found;
        }
        (void)snprintf(link, sizeof link, "](%s/lab.md)", lab_names[i]);
        assert_non_null(strstr(index, link));
        free(text);
    }
    free(index);
}

/* The command of a lab's "Hand in", without what stands before its options: " -m 5 -n 7 --assert 'correct'".
 */
static void handed_in(const char *lab, char out[400])
{
    char path[300];
    static const char begin[] = "$ lanescope audit starter.cu";
    path_of(lab, "lab.md", path);
    char *text = read_file(path);
    const char *section = strstr(text, "\n## Hand in\n"), *at = section ? strstr(section, begin) : NULL;
    assert_non_null(at);
    at += strlen(begin);
    (void)snprintf(out, 400, "%.*s", (int)strcspn(at, "\n"), at);
    assert_non_null(strstr(out, " --assert '"));
    free(text);
}

static int grade(const char *kernel, const char *rest)
{
    char line[800];
    (void)snprintf(line, sizeof line, "\"$LANESCOPE\" audit docs/labs/%s%s", kernel, rest);
    struct run run = run_shell(line);
    int code = run.code;
    if (code == 2)
        fail_msg("%s\n%s", line, run.err);
    run_free(&run);
    return code;
}

static void the_starter_fails_and_the_solution_passes(void **state)
{
    (void)state;
    for (unsigned i = 0; i < LABS; i++) {
        char rest[400], kernel[60], key[300], path[300];
        handed_in(lab_names[i], rest);
        (void)snprintf(kernel, sizeof kernel, "%s/starter.cu", lab_names[i]);
        assert_int_equal(grade(kernel, rest), 1);
        (void)snprintf(kernel, sizeof kernel, "solutions/%s.cu", lab_names[i]);
        assert_int_equal(grade(kernel, rest), 0);
        /* and the key shows the same line */
        (void)snprintf(key, sizeof key, "$ lanescope audit %s.cu%.200s\n", lab_names[i], rest);
        (void)snprintf(kernel, sizeof kernel, "%s.md", lab_names[i]);
        path_of("solutions", kernel, path);
        char *text = read_file(path);
        if (!strstr(text, key))
            fail_msg("%s has no line\n%s", path, key);
        free(text);
    }
}

/* The line of a CI job in the teacher's document is that of lab 3. */
static void the_example_of_a_grader_is_a_labs_own(void **state)
{
    (void)state;
    char rest[400], line[500];
    char *text = read_file("docs/labs/README.md");
    handed_in("3-banks", rest);
    (void)snprintf(line, sizeof line, "cd 3-banks && lanescope audit starter.cu%s\n", rest);
    assert_non_null(strstr(text, line));
    free(text);
}

/* A number of a table's row: of the line that begins with `begin`, in the column of that name. */
static double recorded(const char *table, const char *begin, const char *column)
{
    unsigned at = 0;
    const char *name = table;
    for (; strncmp(name, column, strlen(column)) != 0 || !strchr(",\n", name[strlen(column)]); at++) {
        name += strcspn(name, ",\n") + 1;
        assert_true(name < strchr(table, '\n'));
    }
    const char *row = strstr(table, begin);
    assert_non_null(row);
    for (row++; at--;)
        row += strcspn(row, ",\n") + 1;
    return strtod(row, NULL);
}

/* Does the text have the quotient, to two digits? */
static void expect_quotient(const char *text, const char *format, double quotient)
{
    char words[200];
    (void)snprintf(words, sizeof words, format, quotient);
    if (!strstr(text, words))
        fail_msg("lab 7 should say \"%s\"", words);
}

static void measured_figures_are_the_recorded_ones(void **state)
{
    (void)state;
    char *text = read_file("docs/labs/7-measurement/lab.md");
    for (char *at = text; *at; at++)
        *at = *at == '\n' ? ' ' : *at;
    char *table = read_data("bench_h200.csv");
    char *large = read_data("launches_large.csv");
    static const char *const rungs_of[] = {"\nkernel,copy,", "\nkernel,naive,"};
    double dram[2];
    for (unsigned i = 0; i < 2; i++)
        dram[i] = recorded(table, rungs_of[i], "dram_read_bytes") +
                  recorded(table, rungs_of[i], "dram_written_bytes");
    expect_quotient(text, "naive writes %.0f times the sectors to the L2",
                    recorded(table, rungs_of[1], "l2_written_sectors") /
                        recorded(table, rungs_of[0], "l2_written_sectors"));
    expect_quotient(text, ": %.1f times.", dram[1] / dram[0]);
    expect_quotient(text, "`tiled` takes %.1f times as long as `padded`, not 32 times",
                    recorded(table, "\nkernel,tiled,", "median_ms") /
                        recorded(table, "\nkernel,padded,", "median_ms"));
    expect_quotient(text, "%.1f times the time between them",
                    recorded(table, "\nkernel,naive,", "median_ms") /
                        recorded(table, "\nkernel,naive-swap,", "median_ms"));
    for (unsigned i = 0; i < 2; i++) {
        const char *row = i ? "\nnaive,16384,16384,32,8,32,1," : "\ncopy,16384,16384,32,8,32,1,";
        dram[i] =
            recorded(large, row, "dram__bytes_read.sum") + recorded(large, row, "dram__bytes_write.sum");
    }
    expect_quotient(text, "sectors and %.2f times the bytes", dram[1] / dram[0]);
    free(large);
    free(table);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_prints_what_it_shows),
        cmocka_unit_test(commands_in_the_text_run),
        cmocka_unit_test(every_folder_is_a_lab),
        cmocka_unit_test(each_lab_has_its_parts),
        cmocka_unit_test(the_starter_fails_and_the_solution_passes),
        cmocka_unit_test(the_example_of_a_grader_is_a_labs_own),
        cmocka_unit_test(measured_figures_are_the_recorded_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
