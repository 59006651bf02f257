/* gen_memory.c - pointers, memory operands, and the data that moves. */
#include "gen.h"

#include <stdio.h>
#include <string.h>

static bool is_scalar(struct ctype type)
{
    return type.lanes == 1 && type.kind != 'h';
}

/* A memory operand, decided before it is printed: a base, perhaps seen as another element type, perhaps one
 * component of it. */
struct target {
    struct variable *base;
    struct ctype element; /* after the cast */
    bool cast;
    bool is_const;
    int component; /* -1: the element */
    struct ctype type;
};

static struct target target_of(struct gen *g, struct variable *base)
{
    struct target t = {.base = base, .element = base->type, .is_const = base->to_const, .component = -1};
    bool scalar = base->kind == VARIABLE_SHARED && base->dims == 0;
    if (!scalar && one_in(g, 5)) {
        t.cast = true;
        t.element = type_element(g);
    }
    t.type = t.element;
    if (t.element.lanes > 1 && one_in(g, 2)) {
        t.component = (int)chance(g, t.element.lanes);
        t.type.lanes = 1;
    }
    return t;
}

/* Picks an operand whose type `fits`; false after some tries. */
static bool target_pick(struct gen *g, bool to_write, struct ctype wanted, bool exact, struct target *t)
{
    for (int i = 0; i < 6; i++) {
        struct variable *base = variable_pick(g, KIND(VARIABLE_POINTER) | KIND(VARIABLE_SHARED), false, NULL);
        if (!base)
            return false;
        *t = target_of(g, base);
        if (to_write && t->is_const)
            continue;
        if (exact ? type_equal(t->type, wanted) : is_scalar(t->type))
            return true;
    }
    return false;
}

static void full_index(struct gen *g, const struct variable *array)
{
    both(g, "%s", array->name);
    for (unsigned i = 0; i < array->dims; i++) {
        both(g, "[");
        if (i + 1 < array->dims && one_in(g, 2))
            gen_small(g, 31);
        else
            gen_subscript(g, 1);
        both(g, "]");
    }
}

static void star(struct gen *g, const struct target *t, bool reinterpret)
{
    both(g, reinterpret ? "reinterpret_cast<%s%s *>(" : "(%s%s *)", t->is_const ? "const " : "",
         type_spell(g, t->element));
}

/* A pointer to base's elements that may be moved on the way. `atom`: something that can stand before [. */
static void pointer(struct gen *g, struct variable *base, bool atom)
{
    if (base->kind == VARIABLE_SHARED) {
        if (base->dims > 1 || one_in(g, 3)) {
            both(g, atom ? "(&" : "&");
            full_index(g, base);
            both(g, atom ? ")" : "");
        } else {
            both(g, "%s", base->name);
        }
        return;
    }
    bool free = variable_may(g, base, true);
    uint32_t kind = chance(g, 12);
    (void)variable_take(g, base, free && kind < 3);
    if (free && kind == 0) {
        base->written_at = g->serial;
        both(g, one_in(g, 2) ? "%s++" : "%s--", base->name);
    } else if (free && kind == 1) {
        base->written_at = g->serial;
        both(g, one_in(g, 2) ? "(++%s)" : "(--%s)", base->name);
    } else if (free && kind == 2) {
        both(g, one_in(g, 2) ? "(%s += " : "(%s -= ", base->name);
        base->held++;
        gen_subscript(g, 1);
        base->held--;
        base->written_at = g->serial;
        both(g, ")");
    } else {
        base->read_at = g->serial;
        if (kind == 3) {
            both(g, one_in(g, 2) ? "(%s + " : "(%s - ", base->name);
            gen_subscript(g, 1);
            both(g, ")");
        } else if (kind == 4) {
            both(g, atom ? "(&%s[" : "&%s[", base->name);
            gen_subscript(g, 1);
            both(g, atom ? "])" : "]");
        } else if (kind == 5) {
            both(g, "(");
            gen_condition(g, 1);
            both(g, " ? %s : %s + ", base->name, base->name);
            gen_small(g, 15);
            both(g, ")");
        } else if (kind == 6) {
            both(g, "(");
            gen_subscript(g, 0);
            both(g, " + %s)", base->name);
        } else {
            both(g, "%s", base->name);
        }
    }
}

