/* access_kind.h - the kinds of access to memory, one row each: what a site does, in what its cost is counted,
 * how views and Nsight Compute name it. A new kind (an atomic, an asynchronous copy) is a row here and a rule
 * in sim/model.
 */
#ifndef LANESCOPE_LANG_ACCESS_KIND_H
#define LANESCOPE_LANG_ACCESS_KIND_H

#include <stdbool.h>

/* LOCAL: of a thread: its variables, which live in registers; CONSTANT: __constant__ data. Neither is an
 * access that is counted. */
enum memory_space { SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONSTANT };

enum access_op { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC /* read, modify, write */ };

enum access_kind_id {
    GLOBAL_LOAD,
    GLOBAL_STORE,
    SHARED_LOAD,
    SHARED_STORE,
    GLOBAL_ATOMIC,
    SHARED_ATOMIC,
    ACCESS_KINDS
};

/* How the hardware runs an atomic (model/atomic.h). ATOMIC_EMULATED: a loop of the compiler's, whose length
 * depends on how its lanes meet: counted as a request, without a prediction of its cost. */
enum atomic_cost { ATOMIC_ONCE, ATOMIC_TWICE, ATOMIC_EMULATED };

struct access_kind {
    enum access_kind_id id;
    enum memory_space space;
    enum access_op op;
    bool reads, writes;
    bool merges_groups; /* may groups of lanes that agree share a wavefront (model/bank.h)? */
    const char *name;   /* "global load" */
    const char *label;  /* the same where there is little room: "global ld" */
    const char *op_name;
    const char *unit, *units; /* what its cost is counted in: "sector", "wavefront" */
    const char *nsight;       /* as in Nsight Compute's metric names: "global_op_ld" */
};

extern const struct access_kind access_kinds[ACCESS_KINDS]; /* by id */

const struct access_kind *access_kind_of(enum memory_space space, enum access_op op);

#endif
