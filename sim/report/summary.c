#include "summary.h"

struct summary summary_of(const struct scenario *scenario, const struct tally *tally, unsigned registers)
{
    const struct program *program = scenario->program;
    return (struct summary){.global_load = tally_sum(tally, program, SPACE_GLOBAL, ACCESS_LOAD),
                            .global_store = tally_sum(tally, program, SPACE_GLOBAL, ACCESS_STORE),
                            .shared_load = tally_sum(tally, program, SPACE_SHARED, ACCESS_LOAD),
                            .shared_store = tally_sum(tally, program, SPACE_SHARED, ACCESS_STORE),
                            .shared_bytes = scenario->shared_bytes,
                            .occupancy = occupancy_of(scenario->device, launch_threads(&scenario->launch),
                                                      scenario->shared_bytes, registers)};
}

double tally_efficiency(const struct site_tally *tally)
{
    return tally->units ? 100.0 * (double)tally->ideal / (double)tally->units : 100.0;
}

double tally_units_per_request(const struct site_tally *tally)
{
    return tally->requests ? (double)tally->units / (double)tally->requests : 0.0;
}
