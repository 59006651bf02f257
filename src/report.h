/* report.h - what a person must know beside the numbers, on the standard error. */
#ifndef LANESCOPE_REPORT_H
#define LANESCOPE_REPORT_H

#include <stdio.h>

#include "../sim/report/scenario.h"

/* With the option that would help, where there is one. */
void report_problem(const struct problem *problem);

/* The command line that says all that is missing too: the one that was given, and more. Nothing where nothing
 * is. */
void report_wants(const struct problem *problem, int argc, char **argv);

/* Where the numbers come from, where the file's own launch says them: before the text of a command, else on
 * the standard error. */
void report_launch(const struct scenario *scenario, bool is_text, FILE *out);

/* What was passed over in a file's text. */
void report_passed_over(const struct scenario *scenario);

/* Where integers overflowed or wrapped around first. True if there was an overflow: the numbers are then not
 * what the hardware does. */
bool report_overflow(const struct execution *execution);

#endif
