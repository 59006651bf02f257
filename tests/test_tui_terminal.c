/* test_tui_terminal.c - the program in a real terminal: tmux holds it, keys go in, the screen comes out.
 *
 * Nothing sleeps for a guess: every expectation is polled until it holds or a deadline passes.
 */
#include "terminal_support.h"

static void it_starts_steps_pads_and_quits(void **state)
{
    struct terminal *t = *state;
    begin(t, 200, 60);
    start(t, "", "");
    expect(t, "32 lanes, 32 words, 1 bank: 32 wavefronts, one after another");
    expect(t, "7,000");
    expect(t, "╭─ 2 lanes: warp 0 load tile[threadIdx.x][j]");
    keys(t, "Right");
    expect(t, "access 66 of 128");
    keys(t, "Left");
    expect(t, "access 65 of 128");
    keys(t, "+");
    expect(t, "this access went from 32 to 1 wavefront");
    expect(t, "pitch 33");
    keys(t, "Down");
    expect(t, "wavefront 1 of 1");
    keys(t, "q");
    expect_restored(t, "code=0.");
    assert_null(strstr(t->screen, "totals"));
}

static void it_compares_and_resizes(void **state)
{
    struct terminal *t = *state;
    begin(t, 160, 50);
    start(t, "", "tui naive");
    expect(t, "naive.cu");
    keys(t, "c");
    expect(t, "tiled.cu");
    keys(t, "Home");
    expect(t, "Global load: 32 lanes");
    assert_int_equal(tmux(t, "resize-window -x 100 -y 30", NULL, 0), 0);
    expect(t, ">naive 100x70");
    expect(t, "tiled 100x70");
    assert_int_equal(tmux(t, "resize-window -x 60 -y 20", NULL, 0), 0);
    expect(t, "lanescope needs 80 x 24");
    assert_int_equal(tmux(t, "resize-window -x 80 -y 24", NULL, 0), 0);
    expect(t, "╭─ 1 naive.cu");
    expect(t, "q quit");
    for (int i = 0; i < 40; i++) { /* a storm */
        char size[64];
        (void)snprintf(size, sizeof size, "resize-window -x %d -y %d", 40 + i * 37 % 150, 10 + i * 23 % 60);
        assert_int_equal(tmux(t, size, NULL, 0), 0);
    }
    assert_int_equal(tmux(t, "resize-window -x 120 -y 40", NULL, 0), 0);
    expect(t, "whole launch, 12 blocks");
    keys(t, "q");
    expect_restored(t, "code=0.");
}

static void it_fits_80_by_24(void **state)
{
    struct terminal *t = *state;
    begin(t, 80, 24);
    start(t, "", "");
    expect(t, "╭─ 1 tiled.cu");
    expect(t, "╭─ 5 totals");
    expect(t, "╭─ 4 tile 32x32, pitch 32");
    expect(t, "1 bank: 32 wavefronts, one after another");
    expect(t, "? help  q quit");
    keys(t, "m");
    expect(t, "Predict: after how many steps is k * 32 mod 32 back at 0?");
    keys(t, "Escape");
    expect(t, "╭─ 5 totals");
    keys(t, "e");
    expect(t, "rows = 100_");
    keys(t, "C-u 0 Enter");
    expect(t, "rows is a number from 1");
    keys(t, "Escape");
    keys(t, "C-c");
    expect_restored(t, "code=130.");
}

