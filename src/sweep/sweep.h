/* sweep.h - many configurations of one or several texts, each in one row.
 *
 * A configuration that cannot run (a block that is too large, too much shared memory, a tile that the text
 * refuses) is a row with its reason. An axis whose macro a rung does not mention has one value there: the
 * rung has no two rows that are the same. Each configuration's text is compiled once.
 */
#ifndef LANESCOPE_SWEEP_H
#define LANESCOPE_SWEEP_H

#include "../options.h"
#include "../totals.h"
#include "axes.h"

#define SWEEP_TEXT_LIMIT 64u

struct sweep_text {
    const char *name; /* of a rung, or of the file */
    const struct source *source;
    bool is_rung;
    uint32_t used; /* bit i: axis i may matter to it */
};

enum sweep_state { SWEEP_NOT_RUN, SWEEP_RAN, SWEEP_REFUSED };

struct sweep_row {
    unsigned text;
    uint64_t configuration; /* of the axes */
    enum sweep_state state;
    bool faulty; /* out of bounds, misaligned, overflow, endless ...: the reason says which */
    uint32_t rows, cols;
    uint64_t tile, block_rows, pitch; /* 0: the text has none */
    unsigned elem_bytes;
    uint64_t wavefronts, ideal;      /* of shared memory, loads, stores and atomics */
    uint64_t sectors, ideal_sectors; /* of global memory, likewise */
    uint64_t shared_bytes;
    struct occupancy occupancy;
    char *reason; /* why it did not run, or what makes its numbers suspect; NULL: nothing */
};

struct sweep_run {
    const struct options *options;
    struct sweep_axes axes;
    struct sweep_text texts[SWEEP_TEXT_LIMIT];
    unsigned text_count;
    struct sweep_row *rows;
    size_t count;
    bool partial; /* Ctrl-C ended it: rows are SWEEP_NOT_RUN */
};

/* Lists the rows: false after filling the problem, of what is wrong with all of them. The operand's text is
 * opened by the caller; NULL: rungs. */
bool sweep_run_list(struct sweep_run *run, const struct source *text, struct problem *problem);

/* Runs them all, on all processors. */
void sweep_run_all(struct sweep_run *run);

/* The scenario of a row, once more. False after filling the problem. `arena` lives as long as it. */
bool sweep_run_open(const struct sweep_run *run, const struct sweep_row *row, struct scenario *scenario,
                    struct arena *arena, struct problem *problem);

void sweep_run_free(struct sweep_run *run);

#endif
