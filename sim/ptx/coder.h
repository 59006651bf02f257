/* coder.h - the program under construction. Inside ptx.
 *
 * Registers of PTX hold bits; here numbers, sign-extended from the register's width, so that one value has
 * one form. What an unsigned instruction needs is converted first and its result converted back.
 *
 * Lanes that do not run keep what their registers hold. So a result goes into a temporary and from there into
 * the lanes that run, unless nobody could tell: the register is read in its own block only, or all lanes that
 * there are run.
 *
 * Limits are those below. After a problem every function still returns a register that can be used: look at
 * problem->set at the end of an instruction. The program is the caller's: ptx_program_free(), after a failure
 * too.
 */
#ifndef LANESCOPE_PTX_CODER_H
#define LANESCOPE_PTX_CODER_H

#include "flat.h"

enum {
    CODER_REGISTERS = 40000, /* from here on numbers are constants, until all is known */
    CODER_CONSTANTS = 25000,
    CODER_SITES = 4096,
    CODER_TEMPORARIES = 96
};

struct coder_of_ptx {
    struct flat_list *list;
    struct program *program;
    struct module *module;
    struct problem *problem;
    size_t code_capacity, place_capacity, site_capacity;
    uint16_t *register_of; /* 1 + the program's register for one of the list; 0: none yet */
    bool *is_direct;       /* results may be written in all lanes */
    unsigned next_register, first_temporary, temporaries;
    uint32_t *constant_slots; /* a hash table of 1 + constant */
    const struct flat *flat;  /* that is being coded */
    const struct ptx_instruction *in;
    uint32_t place;
    uint32_t *line_starts;
    size_t line_count;
    unsigned granule;
};

/* coder.c */
size_t coder_emit(struct coder_of_ptx *c, enum opcode op, unsigned kind, unsigned dst, unsigned a, unsigned b,
                  uint32_t extra);
unsigned
coder_temporary(struct coder_of_ptx *c); /* until the next instruction of PTX; several come in a row */
unsigned coder_constant(struct coder_of_ptx *c, int64_t value, bool is_data);
unsigned coder_register(struct coder_of_ptx *c, uint32_t of_list);
bool coder_fail(struct coder_of_ptx *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A constant's value. False: it is none, or data. */
bool coder_is_constant(const struct coder_of_ptx *c, unsigned reg, int64_t *value);

/* value.c: the register that holds operand `i`, or any: numbers of `type`'s width. */
unsigned coder_use(struct coder_of_ptx *c, unsigned i, struct ptx_type type);
unsigned coder_value(struct coder_of_ptx *c, const struct operand *operand, struct ptx_type type);
/* The same, as the number that an unsigned type makes of it. */
unsigned coder_use_as(struct coder_of_ptx *c, unsigned i, struct ptx_type type);
/* A register's number brought into a type's range. */
unsigned coder_convert(struct coder_of_ptx *c, unsigned reg, enum number_kind kind);

/* Where operand `i`'s result is to be computed; coder_put() then takes it there. */
unsigned coder_result(struct coder_of_ptx *c, unsigned i);
unsigned coder_result_of(struct coder_of_ptx *c, const struct operand *operand);
void coder_put(struct coder_of_ptx *c, const struct operand *operand, unsigned from);
void coder_copy(struct coder_of_ptx *c, const struct operand *operand,
                unsigned from); /* `from` is no temporary */

static inline enum number_kind kind_of_type(struct ptx_type type)
{
    unsigned size = type.bytes == 1 ? 0 : type.bytes == 2 ? 1 : type.bytes == 4 ? 2 : 3;
    return (enum number_kind)(2 * size + !type.is_signed);
}

static inline enum number_kind signed_kind(struct ptx_type type)
{
    type.is_signed = true;
    return kind_of_type(type);
}

/* special.c: the register that holds %tid.x and its kin; a problem if it is not known. */
unsigned coder_special(struct coder_of_ptx *c, const char *name);

/* The instructions, by kind. Each codes c->in; false: a problem is set. */
bool lower_arithmetic(struct coder_of_ptx *c); /* lower_integer.c */
bool lower_multiply(struct coder_of_ptx *c);
bool lower_shift(struct coder_of_ptx *c);
bool lower_bits(struct coder_of_ptx *c);          /* lower_bits.c */
bool lower_set_predicate(struct coder_of_ptx *c); /* lower_compare.c */
bool lower_set(struct coder_of_ptx *c);
bool lower_select(struct coder_of_ptx *c);
bool lower_move(struct coder_of_ptx *c); /* lower_move.c */
bool lower_convert(struct coder_of_ptx *c);
bool lower_data(struct coder_of_ptx *c);
bool lower_load(struct coder_of_ptx *c); /* lower_memory.c */
bool lower_store(struct coder_of_ptx *c);
bool lower_atomic(struct coder_of_ptx *c);
bool lower_barrier(struct coder_of_ptx *c); /* lower_warp.c */
bool lower_shuffle(struct coder_of_ptx *c);
bool lower_vote(struct coder_of_ptx *c);
bool lower_together(struct coder_of_ptx *c);
bool lower_nothing(struct coder_of_ptx *c);
bool lower_refuse(struct coder_of_ptx *c);
bool lower_call(struct coder_of_ptx *c);

/* table.c: one instruction of PTX that is no branch. */
bool lower_instruction(struct coder_of_ptx *c);

/* program.c: the whole program from a list whose blocks and roots are found. */
bool ptx_code(struct flat_list *list, const struct function_of_ptx *kernel, const char *name,
              struct program *program);
void ptx_program_free(struct program *program);

#endif
