/* rows.h - what `lanescope bench` measured, as rows: printed for people and programs, recorded, read
 * again.
 *
 * One row is one thing that was timed. A recorded table holds all that the text is made of, so that
 * `bench --replay` prints the same on any machine: columns that follow from others (GB/s, % of the copy) are
 * written for people and computed anew when read.
 */
#ifndef LANESCOPE_BENCH_ROWS_H
#define LANESCOPE_BENCH_ROWS_H

#include "../../base/table.h"
#include "../../cuda/bench.h"

/* The machine as it was found; "" and 0 where it does not say. */
struct bench_machine {
    char device[128], driver[64], cuda[16];
    unsigned processors;
    uint64_t l2_bytes;
    struct gpu_clocks before, after; /* the measurements, in MHz */
};

struct bench_rows {
    struct bench_row *list;
    size_t count, capacity;
    struct bench_machine machine;
};

struct bench_row *bench_rows_add(struct bench_rows *rows); /* to be filled; valid until the next is added */
void bench_rows_free(struct bench_rows *rows);

/* csv or json; `color` is of no matter to those. */
void bench_rows_write(const struct bench_rows *rows, enum format format, FILE *out);

/* A table that bench_rows_write() made as csv. False after filling the problem with the line. */
bool bench_rows_read(struct bench_rows *rows, const struct source *table, struct problem *problem);

/* The driver's own copy of a matrix like this row's; NULL: none was timed. */
const struct bench_row *bench_copy_of(const struct bench_rows *rows, const struct bench_row *row);
const struct bench_row *bench_ceiling(const struct bench_rows *rows, const char *name);

/* For people (report.c): tables, bars, what the numbers point to. */
void bench_report(const struct bench_rows *rows, bool color, FILE *out);

#endif
