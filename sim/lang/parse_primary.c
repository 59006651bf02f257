/* parse_primary.c - names, literals, calls, and what may follow them. */
#include "intrinsic.h"
#include "parse.h"

#include <stdlib.h>
#include <string.h>

static struct expr *refuse_name(struct parser *parser, const struct token *name, const char *what)
{
    parse_fail(parser, name, "%.*s %s", (int)(name->length < 80 ? name->length : 80), name->text, what);
    return NULL;
}

/* FNV-1a over the spelling: two spellings of one value count as two values, which only matters to an audit.
 */
static int64_t hash_of(const struct token *token)
{
    uint64_t hash = 1469598103934665603u;
    for (uint32_t i = 0; i < token->length; i++)
        hash = (hash ^ (unsigned char)token->text[i]) * 1099511628211u;
    return (int64_t)(hash & ((UINT64_C(1) << 48) - 1));
}

static struct expr *parse_float(struct parser *parser, const struct token *token)
{
    char last = token->text[token->length - 1];
    struct expr *e = build(parser, EXPR_DATA, type_float(last == 'f' || last == 'F' ? 4 : 8), token, token);
    e->value = hash_of(token);
    char text[80];
    if (token->length < sizeof text && !memchr(token->text, '\'', token->length)) {
        memcpy(text, token->text, token->length);
        text[token->length] = '\0';
        e->real = e->type.bytes == 4 ? (double)strtof(text, NULL) : strtod(text, NULL);
        e->is_real = true;
    }
    return e;
}

/* Reads digits of `base`; false if it has none, does not fit 64 bits, or something else follows. */
static bool read_digits(const char *text, uint32_t length, unsigned base, uint64_t *value)
{
    *value = 0;
    if (!length)
        return false;
    for (uint32_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '\'')
            continue;
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                         : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                                : 99;
        if (digit >= base || *value > (UINT64_MAX - digit) / base)
            return false;
        *value = *value * base + digit;
    }
    return true;
}

static struct expr *parse_number(struct parser *parser, const struct token *token)
{
    const char *text = token->text;
    uint32_t length = token->length;
    bool hex = length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    bool binary = length > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B');
    if (memchr(text, '.', length) || (!hex && (memchr(text, 'e', length) || memchr(text, 'E', length))) ||
        (hex && memchr(text, 'p', length)))
        return parse_float(parser, token);
    int longs = 0, unsigneds = 0;
    while (length && strchr("uUlL", text[length - 1])) {
        longs += text[length - 1] == 'l' || text[length - 1] == 'L';
        unsigneds += text[length - 1] == 'u' || text[length - 1] == 'U';
        length--;
    }
    unsigned base = hex ? 16 : binary ? 2 : text[0] == '0' && length > 1 ? 8 : 10;
    uint32_t skip = hex || binary ? 2 : 0;
    uint64_t value;
    if (longs > 2 || unsigneds > 1 || length < skip || !read_digits(text + skip, length - skip, base, &value))
        return refuse_name(parser, token,
                           "is no whole number: it has a wrong digit or ending, or more than 64 bits");
    bool fits_int = value <= INT32_MAX, fits_uint = value <= UINT32_MAX;
    bool may_be_unsigned = unsigneds || base != 10;
    struct type type;
    if (parser->is_directive)
        longs = 1;
    if (!longs && fits_int)
        type = type_integer(4, !unsigneds);
    else if (!longs && fits_uint && may_be_unsigned)
        type = type_integer(4, false);
    else
        type = type_integer(8, !unsigneds && value <= INT64_MAX);
    return build_integer(parser, (int64_t)value, type, token);
}

