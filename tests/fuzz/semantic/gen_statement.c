/* gen_statement.c - declarations, control flow, and the kernel around them. */
#include "gen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gen_copy_name(struct gen *g, char out[NAME])
{
    (void)snprintf(out, NAME, "%s", name_new(g));
}

/* The declared name is in scope in its own value, but has none: nothing there may mean an older one. */
static void own_value(struct gen *g, struct variable *v, unsigned depth)
{
    v->written_at = g->serial;
    v->held++;
    if (one_in(g, 400))
        both(g, "sizeof(%s)", v->name);
    else
        gen_index(g, depth);
    v->held--;
    v->written_at = 0;
}

static bool declare_index(struct gen *g)
{
    char name[NAME];
    const char *type_name;
    struct ctype type = type_of_spelling(g, &type_name);
    bool is_const = one_in(g, 6), first = true;
    both(g, "%s%s ", is_const ? "const " : "", type_name);
    do {
        gen_full(g);
        gen_copy_name(g, name);
        both(g, "%s%s", first ? "" : ", ", name);
        struct variable *v = variable_add(g, VARIABLE_INDEX, type, name);
        v->is_const = is_const;
        uint32_t form = chance(g, 10);
        bool braces = form == 0 && gen_features[FEATURE_BRACES].on;
        bool vexing = gen_features[FEATURE_FUNCTION_CAST].on; /* T v(T2(e)) would declare a function */
        both(g, form == 1 ? (vexing ? "((" : "(") : braces ? "{(" : " = ");
        if (braces)
            both(g, "%s)(", type_name);
        own_value(g, v, chance(g, 4));
        both(g, form == 1 ? (vexing ? "))" : ")") : braces ? ")}" : "");
        first = false;
    } while (one_in(g, 5));
    both(g, ";\n");
    return true;
}

static bool declare_auto(struct gen *g)
{
    char name[NAME];
    gen_full(g);
    gen_copy_name(g, name);
    bool is_const = one_in(g, 4);
    both(g, "%sauto %s = ", is_const ? "const " : "", name);
    struct variable *hidden = variable_add(g, VARIABLE_INDEX, type_make('i', 4, 1, true), name);
    hidden->unreadable = true;
    both(g, "(unsigned char)(");
    gen_index(g, 2);
    both(g, ")");
    *hidden = (struct variable){.kind = VARIABLE_INDEX, .type = type_make('i', 1, 1, false), .buffer = -1};
    (void)snprintf(hidden->name, sizeof hidden->name, "%s", name);
    if (one_in(g, 2)) { /* a promoted sum is an int, whatever it adds */
        both(g, " + 1");
        hidden->type = type_make('i', 4, 1, true);
    }
    hidden->is_const = is_const;
    both(g, ";\n");
    return true;
}

static bool declare_vector(struct gen *g)
{
    static const struct ctype types[] = {{'i', 4, 2, true},  {'i', 4, 4, true}, {'i', 4, 3, true},
                                         {'i', 4, 2, false}, {'i', 2, 2, true}, {'i', 1, 4, false},
                                         {'i', 8, 2, true},  {'i', 4, 3, false}};
    static const char *const counts[] = {"two", "three", "four"};
    struct ctype type = types[chance(g, 8)];
    char name[NAME];
    gen_full(g);
    gen_copy_name(g, name);
    both(g, "%s%u %s = ", type_vector_base(type), type.lanes, name);
    struct variable *v = variable_add(g, VARIABLE_INDEX, type, name);
    v->written_at = g->serial;
    text_add(&g->cu, "make_%s%u(", type_vector_base(type), type.lanes);
    text_add(&g->host, "make_%s::%s{", type_vector_base(type), counts[type.lanes - 2]);
    for (unsigned i = 0; i < type.lanes; i++) {
        both(g, i ? ", " : "");
        gen_index(g, 1);
    }
    text_add(&g->cu, ");\n");
    text_add(&g->host, "}.v;\n");
    v->written_at = 0;
    return true;
}

