/* rows.h - a sweep's rows: their columns, their order, the best of each text. */
#ifndef LANESCOPE_SWEEP_ROWS_H
#define LANESCOPE_SWEEP_ROWS_H

#include "sweep.h"

/* A column that rows can be sorted by, or a heatmap be made of. */
struct sweep_column {
    const char *name; /* of csv and json */
    double (*value)(const struct sweep_row *row);
    unsigned axis; /* value NULL: a macro's place in its axis */
};

/* Finds a column by its name: false after filling the problem. */
bool rows_column(const struct sweep_run *run, const char *name, size_t length, struct sweep_column *column,
                 struct problem *problem);

/* Is the column there for this row: has the row run, and does its text have the macro? */
bool rows_have(const struct sweep_run *run, const struct sweep_row *row, const struct sweep_column *column);
double rows_value(const struct sweep_run *run, const struct sweep_row *row,
                  const struct sweep_column *column);

/* Sorts the rows as the options say and leaves only the best ones, if they say so. Rows that something is
 * wrong with come behind others, rows that did not run last; equal ones stay in the sweep's order. */
void rows_order(struct sweep_run *run);

/* The rows as a table. */
void rows_print(const struct sweep_run *run, FILE *out);

/* A grid of --heatmap's column over two axes, for each text one. */
void rows_print_map(const struct sweep_run *run, FILE *out);

/* Before anything runs: has no macro the name of another column; are --sort's columns
 * there; can there be a heatmap? False after filling the problem. */
bool rows_check_names(const struct sweep_run *run, struct problem *problem);
bool rows_check_order(const struct sweep_run *run, struct problem *problem);
bool rows_check_map(const struct sweep_run *run, struct problem *problem);

#endif
