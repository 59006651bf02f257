/* gen_expr.c - index expressions: all operators on all integer types. */
#include "gen.h"

#include <stdio.h>
#include <string.h>

static const struct ctype INT = {'i', 4, 1, true};
static const struct ctype UINT = {'i', 4, 1, false};
static const struct ctype BOOL = {'b', 1, 1, false};

void gen_full(struct gen *g)
{
    g->serial++;
}

/* Is a newer variable of that name in the way? */
static bool is_hidden(const struct gen *g, const struct variable *v)
{
    for (const struct variable *w = v + 1; w < g->variables + g->variable_count; w++)
        if (strcmp(v->name, w->name) == 0)
            return true;
    return false;
}

bool fits_scalar(const struct variable *v)
{
    return v->type.lanes == 1;
}

/* Did this full expression leave v, and all that shares its bytes, alone enough? */
static bool is_free(const struct gen *g, const struct variable *v, bool to_write)
{
    for (const struct variable *w = g->variables; w < g->variables + g->variable_count; w++) {
        if (w != v && (!v->group || w->group != v->group))
            continue;
        if (w->written_at == g->serial || (to_write && (w->held || w->read_at == g->serial)))
            return false;
    }
    return !to_write || !v->is_const;
}

/* A lambda's body remembers what it takes from outside. */
struct variable *variable_take(struct gen *g, struct variable *v, bool to_write)
{
    unsigned at = v ? (unsigned)(v - g->variables) : 0;
    if (v && g->capturing && at < g->capture_from) {
        g->capturing->reads[at / 64] |= UINT64_C(1) << at % 64;
        if (to_write)
            g->capturing->writes[at / 64] |= UINT64_C(1) << at % 64;
    }
    return v;
}

bool variable_may(const struct gen *g, const struct variable *v, bool to_write)
{
    return is_free(g, v, to_write) && !v->unreadable && !(to_write && g->pure);
}

struct variable *variable_pick(struct gen *g, unsigned kinds, bool to_write,
                               bool (*fits)(const struct variable *))
{
    struct variable *found = NULL;
    unsigned fitting = 0;
    for (unsigned i = g->blind_before; i < g->variable_count; i++) {
        struct variable *v = &g->variables[i];
        if (!(kinds & KIND(v->kind)) || (fits && !fits(v)) || !variable_may(g, v, to_write) ||
            is_hidden(g, v))
            continue;
        unsigned weight = i + 8 >= g->variable_count ? 3 : 1; /* young ones are used more */
        fitting += weight;
        if (chance(g, fitting) < weight)
            found = v;
    }
    return variable_take(g, found, to_write);
}

struct variable *variable_add(struct gen *g, enum variable_kind kind, struct ctype type, const char *name)
{
    struct variable *v = &g->variables[g->variable_count < VARIABLES ? g->variable_count++ : VARIABLES - 1];
    *v = (struct variable){.kind = kind, .type = type, .buffer = -1};
    (void)snprintf(v->name, sizeof v->name, "%s", name);
    return v;
}

const char *name_new(struct gen *g)
{
    static char name[NAME];
    bool taken = true;
    (void)snprintf(name, sizeof name, "%c", 'a' + (int)chance(g, 26)); /* few names, so that they shadow */
    for (unsigned i = g->scope; (taken = i < g->variable_count); i++)
        if (strcmp(g->variables[i].name, name) == 0)
            break;
    if (taken)
        (void)snprintf(name, sizeof name, "v%u", g->names++);
    return name;
}

/* One number for each expression; true: its text is to be replaced by `1`, after it was printed from `mark`
 * on. */
unsigned gen_skip(struct gen *g, size_t mark[2])
{
    mark[0] = g->cu.size;
    mark[1] = g->host.size;
    return g->expressions++;
}

