/* lang.h - CUDA C text to a checked program.
 *
 * What it is for: the address arithmetic of kernels. The subset: __global__ functions with pointer and scalar
 * parameters; static and extern __shared__ arrays; integer, floating and vector types; const, __restrict__;
 * pointers into a parameter or shared array and casts of them; C's expressions; if, for, while, do, break,
 * continue, return; the functions that CUDA gives a kernel (intrinsic.h), cooperative groups; object-like
 * macros and conditional compilation. Host functions of the same file are passed over. Everything else is
 * refused by name at its place, never guessed.
 *
 * Use: unit_open() a text with its definitions, then unit_compile() one of its kernels. The unit owns
 * everything; the program lives until unit_close(). The sources (text and definitions) must outlive the unit.
 *
 * Limits: see token.h and parse.h; 4,096 sites, 12,288 constants, 32,768 registers a kernel.
 */
#ifndef LANESCOPE_LANG_LANG_H
#define LANESCOPE_LANG_LANG_H

#include "program.h"
#include "token.h"

struct unit;

/* NULL after filling the problem. `definitions` are texts like "TILE=32", as after -D; they win over
 * a plain #define of the text, those like "TILE?=32" yield to it. */
struct unit *unit_open(const struct source *source, const struct source *definitions, size_t definition_count,
                       struct problem *problem);
/* The same with a reader for #include "file"; it is asked only here. NULL: includes are passed over. */
struct unit *unit_open_including(const struct source *source, const struct source *definitions,
                                 size_t definition_count, const struct include_reader *reader,
                                 struct problem *problem);
void unit_close(struct unit *unit);

unsigned unit_kernel_count(const struct unit *unit);
const char *unit_kernel_name(const struct unit *unit, unsigned index);
int unit_kernel_line(const struct unit *unit, unsigned index); /* that its name stands on */
unsigned unit_skipped_includes(const struct unit *unit);       /* #include lines that were passed over */

/* What was taken for the compiled kernel's types that nothing in the text says: "float for T, U, int for I";
 * or "". */
const char *unit_assumed_types(const struct unit *unit);

/* Classes of libraries that the text uses and that no header here defines: "pair as C++ has it"; or "". */
const char *unit_borrowed(const struct unit *unit);

/* What the compiled kernel's template stands for, as a compiler would take it: "float, 32"; "" for no
 * template, or where some argument has no such form. */
const char *unit_template_arguments(const struct unit *unit);

/* The text that was read, macros replaced and included texts in their places, in memory of its own; the
 * comments before its first token stay, directives do not. */
char *unit_text(const struct unit *unit, size_t *size);

/* Is NAME defined where the text ends, by the text or by a definition? */
bool unit_defines(const struct unit *unit, const char *name);

/* Does a definition stand in the place of one that the text makes of NAME itself? Definitions win. */
bool unit_overrides(const struct unit *unit, const char *name);

/* Is it defined, and did the text use it or ask for it (before any formula was evaluated)? */
bool unit_uses(const struct unit *unit, const char *name);

/* Compiles the kernel of that name; NULL means the only one (several: a problem that lists them). One of
 * several of the same name is NAME:LINE, the line that its name stands on. */
const struct program *unit_compile(struct unit *unit, const char *name, struct problem *problem);

/* The same with a template's arguments, "32, float"; NULL: those of the text, if it has one instantiation. */
const struct program *unit_compile_as(struct unit *unit, const char *name, const struct source *arguments,
                                      struct problem *problem);

/* The tree of the kernel compiled last, for path.h; it lives as long as its program. NULL: there is none. */
const struct kernel_tree *unit_tree(const struct unit *unit);

/* A name with a value, for formulas. */
struct binding {
    const char *name;
    int64_t value;
};

/* The value of an integer formula over the unit's macros and constants and the given names. */
bool unit_evaluate(struct unit *unit, const struct source *formula, const struct binding *bindings,
                   size_t count, int64_t *value, struct problem *problem);

/* A formula that is evaluated often: parsed once, then for 32 values of its names at a time. Its names have
 * 64 signed bits. Limit: FORMULA_DEPTH operators in a chain. Belongs to the unit; any thread may ask for
 * values. */
enum { FORMULA_DEPTH = 64, FORMULA_LANES = 32, FORMULA_NAMES = 8 };
struct formula {
    const struct expr *tree;
};

/* `names` are those that vary; the bindings are constants. */
bool unit_formula(struct unit *unit, const struct source *text, const char *const *names, unsigned name_count,
                  const struct binding *bindings, size_t binding_count, struct formula *formula,
                  struct problem *problem);

/* Its values in the lanes of `mask`, where names[n][lane] is what the n-th name stands for. Returns the lanes
 * that have none: a division by zero, an overflow, a shift by the width or more. */
uint32_t formula_values(const struct formula *formula, uint32_t mask, const int64_t (*names)[FORMULA_LANES],
                        int64_t value[FORMULA_LANES]);

/* One access written as an index expression, as a program with one pointer parameter (global) or one dynamic
 * shared array (shared): `if (active) access buffer[index]`. Names: tx ty tz bx by bz bdx bdy bdz gdx gdy gdz
 * tid lane warp, CUDA's own, and the definitions. `active` may be NULL. */
struct probe {
    const struct source *index, *active;
    enum memory_space space;
    enum access_op op;
    unsigned lane_bytes;  /* 1, 2, 4, 8, 16 */
    uint64_t index_bytes; /* unit of the index */
    int64_t base_bytes;   /* added to every address */
};
const struct program *unit_compile_probe(struct unit *unit, const struct probe *probe,
                                         struct problem *problem);

#endif
