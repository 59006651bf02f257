/* planted.c - a bug for the simulator: lane 31 of warp 0 of block (0, 0, 0) stores one element too far.
 *
 * Linked into the program in MODE=planted only, between the simulator and whoever runs its blocks (the
 * linker's --wrap); no census spares them the run. Nothing else is changed, so that what `lanescope confirm`
 * and `lanescope compare` report is this bug alone: found.sh.
 */
#include <string.h>

#include "../../sim/census/census.h"
#include "../../sim/exec/exec.h"

enum { LANE = 31 };

bool __real_execution_run_block(struct execution *execution, const uint32_t block[3], const struct sink *sink,
                                struct problem *problem);
bool __real_execution_run_blocks(struct execution *execution, uint64_t first, uint64_t count,
                                 const struct sink *sink, struct problem *problem);
bool __wrap_execution_run_block(struct execution *execution, const uint32_t block[3], const struct sink *sink,
                                struct problem *problem);
bool __wrap_execution_run_blocks(struct execution *execution, uint64_t first, uint64_t count,
                                 const struct sink *sink, struct problem *problem);
bool __wrap_census_run(struct execution *execution, const struct launch *launch, uint64_t most,
                       const struct sink *sink, struct census *census, struct problem *problem);

/* The sink's own consumer. The sink is otherwise passed on as it is, with whatever else it listens to. */
static _Thread_local void (*consumer)(void *self, const struct access *access);

static void bend(void *self, const struct access *access)
{
    struct access bent = *access;
    int64_t delta[32];
    bool here = !access->block[0] && !access->block[1] && !access->block[2] && !access->warp;
    if (here && access->site->kind->space == SPACE_GLOBAL && access->site->kind->writes) {
        memcpy(delta, access->delta, sizeof delta);
        delta[LANE] += access->site->lane_bytes;
        bent.delta = delta;
        bent.pattern |= UINT32_C(1) << 31; /* another shape has another number */
    }
    consumer(self, &bent);
}

static struct sink bending(const struct sink *sink)
{
    struct sink copy = *sink;
    consumer = sink->access;
    copy.access = bend;
    return copy;
}

bool __wrap_execution_run_block(struct execution *execution, const uint32_t block[3], const struct sink *sink,
                                struct problem *problem)
{
    struct sink bent = bending(sink);
    return __real_execution_run_block(execution, block, &bent, problem);
}

bool __wrap_execution_run_blocks(struct execution *execution, uint64_t first, uint64_t count,
                                 const struct sink *sink, struct problem *problem)
{
    struct sink bent = bending(sink);
    return __real_execution_run_blocks(execution, first, count, &bent, problem);
}

/* One block that does otherwise than its like is what a census rules out: every block is run instead. */
bool __wrap_census_run(struct execution *execution, const struct launch *launch, uint64_t most,
                       const struct sink *sink, struct census *census, struct problem *problem)
{
    (void)execution, (void)launch, (void)most, (void)sink, (void)problem;
    *census = (struct census){.given_up = true};
    return false;
}