static struct ctype literal(struct gen *g, unsigned depth)
{
    (void)depth;
    static const struct {
        const char *text;
        struct ctype type;
    } odd[] = {{"0x80000000", {'i', 4, 1, false}},
               {"2147483648", {'i', 8, 1, true}},
               {"4294967295u", {'i', 4, 1, false}},
               {"0xFFFFFFFFFFFFFFFF", {'i', 8, 1, false}},
               {"017", {'i', 4, 1, true}},
               {"0b1011", {'i', 4, 1, true}},
               {"1'000", {'i', 4, 1, true}},
               {"0xFFu", {'i', 4, 1, false}},
               {"3UL", {'i', 8, 1, false}},
               {"5LL", {'i', 8, 1, true}},
               {"7l", {'i', 8, 1, true}},
               {"9ull", {'i', 8, 1, false}},
               {"2147483647", {'i', 4, 1, true}},
               {"65536", {'i', 4, 1, true}},
               {"0x7fffffffffffffff", {'i', 8, 1, true}},
               {"true", {'b', 1, 1, false}},
               {"false", {'b', 1, 1, false}},
               {"warpSize", {'i', 4, 1, true}}};
    uint32_t kind = chance(g, 12);
    if (kind == 0) {
        uint32_t i = chance(g, sizeof odd / sizeof *odd);
        both(g, "%s", odd[i].text);
        return odd[i].type;
    }
    if (kind == 1) {
        both(g, "%uu", chance(g, 100));
        return UINT;
    }
    both(g, "%u", chance(g, kind < 4 ? 1000 : kind < 8 ? 34 : 9));
    return INT;
}

static struct ctype builtin(struct gen *g, unsigned depth)
{
    static const char *const names[] = {"threadIdx", "threadIdx", "threadIdx", "threadIdx",
                                        "blockIdx",  "blockIdx",  "blockDim",  "gridDim"};
    (void)depth;
    both(g, "%s.%c", names[chance(g, 8)], "xxxyyz"[chance(g, 6)]);
    return UINT;
}

static struct ctype macro(struct gen *g, unsigned depth)
{
    if (!g->macro_count)
        return builtin(g, depth);
    both(g, "M%u", chance(g, g->macro_count));
    return type_make('i', 8, 1, true); /* whatever it is: be careful */
}

static struct ctype variable(struct gen *g, unsigned depth)
{
    struct variable *v = variable_pick(g, KIND(VARIABLE_INDEX), false, NULL);
    if (!v)
        return builtin(g, depth);
    v->read_at = g->serial;
    both(g, "%s", v->name);
    if (v->type.lanes > 1)
        both(g, ".%c", "xyzw"[chance(g, v->type.lanes)]);
    return type_make(v->type.kind, v->type.bytes, 1, v->type.is_signed);
}

static struct ctype character(struct gen *g, unsigned depth)
{
    static const char *const texts[] = {"'a'", "'0'", "'\\n'", "'\\\\'", "'\\x7f'", "'\\0'", "' '"};
    (void)depth;
    both(g, "%s", texts[chance(g, 7)]);
    return type_make('i', 1, 1, true);
}

static struct ctype size_of(struct gen *g, unsigned depth)
{
    unsigned serial = g->serial;
    if (one_in(g, 2)) {
        both(g, "sizeof(%s%s)", type_spell(g, one_in(g, 2) ? type_element(g) : type_index(g)),
             one_in(g, 6)   ? " *"
             : one_in(g, 6) ? "[3][5]"
                            : "");
        return type_make('i', 8, 1, false);
    }
    struct variable *v = variable_pick(
        g, KIND(VARIABLE_SHARED) | KIND(VARIABLE_POINTER) | KIND(VARIABLE_DATA) | KIND(VARIABLE_INDEX), false,
        NULL);
    if (v && one_in(g, 2) && !(v->kind == VARIABLE_SHARED && g->shared[v->buffer - SHARED_BUFFER].dynamic)) {
        bool element = (v->kind == VARIABLE_SHARED && v->dims) || v->kind == VARIABLE_POINTER;
        both(g, one_in(g, 2) ? "sizeof(%s%s)" : "sizeof %s%s", v->name, element && one_in(g, 2) ? "[0]" : "");
        return type_make('i', 8, 1, false);
    }
    g->serial = 0x80000000u + serial; /* nothing in here happens */
    both(g, "sizeof(");
    gen_index(g, depth ? depth - 1 : 0);
    both(g, ")");
    g->serial = serial;
    return type_make('i', 8, 1, false);
}

