/* gen.h - random kernels of the whole language, each printed twice.
 *
 * A kernel is printed as CUDA for lanescope and, at the same time and from the same choices, as C++ for the
 * host compiler. The two texts differ only where a kernel touches memory (host.hpp says how), so that types,
 * scopes, conversions and pointers are judged by a compiler that shares nothing with sim/lang.
 *
 * Every text is defined C++ but for signed overflow (compile with -fwrapv) and for pointers that leave their
 * buffers: divisors are not 0, shifts are smaller than the type, no variable is read before it has a value,
 * and none is changed and read without a sequence point in between. Loops end. Addresses do not depend on
 * data: variables are "index" (known to lanescope) or "data".
 *
 * To widen the language: a row in one of the tables of rules (gen_expr.c, gen_memory.c, gen_statement.c) with
 * a function that prints it, and where lanescope does not read it yet a row in gen_features.
 */
#ifndef LANESCOPE_FUZZ_GEN_H
#define LANESCOPE_FUZZ_GEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    VARIABLES = 256,
    SHARED_ARRAYS = 8,
    PARAMETERS = 8,
    NUMBERS = 4096,
    SHARED_BUFFER = 64,
    NAME = 48,
    FUNCTIONS = 24,
    FUNCTION_PARAMETERS = 5,
    RECORDS_OF_FILE = 4,
    MEMBERS = 6
};

struct text {
    char *at; /* NUL-terminated */
    size_t size, capacity;
};

struct ctype {
    char kind;     /* 'b'ool, 'i'nteger, 'f'loat, 'h'alf */
    uint8_t bytes; /* of a component */
    uint8_t lanes;
    bool is_signed;
};

enum variable_kind {
    VARIABLE_INDEX, /* a scalar or a vector; `name` is any lvalue: v, r.m[2] */
    VARIABLE_DATA,
    VARIABLE_POINTER, /* into memory */
    VARIABLE_SHARED,
    VARIABLE_ARRAY,      /* of indices, local: `count` elements, a power of two; or a pointer to one */
    VARIABLE_DATA_ARRAY, /* the same of data */
    VARIABLE_RECORD,     /* of records[record] */
    VARIABLE_LAMBDA,     /* functions[function] */
    VARIABLE_CONTENTS,   /* memory of integers that are known: `count` elements, a power of two */
    VARIABLE_CONSTANTS,  /* __constant__: content is data */
    VARIABLE_GROUP       /* a cooperative group: `count` threads */
};

struct variable {
    enum variable_kind kind;
    char name[NAME];
    struct ctype type; /* pointers, shared, arrays: of the element */
    bool is_const;     /* the variable cannot be written */
    bool to_const;     /* what it points to cannot */
    bool unreadable;   /* has no value here */
    unsigned held;     /* loop counters and variables being assigned: readable, not to be written */
    int buffer;        /* pointers: parameter, or SHARED_BUFFER + array, which they stay in */
    unsigned dims;     /* shared: 0 for a scalar */
    unsigned read_at, written_at; /* full expression that last did */
    unsigned group;               /* variables that share their bytes have one; 0: none */
    unsigned count;               /* elements, threads */
    int record, function;
    bool vague;        /* of a type that depends on a template: its bytes are the most it may have */
    bool maybe_shared; /* a pointer that may point into shared memory */
    bool is_member;    /* of what is declared in one piece: not probed by itself, never uninitialized alone */
};

/* A struct or union of the file. Members are indices, arrays of them or data. */
struct random_record {
    char name[NAME];
    unsigned member_count;
    bool is_union, has_function;
    struct shape_member {
        struct ctype type;
        unsigned count; /* 0: no array */
        bool is_data;
        char name[8];
    } members[MEMBERS];
};

enum passing { PASS_VALUE, PASS_REFERENCE, PASS_POINTER, PASS_RECORD, PASS_ARRAY };