static void cast_pointer(struct gen *g, const struct target *t, bool atom)
{
    if (!t->cast) {
        pointer(g, t->base, atom);
        return;
    }
    bool reinterpret = one_in(g, 3);
    both(g, atom && !reinterpret ? "(" : "");
    star(g, t, reinterpret);
    pointer(g, t->base, !reinterpret);
    both(g, reinterpret || atom ? ")" : "");
}

static void element(struct gen *g, const struct target *t)
{
    bool shared = t->base->kind == VARIABLE_SHARED;
    if (shared && !t->cast && (t->base->dims == 0 || !one_in(g, 4))) {
        full_index(g, t->base);
        return;
    }
    uint32_t kind = chance(g, 8);
    bool inner = t->component >= 0;
    if (kind == 0) {
        both(g, inner ? "(*" : "*");
        cast_pointer(g, t, true);
        both(g, inner ? ")" : "");
    } else if (kind == 1) {
        both(g, inner ? "(*(" : "*(");
        cast_pointer(g, t, true);
        both(g, one_in(g, 3) ? " - " : " + ");
        gen_subscript(g, 1);
        both(g, inner ? "))" : ")");
    } else if (kind == 2 && one_in(g, 3)) {
        gen_subscript(g, 0);
        both(g, "[");
        cast_pointer(g, t, false);
        both(g, "]");
    } else {
        cast_pointer(g, t, true);
        both(g, "[");
        gen_subscript(g, 2);
        both(g, "]");
    }
}

static unsigned site_open(struct gen *g, const char *wrapper)
{
    unsigned site = g->sites++;
    text_add(&g->host, "%s(%u, ", wrapper, site);
    if (site < NUMBERS)
        g->site_begin[site] = (uint32_t)g->cu.size;
    return site;
}

static void site_close(struct gen *g, unsigned site)
{
    if (site < NUMBERS)
        g->site_end[site] = (uint32_t)g->cu.size;
    text_add(&g->host, ")");
}

static void memory(struct gen *g, const struct target *t, const char *wrapper)
{
    unsigned site = site_open(g, wrapper);
    if (t->type.lanes == 3)
        g->sites += 2; /* one for each component */
    bool global = t->base->kind == VARIABLE_POINTER && !t->base->maybe_shared && t->base->buffer >= 0 &&
                  t->base->buffer < SHARED_BUFFER;
    if (global && t->component < 0 && wrapper[0] == 'L' && one_in(g, 6)) {
        text_add(&g->cu, "__ldg(");
        text_add(&g->host, "*(");
        cast_pointer(g, t, true);
        if (one_in(g, 2)) {
            both(g, " + ");
            gen_subscript(g, 1);
        }
        both(g, ")");
    } else if (t->component >= 0 && gen_features[FEATURE_ARROW].on && one_in(g, 4) &&
               !(t->base->kind == VARIABLE_SHARED && t->base->dims == 0)) {
        cast_pointer(g, t, true);
        both(g, "->%c", "xyzw"[t->component]);
    } else {
        element(g, t);
        if (t->component >= 0)
            both(g, ".%c", "xyzw"[t->component]);
    }
    site_close(g, site);
    for (unsigned i = 1; t->type.lanes == 3 && i < 3 && site + i < NUMBERS; i++) {
        g->site_begin[site + i] = g->site_begin[site];
        g->site_end[site + i] = g->site_end[site];
    }
}

static bool fits_half(const struct variable *v)
{
    return v->type.kind == 'h';
}

static bool fits_number(const struct variable *v)
{
    return v->type.kind != 'h' && v->type.kind != 'b';
}

static void scalar_leaf(struct gen *g)
{
    struct target t;
    uint32_t kind = chance(g, 8);
    if (kind < 4 && target_pick(g, false, (struct ctype){0}, false, &t)) {
        memory(g, &t, "LD");
        return;
    }
    struct variable *v = kind < 6 ? variable_pick(g, KIND(VARIABLE_DATA), false, fits_number) : NULL;
    if (v) {
        v->read_at = g->serial;
        both(g, "%s", v->name);
        if (v->type.lanes > 1)
            both(g, ".%c", "xyzw"[chance(g, v->type.lanes)]);
    } else if (kind == 7 && one_in(g, 2) && gen_constant_data(g)) {
        ;
    } else if (kind == 6) {
        static const char *const literals[] = {"1.0f", "2.5", "0.f", "1e3f", ".5f", "3.0"};
        const char *literal = literals[chance(g, 6)];
        text_add(&g->cu, "%s", literal);
        text_add(&g->host, "OPAQUE(%s)", literal); /* no compiler finds out that a type does not hold it */
    } else {
        bool real = one_in(g, 2);
        text_add(&g->host, "OPAQUE(");
        both(g, "(%s)(", real ? "float" : "int");
        gen_index(g, 1);
        both(g, ")");
        text_add(&g->host, ")");
    }
}

