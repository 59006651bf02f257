/* module.h - a PTX text as it stands: functions, variables, instructions. Inside ptx.
 *
 * The files of ptx, each using those above it:
 *
 *     scan        bytes to words
 *     symbol      names: registers, variables, labels, with their scopes
 *     operand     operands
 *     declare     types, variables
 *     body        a function's body
 *     module      a text's top level
 *     flatten     a kernel with its calls in place, as one list of instructions
 *     flow        its blocks, in the order of their code
 *     roots       what its registers point into
 *     coder       the program under construction: instructions, constants, registers
 *     special     special registers
 *     value       what operands hold, and where results go
 *     lower_*      the instructions, by kind
 *     table       which instruction is which
 *     program     blocks to code; parameters and shared arrays
 *     name        the own name of a mangled function
 *     unit        what ptx.h says
 *
 * Whatever returns false or NULL has filled the module's problem, unless it says otherwise. Nodes live in the
 * module's arena; the arrays of functions are the module's, which module_free() gives back.
 */
#ifndef LANESCOPE_PTX_MODULE_H
#define LANESCOPE_PTX_MODULE_H

#include "../../base/arena.h"
#include "../../base/problem.h"
#include "../lang/program.h"

enum { PTX_FLAT_LIMIT = 200000, PTX_CALL_DEPTH = 16, PTX_FILE_LIMIT = 1000, PTX_SCOPE_DEPTH = 200 };

struct scan {
    const struct source *source;
    size_t at;
    struct problem *problem;
};

/* A name, interned: equal names are one. */
struct name {
    const char *text; /* NUL-terminated */
    size_t length;
    struct symbol_of_ptx *symbol; /* what it means now, innermost first */
    struct label *labels;         /* of the function that is being read */
    struct function_of_ptx *function;
    struct name *next; /* in its bucket */
};

enum ptx_space { PTX_PARAM, PTX_SHARED, PTX_GLOBAL, PTX_CONST, PTX_LOCAL };

struct variable {
    struct name *name;
    enum ptx_space space;
    unsigned bytes; /* of an element */
    bool is_float, is_pointer /* .ptr */;
    uint64_t alignment, size; /* bytes; size 0: as the launch says */
    uint32_t begin;           /* in the text */
    int index;                /* among a kernel's parameters, or -1 */
    int shared;               /* among a program's shared arrays, or -1; a global: its parameter */
    struct variable *next;    /* of a list of parameters */
    struct parameter_register *registers; /* of a call's parameter */
};

/* A type as .u32 and its kin say it. */
struct ptx_type {
    unsigned bytes; /* 0: a predicate */
    bool is_float, is_signed, is_pred;
    unsigned components; /* of .f16x2 and its kin */
};

enum operand_kind {
    OPERAND_NONE, /* _ */
    OPERAND_REGISTER,
    OPERAND_INTEGER,
    OPERAND_FLOAT,
    OPERAND_SPECIAL,  /* %tid.x: text */
    OPERAND_VARIABLE, /* + value */
    OPERAND_NAME,     /* a label or a function */
    OPERAND_ADDRESS,  /* [parts[0] + value] */
    OPERAND_LIST      /* {parts} or (parts) */
};

struct operand {
    enum operand_kind kind;
    bool negated;          /* !%p */
    int reg;               /* REGISTER: in its function */
    int64_t value;         /* INTEGER; VARIABLE, ADDRESS: bytes to add; FLOAT: its bits */
    struct operand *parts; /* ADDRESS, LIST; REGISTER: the second one of p|q, if part_count is 1 */
    unsigned part_count;
    struct variable *variable;
    struct name *name;
    const char *text; /* SPECIAL */
};

struct ptx_instruction {
    uint32_t begin, end; /* bytes */
    const char *op;      /* "ld.global.v4.f32", not terminated */
    unsigned op_length;
    int guard; /* register or -1 */
    bool guard_negated;
    uint8_t operand_count;
    struct operand *operands;
    uint32_t scope;
    int file, line; /* .loc; 0: none */
};

struct label { /* of a name */
    struct function_of_ptx *function;
    uint32_t scope, at; /* instruction */
    struct label *next;
};

