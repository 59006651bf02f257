/* prompt.h - the line in which values, a place to jump to, or a file's name are typed.
 *
 * `prompt` of the state says what is asked for, `typed` is the answer so far. What is refused stays open, to
 * be mended.
 */
#ifndef LANESCOPE_TUI_PROMPT_H
#define LANESCOPE_TUI_PROMPT_H

#include "state.h"

void prompt_begin(struct state *state, enum prompt prompt, const char *typed);

/* Asks for the name of a file to save the screen as. */
void prompt_save(struct state *state);

/* Asks for the field `by` further on than the last, or the next one that the kernel uses. */
void prompt_field(struct state *state, int by);

void prompt_press(struct state *state, int key); /* while a prompt is open */

#endif
