/* parse_expr.c - the expression grammar from comma down to unary. */
#include "parse.h"

struct level {
    uint32_t op;
    int binds; /* a higher number binds tighter */
};

static const struct level levels[] = {
    {PUNCT2('|', '|'), 1},
    {PUNCT2('&', '&'), 2},
    {'|', 3},
    {'^', 4},
    {'&', 5},
    {PUNCT2('=', '='), 6},
    {PUNCT2('!', '='), 6},
    {'<', 7},
    {'>', 7},
    {PUNCT2('<', '='), 7},
    {PUNCT2('>', '='), 7},
    {PUNCT2('<', '<'), 8},
    {PUNCT2('>', '>'), 8},
    {'+', 9},
    {'-', 9},
    {'*', 10},
    {'/', 10},
    {'%', 10},
};

static int binding(const struct parser *parser, const struct token *token)
{
    if (token->kind != TOKEN_PUNCT || (parser->no_greater && token->text[0] == '>'))
        return 0;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (levels[i].op == token->punct)
            return levels[i].binds;
    return 0;
}

static struct expr *build_logical(struct parser *parser, const struct token *op, struct expr *a,
                                  struct expr *b)
{
    const struct expr *first = a, *second = b;
    a = build_bool(parser, a);
    b = build_bool(parser, b);
    if (!a || !b)
        return NULL;
    struct expr *e = build(parser, op->punct == PUNCT2('&', '&') ? EXPR_AND : EXPR_OR, type_bool(), op, op);
    e->begin = first->begin;
    e->end = second->end;
    e->a = a;
    e->b = b;
    return build_adopt(parser, e);
}

static struct expr *parse_binary(struct parser *parser, int least)
{
    struct expr *left = parse_unary(parser);
    while (left) {
        const struct token *op = parser->at;
        int binds = binding(parser, op);
        if (binds < least || binds == 0)
            return left;
        parse_advance(parser);
        struct expr *right = parse_binary(parser, binds + 1);
        left = binds <= 2 ? build_logical(parser, op, left, right) : build_binary(parser, op, left, right);
    }
    return NULL;
}

static struct expr *parse_conditional(struct parser *parser)
{
    struct expr *condition = parse_binary(parser, 1);
    if (!condition || !parse_accept(parser, '?'))
        return condition;
    struct expr *yes = parse_expression(parser);
    if (!yes || !parse_expect(parser, ':', "between the two sides of ?:"))
        return NULL;
    return build_condition(parser, condition, yes, parse_assignment(parser));
}

static bool is_assignment(const struct token *token)
{
    static const uint32_t ops[] = {'=',
                                   PUNCT2('+', '='),
                                   PUNCT2('-', '='),
                                   PUNCT2('*', '='),
                                   PUNCT2('/', '='),
                                   PUNCT2('%', '='),
                                   PUNCT2('&', '='),
                                   PUNCT2('|', '='),
                                   PUNCT2('^', '='),
                                   PUNCT3('<', '<', '='),
                                   PUNCT3('>', '>', '=')};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (token_is_punct(token, ops[i]))
            return true;
    return false;
}

struct expr *parse_assignment(struct parser *parser)
{
    if (!parse_enter(parser))
        return NULL;
    struct expr *e = parse_conditional(parser);
    if (e && is_assignment(parser->at)) {
        const struct token *op = parser->at;
        parse_advance(parser);
        bool is_list = token_is_punct(parser->at, '{') && op->punct == '=';
        e = build_assign(parser, op, e, is_list ? parse_braces(parser, e->type) : parse_assignment(parser));
    }
    parse_leave(parser);
    return e;
}

struct expr *parse_expression(struct parser *parser)
{
    struct expr *e = parse_assignment(parser);
    while (e && token_is_punct(parser->at, ',')) {
        const struct token *op = parser->at;
        parse_advance(parser);
        struct expr *right = parse_assignment(parser);
        if (!right)
            return NULL;
        struct expr *comma = build(parser, EXPR_COMMA, right->type, op, op);
        comma->begin = e->begin;
        comma->end = right->end;
        comma->a = e;
        comma->b = right;
        e = build_adopt(parser, comma);
    }
    return e;
}

