/* standin.h - names that a kernel's device part uses and nothing declares, taken as something.
 *
 * What a name stands for is in a header that is not here. Its use tells its kind, and often enough: a
 * compiler complains of the name, a declaration of our own is put before the text, and the compiler is asked
 * again, STANDIN_ROUNDS times at most. Only what decides no address by itself is stood in for, and all of it
 * is said:
 *
 *   a type          int or float, by its name and its use; by value also a struct of the ints that are read
 * from it; an enum class. Never where memory would be laid out by a struct a function      of values: what it
 * returns is data. Never one that is given a pointer an enumerator   compared, or a case: 0, 1, ... a
 * constant      is not guessed: standins.missing has its name, for -D
 *
 * Names of libraries that a toolkit has (curand, cub, thrust, wmma, ...) and of std are left alone.
 */
#ifndef LANESCOPE_CUDA_STANDIN_H
#define LANESCOPE_CUDA_STANDIN_H

#include "../sim/lang/device_part.h"
#include "sheet.h"

enum { STANDIN_ROUNDS = 10, STANDIN_LIMIT = 64, STANDIN_NAME = 80, STANDIN_SCOPE = 120 };

struct standin {
    char name[STANDIN_NAME], scope[STANDIN_SCOPE]; /* "a::b"; "" outside of namespaces */
    bool is_constant;                              /* not guessed */
};

/* Begins as {0}; standins_free() gives it back. */
struct standins {
    struct standin list[STANDIN_LIMIT];
    unsigned count, enumerators;
    bool has_vectors, has_loops; /* operators of float4 and its kin; CUDA_KERNEL_LOOP and its kin */
    struct sheet text;           /* the declarations */
    struct sheet note;           /* "scalar_t as float; LINEAR as 0" */
    struct sheet missing;        /* "BLOCK, WARPS" */
};

/* Takes what a compiler's log complains of. False: nothing in it can be helped. */
bool standins_learn(struct standins *standins, const struct device_part *part, const char *log);
void standins_free(struct standins *standins);

/* standin_use.c: how a text uses a name. */
enum use {
    USE_TYPE = 1,
    USE_ARGUMENT = 2, /* between < and >: a type or a number */
    USE_FUNCTION = 4,
    USE_FUNCTION_OF_TYPE = 8,    /* f<T>(...) */
    USE_FUNCTION_OF_NUMBER = 16, /* f<3>(...) */
    USE_SCOPE = 32,
    USE_CLASS = 64,     /* c<T>::f(...) */
    USE_COMPARED = 128, /* case NAME: a == NAME */
    USE_VALUE = 256,
    USE_POINTER = 512, /* a type: NAME *p */
    USE_UNKNOWN = 1024 /* in a way that is not understood */
};

struct name_use {
    unsigned uses;        /* enum use */
    unsigned parameters;  /* CLASS: how many */
    char members[32][40]; /* of a scope, or of variables of the type */
    unsigned member_count;
    bool has_calls;  /* some member is called, or is an array, or has members itself */
    bool is_counted; /* a variable of the type is an index, a bound, compared or switched on */
};
void name_use_find(const struct token_list *tokens, const char *name, struct name_use *use);

/* A name that an error is about. */
struct complaint {
    char name[STANDIN_NAME], scope[STANDIN_SCOPE];
    bool is_type;
};

/* standin_declare.c: declares a name as its use wants it. False: it does not stand in for that; what it wrote
 * until then is to be dropped. */
bool standin_declare(struct standins *standins, const struct complaint *complaint,
                     const struct name_use *use);
bool standin_add_vectors(struct standins *standins); /* false: they are there */
bool standin_is_of_vectors(const char *name);
bool standin_has_word(const char *name, const char *word); /* in any case */
void standin_note(struct standins *standins, const char *format, const char *name, const char *what);

#endif
