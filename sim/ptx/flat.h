/* flat.h - a kernel with its calls in place: one list of instructions, its blocks, what registers point into.
 * Inside ptx.
 *
 * A register of a flat list is its number in its function plus the first of its frame, one frame for each
 * call. Each step returns false after filling the list's problem. Frames live in the module's arena, the rest
 * is the list's: flat_list_free(), after a failure too.
 */
#ifndef LANESCOPE_PTX_FLAT_H
#define LANESCOPE_PTX_FLAT_H

#include "module.h"

#define NO_FLAT UINT32_MAX
enum { BLOCK_SUCCESSORS = 2 };

struct frame_of_call {
    struct function_of_ptx *function;
    struct frame_of_call *caller;              /* NULL: the kernel itself */
    const struct operand *results, *arguments; /* lists of the call, or NULL */
    uint32_t first_register;
    uint32_t *flat_of; /* an instruction's place in the list */
    uint32_t end;      /* where a ret goes */
};

struct flat {
    enum flat_kind { FLAT_PLAIN, FLAT_BRANCH, FLAT_EXIT } kind;
    bool skips; /* BRANCH around a call: taken where the guard does not hold */
    const struct ptx_instruction *in;
    struct frame_of_call *frame;
    uint32_t target; /* BRANCH: a place in the list, perhaps its end */
    int64_t home;    /* of ld.param and st.param: see struct flat_list */
};

struct block_of_ptx {
    uint32_t begin, end;             /* flats */
    uint32_t next[BLOCK_SUCCESSORS]; /* falls through to, branches to; NO_FLAT: does not */
    uint32_t order;                  /* its place in the code's order; NO_FLAT: nothing leads there */
};

/* What a register may point into. */
struct roots {
    uint64_t parameters; /* bits: of the program */
    bool shared, local;
};

struct flat_list {
    struct module *module;
    struct problem *problem;
    struct flat *at;
    size_t count, capacity;
    uint32_t register_count;
    struct block_of_ptx *blocks;
    uint32_t *block_of; /* a flat's */
    uint32_t block_count;
    uint32_t *order; /* blocks in the order of their code */
    uint32_t order_count;
    /* Parameters of the kernel that it reads; and those of calls, which are registers behind the others. A
     * flat's home is 0: none; n > 0: the kernel's parameter n - 1; n < 0: register -n. With several
     * components, the first. */
    struct parameter_slot *slots;
    unsigned slot_count;
    struct roots *roots; /* a register's */
};

enum { SLOT_LIMIT = 64 };

/* A kernel's parameter, or a member of one, that is read. */
struct parameter_slot {
    const struct variable *variable;
    int64_t offset;
    struct ptx_type type;
    bool is_pointer, is_definite; /* .ptr, or cvta.to.global; a pointer at all */
    bool is_number;               /* by what is done with it */
    unsigned cell_bytes; /* of a pointer: the narrowest component that is accessed through it; 0: none */
    bool cell_is_float;  /* is some access of a floating type? */
};

/* A register of a call's parameter: of that variable in that frame. */
struct parameter_register {
    const struct frame_of_call *frame;
    int64_t offset;
    uint32_t reg;
    struct parameter_register *next;
};

/* roots.c: slots, homes, roots. */
bool roots_find(struct flat_list *list, const struct function_of_ptx *kernel);

/* flatten.c */
bool flatten(struct flat_list *list, struct function_of_ptx *kernel);
void flat_list_free(struct flat_list *list);
bool flat_fail(const struct flat_list *list, const struct flat *flat, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* flow.c: blocks and their order. */
bool flow_find(struct flat_list *list);

/* region.c: the blocks that run or not as a block's branch says, if they do nothing but compute: whatever
 * data decides there, what they write is data then, and lanes go on where the ways meet. False: they do more,
 * and there is nothing to free. */
struct region {
    uint32_t *blocks, count;
    uint32_t meet; /* the block where the ways meet */
};
bool region_find(const struct flat_list *list, uint32_t branch, struct region *region);
void region_free(struct region *region);

/* A part of an instruction's name: is ".part" in it, or is it the first? */
bool op_has(const struct ptx_instruction *in, const char *part);
bool op_is(const struct ptx_instruction *in, const char *name);
/* The i-th type in its name, from 0. */
bool op_type(const struct ptx_instruction *in, unsigned i, struct ptx_type *type);

static inline uint32_t flat_register(const struct flat *flat, const struct operand *operand)
{
    return flat->frame->first_register + (uint32_t)operand->reg;
}

/* How many leading operands an instruction writes: 0 or 1. */
unsigned op_results(const struct ptx_instruction *in);

/* Where a variable of a frame lives: a parameter of a call is its caller's variable, or register. */
struct home {
    const struct variable *variable; /* NULL: see operand */
    const struct operand *operand;   /* a register, a number */
    struct frame_of_call *frame;
    int64_t offset;
};
struct home flat_home(struct frame_of_call *frame, const struct variable *variable, int64_t offset);

#endif
