/* function.c - calls of a file's functions, of operators and of lambdas, by their names. */
#include <string.h>

#include "call.h"

/* Past the list at parser->at. */
static bool skip_braces(struct parser *parser)
{
    int depth = 0;
    do {
        depth += token_is_punct(parser->at, '{') - token_is_punct(parser->at, '}');
        if (parser->at->kind == TOKEN_END)
            return parse_expect(parser, '}', "to close the list");
        parse_advance(parser);
    } while (depth);
    return true;
}

/* The function of the file that has this name alone, where one does. */
static const struct function *only_function(const struct parser *parser, const struct token *name)
{
    const struct function *found = NULL;
    for (const struct function *f = parser->functions; f; f = f->next)
        if (call_is_named(f, name)) {
            if (found)
                return NULL;
            found = f;
        }
    return found;
}

/* An argument that is a lambda, or the name of one or of a function. False: it is none, or cannot be read. */
static bool take_function_argument(struct parser *parser, struct arguments *arguments)
{
    const struct token *at = parser->at;
    const struct function **function = &arguments->function[arguments->count];
    if (token_is_punct(at, '[')) {
        if (!arguments->copies_end)
            arguments->copies_end = &arguments->copies;
        *function = parse_lambda(parser, at, arguments->copies_end);
        while (*arguments->copies_end)
            arguments->copies_end = &(*arguments->copies_end)->next;
        arguments->count += *function != NULL;
        return *function != NULL;
    }
    if (at->kind != TOKEN_NAME || !(token_is_punct(at + 1, ',') || token_is_punct(at + 1, ')')))
        return false;
    const struct symbol *symbol = parse_find(parser, at);
    *function =
        symbol ? (symbol->kind == SYMBOL_FUNCTION ? symbol->function : NULL) : only_function(parser, at);
    if (!*function)
        return false;
    parse_advance(parser);
    arguments->count++;
    return true;
}

bool call_arguments(struct parser *parser, struct arguments *arguments)
{
    bool no_greater = parser->no_greater;
    parser->no_greater = false;
    arguments->reader = parser;
    bool ok = parse_expect(parser, '(', "before the arguments");
    while (ok && !token_is_punct(parser->at, ')')) {
        if (arguments->count == ARGUMENT_LIMIT)
            ok = parse_fail(parser, parser->at, "this call has more than %d arguments", ARGUMENT_LIMIT);
        else if (token_is_punct(parser->at, '{'))
            ok = (arguments->braces[arguments->count++] = parser->at) != NULL && skip_braces(parser);
        else if (take_function_argument(parser, arguments) || parser->problem->set)
            ok = !parser->problem->set;
        else
            ok = (arguments->at[arguments->count++] = parse_assignment(parser)) != NULL;
        if (ok && !parse_accept(parser, ','))
            break;
    }
    parser->no_greater = no_greater;
    return ok && parse_expect(parser, ')', "after the arguments");
}

struct expr *call_fail_to_fit(struct parser *parser, const struct token *name,
                              const struct arguments *arguments)
{
    parse_fail(parser, name, "no function %.*s of this file takes these %u arguments",
               (int)(name->length < 60 ? name->length : 60), name->text, arguments->count);
    return NULL;
}

/* The functions of the struct whose member function is being read. */
static const struct record *own_record(const struct parser *parser)
{
    return parser->call ? parser->call->record : NULL;
}

/* Does CUDA have a function of this name that takes these arguments? The file's overloads do not hide it. */
static bool is_cudas_own(const struct parser *parser, const struct token *name, const struct token *paren)
{
    struct problem ignored = {0};
    struct parser ahead = *parser;
    ahead.problem = &ignored;
    ahead.at = paren;
    return token_is_punct(paren, '(') && parse_call(&ahead, name) != NULL;
}

struct expr *parse_function_call(struct parser *parser, const struct token *name, struct symbol *lambda)
{
    static const struct token self = {.kind = TOKEN_NAME, .text = "this", .length = 4};
    if (lambda && !lambda->function->is_lambda) { /* a function that a template's name stands for */
        name = lambda->function->name_token;
        lambda = NULL;
    }
    const struct record *record = lambda ? NULL : own_record(parser);
    if (call_has_function(record, name)) {
        const struct symbol *object = parse_find(parser, &self);
        return object ? parse_sibling_call(parser, name, record, object->initial)
                      : parse_static_call(parser, name, record);
    }
    const struct function *f = lambda ? lambda->function : parser->functions;
    while (!lambda && f && !call_is_named(f, name))
        f = f->next;
    if (!f)
        return NULL;
    const struct token *explicit_ = NULL, *paren = parser->at;
    if (token_is_punct(paren, '<')) {
        explicit_ = paren + 1;
        paren = template_after_head(paren - 1);
    }
    if (!token_is_punct(paren, '('))
        return NULL;
    struct arguments arguments = {0};
    unsigned count = 0;
    parser->at = paren;
    if (!call_arguments(parser, &arguments))
        return NULL;
    const struct function *best = call_choose(parser, f, name, explicit_, &arguments, &count);
    if (!best && is_cudas_own(parser, name, paren)) {
        parser->at = paren;
        return NULL;
    }
    if (!best)
        return call_fail_to_fit(parser, name, &arguments);
    return call_function(parser, best, name, explicit_, &arguments, count, NULL);
}

