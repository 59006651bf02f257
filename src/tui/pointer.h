/* pointer.h - what the mouse does: a click chooses what it hits (a pane, a line, a lane, a cell, a row), the
 * wheel moves what it is over. */
#ifndef LANESCOPE_TUI_POINTER_H
#define LANESCOPE_TUI_POINTER_H

#include "escape.h"
#include "state.h"

void pointer_act(struct state *state, const struct pointer_event *event);

#endif
