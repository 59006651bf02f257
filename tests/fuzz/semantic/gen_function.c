/* gen_function.c - functions of the file, templates, lambdas and macros with parameters; and their calls.
 *
 * On the host a function that may touch memory takes the number of its call first, so that the places in it
 * are other places with each call, as they are where a call is read in place.
 */
#include "gen.h"

#include <stdio.h>
#include <string.h>

static const struct ctype ANY = {'i', 8, 1, true};
enum { AUTO = 100 }; /* a parameter's type: what is given to it */

/* What a function's body does not share with what is around it. */
struct frame {
    unsigned variable_count, scope, loops, nesting, switches, left, capture_from;
    bool uniform, returned, may_jump, full, no_warp;
    const char *result;
    struct ctype result_type;
    char result_kind;
    struct function *capturing;
};

static struct frame enter(struct gen *g, unsigned statements)
{
    struct frame f = {g->variable_count, g->scope,       g->loops,       g->nesting,  g->switches, g->left,
                      g->capture_from,   g->uniform,     g->returned,    g->may_jump, g->full,     g->no_warp,
                      g->result,         g->result_type, g->result_kind, g->capturing};
    g->scope = g->variable_count;
    g->loops = 0;
    g->nesting = 2;
    g->switches = 0;
    g->left = statements;
    g->uniform = g->may_jump = g->full = false;
    return f;
}

static void leave(struct gen *g, const struct frame *f)
{
    g->variable_count = f->variable_count;
    g->scope = f->scope;
    g->loops = f->loops;
    g->nesting = f->nesting;
    g->switches = f->switches;
    g->left = f->left;
    g->uniform = f->uniform;
    g->returned = f->returned;
    g->may_jump = f->may_jump;
    g->full = f->full;
    g->no_warp = f->no_warp;
    g->result = f->result;
    g->result_type = f->result_type;
    g->result_kind = f->result_kind;
    g->capturing = f->capturing;
    g->capture_from = f->capture_from;
}

static struct function *function_add(struct gen *g, const char *prefix)
{
    if (g->function_count == FUNCTIONS)
        return NULL;
    struct function *f = &g->functions[g->function_count++];
    *f = (struct function){.record = -1};
    (void)snprintf(f->name, sizeof f->name, "%s%u", prefix, g->names++);
    return f;
}

/* References bind to one type only: those that have one name for their width. */
static struct ctype reference_type(struct gen *g, const char **spelling)
{
    static const struct {
        const char *name;
        struct ctype type;
    } types[] = {{"int", {'i', 4, 1, true}},
                 {"int", {'i', 4, 1, true}},
                 {"unsigned", {'i', 4, 1, false}},
                 {"short", {'i', 2, 1, true}},
                 {"unsigned short", {'i', 2, 1, false}},
                 {"unsigned char", {'i', 1, 1, false}},
                 {"bool", {'b', 1, 1, false}}};
    uint32_t i = chance(g, 7);
    *spelling = types[i].name;
    return types[i].type;
}

static void template_head(struct gen *g, struct function *f)
{
    f->template_count = 1 + chance(g, 3);
    bool defaults = one_in(g, 3);
    both(g, "template <");
    for (unsigned i = 0; i < f->template_count; i++) {
        char kind = "nnbt"[chance(g, 4)];
        f->template_kinds[i] = kind;
        both(g, "%s%s t%u", i ? ", " : "",
             kind == 'n'   ? (one_in(g, 3) ? "unsigned" : "int")
             : kind == 'b' ? "bool"
                           : (one_in(g, 2) ? "class" : "typename"),
             i);
        if (defaults && i + 1 == f->template_count)
            both(g, " = %s", kind == 'n' ? "5" : kind == 'b' ? "true" : "unsigned short");
        if (kind == 't')
            continue;
        char name[NAME];
        (void)snprintf(name, sizeof name, "t%u", i);
        struct variable *v = variable_add(
            g, VARIABLE_INDEX, type_make(kind == 'b' ? 'b' : 'i', kind == 'b' ? 1 : 4, 1, true), name);
        v->is_const = true;
    }
    if (defaults)
        f->template_count--;
    both(g, ">\n");
}