/* An operand: a leaf, or what binds as tightly. */
static struct ctype operand(struct gen *g, unsigned depth, bool loose)
{
    if (depth == 0 || one_in(g, 4))
        return gen_index(g, 0);
    if (loose)
        return gen_index(g, depth - 1);
    both(g, "(");
    struct ctype type = gen_index(g, depth - 1);
    both(g, ")");
    return type;
}

/* Both sides may stand without parentheses, so that precedence is asked for too: only operators that are
 * defined for all values are ever regrouped by that. */
static struct ctype binary(struct gen *g, unsigned depth, const char *const *ops, unsigned count)
{
    bool loose = one_in(g, 3);
    if (!loose)
        both(g, "(");
    struct ctype a = operand(g, depth, loose);
    both(g, " %s ", ops[chance(g, count)]);
    struct ctype b = operand(g, depth, loose);
    if (!loose)
        both(g, ")");
    return type_both(a, b);
}

static struct ctype arithmetic(struct gen *g, unsigned depth)
{
    static const char *const ops[] = {"+", "+", "+", "-", "*", "*"};
    return binary(g, depth, ops, 6);
}

static struct ctype bits(struct gen *g, unsigned depth)
{
    static const char *const ops[] = {"&", "|", "^", "^", "bitand", "xor", "bitor"};
    return binary(g, depth, ops, one_in(g, 6) ? 7 : 4);
}

static struct ctype compare(struct gen *g, unsigned depth)
{
    static const char *const ops[] = {"<", ">", "<=", ">=", "==", "!="};
    binary(g, depth, ops, 6);
    return BOOL;
}

static struct ctype logical(struct gen *g, unsigned depth)
{
    static const char *const ops[] = {"&&", "||", "and", "or"};
    binary(g, depth, ops, one_in(g, 4) ? 4 : 2);
    return BOOL;
}

/* Less than `bits`, which the shifted operand has for certain. */
static void shift_count(struct gen *g, unsigned bits)
{
    if (one_in(g, 2))
        both(g, "%u", chance(g, bits - 1));
    else
        gen_small(g, one_in(g, 3) ? bits - 1 : 7);
}

static struct ctype shift(struct gen *g, unsigned depth)
{
    static const char *const casts[] = {"(long long)", "(uint64_t)", "(unsigned long)"};
    bool wide = one_in(g, 4); /* for what an operand's type is without parentheses is not known here */
    both(g, "(%s", wide ? casts[chance(g, 3)] : "");
    struct ctype a = operand(g, depth, false);
    both(g, one_in(g, 2) ? " << " : " >> ");
    shift_count(g, wide ? 64 : 32);
    both(g, ")");
    return wide ? type_make('i', 8, 1, false) : type_promoted(a);
}

/* 1 and up, or a small number that is neither 0 nor -1. */
static struct ctype divisor(struct gen *g)
{
    static const char *const literals[] = {"3", "2", "7", "-3", "5u", "16", "32", "-8LL", "10", "4ull", "1"};
    if (one_in(g, 2)) {
        uint32_t i = chance(g, 11);
        both(g, "%s", literals[i]);
        return i == 4   ? UINT
               : i == 7 ? type_make('i', 8, 1, true)
               : i == 9 ? type_make('i', 8, 1, false)
                        : INT;
    }
    both(g, "(");
    gen_small(g, one_in(g, 2) ? 7 : 31);
    both(g, " + 1)");
    return type_make('i', 8, 1, true); /* at most */
}

