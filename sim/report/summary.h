/* summary.h - a launch in one row: what the ladder, the terminal UI and the GPU side print and compare. */
#ifndef LANESCOPE_REPORT_SUMMARY_H
#define LANESCOPE_REPORT_SUMMARY_H

#include "../count/tally.h"
#include "../model/occupancy.h"
#include "scenario.h"

struct summary {
    struct site_tally of[ACCESS_KINDS]; /* by enum access_kind_id */
    uint64_t shared_bytes;              /* a block */
    struct occupancy occupancy;
};

/* `registers` a thread, 0: taken not to limit. */
struct summary summary_of(const struct scenario *scenario, const struct tally *tally, unsigned registers);

/* Ideal units in % of the actual ones; 100 where there is nothing. */
double tally_efficiency(const struct site_tally *tally);
double tally_units_per_request(const struct site_tally *tally); /* 0 where there is nothing */

#endif