static void parameter(struct gen *g, struct function *f, unsigned i, int type_argument)
{
    char name[NAME];
    const char *spelling;
    uint32_t kind = chance(g, 10);
    gen_copy_name(g, name);
    both(g, i ? ", " : "");
    struct ctype type;
    struct variable *v;
    if (kind == 0 && g->record_count) {
        int record = (int)chance(g, g->record_count);
        name_make(name, "r%u", g->names++); /* nothing hides it, as nothing may hide its members */
        f->parameters[i].pass = PASS_RECORD;
        f->parameters[i].record = record;
        both(g, one_in(g, 3) ? "const %s &%s" : "%s %s", g->records[record].name, name);
        v = variable_add(g, VARIABLE_RECORD, ANY, name);
        v->record = record;
        v->is_const = true;
        gen_record_variables(g, g->variable_count - 1);
        return;
    }
    if (kind < 3) {
        type = reference_type(g, &spelling);
        f->parameters[i].pass = PASS_REFERENCE;
        f->parameters[i].to_const = one_in(g, 4);
        both(g, "%s%s &%s", f->parameters[i].to_const ? "const " : "", spelling, name);
        v = variable_add(g, VARIABLE_INDEX, type, name);
        v->is_const = f->parameters[i].to_const;
    } else if (kind < 5) {
        type = type_element(g);
        f->parameters[i].pass = PASS_POINTER;
        f->parameters[i].to_const = one_in(g, 3);
        both(g, "%s%s *%s", f->parameters[i].to_const ? "const " : "", type_spell(g, type), name);
        v = variable_add(g, VARIABLE_POINTER, type, name);
        v->to_const = f->parameters[i].to_const;
        v->maybe_shared = true;
        v->buffer = PARAMETERS + (int)i;
    } else if (kind == 5) {
        type = type_make('i', 4, 1, true);
        f->parameters[i].pass = PASS_ARRAY;
        f->parameters[i].count = 4;
        f->parameters[i].to_const = one_in(g, 3);
        static const char *const forms[] = {"int *%s", "int %s[4]", "int (&%s)[4]"};
        both(g, "%s", f->parameters[i].to_const ? "const " : "");
        uint32_t form = chance(g, 3);
        both(g, forms[form], name);
        f->exact = f->exact || form == 2; /* only an array of four will do */
        v = variable_add(g, VARIABLE_ARRAY, type, name);
        v->count = 4;
        v->is_const = f->parameters[i].to_const;
        v->maybe_shared = true; /* a pointer, for all that is known */
    } else if (type_argument == AUTO ? one_in(g, 3) : type_argument >= 0 && one_in(g, 2)) {
        type = ANY;
        if (type_argument == AUTO)
            both(g, "auto %s", name);
        else
            both(g, "t%d %s", type_argument, name);
        v = variable_add(g, VARIABLE_INDEX, ANY, name);
        v->vague = true;
    } else {
        type = type_of_spelling(g, &spelling);
        bool is_const = one_in(g, 6);
        both(g, "%s%s %s", is_const ? "const " : "", spelling, name);
        v = variable_add(g, VARIABLE_INDEX, type, name);
        v->is_const = is_const;
        f->parameters[i].spelling = spelling;
    }
    f->parameters[i].type = type;
}

static void parameters(struct gen *g, struct function *f, bool may_default)
{
    int type_argument = f->name[0] == 'l' ? AUTO : -1;
    for (unsigned i = 0; i < 3; i++)
        if (f->template_kinds[i] == 't')
            type_argument = (int)i;
    f->parameter_count = chance(g, FUNCTION_PARAMETERS);
    may_default = may_default && one_in(g, 3);
    for (unsigned i = 0; i < f->parameter_count; i++) {
        if (!may_default || !f->defaults) {
            parameter(g, f, i, type_argument);
            if (f->parameters[i].pass == PASS_VALUE && !f->parameters[i].spelling && type_argument != AUTO)
                type_argument = -1; /* several could say different things of one type */
        } else {
            char name[NAME];
            gen_copy_name(g, name);
            both(g, ", int %s", name);
            f->parameters[i].type = type_make('i', 4, 1, true);
            f->parameters[i].spelling = "int";
            variable_add(g, VARIABLE_INDEX, f->parameters[i].type, name);
        }
        if (may_default && f->parameters[i].pass == PASS_VALUE && f->parameters[i].spelling &&
            (f->defaults || i + 2 >= f->parameter_count)) {
            both(g, " = %u", chance(g, 50));
            f->defaults++;
        }
    }
}

