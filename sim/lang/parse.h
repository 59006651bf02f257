/* parse.h - tokens to a checked tree. Inside lang; others use lang.h.
 *
 * Names are resolved and types checked while parsing, so that each complaint stands where the reader looks.
 * A builder given a NULL operand returns NULL: the problem is already set.
 *
 * Limits: nesting 200 levels (expressions and statements together), 1,000
 * operators in a chain, 4,096 else if, 64 parameters, 64 shared arrays,
 * 8 dimensions of an array, 2,048 names that can be seen at one place.
 */
#ifndef LANESCOPE_LANG_PARSE_H
#define LANESCOPE_LANG_PARSE_H

#include "token.h"
#include "tree.h"

#define PARSE_DEPTH_LIMIT      200
#define PARSE_TREE_DEPTH_LIMIT 1000
#define PARSE_ELSE_IF_LIMIT    4096
#define PARSE_LOCAL_LIMIT      8192u /* numbers in a local array */
#define PARSE_PARAMETER_LIMIT  64u
#define PARSE_SHARED_LIMIT     64u
#define PARSE_NAME_LIMIT       2048u

struct scope {
    struct symbol *symbols; /* newest first */
    struct scope *outer;
    unsigned names; /* here and in the scopes around: looking one up takes so long */
    bool has_twins; /* several namespaces have a name in common */
};

/* A namespace of the file. */
struct name_space {
    const struct token *name; /* NULL: it has none, or is no namespace but extern "C" */
    const struct name_space *outer;
};

/* What a template stands for: names between < and >. */
struct template_head {
    const struct token *begin, *end; /* after <, at > */
};

#define CLASS_INSTANCE_LIMIT 256u

/* A template of a struct or union, one of its specialisations, or a template of `using`. */
struct class_template {
    const struct token *name_token;
    const struct token *body;  /* at struct, or behind = of using */
    struct template_head head; /* of a whole specialisation: empty */
    struct template_head
        pattern; /* of a specialisation: what stands behind its name; otherwise begin is NULL */
    bool is_alias;
    struct scope *scope;            /* what its text sees */
    const struct name_space *space; /* that it stands in */
    struct class_instance *instances;
    unsigned instance_count;
    struct class_template *next;
};

/* A function that a kernel may call: a __device__ one of the file, or a lambda. It is read anew for each
 * call. */
struct function {
    const char *name;
    const struct token *begin, *name_token, *end; /* of the definition */
    const struct token *parameters;               /* at ( */
    struct template_head head;                    /* begin NULL: no template */
    struct template_head pattern; /* of a specialisation, whose head is empty: what stands behind its name */
    struct scope *scope;          /* what its text sees */
    const struct name_space *space; /* that it stands in */
    const struct record *record;    /* whose member it is; NULL */
    bool is_lambda;
    bool is_constructor;
    const struct token *initials;   /* of a constructor: behind the : before its body; NULL: none */
    const struct token *body;       /* at {; NULL: the first one behind the parameters */
    const struct token *definition; /* at ( of the definition's own parameters, outside of the struct; NULL */
    struct function *next;
};

/* What the text uses without declaring it, as far as a kernel can be read nonetheless. Only reading in
 * earnest fills it: trials have a problem of their own. A type is float, and where a kernel cannot be read
 * so, int. */
enum { ASSUMED_LIMIT = 16 };
struct assumptions {
    const struct problem *problem; /* of reading in earnest */
    struct scope *scope;           /* of the file: types are declared there */
    const struct token
        *constants[ASSUMED_LIMIT]; /* names read as 1: the kernel cannot be run before they are given */
    unsigned constant_count;
    const struct token *types[ASSUMED_LIMIT];
    bool is_integer[ASSUMED_LIMIT]; /* what they are taken as */
    unsigned type_count;
    uint32_t integers; /* bit n: the n-th type that is assumed is int */
    unsigned assumed;  /* types so far, those of the kernel's template among them */
};

/* The function whose body is being read. */
struct call_context {
    struct type type; /* of its value; auto until the first return */
    struct symbol *result;
    unsigned returns;
    const struct function *function;
    const struct record *record; /* of a member function; NULL */
    uint64_t instance;           /* a hash of what its template's names stand for */
    const struct call_context *outer;
    bool gives_place; /* its type is a reference: what it returns is the address of memory, if it is memory */
    const struct expr *place; /* that memory */
};

