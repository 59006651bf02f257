/* parse_statement.c - statements and declarations of a kernel's body. */
#include "parse.h"

#include <string.h>

static struct statement *parse_statement(struct parser *parser);

static struct statement *new_statement(struct parser *parser, enum statement_kind kind,
                                       const struct token *from)
{
    struct statement *s = arena_take(parser->arena, sizeof *s);
    s->kind = kind;
    s->begin = from->begin;
    s->end = from->end;
    s->source = from->source;
    return s;
}

static void open_scope(struct parser *parser, struct scope *scope)
{
    *scope = (struct scope){.outer = parser->scope, .names = parser->scope->names};
    parser->scope = scope;
}

static void close_scope(struct parser *parser)
{
    parser->scope = parser->scope->outer;
}

/* __align__(16), alignas(16): the number, or 0 where there is none. */
static bool parse_alignment(struct parser *parser, uint64_t *alignment)
{
    int64_t value;
    while (token_is(parser->at, "__align__") || token_is(parser->at, "alignas")) {
        const struct token *at = parser->at;
        parse_advance(parser);
        if (!parse_expect(parser, '(', "before the alignment") ||
            !parse_constant_expression(parser, &value) || !parse_expect(parser, ')', "after the alignment"))
            return false;
        if (value < 1 || value > 1024 || (value & (value - 1)))
            return parse_fail(parser, at, "an alignment is a power of two from 1 to 1024");
        if ((uint64_t)value > *alignment)
            *alignment = (uint64_t)value;
    }
    return true;
}

/* The array that an earlier call of the function declared here, or NULL. */
static struct symbol *find_shared(const struct parser *parser, const struct token *name)
{
    for (unsigned i = 0; parser->call && i < parser->kernel->shared_count; i++) {
        struct symbol *symbol = parser->kernel->shared[i];
        if (symbol->declared == name && symbol->instance == parser->call->instance)
            return symbol;
    }
    return NULL;
}

bool parse_shared(struct parser *parser, bool is_extern)
{
    struct type type;
    uint64_t alignment = 0;
    if (token_is(parser->at, "__shared__")) /* before the type or behind it */
        parse_advance(parser);
    if (!parse_alignment(parser, &alignment) || !parse_type(parser, &type))
        return false;
    if (token_is(parser->at, "__shared__"))
        parse_advance(parser);
    if (!parse_alignment(parser, &alignment))
        return false;
    do {
        const struct token *name = parser->at;
        struct type array = type;
        if (name->kind != TOKEN_NAME)
            return parse_fail(parser, name, "a name is expected here");
        if (type.kind == TYPE_POINTER && is_extern) /* cast before it is used */
            array = type = type_integer(8, false);
        if (type.kind == TYPE_POINTER || type.kind == TYPE_VOID)
            return parse_fail(parser, name,
                              "a shared array's elements are numbers, vectors or structs of them");
        parse_advance(parser);
        if (!parse_array_part(parser, &array, is_extern))
            return false;
        if (parser->kernel->shared_count == PARSE_SHARED_LIMIT)
            return parse_fail(parser, name, "a kernel has at most %u shared arrays here", PARSE_SHARED_LIMIT);
        if (is_extern && array.kind != TYPE_ARRAY)
            return parse_fail(parser, name, "an extern __shared__ array has empty brackets: name[]");
        if (is_extern)
            array.count = 0; /* what the launch gives, whatever the declaration says */
        struct symbol *symbol = parse_declare(parser, SYMBOL_SHARED, name, array);
        if (!symbol)
            return false;
        symbol->is_dynamic = is_extern;
        symbol->alignment = type_alignment(&array) > alignment ? type_alignment(&array) : alignment;
        symbol->declared = name;
        symbol->instance = parser->call ? parser->call->instance : 0;
        symbol->same = find_shared(parser, name);
        symbol->is_of_template = parser->call && parser->call->function->head.begin;
        if (!symbol->same) {
            symbol->index = parser->kernel->shared_count;
            parser->kernel->shared[parser->kernel->shared_count++] = symbol;
        }
        if (token_is_punct(parser->at, '='))
            return parse_fail(parser, parser->at, "a shared array cannot have an initial value");
    } while (parse_accept(parser, ','));
    return parse_expect(parser, ';', "after the declaration");
}

