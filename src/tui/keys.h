/* keys.h - keys that are no characters, and what keys are called. */
#ifndef LANESCOPE_TUI_KEYS_H
#define LANESCOPE_TUI_KEYS_H

enum press {
    PRESS_TAB = 9,
    PRESS_ENTER = 10,
    PRESS_CLEAR = 0x15, /* Ctrl-U */
    PRESS_ESCAPE = 27,
    PRESS_BACKSPACE = 127,
    PRESS_LEFT = 0x200000, /* above every code point */
    PRESS_RIGHT,
    PRESS_UP,
    PRESS_DOWN,
    PRESS_HOME,
    PRESS_END,
    PRESS_PAGE_UP,
    PRESS_PAGE_DOWN,
    PRESS_BACK_TAB,
    PRESS_POINTER, /* the mouse: screen_pointer() says what */
    PRESS_DIGIT,   /* any of 0 to 9, where they are one entry of a table; no key sends it */
};

/* Added to a character that was pasted, not typed: it does nothing but be text where text is typed. */
#define PRESS_PASTED 0x400000

#define PRESS_NAME_SIZE 12

/* "q", "space", "shift-tab"; at least one character. */
const char *press_name(int key, char out[PRESS_NAME_SIZE]);

#endif
