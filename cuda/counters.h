/* counters.h - hardware counters, by Nsight Compute run on this program itself.
 *
 * ncu is looked for on PATH, in CUDA_HOME, /usr/local/cuda and /opt/nvidia/nsight-compute. It runs this very
 * command line once more with one argument added, by which each configuration's unmodified kernel is launched
 * once and nothing else is done; its table (--csv --page raw) then has one row a launch. Clocks are left
 * alone and caches flushed before every pass, as in the tables in tests/data.
 *
 * The counters need a permission on many systems; what ncu says is handed on.
 */
#ifndef LANESCOPE_CUDA_COUNTERS_H
#define LANESCOPE_CUDA_COUNTERS_H

#include "../sim/report/metric.h"

#define COUNTERS_METRIC_LIMIT METRIC_LIMIT
#define COUNTER_ABSENT        UINT64_MAX /* ncu printed n/a, or nothing */

struct counter_row {
    uint64_t value[COUNTERS_METRIC_LIMIT]; /* by index of the metrics asked for */
};

struct counter_table {
    struct counter_row *rows;
    size_t count;
};

/* Where ncu is, or NULL. The text is the caller's to free(). */
char *counters_find_ncu(void);

/* Runs ncu on this program's command line with the argument `launch_only` added, asking for these metrics
 * (with .sum). What waits in this program's streams should be flushed before. False after filling the
 * problem. */
bool counters_run(const char *const *names, size_t name_count, const char *launch_only,
                  struct counter_table *table, struct problem *problem);

/* Has the table a row for each of the launches that were made? */
bool counters_are_of(const struct counter_table *table, size_t launches, struct problem *problem);
void counter_table_free(struct counter_table *table);

/* Reads the text that ncu writes: lines that begin with == are passed over, then a row of names, a row of
 * units, and one row a launch, numbers with thousands separators. */
bool counters_parse(const struct source *text, const char *const *names, size_t name_count,
                    struct counter_table *table, struct problem *problem);

#endif
