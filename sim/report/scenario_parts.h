/* scenario_parts.h - what the files of a scenario need of each other; others include scenario.h.
 *
 * scenario_open() calls the steps below in this order. Each returns false after filling the problem.
 */
#ifndef LANESCOPE_REPORT_SCENARIO_PARTS_H
#define LANESCOPE_REPORT_SCENARIO_PARTS_H

#include "scenario.h"

/* scenario_macros.c: the text with the macros that the options give it; fills unit and definitions. */
bool scenario_open_unit(struct scenario *s, struct problem *problem);
/* ... then tile, block_rows and pitch as the text has them; options that would change nothing are refused. */
bool scenario_take_macros(struct scenario *s, struct problem *problem);

/* scenario_arguments.c: which parameters are the matrices, and a value or a buffer for each parameter. */
bool scenario_set_arguments(struct scenario *s, struct problem *problem);

/* scenario_shape.c: block and grid. */
bool scenario_set_shapes(struct scenario *s, struct problem *problem);

/* scenario.c: an integer formula over the text's macros, rows and cols. A formula that is part of the text
 * is complained of at its place there. */
bool scenario_evaluate(struct scenario *s, const struct source *formula, int64_t *value,
                       struct problem *problem);

/* A copy of `text` that lives as long as the scenario; `name` must outlive it. */
struct source scenario_text(struct scenario *s, const char *name, const char *text);

#endif
