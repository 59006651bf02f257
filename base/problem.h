/* problem.h - what the user got wrong, said at its place.
 *
 * A problem is a value: a sentence, and where there is one, the place in a source text with the line and
 * the column it points at. It owns no memory, so it can be copied and outlives the text it speaks of.
 * The library fills problems; only the program prints them.
 *
 * Functions that can fail for the user's reasons take a `struct problem *` (never NULL) and return false
 * after filling it. The first problem set is kept: a later one does not replace it.
 */
#ifndef LANESCOPE_PROBLEM_H
#define LANESCOPE_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

#define PROBLEM_MESSAGE_SIZE 400
#define PROBLEM_LINE_SIZE    200
#define PROBLEM_WANT_LIMIT   16u
#define PROBLEM_WANT_SIZE    80

/* A text with a name: a file, or a piece of one, or what the user wrote elsewhere. `bytes` need not end in
 * NUL. */
struct source {
    const char *name;
    const char *bytes;
    size_t size; /* bytes */
};

/* Whose fault it is. */
enum problem_kind {
    PROBLEM_INPUT, /* the user's text or numbers: wrong, or not supported */
    PROBLEM_WORLD, /* a file, memory or a device */
    PROBLEM_KERNEL /* the kernel does what no kernel may: finding that out is an answer */
};

/* What the caller could give so that it would not be a problem. The library does not know by which option,
 * key or field its caller is given that: who shows the problem puts it into words. */
enum problem_cure {
    PROBLEM_CURE_NONE,
    PROBLEM_CURE_SHARED_BYTES, /* how large extern __shared__ memory is */
    PROBLEM_CURE_BUDGET,       /* more steps for a warp */
    PROBLEM_CURE_TIME,         /* more time for a warp */
    PROBLEM_CURE_KERNEL,       /* which of several kernels */
    PROBLEM_CURE_TEMPLATE,     /* a template's arguments */
    PROBLEM_CURE_ARGUMENT,     /* a scalar parameter's value */
    PROBLEM_CURE_DEFINITION,   /* the value of a macro or a constant */
    PROBLEM_CURE_DATA,         /* what the buffer `subject` holds */
    PROBLEM_CURE_ELEMENT,      /* the width of an element */
    PROBLEM_CURE_BLOCK,        /* the shape of a block */
    PROBLEM_CURE_GRID,         /* the shape of the grid */
    PROBLEM_CURE_IN,           /* the name of the matrix that is read */
    PROBLEM_CURE_OUT,          /* the name of the matrix that is written */
    PROBLEM_CURE_NO_TILE,      /* no value of their own for these */
    PROBLEM_CURE_NO_BLOCK_ROWS,
    PROBLEM_CURE_NO_PITCH,
    PROBLEM_CURE_NO_ELEMENT,
    PROBLEM_CURE_COUNT
};

/* What a faulty kernel does (PROBLEM_KERNEL); LIMIT: what no device or launch has, of any kind of problem. */
enum problem_fault { PROBLEM_FAULT_OTHER, PROBLEM_FAULT_BARRIER, PROBLEM_FAULT_ENDLESS, PROBLEM_FAULT_LIMIT };

/* One of several things that are missing: the cure and its value, as far as one can be guessed. */
struct problem_want {
    enum problem_cure cure;
    char value[PROBLEM_WANT_SIZE]; /* "32x8", "width=cols" */
};

struct problem {
    bool set;
    enum problem_kind kind;
    enum problem_fault fault;
    enum problem_cure cure;
    char subject[64];                              /* whose cure it is, by name; "" where nobody said */
    char message[PROBLEM_MESSAGE_SIZE];            /* a sentence without its full stop's newline */
    char file[PROBLEM_LINE_SIZE];                  /* "" when the problem has no place */
    int line;                                      /* from 1 */
    int column;                                    /* from 1, in bytes */
    char source_line[PROBLEM_LINE_SIZE];           /* the line, or the part of a long one around the column */
    int caret;                                     /* index in source_line the caret stands under */
    struct problem_want wants[PROBLEM_WANT_LIMIT]; /* all that is missing, for a command line that would do */
    unsigned want_count;
    bool needs_data; /* a kernel's way depends on data whose values are not known */
};

/* A problem without a place. Returns false, so that `return problem_say(...)` reads well. */
bool problem_say(struct problem *problem, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for what the world did: a file that cannot be read, memory that is not there. */
bool problem_say_world(struct problem *problem, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A problem at byte `offset` of `source`. Returns false. */
bool problem_at(struct problem *problem, const struct source *source, size_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Names what would help against the problem that is said next. Nothing where one is set already. */
void problem_offer(struct problem *problem, enum problem_cure cure);

/* The same for a thing that has a name. One that is longer than `subject` is left out. */
void problem_offer_for(struct problem *problem, enum problem_cure cure, const char *subject);

/* Adds to what is missing, before the problem is said. Nothing where one is set already. */
void problem_want(struct problem *problem, enum problem_cure cure, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Where its text begins: behind a UTF-8 byte order mark, if it has one. */
size_t source_text_begin(const struct source *source);

/* Does it have this name as a word? */
bool source_mentions(const struct source *source, const char *name);

/* Says where a problem was met, before its message: "table.csv, line 7: ...". Nothing where none is set. */
void problem_within(struct problem *problem, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Line and column, both from 1, of byte `offset` (an offset past the end counts as the end). */
void source_place(const struct source *source, size_t offset, int *line, int *column);

/* Writes the whole complaint into `out` (always NUL-terminated): `file:line:col: message`, the line, a caret;
 * or the bare message. `advice` is how the cure is given, in words that stand behind the message; NULL: no
 * word about it. Returns the length written. */
size_t problem_format(const struct problem *problem, const char *advice, char *out, size_t size);

#endif
