/* test_tui_manners.c - what terminals send beside characters: unknown sequences, pasted text, the mouse; and
 * a storm of all of it in a real terminal. */
#include "terminal_support.h"

#include "../src/tui/escape.h"
#include "../src/tui/panes.h"
#include "../src/tui/pointer.h"

#define PLAIN ((struct scenario_options){0})

struct feed {
    const unsigned char *bytes;
    size_t size, at;
};

static int next_of(void *self)
{
    struct feed *feed = self;
    return feed->at < feed->size ? feed->bytes[feed->at++] : -1;
}

static void back_of(void *self, int byte)
{
    struct feed *feed = self;
    assert_true(feed->at > 0 && feed->bytes[feed->at - 1] == byte);
    feed->at--;
}

/* Reads what follows an ESC; `left` bytes of it must be left over. */
static int read_escape(const char *text, size_t left, struct pointer_event *event)
{
    struct feed feed = {(const unsigned char *)text, strlen(text), 0};
    const struct escape_bytes bytes = {&feed, next_of, back_of};
    int key = escape_read(&bytes, event);
    if (feed.size - feed.at != left)
        fail_msg("%s: %zu bytes are left, not %zu", text, feed.size - feed.at, left);
    return key;
}

static void sequences_are_read_to_their_end(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int key;
        size_t left;
    } cases[] = {
        {"", PRESS_ESCAPE, 0},
        {"\x1b", PRESS_ESCAPE, 1},
        {"[A", PRESS_UP, 0},
        {"OB", PRESS_DOWN, 0},
        {"[C", PRESS_RIGHT, 0},
        {"[Dx", PRESS_LEFT, 1},
        {"[H", PRESS_HOME, 0},
        {"[F", PRESS_END, 0},
        {"OH", PRESS_HOME, 0},
        {"OF", PRESS_END, 0},
        {"[1~", PRESS_HOME, 0},
        {"[4~", PRESS_END, 0},
        {"[7~", PRESS_HOME, 0},
        {"[8~", PRESS_END, 0},
        {"[5~", PRESS_PAGE_UP, 0},
        {"[6~", PRESS_PAGE_DOWN, 0},
        {"[Z", PRESS_BACK_TAB, 0},
        {"[200~", ESCAPE_PASTE_BEGIN, 0},
        {"[201~", ESCAPE_PASTE_END, 0},
        /* what means nothing here */
        {"[", ESCAPE_UNKNOWN, 0},
        {"[1;5C", ESCAPE_UNKNOWN, 0},
        {"[1;2A", ESCAPE_UNKNOWN, 0},
        {"[5;5~", ESCAPE_UNKNOWN, 0},
        {"[3~", ESCAPE_UNKNOWN, 0},
        {"[15~", ESCAPE_UNKNOWN, 0},
        {"[[A", ESCAPE_UNKNOWN, 0},
        {"[?1;2c", ESCAPE_UNKNOWN, 0},
        {"[38;5;1m", ESCAPE_UNKNOWN, 0},
        {"[99999999999999999999~", ESCAPE_UNKNOWN, 0},
        {"[1;2;3;4;5;6;7;8;9~q", ESCAPE_UNKNOWN, 1},
        {"[M !!q", ESCAPE_UNKNOWN, 1},
        {"OPq", ESCAPE_UNKNOWN, 1},
        {"x", ESCAPE_UNKNOWN, 0},
        {"[12\x1b[A", ESCAPE_UNKNOWN, 3},
    };
    struct pointer_event event;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int key = read_escape(cases[i].text, cases[i].left, &event);
        if (key != cases[i].key)
            fail_msg("ESC %s is %x, not %x", cases[i].text, (unsigned)key, (unsigned)cases[i].key);
    }
}

