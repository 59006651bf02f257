/* bench_texts.h - how fast texts are read; printed, never asserted. */
#ifndef LANESCOPE_BENCH_TEXTS_H
#define LANESCOPE_BENCH_TEXTS_H

#include <stdio.h>

/* Prints the processor time for a CUDA text of 4,000 lines and 100 kernels, host code and the launch of the
 * last one included, and for PTX of 100,000 lines. */
void bench_texts(FILE *out);

#endif
