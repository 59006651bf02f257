/* instrument.h - the twin: the same kernel text, with every access recorded.
 *
 * The span of each access, an lvalue such as `in[y * cols + x]`, becomes
 * `(*lanescope_record(site, kind, &(in[y * cols + x])))`; an `__ldg(p)` becomes
 * `__ldg(lanescope_record(site, kind, p))`, and so do its kin. Nothing else changes, so the twin computes its
 * addresses with the very text of the original. A prelude before the text holds the recorder.
 *
 * The recorder writes, per thread and site, how often the thread passed (its visits) and, in blocks that have
 * a slot, the address of each visit: global accesses as they are, shared ones in the shared window. For
 * stores into the output it counts the writes to each cell and keeps the writer: (thread of the whole launch)
 * << TWIN_VISIT_BITS | visit.
 *
 * An atomic that is given a pointer, atomicAdd(p + i, 1), is recorded as __ldg(p) is. A text that is in
 * shared memory at one call of its function and in global memory at another is two sites, each of which
 * records its own.
 *
 * Limits: an access that comes out of a macro has no text of its own and is refused by name, as is one of
 * another file: confirm.c then makes the twin of unit_text(), which has neither.
 */
#ifndef LANESCOPE_CUDA_INSTRUMENT_H
#define LANESCOPE_CUDA_INSTRUMENT_H

#include <stdint.h>

#include "../sim/lang/program.h"

#define TWIN_VISIT_BITS  24
#define TWIN_STATE       "lanescope_state" /* the __device__ variable of this type: */
#define TWIN_NOT_WRITTEN UINT64_MAX        /* what records and owners hold before the launch */

/* The recorder's state, as the device sees it. All pointers are device addresses. */
struct twin_state {
    uint64_t visits;         /* uint32_t [threads of the launch][sites] */
    uint64_t slots;          /* uint32_t [blocks]: slot + 1, or 0 for a block that is not recorded */
    uint64_t records;        /* uint64_t [slots][sites][capacity][threads of a block] */
    uint64_t writes;         /* uint32_t [cells] */
    uint64_t owners;         /* uint64_t [cells] */
    uint64_t out, out_bytes; /* where the output matrix is */
    uint32_t elem_bytes;
    uint32_t sites;
    uint32_t capacity; /* visits that a slot can hold for a thread and site */
    uint32_t unused;
};

/* The site whose records hold those of `site`: the first with its text and its kind. A function's text stands
 * once, however often it is called, so its visits are recorded together, in the order in which a thread makes
 * them. */
unsigned twin_site(const struct program *program, const struct site *site);

/* The twin's text in memory of its own (free()), or NULL after filling the problem. `size`
 * may be NULL, as may `lines`: how many stand before the kernel's own. */
char *twin_text(const struct program *program, size_t *size, unsigned *lines, struct problem *problem);

#endif
