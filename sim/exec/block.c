/* block.c - a block's warps, phase by phase. */
#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"
#include "state.h"

bool launch_check(const struct launch *launch, struct problem *problem)
{
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++) {
        if (launch->block[i] < 1 || launch->grid[i] < 1)
            return problem_say(problem, "block and grid need at least 1 in each direction");
        if (launch->block[i] > LAUNCH_BLOCK_X_LIMIT)
            return problem_say(problem, "a block has at most 1024 threads, not %u in one direction",
                               launch->block[i]);
        threads *= launch->block[i];
    }
    if (threads > LAUNCH_BLOCK_THREADS_LIMIT)
        return problem_say(problem, "a block has at most 1024 threads, not %u x %u x %u = %llu",
                           launch->block[0], launch->block[1], launch->block[2], (unsigned long long)threads);
    if (launch->block[2] > LAUNCH_BLOCK_Z_LIMIT)
        return problem_say(problem, "a block is at most 64 deep in z, not %u", launch->block[2]);
    if (launch->grid[0] > LAUNCH_GRID_X_LIMIT || launch->grid[1] > LAUNCH_GRID_YZ_LIMIT ||
        launch->grid[2] > LAUNCH_GRID_YZ_LIMIT)
        return problem_say(
            problem,
            "a grid is at most 2147483647 x 65535 x 65535 blocks, not %u x %u x %u: CUDA refuses "
            "the launch",
            launch->grid[0], launch->grid[1], launch->grid[2]);
    return true;
}

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
        if (launch->arguments[i].bytes > UINT64_C(1) << 56)
            return problem_say(problem, "the buffer of parameter %s is larger than 2^56 bytes",
                               program->parameters[i].name);
    return true;
}

static void set_linear(struct execution *e, struct value *value, const int64_t *values)
{
    *value = (struct value){.kind = VALUE_NUMBER};
    value->pattern = pattern_intern(&e->patterns, values, &value->base);
}

/* threadIdx, blockDim, gridDim, lane, warp: the same in every block. */
static void set_builtins(struct execution *e, const struct warp *warp)
{
    struct value *r = warp->registers + e->program->first_builtin;
    const uint32_t *block = e->launch.block;
    int64_t thread[3][LANES], linear[LANES], lanes[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t id = warp->index * LANES + lane;
        thread[0][lane] = id % block[0];
        thread[1][lane] = id / block[0] % block[1];
        thread[2][lane] = id / block[0] / block[1];
        linear[lane] = id;
        lanes[lane] = lane;
    }
    for (int i = 0; i < 3; i++) {
        set_linear(e, &r[BUILTIN_THREAD + i], thread[i]);
        r[BUILTIN_BLOCK_SIZE + i] = (struct value){.kind = VALUE_NUMBER, .base = block[i]};
        r[BUILTIN_GRID_SIZE + i] = (struct value){.kind = VALUE_NUMBER, .base = e->launch.grid[i]};
        r[BUILTIN_BLOCK + i] = (struct value){.kind = VALUE_NUMBER};
    }
    set_linear(e, &r[BUILTIN_LINEAR], linear);
    set_linear(e, &r[BUILTIN_LANE], lanes);
    r[BUILTIN_WARP] = (struct value){.kind = VALUE_NUMBER, .base = warp->index};
}

/* What a parameter holds when a thread begins: the same in all lanes. */
static struct value argument_value(const struct execution *e, unsigned i)
{
    const struct type *type = &e->program->parameters[i].type;
    int64_t value = e->launch.arguments[i].value;
    switch (type->kind) {
    case TYPE_POINTER:
        return (struct value){.kind = VALUE_POINTER, .buffer = (uint16_t)i};
    case TYPE_FLOAT:
        return (struct value){.kind = VALUE_DATA, .base = TOKEN_COMPUTED};
    case TYPE_BOOL:
        return (struct value){.kind = VALUE_BOOL, .base = value ? UINT32_MAX : 0};
    default:
        return (struct value){.kind = VALUE_NUMBER, .base = type_wrap(type, value)};
    }
}

