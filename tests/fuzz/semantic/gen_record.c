/* gen_record.c - structs and unions, local arrays, references and pointers to locals.
 *
 * Each member and each element that has a constant index is a variable by itself, whose name is how it is
 * written; they share a group with the whole, so that no full expression changes one and reads another.
 */
#include "gen.h"

#include <stdio.h>
#include <string.h>

static const struct ctype INT = {'i', 4, 1, true};

/* Types whose C++ type follows from width and sign. */
static struct ctype member_type(struct gen *g, const char **spelling)
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
                 {"long long", {'i', 8, 1, true}},
                 {"unsigned long long", {'i', 8, 1, false}},
                 {"bool", {'b', 1, 1, false}}};
    uint32_t i = chance(g, 9);
    *spelling = types[i].name;
    return types[i].type;
}

/* Integers of one size see each other's bits; what is read through members of several sizes is data. */
static void union_members(struct gen *g, struct random_record *r)
{
    static const struct shape_member words[] = {{{'i', 4, 1, false}, 0, false, "u"},
                                                {{'i', 4, 1, true}, 0, false, "i"}},
                                     halves[] = {{{'i', 2, 1, true}, 0, false, "s"},
                                                 {{'i', 2, 1, false}, 0, false, "h"}},
                                     mixed[] = {{{'i', 4, 1, false}, 0, true, "u"},
                                                {{'f', 4, 1, true}, 0, true, "f"},
                                                {{'i', 2, 1, false}, 0, true, "s"}};
    uint32_t kind = chance(g, 3);
    const struct shape_member *from = kind == 0 ? words : kind == 1 ? halves : mixed;
    for (unsigned i = 0; i < (kind == 2 ? 3 : 2); i++) {
        struct shape_member *m = &r->members[r->member_count++];
        *m = from[i];
        both(g, "%s %s", type_spell(g, m->type), m->name);
        both(g, m->count ? "[%u]; " : "; ", m->count);
    }
}

static void struct_members(struct gen *g, struct random_record *r)
{
    if (!g->for_ptx && one_in(g, 4)) { /* no part of it; nvcc gives it no address */
        char name[NAME];
        name_make(name, "%s::fixed", r->name);
        both(g,
             one_in(g, 2) ? "static constexpr int fixed = %u; "
                          : "static constexpr unsigned short fixed = 1 + %u; ",
             chance(g, 50));
        struct variable *v = variable_add(g, VARIABLE_INDEX, INT, name);
        v->is_const = v->vague = true;
    }
    for (uint32_t i = 2 + chance(g, 3); i; i--) {
        struct shape_member *m = &r->members[r->member_count];
        const char *spelling;
        *m = (struct shape_member){.type = member_type(g, &spelling)};
        (void)snprintf(m->name, sizeof m->name, "m%u", r->member_count);
        r->member_count++;
        if (one_in(g, 6)) {
            m->is_data = true;
            m->type = type_make('f', 4, 1, true);
            spelling = "float";
        } else if (one_in(g, 4)) {
            m->count = one_in(g, 2) ? 4 : 2;
        }
        both(g, "%s %s", spelling, m->name);
        both(g, m->count ? "[%u]; " : "; ", m->count);
    }
}

/* int get(int k) const { return m0 + k; } */
static void member_function(struct gen *g, struct random_record *r, int index)
{
    unsigned variables = g->variable_count;
    if (g->function_count == FUNCTIONS)
        return;
    bool changes = one_in(g, 3);
    struct function *f = &g->functions[g->function_count++];
    *f = (struct function){
        .gives = 'i', .type = type_make('i', 8, 1, true), .is_member = true, .record = index};
    f->to_change = changes;
    (void)snprintf(f->name, sizeof f->name, "get%u", g->names++);
    both(g, "\n");
    text_add(&g->cu, "__device__ ");
    text_add(&g->host, "MEMBER ");
    both(g, "long long %s(int k)%s { ", f->name, changes ? "" : " const");
    variable_add(g, VARIABLE_INDEX, INT, "k");
    struct variable whole = {
        .kind = VARIABLE_RECORD, .record = index, .group = ++g->groups, .is_const = !changes};
    g->variables[g->variable_count++] = whole;
    gen_record_variables(g, g->variable_count - 1);
    struct variable *v = changes ? variable_pick(g, KIND(VARIABLE_INDEX), true, fits_scalar) : NULL;
    gen_full(g);
    g->no_warp = true;
    g->in_member = true;
    if (v && v->type.kind != 'b') {
        both(g, "%s += ", v->name);
        gen_index(g, 1);
        both(g, "; ");
        gen_full(g);
    }
    both(g, "return ");
    gen_index(g, 2);
    both(g, "; }\n");
    g->no_warp = g->in_member = false;
    g->variable_count = variables;
    r->has_function = true;
}