static struct ctype division(struct gen *g, unsigned depth)
{
    both(g, "(");
    struct ctype a = operand(g, depth, false);
    both(g, one_in(g, 2) ? " / " : " %% ");
    struct ctype b = divisor(g);
    both(g, ")");
    return type_both(a, b);
}

static struct ctype unary(struct gen *g, unsigned depth)
{
    static const char *const ops[] = {"-", "~", "!", "+", "!", "not ", "compl "};
    uint32_t op = chance(g, one_in(g, 4) ? 7 : 5);
    both(g, "%s", ops[op]);
    struct ctype a = operand(g, depth, false);
    return op == 2 || op == 4 || op == 5 ? BOOL : type_promoted(a);
}

static struct ctype conditional(struct gen *g, unsigned depth)
{
    both(g, "(");
    gen_condition(g, depth ? depth - 1 : 0);
    both(g, " ? ");
    struct ctype a = gen_index(g, depth ? depth - 1 : 0);
    both(g, " : ");
    struct ctype b = gen_index(g, depth ? depth - 1 : 0);
    both(g, ")");
    return type_equal(a, b) ? a : type_both(a, b);
}

static struct ctype cast(struct gen *g, unsigned depth)
{
    const char *name;
    struct ctype type = type_of_spelling(g, &name);
    if (one_in(g, 4)) {
        both(g, "static_cast<%s>(", name);
        gen_index(g, depth ? depth - 1 : 0);
        both(g, ")");
    } else {
        both(g, "(%s)", name);
        operand(g, depth, false);
    }
    return type;
}

static struct ctype function_cast(struct gen *g, unsigned depth)
{
    const char *name;
    struct ctype type;
    do
        type = type_of_spelling(g, &name);
    while (strchr(name, ' '));
    bool leaf = depth < 2 || one_in(g, 2); /* (T(U(x))) would be a type */
    both(g, leaf ? "%s(" : "%s(+(", name);
    gen_index(g, leaf ? 0 : depth - 1);
    both(g, leaf ? ")" : "))");
    return type;
}

static struct ctype min_max(struct gen *g, unsigned depth)
{
    both(g, one_in(g, 2) ? "min(" : "max(");
    struct ctype a = gen_index(g, depth ? depth - 1 : 0);
    both(g, ", ");
    struct ctype b = gen_index(g, depth ? depth - 1 : 0);
    both(g, ")");
    return type_both(a, b);
}

/* CUDA's functions of integers. */
static struct ctype intrinsic(struct gen *g, unsigned depth)
{
    static const struct {
        const char *name;
        struct ctype type;
        unsigned operands;
    } functions[] = {{"__popc", {'i', 4, 1, true}, 1},
                     {"__popcll", {'i', 4, 1, true}, 1},
                     {"__brev", {'i', 4, 1, false}, 1},
                     {"__brevll", {'i', 8, 1, false}, 1},
                     {"__clz", {'i', 4, 1, true}, 1},
                     {"__clzll", {'i', 4, 1, true}, 1},
                     {"__ffs", {'i', 4, 1, true}, 1},
                     {"__ffsll", {'i', 4, 1, true}, 1},
                     {"llabs", {'i', 8, 1, true}, 1},
                     {"__mul24", {'i', 4, 1, true}, 2},
                     {"__umul24", {'i', 4, 1, false}, 2},
                     {"__mulhi", {'i', 4, 1, true}, 2},
                     {"__umulhi", {'i', 4, 1, false}, 2},
                     {"__mul64hi", {'i', 8, 1, true}, 2},
                     {"__umul64hi", {'i', 8, 1, false}, 2},
                     {"__byte_perm", {'i', 4, 1, false}, 3},
                     {"abs", {'i', 4, 1, true}, 1},
                     {"umin", {'i', 4, 1, false}, 2},
                     {"umax", {'i', 4, 1, false}, 2},
                     {"llmin", {'i', 8, 1, true}, 2},
                     {"llmax", {'i', 8, 1, true}, 2},
                     {"ullmin", {'i', 8, 1, false}, 2},
                     {"ullmax", {'i', 8, 1, false}, 2},
                     {"__funnelshift_r", {'i', 4, 1, false}, 3},
                     {"__funnelshift_lc", {'i', 4, 1, false}, 3},
                     {"__funnelshift_l", {'i', 4, 1, false}, 3},
                     {"__funnelshift_rc", {'i', 4, 1, false}, 3}};
    uint32_t i = chance(g, sizeof functions / sizeof *functions);
    both(g, "%s(", functions[i].name);
    for (unsigned k = 0; k < functions[i].operands; k++) {
        both(g, k ? ", " : "");
        both(g, strcmp(functions[i].name, "abs") == 0 ? "(int)(" : "");
        gen_index(g, depth ? depth - 1 : 0);
        both(g, strcmp(functions[i].name, "abs") == 0 ? ")" : "");
    }
    both(g, ")");
    return functions[i].type;
}

