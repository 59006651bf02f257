/* view.h - a state as a frame: header, panes, hint and bar on a canvas of the state's size. Drawing only
 * reads.
 */
#ifndef LANESCOPE_TUI_VIEW_H
#define LANESCOPE_TUI_VIEW_H

#include "state.h"

/* The whole frame. The canvas is cleared first and must have the state's rows and columns. */
void view_draw(struct canvas *canvas, const struct state *state);

#endif