static struct expr *parse_initial(struct parser *parser, const struct type *type, bool *given)
{
    bool paren = token_is_punct(parser->at, '('), brace = token_is_punct(parser->at, '{');
    *given = paren || brace || token_is_punct(parser->at, '=');
    if (!*given || (!token_is_punct(parser->at, '=') && parse_has_constructor(type))) {
        *given = *given || (parse_has_constructor(type) && !type->record->has_default);
        return *given ? parse_construct(parser, *type, parser->last) : NULL;
    }
    if (!brace)
        parse_advance(parser);
    if (token_is_punct(parser->at, '{')) {
        if (parse_has_constructor(type))
            return parse_construct(parser, *type, parser->last);
        if (!type_is_auto(type))
            return parse_braces(parser, *type);
        parse_fail(parser, parser->at, "auto needs a value that says its type, not a list");
        return NULL;
    }
    if (paren && type->has_names)
        return parse_constructor(parser, *type);
    struct expr *e = parse_assignment(parser);
    if (e && type->kind == TYPE_POINTER && build_is_null(e)) { /* points nowhere yet */
        *given = false;
        if (paren)
            (void)parse_expect(parser, ')', "after the initial value");
        return NULL;
    }
    if (e && type->kind == TYPE_POINTER && e->type.kind != TYPE_POINTER && e->type.kind != TYPE_STRUCT) {
        parse_fail(parser, parser->last, "a pointer needs a pointer into a buffer or shared array");
        return NULL;
    }
    if (!type_is_auto(type->kind == TYPE_POINTER ? type->to : type))
        e = build_convert(parser, e, *type);
    if (e && paren && !parse_expect(parser, ')', "after the initial value"))
        return NULL;
    return parse_copied(parser, e, parser->last);
}

/* auto x = e, auto *p = e: the type of e. */
static bool deduce_auto(struct parser *parser, const struct token *name, struct type *type,
                        const struct expr *value)
{
    bool is_const = type->is_const;
    if (type->kind == TYPE_POINTER && value->type.kind != TYPE_POINTER)
        return parse_fail(parser, name, "auto * needs a pointer");
    *type = value->type;
    type->is_const = is_const;
    return true;
}

struct statement *parse_bind(struct parser *parser, const struct token *name, struct type type,
                             struct expr *value)
{
    struct statement *s = new_statement(parser, STATEMENT_DECLARE, name);
    if (value && value->type.kind == TYPE_POINTER && value->type.space == SPACE_LOCAL)
        return parse_alias(parser, name, value);
    if (!value || !(s->symbol = parse_declare(parser, SYMBOL_VARIABLE, name, type)))
        return NULL;
    s->expr = value;
    s->symbol->root = ROOT_NONE_YET;
    if (type.kind == TYPE_POINTER) {
        s->symbol->type.space = value->type.space;
        s->symbol->has_space = true;
        build_points_at(parser, s->symbol, value);
    }
    return s;
}