static struct variable *to_change(struct gen *g)
{
    return g->in_macro || g->pure ? NULL : variable_pick(g, KIND(VARIABLE_INDEX), true, fits_scalar);
}

/* The right side of v op= ..., and the operator. */
static void update_side(struct gen *g, const struct variable *v, unsigned depth)
{
    static const char *const plain[] = {"=", "=", "+=", "+=", "-=", "*=", "&=", "|=", "^="};
    uint32_t kind = chance(g, 12);
    if (kind < 9) {
        both(g, " %s ", plain[kind]);
        gen_index(g, depth);
    } else if (kind < 11) {
        both(g, one_in(g, 2) ? " <<= " : " >>= ");
        shift_count(g, v->type.bytes == 8 && !v->vague ? 64 : 32);
    } else {
        both(g, one_in(g, 2) ? " /= " : " %%= ");
        divisor(g);
    }
}

static struct ctype assign(struct gen *g, unsigned depth)
{
    struct variable *v = to_change(g);
    if (!v)
        return variable(g, depth);
    both(g, "(%s", v->name);
    v->held++;
    update_side(g, v, depth ? depth - 1 : 0);
    v->held--;
    v->written_at = g->serial;
    both(g, ")");
    return v->type;
}

static struct ctype step(struct gen *g, unsigned depth)
{
    struct variable *v = to_change(g);
    if (!v || v->type.kind == 'b')
        return variable(g, depth);
    uint32_t kind = chance(g, 4);
    v->written_at = g->serial;
    if (kind < 2)
        both(g, kind ? "%s--" : "%s++", v->name);
    else
        both(g, kind == 2 ? "(++%s)" : "(--%s)", v->name);
    return v->type;
}

static struct ctype comma(struct gen *g, unsigned depth)
{
    both(g, "(");
    gen_index(g, depth ? depth - 1 : 0);
    both(g, ", ");
    struct ctype type = gen_index(g, depth ? depth - 1 : 0);
    both(g, ")");
    return type;
}

/* (v = a, b with v): the comma, &&, || and ?: allow that v is changed and read. */
static struct ctype sequenced(struct gen *g, unsigned depth)
{
    struct variable *v = to_change(g);
    if (!v)
        return variable(g, depth);
    bool is_comma = one_in(g, 2);
    both(g, "((%s", v->name);
    v->held++;
    update_side(g, v, depth ? depth - 1 : 0);
    struct ctype type = v->type;
    if (is_comma) {
        both(g, "), ");
        type = gen_index(g, depth ? depth - 1 : 0);
    } else {
        both(g, ")%s ", one_in(g, 3) ? " &&" : one_in(g, 2) ? " ||" : " > 3 &&");
        compare(g, depth ? depth - 1 : 0);
        type = BOOL;
    }
    v->held--;
    v->written_at = g->serial;
    both(g, ")");
    return type;
}

