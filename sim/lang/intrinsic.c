/* intrinsic.c - calls of CUDA's own functions: integers, memory, barriers, and what is passed over. */
#include "intrinsic.h"

#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))

bool intrinsic_arguments(struct parser *parser, const struct token *name, unsigned least, unsigned most,
                         struct intrinsic_call *call)
{
    bool no_greater = parser->no_greater;
    *call = (struct intrinsic_call){.name = name};
    parser->no_greater = false;
    bool ok = parse_expect(parser, '(', "before the arguments");
    while (ok && !token_is_punct(parser->at, ')')) {
        if (call->count == INTRINSIC_ARGUMENTS)
            return parse_fail(parser, parser->at, "this call has too many arguments");
        ok = (call->at[call->count++] = parse_assignment(parser)) != NULL;
        if (ok && !parse_accept(parser, ','))
            break;
    }
    parser->no_greater = no_greater;
    if (!ok || !parse_expect(parser, ')', "after the arguments"))
        return false;
    if (call->count >= least && call->count <= most)
        return true;
    if (least == most)
        return parse_fail(parser, name, "%.*s has another number of arguments: %u", (int)name->length,
                          name->text, least);
    return parse_fail(parser, name, "%.*s has another number of arguments: %u to %u", (int)name->length,
                      name->text, least, most);
}

static struct expr *build_of(struct parser *parser, enum expr_kind kind, struct type type,
                             const struct token *name, struct expr *const *parts, unsigned count)
{
    struct expr *e = build(parser, kind, type, name, parser->last);
    e->parts = arena_take(parser->arena, (count + 1u) * sizeof(struct expr *));
    e->part_count = count;
    for (unsigned i = 0; i < count; i++)
        if (!(e->parts[i] = parts[i]))
            return NULL;
    return build_adopt(parser, e);
}

struct expr *intrinsic_function(struct parser *parser, const struct token *name, enum function_id function,
                                struct type type, struct expr *const *operands, unsigned count)
{
    struct expr *e = build_of(parser, EXPR_FUNCTION, type, name, operands, count);
    if (e)
        e->value = function;
    return e;
}

struct expr *intrinsic_computed(struct parser *parser, const struct intrinsic_call *call, struct type type)
{
    return build_of(parser, EXPR_COMPUTED, type, call->name, call->at, call->count);
}

/* Functions of integers: each operand is brought to its type, I = int, U = unsigned, L = long long, Q =
 * unsigned long long. */
struct integer_function {
    const char *name;
    enum function_id function;
    char result;
    const char *operands;
};

static const struct integer_function integer_functions[] = {
    {"__popc", FUNCTION_POPC, 'I', "U"},
    {"__popcll", FUNCTION_POPC, 'I', "Q"},
    {"__brev", FUNCTION_BREV, 'U', "U"},
    {"__brevll", FUNCTION_BREV, 'Q', "Q"},
    {"__clz", FUNCTION_CLZ, 'I', "U"},
    {"__clzll", FUNCTION_CLZ, 'I', "Q"},
    {"__ffs", FUNCTION_FFS, 'I', "U"},
    {"__ffsll", FUNCTION_FFS, 'I', "Q"},
    {"__mul24", FUNCTION_MUL24, 'I', "II"},
    {"__umul24", FUNCTION_MUL24, 'U', "UU"},
    {"__mulhi", FUNCTION_MULHI, 'I', "II"},
    {"__umulhi", FUNCTION_MULHI, 'U', "UU"},
    {"__mul64hi", FUNCTION_MULHI, 'L', "LL"},
    {"__umul64hi", FUNCTION_MULHI, 'Q', "QQ"},
    {"__byte_perm", FUNCTION_BYTE_PERM, 'U', "UUU"},
    {"__funnelshift_l", FUNCTION_FUNNEL_LEFT, 'U', "UUU"},
    {"__funnelshift_lc", FUNCTION_FUNNEL_LEFT_CAP, 'U', "UUU"},
    {"__funnelshift_r", FUNCTION_FUNNEL_RIGHT, 'U', "UUU"},
    {"__funnelshift_rc", FUNCTION_FUNNEL_RIGHT_CAP, 'U', "UUU"},
    {"labs", FUNCTION_ABS, 'L', "L"},
    {"llabs", FUNCTION_ABS, 'L', "L"},
    {"__activemask", FUNCTION_ACTIVE, 'U', ""},
};

