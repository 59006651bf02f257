/* owner_bins.h - who wrote the output, as a map of bounded size: a piece of it is scale x scale cells.
 *
 * Outputs of at most OWNER_BINS_EXACT cells are known cell by cell. Of larger ones blocks at regular
 * distances are run (`sampled`), and which cells are missing is known by their number alone, from the
 * launch's census or its run block by block: the report is that of the command owners.
 */
#ifndef LANESCOPE_PICTURE_OWNER_BINS_H
#define LANESCOPE_PICTURE_OWNER_BINS_H

#include "../owners_run.h"
#include "subject.h"

#define OWNER_BINS_EXACT  (UINT64_C(1) << 20)
#define OWNER_BINS_BLOCKS 4096u

struct owner_bin {
    uint64_t cells; /* that are known of it: all of them, or those of the samples */
    uint64_t missing, wrong, disagreeing, twice; /* of them */
    uint64_t written;
    uint32_t block[3], warp, lane; /* who wrote the first of them that was written */
    bool has_example;              /* of the launch's report: a cell of it that is not right */
};

struct owner_bins {
    int64_t scale; /* cells along an edge of a piece */
    int rows, cols;
    struct owner_bin *at; /* row by row */
    bool sampled;
    uint64_t samples, blocks;
    bool by_order; /* many blocks to a piece, or nearly: which part of the grid wrote it says more than which
                      block */
    bool overflow; /* integers overflow: what the counts rest on is not what the hardware does */
    struct owners_run run;
};

/* Of at most rows x cols pieces. False after filling the problem; free it either way. */
bool owner_bins_count(struct owner_bins *bins, const struct subject *subject, const struct options *options,
                      int rows, int cols, struct problem *problem);
void owner_bins_free(struct owner_bins *bins);

#endif