static void it_speaks_ascii_and_needs_no_colour(void **state)
{
    struct terminal *t = *state;
    begin(t, 80, 24);
    start(t, "LC_ALL=C NO_COLOR=1", "");
    expect(t, "+- 1 tiled.cu ---");
    for (const char *c = t->screen; *c; c++)
        assert_true((unsigned char)*c < 0x80);
    char *colours = calloc(1, 65536);
    assert_non_null(colours);
    (void)tmux(t, "capture-pane -p -e", colours, 65536);
    for (const char *c = colours; (c = strstr(c, "\x1b[")) != NULL;
         c++) /* 39 and 49 are the terminal's own */
        assert_false((c[2] == '3' || c[2] == '4') && c[3] >= '0' && c[3] <= '8');
    free(colours);
    keys(t, "q");
    expect_restored(t, "code=0.");
    static const char *const terminals[] = {"TERM=vt100", "TERM=xterm", "TERM=screen",
                                            "TERM=screen-256color"};
    for (size_t i = 0; i < sizeof terminals / sizeof *terminals; i++) {
        start(t, terminals[i], "");
        expect(t, "1 bank: 32 wavefronts, one after another");
        keys(t, "q");
        expect_restored(t, "code=0.");
    }
    start(t, "TERM=dumb", "");
    expect(t, "limited by");
    start(t, "TERM=nonsense", "");
    expect(t, "the terminal type TERM=nonsense is not known here");
    keys(t, "-l 'echo code=$?.'");
    keys(t, "Enter");
    expect(t, "code=2.");
}

static void signals_leave_the_terminal_as_it_was(void **state)
{
    struct terminal *t = *state;
    static const struct {
        const char *kill, *code;
    } cases[] = {{"TERM", "code=143."}, {"INT", "code=130."}, {"HUP", "code=129."}};
    begin(t, 80, 24);
    for (size_t i = 0; i < 3; i++) {
        char pid[64], command[128];
        start(t, "", "");
        expect(t, "╭─ 5 totals");
        (void)tmux(t, "display-message -p '#{pane_pid}'", pid, sizeof pid);
        (void)snprintf(command, sizeof command, "kill -%s $(ps -o pid= --ppid %d)", cases[i].kill, atoi(pid));
        assert_int_equal(system(command), 0);
        expect_restored(t, cases[i].code);
    }
}

static void it_suspends_and_resumes(void **state)
{
    struct terminal *t = *state;
    begin(t, 80, 24);
    start(t, "", "");
    expect(t, "pitch 32");
    keys(t, "+");
    expect(t, "pitch 33");
    keys(t, "C-z");
    expect(t, "Stopped");
    keys(t, "fg Enter");
    expect(t, "╭─ 4 tile 32x32, pitch 33");
    keys(t, "-");
    expect(t, "╭─ 4 tile 32x32, pitch 32");
    keys(t, "q");
    expect_restored(t, "code=0.");
}

