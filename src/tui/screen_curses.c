/* screen_curses.c - the terminal through ncurses; nothing else includes it. */
#define NCURSES_WIDECHAR 1
#include <curses.h>

#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "../../base/arena.h"
#include "keys.h"
#include "screen.h"
#include "terminal_types.h"

#include <term.h> /* last: it calls common words macros */

/* The one thing that a signal may touch. */
static volatile sig_atomic_t stopped_by;

enum { STOPPERS = 4, DEAF_LIMIT = 64, PASTE_END_MS = 2000 };
static const int stoppers[STOPPERS] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

struct screen {
    SCREEN *terminal;
    int colors; /* of the palette */
    bool utf8;
    struct cell *shown; /* rows x cols; NULL: nothing yet */
    int rows, cols;
    bool pasting;   /* between the marks of pasted text */
    int64_t pasted; /* ms: when the last byte of it came */
    bool has_mouse, has_color, light;
    struct pointer_event pointer;
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

/* What ncurses has no name for: marks around pasted text, and mouse reports in decimal numbers where the
 * terminal has a mouse at all. */
static void set_modes(const struct screen *screen, bool on)
{
    (void)fputs(on ? "\033[?2004h" : "\033[?2004l", stdout);
    if (screen->has_mouse)
        (void)fputs(on ? "\033[?1000h\033[?1006h" : "\033[?1006l\033[?1000l", stdout);
    (void)fflush(stdout);
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
        struct look look = palette_look((enum style)style, screen->colors, screen->light);
        short ink = look.ink < 0 && !own ? COLOR_WHITE : look.ink;
        init_pair((short)(style + 1), ink, look.paper < 0 && !own ? COLOR_BLACK : look.paper);
    }
}

static bool is_known(void)
{
    int why;
    if (setupterm(NULL, fileno(stdout), &why) != OK)
        return false;
    (void)del_curterm(cur_term);
    return true;
}

/* Where this machine's terminfo has no such terminal, our own may. */
static SCREEN *open_terminal(const char *term)
{
    const char *given = getenv("TERMINFO");
    char *before = given ? strdup(given) : NULL;
    SCREEN *terminal = NULL;
    /* newterm() does not give back all that it took when it fails: ask first */
    bool known = is_known();
    for (const struct terminal_type *type = terminal_types; term && !known && type->name; type++)
        known = strcmp(type->name, term) == 0 && setenv("TERMINFO", type->description, 1) == 0 && is_known();
    if (known)
        terminal = newterm(NULL, stdout, stdin);
    if (before)
        (void)setenv("TERMINFO", before, 1);
    else
        (void)unsetenv("TERMINFO");
    free(before);
    return terminal;
}

struct screen *screen_open(bool color, struct problem *problem)
{
    const char *term = getenv("TERM");
    struct screen *screen = memory_take(1, sizeof *screen);
    stopped_by = 0;
    (void)setlocale(LC_CTYPE, "");
    screen->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    take_signals(screen);
    screen->terminal = open_terminal(term);
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
    struct termios modes;
    if (tcgetattr(fileno(stdin), &modes) == 0) {
        modes.c_cc[VSUSP] = _POSIX_VDISABLE;
        (void)tcsetattr(fileno(stdin), TCSADRAIN, &modes);
        (void)def_prog_mode();
    }
    screen->has_color = color;
    set_colors(screen, color);
    const char *mouse = tigetstr("kmous");
    screen->has_mouse = mouse && mouse != (char *)-1;
    set_modes(screen, true);
    return screen;
}

