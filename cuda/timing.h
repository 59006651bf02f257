/* timing.h - repeated times of one thing, and what is said of them. Milliseconds; bytes a second as GB
 * (10^9). */
#ifndef LANESCOPE_CUDA_TIMING_H
#define LANESCOPE_CUDA_TIMING_H

#include <stdint.h>

#define TIMING_LIMIT 10000u /* repeats */

struct timing {
    double median, least, most; /* ms; all 0 where nothing was timed */
    unsigned repeats;
};

/* Sorts `ms`. The median of an even number is the mean of the middle two. */
struct timing timing_of(double *ms, unsigned count);

/* GB/s at the median; 0 where nothing was timed. */
double timing_rate(const struct timing *timing, uint64_t bytes);

/* How often a conversion must be used until it has paid for itself: the smallest k for which
 * once + k * after <= k * before, times of the same unit. 0: never. */
uint64_t timing_break_even(double once, double after, double before);

#endif
