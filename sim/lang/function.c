/* function.c - calls of a file's functions and of lambdas: the body is read anew for each call, in place of
 * it.
 *
 * So a parameter may point into whatever its argument points into, a template's names stand for what this
 * call says, and a reference is another name of its argument. A function that calls itself cannot be read so.
 */
#include <string.h>

#include "parse.h"

enum { ARGUMENT_LIMIT = 32, INLINE_LIMIT = 4096 };

struct arguments {
    struct expr *at[ARGUMENT_LIMIT];
    unsigned count;
};

static bool read_arguments(struct parser *parser, struct arguments *arguments)
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

/* A function's parameters: how many there are, and how many have no default. */
static unsigned count_parameters(const struct function *function, unsigned *least)
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

/* The tokens of parameter `index`, up to its comma or the closing ). */
static const struct token *parameter_at(const struct function *function, unsigned index)
{
    const struct token *at = function->parameters + 1;
    int depth = 0;
    for (; index && at->kind != TOKEN_END; at++) {
        if (depth == 0 && token_is_punct(at, ',')) {
            index--;
            continue;
        }
        depth += token_is_punct(at, '(') + token_is_punct(at, '[') - token_is_punct(at, ')') -
                 token_is_punct(at, ']');
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
        for (const struct token *at = parameter_at(function, i);
             at->kind != TOKEN_END && !token_is_punct(at, ',') && !token_is_punct(at, ')'); at++) {
            mentions = mentions || (at->kind == TOKEN_NAME && at->length == names->name[index]->length &&
                                    memcmp(at->text, names->name[index]->text, at->length) == 0);
            points = points || token_is_punct(at, '*') || token_is_punct(at, '[');
        }
        struct type type = arguments->at[i]->type;
        if (mentions && type.kind == TYPE_STRUCT &&
            deduce_from_class(parser, parameter_at(function, i), names->name[index], &type))
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

static bool bind_template(struct parser *parser, const struct function *function,
                          const struct token *explicit_, struct scope *reader,
                          const struct arguments *arguments)
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

/* One parameter at parser->at gets its argument, or its default where there is none. */
static struct statement *bind_parameter(struct parser *parser, struct expr *argument)
{
    struct type type;
    if (!parse_specifiers(parser, &type) || !parse_stars(parser, &type))
        return NULL;
    bool paren = token_is_punct(parser->at, '(') && token_is_punct(parser->at + 1, '&'); /* T (&a)[4] */
    if (paren)
        parse_advance(parser);
    bool is_reference = parse_accept(parser, '&');
    if (is_reference)
        parse_accept(parser, '&');
    while (token_is(parser->at, "__restrict__") || token_is(parser->at, "const"))
        parse_advance(parser);
    const struct token *name = parser->at;
    if (name->kind == TOKEN_NAME)
        parse_advance(parser);
    if (paren && !parse_expect(parser, ')', "after the name"))
        return NULL;
    if (!parse_parameter_array(parser, &type))
        return NULL;
    if (!argument && parse_accept(parser, '='))
        argument = parse_assignment(parser);
    if (!argument)
        return NULL;
    if (name->kind != TOKEN_NAME) /* a parameter that nobody uses */
        return parse_bind(parser, &(struct token){.kind = TOKEN_NAME, .text = "", .source = name->source},
                          argument->type, argument);
    if (is_reference && !paren)
        return parse_refer(parser, name, type, argument);
    if (type_is_auto(&type) || (type.kind == TYPE_POINTER && type_is_auto(type.to)))
        type = argument->type;
    if (type.kind == TYPE_POINTER && argument->type.kind != TYPE_POINTER) {
        problem_at(parser->problem, argument->source, argument->begin, "this argument should be a pointer");
        return NULL;
    }
    return parse_bind(parser, name, type, build_convert(parser, argument, type));
}

/* The declared type of its value; the words before it say nothing about that. */
static bool read_result_type(struct parser *parser, const struct function *function, struct type *type)
{
    static const char *const words[] = {"__device__", "__host__",     "__forceinline__", "__inline__",
                                        "inline",     "__noinline__", "static",          "extern",
                                        "constexpr",  "virtual",      "friend",          "explicit"};
    if (function->is_lambda) {
        *type = type_auto();
        return true;
    }
    parser->at = function->begin;
    for (bool again = true; again;) {
        again = parser->at->kind == TOKEN_STRING;
        if (token_is(parser->at, "template")) {
            parser->at = template_after_head(parser->at);
            again = true;
            continue;
        }
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            again = again || token_is(parser->at, words[i]);
        if (again)
            parse_advance(parser);
    }
    if (function->is_constructor) {
        *type = type_void();
        return true;
    }
    if (token_is(parser->at, "operator")) /* to a type, which stands behind it */
        parse_advance(parser);
    return parse_specifiers(parser, type) && parse_stars(parser, type);
}

static struct statement *bind_parameters(struct parser *parser, const struct function *function,
                                         const struct arguments *arguments, unsigned count)
{
    struct statement *first = NULL, **end = &first;
    for (unsigned i = 0; i < count; i++) {
        parser->at = parameter_at(function, i);
        struct expr *argument = i < arguments->count ? arguments->at[i] : NULL;
        if (!(*end = bind_parameter(parser, argument)))
            return NULL;
        while (*end)
            end = &(*end)->next;
    }
    return first;
}

static bool is_running(const struct call_context *call, const struct function *function)
{
    for (; call; call = call->outer)
        if (call->function == function)
            return true;
    return false;
}

/* Which instantiation this is: of the symbols that a template's names became. */
static uint64_t instance_of(const struct scope *scope)
{
    uint64_t hash = 14695981039346656037u;
    for (const struct symbol *s = scope->symbols; s; s = s->next) {
        const uint64_t words[] = {(uint64_t)s->kind, (uint64_t)s->value, (uint64_t)s->type.kind,
                                  type_size(&s->type), s->type.components};
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            hash = (hash ^ words[i]) * 1099511628211u;
    }
    return hash;
}

/* The members are names in it: other names of the object's. */
static bool bind_members(struct parser *parser, struct expr *object)
{
    static const struct token self = {.kind = TOKEN_NAME, .text = "this", .length = 4};
    for (unsigned i = 0; i < object->type.record->count; i++) {
        const char *text = object->type.record->members[i].name;
        struct token name = {.kind = TOKEN_NAME,
                             .text = text,
                             .length = (uint32_t)strlen(text),
                             .source = object->source,
                             .begin = object->begin,
                             .end = object->end};
        struct expr *member = build_component(parser, object, &name);
        struct symbol *symbol = member ? parse_declare(parser, SYMBOL_ALIAS, &name, member->type) : NULL;
        if (!symbol)
            return false;
        symbol->initial = member;
    }
    struct symbol *symbol = parse_declare(parser, SYMBOL_ALIAS, &self, object->type);
    if (!symbol)
        return false;
    symbol->initial = arena_take(parser->arena, sizeof *symbol->initial);
    *symbol->initial = *object;
    symbol->initial->is_this = true;
    return true;
}

/* name(value) or name{value} of a constructor's list. */
static struct statement *read_initial(struct parser *parser, const struct expr *object)
{
    const struct token *name = parser->at;
    const struct member *member =
        name->kind == TOKEN_NAME ? type_member(&object->type, name->text, name->length) : NULL;
    if (!member) {
        parse_fail(parser, name,
                   "only members get their values here, not the structs that this one inherits");
        return NULL;
    }
    struct token assign = *name;
    assign.kind = TOKEN_PUNCT;
    assign.punct = '=';
    struct expr *place = build_component(parser, (struct expr *)(uintptr_t)object, name), *value = NULL;
    parse_advance(parser);
    const struct token *open = parser->at;
    bool empty = token_is_punct(open + 1, ')') || token_is_punct(open + 1, '}');
    if (member->type.kind == TYPE_STRUCT && parse_has_constructor(&member->type)) {
        value = parse_construct(parser, member->type, name);
    } else if (empty && member->type.kind != TYPE_POINTER && member->type.kind != TYPE_ARRAY) {
        parser->at += 2;
        struct token zero = *open;
        value = type_is_scalar(&member->type) ? build_integer(parser, 0, type_integer(4, true), &zero) : NULL;
        if (!value)
            parse_fail(parser, open, "a value is expected here");
    } else if (token_is_punct(open, '{') &&
               (member->type.kind == TYPE_ARRAY || member->type.kind == TYPE_STRUCT)) {
        value = parse_braces(parser, member->type);
    } else {
        parse_advance(parser);
        value = parse_assignment(parser);
        if (!value ||
            !parse_expect(parser, token_is_punct(open, '{') ? '}' : ')', "after the member's value"))
            return NULL;
    }
    if (!place || !value)
        return NULL;
    place->type.is_const = false;
    struct statement *s = arena_take(parser->arena, sizeof *s);
    *s = (struct statement){
        .kind = STATEMENT_EXPR, .begin = name->begin, .end = name->end, .source = name->source};
    s->expr = build_assign(parser, &assign, place, value);
    return s->expr ? s : NULL;
}

/* Appends what a constructor's list sets. */
static bool read_initials(struct parser *parser, const struct function *function, const struct expr *object,
                          struct statement **end)
{
    parser->at = function->initials;
    do {
        if (!(*end = read_initial(parser, object)))
            return false;
        end = &(*end)->next;
    } while (parse_accept(parser, ','));
    return true;
}

/* A call's object: its members are names. Of a constructor it is the call's result. */
struct object {
    struct expr *value; /* NULL: none */
    const struct record *record;
    const struct type *constructed; /* NULL: it is no constructor */
};

static struct expr *result_object(struct parser *parser, struct symbol *result, const struct token *name)
{
    struct expr *e = build(parser, EXPR_VARIABLE, result->type, name, name);
    e->symbol = result;
    e->is_lvalue = true;
    return e;
}

/* The call, read in place. */
static struct expr *read_body(struct parser *parser, const struct function *function,
                              const struct token *name, const struct token *explicit_,
                              const struct arguments *arguments, unsigned count, const struct object *object)
{
    struct scope members = {.outer = function->scope, .names = function->scope->names};
    struct scope scope = {.outer = object ? &members : function->scope, .names = function->scope->names};
    struct call_context call = {
        .function = function, .outer = parser->call, .record = object ? object->record : NULL};
    struct parser inner = *parser;
    inner.scope = &scope;
    inner.loop_depth = 0;
    inner.in_switch = false;
    inner.labels = NULL;
    inner.no_greater = false;
    inner.half_of = NULL;
    unsigned shared = parser->kernel->shared_count;
    struct expr *e = build(parser, EXPR_CALL, type_void(), name, parser->last);
    struct symbol *result = arena_take(parser->arena, sizeof *result);
    *result = (struct symbol){.kind = SYMBOL_VARIABLE, .name = function->name, .root = ROOT_NONE_YET};
    call.result = result;
    const struct type *constructed = object ? object->constructed : NULL;
    struct expr *self = object ? object->value : NULL;
    if (constructed) {
        result->type = *constructed;
        result->type.is_const = false;
        self = result_object(parser, result, name);
    }
    inner.scope = &members;
    bool ok = !self || bind_members(&inner, self);
    inner.scope = &scope;
    ok = ok && bind_template(&inner, function, explicit_, parser->scope, arguments);
    call.instance = instance_of(&scope);
    ok = ok && read_result_type(&inner, function, &call.type) &&
         (!count || (e->bindings = bind_parameters(&inner, function, arguments, count)) != NULL);
    struct statement **end = &e->bindings;
    while (ok && *end)
        end = &(*end)->next;
    ok = ok && (!function->initials || read_initials(&inner, function, self, end));
    const struct token *body = function->body ? function->body : function->parameters;
    while (body < function->end && !token_is_punct(body, '{'))
        body++;
    inner.call = &call;
    inner.at = body;
    if (!ok || !(e->body = parse_block(&inner)))
        return NULL;
    parser->kernel->finished++;
    for (; shared < parser->kernel->shared_count; shared++)
        if (!parser->kernel->shared[shared]->finished)
            parser->kernel->shared[shared]->finished = parser->kernel->finished;
    e->type = constructed || call.returns ? call.result->type : type_void();
    e->symbol = result;
    struct statement *last = e->body->body;
    while (last && last->next)
        last = last->next;
    bool ends_so = last && last->kind == STATEMENT_LEAVE;
    if (ends_so)
        last->is_last = true;
    e->value = call.returns - ends_so; /* returns that leave early */
    return build_adopt(parser, e);
}

struct statement *parse_leave_function(struct parser *parser, const struct token *from)
{
    struct call_context *call = parser->call;
    struct statement *s = arena_take(parser->arena, sizeof *s);
    *s = (struct statement){
        .kind = STATEMENT_LEAVE, .begin = from->begin, .end = from->end, .source = from->source};
    parse_advance(parser);
    call->returns++;
    s->symbol = call->result;
    if (!token_is_punct(parser->at, ';')) {
        s->expr =
            token_is_punct(parser->at, '{') ? parse_braces(parser, call->type) : parse_expression(parser);
        if (s->expr && type_is_auto(&call->type))
            call->type = s->expr->type;
        if (s->expr && call->type.kind == TYPE_POINTER && s->expr->type.kind == TYPE_POINTER)
            build_points_at(parser, call->result, s->expr);
        if (call->type.kind != TYPE_VOID)
            s->expr = build_convert(parser, s->expr, call->type);
        if (!s->expr)
            return NULL;
        if (call->returns == 1 || s->expr->type.kind != TYPE_VOID)
            call->result->type = s->expr->type;
        call->result->has_space = true;
    } else if (!call->function->is_constructor) {
        call->result->type = type_void();
    }
    return parse_expect(parser, ';', "after this") ? s : NULL;
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

/* How well the arguments fit a function's parameters, -1 where they do not: overloads differ in number or
 * type. */
static int fit(struct parser *parser, const struct function *function, const struct token *explicit_,
               const struct arguments *arguments, unsigned *count)
{
    unsigned least;
    *count = count_parameters(function, &least);
    bool is_special = function->pattern.begin != NULL;
    if (arguments->count < least || arguments->count > *count || (explicit_ && !function->head.begin) ||
        (is_special && explicit_ && !is_specialised_for(parser, function, explicit_)))
        return -1;
    int score = function->head.begin && !is_special ? 0 : 1;
    struct problem ignored = {0};
    struct parser ahead = *parser;
    ahead.problem = &ignored;
    struct scope scope = {.outer = function->scope, .names = function->scope->names};
    ahead.scope = &scope;
    if (!bind_template(&ahead, function, explicit_, parser->scope, arguments))
        return score;
    for (unsigned i = 0; i < arguments->count; i++) {
        struct type type;
        ahead.at = parameter_at(function, i);
        if (!parse_specifiers(&ahead, &type) || !parse_stars(&ahead, &type))
            return score;
        const struct type *given = &arguments->at[i]->type;
        if ((type.kind == TYPE_POINTER) != (given->kind == TYPE_POINTER) && !token_is_punct(ahead.at, '(') &&
            !token_is_punct(ahead.at + 1, '['))
            return -1;
        if ((type.has_names || given->has_names || type.kind == TYPE_GROUP || given->kind == TYPE_GROUP) &&
            !type_is_auto(&type) && !type_same(&type, given))
            return -1; /* these convert to nothing else */
        score += 2 * type_same(&type, given);
    }
    return score;
}

/* Without a name: is it a constructor? */
static bool is_named(const struct function *function, const struct token *name)
{
    if (!name || function->is_constructor)
        return !name && function->is_constructor;
    const struct token *own = function->name_token;
    return own->kind == TOKEN_PUNCT ? token_is_punct(name, own->punct) : token_is(name, function->name);
}

/* Of the functions from `f` on that have the name, the one that these arguments fit best; NULL: none does. */
static const struct function *choose(struct parser *parser, const struct function *f,
                                     const struct token *name, const struct token *explicit_,
                                     const struct arguments *arguments, unsigned *count)
{
    const struct function *best = NULL;
    int best_score = -1;
    for (; f; f = f->is_lambda ? NULL : f->next) {
        unsigned parameters = 0;
        int score =
            f->is_lambda || is_named(f, name) ? fit(parser, f, explicit_, arguments, &parameters) : -1;
        if (score > best_score) {
            best = f;
            best_score = score;
            *count = parameters;
        }
    }
    return best;
}

/* Does the value only compute, so that it may be read several times or not at all? */
static bool only_computes(const struct expr *e)
{
    if (!e)
        return true;
    if (e->kind == EXPR_MEMORY || e->kind == EXPR_CALL || e->kind == EXPR_ASSIGN || e->kind == EXPR_UPDATE ||
        e->kind == EXPR_ATOMIC || e->kind == EXPR_FUNCTION || e->kind == EXPR_BARRIER ||
        e->kind == EXPR_SYNCWARP)
        return false;
    for (unsigned i = 0; i < e->part_count; i++)
        if (!only_computes(e->parts[i]))
            return false;
    return only_computes(e->a) && only_computes(e->b) && only_computes(e->c);
}

/* Does the function's type end in &, is its body one return, and do its arguments only compute? Then a call
 * stands for the place that it returns. */
static bool returns_place(const struct function *function, const struct arguments *arguments)
{
    const struct token *body = function->body ? function->body : token_after_brackets(function->parameters);
    bool is_reference = false;
    for (const struct token *t = function->begin; t < function->name_token; t++)
        is_reference = is_reference || (token_is_punct(t, '&') && t + 1 <= function->name_token);
    while (token_is(body, "const"))
        body++;
    if (!is_reference || function->is_lambda || !token_is_punct(body, '{') || !token_is(body + 1, "return"))
        return false;
    const struct token *end = body + 2;
    while (end->kind != TOKEN_END && !token_is_punct(end, ';'))
        end++;
    for (unsigned i = 0; i < arguments->count; i++)
        if (!only_computes(arguments->at[i]) && !arguments->at[i]->is_lvalue)
            return false;
    return token_is_punct(end + 1, '}');
}

/* The parameters as other names of their arguments. */
static bool alias_parameters(struct parser *parser, const struct function *function,
                             const struct arguments *arguments, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct type type;
        parser->at = parameter_at(function, i);
        if (i >= arguments->count || !parse_specifiers(parser, &type) || !parse_stars(parser, &type))
            return false;
        while (token_is_punct(parser->at, '&') || token_is(parser->at, "const") ||
               token_is(parser->at, "__restrict__"))
            parse_advance(parser);
        struct expr *value = arguments->at[i];
        if (!type_is_auto(&type) && !(value = build_convert(parser, value, type)))
            return false;
        if (parser->at->kind == TOKEN_NAME && !parse_alias(parser, parser->at, value))
            return false;
    }
    return true;
}

/* T &at(int i) { return p[i]; }: the place, which may be written as well as read. */
static struct expr *read_place(struct parser *parser, const struct function *function,
                               const struct token *name, const struct token *explicit_,
                               const struct arguments *arguments, unsigned count, const struct object *object)
{
    if (arguments->count < count)
        return read_body(parser, function, name, explicit_, arguments, count, object);
    struct scope members = {.outer = function->scope, .names = function->scope->names};
    struct scope scope = {.outer = object ? &members : function->scope, .names = function->scope->names};
    struct call_context call = {
        .function = function, .outer = parser->call, .record = object ? object->record : NULL};
    struct parser inner = *parser;
    inner.no_greater = false;
    inner.half_of = NULL;
    inner.scope = &members;
    if (object && object->value && !bind_members(&inner, object->value))
        return NULL;
    inner.scope = &scope;
    if (!bind_template(&inner, function, explicit_, parser->scope, arguments) ||
        !alias_parameters(&inner, function, arguments, count))
        return NULL;
    inner.call = &call;
    const struct token *body = function->body ? function->body : token_after_brackets(function->parameters);
    while (!token_is(body, "return"))
        body++;
    inner.at = body + 1;
    return parse_expression(&inner);
}

static struct expr *call_function(struct parser *parser, const struct function *function,
                                  const struct token *name, const struct token *explicit_,
                                  const struct arguments *arguments, unsigned count,
                                  const struct object *object)
{
    if (is_running(parser->call, function)) {
        parse_fail(parser, name, "%s calls itself: recursion is not supported", function->name);
        return NULL;
    }
    if (++parser->kernel->inlined > INLINE_LIMIT) {
        parse_fail(parser, name, "this kernel calls functions more than %d times", INLINE_LIMIT);
        return NULL;
    }
    if (!parse_enter(parser))
        return NULL;
    struct expr *e = returns_place(function, arguments)
                         ? read_place(parser, function, name, explicit_, arguments, count, object)
                         : read_body(parser, function, name, explicit_, arguments, count, object);
    parse_leave(parser);
    return e;
}

static struct expr *fail_to_fit(struct parser *parser, const struct token *name,
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

static bool has_function(const struct record *record, const struct token *name)
{
    const struct function *f = record ? record->functions : NULL;
    while (f && !is_named(f, name))
        f = f->next;
    return f != NULL;
}

struct expr *parse_function_call(struct parser *parser, const struct token *name, struct symbol *lambda)
{
    static const struct token self = {.kind = TOKEN_NAME, .text = "this", .length = 4};
    const struct record *record = lambda ? NULL : own_record(parser);
    if (has_function(record, name)) {
        const struct symbol *object = parse_find(parser, &self);
        return object ? parse_member_call(parser, name, object->initial)
                      : parse_static_call(parser, name, record);
    }
    const struct function *f = lambda ? lambda->function : parser->functions;
    while (!lambda && f && !is_named(f, name))
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
    if (!read_arguments(parser, &arguments))
        return NULL;
    const struct function *best = choose(parser, f, name, explicit_, &arguments, &count);
    if (!best)
        return fail_to_fit(parser, name, &arguments);
    return call_function(parser, best, name, explicit_, &arguments, count, NULL);
}

/* An operator's function is named by its sign: the token before its parameters. */
struct expr *parse_operator(struct parser *parser, const struct token *op, struct expr *a, struct expr *b)
{
    const struct arguments arguments = {{a, b}, 2}, own = {{b}, 1};
    unsigned count = 0;
    if (a->type.kind == TYPE_STRUCT) {
        const struct object object = {a, a->type.record, NULL};
        const struct function *best = choose(parser, a->type.record->functions, op, NULL, &own, &count);
        if (best)
            return call_function(parser, best, op, NULL, &own, count, &object);
    }
    const struct function *best = choose(parser, parser->functions, op, NULL, &arguments, &count);
    return best ? call_function(parser, best, op, NULL, &arguments, count, NULL) : NULL;
}

/* The call of one of a struct's functions, at < or at its arguments' bracket; without an object: a static
 * one. */
static struct expr *call_own(struct parser *parser, const struct token *name, const struct record *record,
                             struct expr *object)
{
    const struct object own = {object, record, NULL};
    const struct token *explicit_ = NULL;
    struct arguments arguments = {0};
    unsigned count;
    if (!has_function(record, name))
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
    } else if (!read_arguments(parser, &arguments)) {
        return NULL;
    }
    const struct function *best = choose(parser, record->functions, name, explicit_, &arguments, &count);
    if (!best)
        return fail_to_fit(parser, name, &arguments);
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
    const struct arguments none = {{NULL}, 0};
    for (const struct function *f = object->type.record->functions; f; f = f->next) {
        struct problem ignored = {0};
        struct parser ahead = *parser;
        struct type result;
        if (strcmp(f->name, "operator") != 0 || f->name_token->kind != TOKEN_NAME)
            continue;
        ahead.problem = &ignored;
        ahead.scope = f->scope;
        if (read_result_type(&ahead, f, &result) && type_same(&result, type))
            return call_function(parser, f, f->name_token, NULL, &none, 0, &own);
    }
    return NULL;
}

bool parse_has_constructor(const struct type *type)
{
    return type->kind == TYPE_STRUCT && has_function(type->record, NULL);
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
              : token_is_punct(parser->at, '(') && !read_arguments(parser, &arguments))
        return NULL;
    if (arguments.count == 1 && type_same(&arguments.at[0]->type, &type))
        return arguments.at[0];
    const struct function *best = choose(parser, type.record->functions, NULL, NULL, &arguments, &count);
    if (!best) {
        parse_fail(parser, name, "no constructor of %s takes these %u arguments", type.record->name,
                   arguments.count);
        return NULL;
    }
    return call_function(parser, best, name, NULL, &arguments, count, &object);
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