struct function {
    char name[NAME];   /* as it is called, without template arguments */
    char gives;        /* 'i'ndex, 'v'oid, 'd'ata, 'r'ecord */
    struct ctype type; /* of what it gives */
    int record;        /* that it gives */
    bool exact;        /* an overload: arguments are cast */
    bool waits;        /* for other lanes */
    bool has_id;       /* on the host it takes the number of its call */
    bool once;         /* a macro that uses each parameter once */
    bool is_macro, is_member, to_change;
    bool pastes;             /* a macro: its first argument is a number that ## continues */
    unsigned template_count; /* arguments that a call names; 'n'umber, 'b'ool, 't'ype */
    char template_kinds[4];
    unsigned parameter_count, defaults;
    struct {
        enum passing pass;
        struct ctype type;
        bool to_const;
        int record;
        unsigned count;
        const char *spelling;
    } parameters[FUNCTION_PARAMETERS];
    uint64_t reads[VARIABLES / 64], writes[VARIABLES / 64]; /* lambdas: what they capture */
};

/* A thing that lanescope may or may not read yet: on if `sample` compiles. */
struct feature {
    const char *name, *sample;
    bool on;
};

enum feature_id {
    FEATURE_FUNCTION_CAST, /* (int(x) + 1) */
    FEATURE_CHARACTER,
    FEATURE_POINTER_DIFFERENCE,
    FEATURE_POINTER_COMPARE,
    FEATURE_POINTER_TRUTH,
    FEATURE_ARROW,
    FEATURE_POINTER_LIST,
    FEATURE_POINTER_UNSET,
    FEATURE_BRACES,
    FEATURE_ENUM,
    FEATURE_BUILTIN_VECTOR,
    FEATURE_RECORD_TEMPLATE,
    FEATURE_COUNT
};

extern struct feature gen_features[FEATURE_COUNT];

struct shared_info {
    uint64_t offset, bytes;
    bool dynamic;
    bool in_function; /* laid out when a call is read: its offset is not compared */
};

struct gen {
    uint64_t rng;
    struct text cu, host;
    struct variable variables[VARIABLES];
    unsigned variable_count, scope; /* where the innermost scope's variables begin */
    unsigned serial;                /* full expression */
    unsigned sites;
    uint32_t site_begin[NUMBERS], site_end[NUMBERS]; /* in cu */
    bool site_is_pointer[NUMBERS];                   /* the span is of a pointer, and not compared */
    unsigned left;                                   /* statements that may still come */
    unsigned nesting;                                /* statements around */
    unsigned loops;                                  /* loops around */
    unsigned names;                                  /* for names that are never used twice */
    bool may_jump; /* a loop is around, and break and continue may be used */
    bool uniform;  /* every thread of the block comes here */
    bool returned; /* some may have left */
    unsigned
        dead_text; /* between #if and #endif: no shared array, since the layout counts those that are read */
    bool in_macro; /* printing a macro's body */
    unsigned pure; /* nothing printed may have an effect, or stand for one place */
    unsigned switches; /* around, within the innermost loop: break may be used */
    struct function functions[FUNCTIONS];
    unsigned function_count;
    const char *result;       /* of the function being printed: "return " something; NULL: the kernel */
    struct ctype result_type; /* what stands behind it */
    char result_kind;
    struct function *capturing; /* the lambda being printed: it captures variables before `capture_from` */
    unsigned capture_from;
    unsigned blind_before; /* variables before are out of sight: a lambda that captures nothing */
    struct random_record records[RECORDS_OF_FILE];
    unsigned record_count;
    unsigned record_template; /* its number and 1, if the file has it */
    unsigned groups;          /* numbers of struct variable's group */
    bool in_member;           /* of a struct: its text stands before all functions */
    bool no_warp;             /* nothing here may wait for other lanes */
    bool full;                /* all 32 lanes of each warp exist */
    bool for_ptx;             /* a compiler makes PTX of the host's text */
    bool may_contents, has_groups;
    unsigned host_name;
    /* Statements and expressions are numbered as they come: a reducer leaves out those that it names. */
    unsigned statements, expressions;
    const bool *skip_statement, *skip_expression; /* NUMBERS each, or NULL */