static bool declare_data(struct gen *g)
{
    char name[NAME];
    struct ctype type = type_element(g);
    if (type.kind == 'h' || type.kind == 'b')
        type = type_make('f', 4, 1, true);
    gen_full(g);
    gen_copy_name(g, name);
    both(g, "%s %s = ", type_spell(g, type), name);
    struct variable *v = variable_add(g, VARIABLE_DATA, type, name);
    v->written_at = g->serial;
    gen_data(g, type, 2);
    v->written_at = 0;
    both(g, ";\n");
    return true;
}

static bool declare_half(struct gen *g)
{
    char name[NAME];
    gen_full(g);
    for (unsigned i = g->blind_before; i < g->variable_count; i++) {
        struct variable *p = &g->variables[i];
        if (p->kind != VARIABLE_POINTER || p->type.kind != 'h' || p->name[0] != 'p')
            continue;
        gen_copy_name(g, name);
        both(g, "half %s = ", name);
        struct variable *v = variable_add(g, VARIABLE_DATA, type_make('h', 2, 1, true), name);
        v->unreadable = true;
        unsigned site = g->sites++;
        text_add(&g->host, "LD(%u, ", site);
        g->site_begin[site] = (uint32_t)g->cu.size;
        both(g, "%s[", p->name);
        gen_subscript(g, 1);
        both(g, "]");
        g->site_end[site] = (uint32_t)g->cu.size;
        text_add(&g->host, ")");
        both(g, ";\n");
        v->unreadable = false;
        return true;
    }
    return false;
}

/* T v = value, printed as a declaration; returns its index. */
static unsigned plain(struct gen *g, const char *spelling, struct ctype type, unsigned depth)
{
    char name[NAME];
    gen_full(g);
    gen_copy_name(g, name);
    both(g, "%s %s = ", spelling, name);
    struct variable *v = variable_add(g, VARIABLE_INDEX, type, name);
    own_value(g, v, depth);
    both(g, ";\n");
    return g->variable_count - 1;
}

/* int j = a + b; i = j; k = i: copies of a value that was just computed. */
static bool copies(struct gen *g)
{
    const char *spelling;
    struct ctype type = type_of_spelling(g, &spelling);
    unsigned at = plain(g, spelling, type, 1 + chance(g, 2));
    for (unsigned i = 1 + chance(g, 3); i > 0; i--) {
        gen_full(g);
        g->variables[at].read_at = g->serial;
        struct variable *to = variable_pick(g, KIND(VARIABLE_INDEX), true, fits_scalar);
        if (!to)
            break;
        both(g, "%s = %s;\n", to->name, g->variables[at].name);
        at = (unsigned)(to - g->variables);
    }
    gen_probe(g, &g->variables[at]);
    return true;
}

void gen_body(struct gen *g, unsigned count)
{
    unsigned variables = g->variable_count, scope = g->scope;
    bool full = g->full;
    g->full = full && g->uniform; /* is every lane of the warps here? */
    g->scope = variables;
    g->nesting++;
    both(g, "{\n");
    gen_statements(g, count);
    both(g, "}\n");
    g->nesting--;
    g->full = full;
    g->scope = scope;
    g->variable_count = variables;
}

/* T v; assigned by both sides of an if, by some turn of a loop that surely runs, or only where `set` says so
 * and then read only there. */