static struct type type_of_letter(char letter)
{
    return type_integer(letter == 'L' || letter == 'Q' ? 8 : 4, letter == 'I' || letter == 'L');
}

static struct expr *call_integer(struct parser *parser, const struct token *name)
{
    const struct integer_function *f = NULL;
    for (size_t i = 0; !f && i < COUNT(integer_functions); i++)
        if (token_is(name, integer_functions[i].name))
            f = &integer_functions[i];
    if (!f)
        return NULL;
    struct intrinsic_call call;
    unsigned count = (unsigned)strlen(f->operands);
    if (!intrinsic_arguments(parser, name, count, count, &call))
        return NULL;
    for (unsigned i = 0; i < count; i++)
        if (!(call.at[i] = build_convert(parser, call.at[i], type_of_letter(f->operands[i]))))
            return NULL;
    return intrinsic_function(parser, name, f->function, type_of_letter(f->result), call.at, count);
}

/* abs of any number. */
static struct expr *call_abs(struct parser *parser, const struct token *name)
{
    struct intrinsic_call call;
    if (!token_is(name, "abs") || !intrinsic_arguments(parser, name, 1, 1, &call))
        return NULL;
    if (!type_is_index(&call.at[0]->type)) {
        struct expr *e = intrinsic_computed(parser, &call, call.at[0]->type);
        if (e)
            e->value = REAL_ABSOLUTE;
        return e;
    }
    call.at[0] = build_convert(parser, call.at[0], type_promote(call.at[0]->type));
    return call.at[0] ? intrinsic_function(parser, name, FUNCTION_ABS, call.at[0]->type, call.at, 1) : NULL;
}

/* Does the file have an #include that was passed over? It may bring what everybody's helper_math.h has. */
static bool may_come_from_header(const struct parser *parser)
{
    return parser->pre && parser->pre->skipped_includes;
}

static struct expr *call_min_max(struct parser *parser, const struct token *name)
{
    static const struct {
        const char *name;
        char type; /* of both operands; 0: their common one */
        bool minimum;
    } names[] = {{"min", 0, true},     {"max", 0, false},     {"umin", 'U', true},   {"umax", 'U', false},
                 {"llmin", 'L', true}, {"llmax", 'L', false}, {"ullmin", 'Q', true}, {"ullmax", 'Q', false},
                 {"fminf", 0, true},   {"fmaxf", 0, false},   {"fmin", 0, true},     {"fmax", 0, false}};
    size_t i = 0;
    while (i < COUNT(names) && !token_is(name, names[i].name))
        i++;
    struct intrinsic_call call;
    if (i == COUNT(names) || !intrinsic_arguments(parser, name, 2, 2, &call))
        return NULL;
    if (may_come_from_header(parser) && call.at[0]->type.has_names)
        return intrinsic_computed(parser, &call, call.at[0]->type);
    if (!type_is_scalar(&call.at[0]->type) || !type_is_scalar(&call.at[1]->type)) {
        parse_fail(parser, name, "%.*s works on numbers only", (int)name->length, name->text);
        return NULL;
    }
    struct type type =
        names[i].type ? type_of_letter(names[i].type) : type_common(call.at[0]->type, call.at[1]->type);
    struct expr *e = build(parser, names[i].minimum ? EXPR_MINIMUM : EXPR_MAXIMUM, type, name, parser->last);
    e->a = build_convert(parser, call.at[0], type);
    e->b = build_convert(parser, call.at[1], type);
    return e->a && e->b ? build_adopt(parser, e) : NULL;
}

static bool begins(const struct token *name, const char *with)
{
    size_t length = strlen(with);
    return name->length > length && memcmp(name->text, with, length) == 0;
}

