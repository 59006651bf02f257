/* judge.h - one launch's counters held against their predictions.
 *
 * The policy of a counter is struct metric's. One exception, seen on an H200 (docs/confirmation.md):
 * wavefronts of loads by patched code (smsp__sass_*) are wrong for some lanes of 8 and 16 bytes whose groups
 * merge. Where the hardware's own counter of the same launch equals the prediction, the patched one is
 * overruled.
 */
#ifndef LANESCOPE_CUDA_JUDGE_H
#define LANESCOPE_CUDA_JUDGE_H

#include "../sim/report/scenario.h"
#include "counters.h"

enum verdict { VERDICT_EQUAL, VERDICT_ABOVE, VERDICT_BELOW, VERDICT_ABSENT, VERDICT_OVERRULED, VERDICTS };

struct judged {
    enum verdict verdict; /* ABOVE and BELOW: measured, compared with predicted */
    bool differs;         /* against the counter's policy */
};

/* `row` has all counters of the launch in the order of metrics[]; `elem_bytes` is what its lanes move. */
struct judged counter_judge(size_t metric, const struct prediction *predicted, const struct counter_row *row,
                            unsigned elem_bytes);

#endif
