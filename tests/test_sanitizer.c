/* test_sanitizer.c - the zoo on a GPU: what an H200 left wrong and what NVIDIA's compute-sanitizer said
 * there, recorded by tests/sanitizer.sh (tests/data/sanitizer.csv), against the audit.
 */
#include "support.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../sim/report/audit.h"

enum tool { RESULT, MEMCHECK, RACECHECK, INITCHECK, SYNCCHECK, TOOLS };
static const char *const tools[TOOLS] = {"result", "memcheck", "racecheck", "initcheck", "synccheck"};

struct opinion {
    bool known;    /* it came to its end */
    long findings; /* of RESULT: wrong cells */
    char lines[40];
};

/* The first four fields of the tool's row; no text stands in them. */
static struct opinion opinion_of(const char *csv, const char *kernel, enum tool tool)
{
    char begin[100];
    struct opinion opinion = {.known = false};
    (void)snprintf(begin, sizeof begin, "\n%s,%s,", kernel, tools[tool]);
    const char *row = strstr(csv, begin);
    if (!row)
        fail_msg("no row for %s, %s", kernel, tools[tool]);
    row += strlen(begin);
    opinion.known = *row != ',';
    opinion.findings = strtol(row, NULL, 10);
    row = strchr(row, ',') + 1;
    (void)snprintf(opinion.lines, sizeof opinion.lines, "%.*s", (int)strcspn(row, ","), row);
    return opinion;
}

struct audited {
    struct scenario scenario;
    struct audit *audit;
    const struct audit_result *result;
};

static struct audited audit_kernel(const struct rung *kernel)
{
    struct audited a;
    const struct scenario_options options = {0};
    struct problem problem = {0};
    open_scenario(&a.scenario, &kernel->source, &options);
    a.audit = audit_begin(&a.scenario, NULL, &problem);
    assert_non_null(a.audit);
    while (audit_step(a.audit, 1000))
        ;
    a.result = audit_result(a.audit);
    return a;
}

static void release(struct audited *a)
{
    audit_free(a->audit);
    scenario_close(&a->scenario);
}

static bool names_line(const struct findings *findings, int line)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->at[i].line == line || findings->at[i].other_line == line)
            return true;
    return false;
}

/* Do the values depend on who comes first, or does the kernel not come to its end? */
static bool is_open(const struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        enum finding_kind kind = findings->at[i].kind;
        if (kind == FINDING_SHARED_RACE || kind == FINDING_GLOBAL_RACE || kind == FINDING_CLASH ||
            kind == FINDING_DISAGREE || kind == FINDING_MISALIGNED || kind == FINDING_BARRIER_DIVERGED)
            return true;
    }
    return false;
}

static uint64_t wrong_cells(const struct audit_result *result)
{
    return result->cells.wrong + result->cells.disagreeing + result->cells.missing;
}

static void the_twins_are_clean_and_right(void **state)
{
    (void)state;
    char *csv = read_data("sanitizer.csv");
    for (size_t i = 1; i < zoo_count; i += 2)
        for (enum tool tool = RESULT; tool < TOOLS; tool++) {
            struct opinion opinion = opinion_of(csv, zoo[i].name, tool);
            assert_true(opinion.known);
            assert_int_equal(opinion.findings, 0);
        }
    free(csv);
}

static void wrong_cells_are_as_many_as_the_audit_counts(void **state)
{
    (void)state;
    char *csv = read_data("sanitizer.csv");
    unsigned compared = 0, nonzero = 0;
    for (size_t i = 0; i < zoo_count; i += 2) {
        struct audited a = audit_kernel(&zoo[i]);
        struct opinion opinion = opinion_of(csv, zoo[i].name, RESULT);
        if (!is_open(&a.result->findings)) {
            assert_true(opinion.known);
            if ((uint64_t)opinion.findings != wrong_cells(a.result))
                fail_msg("%s: %ld cells are wrong on the GPU", zoo[i].name, opinion.findings);
            nonzero += opinion.findings > 0;
            compared++;
        }
        release(&a);
    }
    assert_true(compared >= 18 && nonzero >= 12);
    free(csv);
}

/* Of lanes without __syncwarp() the audit names the reader's line alone. */
static bool is_other_side(const char *kernel, int line)
{
    return strcmp(kernel, "syncwarp-missing") == 0 && line == 14;
}

static void each_line_that_a_tool_names_is_one_of_the_audit_s(void **state)
{
    (void)state;
    char *csv = read_data("sanitizer.csv");
    unsigned lines = 0;
    for (size_t i = 0; i < zoo_count; i += 2) {
        struct audited a = audit_kernel(&zoo[i]);
        for (enum tool tool = MEMCHECK; tool < TOOLS; tool++) {
            struct opinion opinion = opinion_of(csv, zoo[i].name, tool);
            for (char *at = opinion.lines; *at; lines++) {
                int line = (int)strtol(at, &at, 10);
                if (!names_line(&a.result->findings, line) && !is_other_side(zoo[i].name, line))
                    fail_msg("%s: %s names %s", zoo[i].name, tools[tool], opinion.lines);
            }
        }
        release(&a);
    }
    assert_int_equal(lines, 16);
    free(csv);
}

static void say(const struct opinion *opinion, char out[60])
{
    if (!opinion->known)
        (void)snprintf(out, 60, "stops");
    else if (!opinion->findings)
        (void)snprintf(out, 60, "-");
    else if (opinion->lines[0])
        (void)snprintf(out, 60, "%ld at %s", opinion->findings, opinion->lines);
    else
        (void)snprintf(out, 60, "%ld", opinion->findings);
}

static void the_document_has_the_same_table(void **state)
{
    (void)state;
    char *csv = read_data("sanitizer.csv"), *document = read_file("docs/audit.md");
    for (size_t i = 0; i < zoo_count; i += 2) {
        struct audited a = audit_kernel(&zoo[i]);
        const struct finding *first = &a.result->findings.at[0];
        char row[500], said[TOOLS][60], wrong[24];
        for (enum tool tool = RESULT; tool < TOOLS; tool++) {
            struct opinion opinion = opinion_of(csv, zoo[i].name, tool);
            say(&opinion, said[tool]);
        }
        (void)snprintf(wrong, sizeof wrong, "%" PRIu64, wrong_cells(a.result));
        (void)snprintf(row, sizeof row, "| %s | %s at %d | %s | %s | %s | %s | %s |\n", zoo[i].name,
                       finding_word(first->kind), first->line, wrong_cells(a.result) ? wrong : "-",
                       said[RESULT], said[MEMCHECK], said[RACECHECK], said[INITCHECK]);
        if (!strstr(document, row))
            fail_msg("docs/audit.md has no row\n%s", row);
        assert_string_equal(said[SYNCCHECK], "-"); /* as the document says */
        release(&a);
    }
    free(document);
    free(csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_twins_are_clean_and_right),
        cmocka_unit_test(wrong_cells_are_as_many_as_the_audit_counts),
        cmocka_unit_test(each_line_that_a_tool_names_is_one_of_the_audit_s),
        cmocka_unit_test(the_document_has_the_same_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