/* 'a', '\n', '\0', '\x41', of type char. */
static struct expr *parse_character(struct parser *parser, const struct token *token)
{
    static const char escapes[] = "n\nt\tr\ra\ab\bf\fv\v\\\\''\"\"??"; /* letter and what it stands for */
    const char *text = token->text + 1;
    uint32_t length = token->length - 2;
    uint64_t value = 0;
    bool known = length == 1 && text[0] != '\\';
    if (known)
        value = (unsigned char)text[0];
    if (length >= 2 && text[0] == '\\') {
        for (size_t i = 0; length == 2 && i + 1 < sizeof escapes && !known; i += 2)
            if (escapes[i] == text[1]) {
                known = true;
                value = (unsigned char)escapes[i + 1];
            }
        if (!known && text[1] == 'x')
            known = read_digits(text + 2, length - 2, 16, &value) && value <= 255;
        else if (!known)
            known = length <= 4 && read_digits(text + 1, length - 1, 8, &value) && value <= 255;
    }
    if (!known)
        return refuse_name(parser, token, "is no single character");
    struct type type = type_integer(1, true);
    type.is_char = true;
    return build_integer(parser, (int8_t)(uint8_t)value, type, token);
}

/* threadIdx without a component: auto t = threadIdx. */
static struct expr *whole_builtin(struct parser *parser, const struct token *name, enum builtin first)
{
    struct type type;
    (void)type_of_name("uint3", 5, &type);
    struct expr *e = build_list(parser, type, 3, name, name);
    for (int i = 0; i < 3; i++) {
        e->parts[i] = build(parser, EXPR_BUILTIN, type_component(type), name, name);
        e->parts[i]->value = (int)first + i;
    }
    return build_adopt(parser, e);
}

static struct expr *parse_builtin_vector(struct parser *parser, const struct token *name, enum builtin first)
{
    if (!parse_accept(parser, '.'))
        return whole_builtin(parser, name, first);
    const struct token *part = parser->at;
    const char *letter = part->kind == TOKEN_NAME && part->length == 1 ? strchr("xyz", part->text[0]) : NULL;
    if (!letter || !*letter)
        return refuse_name(parser, part, "is no component here: x, y and z are");
    parse_advance(parser);
    struct expr *e = build(parser, EXPR_BUILTIN, type_integer(4, false), name, part);
    e->value = (int)first + (part->text[0] - 'x');
    return e;
}

struct builtin_name {
    const char *name;
    enum builtin first;
};

static const struct builtin_name cuda_builtins[] = {{"threadIdx", BUILTIN_THREAD},
                                                    {"blockIdx", BUILTIN_BLOCK},
                                                    {"blockDim", BUILTIN_BLOCK_DIM},
                                                    {"gridDim", BUILTIN_GRID_DIM}};

/* In a probe these are 64-bit integers, so that an index is plain arithmetic. */
static const struct builtin_name probe_builtins[] = {
    {"tx", BUILTIN_THREAD},
    {"ty", (enum builtin)(BUILTIN_THREAD + 1)},
    {"tz", (enum builtin)(BUILTIN_THREAD + 2)},
    {"bx", BUILTIN_BLOCK},
    {"by", (enum builtin)(BUILTIN_BLOCK + 1)},
    {"bz", (enum builtin)(BUILTIN_BLOCK + 2)},
    {"bdx", BUILTIN_BLOCK_DIM},
    {"bdy", (enum builtin)(BUILTIN_BLOCK_DIM + 1)},
    {"bdz", (enum builtin)(BUILTIN_BLOCK_DIM + 2)},
    {"gdx", BUILTIN_GRID_DIM},
    {"gdy", (enum builtin)(BUILTIN_GRID_DIM + 1)},
    {"gdz", (enum builtin)(BUILTIN_GRID_DIM + 2)},
    {"lane", BUILTIN_LANE},
    {"warp", BUILTIN_WARP},
    {"tid", BUILTIN_LINEAR},
};

static struct expr *parse_builtin(struct parser *parser, const struct token *name, bool *known)
{
    *known = true;
    for (size_t i = 0; i < sizeof cuda_builtins / sizeof *cuda_builtins; i++)
        if (token_is(name, cuda_builtins[i].name))
            return parse_builtin_vector(parser, name, cuda_builtins[i].first);
    if (token_is(name, "warpSize"))
        return build_integer(parser, 32, type_integer(4, true), name);
    if (token_is(name, "true") || token_is(name, "false"))
        return build_integer(parser, token_is(name, "true"), type_bool(), name);
    if (token_is(name, "nullptr") || token_is(name, "NULL"))
        return build_integer(parser, 0, type_integer(8, true), name);
    for (size_t i = 0; parser->probe_names && i < sizeof probe_builtins / sizeof *probe_builtins; i++)
        if (token_is(name, probe_builtins[i].name)) {
            struct expr *e = build(parser, EXPR_BUILTIN, type_integer(8, true), name, name);
            e->value = probe_builtins[i].first;
            return e;
        }
    *known = false;
    return NULL;
}