static struct expr *parse_step(struct parser *parser, const struct token *op)
{
    struct expr *operand = parse_unary(parser);
    if (!operand)
        return NULL;
    if (operand->type.kind == TYPE_STRUCT) {
        struct expr *own = parse_operator(parser, op, operand, NULL);
        if (!own && !parser->problem->set)
            parse_fail(parser, op, "%s has no operator%s", operand->type.record->name,
                       token_is_punct(op, PUNCT2('+', '+')) ? "++" : "--");
        return own;
    }
    return build_assign(parser, op, operand, build_integer(parser, 1, type_integer(4, true), op));
}

static struct expr *parse_sign(struct parser *parser, const struct token *op)
{
    struct expr *operand = parse_unary(parser);
    if (!operand)
        return NULL;
    if (operand->type.has_names || operand->type.kind == TYPE_STRUCT) {
        struct expr *own = parse_operator(parser, op, operand, NULL);
        if (own || parser->problem->set)
            return own;
    }
    if (op->punct == '-' && operand->type.has_names) {
        struct token minus = *op;
        struct expr *zero = build_integer(parser, 0, type_integer(4, true), op);
        zero = build_convert(parser, zero, type_component(operand->type));
        return zero ? build_binary(parser, &minus, zero, operand) : NULL;
    }
    if (op->punct == '!') {
        operand = build_bool(parser, operand);
    } else if (!type_is_scalar(&operand->type) || (op->punct == '~' && !type_is_index(&operand->type))) {
        parse_fail(parser, op, "this operator does not work on what follows it");
        return NULL;
    } else {
        operand = build_convert(parser, operand, type_promote(operand->type));
    }
    if (!operand || op->punct == '+')
        return operand;
    enum expr_kind kind = op->punct == '!' ? EXPR_NOT : op->punct == '-' ? EXPR_NEGATE : EXPR_COMPLEMENT;
    struct expr *e = build(parser, kind, operand->type, op, op);
    e->end = operand->end;
    e->a = operand;
    return build_adopt(parser, e);
}

static struct expr *parse_address(struct parser *parser, const struct token *op)
{
    struct expr *operand = parse_unary(parser);
    if (!operand)
        return NULL;
    bool place = operand->kind == EXPR_VARIABLE || operand->kind == EXPR_COMPONENT ||
                 operand->kind == EXPR_ELEMENT || operand->kind == EXPR_PUN;
    bool constant = operand->kind == EXPR_INTEGER && (op + 1)->kind == TOKEN_NAME; /* const int N = 8; &N */
    operand->is_lvalue = operand->is_lvalue || constant;
    operand->type.is_const = operand->type.is_const || constant;
    if (operand->is_lvalue && (place || constant))
        return build_address(parser, operand);
    if (operand->kind == EXPR_ADDRESS && operand->array) /* of a whole array */
        return operand;
    if (operand->array && operand->type.kind == TYPE_POINTER) { /* of a row in memory */
        struct expr *row = arena_take(parser->arena, sizeof *row);
        *row = *operand;
        row->type = type_pointer(operand->array, operand->type.space);
        row->array = NULL;
        return row;
    }
    if (operand->kind != EXPR_MEMORY) {
        parse_fail(parser, op, "only the address of an element of a buffer or shared array can be taken");
        return NULL;
    }
    return operand->a;
}

/* At "(": does a type stand alone between it and its ")"? (int(x) + 1) is no cast, sizeof(int(x)) no type. */
static bool at_cast(const struct parser *parser)
{
    struct problem ignored = {0};
    struct parser ahead = *parser;
    struct type type;
    ahead.problem = &ignored;
    parse_advance(&ahead);
    if (!parse_at_type(&ahead) || token_is(ahead.at, "enum"))
        return false;
    return !parse_type(&ahead, &type) || token_is_punct(ahead.at, ')') || token_is_punct(ahead.at, '[') ||
           (token_is_punct(ahead.at, '&') && token_is_punct(ahead.at + 1, ')'));
}

