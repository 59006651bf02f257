/* overload.c - which function a call means, and what its template's names stand for. */
#include <string.h>

#include "call.h"

/* A function's parameters: how many there are, and how many have no default. */
unsigned call_parameter_count(const struct function *function, unsigned *least)
{
    const struct token *at = function->parameters + 1;
    unsigned count = 0;
    int depth = 0;
    bool any = false, has_default = false;
    *least = 0;
    for (; at->kind != TOKEN_END; at++) {
        bool ends = depth == 0 && (token_is_punct(at, ')') || token_is_punct(at, ','));
        if (ends && any) {
            count++;
            *least += !has_default;
            any = has_default = false;
        }
        if (ends && token_is_punct(at, ')'))
            break;
        if (ends)
            continue;
        has_default = has_default || (depth == 0 && token_is_punct(at, '='));
        any = any || !(token_is(at, "void") && token_is_punct(at + 1, ')'));
        depth += token_is_punct(at, '(') + token_is_punct(at, '[') + token_is_punct(at, '{') -
                 token_is_punct(at, ')') - token_is_punct(at, ']') - token_is_punct(at, '}');
    }
    return count;
}

/* The tokens of parameter `index`, up to its comma or the closing ); that where there are not so many. */
const struct token *call_parameter_at(const struct function *function, unsigned index)
{
    const struct token *at = (function->definition ? function->definition : function->parameters) + 1;
    int depth = 0;
    for (; index && at->kind != TOKEN_END && !(depth == 0 && token_is_punct(at, ')')); at++) {
        if (depth == 0 && token_is_punct(at, ',')) {
            index--;
            continue;
        }
        depth += token_is_punct(at, '(') + token_is_punct(at, '[') + token_is_punct(at, '{') -
                 token_is_punct(at, ')') - token_is_punct(at, ']') - token_is_punct(at, '}');
    }
    return at;
}

/* The argument of a parameter `Name<..., T, ...>` is an instance of Name, which says what T is. */
static bool deduce_from_class(struct parser *parser, const struct token *at, const struct token *name,
                              const struct type *given)
{
    for (; at->kind != TOKEN_END && !token_is_punct(at, ',') && !token_is_punct(at, ')'); at++) {
        const struct token *end = token_is_punct(at + 1, '<') ? template_after_head(at) - 1 : at;
        unsigned index = 0;
        for (const struct token *t = at + 2; t < end; t++) {
            const struct symbol *value =
                token_same_name(t, name) ? parse_class_argument(given, at, index) : NULL;
            if (value) {
                struct symbol *symbol = parse_declare(parser, value->kind, name, value->type);
                if (symbol)
                    symbol->value = value->value;
                return symbol != NULL;
            }
            index += token_is_punct(t, ',');
        }
        at = end > at ? end : at;
    }
    return false;
}

/* Binds a template's type parameter to what an argument says: T of `const T *p` is what its pointer points
 * at. False if no parameter mentions it, which is no problem yet. */
static bool deduce(struct parser *parser, const struct function *function, const struct template_names *names,
                   unsigned index, const struct arguments *arguments)
{
    for (unsigned i = 0; i < arguments->count; i++) {
        bool mentions = false, points = false;
        if (!arguments->at[i] && !arguments->function[i])
            continue;
        for (const struct token *at = call_parameter_at(function, i);
             at->kind != TOKEN_END && !token_is_punct(at, ',') && !token_is_punct(at, ')'); at++) {
            mentions = mentions || (at->kind == TOKEN_NAME && at->length == names->name[index]->length &&
                                    memcmp(at->text, names->name[index]->text, at->length) == 0);
            points = points || token_is_punct(at, '*') || token_is_punct(at, '[');
        }
        if (arguments->function[i] && (!mentions || !names->is_type[index] || points))
            continue;
        if (arguments->function[i]) { /* F is that function */
            struct symbol *symbol = parse_declare(parser, SYMBOL_FUNCTION, names->name[index], type_void());
            if (symbol)
                symbol->function = arguments->function[i];
            return symbol != NULL;
        }
        struct type type = arguments->at[i]->type;
        if (mentions && type.kind == TYPE_STRUCT &&
            deduce_from_class(parser, call_parameter_at(function, i), names->name[index], &type))
            return true;
        if (parser->problem->set)
            return false;
        if (mentions && !names->is_type[index] && type.kind == TYPE_GROUP) { /* N of thread_block_tile<N> */
            struct symbol *width =
                parse_declare(parser, SYMBOL_CONSTANT, names->name[index], type_integer(4, true));
            if (width)
                width->value = type.bytes;
            return width != NULL;
        }
        if (!mentions || !names->is_type[index] || (points && type.kind != TYPE_POINTER))
            continue;
        if (points)
            type = *type.to;
        type.is_const = false;
        return parse_declare(parser, SYMBOL_TYPE, names->name[index], type) != NULL;
    }
    return false;
}

bool call_bind_template(struct parser *parser, const struct function *function, const struct token *explicit_,
                        struct scope *reader, const struct arguments *arguments)
{
    struct template_names names;
    unsigned given;
    if (!function->head.begin || function->pattern.begin)
        return true;
    if (!template_names(parser, &function->head, &names))
        return false;
    if (!template_bind(parser, &names, explicit_, reader, &given))
        return false;
    for (unsigned i = given; i < names.count; i++)
        if (!deduce(parser, function, &names, i, arguments) &&
            (parser->problem->set || !template_bind_default(parser, &names, i)))
            return false;
    return true;
}