/* The name as another name of `value`, which is evaluated here: an element of memory by its address. */
struct statement *parse_fix(struct parser *parser, const struct token *name, struct expr **place)
{
    struct statement *s = new_statement(parser, STATEMENT_BLOCK, name);
    struct expr *value = *place;
    s->is_declaration = true;
    if (value->kind == EXPR_MEMORY) {
        struct symbol *pointer = arena_take(parser->arena, sizeof *pointer);
        *pointer = (struct symbol){.kind = SYMBOL_VARIABLE,
                                   .name = arena_copy(parser->arena, name->text, name->length),
                                   .type = value->a->type,
                                   .has_space = true,
                                   .root = ROOT_NONE_YET};
        build_points_at(parser, pointer, value->a);
        struct expr *variable = arena_take(parser->arena, sizeof *variable);
        *variable = (struct expr){.kind = EXPR_VARIABLE,
                                  .type = pointer->type,
                                  .begin = value->begin,
                                  .end = value->end,
                                  .source = value->source,
                                  .in_macro = value->in_macro,
                                  .symbol = pointer};
        s->kind = STATEMENT_DECLARE;
        s->symbol = pointer;
        s->expr = value->a;
        struct expr *memory = arena_take(parser->arena, sizeof *memory);
        *memory = *value;
        memory->a = variable;
        *place = memory;
    } else {
        struct statement **end = &s->body;
        *place = build_fixed(parser, value, &end);
    }
    return s;
}

struct statement *parse_alias(struct parser *parser, const struct token *name, struct expr *value)
{
    struct statement *s = parse_fix(parser, name, &value);
    struct symbol *alias = parse_declare(parser, SYMBOL_ALIAS, name, value->type);
    if (!alias)
        return NULL;
    alias->initial = value;
    return s;
}

/* auto name = [...](...) { ... }, at the [. */
static struct statement *declare_lambda(struct parser *parser, const struct token *name)
{
    struct statement *nothing = new_statement(parser, STATEMENT_BLOCK, name);
    nothing->is_declaration = true;
    struct function *function = parse_lambda(parser, name, &nothing->body);
    struct symbol *lambda = function ? parse_declare(parser, SYMBOL_FUNCTION, name, type_auto()) : NULL;
    if (lambda)
        lambda->function = function;
    return lambda ? nothing : NULL;
}

/* T &name = value; const T &name = value, where a value that is no place gets one. */
static struct statement *parse_reference(struct parser *parser, struct type type)
{
    const struct token *name = parser->at;
    if (name->kind != TOKEN_NAME) {
        parse_fail(parser, name, "a name is expected here");
        return NULL;
    }
    parse_advance(parser);
    bool brace = token_is_punct(parser->at, '{');
    if (!brace && !parse_accept(parser, '=')) {
        parse_fail(parser, name, "a reference needs what it refers to: type &name = place");
        return NULL;
    }
    if (brace)
        parse_advance(parser);
    else if (type_is_auto(&type) && token_is_punct(parser->at, '['))
        return declare_lambda(parser, name);
    struct expr *value = parse_assignment(parser);
    if (!value || (brace && !parse_expect(parser, '}', "after the place")))
        return NULL;
    return parse_refer(parser, name, type, value);
}

struct statement *parse_refer(struct parser *parser, const struct token *name, struct type type,
                              struct expr *value)
{
    bool same = type_is_auto(&type) || type_same(&type, &value->type);
    if (value->is_lvalue && same) {
        if (type.is_const) {
            struct expr *read_only = arena_take(parser->arena, sizeof *read_only);
            *read_only = *value;
            read_only->type.is_const = true;
            value = read_only;
        }
        return parse_alias(parser, name, value);
    }
    if (!value->is_lvalue || type.is_const)
        return parse_bind(parser, name, type_is_auto(&type) ? value->type : type,
                          type_is_auto(&type) ? value : build_convert(parser, value, type));
    parse_fail(parser, name, "a reference needs a place of its own type");
    return NULL;
}

/* float v[4], float v[] = {1, 2}: kept in registers. */
static bool parse_local_array(struct parser *parser, struct type *type)
{
    const struct token *at = parser->at;
    if (!parse_array_part(parser, type, true))
        return false;
    const struct token *list = parser->at + token_is_punct(parser->at, '=');
    if (!type->count && token_is_punct(list, '{')) {
        int depth = 0; /* as many as its list has */
        type->count = 1;
        for (const struct token *t = list; t->kind != TOKEN_END; t++) {
            depth += token_is_punct(t, '{') + token_is_punct(t, '(') - token_is_punct(t, '}') -
                     token_is_punct(t, ')');
            if (depth == 0)
                break;
            type->count += depth == 1 && token_is_punct(t, ',') && !token_is_punct(t + 1, '}');
        }
    }
    if (!type->count)
        return parse_fail(parser, at, "a local array needs its size");
    if (type_slots(type) > PARSE_LOCAL_LIMIT)
        return parse_fail(
            parser, at, "a local array has at most %u numbers here: a compiler would keep it in local memory",
            PARSE_LOCAL_LIMIT);
    return true;
}