struct parser {
    const struct preprocessor *pre; /* to say that an unknown name is a function-like macro; may be NULL */
    const struct token *at;
    const struct token *last; /* the token before `at` */
    struct arena *arena;
    struct problem *problem;
    struct scope *scope;
    const struct name_space *space; /* that the text being read stands in */
    struct kernel_tree *kernel;     /* being built */
    const struct function *functions;
    struct class_template *classes;
    struct assumptions *assumptions; /* NULL: nothing is assumed */
    const struct token *half_of;     /* a >> whose first > has closed a template's arguments */
    struct call_context *call;       /* NULL: in the kernel itself */
    int depth;
    int loop_depth;
    bool in_switch;
    struct statement **labels; /* of the switch around: where its next label goes */
    bool no_greater;           /* between < and > of template arguments: > ends them */
    bool probe_names;          /* tx, ty, ..., lane, warp, tid are names */
    bool is_directive;         /* after #if: integers have 64 bits */
};

/* parser.c: shared by the others */
bool parse_fail(struct parser *parser, const struct token *token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool parse_accept(struct parser *parser, uint32_t punct);
bool parse_expect(struct parser *parser, uint32_t punct, const char *where);
void parse_advance(struct parser *parser);
bool parse_enter(struct parser *parser); /* one level deeper, or a problem */
void parse_leave(struct parser *parser);
struct symbol *parse_find(const struct parser *parser, const struct token *name);
struct symbol *parse_declare(struct parser *parser, enum symbol_kind kind, const struct token *name,
                             struct type type); /* NULL if the scope has it; "" names nothing */

/* space.c: names of namespaces. Are both the same one? */
bool space_same(const struct name_space *a, const struct name_space *b);
/* How near what stands in `space` is to the name as it is used: a::name first, then from the inside to the
 * outside, then 0, which only a using-directive finds. */
int space_rank(const struct parser *parser, const struct token *name, const struct name_space *space);

/* parse_type.c */
bool parse_at_type(const struct parser *parser);
bool parse_type(struct parser *parser, struct type *type); /* specifiers and stars; no array part */
bool parse_specifiers(struct parser *parser, struct type *type);
bool parse_stars(struct parser *parser, struct type *type);
bool parse_array_part(struct parser *parser, struct type *type, bool first_may_be_empty);
void parse_skip_std(struct parser *parser); /* past std:: and cuda::std::, whose names stand alone here */
bool parse_assumes_type(const struct parser *parser); /* at an unknown name where only a type can stand */
bool parse_record(struct parser *parser, struct type *type); /* at struct, union, class; record.c */
/* `of::name`, as an enum class's names are declared: among others they would be in their way. */
struct token parse_scoped_name(struct parser *parser, const struct token *of, const struct token *name);
bool parse_enum(struct parser *parser, struct type *type); /* at enum: its list, if it has one, is declared */

/* parse_expr.c */
struct expr *parse_expression(struct parser *parser); /* with commas */
struct expr *parse_assignment(struct parser *parser); /* without */
struct expr *parse_unary(struct parser *parser);
struct expr *parse_constant_initial(struct parser *parser, struct type type, int64_t *value, bool *known);
bool parse_constant_expression(struct parser *parser, int64_t *value);

/* intrinsic.c: a call of one of CUDA's own functions; `name` has been passed. */
struct expr *parse_call(struct parser *parser, const struct token *name);
bool parse_call_is_template(const struct token *name); /* may < follow the name? */

/* refusal.c: says of a name that is known and not followed why, and the way round. False: it is no such. */
bool parse_refuse_known(struct parser *parser, const struct token *name);

/* function.c: a op b, or with NULL for b op a, by an operator of the file's own; NULL with no problem set:
 * there is none that fits. */
struct expr *parse_operator(struct parser *parser, const struct token *op, struct expr *a, struct expr *b);

/* parse_primary.c */
struct expr *parse_postfix(struct parser *parser);
struct expr *parse_braces(struct parser *parser, struct type type); /* { a, b } for a value of this type */

/* A cast to T &: the same place, seen as a T. `from` begins the cast. */
struct expr *parse_seen_as(struct parser *parser, struct expr *e, struct type type, const struct token *from);

struct expr *parse_zero(struct parser *parser, struct type type, const struct token *at); /* T{} */

/* A member's default value, as the struct's scope sees it, or with NULL the parser's. */
struct expr *parse_member_default(struct parser *parser, const struct member *member,
                                  const struct scope *scope);

struct expr *parse_constructor(struct parser *parser, struct type type); /* of a vector, after the ( */

/* function.c: a call of a function of the file or of a lambda; NULL with no problem set if there is no such
 * function. `name` has been passed. */
struct expr *parse_function_call(struct parser *parser, const struct token *name, struct symbol *lambda);
struct expr *parse_member_call(struct parser *parser, const struct token *name,
                               struct expr *object); /* likewise */
/* Of the object as one of that struct, which its own may inherit from; likewise. */
struct expr *parse_sibling_call(struct parser *parser, const struct token *name, const struct record *record,
                                struct expr *object);
/* function.c: name(arguments) of a struct's own functions, without an object; likewise. */
struct expr *parse_static_call(struct parser *parser, const struct token *name, const struct record *record);

/* function.c: a struct's value as that type, or with NULL as a pointer, by an operator of its own; NULL with
 * no problem set: there is none. */
struct expr *parse_conversion(struct parser *parser, struct expr *object, const struct type *type);
/* At [; `copies` gets the declarations of what it has by value. */
struct function *parse_lambda(struct parser *parser, const struct token *name, struct statement **copies);
struct statement *parse_leave_function(struct parser *parser, const struct token *from); /* after return */

/* class.c: is there a template of a struct of that name, and < behind it? And the type that it stands for
 * with the arguments at parser->at, which is then behind them. */
bool parse_at_class(const struct parser *parser, const struct token *name);
bool parse_class(struct parser *parser, struct type *type);

/* What stands for the template's parameter `index` in this instance of the template of that name; NULL: it is
 * no instance of it. */
const struct symbol *parse_class_argument(const struct type *type, const struct token *name, unsigned index);

/* What the struct declares by that name besides its members: a type, a constant; NULL. */
const struct symbol *parse_member_symbol(const struct type *type, const struct token *name);

/* record.c: gives a function that the struct only declares its body: name::name(parameters) { ... }. */
void parse_define_member(struct record *record, const struct token *name, const struct token *parameters);

/* record.c: T(a, b), T{a, b} or T x(a, b) where the struct has constructors, at ( or {; without either, by
 * the one that takes nothing. */
bool parse_has_constructor(const struct type *type);

/* A struct's value where a new variable begins with it: by its own constructor from another one, if it has
 * such. */
struct expr *parse_copied(struct parser *parser, struct expr *value, const struct token *name);

/* a op= b, or a = b, of a struct by an operator of its own; NULL with no problem set: it has none. */
struct expr *parse_own_assignment(struct parser *parser, const struct token *op, struct expr *a,
                                  struct expr *b);
struct expr *parse_construct(struct parser *parser, struct type type, const struct token *name);

/* template.c: binds the names of a template head in the scope; explicit arguments are read at `arguments`
 * (after
 * <; NULL: none) as the scope `reader` sees them; `given` is their number. The other names stay unbound. */
struct template_names {
    const struct token *name[32]; /* or the parameter's last token, where it has no name */
    bool is_type[32], has_name[32];
    bool is_template[32];             /* template <...> class X */
    const struct token *standard[32]; /* the default's first token, or NULL */
    unsigned count;
};
bool template_names(struct parser *parser, const struct template_head *head, struct template_names *names);
bool template_bind(struct parser *parser, const struct template_names *names, const struct token *arguments,
                   struct scope *reader, unsigned *given);
/* The same for arguments at parser->at, which is then behind the >; before it is behind one > of two, half_of
 * is that. */
bool template_bind_here(struct parser *parser, const struct template_names *names, struct scope *reader,
                        unsigned *given);
bool template_bind_default(struct parser *parser, const struct template_names *names, unsigned index);

/* A type that nothing says is taken as int by its name, or where that is the next type's turn; otherwise as
 * float: addresses seldom depend on which. */
struct type template_assumed_type(struct parser *parser, const struct token *name);
bool template_assume_type(struct parser *parser, const struct template_names *names, unsigned index);
const struct token *template_after_head(const struct token *at); /* at "template": after its <...> */

/* parse_statement.c */
bool parse_typedef(struct parser *parser);         /* at typedef or using */
bool parse_namespace_alias(struct parser *parser); /* at namespace */
bool parse_parameter_array(struct parser *parser, struct type *type);
bool parse_shared(struct parser *parser, bool is_extern); /* at __shared__ */
struct statement *parse_block(struct parser *parser);     /* from { to } */
/* The place as it is now, whatever its indices become: what is returned computes them once. */
struct statement *parse_fix(struct parser *parser, const struct token *name, struct expr **place);
struct statement *parse_alias(struct parser *parser, const struct token *name,
                              struct expr *value); /* another name of a place */
struct statement *parse_refer(struct parser *parser, const struct token *name, struct type type,
                              struct expr *value); /* type &name = value */
struct statement *parse_bind(struct parser *parser, const struct token *name, struct type type,
                             struct expr *value); /* type name = value; a variable of its own */

/* parse_asm.c: at asm */
struct statement *parse_asm(struct parser *parser);

/* build.c: typed nodes. `from` and `to` give the span. */
struct expr *build(struct parser *parser, enum expr_kind kind, struct type type, const struct token *from,
                   const struct token *to);
struct expr *build_list(struct parser *parser, struct type type, unsigned count, const struct token *from,
                        const struct token *to);                 /* VECTOR: its parts are still to be set */
struct expr *build_adopt(struct parser *parser, struct expr *e); /* after setting children: counts depth */
struct expr *build_convert(struct parser *parser, struct expr *e, struct type type);
struct expr *build_binary(struct parser *parser, const struct token *op, struct expr *a, struct expr *b);
struct expr *build_assign(struct parser *parser, const struct token *op, struct expr *a, struct expr *b);
struct expr *build_set(struct parser *parser, const struct token *op, struct expr *a,
                       struct expr *b); /* a = b, without operators of a struct's own */
struct expr *build_condition(struct parser *parser, struct expr *a, struct expr *b, struct expr *c);
struct expr *build_bool(struct parser *parser, struct expr *e);
struct expr *build_index(struct parser *parser, struct expr *pointer, struct expr *index,
                         const struct token *end);
struct expr *build_memory(struct parser *parser, struct expr *pointer, const struct token *from,
                          const struct token *to);
struct expr *build_over(struct parser *parser, enum expr_kind kind, struct type type, struct expr *a,
                        struct expr *b); /* spans its operands; b may be NULL */
struct expr *build_slots(struct parser *parser, struct expr *e, struct type type,
                         int64_t slot);   /* COMPONENT: the registers from `slot` on, as `type` */
bool build_is_null(const struct expr *e); /* 0, NULL, nullptr */
/* build_local.c: what a pointer to local data points at: registers, from a place and index that the text
 * tells. */
struct expr *build_local(struct parser *parser, struct expr *pointer, struct type type);
/* The place or address with its indices as they are now: `int &r = v[i++]`. What declares them goes to *end.
 */
struct expr *build_fixed(struct parser *parser, struct expr *place, struct statement ***end);
bool build_is_indexed(const struct expr *place);                   /* by an index that is no constant */
struct expr *build_address(struct parser *parser, struct expr *e); /* of a variable or a part of it */
struct expr *build_component(struct parser *parser, struct expr *e, const struct token *name);
struct expr *build_integer(struct parser *parser, int64_t value, struct type type, const struct token *at);

/* Notes that a pointer variable is given this value; and, once the kernel is read, finds from all such notes
 * what each variable may point into. */
void build_points_at(struct parser *parser, struct symbol *symbol, const struct expr *value);
void build_pointer_roots(struct kernel_tree *kernel);

/* pointee.c: memory in which pointers lie. What they point at gets parameters of its own, once the kernel is
 * read: one for each parameter and type. */
void pointee_note(struct parser *parser, struct expr *memory);
bool pointee_resolve(struct parser *parser);
/* The parameter for pointers of this type that lie in the buffer `root`; NULL. */
const struct symbol *pointee_of(const struct kernel_tree *kernel, int root, const struct type *to);

/* The use of a __device__ variable, which becomes a parameter that nobody lists. */
struct expr *pointee_variable(struct parser *parser, const struct token *name, struct symbol *variable);

/* constant.c: folds a tree of constants; false (no problem set) if it is not one, divides by zero, shifts by
 * the width or more, or overflows a signed type. */
bool constant_value(const struct expr *e, int64_t *value);

/* The same for one node without a side that may not count, whose operands (integers) have these values. */
bool constant_operation(const struct expr *e, int64_t a, int64_t b, int64_t *value);

/* An integer constant expression that must use up all tokens up to TOKEN_END: for #if. */
bool parse_constant(const struct token *tokens, int64_t *value, struct problem *problem);

#endif
