/* cover.h - which cells of a matrix are written, how often, and do the writers agree: from boxes of writes.
 *
 * A box is a line of rows times a line of columns, each evenly spaced: what one lane's store writes in all
 * blocks of a region. Boxes that do not meet are the proof that no cell is written twice; that they hold as
 * many cells as there are, that each is written. Where boxes meet, the cells that they share are counted by
 * what comes of them (audit/judge.h).
 *
 * A region with a band (exec/region.h) makes boxes with one: of their cells those near a diagonal.
 *
 * Limits: COVER_BOXES boxes; boxes with very different steps, and many that meet in many ways, are too much.
 */
#ifndef LANESCOPE_CENSUS_COVER_H
#define LANESCOPE_CENSUS_COVER_H

#include "../audit/judge.h"

#define COVER_BOXES (UINT64_C(1) << 20)

struct cover_line {
    uint64_t first, step, count; /* cells; step is 1 where there is one */
};

struct cover_box {
    struct cover_line row, col;
    bool banded;       /* only cells whose steps along the columns less those along the rows */
    int64_t low, high; /* ... lie in [low, high]; the first cell is one */
    uint64_t turns;    /* blocks that write each of its cells */
    bool turns_differ; /* with different values */
    bool right;
    unsigned parts;
    int64_t token[4]; /* of its first cell; for each step along its rows and columns so much more: */
    int64_t by_row[4], by_col[4];
    uint32_t source; /* the caller's own */
};

struct cover {
    uint64_t rows, cols;
    struct cover_box *boxes;
    size_t count, capacity;
    bool too_much;
    /* cover_count() fills these: */
    uint64_t cells[CELL_STATES]; /* CELL_WRONG_TWICE stays 0 */
    struct cover_example {
        bool there;
        uint64_t row, col;
        uint32_t source, other; /* of two boxes that meet there, or one twice */
    } examples[CELL_STATES];
};

void cover_add(struct cover *cover, const struct cover_box *box); /* count >= 1 each way */
void cover_free(struct cover *cover);

/* False: too much. */
bool cover_count(struct cover *cover);

/* After it: a cell that no box has. */
bool cover_find_missing(const struct cover *cover, uint64_t *row, uint64_t *col);

#endif
