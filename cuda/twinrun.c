#include "twinrun.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "confirm.h"
#include "instrument.h"
#include "random.h"

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

uint64_t twin_choose_blocks(const struct launch *launch, uint64_t most, uint64_t seed, uint64_t *list)
{
    uint64_t total = launch_blocks(launch), count = 0, kept = 0;
    if (total <= most) {
        for (; count < total; count++)
            list[count] = count;
        return count;
    }
    struct random random = random_seeded(seed);
    for (unsigned where = 0; where < 9 && count < most; where++) { /* first, middle and last of x and of y */
        uint64_t x = where % 3 * (launch->grid[0] - 1) / 2, y = where / 3 * (launch->grid[1] - 1) / 2;
        list[count++] = x + y * launch->grid[0];
    }
    while (count < most)
        list[count++] = random_below(&random, total);
    qsort(list, count, sizeof *list, by_number);
    for (uint64_t i = 0; i < count; i++)
        if (!i || list[i] != list[kept - 1])
            list[kept++] = list[i];
    return kept;
}

static bool choose(const struct scenario *s, struct execution *execution, uint64_t seed, struct recording *r,
                   struct problem *problem)
{
    uint64_t per_visit = (uint64_t)r->threads * s->program->site_count * sizeof(uint64_t);
    uint64_t total = launch_blocks(&s->launch), most = CONFIRM_RECORD_BUDGET / per_visit;
    most = most < CONFIRM_BLOCKS ? CONFIRM_BLOCKS : most;
    for (;;) { /* all blocks if their visits fit, else the chosen few */
        most = total <= most ? total : CONFIRM_BLOCKS;
        free(r->blocks);
        r->blocks = memory_take(most + 1, sizeof *r->blocks);
        r->slot_count = twin_choose_blocks(&s->launch, most, seed, r->blocks);
        if (!recording_visits(s->program, &s->launch, execution, r->blocks, r->slot_count, &r->capacity,
                              problem))
            return false;
        r->capacity += 1; /* one more than expected, so that too many are seen where they went */
        if (r->slot_count * per_visit * r->capacity <= CONFIRM_RECORD_BUDGET || most <= CONFIRM_BLOCKS)
            break;
        most = CONFIRM_BLOCKS < total ? CONFIRM_BLOCKS : total - 1;
    }
    if (r->capacity >> TWIN_VISIT_BITS || (total * r->threads) >> (63 - TWIN_VISIT_BITS))
        return problem_say(problem, "this launch has too many threads or visits to record its owners");
    return true;
}

uint64_t twin_bytes(const struct scenario *s)
{
    uint64_t sites = s->program->site_count, cells = s->out >= 0 ? (uint64_t)s->rows * s->cols + 1 : 1;
    uint64_t visits, owners, sum = CONFIRM_RECORD_BUDGET;
    if (!sites)
        return 0; /* nothing is recorded */
    if (__builtin_mul_overflow(launch_blocks(&s->launch),
                               (launch_threads(&s->launch) * sites + 1) * sizeof(uint32_t), &visits) ||
        __builtin_mul_overflow(cells, sizeof(uint32_t) + sizeof(uint64_t), &owners) ||
        __builtin_add_overflow(sum, visits, &sum) || __builtin_add_overflow(sum, owners, &sum))
        return UINT64_MAX;
    return sum;
}

/* Device memory of the twin's records. */
struct twin_memory {
    struct twin_state state;
    uint64_t visit_bytes, slot_bytes, record_bytes;
};

static bool take_memory(struct gpu *gpu, struct recording *r, struct twin_memory *m, struct problem *problem)
{
    uint64_t blocks = launch_blocks(r->launch), sites = r->program->site_count;
    m->visit_bytes = blocks * r->threads * sites * sizeof(uint32_t);
    m->slot_bytes = blocks * sizeof(uint32_t);
    m->record_bytes = r->slot_count * sites * r->capacity * r->threads * sizeof(uint64_t);
    return gpu_take(gpu, m->visit_bytes, &m->state.visits, problem) &&
           gpu_take(gpu, m->slot_bytes, &m->state.slots, problem) &&
           gpu_take(gpu, m->record_bytes, &m->state.records, problem) &&
           gpu_take(gpu, (r->cells + 1) * sizeof(uint32_t), &m->state.writes, problem) &&
           gpu_take(gpu, (r->cells + 1) * sizeof(uint64_t), &m->state.owners, problem);
}

