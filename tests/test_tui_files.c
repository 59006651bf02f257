/* test_tui_files.c - kernels of the user's own in the terminal UI: what was given for them, and what they
 * lack.
 */
#include "tui_support.h"

#define KERNEL "__global__ void k(const float *in, float *out, int rows, int width) {\n"
#define POSITION                                                                                             \
    "    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n"

static const char mine[] =
    KERNEL POSITION "    if (x < width && y < rows) out[x * rows + y] = in[y * width + x];\n}\n";

static const struct session *session_of(const struct state *s)
{
    return s->side[s->active].session;
}

static struct scenario_options given(void)
{
    return (struct scenario_options){.rows = 100,
                                     .cols = 70,
                                     .block = {2, {16, 16}},
                                     .grid = {2, {5, 7}},
                                     .arguments = {"width=cols"},
                                     .argument_count = 1,
                                     .task = TASK_TRANSPOSE,
                                     .kernel = "k"};
}

/* Block, grid, arguments and kernel belong to the file; the ladder has its own. */
static void a_rung_is_launched_as_it_says_itself(void **state)
{
    (void)state;
    struct state s;
    open_file(&s, mine, given(), 24, 80);
    for (size_t i = 0; i < rung_count; i++) {
        press(&s, "]");
        const struct scenario *rung = &session_of(&s)->scenario;
        assert_false(s.message_is_bad && s.message[0]);
        assert_string_equal(session_of(&s)->name, rungs[i].name);
        assert_int_equal(rung->launch.block[1], 8);
        assert_int_equal(rung->launch.grid[0], strcmp(rungs[i].name, "inplace") == 0 ? 4 : 3);
        assert_int_equal(rung->options.argument_count, 0);
        assert_int_equal(rung->is_copy, strncmp(rungs[i].name, "copy", 4) == 0);
    }
    press(&s, "]");
    assert_string_equal(session_of(&s)->name, "mine.cu");
    assert_int_equal(session_of(&s)->scenario.launch.block[1], 16);
    assert_int_equal(session_of(&s)->scenario.launch.grid[1], 7);
    state_free(&s);
}

static void so_is_what_a_file_is_compared_with(void **state)
{
    (void)state;
    struct state s;
    open_file(&s, mine, given(), 24, 80);
    press(&s, "c");
    assert_int_equal(s.sides, 2);
    assert_string_equal(s.side[1].session->name, "tiled");
    assert_int_equal(s.side[1].session->scenario.launch.block[1], 8);
    state_free(&s);
}

static void a_grid_given_as_numbers_stays_and_is_named(void **state)
{
    (void)state;
    struct state s;
    open_file(&s, mine, given(), 24, 80);
    press(&s, "e<Clear>50<Enter>");
    assert_int_equal(session_of(&s)->scenario.rows, 50);
    assert_shows(&s, "rows is 50; the grid stays 5 x 7 x 1, as given");
    press(&s, "]e<Clear>60<Enter>");
    assert_hides(&s, "stays");
    state_free(&s);
}

/* At column 46,341 the square of a 32-bit index is out of range. */
static void an_overflow_is_named_with_its_line_and_its_cure(void **state)
{
    (void)state;
    static const char text[] = KERNEL POSITION "    int at = x * x;\n"
                                               "    if (y < rows) out[at] = in[y * width + x];\n}\n";
    struct scenario_options options = {.rows = 1,
                                       .cols = 65536,
                                       .block = {1, {64}},
                                       .grid = {1, {1024}},
                                       .arguments = {"width=cols"},
                                       .argument_count = 1};
    struct state s;
    open_file(&s, text, options, 24, 80);
    assert_hides(&s, "overflows");
    press(&s, "gb 800,0 w 0<Enter>");
    assert_shows(&s, "32-bit arithmetic overflows at line 3 in block 800,0: use size_t.");
    press(&s, "n");
    assert_shows(&s, "32 lanes are OUT OF BOUNDS. Global store:");
    press(&s, "gb 900,0<Enter>");
    assert_shows(&s, "in block 900,0");
    press(&s, "gb 0,0<Enter>");
    assert_hides(&s, "overflows"); /* not in this block, and the launch is not counted yet */
    finish_work(&s);
    assert_shows(&s, "overflows at line 3 in block 724,0");
    state_free(&s);
}

/* What the text does not use cannot be set: only rows and cols are asked for. */
static void fields_that_the_text_lacks_are_not_offered(void **state)
{
    (void)state;
    struct state s;
    open_file(&s, mine, given(), 24, 80);
    press(&s, "e");
    for (int i = 0; i < 7; i++) {
        assert_int_equal(s.field, i % 2 ? FIELD_COLS : FIELD_ROWS);
        press(&s, "<Tab>");
    }
    press(&s, "<BackTab>");
    assert_int_equal(s.field, FIELD_ROWS);
    press(&s, "<Esc>]e<Tab><Tab>");
    assert_int_equal(s.field, FIELD_TILE); /* a rung has one */
    press(&s, "<Clear>16<Enter>e<BackTab><BackTab><BackTab><Clear>8<Enter>");
    assert_int_equal(session_of(&s)->scenario.elem_bytes, 8);
    assert_int_equal(session_of(&s)->scenario.tile, 16);
    press(&s, "e<Tab><Esc>["); /* the file again, which has neither */
    assert_string_equal(session_of(&s)->name, "mine.cu");
    assert_int_equal(session_of(&s)->scenario.options.tile, 0);
    assert_int_equal(session_of(&s)->scenario.elem_bytes, 4);
    press(&s, "e");
    assert_true(s.field == FIELD_ROWS || s.field == FIELD_COLS);
    state_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rung_is_launched_as_it_says_itself),
        cmocka_unit_test(so_is_what_a_file_is_compared_with),
        cmocka_unit_test(a_grid_given_as_numbers_stays_and_is_named),
        cmocka_unit_test(fields_that_the_text_lacks_are_not_offered),
        cmocka_unit_test(an_overflow_is_named_with_its_line_and_its_cure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
