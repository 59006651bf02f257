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
    struct arguments arguments = {.object = object};
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

struct expr *parse_sibling_call(struct parser *parser, const struct token *name, const struct record *record,
                                struct expr *object)
{
    return call_own(parser, name, record, object);
}

struct expr *parse_static_call(struct parser *parser, const struct token *name, const struct record *record)
{
    return call_own(parser, name, record, NULL);
}

/* Does the operator convert to that type, or with NULL to any pointer? */
static bool converts_to(const struct parser *parser, const struct function *function, const struct type *type)
{
    struct problem ignored = {0};
    struct parser ahead = *parser;
    struct type result;
    if (strcmp(function->name, "operator") != 0 || function->name_token->kind != TOKEN_NAME)
        return false;
    ahead.problem = &ignored;
    ahead.scope = function->scope;
    return call_result_type(&ahead, function, &result) &&
           (type ? type_same(&result, type) : result.kind == TYPE_POINTER);
}

struct expr *parse_conversion(struct parser *parser, struct expr *object, const struct type *type)
{
    const struct object own = {object, object->type.record, NULL};
    const struct arguments none = {.count = 0};
    const struct function *best = NULL;
    for (const struct function *f = object->type.record->functions; f; f = f->next)
        if (converts_to(parser, f, type) && (!best || call_suits_object(parser, f, object)))
            best = f;
    return best ? call_function(parser, best, best->name_token, NULL, &none, 0, &own) : NULL;
}

bool parse_has_constructor(const struct type *type)
{
    return type->kind == TYPE_STRUCT && call_has_function(type->record, NULL);
}

/* The struct's own constructor from another of its kind: name(const name &). */
static const struct function *copy_constructor(const struct record *record)
{
    for (const struct function *f = record->functions; f; f = f->next) {
        unsigned least;
        const struct token *at = f->parameters + 1;
        at += token_is(at, "const");
        if (!f->is_constructor || f->head.begin || f->scope != record->scope || !token_is(at, record->name))
            continue;
        at = token_is_punct(at + 1, '<') ? template_after_head(at) : at + 1;
        if (token_is_punct(at + token_is(at, "const"), '&') && call_parameter_count(f, &least) >= 1 &&
            least <= 1)
            return f;
    }
    return NULL;
}

struct expr *parse_copied(struct parser *parser, struct expr *value, const struct token *name)
{
    const struct function *copy = value && value->type.kind == TYPE_STRUCT && value->is_lvalue
                                      ? copy_constructor(value->type.record)
                                      : NULL;
    if (!copy)
        return value;
    const struct object object = {NULL, value->type.record, &value->type};
    const struct arguments arguments = {.at = {value}, .reader = parser, .count = 1};
    unsigned least;
    return call_function(parser, copy, name, NULL, &arguments, call_parameter_count(copy, &least), &object);
}

/* Does a part of it have an operator= of its own? */
static bool has_assignment(const struct record *record)
{
    static const struct token sign = {.kind = TOKEN_PUNCT, .punct = '='};
    if (call_has_function(record, &sign))
        return true;
    for (unsigned i = 0; i < record->count; i++) {
        const struct type *type = &record->members[i].type;
        while (type->kind == TYPE_ARRAY)
            type = type->to;
        if (type->kind == TYPE_STRUCT && has_assignment(type->record))
            return true;
    }
    return false;
}

struct expr *parse_own_assignment(struct parser *parser, const struct token *op, struct expr *a,
                                  struct expr *b)
{
    const struct record *record = a->type.record;
    const struct arguments arguments = {.at = {b}, .reader = parser, .count = 1};
    const struct object object = {a, record, NULL};
    unsigned count = 0;
    if (op->punct != '=')
        return parse_operator(parser, op, a, b);
    if (!has_assignment(record))
        return NULL;
    const struct function *best = call_choose(parser, record->functions, op, NULL, &arguments, &count);
    if (best && best->scope == record->scope)
        return call_function(parser, best, op, NULL, &arguments, count, &object);
    if (!best || type_same(&a->type, &b->type))
        parse_fail(parser, op,
                   "a part of %s has an operator= of its own, which is not followed here: assign its "
                   "members one by one",
                   record->name);
    return NULL;
}

struct expr *parse_construct(struct parser *parser, struct type type, const struct token *name)
{
    const struct object object = {NULL, type.record, &type};
    struct arguments arguments = {0};
    unsigned count;
    bool brace = token_is_punct(parser->at, '{');
    if (type.record->is_aggregate && brace)
        return parse_braces(parser, type);
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
    if (arguments.count == 1 && arguments.at[0] && type_same(&arguments.at[0]->type, &type))
        return parse_copied(parser, arguments.at[0], name);
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
