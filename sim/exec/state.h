/* state.h - what a running block is made of. Inside exec. */
#ifndef LANESCOPE_EXEC_STATE_H
#define LANESCOPE_EXEC_STATE_H

#include "exec.h"

enum value_kind {
    VALUE_UNSET,
    VALUE_NUMBER, /* base + delta[i], exact for up to 32 bits and signed 64; unsigned 64 as its bit pattern */
    VALUE_BOOL,   /* base = lanes that are true */
    VALUE_POINTER, /* base + delta[i] = byte offset in `buffer` */
    VALUE_DATA     /* base + delta[i] = token */
};

struct value {
    int64_t base;
    pattern_id pattern;
    uint16_t kind; /* enum value_kind */
    uint16_t buffer;
};

enum { ORIGIN_SHIFT = 48 };
#define TOKEN_COMPUTED  (INT64_C(1) << ORIGIN_SHIFT)
#define TOKEN_CONSTANT  (INT64_C(2) << ORIGIN_SHIFT)
#define TOKEN_BUFFER(n) ((int64_t)(3 + (n)) << ORIGIN_SHIFT)
#define TOKEN_RANGE     (INT64_C(1) << 46) /* offsets and constants beyond it are only COMPUTED */

enum warp_state { WARP_RUNNING, WARP_WAITING, WARP_DONE };

struct frame {           /* of an IF or a LOOP */
    uint32_t saved;      /* active lanes when it began */
    uint32_t other;      /* IF: lanes for the else side; LOOP: lanes that left */
    uint32_t gone_saved; /* LOOP */
    uint32_t is_loop;
};

struct warp {
    uint32_t index;
    enum warp_state state;
    uint32_t exists; /* lanes that the block has */
    uint32_t active, returned;
    uint32_t gone; /* lanes that an END must not bring back: returned, or left or continued their loop */
    uint32_t pc;
    uint32_t depth;
    struct frame *frames;
    struct value *registers;
    uint32_t *visits; /* a site */
    uint64_t spent;   /* budget */
};

struct execution {
    const struct program *program;
    struct launch launch;
    struct pattern_table patterns;
    struct warp *warps;
    uint32_t warp_count;
    struct value *registers; /* of all warps */
    struct frame *frames;
    uint32_t *visits;
    bool track_values;
    int64_t *shared; /* tokens, one a granule */
    uint64_t shared_bytes;
    struct overflow overflow;
    /* of the running block */
    uint32_t block[3];
    uint64_t step;
    uint32_t barrier_count;
    uint32_t barrier_pc; /* the barrier that the warps of this phase wait at */
    const struct sink *sink;
    struct problem *problem;
};

/* warp.c: runs until the warp waits or is done. False: a problem is set. */
bool warp_run(struct execution *e, struct warp *warp);

/* number.c: arithmetic on values. `at` is the instruction, for findings. */
struct value number_arithmetic(struct execution *e, struct warp *warp, const struct instruction *at,
                               const struct value *a, const struct value *b);
struct value number_convert(struct execution *e, struct warp *warp, const struct instruction *at,
                            const struct value *a);
uint32_t number_compare(struct execution *e, enum opcode op, enum number_kind kind, const struct value *a,
                        const struct value *b);
struct value number_from_mask(struct execution *e, uint32_t mask);
struct value value_merge(struct execution *e, uint32_t mask, const struct value *fresh,
                         const struct value *old);

/* memory.c */
bool memory_load(struct execution *e, struct warp *warp, const struct instruction *at);
bool memory_store(struct execution *e, struct warp *warp, const struct instruction *at);
struct value value_as_data(const struct value *a);

/* block.c: moves all registers to a fresh pattern table; between two instructions only. */
void execution_collect(struct execution *e);

/* A problem at the instruction's place. Returns false. */
bool execution_fail(struct execution *e, const struct instruction *at, const char *message);

#endif
