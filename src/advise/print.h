/* print.h - advice for people and for programs. */
#ifndef LANESCOPE_ADVISE_PRINT_H
#define LANESCOPE_ADVISE_PRINT_H

#include "../../base/table.h"
#include "global.h"
#include "layout.h"

/* For people: what an array costs, what was tried, the best with its cost and diff. */
void print_layout(const struct layout *layout, FILE *out);

/* Global memory: what it costs, what was tried, what helps with its diff. */
void print_global(const struct global *global, FILE *out);

/* For programs: a row a candidate. */
struct table *advice_table(void);
void advice_global_rows(struct table *table, const struct global *global, const char *name);
void advice_rows(struct table *table, const struct layout *layout, const char *name);

#endif
