/* disorder.h - does a kernel race, so that what a device does is one of several things it may do?
 *
 * Where two lanes touch a shared cell without a barrier in between and one writes, or lanes of one store
 * bring different values to one cell, CUDA defines no order. The simulation takes one (exec.h), a device
 * perhaps another: what follows from it differs, and neither is wrong. Asked where a confirmation found a
 * difference.
 */
#ifndef LANESCOPE_CUDA_DISORDER_H
#define LANESCOPE_CUDA_DISORDER_H

#include "../sim/report/scenario.h"

enum { DISORDER_BLOCKS = 32, DISORDER_TEXT = 400 };

/* Runs the launch's first blocks, at most DISORDER_BLOCKS; `out` is a sentence, or "" where they do not race.
 */
void disorder_find(const struct scenario *scenario, char out[DISORDER_TEXT]);

#endif
