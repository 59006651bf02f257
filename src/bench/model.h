/* model.h - what the simulator's counts say of time: the least that each memory needs for them.
 *
 * Each count is turned into the time that it takes at the rate which the memory gave in the same run. The
 * largest of the three is the resource that the numbers point to. Of the L2 the hardware's sectors are taken
 * where they were counted: what the L1 had already is not in them.
 */
#ifndef LANESCOPE_BENCH_MODEL_H
#define LANESCOPE_BENCH_MODEL_H

#include "rows.h"

enum bench_memory { BENCH_DRAM, BENCH_L2, BENCH_SHARED, BENCH_MEMORIES };

const char *bench_memory_title(enum bench_memory memory);

/* GB/s; a cold copy that was faster than the ceiling's own is the ceiling. 0: not measured. */
double bench_ceiling_rate(const struct bench_rows *rows, enum bench_memory memory);

struct bench_bound {
    double bytes[BENCH_MEMORIES]; /* moved */
    double ms[BENCH_MEMORIES];    /* the least time for them */
    enum bench_memory largest;    /* of the times */
};

/* False for a row that is no kernel, was not timed or not modelled, and where a ceiling is missing. */
bool bench_bound_of(const struct bench_rows *rows, const struct bench_row *row, struct bench_bound *bound);

/* Do two rows move a matrix of one size, in the same state of the caches? */
bool bench_same_size(const struct bench_row *a, const struct bench_row *b);

/* GB/s that must be moved. */
double bench_rate(const struct bench_row *row);

/* The kernels of the size of rows->list[first] under the roofs of the three memories. */
void bench_roofline(const struct bench_rows *rows, size_t first, FILE *out);

/* The steps and the chains of a consumer of the transposed matrix; nothing where there are none. */
void bench_stages(const struct bench_rows *rows, bool color, FILE *out);

#endif