static void scalar_data(struct gen *g, unsigned depth)
{
    static const char *const ops[] = {"+", "-", "*", "+"};
    uint32_t kind = depth ? chance(g, 10) : 8;
    struct ctype type;
    if (kind == 9 && gen_call(g, 'd', depth, &type))
        return;
    if (kind < 3) {
        both(g, "(");
        scalar_data(g, depth - 1);
        both(g, " %s ", ops[chance(g, 4)]);
        scalar_data(g, depth - 1);
        both(g, ")");
    } else if (kind == 3) {
        both(g, "(");
        gen_condition(g, 1);
        both(g, " ? ");
        scalar_data(g, depth - 1);
        both(g, " : ");
        scalar_data(g, depth - 1);
        both(g, ")");
    } else if (kind == 4) {
        both(g, one_in(g, 2) ? "fminf(" : "max((float)");
        scalar_leaf(g);
        both(g, ", ");
        both(g, one_in(g, 2) ? "(float)" : "");
        scalar_leaf(g);
        both(g, ")");
    } else if (kind == 5) {
        both(g, "(-");
        both(g, "(");
        scalar_data(g, depth - 1);
        both(g, "))");
    } else {
        scalar_leaf(g);
    }
}

static void vector_data(struct gen *g, struct ctype type, unsigned depth)
{
    struct target t;
    uint32_t kind = chance(g, 8);
    if (kind < 3 && target_pick(g, false, type, true, &t)) {
        memory(g, &t, "LD");
        return;
    }
    if (kind < 5)
        for (unsigned i = 0; i < g->variable_count; i++) {
            struct variable *v = variable_pick(g, KIND(VARIABLE_DATA), false, NULL);
            if (v && type_equal(v->type, type)) {
                v->read_at = g->serial;
                both(g, "%s", v->name);
                return;
            }
        }
    if (kind == 5 && depth) {
        both(g, "(");
        gen_condition(g, 1);
        both(g, " ? ");
        vector_data(g, type, depth - 1);
        both(g, " : ");
        vector_data(g, type, depth - 1);
        both(g, ")");
        return;
    }
    static const char *const counts[] = {"two", "three", "four"};
    text_add(&g->cu, "make_%s%u(", type_vector_base(type), type.lanes);
    text_add(&g->host, "(make_%s::%s{", type_vector_base(type), counts[type.lanes - 2]);
    for (unsigned i = 0; i < type.lanes; i++) {
        both(g, i ? ", " : "");
        scalar_data(g, 1);
    }
    text_add(&g->cu, ")");
    text_add(&g->host, "}.v)");
}

static bool half_data(struct gen *g)
{
    struct target t;
    struct variable *v = one_in(g, 2) ? variable_pick(g, KIND(VARIABLE_DATA), false, fits_half) : NULL;
    if (v) {
        v->read_at = g->serial;
        both(g, "%s", v->name);
        return true;
    }
    if (!target_pick(g, false, type_make('h', 2, 1, true), true, &t))
        return false;
    memory(g, &t, "LD");
    return true;
}

void gen_data(struct gen *g, struct ctype type, unsigned depth)
{
    if (type.lanes > 1)
        vector_data(g, type, depth);
    else if (type.kind != 'h')
        scalar_data(g, depth);
    else if (!half_data(g))
        both(g, "half()"); /* the caller asked first */
}

static bool can_give_half(struct gen *g)
{
    return variable_pick(g, KIND(VARIABLE_DATA), false, fits_half) != NULL;
}

