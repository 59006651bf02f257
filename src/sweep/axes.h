/* axes.h - what a sweep varies: macros with lists of values.
 *
 * An axis is written NAME=VALUES. VALUES are parts with commas between them (none inside parentheses): a
 * number, LO:HI or LO:HI:STEP for a row of numbers, or any other text, which is put in the macro's place as
 * it stands: PITCH=TILE,TILE+1 or T=float,double. RUNG has names of rungs. A configuration takes one value of
 * each axis; configurations are counted with the first axis slowest.
 */
#ifndef LANESCOPE_SWEEP_AXES_H
#define LANESCOPE_SWEEP_AXES_H

#include <stdint.h>

#include "../../base/arena.h"
#include "../../sim/report/scenario.h"

#define AXIS_LIMIT          16u
#define CONFIGURATION_LIMIT UINT64_C(1000000) /* of an axis, of all together */

enum axis_kind { AXIS_MACRO, AXIS_TILE, AXIS_BLOCK_ROWS, AXIS_PITCH, AXIS_ELEM, AXIS_RUNG };

struct axis_value {
    const char *text; /* as it stands in the macro's place, or a rung's name */
    bool is_number;
    uint64_t number;
};

struct sweep_axis {
    const char *name;
    enum axis_kind kind;
    struct axis_value *values;
    size_t count;
};

struct sweep_axes {
    struct sweep_axis list[AXIS_LIMIT];
    unsigned count;
    uint64_t configurations;
    struct arena arena; /* owns names and values */
};

/* False after filling the problem: a text is no axis, a name comes twice, there are too many values. Either
 * way axes_free(). */
bool axes_read(struct sweep_axes *axes, const char *const *texts, unsigned count, struct problem *problem);
void axes_free(struct sweep_axes *axes);

const struct sweep_axis *axes_find(const struct sweep_axes *axes, enum axis_kind kind); /* NULL: not varied */

/* Which value of axis `axis` the configuration takes. */
size_t axes_index(const struct sweep_axes *axes, unsigned axis, uint64_t configuration);

/* Sets what the configuration says in `options`, of axes that the text uses (bit i: axis i). `is_rung`: its
 * macros have options of their own; in other texts a value stands in the place of the text's own. Texts of
 * definitions are taken from `arena`. False: there are too many definitions. */
bool axes_apply(const struct sweep_axes *axes, uint64_t configuration, uint32_t used, bool is_rung,
                struct scenario_options *options, struct arena *arena);

#endif
