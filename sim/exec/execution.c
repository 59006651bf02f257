/* execution.c - an execution's life: what it needs is taken, kept small, and given back; how it fails. */
#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"
#include "affine.h"
#include "cells.h"
#include "held.h"

static bool check(const struct program *program, const struct launch *launch, struct problem *problem)
{
    if (!launch_check(launch, problem))
        return false;
    if (program->has_dynamic_shared && !launch->dynamic_shared_bytes) {
        problem_offer(problem, PROBLEM_CURE_SHARED_BYTES);
        return problem_say(problem, "the kernel uses extern __shared__ memory, and the launch has none");
    }
    if (launch->dynamic_shared_bytes > UINT64_C(1) << 32)
        return problem_say(problem, "the dynamic shared memory is larger than 4 GiB");
    for (unsigned i = 0; i < program->parameter_count; i++)
        if (launch->arguments[i].bytes > UINT64_C(1) << 56 || launch->arguments[i].before > UINT64_C(1) << 56)
            return problem_say(problem, "the buffer of parameter %s is larger than 2^56 bytes",
                               program->parameters[i].name);
    return true;
}

static void set_reach(struct execution *e)
{
    const struct program *p = e->program;
    e->global_reach = memory_take(p->parameter_count, sizeof *e->global_reach);
    e->shared_reach = memory_take(p->shared_count, sizeof *e->shared_reach);
    for (unsigned i = 0; i < p->parameter_count; i++)
        e->global_reach[i] =
            (struct reach){-(int64_t)e->launch.arguments[i].before, (int64_t)e->launch.arguments[i].bytes,
                           (uint32_t)(e->launch.arguments[i].misalignment % 256)};
    for (unsigned i = 0; i < p->shared_count; i++) {
        const struct shared_array *array = &p->shared[i];
        uint64_t bytes = array->dynamic ? e->launch.dynamic_shared_bytes : array->bytes;
        e->shared_reach[i] = (struct reach){(int64_t)array->offset, (int64_t)(array->offset + bytes), 0};
    }
}

/* What shared memory holds: for whoever tracks values, or where the kernel's own way depends on it. False:
 * there is not that much memory. */
static bool keep_shared(struct execution *e, bool track_values)
{
    if (!track_values && !follow_shared(e->program, e->cells != NULL, cells_have_reals(e)))
        return true;
    e->shared = memory_try(granules_of(e), sizeof *e->shared);
    e->held = memory_try(granules_of(e), sizeof *e->held);
    e->uses = track_values ? memory_try(granules_of(e), sizeof *e->uses) : NULL;
    return e->shared && e->held && (e->uses || !track_values);
}

struct execution *execution_new(const struct program *program, const struct launch *launch, bool track_values,
                                struct problem *problem)
{
    if (!check(program, launch, problem))
        return NULL;
    struct execution *e = memory_take(1, sizeof *e);
    e->program = program;
    e->launch = *launch;
    if (!e->launch.budget)
        e->launch.budget = LAUNCH_DEFAULT_BUDGET;
    e->warp_count = launch_warps(launch);
    pattern_table_init(&e->patterns);
    size_t frames = program->mask_depth + 1u, visits = program->site_count + 1u;
    e->warps = memory_take(e->warp_count, sizeof *e->warps);
    e->registers = memory_take((size_t)e->warp_count * program->register_count, sizeof *e->registers);
    e->partials = memory_take((size_t)e->warp_count * program->register_count, sizeof *e->partials);
    e->frames = memory_take(e->warp_count * frames, sizeof *e->frames);
    e->visits = memory_take(e->warp_count * visits, sizeof *e->visits);
    for (uint32_t w = 0; w < e->warp_count; w++) {
        struct warp *warp = &e->warps[w];
        uint32_t left = launch_threads(launch) - w * LANES;
        warp->index = w;
        warp->present = left >= LANES ? UINT32_MAX : (UINT32_C(1) << left) - 1;
        warp->registers = e->registers + (size_t)w * program->register_count;
        warp->partials = e->partials + (size_t)w * program->register_count;
        warp->frames = e->frames + w * frames;
        warp->visits = e->visits + w * visits;
        input_set_builtins(e, warp);
        input_set_program(e, warp);
    }
    e->shared_bytes = program_shared_bytes(program, launch->dynamic_shared_bytes);
    set_reach(e);
    e->snapshot = (struct snapshot){.registers = memory_take(program->register_count, sizeof *e->registers),
                                    .partials = memory_take(program->register_count, sizeof *e->partials),
                                    .frames = memory_take(frames, sizeof *e->frames)};
    e->caches = memory_take(program->code_count, sizeof *e->caches);
    cells_begin(e);
    bool kept = keep_shared(e, track_values);
    kept = (!track_values || held_begin(e)) && kept;
    e->keeps = e->cells || e->shared || e->followed;
    if (kept)
        return e;
    problem_say_world(
        problem,
        "there is not enough memory to follow the contents of a block's %llu bytes of shared memory, or of a "
        "buffer that is both read and written",
        (unsigned long long)e->shared_bytes);
    execution_free(e);
    return NULL;
}

