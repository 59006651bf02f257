/* test_tui_modular.c - the laboratory: periods, the prediction that comes first, the story. */
#include "tui_support.h"

static unsigned counted_period(unsigned modulus, unsigned stride)
{
    unsigned at = 0, steps = 0;
    do {
        at = (at + stride) % modulus;
        steps++;
    } while (at);
    return steps;
}

static void the_period_is_what_counting_finds(void **state)
{
    (void)state;
    for (unsigned m = 1; m <= LAB_MODULUS_LIMIT; m++)
        for (unsigned a = 0; a <= 2 * LAB_MODULUS_LIMIT; a++)
            assert_int_equal(lab_period(m, a), counted_period(m, a));
}

static void the_story_s_pairs(void **state)
{
    (void)state;
    assert_int_equal(lab_period(16, 0), 1);
    assert_int_equal(lab_period(16, 1), 16);
    assert_int_equal(lab_period(32, 32), 1);
    assert_int_equal(lab_period(32, 33), 32);
}

static void nothing_runs_before_a_prediction(void **state)
{
    (void)state;
    struct lab lab;
    lab_reset(&lab, 16, 6);
    assert_false(lab_step(&lab));
    lab_answer(&lab); /* nothing typed */
    assert_false(lab.predicted);
    lab_type(&lab, '8');
    lab_answer(&lab);
    assert_true(lab.predicted);
    assert_int_equal(lab.prediction, 8);
    for (unsigned k = 0; k < 8; k++) {
        assert_false(lab_is_revealed(&lab));
        assert_true(lab_step(&lab));
        assert_int_equal(lab_residue(&lab, k), 6 * k % 16);
    }
    assert_true(lab_is_revealed(&lab));
    assert_false(lab_step(&lab));
    assert_true(lab_step_back(&lab));
    assert_false(lab_is_revealed(&lab));
}

static void the_screen_says_the_period_only_at_the_end(void **state)
{
    (void)state;
    struct state s;
    state_init_lab(&s, 16, 6, 30, 100, false);
    assert_shows(&s, "Predict: after how many steps is k * 6 mod 16 back at 0?");
    press(&s, "s");
    assert_shows(&s, "predict the period first");
    press(&s, "16<Back><Back>4<Enter>sss");
    assert_shows(&s, "You predicted 4.");
    assert_shows(&s, "k*a mod m: 0 6 12");
    assert_hides(&s, "Period");
    press(&s, "sssss");
    assert_shows(&s, "Period 8 = m / gcd(a, m) = 16 / 2. You predicted 4: not this time.");
    press(&s, "r");
    assert_shows(&s, "Predict");
    press(&s, "a8<Enter>");
    assert_int_equal(s.lab.stride, 7);
    press(&s, "q");
    assert_true(s.quit);
    state_free(&s);
}

static void the_bank_story_is_told_for_32(void **state)
{
    (void)state;
    struct state s;
    state_init_lab(&s, 32, 32, 40, 120, false);
    press(&s, "1<Enter>s");
    assert_shows(&s, "pitch 32 meets 1 bank: 32 wavefronts, one after another");
    press(&s, "e32<Enter> ");
    assert_int_equal(s.lab.stride, 33);
    assert_true(play_tick_ms(&s) > 0);
    for (int i = 0; i < 40; i++)
        play_tick(&s);
    assert_int_equal(play_tick_ms(&s), -1);
    assert_shows(&s, "pitch 33 meets 32 banks: 1 wavefront.");
    state_free(&s);
    state_init_lab(&s, 32, 0, 40, 120, false); /* all lanes in one word: a broadcast */
    press(&s, "1<Enter>s");
    assert_shows(&s, "pitch 0 meets 1 bank: 1 wavefront.");
    state_free(&s);
}

static void the_ring_and_the_row(void **state)
{
    (void)state;
    struct state s;
    state_init_lab(&s, 16, 6, 24, 80, false);
    press(&s, "8<Enter>ssssssss");
    char *frame = frame_of(&s, true);
    assert_golden("modular-ring", frame);
    free(frame);
    state_free(&s);
    state_init_lab(&s, 32, 33, 24, 80, true);
    press(&s, "32<Enter>sss");
    frame = frame_of(&s, true);
    assert_golden("modular-row", frame);
    free(frame);
    state_free(&s);
}

static void the_commands_print_where_there_is_no_terminal(void **state)
{
    (void)state;
    struct run run = run_program("modular", "-m", "16", "-a", "6", NULL);
    assert_int_equal(run.code, 0);
    assert_non_null(strstr(run.out, "period 8"));
    assert_non_null(strstr(run.out, "0 6 12 2 8 14 4 10\n"));
    run_free(&run);
    run = run_program("modular", "-m", "0", NULL);
    assert_int_equal(run.code, 2);
    run_free(&run);
    run = run_program("tui", "tiled", NULL);
    assert_int_equal(run.code, 0);
    assert_non_null(strstr(run.out, "shared memory"));
    run_free(&run);
    run = run_program(NULL, NULL);
    assert_int_equal(run.code, 0);
    assert_non_null(strstr(run.out, "swizzled"));
    run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_period_is_what_counting_finds),
        cmocka_unit_test(the_story_s_pairs),
        cmocka_unit_test(nothing_runs_before_a_prediction),
        cmocka_unit_test(the_screen_says_the_period_only_at_the_end),
        cmocka_unit_test(the_bank_story_is_told_for_32),
        cmocka_unit_test(the_ring_and_the_row),
        cmocka_unit_test(the_commands_print_where_there_is_no_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
