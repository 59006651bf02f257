/* What `lanescope confirm` prints of its verdicts, from verdicts made up: no GPU is needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../src/confirm_run.h"

static struct group groups[] = {{.name = "tiled", .rows = 96, .cols = 96, .cells = 9216, .blocks = 9},
                                {.name = "copy", .rows = 1, .cols = 7, .cells = 7, .blocks = 1}};

/* Prints both tables; free() what comes back. */
static char *printed(enum format format, const struct measurement *m)
{
    struct options options = {.format = format};
    struct confirm_run run = {
        .options = &options, .named = {.name = "sm_90"}, .groups = groups, .group_count = 2};
    char *text = NULL;
    size_t size;
    run.out = open_memstream(&text, &size);
    assert_non_null(run.out);
    confirm_print_both(&run, m);
    (void)fclose(run.out);
    return text;
}

static unsigned count_of(const char *text, const char *what)
{
    unsigned count = 0;
    for (; (text = strstr(text, what)) != NULL; text++)
        count++;
    return count;
}

static void values_and_counters_are_one_json_document(void **state)
{
    (void)state;
    struct measurement m = {.accounts[0] = {.launches = 2, .verdicts = {2}, .predicted = 5, .measured = 5}};
    char *text = printed(FORMAT_JSON, &m);
    assert_int_equal(text[0], '[');
    assert_string_equal(text + strlen(text) - 2, "]\n");
    assert_int_equal(count_of(text, "["), 1);
    assert_int_equal(count_of(text, "]"), 1);
    assert_int_equal(count_of(text, "{\"table\": \"values\", \"kernel\": \""), 2);
    assert_int_equal(count_of(text, "{\"table\": \"counters\", \"kernel\": null, "), (unsigned)metric_count);
    assert_non_null(strstr(text, "\"blocks\": 9, \"metric\": null"));
    assert_non_null(strstr(text, "\"predicted\": 5, \"measured\": 5, \"device\": \"sm_90\""));
    free(text);
}

static void values_and_counters_are_one_csv_table(void **state)
{
    (void)state;
    struct measurement m = {0};
    char *text = printed(FORMAT_CSV, &m);
    unsigned lines = 0, fields = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++) {
        if (!lines)
            fields = count_of(line, ",");
        assert_int_equal(count_of(line, ","), fields);
    }
    assert_int_equal(lines, 1 + 2 + metric_count);
    free(text);
}

static void values_are_printed_where_counters_cannot_be_read(void **state)
{
    (void)state;
    char *text = printed(FORMAT_CSV, NULL);
    assert_int_equal(count_of(text, "\nvalues,"), 2);
    assert_int_equal(count_of(text, "\ncounters,"), 0);
    free(text);
}

static void accesses_are_a_sentence_or_a_document(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        [FORMAT_TEXT] = "240 accesses measured, 3 differ\n",
        [FORMAT_CSV] = "accesses,differ,device,rules\n240,3,sm_90,assumed\n",
        [FORMAT_JSON] =
            "[\n  {\"accesses\": 240, \"differ\": 3, \"device\": \"sm_90\", \"rules\": \"assumed\"}\n]\n"};
    for (unsigned format = FORMAT_TEXT; format <= FORMAT_JSON; format++) {
        struct options options = {.format = (enum format)format};
        struct confirm_run run = {.options = &options, .named = {.name = "sm_90"}};
        char *text = NULL;
        size_t size;
        run.out = open_memstream(&text, &size);
        assert_non_null(run.out);
        confirm_print_accesses(&run, 240, 3);
        (void)fclose(run.out);
        assert_string_equal(text, wanted[format]);
        free(text);
    }
}

static void a_configuration_is_printed_as_its_columns(void **state)
{
    (void)state;
    struct configuration c = {
        .name = "tiled", .options = {.rows = 96, .cols = 70, .tile = 32, .elem_bytes = 4, .out_offset = 5}};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    confirm_print_columns(out);
    (void)fputc('\n', out);
    confirm_print_configuration(&c, out);
    (void)fclose(out);
    assert_string_equal(text, "kernel,rows,cols,tile,block_rows,pitch,elem_bytes,in_offset,out_offset\n"
                              "tiled,96,70,32,0,0,4,0,5");
    free(text);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_counters_are_one_json_document),
        cmocka_unit_test(values_and_counters_are_one_csv_table),
        cmocka_unit_test(values_are_printed_where_counters_cannot_be_read),
        cmocka_unit_test(accesses_are_a_sentence_or_a_document),
        cmocka_unit_test(a_configuration_is_printed_as_its_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
