/* workers.h - a sweep confirmed by several threads.
 *
 * Most of a confirmation is the host's work (the simulation and the comparisons), so threads share one
 * device. Each takes neighbouring configurations of one kernel and its macros at a time, from the end of the
 * list, where the large ones are. A configuration waits while those in flight leave too little device memory.
 */
#ifndef LANESCOPE_CUDA_WORKERS_H
#define LANESCOPE_CUDA_WORKERS_H

#include "confirm.h"
#include "sweep.h"

struct work {
    struct confirmer *confirmer; /* open */
    const struct sweep *sweep;
    const struct device *device; /* NULL: DEVICE_DEFAULT */
    uint64_t seed;
    unsigned threads;             /* at least 1 */
    struct confirmation *results; /* [sweep->count], filled in */
    bool *confirmed;              /* likewise: which of them are there */
    bool (*stop)(void); /* asked before each configuration, by any thread; true: those that are not begun are
                           left out; NULL: never */
    void (*progress)(void *self, size_t done, size_t count); /* NULL: none; one call at a time */
    void *self;
};

/* False after filling the problem: the first that any thread met; the others then stop. True also where it
 * was told to stop: `confirmed` then says which results there are. */
bool workers_confirm(const struct work *work, struct problem *problem);

/* How many threads this machine is good for: its processors, at most 12. */
unsigned workers_default(void);

#endif
