/* gather.h - what each access site of a launch did wrong, and to whom first; and as findings.
 *
 * A sink's consumer and an owners' witness (owners.h): it keeps a counter and an example for each site and
 * each way of being wrong, so that its memory does not grow with the launch; and, where each block is run,
 * a bit a cell of the input. The examples are those of the first block, in whichever order blocks come.
 */
#ifndef LANESCOPE_AUDIT_GATHER_H
#define LANESCOPE_AUDIT_GATHER_H

#include "clash.h"
#include "finding.h"
#include "owners.h"
#include "race.h"

enum gathered_kind {
    GATHERED_OUT_OF_BOUNDS,
    GATHERED_MISALIGNED,
    GATHERED_UNSET,
    GATHERED_UNORDERED, /* cells */
    GATHERED_CLASH,
    GATHERED_MEETING,
    GATHERED_WRONG, /* a write that does not belong there */
    GATHERED_TORN,  /* of those: a part of it does */
    GATHERED_COMPUTED,
    GATHERED_STALE,    /* of those: read from a shared cell that nobody wrote */
    GATHERED_OUTSIDE,  /* of those: read outside its buffer */
    GATHERED_DISAGREE, /* a write to a cell that got something else before */
    GATHERED_TWICE,    /* the right one again */
    GATHERED_KINDS
};

struct gathered {
    uint64_t lanes;
    struct finding_thread thread; /* the first */
    int64_t offset;               /* its address, as access_offset() */
    uint64_t cell;                /* of the output, where it is about those */
    int64_t token;                /* what it brought, likewise */
};

struct unread { /* the input's cells that nobody read, where a wrong cell of the output needs one of them */
    uint64_t cells, due, out; /* how many; one of them, and the cell where it belongs */
    bool inside;              /* some lie neither in the first nor the last row or column */
};

struct gather {
    const struct program *program;
    struct owners_task task;
    uint64_t weight; /* so many blocks are like the one that runs; sums that do not fit stay at the most */
    struct gathered (*sites)[GATHERED_KINDS]; /* one a site */
    uint64_t *runs;                           /* lanes that ran it, one a site */
    uint8_t *read; /* a bit for each cell of the input: somebody read it; NULL: it is too large */
    struct unread unread;
    struct clashes clashes;
    struct owners_witness witness;
    bool in_place;       /* what a store brings counts only if it stays */
    struct place missed; /* a barrier that warps ended without */
    uint64_t missed_warps;
    struct finding_thread missed_thread; /* block only */
};

void gather_init(struct gather *gather, const struct program *program, const struct owners_task *task);
void gather_watch_reads(struct gather *gather); /* before the first access */
void gather_free(struct gather *gather);
void gather_access(struct gather *gather, const struct access *access);
void gather_barrier(struct gather *gather, const struct barrier *barrier);

/* Has it an example of anything? */
bool gather_has_any(const struct gather *gather);

/* When the launch has run to its end: looks through the input once. */
void gather_settle(struct gather *gather);

/* As findings, behind those that are there; `whole`: the launch ran to its end. `hole` NULL: none is missing,
 * or it is not known yet. */
void gather_findings(const struct gather *gather, const struct owners_report *cells,
                     const struct owners_hole *hole, bool strict, struct findings *findings);
void race_findings(const struct races *races, bool whole, bool may_keep, struct findings *findings);

/* The names of the places: "tile[3][6]" or "tile[99]" for an offset in shared memory. */
void gather_shared_name(const struct program *program, int buffer, uint64_t bytes, char *out, size_t size);

#endif
