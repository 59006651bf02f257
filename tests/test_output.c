/* test_output.c - tables in three formats, and csv read back. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "../base/csv.h"
#include "../base/table.h"

static const struct column columns[] = {
    {"name", "who"}, {"count", "how many"}, {"share", NULL}, {"none", "none"}};

static char *written(enum format format)
{
    struct table *table = table_new(columns, 4);
    char *bytes = NULL;
    size_t size;
    FILE *out = open_memstream(&bytes, &size);
    table_text(table, "a, \"b\"");
    table_count(table, 1234567);
    table_real(table, 2.5, 1);
    table_absent(table);
    table_text(table, "c\n");
    table_integer(table, -1000);
    table_real(table, 0.125, 3);
    table_absent(table);
    table_write(table, format, false, out);
    table_free(table);
    assert_int_equal(fclose(out), 0);
    return bytes;
}

static void text_is_aligned_and_grouped(void **state)
{
    (void)state;
    char *bytes = written(FORMAT_TEXT);
    assert_string_equal(bytes,
                        "who      how many  none\na, \"b\"  1,234,567     -\nc\n         -1,000     -\n");
    free(bytes);
}

static void colour_marks_titles_and_judged_cells_only(void **state)
{
    (void)state;
    struct table *table = table_new(columns, 2);
    char *bytes = NULL;
    size_t size;
    FILE *out = open_memstream(&bytes, &size);
    table_text(table, "a");
    table_count(table, 1);
    table_judge(table, false);
    table_write(table, FORMAT_TEXT, true, out);
    table_write(table, FORMAT_CSV, true, out);
    table_free(table);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(
        bytes, "\033[1mwho\033[0m  \033[1mhow many\033[0m\na    \033[31m       1\033[0m\nname,count\na,1\n");
    free(bytes);
}

static void csv_quotes_what_must_be_quoted(void **state)
{
    (void)state;
    char *bytes = written(FORMAT_CSV);
    assert_string_equal(bytes,
                        "name,count,share,none\n\"a, \"\"b\"\"\",1234567,2.5,\n\"c\n\",-1000,0.125,\n");
    free(bytes);
}

static void json_is_json(void **state)
{
    (void)state;
    char *bytes = written(FORMAT_JSON);
    assert_string_equal(
        bytes, "[\n  {\"name\": \"a, \\\"b\\\"\", \"count\": 1234567, \"share\": 2.5, \"none\": null},\n"
               "  {\"name\": \"c\\u000a\", \"count\": -1000, \"share\": 0.125, \"none\": null}\n]\n");
    free(bytes);
}

static void json_is_utf_8_whatever_the_name(void **state)
{
    (void)state;
    static const struct {
        const char *name, *json;
    } names[] = {
        {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82", "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82\""},
        {"k\xe9rnel.cu", "\"k\\ufffdrnel.cu\""},                  /* Latin-1 */
        {"\xc3", "\"\\ufffd\""},                                  /* cut off */
        {"\xe2\x82", "\"\\ufffd\\ufffd\""},                       /* cut off */
        {"\xc0\xaf", "\"\\ufffd\\ufffd\""},                       /* longer than need be */
        {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""},            /* half a pair */
        {"\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""}, /* past U+10FFFF */
        {"\xff\"\\\n", "\"\\ufffd\\\"\\\\\\u000a\""},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        static const struct column one[] = {{"name", NULL}};
        char *bytes = NULL, expected[200];
        size_t size;
        FILE *out = open_memstream(&bytes, &size);
        struct stream stream;
        stream_begin(&stream, FORMAT_JSON, one, 1, out);
        stream_text(&stream, names[i].name);
        stream_finish(&stream);
        assert_int_equal(fclose(out), 0);
        (void)snprintf(expected, sizeof expected, "[\n  {\"name\": %s}\n]\n", names[i].json);
        assert_string_equal(bytes, expected);
        free(bytes);
    }
}

static void csv_fields_are_split_and_unquoted(void **state)
{
    (void)state;
    struct problem problem = {0};
    struct csv csv;
    struct source source = text_source("# note\n\na,\"b,\"\"c\"\"\",,d\r\nlast");
    csv_open(&csv, &source);
    assert_true(csv_next(&csv, &problem));
    assert_int_equal(csv.count, 4);
    assert_int_equal(csv.line, 3);
    assert_string_equal(csv.fields[0], "a");
    assert_string_equal(csv.fields[1], "b,\"c\"");
    assert_string_equal(csv.fields[2], "");
    assert_string_equal(csv.fields[3], "d");
    assert_true(csv_next(&csv, &problem));
    assert_string_equal(csv.fields[0], "last");
    assert_false(csv_next(&csv, &problem));
    assert_false(problem.set);
    csv_close(&csv);
}

static void bad_csv_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"\"open", "\"a\"b,c"};
    for (size_t i = 0; i < 2; i++) {
        struct problem problem = {0};
        struct csv csv;
        struct source source = text_source(texts[i]);
        csv_open(&csv, &source);
        assert_false(csv_next(&csv, &problem));
        assert_true(problem.set);
        csv_close(&csv);
    }
    char *wide = malloc(70000);
    memset(wide, ',', 70000);
    for (size_t size = 2000; size <= 70000; size += 68000) { /* too many fields; too long a line */
        struct problem problem = {0};
        struct csv csv;
        struct source source = {"wide", wide, size};
        csv_open(&csv, &source);
        assert_false(csv_next(&csv, &problem));
        assert_true(problem.set);
        csv_close(&csv);
    }
    free(wide);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_aligned_and_grouped),
        cmocka_unit_test(colour_marks_titles_and_judged_cells_only),
        cmocka_unit_test(csv_quotes_what_must_be_quoted),
        cmocka_unit_test(json_is_json),
        cmocka_unit_test(json_is_utf_8_whatever_the_name),
        cmocka_unit_test(csv_fields_are_split_and_unquoted),
        cmocka_unit_test(bad_csv_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
