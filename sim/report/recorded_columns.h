/* recorded_columns.h - the columns of recorded tables, which are csv: what a row was measured of.
 *
 * There are two kinds. A table of launches has a rung and its sizes in each row; a table of accesses has one
 * access of one warp. What was measured follows in columns of its own: counters by Nsight Compute's names
 * (metric.h) beside launches, and the last four of the access columns beside accesses.
 */
#ifndef LANESCOPE_REPORT_RECORDED_COLUMNS_H
#define LANESCOPE_REPORT_RECORDED_COLUMNS_H

#include "scenario.h"

enum launch_column {
    LAUNCH_KERNEL, /* the name of a rung; all others are numbers */
    LAUNCH_ROWS,
    LAUNCH_COLS,
    LAUNCH_TILE,
    LAUNCH_BLOCK_ROWS,
    LAUNCH_PITCH,
    LAUNCH_ELEM_BYTES,
    LAUNCH_IN_OFFSET,
    LAUNCH_OUT_OFFSET,
    LAUNCH_COLUMN_COUNT
};

struct launch_column_row {
    const char *name;
    bool is_optional;     /* absent: 0 */
    uint64_t least, most; /* of the number, inclusive */
    size_t offset, width; /* its place in struct scenario_options: 4 or 8 bytes; the kernel's width is 0 */
};

extern const struct launch_column_row launch_columns[LAUNCH_COLUMN_COUNT];

/* Reads a number column into the option that it is of. False, and nothing set, if the text (NULL: absent) is
 * no number from `least` to `most`. Of an element's bytes only the range is checked: see
 * element_type(). */
bool launch_column_read(enum launch_column column, const char *text, struct scenario_options *options);

/* The number that the options have for a column; of LAUNCH_KERNEL 0. */
uint64_t launch_column_value(enum launch_column column, const struct scenario_options *options);

enum access_column {
    ACCESS_COLUMN_NAME, /* optional: the access in a word, for people */
    ACCESS_COLUMN_SPACE,
    ACCESS_COLUMN_OP,
    ACCESS_COLUMN_BYTES,   /* of a lane */
    ACCESS_COLUMN_MASK,    /* lanes that take part */
    ACCESS_COLUMN_OFFSETS, /* 32 byte offsets with blanks between them */
    ACCESS_COLUMN_WAVEFRONTS,
    ACCESS_COLUMN_BANK_CONFLICTS,
    ACCESS_COLUMN_REQUESTS,
    ACCESS_COLUMN_SECTORS,
    ACCESS_COLUMN_COUNT
};
#define ACCESS_COLUMN_MEASURED ACCESS_COLUMN_WAVEFRONTS /* the first that is measured */

extern const char *const access_columns[ACCESS_COLUMN_COUNT]; /* names */

#endif