void execution_free(struct execution *execution)
{
    if (!execution)
        return;
    pattern_table_free(&execution->patterns);
    free(execution->warps);
    free(execution->registers);
    free(execution->partials);
    free(execution->frames);
    free(execution->visits);
    cells_free(execution);
    affine_free(execution->affine);
    held_free(execution);
    free(execution->shared);
    free(execution->held);
    free(execution->uses);
    free(execution->caches);
    free(execution->snapshot.registers);
    free(execution->snapshot.partials);
    free(execution->snapshot.frames);
    free(execution->global_reach);
    free(execution->shared_reach);
    free(execution);
}

void execution_collect(struct execution *e)
{
    size_t count = (size_t)e->warp_count * e->program->register_count;
    pattern_id **keep = memory_take(count, sizeof *keep);
    for (size_t i = 0; i < count; i++)
        keep[i] = &e->registers[i].pattern;
    pattern_table_collect(&e->patterns, keep, count);
    memset(e->caches, 0, e->program->code_count * sizeof *e->caches);
    snapshot_forget(&e->snapshot);
    e->access.generation = e->patterns.generation;
    free(keep);
}

bool execution_sees_others(const struct execution *e)
{
    bool any = e->uses != NULL;
    for (unsigned i = 0; e->cells && i < e->program->parameter_count; i++)
        any = any || (e->cells[i].contents && e->cells[i].is_written);
    return any;
}

bool execution_fail(const struct execution *e, const struct instruction *at, const char *message)
{
    const struct place *place = &e->program->places[at->place];
    return problem_at(e->problem, place->source, place->begin, "%s", message);
}

bool execution_fault(const struct execution *e, const struct instruction *at, enum problem_fault fault,
                     const char *message)
{
    e->problem->kind = PROBLEM_KERNEL;
    e->problem->fault = fault;
    return execution_fail(e, at, message);
}

bool execution_missed(const struct execution *e, const struct warp *warp)
{
    return execution_fault(e, warp->missed_at, PROBLEM_FAULT_BARRIER,
                           "this barrier is reached by only some lanes of a warp; every thread of the block "
                           "that is still running must reach it");
}

const struct overflow *execution_overflow(const struct execution *execution)
{
    return &execution->overflow;
}

const struct overflow *execution_wrap(const struct execution *execution)
{
    return &execution->wrap;
}

bool execution_lane_number(const struct execution *e, unsigned index, unsigned lane, int64_t *value)
{
    if (index >= e->program->register_count || e->access.warp >= e->warp_count)
        return false;
    const struct warp *warp = &e->warps[e->access.warp];
    const struct value *held = &warp->registers[index];
    unsigned kind = held->kind;
    if (kind == VALUE_PARTIAL) {
        if (!(warp->partials[index].lanes >> lane & 1))
            return false;
        kind = warp->partials[index].kind;
    }
    if (kind == VALUE_BOOL)
        *value = held->base >> lane & 1;
    else if (kind == VALUE_NUMBER)
        *value = (int64_t)((uint64_t)held->base + (uint64_t)e->patterns.at[held->pattern]->delta[lane]);
    else
        return false;
    return true;
}
