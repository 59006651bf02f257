/* state.h - what a running block is made of. Inside exec.
 *
 * The files of exec use each other in one direction; each may use those above it, none those below:
 *
 *     pattern, launch              know no execution
 *     lanes, data, real, input     values: lane by lane, as tokens, as floating numbers, at the beginning
 *     follow                       does shared memory have a say?
 *     cells                        buffers whose contents are known
 *     execution                    its life and how it fails
 *     refuse                       what depends on data that is not known
 *     number, compare              32 lanes at a time
 *     held                         buffers that are read after they were written
 *     contents                     loads and stores of numbers
 *     order, loop                  what is watched while it runs
 *     partial                      registers that only some lanes have set
 *     region                       conditions that only data knows
 *     memory                       loads, stores and atomics
 *     shuffle, function            functions of several lanes; of one
 *     compiled                     what only compiled code asks for: pointers as numbers, bits, other lanes
 *     operate                      other instructions that have a result
 *     affine*                      how values move from block to block
 *     warp                         one warp
 *     block                        all of them
 */
#ifndef LANESCOPE_EXEC_STATE_H
#define LANESCOPE_EXEC_STATE_H

#include "exec.h"

enum value_kind {
    VALUE_UNSET,
    VALUE_PARTIAL, /* set in some lanes only: struct partial of the warp says which */
    VALUE_NUMBER, /* base + delta[i], exact for up to 32 bits and signed 64; unsigned 64 as its bit pattern */
    VALUE_BOOL,   /* base = lanes that are true */
    VALUE_POINTER, /* base + delta[i] = byte offset in `buffer` */
    VALUE_DATA,    /* base + delta[i] = token */
    VALUE_REAL     /* base + delta[i] = the bits of a double, which the lane's floating number is exactly;
                      `buffer`     as in data that is computed (refuse.h) */
};

/* `tag` is the other three fields in one word: the hot paths write and compare it whole. */
struct value {
    int64_t base;
    union {
        struct {
            pattern_id pattern;
            uint16_t kind; /* enum value_kind */
            uint16_t buffer;
        };
        uint64_t tag;
    };
};

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "VALUE_TAG puts the pattern into the low half");
#define VALUE_TAG(kind, pattern) ((uint64_t)(kind) << 32 | (pattern))

static inline bool value_is_number(const struct value *v)
{
    return v->kind == VALUE_NUMBER;
}

/* The last result of an instruction that combines patterns: most repeat it. Keyed by both operands' patterns
 * and one number; all zero when unused, which is what combining nothing with nothing gives. */
struct pattern_cache {
    pattern_id a, b;
    int64_t x;
    pattern_id result;
};

/* Where a buffer or shared array lies: a lane of n bytes must begin in [first, last - n]. */
struct reach {
    int64_t first, last; /* bytes */
    uint32_t misalignment;
};

#define ADDRESS_RANGE (INT64_C(1) << 62) /* room for lane bytes and rounding, in every consumer */

/* Of a register whose kind is VALUE_PARTIAL. */
struct partial {
    uint32_t lanes; /* that have a value */
    uint16_t kind;  /* what kind they have */
};

/* Of a buffer; cells.h. */
struct cells {
    const struct contents *contents; /* NULL: not known */
    unsigned bytes;                  /* of a cell */
    uint64_t count;                  /* of cells */
    bool is_real, is_bool;           /* a cell is a floating number, a bool */
    bool is_written;                 /* by some store of the kernel */
    struct written *written;         /* a hash table */
    uint64_t places, used;           /* in it; places is a power of 2 */
};

/* Of a buffer whose tokens are followed; held.h. */
struct followed {
    int64_t *tokens; /* one a granule; NULL: not followed */
    uint64_t count, before;
    unsigned owner; /* the parameter whose memory it is */
    bool is_owner;
};

/* Sums that were made, each once; held.c. */
struct sum;
struct sums {
    struct sum *at;
    uint32_t *places; /* a hash table of numbers from 1; 0: free */
    uint32_t count, capacity;
};

/* What a granule of shared memory holds a part of: a number of 2^width bytes, its part-th granule from the
 * lowest byte on. 0: no number. */
#define HELD_PART(width, part) ((uint8_t)(0x80u | (width) << 4 | (part)))
/* With it: the number is floating, and each of its granules has the bits of a double instead of a token. */
#define HELD_IS_REAL 0x40u

/* Who touched a granule of shared memory last: phase * 64 + warp + 1, phases counted from 1 a block; 0 =
 * nobody. And which lanes of one warp did so within its stretch, the time between two of its barriers or
 * __syncwarp()s: they are in no defined order. */
struct cell_use {
    uint32_t write, read;
    uint32_t writers, readers; /* lanes, in `stretch` */
    uint64_t stretch;
    bool told;       /* an access was told of it in this block */
    uint32_t update; /* like `write` and `read`: by atomics, which do not disturb each other */
};
enum { USE_WARPS = 64, USE_MANY = 63 }; /* more than one warp read it */

