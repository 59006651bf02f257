/* tui.c - the commands `tui` and `modular`: state, view and screen put together. */
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../sim/report/rung.h"
#include "../command.h"
#include "../operand.h"
#include "loop.h"
#include "modular.h"

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

/* A first block of many instructions takes seconds, and so does a compiler; until there is something to show,
 * a line says so. The terminal is still the shell's, so that Ctrl-C ends it. */
static bool begin_state(struct state *state, const struct state_start *start, struct problem *problem)
{
    (void)fputs("reading the kernel, running its first block ...", stdout);
    (void)fflush(stdout);
    bool ready = state_init(state, start, problem);
    (void)fputs("\r\033[K", stdout);
    (void)fflush(stdout);
    return ready;
}

/* What the text says, and no option would cure: that is mended in the text, which the UI watches. */
static bool is_of_the_text(const struct problem *problem, const struct text *text)
{
    if (!text->owned || problem->kind == PROBLEM_WORLD)
        return false;
    if (problem->file[0])
        return strcmp(problem->file, text->source.name) == 0;
    return problem->cure == PROBLEM_CURE_NONE && !problem->want_count;
}

/* On a screen, until the user quits. */
static int run_on_screen(struct loop *loop, struct state *state, bool color, const char *path,
                         struct problem *problem)
{
    struct screen *screen = screen_open(color, problem);
    int rows, cols;
    if (!screen)
        return screen_exists() ? EXIT_TROUBLE : EXIT_ABSENT;
    screen_size(screen, &rows, &cols);
    state->ascii = !screen_is_utf8(screen);
    state->light = is_light();
    screen_set_light(screen, state->light);
    state_resize(state, rows, cols);
    loop_run(loop, screen, state, path);
    return finish(screen);
}

int command_tui(const struct options *options, FILE *out, struct problem *problem)
{
    const char *name = options->operand_count ? options->operands[0] : "tiled";
    struct text text;
    struct state state;
    struct loop loop;
    struct scenario_options sessions = options->scenario;
    int code = EXIT_TROUBLE;
    if (!is_interactive())
        return command_ladder(options, out, problem);
    if (!operand_open(&text, name, problem))
        return EXIT_TROUBLE;
    struct state_start start = {name,        &text.source, !rung_find(name), &sessions, LAYOUT_ROWS,
                                LAYOUT_COLS, false};
    sessions.any_grid = true; /* the state says that CUDA refuses it */
    loop_begin(&loop, sessions.watch);
    sessions.watch = &loop.background.watch;
    bool ready = begin_state(&state, &start, problem);
    if (!ready && is_of_the_text(problem, &text)) {
        state_init_broken(&state, &start, problem);
        *problem = (struct problem){0};
        ready = true;
    }
    if (ready)
        code = run_on_screen(&loop, &state, options->color, text.owned ? name : NULL, problem);
    loop_end(&loop);
    if (ready)
        state_free(&state);
    live_end(&loop.live);
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
    struct loop loop;
    loop_begin(&loop, NULL);
    loop_run(&loop, screen, &state, NULL);
    loop_end(&loop);
    state_free(&state);
    return finish(screen);
}
