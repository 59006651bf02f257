/* token.h - a kernel's text as tokens, macros replaced.
 *
 * The lexer knows C's and C++'s lexemes well enough to walk over host code that it will never understand
 * (strings, characters, <<<, ::); only what a kernel uses is interpreted later.
 *
 * The preprocessor knows #define with and without parameters (also variadic, with # and ##), #undef, #ifdef,
 * #ifndef, #if, #elif, #else, #endif, #error, #include where there is a reader that finds the text, #pragma
 * once; other includes are passed over (and counted), as is one whose text cannot be read to its end, or with
 * which there would be more than 786,432 tokens. A macro with parameters takes its arguments from the text
 * around it, not from what follows another macro's replacement.
 *
 * Limits: text 4 MiB, 1,048,576 tokens after expansion, 4,096 macros, 64 nested
 * conditionals, 32 nested includes, 2,048 in all, 64 nested macros with at most 32 parameters, 4,194,304
 * tokens looked at while replacing macros.
 */
#ifndef LANESCOPE_LANG_TOKEN_H
#define LANESCOPE_LANG_TOKEN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../../base/arena.h"
#include "../../base/problem.h"

#define SOURCE_SIZE_LIMIT (4u << 20)
#define TOKEN_COUNT_LIMIT (1u << 20)
#define MACRO_COUNT_LIMIT 4096u
#define MACRO_STEP_LIMIT  (1u << 22)
#define MACRO_BUCKETS     256u

/* Punctuators are numbered by their own bytes, so that the parser can name them: PUNCT3('<', '<', '='). */
#define PUNCT1(a)       ((uint32_t)(a))
#define PUNCT2(a, b)    ((uint32_t)(a) | (uint32_t)(b) << 8)
#define PUNCT3(a, b, c) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16)

enum token_kind {
    TOKEN_END,
    TOKEN_NAME,
    TOKEN_NUMBER, /* integer or floating, not yet judged */
    TOKEN_PUNCT,
    TOKEN_STRING,
    TOKEN_CHARACTER,
    TOKEN_OTHER /* a byte that begins no token: harmless outside kernels */
};

struct token {
    enum token_kind kind;
    uint32_t punct;   /* TOKEN_PUNCT */
    const char *text; /* not NUL-terminated */
    uint32_t length;  /* bytes of text */
    uint32_t begin; /* where it stands in `source`; for a token of a macro's body, where the macro was used */
    uint32_t end;   /* one past it */
    const struct source *source;
    bool starts_line;
    bool expanded;     /* came out of a macro; an argument's token keeps its own place */
    bool is_qualified; /* a :: and something else stand before it, in the text of a unit */
};

struct token_list {
    struct token *at; /* the last one is TOKEN_END */
    size_t count, capacity;
};

struct macro {
    const char *name;
    uint32_t name_length, hash;
    bool function_like;
    bool used;                      /* replaced somewhere, or asked for by #ifdef and its kind */
    bool is_given;                  /* by a definition, not by the text */
    bool overrides;                 /* a definition: the text has its own, which does not count */
    bool busy;                      /* being expanded: not expanded again inside itself */
    const struct token *parameters; /* FUNCTION_LIKE: names; the last may stand for all that is left */
    unsigned parameter_count;
    bool is_variadic;
    const struct token *body;
    size_t body_count;
    struct macro *next; /* of its bucket */
};

/* Finds the text that #include "name" stands for, where `from` includes it; NULL: it is passed over. Of
 * #include <name> the name begins with <. One text for one file, which outlives all that was made of it. */
struct include_reader {
    void *self;
    const struct source *(*read)(void *self, const char *name, const struct source *from);
    bool (*is_of_others)(
        const char *name); /* C++'s or CUDA's own, so that its absence says nothing; may be NULL */
};

struct included {
    const struct source *source;
    bool once; /* #pragma once */
    struct included *next;
};

/* An #include that no text was found for; its name begins with < where that stands around it. */
struct missing_include {
    const char *name;
    const struct source *where;
    uint32_t begin;
    struct missing_include *next;
};

struct preprocessor {
    struct arena *arena;
    const struct include_reader *reader; /* NULL: all includes are passed over */
    struct included *included;
    unsigned include_depth, include_count;
    struct macro *macros[MACRO_BUCKETS];
    unsigned macro_count;
    uint32_t steps; /* tokens looked at so far: macros that expand to nothing still take time */
    struct token_list tokens;
    unsigned skipped_includes;
    struct missing_include *missing; /* in the order of the text */
    struct problem *problem;
};

/* Asked of every token many times over: inline, so that the length of a known name is known. */
static inline bool token_is(const struct token *token, const char *name) /* a TOKEN_NAME spelled so */
{
    return token->kind == TOKEN_NAME && token->text[0] == name[0] && strlen(name) == token->length &&
           memcmp(token->text, name, token->length) == 0;
}

static inline bool token_is_punct(const struct token *token, uint32_t punct)
{
    return token->kind == TOKEN_PUNCT && token->punct == punct;
}

bool token_same_name(const struct token *a, const struct token *b); /* both are TOKEN_NAMEs, spelled alike */
bool token_opens(const struct token *token);                        /* ( [ or { */
bool token_closes(const struct token *token);                       /* ) ] or } */

/* Behind the bracket that closes the first one from `open` on, all kinds counted alike; the TOKEN_END where
 * none does. */
const struct token *token_after_brackets(const struct token *open);

int token_line(const struct token *token); /* of its source, from 1 */

/* Is `choice` this name, or NAME:LINE of it? */
bool token_is_chosen(const struct token *name, const char *choice);

/* Splits `source` into tokens appended to `list`, ending with TOKEN_END. The tokens point into the source. */
bool tokens_of(const struct source *source, struct token_list *list, struct problem *problem);

/* -D: `definition` is NAME or NAME=VALUE, or NAME?=VALUE, which yields to the text's own; the source must
 * outlive the tokens. A later one replaces an earlier, but not the text's own plain #define of the name: a
 * definition wins over that. */
bool preprocess_define(struct preprocessor *pre, const struct source *definition);

/* Runs `source` through the preprocessor into pre->tokens. */
bool preprocess(struct preprocessor *pre, const struct source *source);

/* What stands between the quotes, or between < and > with that < before it, of an #include whose name is at
 * `name` in a line that ends at `end`. False: neither, or longer than `size`. */
bool preprocess_include_name(const struct token *name, const struct token *end, char *out, size_t size);

/* For a message about a name that nothing declares: "; headers that were not found: ...", those in quotes
 * before those in < >, at most three; or "". Returns `out`. */
#define PREPROCESS_MISSING_SIZE 260
const char *preprocess_missing(const struct preprocessor *pre, char *out, size_t size);

/* The macro of that name, or NULL. */
const struct macro *preprocess_find(const struct preprocessor *pre, const char *name, size_t length);

/* Replaces macros in `count` tokens and appends the result to `out` (without TOKEN_END). */
bool preprocess_expand(struct preprocessor *pre, const struct token *tokens, size_t count,
                       struct token_list *out);

/* macro.c, for directives: #define NAME body or #define NAME(a, b, ...) body, `rest` being what follows the
 * name; #undef; is it defined (for a text that asks: the macro then counts as used)? */
bool macro_define(struct preprocessor *pre, const struct token *name, const struct token *rest, size_t count);
void macro_forget(struct preprocessor *pre, const struct token *name);
bool macro_is_defined(struct preprocessor *pre, const struct token *name);

void token_list_add(struct token_list *list, struct token token);
void token_list_free(struct token_list *list);

#endif