/* Where an access's components lie among the tokens: each takes `parts` granules; -1: it has no place there.
 */
struct granules {
    int64_t at[4][LANES];
    unsigned parts;
};

enum warp_state { WARP_RUNNING, WARP_WAITING, WARP_DONE };

struct frame {             /* of an IF or a LOOP; or lanes that wait elsewhere (parting.h) */
    uint32_t saved;        /* active lanes when it began; the lanes that wait */
    uint32_t other;        /* IF: lanes for the else side; LOOP: lanes that left; where they wait */
    uint32_t masked_saved; /* LOOP: `masked` when it began */
    uint32_t is_loop;
};

struct warp {
    uint32_t index;
    enum warp_state state;
    uint32_t present;   /* lanes that the block has */
    uint32_t active;    /* lanes that run */
    uint32_t exited;    /* lanes that have returned */
    uint32_t left;      /* lanes that have returned from the function that is running in place */
    uint32_t masked;    /* lanes that an END must not bring back: exited, or left or continued their loop */
    uint32_t unguarded; /* within a GUARD: the lanes that run behind it; 0 elsewhere */
    uint32_t pc;
    uint32_t depth;
    struct frame *frames;
    struct value *registers;
    struct partial *partials;            /* one a register */
    uint32_t *visits;                    /* a site */
    uint64_t spent;                      /* budget */
    int64_t mark;                        /* the watch's (launch.h) */
    uint64_t look_at;                    /* loop.c looks at the warp when it has spent more than this */
    uint64_t stretch;                    /* its number, unlike any other warp's */
    uint32_t missed;                     /* lanes that another lane's barrier went on without */
    const struct instruction *missed_at; /* the first such barrier */
    struct value said;                   /* at a barrier that votes: the active lanes' predicate */
};

/* Lanes that have not exited. */
static inline uint32_t warp_alive(const struct warp *warp)
{
    return warp->present & ~warp->exited;
}

/* loop.c: a warp's state at a jump back, to see whether it comes again. */
struct snapshot {
    const struct instruction *at; /* the jump; NULL: nothing is noted */
    uint32_t warp, active, exited, left, masked, depth;
    uint64_t until; /* steps: compared up to here */
    uint64_t next;  /* steps: noted again from here on */
    struct value *registers;
    struct partial *partials;
    struct frame *frames;
};

struct execution {
    const struct program *program;
    struct launch launch;
    struct pattern_table patterns;
    struct warp *warps;
    uint32_t warp_count;
    struct value *registers; /* of all warps */
    struct partial *partials;
    struct frame *frames;
    uint32_t *visits;
    struct pattern_cache *caches;              /* one an instruction */
    struct reach *global_reach, *shared_reach; /* one a parameter, one a shared array */
    struct access access;                      /* the one that the sink is shown */
    bool keeps;                /* some memory's contents: cells, followed or shared is there */
    struct cells *cells;       /* one a parameter; NULL: no buffer's contents are known */
    struct sums sums;          /* of data, where a buffer is followed */
    struct followed *followed; /* one a parameter; NULL: none */
    int64_t *shared;           /* tokens, one a granule; NULL: not kept */
    uint8_t *held;             /* with them: HELD_PART of numbers */
    struct cell_use *uses;     /* one a granule, when values are tracked */
    struct granules granules;  /* of the running shared access, when contents are kept */
    uint64_t shared_bytes;
    struct overflow overflow, wrap;
    struct local_array local_array;
    struct narrowed narrowed;
    struct snapshot snapshot;
    struct affine *affine; /* NULL until a region runs */
    bool follows;          /* a region runs: affine.h */
    /* of the running block */
    uint32_t block[3];
    uint64_t step;
    uint64_t stretches; /* so far, of all warps */
    uint32_t barrier_count;
    const struct sink *sink;
    struct problem *problem;
};

/* What was noted holds no longer: patterns have got new numbers, or another block runs. */
static inline void snapshot_forget(struct snapshot *snapshot)
{
    snapshot->at = NULL;
}

/* This warp has loaded a number that the kernel may write anew: its state no longer says where it goes. */
static inline void snapshot_outdate(struct snapshot *snapshot, const struct warp *warp)
{
    if (snapshot->warp == warp->index)
        snapshot->at = NULL;
}

/* The cache slot of an instruction. */
static inline struct pattern_cache *cache_of(const struct execution *e, const struct instruction *at)
{
    return &e->caches[at - e->program->code];
}

