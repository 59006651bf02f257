/* test_notebook.c - docs/notebook.ipynb without a Jupyter: it is valid json of the notebook's form, its
 * commands run and have the columns that its cells read, and its first cell is the one that docs/notebook.md
 * shows. tests/notebook.sh runs it in a real one.
 */
#include "support.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/arena.h"

/* ------------------------------------------------------------------------------------ json, by recursive
 * descent */

static const char *json_begin; /* of the text that is read, for the place of an error */

static void json_fail(const char *at, const char *wanted)
{
    fail_msg("docs/notebook.ipynb is no json: %s is missing at byte %u: %.30s", wanted,
             (unsigned)(at - json_begin), at);
}

static const char *json_blank(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *json_string(const char *at)
{
    if (*at != '"')
        json_fail(at, "a string");
    for (at++; *at != '"'; at++) {
        if ((unsigned char)*at < ' ')
            json_fail(at, "the string's end");
        if (*at == '\\' && !strchr("\"\\/bfnrtu", *++at))
            json_fail(at, "an escape");
    }
    return at + 1;
}

static const char *json_value(const char *at, unsigned depth);

static const char *json_list(const char *at, char close, unsigned depth)
{
    at = json_blank(at + 1);
    while (*at != close) {
        if (close == '}') {
            at = json_blank(json_string(at));
            if (*at++ != ':')
                json_fail(at - 1, "a colon");
        }
        at = json_blank(json_value(json_blank(at), depth + 1));
        if (*at == ',') {
            at = json_blank(at + 1);
            if (*at == close)
                json_fail(at, "a value behind the comma");
        } else if (*at != close) {
            json_fail(at, "a comma");
        }
    }
    return at + 1;
}

static const char *json_value(const char *at, unsigned depth)
{
    static const char *const words[] = {"null", "true", "false"};
    assert_true(depth < 20);
    if (*at == '{' || *at == '[')
        return json_list(at, *at == '{' ? '}' : ']', depth);
    for (unsigned i = 0; i < 3; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            return at + strlen(words[i]);
    if (isdigit((unsigned char)*at))
        return at + strspn(at, "0123456789");
    return json_string(at);
}

/* The value of a key of the object that begins at `object`; NULL: it has none. */
static const char *json_member(const char *object, const char *key)
{
    const char *at = json_blank(object + 1);
    while (*at == '"') {
        bool found = strncmp(at + 1, key, strlen(key)) == 0 && at[1 + strlen(key)] == '"';
        at = json_blank(json_blank(json_string(at)) + 1);
        if (found)
            return at;
        at = json_blank(json_value(at, 0));
        at = json_blank(at + (*at == ','));
    }
    return NULL;
}

/* The strings of a list, one behind the other, without their escapes; free it. */
static char *json_joined(const char *list)
{
    const char *end = json_value(list, 0);
    char *out = memory_take((size_t)(end - list) + 1, 1);
    size_t used = 0;
    for (const char *at = json_blank(list + 1); *at == '"'; at = json_blank(at + (*at == ','))) {
        const char *close = json_string(at);
        for (at++; at < close - 1; at++) {
            bool escaped = *at == '\\';
            at += escaped;
            out[used++] = escaped && *at == 'n' ? '\n' : *at;
        }
        at = json_blank(close);
    }
    return out;
}

/* ----------------------------------------------------------------------------------------------- the
 * notebook */

enum { CELLS = 40 };

struct notebook {
    char *text;
    const char *cells[CELLS];
    unsigned count;
};

static void open_notebook(struct notebook *notebook)
{
    *notebook = (struct notebook){.text = read_file("docs/notebook.ipynb")};
    json_begin = notebook->text;
    if (*json_blank(json_value(notebook->text, 0)))
        json_fail(json_blank(json_value(notebook->text, 0)), "the end");
    const char *cells = json_member(notebook->text, "cells");
    assert_true(cells && *cells == '[');
    for (const char *at = json_blank(cells + 1); *at == '{'; at = json_blank(at + (*at == ','))) {
        assert_true(notebook->count < CELLS);
        notebook->cells[notebook->count++] = at;
        at = json_blank(json_value(at, 0));
    }
}

static bool is_code(const char *cell)
{
    const char *type = json_member(cell, "cell_type");
    assert_non_null(type);
    return strncmp(type, "\"code\"", 6) == 0;
}

static void it_has_the_form_of_a_notebook(void **state)
{
    (void)state;
    struct notebook n;
    open_notebook(&n);
    assert_memory_equal(json_member(n.text, "nbformat"), "4", 1);
    assert_non_null(json_member(n.text, "nbformat_minor"));
    assert_non_null(json_member(json_member(n.text, "metadata"), "kernelspec"));
    assert_true(n.count >= 8);
    for (unsigned i = 0; i < n.count; i++) {
        assert_non_null(json_member(n.cells[i], "id"));
        assert_memory_equal(json_member(n.cells[i], "metadata"), "{}", 2);
        assert_int_equal(*json_member(n.cells[i], "source"), '[');
        if (!is_code(n.cells[i]))
            continue;
        /* kept without outputs: they would grow old */
        assert_memory_equal(json_member(n.cells[i], "outputs"), "[]", 2);
        assert_memory_equal(json_member(n.cells[i], "execution_count"), "null", 4);
    }
    free(n.text);
}

static void the_document_shows_the_same_cell(void **state)
{
    (void)state;
    struct notebook n;
    char *document = read_file("docs/notebook.md");
    open_notebook(&n);
    assert_true(is_code(n.cells[1]));
    char *source = json_joined(json_member(n.cells[1], "source"));
    char *fenced = memory_take(strlen(source) + 40, 1);
    (void)sprintf(fenced, "\n```python\n%s\n```\n", source);
    if (!strstr(document, fenced))
        fail_msg("docs/notebook.md does not show the notebook's first cell:\n%s", source);
    free(fenced);
    free(source);
    free(document);
    free(n.text);
}

/* The arguments of a call such as lanescope("lines", "tiled"), for a shell; false: it is a definition. */
static bool arguments_of(const char *call, char out[400])
{
    size_t used = 0;
    const char *at = strchr(call, '(') + 1;
    if (*at != '"')
        return false;
    while (*at == '"') {
        size_t length = strcspn(at + 1, "\"\n");
        assert_int_equal(at[1 + length], '"');
        used += (size_t)snprintf(out + used, 400 - used, " '%.*s'", (int)length, at + 1);
        assert_true(used < 400);
        at += length + 2;
        at += strspn(at, ", ");
    }
    assert_int_equal(*at, ')');
    return true;
}

/* Each row['name'] of the cell is a column of the command's. */
static void expect_columns(const char *source, const char *json)
{
    for (const char *at = source; (at = strstr(at, "row['")) != NULL; at++) {
        char key[60];
        (void)snprintf(key, sizeof key, "\"%.*s\": ", (int)strcspn(at + 5, "'"), at + 5);
        if (!strstr(json, key))
            fail_msg("a cell of docs/notebook.ipynb reads %s, which its command does not print", key);
    }
}

static unsigned run_calls(const char *source, const char *name)
{
    unsigned count = 0;
    char arguments[400], line[600];
    bool picture = strcmp(name, "picture(") == 0;
    for (const char *at = source; (at = strstr(at, name)) != NULL; at++) {
        if (!arguments_of(at, arguments))
            continue;
        (void)snprintf(
            line, sizeof line,
            picture ? "f=$(mktemp -d) && \"$LANESCOPE\" heatmap %s -o $f/p.svg && cat $f/p.svg && rm -r $f"
                    : "\"$LANESCOPE\" %s -f json",
            arguments);
        struct run run = run_shell(line);
        if (run.code != 0)
            fail_msg("docs/notebook.ipynb: %s\n%s", line, run.err);
        assert_memory_equal(run.out, picture ? "<svg" : "[\n  {", 4);
        if (!picture)
            expect_columns(source, run.out);
        run_free(&run);
        count++;
    }
    return count;
}

static void its_commands_run(void **state)
{
    (void)state;
    struct notebook n;
    unsigned tables = 0, pictures = 0;
    open_notebook(&n);
    for (unsigned i = 0; i < n.count; i++) {
        if (!is_code(n.cells[i]))
            continue;
        char *source = json_joined(json_member(n.cells[i], "source"));
        tables += run_calls(source, "lanescope(");
        pictures += run_calls(source, "picture(");
        free(source);
    }
    assert_true(tables >= 3);
    assert_true(pictures >= 2);
    free(n.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_has_the_form_of_a_notebook),
        cmocka_unit_test(the_document_shows_the_same_cell),
        cmocka_unit_test(its_commands_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
