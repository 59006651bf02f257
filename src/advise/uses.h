/* uses.h - where a shared array stands in a kernel's text: its declaration, and each use with its subscripts.
 *
 * The text is looked at as tokens, macros not replaced. What a rewriting needs is found or refused in a
 * sentence: an array whose uses have all their subscripts can get another index, others only a longer row.
 */
#ifndef LANESCOPE_ADVISE_USES_H
#define LANESCOPE_ADVISE_USES_H

#include "../../sim/report/scenario.h"

#define USE_DIMENSIONS 4u
#define USE_LIMIT      256u

struct span {
    size_t begin, end; /* bytes of the text */
};

struct use {
    struct span name;
    struct span subscripts[USE_DIMENSIONS]; /* without their brackets */
};

struct uses {
    const struct shared_array *array;
    unsigned index; /* of the array in the program */
    unsigned dimensions;
    uint64_t sizes[USE_DIMENSIONS];       /* elements, the innermost last; of a dynamic array 0 */
    struct span declared[USE_DIMENSIONS]; /* the sizes in the declaration, without their brackets */
    bool is_declared;                     /* the declaration was found */
    struct use list[USE_LIMIT];
    unsigned count;
    char refusal[200]; /* why uses cannot be rewritten; "" */
};

/* Of shared array `index`. The kernel's own text must be there: no PTX. */
void uses_find(struct uses *uses, const struct scenario *scenario, unsigned index);

#endif
