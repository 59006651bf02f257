/* test_tui_live.c - a kernel's file that changes under the UI, an editor, and blocks that take long: in a
 * real terminal, and what the state makes of it. */
#include "terminal_support.h"

#include <sys/stat.h>

#include "../src/tui/reload.h"

static const char transpose[] = "// block: 32, 8\n"
                                "// grid: (cols + 31) / 32, (rows + 31) / 32\n"
                                "__global__ void mine(const float *in, float *out, int rows, int cols)\n"
                                "{\n"
                                "    __shared__ float tile[32][32];\n"
                                "    int x = blockIdx.x * 32 + threadIdx.x;\n"
                                "    for (int j = threadIdx.y; j < 32; j += 8) {\n"
                                "        int y = blockIdx.y * 32 + j;\n"
                                "        if (x < cols && y < rows)\n"
                                "            tile[j][threadIdx.x] = in[y * cols + x];\n"
                                "    }\n"
                                "%s\n"
                                "    int ox = blockIdx.y * 32 + threadIdx.x;\n"
                                "    for (int j = threadIdx.y; j < 32; j += 8) {\n"
                                "        int oy = blockIdx.x * 32 + j;\n"
                                "        if (ox < rows && oy < cols)\n"
                                "            out[oy * rows + ox] = tile[threadIdx.x][%s];\n"
                                "    }\n"
                                "}\n";

static struct source text_with(const char *barrier, const char *index, char *bytes, size_t size)
{
    int length = snprintf(bytes, size, transpose, barrier, index);
    assert_true(length > 0 && (size_t)length < size);
    return (struct source){"mine.cu", bytes, (size_t)length};
}

static void what_changed_is_said(void **state)
{
    (void)state;
    static char racy[2000], right[2000], broken[2000];
    struct state s;
    (void)text_with("", "j", racy, sizeof racy);
    open_file(&s, racy, (struct scenario_options){.rows = 100, .cols = 70}, 40, 120);
    finish_work(&s);
    assert_shows(&s, "NOT CORRECT");
    press(&s, "bb");
    uint32_t block = s.side[0].session->trace.block[0];
    struct source text = text_with("    __syncthreads();", "j", right, sizeof right);
    assert_true(reload_text(&s, &text));
    finish_work(&s);
    assert_shows(&s, "read again. line 17: 6,124 in a race -> 0");
    assert_shows(&s, "correct (all blocks)");
    assert_int_equal(s.side[0].session->trace.block[0], block); /* the place is kept */
    text = text_with("", "jj", broken, sizeof broken);
    assert_false(reload_text(&s, &text));
    press(&s, "t"); /* it stays until the text is better, and everything works on */
    assert_shows(&s, "mine.cu:17:53: jj is not declared");
    assert_shows(&s, "            out[oy * rows + ox] = tile[threadIdx.x][jj];");
    assert_shows(&s, "correct (all blocks)");
    static char narrow[2000];
    text = text_with("    __syncthreads();", "0", narrow, sizeof narrow);
    assert_true(reload_text(&s, &text));
    finish_work(&s);
    assert_shows(&s, "0 wrong -> 6,700");
    state_free(&s);
}

static void start_with(struct state *state, const struct source *text, int rows, int cols)
{
    static const struct scenario_options options = {.rows = 100, .cols = 70};
    struct problem problem = {0};
    const struct state_start start = {"mine.cu", text, true, &options, rows, cols, false};
    assert_false(state_init(state, &start, &problem));
    state_init_broken(state, &start, &problem);
    assert_true(state_is_sound(state));
}

