/* test_tui_panes.c - frames as goldens: every pane, alone and among the others, with its styles. */
#include "tui_support.h"

#include "../sim/session/explain.h"

static void golden(const char *name, const char *rung, struct scenario_options options, int rows, int cols,
                   const char *keys)
{
    struct state s;
    open_state(&s, rung, options, rows, cols);
    press(&s, keys);
    finish_work(&s);
    char *frame = frame_of(&s, true);
    assert_golden(name, frame);
    free(frame);
    state_free(&s);
}

#define PLAIN ((struct scenario_options){0})

static void the_first_screen(void **state)
{
    (void)state;
    golden("first-80x24", "tiled", PLAIN, 24, 80, "");
    golden("first-200x60", "tiled", PLAIN, 60, 200, "");
}

static void one_key_is_the_cure(void **state)
{
    (void)state;
    golden("pitch33-80x24", "tiled", PLAIN, 24, 80, "+");
}

static void the_line_in_which_a_value_is_typed(void **state)
{
    (void)state;
    golden("prompt-80x24", "tiled", PLAIN, 24, 80, "ee<Tab><Clear>12");
}

static void the_source_pane(void **state)
{
    (void)state;
    golden("source", "tiled", PLAIN, 24, 80, "<BackTab><BackTab><BackTab>z");
    golden("source-at-the-first-access", "tiled", PLAIN, 24, 80, "0<BackTab><BackTab><BackTab>z");
}

static void the_lanes_pane(void **state)
{
    (void)state;
    golden("lanes-shared", "tiled", PLAIN, 40, 80, "<BackTab><BackTab>z");
    golden("lanes-global", "tiled", PLAIN, 40, 80, "0<BackTab><BackTab>z");
    golden("lanes-in-two-columns", "naive", PLAIN, 24, 80, "0<BackTab><BackTab>z");
}

/* The edge tile of 100 x 70: 6 columns of 32 are in the matrix, 26 lanes take no part. */
static void the_lanes_of_an_edge_tile(void **state)
{
    (void)state;
    golden("lanes-edge", "tiled", PLAIN, 40, 80, "<BackTab><BackTab>zgb 2,3<Enter>");
}

static void the_matrix_pane(void **state)
{
    (void)state;
    golden("matrix-naive", "naive", PLAIN, 30, 100, "<BackTab>z");
    golden("matrix-sectors", "naive", PLAIN, 30, 100, "<BackTab>zh");
    golden("matrix-edge-block", "naive", PLAIN, 30, 100, "<BackTab>zhhgb 2,3<Enter>");
    golden("matrix-zoomed", "naive", PLAIN, 30, 100, "<BackTab>z}}");
    golden("matrix-copy", "copy", PLAIN, 30, 100, "<BackTab>z");
}

static void the_matrix_pane_samples_what_is_large(void **state)
{
    (void)state;
    struct state s;
    struct scenario_options options = {.rows = 65536, .cols = 65536};
    open_state(&s, "naive", options, 32, 100);
    press(&s, "<BackTab>z");
    while (!heatmap_is_done(&s.side[0].heat))
        (void)state_work(&s);
    assert_shows(&s, "sampled 400 of 4,194,304 blocks");
    state_free(&s);
}

/* Block 49,483,281 lies 1 / 548,805,150 of a block below the next one: more than a double tells apart. */
static void the_blocks_of_a_zoomed_map_are_exact(void **state)
{
    (void)state;
    struct problem problem = {0};
    struct heatmap map;
    struct scenario_options options = {.rows = 32, .cols = 548805150};
    struct session *session = session_open("copy", &rung_find("copy")->source, &options, &problem);
    assert_non_null(session);
    session->scenario.launch.grid[0] = 80457281;
    session->trace.source = (struct box){.col0 = 337529179 + 1, .col1 = 337529179 + 1};
    struct map_geometry geometry = {.scale = 1, .char_cols = 1, .is_zoomed = true};
    heatmap_init(&map, session, &geometry);
    assert_int_equal(map.first[0], 49483281);
    heatmap_free(&map);
    session_free(session);
}

static void the_tile_pane(void **state)
{
    (void)state;
    golden("tile-cells", "tiled", PLAIN, 42, 140, "z");
    golden("tile-padded", "padded", PLAIN, 42, 140, "z0<Right>");
    golden("tile-card", "tiled", PLAIN, 42, 80, "zv");
    golden("tile-waves", "tiled", PLAIN, 42, 80, "zvv<Down><Down><Down>");
    golden("tile-global-card", "naive", PLAIN, 42, 80, "z0");
    golden("tile-double", "tiled", (struct scenario_options){.elem_bytes = 8, .tile = 16}, 30, 80,
           "zv0<Right>");
}

