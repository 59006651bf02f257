/* where.h - the line that says where one is: block, warp, lane, line, pass, access. */
#ifndef LANESCOPE_TUI_WHERE_H
#define LANESCOPE_TUI_WHERE_H

#include "state.h"

void where_draw(struct canvas *canvas, const struct state *state);

#endif
