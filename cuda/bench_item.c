#include "bench_item.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"

const struct launch bench_everywhere = {.grid = {4096, 1, 1}, .block = {256, 1, 1}};

bool bench_load(struct bench *bench, const char *text, const char *name, const char *definition,
                struct gpu_kernel *kernel, struct problem *problem)
{
    struct source source = {"the benchmark's own kernels", text, strlen(text)};
    struct compilation task = {
        .text = &source, .definitions = &definition, .definition_count = definition != NULL, .kernel = name};
    return confirmer_compile(&bench->confirmer, &task, kernel, problem);
}

bool bench_time(struct bench *bench, const struct bench_item *item, struct timing *timing,
                struct problem *problem)
{
    struct gpu *gpu = bench->confirmer.gpu;
    double *ms = memory_take(bench->repeats + 1, sizeof *ms);
    bool ok = true;
    for (unsigned i = 0; ok && i < bench->warmups; i++)
        ok = item->begin(item->self, problem);
    ok = ok && gpu_wait(gpu, problem);
    for (unsigned i = 0; ok && i < bench->repeats; i++)
        ok = (bench->is_warm || gpu_set(gpu, bench->flush, (uint8_t)i, bench->flush_bytes, problem)) &&
             gpu_timer_start(gpu, problem) && item->begin(item->self, problem) &&
             gpu_timer_stop(gpu, &ms[i], problem);
    *timing = timing_of(ms, ok ? bench->repeats : 0);
    free(ms);
    return ok;
}

bool bench_begin_kernel(void *self, struct problem *problem)
{
    const struct bench_kernel *k = self;
    return gpu_enqueue(k->gpu, k->kernel, k->launch, k->arguments, problem);
}

void bench_describe(struct bench_row *row, enum bench_kind kind, const char *name, uint32_t rows,
                    uint32_t cols, unsigned elem_bytes, bool is_warm)
{
    *row = (struct bench_row){.kind = kind,
                              .rows = rows,
                              .cols = cols,
                              .elem_bytes = elem_bytes,
                              .is_warm = is_warm,
                              .bytes = 2 * (uint64_t)rows * cols * elem_bytes};
    (void)snprintf(row->name, sizeof row->name, "%.60s", name);
}
