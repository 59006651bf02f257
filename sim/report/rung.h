/* rung.h - the kernels of the ladder, and of the zoo, embedded as text.
 *
 * The tables are generated from cuda/ladder/<name>.cu and cuda/zoo/<name>.cu when the program is built; a new
 * kernel is one new file there. A kernel of the zoo has one bug, which its comment at the top names by the
 * word of its finding (// finding: shared-race) and `// <- here` marks; <name>-fixed is the same put right.
 */
#ifndef LANESCOPE_REPORT_RUNG_H
#define LANESCOPE_REPORT_RUNG_H

#include "../../base/problem.h"

struct rung {
    const char *name;     /* "naive-swap" */
    struct source source; /* named "naive-swap.cu" */
};

extern const struct rung rungs[];
extern const size_t rung_count;

const struct rung *rung_find(const char *name); /* NULL if there is none */

extern const struct rung zoo[]; /* each faulty one is followed by its corrected twin */
extern const size_t zoo_count;

/* Of either: a rung, or "zoo:pad-unused", or the latter's bare name. NULL if there is none. */
const struct rung *kernel_find(const char *name);

#endif
