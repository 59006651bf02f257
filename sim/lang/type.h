/* type.h - the types of the CUDA C subset.
 *
 * A type is a small value, copied freely. Scalars and vectors (float4: bytes = 4, components = 4) are told
 * apart by `has_names`. Sizes and alignments are those of CUDA on 64-bit Linux: long is 8 bytes; a
 * two-component vector is aligned to its size, a four-component one to its size but at most 16, a
 * three-component one as its component.
 */
#ifndef LANESCOPE_LANG_TYPE_H
#define LANESCOPE_LANG_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access_kind.h"

enum type_kind {
    TYPE_VOID,
    TYPE_BOOL,
    TYPE_INTEGER,
    TYPE_FLOAT,
    TYPE_POINTER,
    TYPE_ARRAY,
    TYPE_STRUCT,
    TYPE_GROUP /* a cooperative group; bytes: the threads of a tile, 1 to 32, or one of the GROUP_ below */
};

enum { GROUP_BLOCK = 64, GROUP_GRID = 65 };

struct type {
    enum type_kind kind;
    uint8_t bytes;      /* of one component: 1, 2, 4, 8 */
    uint8_t components; /* 1 to 4 */
    bool is_signed;
    bool is_const;
    bool is_char;   /* char, which is neither signed char nor unsigned char although its values are one's */
    bool has_names; /* a vector, also of one component (float1): .x, .y, .z, .w */
    enum memory_space space;     /* TYPE_POINTER, TYPE_ARRAY: where it points */
    const struct type *to;       /* TYPE_POINTER, TYPE_ARRAY: the element; owned by the tree's arena */
    uint64_t count;              /* TYPE_ARRAY: elements */
    const struct record *record; /* TYPE_STRUCT; owned by the tree's arena */
};

/* A member of a struct or union: where it lies in memory, and among the registers of a variable. */
struct member {
    const char *name;
    struct type type;
    uint64_t offset;     /* bytes */
    uint64_t slot;       /* registers */
    const void *initial; /* a token: the = or { of its default value (parse.h); NULL: none */
};

#define RECORD_MEMBER_LIMIT 64u

struct scope;

struct record {
    const char *name; /* "" for none */
    struct member *members;
    unsigned count;
    uint64_t size, alignment; /* bytes */
    uint64_t slots;           /* registers of a variable */
    bool is_union;
    bool has_default;              /* a constructor that takes nothing and does nothing */
    bool is_aggregate;             /* its only constructor is made of its members' default values */
    const void *functions;         /* its member functions (parse.h), or NULL */
    const void *declared;          /* those that the text defines outside of it, until it does */
    const struct scope *scope;     /* its types and constants (parse.h), or NULL */
    const char *template_name;     /* of an instance of a template; NULL: none */
    const struct scope *arguments; /* what its template's names stand for (class.c), the last one first */
    const struct problem *broken;  /* why its members could not be read; NULL: they could */
};

/* Where a buffer that a kernel touches comes from. */
enum parameter_origin {
    ORIGIN_LISTED,   /* one of the kernel's parameters */
    ORIGIN_VARIABLE, /* a __device__ variable of the file */
    ORIGIN_POINTEE   /* all that the pointers point at that lie in another one */
};

const struct member *type_member(const struct type *type, const char *name, size_t length); /* or NULL */

/* index_t, IndexType, type_int: is a type an integer by its name? */
bool type_name_counts(const char *name, size_t length);

/* Registers that a value of this type takes: one for each number or pointer in it. */
uint64_t type_slots(const struct type *type);

/* Are all its numbers of one size and without gaps, so that it can be seen as an array of them? The size, or
 * 0. */
unsigned type_uniform_bytes(const struct type *type);

/* The number (integer, bool or floating) of which all of it is made, without gaps; a vector of them stands
 * for its components. NULL: it is made of several kinds. */
const struct type *type_number(const struct type *type);

struct type type_integer(int bytes, bool is_signed);
struct type type_float(int bytes);
struct type type_bool(void);
struct type type_void(void);
struct type type_group(int threads);
struct type type_component(struct type vector); /* float of float4 */
struct type type_pointer(const struct type *to, enum memory_space space);
struct type type_auto(void); /* stands for the type of an initial value, until that is known */
bool type_is_auto(const struct type *type);

/* The type of that name ("unsigned char" is built by the parser; this knows one-word names such as float4,
 * size_t, uint8_t, half). False if there is none. */
bool type_of_name(const char *name, size_t length, struct type *type);

uint64_t type_size(const struct type *type);      /* bytes; arrays are checked when they are declared */
uint64_t type_alignment(const struct type *type); /* bytes */
bool type_is_scalar(const struct type *type);     /* bool, integer or floating, one component */
bool type_is_index(const struct type *type);      /* bool or integer, one component */
bool type_same(const struct type *a, const struct type *b); /* apart from const */

/* `value` as an object of this bool or integer type holds it: its low bits, sign-extended where the type is
 * signed. */
int64_t type_wrap(const struct type *type, int64_t value);

/* C's integer promotion, and the common type of two promoted operands. */
struct type type_promote(struct type type);
struct type type_common(struct type a, struct type b);

/* "const float4 *" and the like, for messages. Writes at most `size` bytes, NUL included. */
void type_print(const struct type *type, char *out, size_t size);

#endif