static struct statement *parse_declarator(struct parser *parser, struct type type)
{
    const struct token *name = parser->at;
    bool given;
    if (name->kind != TOKEN_NAME) {
        parse_fail(parser, name, "a name is expected here");
        return NULL;
    }
    bool is_auto = type_is_auto(type.kind == TYPE_POINTER ? type.to : &type);
    if (type.kind == TYPE_VOID && !is_auto) {
        parse_fail(parser, name, "a variable cannot be void");
        return NULL;
    }
    parse_advance(parser);
    if (token_is_punct(parser->at, '[') && !parse_local_array(parser, &type))
        return NULL;
    if (is_auto && token_is_punct(parser->at, '=') && token_is_punct(parser->at + 1, '[')) {
        parse_advance(parser);
        return declare_lambda(parser, name);
    }
    /* From here on the name means this variable: in `int a = a + 1` both are the new one. */
    struct symbol *symbol = parse_declare(parser, SYMBOL_VARIABLE, name, type);
    if (!symbol)
        return NULL;
    symbol->root = ROOT_NONE_YET;
    symbol->is_parsing = true;
    struct statement *s = new_statement(parser, STATEMENT_DECLARE, name);
    s->expr = parse_initial(parser, &type, &given);
    s->symbol = symbol;
    s->end = parser->last->end;
    symbol->is_parsing = false;
    if (given && !s->expr)
        return NULL;
    if (is_auto && (!given || symbol->reads_itself)) {
        parse_fail(parser, name, "auto needs a value that says its type");
        return NULL;
    }
    if (is_auto && !deduce_auto(parser, name, &type, s->expr))
        return NULL;
    if (type.kind == TYPE_POINTER && given && s->expr->type.space == SPACE_LOCAL) {
        struct statement **end = &s->body;
        symbol->kind = SYMBOL_ALIAS; /* float *p = v: another name of the address */
        symbol->initial = build_fixed(parser, s->expr, &end);
        s->kind = STATEMENT_BLOCK;
        s->is_declaration = true;
        return s;
    }
    if (type.kind == TYPE_POINTER && given) {
        type.space = s->expr->type.space;
        symbol->has_space = true;
        build_points_at(parser, symbol, s->expr);
    }
    symbol->type = type;
    if (given && type.is_const && type_is_index(&type) && constant_value(s->expr, &symbol->value)) {
        symbol->kind = SYMBOL_CONSTANT; /* const int SIDE = 32: may be a dimension; nothing to run */
        s->kind = STATEMENT_BLOCK;
        s->is_declaration = true;
    }
    return s;
}

/* typedef T name; using name = T; using namespace a; using a::b; */
bool parse_typedef(struct parser *parser)
{
    struct type type;
    const struct token *name = parser->at + 1;
    bool is_using = token_is(parser->at, "using");
    parse_advance(parser);
    if (is_using && !token_is_punct(name + 1, '=')) {
        while (!token_is_punct(parser->at, ';') && parser->at->kind != TOKEN_END)
            parse_advance(parser);
        return parse_expect(parser, ';', "after using");
    }
    if (is_using)
        parser->at = name + 2;
    if (!parse_type(parser, &type))
        return false;
    if (is_using)
        return parse_declare(parser, SYMBOL_TYPE, name, type) && parse_expect(parser, ';', "after using");
    name = parser->at;
    if (name->kind != TOKEN_NAME)
        return parse_fail(parser, name, "a name is expected here");
    parse_advance(parser);
    return parse_declare(parser, SYMBOL_TYPE, name, type) && parse_expect(parser, ';', "after the typedef");
}

