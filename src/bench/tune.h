/* tune.h - which configuration of a kernel is the fastest: each is checked and timed.
 *
 * What is varied are the axes of --sweep, as in `lanescope sweep`; where there are none, the tile, the rows
 * of threads and, in a kernel that has a macro BAND, the order of its blocks. What cannot be (a block that is
 * too large, more shared memory than a compiler gives unasked, a grid that no device takes) is passed over.
 */
#ifndef LANESCOPE_BENCH_TUNE_H
#define LANESCOPE_BENCH_TUNE_H

#include "rows.h"
#include "../options.h"

struct bench_tuning {
    struct bench *bench;
    const struct options *options; /* its scenario: what is measured, but for the axes */
    struct bench_rows *rows; /* gets a row of the kind BENCH_TRIAL for each configuration that was timed */
    struct progress *progress;
};

/* Fills *best with the macros of the fastest, as `options` takes them; texts lie in *arena, which the caller
 * frees. False after filling the problem. */
bool bench_tune(const struct bench_tuning *tuning, const struct source *text, const char *name,
                struct scenario_options *best, struct arena *arena, struct problem *problem);

/* What --sweep or a lack of it makes to be varied is right for a kernel. False after filling the problem. */
bool bench_tune_check(const struct options *options, const struct source *text, const char *name,
                      struct problem *problem);

/* "TILE=32 BAND=16" of what the options give; cut where it is longer. */
void bench_macros(const struct scenario_options *options, char *text, size_t size);

#endif