/* One component of a vector given as an argument: all of it is read, whatever part is used. */
static struct expr *part_of(struct parser *parser, const struct token *name, struct expr *vector, int which)
{
    if (!vector->type.has_names)
        return vector;
    struct expr *e = build(parser, EXPR_COMPONENT, type_component(vector->type), name, parser->last);
    e->a = vector;
    e->value = which;
    return build_adopt(parser, e);
}

/* make_float4(v, 1), make_float3(w), make_float2(1): the components in their order, or one for all. What is
 * more than a name would be evaluated several times: it is data. */
static struct expr *join_parts(struct parser *parser, const struct intrinsic_call *call, struct type type)
{
    struct expr *parts[4] = {NULL};
    unsigned count = 0;
    bool plain = true;
    for (unsigned i = 0; i < call->count; i++) {
        struct expr *e = call->at[i];
        unsigned components = e->type.has_names ? e->type.components : 1;
        plain = plain && (e->kind == EXPR_VARIABLE || (components == 1 && call->count > 1));
        for (unsigned k = 0; k < components && count < type.components; k++)
            parts[count++] = part_of(parser, call->name, e, (int)k);
    }
    if (count == 1 && call->at[0]->kind == EXPR_INTEGER)
        plain = true;
    for (; count == 1 && call->count == 1 && count < type.components;)
        for (; count < type.components; count++)
            parts[count] = parts[0];
    if (!plain || count != type.components)
        return intrinsic_computed(parser, call, type);
    for (unsigned i = 0; i < count; i++)
        if (!parts[i] || !(parts[i] = build_convert(parser, parts[i], type_component(type))))
            return NULL;
    return build_of(parser, EXPR_VECTOR, type, call->name, parts, count);
}

static struct expr *call_make_vector(struct parser *parser, const struct token *name)
{
    struct intrinsic_call call;
    struct type type;
    if (!begins(name, "make_") || !type_of_name(name->text + 5, name->length - 5, &type) || !type.has_names ||
        !intrinsic_arguments(parser, name, 1, type.components, &call))
        return NULL;
    if (call.count != type.components || call.at[0]->type.has_names) {
        if (may_come_from_header(parser))
            return join_parts(parser, &call, type);
        parse_fail(parser, name, "%.*s does not make a vector of this many components", (int)name->length,
                   name->text);
        return NULL;
    }
    for (unsigned i = 0; i < call.count; i++)
        if (!(call.at[i] = build_convert(parser, call.at[i], type_component(type))))
            return NULL;
    return build_of(parser, EXPR_VECTOR, type, name, call.at, call.count);
}

/* What only moves halves: which component of which argument goes where. */
static struct expr *call_half_move(struct parser *parser, const struct token *name)
{
    static const struct {
        const char *name, *from; /* argument and component, for each component of the result */
    } moves[] = {
        {"__low2half", "a0"},           {"__high2half", "a1"},           {"__low2half2", "a0a0"},
        {"__high2half2", "a1a1"},       {"__lows2half2", "a0b0"},        {"__highs2half2", "a1b1"},
        {"__halves2half2", "a0b0"},     {"__half2half2", "a0a0"},        {"__lowhigh2highlow", "a1a0"},
        {"__low2bfloat16", "a0"},       {"__high2bfloat16", "a1"},       {"__low2bfloat162", "a0a0"},
        {"__high2bfloat162", "a1a1"},   {"__lows2bfloat162", "a0b0"},    {"__highs2bfloat162", "a1b1"},
        {"__halves2bfloat162", "a0b0"}, {"__bfloat162bfloat162", "a0a0"}};
    size_t i = 0;
    while (i < COUNT(moves) && !token_is(name, moves[i].name))
        i++;
    if (i == COUNT(moves))
        return NULL;
    const char *from = moves[i].from;
    bool pair = from[2] != '\0', twice = pair && from[2] == 'a';
    struct intrinsic_call call;
    struct type type = type_float(2);
    type.components = pair ? 2 : 1;
    type.has_names = pair;
    if (!intrinsic_arguments(parser, name, pair && !twice ? 2 : 1, pair && !twice ? 2 : 1, &call))
        return NULL;
    if (twice && call.at[0]->kind != EXPR_VARIABLE) /* would be evaluated twice */
        return intrinsic_computed(parser, &call, type);
    struct expr *parts[2] = {NULL};
    for (unsigned k = 0; k < (pair ? 2u : 1u); k++)
        if (!(parts[k] = part_of(parser, name, call.at[from[2 * k] - 'a'], from[2 * k + 1] - '0')))
            return NULL;
    return pair ? build_of(parser, EXPR_VECTOR, type, name, parts, 2) : parts[0];
}

