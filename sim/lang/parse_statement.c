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

bool parse_shared(struct parser *parser, bool is_extern)
{
    struct type type;
    uint64_t alignment = 0;
    parse_advance(parser); /* __shared__ */
    if (!parse_alignment(parser, &alignment) || !parse_type(parser, &type) ||
        !parse_alignment(parser, &alignment))
        return false;
    do {
        const struct token *name = parser->at;
        struct type array = type;
        if (name->kind != TOKEN_NAME)
            return parse_fail(parser, name, "a name is expected here");
        if (type.kind == TYPE_POINTER || type.kind == TYPE_VOID)
            return parse_fail(parser, name, "a shared array's elements are numbers or vectors of them");
        parse_advance(parser);
        if (!parse_array_part(parser, &array, is_extern))
            return false;
        if (parser->kernel->shared_count == PARSE_SHARED_LIMIT)
            return parse_fail(parser, name, "a kernel has at most %u shared arrays here", PARSE_SHARED_LIMIT);
        if (is_extern && !(array.kind == TYPE_ARRAY && array.count == 0))
            return parse_fail(parser, name, "an extern __shared__ array has empty brackets: name[]");
        struct symbol *symbol = parse_declare(parser, SYMBOL_SHARED, name, array);
        if (!symbol)
            return false;
        symbol->is_dynamic = is_extern;
        symbol->alignment = type_alignment(&array) > alignment ? type_alignment(&array) : alignment;
        symbol->index = parser->kernel->shared_count;
        parser->kernel->shared[parser->kernel->shared_count++] = symbol;
        if (token_is_punct(parser->at, '='))
            return parse_fail(parser, parser->at, "a shared array cannot have an initial value");
    } while (parse_accept(parser, ','));
    return parse_expect(parser, ';', "after the declaration");
}

static struct expr *parse_initial(struct parser *parser, const struct type *type, bool *given)
{
    bool paren = token_is_punct(parser->at, '('), brace = token_is_punct(parser->at, '{');
    *given = paren || brace || token_is_punct(parser->at, '=');
    if (!*given)
        return NULL;
    if (!brace)
        parse_advance(parser);
    if (token_is_punct(parser->at, '{')) {
        if (!type_is_auto(type))
            return parse_braces(parser, *type);
        parse_fail(parser, parser->at, "auto needs a value that says its type, not a list");
        return NULL;
    }
    struct expr *e = parse_assignment(parser);
    if (e && type->kind == TYPE_POINTER && e->type.kind != TYPE_POINTER) {
        parse_fail(parser, parser->last, "a pointer needs a pointer into a buffer or shared array");
        return NULL;
    }
    if (!type_is_auto(type))
        e = build_convert(parser, e, *type);
    if (e && paren && !parse_expect(parser, ')', "after the initial value"))
        return NULL;
    return e;
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
    if (token_is_punct(parser->at, '[')) {
        parse_fail(parser, parser->at, "arrays in registers are not supported: use separate variables");
        return NULL;
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

static bool parse_typedef(struct parser *parser)
{
    struct type type;
    parse_advance(parser);
    if (!parse_type(parser, &type))
        return false;
    const struct token *name = parser->at;
    if (name->kind != TOKEN_NAME)
        return parse_fail(parser, name, "a name is expected here");
    parse_advance(parser);
    return parse_declare(parser, SYMBOL_TYPE, name, type) && parse_expect(parser, ';', "after the typedef");
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
        if (token_is(parser->at, "__shared__"))
            return parse_shared(parser, true) ? block : NULL;
        parse_fail(parser, from, "only extern __shared__ is supported");
        return NULL;
    }
    if (token_is(from, "typedef"))
        return parse_typedef(parser) ? block : NULL;
    const struct token *ahead = from;
    while (token_is(ahead, "static") || token_is(ahead, "volatile"))
        ahead++;
    if (token_is(ahead, "__shared__")) {
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
        if (!parse_stars(parser, &own) || !(*end = parse_declarator(parser, own)))
            return NULL;
        end = &(*end)->next;
    } while (parse_accept(parser, ','));
    return parse_expect(parser, ';', "after the declaration") ? block : NULL;
}

static bool at_declaration(const struct parser *parser)
{
    if (token_is(parser->at, "__shared__") || token_is(parser->at, "extern") ||
        token_is(parser->at, "typedef"))
        return true;
    return parse_at_type(parser); /* int(x); would be an expression, but nobody writes it as a statement */
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

/* if (...) body, without an else. */
static struct statement *parse_if_head(struct parser *parser)
{
    struct statement *s = new_statement(parser, STATEMENT_IF, parser->at);
    parse_advance(parser);
    if (token_is(parser->at, "constexpr"))
        parse_advance(parser);
    if (!parse_expect(parser, '(', "after if"))
        return NULL;
    s->expr = build_bool(parser, parse_expression(parser));
    if (!s->expr || !parse_expect(parser, ')', "after the condition"))
        return NULL;
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
    parser->loop_depth++;
    struct statement *body = parse_statement(parser);
    parser->loop_depth--;
    return body;
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
    if (kind != STATEMENT_RETURN && parser->loop_depth == 0) {
        parse_fail(parser, parser->at, "there is no loop around this");
        return NULL;
    }
    parse_advance(parser);
    return parse_expect(parser, ';', "after this") ? s : NULL;
}

static struct statement *parse_statement_here(struct parser *parser)
{
    static const char *const refused[] = {"switch", "case",   "default", "goto",  "asm",  "__asm__",
                                          "try",    "struct", "union",   "class", "using"};
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
        return parse_jump(parser, STATEMENT_RETURN);
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
