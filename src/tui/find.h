/* find.h - looking for words: in the kernel's text, or in the help and the glossary where those are shown.
 * Capitals do not matter. */
#ifndef LANESCOPE_TUI_FIND_H
#define LANESCOPE_TUI_FIND_H

#include "state.h"

/* Where `sought` is in `text` from `from` on; -1: nowhere. */
int find_in(const char *text, size_t size, size_t from, const char *sought);

/* The next (1) or the last (-1) place of what is sought, after the one found before. False after saying so.
 */
bool find_next(struct state *state, int by);
void find_again(struct state *state, int by);
void find_forget(struct state *state);

#endif
