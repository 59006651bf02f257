/* screen_curses.c - the terminal through ncurses; nothing else includes it. */
#define NCURSES_WIDECHAR 1
#include <curses.h>

#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

#include "../../base/arena.h"
#include "keys.h"
#include "screen.h"

#include <term.h> /* last: it calls common words macros */

/* The one thing that a signal may touch. */
static volatile sig_atomic_t stopped_by;

enum { STOPPERS = 4, DEAF_LIMIT = 64 };
static const int stoppers[STOPPERS] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

struct screen {
    SCREEN *terminal;
    int colors; /* of the palette */
    bool utf8;
    struct cell *shown; /* rows x cols; NULL: nothing yet */
    int rows, cols;
    unsigned deaf;    /* times in a row that input was promised and did not come */
    sigset_t waiting; /* signals let through while waiting */
    sigset_t mask_before;
    struct sigaction before[STOPPERS];
};

static void stop(int number)
{
    stopped_by = number;
}

bool screen_exists(void)
{
    return true;
}

/* A signal is only taken while screen_key() waits, so that none falls between looking and sleeping. */
static void take_signals(struct screen *screen)
{
    struct sigaction action = {.sa_handler = stop};
    sigset_t held;
    sigemptyset(&action.sa_mask);
    sigemptyset(&held);
    for (int i = 0; i < STOPPERS; i++) {
        sigaction(stoppers[i], &action, &screen->before[i]);
        if (screen->before[i].sa_handler == SIG_IGN)
            sigaction(stoppers[i], &screen->before[i], NULL);
        sigaddset(&held, stoppers[i]);
    }
    sigaddset(&held, SIGWINCH);
    sigprocmask(SIG_BLOCK, &held, &screen->mask_before);
    screen->waiting = screen->mask_before;
    for (int i = 0; i < STOPPERS; i++)
        sigdelset(&screen->waiting, stoppers[i]);
    sigdelset(&screen->waiting, SIGWINCH);
}

static void set_colors(struct screen *screen, bool color)
{
    if (!color || !has_colors() || start_color() == ERR)
        return;
    bool own = use_default_colors() == OK;
    screen->colors = COLORS >= 256 ? 256 : COLORS >= 16 ? 16 : COLORS >= 8 ? 8 : 0;
    if (COLOR_PAIRS <= STYLE_COUNT)
        screen->colors = 0;
    for (int style = 0; screen->colors && style < STYLE_COUNT; style++) {
        struct look look = palette_look((enum style)style, screen->colors);
        short ink = look.ink < 0 && !own ? COLOR_WHITE : look.ink;
        init_pair((short)(style + 1), ink, look.paper < 0 && !own ? COLOR_BLACK : look.paper);
    }
}

struct screen *screen_open(bool color, struct problem *problem)
{
    const char *term = getenv("TERM");
    struct screen *screen = memory_take(1, sizeof *screen);
    stopped_by = 0;
    (void)setlocale(LC_CTYPE, "");
    screen->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    take_signals(screen);
    /* newterm() does not give back all that it took when it fails: ask first */
    int known = 0;
    if (setupterm(NULL, fileno(stdout), &known) == OK) {
        (void)del_curterm(cur_term);
        screen->terminal = newterm(NULL, stdout, stdin);
    }
    if (!screen->terminal) {
        sigprocmask(SIG_SETMASK, &screen->mask_before, NULL);
        free(screen);
        problem_say(problem,
                    "the terminal type TERM=%s is not known here; try TERM=xterm, or lanescope ladder",
                    term ? term : "");
        return NULL;
    }
    (void)cbreak();
    (void)noecho();
    (void)nonl();
    (void)keypad(stdscr, TRUE);
    (void)nodelay(stdscr, TRUE);
    (void)intrflush(stdscr, FALSE);
    (void)leaveok(stdscr, TRUE);
    (void)set_escdelay(25);
    (void)curs_set(0);
    set_colors(screen, color);
    return screen;
}

int screen_close(struct screen *screen)
{
    if (!screen)
        return 0;
    int number = stopped_by;
    (void)curs_set(1);
    (void)endwin();
    delscreen(screen->terminal);
    for (int i = 0; i < STOPPERS; i++)
        sigaction(stoppers[i], &screen->before[i], NULL);
    sigprocmask(SIG_SETMASK, &screen->mask_before, NULL);
    free(screen->shown);
    free(screen);
    return number;
}