/* Are the explicit arguments of a call those of the specialisation? */
static bool is_specialised_for(struct parser *parser, const struct function *function,
                               const struct token *explicit_)
{
    struct problem ignored = {0};
    struct parser own = *parser, given = *parser;
    own.problem = given.problem = &ignored;
    own.scope = function->scope;
    own.at = function->pattern.begin;
    given.at = explicit_;
    own.half_of = given.half_of = NULL;
    own.no_greater = given.no_greater = true;
    while (!token_is_punct(given.at, '>')) {
        struct type a, b;
        int64_t x, y;
        bool is_type = parse_at_type(&given);
        if (is_type
                ? !parse_type(&given, &a) || !parse_type(&own, &b) || !type_same(&a, &b)
                : !parse_constant_expression(&given, &x) || !parse_constant_expression(&own, &y) || x != y)
            return false;
        if (!parse_accept(&given, ','))
            return token_is_punct(given.at, '>');
        if (!parse_accept(&own, ','))
            return false;
    }
    return true;
}

/* char, short and bool become int, float becomes double, rather than anything else. */
static bool promotes(const struct type *given, const struct type *type)
{
    if (!type_is_scalar(given) || !type_is_scalar(type))
        return false;
    if (type_is_index(given)) {
        struct type promoted = type_promote(*given);
        return type_same(&promoted, type);
    }
    return given->kind == TYPE_FLOAT && type->kind == TYPE_FLOAT && given->bytes == 4 && type->bytes == 8;
}

bool call_suits_object(const struct parser *parser, const struct function *function,
                       const struct expr *object)
{
    const struct call_context *call = parser->call;
    bool in_const = call && call->function->parameters && object->is_this &&
                    token_is(token_after_brackets(call->function->parameters), "const");
    return token_is(token_after_brackets(function->parameters), "const") ==
           (object->type.is_const || in_const);
}

/* How well the arguments fit a function's parameters, -1 where they do not: overloads differ in number or
 * type. */
static int fit(struct parser *parser, const struct function *function, const struct token *explicit_,
               const struct arguments *arguments, unsigned *count)
{
    unsigned least;
    *count = call_parameter_count(function, &least);
    bool is_special = function->pattern.begin != NULL;
    if (arguments->count < least || arguments->count > *count || (explicit_ && !function->head.begin) ||
        (is_special && explicit_ && !is_specialised_for(parser, function, explicit_)))
        return -1;
    int score = function->head.begin && !is_special ? 0 : 1;
    if (arguments->object && call_suits_object(parser, function, arguments->object))
        score++;
    struct problem ignored = {0};
    struct parser ahead = *parser;
    ahead.problem = &ignored;
    struct scope scope = {.outer = function->scope, .names = function->scope->names};
    ahead.scope = &scope;
    if (!call_bind_template(&ahead, function, explicit_, parser->scope, arguments))
        return score;
    for (unsigned i = 0; i < arguments->count; i++) {
        struct type type;
        ahead.at = call_parameter_at(function, i);
        if (arguments->function[i])
            continue;
        if (!parse_specifiers(&ahead, &type) || !parse_stars(&ahead, &type))
            return score;
        if (!arguments->at[i])
            continue;
        const struct type *given = &arguments->at[i]->type;
        if ((type.kind == TYPE_POINTER) != (given->kind == TYPE_POINTER) && !token_is_punct(ahead.at, '(') &&
            !token_is_punct(ahead.at + 1, '['))
            return -1;
        if (type.kind == TYPE_POINTER && given->kind == TYPE_POINTER && !function->head.begin &&
            type_is_scalar(type.to) && type_is_scalar(given->to) && !type_same(type.to, given->to) &&
            given->space != SPACE_LOCAL)
            return -1;
        if ((type.has_names || given->has_names || type.kind == TYPE_GROUP || given->kind == TYPE_GROUP) &&
            !type_is_auto(&type) && !type_same(&type, given) && !token_is_punct(ahead.at + 1, '['))
            return -1; /* these convert to nothing else */
        score += type_same(&type, given) ? 2 : promotes(given, &type);
    }
    return score;
}

/* Without a name: is it a constructor? */
bool call_is_named(const struct function *function, const struct token *name)
{
    if (!name || function->is_constructor)
        return !name && function->is_constructor;
    const struct token *own = function->name_token;
    return own->kind == TOKEN_PUNCT ? token_is_punct(name, own->punct) : token_is(name, function->name);
}

/* Of the functions from `f` on that have the name, the one that these arguments fit best; NULL: none does. */
const struct function *call_choose(struct parser *parser, const struct function *f, const struct token *name,
                                   const struct token *explicit_, const struct arguments *arguments,
                                   unsigned *count)
{
    const struct function *best = NULL;
    int best_score = -1, best_rank = 0;
    bool several = false;
    for (; f; f = f->is_lambda ? NULL : f->next) {
        unsigned parameters = 0;
        int score =
            f->is_lambda || call_is_named(f, name) ? fit(parser, f, explicit_, arguments, &parameters) : -1;
        if (score < 0)
            continue;
        int rank = space_rank(parser, f->name_token->kind == TOKEN_NAME ? name : NULL, f->space);
        bool better = best_score < 0 || rank > best_rank || (rank == best_rank && score > best_score);
        if (better) {
            best = f;
            best_score = score;
            best_rank = rank;
            *count = parameters;
            several = false;
        } else if (rank == best_rank && score == best_score) {
            several = several || !space_same(f->space, best->space);
        }
    }
    if (several && name) {
        parse_fail(parser, name,
                   "%s is a function of several namespaces: write the one before it that is meant",
                   best->name);
        return NULL;
    }
    return best;
}

bool call_has_function(const struct record *record, const struct token *name)
{
    const struct function *f = record ? record->functions : NULL;
    while (f && !call_is_named(f, name))
        f = f->next;
    return f != NULL;
}
