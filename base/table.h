/* table.h - rows of named columns, written as text for people or as csv and json for programs.
 *
 * Columns are stable: a name is a csv header and a json key, and never changes its meaning. Cells are added
 * row by row, left to right. A cell can be absent: empty in csv, null in json, "-" in text. Text aligns the
 * columns, groups thousands and shows titles instead of names. Bytes that are no UTF-8 become U+FFFD in json,
 * which knows no others; csv has them as they are.
 */
#ifndef LANESCOPE_TABLE_H
#define LANESCOPE_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

struct column {
    const char *name;  /* csv, json */
    const char *title; /* text; NULL: not shown in text */
};

struct table;

struct table *table_new(const struct column *columns, unsigned count);
void table_free(struct table *table);
void table_text(struct table *table, const char *text);
void table_integer(struct table *table, int64_t value);
void table_count(struct table *table, uint64_t value);
void table_real(struct table *table, double value, int decimals);
void table_absent(struct table *table);

/* The number in a column of the first row; false: there is no such column, or it holds none. */
bool table_number(const struct table *table, const char *column, double *value);

/* Says of the cell added last that it is as it should be, or is not: green or red where text is coloured. */
void table_judge(struct table *table, bool good);

/* `color` matters to text only: titles are bold, judged cells green or red. The numbers say the same without
 * it. */
void table_write(const struct table *table, enum format format, bool color, FILE *out);

/* One row straight to `out`, for output too long to be kept; csv and json only. Begin, cells, end, ...,
 * finish. */
struct stream {
    FILE *out;
    enum format format; /* CSV or JSON */
    const struct column *columns;
    unsigned count, at;
    uint64_t rows;
};
void stream_begin(struct stream *stream, enum format format, const struct column *columns, unsigned count,
                  FILE *out);
void stream_text(struct stream *stream, const char *text);
void stream_integer(struct stream *stream, int64_t value);
void stream_count(struct stream *stream, uint64_t value);
void stream_absent(struct stream *stream);
void stream_finish(struct stream *stream);

#endif
