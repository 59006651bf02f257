/* fields.h - the values of a configuration that can be edited: what each is called, its value, changing it.
 */
#ifndef LANESCOPE_TUI_FIELDS_H
#define LANESCOPE_TUI_FIELDS_H

#include "state.h"

struct field_row {
    const char *name;  /* "block rows" */
    const char *macro; /* in the kernel's text; NULL: every kernel has the field */
    const char *label; /* before the value, in the header */
    const char *unit;  /* after it */
};
extern const struct field_row fields[FIELD_COUNT];

uint64_t field_value(const struct session *session, enum field field); /* 0: the kernel has none */
bool field_applies(const struct session *session, enum field field);   /* does the text use it? */

/* The options with another value. A wider tile keeps its padding: 32 with pitch 33 becomes 16 with pitch 17.
 */
void field_set(struct scenario_options *options, const struct scenario *scenario, enum field field,
               uint32_t value);

#endif
