/* function.c - calls of a file's functions, of operators and of lambdas, by their names. */
#include "call.h"

bool call_arguments(struct parser *parser, struct arguments *arguments)
{
    bool no_greater = parser->no_greater;
    parser->no_greater = false;
    bool ok = parse_expect(parser, '(', "before the arguments");
    while (ok && !token_is_punct(parser->at, ')')) {
        if (arguments->count == ARGUMENT_LIMIT)
            ok = parse_fail(parser, parser->at, "this call has more than %d arguments", ARGUMENT_LIMIT);
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

struct expr *parse_function_call(struct parser *parser, const struct token *name, struct symbol *lambda)
{
    static const struct token self = {.kind = TOKEN_NAME, .text = "this", .length = 4};
    const struct record *record = lambda ? NULL : own_record(parser);
    if (call_has_function(record, name)) {
        const struct symbol *object = parse_find(parser, &self);
        return object ? parse_member_call(parser, name, object->initial)
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
    if (!best)
        return call_fail_to_fit(parser, name, &arguments);
    return call_function(parser, best, name, explicit_, &arguments, count, NULL);
}

/* An operator's function is named by its sign: the token before its parameters. */
struct expr *parse_operator(struct parser *parser, const struct token *op, struct expr *a, struct expr *b)
{
    const struct arguments arguments = {{a, b}, 2}, own = {{b}, 1};
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

struct function *parse_lambda(struct parser *parser, const struct token *name)
{
    const struct token *open = parser->at;
    parse_advance(parser);
    if (token_is_punct(parser->at, '&') && token_is_punct(parser->at + 1, ']'))
        parse_advance(parser);
    if (!parse_accept(parser, ']')) {
        parse_fail(parser, parser->at,
                   "a lambda here captures nothing or everything by reference: [] or [&]");
        return NULL;
    }
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
    return parse_expect(parser, '}', "to close the lambda") && parse_expect(parser, ';', "after the lambda")
               ? (parser->at = parser->last, parser->last = function->end, function)
               : NULL;
}