static void mouse_reports(void **state)
{
    (void)state;
    struct pointer_event event;
    assert_int_equal(read_escape("[<0;12;34M", 0, &event), PRESS_POINTER);
    assert_int_equal(event.what, POINTER_CLICK);
    assert_int_equal(event.col, 11);
    assert_int_equal(event.row, 33);
    assert_int_equal(read_escape("[<64;1;1M", 0, &event), PRESS_POINTER);
    assert_int_equal(event.what, POINTER_WHEEL_UP);
    assert_int_equal(read_escape("[<65;1;1M", 0, &event), PRESS_POINTER);
    assert_int_equal(event.what, POINTER_WHEEL_DOWN);
    static const char *const others[] = {"[<0;12;34m", "[<2;1;1M", "[<0;0;1M", "[<0;1M", "[<35;9;9M"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(read_escape(others[i], 0, &event), ESCAPE_UNKNOWN);
}

/* Bytes at random: no sequence reads further than 67 bytes or leaves the feed. */
static void no_bytes_confuse_it(void **state)
{
    (void)state;
    struct random random = {11};
    for (int i = 0; i < 200000; i++) {
        unsigned char bytes[80];
        size_t size = random_below(&random, sizeof bytes);
        for (size_t b = 0; b < size; b++)
            bytes[b] = random_below(&random, 2)
                           ? (unsigned char)"[<0123456789;M~OmA\x1b"[random_below(&random, 19)]
                           : (unsigned char)random_below(&random, 256);
        struct feed feed = {bytes, size, 0};
        const struct escape_bytes reader = {&feed, next_of, back_of};
        struct pointer_event event = {POINTER_CLICK, 0, 0};
        int key = escape_read(&reader, &event);
        assert_true(feed.at <= size && event.row >= -1 && event.col >= -1);
        assert_true(key < 0 || key == PRESS_ESCAPE || key >= PRESS_LEFT);
    }
}

static void paste(struct state *s, const char *text)
{
    for (; *text; text++)
        input_key(s, (unsigned char)*text | PRESS_PASTED);
}

static void pasted_text_is_no_command(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "tiled", PLAIN, 24, 80);
    size_t at = s.side[0].at;
    paste(&s, "q]++cs\nlanescope.svg\n!HPm\x1b");
    assert_false(s.quit);
    assert_int_equal(s.side[0].at, at);
    assert_int_equal(s.sides, 1);
    assert_int_equal(s.view, VIEW_PANES);
    assert_int_equal(s.save_path[0], '\0');
    assert_string_equal(s.side[0].session->name, "tiled");
    press(&s, "g"); /* where text is typed it is text, without its Enter */
    paste(&s, "b 1,1\n");
    assert_int_equal(s.prompt, PROMPT_JUMP);
    assert_string_equal(s.typed, "b 1,1");
    press(&s, "<Enter>");
    assert_int_equal(s.side[0].session->trace.block[0], 1);
    state_free(&s);
}

static void act(struct state *s, int what, int row, int col)
{
    const struct pointer_event event = {(enum pointer_what)what, row, col};
    pointer_act(s, &event);
    assert_true(state_is_sound(s));
}

/* Where a text stands on the screen. */
static void find_text(const struct state *s, const char *text, int *row, int *col)
{
    struct canvas canvas;
    canvas_init(&canvas, s->rows, s->cols, true);
    view_draw(&canvas, s);
    int length = (int)strlen(text);
    for (*row = 0; *row < s->rows; (*row)++)
        for (*col = 0; *col + length <= s->cols; (*col)++) {
            int i = 0;
            while (i < length &&
                   canvas_at(&canvas, *row, *col + i)->glyph == (uint32_t)(unsigned char)text[i])
                i++;
            if (i == length) {
                canvas_free(&canvas);
                return;
            }
        }
    fail_msg("\"%s\" is not on the screen", text);
}

/* naive and tiled have other accesses: a place of one is none of the other. */
static void the_way_back_leads_to_the_side_that_jumped(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "tiled", PLAIN, 40, 160);
    press(&s, "c");
    assert_int_equal(s.active, 0);
    size_t before = s.side[0].at;
    press(&s, "gwarp 3 site 0<Enter>");
    size_t after = s.side[0].at;
    assert_int_not_equal(after, before);
    press(&s, "x");
    assert_int_equal(s.active, 1);
    press(&s, "<Back>");
    assert_int_equal(s.active, 0);
    assert_int_equal(s.side[0].at, before);
    press(&s, "gsite 0<Enter>xc<Back>"); /* that side is closed: nothing to go back to */
    assert_int_equal(s.sides, 1);
    assert_shows(&s, "this is where the jumps began");
    assert_true(state_is_sound(&s));
    state_free(&s);
}

