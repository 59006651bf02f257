/* input.h - what a key does to a state. */
#ifndef LANESCOPE_TUI_INPUT_H
#define LANESCOPE_TUI_INPUT_H

#include "state.h"

/* `key` is a character or an enum press of keys.h; one that means nothing here says so. */
void input_key(struct state *state, int key);

#endif