/* A file with a typo: its text, the place, the sentence; the next text runs, or is shown in its turn. */
static void a_text_that_never_ran_is_shown_until_it_does(void **state)
{
    (void)state;
    static char broken[2000], worse[2000], right[2000], racy[2000];
    struct state s;
    struct source text = text_with("", "jj", broken, sizeof broken);
    start_with(&s, &text, 24, 80);
    assert_shows(&s, "mine.cu                                            cannot be run yet");
    assert_shows(&s, "line 17, column 53");
    assert_shows(&s, " 17▶             out[oy * rows + ox] = tile[threadIdx.x][jj];");
    assert_shows(&s, "│                                                         ^");
    assert_shows(&s, "line 17: jj is not declared");
    press(&s, "<Down><Up>uudd?gG?aaLj+-]cobtN!HP0$<Enter><Back>?<Esc>/x<Enter>fF((()))");
    assert_shows(&s, "line 17: jj is not declared");
    (void)finish_work(&s);
    for (int cols = 1; cols < 200; cols += 7) { /* any size */
        state_resize(&s, 1 + cols / 3, cols);
        free(frame_of(&s, false));
    }
    state_resize(&s, 24, 80);
    text = text_with("    __syncthreads(;", "j", worse, sizeof worse);
    assert_true(reload_text(&s, &text));
    assert_shows(&s, " 12▶     __syncthreads(;");
    assert_shows(&s, "line 12: ");
    assert_hides(&s, "jj");
    text = text_with("    __syncthreads();", "j", right, sizeof right);
    assert_true(reload_text(&s, &text));
    assert_true(state_is_sound(&s));
    assert_shows(&s, "read again: now it runs");
    finish_work(&s);
    assert_shows(&s, "correct (all blocks)");
    text = text_with("", "j", racy, sizeof racy); /* from here on it is as it always is */
    assert_true(reload_text(&s, &text));
    finish_work(&s);
    assert_shows(&s, "line 17: 0 in a race -> 6,124");
    text = text_with("", "jj", broken, sizeof broken);
    assert_false(reload_text(&s, &text));
    assert_shows(&s, "NOT CORRECT");
    state_free(&s);
    text = (struct source){"mine.cu", "", 0};
    start_with(&s, &text, 24, 80);
    assert_shows(&s, "mine.cu has no __global__ function");
    press(&s, "ddddq");
    assert_true(s.quit);
    state_free(&s);
}

/* Tabs take columns, and characters of several bytes one. */
static void places_in_a_line_with_tabs_are_where_they_are_shown(void **state)
{
    (void)state;
    static const char text[] = "// block: 32\n// grid: 1\n__global__ void k(const float *in, float *out)\n{\n"
                               "\t/* é */ out[threadIdx.x] = in[%s];\n}\n";
    static char broken[300], right[300];
    struct state s;
    (void)snprintf(broken, sizeof broken, text, "i");
    (void)snprintf(right, sizeof right, text, "threadIdx.x");
    struct source source = text_source(broken);
    source.name = "mine.cu";
    start_with(&s, &source, 24, 80);
    assert_shows(&s, "│  5▶     /* é */ out[threadIdx.x] = in[i];");
    assert_shows(&s, "│                                       ^");
    state_free(&s);
    open_file(&s, right, (struct scenario_options){.rows = 1, .cols = 32}, 24, 100);
    press(&s, "1z0");
    char *frame = frame_of(&s, true);
    const char *marks = frame; /* of the row, a screen below the text */
    int row = 0;
    for (const char *at = frame; strncmp(at, "│  5▶", strlen("│  5▶")) != 0; row++) {
        at = strchr(at, '\n') + 1;
        assert_int_not_equal(*at, '\0');
    }
    for (int i = 0; i < 24 + row; i++)
        marks = strchr(marks, '\n') + 1;
    size_t begin = 6 + 4 + strlen("/* e */ out[threadIdx.x] = "), length = strlen("in[threadIdx.x]");
    char mark = marks[begin];
    assert_int_not_equal(mark, marks[begin - 1]);
    for (size_t i = 0; i < length; i++)
        assert_int_equal(marks[begin + i], mark);
    assert_int_not_equal(mark, marks[begin + length]);
    free(frame);
    state_free(&s);
}

