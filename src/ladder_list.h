/* ladder_list.h - the rows of the ladder, opened and counted: for the table and for the picture of it. */
#ifndef LANESCOPE_LADDER_LIST_H
#define LANESCOPE_LADDER_LIST_H

#include "ladder_row.h"
#include "options.h"

/* One row. False after filling the problem; the row's scenario is to be closed either way. */
bool ladder_open_row(struct ladder_row *row, const struct source *source, const char *name,
                     const struct options *options, struct progress *progress, struct problem *problem);

/* All rungs, or those up to one that Ctrl-C met; without those that would take very long. `ladder` has room
 * for rung_count rows. */
bool ladder_open_rungs(struct ladder_row *ladder, size_t *done, const struct options *options,
                       struct progress *progress, struct problem *problem);

#endif
