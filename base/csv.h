/* csv.h - rows of comma-separated fields out of a text.
 *
 * Fields may be quoted ("" stands for one quote); quoted fields may not span lines. Lines that begin with #
 * are comments, empty lines are passed over. Limits: 1,024 fields a row (a profiler writes hundreds),
 * 65,536 bytes a line.
 */
#ifndef LANESCOPE_CSV_H
#define LANESCOPE_CSV_H

#include <stdint.h>

#include "problem.h"

#define CSV_FIELD_LIMIT 1024u
#define CSV_LINE_LIMIT  65536u

struct csv {
    const char *name;
    const char *at, *end;
    uint64_t line; /* of the row, from 1 */
    unsigned count;
    char *fields[CSV_FIELD_LIMIT]; /* NUL-terminated, until the next row */
    char *buffer;
};

void csv_open(struct csv *csv, const struct source *source); /* the source must outlive it */
void csv_close(struct csv *csv);

/* The next row. False at the end, and on a problem (then it is set). */
bool csv_next(struct csv *csv, struct problem *problem);

/* The first row, as the columns' names. It must be there, and no name may stand twice: which of two columns
 * is meant nobody can tell. Columns without a name may be many. */
bool csv_header(struct csv *csv, struct problem *problem);

/* The place of a name in this row, CSV_FIELD_LIMIT where it is not there; the text at a place, "" where the
 * row has none. */
unsigned csv_find(const struct csv *csv, const char *name);
const char *csv_field(const struct csv *csv, unsigned place);

#endif
