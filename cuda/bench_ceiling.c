/* bench_ceiling.c - the rates that the device's memories reach with kernels that do nothing else. */
#include "bench_item.h"
#include "bench_texts.h"

enum { READ_BYTES = 8 << 20, READ_TIMES = 64, SHARED_TIMES = 4096, SHARED_LOADS = 16 };

/* A buffer of 256 MiB copied by the driver, cold: nothing of it is found in the L2. */
static bool dram(struct bench *bench, struct bench_row *row, struct problem *problem)
{
    struct bench cold = *bench; /* for its timing alone */
    struct bench_row rows[3];
    unsigned count;
    cold.is_warm = false;
    if (!cold.flush && !gpu_take(cold.confirmer.gpu, cold.flush_bytes, &cold.flush, problem))
        return false;
    cold.peer = NULL;
    bool ok = bench_peers(&cold, 8192, 8192, 4, rows, &count, problem);
    if (cold.flush != bench->flush)
        gpu_give(cold.confirmer.gpu, cold.flush);
    bench->cell_bytes = cold.cell_bytes; /* the kernels that it loaded are this one's */
    bench->fill = cold.fill;
    bench->poison = cold.poison;
    bench->check = cold.check;
    if (!ok)
        return false;
    unsigned best = timing_rate(&rows[1].timing, 1) > timing_rate(&rows[0].timing, 1);
    row->timing = rows[best].timing;
    row->bytes = rows[best].bytes;
    return true;
}

/* `buffer`: READ_BYTES, zero. */
static bool one_kernel(struct bench *bench, const char *name, const struct launch *launch, void **arguments,
                       struct timing *timing, struct problem *problem)
{
    struct gpu_kernel kernel = {0};
    struct bench warm = *bench;
    struct bench_kernel self = {bench->confirmer.gpu, &kernel, launch, arguments};
    struct bench_item item = {bench_begin_kernel, &self};
    warm.is_warm = true;
    bool ok = bench_load(bench, bench_ceilings_text, name, NULL, &kernel, problem) &&
              bench_time(&warm, &item, timing, problem);
    gpu_unload(bench->confirmer.gpu, &kernel);
    return ok;
}

static bool l2(struct bench *bench, struct bench_row *row, struct problem *problem)
{
    struct gpu *gpu = bench->confirmer.gpu;
    struct launch launch = {.grid = {4 * gpu_facts(gpu)->processors, 1, 1}, .block = {512, 1, 1}};
    uint64_t buffer = 0, count = READ_BYTES / 16, never = 0;
    unsigned times = READ_TIMES;
    void *arguments[] = {&buffer, &count, &times, &never};
    row->bytes = (uint64_t)READ_BYTES * READ_TIMES;
    bool ok = gpu_take(gpu, READ_BYTES + 256, &buffer, problem);
    never = buffer + READ_BYTES;
    ok = ok && gpu_set(gpu, buffer, 0, READ_BYTES + 256, problem) &&
         one_kernel(bench, "read_l2", &launch, arguments, &row->timing, problem);
    gpu_give(gpu, buffer);
    return ok;
}

static bool shared(struct bench *bench, struct bench_row *row, struct problem *problem)
{
    struct gpu *gpu = bench->confirmer.gpu;
    struct launch launch = {.grid = {8 * gpu_facts(gpu)->processors, 1, 1}, .block = {256, 1, 1}};
    uint64_t never = 0;
    unsigned times = SHARED_TIMES;
    void *arguments[] = {&times, &never};
    row->bytes = (uint64_t)launch.grid[0] * (launch.block[0] / 32) * SHARED_TIMES * SHARED_LOADS * 128;
    bool ok = gpu_take(gpu, 256, &never, problem) &&
              one_kernel(bench, "read_shared", &launch, arguments, &row->timing, problem);
    gpu_give(gpu, never);
    return ok;
}

bool bench_ceilings(struct bench *bench, struct bench_row row[3], struct problem *problem)
{
    static const char *const names[3] = {"dram", "l2", "shared"};
    for (unsigned i = 0; i < 3; i++)
        bench_describe(&row[i], BENCH_CEILING, names[i], 0, 0, 0, i != 0);
    return dram(bench, &row[0], problem) && l2(bench, &row[1], problem) && shared(bench, &row[2], problem);
}