/* namespace cg = cooperative_groups; no other namespace has another name here. */
bool parse_namespace_alias(struct parser *parser)
{
    parse_advance(parser);
    const struct token *name = parser->at;
    if (name->kind != TOKEN_NAME || !token_is_punct(name + 1, '=') ||
        !token_is(name + 2, "cooperative_groups"))
        return parse_fail(parser, name, "of namespaces only cooperative_groups may get another name here");
    parser->last = name + 2;
    parser->at = name + 3;
    return parse_declare(parser, SYMBOL_NAMESPACE, name, type_void()) &&
           parse_expect(parser, ';', "after the name");
}

/* Does __shared__ stand before the declared name, before or behind its type? */
static bool shared_ahead(const struct token *at)
{
    for (int i = 0; i < 8 && (at->kind == TOKEN_NAME || token_is_punct(at, PUNCT2(':', ':'))); i++, at++)
        if (token_is(at, "__shared__"))
            return true;
    return false;
}

static struct statement *parse_declaration(struct parser *parser)
{
    const struct token *from = parser->at;
    struct type type;
    struct statement *block = new_statement(parser, STATEMENT_BLOCK, from);
    struct statement **end = &block->body;
    block->is_declaration = true;
    if (token_is(from, "__shared__"))
        return parse_shared(parser, false) ? block : NULL;
    if (token_is(from, "extern")) {
        parse_advance(parser);
        if (shared_ahead(parser->at))
            return parse_shared(parser, true) ? block : NULL;
        parse_fail(parser, from, "only extern __shared__ is supported");
        return NULL;
    }
    if (token_is(from, "namespace"))
        return parse_namespace_alias(parser) ? block : NULL;
    if (token_is(from, "typedef") || token_is(from, "using"))
        return parse_typedef(parser) ? block : NULL;
    const struct token *ahead = from;
    while (token_is(ahead, "static") || token_is(ahead, "volatile"))
        ahead++;
    if (shared_ahead(ahead)) {
        parser->at = ahead;
        return parse_shared(parser, false) ? block : NULL;
    }
    if (!parse_specifiers(parser, &type))
        return NULL;
    if (token_is_punct(parser->at, ';')) { /* enum { A, B }; */
        parse_advance(parser);
        return block;
    }
    do { /* float *p, *q, x: stars belong to one name */
        struct type own = type;
        if (!parse_stars(parser, &own))
            return NULL;
        if (parse_accept(parser, '&')) {
            parse_accept(parser, '&');
            *end = parse_reference(parser, own);
        } else {
            *end = parse_declarator(parser, own);
        }
        if (!*end)
            return NULL;
        end = &(*end)->next;
    } while (parse_accept(parser, ','));
    return parse_expect(parser, ';', "after the declaration") ? block : NULL;
}

static bool at_declaration(const struct parser *parser)
{
    if (token_is(parser->at, "__shared__") || token_is(parser->at, "extern") ||
        token_is(parser->at, "typedef") || token_is(parser->at, "using") || token_is(parser->at, "namespace"))
        return true;
    const struct symbol *symbol = parser->at->kind == TOKEN_NAME ? parse_find(parser, parser->at) : NULL;
    if (symbol && symbol->kind == SYMBOL_TYPE && token_is_punct(parser->at + 1, PUNCT2(':', ':')) &&
        token_is_punct(parser->at + 3, '('))
        return false; /* S::put(p); */
    return parse_at_type(parser) ||
           parse_assumes_type(
               parser); /* int(x); would be an expression, but nobody writes it as a statement */
}

static struct statement *parse_expression_statement(struct parser *parser)
{
    struct statement *s = new_statement(parser, STATEMENT_EXPR, parser->at);
    s->expr = parse_expression(parser);
    if (!s->expr || !parse_expect(parser, ';', "after the statement"))
        return NULL;
    s->end = parser->last->end;
    return s;
}

