/* confirm.h - one configuration on the device, held against mathematics and against the simulator.
 *
 * Values: the unmodified text runs on a matrix that carries its own indices (payload.h); every cell of the
 * output and the guard zones of all buffers are checked.
 * Owners and addresses: the twin (instrument.h) runs once; every output cell's writers are compared, and
 * every lane's address, for the whole launch where its records fit the budget, otherwise in the corner and
 * edge blocks and in random ones.
 *
 * A kernel that reads no matrix or writes none, or whose input's contents are given, has no values to
 * compare; with `only_addresses` no kernel has: its lanes' addresses are compared alone, and its buffers are
 * as large as the simulator's accesses reach. An access that has no text of its own (out of a macro, of
 * another file) is recorded in the text as the simulator read it, macros replaced.
 *
 * Without a device (confirmer_open_dry) both texts are compiled for sm_90, and that is all.
 *
 * A confirmer keeps the compiled kernels of the last text and macros, so a sweep should vary the sizes first.
 */
#ifndef LANESCOPE_CUDA_CONFIRM_H
#define LANESCOPE_CUDA_CONFIRM_H

#include "../sim/report/scenario.h"
#include "compiler.h"
#include "disorder.h"
#include "gpu.h"
#include "recording.h"

#define CONFIRM_RECORD_BUDGET (UINT64_C(96) << 20) /* bytes of records a launch */
#define CONFIRM_BLOCKS        128u                 /* recorded where the launch does not fit */

struct confirmer {
    struct gpu *gpu;
    struct compiler *compiler;
    uint64_t shared_base; /* where static shared arrays begin in the shared window: 1024 on sm_90 */
    bool only_addresses;
    char *key; /* of the compiled kernels */
    struct gpu_kernel plain, twin;
    bool has_twin;
};

/* False where there is no driver, device or NVRTC. */
bool confirmer_open(struct confirmer *confirmer, struct problem *problem);
bool confirmer_open_dry(struct confirmer *confirmer, struct problem *problem); /* no device: NVRTC alone */
void confirmer_close(struct confirmer *confirmer);
void confirmer_forget(struct confirmer *confirmer); /* unloads the kernels it keeps */

/* The task for this device, whatever its architecture says, loaded: gpu_unload() gives it back. */
bool confirmer_compile(struct confirmer *confirmer, const struct compilation *task, struct gpu_kernel *kernel,
                       struct problem *problem);

/* The scenario's own text, compiled and loaded as confirmer->plain until another one is. */
bool confirmer_compile_plain(struct confirmer *confirmer, const struct scenario *scenario,
                             struct problem *problem);

struct confirmation {
    uint64_t cells;         /* of the output */
    uint64_t wrong;         /* cells with another value than mathematics wants */
    uint64_t guard_changed; /* bytes outside the buffers that the kernel wrote */
    struct comparison_result owners, addresses;
    uint64_t blocks_recorded, blocks; /* equal: the whole launch */
    char first[700];                  /* the first difference as a sentence; "" if there is none */
    char disorder[DISORDER_TEXT];     /* where something differs and the kernel races: that; else "" */
};

/* False after filling the problem if the device or the compiler fails. `seed` chooses the random blocks. */
bool confirm_scenario(struct confirmer *confirmer, const struct scenario *scenario, uint64_t seed,
                      struct confirmation *result, struct problem *problem);
bool confirmation_is_clean(const struct confirmation *confirmation);

/* Launches the unmodified kernel once and looks at nothing: what a profiler wants to see. */
bool confirm_launch_only(struct confirmer *confirmer, const struct scenario *scenario,
                         struct problem *problem);

#endif