/* Loads and stores with a hint for the caches count like plain ones. */
static struct expr *call_hinted(struct parser *parser, const struct token *name)
{
    static const char *const loads[] = {"__ldg", "__ldcg", "__ldca", "__ldcs", "__ldlu", "__ldcv"};
    static const char *const stores[] = {"__stwb", "__stcg", "__stcs", "__stwt"};
    bool load = false, store = false;
    for (size_t i = 0; i < COUNT(loads); i++)
        load = load || token_is(name, loads[i]);
    for (size_t i = 0; i < COUNT(stores); i++)
        store = store || token_is(name, stores[i]);
    struct intrinsic_call call;
    if ((!load && !store) || !intrinsic_arguments(parser, name, store ? 2 : 1, store ? 2 : 1, &call))
        return NULL;
    struct expr *memory = build_memory(parser, call.at[0], name, parser->last);
    if (memory && load) /* it only reads */
        memory->type.is_const = true;
    if (!memory || load)
        return memory;
    struct token assign = *name;
    assign.kind = TOKEN_PUNCT;
    assign.punct = '=';
    return build_assign(parser, &assign, memory, call.at[1]);
}

/* sincosf(x, &s, &c), frexpf(x, &e), modff(x, &i): what they set and return becomes data. */
static struct expr *call_sincos(struct parser *parser, const struct token *name)
{
    static const char *const names[] = {"sincosf", "sincos", "__sincosf", "sincospif", "sincospi",
                                        "frexpf",  "modff",  "frexp",     "modf"};
    enum { FIRST_OF_ONE = 5, FIRST_OF_DOUBLE = 7 }; /* that set one place and return a number */
    size_t known = 0;
    while (known < COUNT(names) && !token_is(name, names[known]))
        known++;
    if (known == COUNT(names) || !parse_expect(parser, '(', "before the arguments"))
        return NULL;
    struct expr *all = parse_assignment(parser);
    const struct type given = all ? all->type : type_void();
    for (int i = 0; i < (known < FIRST_OF_ONE ? 2 : 1) && all; i++) {
        struct token assign = *name;
        assign.kind = TOKEN_PUNCT;
        assign.punct = '=';
        if (!parse_expect(parser, ',', "between the arguments"))
            return NULL;
        struct expr *target = parse_accept(parser, '&') ? parse_unary(parser) : NULL;
        if (!target) {
            parse_fail(parser, parser->at, "&, and a variable that gets the value, are expected here");
            return NULL;
        }
        const struct intrinsic_call none = {.name = name};
        struct expr *set =
            build_assign(parser, &assign, target, intrinsic_computed(parser, &none, target->type));
        struct expr *comma = set ? build(parser, EXPR_COMMA, type_void(), name, parser->last) : NULL;
        if (comma) {
            comma->a = all;
            comma->b = set;
            comma = build_adopt(parser, comma);
        }
        all = comma;
    }
    if (all && known >= FIRST_OF_ONE) {
        bool single = known < FIRST_OF_DOUBLE || (given.kind == TYPE_FLOAT && given.bytes < 8);
        const struct intrinsic_call none = {.name = name};
        struct expr *value = intrinsic_computed(parser, &none, type_float(single ? 4 : 8));
        struct expr *comma = value ? build(parser, EXPR_COMMA, value->type, name, parser->last) : NULL;
        if (comma) {
            comma->a = all;
            comma->b = value;
            comma = build_adopt(parser, comma);
        }
        all = comma;
    }
    return all && parse_expect(parser, ')', "after the arguments") ? all : NULL;
}

