/* tree.h - a kernel as a typed syntax tree, between parser and code.
 *
 * Every expression carries its type after C's conversions (conversions are nodes of their own) and its span
 * in the kernel's text, which is what views mark and what the GPU side wraps. Nodes live in the parser's
 * arena.
 */
#ifndef LANESCOPE_LANG_TREE_H
#define LANESCOPE_LANG_TREE_H

#include "../../base/problem.h"
#include "type.h"

enum builtin {
    BUILTIN_THREAD, /* + 0, 1, 2 for x, y, z; likewise below */
    BUILTIN_BLOCK = 3,
    BUILTIN_BLOCK_DIM = 6,
    BUILTIN_GRID_DIM = 9,
    BUILTIN_LANE = 12,   /* thread id in the block mod 32 */
    BUILTIN_WARP = 13,   /* thread id in the block / 32 */
    BUILTIN_LINEAR = 14, /* thread id in the block, x fastest */
    BUILTIN_COUNT = 15
};

enum symbol_kind {
    SYMBOL_VARIABLE,
    SYMBOL_PARAMETER,
    SYMBOL_SHARED,
    SYMBOL_CONSTANT,
    SYMBOL_TYPE,
    SYMBOL_NAMESPACE, /* another name of cooperative groups' */
    SYMBOL_DATA,      /* __constant__ data of the file: its contents are not known */
    SYMBOL_DEVICE,    /* a __device__ variable of the file */
    SYMBOL_ALIAS,     /* another name of `initial`: a reference */
    SYMBOL_FUNCTION,  /* `function`: a lambda, or a function that a template's name stands for */
    SYMBOL_TEMPLATE   /* `class_template`, that a template's name stands for */
};

struct symbol {
    enum symbol_kind kind;
    const char *name; /* NUL-terminated */
    struct type type;
    unsigned
        index;     /* PARAMETER, SHARED: which one; VARIABLE: its first register, set by the code generator */
    int64_t value; /* CONSTANT */
    const struct function *function;       /* FUNCTION */
    struct class_template *class_template; /* TEMPLATE */
    struct expr *initial; /* ALIAS; CONSTANT without a value: its expression overflows or divides by zero
                             where it is  used */
    bool is_dynamic;      /* SHARED: extern __shared__ */
    bool is_used;         /* SHARED: the kernel mentions it */
    bool is_parsing;      /* VARIABLE: its own initial value is being read */
    bool reads_itself;    /* VARIABLE: that value mentions it */
    unsigned position,
        part; /* PARAMETER: which of the kernel's list, and which number of it from 1; 0: all of it */
    uint64_t offset, whole_bytes; /* PARAMETER: where in that it lies, and how large that is */
    bool has_default;             /* PARAMETER: value is its default argument */
    bool has_space;               /* VARIABLE of pointer type: what it points into has been seen */
    uint64_t alignment;           /* SHARED: bytes */
    /* SHARED, in a function, which is read anew for each call but has one array: where it is declared and in
     * which instantiation; and the one of an earlier call, or NULL. */
    const struct token *declared;
    uint64_t instance;
    struct symbol *same;
    bool is_of_template; /* that function is one */
    bool is_assumed;     /* a template's type that nothing says */
    unsigned finished;   /* which of the functions that end, counted from 1: a callee before its caller; 0: in
                            none */
    int root; /* VARIABLE, PARAMETER of pointer type: the parameter or shared array it always points into, or
                 a ROOT_ */
    enum parameter_origin origin;   /* PARAMETER */
    uint64_t own_bytes;             /* PARAMETER of ORIGIN_VARIABLE */
    const struct name_space *space; /* that it is declared in, at file level */
    struct symbol *next;            /* in its scope */
};