static void set_inputs(struct execution *e, const struct warp *warp)
{
    const struct program *p = e->program;
    struct value *r = warp->registers;
    for (unsigned i = 0; i < p->parameter_count; i++)
        r[p->first_parameter + i] = argument_value(e, i);
    for (unsigned i = 0; i < p->shared_count; i++)
        r[p->first_builtin + BUILTIN_COUNT + i] = (struct value){
            .kind = VALUE_POINTER, .buffer = (uint16_t)i, .base = (int64_t)p->shared[i].offset};
    for (unsigned i = 0; i < p->constant_count; i++) {
        struct value *constant = &r[p->first_constant + i];
        int64_t value = p->constants[i].value;
        if (p->constants[i].is_data)
            *constant =
                (struct value){.kind = VALUE_DATA, .base = TOKEN_CONSTANT + (value & (TOKEN_RANGE - 1))};
        else
            *constant = (struct value){.kind = VALUE_NUMBER, .base = value};
    }
}

static void set_reach(struct execution *e)
{
    const struct program *p = e->program;
    e->global_reach = memory_take(p->parameter_count, sizeof *e->global_reach);
    e->shared_reach = memory_take(p->shared_count, sizeof *e->shared_reach);
    for (unsigned i = 0; i < p->parameter_count; i++)
        e->global_reach[i] = (struct reach){0, (int64_t)e->launch.arguments[i].bytes,
                                            (uint32_t)(e->launch.arguments[i].misalignment % 256)};
    for (unsigned i = 0; i < p->shared_count; i++) {
        const struct shared_array *array = &p->shared[i];
        uint64_t bytes = array->dynamic ? e->launch.dynamic_shared_bytes : array->bytes;
        e->shared_reach[i] = (struct reach){(int64_t)array->offset, (int64_t)(array->offset + bytes), 0};
    }
}

/* How many granules of shared memory have contents to keep. */
static uint64_t granules_of(const struct execution *e)
{
    return e->shared_bytes / e->program->granule + 1;
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
    e->track_values = track_values;
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
        warp->exists = left >= LANES ? UINT32_MAX : (UINT32_C(1) << left) - 1;
        warp->registers = e->registers + (size_t)w * program->register_count;
        warp->partials = e->partials + (size_t)w * program->register_count;
        warp->frames = e->frames + w * frames;
        warp->visits = e->visits + w * visits;
        set_builtins(e, warp);
        set_inputs(e, warp);
    }
    e->shared_bytes = program_shared_bytes(program, launch->dynamic_shared_bytes);
    set_reach(e);
    e->caches = memory_take(program->code_count, sizeof *e->caches);
    if (!track_values)
        return e;
    e->shared = memory_try(granules_of(e), sizeof *e->shared);
    e->uses = memory_try(granules_of(e), sizeof *e->uses);
    if (e->shared && e->uses)
        return e;
    problem_say_world(
        problem, "there is not enough memory to follow the contents of a block's %llu bytes of shared memory",
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
    free(execution->shared);
    free(execution->uses);
    free(execution->caches);
    loop_free(execution);
    free(execution->global_reach);
    free(execution->shared_reach);
    free(execution);
}

