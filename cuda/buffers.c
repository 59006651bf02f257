#include "buffers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "payload.h"

/* Data that is no address: 1 in its type, so that scaling by it changes nothing. */
static uint64_t scalar_value(const struct parameter *parameter, int64_t value)
{
    uint64_t bits = (uint64_t)value;
    if (parameter->type.kind != TYPE_FLOAT)
        return bits;
    float one = 1.0f;
    double wide = 1.0;
    bits = 0;
    memcpy(&bits, parameter->type.bytes == 4 ? (void *)&one : (void *)&wide,
           parameter->type.bytes == 4 ? 4 : 8);
    return bits;
}

static bool open_one(struct buffers *b, unsigned i, struct problem *problem)
{
    const struct argument *argument = &b->launch->arguments[i];
    uint64_t extra = 2 * GUARD_BYTES + argument->misalignment;
    if (!gpu_take(b->gpu, argument->bytes + extra, &b->allocation[i], problem))
        return false;
    b->base[i] = b->allocation[i] + GUARD_BYTES + argument->misalignment;
    return gpu_set(b->gpu, b->allocation[i], GUARD_VALUE, argument->bytes + extra, problem) &&
           gpu_set(b->gpu, b->base[i], 0, argument->bytes, problem);
}

/* All buffers together, before the first is taken. False and a problem where the device has less free. */
static bool fits(struct gpu *gpu, const struct program *program, const struct launch *launch,
                 struct problem *problem)
{
    uint64_t needed = 0, available;
    for (unsigned i = 0; i < program->parameter_count; i++) {
        const struct argument *argument = &launch->arguments[i];
        if (program->parameters[i].type.kind == TYPE_POINTER &&
            (__builtin_add_overflow(needed, argument->bytes, &needed) ||
             __builtin_add_overflow(needed, 2 * GUARD_BYTES + argument->misalignment, &needed)))
            needed = UINT64_MAX;
    }
    if (!gpu_available(gpu, &available, problem))
        return false;
    return needed <= available ||
           problem_say(problem,
                       "the kernel's buffers need %" PRIu64 " MiB of device memory together and %" PRIu64
                       " MiB are free: take a smaller matrix",
                       needed >> 20, available >> 20);
}

bool buffers_open(struct buffers *buffers, struct gpu *gpu, const struct program *program,
                  const struct launch *launch, struct problem *problem)
{
    *buffers = (struct buffers){.gpu = gpu, .program = program, .launch = launch};
    if (!fits(gpu, program, launch, problem))
        return false;
    for (unsigned i = 0; i < program->parameter_count; i++) {
        const struct parameter *parameter = &program->parameters[i];
        buffers->value[i] = scalar_value(parameter, launch->arguments[i].value);
        buffers->arguments[i] = &buffers->value[i];
        if (parameter->type.kind != TYPE_POINTER)
            continue;
        if (!open_one(buffers, i, problem))
            return false;
        buffers->value[i] = buffers->base[i];
    }
    return true;
}

void buffers_close(struct buffers *buffers)
{
    for (unsigned i = 0; i < 64; i++)
        gpu_give(buffers->gpu, buffers->allocation[i]);
    memset(buffers->allocation, 0, sizeof buffers->allocation);
}

static bool check_zone(const struct buffers *b, unsigned i, uint64_t from, uint64_t bytes, uint8_t *memory,
                       uint64_t *changed, char *first, size_t size, struct problem *problem)
{
    uint64_t at = 0;
    if (!gpu_read(b->gpu, memory, from, bytes, problem))
        return false;
    uint64_t count = guard_check(memory, bytes, &at);
    if (count && !*changed)
        (void)snprintf(first, size,
                       "%s: %" PRIu64 " bytes outside the buffer were written, the first at byte %" PRId64,
                       b->program->parameters[i].name, count, (int64_t)(from + at - b->base[i]));
    *changed += count;
    return true;
}

bool buffers_check_guards(const struct buffers *b, uint64_t *changed, char *first, size_t size,
                          struct problem *problem)
{
    uint8_t *memory = memory_take(GUARD_BYTES + 256, 1);
    bool ok = true;
    *changed = 0;
    for (unsigned i = 0; ok && i < b->program->parameter_count; i++) {
        if (!b->allocation[i])
            continue;
        uint64_t before = b->base[i] - b->allocation[i], end = b->base[i] + b->launch->arguments[i].bytes;
        ok = check_zone(b, i, b->allocation[i], before, memory, changed, first, size, problem) &&
             check_zone(b, i, end, GUARD_BYTES, memory, changed, first, size, problem);
    }
    free(memory);
    return ok;
}
