/* history.h - the places that jumps came from, and the way back. The oldest is forgotten where there are more
 * than HISTORY_LIMIT. */
#ifndef LANESCOPE_TUI_HISTORY_H
#define LANESCOPE_TUI_HISTORY_H

#include "state.h"

void history_note(struct state *state); /* before a jump */
void history_back(struct state *state);
/* Of another kernel, size or number of sides: the places are none of it. */
void history_forget(struct state *state);

#endif