struct expr *parse_seen_as(struct parser *parser, struct expr *e, struct type type, const struct token *from)
{
    if (e && !e->is_lvalue)
        return refuse_name(parser, from, "to a reference needs a place");
    if (!e)
        return NULL;
    struct type *to = arena_take(parser->arena, sizeof *to);
    *to = type;
    struct expr *place = e->kind == EXPR_MEMORY ? e->a : build_address(parser, e);
    return build_memory(parser, build_convert(parser, place, type_pointer(to, SPACE_GLOBAL)), from,
                        parser->at);
}

/* static_cast<T>(e) and its kin. */
static struct expr *parse_named_cast(struct parser *parser)
{
    struct type type;
    const struct token *from = parser->last;
    bool no_greater = parser->no_greater;
    if (!parse_expect(parser, '<', "after a cast's name") || !parse_type(parser, &type))
        return NULL;
    bool is_reference = parse_accept(parser, '&');
    if (!parse_expect(parser, '>', "after the type") || !parse_expect(parser, '(', "before what is cast"))
        return NULL;
    parser->no_greater = false;
    struct expr *e = parse_expression(parser);
    parser->no_greater = no_greater;
    if (is_reference) {
        e = parse_seen_as(parser, e, type, from);
        return e && parse_expect(parser, ')', "after what is cast") ? e : NULL;
    }
    e = build_convert(parser, e, type);
    return e && parse_expect(parser, ')', "after what is cast") ? e : NULL;
}

static struct expr *zero_of(struct parser *parser, struct type type, const struct token *at);

/* dim3(x, y), half2(a, b): after the (. Of a dim3 what is left out is 1; a lone value of the type is itself.
 */
struct expr *parse_constructor(struct parser *parser, struct type type)
{
    const struct token *from = parser->at;
    struct expr *e = build_list(parser, type, type.components, from, from), *value;
    bool is_dim3 = type.components == 3 && type.kind == TYPE_INTEGER && type.bytes == 4 && !type.is_signed;
    unsigned count = 0;
    do {
        if (!(value = parse_assignment(parser)))
            return NULL;
        if (count == 0 && value->type.has_names)
            return parse_expect(parser, ')', "after the value") ? build_convert(parser, value, type) : NULL;
        if (count == type.components) {
            parse_fail(parser, parser->last, "there are more values here than the type has");
            return NULL;
        }
        if (!(e->parts[count++] = build_convert(parser, value, type_component(type))))
            return NULL;
    } while (parse_accept(parser, ','));
    for (; is_dim3 && count < type.components; count++)
        e->parts[count] = build_integer(parser, 1, type_component(type), from);
    if (count < type.components) {
        parse_fail(parser, parser->at, "this type has more components than there are values here");
        return NULL;
    }
    e->end = parser->last->end;
    return parse_expect(parser, ')', "after the values") ? build_adopt(parser, e) : NULL;
}

/* int(x), int{x}, int(): at what follows the type. */
static struct expr *parse_functional_cast(struct parser *parser, struct type type)
{
    const struct token *open = parser->at;
    bool brace = token_is_punct(open, '{');
    if (parse_has_constructor(&type) && (brace || token_is_punct(open, '(')))
        return parse_construct(parser, type, parser->last);
    if (brace && (type.has_names || type.kind == TYPE_STRUCT))
        return parse_braces(parser, type);
    if (type.kind == TYPE_STRUCT && token_is_punct(open, '(') && token_is_punct(open + 1, ')')) {
        parser->last = open + 1;
        parser->at = open + 2;
        return zero_of(parser, type, open);
    }
    if (!brace && !parse_expect(parser, '(', "after a type's name"))
        return NULL;
    if (brace)
        parse_advance(parser);
    uint32_t closing = brace ? '}' : ')';
    if (type.has_names)
        return parse_constructor(parser, type);
    if (type_is_scalar(&type) && token_is_punct(parser->at, closing)) {
        parse_advance(parser);
        return build_convert(parser, build_integer(parser, 0, type_integer(4, true), open), type);
    }
    struct expr *e = build_convert(parser, parse_expression(parser), type);
    return e && parse_expect(parser, closing, "after what is cast") ? e : NULL;
}

