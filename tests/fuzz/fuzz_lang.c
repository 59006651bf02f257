/* fuzz_lang.c - any bytes as a text of kernels: each is compiled and, if it compiles, run.
 *
 * The text may say anything, the launch may not: buffers of 1 MiB, 64 threads a block, 4 blocks, a small
 * budget. Kernels whose static shared memory would take longer to clear than to run are compiled only.
 */
#include <stddef.h>
#include <stdint.h>

#include "../../sim/audit/owners.h"
#include "../../sim/count/tally.h"
#include "../../sim/lang/lang.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { SHARED_LIMIT = 1 << 20, KERNELS = 8 };

struct consumers {
    struct tally tally;
    struct owners *owners; /* may be NULL */
};

static void take_access(void *self, const struct access *access)
{
    struct consumers *consumers = self;
    tally_access(&consumers->tally, access);
    if (consumers->owners)
        owners_access(consumers->owners, access);
}

static void take_barrier(void *self, const struct barrier *barrier)
{
    (void)self;
    (void)barrier;
}

static struct launch small_launch(const struct program *program, const struct owners_task *task)
{
    struct launch launch = {.grid = {2, 2, 1}, .block = {8, 4, 1}, .budget = 20000};
    launch.block[2] = 1 + program->parameter_count % 2;
    if (program->has_dynamic_shared)
        launch.dynamic_shared_bytes = 1024;
    for (unsigned i = 0; i < program->parameter_count; i++)
        launch.arguments[i] = (struct argument){.value = 16 + i,
                                                .bytes = (uint64_t)task->rows * task->cols * task->elem_bytes,
                                                .misalignment = 4 * i};
    return launch;
}

/* The first parameter that is written and the first that is read, as matrices of at most 1 MiB. */
static struct owners_task task_of(const struct program *program)
{
    struct owners_task task = {.cols = 512, .elem_bytes = 4, .in = -1, .out = -1};
    for (unsigned i = program->parameter_count; i-- > 0;) {
        task.in = program->parameters[i].is_loaded ? (int)i : task.in;
        task.out = program->parameters[i].is_stored ? (int)i : task.out;
    }
    if (task.out >= 0)
        task.elem_bytes = (unsigned)type_size(program->parameters[task.out].type.to);
    task.rows = (1 << 20) / task.cols / task.elem_bytes;
    return task;
}

static void run(const struct program *program, bool track_values)
{
    struct problem problem = {0}, none = {0};
    struct owners_task task = task_of(program);
    struct launch launch = small_launch(program, &task);
    struct execution *execution = execution_new(program, &launch, track_values, &problem);
    if (!execution)
        return;
    struct consumers consumers = {.owners = track_values ? owners_new(&task, &none) : NULL};
    struct sink sink = {.self = &consumers, .access = take_access, .barrier = take_barrier};
    tally_init(&consumers.tally, program->site_count);
    if (execution_run_blocks(execution, 0, launch_blocks(&launch), &sink, &problem) && consumers.owners) {
        struct owners_report report;
        (void)owners_report(consumers.owners, &report, &problem);
    }
    owners_free(consumers.owners);
    tally_free(&consumers.tally);
    execution_free(execution);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const struct source definitions[] = {
        {"-D", "TILE=32", 7}, {"-D", "PITCH=(TILE + 1)", 16}, {"-D", "ELEM=float", 10}, {"-D", "FAST", 4}};
    struct source source = {"fuzz.cu", (const char *)bytes, size};
    struct problem problem = {0};
    struct unit *unit = unit_open(&source, definitions, sizeof definitions / sizeof *definitions, &problem);
    if (!unit)
        return 0;
    for (unsigned i = 0; i < unit_kernel_count(unit) && i < KERNELS; i++) {
        struct problem refused = {0};
        const struct program *program = unit_compile(unit, unit_kernel_name(unit, i), &refused);
        if (!program || program->static_shared_bytes > SHARED_LIMIT)
            continue;
        run(program, false);
        run(program, true);
    }
    unit_close(unit);
    return 0;
}
