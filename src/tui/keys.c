#include "keys.h"

#include <stddef.h>
#include <stdio.h>

static const struct {
    int key;
    const char *name;
} names[] = {
    {' ', "space"},          {PRESS_TAB, "tab"},        {PRESS_ENTER, "enter"},
    {PRESS_CLEAR, "ctrl-u"}, {PRESS_ESCAPE, "esc"},     {PRESS_BACKSPACE, "backspace"},
    {PRESS_LEFT, "left"},    {PRESS_RIGHT, "right"},    {PRESS_UP, "up"},
    {PRESS_DOWN, "down"},    {PRESS_HOME, "home"},      {PRESS_END, "end"},
    {PRESS_PAGE_UP, "pgup"}, {PRESS_PAGE_DOWN, "pgdn"}, {PRESS_BACK_TAB, "shift-tab"},
    {PRESS_DIGIT, "0-9"},
};

const char *press_name(int key, char out[PRESS_NAME_SIZE])
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].key == key)
            return names[i].name;
    (void)snprintf(out, PRESS_NAME_SIZE, "%c", key > ' ' && key < 0x7f ? key : '?');
    return out;
}