static void clicks_choose_what_they_hit(void **state)
{
    (void)state;
    struct state s;
    int row = 0, col = 0;
    open_state(&s, "tiled", PLAIN, 40, 120);
    press(&s, "2");
    const struct rect *lanes = &s.layout.pane[0][PANE_LANES];
    act(&s, POINTER_CLICK, lanes->row + 2 + 7, lanes->col + 4);
    assert_int_equal(s.side[0].lane, 7);
    act(&s, POINTER_CLICK, lanes->row + 2 + 3, lanes->col + lanes->cols / 2 + 6);
    assert_int_equal(s.side[0].lane, 16 + 3);
    find_text(&s, "33 ", &row, &col); /* the line of the loads and of the tile's stores */
    act(&s, POINTER_CLICK, row, col);
    assert_int_equal(s.focus, PANE_SOURCE);
    assert_int_equal(side_access(&s.side[0])->access.site->line, 33);
    press(&s, "<Back>"); /* a jump like any other */
    assert_int_equal(side_access(&s.side[0])->access.site->line, 43);
    press(&s, "4");
    const struct rect *tile = &s.layout.pane[0][PANE_TILE];
    act(&s, POINTER_CLICK, tile->row + 2 + 9, tile->col + 1 + 4); /* tile[9][0]: lane 9 reads it */
    assert_int_equal(s.side[0].lane, 9);
    press(&s, "o");
    finish_work(&s);
    act(&s, POINTER_CLICK, s.layout.body.row + 2 + 6, s.layout.body.col + 1 + 6 + 2 * 3);
    assert_int_equal(s.cursor_row, 6);
    assert_int_equal(s.cursor_col, 3);
    assert_shows(&s, "(6,3) <- block 0,0 warp 6 lane 3, line 43 <- tile[3][6] <- in(3,6)");
    press(&s, "<Esc>H");
    act(&s, POINTER_CLICK, s.layout.body.row + 2 + 5, 10);
    assert_int_equal(s.chosen, 5);
    act(&s, POINTER_CLICK, s.layout.body.row + 2 + 5, 10); /* again: go there */
    assert_int_equal(s.view, VIEW_PANES);
    state_free(&s);
}

static void the_wheel_moves_what_it_is_over(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "tiled", PLAIN, 24, 80);
    const struct rect tile = s.layout.pane[0][PANE_TILE];
    act(&s, POINTER_WHEEL_DOWN, tile.row + 3, tile.col + 3);
    assert_shows(&s, "rows 8-");
    act(&s, POINTER_WHEEL_UP, tile.row + 3, tile.col + 3);
    assert_shows(&s, "rows 0-");
    press(&s, "?");
    act(&s, POINTER_WHEEL_DOWN, 10, 10);
    assert_shows(&s, "lines 9-");
    for (int row = -1; row < 30; row += 5) /* anywhere, in any view */
        for (int col = -1; col < 90; col += 7)
            for (int what = POINTER_CLICK; what <= POINTER_WHEEL_DOWN; what++)
                for (const char *view = "?Gm!HPo0c"; *view; view++) {
                    input_key(&s, *view);
                    act(&s, what, row, col);
                    press(&s, "<Esc>");
                }
    state_free(&s);
}

static void words_are_found(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "tiled", PLAIN, 24, 80);
    press(&s, "/syncthreads<Enter>");
    assert_int_equal(s.found_line, 36);
    assert_shows(&s, "__syncthreads()");
    press(&s, "/OX<Enter>"); /* capitals do not matter */
    assert_int_equal(s.found_line, 38);
    press(&s, "f");
    assert_int_equal(s.found_line, 42);
    press(&s, "F");
    assert_int_equal(s.found_line, 38);
    press(&s, "/nowhere at all<Enter>");
    assert_shows(&s, "'nowhere at all' is nowhere here");
    press(&s, "<Esc>?/pitch one narrower<Enter>");
    assert_shows(&s, "pitch one narrower");
    press(&s, "G/swizzle<Enter>");
    assert_shows(&s, "the column changed by the row");
    press(&s, "<Esc>");
    assert_int_equal(s.view, VIEW_PANES);
    state_free(&s);
}

