#include "summary.h"

struct summary summary_of(const struct scenario *scenario, const struct tally *tally, unsigned registers)
{
    const struct program *program = scenario->program;
    struct summary summary = {.shared_bytes = scenario->shared_bytes,
                              .occupancy = occupancy_of(scenario->device, launch_threads(&scenario->launch),
                                                        scenario->shared_bytes, registers)};
    for (int kind = 0; kind < ACCESS_KINDS; kind++)
        summary.of[kind] = tally_sum(tally, program, (enum access_kind_id)kind);
    return summary;
}

double tally_efficiency(const struct site_tally *tally)
{
    return tally->units ? 100.0 * (double)tally->ideal / (double)tally->units : 100.0;
}

double tally_units_per_request(const struct site_tally *tally)
{
    return tally->requests ? (double)tally->units / (double)tally->requests : 0.0;
}