static void other_texts_stay(void **state)
{
    (void)state;
    static char racy[2000], right[2000];
    struct state s;
    (void)text_with("", "j", racy, sizeof racy);
    open_file(&s, racy, (struct scenario_options){.rows = 100, .cols = 70}, 40, 120);
    press(&s, "]"); /* a rung */
    struct source text = text_with("    __syncthreads();", "j", right, sizeof right);
    assert_true(reload_text(&s, &text));
    assert_string_equal(s.side[0].session->name, "copy");
    press(&s, "[");
    finish_work(&s);
    assert_shows(&s, "correct (all blocks)");
    press(&s, "+c+x+"); /* copies with other pitches are read anew, too */
    assert_shows(&s, "pitch");
    text = text_with("", "j", racy, sizeof racy);
    assert_true(reload_text(&s, &text));
    finish_work(&s);
    assert_true(state_is_sound(&s));
    press(&s, "c+-");
    state_free(&s);
}

/* Of a tile whose pitch the text writes: a copy of the text, and the line that says it. */
static void a_pitch_in_the_text(void **state)
{
    (void)state;
    static char right[2000];
    struct state s;
    (void)text_with("    __syncthreads();", "j", right, sizeof right);
    open_file(&s, right, (struct scenario_options){.rows = 100, .cols = 70}, 40, 120);
    assert_shows(&s, "Cure: press + for pitch 33");
    press(&s, "+");
    assert_shows(&s, "pitch 32 to 33: this access went from 32 to 1 wavefront. In your file that is line 5");
    assert_shows(&s, "tile 32x33");
    press(&s, "++-");
    assert_shows(&s, "pitch 35 to 34");
    press(&s, "cx--x]c[");
    state_free(&s);
}

