/* exec.h - a program and a launch to a stream of accesses.
 *
 * An execution runs any block of the launch alone, in any order. Nothing is kept between blocks, so memory
 * does not grow with the grid, but for what the kernel writes into buffers whose contents are known
 * (launch.h): blocks that run one after the other see it, a block that runs alone finds what the kernel began
 * with. Each warp-level memory instruction that at least one lane runs becomes one access, handed to the sink
 * while it happens.
 *
 * Order within a block: warp 0 runs until it ends or waits at a barrier, then warp 1, and so on; when all
 * wait, the barrier is reported and warp 0 goes on. Within a warp the order is the program's; lanes that
 * diverge run the `if` side before the `else` side. Warps are 32 consecutive linear thread ids, x fastest.
 *
 * Values are not computed: a value read from memory is a token that says which byte of which buffer it came
 * from (struct origin), unless it is a number of a buffer whose contents are known, or an integer that the
 * kernel put into shared memory. Floating numbers are known as long as nothing has to be rounded (real.h).
 * Integers are computed exactly, with the wrap-around of their types. What C++ leaves undefined is a finding
 * (struct overflow): a signed result that its type does not hold, a shift by the width or more. An unsigned
 * 32-bit + * << that wraps around is defined and only noted. Storing to shared memory and loading again moves
 * tokens only when the execution tracks values.
 *
 * What ends in a problem (the source or the launch is at fault): an address that depends on data, or a
 * condition on which accesses hang (region.h); an address 2^62 bytes or more away from its buffer, a variable
 * used before it has a value, division by zero, a barrier that not all lanes reach; a loop that comes back to
 * a state it had, which proves that it never ends; the budget, or the watch's word (launch.h).
 */
#ifndef LANESCOPE_EXEC_EXEC_H
#define LANESCOPE_EXEC_EXEC_H

#include "launch.h"
#include "pattern.h"
#include "numbering.h"

enum origin_kind {
    ORIGIN_UNINITIALIZED, /* read from a shared cell that nobody wrote */
    ORIGIN_COMPUTED,      /* the result of arithmetic on data, or pieces of several cells */
    ORIGIN_CONSTANT,      /* a number known to the kernel */
    ORIGIN_BUFFER         /* bytes that stood at `offset` of parameter `buffer` when the kernel began */
};

struct origin {
    enum origin_kind kind;
    unsigned buffer;
    int64_t offset; /* bytes; may lie outside the buffer */
};

/* Where the 32 lanes' data came from: lane i's token is base + delta[i]. */
struct data {
    int64_t base;
    const int64_t *delta;
};

struct origin data_origin(int64_t token);
int64_t data_token(unsigned buffer, int64_t offset); /* the token of that byte of that buffer */

/* Wraps where a lane that is not active has no sensible token. */
static inline int64_t data_at(const struct data *data, unsigned lane)
{
    return (int64_t)((uint64_t)data->base + (uint64_t)data->delta[lane]);
}

struct access {
    const struct site *site;
    uint32_t block[3];
    uint32_t warp;          /* in the block */
    uint64_t step;          /* which access of the block's run, from 0 */
    uint32_t visit;         /* how often this warp passed this site before */
    uint32_t mask;          /* active lanes, bit i = lane i; never 0 */
    uint32_t out_of_bounds; /* active lanes outside their buffer or shared array */
    uint32_t
        misaligned; /* active lanes whose address is no multiple of the lane's bytes: an error on hardware */
    uint32_t uninitialized; /* loads from shared memory, when values are tracked: lanes that read unwritten
                               cells */
    uint32_t hazard;    /* shared memory, when values are tracked: lanes whose cell another warp touches too
                           since the last barrier, one of the two writing */
    uint32_t unordered; /* likewise: cells (components of this access) of which it is first seen in this block
                           that two lanes of one warp touch them in different instructions, one of the two
                           writing, without a barrier or __syncwarp() in between. A __syncwarp() that only
                           some lanes reach is taken to order all lanes of the warp. */
    int buffer;         /* parameter's or shared array's index */
    int64_t
        base; /* lane i's byte offset is base + delta[i]: in its buffer, or in the block's shared memory */
    const int64_t *delta;
    pattern_id pattern; /* delta's number: equal numbers, equal deltas, while `generation` is the same */
    uint32_t generation;
    uint32_t misalignment;       /* add to an offset to get its address modulo 256; 0 for shared memory */
    struct data data[4];         /* stores: each component */
    const struct motion *motion; /* how it moves through a region; NULL: a block by itself */
};

/* Within 2^62 of the buffer's beginning for active lanes; wraps for others. */
static inline int64_t access_offset(const struct access *access, unsigned lane)
{
    return (int64_t)((uint64_t)access->base + (uint64_t)access->delta[lane]);
}

struct barrier {
    uint32_t block[3];
    uint32_t index; /* from 0 in the block */
    struct place place;
    uint32_t missed; /* warps that ran to the kernel's end without it, not by a return: the hardware does not
                        wait for them, but CUDA asks that all threads reach the same barriers */
    bool votes;      /* it also returns something to its threads */
};

/* A sink that has seen enough makes what `stop` points at true (NULL: it never does): the run then ends after
 * that access, false without a problem. `skipped` hears of each site inside an `if` that a warp passes
 * because none of its lanes takes it: nothing is accessed, but a compiler may issue the instruction with
 * every lane predicated off. May be NULL, like all but `access`. */