/* return and its value, where the text now is. */
static void give(struct gen *g)
{
    gen_full(g);
    if (g->result_kind == 'v') {
        both(g, "return;\n");
        return;
    }
    both(g, "%s", g->result);
    if (g->result_kind == 'i')
        gen_index(g, 2);
    else if (g->result_kind == 'd')
        gen_data(g, g->result_type, 1);
    else
        (void)gen_record_argument(g, (int)g->result_type.bytes, 1);
    both(g, ";\n");
}

void gen_return(struct gen *g)
{
    give(g);
}

static void body_of(struct gen *g, struct function *f)
{
    both(g, "\n{\n");
    if (f->has_id)
        text_add(&g->host, "Call C_(CALL_);\n");
    g->result = "return ";
    g->result_kind = f->gives;
    g->result_type = f->type;
    gen_statements(g, 1 + chance(g, 4));
    if (f->gives != 'v')
        give(g);
    both(g, "}");
}

/* One function at file level; `overload`: another one of that name with other parameters. */
static void function(struct gen *g, const char *name_space, const char *overload)
{
    static const char *const heads[] = {
        "__device__ ",        "static __device__ ",   "__device__ __forceinline__ ",
        "__device__ inline ", "__host__ __device__ ", "__noinline__ __device__ "};
    struct function *f = function_add(g, "f");
    if (!f)
        return;
    char name[NAME];
    (void)snprintf(name, sizeof name, "%s", overload ? overload : f->name);
    struct frame frame = enter(g, 2 + chance(g, 6));
    f->has_id = true;
    f->exact = overload != NULL;
    if (!overload && one_in(g, 3))
        template_head(g, f);
    text_add(&g->cu, "%s", heads[chance(g, 6)]);
    text_add(&g->host, one_in(g, 6) ? "APART " : "FUNCTION ");
    f->gives = "iiiivdr"[chance(g, 7)];
    const char *spelling = "void";
    if (f->gives == 'r' && !g->record_count)
        f->gives = 'i';
    if (f->gives == 'i') {
        f->type = type_of_spelling(g, &spelling);
        for (unsigned i = 0; i < 3; i++)
            if (f->template_kinds[i] == 't' && one_in(g, 2)) {
                spelling = i == 0 ? "t0" : i == 1 ? "t1" : "t2";
                f->type = ANY;
            }
    } else if (f->gives == 'd') {
        f->type = type_make('f', 4, 1, true);
        spelling = "float";
    } else if (f->gives == 'r') {
        f->record = (int)chance(g, g->record_count);
        f->type.bytes = (uint8_t)f->record;
        spelling = g->records[f->record].name;
    }
    bool trailing = one_in(g, 5);
    both(g, "%s %s(", trailing ? "auto" : spelling, name);
    text_add(&g->host, "unsigned CALL_");
    size_t at = g->host.size;
    parameters(g, f, !overload);
    if (f->parameter_count) { /* the first has no comma before it */
        text_add(&g->host, "  ");
        memmove(g->host.at + at + 2, g->host.at + at, g->host.size - at - 2);
        memcpy(g->host.at + at, ", ", 2);
    }
    both(g, trailing ? ") -> %s" : ")", spelling);
    struct function *before = g->capturing;
    g->capturing = f; /* for `waits` alone: nothing lies before */
    g->capture_from = 0;
    body_of(g, f);
    g->capturing = before;
    both(g, "\n");
    leave(g, &frame);
    if (name_space)
        (void)snprintf(f->name, sizeof f->name, "%s::%.24s", name_space, name);
    else
        (void)snprintf(f->name, sizeof f->name, "%s", name);
}

/* #define F(a, b): an expression of its parameters, each in parentheses. */
static void macro(struct gen *g)
{
    static const struct {
        const char *text;
        unsigned parameters;
        bool once;
    } macros[] = {{"(a, b) ((a) * 3 + (b))", 2, true},
                  {"(a) ((a) * (a) + 1)", 1, false},
                  {"(a, b, c) (((a) * (c)) + (b))", 3, true},
                  {"(a, b) ((a) > (b) ? (a) : (b))", 2, false},
                  {"(x) (((x) & 1) ? (x) + 1 : (x) >> 1)", 1, false},
                  {"(a, ...) ((a) + (__VA_ARGS__))", 2, true},
                  {"(a) (sizeof(a) + (a))", 1, false},
                  {"(x) -(x)", 1, true},
                  {"(p, q) ((p##1u) + (q) * 2)", 2, true}};
    uint32_t i = chance(g, 9);
    struct function *f = function_add(g, "F");
    if (!f)
        return;
    f->gives = 'i';
    f->type = ANY;
    f->is_macro = true;
    f->once = macros[i].once;
    f->pastes = i == 8;
    f->parameter_count = macros[i].parameters;
    for (unsigned k = 0; k < f->parameter_count; k++)
        f->parameters[k].type = ANY;
    both(g, "#define %s%s\n", f->name, macros[i].text);
}

