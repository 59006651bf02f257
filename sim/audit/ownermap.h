/* ownermap.h - who wrote each cell of a window of the output, and what.
 *
 * A sink's consumer: about 40 bytes a cell, so it is for small matrices, for the part of a large one that is
 * on the screen, and for comparing whole maps with a GPU's. The last writer in the order of exec.h is kept.
 */
#ifndef LANESCOPE_AUDIT_OWNERMAP_H
#define LANESCOPE_AUDIT_OWNERMAP_H

#include "owners.h"

struct owner {
    uint32_t writes; /* 0: nobody wrote this cell, and the rest is 0 */
    uint32_t block[3], warp, lane;
    uint32_t visit;
    uint64_t step;
    int64_t token; /* of the cell's first byte: see data_origin() */
};

struct ownermap {
    int out; /* parameter */
    unsigned elem_bytes;
    uint64_t first, count; /* cells of the window */
    struct owner *cells;
};

void ownermap_init(struct ownermap *map, int out, unsigned elem_bytes, uint64_t first, uint64_t count);
void ownermap_free(struct ownermap *map);
void ownermap_access(void *map, const struct access *access); /* fits struct sink */

#endif
