/* rung.h - the kernels of the ladder, embedded as text.
 *
 * The table is generated from cuda/ladder/<name>.cu when the program is built; a new rung is one new file
 * there.
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

#endif