void screen_size(const struct screen *screen, int *rows, int *cols)
{
    (void)screen;
    *rows = LINES;
    *cols = COLS;
}

bool screen_is_utf8(const struct screen *screen)
{
    return screen->utf8;
}

static int translate(int key)
{
    static const struct {
        int curses, press;
    } keys[] = {
        {KEY_LEFT, PRESS_LEFT},     {KEY_RIGHT, PRESS_RIGHT},
        {KEY_UP, PRESS_UP},         {KEY_DOWN, PRESS_DOWN},
        {KEY_HOME, PRESS_HOME},     {KEY_END, PRESS_END},
        {KEY_PPAGE, PRESS_PAGE_UP}, {KEY_NPAGE, PRESS_PAGE_DOWN},
        {KEY_BTAB, PRESS_BACK_TAB}, {KEY_BACKSPACE, PRESS_BACKSPACE},
        {KEY_ENTER, PRESS_ENTER},   {'\r', PRESS_ENTER},
        {8, PRESS_BACKSPACE},       {KEY_RESIZE, SCREEN_RESIZED},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].curses == key)
            return keys[i].press;
    return key;
}

/* What is there already, or SCREEN_NOTHING. */
static int take_key(struct screen *screen)
{
    int key = getch();
    if (key == ERR)
        return SCREEN_NOTHING;
    screen->deaf = 0;
    if (key == 12) { /* Ctrl-L: somebody wrote over the screen */
        (void)clearok(curscr, TRUE);
        free(screen->shown);
        screen->shown = NULL;
        return SCREEN_RESIZED;
    }
    return translate(key);
}

int screen_key(struct screen *screen, int ms)
{
    int key = take_key(screen);
    if (key != SCREEN_NOTHING)
        return key;
    fd_set input;
    FD_ZERO(&input);
    FD_SET(STDIN_FILENO, &input);
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
    int ready = pselect(STDIN_FILENO + 1, &input, NULL, NULL, ms < 0 ? NULL : &time, &screen->waiting);
    if (stopped_by)
        return SCREEN_STOPPED;
    key = take_key(screen);
    if (key == SCREEN_NOTHING && ready > 0 && ++screen->deaf > DEAF_LIMIT)
        return SCREEN_STOPPED;
    return key;
}

static void put(struct screen *screen, int row, int col, const struct cell *cell)
{
    struct look look = palette_look((enum style)cell->style, screen->colors);
    wchar_t text[2] = {(wchar_t)cell->glyph, 0};
    cchar_t wide;
    attr_t attributes = A_NORMAL;
    if (look.attributes & LOOK_BOLD)
        attributes |= A_BOLD;
    if (look.attributes & LOOK_DIM)
        attributes |= A_DIM;
    if (look.attributes & LOOK_REVERSE)
        attributes |= A_REVERSE;
    if (look.attributes & LOOK_UNDERLINE)
        attributes |= A_UNDERLINE;
    if (setcchar(&wide, text, attributes, screen->colors ? (short)(cell->style + 1) : 0, NULL) == OK)
        (void)mvadd_wch(row, col, &wide);
}

void screen_show(struct screen *screen, const struct canvas *canvas)
{
    size_t count = (size_t)canvas->rows * (size_t)canvas->cols;
    if (!screen->shown || screen->rows != canvas->rows || screen->cols != canvas->cols) {
        free(screen->shown);
        screen->shown = memory_take(count + 1, sizeof *screen->shown); /* glyph 0 equals no cell */
        screen->rows = canvas->rows;
        screen->cols = canvas->cols;
        (void)erase();
    }
    for (size_t i = 0; i < count; i++) {
        const struct cell *fresh = &canvas->cells[i];
        struct cell *old = &screen->shown[i];
        if (fresh->glyph == old->glyph && fresh->style == old->style)
            continue;
        put(screen, (int)(i / (size_t)canvas->cols), (int)(i % (size_t)canvas->cols), fresh);
        *old = *fresh;
    }
    (void)refresh();
}