static struct ctype pointer_compare(struct gen *g, unsigned depth)
{
    return gen_pointer_compare(g) ? BOOL : literal(g, depth);
}

static struct ctype pointer_truth(struct gen *g, unsigned depth)
{
    return gen_pointer_truth(g) ? BOOL : literal(g, depth);
}

static struct ctype pointer_difference(struct gen *g, unsigned depth)
{
    return gen_pointer_difference(g) ? type_make('i', 8, 1, true) : literal(g, depth);
}

static struct ctype call(struct gen *g, unsigned depth)
{
    struct ctype type;
    return gen_call(g, 'i', depth, &type) ? type : literal(g, depth);
}

static struct ctype member_call(struct gen *g, unsigned depth)
{
    return gen_member_call(g, depth ? depth - 1 : 0) ? type_make('i', 8, 1, true) : literal(g, depth);
}

static struct ctype warp(struct gen *g, unsigned depth)
{
    bool possible;
    struct ctype type = gen_warp(g, depth, &possible);
    return possible ? type : literal(g, depth);
}

static struct ctype group(struct gen *g, unsigned depth)
{
    bool possible;
    struct ctype type = gen_group_value(g, depth, &possible);
    return possible ? type : builtin(g, depth);
}

static struct ctype known_load(struct gen *g, unsigned depth)
{
    return gen_load_index(g) ? type_make('i', 8, 1, true) : builtin(g, depth);
}

static struct rule leaves[] = {
    {"literal", 4, 0, {.expression = literal}, 0},
    {"built-in", 6, 0, {.expression = builtin}, 0},
    {"variable", 14, 0, {.expression = variable}, 0},
    {"macro", 1, 0, {.expression = macro}, 0},
    {"character", 1, FEATURE_CHARACTER + 1, {.expression = character}, 0},
};

static struct rule rules[] = {
    {"+ - *", 12, 0, {.expression = arithmetic}, 0},
    {"& | ^", 5, 0, {.expression = bits}, 0},
    {"<< >>", 4, 0, {.expression = shift}, 0},
    {"/ %", 4, 0, {.expression = division}, 0},
    {"comparison", 5, 0, {.expression = compare}, 0},
    {"&& ||", 3, 0, {.expression = logical}, 0},
    {"- ~ ! +", 4, 0, {.expression = unary}, 0},
    {"?:", 4, 0, {.expression = conditional}, 0},
    {"cast", 4, 0, {.expression = cast}, 0},
    {"T(e)", 1, FEATURE_FUNCTION_CAST + 1, {.expression = function_cast}, 0},
    {"min max", 2, 0, {.expression = min_max}, 0},
    {"functions of CUDA", 2, 0, {.expression = intrinsic}, 0},
    {"v op= e", 2, 0, {.expression = assign}, 0},
    {"++ --", 3, 0, {.expression = step}, 0},
    {"comma", 1, 0, {.expression = comma}, 0},
    {"v = a, b(v)", 2, 0, {.expression = sequenced}, 0},
    {"sizeof", 1, 0, {.expression = size_of}, 0},
    {"pointers compared", 1, FEATURE_POINTER_COMPARE + 1, {.expression = pointer_compare}, 0},
    {"pointer as truth", 1, FEATURE_POINTER_TRUTH + 1, {.expression = pointer_truth}, 0},
    {"f(...)", 4, 0, {.expression = call}, 0},
    {"a[e]", 3, 0, {.expression = gen_array_element}, 0},
    {"r.f(e)", 2, 0, {.expression = member_call}, 0},
    {"warp functions", 2, 0, {.expression = warp}, 0},
    {"cooperative groups", 3, 0, {.expression = group}, 0},
    {"known loads", 4, 0, {.expression = known_load}, 0},
    {"p - q", 1, FEATURE_POINTER_DIFFERENCE + 1, {.expression = pointer_difference}, 0},
};

