/* fuzz_probe.c - any bytes as an index expression and, after a newline, as the condition of the active lanes.
 *
 * The first four bytes choose space and direction, the lane's bytes, the index's unit and the base.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../sim/count/tally.h"
#include "../../sim/lang/lang.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { CHOICES = 4 };

static void run(const struct program *program)
{
    struct problem problem = {0};
    struct launch launch = {.grid = {3, 2, 1}, .block = {16, 3, 1}, .budget = 20000};
    launch.dynamic_shared_bytes = program->has_dynamic_shared ? 1024 : 0;
    for (unsigned i = 0; i < program->parameter_count; i++)
        launch.arguments[i] = (struct argument){.bytes = 1 << 20};
    struct execution *execution = execution_new(program, &launch, false, &problem);
    if (!execution)
        return;
    static const uint32_t block[3] = {2, 1, 0};
    struct tally tally;
    tally_init(&tally, program->site_count);
    struct sink sink = {.self = &tally, .access = tally_access};
    (void)execution_run_block(execution, block, &sink, &problem);
    tally_free(&tally);
    execution_free(execution);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const struct source definition = {"-D", "TILE=32", 7}, nothing = {"nothing", "", 0};
    static const int64_t bases[] = {0, 4, -4, 1, INT64_C(1) << 46, -(INT64_C(1) << 46), 127, 1 << 20};
    if (size < CHOICES)
        return 0;
    const char *text = (const char *)bytes + CHOICES;
    const char *newline = memchr(text, '\n', size - CHOICES);
    size_t length = newline ? (size_t)(newline - text) : size - CHOICES;
    struct source index = {"index", text, length}, active = {0};
    if (newline)
        active = (struct source){"active", newline + 1, size - CHOICES - length - 1};
    struct probe probe = {.index = &index,
                          .active = newline ? &active : NULL,
                          .space = bytes[0] & 1 ? SPACE_SHARED : SPACE_GLOBAL,
                          .op = bytes[0] & 2 ? ACCESS_STORE : ACCESS_LOAD,
                          .lane_bytes = 1u << bytes[1] % 5,
                          .index_bytes = (uint64_t)bytes[2] << bytes[2] % 25,
                          .base_bytes = bases[bytes[3] % 8]};
    struct problem problem = {0};
    struct unit *unit = unit_open(&nothing, &definition, 1, &problem);
    if (!unit)
        return 0;
    const struct program *program = unit_compile_probe(unit, &probe, &problem);
    if (program)
        run(program);
    unit_close(unit);
    return 0;
}