static bool declare_unset(struct gen *g)
{
    char name[NAME], set[16];
    const char *spelling;
    struct ctype type = type_of_spelling(g, &spelling);
    uint32_t form = chance(g, 3);
    if (form == 2) {
        unsigned at = plain(g, "bool", type_make('b', 1, 1, false), 2);
        g->variables[at].is_const = true; /* nobody changes it */
        (void)snprintf(set, sizeof set, "%s", g->variables[at].name);
    }
    gen_copy_name(g, name);
    both(g, "%s %s;\n", spelling, name);
    gen_full(g);
    struct variable *v = variable_add(g, VARIABLE_INDEX, type, name);
    unsigned at = g->variable_count - 1;
    v->held++;
    v->written_at = g->serial;
    if (form == 2) {
        both(g, "if (%s) %s = ", set, name);
        gen_index(g, 2);
        bool uniform = g->uniform;
        both(g, ";\nif (%s) {\n", set);
        v->held = 0;
        v->written_at = 0;
        g->uniform = false;
        gen_probe(g, v);
        gen_body(g, 1 + chance(g, 2));
        both(g, "}\n");
        g->uniform = uniform;
        g->variables[at].unreadable = true; /* its name stays taken */
        return true;
    }
    if (form == 0) {
        both(g, "if (");
        gen_condition(g, 1);
        both(g, ")\n");
        both(g, "%s = ", name);
        gen_index(g, 2);
        both(g, ";\nelse\n%s = ", name);
        gen_index(g, 1);
        both(g, ";\n");
    } else {
        both(g, "%s = ", name);
        gen_index(g, 1);
        both(g, ";\n");
    }
    g->variables[at].held = 0;
    g->variables[at].written_at = 0;
    if (one_in(g, 2))
        gen_probe(g, &g->variables[at]);
    return true;
}

static bool expression(struct gen *g)
{
    gen_full(g);
    struct variable *v = variable_pick(g, KIND(VARIABLE_INDEX), true, NULL);
    if (!v || one_in(g, 6)) {
        both(g, "("); /* T(e); would be a declaration */
        gen_index(g, 3);
        both(g, ");\n");
        return true;
    }
    both(g, "%s", v->name);
    v->held++;
    if (v->type.lanes > 1)
        both(g, ".%c", "xyzw"[chance(g, v->type.lanes)]);
    static const char *const ops[] = {" = ", " = ", " = ", " += ", " -= ", " *= ", " &= ", " |= ", " ^= "};
    both(g, "%s", ops[chance(g, 9)]);
    gen_index(g, 1 + chance(g, 3));
    v->held--;
    v->written_at = g->serial;
    while (one_in(g, 8)) { /* i = 1, j = 2; */
        gen_full(g);
        both(g, ", ");
        gen_index(g, 2);
    }
    both(g, ";\n");
    return true;
}

static bool count_step(struct gen *g)
{
    gen_full(g);
    struct variable *v = variable_pick(g, KIND(VARIABLE_INDEX), true, fits_scalar);
    if (!v || v->type.kind == 'b')
        return false;
    switch (chance(g, 4)) {
    case 0:
        both(g, "%s++;\n", v->name);
        break;
    case 1:
        both(g, "++%s;\n", v->name);
        break;
    case 2:
        both(g, "%s--;\n", v->name);
        break;
    default:
        both(g, "--%s;\n", v->name);
        break;
    }
    return true;
}

static bool assign_data(struct gen *g)
{
    gen_full(g);
    struct variable *v = variable_pick(g, KIND(VARIABLE_DATA), true, NULL);
    if (!v || v->type.kind == 'h')
        return false;
    v->held++;
    bool part = v->type.lanes > 1 && one_in(g, 2);
    both(g, "%s", v->name);
    if (part)
        both(g, ".%c", "xyzw"[chance(g, v->type.lanes)]);
    bool number = part || v->type.lanes == 1;
    both(g, "%s", number && one_in(g, 3) ? " += " : " = ");
    struct ctype type = v->type;
    type.lanes = part ? 1 : type.lanes;
    gen_data(g, type, 2);
    v->held--;
    both(g, ";\n");
    return true;
}

static bool store(struct gen *g)
{
    if (!gen_store(g))
        return false;
    both(g, ";\n");
    return true;
}

static bool probe(struct gen *g)
{
    struct variable *v = variable_pick(g, KIND(VARIABLE_INDEX), false, NULL);
    if (!v)
        return false;
    gen_probe(g, v);
    return true;
}

