/* edit.h - other configurations, and the line in which values are typed. */
#ifndef LANESCOPE_TUI_EDIT_H
#define LANESCOPE_TUI_EDIT_H

#include "state.h"

extern const char *const field_names[FIELD_COUNT];
uint64_t field_value(const struct session *session, enum field field);
bool edit_options(struct state *state, const struct scenario_options *options); /* of the active side */
void edit_pitch(struct state *state, int by);
void edit_rung(struct state *state, int by);
void edit_compare(struct state *state);
bool field_applies(const struct session *session, enum field field); /* does the text use it? */
void edit_field(struct state *state, int by);                        /* asks for the next that does */
void edit_begin(struct state *state, enum prompt prompt, const char *typed);
void edit_press(struct state *state, int key); /* while a prompt is open */

#endif