/* S::name, at the :: after a struct: a constant, a type's value, a static function. */
static struct expr *parse_struct_name(struct parser *parser, struct type type)
{
    parse_advance(parser);
    if (token_is(parser->at, "template"))
        parse_advance(parser);
    const struct token *name = parser->at;
    const struct symbol *symbol = parse_member_symbol(&type, name);
    parse_advance(parser);
    if (symbol && symbol->kind == SYMBOL_CONSTANT)
        return build_integer(parser, symbol->value, symbol->type, name);
    if (symbol && symbol->kind == SYMBOL_TYPE)
        return token_is_punct(parser->at, PUNCT2(':', ':')) && symbol->type.kind == TYPE_STRUCT
                   ? (parse_enter(parser) ? (parse_leave(parser), parse_struct_name(parser, symbol->type))
                                          : NULL)
                   : parse_functional_cast(parser, symbol->type);
    struct expr *e = parse_static_call(parser, name, type.record);
    if (e || parser->problem->set)
        return e;
    return refuse_name(parser, name, "is no constant, type or function of this struct that is known here");
}

/* E::A, at the :: after an enum's name. */
static struct expr *parse_enumerator(struct parser *parser, const struct token *of)
{
    parse_advance(parser);
    const struct token *name = parser->at;
    const struct symbol *symbol = NULL;
    if (name->kind == TOKEN_NAME) {
        struct token scoped = parse_scoped_name(parser, of, name);
        symbol = parse_find(parser, &scoped);
        symbol = symbol ? symbol : parse_find(parser, name);
    }
    if (!symbol || symbol->kind != SYMBOL_CONSTANT)
        return refuse_name(parser, name, "is no name of this enum");
    parse_advance(parser);
    return build_integer(parser, symbol->value, symbol->type, name);
}

/* The type of part `index` of an aggregate. */
static struct type part_type(const struct type *type, unsigned index)
{
    if (type->kind == TYPE_ARRAY)
        return *type->to;
    if (type->kind == TYPE_STRUCT)
        return type->record->members[index].type;
    return type_component(*type);
}

/* What an initialiser list leaves out: a member's default value, or 0. */
static struct expr *left_out(struct parser *parser, const struct type *type, unsigned index,
                             const struct token *at)
{
    struct type part = part_type(type, index);
    const struct member *member = type->kind == TYPE_STRUCT ? &type->record->members[index] : NULL;
    return member && member->initial ? parse_member_default(parser, member, type->record->scope)
                                     : zero_of(parser, part, at);
}

struct expr *parse_member_default(struct parser *parser, const struct member *member,
                                  const struct scope *scope)
{
    struct parser inner = *parser;
    struct scope own = {.outer = (struct scope *)(uintptr_t)scope, .names = parser->scope->names};
    inner.at = member->initial;
    inner.no_greater = false;
    if (scope)
        inner.scope = &own;
    bool brace = token_is_punct(inner.at, '{'), scalar = type_is_scalar(&member->type);
    if (!brace || (scalar && !token_is_punct(inner.at + 1, '}')))
        parse_advance(&inner);
    struct expr *e =
        token_is_punct(inner.at, '{') ? parse_braces(&inner, member->type) : parse_assignment(&inner);
    if (e && member->type.kind == TYPE_POINTER && build_is_null(e))
        return e;
    return build_convert(parser, e, member->type);
}

