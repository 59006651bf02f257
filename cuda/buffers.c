#include "buffers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "payload.h"

/* Data that is no address and has no number: 1 in its type, so that scaling by it changes nothing. */
static uint64_t scalar_value(const struct parameter *parameter, const struct argument *argument)
{
    uint64_t bits = (uint64_t)argument->value;
    if (parameter->type.kind != TYPE_FLOAT)
        return bits;
    float one = argument->is_number ? (float)argument->value : 1.0f;
    double wide = argument->is_number ? (double)argument->value : 1.0;
    bits = 0;
    memcpy(&bits, parameter->type.bytes == 4 ? (void *)&one : (void *)&wide,
           parameter->type.bytes == 4 ? 4 : 8);
    return bits;
}

static void see_reach(void *self, const struct access *access)
{
    struct reach *reach = self;
    if (access->site->kind->space != SPACE_GLOBAL)
        return;
    for (uint32_t lanes = access->mask; lanes; lanes &= lanes - 1) {
        int64_t begin = access_offset(access, (unsigned)__builtin_ctz(lanes)),
                end = begin + access->site->lane_bytes;
        if (begin < reach->low[access->buffer])
            reach->low[access->buffer] = begin;
        if (end > reach->high[access->buffer])
            reach->high[access->buffer] = end;
    }
}

bool reach_find(struct execution *execution, const struct launch *launch, struct reach *reach,
                struct problem *problem)
{
    struct sink sink = {.self = reach, .access = see_reach};
    *reach = (struct reach){0};
    return execution_run_blocks(execution, 0, launch_blocks(launch), &sink, problem);
}

static bool open_one(struct buffers *b, unsigned i, const struct reach *reach, struct problem *problem)
{
    const struct argument *argument = &b->launch->arguments[i];
    uint64_t before = argument->before;
    b->bytes[i] = argument->bytes;
    if (reach && reach->low[i] < 0 && (uint64_t)-reach->low[i] > before)
        before = (uint64_t)-reach->low[i];
    if (reach && reach->high[i] > 0 && (uint64_t)reach->high[i] > b->bytes[i])
        b->bytes[i] = (uint64_t)reach->high[i];
    before = (before + 255) / 256 * 256 + argument->misalignment;
    uint64_t all = 2 * GUARD_BYTES + before + b->bytes[i];
    if (!gpu_take(b->gpu, all, &b->allocation[i], problem))
        return false;
    b->base[i] = b->allocation[i] + GUARD_BYTES + before;
    return gpu_set(b->gpu, b->allocation[i], GUARD_VALUE, all, problem) &&
           gpu_set(b->gpu, b->base[i] - argument->before, 0, argument->before + b->bytes[i], problem);
}

/* A number as a cell of this type holds it; of floating types float and double. */
static void put_number(const struct type *type, int64_t value, uint8_t *cell)
{
    float single = (float)value;
    double wide = (double)value;
    bool is_float = type->kind == TYPE_FLOAT;
    memcpy(cell,
           is_float && type->bytes == 4   ? (const void *)&single
           : is_float && type->bytes == 8 ? (const void *)&wide
                                          : (const void *)&value, /* its low bytes come first here */
           type->bytes);
}

/* One buffer's contents as the launch says them, a piece at a time. */
static bool fill_one(const struct buffers *b, unsigned i, const struct contents *contents,
                     struct problem *problem)
{
    enum { PIECE = 4096 };
    const struct type *type = parameter_number(&b->program->parameters[i]);
    uint64_t width = type ? type->bytes : 1, cells = type ? b->bytes[i] / width : 0;
    if (!contents->is_endless && cells > b->launch->arguments[i].bytes / width)
        cells = b->launch->arguments[i].bytes / width;
    uint8_t *bytes = memory_take(PIECE * LANES, sizeof(int64_t));
    bool ok = true;
    for (uint64_t first = 0; ok && first < cells; first += PIECE * LANES) {
        uint64_t count = cells - first < PIECE * LANES ? cells - first : PIECE * LANES;
        for (uint64_t at = 0; ok && at < count; at += LANES) {
            int64_t index[LANES], value[LANES];
            unsigned lanes = count - at < LANES ? (unsigned)(count - at) : LANES;
            for (unsigned k = 0; k < LANES; k++)
                index[k] = (int64_t)(first + at + (k < lanes ? k : 0));
            ok = contents->values(contents->self, lanes == LANES ? UINT32_MAX : (1u << lanes) - 1, index,
                                  value, problem);
            for (unsigned k = 0; ok && k < lanes; k++)
                put_number(type, value[k], bytes + (at + k) * width);
        }
        ok = ok && gpu_write(b->gpu, b->base[i] + first * width, bytes, count * width, problem);
    }
    free(bytes);
    return ok;
}