static void it_saves_the_screen(void **state)
{
    struct terminal *t = *state;
    char folder[] = "/tmp/lanescope-save-XXXXXX", command[256], text[256];
    assert_non_null(mkdtemp(folder));
    begin(t, 80, 24);
    start(t, "", "");
    expect(t, "╭─ 5 totals");
    keys(t, "s");
    expect(t, "save the screen as");
    (void)snprintf(text, sizeof text, "C-u '%s/a.svg' Enter", folder);
    keys(t, text);
    expect(t, "saved as");
    (void)snprintf(command, sizeof command, "grep -q '^</svg>' %s/a.svg", folder);
    assert_int_equal(system(command), 0);
    keys(t, "s");
    expect(t, "lanescope-2.svg_");
    keys(t, "C-u /nonexistent/x Enter");
    expect(t, "cannot be written");
    expect(t, "/nonexistent/x_"); /* to be mended */
    (void)snprintf(command, sizeof command, "echo mine >%s/k.cu", folder);
    assert_int_equal(system(command), 0);
    (void)snprintf(text, sizeof text, "C-u '%s/k.cu' Enter", folder);
    keys(t, text);
    expect(t, "exists already");
    (void)snprintf(command, sizeof command, "grep -qx mine %s/k.cu", folder);
    assert_int_equal(system(command), 0);
    keys(t, "Escape");
    expect(t, "q quit");
    keys(t, "q");
    expect_restored(t, "code=0.");
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

/* A line says that the first block runs until there is something to show. What the program wrote is kept by
 * the terminal in a file: on a fast machine the line is gone before anybody could look. */
static void a_slow_first_block_is_announced(void **state)
{
    struct terminal *t = *state;
    char path[] = "/tmp/lanescope-slow-XXXXXX.cu", log[] = "/tmp/lanescope-log-XXXXXX", text[256];
    static const char kernel[] = "// block: 32\n// grid: 1\n__global__ void k(float *out) {\n    int s = 0;\n"
                                 "    for (int i = 0; i < 100000; i++) s ^= i;\n"
                                 "    out[threadIdx.x + (s & 0)] = 0;\n}\n";
    int handle = mkstemps(path, 3), written = mkstemp(log);
    assert_true(handle >= 0 && written >= 0);
    assert_int_equal(write(handle, kernel, sizeof kernel - 1), sizeof kernel - 1);
    assert_int_equal(close(handle), 0);
    begin(t, 80, 24);
    (void)snprintf(text, sizeof text, "pipe-pane 'cat >>%s'", log);
    assert_int_equal(tmux(t, text, NULL, 0), 0);
    (void)snprintf(text, sizeof text, "tui %s -m 32 -n 1 --time-limit 0", path);
    start(t, "", text);
    expect(t, "Global store: 32 lanes");
    keys(t, "q");
    expect_restored(t, "code=0.");
    assert_null(strstr(t->screen, "running its first block"));
    (void)tmux(t, "pipe-pane", NULL, 0);
    (void)snprintf(text, sizeof text, "grep -q 'running its first block \\.\\.\\.' %s", log);
    int64_t end = now_ms() + DEADLINE_MS;
    while (system(text) != 0) {
        assert_true(now_ms() < end);
        pause_briefly();
    }
    assert_int_equal(close(written), 0);
    assert_int_equal(unlink(log), 0);
    assert_int_equal(unlink(path), 0);
}

static void a_large_matrix_answers_at_once(void **state)
{
    struct terminal *t = *state;
    begin(t, 200, 60);
    start(t, "", "tui naive -m 65536 -n 65536");
    expect(t, "whole launch, 4,194,304 blocks");
    expect(t, "correct (all blocks)");
    keys(t, "'g' 'b 2047,2047' Enter");
    expect(t, "block 2047,2047 so far");
    keys(t, "o");
    expect(t, "only blocks nearby were run");
    keys(t, "o");
    for (int i = 0; i < 3; i++) { /* large audits are begun, and given back */
        keys(t, "']'");
        expect(t, "naive-swap");
        keys(t, "'['");
        expect(t, "naive 65536x65536");
    }
    keys(t, "q");
    expect_restored(t, "code=0.");
}

static void a_grid_that_cuda_refuses_is_counted_and_said(void **state)
{
    struct terminal *t = *state;
    begin(t, 120, 40);
    start(t, "", "tui naive -m 500000003 -n 1000003");
    expect_words(
        t, "a grid is at most 2147483647 x 65535 x 65535 blocks, not 31251 x 15625001 x 1: CUDA refuses the "
           "launch; these are the numbers that it would have");
    expect(t, "whole launch, 488296906251 blocks");
    expect(t, "correct (all blocks)");
    keys(t, "'g' 'b 31250,15625000' Enter");
    expect(t, "block 31250,15625000");
    keys(t, "e C-u 1000 Enter"); /* rows: a grid that CUDA takes */
    expect(t, "naive 1000x1000003");
    assert_null(strstr(t->screen, "CUDA refuses"));
    keys(t, "q");
    expect_restored(t, "code=0.");
}

int main(void)
{
    if (!screen_exists()) {
        (void)puts("note: built without ncurses, nothing to test in a terminal");
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_starts_steps_pads_and_quits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_slow_first_block_is_announced, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_compares_and_resizes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_fits_80_by_24, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_speaks_ascii_and_needs_no_colour, set_up, tear_down),
        cmocka_unit_test_setup_teardown(signals_leave_the_terminal_as_it_was, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_suspends_and_resumes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_saves_the_screen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_large_matrix_answers_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_grid_that_cuda_refuses_is_counted_and_said, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
