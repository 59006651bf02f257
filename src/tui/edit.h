/* edit.h - other configurations: another pitch, size or kernel, a second one beside the first.
 *
 * A new session is opened first; if that is impossible, the message says why and everything else is as it
 * was.
 */
#ifndef LANESCOPE_TUI_EDIT_H
#define LANESCOPE_TUI_EDIT_H

#include "state.h"

/* The active side with other options. False after saying why not. */
bool edit_options(struct state *state, const struct scenario_options *options);

/* The pitch of the tile that the access at hand touches, wherever the text says it; the message says what
 * became of the access and which line of a file that is. */
void edit_pitch(struct state *state, int by);
void edit_pitch_to(struct state *state, uint32_t pitch);

/* The active side with another text of its kernel. False after filling the problem. */
bool edit_text(struct state *state, const struct source *text, struct problem *problem);
void edit_rung(struct state *state, int by);
void edit_compare(struct state *state); /* or back to one */

#endif