/* Past a bracket and all up to the one that closes it, or past one other token. */
static bool skip_group(struct parser *parser)
{
    int depth = 0;
    do {
        const struct token *at = parser->at;
        if (at->kind == TOKEN_END)
            return parse_fail(parser, at, "the text ends inside a { that is never closed");
        depth += token_is_punct(at, '{') + token_is_punct(at, '(') - token_is_punct(at, '}') -
                 token_is_punct(at, ')');
        parse_advance(parser);
    } while (depth > 0);
    return true;
}

/* Past a statement without looking into it. */
static bool parse_skip_statement(struct parser *parser)
{
    bool is_if = token_is(parser->at, "if"), is_do = token_is(parser->at, "do");
    if (token_is_punct(parser->at, '{'))
        return skip_group(parser);
    if (is_if || token_is(parser->at, "for") || token_is(parser->at, "while") ||
        token_is(parser->at, "switch")) {
        while (!token_is_punct(parser->at, '(') && parser->at->kind != TOKEN_END)
            parse_advance(parser);
        if (!skip_group(parser) || !parse_enter(parser) || !parse_skip_statement(parser))
            return false;
        parse_leave(parser);
        if (!is_if || !token_is(parser->at, "else"))
            return true;
    }
    if (is_if || is_do) { /* at else, at do */
        parse_advance(parser);
        if (!parse_enter(parser) || !parse_skip_statement(parser))
            return false;
        parse_leave(parser);
        if (is_if)
            return true;
    }
    while (!token_is_punct(parser->at, ';'))
        if (!skip_group(parser))
            return false;
    parse_advance(parser);
    return true;
}

/* if (...) body, without an else. */
static struct statement *parse_if_head(struct parser *parser)
{
    struct statement *s = new_statement(parser, STATEMENT_IF, parser->at);
    parse_advance(parser);
    bool is_constexpr = token_is(parser->at, "constexpr");
    if (is_constexpr)
        parse_advance(parser);
    if (!parse_expect(parser, '(', "after if"))
        return NULL;
    s->expr = build_bool(parser, parse_expression(parser));
    if (!s->expr || !parse_expect(parser, ')', "after the condition"))
        return NULL;
    int64_t value;
    s->is_last = is_constexpr;
    if (is_constexpr && constant_value(s->expr, &value) &&
        !value) { /* its text need not even be meaningful */
        s->body = new_statement(parser, STATEMENT_BLOCK, parser->at);
        return parse_skip_statement(parser) ? s : NULL;
    }
    return (s->body = parse_statement(parser)) ? s : NULL;
}

/* A chain of else if is read in a loop: it is long, not deep. */
static struct statement *parse_if(struct parser *parser)
{
    struct statement *first = parse_if_head(parser), *s = first;
    for (int count = 0; s && token_is(parser->at, "else"); count++) {
        parse_advance(parser);
        if (count == PARSE_ELSE_IF_LIMIT) {
            parse_fail(parser, parser->at, "a chain has at most %d else if", PARSE_ELSE_IF_LIMIT);
            return NULL;
        }
        bool goes_on = token_is(parser->at, "if");
        int64_t value;
        if (s->is_last && constant_value(s->expr, &value) && value) { /* if constexpr (true): no else */
            if (!parse_skip_statement(parser))
                return NULL;
            break;
        }
        s->other = goes_on ? parse_if_head(parser) : parse_statement(parser);
        if (s->other)
            s->other->end = parser->last->end;
        if (!s->other)
            return NULL;
        if (!goes_on)
            break;
        s = s->other;
    }
    return s ? first : NULL;
}

static struct statement *parse_loop_body(struct parser *parser)
{
    bool in_switch = parser->in_switch;
    struct statement **labels = parser->labels;
    parser->in_switch = false;
    parser->labels = NULL;
    parser->loop_depth++;
    struct statement *body = parse_statement(parser);
    parser->loop_depth--;
    parser->in_switch = in_switch;
    parser->labels = labels;
    return body;
}