/* The value 0 of any type, for what an initialiser list leaves out. */
static struct expr *zero_of(struct parser *parser, struct type type, const struct token *at)
{
    if (type_is_scalar(&type))
        return build_convert(parser, build_integer(parser, 0, type_integer(4, true), at), type);
    if (type.kind == TYPE_POINTER) {
        parse_fail(parser, at, "a pointer in this list needs a value");
        return NULL;
    }
    if (parse_has_constructor(&type) && !type.record->is_aggregate && !type.record->has_default) {
        struct parser inner = *parser;
        inner.at = &(const struct token){.kind = TOKEN_END, .text = "", .source = at->source};
        return parse_construct(&inner, type, at);
    }
    unsigned count = type.kind == TYPE_ARRAY    ? (unsigned)type.count
                     : type.kind == TYPE_STRUCT ? type.record->count
                                                : type.components;
    struct expr *e = build_list(parser, type, count, at, at);
    for (unsigned i = 0; i < count; i++)
        if (!(e->parts[i] = left_out(parser, &type, i, at)))
            return NULL;
    return build_adopt(parser, e);
}

struct expr *parse_zero(struct parser *parser, struct type type, const struct token *at)
{
    return zero_of(parser, type, at);
}

static struct expr *parse_parts(struct parser *parser, struct type type);

/* Would the next value, as it is written, be one of this type? */
static bool next_is_of(const struct parser *parser, const struct type *type)
{
    struct problem ignored = {0};
    struct parser ahead = *parser;
    ahead.problem = &ignored;
    const struct expr *e = parse_assignment(&ahead);
    return e && type_same(&e->type, type);
}

/* Part `index`: a list of its own, a value, or, where it has parts and the braces around them are left out,
 * the next values. */
static struct expr *parse_part(struct parser *parser, const struct type *type, unsigned index)
{
    struct type part = part_type(type, index);
    if (token_is_punct(parser->at, '{'))
        return parse_braces(parser, part);
    if ((part.kind == TYPE_ARRAY || part.kind == TYPE_STRUCT || part.has_names) && !next_is_of(parser, &part))
        return parse_parts(parser, part);
    return build_convert(parser, parse_assignment(parser), part);
}

/* .member = before a value: members are given in their order. */
static bool skip_designator(struct parser *parser, const struct type *type, unsigned index)
{
    const struct token *name = parser->at + 1;
    if (!token_is_punct(parser->at, '.') || name->kind != TOKEN_NAME)
        return true;
    const struct member *member = type_member(type, name->text, name->length);
    if (!member || member != &type->record->members[index])
        return parse_fail(parser, name, "members are given in their order here");
    parser->at += 2;
    return parse_expect(parser, '=', "after the member");
}

/* The values of an aggregate up to its closing brace, or up to as many as it has; the rest is 0. */
static struct expr *parse_parts(struct parser *parser, struct type type)
{
    const struct token *from = parser->at;
    unsigned limit = type.kind == TYPE_ARRAY    ? (unsigned)type.count
                     : type.kind == TYPE_STRUCT ? (type.record->is_union ? 1 : type.record->count)
                                                : type.components;
    struct expr *e = build_list(parser, type, limit, from, from);
    unsigned count = 0;
    if (!parse_enter(parser))
        return NULL;
    while (count < limit && !token_is_punct(parser->at, '}')) {
        if (!skip_designator(parser, &type, count) || !(e->parts[count] = parse_part(parser, &type, count)))
            return NULL;
        count++;
        if (count < limit ? !parse_accept(parser, ',') : !token_is_punct(parser->at, ','))
            break;
    }
    parse_leave(parser);
    for (; count < limit; count++)
        if (!(e->parts[count] = left_out(parser, &type, count, from)))
            return NULL;
    e->end = parser->last->end;
    if (type_is_scalar(&type) || type.kind == TYPE_POINTER)
        return e->parts[0];
    return build_adopt(parser, e);
}

struct expr *parse_braces(struct parser *parser, struct type type)
{
    const struct token *open = parser->at;
    if (!parse_expect(parser, '{', "before the values"))
        return NULL;
    struct expr *e = parse_parts(parser, type);
    parse_accept(parser, ',');
    if (e && !token_is_punct(parser->at, '}') && token_is_punct(parser->last, ',')) {
        parse_fail(parser, parser->at, "there are more values here than the type has");
        return NULL;
    }
    if (!e || !parse_expect(parser, '}', "after the values"))
        return NULL;
    if (e->kind == EXPR_VECTOR) {
        e->begin = open->begin;
        e->end = parser->last->end;
    }
    return e;
}