struct register_of_ptx {
    struct ptx_type type;
};

struct function_of_ptx {
    struct name *name;
    bool is_entry, has_body;
    uint32_t begin, end;
    struct variable *parameters, *results;
    struct register_of_ptx *registers;
    size_t register_count, register_capacity;
    struct ptx_instruction *instructions;
    size_t instruction_count, instruction_capacity;
    uint32_t *scope_parents; /* of scope i; scope 0 is the body */
    size_t scope_count, scope_capacity;
    uint32_t required_block[3]; /* .reqntid; 0: none */
    uint32_t largest_block[3];  /* .maxntid; 0: none */
    struct function_of_ptx *next;
};

struct symbol_of_ptx {
    enum { SYMBOL_PTX_REGISTER, SYMBOL_PTX_RANGE, SYMBOL_PTX_VARIABLE } kind;
    unsigned depth;
    struct name *name;
    struct symbol_of_ptx *shadowed, *next_in_scope;
    int reg;       /* REGISTER */
    int64_t count; /* RANGE: %r<count> */
    struct ptx_type type;
    struct variable *variable;
};

struct module {
    const struct source *source;
    struct arena arena;
    struct problem *problem;
    struct scan scan;
    struct name **buckets;
    size_t bucket_count, name_count;
    struct symbol_of_ptx *scopes[PTX_SCOPE_DEPTH]; /* what each open scope declared */
    unsigned depth;
    uint32_t scope; /* of the running function: number */
    struct function_of_ptx *functions, **functions_end;
    struct function_of_ptx *function; /* that is being read */
    const char *files[PTX_FILE_LIMIT];
    int file, line; /* of the last .loc */
};

/* symbol.c: doubles an array of `*capacity` items of `size` bytes when `count` fills it. */
void *module_grow(void *array, size_t count, size_t *capacity, size_t size);

/* Offsets of a hostile text wrap. */
static inline int64_t sum_wrapped(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* scan.c */
void scan_space(struct scan *scan);      /* blanks and comments */
bool scan_at(struct scan *scan, char c); /* is it next? */
bool scan_accept(struct scan *scan, char c);
bool scan_expect(struct scan *scan, char c, const char *where);
bool scan_fail(struct scan *scan, size_t at, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* A name with its first character, $, % and . allowed there; length 0: there is none. */
size_t scan_name(struct scan *scan, const char **text);
bool scan_word(struct scan *scan, const char *word); /* takes it if it is next */
bool scan_integer(struct scan *scan, int64_t *value);
/* A number of either kind, without sign. */
bool scan_number(struct scan *scan, int64_t *value, bool *is_float);
bool scan_string(struct scan *scan, const char **text, size_t *length);
void scan_skip_to(struct scan *scan, char c); /* behind it */
bool scan_skip_braces(struct scan *scan);     /* behind { ... } */

/* symbol.c */
struct name *name_intern(struct module *m, const char *text, size_t length);
struct name *name_find(const struct module *m, const char *text, size_t length); /* or NULL */
bool scope_open(struct module *m);
void scope_close(struct module *m);
void symbol_declare(struct module *m, struct name *name, const struct symbol_of_ptx *symbol);
/* A register or variable of that name that is in scope; NULL: none. */
const struct symbol_of_ptx *symbol_find(struct module *m, const char *text, size_t length);
int register_new(struct module *m, struct ptx_type type);

/* operand.c */
/* Operands up to the ; or the closing bracket. */
bool operand_list(struct module *m, char end, struct operand **operands, unsigned *count);

/* declare.c */
bool type_read(const char *text, size_t length, struct ptx_type *type); /* of "u32", "b8", "pred", "f16x2" */
/* .shared .align 4 .b8 name[64]: from behind the space to the ; or , or ). NULL: a problem is set. */
struct variable *variable_read(struct module *m, enum ptx_space space);
bool space_of(const char *text, size_t length, enum ptx_space *space);

/* body.c: from behind the { to behind its }. */
bool body_read(struct module *m);

/* module.c */
bool module_read(struct module *m);
void module_free(struct module *m);
#endif
