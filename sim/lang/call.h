/* call.h - what the files that read calls share: function.c, overload.c, inline.c, method.c. */
#ifndef LANESCOPE_LANG_CALL_H
#define LANESCOPE_LANG_CALL_H

#include "parse.h"

enum { ARGUMENT_LIMIT = 32 };

struct arguments {
    struct expr *at[ARGUMENT_LIMIT];            /* NULL: a list in braces, whose type is the parameter's */
    const struct token *braces[ARGUMENT_LIMIT]; /* at its { */
    struct parser *reader;                      /* of the braces */
    unsigned count;
    const struct expr *object;                       /* whose member is called; NULL: there is none */
    const struct function *function[ARGUMENT_LIMIT]; /* at is NULL: a lambda, or a function by its name */
    struct statement *copies, **copies_end;          /* declare what such lambdas have by value */
};

/* A call's object: its members are names. Of a constructor it is the call's result. */
struct object {
    struct expr *value; /* NULL: none */
    const struct record *record;
    const struct type *constructed; /* NULL: it is no constructor */
};

/* function.c: the arguments from ( to ). */
bool call_arguments(struct parser *parser, struct arguments *arguments);

/* Says that no function of the name takes them; NULL. */
struct expr *call_fail_to_fit(struct parser *parser, const struct token *name,
                              const struct arguments *arguments);

/* overload.c: a function's parameters: how many there are, and how many have no default; where one begins. */
unsigned call_parameter_count(const struct function *function, unsigned *least);
const struct token *call_parameter_at(const struct function *function, unsigned index);

/* Binds the names of the function's template in the parser's scope: explicit arguments (behind <, or NULL) as
 * `reader` sees them, then what the arguments say, then defaults. */
bool call_bind_template(struct parser *parser, const struct function *function, const struct token *explicit_,
                        struct scope *reader, const struct arguments *arguments);

/* Is the function called so, an operator by its sign? Without a name: is it a constructor? */
bool call_is_named(const struct function *function, const struct token *name);
/* `f() const` is for const objects, and `f()` for any others. */
bool call_suits_object(const struct parser *parser, const struct function *function,
                       const struct expr *object);
bool call_has_function(const struct record *record, const struct token *name); /* record may be NULL */

/* Of the functions from `f` on that have the name, the one that these arguments fit best, and how many
 * parameters it has; NULL: none does. */
const struct function *call_choose(struct parser *parser, const struct function *f, const struct token *name,
                                   const struct token *explicit_, const struct arguments *arguments,
                                   unsigned *count);

/* inline.c: the declared type of a function's value. */
bool call_result_type(struct parser *parser, const struct function *function, struct type *type);

/* The call, read in place; `object` is NULL for a function of no struct. */
struct expr *call_function(struct parser *parser, const struct function *function, const struct token *name,
                           const struct token *explicit_, const struct arguments *arguments, unsigned count,
                           const struct object *object);

#endif