static struct expr *parse_symbol(struct parser *parser, const struct token *name, struct symbol *symbol)
{
    struct expr *e;
    switch (symbol->kind) {
    case SYMBOL_CONSTANT:
        return symbol->initial ? symbol->initial : build_integer(parser, symbol->value, symbol->type, name);
    case SYMBOL_SHARED: {
        if (symbol->same)
            symbol = symbol->same;
        symbol->is_used = true;
        struct type pointer = type_pointer(symbol->type.to, SPACE_SHARED);
        if (symbol->type.kind != TYPE_ARRAY) { /* __shared__ float total; */
            struct type *to = arena_take(parser->arena, sizeof *to);
            *to = symbol->type;
            pointer.to = to;
        }
        e = build(parser, EXPR_SHARED, pointer, name, name);
        e->symbol = symbol;
        if (symbol->type.kind != TYPE_ARRAY)
            return build_memory(parser, e, name, name);
        e->array = &symbol->type;
        return e;
    }
    case SYMBOL_TYPE:
        if (token_is_punct(parser->at, PUNCT2(':', ':')))
            return symbol->type.kind == TYPE_STRUCT ? parse_struct_name(parser, symbol->type)
                                                    : parse_enumerator(parser, name);
        return parse_functional_cast(parser, symbol->type);
    case SYMBOL_VARIABLE:
        symbol->reads_itself = symbol->reads_itself || symbol->is_parsing;
        if (symbol->type.kind == TYPE_POINTER && !symbol->has_space && !token_is_punct(parser->at, '='))
            return refuse_name(parser, name, "is used before it points anywhere");
        break;
    case SYMBOL_PARAMETER:
        break;
    case SYMBOL_ALIAS:
        e = arena_take(parser->arena, sizeof *e);
        *e = *symbol->initial;
        e->begin = name->begin;
        e->end = name->end;
        e->source = name->source;
        e->in_macro = name->expanded;
        return e;
    case SYMBOL_DATA: {
        struct type *to = arena_take(parser->arena, sizeof *to);
        bool is_array = symbol->type.kind == TYPE_ARRAY;
        *to = is_array ? *symbol->type.to : symbol->type;
        e = build(parser, EXPR_CONSTANT_ADDRESS, type_pointer(to, SPACE_CONSTANT), name, name);
        e->array = is_array ? &symbol->type : NULL;
        return is_array ? e : build_memory(parser, e, name, name);
    }
    case SYMBOL_DEVICE:
        return pointee_variable(parser, name, symbol);
    case SYMBOL_FUNCTION:
        return parse_function_call(parser, name, symbol);
    case SYMBOL_TEMPLATE:
        return refuse_name(parser, name, "is a template: its arguments are expected behind it");
    case SYMBOL_NAMESPACE:
        return refuse_name(parser, name, "is a namespace: a name of it is expected");
    }
    e = build(parser, EXPR_VARIABLE, symbol->type, name, name);
    e->symbol = symbol;
    e->type.is_const = symbol->type.is_const;
    e->is_lvalue = true;
    return symbol->type.kind == TYPE_ARRAY ? build_address(parser, e) : e;
}

