/* test_tui_questions.c - ten questions of a learner, answered from the screen alone, in a real terminal of
 * 120 x 40, in at most five keys each; a line that is typed counts as one.
 */
#include "terminal_support.h"

enum { KEYS_MOST = 5 };

/* One question: open the UI, press keys, read. */
static void ask(struct terminal *t, const char *arguments, const char *const pressed[KEYS_MOST + 1])
{
    char after[200];
    (void)snprintf(after, sizeof after, "tui %s", arguments);
    start(t, "", after);
    expect(t, "q quit");
    expect(t, "(all blocks)");
    for (int i = 0; i < KEYS_MOST && pressed[i]; i++)
        keys(t, pressed[i]);
}

static void leave(struct terminal *t)
{
    keys(t, "q");
    expect_restored(t, "code=0.");
}

static void set_off(struct terminal *t)
{
    begin(t, 120, 40);
}

static void which_lanes_of_naive_s_first_store_share_a_sector(void **state)
{
    struct terminal *t = *state;
    set_off(t);
    ask(t, "naive", (const char *const[]){"0", "Right", "2", NULL, NULL, NULL});
    expect(t, "access 2/64");
    expect(t, "2 lanes: warp 0 store out[(size_t)x * rows + y]");
    expect(t, "No two lanes share a sector.");
    keys(t, "Left"); /* and those of its load */
    expect(t, "Sector 0: lanes 0-7; sector 1: lanes 8-15;");
    leave(t);
}

static void why_33(void **state)
{
    struct terminal *t = *state;
    set_off(t);
    ask(t, "tiled", (const char *const[]){NULL, NULL, NULL, NULL, NULL, NULL});
    expect(t, "32 lanes, 32 words, 1 bank: 32 wavefronts, one after another");
    expect_words(t, "Cure: press + for pitch 33: one spare column moves each row to other banks.");
    keys(t, "+");
    expect(t, "pitch 32 to 33: this access went from 32 to 1 wavefront");
    expect_words(t, "32 lanes, 32 words, 32 banks: 1 wavefront, all at once");
    leave(t);
}

static void what_34_36_and_40_cost(void **state)
{
    struct terminal *t = *state;
    set_off(t);
    ask(t, "tiled", (const char *const[]){"P", NULL, NULL, NULL, NULL, NULL});
    expect(t, "pitches of tile: wavefronts of the launch");
    expect(t, "32     7,300  12.6x");
    expect(t, "33       580   1.0x");
    expect(t, "34       790   1.4x");
    expect(t, "36     1,210   2.1x");
    expect(t, "40     2,050   3.5x");
    leave(t);
}

static void why_a_lane_is_off(void **state)
{
    struct terminal *t = *state;
    set_off(t);
    ask(t, "tiled", (const char *const[]){"g", "'b 2,1 w 3 l 7'", "Enter", NULL, NULL, NULL});
    expect(t, "block 2,1  warp 3  lane 7  line 33  sector 1/1  access 25/76");
    expect(t, "lane 7: x = 2*32+7 = 71, x < cols (70) is false: off");
    leave(t);
}

static void who_wrote_a_cell_and_from_where(void **state)
{
    struct terminal *t = *state;
    set_off(t);
    ask(t, "tiled", (const char *const[]){"g", "'cell 6,3'", "Enter", NULL, NULL, NULL});
    expect(t, "(6,3) <- block 0,0 warp 6 lane 3, line 43 <- tile[3][6] <- in(3,6)");
    keys(t, "Enter");
    expect(t, "block 0,0  warp 6  lane 3  line 43");
    expect(t, "access 114/128");
    keys(t, "BSpace");
    expect(t, "owners: the warp that writes each output cell");
    leave(t);
}

static void wide_elements_pass_by_pass(void **state)
{
    struct terminal *t = *state;
    set_off(t);
    ask(t, "padded -e 16", (const char *const[]){"Right", NULL, NULL, NULL, NULL, NULL});
    expect(t, "1 of 4: lanes 0-7");
    expect(t, "2 of 4: lanes 8-15");
    expect(t, "4 of 4: lanes 24-31");
    expect_words(t, "That is the ideal: 16 bytes a lane need 4 passes.");
    leave(t);
    keys(t, "-l clear");
    keys(t, "Enter");
    ask(t, "padded -e 8", (const char *const[]){"Right", "Down", NULL, NULL, NULL, NULL});
    expect(t, "pass 1/2");
    expect(t, "1 of 2: lanes 0-15");
    expect(t, "2 of 2: lanes 16-31");
    leave(t);
}

static void which_tiles_are_at_the_edge_and_why(void **state)
{
    struct terminal *t = *state;
    set_off(t);
    ask(t, "tiled", (const char *const[]){"3", "0", "b", "b", NULL, NULL});
    expect(t, "read 100x70 [0-31, 64-69]");
    expect_words(t, "26 lanes take no part. Lane 6: x = 2*32+6 = 70, x < cols (70) is false: off.");
    leave(t);
}

