/* test_tui_canvas.c - cells, clipping, glyphs and their stand-ins, the palette, saving. */
#include "tui_support.h"

#include "../src/tui/pane.h"

#include <unistd.h>

#include "../src/tui/palette.h"

static char *text_of(const struct canvas *canvas)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    save_text(canvas, out);
    (void)fclose(out);
    return text;
}

static void assert_canvas(const struct canvas *canvas, const char *expected)
{
    char *text = text_of(canvas);
    assert_string_equal(text, expected);
    free(text);
}

static void text_is_cut_to_its_area(void **state)
{
    (void)state;
    struct canvas canvas;
    canvas_init(&canvas, 3, 8, false);
    struct rect area = {1, 2, 1, 4};
    assert_int_equal(canvas_text(&canvas, &area, 0, 1, STYLE_TEXT, "abcdefgh"), 8);
    canvas_text(&canvas, &area, 1, 0, STYLE_TEXT, "below");
    canvas_text(&canvas, &area, -1, 0, STYLE_TEXT, "above");
    canvas_text(&canvas, &area, 0, -3, STYLE_TEXT, "left");
    assert_canvas(&canvas, "\n  tabc\n\n");
    canvas_free(&canvas);
}

static void fill(struct canvas *canvas, const struct rect *area, uint32_t glyph)
{
    for (int row = 0; row < area->rows; row++)
        for (int col = 0; col < area->cols; col++)
            canvas_put(canvas, area, row, col, glyph, STYLE_TEXT);
}

static void an_area_outside_the_canvas_draws_nothing(void **state)
{
    (void)state;
    struct canvas canvas;
    canvas_init(&canvas, 2, 4, false);
    struct rect area = {-1, -1, 10, 10};
    fill(&canvas, &area, 'x');
    assert_canvas(&canvas, "xxxx\nxxxx\n");
    struct rect far = {50, 50, 10, 10};
    fill(&canvas, &far, 'y');
    assert_canvas(&canvas, "xxxx\nxxxx\n");
    canvas_free(&canvas);
}

static void a_box_has_a_title_and_returns_its_inside(void **state)
{
    (void)state;
    struct canvas canvas;
    canvas_init(&canvas, 3, 12, false);
    struct rect area = canvas_rect(&canvas);
    struct rect inside = canvas_box(&canvas, &area, STYLE_FRAME, "name");
    assert_canvas(&canvas, "╭─ name ───╮\n│          │\n╰──────────╯\n");
    assert_int_equal(inside.row, 1);
    assert_int_equal(inside.col, 1);
    assert_int_equal(inside.rows, 1);
    assert_int_equal(inside.cols, 10);
    assert_int_equal(canvas_at(&canvas, 0, 4)->style, STYLE_TITLE);
    assert_int_equal(canvas_at(&canvas, 0, 0)->style, STYLE_FRAME);
    canvas_free(&canvas);
}

static void a_box_without_room_is_empty(void **state)
{
    (void)state;
    struct canvas canvas;
    canvas_init(&canvas, 1, 1, false);
    struct rect area = canvas_rect(&canvas);
    struct rect inside = canvas_box(&canvas, &area, STYLE_FRAME, "name");
    assert_int_equal(inside.rows * inside.cols, 0);
    assert_canvas(&canvas, "\n");
    canvas_free(&canvas);
}

static void ascii_replaces_every_glyph(void **state)
{
    (void)state;
    struct canvas canvas;
    canvas_init(&canvas, 3, 12, true);
    struct rect area = canvas_rect(&canvas);
    canvas_box(&canvas, &area, STYLE_FRAME, "name");
    for (unsigned level = 0; level < STYLE_HEATS; level++)
        canvas_put(&canvas, &area, 1, 1 + (int)level, palette_heat_glyph(level), STYLE_HEAT + level);
    canvas_put(&canvas, &area, 1, 8, 0x4e2d, STYLE_TEXT);
    assert_canvas(&canvas, "+- name ---+\n|.:-+*# ?  |\n+----------+\n");
    canvas_free(&canvas);
}

static void bytes_that_are_no_utf8_show_as_question_marks(void **state)
{
    (void)state;
    struct canvas canvas;
    canvas_init(&canvas, 1, 12, false);
    struct rect area = canvas_rect(&canvas);
    canvas_text(&canvas, &area, 0, 0, STYLE_TEXT, "a\xff\xc3(\x1b\xe2\x82");
    assert_canvas(&canvas, "a\?\?( \?\?\n");
    canvas_free(&canvas);
}

static void glyphs_survive_encoding(void **state)
{
    (void)state;
    static const uint32_t glyphs[] = {'a', 0xb7, 0x25cf, 0x1f600};
    static const char *const texts[] = {"a", "\xc2\xb7", "\xe2\x97\x8f", "\xf0\x9f\x98\x80"};
    for (size_t i = 0; i < 4; i++) {
        char bytes[5] = {0};
        bytes[glyph_encode(glyphs[i], bytes)] = '\0';
        assert_string_equal(bytes, texts[i]);
    }
}

