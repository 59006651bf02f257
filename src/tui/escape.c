#include "escape.h"

#include <stddef.h>

#include "keys.h"

enum { NUMBERS = 4, LENGTH_LIMIT = 64 };

struct sequence {
    int numbers[NUMBERS];
    unsigned count;
    int final; /* -1: it broke off */
};

static void add_digit(struct sequence *s, int digit)
{
    if (s->count < NUMBERS && s->numbers[s->count] < 100000)
        s->numbers[s->count] = s->numbers[s->count] * 10 + digit;
}

/* Parameters and the final byte of a control sequence. */
static struct sequence read_sequence(const struct escape_bytes *bytes)
{
    struct sequence s = {.final = -1};
    for (int i = 0; i < LENGTH_LIMIT; i++) {
        int byte = bytes->next(bytes->self);
        if (byte >= '0' && byte <= '9') {
            add_digit(&s, byte - '0');
        } else if (byte == ';' || byte == ':') {
            s.count += s.count < NUMBERS;
        } else if (byte < 0x20 || byte > 0x3f) { /* others are parameters or intermediate */
            s.final = byte >= 0x40 && byte <= 0x7e ? byte : -1;
            if (byte == 27)
                bytes->back(bytes->self, byte);
            break;
        }
    }
    s.count += s.count < NUMBERS;
    return s;
}

int escape_read_pointer(const struct escape_bytes *bytes, struct pointer_event *event)
{
    const struct sequence s = read_sequence(bytes);
    int button = s.numbers[0];
    event->col = s.numbers[1] - 1;
    event->row = s.numbers[2] - 1;
    if (s.final != 'M' || s.count < 3 || event->row < 0 || event->col < 0)
        return ESCAPE_UNKNOWN; /* a button let go, or none of ours */
    event->what = button == 64 ? POINTER_WHEEL_UP : button == 65 ? POINTER_WHEEL_DOWN : POINTER_CLICK;
    return button == 0 || button == 64 || button == 65 ? PRESS_POINTER : ESCAPE_UNKNOWN;
}

/* With a modifier it is another key, which means nothing here. */
static int key_of_letter(int letter, bool is_modified)
{
    static const struct {
        int letter, press;
    } keys[] = {{'A', PRESS_UP},   {'B', PRESS_DOWN}, {'C', PRESS_RIGHT},   {'D', PRESS_LEFT},
                {'H', PRESS_HOME}, {'F', PRESS_END},  {'Z', PRESS_BACK_TAB}};
    for (size_t i = 0; !is_modified && i < sizeof keys / sizeof *keys; i++)
        if (keys[i].letter == letter)
            return keys[i].press;
    return ESCAPE_UNKNOWN;
}

static int key_of_number(int number)
{
    switch (number) {
    case 1:
    case 7:
        return PRESS_HOME;
    case 4:
    case 8:
        return PRESS_END;
    case 5:
        return PRESS_PAGE_UP;
    case 6:
        return PRESS_PAGE_DOWN;
    case 200:
        return ESCAPE_PASTE_BEGIN;
    case 201:
        return ESCAPE_PASTE_END;
    default:
        return ESCAPE_UNKNOWN;
    }
}

static int read_control(const struct escape_bytes *bytes, struct pointer_event *event)
{
    int first = bytes->next(bytes->self);
    if (first == '<')
        return escape_read_pointer(bytes, event);
    if (first == '[' || first == 'M') { /* a function key of Linux's console; the mouse in its old form */
        for (int i = 0; i < (first == 'M' ? 3 : 1); i++)
            (void)bytes->next(bytes->self);
        return ESCAPE_UNKNOWN;
    }
    if (first < 0)
        return ESCAPE_UNKNOWN;
    bytes->back(bytes->self, first);
    const struct sequence s = read_sequence(bytes);
    if (s.final == '~')
        return s.count == 1 ? key_of_number(s.numbers[0]) : ESCAPE_UNKNOWN;
    return key_of_letter(s.final, s.count > 1);
}

int escape_read(const struct escape_bytes *bytes, struct pointer_event *event)
{
    int first = bytes->next(bytes->self);
    if (first < 0)
        return PRESS_ESCAPE;
    if (first == 27) {
        bytes->back(bytes->self, first);
        return PRESS_ESCAPE;
    }
    if (first == '[')
        return read_control(bytes, event);
    if (first == 'O')
        return key_of_letter(bytes->next(bytes->self), false);
    return ESCAPE_UNKNOWN; /* a character with Alt */
}
