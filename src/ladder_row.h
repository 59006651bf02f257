/* ladder_row.h - a launch as one row of the ladder: counted, and as cells of its table.
 *
 * The columns of csv and json are stable; audit's assertions speak of them too.
 */
#ifndef LANESCOPE_LADDER_ROW_H
#define LANESCOPE_LADDER_ROW_H

#include "../base/progress.h"
#include "../base/table.h"
#include "../sim/report/summary.h"

struct ladder_row {
    const char *name;
    struct scenario scenario;
    struct summary summary;
    uint64_t out_of_bounds, misaligned;
    uint64_t missed;      /* barriers that lanes of a warp ended without, each warp counted */
    struct place barrier; /* the first of them */
    struct tally tally;   /* while the launch runs */
    bool overflow;
};

/* Runs the launch of row->scenario, which is open, and fills the rest. `tell`: overflows are reported. False
 * after filling the problem. */
bool ladder_row_count(struct ladder_row *row, unsigned registers, bool tell, struct progress *progress,
                      struct problem *problem);

/* All rows as a table for programs; `metrics`: a column more for each counter that is predicted. The columns
 * are the caller's to free, after the table. */
struct table *ladder_table(const struct ladder_row *rows, size_t count, bool metrics,
                           struct column **columns);

/* The cells of one space, in this order: requests, lines, sectors, a request, ideal, efficiency; and their
 * like. */
void ladder_add_global(struct table *table, const struct site_tally *tally);
void ladder_add_shared(struct table *table, const struct site_tally *tally);
void ladder_add_atomics(struct table *table, const struct summary *sum);
double ladder_occupancy_percent(const struct occupancy *occupancy);

#endif