static struct statement *parse_switch(struct parser *parser)
{
    struct statement *s = new_statement(parser, STATEMENT_SWITCH, parser->at);
    bool in_switch = parser->in_switch;
    struct statement **labels = parser->labels;
    parse_advance(parser);
    if (!parse_expect(parser, '(', "after switch") || !(s->expr = parse_expression(parser)) ||
        !parse_expect(parser, ')', "after the value"))
        return NULL;
    if (!type_is_index(&s->expr->type)) {
        problem_at(parser->problem, s->expr->source, s->expr->begin, "switch works on integers");
        return NULL;
    }
    s->expr = build_convert(parser, s->expr, type_promote(s->expr->type));
    parser->in_switch = true;
    parser->labels = &s->labels;
    s->body = parse_statement(parser);
    parser->in_switch = in_switch;
    parser->labels = labels;
    return s->body ? s : NULL;
}

/* case 3: or default: */
static struct statement *parse_label(struct parser *parser)
{
    struct statement *s = new_statement(parser, STATEMENT_LABEL, parser->at);
    bool is_case = token_is(parser->at, "case");
    if (!parser->labels) {
        parse_fail(parser, parser->at, "there is no switch around this");
        return NULL;
    }
    parse_advance(parser);
    if (is_case) {
        const struct token *at = parser->at;
        int64_t value;
        if (!parse_constant_expression(parser, &value))
            return NULL;
        s->expr = build_integer(parser, value, type_integer(8, true), at);
    }
    *parser->labels = s;
    parser->labels = &s->labels;
    return parse_expect(parser, ':', "after the label") ? s : NULL;
}

/* static_assert(condition) or static_assert(condition, "text"); one whose value is not known here says
 * nothing. */
static struct statement *parse_static_assert(struct parser *parser)
{
    struct statement *s = new_statement(parser, STATEMENT_BLOCK, parser->at);
    const struct token *at = parser->at;
    struct problem ignored = {0};
    int64_t value;
    parse_advance(parser);
    if (!token_is_punct(parser->at, '(')) {
        parse_expect(parser, '(', "after static_assert");
        return NULL;
    }
    struct parser ahead = *parser;
    ahead.problem = &ignored;
    parse_advance(&ahead);
    if (parse_constant_expression(&ahead, &value) && !value) {
        parse_fail(parser, at, "the text stops itself here: this static_assert does not hold");
        return NULL;
    }
    const struct token *after = token_after_brackets(parser->at);
    parser->last = after - 1;
    parser->at = after;
    return parse_expect(parser, ';', "after this") ? s : NULL;
}

static bool parse_for_head(struct parser *parser, struct statement *s)
{
    if (!parse_expect(parser, '(', "after for"))
        return false;
    if (!parse_accept(parser, ';')) {
        s->init = at_declaration(parser) ? parse_declaration(parser) : parse_expression_statement(parser);
        if (!s->init)
            return false;
    }
    if (!token_is_punct(parser->at, ';') && !(s->expr = build_bool(parser, parse_expression(parser))))
        return false;
    if (!parse_expect(parser, ';', "after the loop's condition"))
        return false;
    if (!token_is_punct(parser->at, ')') && !(s->step = parse_expression(parser)))
        return false;
    return parse_expect(parser, ')', "after the loop's head");
}

static struct statement *parse_for(struct parser *parser)
{
    struct scope scope;
    struct statement *s = new_statement(parser, STATEMENT_LOOP, parser->at);
    parse_advance(parser);
    open_scope(parser, &scope);
    bool ok = parse_for_head(parser, s) && (s->body = parse_loop_body(parser)) != NULL;
    close_scope(parser);
    return ok ? s : NULL;
}