void gen_records(struct gen *g)
{
    if (one_in(g, 2))
        return;
    for (uint32_t i = 1 + chance(g, 2); i; i--) {
        struct random_record *r = &g->records[g->record_count];
        *r = (struct random_record){.is_union = one_in(g, 3)};
        (void)snprintf(r->name, sizeof r->name, "R%u", g->names++);
        both(g, r->is_union ? "union %s { " : "struct %s { ", r->name);
        if (r->is_union)
            union_members(g, r);
        else
            struct_members(g, r);
        if (one_in(g, 3) && !r->is_union)
            member_function(g, r, (int)g->record_count);
        both(g, "};\n");
        g->record_count++;
    }
}

/* The members of variable `at` as variables. */
void gen_record_variables(struct gen *g, unsigned at)
{
    struct variable whole = g->variables[at];
    if (!whole.group)
        g->variables[at].group = whole.group = ++g->groups;
    const struct random_record *r = &g->records[whole.record];
    for (unsigned i = 0; i < r->member_count; i++) {
        const struct shape_member *m = &r->members[i];
        char name[NAME];
        const char *arrow = whole.to_const ? "->" : whole.name[0] ? "." : ""; /* `to_const`: a pointer */
        name_make(name, "%s%s%s", whole.name, arrow, m->name);
        struct variable *v = variable_add(g,
                                          m->is_data ? VARIABLE_DATA
                                          : m->count ? VARIABLE_ARRAY
                                                     : VARIABLE_INDEX,
                                          m->type, name);
        v->count = m->count;
        v->group = whole.group;
        v->is_const = whole.is_const;
        v->is_member = true;
        if (!m->count)
            continue;
        name_make(name, "%s%s%s[%u]", whole.name, arrow, m->name, chance(g, m->count));
        v = variable_add(g, VARIABLE_INDEX, m->type, name);
        v->group = whole.group;
        v->is_const = whole.is_const;
        v->is_member = true;
    }
}

static void cast_index(struct gen *g, struct ctype type, unsigned depth)
{
    both(g, "(%s)(", type_spell(g, type));
    gen_index(g, depth);
    both(g, ")");
}

static void braces(struct gen *g, const struct random_record *r)
{
    both(g, "{");
    for (unsigned i = 0; i < (r->is_union ? 1 : r->member_count); i++) {
        const struct shape_member *m = &r->members[i];
        both(g, i ? ", " : "");
        if (m->is_data) {
            both(g, "(%s)(", type_spell(g, m->type));
            gen_data(g, m->type, 1);
            both(g, ")");
        } else if (m->count) {
            both(g, "{");
            for (unsigned k = 0; k < m->count; k++) {
                both(g, k ? ", " : "");
                cast_index(g, m->type, 1);
            }
            both(g, "}");
        } else {
            cast_index(g, m->type, 1);
        }
    }
    both(g, "}");
}

/* A value of that record: a variable, a call, or a temporary. */
bool gen_record_argument(struct gen *g, int record, unsigned depth)
{
    struct ctype type;
    for (int i = 0; i < 4; i++) {
        struct variable *v = variable_pick(g, KIND(VARIABLE_RECORD), false, NULL);
        if (!v || v->record != record || v->to_const || !v->name[0])
            continue;
        v->read_at = g->serial;
        both(g, "%s", v->name);
        return true;
    }
    (void)type;
    (void)depth;
    both(g, "%s", g->records[record].name);
    braces(g, &g->records[record]);
    return true;
}