static bool condition_head(struct gen *g)
{
    static const char *const same[] = {"blockIdx.x == 0", "gridDim.x > 1", "blockIdx.y < 1",
                                       "blockDim.x >= 8", "1"};
    bool uniform = one_in(g, 5);
    both(g, "if (");
    if (uniform)
        both(g, "%s", same[chance(g, 5)]);
    else
        gen_condition(g, 1 + chance(g, 2));
    both(g, ") ");
    return uniform;
}

static bool branch(struct gen *g)
{
    if (g->nesting > 5)
        return false;
    bool before = g->uniform;
    bool uniform = before;
    gen_full(g);
    if (one_in(g, 4)) { /* bool b = x < y; if (b) */
        unsigned at = plain(g, "bool", type_make('b', 1, 1, false), 2);
        both(g, one_in(g, 3) ? "if (!%s) " : "if (%s) ", g->variables[at].name);
        uniform = false;
    } else {
        uniform = condition_head(g) && before;
    }
    g->uniform = uniform;
    gen_body(g, 1 + chance(g, 3));
    while (one_in(g, 6)) {
        gen_full(g);
        both(g, "else ");
        g->uniform = condition_head(g) && uniform;
        gen_body(g, 1 + chance(g, 2));
        uniform = g->uniform;
    }
    if (one_in(g, 3)) {
        g->uniform = uniform;
        both(g, "else ");
        gen_body(g, 1 + chance(g, 3));
    }
    g->uniform = before;
    return true;
}

static bool plain_branch(struct gen *g) /* without braces */
{
    gen_full(g);
    both(g, "if (");
    gen_condition(g, 2);
    both(g, ") ");
    struct variable *v = variable_pick(g, KIND(VARIABLE_INDEX), true, fits_scalar);
    if (!v) {
        both(g, ";\n");
        return true;
    }
    both(g, "%s = ", v->name);
    v->held++;
    gen_index(g, 2);
    v->held--;
    both(g, ";\n");
    if (one_in(g, 3)) {
        gen_full(g);
        both(g, "else ");
        if (!expression(g))
            both(g, ";\n");
    }
    return true;
}

/* The body of a loop. `uniform`: all threads take the same turns, so that barriers may stand in it. */
static void loop_body(struct gen *g, unsigned label, bool uniform, const char *first, unsigned names_from)
{
    bool jump = g->may_jump, before = g->uniform, full = g->full;
    unsigned switches = g->switches;
    g->switches = 0;
    g->full = full && uniform;
    g->uniform = uniform;
    g->may_jump = !uniform;
    g->loops++;
    text_add(&g->cu, " {\n%s", first);
    text_add(&g->host, " { L%u.next();\n%s", label, first);
    unsigned variables = g->variable_count, scope = g->scope;
    g->scope = names_from; /* what the head declares cannot be declared again */
    g->nesting++;
    gen_statements(g, 1 + chance(g, 3));
    g->nesting--;
    g->variable_count = variables;
    g->scope = scope;
    both(g, "}");
    g->loops--;
    g->full = full;
    g->switches = switches;
    g->may_jump = jump;
    g->uniform = before;
}

