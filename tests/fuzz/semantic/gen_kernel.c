/* gen_kernel.c - a kernel's head, its file and its launch. */
#include "gen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each sample says what was refused when this was written; with the feature its rules come on by themselves.
 */
struct feature gen_features[FEATURE_COUNT] = {
    [FEATURE_FUNCTION_CAST] = {"T(e) first in parentheses",
                               "__global__ void k(float *p) { p[(int(threadIdx.x) + 1)] = 0; }", false},
    [FEATURE_CHARACTER] = {"character literals", "__global__ void k(float *p) { p['a' + '\\x7f'] = 0; }",
                           false},
    [FEATURE_POINTER_DIFFERENCE] = {"pointer difference",
                                    "__global__ void k(float *p) { float *q = p + 3; p[q - p] = 0; }", false},
    [FEATURE_POINTER_COMPARE] = {"pointer comparison",
                                 "__global__ void k(float *p) { if (p < p + 3) p[0] = 0; }", false},
    [FEATURE_POINTER_TRUTH] = {"pointer truth", "__global__ void k(float *p) { if (p) p[0] = 0; }", false},
    [FEATURE_ARROW] = {"->", "__global__ void k(float4 *p) { p->x = 0; }", false},
    [FEATURE_POINTER_LIST] = {"several pointers in a declaration",
                              "__global__ void k(float *p) { float *a = p, *b = p; a[0] = b[1]; }", false},
    [FEATURE_POINTER_UNSET] = {"pointers without a value",
                               "__global__ void k(float *p) { float *q; q = p; q[0] = 0; }", false},
    [FEATURE_BRACES] = {"T v{e}", "__global__ void k(float *p) { int a{3}; p[a] = 0; }", false},
    [FEATURE_ENUM] = {"enum", "__global__ void k(float *p) { enum { A = 3 }; p[A] = 0; }", false},
    [FEATURE_RECORD_TEMPLATE] = {"templates of structs",
                                 "template <int N, class T> struct Q { T a[N]; };\n"
                                 "__global__ void k(float *p) { Q<3, int> q = {{1, 2, 3}}; p[q.a[1]] = 0; }",
                                 false},
    [FEATURE_BUILTIN_VECTOR] = {"threadIdx as a value",
                                "__global__ void k(float *p) { auto t = threadIdx; p[t.x] = 0; }", false},
};

static bool parameters_stay;

static void launch(struct gen *g)
{
    static const uint32_t shapes[][3] = {
        {32, 1, 1}, {32, 1, 1}, {64, 1, 1}, {33, 1, 1}, {8, 4, 1}, {7, 3, 2},  {16, 5, 1}, {1, 40, 1},
        {5, 5, 3},  {20, 1, 1}, {1, 1, 1},  {32, 3, 1}, {4, 4, 4}, {2, 1, 31}, {16, 2, 1}, {96, 1, 1}};
    memcpy(g->block, shapes[chance(g, sizeof shapes / sizeof *shapes)], sizeof g->block);
    for (int i = 0; i < 3; i++)
        g->grid[i] = one_in(g, 3) ? 2 : 1;
}

static void pointer_parameter(struct gen *g, bool is_first)
{
    char name[NAME];
    struct ctype type = is_first ? type_make('f', 4, 1, true) : type_element(g);
    bool to_const = !is_first && one_in(g, 3), is_const = one_in(g, 8) || parameters_stay;
    unsigned i = g->parameter_count++;
    (void)snprintf(name, sizeof name, "p%u", i);
    bool array = one_in(g, 10) && !is_const;
    both(g, "%s%s %s%s", to_const ? "const " : "", type_spell(g, type), array ? "" : "*",
         is_const ? "const " : "");
    text_add(&g->cu, !array && one_in(g, 3) ? "__restrict__ " : "");
    both(g, "%s%s", name, array ? "[]" : "");
    g->parameter_is_pointer[i] = true;
    g->parameter_value[i] = 1 << (4 + chance(g, 12));
    g->parameter_misalignment[i] = one_in(g, 3) ? type_bytes(type) * chance(g, 16) : 0;
    struct variable *v = variable_add(g, VARIABLE_POINTER, type, name);
    v->to_const = to_const;
    v->is_const = is_const;
    v->buffer = (int)i;
}

static void scalar_value(struct gen *g, const char *name, int64_t value)
{
    if (g->scalar_count == sizeof g->scalars / sizeof *g->scalars)
        return;
    name_make(g->scalars[g->scalar_count].name, "%s", name);
    g->scalars[g->scalar_count++].value = value;
}