    /* What the launch needs. */
    uint32_t grid[3], block[3];
    unsigned parameter_count;
    bool parameter_is_pointer[PARAMETERS];
    int64_t parameter_value[PARAMETERS]; /* pointers: bytes of the buffer */
    unsigned parameter_misalignment[PARAMETERS];
    struct {
        char name[NAME];
        int64_t value;
    } scalars[64]; /* parameters that are numbers, members of structs among them, by name */
    unsigned scalar_count;
    bool parameter_has_contents[PARAMETERS];
    struct ctype parameter_type[PARAMETERS];
    unsigned shared_count;
    struct shared_info shared[SHARED_ARRAYS];
    uint64_t static_bytes, dynamic_bytes;
    bool has_dynamic;
    unsigned macro_count;
};

/* A kernel as a function of its seed: fills everything. `host_name` is the suffix of its host functions:
 * run_NAME(). */
void gen_kernel(struct gen *g, uint64_t seed, unsigned host_name);
void gen_free(struct gen *g);

/* How often each rule was used, to standard output. */
void gen_print_rules(void);

/* Never use that rule; "moved parameters": no parameter is changed. False if there is none of that name. */
bool gen_without(const char *name);
/* Use it with that weight beside the others of its table. */
bool gen_weigh(const char *name, const char *weight);