static bool loop_for(struct gen *g)
{
    if (g->loops >= 2 || g->nesting > 5)
        return false;
    unsigned label = g->names++, variables = g->variable_count, scope = g->scope;
    bool uniform = g->uniform && one_in(g, 3);
    uint32_t form = uniform ? 0 : chance(g, 6);
    unsigned turns = g->loops ? 3 : 5;
    const char *spelling;
    struct ctype type = type_of_spelling(g, &spelling);
    if (type.kind == 'b') {
        type = type_make('i', 4, 1, true);
        spelling = "int";
    }
    char name[NAME];
    text_add(&g->host, "{ Loop L%u(%u);\n", label, label);
    g->scope = g->variable_count;
    gen_copy_name(g, name);
    gen_full(g);
    bool no_warp = g->no_warp;
    g->no_warp = true; /* a head is passed before and after its body */
    both(g, "for (%s %s = ", spelling, name);
    struct variable *v = variable_add(g, VARIABLE_INDEX, type, name);
    unsigned at = g->variable_count - 1;
    v->held = 1;
    v->written_at = g->serial;
    if (form < 3) {
        if (uniform || one_in(g, 3))
            both(g, "%u", chance(g, 2));
        else
            gen_small(g, 3);
        g->variables[at].written_at = 0;
        bool more = form == 1;
        if (more) {
            char second[NAME];
            gen_copy_name(g, second);
            both(g, ", %s = ", second);
            struct variable *w = variable_add(g, VARIABLE_INDEX, type, second);
            own_value(g, w, 1);
        }
        gen_full(g);
        both(g, "; %s < %u", name, 1 + chance(g, turns));
        if (!uniform && one_in(g, 4)) {
            both(g, " && ("); /* or else an || in it could go on for ever */
            gen_full(g);
            gen_condition(g, 1);
            both(g, ")");
        }
        if (one_in(g, 3))
            both(g, "; %s += %u", name, 1 + chance(g, 3));
        else
            both(g, one_in(g, 2) ? "; %s++" : "; ++%s", name);
        if (more) {
            gen_full(g);
            both(g, ", %s += ", g->variables[at + 1].name);
            g->variables[at + 1].held++;
            gen_index(g, 1);
            g->variables[at + 1].held--;
        }
        both(g, ")");
    } else if (form == 3) {
        both(g, "%u; %s > 0; %s %s)", chance(g, 20), name, name, one_in(g, 2) ? ">>= 1" : "/= 2");
        g->variables[at].written_at = 0;
    } else if (form == 4) {
        both(g, "%u; %s; %s--)", chance(g, turns), name, name);
        g->variables[at].written_at = 0;
    } else {
        gen_small(g, 7);
        g->variables[at].written_at = 0;
        both(g, "; ; %s++)", name);
    }
    char first[2 * NAME] = "";
    if (form == 5)
        (void)snprintf(first, sizeof first, "if (%s > %u) break;\n", name, chance(g, 7));
    g->no_warp = no_warp;
    loop_body(g, label, uniform, first, variables);
    text_add(&g->host, "}");
    both(g, "\n");
    g->variable_count = variables;
    g->scope = scope;
    return true;
}

static bool loop_while(struct gen *g)
{
    if (g->loops >= 2 || g->nesting > 5)
        return false;
    unsigned label = g->names++;
    char name[NAME], first[2 * NAME] = "";
    gen_full(g);
    (void)snprintf(name, sizeof name, "w%u", g->names++);
    both(g, "int %s = 0;\n", name);
    variable_add(g, VARIABLE_INDEX, type_make('i', 4, 1, true), name)->held = 1;
    unsigned at = g->variable_count - 1;
    text_add(&g->host, "{ Loop L%u(%u);\n", label, label);
    uint32_t form = chance(g, 3);
    bool no_warp = g->no_warp;
    g->no_warp = true;
    g->variables[at].written_at = g->serial;
    if (form == 0) {
        both(g, one_in(g, 2) ? "while (%s++ < " : "while (++%s <= ", name);
        gen_small(g, 3);
        both(g, ")");
    } else if (form == 1) {
        both(g, "while (%s < %u && (", name, 1 + chance(g, 4));
        g->variables[at].written_at = 0;
        gen_condition(g, 2);
        both(g, "))");
        (void)snprintf(first, sizeof first, "%s++;\n", name);
    } else {
        both(g, "do");
    }
    g->variables[at].written_at = 0;
    g->no_warp = no_warp;
    loop_body(g, label, false, first, g->variable_count);
    if (form == 2) {
        gen_full(g);
        g->variables[at].written_at = g->serial;
        both(g, " while (++%s < %u", name, 1 + chance(g, 4));
        if (one_in(g, 2)) {
            both(g, " && (");
            gen_condition(g, 1);
            both(g, ")");
        }
        both(g, ");");
        g->variables[at].written_at = 0;
    }
    text_add(&g->host, "}");
    both(g, "\n");
    return true;
}

static bool jump(struct gen *g)
{
    if (!g->may_jump && !g->switches)
        return false;
    gen_full(g);
    both(g, "if (");
    gen_condition(g, 1);
    both(g, !g->may_jump || one_in(g, 2) ? ") break;\n" : ") continue;\n");
    return true;
}