bool gen_declare_record(struct gen *g)
{
    if (!g->record_count || g->variable_count > VARIABLES - 40)
        return false;
    int record = (int)chance(g, g->record_count);
    const struct random_record *r = &g->records[record];
    char name[NAME];
    gen_full(g);
    name_make(name, "r%u", g->names++);
    uint32_t form = chance(g, 5);
    struct ctype type;
    if (form == 0) { /* from a function or another one */
        both(g, "%s %s = ", r->name, name);
        (void)gen_record_argument(g, record, 2);
        both(g, ";\n");
    } else if (form == 1 && gen_call_record(g, record, name, &type)) {
        both(g, ";\n");
    } else if (form == 2 && !r->is_union) { /* two of them in an array */
        both(g, "%s %s[2] = {", r->name, name);
        braces(g, r);
        both(g, ", ");
        braces(g, r);
        both(g, "};\n");
        unsigned group = ++g->groups;
        for (unsigned i = 0; i < 2; i++) {
            char element[NAME];
            name_make(element, "%s[%u]", name, i);
            struct variable *v = variable_add(g, VARIABLE_RECORD, INT, element);
            v->record = record;
            v->group = group;
            gen_record_variables(g, g->variable_count - 1);
        }
        return true;
    } else {
        bool is_const = one_in(g, 6);
        both(g, one_in(g, 3) && !is_const ? "%s%s %s" : "%s%s %s = ", is_const ? "const " : "", r->name,
             name);
        braces(g, r);
        both(g, ";\n");
        struct variable *v = variable_add(g, VARIABLE_RECORD, INT, name);
        v->record = record;
        v->is_const = is_const;
        gen_record_variables(g, g->variable_count - 1);
        return true;
    }
    struct variable *v = variable_add(g, VARIABLE_RECORD, INT, name);
    v->record = record;
    unsigned at = g->variable_count - 1;
    gen_record_variables(g, at);
    if (one_in(g, 4)) { /* R *q = &r; R &q = r; */
        char other[NAME];
        bool pointer = one_in(g, 2);
        name_make(other, "r%u", g->names++);
        both(g, pointer ? "%s *%s = &%s;\n" : "%s &%s = %s;\n", r->name, other, name);
        struct variable *q = variable_add(g, VARIABLE_RECORD, INT, other);
        q->record = record;
        q->group = g->variables[at].group;
        q->to_const = pointer;
        gen_record_variables(g, g->variable_count - 1);
    }
    return true;
}

/* r = s; */
bool gen_copy_record(struct gen *g)
{
    gen_full(g);
    struct variable *v = variable_pick(g, KIND(VARIABLE_RECORD), true, NULL);
    if (!v || !v->name[0])
        return false;
    both(g, v->to_const ? "*%s = " : "%s = ", v->name);
    v->held++;
    (void)gen_record_argument(g, v->record, 1);
    v->held--;
    both(g, ";\n");
    v->written_at = g->serial;
    return true;
}

/* T a[4] = {...}; or filled by a loop */
bool gen_array(struct gen *g)
{
    const char *spelling;
    struct ctype type = member_type(g, &spelling);
    char name[NAME];
    if (g->variable_count > VARIABLES - 40)
        return false;
    unsigned count = 2u << chance(g, 3);
    bool is_const = one_in(g, 5);
    gen_full(g);
    name_make(name, "a%u", g->names++);
    if (one_in(g, 4) && !is_const && !g->for_ptx) {
        both(g, "%s %s[%u];\nfor (int i_ = 0; i_ < %u; i_++) %s[i_] = i_ * %u + ", spelling, name, count,
             count, name, chance(g, 9));
        g->pure++;
        gen_index(g, 1);
        g->pure--;
        both(g, ";\n");
    } else {
        both(g, "%s%s %s[%s] = {", is_const ? "const " : "", spelling, name, "");
        for (unsigned i = 0; i < count; i++) {
            both(g, i ? ", " : "");
            cast_index(g, type, chance(g, 2));
        }
        both(g, "};\n");
    }
    unsigned group = ++g->groups;
    struct variable *v = variable_add(g, VARIABLE_ARRAY, type, name);
    v->count = count;
    v->group = group;
    v->is_const = is_const;
    for (int i = 0; i < 2; i++) {
        char element[NAME];
        name_make(element, "%s[%u]", name, chance(g, count));
        v = variable_add(g, VARIABLE_INDEX, type, element);
        v->group = group;
        v->is_const = is_const;
        v->is_member = true;
    }
    return true;
}