static void begin_block(struct execution *e)
{
    for (uint32_t w = 0; w < e->warp_count; w++) {
        struct warp *warp = &e->warps[w];
        struct value *r = warp->registers + e->program->first_builtin + BUILTIN_BLOCK;
        warp->state = WARP_RUNNING;
        warp->active = warp->exists;
        warp->returned = 0;
        warp->gone = ~warp->exists;
        warp->pc = 0;
        warp->depth = 0;
        warp->spent = 0;
        warp->look_at = e->launch.budget < LOOP_LOOK ? e->launch.budget : LOOP_LOOK;
        for (int i = 0; i < 3; i++)
            r[i].base = e->block[i];
        for (unsigned i = 0; i < e->program->parameter_count; i++)
            if (e->program->parameters[i]
                    .is_changed) /* by the block before: it is a variable of each thread */
                warp->registers[e->program->first_parameter + i] = argument_value(e, i);
    }
    memset(e->visits, 0, (size_t)e->warp_count * (e->program->site_count + 1u) * sizeof *e->visits);
    if (e->shared) {
        size_t granules = (size_t)granules_of(e); /* fits: they were allocated */
        memset(e->shared, 0, granules * sizeof *e->shared);
        memset(e->uses, 0, granules * sizeof *e->uses);
    }
    memcpy(e->access.block, e->block, sizeof e->block);
    e->access.generation = e->patterns.generation;
    loop_forget(e);
    e->step = 0;
    e->stretches = 0;
    e->barrier_count = 0;
}

void execution_collect(struct execution *e)
{
    size_t count = (size_t)e->warp_count * e->program->register_count;
    pattern_id **keep = memory_take(count, sizeof *keep);
    for (size_t i = 0; i < count; i++)
        keep[i] = &e->registers[i].pattern;
    pattern_table_collect(&e->patterns, keep, count);
    memset(e->caches, 0, e->program->code_count * sizeof *e->caches);
    loop_forget(e);
    e->access.generation = e->patterns.generation;
    free(keep);
}

/* All warps wait: at one barrier, or something is wrong. */
static bool pass_barrier(struct execution *e)
{
    const struct instruction *at = NULL;
    uint32_t missed = 0;
    for (uint32_t w = 0; w < e->warp_count; w++) {
        const struct warp *warp = &e->warps[w];
        missed += warp->state == WARP_DONE && (warp->exists & ~warp->returned);
        if (warp->state != WARP_WAITING)
            continue;
        const struct instruction *here = &e->program->code[e->warps[w].pc - 1];
        if (at && at != here)
            return execution_fault(
                e, here,
                "some warps wait at this barrier while others wait at another one; every thread "
                "of the block must reach the same barrier");
        at = here;
    }
    if (at && e->sink->barrier) {
        struct barrier barrier = {.block = {e->block[0], e->block[1], e->block[2]},
                                  .index = e->barrier_count,
                                  .place = e->program->places[at->place],
                                  .missed = missed};
        e->sink->barrier(e->sink->self, &barrier);
    }
    e->barrier_count++;
    return true;
}

static bool run_phase(struct execution *e, bool *waiting)
{
    *waiting = false;
    for (uint32_t w = 0; w < e->warp_count; w++) {
        struct warp *warp = &e->warps[w];
        if (warp->state == WARP_DONE)
            continue;
        warp->stretch = ++e->stretches;
        warp->mark = 0;
        if (!warp_run(e, warp))
            return false;
        *waiting = *waiting || warp->state == WARP_WAITING;
        if (pattern_table_is_full(&e->patterns))
            execution_collect(e);
    }
    return !*waiting || pass_barrier(e);
}

bool execution_run_block(struct execution *execution, const uint32_t block[3], const struct sink *sink,
                         struct problem *problem)
{
    memcpy(execution->block, block, sizeof execution->block);
    execution->sink = sink;
    execution->problem = problem;
    begin_block(execution);
    bool waiting = true;
    while (waiting)
        if (!run_phase(execution, &waiting))
            return false;
    return true;
}

bool execution_run_blocks(struct execution *execution, uint64_t first, uint64_t count,
                          const struct sink *sink, struct problem *problem)
{
    for (uint64_t i = first; i < first + count; i++) {
        uint32_t block[3];
        launch_block_at(&execution->launch, i, block);
        if (!execution_run_block(execution, block, sink, problem))
            return false;
    }
    return true;
}

const struct overflow *execution_overflow(const struct execution *execution)
{
    return &execution->overflow;
}

const struct overflow *execution_wrap(const struct execution *execution)
{
    return &execution->wrap;
}

uint64_t execution_shared_bytes(const struct execution *execution)
{
    return execution->shared_bytes;
}
