/* bench_item.h - what the files of bench share: something that is begun on the device and timed. */
#ifndef LANESCOPE_CUDA_BENCH_ITEM_H
#define LANESCOPE_CUDA_BENCH_ITEM_H

#include "bench.h"

/* Something that can be begun on the device without waiting for it. */
struct bench_item {
    bool (*begin)(void *self, struct problem *problem);
    void *self;
};

/* Warm-ups, then the repeats, as bench.h says. */
bool bench_time(struct bench *bench, const struct bench_item *item, struct timing *timing,
                struct problem *problem);

/* A launch as such a thing: bench_begin_kernel() with one of these. */
struct bench_kernel {
    struct gpu *gpu;
    const struct gpu_kernel *kernel;
    const struct launch *launch;
    void **arguments;
};
bool bench_begin_kernel(void *self, struct problem *problem);

/* A kernel of one of our own texts (bench_texts.h); definition NULL: none. gpu_unload() ends it. */
bool bench_load(struct bench *bench, const char *text, const char *name, const char *definition,
                struct gpu_kernel *kernel, struct problem *problem);

/* fill, poison and check for elements of so many bytes. */
bool bench_load_cells(struct bench *bench, unsigned bytes, struct problem *problem);

/* Threads enough to fill any device, for kernels in which each takes every such-and-such cell. */
extern const struct launch bench_everywhere;

/* A row of this kind and nothing measured; it moves the matrix once in and once out. */
void bench_describe(struct bench_row *row, enum bench_kind kind, const char *name, uint32_t rows,
                    uint32_t cols, unsigned elem_bytes, bool is_warm);

#endif