static struct statement *parse_while(struct parser *parser)
{
    struct statement *s = new_statement(parser, STATEMENT_LOOP, parser->at);
    parse_advance(parser);
    if (!parse_expect(parser, '(', "after while") ||
        !(s->expr = build_bool(parser, parse_expression(parser))) ||
        !parse_expect(parser, ')', "after the condition") || !(s->body = parse_loop_body(parser)))
        return NULL;
    return s;
}

static struct statement *parse_do(struct parser *parser)
{
    struct statement *s = new_statement(parser, STATEMENT_LOOP, parser->at);
    s->test_last = true;
    parse_advance(parser);
    if (!(s->body = parse_loop_body(parser)))
        return NULL;
    if (!token_is(parser->at, "while")) {
        parse_fail(parser, parser->at, "while is expected after the body of do");
        return NULL;
    }
    parse_advance(parser);
    if (!parse_expect(parser, '(', "after while") ||
        !(s->expr = build_bool(parser, parse_expression(parser))) ||
        !parse_expect(parser, ')', "after the condition") || !parse_expect(parser, ';', "after do-while"))
        return NULL;
    return s;
}

static struct statement *parse_jump(struct parser *parser, enum statement_kind kind)
{
    struct statement *s = new_statement(parser, kind, parser->at);
    bool inside = parser->loop_depth > 0 || (kind == STATEMENT_BREAK && parser->in_switch);
    if (kind != STATEMENT_RETURN && !inside) {
        parse_fail(parser, parser->at, "there is no loop around this");
        return NULL;
    }
    parse_advance(parser);
    return parse_expect(parser, ';', "after this") ? s : NULL;
}

static struct statement *parse_statement_here(struct parser *parser)
{
    static const char *const refused[] = {"goto", "try"};
    const struct token *token = parser->at;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (token_is(token, refused[i])) {
            parse_fail(parser, token, "%s is not supported in a kernel here", refused[i]);
            return NULL;
        }
    if (token_is_punct(token, '{'))
        return parse_block(parser);
    if (parse_accept(parser, ';'))
        return new_statement(parser, STATEMENT_BLOCK, token);
    if (token_is(token, "if"))
        return parse_if(parser);
    if (token_is(token, "for"))
        return parse_for(parser);
    if (token_is(token, "while"))
        return parse_while(parser);
    if (token_is(token, "do"))
        return parse_do(parser);
    if (token_is(token, "break"))
        return parse_jump(parser, STATEMENT_BREAK);
    if (token_is(token, "continue"))
        return parse_jump(parser, STATEMENT_CONTINUE);
    if (token_is(token, "return"))
        return parser->call ? parse_leave_function(parser, token) : parse_jump(parser, STATEMENT_RETURN);
    if (token_is(token, "switch"))
        return parse_switch(parser);
    if (token_is(token, "case") || token_is(token, "default"))
        return parse_label(parser);
    if (token_is(token, "static_assert"))
        return parse_static_assert(parser);
    if (token_is(token, "asm") || token_is(token, "__asm__"))
        return parse_asm(parser);
    return at_declaration(parser) ? parse_declaration(parser) : parse_expression_statement(parser);
}

static struct statement *parse_statement(struct parser *parser)
{
    if (!parse_enter(parser))
        return NULL;
    struct statement *s = parse_statement_here(parser);
    parse_leave(parser);
    if (s)
        s->end = parser->last->end;
    return s;
}

struct statement *parse_block(struct parser *parser)
{
    struct scope scope;
    struct statement *s = new_statement(parser, STATEMENT_BLOCK, parser->at);
    struct statement **end = &s->body;
    if (!parse_expect(parser, '{', "to open the body"))
        return NULL;
    open_scope(parser, &scope);
    while (!token_is_punct(parser->at, '}')) {
        if (parser->at->kind == TOKEN_END) {
            parse_fail(parser, parser->at, "the text ends inside a { that is never closed");
            s = NULL;
            break;
        }
        if (!(*end = parse_statement(parser))) {
            s = NULL;
            break;
        }
        end = &(*end)->next;
    }
    close_scope(parser);
    if (s)
        parse_advance(parser);
    return s;
}
