/* heatmap.h - what each part of the two matrices costs in sectors, and their blocks in wavefronts.
 *
 * A map view is a matrix cut into square pieces of `scale` x `scale` elements, one for each cell on the
 * screen. The heatmap runs blocks of the launch and adds the cost of each global access to every piece that
 * its lanes touch. Where the blocks are more than the pieces, blocks are taken at regular distances:
 * `sampled`. Work is done a few blocks at a time by heatmap_advance().
 *
 * Limit: a block is taken to work on the part of the source matrix that lies where the block lies in the
 * grid; kernels that do otherwise may leave pieces without a sample when zoomed in. Those show as empty.
 */
#ifndef LANESCOPE_SESSION_HEATMAP_H
#define LANESCOPE_SESSION_HEATMAP_H

#include "session.h"

#define HEAT_LEVELS 6 /* 0: at its best */

/* The level of a cost against its ideal: the last is more than 8 times as much. */
unsigned heat_ratio_level(uint64_t cost, uint64_t ideal);
double heat_ratio_most(unsigned level); /* what a level but the last goes up to */

/* The level of a cost in sectors a request: the last is a sector for each lane. */
unsigned heat_sectors_level(uint64_t sectors, uint64_t requests);
unsigned heat_sectors_most(unsigned level);

enum { MAP_SOURCE, MAP_TARGET, MAP_COUNT };

struct map_view {
    int64_t rows, cols; /* of the matrix, elements */
    int64_t row0, col0; /* first element shown, a multiple of the scale */
    int cell_rows, cell_cols;
};

struct map_geometry {
    int64_t scale;  /* elements along an edge of a piece */
    int char_cols;  /* columns of the screen a piece takes: 1 or 2 */
    bool is_zoomed; /* part of a matrix only */
    struct map_view view[MAP_COUNT];
};

/* For `rows` x `cols` cells of the screen for each of the two matrices. Each zoom step halves the scale; a
 * view that does not show all follows the block in the trace. */
struct map_geometry map_geometry_of(const struct session *session, int rows, int cols, unsigned zoom);

/* The cell of the view that an element lies in. False if it is not shown. */
bool map_cell_of(const struct map_geometry *geometry, int map, int64_t row, int64_t col, int *cell_row,
                 int *cell_col);

struct heat_cell {
    uint64_t requests, sectors, ideal; /* requests 0: no sample */
    uint64_t wavefronts, wave_ideal;   /* of shared memory, in the blocks that touch the piece */
    uint64_t block;                    /* the last of these, counted from 1 in the order they were run */
};

struct heatmap {
    struct map_geometry geometry;
    struct heat_cell *cells[MAP_COUNT];
    uint64_t first[2], count[2]; /* blocks of the grid, x and y, that are looked at */
    uint64_t samples[2];         /* of them, how many are run */
    uint64_t done;
    bool sampled;
    bool failed;                     /* a block ended in a problem; the rest is left out */
    uint64_t wavefronts, wave_ideal; /* of the block that runs */
    struct execution *execution;
};

void heatmap_init(struct heatmap *map, const struct session *session, const struct map_geometry *geometry);
void heatmap_free(struct heatmap *map);

/* Runs at most `blocks` more. False when all are done. */
bool heatmap_advance(struct heatmap *map, const struct session *session, unsigned blocks);
bool heatmap_is_done(const struct heatmap *map);
const struct heat_cell *heatmap_at(const struct heatmap *map, int which, int row, int col);

#endif