/* A name that may be a constant of a header that is not here: it is read as 1, and asked for in the end. */
static struct expr *assume_constant(struct parser *parser, const struct token *name)
{
    struct assumptions *assumptions = parser->assumptions;
    const struct token *next = name + 1;
    if (!assumptions || parser->problem != assumptions->problem)
        return NULL;
    bool in_type_place =
        token_is_punct(name - 1, '(') && (token_is_punct(next, '*') || token_is(name - 2, "sizeof"));
    bool is_cast =
        token_is_punct(name - 1, '(') && token_is_punct(next, ')') &&
        (next[1].kind == TOKEN_NAME || next[1].kind == TOKEN_NUMBER || token_is_punct(next + 1, '('));
    if (in_type_place || is_cast || next->kind == TOKEN_NAME || next->kind == TOKEN_STRING ||
        token_opens(next) || token_is_punct(next, '.') || token_is_punct(next, '<') ||
        token_is_punct(next, PUNCT2('-', '>')) || token_is_punct(next, '=') ||
        token_is_punct(next, PUNCT2(':', ':')) || token_is_punct(name - 1, PUNCT2(':', ':')) ||
        token_is_punct(name - 1, '&') || token_is_punct(next, PUNCT2('+', '+')))
        return NULL;
    bool known = false;
    for (unsigned i = 0; i < assumptions->constant_count; i++)
        known = known || token_same_name(assumptions->constants[i], name);
    if (!known && assumptions->constant_count == ASSUMED_LIMIT)
        return NULL;
    if (!known)
        assumptions->constants[assumptions->constant_count++] = name;
    return build_integer(parser, 1, type_integer(4, true), name);
}

static struct expr *unknown_name(struct parser *parser, const struct token *name)
{
    if (token_is_punct(parser->at, '(') || token_is_punct(parser->at, '<')) {
        struct expr *e = parse_function_call(parser, name, NULL);
        if (e || parser->problem->set)
            return e;
    }
    struct expr *constant = intrinsic_trait(parser, name);
    if (constant || parser->problem->set)
        return constant;
    constant = intrinsic_constant(parser, name);
    if (constant || parser->problem->set)
        return constant;
    if (token_is_punct(parser->at, '(') || (token_is_punct(parser->at, '<') && parse_call_is_template(name)))
        return parse_call(parser, name);
    if (token_is(name, "wmma") || token_is(name, "nvcuda"))
        return refuse_name(
            parser, name,
            "is not supported: how the loads and stores of tensor cores' fragments are "
            "split is not known here. Loads into registers and shared memory before them are; leave "
            "the fragments out to count those");
    if (token_is_punct(parser->at, PUNCT2(':', ':')) && parse_refuse_known(parser, name))
        return NULL;
    if (token_is_punct(parser->at, PUNCT2(':', ':')))
        return refuse_name(parser, name, "is a namespace, which is not supported");
    if (token_is(name, "else"))
        return refuse_name(parser, name, "has no if before it");
    if (parser->probe_names || !parser->pre)
        return refuse_name(parser, name, "is not declared");
    struct expr *assumed = assume_constant(parser, name);
    if (assumed)
        return assumed;
    char missing[PREPROCESS_MISSING_SIZE];
    parse_fail(parser, name, "%.*s is not declared%s", (int)(name->length < 80 ? name->length : 80),
               name->text, preprocess_missing(parser->pre, missing, sizeof missing));
    return NULL;
}

static struct expr *parse_name(struct parser *parser)
{
    static const char *const casts[] = {"static_cast", "reinterpret_cast", "const_cast"};
    parse_skip_std(parser);
    const struct token *name = parser->at;
    bool known;
    parse_advance(parser);
    for (size_t i = 0; i < sizeof casts / sizeof *casts; i++)
        if (token_is(name, casts[i]))
            return parse_named_cast(parser);
    if (parse_at_class(parser, name)) { /* X<T>::n, X<T>(a) */
        struct type type;
        parser->at = name;
        if (!parse_class(parser, &type))
            return NULL;
        return token_is_punct(parser->at, PUNCT2(':', ':')) && type.kind == TYPE_STRUCT
                   ? parse_struct_name(parser, type)
                   : parse_functional_cast(parser, type);
    }
    struct symbol *symbol = parse_find(parser, name);
    if (symbol)
        return parse_symbol(parser, name, symbol);
    struct expr *e = parse_builtin(parser, name, &known);
    if (known)
        return e;
    struct parser at_name = *parser;
    at_name.at = name;
    if (parse_at_type(&at_name)) { /* int(x) */
        struct type type;
        parser->at = name;
        return parse_specifiers(parser, &type) ? parse_functional_cast(parser, type) : NULL;
    }
    return unknown_name(parser, name);
}