/* A compiler keeps an array that is indexed by what it does not know in local memory, which is not followed.
 */
static void array_index(struct gen *g, const struct variable *v)
{
    if (g->for_ptx) {
        both(g, "%u", chance(g, v->count));
    } else {
        both(g, "((");
        gen_index(g, chance(g, 3));
        both(g, ") & %u)", v->count - 1);
    }
}

/* int &r = v; auto &r = v; const T &r = v; */
bool gen_reference(struct gen *g)
{
    char name[NAME];
    gen_full(g);
    struct variable *v = g->for_ptx ? NULL : variable_pick(g, KIND(VARIABLE_ARRAY), false, NULL);
    if (v && one_in(g, 2)) { /* of the element that the index says now */
        struct variable from = *v;
        name_make(name, "z%u", g->names++);
        v->held++;
        both(g, "auto &%s = %s[", name, from.name);
        array_index(g, &from);
        both(g, "];\n");
        v->held--;
        v = variable_add(g, VARIABLE_INDEX, from.type, name);
        v->group = from.group;
        v->is_const = from.is_const;
        v->held = from.held;
        v->is_member = true;
        return true;
    }
    v = variable_pick(g, KIND(VARIABLE_INDEX), false, fits_scalar);
    if (!v || v->name[0] == 'K' || v->name[0] == 'E' || v->name[0] == 't')
        return false;
    if (!v->group)
        v->group = ++g->groups;
    struct variable from = *v;
    name_make(name, "z%u", g->names++);
    bool is_const = from.is_const || one_in(g, 4);
    both(g, "%sauto &%s = %s;\n", is_const ? "const " : "", name, from.name);
    v = variable_add(g, VARIABLE_INDEX, from.type, name);
    v->group = from.group;
    v->is_const = is_const;
    v->vague = from.vague;
    v->held = from.held;
    if (one_in(g, 2))
        gen_probe(g, v);
    return true;
}

static bool fits_plain_type(const struct variable *v)
{
    return v->type.lanes == 1 && !v->vague;
}

/* T *q = &v; T *q = a; then *q and q[i] */
bool gen_local_pointer(struct gen *g)
{
    char name[NAME];
    gen_full(g);
    struct variable *v =
        variable_pick(g, KIND(VARIABLE_ARRAY) | KIND(VARIABLE_INDEX), false, fits_plain_type);
    if (!v || v->name[0] == 'K' || v->name[0] == 'E' || v->name[0] == 't')
        return false;
    if (!v->group)
        v->group = ++g->groups;
    struct variable from = *v;
    name_make(name, "q%u", g->names++);
    bool is_const = from.is_const || one_in(g, 4);
    unsigned skip = from.kind == VARIABLE_ARRAY && one_in(g, 3) ? from.count / 2 : 0;
    both(g, "%sauto *%s = ", is_const ? "const " : "", name);
    if (from.kind == VARIABLE_INDEX)
        both(g, "&%s;\n", from.name);
    else if (skip)
        both(g, one_in(g, 2) ? "%s + %u;\n" : "&%s[%u];\n", from.name, skip);
    else
        both(g, "%s;\n", from.name);
    char element[NAME];
    bool array = from.kind == VARIABLE_ARRAY;
    unsigned count = array ? from.count - skip : 1;
    name_make(element, array && one_in(g, 2) ? "%s[1]" : "(*%s)", name);
    if (count < 2)
        name_make(element, "(*%s)", name);
    v = variable_add(g, VARIABLE_INDEX, from.type, element);
    v->group = from.group;
    v->is_const = is_const;
    v->held = from.held;
    v->is_member = true;
    if (!array)
        return true;
    v = variable_add(g, VARIABLE_ARRAY, from.type, name);
    v->group = from.group;
    v->is_const = is_const;
    v->maybe_shared = true; /* a pointer */
    v->count = count;
    return true;
}