/* Whole or not at all. */
static void write_text(const char *path, const char *text)
{
    char fresh[300];
    (void)snprintf(fresh, sizeof fresh, "%s.new", path);
    FILE *out = fopen(fresh, "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(rename(fresh, path), 0);
}

static void write_file(const char *path, const char *barrier, const char *index)
{
    char bytes[2000];
    (void)text_with(barrier, index, bytes, sizeof bytes);
    write_text(path, bytes);
}

static void the_file_is_watched(void **state)
{
    struct terminal *t = *state;
    char folder[] = "/tmp/lanescope-live-XXXXXX", path[200], editor[200], text[400];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/mine.cu", folder);
    (void)snprintf(editor, sizeof editor, "%s/editor", folder);
    write_file(path, "", "j");
    FILE *out = fopen(editor, "w");
    assert_non_null(out);
    (void)fputs("#!/bin/sh\nsed -i 's/jj/j/' \"$2\"\n", out);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(chmod(editor, 0700), 0);
    begin(t, 120, 40);
    (void)snprintf(text, sizeof text, "EDITOR=%s", editor);
    char after[300];
    (void)snprintf(after, sizeof after, "tui %s -m 100 -n 70 --via builtin", path);
    start(t, text, after);
    expect(t, "NOT CORRECT: 3,066 cells wrong, race at line 17");
    write_file(path, "    __syncthreads();", "j");
    expect(t, "correct (all blocks)");
    expect(t, "line 17: 6,124 in a race -> 0");
    write_file(path, "    __syncthreads();", "jj");
    expect(t, "jj is not declared");
    expect(t, "^");
    keys(t, "E"); /* the editor mends it */
    expect(t, "read again: the text is what it was before");
    expect(t, "correct (all blocks)");
    keys(t, "q");
    expect_restored(t, "code=0.");
    write_file(path, "    __syncthreads();", "jj"); /* opened as it is */
    keys(t, "-l clear");
    keys(t, "Enter");
    (void)snprintf(text, sizeof text, "EDITOR=%s", editor);
    start(t, text, after);
    expect(t, "cannot be run yet");
    expect(t, " 17▶             out[oy * rows + ox] = tile[threadIdx.x][jj];");
    expect(t, "line 17: jj is not declared");
    keys(t, "?");
    expect(t, "open the file in $EDITOR");
    keys(t, "Escape");
    expect(t, "line 17: jj is not declared"); /* with an E at its heels, the escape would be Alt's */
    keys(t, "E");
    expect(t, "read again: now it runs");
    expect(t, "correct (all blocks)");
    keys(t, "q");
    expect_restored(t, "code=0.");
    (void)snprintf(text, sizeof text, "rm -r %s", folder);
    assert_int_equal(system(text), 0);
}

/* What the kernel includes is watched like the kernel; a header that breaks it is shown and mended. */
static void its_headers_are_watched(void **state)
{
    struct terminal *t = *state;
    char folder[] = "/tmp/lanescope-live-XXXXXX", path[200], header[200], text[2000], kernel[2400];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/mine.cu", folder);
    (void)snprintf(header, sizeof header, "%s/index.h", folder);
    (void)text_with("    __syncthreads();", "INDEX", text, sizeof text);
    const char *body = strstr(text, "__global__");
    (void)snprintf(kernel, sizeof kernel, "%.*s#include \"index.h\"\n%s", (int)(body - text), text, body);
    write_text(path, kernel);
    write_text(header, "#define INDEX j\n");
    begin(t, 120, 40);
    char after[300];
    (void)snprintf(after, sizeof after, "tui %s -m 100 -n 70 --via builtin", path);
    start(t, "", after);
    expect(t, "correct (all blocks)");
    write_text(header, "#define INDEX 0\n");
    expect(t, "line 18: 0 wrong -> 6,700");
    write_text(header, "#define INDEX jj\n");
    expect(t, "jj is not declared");
    write_text(header, "#define INDEX j\n");
    expect(t, "correct (all blocks)");
    keys(t, "q");
    expect_restored(t, "code=0.");
    (void)snprintf(text, sizeof text, "rm -r %s", folder);
    assert_int_equal(system(text), 0);
}

/* The second block takes for ever: the first is looked at while the launch is counted, and a key that goes to
 * the second can be taken back. */
static void a_long_block_holds_no_key(void **state)
{
    struct terminal *t = *state;
    static const char text[] = "// block: 32\n// grid: 4\n"
                               "__global__ void k(const float *in, float *out) {\n"
                               "    int s = 0, n = blockIdx.x == 1 ? 2000000000 : 1;\n"
                               "    for (int i = 0; i < n; i++) s ^= i;\n"
                               "    out[blockIdx.x * 32 + threadIdx.x + (s & 0)] = in[threadIdx.x];\n}\n";
    char path[] = "/tmp/lanescope-long-XXXXXX.cu", after[256];
    int handle = mkstemps(path, 3);
    assert_int_equal(write(handle, text, sizeof text - 1), sizeof text - 1);
    assert_int_equal(close(handle), 0);
    begin(t, 100, 30);
    (void)snprintf(after, sizeof after, "tui %s -m 128 -n 1 --budget 100000000000", path);
    start(t, "", after);
    expect(t, "Global load: 32 lanes"); /* the first block */
    keys(t, "t");
    expect(t, "lane 1  ");
    keys(t, "Right");
    expect(t, "access 2/2");
    keys(t, "b");
    expect(t, "esc leaves it");
    keys(t, "Escape");
    expect(t, "still running when it was stopped");
    expect(t, "block 0,0");
    keys(t, "t");
    expect(t, "lane 2  ");
    keys(t, "']'"); /* what ran in the background is left with its kernel */
    expect(t, "copy 128x1");
    expect(t, "correct (all blocks)");
    keys(t, "q");
    expect_restored(t, "code=0.");
    assert_int_equal(unlink(path), 0);
}

int main(void)
{
    const struct CMUnitTest pure[] = {
        cmocka_unit_test(what_changed_is_said),
        cmocka_unit_test(a_text_that_never_ran_is_shown_until_it_does),
        cmocka_unit_test(places_in_a_line_with_tabs_are_where_they_are_shown),
        cmocka_unit_test(other_texts_stay),
        cmocka_unit_test(a_pitch_in_the_text),
    };
    const struct CMUnitTest in_a_terminal[] = {
        cmocka_unit_test_setup_teardown(the_file_is_watched, set_up, tear_down),
        cmocka_unit_test_setup_teardown(its_headers_are_watched, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_long_block_holds_no_key, set_up, tear_down),
    };
    int failed = cmocka_run_group_tests(pure, NULL, NULL);
    if (!screen_exists()) {
        (void)puts("note: built without ncurses, nothing to test in a terminal");
        return failed;
    }
    return failed + cmocka_run_group_tests(in_a_terminal, NULL, NULL);
}