static void the_totals_pane(void **state)
{
    (void)state;
    golden("totals", "tiled", PLAIN, 24, 80, "<Tab>z");
}

static void comparing(void **state)
{
    (void)state;
    golden("compare-80x24", "tiled", PLAIN, 24, 80, "c");
    golden("compare-160x50", "naive", PLAIN, 50, 160, "c<Down>");
}

/* 8 bytes a lane are served in two groups of 16: what the UI says is what the rule of the banks says. */
static void conflicts_are_those_of_the_rule(void **state)
{
    (void)state;
    static const struct {
        unsigned elem;
        const char *says;
    } cases[] = {{4, "a 32-way conflict, 1 would do"},
                 {8, "a 16-way conflict, 2 would do"},
                 {16, "an 8-way conflict, 4 would do"}};
    for (unsigned i = 0; i < 3; i++) {
        struct state s;
        open_state(&s, "tiled", (struct scenario_options){.elem_bytes = cases[i].elem}, 50, 160);
        press(&s, "$"); /* the costliest access */
        const struct trace_access *at = side_access(&s.side[0]);
        struct lanes lanes = access_lanes(&at->access);
        char text[EXPLAIN_SIZE];
        assert_int_equal(at->access.site->kind->space, SPACE_SHARED);
        assert_int_equal(bank_spread_of(&lanes).ways, 32 / (cases[i].elem / 4));
        explain_access(s.side[0].session, at, text);
        if (!strstr(text, cases[i].says))
            fail_msg("%s", text);
        state_free(&s);
    }
}

static void the_owners(void **state)
{
    (void)state;
    golden("owners", "tiled", (struct scenario_options){.rows = 12, .cols = 20, .tile = 8, .block_rows = 4},
           30, 80, "o$");
}

/* By the judgement of `owners`: torn cells are wrong, writers may disagree, stores may not fit. */
static void owners_stand_out_as_the_command_says(void **state)
{
    (void)state;
    static const struct {
        const char *store, *shown, *cell;
    } cases[] = {{"out[t] = make_float4(v.x, v.z, v.y, v.w);", "0 missing, 0 twice, 32 wrong; all blocks run",
                  "0!0!0!"},
                 {"out[t] = v; out[t] = v;", "0 missing, 32 twice, 0 wrong; all blocks run", "0*0*0*"},
                 {"out[t] = v; out[t] = in[0];", "0 missing, 32 twice, 0 wrong, 31 disagree", "0*0#0#"},
                 {"((float *)out)[t] = v.x;", "a store does not fit", "X X X "}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct state s;
        char text[300];
        (void)snprintf(
            text, sizeof text,
            "// block: 32\n// grid: 1\n// task: copy\n__global__ void k(const float4 *in, float4 *out) "
            "{ int t = threadIdx.x; float4 v = in[t]; %s }",
            cases[i].store);
        open_file(&s, text, (struct scenario_options){.rows = 1, .cols = 32}, 24, 120);
        press(&s, "o");
        finish_work(&s);
        assert_shows(&s, cases[i].shown);
        assert_shows(&s, cases[i].cell);
        state_free(&s);
    }
}

static void assert_whole_extent(const struct state *s)
{
    char *frame = frame_of(s, false);
    bool whole = strstr(frame, "400 of 4,194,304 blocks") || strstr(frame, "400 of ~4.2M");
    if (strstr(frame, "400 of") && !whole)
        fail_msg("%s", frame);
    free(frame);
}

/* The longest texts are chosen that fit; no word is cut. */
static void words_are_whole(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "tiled", PLAIN, 24, 80);
    press(&s, "o");
    finish_work(&s);
    assert_shows(&s, "* twice  ! wrong  # disagree  shades: blocks");
    press(&s, "c");
    finish_work(&s);
    assert_shows(&s, "0-v warp X none *twice !wrong #differ");
    assert_shows(&s, "0 missing, 0 twice, 0 wrong; all run ");
    state_resize(&s, 24, 100);
    assert_shows(&s, "owners: who writes each cell \u2500");
    state_free(&s);
    open_state(&s, "tiled", (struct scenario_options){.rows = 65536, .cols = 65536}, 45, 160);
    assert_shows(&s, "32x8, 4096 B shared: 8 an SM (warps)");
    for (int cols = 80; cols < 240; cols++) {
        state_resize(&s, 24 + cols % 40, cols);
        s.focus = PANE_MATRIX;
        state_resize(&s, s.rows, cols);
        while (!heatmap_is_done(&s.side[0].heat))
            (void)state_work(&s);
        assert_whole_extent(&s);
    }
    state_resize(&s, 24, 80);
    press(&s, "c");
    assert_shows(&s, ">tiled 65536x65536 tile 32x8 pitch 32    tiled");
    state_free(&s);
}