struct sink {
    void *self;
    void (*access)(void *self, const struct access *access);
    void (*barrier)(void *self, const struct barrier *barrier);
    void (*skipped)(void *self, const struct site *site);
    /* Where a region runs: what is then told is of all its blocks. Before that, `narrow` is shown each access
     * and may make the region smaller (region.h), so that what it asks of the access holds everywhere: more
     * than once, and of accesses that the region will not have. */
    void (*region)(void *self, const struct region *region);
    void (*narrow)(void *self, const struct access *access, struct region *region);
    /* Instead of narrow, for who can forget: a region is then told of while it may still turn out smaller; if
     * it does, what was told since `region` is void, and it is told of anew. Half the time. */
    void (*take_back)(void *self);
    const bool *stop;
};

enum overflow_kind {
    OVERFLOW_SIGNED, /* the result does not fit its signed type (a << that fits the unsigned one does, as in
                        C++14) */
    OVERFLOW_SHIFT   /* a shift by less than 0, or by the operand's width or more */
};

struct overflow {
    uint64_t lanes; /* lane operations of these kinds so far */
    /* of the first: */
    enum overflow_kind kind;
    unsigned bits; /* of its type */
    struct place place;
    uint32_t block[3], warp, lane;
    int64_t value; /* SIGNED: the true result, where 64 bits can say; SHIFT: the count */
};

struct execution;

/* The program must outlive the execution. `track_values` costs time and 49 bytes for each granule of
 * shared memory. Without it 9 are taken where integers in shared memory decide addresses or conditions. NULL
 * after filling the problem: block, grid, shared memory or arguments are impossible. */
struct execution *execution_new(const struct program *program, const struct launch *launch, bool track_values,
                                struct problem *problem);
void execution_free(struct execution *execution);

/* Alone. */
bool execution_run_block(struct execution *execution, const uint32_t block[3], const struct sink *sink,
                         struct problem *problem);

/* Steps that its warps took in loops: what the last block cost beside its accesses. */
uint64_t execution_work(const struct execution *execution);

/* Blocks [first, first + count) in the order x fastest, after those that ran before; 0 begins anew. */
bool execution_run_blocks(struct execution *execution, uint64_t first, uint64_t count,
                          const struct sink *sink, struct problem *problem);

/* What made a region smaller, or cannot be followed at all. */
struct region_cause {
    struct place place;
    const char *why; /* a sentence's end: "this comparison comes out differently"; NULL: nothing did */
    double pieces;   /* into how many regions at least */
};

/* The blocks of a region as one: its first block runs, alone, and stands for all. The region is made smaller
 * until that is so: all its blocks then have the same accesses, masks, faults, barriers and findings; only
 * `base` and the data's tokens move, as `motion` says. `misaligned` is the first block's. Findings count as
 * often as there are blocks, and the first of them is that of the lowest block. False: the problem is set, or
 * the sink has stopped it, or (*refused) blocks depend on each other, so that none can stand for others.
 * `cause`, all zero to begin with, gets what cuts regions up most. */
bool execution_run_region(struct execution *execution, struct region *region, const struct sink *sink,
                          struct region_cause *cause, bool *refused, struct problem *problem);

/* By which axes regions are meant. The first region of all may show that others would do better: the run is
 * then refused, and was_split says that it is to begin anew, by what execution_numbering() says now. It may
 * turn out later that they do not do: keep_axes goes back to the grid's, for good, and forgets what was
 * noticed; false: they are the grid's. */
struct numbering execution_numbering(struct execution *execution);
bool execution_was_split(const struct execution *execution);
bool execution_keep_axes(struct execution *execution);

/* After a run that the sink's `stop` ended: what a register of the warp that made the last access holds in
 * one of its lanes, active or not. False: no number, or none has been set there. */
bool execution_lane_number(const struct execution *execution, unsigned index, unsigned lane, int64_t *value);

/* Data that went through a narrowing (lang/program.h) and kept its origin: what arrives is only right where
 * the narrower type holds it. `lanes` 0: none did. */
struct narrowed {
    uint64_t lanes;
    const struct narrowing *what; /* of the first */
    struct place place;
    uint32_t block[3];
};

/* Where what stands at a buffer's byte offset came from, now: of a buffer that the launch follows. */
int64_t execution_token(const struct execution *execution, unsigned buffer, int64_t offset, unsigned bytes);

/* The two tokens of which this one is the sum, the smaller first; false: it is none, or nobody asked. */
bool execution_summands(const struct execution *execution, int64_t token, int64_t summands[2]);

const struct overflow *execution_overflow(const struct execution *execution); /* findings */
const struct overflow *execution_wrap(const struct execution *execution);     /* unsigned: notes */

/* What an execution found beside its accesses: how often, and where first. */
struct noticed {
    struct overflow overflow, wrap;
    struct narrowed narrowed;
    struct local_array {    /* lanes of one instruction took different elements of one, which a compiler then
                               keeps in local memory */
        struct place place; /* source NULL: nowhere */
        uint32_t block[3];
    } local_array;
    struct place uncounted; /* where the program first reads or writes a texture or a surface, which is not
                               counted; source NULL: nowhere */
};
struct noticed execution_noticed(const struct execution *execution);

/* Adds what another execution found in other blocks of the launch: the first is then that of the block that
 * comes first in the order x fastest, whichever ran them. */
void noticed_add(struct noticed *noticed, const struct noticed *other);

#endif