/* A struct by value. Its floating members are data, whatever they are given. */
static void record_parameter(struct gen *g, struct text *call)
{
    char name[NAME], part[NAME];
    const struct random_record *r = &g->records[chance(g, g->record_count)];
    unsigned i = g->parameter_count++;
    name_make(name, "n%u", i);
    bool is_const = parameters_stay || one_in(g, 2);
    both(g, "%s%s %s", is_const ? "const " : "", r->name, name);
    text_add(call, "n%u::%s{", g->host_name, r->name);
    for (unsigned k = 0; k < r->member_count; k++) {
        const struct shape_member *m = &r->members[k];
        text_add(call, k ? ", " : "");
        text_add(call, m->count ? "{" : "");
        for (unsigned e = 0; e < (m->count ? m->count : 1); e++) {
            int64_t value = m->type.kind == 'b' ? chance(g, 2) : chance(g, 90);
            text_add(call, m->is_data ? "%s0.f" : "%s%d", e ? ", " : "", (int)value);
            name_make(part, m->count ? "%s.%s[%u]" : "%s.%s", name, m->name, e);
            if (!m->is_data)
                scalar_value(g, part, value);
        }
        text_add(call, m->count ? "}" : "");
    }
    text_add(call, "}");
    struct variable *v = variable_add(g, VARIABLE_RECORD, type_make('i', 4, 1, true), name);
    v->record = (int)(r - g->records);
    v->is_const = is_const;
    gen_record_variables(g, g->variable_count - 1);
}

static void scalar_parameter(struct gen *g, struct text *call)
{
    char name[NAME];
    const char *spelling;
    struct ctype type = type_of_spelling(g, &spelling);
    bool is_const = one_in(g, 4) || parameters_stay;
    unsigned i = g->parameter_count++;
    (void)snprintf(name, sizeof name, "n%u", i);
    both(g, "%s%s %s", is_const ? "const " : "", spelling, name);
    int64_t value = chance(g, 120);
    if (type.kind == 'b')
        value &= 1;
    else if (one_in(g, 6))
        value = type.is_signed ? -value : value * (type.bytes == 1 ? 2 : 500);
    scalar_value(g, name, value);
    text_add(call, "(%s)%lldLL", spelling, (long long)value);
    variable_add(g, VARIABLE_INDEX, type, name)->is_const = is_const;
}

static void parameters(struct gen *g, struct text *call)
{
    unsigned pointers = 1 + chance(g, 3), scalars = chance(g, 4);
    for (bool first = true; pointers + scalars; first = false) {
        both(g, first ? "" : ", ");
        text_add(call, first ? "" : ", ");
        if (first || (pointers && one_in(g, 2)) || !scalars) {
            pointer_parameter(g, first);
            struct ctype type = g->variables[g->variable_count - 1].type;
            const char *to = type_spell(g, type);
            text_add(call, "(%s *)BUFFER(%u)", to, g->parameter_count - 1);
            pointers--;
        } else if (g->may_contents && one_in(g, 2) && g->parameter_count < PARAMETERS - 1) {
            gen_contents_parameter(g, call);
            scalars--;
        } else {
            unsigned record = g->record_count ? chance(g, g->record_count) : 0;
            if (g->record_count && !g->for_ptx && !g->records[record].is_union && one_in(g, 3) &&
                !g->records[0].is_union && !g->records[g->record_count - 1].is_union)
                record_parameter(g, call);
            else
                scalar_parameter(g, call);
            scalars--;
        }
    }
}

/* Object-like macros: C0 a constant, M0 and up any expression of built-ins and literals. */
static void macros(struct gen *g)
{
    unsigned count = one_in(g, 2) ? 1 + chance(g, 3) : 0;
    if (!count)
        return;
    both(g, one_in(g, 2) ? "#define C0 %u\n" : "#define C0 (1 + %u)\n", chance(g, 40));
    g->in_macro = true;
    for (unsigned i = 0; i < count; i++) {
        both(g, "#define M%u (", i);
        gen_full(g);
        gen_index(g, 1);
        both(g, ")\n");
        g->macro_count = i + 1;
    }
    g->in_macro = false;
}

static void file_constants(struct gen *g)
{
    while (one_in(g, 3)) {
        char name[NAME];
        const char *spelling;
        struct ctype type = type_of_spelling(g, &spelling);
        (void)snprintf(name, sizeof name, "K%u", g->names++);
        both(g, "%s %s %s = ", "const", spelling, name);
        if (g->for_ptx) /* a device sees it only where no compiler doubts that it is constant */
            both(g, "%u", chance(g, 2));
        else
            gen_constant(g, 2);
        both(g, ";\n");
        variable_add(g, VARIABLE_INDEX, type, name)->is_const = true;
    }
}