static bool leave(struct gen *g)
{
    if (g->loops && !g->may_jump)
        return false;
    gen_full(g);
    both(g, "if (");
    if (one_in(g, 2))
        both(g, "threadIdx.x %s %u", one_in(g, 3) ? "==" : ">=", chance(g, 40));
    else
        gen_condition(g, 1);
    both(g, ") ");
    if (g->result) {
        gen_return(g);
    } else {
        both(g, "return;\n");
        g->returned = true;
    }
    return true;
}

static bool barrier(struct gen *g)
{
    if (!g->uniform || g->returned)
        return false;
    text_add(&g->cu, "__syncthreads();\n");
    text_add(&g->host, "BARRIER(%u);\n", id_new(g));
    return true;
}

static bool warp_barrier(struct gen *g)
{
    text_add(&g->cu, one_in(g, 2) ? "__syncwarp();\n" : "__syncwarp(0xffffffff);\n");
    return true;
}

static bool block(struct gen *g)
{
    if (g->nesting > 5)
        return false;
    gen_body(g, 1 + chance(g, 4));
    return true;
}

static bool empty(struct gen *g)
{
    both(g, ";\n");
    return true;
}

static bool conditional_text(struct gen *g)
{
    if (g->nesting > 4)
        return false;
    if (one_in(g, 4) && g->macro_count)
        both(g, one_in(g, 2) ? "#ifdef %s\n" : "#ifndef %s\n", one_in(g, 2) ? "M0" : "NEVER");
    else {
        both(g, "#if ");
        gen_constant(g, 2);
        both(g, "\n");
    }
    bool uniform = g->uniform;
    g->dead_text++; /* perhaps */
    gen_body(g, 1);
    if (one_in(g, 3)) {
        both(g, "#elif ");
        gen_constant(g, 2);
        both(g, "\n");
        gen_body(g, 1);
    }
    if (one_in(g, 2)) {
        both(g, "#else\n");
        gen_body(g, 1);
    }
    g->dead_text--;
    g->uniform = uniform;
    both(g, "#endif\n");
    return true;
}

static bool type_name(struct gen *g)
{
    char name[NAME];
    const char *spelling;
    struct ctype type = type_of_spelling(g, &spelling);
    (void)snprintf(name, sizeof name, "type%u", g->names++);
    both(g, "typedef %s %s;\n", spelling, name);
    plain(g, name, type, 2);
    return true;
}

static bool constant(struct gen *g)
{
    char name[NAME];
    const char *spelling;
    struct ctype type = type_of_spelling(g, &spelling);
    gen_copy_name(g, name);
    both(g, "const %s %s = ", spelling, name);
    gen_constant(g, 2);
    both(g, ";\n");
    variable_add(g, VARIABLE_INDEX, type, name)->is_const = true;
    if (one_in(g, 2))
        gen_probe(g, &g->variables[g->variable_count - 1]);
    return true;
}

static bool enumeration(struct gen *g)
{
    both(g, "enum { E%u = %u, E%u };\n", g->names, chance(g, 40), g->names + 1);
    for (int i = 0; i < 2; i++) {
        char name[NAME];
        (void)snprintf(name, sizeof name, "E%u", g->names++);
        variable_add(g, VARIABLE_INDEX, type_make('i', 4, 1, true), name)->is_const = true;
    }
    return true;
}

static bool builtin_value(struct gen *g)
{
    char name[NAME];
    gen_copy_name(g, name);
    text_add(&g->cu, one_in(g, 2) ? "auto" : "uint3");
    text_add(&g->host, "uint3"); /* auto is another type for clang without CUDA's headers */
    both(g, " %s = %s;\n", name, one_in(g, 2) ? "threadIdx" : "blockIdx");
    variable_add(g, VARIABLE_INDEX, type_make('i', 4, 3, false), name);
    return true;
}

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static unsigned natural_alignment(struct ctype type)
{
    unsigned size = type_bytes(type);
    return type.lanes == 1 || type.lanes == 3 ? type.bytes : size < 16 ? size : 16;
}

