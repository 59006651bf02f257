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
    if (!function->head.begin)
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
    const struct token *behind = token_is_punct(function->parameters, '(')
                                     ? token_after_brackets(function->parameters)
                                     : function->parameters;
    while (behind < function->end && !token_is_punct(behind, '{') &&
           !token_is_punct(behind, PUNCT2('-', '>')))
        behind++;
    if (behind < function->end && token_is_punct(behind, PUNCT2('-', '>'))) { /* auto f() -> T */
        parser->at = behind + 1;
        return parse_specifiers(parser, type) && parse_stars(parser, type);
    }
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

/* The call, read in place. */
static struct expr *read_body(struct parser *parser, const struct function *function,
                              const struct token *name, const struct token *explicit_,
                              const struct arguments *arguments, unsigned count)
{
    struct scope scope = {.outer = function->scope, .names = function->scope->names};
    struct call_context call = {.function = function, .outer = parser->call};
    struct parser inner = *parser;
    inner.scope = &scope;
    inner.loop_depth = 0;
    inner.in_switch = false;
    inner.labels = NULL;
    inner.no_greater = false;
    unsigned shared = parser->kernel->shared_count;
    struct expr *e = build(parser, EXPR_CALL, type_void(), name, parser->last);
    struct symbol *result = arena_take(parser->arena, sizeof *result);
    *result = (struct symbol){.kind = SYMBOL_VARIABLE, .name = function->name, .root = ROOT_NONE_YET};
    call.result = result;
    bool ok = bind_template(&inner, function, explicit_, parser->scope, arguments);
    call.instance = instance_of(&scope);
    ok = ok && read_result_type(&inner, function, &call.type) &&
         (!count || (e->bindings = bind_parameters(&inner, function, arguments, count)) != NULL);
    const struct token *body = function->parameters;
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
    e->type = call.returns ? call.result->type : type_void();
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
    } else {
        call->result->type = type_void();
    }
    return parse_expect(parser, ';', "after this") ? s : NULL;
}

/* How well the arguments fit a function's parameters, -1 where they do not: overloads differ in number or
 * type. */
static int fit(struct parser *parser, const struct function *function, const struct token *explicit_,
               const struct arguments *arguments, unsigned *count)
{
    unsigned least;
    *count = count_parameters(function, &least);
    if (arguments->count < least || arguments->count > *count || (explicit_ && !function->head.begin))
        return -1;
    int score = function->head.begin ? 0 : 1;
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

static bool is_named(const struct function *function, const struct token *name)
{
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
        unsigned parameters;
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

static struct expr *call_function(struct parser *parser, const struct function *function,
                                  const struct token *name, const struct token *explicit_,
                                  const struct arguments *arguments, unsigned count)
{
    if (is_running(parser->call, function)) {
        parse_fail(parser, name, "%s calls itself: recursion is not supported", function->name);
        return NULL;
    }
    if (++parser->kernel->inlined > INLINE_LIMIT) {
        parse_fail(parser, name, "this kernel calls functions more than %d times", INLINE_LIMIT);
        return NULL;
    }
    return parse_enter(parser)
               ? (parse_leave(parser), read_body(parser, function, name, explicit_, arguments, count))
               : NULL;
}

struct expr *parse_function_call(struct parser *parser, const struct token *name, struct symbol *lambda)
{
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
    if (!best) {
        parse_fail(parser, name, "no function %.*s of this file takes these %u arguments",
                   (int)(name->length < 60 ? name->length : 60), name->text, arguments.count);
        return NULL;
    }
    return call_function(parser, best, name, explicit_, &arguments, count);
}

/* An operator's function is named by its sign: the token before its parameters. */
struct expr *parse_operator(struct parser *parser, const struct token *op, struct expr *a, struct expr *b)
{
    const struct arguments arguments = {{a, b}, 2};
    unsigned count = 0;
    const struct function *best = choose(parser, parser->functions, op, NULL, &arguments, &count);
    return best ? call_function(parser, best, op, NULL, &arguments, count) : NULL;
}

/* The members are names in it: other names of the object's. */
static bool bind_members(struct parser *parser, struct expr *object)
{
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
    return true;
}

struct expr *parse_member_call(struct parser *parser, const struct token *name, struct expr *object)
{
    const struct function *f = object->type.record->functions;
    struct scope members = {.outer = parser->scope, .names = parser->scope->names};
    while (f && !is_named(f, name))
        f = f->next;
    if (!f)
        return NULL;
    struct arguments arguments = {0};
    unsigned least, count = count_parameters(f, &least);
    if (!read_arguments(parser, &arguments))
        return NULL;
    if (arguments.count < least || arguments.count > count || is_running(parser->call, f)) {
        parse_fail(parser, name, "this call does not fit the member function, or the function calls itself");
        return NULL;
    }
    if (++parser->kernel->inlined > INLINE_LIMIT || !parse_enter(parser))
        return NULL;
    struct parser inner = *parser;
    struct function own = *f;
    members.outer = f->scope;
    inner.scope = &members;
    own.scope = &members;
    struct expr *e =
        bind_members(&inner, object) ? read_body(parser, &own, name, NULL, &arguments, count) : NULL;
    parse_leave(parser);
    return e;
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