/* constexpr int c(int a) { return a * 3 + 1; } and what a compiler makes of it at once */
static void constant_function(struct gen *g)
{
    struct function *f = function_add(g, "fold");
    if (!f)
        return;
    int by = 1 + (int)chance(g, 9), plus = (int)chance(g, 30), of = (int)chance(g, 20);
    f->gives = 'i';
    f->type = f->parameters[0].type = type_make('i', 4, 1, true);
    f->parameters[0].spelling = "int";
    f->parameter_count = 1;
    text_add(&g->cu, one_in(g, 2) ? "__host__ __device__ constexpr " : "constexpr __device__ ");
    text_add(&g->host, "FUNCTION constexpr ");
    if (one_in(g, 2))
        both(g, "int %s(int a) { return a * %d + %d; }\n", f->name, by, plus);
    else
        both(g, "int %s(int a) { int r = %d; for (int i = 0; i < %d; i++) r += a; return r; }\n", f->name,
             plus, by);
    if (one_in(g, 2))
        both(g, "static_assert(%s(%d) == %d, \"\");\n", f->name, of, of * by + plus);
}

/* template <int N, class T> struct Q { T a[N]; ... }; */
static void record_template(struct gen *g)
{
    g->record_template = 1 + g->names++;
    both(g, "template <int N, class T> struct Q%u { static constexpr int size = N; T a[N];\n",
         g->record_template);
    text_add(&g->cu, "__device__ ");
    text_add(&g->host, "MEMBER ");
    both(g, "T sum(int k) const { T s = 0; for (int i = 0; i < N; i++) s = s + a[i] * k; return s; } };\n");
}

/* Q<3, int> q = {{e, e, e}}; and its members */
bool gen_record_template(struct gen *g)
{
    static const char *const types[] = {"int", "unsigned", "short", "long long"};
    if (!g->record_template || g->in_macro)
        return false;
    char name[NAME];
    const char *type = types[chance(g, 4)];
    unsigned count = 1 + chance(g, 4), q = g->names++;
    gen_full(g);
    both(g, "Q%u<%u, %s> q%u = {{", g->record_template, count, type, q);
    for (unsigned i = 0; i < count; i++) {
        both(g, i ? ", (%s)(" : "(%s)(", type);
        gen_index(g, 1);
        both(g, ")");
    }
    both(g, "}};\n");
    gen_full(g);
    name_make(name, "v%u", g->names++);
    both(g, "long long %s = q%u.sum(", name, q);
    gen_index(g, 1);
    both(g, ") + q%u.a[%u] * q%u.size + Q%u<%u, %s>::size;\n", q, chance(g, count), q, g->record_template,
         count + 2, type);
    variable_add(g, VARIABLE_INDEX, ANY, name);
    return true;
}

void gen_functions(struct gen *g)
{
    if (one_in(g, 4))
        constant_function(g);
    if (gen_features[FEATURE_RECORD_TEMPLATE].on && one_in(g, 4))
        record_template(g);
    for (uint32_t i = chance(g, 3); i > 1; i--)
        macro(g);
    if (one_in(g, 4))
        macro(g);
    for (uint32_t i = one_in(g, 3) ? 0 : 1 + chance(g, 3); i; i--) {
        char name[24] = "";
        bool named = one_in(g, 6), open = named && one_in(g, 3);
        if (named) {
            (void)snprintf(name, sizeof name, "ns%u", g->names++);
            both(g, "namespace %s {\n", name);
        }
        function(g, named && !open ? name : NULL, NULL);
        struct function *last = g->function_count ? &g->functions[g->function_count - 1] : NULL;
        if (!named && last && one_in(g, 6) && !last->is_macro && !last->template_count && !last->defaults) {
            char same[NAME];
            unsigned count = last->parameter_count;
            memcpy(same, last->name, sizeof same);
            unsigned before = g->function_count;
            size_t cu = g->cu.size, host = g->host.size;
            function(g, NULL, same);
            struct function *other = &g->functions[g->function_count - 1];
            if (g->function_count == before || other->parameter_count == count || other->template_count) {
                g->function_count = before; /* no overload */
                g->cu.size = cu;
                g->host.size = host;
            }
        }
        if (named)
            both(g, "}\n");
        if (open)
            both(g, "using namespace %s;\n", name);
    }
}

