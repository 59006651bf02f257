/* test_headnote.c - the comment lines at a text's top, however their lines end. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "../sim/report/headnote.h"

static void expect_span(const struct source *span, const char *text)
{
    if (span->size != strlen(text) || memcmp(span->bytes, text, span->size) != 0)
        fail_msg("expected '%s', got '%.*s'", text, (int)span->size, span->bytes);
}

/* The same text with each "\n" as `end`. */
static struct source with_ends(const char *text, const char *end, char *out, size_t size)
{
    size_t at = 0;
    for (; *text; text++) {
        assert_true(at + strlen(end) + 1 < size);
        if (*text != '\n')
            out[at++] = *text;
        else
            at += (size_t)snprintf(out + at, size - at, "%s", end);
    }
    out[at] = '\0';
    return text_source(out);
}

static const char text[] =
    "/* a licence,\n   of two lines */\n\n// title: mine\n//purpose:   two words\n"
    "// block: TILE, BLOCK_ROWS\n//\tgrid:\t(cols + 31) / 32, 2\n// nothing of ours\n//\n"
    "// shared: TILE * 4\n// arg: width = cols\n// arg: height = rows\n// task: copy\n// pitch: any\n"
    "#define TILE 32\n#define BLOCK_ROWS 8\n"
    "__global__ void k(const float *in, float *out, int width, int height) {\n"
    "    extern __shared__ float s[];\n"
    "    int i = threadIdx.y * TILE + threadIdx.x;\n"
    "    if (i < width * height) out[i] = in[i];\n}\n"
    "// block: 1\n";

static void values_end_before_the_line_does(void **state)
{
    (void)state;
    static const char *const ends[] = {"\n", "\r\n", " \r\n", "  \n"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char bytes[2000];
        struct headnote note;
        struct source source = with_ends(text, ends[i], bytes, sizeof bytes);
        headnote_read(&source, &note);
        expect_span(&note.title, "mine");
        expect_span(&note.purpose, "two words");
        expect_span(&note.block, "TILE, BLOCK_ROWS");
        expect_span(&note.grid, "(cols + 31) / 32, 2");
        expect_span(&note.shared, "TILE * 4");
        expect_span(&note.task, "copy");
        assert_true(headnote_says(&note.pitch, "any"));
        assert_false(headnote_says(&note.pitch, "an") || headnote_says(&note.pitch, "anyone"));
        assert_int_equal(note.argument_count, 2);
        expect_span(&note.arguments[0], "width = cols");
        expect_span(&note.arguments[1], "height = rows");
    }
}

static void a_text_from_windows_is_launched_as_it_says(void **state)
{
    (void)state;
    char bytes[2000];
    struct scenario s;
    struct source source = with_ends(text, "\r\n", bytes, sizeof bytes);
    struct scenario_options options = {.rows = 4, .cols = 70};
    open_scenario(&s, &source, &options);
    assert_int_equal(s.launch.block[0], 32);
    assert_int_equal(s.launch.block[1], 8);
    assert_int_equal(s.launch.grid[0], 3);
    assert_int_equal(s.launch.grid[1], 2);
    assert_int_equal(s.launch.dynamic_shared_bytes, 128);
    assert_int_equal(s.launch.arguments[2].value, 70);
    assert_int_equal(s.launch.arguments[3].value, 4);
    assert_true(s.is_copy);
    scenario_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_end_before_the_line_does),
        cmocka_unit_test(a_text_from_windows_is_launched_as_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