/* text and chance */
void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
uint32_t chance(struct gen *g, uint32_t below); /* 0 .. below - 1 */
bool one_in(struct gen *g, uint32_t n);
void name_make(char name[NAME], const char *format, ...) __attribute__((format(printf, 2, 3)));
void both(struct gen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

struct rule {
    const char *name;
    unsigned weight;
    int feature; /* enum feature_id + 1, or 0 */
    union {
        struct ctype (*expression)(struct gen *g, unsigned depth);
        bool (*statement)(struct gen *g); /* false, and nothing printed: not possible here */
    } print;
    unsigned long used;
};
struct rule *rule_choose(struct gen *g, struct rule *rules, unsigned count);

struct rule *gen_leaf_rules(unsigned *count);
struct rule *gen_expression_rules(unsigned *count);
struct rule *gen_statement_rules(unsigned *count);

/* A number for a place where a thread may be: those of one function rise with its text. Printed on the host,
 * either at once or, by `id_open` and `id_close`, after what stands in between. */
unsigned id_new(struct gen *g);
size_t id_open(struct gen *g);
void id_close(struct gen *g, size_t at);

/* gen_type.c */
struct ctype type_make(char kind, unsigned bytes, unsigned lanes, bool is_signed);
struct ctype type_index(struct gen *g);   /* a random integer type or bool */
struct ctype type_element(struct gen *g); /* of a buffer */
struct ctype type_of_spelling(struct gen *g,
                              const char **spelling);     /* a random spelling of a random integer type */
const char *type_spell(struct gen *g, struct ctype type); /* one of its names */
const char *type_vector_base(struct ctype type);          /* "float" of float4 */
struct ctype type_promoted(struct ctype type);
struct ctype type_both(struct ctype a, struct ctype b);
bool type_equal(struct ctype a, struct ctype b);
unsigned type_bytes(struct ctype type);

/* gen_expr.c */
struct ctype gen_index(struct gen *g, unsigned depth); /* an integer expression, an operand as it stands */
void gen_subscript(struct gen *g, unsigned depth);     /* the same within 2^36 */
void gen_small(struct gen *g, unsigned mask);          /* 0 to mask */
void gen_condition(struct gen *g, unsigned depth);
void gen_constant(struct gen *g, unsigned depth); /* a constant expression for an array, #if, a constant */
void gen_full(struct gen *g);                     /* a new full expression begins */
struct variable *variable_pick(struct gen *g, unsigned kinds, bool to_write,
                               bool (*fits)(const struct variable *));
struct variable *variable_take(struct gen *g, struct variable *v, bool to_write); /* says so to a lambda */
bool variable_may(const struct gen *g, const struct variable *v, bool to_write);
struct variable *variable_add(struct gen *g, enum variable_kind kind, struct ctype type, const char *name);
const char *name_new(struct gen *g); /* may shadow, but nothing in this scope */
bool fits_scalar(const struct variable *v);
unsigned gen_skip(struct gen *g, size_t mark[2]);
#define KIND(k) (1u << (k))

/* gen_memory.c */
void gen_data(struct gen *g, struct ctype type, unsigned depth); /* a value convertible to `type` */
bool gen_store(struct gen *g);                                   /* a statement without ; */
bool gen_pointer_declaration(struct gen *g);
bool gen_pointer_move(struct gen *g);
bool gen_pointer_list(struct gen *g);
bool gen_pointer_difference(struct gen *g); /* these three print an operand, if there is a pointer */
bool gen_pointer_truth(struct gen *g);
bool gen_pointer_compare(struct gen *g);
void gen_probe(struct gen *g, const struct variable *v); /* a store whose address tells v */

bool gen_pointer_argument(struct gen *g, struct ctype type, bool to_const);
void gen_load(struct gen *g, struct ctype type); /* of any memory of that type, or a literal */
bool gen_load_index(struct gen *g);              /* of memory whose numbers are known */

/* gen_function.c */
void gen_functions(struct gen *g); /* at file level */
bool gen_call(struct gen *g, char gives, unsigned depth, struct ctype *type);
bool gen_call_record(struct gen *g, int record, const char *name, struct ctype *type);
bool gen_lambda(struct gen *g);
bool gen_record_template(struct gen *g);
void gen_return(struct gen *g);
bool gen_call_statement(struct gen *g);

/* gen_record.c */
void gen_records(struct gen *g);
bool gen_declare_record(struct gen *g);
bool gen_copy_record(struct gen *g);
bool gen_record_argument(struct gen *g, int record, unsigned depth);
void gen_record_variables(struct gen *g, unsigned at);
bool gen_array(struct gen *g);
bool gen_reference(struct gen *g);
bool gen_local_pointer(struct gen *g);
bool gen_array_store(struct gen *g);
bool gen_vector_view(struct gen *g);
struct ctype gen_array_element(struct gen *g, unsigned depth);
bool gen_member_call(struct gen *g, unsigned depth);

/* gen_choice.c */
bool gen_switch(struct gen *g);
bool gen_if_constexpr(struct gen *g);
bool gen_static_assert(struct gen *g);
bool gen_constexpr(struct gen *g);
bool gen_using(struct gen *g);
bool gen_enum_class(struct gen *g);
void gen_safe_constant(struct gen *g, int64_t *value); /* within 10^6, without overflow on the way */

/* gen_warp.c */
struct ctype gen_warp(struct gen *g, unsigned depth, bool *possible);
bool gen_atomic(struct gen *g);
bool gen_block_count(struct gen *g);
bool gen_group(struct gen *g);
struct ctype gen_group_value(struct gen *g, unsigned depth, bool *possible);

/* gen_contents.c */
void gen_file_data(struct gen *g);
bool gen_contents_parameter(struct gen *g, struct text *call);
bool gen_contents_store(struct gen *g);
bool gen_exchange(struct gen *g);
void gen_exchange_array(struct gen *g);
bool gen_constant_data(struct gen *g);

/* gen_statement.c */
void gen_body(struct gen *g, unsigned count); /* { statements } */
void gen_copy_name(struct gen *g, char out[NAME]);
void gen_statements(struct gen *g, unsigned count);
void gen_shared(struct gen *g, bool is_dynamic);

#endif
