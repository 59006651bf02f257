/* report.h - what a person must know beside the numbers, on the standard error. */
#ifndef LANESCOPE_REPORT_H
#define LANESCOPE_REPORT_H

#include <stdio.h>

#include "../sim/census/census.h"
#include "../sim/report/scenario.h"

/* With the option that would help, where there is one. */
void report_problem(const struct problem *problem);

/* The command line that says all that is missing too: the one that was given, and more. Nothing where nothing
 * is. */
void report_wants(const struct problem *problem, int argc, char **argv);

/* Whose counts these are, of compiled code; where the numbers come from, where the text's launch says: before
 * the text of a command, else on the standard error. */
void report_launch(const struct scenario *scenario, bool is_text, FILE *out);

/* What was passed over in a file's text. */
void report_passed_over(const struct scenario *scenario);

/* Data that was converted on its way to a type that does not hold all of it. */
void report_narrowed(const struct program *program, const struct noticed *noticed);

/* "BEFORE count AFTER" at a place in the kernel; nothing for 0. */
void report_at(uint64_t count, const struct place *place, const char *before, const char *after);

/* Barriers that warps ended without (struct barrier). */
void report_missed(uint64_t count, const struct place *barrier);

/* False: CUDA refuses a grid of that size, and that is said. */
bool report_grid(const struct scenario *scenario);

/* Why a launch had to be run block by block. */
void report_census(const struct census *census);

/* The evidence of a proof: regions of blocks that each do the same, boxes of cells and what these hold. */
void report_by_census(const struct scenario *scenario, uint64_t regions, uint64_t boxes, uint64_t cells,
                      FILE *out);

/* A line for each buffer whose contents are given: the numbers hold for these. Text output says it. */
void report_data(const struct scenario *scenario, FILE *out);

/* Where integers overflowed or wrapped around first. True if there was an overflow: the numbers are then not
 * what the hardware does. */
bool report_overflow(const struct noticed *noticed);

#endif
