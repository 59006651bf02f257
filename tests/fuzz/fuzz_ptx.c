/* fuzz_ptx.c - any bytes as PTX: each kernel is compiled and, if it compiles, run. The launch is small. */
#include <stddef.h>
#include <stdint.h>

#include "../../sim/count/tally.h"
#include "../../sim/ptx/ptx.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { SHARED_LIMIT = 1 << 20, KERNELS = 8 };

static void take_barrier(void *self, const struct barrier *barrier)
{
    (void)self;
    (void)barrier;
}

static void run(const struct program *program, bool track_values)
{
    struct problem problem = {0};
    struct launch launch = {.grid = {2, 2, 1}, .block = {8, 4, 2}, .budget = 20000};
    if (program->has_dynamic_shared)
        launch.dynamic_shared_bytes = 1024;
    for (unsigned i = 0; i < program->parameter_count; i++)
        launch.arguments[i] = (struct argument){.value = 16 + i, .bytes = 1 << 20, .misalignment = 4 * i};
    struct execution *execution = execution_new(program, &launch, track_values, &problem);
    if (!execution)
        return;
    struct tally tally;
    tally_init(&tally, program->site_count);
    struct sink sink = {.self = &tally, .access = tally_access, .barrier = take_barrier};
    (void)execution_run_blocks(execution, 0, launch_blocks(&launch), &sink, &problem);
    tally_free(&tally);
    execution_free(execution);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct source source = {"fuzz.ptx", (const char *)bytes, size};
    struct problem problem = {0};
    struct ptx_unit *unit = ptx_open(&source, &problem);
    if (!unit)
        return 0;
    for (unsigned i = 0; i < ptx_kernel_count(unit) && i < KERNELS; i++) {
        struct problem refused = {0};
        const struct program *program = ptx_compile(unit, ptx_kernel_name(unit, i), &refused);
        if (!program || program->static_shared_bytes > SHARED_LIMIT)
            continue;
        run(program, false);
        run(program, true);
    }
    ptx_close(unit);
    return 0;
}
