/* escape.h - what terminals send for keys that are no characters, for the mouse, and around pasted text.
 *
 * A sequence is read to its end, known or not: what is not known is no key, and nothing of it is left over to
 * be taken for characters. Nothing here knows the terminal: bytes come from who asks.
 */
#ifndef LANESCOPE_TUI_ESCAPE_H
#define LANESCOPE_TUI_ESCAPE_H

#include <stdbool.h>

enum pointer_what { POINTER_CLICK, POINTER_WHEEL_UP, POINTER_WHEEL_DOWN };

struct pointer_event {
    enum pointer_what what;
    int row, col; /* of the screen, from 0 */
};

enum {
    ESCAPE_UNKNOWN = -1,     /* a sequence that means nothing here */
    ESCAPE_PASTE_BEGIN = -2, /* what follows was pasted */
    ESCAPE_PASTE_END = -3
};

struct escape_bytes {
    void *self;
    int (*next)(void *self);            /* the next byte, -1 where none comes soon */
    void (*back)(void *self, int byte); /* it belongs to what follows */
};

/* After an ESC. Returns an enum press (PRESS_ESCAPE where nothing follows, PRESS_POINTER after filling the
 * event) or one of the above. */
int escape_read(const struct escape_bytes *bytes, struct pointer_event *event);

/* The rest of a mouse report in xterm's decimal form, behind its '<'. */
int escape_read_pointer(const struct escape_bytes *bytes, struct pointer_event *event);

#endif