static void long_text_wraps_at_spaces(void **state)
{
    (void)state;
    struct canvas canvas;
    canvas_init(&canvas, 3, 10, false);
    struct rect area = canvas_rect(&canvas);
    assert_int_equal(canvas_wrap(&canvas, &area, 0, 3, STYLE_TEXT, "one two three four"), 2);
    assert_canvas(&canvas, "one two\nthree four\n\n");
    canvas_clear(&canvas);
    assert_int_equal(canvas_wrap(&canvas, &area, 0, 2, STYLE_TEXT, "abcdefghijklmnopqrstuvwxyz"), 2);
    assert_canvas(&canvas, "abcdefghij\nklmnopqrs\u2026\n\n");
    canvas_free(&canvas);
}

static void restyling_keeps_the_glyphs(void **state)
{
    (void)state;
    struct canvas canvas;
    canvas_init(&canvas, 1, 6, false);
    struct rect area = canvas_rect(&canvas);
    canvas_text(&canvas, &area, 0, 0, STYLE_TEXT, "abcdef");
    canvas_restyle(&canvas, &area, 0, 4, 9, STYLE_MARK);
    assert_canvas(&canvas, "abcdef\n");
    assert_int_equal(canvas_at(&canvas, 0, 3)->style, STYLE_TEXT);
    assert_int_equal(canvas_at(&canvas, 0, 5)->style, STYLE_MARK);
    canvas_free(&canvas);
}

static void looks_fit_the_terminal(void **state)
{
    (void)state;
    static const int most[] = {0, 8, 16, 256};
    for (size_t i = 0; i < 4; i++)
        for (int style = 0; style < STYLE_COUNT; style++) {
            struct look look = palette_look((enum style)style, most[i], false);
            assert_true(look.ink >= -1 && look.ink < most[i] + (most[i] == 0));
            assert_true(look.paper >= -1 && look.paper < most[i] + (most[i] == 0));
        }
}

/* What marks the access must be told from plain cells on every terminal. */
static void marks_stand_out_without_colour(void **state)
{
    (void)state;
    unsigned plain = palette_look(STYLE_TEXT, 0, false).attributes,
             mark = palette_look(STYLE_MARK, 0, false).attributes;
    unsigned part = palette_look(STYLE_PART, 0, false).attributes;
    assert_int_not_equal(mark, plain);
    assert_int_not_equal(part, plain);
    assert_int_not_equal(part, mark);
    for (unsigned a = 0; a < STYLE_HEATS; a++) /* in ASCII: ascii_replaces_every_glyph */
        for (unsigned b = 0; b < a; b++)
            assert_int_not_equal(palette_heat_glyph(a), palette_heat_glyph(b));
}

static void a_picture_escapes_and_paints(void **state)
{
    (void)state;
    struct canvas canvas;
    char *text = NULL;
    size_t size = 0;
    canvas_init(&canvas, 1, 8, false);
    struct rect area = canvas_rect(&canvas);
    canvas_text(&canvas, &area, 0, 1, STYLE_MARK, "a<b&c");
    FILE *out = open_memstream(&text, &size);
    save_svg(&canvas, out);
    (void)fclose(out);
    assert_non_null(strstr(text, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"64\" height=\"17\" "
                                 "viewBox=\"0 0 64 17\" xml:space=\"preserve\">"));
    assert_non_null(strstr(text, "<rect x=\"8\" y=\"0\" width=\"40\" height=\"17\" fill=\"#ffd787\"/>"));
    assert_non_null(strstr(text, ">a&lt;b&amp;c</text>"));
    assert_string_equal(text + size - 7, "</svg>\n");
    free(text);
    canvas_free(&canvas);
}

