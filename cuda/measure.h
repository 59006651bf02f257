/* measure.h - the counters of a list's launches, measured, and each held against its prediction. */
#ifndef LANESCOPE_CUDA_MEASURE_H
#define LANESCOPE_CUDA_MEASURE_H

#include "judge.h"
#include "sweep.h"

/* What became of one metric over all launches. */
struct metric_account {
    uint64_t launches, verdicts[VERDICTS];
    uint64_t predicted, measured; /* sums, without what is absent or overruled */
};

struct measurement {
    struct counter_table table; /* a row a launch, in the order of the list; metrics as in metrics[] */
    struct metric_account accounts[METRIC_LIMIT];
    uint64_t differing, overruled; /* launches judged so far */
};

/* Measures a program that launches each configuration once, as counters_run() does. */
bool measurement_take(struct measurement *measurement, const char *launch_only, struct problem *problem);
void measurement_free(struct measurement *measurement);

/* One launch, counter by counter in the order of metrics[]. */
struct launch_verdict {
    const struct counter_row *measured; /* in the measurement's table */
    struct prediction predicted[METRIC_LIMIT];
    struct judged judged[METRIC_LIMIT];
};

/* Simulates the configuration of row `index`, judges that row and adds it to the accounts. `device` is whose
 * limits are simulated; NULL: DEVICE_DEFAULT. */
bool measurement_judge(struct measurement *measurement, const struct configuration *configuration,
                       size_t index, const struct device *device, struct launch_verdict *verdict,
                       struct problem *problem);

#endif
