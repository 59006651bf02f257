#include "trial.h"

#include "../../base/arena.h"

bool target_has(const struct target *target, const struct program *program, unsigned site)
{
    const struct site *at = &program->sites[site];
    if (!target->is_shared)
        return site == target->index;
    return at->kind->space == SPACE_SHARED && (at->buffer < 0 || at->buffer == (int)target->index);
}

struct cost cost_of(const struct tally *tally, const struct program *program, const struct target *target)
{
    struct cost cost = {0};
    for (unsigned i = 0; i < tally->site_count; i++) {
        const struct site_tally *sum = &tally->sites[i];
        if (!target_has(target, program, i))
            continue;
        cost.units += sum->units;
        cost.ideal += sum->ideal;
        cost.faults += sum->misaligned + sum->out_of_bounds;
    }
    return cost;
}

struct sampler {
    struct tally tally;
    const struct remap *remap; /* NULL: none */
    uint64_t fingerprint;
    struct site_stream *streams;
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static void follow(struct site_stream *stream, const struct access *access)
{
    uint64_t shape = stream->shape;
    if (!stream->accesses)
        stream->first = stream->last = access->base;
    shape = mix(shape, (uint64_t)(access->base - stream->last));
    shape = mix(shape, (uint64_t)access->mask << 32 | access->warp);
    for (unsigned lane = 0; lane < LANES; lane++)
        if (access->mask >> lane & 1) {
            shape = mix(shape, (uint64_t)access->delta[lane]);
            stream->offsets |= (uint64_t)access_offset(access, lane) + access->misalignment;
        }
    stream->accesses++;
    stream->shape = shape;
    stream->last = access->base;
    stream->buffer = access->buffer;
}

static int64_t old_offset(const struct remap *remap, unsigned buffer, int64_t offset)
{
    if (!remap || !remap->from[buffer] || offset < 0)
        return offset;
    return offset / remap->from[buffer] * remap->to[buffer] + offset % remap->from[buffer];
}

/* Where what is stored came from, in the old offsets. */
static int64_t old_token(const struct remap *remap, int64_t token)
{
    struct origin origin = data_origin(token);
    if (!remap || origin.kind != ORIGIN_BUFFER)
        return token;
    return data_token(origin.buffer, old_offset(remap, origin.buffer, origin.offset));
}

/* What a lane does, added up: the order of accesses and lanes does not matter, nor how wide they are. */
static void take_access(void *self, const struct access *access)
{
    struct sampler *sampler = self;
    const struct site *site = access->site;
    const struct remap *remap = sampler->remap;
    bool stores = site->kind->op == ACCESS_STORE;
    unsigned components = site->components, bytes = site->lane_bytes / components;
    tally_access(&sampler->tally, access);
    if (site->kind->space != SPACE_GLOBAL)
        return;
    if (sampler->streams)
        follow(&sampler->streams[site->id], access);
    for (uint32_t lanes = access->mask; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        for (unsigned c = 0; c < components; c++) {
            uint64_t hash = mix((uint64_t)site->kind->op, (uint64_t)access->buffer);
            hash =
                mix(hash, (uint64_t)old_offset(remap, (unsigned)access->buffer, access_offset(access, lane)) +
                              c * bytes);
            sampler->fingerprint +=
                mix(hash, stores ? (uint64_t)old_token(remap, data_at(&access->data[c], lane)) : bytes);
        }
    }
}

/* Block `i` of `count` that are spread from the first to the last of `blocks`. */
static uint64_t spread(uint64_t i, uint64_t count, uint64_t blocks)
{
    uint64_t steps = count - 1, last = blocks - 1;
    return steps ? last / steps * i + last % steps * i / steps : 0;
}

bool sample_of(struct sample *sample, const struct scenario *scenario, const struct target *target,
               const struct remap *remap, bool with_streams, struct problem *problem)
{
    const struct launch *launch = &scenario->launch;
    struct sampler sampler = {.remap = remap};
    struct execution *execution = execution_new(scenario->program, launch, true, problem);
    uint64_t blocks = launch_blocks(launch), count = blocks < TRIAL_BLOCKS ? blocks : TRIAL_BLOCKS;
    struct sink sink = {.self = &sampler, .access = take_access};
    bool ok = execution != NULL;
    tally_init(&sampler.tally, scenario->program->site_count);
    if (with_streams)
        sampler.streams = memory_take(scenario->program->site_count + 1u, sizeof *sampler.streams);
    for (uint64_t i = 0; ok && i < count; i++) { /* from the first to the last */
        uint32_t block[3];
        launch_block_at(launch, spread(i, count, blocks), block);
        ok = execution_run_block(execution, block, &sink, problem);
    }
    *sample = (struct sample){cost_of(&sampler.tally, scenario->program, target), sampler.fingerprint,
                              sampler.streams};
    tally_free(&sampler.tally);
    execution_free(execution);
    return ok;
}

bool trial_of(struct trial *trial, const struct scenario *scenario, const struct target *target,
              const struct totals_how *how, struct tally *tally, struct problem *problem)
{
    struct totals totals;
    bool ok = totals_of(&totals, scenario, how, problem);
    const struct site_tally *of = totals.summary.of;
    *trial = (struct trial){
        .cost = cost_of(&totals.tally, scenario->program, target),
        .sectors = of[GLOBAL_LOAD].units + of[GLOBAL_STORE].units + of[GLOBAL_ATOMIC].units,
        .ideal_sectors = of[GLOBAL_LOAD].ideal + of[GLOBAL_STORE].ideal + of[GLOBAL_ATOMIC].ideal,
        .wavefronts = of[SHARED_LOAD].units + of[SHARED_STORE].units + of[SHARED_ATOMIC].units,
        .ideal_wavefronts = of[SHARED_LOAD].ideal + of[SHARED_STORE].ideal + of[SHARED_ATOMIC].ideal,
        .faults = totals.out_of_bounds + totals.misaligned,
        .shared_bytes = totals.summary.shared_bytes,
        .occupancy = totals.summary.occupancy,
        .partial = totals.partial,
    };
    if (tally)
        *tally = totals.tally;
    else
        totals_free(&totals);
    return ok;
}