int screen_close(struct screen *screen)
{
    if (!screen)
        return 0;
    int number = stopped_by;
    set_modes(screen, false);
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

struct pointer_event screen_pointer(const struct screen *screen)
{
    return screen->pointer;
}

static void forget_shown(struct screen *screen)
{
    (void)clearok(curscr, TRUE);
    free(screen->shown);
    screen->shown = NULL;
}

void screen_lend(struct screen *screen)
{
    set_modes(screen, false);
    (void)curs_set(1);
    (void)endwin();
    for (int i = 0; i < STOPPERS; i++)
        sigaction(stoppers[i], &screen->before[i], NULL);
    sigprocmask(SIG_SETMASK, &screen->mask_before, NULL);
}

void screen_take_back(struct screen *screen)
{
    take_signals(screen);
    (void)refresh();
    (void)curs_set(0);
    set_modes(screen, true);
    (void)flushinp();
    forget_shown(screen);
}

void screen_set_light(struct screen *screen, bool light)
{
    if (screen->light == light)
        return;
    screen->light = light;
    set_colors(screen, screen->has_color);
    forget_shown(screen);
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
    return key >= KEY_MIN ? SCREEN_NOTHING : key;
}

static int next_byte(void *self)
{
    (void)self;
    int key = getch();
    return key == ERR || key >= KEY_MIN ? -1 : key;
}

static void byte_back(void *self, int byte)
{
    (void)self;
    (void)ungetch(byte);
}

static int64_t now_ms(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* ncurses hands over what it does not know byte by byte. */
static int take_sequence(struct screen *screen, bool is_pointer)
{
    const struct escape_bytes bytes = {screen, next_byte, byte_back};
    int key =
        is_pointer ? escape_read_pointer(&bytes, &screen->pointer) : escape_read(&bytes, &screen->pointer);
    bool was_pasting = screen->pasting;
    if (key == ESCAPE_PASTE_BEGIN || key == ESCAPE_PASTE_END) {
        screen->pasting = key == ESCAPE_PASTE_BEGIN;
        screen->pasted = now_ms();
    }
    if (was_pasting && key == PRESS_ESCAPE) /* its end got lost; Escape is a way out of everything */
        screen->pasting = false;
    return key < 0 || was_pasting ? SCREEN_NOTHING : key;
}

/* A paste whose end got lost is over when nothing came for a while. */
static bool is_pasting(struct screen *screen)
{
    int64_t now = now_ms();
    if (screen->pasting && now - screen->pasted > PASTE_END_MS)
        screen->pasting = false;
    screen->pasted = now;
    return screen->pasting;
}

/* Ctrl-Z, which is a key here so that the terminal's modes are given back before the shell has it. */
static void suspend(struct screen *screen)
{
    struct sigaction usual = {.sa_handler = SIG_DFL}, before;
    screen_lend(screen);
    sigemptyset(&usual.sa_mask);
    sigaction(SIGTSTP, &usual, &before);
    (void)kill(0, SIGTSTP);
    sigaction(SIGTSTP, &before, NULL);
    screen_take_back(screen);
}

/* What is there already, or SCREEN_NOTHING. */
static int take_key(struct screen *screen)
{
    int key = getch();
    if (key == ERR)
        return SCREEN_NOTHING;
    screen->deaf = 0;
    if (key == 27 || key == KEY_MOUSE)
        return take_sequence(screen, key == KEY_MOUSE);
    if (key != KEY_RESIZE && is_pasting(screen))
        return key < KEY_MIN ? key | PRESS_PASTED : SCREEN_NOTHING;
    if (key == 26) {
        suspend(screen);
        return SCREEN_RESIZED;
    }
    if (key == 12) { /* Ctrl-L: somebody wrote over the screen */
        forget_shown(screen);
        return SCREEN_RESIZED;
    }
    return translate(key);
}

bool screen_has_key(const struct screen *screen)
{
    (void)screen;
    fd_set input;
    FD_ZERO(&input);
    FD_SET(STDIN_FILENO, &input);
    struct timespec none = {0, 0};
    return pselect(STDIN_FILENO + 1, &input, NULL, NULL, &none, NULL) > 0;
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
    struct look look = palette_look((enum style)cell->style, screen->colors, screen->light);
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
        if (fresh->glyph != GLYPH_BEHIND) /* it comes with the one before */
            put(screen, (int)(i / (size_t)canvas->cols), (int)(i % (size_t)canvas->cols), fresh);
        *old = *fresh;
    }
    (void)refresh();
}
