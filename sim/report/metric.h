/* metric.h - Nsight Compute's names for what the simulator counts, and how a measured value is judged.
 *
 * Source of the names and of the policy: tests/data/h200.md. Whole-launch l1tex__data_* counters also count
 * lost arbitration with other traffic, so the prediction is their lower bound.
 * smsp__inst_executed_op_shared_* also count instructions that are issued with every lane predicated off;
 * whether a guard becomes a predicate or a branch is the compiler's choice, so they may lie anywhere from the
 * instructions with an active lane to those plus the ones that a warp passed with none. lts__ and dram__
 * depend on caches and are not predicted.
 */
#ifndef LANESCOPE_REPORT_METRIC_H
#define LANESCOPE_REPORT_METRIC_H

#include "../count/tally.h"

enum judgement {
    JUDGE_EQUAL,    /* measured must equal predicted */
    JUDGE_ISSUED,   /* measured must lie between predicted and predicted + predicated off */
    JUDGE_AT_LEAST, /* measured must not be below predicted */
    JUDGE_SHOWN     /* no prediction */
};

enum metric_kind { METRIC_REQUESTS, METRIC_UNITS, METRIC_CONFLICTS, METRIC_NONE };

struct metric {
    const char *name; /* with .sum */
    enum judgement judgement;
    enum metric_kind kind; /* METRIC_UNITS: sectors or wavefronts */
    enum access_kind_id of;
};

#define METRIC_LIMIT 32u /* there are at most so many */
extern const struct metric metrics[];
extern const size_t metric_count;

const struct metric *metric_find(const char *name, size_t length); /* NULL if unknown */
struct prediction {
    uint64_t value;
    uint64_t most; /* JUDGE_ISSUED: with every predicated-off instruction; otherwise as value */
};

/* The tally must have heard of skipped accesses too (tally_skipped). */
struct prediction metric_predict(const struct metric *metric, const struct tally *tally,
                                 const struct program *program);
/* What a metric counts of the sums over its space and direction, without what is predicated off; METRIC_NONE:
 * 0. */
uint64_t metric_value(const struct metric *metric, const struct site_tally *sum);

bool metric_agrees(const struct metric *metric, const struct prediction *prediction, uint64_t measured);

#endif