/* An operator's function is named by its sign: the token before its parameters. */
struct expr *parse_operator(struct parser *parser, const struct token *op, struct expr *a, struct expr *b)
{
    const struct arguments arguments = {.at = {a, b}, .reader = parser, .count = b ? 2 : 1};
    const struct arguments own = {.at = {b}, .reader = parser, .count = b ? 1 : 0, .object = a};
    unsigned count = 0;
    if (a->type.kind == TYPE_STRUCT) {
        const struct object object = {a, a->type.record, NULL};
        const struct function *best = call_choose(parser, a->type.record->functions, op, NULL, &own, &count);
        if (best)
            return call_function(parser, best, op, NULL, &own, count, &object);
    }
    const struct function *best = call_choose(parser, parser->functions, op, NULL, &arguments, &count);
    return best ? call_function(parser, best, op, NULL, &arguments, count, NULL) : NULL;
}

/* What a lambda captures: everything by value or by reference, and names that it lists. */
struct captures {
    const struct token *begin, *end; /* between [ and ] */
    bool all_values, all_references;
};

static bool take_captures(struct parser *parser, struct captures *captures)
{
    parse_advance(parser);
    *captures = (struct captures){.begin = parser->at};
    for (; !token_is_punct(parser->at, ']'); parse_advance(parser)) {
        const struct token *at = parser->at, *next = at + 1;
        bool alone = token_is_punct(next, ',') || token_is_punct(next, ']');
        captures->all_values = captures->all_values || (token_is_punct(at, '=') && alone);
        captures->all_references = captures->all_references || (token_is_punct(at, '&') && alone);
        bool listed =
            (at->kind == TOKEN_NAME && alone) || (token_is_punct(at, '&') && next->kind == TOKEN_NAME);
        if (!listed && !(alone && (token_is_punct(at, '=') || token_is_punct(at, '&'))) &&
            !token_is_punct(at, ','))
            return parse_fail(parser, at,
                              "a lambda captures variables here, all or by their names: [&], [=], [x, &y]");
    }
    captures->end = parser->at;
    return parse_expect(parser, ']', "after the captures");
}

/* Does it have its own copy of this variable? */
static bool is_copied(const struct captures *captures, const struct token *name)
{
    for (const struct token *at = captures->begin; at < captures->end; at++)
        if (at->kind == TOKEN_NAME && at->length == name->length &&
            memcmp(at->text, name->text, at->length) == 0)
            return at == captures->begin || !token_is_punct(at - 1, '&');
    return captures->all_values;
}

/* Declares, in the lambda's own scope, copies of what its body mentions and it has by value. */
static bool copy_captured(struct parser *parser, struct function *function, const struct captures *captures,
                          struct statement **copies)
{
    struct scope *own = arena_take(parser->arena, sizeof *own);
    struct parser inner = *parser;
    *own = (struct scope){.outer = parser->scope, .names = parser->scope->names};
    function->scope = inner.scope = own;
    for (const struct token *at = function->parameters; at < function->end; at++) {
        struct symbol *symbol =
            at->kind == TOKEN_NAME && is_copied(captures, at) ? parse_find(parser, at) : NULL;
        bool is_member = token_is_punct(at - 1, '.') || token_is_punct(at - 1, PUNCT2('-', '>'));
        if (!symbol || is_member ||
            (symbol->kind != SYMBOL_VARIABLE && symbol->kind != SYMBOL_PARAMETER &&
             symbol->kind != SYMBOL_ALIAS) ||
            parse_find(&inner, at) != symbol)
            continue;
        if (symbol->kind == SYMBOL_ALIAS || symbol->type.kind == TYPE_ARRAY)
            return parse_fail(parser, at,
                              "a lambda here captures arrays and references by reference only: [&]");
        struct expr *value = build(parser, EXPR_VARIABLE, symbol->type, at, at);
        value->symbol = symbol;
        value->is_lvalue = true;
        if (!(*copies = parse_bind(&inner, at, symbol->type, value)))
            return false;
        copies = &(*copies)->next;
    }
    return true;
}

struct function *parse_lambda(struct parser *parser, const struct token *name, struct statement **copies)
{
    const struct token *open = parser->at;
    struct captures captures;
    if (!take_captures(parser, &captures))
        return NULL;
    while (token_is(parser->at, "__device__") || token_is(parser->at, "__host__"))
        parse_advance(parser);
    struct function *function = arena_take(parser->arena, sizeof *function);
    *function = (struct function){.name = arena_copy(parser->arena, name->text, name->length),
                                  .begin = open,
                                  .name_token = name,
                                  .parameters = parser->at,
                                  .scope = parser->scope,
                                  .is_lambda = true};
    if (!token_is_punct(parser->at, '(')) {
        parse_fail(parser, parser->at, "a lambda's parameters are expected here");
        return NULL;
    }
    int depth = 0;
    for (; parser->at->kind != TOKEN_END; parse_advance(parser)) {
        depth += token_is_punct(parser->at, '{') - token_is_punct(parser->at, '}');
        if (depth == 0 && token_is_punct(parser->at, '}'))
            break;
    }
    function->end = parser->at;
    if (!copy_captured(parser, function, &captures, copies))
        return NULL;
    return parse_expect(parser, '}', "to close the lambda") ? function : NULL;
}
