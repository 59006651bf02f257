/* gen_choice.c - choices and names: switch, if constexpr, static_assert, constexpr, using, enum class. */
#include "gen.h"

#include <stdio.h>
#include <string.h>

enum { SAFE = 1000 };

/* A constant expression whose value is known here: at most 10^6 away from 0 on the way. */
void gen_safe_constant(struct gen *g, int64_t *value)
{
    int64_t a = chance(g, 90), b = 1 + chance(g, 30);
    switch (chance(g, 9)) {
    case 0:
        both(g, "(%d + %d)", (int)a, (int)b);
        *value = a + b;
        break;
    case 1:
        both(g, "(%d * %d - 7)", (int)a, (int)b);
        *value = a * b - 7;
        break;
    case 2:
        both(g, "(%d / %d)", (int)a, (int)b);
        *value = a / b;
        break;
    case 3:
        both(g, "(%d %% %d << 2)", (int)a, (int)b);
        *value = (a % b) << 2;
        break;
    case 4:
        both(g, "(%d > %d ? %d : 11)", (int)a, (int)b, (int)a);
        *value = a > b ? a : 11;
        break;
    case 5:
        both(g, "(%d ^ %d)", (int)a, (int)b);
        *value = a ^ b;
        break;
    case 6:
        both(g, "int(sizeof(int) * %d)", (int)b);
        *value = 4 * b;
        break;
    case 7:
        both(g, "-%d", (int)a);
        *value = -a;
        break;
    default:
        both(g, "%d", (int)a);
        *value = a;
        break;
    }
}

/* constexpr int c = ...; static const, static constexpr */
bool gen_constexpr(struct gen *g)
{
    static const char *const heads[] = {"constexpr int", "static constexpr int", "constexpr unsigned short",
                                        "const int", "constexpr auto"};
    char name[NAME];
    int64_t value;
    uint32_t head = chance(g, 5);
    gen_copy_name(g, name);
    both(g, "%s %s = ", heads[head], name);
    if (head == 2) {
        value = chance(g, 500);
        both(g, "%d", (int)value);
    } else {
        gen_safe_constant(g, &value);
    }
    both(g, ";\n");
    struct variable *v = variable_add(
        g, VARIABLE_INDEX, head == 2 ? type_make('i', 2, 1, false) : type_make('i', 4, 1, true), name);
    v->is_const = true;
    if (one_in(g, 3))
        both(g, one_in(g, 2) ? "static_assert(%s == %d, \"it is\");\n" : "static_assert(%s == %d);\n", name,
             (int)value);
    return true;
}

bool gen_static_assert(struct gen *g)
{
    int64_t value;
    both(g, "static_assert(");
    gen_safe_constant(g, &value);
    both(g, one_in(g, 2) ? " == %d, \"a constant\");\n" : " >= %d);\n", (int)value);
    return true;
}

bool gen_if_constexpr(struct gen *g)
{
    if (g->nesting > 4)
        return false;
    int64_t value;
    gen_full(g);
    g->dead_text++;
    both(g, "if constexpr (");
    gen_safe_constant(g, &value);
    both(g, " > %d) ", (int)(value + (one_in(g, 2) ? 1 : -1)));
    gen_body(g, 1 + chance(g, 2));
    if (one_in(g, 2)) {
        both(g, "else ");
        gen_body(g, 1);
    }
    g->dead_text--;
    return true;
}

/* Bodies in braces, so that no label is passed into a declaration's scope; some fall through. */
bool gen_switch(struct gen *g)
{
    if (g->nesting > 4)
        return false;
    bool uniform = g->uniform, full = g->full;
    gen_full(g);
    both(g, "switch (");
    unsigned mask = one_in(g, 3) ? 7 : 3;
    if (one_in(g, 4))
        both(g, "threadIdx.x %% %u", 2 + chance(g, 6));
    else
        gen_small(g, mask);
    both(g, ") {\n");
    g->uniform = g->full = false;
    g->switches++;
    uint32_t next = 0, has_default = chance(g, 3), labels = 1 + chance(g, 4);
    for (uint32_t i = 0; i < labels; i++) {
        if (has_default == 1 && i == labels / 2)
            both(g, "default: ");
        both(g, one_in(g, 6) ? "case %u + 1: " : "case %u: ", next);
        next += 2 + chance(g, 2);
        if (one_in(g, 5))
            both(g, "case %u: ", next++ + 20);
        gen_body(g, chance(g, 3));
        if (!one_in(g, 3))
            both(g, "break;\n");
    }
    if (has_default == 2) {
        both(g, "default: ");
        gen_body(g, 1 + chance(g, 2));
    }
    both(g, "}\n");
    g->switches--;
    g->uniform = uniform;
    g->full = full;
    return true;
}

bool gen_using(struct gen *g)
{
    const char *spelling;
    char name[NAME], alias[NAME];
    struct ctype type = type_of_spelling(g, &spelling);
    (void)snprintf(alias, sizeof alias, "alias%u", g->names++);
    both(g, "using %s = %s;\n", alias, spelling);
    gen_full(g);
    gen_copy_name(g, name);
    both(g, "%s %s = ", alias, name);
    struct variable *v = variable_add(g, VARIABLE_INDEX, type, name);
    v->written_at = g->serial;
    v->held++;
    gen_index(g, 2);
    v->held--;
    v->written_at = 0;
    both(g, ";\n");
    return true;
}

/* enum class C : T { A, B = 5 }; C v = e ? C::A : C::B; and what is asked of it */
bool gen_enum_class(struct gen *g)
{
    unsigned n = g->names++;
    static const char *const bases[] = {"", " : int", " : unsigned char", " : long long"};
    both(g, "enum class Kind%u%s { A, B = %u, D };\n", n, bases[chance(g, 4)], 2 + chance(g, 9));
    gen_full(g);
    both(g, "Kind%u kind%u = ", n, n);
    gen_condition(g, 1);
    both(g, " ? Kind%u::A : Kind%u::B;\n", n, n);
    char name[NAME];
    gen_copy_name(g, name);
    switch (chance(g, 3)) {
    case 0:
        both(g, "int %s = (int)kind%u + static_cast<int>(Kind%u::D);\n", name, n, n);
        break;
    case 1:
        both(g, "int %s = kind%u == Kind%u::B ? 5 : kind%u < Kind%u::B;\n", name, n, n, n, n);
        break;
    default:
        both(g,
             "int %s = 0;\nswitch (kind%u) {\ncase Kind%u::A: %s = 3; break;\ncase Kind%u::B: "
             "%s++;\ndefault: %s += 2;\n}\n",
             name, n, n, name, n, name, name);
        break;
    }
    variable_add(g, VARIABLE_INDEX, type_make('i', 4, 1, true), name);
    return true;
}
