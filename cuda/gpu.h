/* gpu.h - one CUDA device: memory, kernels, launches.
 *
 * What it is for: the few driver calls that confirming needs. It is opened at run time (libcuda.so.1), so the
 * same program serves machines with and without a GPU. Two implementations, chosen by the Makefile:
 * toolkit/gpu.c where CUDA's headers are found, stub/stub.c elsewhere.
 *
 * Errors: functions return false after filling the problem with the name of the CUDA call and CUDA's own
 * words. After an error in a kernel the device's context is lost: everything that follows fails, so end.
 * Ownership: whatever a gpu hands out ends with gpu_close() at the latest.
 */
#ifndef LANESCOPE_CUDA_GPU_H
#define LANESCOPE_CUDA_GPU_H

#include "../sim/exec/launch.h"

struct gpu;

struct gpu_facts {
    char name[128];        /* "NVIDIA H200" */
    unsigned major, minor; /* compute capability */
    unsigned cuda;         /* what the driver speaks: 13000 is CUDA 13.0 */
    char driver[64];       /* the driver's release, "580.159.04"; "" where the system does not say */
    uint64_t bytes;        /* memory of the device */
    uint64_t l2_bytes;
    unsigned processors; /* SMs */
    unsigned core_khz;   /* the highest clock of the SMs; 0 where the driver does not say */
};

/* False if there is no driver or no device, or if this program was built without CUDA. */
bool gpu_open(struct gpu **gpu, struct problem *problem);
void gpu_close(struct gpu *gpu); /* NULL is fine */

/* Makes the device current in the calling thread; gpu_open() did so in its own. Calls from several threads
 * may overlap. */
bool gpu_attach(struct gpu *gpu, struct problem *problem);
bool gpu_available(struct gpu *gpu, uint64_t *bytes, struct problem *problem); /* free memory */

const struct gpu_facts *gpu_facts(const struct gpu *gpu);

/* The clocks at this moment in MHz, as the management library has them; 0 where it is missing or silent. */
struct gpu_clocks {
    unsigned core, memory;
};
struct gpu_clocks gpu_clocks_now(void);

/* Device memory. An address is aligned to 256 bytes. Asking for more than is free says so before trying. */
bool gpu_take(struct gpu *gpu, uint64_t bytes, uint64_t *address, struct problem *problem);
void gpu_give(struct gpu *gpu, uint64_t address); /* 0 is fine */
bool gpu_set(struct gpu *gpu, uint64_t address, uint8_t value, uint64_t bytes, struct problem *problem);
bool gpu_write(struct gpu *gpu, uint64_t address, const void *from, uint64_t bytes, struct problem *problem);
bool gpu_read(struct gpu *gpu, void *to, uint64_t address, uint64_t bytes, struct problem *problem);

struct gpu_kernel {
    void *module, *function; /* NULL: none */
};

/* `image` is a cubin, `name` the kernel's lowered name. */
bool gpu_load(struct gpu *gpu, const void *image, const char *name, struct gpu_kernel *kernel,
              struct problem *problem);
void gpu_unload(struct gpu *gpu, struct gpu_kernel *kernel);

/* The address of a __device__ variable of the kernel's module. */
bool gpu_symbol(struct gpu *gpu, const struct gpu_kernel *kernel, const char *name, uint64_t *address,
                struct problem *problem);

/* Launches and waits. `arguments` has one pointer to the value of each parameter. */
bool gpu_launch(struct gpu *gpu, const struct gpu_kernel *kernel, const struct launch *launch,
                void **arguments, struct problem *problem);

/* Launches and does not wait: launches and copies happen one after the other. */
bool gpu_enqueue(struct gpu *gpu, const struct gpu_kernel *kernel, const struct launch *launch,
                 void **arguments, struct problem *problem);
/* cuMemcpyDtoD, without waiting for its end. */
bool gpu_copy(struct gpu *gpu, uint64_t to, uint64_t from, uint64_t bytes, struct problem *problem);
bool gpu_wait(struct gpu *gpu, struct problem *problem);

/* What the device does between the two takes `*ms`; stopping waits for its end. One pair at a time. */
bool gpu_timer_start(struct gpu *gpu, struct problem *problem);
bool gpu_timer_stop(struct gpu *gpu, double *ms, struct problem *problem);

#endif