/* No line of the help or of the words is cut at 80 columns. */
static void lines_fit_the_smallest_screen(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "tiled", PLAIN, 90, 80);
    press(&s, "G");
    for (int i = 0; i < pane_lines(&s); i++) {
        char text[200];
        pane_line(&s, i, text, sizeof text);
        size_t word = strlen(text); /* the last words of the line are there */
        while (word > 0 && strlen(text) - word < 20)
            word--;
        assert_shows(&s, text + word);
    }
    state_free(&s);
}

static void a_long_line_is_moved_into_sight(void **state)
{
    (void)state;
    struct state s;
    open_state(&s, "tiled", PLAIN, 24, 80);
    press(&s, "0");
    assert_hides(&s, "blockIdx.x * TIL");
    press(&s, "/const int oy<Enter>)");
    assert_shows(&s, "onst int oy = blockIdx.x * TIL");
    press(&s, "(");
    assert_int_equal(s.shift, 0);
    state_free(&s);
}

static void in_a_terminal_unknown_sequences_do_nothing(void **state)
{
    struct terminal *t = *state;
    static const char *const terminals[] = {"", "TERM=screen", "TERM=xterm-256color"};
    begin(t, 120, 40);
    for (size_t i = 0; i < sizeof terminals / sizeof *terminals; i++) {
        start(t, terminals[i], "tui tiled");
        expect(t, "access 65/128");
        expect(t, "(all blocks)");
        keys(t, "-H 1b 5b 31 3b 35 43"); /* Ctrl-Right */
        keys(t, "-H 1b 5b 31 35 7e");    /* F5 */
        keys(t, "-H 1b 4f 51");          /* F2 */
        keys(t, "-H 1b 5b 5b 41");
        keys(t, "-H 1b 5d");                                                 /* Alt-] */
        keys(t, "-H 1b 5b 32 30 30 7e 71 5d 5d 73 0d 0d 1b 5b 32 30 31 7e"); /* q]]s and Enters, pasted */
        keys(t, "Right");
        expect(t, "access 66/128");
        expect(t, "tiled 100x70");
        keys(t, "-H 1b 5b 48"); /* Home */
        expect(t, "access 1/128");
        keys(t, "-H 1b 5b 34 7e"); /* End */
        expect(t, "access 65/128");
        keys(t, "Home");
        expect(t, "access 1/128");
        keys(t, "End");
        expect(t, "access 65/128");
        keys(t, "-H 1b 5b 3c 30 3b 36 36 3b 39 4d"); /* a click on a row of the tile */
        expect(t, "lane 4  ");
        keys(t, "q");
        expect_restored(t, "code=0.");
    }
}

static void light_backgrounds(void **state)
{
    struct terminal *t = *state;
    char *colours = calloc(1, 65536);
    begin(t, 80, 24);
    start(t, "TERM=xterm-256color", "tui tiled");
    expect(t, "(all blocks)");
    keys(t, "L");
    expect(t, "colours for a light background");
    (void)tmux(t, "capture-pane -p -e", colours, 65536);
    assert_non_null(strstr(colours, "38;5;25m")); /* a title's blue, dark on light */
    keys(t, "L");
    expect(t, "colours for a dark background");
    (void)tmux(t, "capture-pane -p -e", colours, 65536);
    assert_null(strstr(colours, "38;5;25m"));
    keys(t, "q");
    expect_restored(t, "code=0.");
    free(colours);
}

static void add_bytes(char *out, size_t size, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t used = strlen(out);
        (void)snprintf(out + used, size - used, " %02x", (unsigned)(unsigned char)bytes[i]);
    }
}

/* One key, sequence or paste. Left out: keys that end or suspend the program, and those that ask for the
 * name of a file to write. */
