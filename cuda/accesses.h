/* accesses.h - single accesses measured: one warp, one instruction, 32 chosen byte offsets. */
#ifndef LANESCOPE_CUDA_ACCESSES_H
#define LANESCOPE_CUDA_ACCESSES_H
#include <stdio.h>
#include "confirm.h"
#include "../src/options.h"
int accesses_record(struct confirmer *confirmer, const void *options, FILE *out, struct problem *problem);
#endif