/* input.c: threadIdx, blockDim, gridDim, lane, warp: the same in every block. */
void input_set_builtins(struct execution *e, const struct warp *warp);
/* input.c: parameters, shared arrays and constants. */
void input_set_program(struct execution *e, const struct warp *warp);
/* input.c: what a parameter holds when a thread begins: the same in all lanes. */
struct value input_argument(const struct execution *e, unsigned i);

/* follow.c: may what is loaded from shared memory come to be a number of an address, a condition or a buffer
 * whose contents are known? `has_reals`: floating numbers of buffers are among those. */
bool follow_shared(const struct program *program, bool has_cells, bool has_reals);

/* noticed.c: what a run has found since noticed_begin() counts `blocks` times; that of the block which
 * comes first in the launch is the first. */
struct noticed noticed_begin(struct execution *e);
void noticed_end(struct execution *e, const struct noticed *before, uint64_t blocks);

/* execution.c: moves all registers to a fresh pattern table; between two instructions only. */
void execution_collect(struct execution *e);
/* execution.c: does it matter what other blocks wrote: are values tracked, or buffers followed that are
 * written? */
bool execution_sees_others(const struct execution *e);
/* execution.c: a problem at the instruction's place. Returns false. */
bool execution_fail(const struct execution *e, const struct instruction *at, const char *message);
/* execution.c: the same for what makes the kernel faulty rather than unsupported: PROBLEM_KERNEL. */
bool execution_fault(const struct execution *e, const struct instruction *at, enum problem_fault fault,
                     const char *message);

/* execution.c: lanes of the warp went past a barrier and now come to another. Returns false. */
bool execution_missed(const struct execution *e, const struct warp *warp);

/* number.c: arithmetic on numbers; `at` is the instruction, for findings. */
void number_add(struct execution *e, struct warp *warp, const struct instruction *at, const struct value *a,
                const struct value *b, struct value *dst);
void number_multiply(struct execution *e, struct warp *warp, const struct instruction *at,
                     const struct value *a, const struct value *b, struct value *dst);
struct value number_arithmetic(struct execution *e, struct warp *warp, const struct instruction *at,
                               const struct value *a, const struct value *b);
struct value number_convert(struct execution *e, struct warp *warp, const struct instruction *at,
                            const struct value *a);
struct value number_from_mask(struct execution *e, uint32_t mask);

/* compare.c: lanes, active or not, for which it holds. */
uint32_t compare_numbers(struct execution *e, const struct instruction *at, enum opcode op,
                         const struct value *a, const struct value *b);
uint32_t compare_is_not_zero(struct execution *e, const struct value *a);

/* How many granules of shared memory have contents to keep, when values are tracked. */
static inline uint64_t granules_of(const struct execution *e)
{
    return e->shared_bytes / e->program->granule + 1;
}

/* order.c: fills `hazard` and `unordered` of a shared access whose granules are found. */
void order_note(struct execution *e, struct access *access);

/* loop.c: at a jump back, when the warp has spent more than look_at. Has the loop's state come back, is the
 * budget spent, does the watch say stop? False: a problem is set. */
enum { LOOP_LOOK = 1 << 16 }; /* steps until the first look */
bool loop_look(struct execution *e, struct warp *warp, const struct instruction *at);

/* partial.c: of a register's value that is VALUE_PARTIAL; partial_settle() is what to call. */
bool partial_fill(const struct execution *e, const struct warp *warp, const struct instruction *at,
                  unsigned r, struct value *value);

/* The value of register `r` for the active lanes, never VALUE_PARTIAL. False: some of them have none. */
static inline bool partial_settle(const struct execution *e, const struct warp *warp,
                                  const struct instruction *at, unsigned r, struct value *value)
{
    *value = warp->registers[r];
    return value->kind != VALUE_PARTIAL || partial_fill(e, warp, at, r, value);
}

/* partial.c: gives at's destination its fresh value in the active lanes; the others keep theirs, or stay
 * without one. */
bool partial_assign(struct execution *e, struct warp *warp, const struct instruction *at,
                    const struct value *fresh);

/* function.c: what a FUNCTION_ makes of its operands, all settled; the result is data that no cell holds
 * until it is set. */
bool function_of(struct execution *e, const struct instruction *at, const struct value *operands,
                 struct value *result);

/* shuffle.c: the same of those that look at other lanes; `set`: the lanes in which the first operand has a
 * value. */
bool shuffle_of(struct execution *e, const struct warp *warp, const struct instruction *at,
                const struct value *operands, uint32_t set, struct value *result);
unsigned function_operands(enum function_id function);

/* memory.c */
bool memory_atomic(struct execution *e, struct warp *warp, const struct instruction *at);
bool memory_load(struct execution *e, struct warp *warp, const struct instruction *at);
bool memory_store(struct execution *e, struct warp *warp, const struct instruction *at);

/* warp.c: runs until the warp waits or is done. False: a problem is set, or the sink has seen enough. */
bool warp_run(struct execution *e, struct warp *warp);

#endif