static bool fits_named_array(const struct variable *v)
{
    return v->count == 4 && v->type.bytes == 4 && v->type.kind == 'i' && v->type.is_signed;
}

static bool argument(struct gen *g, const struct function *f, unsigned i, unsigned depth)
{
    struct ctype type = f->parameters[i].type;
    switch (f->parameters[i].pass) {
    case PASS_VALUE:
        if (f->is_macro) {
            if (f->pastes && i == 0) {
                both(g, "%u", 1 + chance(g, 50));
                return true;
            }
            g->pure += !f->once;
            both(g, "(");
            gen_index(g, depth);
            both(g, ")");
            g->pure -= !f->once;
            return true;
        }
        if (f->parameters[i].spelling) {
            both(g, f->exact ? "(%s)(" : "(", f->parameters[i].spelling);
        } else { /* its type is deduced, and is not to be an enum or a bool */
            static const char *const forms[] = {"+(", "(short)(", "(unsigned char)(", "(long long)(",
                                                "(unsigned)("};
            both(g, "%s", forms[chance(g, 5)]);
        }
        gen_index(g, depth);
        both(g, ")");
        return true;
    case PASS_REFERENCE:
        for (int k = 0; k < 8; k++) {
            bool to_write = !f->parameters[i].to_const;
            struct variable *v = variable_pick(g, KIND(VARIABLE_INDEX), to_write, fits_scalar);
            if (!v || !type_equal(v->type, type) || v->vague)
                continue;
            both(g, "%s", v->name);
            if (to_write)
                v->written_at = g->serial;
            else
                v->read_at = g->serial;
            return true;
        }
        return false;
    case PASS_POINTER:
        return gen_pointer_argument(g, type, f->parameters[i].to_const);
    case PASS_RECORD:
        return gen_record_argument(g, f->parameters[i].record, depth);
    case PASS_ARRAY: {
        struct variable *v =
            variable_pick(g, KIND(VARIABLE_ARRAY), !f->parameters[i].to_const, fits_named_array);
        if (!v || v->maybe_shared)
            return false;
        both(g, "%s", v->name);
        if (f->parameters[i].to_const)
            v->read_at = g->serial;
        else
            v->written_at = g->serial;
        return true;
    }
    }
    return false;
}

static void template_arguments(struct gen *g, const struct function *f)
{
    static const char *const types[] = {"int",           "unsigned",  "short",
                                        "unsigned char", "long long", "unsigned long long"};
    if (!f->template_count)
        return;
    both(g, "<");
    for (unsigned i = 0; i < f->template_count; i++) {
        char kind = f->template_kinds[i];
        both(g, i ? ", " : "");
        if (kind == 'n')
            both(g, one_in(g, 4) ? "(3 + %u)" : "%u", chance(g, 20));
        else if (kind == 'b')
            both(g, one_in(g, 2) ? "true" : "false");
        else
            both(g, "%s", types[chance(g, 6)]);
    }
    both(g, ">");
}

static bool captures_allow(struct gen *g, const struct function *f)
{
    for (unsigned i = 0; i < VARIABLES; i++) {
        bool reads = f->reads[i / 64] >> i % 64 & 1, writes = f->writes[i / 64] >> i % 64 & 1;
        if (i < g->variable_count && (reads || writes) && !variable_may(g, &g->variables[i], writes))
            return false;
    }
    return true;
}

static void captures_use(struct gen *g, const struct function *f)
{
    for (unsigned i = 0; i < g->variable_count; i++) {
        bool reads = f->reads[i / 64] >> i % 64 & 1, writes = f->writes[i / 64] >> i % 64 & 1;
        if (reads || writes)
            (void)variable_take(g, &g->variables[i], writes);
        if (writes)
            g->variables[i].written_at = g->serial;
        else if (reads)
            g->variables[i].read_at = g->serial;
    }
}