static void which_warp_of_the_launch_is_worst(void **state)
{
    struct terminal *t = *state;
    set_off(t);
    ask(t, "tiled", (const char *const[]){"H", NULL, NULL, NULL, NULL, NULL});
    expect(t, "worst warps of the launch");
    expect(t, "0,0             0    43  shared ld       4      128        4      124");
    keys(t, "Enter");
    expect(t, "block 0,0  warp 0  lane 0  line 43");
    leave(t);
}

static void tiled_against_padded_in_numbers(void **state)
{
    struct terminal *t = *state;
    set_off(t);
    ask(t, "tiled", (const char *const[]){"c", NULL, NULL, NULL, NULL, NULL});
    expect(t, ">tiled 100x70 tile 32x8 pitch 32");
    expect(t, "tiled 100x70 tile 32x8 pitch 33");
    expect(t, "32 wavefronts, ideal 1");
    expect(t, "1 wavefront, ideal 1");
    expect(t, "7,000");
    expect(t, "6,720");
    leave(t);
}

static void resize(struct terminal *t, int cols, int rows)
{
    char text[60];
    (void)snprintf(text, sizeof text, "resize-window -x %d -y %d", cols, rows);
    assert_int_equal(tmux(t, text, NULL, 0), 0);
}

/* A frame's border of that width, drawn after a change of size. */
static void expect_width(struct terminal *t, int cols)
{
    char border[1000] = "";
    for (int i = 0; i < cols - 2; i++)
        memcpy(border + strlen(border), "─", sizeof "─");
    expect(t, border);
}

static void open_in(struct terminal *t, const char *name, const char *verdict)
{
    char after[120];
    resize(t, 80, 24);
    keys(t, "-l clear");
    keys(t, "Enter");
    (void)snprintf(after, sizeof after, "tui zoo:%s", name);
    start(t, "", after);
    expect(t, "q quit");
    expect(t, verdict);
}

/* The line that the text marks is said in the header and leads the list, in the smallest terminal and in a
 * larger one. */
static void the_line_to_blame(void **state)
{
    struct terminal *t = *state;
    begin(t, 80, 24);
    for (size_t i = 0; i < zoo_count; i += 2) {
        char line[40], chosen[40];
        int number, column;
        const char *mark = strstr(zoo[i].source.bytes, "// <- here");
        assert_non_null(mark);
        source_place(&zoo[i].source, (size_t)(mark - zoo[i].source.bytes), &number, &column);
        (void)snprintf(line, sizeof line, "line %d", number);
        (void)snprintf(chosen, sizeof chosen, "› line %d", number);
        open_in(t, zoo[i].name, line);
        keys(t, "!");
        expect(t, "findings: ");
        expect(t, chosen);
        resize(t, 120, 40);
        expect_width(t, 120);
        expect(t, chosen);
        keys(t, "BSpace");
        expect(t, "compare");
        char *end = strchr(t->screen, '\n');
        assert_non_null(end);
        *end = '\0';
        if (!strstr(t->screen, line))
            fail_msg("%s: the header is %s", zoo[i].name, t->screen);
        leave(t);
    }
}

/* Nothing is found in the twins; every third, or all of them with LANESCOPE_ZOO=all. */
static void nothing_to_blame(void **state)
{
    struct terminal *t = *state;
    const char *wanted = getenv("LANESCOPE_ZOO");
    size_t step = wanted && strcmp(wanted, "all") == 0 ? 2 : 6;
    begin(t, 80, 24);
    for (size_t i = 1; i < zoo_count; i += step) {
        open_in(t, zoo[i].name, "correct (all blocks)");
        keys(t, "!");
        expect(t, "Nothing is wrong.");
        resize(t, 120, 40);
        expect(t, "correct (all blocks)");
        expect(t, "Nothing is wrong.");
        leave(t);
    }
}

int main(void)
{
    if (!screen_exists()) {
        (void)puts("note: built without ncurses, nothing to test in a terminal");
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(which_lanes_of_naive_s_first_store_share_a_sector, set_up, tear_down),
        cmocka_unit_test_setup_teardown(why_33, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_34_36_and_40_cost, set_up, tear_down),
        cmocka_unit_test_setup_teardown(why_a_lane_is_off, set_up, tear_down),
        cmocka_unit_test_setup_teardown(who_wrote_a_cell_and_from_where, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wide_elements_pass_by_pass, set_up, tear_down),
        cmocka_unit_test_setup_teardown(which_tiles_are_at_the_edge_and_why, set_up, tear_down),
        cmocka_unit_test_setup_teardown(which_warp_of_the_launch_is_worst, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tiled_against_padded_in_numbers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_line_to_blame, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_to_blame, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
