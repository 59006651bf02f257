/* measure.h - predicted beside measured counters, and the table that `lanescope compare` reads again. */
#ifndef LANESCOPE_CUDA_MEASURE_H
#define LANESCOPE_CUDA_MEASURE_H

#include <stdio.h>

#include "../base/table.h"
#include "confirm.h"
#include "sweep.h"

struct measurement {
    const struct sweep *sweep;
    const struct device *device; /* whose limits are simulated; NULL: DEVICE_DEFAULT */
    const struct device *named;  /* the real one, as tables name it */
    enum format format;
    bool color;
    FILE *record; /* the recorded table goes there; NULL: nowhere */
    const struct confirmer *confirmer;
};

/* Returns an exit code: 0 all equal, 1 some differ, 2 what was measured does not fit the list, 3 the counters
 * cannot be read here (the problem says why). */
int measure_counters(const struct measurement *measurement, FILE *out, struct problem *problem);

/* Device, driver, toolkit and rules: one line each, each after `before`. */
void measure_print_device(const struct confirmer *confirmer, const char *before, FILE *out);

/* Ends the comment lines of a recorded table: the device's, then the date. */
void measure_print_head(const struct confirmer *confirmer, FILE *out);

#endif