enum expr_kind {
    EXPR_INTEGER,  /* value */
    EXPR_DATA,     /* a floating literal: `real` where is_real, and value, a hash of its spelling */
    EXPR_VARIABLE, /* symbol: a variable or a scalar or pointer parameter */
    EXPR_SHARED,   /* symbol: a shared array's address */
    EXPR_BUILTIN,  /* value: enum builtin */
    EXPR_CONVERT,  /* a to `type` */
    EXPR_NEGATE,
    EXPR_COMPLEMENT, /* ~a */
    EXPR_NOT,        /* !a, a is bool */
    EXPR_BINARY,     /* a op b, both of `type` (shifts: b is any integer) */
    EXPR_COMPARE,    /* a op b, both of one type; bool */
    EXPR_AND,
    EXPR_OR,
    EXPR_CONDITION, /* a ? b : c */
    EXPR_COMMA,
    EXPR_MINIMUM,
    EXPR_MAXIMUM,
    EXPR_POINTER_ADD,        /* a + b * scale bytes; b is a 64-bit integer */
    EXPR_POINTER_DIFFERENCE, /* (a - b) / scale bytes */
    EXPR_MEMORY, /* what pointer a points at: an access where it is read or written; of a pointer's, symbol is
                    the parameter that stands for all that such point at, or NULL */
    EXPR_COMPONENT, /* the registers from `value` on of a, which is no memory: v.y, s.member, array[3] */
    EXPR_ELEMENT,   /* the same, from value + b on: an array's element whose index is no constant */
    EXPR_PUN,       /* a, which is seen as `type` although its numbers have other sizes: data */
    EXPR_ADDRESS,   /* of the variable a, or of a part of it: only to be dereferenced */
    EXPR_CONSTANT_ADDRESS, /* of __constant__ data, whose contents are not known */
    EXPR_VECTOR,           /* make_float4(...): parts[0 .. components) */
    EXPR_VECTOR_BINARY,    /* a op b, component by component; one of the two may be a scalar */
    EXPR_COMPUTED, /* a function of data: its parts are evaluated; value: an enum real_function (program.h) of
                      the first ones. Of data the value is no longer any cell's */
    EXPR_FUNCTION, /* value: enum function_id (program.h), of parts[0 .. part_count) */
    EXPR_ATOMIC,   /* a: the memory, parts: what it is given, value: enum atomic_cost; the old
                      content */
    EXPR_CALL,     /* bindings; then body, whose returns set `symbol`: a function read in place */
    EXPR_ASSIGN,   /* a = b */
    EXPR_UPDATE,   /* a op= b where a is memory, or an element by an index */
    EXPR_BARRIER,  /* __syncthreads(); with a: its predicate, counted as value (enum vote) says */
    EXPR_SYNCWARP  /* __syncwarp(); its mask is not looked at */
};

struct expr {
    enum expr_kind kind;
    struct type type;
    uint32_t begin, end; /* span in the kernel's text, bytes */
    bool in_macro;       /* its first or last token came out of a macro */
    bool is_lvalue;
    bool is_other; /* COMPONENT, ELEMENT: seen as numbers of that size but of another type */
    bool is_this;  /* the object of a member function, which a pointer stands for */
    bool postfix;  /* ASSIGN, UPDATE: the value is the old one */
    bool updates;  /* of `a op= b`: what a op b is. a is read after b */
    unsigned depth;
    uint32_t op; /* the punctuator, as in token.h */
    struct expr *a, *b, *c;
    struct expr **parts;
    unsigned part_count;
    struct statement *bindings, *body; /* CALL */
    const struct source *source;       /* the text that begin and end are offsets of */
    int64_t value;
    double real;
    bool is_real;
    uint64_t scale;
    struct symbol *symbol;
    const char *member;       /* POINTER_ADD to a member of a struct: its name; otherwise NULL */
    const struct type *array; /* the array that this address stands for, or NULL: sizeof wants its size */
};

enum statement_kind {
    STATEMENT_EXPR,
    STATEMENT_DECLARE, /* symbol, expr (may be NULL) */
    STATEMENT_IF,      /* expr, body, other */
    STATEMENT_LOOP,    /* init, expr (NULL: forever), step, body; test_last for do-while */
    STATEMENT_BLOCK,   /* body: the first of a list */
    STATEMENT_BREAK,
    STATEMENT_CONTINUE,
    STATEMENT_RETURN, /* of the kernel */
    STATEMENT_LEAVE,  /* return of a function; expr (NULL: void) is its value, symbol the call's */
    STATEMENT_SWITCH, /* expr; body with its labels */
    STATEMENT_LABEL   /* case value: or, without expr, default: */
};

struct statement {
    enum statement_kind kind;
    uint32_t begin, end;
    const struct source *source;
    struct symbol *symbol;
    struct expr *expr, *step;
    struct statement *init, *body, *other;
    bool test_last;
    bool is_last;             /* LEAVE: nothing comes after it */
    struct statement *labels; /* SWITCH: the first LABEL; LABEL: the next one */
    bool is_declaration;      /* BLOCK: the declarators of one statement; opens no scope */
    struct statement *next;   /* in a list */
};

/* An assignment to a pointer variable, for finding what it may point into. */
struct pointer_source {
    struct symbol *symbol;
    const struct expr *value;
    struct pointer_source *next;
};

/* Memory in which pointers lie. */
struct pointer_place {
    struct expr *memory;
    const char *member; /* whose value it is; NULL */
    struct pointer_place *next;
};

/* A checked kernel. */
struct kernel_tree {
    const char *name;
    struct symbol **parameters;
    unsigned parameter_count;
    struct symbol **shared;
    unsigned shared_count;
    struct pointer_source *pointer_sources;
    struct pointer_place *pointer_places;
    unsigned inlined;  /* functions read in place so far */
    unsigned finished; /* of these, those whose end has been read */
    bool is_template;
    const struct token *name_token;
    const struct token *uncounted; /* the first texture or surface that is read or written; or NULL */
    struct statement *body;
    uint32_t begin, end; /* span of the whole kernel */
};

/* The parameter or shared array that a pointer expression points into, where the text alone tells. */
enum { ROOT_SEVERAL = -1, ROOT_NONE_YET = -2 };
int pointer_root(const struct expr *pointer);

/* Bytes between what two pointers point at that lie behind each other in memory: no access reaches that far.
 */
#define POINTEE_STRIDE (UINT64_C(1) << 32)

#endif
