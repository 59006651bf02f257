/* test_tui_state.c - what keys do, as scripts; refused edits; numbers against the ladder; resizing; chance.
 */
#include "tui_support.h"

#define PLAIN ((struct scenario_options){0})

static const struct session *session_of(const struct state *s)
{
    return s->side[s->active].session;
}

static void it_opens_on_the_32_way_column(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "tiled", PLAIN, 24, 80);
    const struct trace_access *at = side_access(&s.side[0]);
    assert_int_equal(at->cost.units, 32);
    assert_int_equal(at->cost.ideal, 1);
    assert_shows(&s, "32 lanes, 32 words, 1 bank: 32 wavefronts, one after another");
    assert_shows(&s, "press + for pitch 33");
    press(&s, "+");
    assert_int_equal(session_of(&s)->scenario.pitch, 33);
    assert_int_equal(side_access(&s.side[0])->cost.units, 1);
    assert_shows(&s, "this access went from 32 to 1 wavefront");
    assert_shows(&s, "conflict-free");
    press(&s, "-");
    assert_int_equal(side_access(&s.side[0])->cost.units, 32);
    state_free(&s);
}

static void steps_go_through_the_trace_and_back(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "tiled", PLAIN, 24, 80);
    press(&s, "0");
    assert_int_equal(s.side[0].at, 0);
    size_t count = session_of(&s)->trace.count;
    assert_int_equal(count, 128);
    for (size_t i = 1; i < count; i++) {
        press(&s, "n");
        assert_int_equal(s.side[0].at, i);
    }
    press(&s, "n");
    assert_int_equal(session_of(&s)->trace.block[0], 1);
    assert_int_equal(s.side[0].at, 0);
    press(&s, "p");
    assert_int_equal(session_of(&s)->trace.block[0], 0);
    assert_int_equal(s.side[0].at, 127);
    press(&s, "0p");
    assert_shows(&s, "this is where the launch begins");
    assert_int_equal(s.side[0].at, 0);
    press(&s, "gb 2,3<Enter>");
    for (int i = 0; i < 200; i++)
        press(&s, "n");
    assert_shows(&s, "this is where the launch ends");
    state_free(&s);
}

static void inside_an_access_each_wavefront_comes_in_turn(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "tiled", PLAIN, 24, 80);
    size_t at = s.side[0].at;
    uint32_t seen = 0;
    for (int part = 0; part < 32; part++) {
        press(&s, "j");
        assert_int_equal(s.side[0].at, at);
        assert_int_equal(s.side[0].part, part);
        uint32_t lanes = side_part_lanes(&s.side[0]);
        assert_int_equal(__builtin_popcount(lanes), 1);
        assert_int_equal(seen & lanes, 0);
        seen |= lanes;
    }
    assert_int_equal(seen, UINT32_MAX);
    assert_shows(&s, "tile: wavefront 32 of 32");
    assert_shows(&s, "Wavefront 32 of 32 serves lane 31.");
    assert_shows(&s, "31 0123"); /* the row it reads has scrolled into sight */
    press(&s, "j");
    assert_int_equal(s.side[0].at, at + 1);
    assert_int_equal(s.side[0].part, 0);
    press(&s, "k");
    assert_int_equal(s.side[0].at, at);
    assert_int_equal(s.side[0].part, 31);
    state_free(&s);
}

/* The first lane of the sector stepped into is in sight and marked, however little room there is. */
static void the_card_follows_the_part(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "naive", PLAIN, 24, 80);
    press(&s, "0v");
    for (int pass = 0; pass < 2; pass++) {
        for (unsigned part = 0; part < 4; part++) {
            char text[40];
            press(&s, "j");
            (void)snprintf(text, sizeof text, "%2d\u25b6", __builtin_ctz(side_part_lanes(&s.side[s.active])));
            assert_shows(&s, text);
        }
        assert_shows(&s, "Sector 4 of 4 serves lanes 24-31.");
        press(&s, "c0");
    }
    state_free(&s);
}