bool gen_store(struct gen *g)
{
    struct target t;
    gen_full(g);
    struct variable *base = variable_pick(g, KIND(VARIABLE_POINTER) | KIND(VARIABLE_SHARED), false, NULL);
    if (!base)
        return false;
    t = target_of(g, base);
    if (t.is_const || (t.type.kind == 'h' && !can_give_half(g)))
        return false;
    bool number = is_scalar(t.type) && t.type.kind != 'b';
    uint32_t kind = number ? chance(g, 10) : 9;
    if (kind == 0) {
        both(g, one_in(g, 2) ? "++" : "--");
        memory(g, &t, "ST");
        return true;
    }
    unsigned site = g->sites;
    memory(g, &t, "ST");
    if (kind == 1 && g->cu.at[g->site_begin[site % NUMBERS]] != '*') { /* *p++ would move p */
        both(g, one_in(g, 2) ? "++" : "--");
        return true;
    }
    both(g, " %s ", kind == 2 ? "+=" : kind == 3 ? "-=" : kind == 4 ? "*=" : "=");
    if (t.type.kind == 'h') {
        struct variable *v = variable_pick(g, KIND(VARIABLE_DATA), false, fits_half);
        if (!v) /* read above already */
            v = variable_pick(g, KIND(VARIABLE_DATA), false, fits_half);
        both(g, "%s", v ? v->name : "1");
        return true;
    }
    gen_data(g, t.type, 2);
    return true;
}

static bool fits_writable_number(const struct variable *v)
{
    return !v->to_const && v->type.kind != 'h' && v->type.lanes == 1 &&
           (v->kind == VARIABLE_POINTER || v->dims == 1);
}

void gen_probe(struct gen *g, const struct variable *v)
{
    gen_full(g);
    struct variable *base = variable_pick(g, KIND(VARIABLE_POINTER), false, fits_writable_number);
    if (!base || base->type.kind == 'b')
        return;
    struct target t = {.base = base, .element = base->type, .component = -1, .type = base->type};
    unsigned site = site_open(g, "ST");
    both(g, "%s[", base->name);
    if (v->type.lanes > 1)
        both(g, "(%s.%c & 0xffffff)", v->name, "xyzw"[chance(g, v->type.lanes)]);
    else if (v->type.bytes == 8)
        both(g, one_in(g, 2) ? "%s & 0xfffffff" : "%s %% 1000003", v->name);
    else
        both(g, "%s", v->name);
    both(g, "]");
    site_close(g, site);
    both(g, " = ");
    gen_data(g, t.type, 0);
    both(g, ";\n");
}

static bool fits_rooted(const struct variable *v)
{
    return v->kind == VARIABLE_POINTER ? v->buffer >= 0 : v->dims > 0;
}

bool gen_pointer_declaration(struct gen *g)
{
    gen_full(g);
    struct variable *base =
        variable_pick(g, KIND(VARIABLE_POINTER) | KIND(VARIABLE_SHARED), false, fits_rooted);
    if (!base)
        return false;
    struct target t = {.base = base, .element = base->type, .is_const = base->to_const || one_in(g, 4)};
    if (one_in(g, 3)) {
        t.cast = true;
        t.element = type_element(g);
    }
    char name[NAME];
    (void)snprintf(name, sizeof name, "%s", name_new(g));
    if (strcmp(name, base->name) == 0) /* in its own value the name means itself */
        (void)snprintf(name, sizeof name, "q%u", g->names++);
    bool is_const = one_in(g, 8);
    if (one_in(g, 6) && !is_const) {
        t.is_const = base->to_const;
        both(g, "auto %s = ", name);
    } else {
        both(g, "%s%s *%s", t.is_const ? "const " : "", type_spell(g, t.element), is_const ? "const " : "");
        text_add(&g->cu, one_in(g, 8) ? "__restrict__ " : "");
        both(g, "%s = ", name);
    }
    struct variable *own = variable_add(g, VARIABLE_POINTER, t.element, name);
    own->unreadable = true;
    cast_pointer(g, &t, false);
    own->unreadable = false;
    own->to_const = t.is_const;
    own->is_const = is_const;
    own->buffer = base->buffer;
    both(g, ";\n");
    return true;
}

static bool fits_movable(const struct variable *v)
{
    return v->kind == VARIABLE_POINTER;
}

