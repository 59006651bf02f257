/* method.c - calls of a struct's own functions: members, static ones, conversions, constructors. */
#include <string.h>

#include "call.h"

/* The call of one of a struct's functions, at < or at its arguments' bracket; without an object: a static
 * one. */
static struct expr *call_own(struct parser *parser, const struct token *name, const struct record *record,
                             struct expr *object)
{
    const struct object own = {object, record, NULL};
    const struct token *explicit_ = NULL;
    struct arguments arguments = {0};
    unsigned count;
    if (!call_has_function(record, name))
        return NULL;
    if (token_is_punct(parser->at, '<')) {
        explicit_ = parser->at + 1;
        parser->at = template_after_head(parser->at - 1);
    }
    if (token_is_punct(parser->at, '[')) { /* operator[] */
        parse_advance(parser);
        if (!(arguments.at[arguments.count++] = parse_expression(parser)) ||
            !parse_expect(parser, ']', "after the index"))
            return NULL;
    } else if (!call_arguments(parser, &arguments)) {
        return NULL;
    }
    const struct function *best = call_choose(parser, record->functions, name, explicit_, &arguments, &count);
    if (!best)
        return call_fail_to_fit(parser, name, &arguments);
    return call_function(parser, best, name, explicit_, &arguments, count, &own);
}

struct expr *parse_member_call(struct parser *parser, const struct token *name, struct expr *object)
{
    return call_own(parser, name, object->type.record, object);
}

struct expr *parse_static_call(struct parser *parser, const struct token *name, const struct record *record)
{
    return call_own(parser, name, record, NULL);
}

struct expr *parse_conversion(struct parser *parser, struct expr *object, const struct type *type)
{
    const struct object own = {object, object->type.record, NULL};
    const struct arguments none = {.count = 0};
    for (const struct function *f = object->type.record->functions; f; f = f->next) {
        struct problem ignored = {0};
        struct parser ahead = *parser;
        struct type result;
        if (strcmp(f->name, "operator") != 0 || f->name_token->kind != TOKEN_NAME)
            continue;
        ahead.problem = &ignored;
        ahead.scope = f->scope;
        if (call_result_type(&ahead, f, &result) && type_same(&result, type))
            return call_function(parser, f, f->name_token, NULL, &none, 0, &own);
    }
    return NULL;
}

bool parse_has_constructor(const struct type *type)
{
    return type->kind == TYPE_STRUCT && call_has_function(type->record, NULL);
}

struct expr *parse_construct(struct parser *parser, struct type type, const struct token *name)
{
    const struct object object = {NULL, type.record, &type};
    struct arguments arguments = {0};
    unsigned count;
    bool brace = token_is_punct(parser->at, '{');
    if (brace)
        parse_advance(parser);
    while (brace && !token_is_punct(parser->at, '}')) {
        if (arguments.count == ARGUMENT_LIMIT ||
            !(arguments.at[arguments.count++] = parse_assignment(parser)))
            return NULL;
        if (!parse_accept(parser, ','))
            break;
    }
    if (brace ? !parse_expect(parser, '}', "after the values")
              : token_is_punct(parser->at, '(') && !call_arguments(parser, &arguments))
        return NULL;
    if (arguments.count == 1 && type_same(&arguments.at[0]->type, &type))
        return arguments.at[0];
    const struct function *best = call_choose(parser, type.record->functions, NULL, NULL, &arguments, &count);
    if (!best && !arguments.count && type.record->has_default)
        return parse_zero(parser, type, name);
    if (!best) {
        parse_fail(parser, name, "no constructor of %s takes these %u arguments", type.record->name,
                   arguments.count);
        return NULL;
    }
    return call_function(parser, best, name, NULL, &arguments, count, &object);
}
