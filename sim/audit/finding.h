/* finding.h - what is wrong with a kernel and its launch: what, where, who, and why, one finding each.
 *
 * A finding is of a kind at a place: all that a store does to the cells is one, however many lanes do it. Its
 * example is the first lane, in the order of exec.h, of which it was seen. What follows from another finding
 * says so (`cause`): a missing barrier is a cause, the wrong cells that come of it are its consequence. What
 * has no cause leads; a person reads those first.
 *
 * A fault: results are wrong or not defined, or the text declares what it does not use. A note: worth
 * knowing, right as it stands.
 */
#ifndef LANESCOPE_AUDIT_FINDING_H
#define LANESCOPE_AUDIT_FINDING_H

#include "../exec/exec.h"

enum finding_severity { FINDING_FAULT, FINDING_NOTE };

enum finding_kind {
    /* what the kernel does that no kernel may */
    FINDING_LIMIT,            /* more than the hardware has: the launch is refused */
    FINDING_BARRIER_DIVERGED, /* not all threads come to the same barrier */
    FINDING_ENDLESS,          /* a loop that never ends */
    FINDING_FORBIDDEN,        /* division by zero and its kin */
    FINDING_OVERFLOW,         /* integers */
    FINDING_GRID_SWAPPED,     /* right with the axes of the grid exchanged */
    FINDING_GRID_SHORT,       /* right with one block more along an axis: rounded down */
    FINDING_BLOCK_MISMATCH,   /* right with the block that the constants say */
    FINDING_GRID_WIDTH,       /* a width taken from the grid: right only for multiples of the tile */
    FINDING_SHARED_RACE,      /* two warps at one cell of shared memory, no barrier between, one writes */
    FINDING_GLOBAL_RACE,      /* the same in global memory, between any two threads */
    FINDING_CLASH,            /* two lanes of one store, different values, one cell */
    FINDING_SWIZZLE_DIFFERS,  /* one side of a tile swizzled, the other not or otherwise */
    FINDING_UNLOADED,         /* an element of the input that somebody needs is never read */
    FINDING_OUT_OF_BOUNDS,
    FINDING_MISALIGNED,
    FINDING_UNSET_READ,  /* of a shared cell that nobody wrote */
    FINDING_NO_EXCHANGE, /* a tile through which nothing moves between threads */
    FINDING_TORN,        /* a vector of which some components are right */
    FINDING_COMPUTED,    /* arithmetic on data where a move was due */
    FINDING_WRONG,       /* a cell of the output gets what belongs elsewhere */
    FINDING_DISAGREE,    /* a cell is written more than once, with different values */
    FINDING_MISSING,     /* a cell is never written */
    FINDING_PAD_UNUSED,  /* a pad is declared and the index has another pitch */
    /* worth knowing */
    FINDING_WARP_RACE,        /* lanes of a warp at one cell without __syncwarp; a fault if strict */
    FINDING_ADDS,             /* what belongs there is added to what was there */
    FINDING_UNREAD,           /* a pointer that the kernel never touches, and it works in place */
    FINDING_TWICE,            /* a cell is written more than once, with equal values */
    FINDING_MEETING,          /* two lanes of one store, equal values, one cell */
    FINDING_BARRIER_UNNEEDED, /* what it orders needs no order */
    FINDING_WRAP,             /* unsigned arithmetic wraps around */
    FINDING_NARROWED,         /* data converted to a type that may not hold it */
    FINDING_LOCAL_ARRAY,      /* kept in local memory, which is not counted */
    FINDING_PARTIAL_WARP,     /* a block's last warp has lanes that are no threads */
    FINDING_GUARD_ONE_SIDED,  /* right for these sizes, faulty for others */
    FINDING_OCCUPANCY,        /* shared memory says how many blocks fit */
    FINDING_MERGED,           /* accesses that a compiler makes one of */
    FINDING_KINDS
};

struct finding_thread {
    uint32_t block[3], warp, lane;
    uint64_t step; /* of the block's run */
};

/* Does block a run before block b, x fastest? */
static inline bool finding_block_before(const uint32_t a[3], const uint32_t b[3])
{
    for (int k = 2; k > 0; k--)
        if (a[k] != b[k])
            return a[k] < b[k];
    return a[0] < b[0];
}

enum { FINDING_SENTENCE = 400 };

struct finding {
    enum finding_kind kind;
    enum finding_severity severity;
    int cause;                   /* of which finding of the list it is a consequence; -1: it leads */
    const struct source *source; /* NULL: a matter of the launch, as its caller gave it */
    uint32_t begin, end;         /* the place in the source, bytes; both 0 where only the line is known */
    int line;                    /* from 1; 0: none */
    int other_line;              /* races: the other access; 0: none */
    int barrier_line;            /* races: the line before which a barrier is missing; 0: not known */
    bool after;                  /* ... rather behind it: at the end of a loop that goes round */
    int site;                    /* the access's id; -1: none */
    bool has_thread, has_other;
    struct finding_thread thread; /* the example */
    struct finding_thread other;  /* races: the other thread */
    bool has_cell;
    uint64_t row, col; /* of the output, in cells; races, unset reads: of the shared array or the buffer */
    int buffer;        /* the parameter or shared array of that cell; -1: none */
    bool is_shared;
    bool stale;                      /* all that is wrong was read from shared cells that nobody wrote */
    bool partly_stale;               /* some of it was */
    bool outside;                    /* ... from outside its buffer */
    uint64_t cells;                  /* cells of which it is true, 0 where it is not about cells */
    uint64_t lanes;                  /* lane accesses of which it is true, 0 where it is not about those */
    char sentence[FINDING_SENTENCE]; /* with a capital and without a full stop's newline; names line and cell
                                      */
};

/* All zero: empty. */
struct findings {
    struct finding *at;
    size_t count, capacity;
    uint64_t faults, notes;          /* of all */
    uint64_t leading, leading_notes; /* of those that lead */
};

/* One word with dashes, stable, for programs: "shared-race". For people: "race in shared memory". */
const char *finding_word(enum finding_kind kind);
const char *finding_title(enum finding_kind kind);
const char *finding_severity_word(enum finding_severity severity); /* "fault", "note" */

/* Adds one of this kind: severity by the kind, cause -1, site and buffer -1, all else 0. Valid until the next
 * is added. */
struct finding *findings_add(struct findings *findings, enum finding_kind kind);
void findings_place(struct finding *finding, const struct place *place); /* source, begin, end, line */
void findings_say(struct finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Says of each finding which other it is a consequence of: by what kinds of fault lead to what others, at the
 * same site or array where that matters. A read of what nobody wrote that no result shows becomes a note. */
void findings_explain(struct findings *findings);

/* Faults that lead come first, by line; then notes that lead; then consequences. Fills the counts. */
void findings_settle(struct findings *findings);
void findings_free(struct findings *findings);

#endif