static struct expr *parse_primary(struct parser *parser)
{
    const struct token *token = parser->at;
    if (token->kind == TOKEN_NUMBER) {
        parse_advance(parser);
        return parse_number(parser, token);
    }
    if (token->kind == TOKEN_CHARACTER) {
        parse_advance(parser);
        return parse_character(parser, token);
    }
    if (token->kind == TOKEN_NAME || token_is_punct(token, PUNCT2(':', ':')))
        return parse_name(parser);
    if (parse_accept(parser, '(')) {
        bool no_greater = parser->no_greater;
        parser->no_greater = false;
        struct expr *e = parse_expression(parser);
        parser->no_greater = no_greater;
        if (!e || !parse_expect(parser, ')', "to close the parenthesis"))
            return NULL;
        e->begin = token->begin;
        e->end = parser->last->end;
        e->in_macro = e->in_macro || token->expanded || parser->last->expanded;
        return e;
    }
    if (token->kind == TOKEN_END)
        parse_fail(parser, token, "the text ends where a value is expected");
    else
        parse_fail(parser, token, "a value is expected here, not %.*s",
                   (int)(token->length < 40 ? token->length : 40), token->text);
    return NULL;
}

/* .name or .name(arguments), at the name. */
static struct expr *parse_member(struct parser *parser, struct expr *e)
{
    if (token_is(parser->at, "template")) /* a.template f<int>() */
        parse_advance(parser);
    const struct token *name = parser->at;
    parse_advance(parser);
    if (e && e->type.kind == TYPE_GROUP)
        return group_method(parser, e, name);
    if (e && e->type.kind == TYPE_STRUCT &&
        (token_is_punct(parser->at, '(') || token_is_punct(parser->at, '<'))) {
        const struct call_context *around = parser->call; /* `this` is what the function's own struct is */
        const struct record *record =
            e->is_this && around && around->record ? around->record : e->type.record;
        struct expr *call = parse_sibling_call(parser, name, record, e);
        if (call || parser->problem->set)
            return call;
    }
    const struct symbol *constant = NULL; /* a static one, by way of an object */
    if (e && e->type.kind == TYPE_STRUCT && !type_member(&e->type, name->text, name->length))
        constant = parse_member_symbol(&e->type, name);
    if (constant && constant->kind == SYMBOL_CONSTANT)
        return build_integer(parser, constant->value, constant->type, name);
    return build_component(parser, e, name);
}

struct expr *parse_postfix(struct parser *parser)
{
    const struct token *from = parser->at;
    struct expr *e = parse_primary(parser);
    while (e) {
        const struct token *op = parser->at;
        bool is_call = token_is_punct(op, '(') || token_is_punct(op, '[');
        if (is_call && e->type.kind == TYPE_STRUCT && !e->is_this) { /* operator() or operator[] */
            struct expr *call = parse_member_call(parser, op, e);
            struct expr *pointer = !call && !parser->problem->set && token_is_punct(op, '[')
                                       ? parse_conversion(parser, e, NULL)
                                       : NULL;
            if (pointer) { /* indexed as what it converts to */
                e = pointer;
                continue;
            }
            if (!call && !parser->problem->set)
                parse_fail(parser, op, "%s has no operator%s", e->type.record->name,
                           token_is_punct(op, '(') ? "()" : "[]");
            e = call;
        } else if (parse_accept(parser, '[')) {
            struct expr *index = parse_expression(parser);
            if (!index || !parse_expect(parser, ']', "after the index"))
                return NULL;
            e = build_memory(parser, build_index(parser, e, index, parser->last), from, parser->last);
        } else if (parse_accept(parser, '.')) {
            e = parse_member(parser, e);
        } else if (parse_accept(parser, PUNCT2('-', '>'))) {
            e = parse_member(parser, build_memory(parser, e, from, op));
        } else if (token_is_punct(op, PUNCT2('+', '+')) || token_is_punct(op, PUNCT2('-', '-'))) {
            parse_advance(parser);
            bool is_own = e->type.kind == TYPE_STRUCT; /* its operator takes an int that says nothing */
            e = build_assign(parser, op, e, build_integer(parser, 1, type_integer(4, true), op));
            if (e && !is_own)
                e->postfix = true;
        } else {
            return e;
        }
    }
    return NULL;
}
