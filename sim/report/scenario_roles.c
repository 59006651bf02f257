/* scenario_roles.c - which parameters are the sizes of the matrix, by what the kernel does with them.
 *
 * Names do not tell: width may be the output's. The kernel's first blocks are run with a different prime in
 * each size. Where addresses of the input lie a multiple of a prime apart, that parameter is the input's row;
 * likewise of the output, whose row is the input's number of rows in a transpose. A parameter that stops all
 * lanes beyond it is the number of rows, or of elements.
 */
#include <stdlib.h>
#include <string.h>

#include "scenario_parts.h"

enum {
    SAMPLE_LIMIT = 4096,
    CANDIDATE_LIMIT = 10,
    GUARD = 3,
    PROBE_BUDGET = 1 << 18,
    FACTOR = 32,
    VISITS = 4
};

static const int64_t primes[CANDIDATE_LIMIT] = {1031, 1033, 1039, 1049, 1051, 1061, 1063, 1069, 1087, 1091};

struct sample {
    int64_t offset;
    uint64_t visit_and_site;
    uint32_t thread; /* linear in its block */
    uint32_t block;
};

struct samples { /* of one buffer */
    int buffer;
    bool stores;
    struct sample at[SAMPLE_LIMIT];
    unsigned count;
};

struct sampler {
    struct samples in, out;
    uint32_t block;
    bool full;
};

static void take(struct samples *samples, const struct access *access, uint32_t block)
{
    if (access->visit >= VISITS || access->site->kind->space != SPACE_GLOBAL ||
        access->buffer != samples->buffer ||
        (samples->stores ? !access->site->kind->writes : access->site->kind->writes))
        return;
    for (unsigned lane = 0; lane < 32 && samples->count < SAMPLE_LIMIT; lane++)
        if (access->mask >> lane & 1)
            samples->at[samples->count++] =
                (struct sample){access_offset(access, lane), (uint64_t)access->site->id << 32 | access->visit,
                                access->warp * 32 + lane, block};
}

static void take_access(void *self, const struct access *access)
{
    struct sampler *sampler = self;
    take(&sampler->in, access, sampler->block);
    take(&sampler->out, access, sampler->block);
    sampler->full = sampler->in.count == SAMPLE_LIMIT && sampler->out.count == SAMPLE_LIMIT;
}

/* The accesses of the first blocks, whatever became of the run: its problems are another's business. */
static struct sampler *sample(struct scenario *s, const struct launch *launch)
{
    struct sampler *sampler = memory_take(1, sizeof *sampler);
    struct problem ignored = {0};
    sampler->in.buffer = s->in;
    sampler->out.buffer = s->out;
    sampler->out.stores = true;
    struct launch probe = *launch;
    probe.budget = PROBE_BUDGET;
    if (s->program->has_dynamic_shared && !probe.dynamic_shared_bytes)
        probe.dynamic_shared_bytes = 48 * 1024;
    struct execution *execution =
        launch_check(&probe, &ignored) ? execution_new(s->program, &probe, false, &ignored) : NULL;
    struct sink sink = {.self = sampler, .access = take_access, .stop = &sampler->full};
    static const uint32_t blocks[3][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}};
    for (unsigned i = 0; execution && i < 3; i++) {
        struct problem each = {0};
        sampler->block = i;
        if (blocks[i][0] < probe.grid[0] && blocks[i][1] < probe.grid[1])
            (void)execution_run_block(execution, blocks[i], &sink, &each);
    }
    execution_free(execution);
    return sampler;
}

/* No address that a guess leads to is out of bounds. */
static void widen_buffers(const struct scenario *s, struct launch *launch)
{
    for (unsigned i = 0; i < s->program->parameter_count; i++)
        if (s->program->parameters[i].type.kind == TYPE_POINTER) {
            launch->arguments[i].bytes = UINT64_C(1) << 50;
            launch->arguments[i].before = UINT64_C(1) << 20;
        }
}