static void zoom_keys_bring_the_matrix_forward(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "naive", PLAIN, 24, 80);
    assert_hides(&s, "matrix");
    press(&s, "}");
    assert_shows(&s, "matrix, zoomed");
    press(&s, "}}}}}}}");
    assert_shows(&s, "the map shows single elements");
    press(&s, "{{{{{{{{");
    assert_shows(&s, "the map shows the whole matrix");
    press(&s, "<Tab>o}");
    assert_shows(&s, "matrix, zoomed");
    state_free(&s);
}

static void the_help(void **state)
{
    (void)state;
    golden("help", "tiled", PLAIN, 50, 100, "?");
}

static void ascii_all_over(void **state)
{
    (void)state;
    golden("ascii-200x60", "tiled", PLAIN, 60, 200, "a+");
    struct state s;
    open_state(&s, "tiled", PLAIN, 60, 200);
    press(&s, "a");
    static const char *const keys[] = {"", "+", "o", "o", "m", "<Esc>", "?", "?", "c", "v", "v", "hh", "z"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        press(&s, keys[i]);
        char *frame = frame_of(&s, false);
        for (const char *c = frame; *c; c++)
            assert_true((unsigned char)*c < 0x7f);
        free(frame);
    }
    state_free(&s);
}

static void too_small(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "tiled", PLAIN, 23, 80);
    assert_shows(&s, "lanescope needs 80 x 24");
    assert_shows(&s, "here: 80 x 23");
    state_resize(&s, 24, 80);
    assert_hides(&s, "needs");
    state_free(&s);
}

/* Its last line at 80 columns: help and quit always, the findings where there are some, and no key that means
 * another thing there. */
static void the_bar_names_what_matters(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "tiled", PLAIN, 24, 80);
    finish_work(&s);
    assert_shows(&s, " right step  down inside  space play  + pitch  ] rung  c compare  ? help  q quit");
    press(&s, "3");
    assert_shows(&s, " arrows cell  enter who wrote it  l step  j inside  + pitch  ? help  q quit");
    press(&s, "o");
    assert_shows(&s, " arrows cell  enter who wrote it  l step  j inside  + pitch  ? help  q quit");
    state_free(&s);
    static const char wrong[] =
        "// block: 32\n// grid: 1\n// task: copy\n"
        "__global__ void k(const float *in, float *out) { out[threadIdx.x] = in[0]; }\n";
    open_file(&s, wrong, (struct scenario_options){.rows = 1, .cols = 32}, 24, 80);
    finish_work(&s);
    assert_shows(&s, "! findings  ? help  q quit");
    state_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bar_names_what_matters),
        cmocka_unit_test(the_first_screen),
        cmocka_unit_test(one_key_is_the_cure),
        cmocka_unit_test(the_line_in_which_a_value_is_typed),
        cmocka_unit_test(the_source_pane),
        cmocka_unit_test(the_lanes_pane),
        cmocka_unit_test(the_lanes_of_an_edge_tile),
        cmocka_unit_test(the_matrix_pane),
        cmocka_unit_test(the_matrix_pane_samples_what_is_large),
        cmocka_unit_test(the_blocks_of_a_zoomed_map_are_exact),
        cmocka_unit_test(the_tile_pane),
        cmocka_unit_test(the_totals_pane),
        cmocka_unit_test(comparing),
        cmocka_unit_test(conflicts_are_those_of_the_rule),
        cmocka_unit_test(the_owners),
        cmocka_unit_test(owners_stand_out_as_the_command_says),
        cmocka_unit_test(words_are_whole),
        cmocka_unit_test(zoom_keys_bring_the_matrix_forward),
        cmocka_unit_test(the_help),
        cmocka_unit_test(ascii_all_over),
        cmocka_unit_test(too_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
