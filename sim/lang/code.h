/* code.h - tree to program. Inside lang. */
#ifndef LANESCOPE_LANG_CODE_H
#define LANESCOPE_LANG_CODE_H

#include "parse.h"
#include "program.h"

#define CODE_SITE_LIMIT     4096u
#define CODE_CONSTANT_LIMIT 12288u
#define CODE_REGISTER_LIMIT 32768u

/* While code is made, constants are numbered from here on; code_finish() gives them their registers. */
#define CODE_FIRST_CONSTANT 0xc000u

struct coder {
    struct program *program;
    const struct kernel_tree *tree;
    struct arena *arena; /* of the tree */
    struct problem *problem;
    size_t code_capacity, place_capacity, scale_capacity, site_capacity, constant_capacity,
        narrowing_capacity;
    unsigned next_register;
    unsigned mask_depth;
    unsigned pointer_base[PARSE_PARAMETER_LIMIT]; /* registers: where buffers begin in which pointers lie */
    bool *is_variable;     /* of each register handed out: does a name of the kernel's text stand for it? */
    uint32_t *line_starts; /* of the program's source */
    size_t line_count;
};

/* Both return false (or 0 from expressions) once a problem is set; the code is then worthless. */
bool code_kernel(const struct kernel_tree *tree, const struct source *source, struct arena *arena,
                 struct program *program, struct problem *problem);

/* code_statement.c */
void code_statement(struct coder *coder, const struct statement *s);

/* code_expr.c */
unsigned code_expression(struct coder *coder, const struct expr *e); /* the first register of its value */

void code_move(struct coder *coder, unsigned dst, unsigned src, unsigned count, const struct expr *where);

/* dst = a op b of this scalar type; `punct` as in token.h. */
void code_operation(struct coder *coder, uint32_t punct, const struct type *type, unsigned dst, unsigned a,
                    unsigned b, const struct expr *where);
void code_real_function(struct coder *coder, enum real_function function, const struct type *type,
                        unsigned dst, unsigned a, unsigned b, const struct expr *where);
/* To or from a floating type: data keeps its origin. */
unsigned code_keep(struct coder *coder, const struct type *from, const struct type *to, unsigned a,
                   const struct expr *where);

/* code_memory.c */
unsigned code_load(struct coder *coder, const struct expr *e);   /* MEMORY */
unsigned code_part(struct coder *coder, const struct expr *e);   /* COMPONENT, ELEMENT, PUN */
unsigned code_assign(struct coder *coder, const struct expr *e); /* ASSIGN */
unsigned code_update(struct coder *coder, const struct expr *e); /* UPDATE */

/* code_order.c: a value that was evaluated, with what `later`, evaluated next, changes of the variable that
 * it may lie in kept from it. */
unsigned code_kept(struct coder *coder, unsigned value, unsigned slots, const struct expr *later);

/* code_choice.c: EXPR_AND, EXPR_OR, EXPR_CONDITION */
unsigned code_logical(struct coder *coder, const struct expr *e);
unsigned code_condition(struct coder *coder, const struct expr *e);

/* code_intrinsic.c: EXPR_FUNCTION, EXPR_COMPUTED, EXPR_ATOMIC, EXPR_BARRIER */
unsigned code_function(struct coder *coder, const struct expr *e);
unsigned code_computed(struct coder *coder, const struct expr *e);
unsigned code_atomic(struct coder *coder, const struct expr *e);
unsigned code_barrier(struct coder *coder, const struct expr *e);

/* code.c */
uint32_t code_place(struct coder *coder, const struct source *source, uint32_t begin, uint32_t end);
size_t code_emit(struct coder *coder, enum opcode op, unsigned dst, unsigned a, unsigned b,
                 const struct expr *where);
unsigned code_registers(struct coder *coder, unsigned count); /* temporaries: read once, by who asked */
unsigned code_variable(struct coder *coder, unsigned count);  /* registers that keep their value */
unsigned code_constant(struct coder *coder, int64_t value, bool is_data, const struct expr *where);
unsigned code_real(struct coder *coder, double real, const struct expr *where); /* a floating literal */
/* Registers of a value; CODE_REGISTER_LIMIT + 1 where it has more than there are. */
unsigned code_slots(const struct type *type);

unsigned code_site(struct coder *coder, const struct expr *memory, enum access_op op);
uint32_t code_narrowing(struct coder *coder, const struct type *from,
                        const struct type *to); /* its index + 1 */
uint32_t code_scale(struct coder *coder, uint64_t scale);
void code_open_mask(struct coder *coder);
void code_close_mask(struct coder *coder);

/* peephole.c: two instructions made one. All of them change the last instruction's target, and all follow one
 * rule: its old target is a temporary, so that nothing else reads it. */

/* The value, just computed, goes straight into a variable's fresh register; false: it must be copied. */
bool peephole_declare(struct coder *coder, unsigned value, unsigned variable);
/* variable = a + b, just computed, in the active lanes; false: it must be moved. */
bool peephole_add_to(struct coder *coder, unsigned value, unsigned variable);
/* IF, NARROW or TEST on a condition; a comparison that was just made and its branch become one instruction.
 * Returns the branch's index. */
size_t peephole_branch(struct coder *coder, enum opcode op, unsigned condition, const struct expr *where);
/* The STEP that ends a loop's body; an END just before it becomes one with it. Branches go to the END, so
 * that it is still there for them. Returns the step's index. */
size_t peephole_step(struct coder *coder, const struct expr *where);

enum number_kind code_number_kind(const struct type *type);
void program_free(struct program *program);

#endif