void gen_shared(struct gen *g, bool is_dynamic)
{
    char name[NAME];
    struct ctype type = type_element(g);
    unsigned align = natural_alignment(type), dims = is_dynamic ? 1 : chance(g, 4), sizes[3], count = 1;
    (void)snprintf(name, sizeof name, "s%u", g->shared_count);
    const char *spelling = type_spell(g, type);
    if (is_dynamic) {
        text_add(&g->cu, "extern __shared__ ");
        g->has_dynamic = true;
    } else {
        text_add(&g->cu, one_in(g, 8) ? "static __shared__ " : "__shared__ ");
    }
    if (one_in(g, 5)) {
        align = align < 16 ? 16 : 32;
        text_add(&g->cu, one_in(g, 2) ? "__align__(%u) " : "alignas(%u) ", align);
    }
    text_add(&g->cu, "%s %s", spelling, name);
    struct shared_info *info = &g->shared[g->shared_count];
    for (unsigned i = 0; i < dims && !is_dynamic; i++) {
        sizes[i] = 1 + chance(g, i ? 33 : 8);
        count *= sizes[i];
        text_add(&g->cu, "[%u]", sizes[i]);
    }
    text_add(&g->cu, "%s;\n", is_dynamic ? "[]" : "");
    info->dynamic = is_dynamic;
    info->in_function = g->result != NULL;
    info->bytes = (uint64_t)count * type_bytes(type);
    if (is_dynamic) {
        text_add(&g->host, "%s *const %s = (%s *)DYNAMIC;\n", spelling, name, spelling);
    } else {
        info->offset = round_up(g->static_bytes, align);
        g->static_bytes = info->offset + info->bytes;
        text_add(&g->host, "%s (&%s)", spelling, name);
        for (unsigned i = 0; i < dims; i++)
            text_add(&g->host, "[%u]", sizes[i]);
        text_add(&g->host, " = *(%s (*)", spelling);
        for (unsigned i = 0; i < dims; i++)
            text_add(&g->host, "[%u]", sizes[i]);
        text_add(&g->host, ")SHARED(%llu);\n", (unsigned long long)info->offset);
    }
    struct variable *v = variable_add(g, VARIABLE_SHARED, type, name);
    v->dims = dims;
    v->is_const = true;
    v->buffer = SHARED_BUFFER + (int)g->shared_count++;
}

static bool declare_shared(struct gen *g)
{
    if (g->shared_count >= SHARED_ARRAYS - 1 || g->nesting > 2 || g->dead_text || g->may_contents)
        return false;
    gen_shared(g, false);
    return true;
}

