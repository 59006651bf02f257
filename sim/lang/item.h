/* item.h - a text's tokens cut into what stands at file level. Inside lang.
 *
 * Nothing is parsed: an item ends where its brackets close, and what it is follows from the words before
 * them. So host code of any kind is walked over. The tokens are the preprocessor's, macros replaced.
 */
#ifndef LANESCOPE_LANG_ITEM_H
#define LANESCOPE_LANG_ITEM_H

#include "token.h"

enum item_kind {
    ITEM_WRAPPER,  /* `namespace a {` or `extern "C" {`: what follows are items again */
    ITEM_CLOSING,  /* the } of a wrapper */
    ITEM_FUNCTION, /* a definition or a declaration */
    ITEM_CLASS,    /* struct, class, union or enum, with its variables if there are any */
    ITEM_OTHER     /* variables, types, using, ... */
};

struct item {
    enum item_kind kind;
    const struct token *begin, *end; /* end: after the last token */
    const struct token *head;        /* after template <...>; begin where there is none */
    const struct token *name;        /* of a function; `operator` for those. NULL: of no function */
    const struct token *parameters;  /* at ( ; NULL where name is */
    const struct token *body;        /* at { of a function or class; NULL: none */
    bool is_kernel;                  /* __global__ */
    bool is_device;                  /* a function that device code may call: __device__, constexpr */
    bool is_kept; /* a variable that device code can see: constants, __device__, __shared__ ... */
    bool is_operator;
};

/* The item at `at`, which is no TOKEN_END; the next one begins at its end. `inside` is true in a class, where
 * labels
 * (`public:`) are items. */
struct item item_at(const struct token *at, bool inside);

bool item_is_class_word(const struct token *at); /* struct, class, union, enum */

#endif
