/* audit_metrics.h - the numbers that an assertion of an audit speaks of: its own, and the ladder's columns.
 */
#ifndef LANESCOPE_AUDIT_METRICS_H
#define LANESCOPE_AUDIT_METRICS_H

#include "../sim/report/audit.h"
#include "options.h"

/* Does options->assertion hold? The launch is run once more for the ladder's columns. If it does not, the
 * first false clause is said on the standard error. False after filling the problem. */
bool audit_assert(const struct options *options, const struct scenario *scenario,
                  const struct audit_result *result, bool *holds, struct problem *problem);

#endif