/* Every sector of every access of a block, at an odd alignment: the parts cover the lanes, none is empty. */
static void the_sectors_of_an_access_cover_its_lanes(void **state)
{
    (void)state;
    for (unsigned elem = 1; elem <= 16; elem *= 2) {
        struct state s;
        open_state(&s, "naive",
                   (struct scenario_options){.rows = 45, .cols = 37, .elem_bytes = elem, .in_offset = 3}, 24,
                   80);
        const struct trace *trace = &session_of(&s)->trace;
        for (size_t i = 0; i < trace->count; i++) {
            uint32_t seen = 0;
            for (unsigned part = 0; part < access_parts(&trace->at[i]); part++) {
                uint32_t lanes = access_part_lanes(&trace->at[i], part);
                assert_int_not_equal(lanes, 0);
                seen |= lanes;
            }
            assert_int_equal(seen, trace->at[i].access.mask);
        }
        state_free(&s);
    }
}

static void warps_and_blocks(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "tiled", PLAIN, 24, 80);
    press(&s, "0w");
    assert_int_equal(side_access(&s.side[0])->access.warp, 1);
    press(&s, "w");
    assert_int_equal(side_access(&s.side[0])->access.warp, 2);
    press(&s, "nW");
    assert_int_equal(side_access(&s.side[0])->access.warp, 2);
    press(&s, "W");
    assert_int_equal(side_access(&s.side[0])->access.warp, 1);
    uint32_t visit = side_access(&s.side[0])->access.visit;
    press(&s, "b");
    assert_int_equal(session_of(&s)->trace.block[0], 1);
    assert_int_equal(side_access(&s.side[0])->access.warp, 1);
    assert_int_equal(side_access(&s.side[0])->access.visit, visit);
    press(&s, "B");
    assert_int_equal(session_of(&s)->trace.block[0], 0);
    state_free(&s);
}

static void jumps(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "tiled", PLAIN, 24, 80);
    press(&s, "gblock 1,2 warp 3 site 2<Enter>");
    const struct access *access = &side_access(&s.side[0])->access;
    assert_int_equal(access->block[0], 1);
    assert_int_equal(access->block[1], 2);
    assert_int_equal(access->warp, 3);
    assert_int_equal(access->site->id, 2);
    press(&s, "gb 3,0<Enter>");
    assert_shows(&s, "block 3,0,0 lies outside the grid of 3 x 4 x 1");
    press(&s, "<Esc>gw 8<Enter>");
    assert_shows(&s, "it has 8 warps and 4 sites");
    press(&s, "<Esc>gb 0,0 w 8<Enter>"); /* the block exists, the warp does not: no half of a jump */
    assert_true(s.message_is_bad);
    assert_int_equal(session_of(&s)->trace.block[1], 2);
    press(&s, "<Esc>gnowhere<Enter>");
    assert_shows(&s, "a jump reads:");
    press(&s, "<Esc>gb 99999999999<Enter><Esc>");
    assert_int_equal(session_of(&s)->trace.block[0], 1);
    assert_int_equal(session_of(&s)->trace.block[1], 2);
    state_free(&s);
}

static void rungs_change_under_the_same_work(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "tiled", PLAIN, 24, 80);
    press(&s, "+]");
    assert_string_equal(session_of(&s)->name, "padded");
    assert_int_equal(session_of(&s)->scenario.pitch, 33);
    assert_int_equal(side_access(&s.side[0])->access.site->kind->space, SPACE_SHARED);
    press(&s, "[");
    assert_int_equal(session_of(&s)->scenario.pitch, 32); /* its own again */
    for (size_t i = 0; i < rung_count; i++)
        press(&s, "]");
    assert_string_equal(session_of(&s)->name, "tiled");
    press(&s, "[+");
    assert_shows(&s, "naive-swap has no PITCH");
    state_free(&s);
}

