/* cells.h - buffers whose contents are known: which they are, and what was written into them. Inside exec.
 *
 * What a buffer holds when the kernel begins is a function of the cell (struct contents, launch.h); what the
 * kernel writes lies over it, in a table that holds the written cells only. A cell is one number of the
 * buffer's type. It holds a number (a floating one as the bits of a double), or data, of which the token is
 * known.
 *
 * Limit: CELLS_WRITTEN_LIMIT cells of a buffer are written; more is a problem, like memory that is not there.
 */
#ifndef LANESCOPE_EXEC_CELLS_H
#define LANESCOPE_EXEC_CELLS_H

#include "data.h"

#define CELLS_WRITTEN_LIMIT (UINT64_C(1) << 23)
#define CELLS_COUNT_LIMIT   (UINT64_C(1) << 46) /* of a buffer that is endless */

struct cell {
    bool is_number;
    int64_t value; /* the number, or the token */
};

/* Takes what the launch says of its buffers; e->cells stays NULL where it says nothing. */
void cells_begin(struct execution *e);
void cells_free(struct execution *e);

/* The buffers hold again what they held when the kernel began. */
void cells_rewind(struct execution *e);

/* Is any of the known buffers one of floating numbers? */
bool cells_have_reals(const struct execution *e);

static inline bool cells_are_known(const struct execution *e, unsigned buffer)
{
    return e->cells && e->cells[buffer].contents;
}

/* False: there is no room. */
bool cells_put(struct cells *cells, uint64_t index, struct cell cell);
/* False: nothing was written there. */
bool cells_written(const struct cells *cells, uint64_t index, struct cell *cell);

#endif