struct ctype gen_index(struct gen *g, unsigned depth)
{
    size_t mark[2];
    unsigned number = gen_skip(g, mark);
    struct rule *rule = depth == 0 ? rule_choose(g, leaves, sizeof leaves / sizeof *leaves)
                                   : rule_choose(g, rules, sizeof rules / sizeof *rules);
    struct ctype type = rule->print.expression(g, depth);
    if (g->skip_expression && number < NUMBERS && g->skip_expression[number]) {
        g->cu.size = mark[0];
        g->host.size = mark[1];
        both(g, "1");
    }
    return type;
}

/* A subscript of 64 bits could lead 2^62 bytes away, which lanescope refuses. */
void gen_subscript(struct gen *g, unsigned depth)
{
    if (one_in(g, 3)) {
        struct variable *v = variable_pick(g, KIND(VARIABLE_INDEX), false, fits_scalar);
        if (v && v->type.bytes < 8) {
            v->read_at = g->serial;
            both(g, "%s", v->name);
            return;
        }
    }
    if (one_in(g, 4)) {
        builtin(g, 0);
        return;
    }
    if (one_in(g, 4)) {
        both(g, "(");
        builtin(g, 0);
        both(g, one_in(g, 2) ? " * " : " + ");
        gen_small(g, 63);
        both(g, ")");
        return;
    }
    both(g, "((");
    gen_index(g, depth);
    both(g, one_in(g, 3) ? ") %% 4099)" : ") & 0xfffff)");
}

void gen_small(struct gen *g, unsigned mask)
{
    both(g, "((");
    gen_index(g, chance(g, 2));
    both(g, ") & %u)", mask);
}

void gen_condition(struct gen *g, unsigned depth)
{
    struct variable *v = one_in(g, 3) ? variable_pick(g, KIND(VARIABLE_INDEX), false, fits_scalar) : NULL;
    if (v) {
        v->read_at = g->serial;
        both(g, one_in(g, 4) ? "!%s" : "%s", v->name);
    } else if (one_in(g, 3)) {
        both(g, "threadIdx.%c %s %u", "xxyz"[chance(g, 4)], one_in(g, 2) ? "<" : ">=", chance(g, 20));
    } else {
        gen_index(g, depth);
    }
}

void gen_constant(struct gen *g, unsigned depth)
{
    static const char *const ops[] = {"+", "-", "*", "&", "|", "^", "<", ">=", "==", "&&", "||", "!="};
    if (depth == 0) {
        if (g->macro_count && one_in(g, 4))
            both(g, "C%u", 0);
        else
            both(g, "%s%u%s", one_in(g, 8) ? "-" : "", one_in(g, 12) ? 2147483647u : chance(g, 70),
                 one_in(g, 10)   ? "u"
                 : one_in(g, 12) ? "LL"
                                 : "");
        return;
    }
    uint32_t kind = chance(g, 10);
    both(g, kind == 9 ? "~(" : kind == 8 ? "!(" : "(");
    gen_constant(g, chance(g, depth));
    if (kind == 7)
        both(g, one_in(g, 2) ? " / %u" : " %% %u", 1 + chance(g, 9));
    else if (kind == 6)
        both(g, one_in(g, 2) ? " << %u" : " >> %u", chance(g, 20));
    else if (kind == 5) {
        both(g, " ? ");
        gen_constant(g, depth - 1);
        both(g, " : ");
        gen_constant(g, depth - 1);
    } else if (kind < 5) {
        both(g, " %s ", ops[chance(g, 12)]);
        gen_constant(g, depth - 1);
    }
    both(g, ")");
}

struct rule *gen_leaf_rules(unsigned *count)
{
    *count = sizeof leaves / sizeof *leaves;
    return leaves;
}

struct rule *gen_expression_rules(unsigned *count)
{
    *count = sizeof rules / sizeof *rules;
    return rules;
}