static void a_pitch_given_at_the_start_comes_back(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "tiled", (struct scenario_options){.pitch = 40}, 24, 80);
    press(&s, "]");
    assert_int_equal(session_of(&s)->scenario.pitch, 33);
    press(&s, "[");
    assert_int_equal(session_of(&s)->scenario.pitch, 40);
    state_free(&s);
}

static void edit(struct state *s, int field, const char *text)
{
    press(s, "e");
    while ((int)s->field != field)
        press(s, "<Tab>");
    press(s, "<Clear>");
    press(s, text);
    press(s, "<Enter>");
}

static void sizes_are_edited_in_place(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "tiled", PLAIN, 24, 80);
    edit(&s, FIELD_ROWS, "64");
    edit(&s, FIELD_COLS, "48");
    edit(&s, FIELD_ELEM, "8");
    edit(&s, FIELD_BLOCK_ROWS, "4");
    edit(&s, FIELD_PITCH, "33");
    edit(&s, FIELD_TILE, "16");
    assert_int_equal(session_of(&s)->scenario.rows, 64);
    assert_int_equal(session_of(&s)->scenario.cols, 48);
    assert_int_equal(session_of(&s)->scenario.elem_bytes, 8);
    assert_int_equal(session_of(&s)->scenario.tile, 16);
    assert_int_equal(session_of(&s)->scenario.block_rows, 4);
    assert_int_equal(session_of(&s)->scenario.pitch, 17); /* the padding stays */
    assert_shows(&s, "64x48 tile 16x4 pitch 17 elem 8 B");
    press(&s, "e<Clear>5");
    assert_shows(&s, "tile = 5_");
    press(&s, "<Esc>");
    assert_int_equal(s.prompt, PROMPT_NONE);
    state_free(&s);
}

/* One line that says why, and nothing else changes. */
static void refuse(struct state *s, int field, const char *text, const char *message)
{
    const struct session *before = session_of(s);
    size_t at = s->side[0].at;
    edit(s, field, text);
    if (!strstr(s->message, message))
        fail_msg("expected \"%s\", got \"%s\"", message, s->message);
    assert_null(strchr(s->message, '\n'));
    assert_true(s->message_is_bad);
    assert_ptr_equal(session_of(s), before);
    assert_int_equal(s->side[0].at, at);
    press(s, "<Esc>");
}

static void bad_edits_leave_everything_as_it_was(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "tiled", PLAIN, 24, 80);
    press(&s, "j");
    refuse(&s, FIELD_TILE, "0", "tile is a number from 1");
    edit(&s, FIELD_BLOCK_ROWS, "32");
    refuse(&s, FIELD_TILE, "64", "at most 1024 threads");
    edit(&s, FIELD_BLOCK_ROWS, "8");
    refuse(&s, FIELD_TILE, "4", "block rows (8) must not exceed the tile (4)");
    refuse(&s, FIELD_PITCH, "31", "must be at least the tile");
    refuse(&s, FIELD_PITCH, "4096", "bytes of shared memory; sm_90 has at most");
    refuse(&s, FIELD_BLOCK_ROWS, "33", "must not exceed the tile");
    refuse(&s, FIELD_ELEM, "3", "1, 2, 4, 8 or 16 bytes");
    refuse(&s, FIELD_ROWS, "", "rows is a number");
    refuse(&s, FIELD_ROWS, "12x", "rows is a number");
    refuse(&s, FIELD_ROWS, "99999999999999999999", "rows is a number");
    refuse(&s, FIELD_ROWS, "2147483647", "a grid is at most");
    edit(&s, FIELD_COLS, "2147483647");
    refuse(&s, FIELD_ROWS, "2147483647", "larger than 8 PiB");
    press(&s, "---");
    assert_true(s.message_is_bad);
    assert_int_equal(session_of(&s)->scenario.pitch, 32);
    state_free(&s);
}

