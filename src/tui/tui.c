/* tui.c - the commands `tui` and `modular`: state, view and screen put together. */
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../sim/report/rung.h"
#include "../command.h"
#include "../operand.h"
#include "input.h"
#include "keys.h"
#include "live.h"
#include "play.h"
#include "pointer.h"
#include "prompt.h"
#include "save.h"
#include "screen.h"
#include "view.h"

#define NOT_A_FILE "this kernel is built in; lanescope tui FILE.cu opens a file that can be edited"

enum { PROGRESS_MS = 80 }; /* how often counting in the background shows */

static int64_t now_ms(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void show(struct screen *screen, struct canvas *canvas, const struct state *state)
{
    if (canvas->rows != state->rows || canvas->cols != state->cols) {
        canvas_free(canvas);
        canvas_init(canvas, state->rows, state->cols, state->ascii);
    }
    view_draw(canvas, state);
    screen_show(screen, canvas);
}

static void save(struct canvas *canvas, struct state *state)
{
    struct problem problem = {0};
    char text[PROMPT_SIZE + 20];
    view_draw(canvas, state);
    canvas->rows--; /* without the keys */
    bool ok = save_file(canvas, state->save_path, &problem);
    canvas->rows++;
    (void)snprintf(text, sizeof text, "saved as %s", state->save_path);
    state_say(state, !ok, ok ? text : problem.message);
    state->saves += ok;
    if (!ok) /* to be mended */
        prompt_begin(state, PROMPT_SAVE, state->save_path);
    state->save_path[0] = '\0';
}

/* Returns false when the session ends. */
static bool take_key(struct screen *screen, struct state *state, int key)
{
    int rows, cols;
    if (key == SCREEN_STOPPED)
        return false;
    if (key == SCREEN_RESIZED) {
        screen_size(screen, &rows, &cols);
        state_resize(state, rows, cols);
    } else if (key == PRESS_POINTER) {
        const struct pointer_event event = screen_pointer(screen);
        pointer_act(state, &event);
    } else {
        input_key(state, key);
    }
    screen_set_light(screen, state->light);
    return !state->quit;
}

/* How long to wait for a key: not at all while there is work, else until the next step or the next look at
 * the file; -1: for ever. */
static int patience_for(const struct state *state, const struct live *live, bool working, int64_t tick)
{
    int every = play_tick_ms(state);
    int64_t left = every < 0 ? -1 : tick + every - now_ms();
    if (working || (every >= 0 && left < 0))
        return 0;
    return live->path && (left < 0 || left > LIVE_MS) ? LIVE_MS : (int)left;
}

/* What a key asked for that is not the state's: files and other programs. */
static void serve(struct screen *screen, struct canvas *canvas, struct state *state, struct live *live)
{
    if (state->save_path[0])
        save(canvas, state);
    if (state->wants_editor && live->path)
        live_edit(live, screen, state);
    else if (state->wants_editor)
        state_say(state, true, NOT_A_FILE);
    state->wants_editor = false;
}

/* Keys first, then the clock, then the file, then what can wait. */
static void loop(struct screen *screen, struct state *state, struct live *live)
{
    struct canvas canvas = {0};
    bool working = true, stale = true;
    int64_t shown = 0, looked = now_ms(), tick = now_ms();
    for (;;) {
        if (stale) {
            show(screen, &canvas, state);
            shown = now_ms();
            stale = false;
        }
        int every = play_tick_ms(state);
        int key = screen_key(screen, patience_for(state, live, working, tick));
        if (key != SCREEN_NOTHING) {
            if (!take_key(screen, state, key))
                break;
            serve(screen, &canvas, state, live);
            if (every < 0)
                tick = now_ms();
            working = stale = true;
        } else if (every >= 0 && now_ms() >= tick + every) {
            play_tick(state);
            tick = now_ms();
            working = stale = true;
        } else if (live->path && now_ms() >= looked + LIVE_MS) {
            bool fresh = live_look(live, state);
            looked = now_ms();
            working = working || fresh;
            stale = stale || fresh;
        } else if (working) {
            working = state_work(state);
            stale = !working || now_ms() - shown >= PROGRESS_MS;
        }
    }
    canvas_free(&canvas);
}

/* A session ended by a signal ends the way that signal ends a program. */
static int finish(struct screen *screen)
{
    int number = screen_close(screen);
    if (number) {
        (void)signal(number, SIG_DFL);
        (void)raise(number);
    }
    return EXIT_FINE;
}

/* A person at a terminal that can place a cursor. */
static bool is_interactive(void)
{
    const char *term = getenv("TERM");
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !(term && strcmp(term, "dumb") == 0);
}

/* Terminals that say so: COLORFGBG=0;15. */
static bool is_light(void)
{
    const char *colors = getenv("COLORFGBG"), *last = colors ? strrchr(colors, ';') : NULL;
    return last && (strcmp(last, ";7") == 0 || strcmp(last, ";15") == 0);
}

/* A first block of many instructions takes seconds; until there is something to show, a line says so. The
 * terminal is still the shell's, so that Ctrl-C ends it. */
static bool begin_state(struct state *state, const struct state_start *start, struct problem *problem)
{
    (void)fputs("running the first block ...", stdout);
    (void)fflush(stdout);
    bool ready = state_init(state, start, problem);
    (void)fputs("\r\033[K", stdout);
    (void)fflush(stdout);
    return ready;
}

int command_tui(const struct options *options, FILE *out, struct problem *problem)
{
    const char *name = options->operand_count ? options->operands[0] : "tiled";
    struct text text;
    struct state state;
    struct live live = {.path = NULL};
    int code = EXIT_TROUBLE;
    if (!is_interactive())
        return command_ladder(options, out, problem);
    if (!operand_open(&text, name, problem))
        return EXIT_TROUBLE;
    struct state_start start = {name,        &text.source, !rung_find(name), &options->scenario, LAYOUT_ROWS,
                                LAYOUT_COLS, false};
    if (begin_state(&state, &start, problem)) {
        struct screen *screen = screen_open(options->color, problem);
        code = screen_exists() ? EXIT_TROUBLE : EXIT_ABSENT;
        if (screen) {
            int rows, cols;
            screen_size(screen, &rows, &cols);
            state.ascii = !screen_is_utf8(screen);
            state.light = is_light();
            screen_set_light(screen, state.light);
            state_resize(&state, rows, cols);
            live_begin(&live, text.owned ? name : NULL);
            loop(screen, &state, &live);
            code = finish(screen);
        }
        state_free(&state);
    }
    live_end(&live);
    text_close(&text);
    return code;
}

static void print_residues(unsigned modulus, unsigned stride, FILE *out)
{
    unsigned period = lab_period(modulus, stride);
    (void)fprintf(out, "m = %u, a = %u: period %u = m / gcd(a, m)\nk * a mod m:", modulus, stride, period);
    for (unsigned k = 0; k < period; k++)
        (void)fprintf(out, " %u", k * stride % modulus);
    (void)fputc('\n', out);
}

static void print_residue_rows(const struct options *o, FILE *out)
{
    static const struct column columns[] = {
        {"modulus", NULL}, {"stride", NULL}, {"period", NULL}, {"k", NULL}, {"residue", NULL}};
    struct stream stream;
    unsigned period = lab_period(o->modulus, o->stride);
    stream_begin(&stream, o->format, columns, 5, out);
    for (unsigned k = 0; k < period; k++) {
        const unsigned cells[] = {o->modulus, o->stride, period, k, k * o->stride % o->modulus};
        for (unsigned i = 0; i < 5; i++)
            stream_count(&stream, cells[i]);
    }
    stream_finish(&stream);
}

int command_modular(const struct options *options, FILE *out, struct problem *problem)
{
    if (options->format != FORMAT_TEXT) {
        print_residue_rows(options, out);
        return EXIT_FINE;
    }
    if (options->output || !is_interactive()) {
        print_residues(options->modulus, options->stride, out);
        return EXIT_FINE;
    }
    struct screen *screen = screen_open(options->color, problem);
    struct state state;
    int rows, cols;
    if (!screen)
        return screen_exists() ? EXIT_TROUBLE : EXIT_ABSENT;
    screen_size(screen, &rows, &cols);
    state_init_lab(&state, options->modulus, options->stride, rows, cols, !screen_is_utf8(screen));
    struct live live = {.path = NULL};
    loop(screen, &state, &live);
    state_free(&state);
    return finish(screen);
}
