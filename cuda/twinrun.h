/* twinrun.h - one launch of the twin, and its records brought home. */
#ifndef LANESCOPE_CUDA_TWINRUN_H
#define LANESCOPE_CUDA_TWINRUN_H

#include "../sim/report/scenario.h"
#include "buffers.h"
#include "recording.h"

/* Chooses the blocks to record, launches the twin and fills the recording; recording_free() it in either
 * case. The recording's shared_base must be set. `execution` finds out how many visits must be held. */
bool twin_run(struct gpu *gpu, const struct gpu_kernel *twin, const struct scenario *scenario,
              struct buffers *buffers, struct execution *execution, uint64_t seed,
              struct recording *recording, struct problem *problem);

/* Bytes of the device that a run takes beside the launch's buffers; UINT64_MAX: too many to count. Records
 * may need less, and more where one block has many visits. */
uint64_t twin_bytes(const struct scenario *scenario);

/* The blocks to record where the launch has `blocks`: all where `most` allows, otherwise the corners, the
 * middles of the edges and random ones. Ascending, each once; returns their number, at most `most`. */
uint64_t twin_choose_blocks(const struct launch *launch, uint64_t most, uint64_t seed, uint64_t *list);

#endif
