/* header.h - the first line of a side: its configuration, and whether the launch is correct; what stands
 * there where there is no side. */
#ifndef LANESCOPE_TUI_HEADER_H
#define LANESCOPE_TUI_HEADER_H

#include "state.h"

void header_draw(struct canvas *canvas, const struct state *state, int side);
void header_draw_alone(struct canvas *canvas, const struct state *state);

#endif
