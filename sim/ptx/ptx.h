/* ptx.h - PTX text to a checked program: the second front end, beside sim/lang.
 *
 * What it is for: kernels as a compiler wrote them, whatever language they came from. PTX ISA 6.0 to 9.0:
 * integer and predicate instructions are exact, floating-point ones yield data; loads and stores of every
 * width; branches of any shape, whose lanes come together again where their ways meet first. Calls of
 * functions of the same text are read in place. Everything else is refused by name at its place, never
 * guessed. Accesses are those of the compiled code: unrolled, merged or left out as the compiler saw fit.
 *
 * Use: ptx_open() a text, then ptx_compile() one of its kernels. The unit owns everything; the program lives
 * until ptx_close(), and a second ptx_compile() of the unit replaces it. The source must outlive the unit.
 *
 * A kernel's parameters: the program has one for each .param that the kernel reads, or for each member of a
 * struct that it reads, in the order of their places. They are called param_0, param_1, ... (param_2+8: the
 * member at byte 8) where the text numbers them, as compilers do, or else as the text says. Which 64-bit
 * parameters are pointers is found by what becomes of them.
 *
 * Limits: 40,000 registers, 25,000 constants, 4,096 sites, 64 parameters, 200,000 instructions after calls
 * are read in place, a depth of 16 of these.
 */
#ifndef LANESCOPE_PTX_PTX_H
#define LANESCOPE_PTX_PTX_H

#include "../lang/program.h"

struct ptx_unit;

/* Is this PTX: a name that ends in .ptx, or a text whose first word, comments aside, is .version? */
bool ptx_is_text(const struct source *source);

/* NULL after filling the problem. */
struct ptx_unit *ptx_open(const struct source *source, struct problem *problem);
void ptx_close(struct ptx_unit *unit);

unsigned ptx_kernel_count(const struct ptx_unit *unit);
const char *ptx_kernel_name(const struct ptx_unit *unit, unsigned index); /* as the text has it */

/* Compiles the kernel of that name, or of that function's own name within the mangled one (`transpose` for
 * _Z9transposePfPKfii); NULL means the only one. NULL after filling the problem. */
const struct program *ptx_compile(struct ptx_unit *unit, const char *name, struct problem *problem);

/* Calls the compiled kernel's parameters as the text did that was compiled to this one: name N instead of
 * param_N, name N + "+8" instead of param_N+8. "" leaves one as it is. The names must outlive the unit. */
void ptx_name_parameters(struct ptx_unit *unit, const char *const *names, unsigned count);

/* The block that the compiled kernel's .reqntid asks for, or else the largest that its .maxntid allows (1 in
 * the directions that they leave out). False: the text says neither. */
bool ptx_block(const struct ptx_unit *unit, uint32_t block[3], bool *is_largest);

/* A function's own name within a mangled one, into `out` (cut at `size`, NUL included): the last name of a
 * nested one, without its template arguments. A name that is not mangled is its own. */
void ptx_base_name(const char *mangled, char *out, size_t size);

#endif
