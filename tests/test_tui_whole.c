/* test_tui_whole.c - the whole of it: numbers against the ladder, odd kernels, a storm of sizes, keys at
 * random. */
#include "tui_support.h"

#include "../src/tui/pane.h"

#define PLAIN ((struct scenario_options){0})

static const struct session *session_of(const struct state *s)
{
    return s->side[s->active].session;
}

/* "7,168" on the screen and 7168 in the table are one number. */
static void assert_total(const struct state *s, uint64_t value)
{
    char text[32];
    pane_count(text, sizeof text, value, 30);
    assert_shows(s, text);
}

static void the_numbers_equal_the_ladder_s(void **state)
{
    (void)state;
    static const struct {
        const char *rows, *cols, *tile, *block_rows, *pitch, *elem;
        struct scenario_options options;
    } cases[] = {
        {"100",
         "70",
         "32",
         "8",
         NULL,
         "4",
         {.rows = 100, .cols = 70, .tile = 32, .block_rows = 8, .elem_bytes = 4}},
        {"333",
         "257",
         "16",
         "4",
         NULL,
         "8",
         {.rows = 333, .cols = 257, .tile = 16, .block_rows = 4, .elem_bytes = 8}},
        {"64",
         "99",
         "32",
         "16",
         "40",
         "1",
         {.rows = 64, .cols = 99, .tile = 32, .block_rows = 16, .pitch = 40, .elem_bytes = 1}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (size_t rung = 0; rung < rung_count; rung++) {
            struct state s;
            uint64_t csv[31] = {0};
            struct run run = run_program("ladder", rungs[rung].name, "-m", cases[c].rows, "-n", cases[c].cols,
                                         "-t", cases[c].tile, "-b", cases[c].block_rows, "-e", cases[c].elem,
                                         "-f", "csv", cases[c].pitch ? "-p" : NULL, cases[c].pitch, NULL);
            assert_int_equal(run.code, 0);
            const char *field = strchr(run.out, '\n') + 1;
            for (int i = 0; i < 31 && field; i++) {
                csv[i] = strtoull(field, NULL, 10);
                field = strchr(field, ',');
                field = field ? field + 1 : NULL;
            }
            open_state(&s, rungs[rung].name, cases[c].options, 60, 200);
            finish_work(&s);
            assert_shows(&s, "whole launch");
            static const int columns[] = {8, 10, 12, 14, 16, 18, 20, 21, 22, 23, 24, 25, 26, 27};
            for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
                assert_total(&s, csv[columns[i]]);
            struct summary sum = session_summary(session_of(&s));
            assert_int_equal(sum.of[GLOBAL_LOAD].requests, csv[8]);
            assert_int_equal(sum.of[GLOBAL_LOAD].units, csv[10]);
            assert_int_equal(sum.of[GLOBAL_LOAD].ideal, csv[12]);
            assert_int_equal(sum.of[GLOBAL_STORE].units, csv[16]);
            assert_int_equal(sum.of[SHARED_LOAD].units, csv[21]);
            assert_int_equal(sum.of[SHARED_STORE].units, csv[25]);
            state_free(&s);
            run_free(&run);
        }
}

/* So far, at the last access of each block, summed over the blocks, is the launch. */
static void so_far_adds_up_to_the_whole_launch(void **state)
{
    (void)state;
    struct state s;
    struct running sum[ACCESS_KINDS] = {{0}};
    open_state(&s, "tiled", PLAIN, 24, 80);
    finish_work(&s);
    press(&s, "0");
    for (uint64_t block = 0; block < session_of(&s)->blocks; block++) {
        const struct trace *trace = &session_of(&s)->trace;
        for (int i = 0; i < ACCESS_KINDS; i++) {
            sum[i].requests += trace->at[trace->count - 1].so_far[i].requests;
            sum[i].units += trace->at[trace->count - 1].so_far[i].units;
            sum[i].ideal += trace->at[trace->count - 1].so_far[i].ideal;
        }
        press(&s, "b");
    }
    struct summary all = session_summary(session_of(&s));
    assert_int_equal(sum[GLOBAL_LOAD].units, all.of[GLOBAL_LOAD].units);
    assert_int_equal(sum[GLOBAL_STORE].units, all.of[GLOBAL_STORE].units);
    assert_int_equal(sum[SHARED_LOAD].units, all.of[SHARED_LOAD].units);
    assert_int_equal(sum[SHARED_STORE].ideal, all.of[SHARED_STORE].ideal);
    assert_int_equal(sum[SHARED_LOAD].requests, all.of[SHARED_LOAD].requests);
    state_free(&s);
}

static void owners_find_what_a_broken_kernel_leaves(void **state)
{
    (void)state;
    static const char text[] = "// block: 32\n// grid: 1\n"
                               "__global__ void k(const float *in, float *out) {\n"
                               "    int t = threadIdx.x;\n"
                               "    if (t < 8) out[t == 3 ? 4 : t] = in[t];\n}\n";
    struct source source = {"k.cu", text, sizeof text - 1};
    struct scenario_options options = {.rows = 2, .cols = 4, .task = TASK_COPY};
    struct state_start start = {"k.cu", &source, true, &options, 24, 80, false};
    struct state s;
    struct problem problem = {0};
    assert_true(state_init(&s, &start, &problem));
    press(&s, "o");
    finish_work(&s);
    assert_shows(&s, "in this window: 1 missing, 1 twice, 0 wrong");
    assert_shows(&s, "0 0 0 X");
    press(&s, "o]"); /* the file is one of the kernels */
    for (size_t i = 0; i < rung_count; i++)
        press(&s, "]");
    assert_string_equal(session_of(&s)->name, "k.cu");
    state_free(&s);
}

static void a_kernel_that_touches_nothing(void **state)
{
    (void)state;
    static const char text[] = "// block: 32\n// grid: 2\n__global__ void k(float *out) { if (blockIdx.x == "
                               "1) out[threadIdx.x] = 0; }\n";
    struct source source = {"k.cu", text, sizeof text - 1};
    struct scenario_options options = {.rows = 32, .cols = 1};
    struct state_start start = {"k.cu", &source, true, &options, 24, 80, false};
    struct state s;
    struct problem problem = {0};
    assert_true(state_init(&s, &start, &problem));
    assert_shows(&s, "This block touches no memory");
    press(&s, "jkwWnpc$0bBj<Tab>z<Tab><Tab><Tab>ovvh{}");
    press(&s, "ob");
    state_free(&s);
}

static void a_resize_storm_keeps_the_place(void **state)
{
    (void)state;
    struct state s;
    struct random random = {7};
    open_state(&s, "tiled", PLAIN, 24, 80);
    press(&s, "cj");
    size_t at = s.side[0].at;
    for (int i = 0; i < 3000; i++) {
        state_resize(&s, (int)random_below(&random, 120), (int)random_below(&random, 320));
        assert_true(state_is_sound(&s));
        struct canvas canvas;
        canvas_init(&canvas, s.rows, s.cols, s.ascii);
        view_draw(&canvas, &s);
        canvas_free(&canvas);
        (void)state_work(&s);
    }
    state_resize(&s, 24, 80);
    assert_int_equal(s.side[0].at, at);
    assert_int_equal(s.side[0].part, 0);
    state_free(&s);
}

static void a_hundred_thousand_random_keys(void **state)
{
    (void)state;
    static const int named[] = {PRESS_LEFT,
                                PRESS_RIGHT,
                                PRESS_UP,
                                PRESS_DOWN,
                                PRESS_HOME,
                                PRESS_END,
                                PRESS_PAGE_UP,
                                PRESS_PAGE_DOWN,
                                PRESS_BACK_TAB,
                                PRESS_TAB,
                                PRESS_ENTER,
                                PRESS_ESCAPE,
                                PRESS_BACKSPACE,
                                0,
                                1,
                                0x15,
                                200,
                                0x10ffff};
    struct state s;
    struct random random = {seed_or(2026)};
    struct canvas canvas;
    open_state(&s, "tiled", (struct scenario_options){.rows = 20, .cols = 13, .tile = 8, .block_rows = 4}, 40,
               130);
    canvas_init(&canvas, 40, 130, false);
    for (int i = 0; i < 100000; i++) {
        uint32_t dice = random_below(&random, 100);
        int key = dice < 30   ? named[random_below(&random, sizeof named / sizeof *named)]
                  : dice < 40 ? (int)('0' + random_below(&random, 10))
                              : (int)(' ' + random_below(&random, 95));
        input_key(&s, key);
        if (dice == 99)
            play_tick(&s);
        assert_true(state_is_sound(&s));
        s.quit = false;
        s.save_path[0] = '\0';
        if (i % 16 == 0) {
            (void)state_work(&s);
            view_draw(&canvas, &s);
        }
        if (i % 64 == 0 && (s.side[0].session->blocks > 500 || s.side[s.sides - 1].session->blocks > 500)) {
            state_free(&s); /* typed itself into something large: begin again */
            open_state(&s, "tiled",
                       (struct scenario_options){.rows = 20, .cols = 13, .tile = 8, .block_rows = 4}, 40,
                       130);
        }
    }
    canvas_free(&canvas);
    state_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_numbers_equal_the_ladder_s),
        cmocka_unit_test(so_far_adds_up_to_the_whole_launch),
        cmocka_unit_test(owners_find_what_a_broken_kernel_leaves),
        cmocka_unit_test(a_kernel_that_touches_nothing),
        cmocka_unit_test(a_resize_storm_keeps_the_place),
        cmocka_unit_test(a_hundred_thousand_random_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