static struct expr *call_barrier(struct parser *parser, const struct token *name)
{
    static const char *const barriers[] = {"__syncthreads", "__syncthreads_count", "__syncthreads_or",
                                           "__syncthreads_and"};
    struct intrinsic_call call;
    for (unsigned i = 0; i < COUNT(barriers); i++) {
        if (!token_is(name, barriers[i]))
            continue;
        if (!intrinsic_arguments(parser, name, i ? 1 : 0, i ? 1 : 0, &call))
            return NULL;
        struct expr *e =
            build(parser, EXPR_BARRIER, i ? type_integer(4, true) : type_void(), name, parser->last);
        e->value = i ? (int)VOTE_COUNT + (int)i - 1 : 0;
        e->a = i ? build_bool(parser, call.at[0]) : NULL;
        return i && !e->a ? NULL : build_adopt(parser, e);
    }
    if (!token_is(name, "__syncwarp") || !intrinsic_arguments(parser, name, 0, 1, &call))
        return NULL;
    return build(parser, EXPR_SYNCWARP, type_void(), name, parser->last);
}

/* Past the ( ) at parser->at, whatever stands in them. */
static bool skip_arguments(struct parser *parser)
{
    int depth = 0;
    do {
        if (parser->at->kind == TOKEN_END)
            return parse_fail(parser, parser->at, "the text ends inside a ( that is never closed");
        depth += token_is_punct(parser->at, '(') - token_is_punct(parser->at, ')');
        parse_advance(parser);
    } while (depth > 0);
    return true;
}