/* p++, p += e, p = p + e, p = another one of its buffer, or, where every thread passes, of any. */
bool gen_pointer_move(struct gen *g)
{
    gen_full(g);
    struct variable *v = variable_pick(g, KIND(VARIABLE_POINTER), true, fits_movable);
    if (!v)
        return false;
    uint32_t kind = chance(g, 6);
    if (kind == 0) {
        both(g, one_in(g, 2) ? "%s++" : "--%s", v->name);
    } else if (kind < 3) {
        both(g, one_in(g, 3) ? "%s -= " : "%s += ", v->name);
        v->held++;
        gen_subscript(g, 2);
        v->held--;
    } else {
        for (int i = 0; i < 8; i++) {
            struct variable *base =
                variable_pick(g, KIND(VARIABLE_POINTER) | KIND(VARIABLE_SHARED), false, fits_rooted);
            bool other = base && g->uniform && g->nesting == 0 && v->name[0] != 'p' && /* parameters stay */
                         (base->buffer < SHARED_BUFFER) == (v->buffer < SHARED_BUFFER);
            if (!base || (base->buffer != v->buffer && !other) || (base->to_const && !v->to_const) ||
                (base->is_const && base == v))
                continue;
            struct target t = {.base = base,
                               .element = v->type,
                               .is_const = v->to_const,
                               .cast = !type_equal(base->type, v->type)};
            v->held++;
            both(g, "%s = ", v->name);
            cast_pointer(g, &t, false);
            v->held--;
            v->written_at = g->serial;
            v->buffer = base->buffer;
            both(g, ";\n");
            return true;
        }
        return false;
    }
    both(g, ";\n");
    v->written_at = g->serial;
    return true;
}

bool gen_pointer_compare(struct gen *g)
{
    struct variable *v = variable_pick(g, KIND(VARIABLE_POINTER), false, fits_rooted);
    if (!v)
        return false;
    static const char *const ops[] = {"<", ">", "<=", ">=", "==", "!="};
    v->read_at = g->serial;
    both(g, "(%s %s %s + ", v->name, ops[chance(g, 6)], v->name);
    gen_small(g, 7);
    both(g, ")");
    return true;
}

bool gen_pointer_difference(struct gen *g)
{
    struct variable *v = variable_pick(g, KIND(VARIABLE_POINTER), false, fits_rooted);
    if (!v)
        return false;
    v->read_at = g->serial;
    both(g, "(%s + ", v->name);
    gen_small(g, 63);
    both(g, " - %s)", v->name);
    return true;
}

bool gen_pointer_truth(struct gen *g)
{
    struct variable *v = variable_pick(g, KIND(VARIABLE_POINTER), false, fits_rooted);
    if (!v)
        return false;
    v->read_at = g->serial;
    both(g, one_in(g, 2) ? "(%s && true)" : "!%s", v->name);
    return true;
}

/* A pointer to `type` as it is handed to a function. False: there is none. */
bool gen_pointer_argument(struct gen *g, struct ctype type, bool to_const)
{
    for (int i = 0; i < 6; i++) {
        struct variable *base =
            variable_pick(g, KIND(VARIABLE_POINTER) | KIND(VARIABLE_SHARED), false, fits_rooted);
        if (!base)
            return false;
        struct target t = {.base = base,
                           .element = type,
                           .is_const = to_const,
                           .cast = !type_equal(base->type, type) || (base->to_const && !to_const)};
        if (base->to_const && !to_const)
            continue;
        cast_pointer(g, &t, false);
        return true;
    }
    return false;
}

/* T *a = p, *b; b = p; */
bool gen_pointer_list(struct gen *g)
{
    char names[2][NAME];
    bool list = gen_features[FEATURE_POINTER_LIST].on && one_in(g, 2);
    gen_full(g);
    struct variable *base = variable_pick(g, KIND(VARIABLE_POINTER), false, fits_rooted);
    if (!base || base->unreadable)
        return false;
    for (int i = 0; i < 2; i++)
        (void)snprintf(names[i], sizeof names[i], "q%u", g->names++);
    both(g, "%s%s *%s", base->to_const ? "const " : "", type_spell(g, base->type), names[0]);
    if (list)
        both(g, " = %s, *%s = %s + threadIdx.x;\n", base->name, names[1], base->name);
    else if (one_in(g, 2)) {
        both(g, ";\nif (");
        gen_condition(g, 1);
        both(g, ") %s = %s;\nelse %s = %s + 1;\n", names[0], base->name, names[0], base->name);
    } else {
        both(g, ";\n%s = %s + 3;\n", names[0], base->name);
    }
    struct variable from = *base;
    for (int i = 0; i < (list ? 2 : 1); i++) {
        struct variable *v = variable_add(g, VARIABLE_POINTER, from.type, names[i]);
        v->to_const = from.to_const;
        v->buffer = from.buffer;
    }
    return true;
}
