/* writes.h - the output stores of regions as boxes of cells. Inside census. */
#ifndef LANESCOPE_CENSUS_WRITES_H
#define LANESCOPE_CENSUS_WRITES_H

#include "cover.h"
#include "proof.h"

/* How one store moves through its region, in cells of the output. */
struct write_group {
    struct region region;
    struct slope row, col;
    uint32_t warp;
    uint64_t step; /* which access of the block */
    const struct site *site;
};

struct write { /* of one lane to one cell */
    uint32_t group;
    uint8_t lane, part;
    uint64_t row, col; /* in the region's first block */
    int64_t token;
};

struct writes {
    const struct owners_task *task;
    bool flat; /* the output is taken for one row: of copies whose indices run on from row to row */
    struct cover cover;
    struct write_group *groups;
    struct write *writes;
    size_t group_count, group_capacity, write_count, write_capacity;
    const char *why; /* set: it cannot be said in boxes */
};

void writes_init(struct writes *writes, const struct owners_task *task, bool flat);
void writes_free(struct writes *writes);

/* Makes the region smaller until the store moves evenly through rows and columns, and each of its writes is
 * right everywhere or nowhere. */
void writes_narrow(const struct writes *writes, const struct access *access, struct region *region);

/* Takes a store of such a region. */
void writes_access(struct writes *writes, const struct access *access);

/* The block of the write's region that writes this cell, in cells as the cover has them. False: none. */
bool writes_find_block(const struct writes *writes, const struct write *write, uint64_t row, uint64_t col,
                       uint32_t block[3], int64_t along[AXES]);

#endif