static void add_random(struct random *random, char *out, size_t size)
{
    static const char *const sequences[] = {
        "\x1b[A",         "\x1b[B",        "\x1b[C",         "\x1b[D",   "\x1b[5~", "\x1b[6~",
        "\x1b[H",         "\x1b[F",        "\x1b[1;5C",      "\x1b[15~", "\x1bOQ",  "\x1b[<0;30;9M",
        "\x1b[<0;70;12M", "\x1b[<64;9;9M", "\x1b[<65;70;9M", "\x1b[Z"};
    uint32_t dice = random_below(random, 100);
    if (dice < 30) {
        const char *sequence = sequences[random_below(random, sizeof sequences / sizeof *sequences)];
        add_bytes(out, size, sequence, strlen(sequence));
    } else if (dice < 33) {
        static const char pasted[] = "\x1b[200~qQs\nlanescope.svg\nsx\n\x1b[201~";
        add_bytes(out, size, pasted, sizeof pasted - 1 - (dice == 32)); /* one has no end */
    } else {
        char key;
        do
            key = (char)(dice < 40 ? "\t\r\x7f\x15\x0c"[random_below(random, 5)]
                                   : ' ' + (char)random_below(random, 95));
        while (strchr("qQsSEe", key));
        add_bytes(out, size, &key, 1);
    }
}

static void a_storm_of_keys_pastes_and_resizes(void **state)
{
    struct terminal *t = *state;
    enum { ROUNDS = 100, KEYS = 100 };
    struct random random = {seed_or(20261201)};
    char folder[] = "/tmp/lanescope-storm-XXXXXX", text[512];
    static char arguments[16384], command[20000];
    assert_non_null(mkdtemp(folder));
    char *path = realpath(program(), NULL); /* the program starts in another folder */
    assert_non_null(path);
    begin(t, 120, 40);
    int length = snprintf(text, sizeof text, "-l 'cd %s; clear; %s tui tiled -m 40 -n 33'", folder, path);
    free(path);
    assert_in_range(length, 1, sizeof text - 1);
    keys(t, text);
    keys(t, "Enter");
    expect(t, "(all blocks)");
    for (int round = 0; round < ROUNDS; round++) {
        (void)snprintf(arguments, sizeof arguments, "send-keys -H");
        for (int i = 0; i < KEYS; i++)
            add_random(&random, arguments, sizeof arguments);
        (void)snprintf(command, sizeof command, "tmux -L %s -f /dev/null %s 2>/dev/null", t->socket,
                       arguments);
        assert_int_equal(system(command), 0);
        if (round % 5 == 0) {
            (void)snprintf(text, sizeof text, "resize-window -x %u -y %u", 30 + random_below(&random, 170),
                           8 + random_below(&random, 60));
            assert_int_equal(tmux(t, text, NULL, 0), 0);
        }
    }
    assert_int_equal(tmux(t, "resize-window -x 120 -y 40", NULL, 0), 0);
    int64_t end = now_ms() + DEADLINE_MS;
    do { /* out of a prompt, of a view, of a page */
        keys(t, "Escape");
        pause_briefly();
        capture(t);
    } while (!strstr(t->screen, "q quit") && now_ms() < end);
    expect(t, "q quit");
    keys(t, "C-c");
    expect_restored(t, "code=130.");
    keys(t, "-l 'cd /'");
    keys(t, "Enter");
    assert_int_equal(rmdir(folder), 0); /* nothing was left there */
}

int main(void)
{
    const struct CMUnitTest pure[] = {
        cmocka_unit_test(sequences_are_read_to_their_end),
        cmocka_unit_test(mouse_reports),
        cmocka_unit_test(no_bytes_confuse_it),
        cmocka_unit_test(pasted_text_is_no_command),
        cmocka_unit_test(the_way_back_leads_to_the_side_that_jumped),
        cmocka_unit_test(clicks_choose_what_they_hit),
        cmocka_unit_test(the_wheel_moves_what_it_is_over),
        cmocka_unit_test(words_are_found),
        cmocka_unit_test(lines_fit_the_smallest_screen),
        cmocka_unit_test(a_long_line_is_moved_into_sight),
    };
    const struct CMUnitTest in_a_terminal[] = {
        cmocka_unit_test_setup_teardown(in_a_terminal_unknown_sequences_do_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(light_backgrounds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_storm_of_keys_pastes_and_resizes, set_up, tear_down),
    };
    int failed = cmocka_run_group_tests(pure, NULL, NULL);
    if (!screen_exists()) {
        (void)puts("note: built without ncurses, nothing to test in a terminal");
        return failed;
    }
    return failed + cmocka_run_group_tests(in_a_terminal, NULL, NULL);
}
