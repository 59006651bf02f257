/* intrinsic.h - the functions and constants that CUDA gives a kernel. Inside lang.
 *
 * Three kinds: what works on integers is exact (one row a name); what works on data is followed but not
 * computed (the type of its value follows from its name); what accesses memory is an access (loads and stores
 * with a cache hint, atomics). What only prints, checks or waits is passed over with its arguments: printf,
 * assert, __trap. Cooperative groups are values of TYPE_GROUP. Everything else is refused by name.
 *
 * Where a function here returns an expression, `name` has been passed; NULL with no problem set: it is none
 * of that kind.
 */
#ifndef LANESCOPE_LANG_INTRINSIC_H
#define LANESCOPE_LANG_INTRINSIC_H

#include "parse.h"
#include "program.h"

enum { INTRINSIC_ARGUMENTS = 8 };

struct intrinsic_call {
    const struct token *name;
    struct expr *at[INTRINSIC_ARGUMENTS];
    unsigned count;
};

/* intrinsic.c: the arguments, from ( to ), of which there are `least` to `most`. */
bool intrinsic_arguments(struct parser *parser, const struct token *name, unsigned least, unsigned most,
                         struct intrinsic_call *call);
/* intrinsic.c: EXPR_FUNCTION of the operands, and data computed from all arguments. */
struct expr *intrinsic_function(struct parser *parser, const struct token *name, enum function_id function,
                                struct type type, struct expr *const *operands, unsigned count);
struct expr *intrinsic_computed(struct parser *parser, const struct intrinsic_call *call, struct type type);

/* intrinsic_data.c: the type that a function of data has, by its name and, if there are any, its arguments.
 * False: there is no such function. */
bool intrinsic_data_type(const struct token *name, const struct intrinsic_call *call, struct type *type);

/* intrinsic_data.c: what a function of data with so many arguments computes of numbers, where that is exact.
 */
enum real_function intrinsic_real(const struct token *name, unsigned count);

/* intrinsic_warp.c: shuffles, votes and reductions of a warp. A shuffle's or a vote's width is that of its
 * segments, a constant. */
struct expr *intrinsic_warp(struct parser *parser, const struct token *name);
struct expr *intrinsic_shuffle(struct parser *parser, const struct token *name, enum function_id function,
                               struct expr *value, struct expr *lane, struct expr *width);
struct expr *intrinsic_vote(struct parser *parser, const struct token *name, enum function_id function,
                            struct expr *value, unsigned width);

/* intrinsic_atomic.c: atomicAdd and its kin. */
struct expr *intrinsic_atomic(struct parser *parser, const struct token *name);

/* intrinsic_texture.c: tex2D and its kin, surf2Dwrite and its kin; may be followed by < . */
bool intrinsic_is_texture(const struct token *name);
struct expr *intrinsic_texture(struct parser *parser, const struct token *name);

/* intrinsic_constant.c: INFINITY, INT_MAX, M_PI and their kin; numeric_limits<T>::max(). */
struct expr *intrinsic_constant(struct parser *parser, const struct token *name);

/* trait.c: std::is_same<A, B>::value and its kin, as constants. */
struct expr *intrinsic_trait(struct parser *parser, const struct token *name);

/* group.c: types and functions of cooperative groups. */
bool group_at_type(const struct token *token);
bool group_type(struct parser *parser, struct type *type);
struct expr *group_call(struct parser *parser, const struct token *name);
struct expr *group_method(struct parser *parser, struct expr *group, const struct token *name); /* after . */

#endif
