#include "timing.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct timing timing_of(double *ms, unsigned count)
{
    if (!count)
        return (struct timing){0};
    qsort(ms, count, sizeof *ms, ascending);
    return (struct timing){.median = (ms[(count - 1) / 2] + ms[count / 2]) / 2,
                           .least = ms[0],
                           .most = ms[count - 1],
                           .repeats = count};
}

double timing_rate(const struct timing *timing, uint64_t bytes)
{
    return timing->median > 0 ? (double)bytes / timing->median / 1e6 : 0;
}

uint64_t timing_break_even(double once, double after, double before)
{
    if (!(before > after))
        return 0;
    double k = ceil(once / (before - after));
    return k < 1 ? 1 : k < 1e18 ? (uint64_t)k : 0;
}
