/* sweep.h - lists of configurations of the ladder: the built-in one, random ones, and those of a file.
 *
 * A file has the columns of a table of launches (sim/report/recorded_columns.h); other columns are passed
 * over, so a recorded table can be run again.
 */
#ifndef LANESCOPE_CUDA_SWEEP_H
#define LANESCOPE_CUDA_SWEEP_H

#include "../sim/report/rung.h"
#include "../sim/report/scenario.h"

struct configuration {
    const char *name; /* of the rung */
    const struct source *text;
    struct scenario_options options; /* ELEM is an unsigned integer type of the width */
    const char *table;               /* the list it came from; NULL: none */
    uint64_t line;                   /* of the list */
};

/* As scenario_open() on a device (NULL: the options'); a problem names the list's file and line. */
bool configuration_open(const struct configuration *configuration, const struct device *device,
                        struct scenario *scenario, struct problem *problem);

struct sweep {
    struct configuration *list;
    size_t count, capacity;
};

void sweep_free(struct sweep *sweep);
void sweep_add(struct sweep *sweep, const struct configuration *configuration);

/* Squares, skinny, awkward and large sizes; elements of 1 to 16 bytes; tiles 3, 16, 32; pitches TILE to
 * TILE + 5 where a rung has one; offsets. Large ones come last. */
void sweep_builtin(struct sweep *sweep);

/* `count` random ones, the same for the same seed. */
void sweep_random(struct sweep *sweep, uint64_t seed, uint64_t count);

bool sweep_read(struct sweep *sweep, const struct source *table, struct problem *problem);

#endif