/* a[e] where it is read */
struct ctype gen_array_element(struct gen *g, unsigned depth)
{
    (void)depth;
    struct variable *v = variable_pick(g, KIND(VARIABLE_ARRAY), false, NULL);
    if (!v || g->in_macro)
        return gen_index(g, 0);
    struct ctype type = v->type;
    v->read_at = g->serial;
    v->held++;
    both(g, "%s[", v->name);
    array_index(g, v);
    both(g, "]");
    v->held--;
    return type;
}

/* a[e] = e; a[e] += e; */
bool gen_array_store(struct gen *g)
{
    static const char *const ops[] = {"=", "=", "+=", "-=", "*=", "&=", "|=", "^="};
    gen_full(g);
    struct variable *v = variable_pick(g, KIND(VARIABLE_ARRAY), true, NULL);
    if (!v)
        return false;
    v->held++;
    both(g, "%s[", v->name);
    array_index(g, v);
    both(g, "] %s ", ops[chance(g, v->type.kind == 'b' ? 2 : 8)]);
    gen_index(g, 2);
    both(g, ";\n");
    v->held--;
    v->written_at = g->serial;
    return true;
}

/* r.get(e) */
bool gen_member_call(struct gen *g, unsigned depth)
{
    struct variable *v = variable_pick(g, KIND(VARIABLE_RECORD), true, NULL);
    if (!v || !v->name[0] || g->in_macro || g->pure)
        return false;
    for (unsigned i = 0; i < g->function_count; i++) {
        struct function *f = &g->functions[i];
        if (!f->is_member || f->record != v->record)
            continue;
        v->held++;
        both(g, "%s%s%s(", v->name, v->to_const ? "->" : ".", f->name);
        gen_index(g, depth);
        both(g, ")");
        v->held--;
        if (f->to_change)
            v->written_at = g->serial;
        else
            v->read_at = g->serial;
        return true;
    }
    return false;
}

static bool fits_vector_base(const struct variable *v)
{
    return v->kind == VARIABLE_POINTER && !v->to_const && v->type.kind == 'f' && v->type.bytes == 4 &&
           v->type.lanes == 1;
}

/* float d[4]; *(float4 *)d = *(float4 *)&p[i]; reinterpret_cast<float4 *>(&p[i])[0] = FLOAT4(d[0]); */
bool gen_vector_view(struct gen *g)
{
    char name[NAME];
    gen_full(g);
    struct variable *p = variable_pick(g, KIND(VARIABLE_POINTER), false, fits_vector_base);
    if (!p || g->sites > NUMBERS - 8)
        return false;
    unsigned lanes = one_in(g, 2) ? 4 : 2;
    name_make(name, "d%u", g->names++);
    both(g, "float %s[%u];\n", name, lanes);
    static const char *const views[] = {"*(float%u *)%s%s", "reinterpret_cast<float%u *>(%s%s)[0]",
                                        "*reinterpret_cast<float%u *>(%s%s)"};
    both(g, views[chance(g, 3)], lanes, "&", name);
    both(g, " = ");
    for (int store = 0; store < 2; store++) {
        if (store) {
            gen_full(g);
            if (one_in(g, 2)) {
                both(g, "%s[%u] = ", name, chance(g, lanes));
                gen_data(g, type_make('f', 4, 1, true), 1);
                both(g, ";\n");
            }
            gen_full(g);
        }
        unsigned site = g->sites++;
        text_add(&g->host, "%s(%u, ", store ? "ST" : "LD", site);
        g->site_begin[site] = (uint32_t)g->cu.size;
        static const char *const reads[] = {"*(float%u *)&%s[", "reinterpret_cast<float%u *>(&%s[",
                                            "((float%u *)%s)["};
        uint32_t form = chance(g, 3);
        both(g, reads[form], lanes, p->name);
        if (form != 2)
            both(g, "%u * (", lanes);
        p->read_at = g->serial;
        p->held++;
        gen_subscript(g, 1);
        p->held--;
        both(g, form == 2 ? "]" : form == 1 ? ")])[0]" : ")]");
        g->site_end[site] = (uint32_t)g->cu.size;
        text_add(&g->host, ")");
        if (store)
            both(g, " = *(float%u *)&%s[0]", lanes, name);
        both(g, ";\n");
    }
    return true;
}
