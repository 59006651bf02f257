/* run.h - whole launches, with progress for people who wait. Each returns false after filling the problem. */
#ifndef LANESCOPE_RUN_H
#define LANESCOPE_RUN_H

#include "../base/progress.h"
#include "../sim/exec/exec.h"

/* All blocks of the launch through a sink, as the part of some work that `progress` is at. */
bool run_launch_part(struct execution *execution, const struct launch *launch, const struct sink *sink,
                     struct progress *progress, struct problem *problem);

/* The same as work of its own, which `what` names. */
bool run_launch(struct execution *execution, const struct launch *launch, const struct sink *sink,
                const char *what, struct problem *problem);

#endif