static void guess_launch(const struct scenario *s, struct launch *launch)
{
    *launch = s->launch;
    for (unsigned i = 0; i < 3; i++) {
        static const uint32_t usual[3] = {32, 8, 1};
        launch->block[i] = s->from->block ? s->from->block_size[i] : usual[i];
        launch->grid[i] = i < 2 ? 64 : s->from->grid ? s->from->grid_size[i] : 1;
    }
    widen_buffers(s, launch);
}

/* How many addresses lie a multiple of the prime from the first, and the least such distance in bytes. */
static unsigned multiples(const struct samples *samples, int64_t prime, int64_t *least)
{
    unsigned count = 0;
    *least = 0;
    for (unsigned i = 1; i < samples->count; i++) {
        int64_t distance = samples->at[i].offset - samples->at[0].offset;
        distance = distance < 0 ? -distance : distance;
        if (!distance || distance % prime || samples->at[i].block == 2)
            continue;
        count++;
        if (!*least || distance < *least)
            *least = distance;
    }
    return count;
}

struct candidates {
    unsigned index[CANDIDATE_LIMIT], count;
};

static int row_of(const struct samples *samples, const struct candidates *c, int64_t *least)
{
    unsigned best = 0;
    int index = -1;
    for (unsigned i = 0; i < c->count; i++) {
        int64_t bytes;
        unsigned count = multiples(samples, primes[i], &bytes);
        if (count > best) {
            best = count;
            index = (int)c->index[i];
            *least = bytes;
        }
    }
    return index;
}

static int64_t farthest(const struct samples *samples, int64_t row_bytes)
{
    int64_t most = -1;
    for (unsigned i = 0; i < samples->count; i++) {
        int64_t at = row_bytes ? samples->at[i].offset / row_bytes : samples->at[i].offset;
        most = at > most ? at : most;
    }
    return most;
}

/* The parameter beyond which no row is read, where a row's bytes are known; else no element is written. */
static int guard_of(struct scenario *s, const struct launch *launch, const struct candidates *c,
                    const struct samples *before, int64_t row_bytes)
{
    int64_t unit = (int64_t)type_size(s->program->parameters[s->out].type.to);
    int64_t limit = row_bytes ? GUARD : GUARD * unit;
    if (farthest(before, row_bytes) < limit)
        return -1;
    for (unsigned i = 0; i < c->count; i++) {
        struct launch narrow = *launch;
        if ((int)c->index[i] == s->from->cols_of)
            continue;
        narrow.arguments[c->index[i]].value = GUARD;
        struct sampler *sampler = sample(s, &narrow);
        int64_t most = farthest(row_bytes ? &sampler->in : &sampler->out, row_bytes);
        free(sampler);
        if (most >= 0 && most < limit)
            return (int)c->index[i];
    }
    return -1;
}

static bool same_offsets(const struct samples *a, const struct samples *b)
{
    for (unsigned i = 0; i < a->count && i < b->count; i++)
        if (a->at[i].offset != b->at[i].offset)
            return false;
    return true;
}

/* A thread's number that is divided by a size, `i / cols`: no prime shows that, since none is reached. The
 * parameter without a part so far that changes where both matrices are touched when it is small. */
static int divisor_of(struct scenario *s, const struct launch *launch, const struct candidates *c,
                      const struct sampler *before, int other)
{
    for (unsigned i = 0; i < c->count; i++) {
        struct launch narrow = *launch;
        if ((int)c->index[i] == other)
            continue;
        narrow.arguments[c->index[i]].value = 4;
        struct sampler *sampler = sample(s, &narrow);
        bool changes = !same_offsets(&before->out, &sampler->out) || !same_offsets(&before->in, &sampler->in);
        free(sampler);
        if (changes)
            return (int)c->index[i];
    }
    return -1;
}

