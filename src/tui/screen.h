/* screen.h - the terminal: keys in, cells out. Only screen_curses.c knows how.
 *
 * There is one screen a process. From screen_open() to screen_close() the terminal belongs to it; SIGINT,
 * SIGTERM, SIGHUP and SIGQUIT make screen_key() return SCREEN_STOPPED, so that the caller can close it and
 * end.
 */
#ifndef LANESCOPE_TUI_SCREEN_H
#define LANESCOPE_TUI_SCREEN_H

#include "../../base/problem.h"
#include "escape.h"
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

/* The next key (a character, one with PRESS_PASTED, or enum press of keys.h), waiting at most `ms` (-1: for
 * ever). Sequences that mean nothing are no key. */
int screen_key(struct screen *screen, int ms);

bool screen_has_key(const struct screen *screen); /* is there something to read? */

/* After PRESS_POINTER: what the mouse did. */
struct pointer_event screen_pointer(const struct screen *screen);

/* Another program has the terminal from here on; then the screen has it again, to be drawn anew. */
void screen_lend(struct screen *screen);
void screen_take_back(struct screen *screen);

/* The palette for a light or a dark background: how the screen looks from the next screen_show() on. */
void screen_set_light(struct screen *screen, bool light);

/* Sends the cells that differ from what is shown. */
void screen_show(struct screen *screen, const struct canvas *canvas);

#endif
