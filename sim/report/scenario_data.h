/* scenario_data.h - what buffers of numbers hold, as the options say it: NAME=CONTENTS, where CONTENTS is
 *
 *     (i * 7) % cols      a formula of i, the cell's number, and of row = i / cols and col = i % cols
 *     random:0..cols-1    numbers drawn at random, both ends included, the same for the same seed
 *     4,8,15              a list
 *     @FILE.csv           the integers of a file, row by row
 *
 * A list or a file says how large its buffer is, unless that is a matrix of the task; it must then be as
 * large. Limits: a file of 64 MiB; csv.h. Inside report, and for who shows what was assumed.
 */
#ifndef LANESCOPE_REPORT_SCENARIO_DATA_H
#define LANESCOPE_REPORT_SCENARIO_DATA_H

#include "scenario_parts.h"

struct scenario_data {
    unsigned parameter;
    const char *name;        /* of the parameter */
    struct source text;      /* CONTENTS, as given; ends in NUL but for blanks */
    const struct type *type; /* of a cell */
    struct contents contents;
    struct formula formula;
    int64_t cols;
    int64_t each; /* of what pointers in memory point at: cells between two of its buffers; otherwise 0 */
    int64_t low;  /* random: low + 0 .. span - 1; span 0: all 64 bits */
    uint64_t span, seed;
    int64_t *values; /* of a list or a file */
    uint64_t count;
    size_t capacity;
};

/* Each returns false after filling the problem. First the names, before the matrices are found: a buffer
 * whose contents are given is rather an index than a matrix; then the contents, when sizes are known. */
bool scenario_find_data(struct scenario *s, struct problem *problem);
bool scenario_set_data(struct scenario *s, struct problem *problem);
void scenario_free_data(struct scenario *s);

/* NULL: nothing is given for this parameter. */
struct scenario_data *scenario_data_of(const struct scenario *s, unsigned parameter);

/* The numbers that an integer or bool type holds. Those of unsigned 64 bits: as their bits. Of a floating
 * type: the range in which it holds every integer; of two bytes, that of a bfloat16. */
void scenario_limits(const struct type *type, int64_t *low, int64_t *high);

#endif
