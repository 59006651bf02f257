/* bar.h - the last line of the screen: the keys that do something here, or the line that is being typed. */
#ifndef LANESCOPE_TUI_BAR_H
#define LANESCOPE_TUI_BAR_H

#include "state.h"

/* Into the rectangle that the state's layout has for it. */
void bar_draw(struct canvas *canvas, const struct state *state);

#endif
