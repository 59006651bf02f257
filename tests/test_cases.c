/* test_cases.c - real people's questions (tests/data/cases), asked of the program as they would ask. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "../base/csv.h"

/* A table of tests/data/cases with its header. */
struct cases {
    char *bytes;
    struct csv csv;
    char *header[CSV_FIELD_LIMIT];
    unsigned columns;
    char *header_bytes;
};

static void open_cases(struct cases *cases, const char *name)
{
    struct problem problem = {0};
    cases->bytes = read_data(name);
    csv_open(&cases->csv, &(struct source){name, cases->bytes, strlen(cases->bytes)});
    assert_true(csv_next(&cases->csv, &problem));
    cases->columns = cases->csv.count;
    for (unsigned i = 0; i < cases->columns; i++)
        cases->header[i] = strdup(cases->csv.fields[i]);
}

static const char *field(const struct cases *cases, const char *name)
{
    for (unsigned i = 0; i < cases->columns; i++)
        if (strcmp(cases->header[i], name) == 0)
            return cases->csv.fields[i];
    fail_msg("no column %s", name);
    return "";
}

static void close_cases(struct cases *cases)
{
    for (unsigned i = 0; i < cases->columns; i++)
        free(cases->header[i]);
    csv_close(&cases->csv);
    free(cases->bytes);
}

/* The value under `name` in a csv of one header and one row. */
static void expect_column(const char *csv, const char *id, const char *name, const char *expected)
{
    char copy[1000];
    (void)snprintf(copy, sizeof copy, "%s", csv);
    char *row = strchr(copy, '\n');
    assert_non_null(row);
    *row++ = '\0';
    row[strcspn(row, "\n")] = '\0';
    char *names = copy;
    for (;;) {
        size_t n = strcspn(names, ","), v = strcspn(row, ",");
        if (strlen(name) == n && strncmp(names, name, n) == 0) {
            if (strlen(expected) != v || strncmp(row, expected, v) != 0)
                fail_msg("%s: %s: expected '%s', got '%.*s'", id, name, expected, (int)v, row);
            return;
        }
        if (!names[n])
            fail_msg("%s: the output has no column %s", id, name);
        names += n + 1;
        row += v + (row[v] == ',');
    }
}

static void all_97_probes_give_every_column(void **state)
{
    (void)state;
    static const char *const columns[] = {"requests", "wavefronts", "ideal_wavefronts", "sectors",
                                          "misaligned_lanes"};
    struct cases cases;
    struct problem problem = {0};
    unsigned rows = 0;
    open_cases(&cases, "cases/probes.csv");
    while (csv_next(&cases.csv, &problem)) {
        const char *program = getenv("LANESCOPE");
        char defines[200];
        const char *a[40] = {program ? program : "./lanescope",
                             "probe",
                             field(&cases, "index"),
                             "--space",
                             field(&cases, "space"),
                             "--op",
                             field(&cases, "op"),
                             "--block",
                             field(&cases, "block"),
                             "--block-idx",
                             field(&cases, "block_idx"),
                             "--lane-bytes",
                             field(&cases, "lane_bytes"),
                             "--index-bytes",
                             field(&cases, "index_unit_bytes"),
                             "--base",
                             field(&cases, "base_bytes"),
                             "--format",
                             "csv"};
        unsigned n = 19;
        (void)snprintf(defines, sizeof defines, "%s", field(&cases, "defines"));
        for (char *word = strtok(defines, " "); word; word = strtok(NULL, " ")) {
            a[n++] = "-D";
            a[n++] = word;
        }
        if (*field(&cases, "active_if")) {
            a[n++] = "--active";
            a[n++] = field(&cases, "active_if");
        }
        char *copy[40];
        memcpy(copy, a, sizeof copy);
        struct run run = run_arguments(copy);
        for (unsigned i = 0; i < 5; i++)
            expect_column(run.out, field(&cases, "id"), columns[i], field(&cases, columns[i]));
        assert_int_equal(run.code, strcmp(field(&cases, "misaligned_lanes"), "0") != 0);
        run_free(&run);
        rows++;
    }
    assert_false(problem.set);
    assert_int_equal(rows, 97);
    close_cases(&cases);
}

static void all_audits_give_exactly_these_numbers(void **state)
{
    (void)state;
    static const char *const columns[] = {
        "missing",          "wrong",  "written_twice", "out_of_bounds_reads", "out_of_bounds_writes",
        "unset_tile_reads", "correct"};
    struct cases cases;
    struct problem problem = {0};
    unsigned rows = 0;
    open_cases(&cases, "cases/audits.csv");
    while (csv_next(&cases.csv, &problem)) {
        char path[200];
        (void)snprintf(path, sizeof path, "tests/data/cases/%s", field(&cases, "file"));
        struct run run =
            run_program("owners", path, "--kernel", field(&cases, "kernel"), "-m", field(&cases, "rows"),
                        "-n", field(&cases, "cols"), "--block", field(&cases, "block"), "--grid",
                        field(&cases, "grid"), "--task", field(&cases, "task"), "-f", "csv", NULL);
        for (unsigned i = 0; i < 7; i++)
            expect_column(run.out, field(&cases, "file"), columns[i], field(&cases, columns[i]));
        assert_int_equal(run.code, strcmp(field(&cases, "correct"), "yes") != 0);
        run_free(&run);
        rows++;
    }
    assert_int_equal(rows, 15);
    close_cases(&cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_97_probes_give_every_column),
        cmocka_unit_test(all_audits_give_exactly_these_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
