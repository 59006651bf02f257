/* reload.h - the file was changed on the disk: its new text under the same place, and what that changed.
 *
 * A text that cannot be run changes nothing but `broken` of the state, which is shown with its caret until a
 * better one comes. What changed in the verdict and in the totals is said when both are known again. Nothing
 * here reads a file.
 */
#ifndef LANESCOPE_TUI_RELOAD_H
#define LANESCOPE_TUI_RELOAD_H

#include "state.h"

/* The text's bytes must outlive the state, and so must the old one's. False: it was left aside and `broken`
 * says why. Where no text was ever fit to run this one is shown, and run if it can be. */
bool reload_text(struct state *state, const struct source *text);

/* After some work: says what changed, once all is known. */
void reload_tell(struct state *state);

#endif