static void a_matrix_that_is_too_large_is_refused(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "tiled", (struct scenario_options){.rows = 2097120, .cols = 1073741824, .elem_bytes = 2},
               24, 80);
    refuse(&s, FIELD_ELEM, "16", "larger than 8 PiB");
    state_free(&s);
}

static void comparing_moves_in_step(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "tiled", PLAIN, 24, 80);
    press(&s, "c");
    assert_int_equal(s.sides, 2);
    assert_int_equal(s.side[0].session->scenario.pitch, 32);
    assert_int_equal(s.side[1].session->scenario.pitch, 33);
    assert_int_equal(side_access(&s.side[0])->cost.units, 32);
    assert_int_equal(side_access(&s.side[1])->cost.units, 1);
    press(&s, "0nnnwwbb");
    assert_int_equal(s.side[0].at, s.side[1].at);
    assert_int_equal(s.side[1].session->trace.block[0], 2);
    press(&s, "x+");
    assert_int_equal(s.active, 1);
    assert_int_equal(s.side[0].session->scenario.pitch, 32);
    assert_int_equal(s.side[1].session->scenario.pitch, 34);
    press(&s, "c"); /* the side in hand stays */
    assert_int_equal(s.sides, 1);
    assert_int_equal(session_of(&s)->scenario.pitch, 34);
    press(&s, "c");
    assert_int_equal(s.side[1].session->scenario.pitch, 32);
    state_free(&s);
}

static void naive_waits_where_tiled_uses_its_tile(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "naive", PLAIN, 24, 80);
    press(&s, "c0");
    assert_string_equal(s.side[1].session->name, "tiled");
    assert_false(s.side[1].waiting);
    press(&s, "x");
    size_t naive = s.side[0].at;
    press(&s, "n"); /* tiled stores to its tile; naive has nothing like it */
    assert_true(s.side[0].waiting);
    assert_int_equal(s.side[0].at, naive);
    assert_shows(&s, "(waits)");
    press(&s, "n");
    assert_false(s.side[0].waiting);
    assert_int_equal(side_access(&s.side[0])->access.site->kind->op, ACCESS_LOAD);
    assert_int_equal(side_access(&s.side[0])->access.visit, 1);
    state_free(&s);
}

static void playing_steps_until_the_end(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "tiled", (struct scenario_options){.rows = 32, .cols = 32}, 24, 80);
    assert_int_equal(play_tick_ms(&s), -1);
    press(&s, "0 ");
    int slow = play_tick_ms(&s);
    press(&s, ">");
    assert_true(play_tick_ms(&s) < slow);
    for (int i = 0; i < 127; i++)
        play_tick(&s);
    assert_int_equal(s.side[0].at, 127);
    assert_true(s.playing);
    play_tick(&s);
    assert_false(s.playing);
    press(&s, "0j ");
    play_tick(&s);
    assert_int_equal(s.side[0].part, 1); /* inside an access it plays wavefronts */
    state_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_opens_on_the_32_way_column),
        cmocka_unit_test(steps_go_through_the_trace_and_back),
        cmocka_unit_test(inside_an_access_each_wavefront_comes_in_turn),
        cmocka_unit_test(the_card_follows_the_part),
        cmocka_unit_test(the_sectors_of_an_access_cover_its_lanes),
        cmocka_unit_test(warps_and_blocks),
        cmocka_unit_test(jumps),
        cmocka_unit_test(rungs_change_under_the_same_work),
        cmocka_unit_test(a_pitch_given_at_the_start_comes_back),
        cmocka_unit_test(sizes_are_edited_in_place),
        cmocka_unit_test(bad_edits_leave_everything_as_it_was),
        cmocka_unit_test(a_matrix_that_is_too_large_is_refused),
        cmocka_unit_test(comparing_moves_in_step),
        cmocka_unit_test(naive_waits_where_tiled_uses_its_tile),
        cmocka_unit_test(playing_steps_until_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