/* What prints, checks, waits or advises has no part in what is counted. */
static struct expr *call_passed_over(struct parser *parser, const struct token *name)
{
    static const char *const names[] = {"printf",
                                        "assert",
                                        "__trap",
                                        "__brkpt",
                                        "__nanosleep",
                                        "__prof_trigger",
                                        "__threadfence",
                                        "__threadfence_block",
                                        "__threadfence_system",
                                        "__builtin_assume",
                                        "__assume",
                                        "__builtin_unreachable",
                                        "cudaGridDependencySynchronize",
                                        "cudaTriggerProgrammaticLaunchCompletion"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (token_is(name, names[i]) && skip_arguments(parser)) {
            const struct intrinsic_call none = {.name = name};
            return intrinsic_computed(parser, &none, i ? type_void() : type_integer(4, true));
        }
    return NULL;
}

/* Hints to a compiler that stand for their first argument. */
static struct expr *call_hint(struct parser *parser, const struct token *name)
{
    struct intrinsic_call call;
    if ((!token_is(name, "__builtin_expect") && !token_is(name, "__builtin_assume_aligned")) ||
        !intrinsic_arguments(parser, name, 1, 3, &call))
        return NULL;
    return call.at[0];
}

/* What a function of data computes of numbers. One that rounds to a whole number of integer type does so in
 * its operand's type first. */
static struct expr *compute_reals(struct parser *parser, const struct token *name, struct expr *e)
{
    struct type type = e->type;
    e->value = intrinsic_real(name, e->part_count);
    bool is_float =
        e->part_count && e->parts[0]->type.kind == TYPE_FLOAT && e->parts[0]->type.components == 1;
    if (type.kind == TYPE_FLOAT || type.kind == TYPE_BOOL || e->value == REAL_NONE)
        return e;
    if (type.kind != TYPE_INTEGER || !is_float) {
        e->value = REAL_NONE;
        return e;
    }
    e->type = e->parts[0]->type;
    e->type.is_const = false;
    return build_convert(parser, e, type);
}

static struct expr *call_data(struct parser *parser, const struct token *name)
{
    struct intrinsic_call call;
    struct type type;
    if (!intrinsic_data_type(name, NULL, &type) ||
        !intrinsic_arguments(parser, name, 0, INTRINSIC_ARGUMENTS, &call))
        return NULL;
    intrinsic_data_type(name, &call, &type);
    bool bits = false;
    for (uint32_t i = 0; i + 4 < name->length; i++)
        bits = bits || memcmp(name->text + i, "_as_", 4) == 0;
    if (bits && call.count == 1)
        return intrinsic_function(parser, name, FUNCTION_BITS, type, call.at, 1);
    struct expr *e = intrinsic_computed(parser, &call, type);
    return e ? compute_reals(parser, name, e) : NULL;
}

/* What a header of the file may bring, as helper_math.h does: functions of vectors, whose values are data. */
static struct expr *call_helper(struct parser *parser, const struct token *name)
{
    static const struct {
        const char *name;
        unsigned arguments;
        bool is_scalar; /* its value */
    } helpers[] = {{"dot", 2, true},      {"length", 1, true},     {"lerp", 3, false},
                   {"clamp", 3, false},   {"normalize", 1, false}, {"cross", 2, false},
                   {"reflect", 2, false}, {"fracf", 1, false},     {"smoothstep", 3, false}};
    struct intrinsic_call call;
    for (size_t i = 0; i < COUNT(helpers); i++) {
        if (!may_come_from_header(parser) || !token_is(name, helpers[i].name))
            continue;
        if (!intrinsic_arguments(parser, name, helpers[i].arguments, helpers[i].arguments, &call))
            return NULL;
        struct type type = call.at[0]->type;
        type.is_const = false;
        type.space = SPACE_GLOBAL;
        if (type_is_index(&type) || (!type.has_names && type.kind != TYPE_FLOAT))
            break; /* whose integers may become addresses */
        return intrinsic_computed(parser, &call, helpers[i].is_scalar ? type_component(type) : type);
    }
    return NULL;
}

/* memcpy between variables: the same bits as another type. */
static struct expr *call_copy(struct parser *parser, const struct token *name)
{
    struct intrinsic_call call;
    int64_t bytes;
    if ((!token_is(name, "memcpy") && !token_is(name, "__builtin_memcpy")) ||
        !intrinsic_arguments(parser, name, 3, 3, &call))
        return NULL;
    bool locals = true;
    for (unsigned i = 0; i < 2; i++)
        locals = locals && call.at[i]->type.kind == TYPE_POINTER && call.at[i]->type.space == SPACE_LOCAL;
    const struct type *type = NULL; /* of one of the two, which is copied as a whole */
    for (unsigned i = 0; locals && constant_value(call.at[2], &bytes) && i < 2 && !type; i++)
        if (bytes > 0 && type_size(call.at[i]->type.to) == (uint64_t)bytes)
            type = call.at[i]->type.to;
    if (!type) {
        parse_fail(
            parser, name,
            "memcpy is known here between two variables, of the size of one of them; in memory how it is "
            "split is the compiler's choice: assign the elements");
        return NULL;
    }
    struct type seen = type_pointer(type, SPACE_LOCAL);
    struct token equals = *name;
    equals.kind = TOKEN_PUNCT;
    equals.punct = '=';
    struct expr *to = build_memory(parser, build_convert(parser, call.at[0], seen), name, name);
    return build_assign(parser, &equals, to,
                        build_memory(parser, build_convert(parser, call.at[1], seen), name, name));
}

bool parse_call_is_template(const struct token *name)
{
    return token_is(name, "tiled_partition") || intrinsic_is_texture(name);
}

struct expr *parse_call(struct parser *parser, const struct token *name)
{
    static struct expr *(*const kinds[])(struct parser *, const struct token *) = {
        call_barrier,   call_min_max,     call_abs,   call_integer,   call_make_vector,  call_hinted,
        intrinsic_warp, intrinsic_atomic, group_call, call_half_move, intrinsic_texture, call_passed_over,
        call_hint,      call_sincos,      call_data,  call_helper,    call_copy};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct expr *e = kinds[i](parser, name);
        if (e || parser->problem->set)
            return e;
    }
    char missing[PREPROCESS_MISSING_SIZE];
    if (parse_refuse_known(parser, name))
        return NULL;
    preprocess_missing(parser->pre, missing, sizeof missing);
    parse_fail(parser, name,
               "%.*s cannot be called here: it is no __device__ function of this file and no function of "
               "CUDA's that is known%s",
               (int)(name->length < 80 ? name->length : 80), name->text,
               *missing ? missing : "; if it comes from a header, put its definition into this file");
    return NULL;
}