static struct rule rules[] = {
    {"T v = e", 14, 0, {.statement = declare_index}, 0},
    {"auto v = e", 1, 0, {.statement = declare_auto}, 0},
    {"T4 v of numbers", 2, 0, {.statement = declare_vector}, 0},
    {"T v of data", 4, 0, {.statement = declare_data}, 0},
    {"half v", 1, 0, {.statement = declare_half}, 0},
    {"copies", 6, 0, {.statement = copies}, 0},
    {"T v; set later", 4, 0, {.statement = declare_unset}, 0},
    {"const T v", 2, 0, {.statement = constant}, 0},
    {"typedef", 1, 0, {.statement = type_name}, 0},
    {"v = e", 10, 0, {.statement = expression}, 0},
    {"v++", 2, 0, {.statement = count_step}, 0},
    {"data = e", 3, 0, {.statement = assign_data}, 0},
    {"store", 14, 0, {.statement = store}, 0},
    {"probe", 8, 0, {.statement = probe}, 0},
    {"T *p = ...", 3, 0, {.statement = gen_pointer_declaration}, 0},
    {"T *p; set later", 1, FEATURE_POINTER_UNSET + 1, {.statement = gen_pointer_list}, 0},
    {"enum", 1, FEATURE_ENUM + 1, {.statement = enumeration}, 0},
    {"v = threadIdx", 1, FEATURE_BUILTIN_VECTOR + 1, {.statement = builtin_value}, 0},
    {"p moves", 3, 0, {.statement = gen_pointer_move}, 0},
    {"if {}", 8, 0, {.statement = branch}, 0},
    {"if", 4, 0, {.statement = plain_branch}, 0},
    {"for", 5, 0, {.statement = loop_for}, 0},
    {"while, do", 4, 0, {.statement = loop_while}, 0},
    {"break, continue", 5, 0, {.statement = jump}, 0},
    {"return", 1, 0, {.statement = leave}, 0},
    {"__syncthreads", 3, 0, {.statement = barrier}, 0},
    {"__syncwarp", 1, 0, {.statement = warp_barrier}, 0},
    {"{}", 3, 0, {.statement = block}, 0},
    {";", 1, 0, {.statement = empty}, 0},
    {"#if", 1, 0, {.statement = conditional_text}, 0},
    {"__shared__", 1, 0, {.statement = declare_shared}, 0},
    {"f(...);", 2, 0, {.statement = gen_call_statement}, 0},
    {"lambda", 2, 0, {.statement = gen_lambda}, 0},
    {"struct v", 4, 0, {.statement = gen_declare_record}, 0},
    {"template struct", 2, FEATURE_RECORD_TEMPLATE + 1, {.statement = gen_record_template}, 0},
    {"struct = struct", 2, 0, {.statement = gen_copy_record}, 0},
    {"T a[n]", 3, 0, {.statement = gen_array}, 0},
    {"a[e] = e", 3, 0, {.statement = gen_array_store}, 0},
    {"T &r", 2, 0, {.statement = gen_reference}, 0},
    {"T *q = &v", 2, 0, {.statement = gen_local_pointer}, 0},
    {"*(float4 *)d", 2, 0, {.statement = gen_vector_view}, 0},
    {"switch", 3, 0, {.statement = gen_switch}, 0},
    {"if constexpr", 1, 0, {.statement = gen_if_constexpr}, 0},
    {"static_assert", 1, 0, {.statement = gen_static_assert}, 0},
    {"constexpr", 1, 0, {.statement = gen_constexpr}, 0},
    {"using", 1, 0, {.statement = gen_using}, 0},
    {"c[own] = e", 2, 0, {.statement = gen_contents_store}, 0},
    {"exchange in shared", 3, 0, {.statement = gen_exchange}, 0},
    {"__syncthreads_count", 1, 0, {.statement = gen_block_count}, 0},
    {"atomic", 2, 0, {.statement = gen_atomic}, 0},
    {"group", 3, 0, {.statement = gen_group}, 0},
    {"enum class", 1, 0, {.statement = gen_enum_class}, 0},
};

static void gen_statement(struct gen *g)
{
    size_t cu = g->cu.size, host = g->host.size;
    unsigned number = g->statements++;
    if (g->left)
        g->left--;
    for (int i = 0; i < 20; i++) {
        struct rule *rule = rule_choose(g, rules, sizeof rules / sizeof *rules);
        if (rule->print.statement(g))
            break;
        rule->used--;
        g->cu.size = cu;
        g->host.size = host;
    }
    if (g->skip_statement && number < NUMBERS && g->skip_statement[number]) {
        g->cu.size = cu;
        g->host.size = host;
    }
}

void gen_statements(struct gen *g, unsigned count)
{
    for (unsigned i = 0; i < count && g->left; i++)
        gen_statement(g);
    /* what the scope's variables hold when it ends */
    for (unsigned i = g->scope; i < g->variable_count; i++)
        if (g->variables[i].kind == VARIABLE_INDEX && !g->variables[i].unreadable && one_in(g, 4)) {
            gen_full(g);
            gen_probe(g, &g->variables[i]);
        }
}

struct rule *gen_statement_rules(unsigned *count)
{
    *count = sizeof rules / sizeof *rules;
    return rules;
}
