/* host.h - what a text's host code says of its launches. Inside sim; it reads tokens, not meanings.
 *
 * What it is for: `kernel<<<grid, block, shared>>>(a, b, n)` stands in the file, and so do the values of n,
 * grid and block, as constants, initialised variables, simple arithmetic. They are read where the text alone
 * tells: the last assignment before the launch in the function around it, a parameter's value from a call of
 * that function, a constant of the file. What depends on what the program is given when it runs is unknown,
 * never guessed; a choice with one known side (`argc > 1 ? atoi(argv[1]) : 1024`) is that side, marked
 * assumed.
 *
 * Ownership: everything lives in the unit's arena. Limits: 1,024 functions, 256 launches of a kernel, 32
 * levels of evaluation, 2^22 tokens looked at; beyond them values are unknown.
 */
#ifndef LANESCOPE_LANG_HOST_H
#define LANESCOPE_LANG_HOST_H

#include "lang.h"
#include "token.h"

#define HOST_FUNCTION_LIMIT 1024u
#define HOST_LAUNCH_LIMIT   256u
#define HOST_ARGUMENT_LIMIT 64u
#define HOST_OVERRIDE_LIMIT 16u
#define HOST_CHAIN_LIMIT    8u
#define HOST_DEPTH_LIMIT    32u
#define HOST_STEP_LIMIT     (1u << 22)

struct host_span { /* tokens from begin to end; NULL: absent */
    const struct token *begin, *end;
};

struct host_function {
    const struct token *name, *parameters, *body, *end; /* name; at ( ; at { ; after } */
    const struct token *call;                           /* its name where the text calls it, or NULL */
};

struct host_frame;

struct host_place { /* where a name is looked for: before `at` in `function` (NULL: at file level) */
    const struct host_function *function;
    const struct token *at;
    const struct host_frame *frame; /* the call whose parameters are meant; NULL: the function's `call` */
};

enum host_kind { HOST_UNKNOWN, HOST_INTEGER, HOST_REAL, HOST_SHAPE };

struct host_value {
    enum host_kind kind;
    int64_t n[3]; /* INTEGER: n[0]; SHAPE: x, y, z */
    double real;
    bool assumed;                /* the text leaves a choice; this is the side that is known */
    const struct token *unknown; /* UNKNOWN: what has no value */
};

struct host_launch {
    int line;
    struct host_place place;
    struct host_span grid, block, shared, template_arguments;
    struct host_span arguments[HOST_ARGUMENT_LIMIT];
    unsigned argument_count;
};

struct host {
    struct unit *unit;
    const struct token *tokens;
    struct host_function *functions;
    unsigned function_count;
    uint16_t *by_name; /* hash table of so many slots: 1 + a function's index; 0: free */
    unsigned slots;
    uint32_t steps; /* tokens looked at so far */
    struct {
        const struct token *declaration;
        int64_t value;
    } overrides[HOST_OVERRIDE_LIMIT];
    unsigned override_count;
};

/* The unit's host code; the same each time. */
struct host *unit_host(struct unit *unit);

/* The launches of that kernel in the order of the text; NULL where there are none. */
struct host_launch *host_launches(struct host *host, const char *kernel, unsigned *count);

/* The value of an expression at a place. */
struct host_value host_evaluate(struct host *host, struct host_place place, struct host_span span);

/* The names that hand an argument its value, nearest first: `width`, then the `nx` that a call passes for it.
 * Their declarations; none where the argument is no plain name. */
unsigned host_chain(struct host *host, struct host_place place, struct host_span span,
                    const struct token *chain[HOST_CHAIN_LIMIT]);

/* From now on the variable declared there has this value. */
void host_override(struct host *host, const struct token *declaration, int64_t value);

/* host_template.c: the launch's arguments for the kernel's template, as text: numbers worked out, the names
 * of host templates replaced by what their calls say; *assumed: float for a type that nothing says. False:
 * the launch has none, or one is not known. */
bool host_template_text(struct host *host, const struct host_launch *launch, const char *kernel, char *out,
                        size_t size, bool *assumed);

/* The same for one name of the host template around `place`: where its argument stands, and in which place.
 */
bool host_template_argument(const struct host *host, struct host_place place, const struct token *name,
                            struct host_place *where, struct host_span *span);

/* Bytes that cudaMalloc gave the pointer that an argument passes, and how many elements (of the parameter's
 * type) the argument lies behind its start. HOST_UNKNOWN where the text does not tell. */
struct host_value host_buffer_bytes(struct host *host, struct host_place place, struct host_span span);
struct host_value host_pointer_shift(struct host *host, struct host_place place, struct host_span span);

/* host_scan.c, for the others: the item that begins at `at` ends at a comma or at the closing bracket; the
 * function around a token. */
const struct token *host_item_end(const struct token *at);
const struct host_function *host_function_of(const struct host *host, const struct token *at);
const struct host_function *host_function_named(const struct host *host, const struct token *name);
unsigned host_list(const struct token *open, struct host_span *items, unsigned limit); /* inside ( ) */

/* host_name.c: the value of a name at a place, `member` 'x', 'y', 'z' of a shape or 0. */
struct host_value host_name_value(struct host *host, struct host_place place, const struct token *name,
                                  char member, unsigned depth);
/* host_value.c: as host_evaluate, so many levels down. */
struct host_value host_evaluate_at(struct host *host, struct host_place place, struct host_span span,
                                   unsigned depth);
struct host_value host_unknown(const struct token *token);
struct host_value host_integer(int64_t value);

struct host_frame {
    const struct host_function *function;
    const struct token *open; /* ( of the call's arguments */
    struct host_place caller;
};

/* The launch with one argument for each of the program's parameters: a struct or vector that they are parts
 * of stands for each of them. */
struct host_launch host_launch_for(const struct host_launch *launch, const struct program *program);

/* A number as an integer, as C truncates it; one that 64 bits do not hold is unknown, and `at` says why. */
struct host_value host_truncated(struct host_value v, const struct token *at);

/* Number `part`, from 1, of a dim3; unknown of anything else. */
struct host_value host_part(const struct host_value *whole, unsigned part);

#endif