/* (void)e: what e does, and no value. A compiler reads no memory for it. */
static struct expr *discard(struct parser *parser, const struct token *from, struct expr *e)
{
    struct expr *none = e ? build(parser, EXPR_COMPUTED, type_void(), from, parser->last) : NULL;
    if (!none || e->kind == EXPR_MEMORY)
        return none;
    none->parts = arena_take(parser->arena, sizeof(struct expr *));
    none->parts[0] = e;
    none->part_count = 1;
    return build_adopt(parser, none);
}

static struct expr *parse_cast(struct parser *parser)
{
    const struct token *from = parser->at;
    struct type type;
    parse_advance(parser);
    if (!parse_type(parser, &type))
        return NULL;
    bool is_reference = parse_accept(parser, '&');
    if (!parse_expect(parser, ')', "after the type"))
        return NULL;
    if (is_reference)
        return parse_seen_as(parser, parse_unary(parser), type, from);
    if (token_is_punct(parser->at, '{')) /* (struct pair){1, 2} */
        return parse_braces(parser, type);
    if (type.kind == TYPE_VOID)
        return discard(parser, from, parse_unary(parser));
    return build_convert(parser, parse_unary(parser), type);
}

static struct expr *parse_sizeof(struct parser *parser, const struct token *op)
{
    struct type type;
    bool alignment = !token_is(op, "sizeof");
    if (token_is_punct(parser->at, '(') && at_cast(parser)) {
        parse_advance(parser);
        if (!parse_type(parser, &type) || !parse_array_part(parser, &type, false) ||
            !parse_expect(parser, ')', "after the type"))
            return NULL;
        return build_integer(parser, (int64_t)(alignment ? type_alignment(&type) : type_size(&type)),
                             type_integer(8, false), op);
    }
    struct expr *e = parse_unary(parser);
    if (!e)
        return NULL;
    const struct type *own = e->array ? e->array : &e->type;
    return build_integer(parser, (int64_t)(alignment ? type_alignment(own) : type_size(own)),
                         type_integer(8, false), op);
}

static struct expr *parse_unary_here(struct parser *parser)
{
    const struct token *op = parser->at;
    if (token_is(op, "sizeof") || token_is(op, "alignof") || token_is(op, "__alignof__") ||
        token_is(op, "__alignof")) {
        parse_advance(parser);
        return parse_sizeof(parser, op);
    }
    if (op->kind != TOKEN_PUNCT)
        return parse_postfix(parser);
    switch (op->punct) {
    case PUNCT2('+', '+'):
    case PUNCT2('-', '-'):
        parse_advance(parser);
        return parse_step(parser, op);
    case '+':
    case '-':
    case '!':
    case '~':
        parse_advance(parser);
        return parse_sign(parser, op);
    case '*': {
        parse_advance(parser);
        struct expr *pointer = parse_unary(parser);
        return build_memory(parser, pointer, op, parser->last);
    }
    case '&':
        parse_advance(parser);
        return parse_address(parser, op);
    case '(':
        return at_cast(parser) ? parse_cast(parser) : parse_postfix(parser);
    default:
        return parse_postfix(parser);
    }
}

struct expr *parse_unary(struct parser *parser)
{
    if (!parse_enter(parser))
        return NULL;
    struct expr *e = parse_unary_here(parser);
    parse_leave(parser);
    return e;
}

struct expr *parse_constant_initial(struct parser *parser, struct type type, int64_t *value, bool *known)
{
    struct expr *e = build_convert(parser, parse_assignment(parser), type);
    *known = e && constant_value(e, value);
    return e;
}

bool parse_constant_expression(struct parser *parser, int64_t *value)
{
    const struct token *from = parser->at;
    struct expr *e = parse_assignment(parser);
    if (!e)
        return false;
    if (!constant_value(e, value))
        return parse_fail(
            parser, from,
            "a constant is needed here, known before the kernel runs and within its type's range");
    return true;
}
