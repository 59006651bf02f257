/* screen_stub.c - no terminal UI: the ncurses headers were missing when the program was built. */
#include "screen.h"

bool screen_exists(void)
{
    return false;
}

struct screen *screen_open(bool color, struct problem *problem)
{
    (void)color;
    problem_say(problem,
                "built without ncurses: the terminal UI is not in this program. Install libncurses-dev and "
                "build again; lanescope ladder, trace and owners work without it");
    return NULL;
}

int screen_close(struct screen *screen)
{
    (void)screen;
    return 0;
}

void screen_size(const struct screen *screen, int *rows, int *cols)
{
    (void)screen;
    *rows = *cols = 0;
}

bool screen_is_utf8(const struct screen *screen)
{
    (void)screen;
    return false;
}

int screen_key(struct screen *screen, int ms)
{
    (void)screen;
    (void)ms;
    return SCREEN_STOPPED;
}

void screen_show(struct screen *screen, const struct canvas *canvas)
{
    (void)screen;
    (void)canvas;
}

struct pointer_event screen_pointer(const struct screen *screen)
{
    (void)screen;
    return (struct pointer_event){POINTER_CLICK, 0, 0};
}

void screen_lend(struct screen *screen)
{
    (void)screen;
}

void screen_take_back(struct screen *screen)
{
    (void)screen;
}

void screen_set_light(struct screen *screen, bool light)
{
    (void)screen;
    (void)light;
}

bool screen_has_key(const struct screen *screen)
{
    (void)screen;
    return false;
}