static void kernel_head(struct gen *g, struct text *call)
{
    static const char *const heads[] = {"__global__ void k(",
                                        "__global__ void k(",
                                        "__global__ void k(",
                                        "extern \"C\" __global__ void k(",
                                        "__global__ void __launch_bounds__(1024) k(",
                                        "static __global__ void k("};
    text_add(&g->cu, "%s", heads[chance(g, 6)]);
    text_add(&g->host, "KERNEL void k%u(", g->host_name);
    parameters(g, call);
    both(g, ")\n{\n");
}

void gen_kernel(struct gen *g, uint64_t seed, unsigned host_name)
{
    struct text cu = g->cu, host = g->host, call = {0};
    const bool *skip_statement = g->skip_statement, *skip_expression = g->skip_expression;
    bool for_ptx = g->for_ptx;
    *g = (struct gen){.rng = seed,
                      .serial = 1,
                      .uniform = true,
                      .for_ptx = for_ptx,
                      .skip_statement = skip_statement,
                      .skip_expression = skip_expression};
    g->cu = (struct text){cu.at, 0, cu.capacity};
    g->host = (struct text){host.at, 0, host.capacity};
    g->left = 4 + chance(g, 26);
    launch(g);
    g->host_name = host_name;
    g->may_contents = one_in(g, 3);
    g->has_groups = one_in(g, 5) && !for_ptx;
    g->full = g->block[0] * g->block[1] * g->block[2] % 32 == 0;
    text_add(&g->host, "namespace n%u {\n#define DYNAMIC SHARED(", host_name);
    size_t dynamic_at = g->host.size;
    text_add(&g->host, "          )\n");
    text_add(&call, "#ifdef RUNS\nextern \"C\" void run_%u() { n%u::k%u(", host_name, host_name, host_name);
    macros(g);
    file_constants(g);
    gen_file_data(g);
    if (g->has_groups)
        both(g, "namespace cg = cooperative_groups;\n");
    gen_records(g);
    gen_functions(g);
    bool dynamic = one_in(g, 4) && !g->may_contents, outside = one_in(g, 4) && !g->for_ptx;
    if (dynamic && outside)
        gen_shared(g, true);
    kernel_head(g, &call);
    if (dynamic && !outside)
        gen_shared(g, true);
    if (g->may_contents)
        gen_exchange_array(g);
    for (uint32_t i = g->may_contents ? 0 : chance(g, 4); i > 1; i--)
        gen_shared(g, false);
    gen_statements(g, 40);
    both(g, "}\n");
    uint64_t at = (g->static_bytes + 15) / 16 * 16;
    g->dynamic_bytes = g->has_dynamic ? 64u << chance(g, 6) : 0;
    for (unsigned i = 0; i < g->shared_count; i++)
        if (g->shared[i].dynamic) {
            g->shared[i].offset = at;
            g->shared[i].bytes = g->dynamic_bytes;
        }
    char offset[24];
    (void)snprintf(offset, sizeof offset, "%10llu", (unsigned long long)at);
    memcpy(g->host.at + dynamic_at, offset, 10);
    text_add(&g->host, "}\n%s); }\n#endif\n#undef DYNAMIC\n#undef C0\n#undef M0\n#undef M1\n#undef M2\n",
             call.at);
    free(call.at);
}

static struct rule *(*const tables[])(unsigned *) = {gen_leaf_rules, gen_expression_rules,
                                                     gen_statement_rules};

void gen_print_rules(void)
{
    unsigned count;
    for (int table = 0; table < 3; table++) {
        const struct rule *rules = tables[table](&count);
        for (unsigned i = 0; i < count; i++)
            printf("  %10lu  %s\n", rules[i].used, rules[i].name);
    }
}

bool gen_without(const char *name)
{
    bool parameters = strcmp(name, "moved parameters") == 0;
    parameters_stay = parameters_stay || parameters;
    return gen_weigh(name, "0") || parameters;
}

bool gen_weigh(const char *name, const char *weight)
{
    unsigned count;
    bool found = false;
    for (int table = 0; table < 3; table++) {
        struct rule *rules = tables[table](&count);
        for (unsigned i = 0; i < count; i++)
            if (strcmp(rules[i].name, name) == 0) {
                rules[i].weight = (unsigned)strtoul(weight, NULL, 10);
                found = true;
            }
    }
    return found;
}

void gen_free(struct gen *g)
{
    free(g->cu.at);
    free(g->host.at);
}
