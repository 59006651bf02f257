/* screen.h - the terminal: keys in, cells out. Only screen_curses.c knows how.
 *
 * There is one screen a process. From screen_open() to screen_close() the terminal belongs to it; SIGINT,
 * SIGTERM, SIGHUP and SIGQUIT make screen_key() return SCREEN_STOPPED, so that the caller can close it and
 * end.
 */
#ifndef LANESCOPE_TUI_SCREEN_H
#define LANESCOPE_TUI_SCREEN_H

#include "../../base/problem.h"
#include "palette.h"

enum {
    SCREEN_NOTHING = -1, /* no key within the time */
    SCREEN_RESIZED = -2,
    SCREEN_STOPPED = -3 /* by a signal, or the terminal is gone */
};

struct screen;

/* False where the program was built without ncurses. */
bool screen_exists(void);

/* NULL after filling the problem. Without `color` the palette of no colours is used. */
struct screen *screen_open(bool color, struct problem *problem);

/* Restores the terminal; NULL is fine. Returns the signal that ended the session, or 0. */
int screen_close(struct screen *screen);

void screen_size(const struct screen *screen, int *rows, int *cols);
bool screen_is_utf8(const struct screen *screen);

/* The next key (a character or enum press of keys.h), waiting at most `ms` (-1: for ever). */
int screen_key(struct screen *screen, int ms);

/* Sends the cells that differ from what is shown. */
void screen_show(struct screen *screen, const struct canvas *canvas);

#endif
