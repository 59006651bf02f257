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
    struct arena *arena;
    struct problem *problem;
    size_t code_capacity, place_capacity, scale_capacity, site_capacity, constant_capacity;
    unsigned next_register;
    unsigned mask_depth;
    uint32_t *line_starts; /* of the program's source */
    size_t line_count;
};

/* Both return false (or 0 from expressions) once a problem is set; the code is then worthless. */
bool code_kernel(const struct kernel_tree *tree, const struct source *source, struct arena *arena,
                 struct program *program, struct problem *problem);

/* code_expr.c */
unsigned code_expression(struct coder *coder, const struct expr *e); /* the first register of its value */

/* code.c */
uint32_t code_place(struct coder *coder, const struct source *source, uint32_t begin, uint32_t end);
size_t code_emit(struct coder *coder, enum opcode op, unsigned dst, unsigned a, unsigned b,
                 const struct expr *where);
/* IF or TEST on a condition that was just computed; a comparison and its branch become one instruction. */
size_t code_branch(struct coder *coder, enum opcode op, unsigned condition, const struct expr *where);
unsigned code_registers(struct coder *coder, unsigned count);
unsigned code_constant(struct coder *coder, int64_t value, bool is_data, const struct expr *where);
unsigned code_site(struct coder *coder, const struct expr *memory, enum access_op op);
uint32_t code_scale(struct coder *coder, uint64_t scale);
void code_open_mask(struct coder *coder);
void code_close_mask(struct coder *coder);
enum number_kind code_number_kind(const struct type *type);
void program_free(struct program *program);

#endif