static void expect_row(const struct canvas *canvas, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    save_text(canvas, out);
    (void)fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

/* Chinese characters take two columns; no half of one is left, whatever is drawn beside or over it. */
static void wide_glyphs_take_two_columns(void **state)
{
    (void)state;
    struct canvas canvas;
    canvas_init(&canvas, 1, 8, false);
    struct rect area = canvas_rect(&canvas);
    assert_int_equal(canvas_text(&canvas, &area, 0, 0, STYLE_TEXT, "a边界b"), 6);
    expect_row(&canvas, "a边界b\n");
    canvas_put(&canvas, &area, 0, 2, '!', STYLE_TEXT); /* over the right half */
    expect_row(&canvas, "a !界b\n");
    canvas_put(&canvas, &area, 0, 3, '?', STYLE_TEXT); /* over the left half */
    expect_row(&canvas, "a !? b\n");
    canvas_clear(&canvas);
    (void)canvas_text(&canvas, &area, 0, 7, STYLE_TEXT, "边"); /* cut off on the right, then on the left */
    (void)canvas_text(&canvas, &area, 0, -1, STYLE_TEXT, "界x");
    expect_row(&canvas, " x\n");
    canvas_clear(&canvas);
    assert_int_equal(canvas_text(&canvas, &area, 0, 0, STYLE_TEXT, "e\u0301x"), 2); /* a mark on the e */
    canvas_clear(&canvas);
    struct rect narrow = {0, 0, 1, 5};
    assert_int_equal(canvas_wrap(&canvas, &narrow, 0, 1, STYLE_TEXT, "边界 检查"), 1);
    expect_row(&canvas, "边界…\n");
    canvas.ascii = true;
    canvas_clear(&canvas);
    (void)canvas_text(&canvas, &area, 0, 0, STYLE_TEXT, "a边b");
    expect_row(&canvas, "a? b\n");
    canvas_free(&canvas);
}

/* Viewers join blanks that follow each other, and then stretch the rest. */
static void columns_of_a_picture_stay_where_they_are(void **state)
{
    (void)state;
    struct canvas canvas;
    char *text = NULL;
    size_t size = 0;
    canvas_init(&canvas, 1, 20, false);
    struct rect area = canvas_rect(&canvas);
    canvas_text(&canvas, &area, 0, 1, STYLE_TEXT, "ln   byte of it");
    FILE *out = open_memstream(&text, &size);
    save_svg(&canvas, out);
    (void)fclose(out);
    assert_non_null(strstr(text, "textLength=\"120\""));
    assert_non_null(strstr(text, ">ln &#160;&#160;byte of it</text>"));
    free(text);
    canvas_free(&canvas);
}

static void a_file_that_cannot_be_written_is_a_problem(void **state)
{
    (void)state;
    struct canvas canvas;
    struct problem missing = {0}, full = {0};
    canvas_init(&canvas, 1, 8, false);
    assert_false(save_file(&canvas, "/nonexistent/folder/x.svg", &missing));
    assert_non_null(strstr(missing.message, "cannot be written"));
    assert_false(save_file(&canvas, "/dev/full", &full));
    assert_non_null(strstr(full.message, "failed"));
    canvas_free(&canvas);
}

static void a_file_that_exists_is_left_alone(void **state)
{
    (void)state;
    char path[] = "/tmp/lanescope-kept-XXXXXX", kept[16] = "";
    struct canvas canvas;
    struct problem problem = {0};
    int handle = mkstemp(path);
    assert_int_equal(write(handle, "mine", 4), 4);
    assert_int_equal(close(handle), 0);
    canvas_init(&canvas, 1, 8, false);
    assert_false(save_file(&canvas, path, &problem));
    assert_non_null(strstr(problem.message, "exists already"));
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    assert_int_equal(fread(kept, 1, sizeof kept, in), 4);
    assert_int_equal(fclose(in), 0);
    assert_string_equal(kept, "mine");
    assert_int_equal(unlink(path), 0);
    canvas_free(&canvas);
}

static void counts_are_as_exact_as_they_fit(void **state)
{
    (void)state;
    char text[32];
    pane_count(text, sizeof text, 6720, 8);
    assert_string_equal(text, "6,720");
    pane_count(text, sizeof text, 6720, 4);
    assert_string_equal(text, "6720");
    pane_count(text, sizeof text, 4194304, 6);
    assert_string_equal(text, "~4.2M");
    pane_count(text, sizeof text, 999999999, 6);
    assert_string_equal(text, "~1.0G");
    pane_count(text, sizeof text, UINT64_MAX, 30);
    assert_string_equal(text, "18,446,744,073,709,551,615");
    pane_count(text, sizeof text, 0, 1);
    assert_string_equal(text, "0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_cut_to_its_area),
        cmocka_unit_test(an_area_outside_the_canvas_draws_nothing),
        cmocka_unit_test(a_box_has_a_title_and_returns_its_inside),
        cmocka_unit_test(a_box_without_room_is_empty),
        cmocka_unit_test(ascii_replaces_every_glyph),
        cmocka_unit_test(bytes_that_are_no_utf8_show_as_question_marks),
        cmocka_unit_test(glyphs_survive_encoding),
        cmocka_unit_test(long_text_wraps_at_spaces),
        cmocka_unit_test(restyling_keeps_the_glyphs),
        cmocka_unit_test(looks_fit_the_terminal),
        cmocka_unit_test(marks_stand_out_without_colour),
        cmocka_unit_test(a_picture_escapes_and_paints),
        cmocka_unit_test(columns_of_a_picture_stay_where_they_are),
        cmocka_unit_test(wide_glyphs_take_two_columns),
        cmocka_unit_test(a_file_that_cannot_be_written_is_a_problem),
        cmocka_unit_test(a_file_that_exists_is_left_alone),
        cmocka_unit_test(counts_are_as_exact_as_they_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