static void give_memory(struct gpu *gpu, struct twin_memory *m)
{
    gpu_give(gpu, m->state.visits);
    gpu_give(gpu, m->state.slots);
    gpu_give(gpu, m->state.records);
    gpu_give(gpu, m->state.writes);
    gpu_give(gpu, m->state.owners);
}

static bool prepare(struct gpu *gpu, const struct recording *r, const struct twin_memory *m,
                    struct problem *problem)
{
    uint32_t *slots = memory_take(launch_blocks(r->launch), sizeof *slots);
    for (uint64_t i = 0; i < r->slot_count; i++)
        slots[r->blocks[i]] = (uint32_t)i + 1;
    bool ok = gpu_write(gpu, m->state.slots, slots, m->slot_bytes, problem) &&
              gpu_set(gpu, m->state.visits, 0, m->visit_bytes, problem) &&
              gpu_set(gpu, m->state.records, 0xff, m->record_bytes, problem) &&
              gpu_set(gpu, m->state.writes, 0, r->cells * sizeof(uint32_t), problem) &&
              gpu_set(gpu, m->state.owners, 0xff, r->cells * sizeof(uint64_t), problem);
    free(slots);
    return ok;
}

static bool bring_home(struct gpu *gpu, struct recording *r, const struct twin_memory *m,
                       struct problem *problem)
{
    size_t block_visits = (size_t)r->threads * r->program->site_count,
           block_bytes = block_visits * sizeof(uint32_t);
    r->visits = memory_take(r->slot_count * block_visits + 1, sizeof *r->visits);
    r->records = memory_take(m->record_bytes + 1, 1);
    r->writes = memory_take(r->cells + 1, sizeof *r->writes);
    r->owners = memory_take(r->cells + 1, sizeof *r->owners);
    bool ok = gpu_read(gpu, r->records, m->state.records, m->record_bytes, problem) &&
              gpu_read(gpu, r->writes, m->state.writes, r->cells * sizeof(uint32_t), problem) &&
              gpu_read(gpu, r->owners, m->state.owners, r->cells * sizeof(uint64_t), problem);
    if (ok && r->slot_count == launch_blocks(r->launch))
        return gpu_read(gpu, r->visits, m->state.visits, m->visit_bytes, problem);
    for (uint64_t i = 0; ok && i < r->slot_count; i++)
        ok = gpu_read(gpu, r->visits + i * block_visits, m->state.visits + r->blocks[i] * block_bytes,
                      block_bytes, problem);
    return ok;
}

bool twin_run(struct gpu *gpu, const struct gpu_kernel *twin, const struct scenario *s,
              struct buffers *buffers, struct execution *execution, uint64_t seed, struct recording *r,
              struct problem *problem)
{
    struct twin_memory memory = {.visit_bytes = 0};
    uint64_t symbol = 0;
    *r = (struct recording){.program = s->program,
                            .shared_base = r->shared_base,
                            .launch = &s->launch,
                            .threads = launch_threads(&s->launch),
                            .out = s->out,
                            .elem_bytes = s->elem_bytes,
                            .cells = s->out >= 0 ? (uint64_t)s->rows * s->cols : 0};
    memcpy(r->base, buffers->base, sizeof r->base);
    bool ok = choose(s, execution, seed, r, problem) && take_memory(gpu, r, &memory, problem) &&
              prepare(gpu, r, &memory, problem);
    struct twin_state *state = &memory.state;
    if (s->out >= 0) {
        state->out = buffers->base[s->out];
        state->out_bytes = s->launch.arguments[s->out].bytes;
    }
    state->elem_bytes = s->elem_bytes;
    state->sites = s->program->site_count;
    state->capacity = r->capacity;
    ok = ok && gpu_symbol(gpu, twin, TWIN_STATE, &symbol, problem) &&
         gpu_write(gpu, symbol, state, sizeof *state, problem) &&
         gpu_launch(gpu, twin, &s->launch, buffers->arguments, problem) &&
         bring_home(gpu, r, &memory, problem);
    give_memory(gpu, &memory);
    return ok;
}
