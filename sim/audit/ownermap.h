/* ownermap.h - who wrote each cell of a window of the output, and what.
 *
 * A sink's consumer: about 60 bytes a cell, so it is for small matrices and for the part of a large one that
 * is on the screen. The last writer in the order of exec.h is kept; the state is of all writes, by the
 * judgement of judge.h, and never CELL_WRONG_TWICE.
 */
#ifndef LANESCOPE_AUDIT_OWNERMAP_H
#define LANESCOPE_AUDIT_OWNERMAP_H

#include "judge.h"

struct owner {
    enum cell_state state;
    uint32_t writes; /* 0: nobody wrote this cell, and the rest is 0 */
    uint32_t block[3], warp, lane;
    uint32_t visit;
    uint64_t step;
    int64_t token;  /* of the cell's first byte: see data_origin() */
    uint64_t value; /* cell_write_value() */
};

struct window {        /* of the output's cells */
    uint64_t row, col; /* the first */
    uint32_t rows, cols;
};

struct ownermap {
    struct owners_task task;
    struct window window;
    struct owner *cells; /* row by row */
    bool misfit;         /* a store did not fit the cells: what it wrote is not in the map */
};

/* The whole output. */
struct window window_whole(const struct owners_task *task);

void ownermap_init(struct ownermap *map, const struct owners_task *task, const struct window *window);
void ownermap_free(struct ownermap *map);
void ownermap_access(void *map, const struct access *access); /* fits struct sink; needs tracked values */

#endif