static struct function *choose(struct gen *g, char gives)
{
    struct function *found = NULL;
    unsigned fitting = 0;
    for (unsigned i = 0; i < g->function_count; i++) {
        struct function *f = &g->functions[i];
        bool fits = f->gives == gives && !f->is_member && !(g->in_macro || (g->pure && f->has_id)) &&
                    !(f->waits && g->no_warp) && !g->in_member && f != g->capturing;
        if (f->is_member || (f->has_id && f->name[0] == 'l')) { /* a lambda, while it is in scope */
            bool seen = false;
            for (unsigned k = g->blind_before; k < g->variable_count; k++)
                seen =
                    seen || (g->variables[k].kind == VARIABLE_LAMBDA && g->variables[k].function == (int)i);
            fits = fits && seen && captures_allow(g, f);
        }
        if (fits && one_in(g, ++fitting))
            found = f;
    }
    return found;
}

static bool call(struct gen *g, struct function *f, unsigned depth)
{
    size_t cu = g->cu.size, host = g->host.size;
    unsigned sites = g->sites;
    bool lambda = f->has_id && f->name[0] == 'l';
    if (lambda)
        captures_use(g, f);
    both(g, "%s", f->name);
    if (!lambda)
        template_arguments(g, f);
    both(g, "(");
    size_t id = f->has_id ? id_open(g) : 0;
    unsigned count = f->parameter_count - (f->defaults ? chance(g, f->defaults + 1) : 0);
    for (unsigned i = 0; i < count; i++) {
        text_add(&g->host, f->has_id || i ? ", " : "");
        text_add(&g->cu, i ? ", " : "");
        if (!argument(g, f, i, depth)) {
            g->cu.size = cu;
            g->host.size = host;
            g->sites = sites;
            return false;
        }
    }
    both(g, ")");
    if (f->has_id)
        id_close(g, id);
    if (g->capturing && f->waits)
        g->capturing->waits = true;
    return true;
}

bool gen_call(struct gen *g, char gives, unsigned depth, struct ctype *type)
{
    struct function *f = choose(g, gives);
    if (!f || !call(g, f, depth ? depth - 1 : 0))
        return false;
    *type = f->type;
    return true;
}

/* R name = f(...): the whole but for the semicolon. */
bool gen_call_record(struct gen *g, int record, const char *name, struct ctype *type)
{
    size_t cu = g->cu.size, host = g->host.size;
    struct function *f = choose(g, 'r');
    if (!f || f->record != record)
        return false;
    both(g, "%s %s = ", one_in(g, 3) ? "auto" : g->records[record].name, name);
    *type = f->type;
    if (call(g, f, 1))
        return true;
    g->cu.size = cu;
    g->host.size = host;
    return false;
}

/* auto l = [&](int a) { ... }; */
bool gen_lambda(struct gen *g)
{
    if (g->capturing || g->nesting > 3 || g->loops > 1 || g->dead_text || g->result)
        return false;
    struct function *f = function_add(g, "l");
    if (!f)
        return false;
    unsigned index = g->function_count - 1;
    bool captures = !one_in(g, 4);
    both(g, "auto %s = [%s](", f->name, captures ? "&" : "");
    text_add(&g->host, "unsigned CALL_");
    size_t at = g->host.size;
    struct frame frame = enter(g, 1 + chance(g, 4));
    f->has_id = true;
    parameters(g, f, false);
    if (f->parameter_count) {
        text_add(&g->host, "  ");
        memmove(g->host.at + at + 2, g->host.at + at, g->host.size - at - 2);
        memcpy(g->host.at + at, ", ", 2);
    }
    f->gives = one_in(g, 4) ? 'v' : 'i';
    const char *spelling = "void";
    if (f->gives == 'i')
        f->type = type_of_spelling(g, &spelling);
    both(g, ") -> %s", spelling);
    g->capturing = f;
    g->capture_from = captures ? frame.variable_count : 0;
    g->blind_before = captures ? 0 : frame.variable_count;
    body_of(g, f);
    g->blind_before = 0;
    both(g, ";\n");
    leave(g, &frame);
    struct variable *v = variable_add(g, VARIABLE_LAMBDA, ANY, f->name);
    v->function = (int)index;
    return true;
}

bool gen_call_statement(struct gen *g)
{
    struct ctype type;
    gen_full(g);
    if (!gen_call(g, 'v', 2, &type))
        return false;
    both(g, ";\n");
    return true;
}
