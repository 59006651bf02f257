/* clash.h - lanes of one store that write the same bytes.
 *
 * CUDA does not define whose value stays. Equal values do no harm; different ones are a finding, in shared
 * and in global memory. Values are compared by where they came from, as in judge.h. Lanes out of bounds are
 * left out: they are a finding of their own.
 */
#ifndef LANESCOPE_AUDIT_CLASH_H
#define LANESCOPE_AUDIT_CLASH_H

#include "../exec/exec.h"

enum { CLASH_MEMO = 64 };

struct clashes {
    uint64_t different, equal; /* lanes that met another with a different value; only with equal ones */
    uint32_t different_lanes, equal_lanes; /* of the last store that was counted */
    const struct site *site;               /* where lanes first brought different values; NULL: nowhere */
    struct clash_memo {                    /* lanes that do not meet, by how they differ */
        pattern_id pattern;
        uint32_t generation, mask, bytes; /* bytes 0: unused */
    } apart[CLASH_MEMO];
};

/* Counts a store that tracks values. All zero to begin with. */
void clashes_access(struct clashes *clashes, const struct access *access);

#endif