bool buffers_fill(const struct buffers *buffers, struct problem *problem)
{
    for (unsigned i = 0; i < buffers->program->parameter_count; i++) {
        const struct contents *contents = buffers->launch->arguments[i].contents;
        if (contents && buffers->base[i] && !fill_one(buffers, i, contents, problem))
            return false;
    }
    return true;
}

/* The kernel's list of parameters: each begins at a multiple of 16. */
static bool place_values(struct buffers *b, struct problem *problem)
{
    uint64_t begin = 0, next = 0;
    for (unsigned i = 0; i < b->program->parameter_count; i++) {
        const struct parameter *parameter = &b->program->parameters[i];
        const bool is_pointer = parameter->type.kind == TYPE_POINTER;
        uint64_t value = is_pointer ? b->base[i] : scalar_value(parameter, &b->launch->arguments[i]);
        uint64_t bytes = is_pointer ? sizeof value : type_size(&parameter->type);
        uint64_t whole = parameter->whole_bytes ? parameter->whole_bytes : bytes;
        if (parameter->part <= 1) {
            begin = next;
            next = (begin + whole + 15) / 16 * 16;
        }
        if (next > sizeof b->values || parameter->offset + bytes > whole || bytes > sizeof value)
            return problem_say(problem, "the kernel's parameters are larger than %u bytes together",
                               (unsigned)sizeof b->values);
        memcpy(b->values + begin + parameter->offset, &value, bytes);
        b->arguments[parameter->position] = b->values + begin;
    }
    return true;
}

/* All buffers together, before the first is taken. False and a problem where the device has less free. */
static bool fits(struct gpu *gpu, const struct program *program, const struct launch *launch, uint64_t also,
                 struct problem *problem)
{
    uint64_t needed = also, available;
    for (unsigned i = 0; i < program->parameter_count; i++) {
        const struct argument *argument = &launch->arguments[i];
        if (program->parameters[i].type.kind == TYPE_POINTER &&
            (__builtin_add_overflow(needed, argument->bytes, &needed) ||
             __builtin_add_overflow(needed, 2 * GUARD_BYTES + argument->misalignment, &needed)))
            needed = UINT64_MAX;
    }
    if (!needed)
        return true;
    if (!gpu_available(gpu, &available, problem))
        return false;
    return needed <= available ||
           problem_say(problem,
                       "the kernel's buffers, and what is kept beside them, need %" PRIu64
                       " MiB of device memory together and %" PRIu64 " MiB are free: take a smaller matrix",
                       needed >> 20, available >> 20);
}

bool buffers_open(struct buffers *buffers, struct gpu *gpu, const struct program *program,
                  const struct launch *launch, const struct reach *reach, uint64_t also,
                  struct problem *problem)
{
    *buffers = (struct buffers){.gpu = gpu, .program = program, .launch = launch};
    for (unsigned i = 0; i < program->parameter_count; i++)
        if (program->parameters[i].origin != ORIGIN_LISTED)
            return problem_say(
                problem,
                "%s is no parameter of the kernel: what lies in __device__ variables, and what "
                "pointers in memory point at, cannot be set up on a GPU here",
                program->parameters[i].name);
    if (!fits(gpu, program, launch, also, problem))
        return false;
    for (unsigned i = 0; i < program->parameter_count; i++)
        if (program->parameters[i].type.kind == TYPE_POINTER && !open_one(buffers, i, reach, problem))
            return false;
    return place_values(buffers, problem) && buffers_fill(buffers, problem);
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
        uint64_t begin = b->base[i] - b->launch->arguments[i].before, end = b->base[i] + b->bytes[i];
        uint64_t before =
            begin - b->allocation[i] < GUARD_BYTES + 256 ? begin - b->allocation[i] : GUARD_BYTES;
        ok = check_zone(b, i, begin - before, before, memory, changed, first, size, problem) &&
             check_zone(b, i, end, GUARD_BYTES, memory, changed, first, size, problem);
    }
    free(memory);
    return ok;
}