/* Vector pointers whose rows are counted in components: the cells are components. */
static void judge_element(struct scenario *s, int64_t least)
{
    struct type type = s->program->parameters[s->in].type.to ? *s->program->parameters[s->in].type.to
                                                             : type_integer(4, true);
    int64_t value = 0;
    for (unsigned i = 0; i < CANDIDATE_LIMIT; i++)
        if (least % (primes[i] * FACTOR) == 0)
            value = primes[i] * FACTOR;
    int64_t bytes = value ? least / value : 0;
    if (type.components > 1 && bytes > 0 && bytes < (int64_t)type_size(&type) && bytes == (int64_t)type.bytes)
        s->from->elem_bytes = (unsigned)bytes;
}

void scenario_find_roles(struct scenario *s, const bool known[64], const int64_t values[64])
{
    struct scenario_launch *from = s->from;
    struct candidates c = {.count = 0};
    struct launch launch;
    int64_t least_in = 0, least_out = 0;
    if (s->in < 0 || s->out < 0)
        return;
    guess_launch(s, &launch);
    for (unsigned i = 0; i < s->program->parameter_count; i++) {
        const struct parameter *parameter = &s->program->parameters[i];
        if (parameter->type.kind != TYPE_INTEGER)
            continue;
        launch.arguments[i].value = known[i] ? values[i] : 1;
        if (parameter->type.bytes < 4 || (known[i] && values[i] < 8) || c.count == CANDIDATE_LIMIT)
            continue;
        launch.arguments[i].value = primes[c.count] * FACTOR;
        c.index[c.count++] = i;
    }
    if (!c.count)
        return;
    struct sampler *sampler = sample(s, &launch);
    from->cols_of = row_of(&sampler->in, &c, &least_in);
    from->rows_of = row_of(&sampler->out, &c, &least_out);
    if (from->cols_of >= 0)
        judge_element(s, least_in);
    if (!s->is_copy && from->cols_of < 0 && from->rows_of >= 0)
        from->cols_of = divisor_of(s, &launch, &c, sampler, from->rows_of);
    else if (!s->is_copy && from->rows_of < 0 && from->cols_of >= 0)
        from->rows_of = divisor_of(s, &launch, &c, sampler, from->cols_of);
    if (s->is_copy || from->rows_of == from->cols_of || from->rows_of < 0) {
        int rows_of = guard_of(s, &launch, &c, least_in ? &sampler->in : &sampler->out, least_in);
        if (from->cols_of < 0) {
            from->total_of = rows_of;
        } else if (rows_of >= 0) {
            from->rows_of = rows_of;
        }
    }
    free(sampler);
}

int64_t scenario_measure_row(struct scenario *s, int parameter)
{
    struct launch launch = s->launch;
    if (parameter < 0)
        return 0;
    widen_buffers(s, &launch);
    struct sampler *sampler = sample(s, &launch);
    const struct samples *samples = parameter == s->out ? &sampler->out : &sampler->in;
    int64_t most = 0, size = (int64_t)type_size(s->program->parameters[parameter].type.to);
    uint32_t width = launch.block[0];
    for (unsigned i = 0; i < samples->count; i++)
        for (unsigned k = i + 1; k < samples->count && k < i + (VISITS + 1) * width + 32 * VISITS; k++) {
            const struct sample *a = &samples->at[i], *b = &samples->at[k];
            bool turns = launch_threads(&launch) == 1 && b->visit_and_site == a->visit_and_site + 1;
            bool neighbours = a->block == b->block && a->visit_and_site == b->visit_and_site &&
                              (b->thread == a->thread + 1 || b->thread == a->thread + width) &&
                              (b->thread != a->thread + 1 || b->thread % width);
            int64_t distance = b->offset - a->offset;
            distance = (distance < 0 ? -distance : distance) / size;
            if ((neighbours || turns) && distance > most)
                most = distance;
        }
    if (launch.block[1] == 1 && most < 8) /* a row a block */
        for (unsigned k = 1; k < samples->count; k++)
            if (samples->at[k].block == 1 && samples->at[k].thread == samples->at[0].thread) {
                most = (samples->at[k].offset - samples->at[0].offset) / size;
                break;
            }
    free(sampler);
    return most >= 8 ? most : 0;
}
