/* inline.c - a function's body, read in place of its call: anew for each.
 *
 * So a parameter may point into whatever its argument points into, a template's names stand for what this
 * call says, and a reference is another name of its argument. A function that calls itself cannot be read so.
 */
#include <limits.h>
#include <string.h>

#include "call.h"

enum { INLINE_LIMIT = 4096 };

/* One parameter at parser->at gets its argument, or its default where there is none. */
static struct statement *bind_parameter(struct parser *parser, struct expr *argument, struct parser *reader,
                                        const struct token *braces)
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
    if (braces) {
        struct parser list = *reader;
        list.at = braces;
        argument = parse_braces(&list, type);
    } else if (!argument && token_is_punct(parser->at, '=') && parse_accept(parser, '=')) {
        argument = token_is_punct(parser->at, '{') ? parse_braces(parser, type) : parse_assignment(parser);
    }
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
    return parse_bind(parser, name, type, parse_copied(parser, build_convert(parser, argument, type), name));
}

/* A parameter at parser->at that is a function: F f, F &&f, T (*f)(T). What declares it does nothing. */
static struct statement *bind_function(struct parser *parser, const struct function *function)
{
    const struct token *name = NULL, *at = parser->at;
    for (; at->kind != TOKEN_END && !token_is_punct(at, ',') && !token_is_punct(at, ')') &&
           !token_is_punct(at, '=');
         at++) {
        if (token_is_punct(at, '(') && token_is_punct(at + 1, '*')) {
            name = at + 2;
            break;
        }
        if (token_is_punct(at, '<') && at[-1].kind == TOKEN_NAME)
            at = template_after_head(at - 1) - 1;
        if (at->kind == TOKEN_NAME)
            name = at;
    }
    struct statement *nothing = arena_take(parser->arena, sizeof *nothing);
    *nothing = (struct statement){.kind = STATEMENT_BLOCK,
                                  .begin = parser->at->begin,
                                  .end = parser->at->end,
                                  .source = parser->at->source,
                                  .is_declaration = true};
    struct symbol *symbol =
        name && name->kind == TOKEN_NAME ? parse_declare(parser, SYMBOL_FUNCTION, name, type_void()) : NULL;
    if (symbol)
        symbol->function = function;
    return parser->problem->set ? NULL : nothing;
}

/* The declared type of its value; the words before it say nothing about that. */
bool call_result_type(struct parser *parser, const struct function *function, struct type *type)
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
    if (function->is_constructor) {
        *type = type_void();
        return true;
    }
    if (token_is(parser->at, "operator")) /* to a type, which stands behind it */
        parse_advance(parser);
    return parse_specifiers(parser, type) && parse_stars(parser, type);
}

/* What the declaration of a function that is defined elsewhere says for a parameter that gets no argument. */
static struct expr *declared_default(struct parser *parser, const struct function *function, unsigned index)
{
    struct function declared = *function;
    declared.definition = NULL;
    const struct token *at = call_parameter_at(&declared, index);
    while (at->kind != TOKEN_END && !token_is_punct(at, '='))
        at++;
    struct parser there = *parser;
    there.at = at + 1;
    return parse_assignment(&there);
}

static struct statement *bind_parameters(struct parser *parser, const struct function *function,
                                         const struct arguments *arguments, unsigned count)
{
    struct statement *first = NULL, **end = &first;
    for (unsigned i = 0; i < count; i++) {
        struct expr *argument = i < arguments->count ? arguments->at[i] : NULL;
        if (i >= arguments->count && function->definition &&
            !(argument = declared_default(parser, function, i)))
            return NULL;
        parser->at = call_parameter_at(function, i);
        const struct token *braces = i < arguments->count ? arguments->braces[i] : NULL;
        const struct function *given = i < arguments->count ? arguments->function[i] : NULL;
        *end = given ? bind_function(parser, given)
                     : bind_parameter(parser, argument, arguments->reader, braces);
        if (!*end)
            return NULL;
        while (*end)
            end = &(*end)->next;
    }
    return first;
}

/* Is the call that is about to be read one in itself, of the same instantiation? */
static bool is_running(const struct call_context *own)
{
    for (const struct call_context *call = own->outer; call; call = call->outer)
        if (call->function == own->function && call->instance == own->instance)
            return true;
    return false;
}

static bool fail_to_recurse(struct parser *parser, const struct token *name, const struct function *function)
{
    return parse_fail(parser, name,
                      "%s calls itself: recursion is not supported, unless its template ends it",
                      function->name);
}

/* Which instantiation this is: of the symbols that a template's names became. */
static uint64_t instance_of(const struct scope *scope)
{
    uint64_t hash = 14695981039346656037u;
    for (const struct symbol *s = scope->symbols; s; s = s->next) {
        const uint64_t words[] = {(uint64_t)s->kind,
                                  (uint64_t)s->value,
                                  (uint64_t)s->type.kind,
                                  type_size(&s->type),
                                  s->type.components,
                                  (uint64_t)(uintptr_t)s->function,
                                  (uint64_t)(uintptr_t)s->class_template};
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
    s->expr = build_set(parser, &assign, place, value);
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

static bool is_in_initials(const struct function *function, const struct member *member)
{
    for (const struct token *at = function->initials; at && at < function->body; at++) {
        if (token_is(at, member->name) && (token_is_punct(at + 1, '(') || token_is_punct(at + 1, '{')))
            return true;
        at = token_opens(at) ? token_after_brackets(at) - 1 : at;
    }
    return false;
}

/* Appends the default values of the members that a constructor's list does not set. */
static bool read_defaults(struct parser *parser, const struct function *function, struct expr *object,
                          struct statement **end)
{
    const struct record *record = object->type.record;
    for (unsigned i = 0; i < record->count; i++) {
        const struct member *member = &record->members[i];
        if (!member->initial || is_in_initials(function, member))
            continue;
        const struct token *from = member->initial;
        struct token assign = *from;
        struct token name = {
            .kind = TOKEN_NAME, .text = member->name, .length = (uint32_t)strlen(member->name)};
        assign.kind = TOKEN_PUNCT;
        assign.punct = '=';
        name.source = from->source;
        name.begin = from->begin;
        name.end = from->end;
        struct expr *place = build_component(parser, object, &name),
                    *value = parse_member_default(parser, member, NULL);
        if (!place || !value)
            return false;
        if (member->type.kind == TYPE_POINTER && build_is_null(value))
            continue;
        place->type.is_const = false;
        struct statement *s = arena_take(parser->arena, sizeof *s);
        *s = (struct statement){
            .kind = STATEMENT_EXPR, .begin = from->begin, .end = from->end, .source = from->source};
        if (!(s->expr = build_set(parser, &assign, place, value)))
            return false;
        *end = s;
        end = &s->next;
    }
    return true;
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

static bool returns_reference(const struct function *function)
{
    bool is_reference = false;
    for (const struct token *t = function->begin; t < function->name_token; t++)
        is_reference = is_reference || (token_is_punct(t, '&') && t + 1 <= function->name_token);
    return is_reference && !function->is_lambda;
}

/* Is the place found by an index, or an address, that has to be computed once for all that is done there? */
static bool moves(const struct expr *place)
{
    if (place->kind == EXPR_MEMORY)
        return place->type.space != SPACE_CONSTANT && place->a->kind != EXPR_VARIABLE;
    return build_is_indexed(place);
}

static struct expr *result_object(struct parser *parser, struct symbol *result, const struct token *name)
{
    struct expr *e = build(parser, EXPR_VARIABLE, result->type, name, name);
    e->symbol = result;
    e->is_lvalue = true;
    return e;
}

/* The place in memory whose address a call returned. */
static struct expr *place_behind(struct parser *parser, struct expr *call, const struct expr *place)
{
    struct expr *memory = arena_take(parser->arena, sizeof *memory);
    *memory = *place;
    memory->a = call;
    return build_adopt(parser, memory);
}

/* What happens before a body: the object's place (`fixed`, or NULL) and what lambdas have by value, then the
 * parameters, then a constructor's members. */
static bool read_bindings(struct parser *parser, const struct function *function,
                          const struct arguments *arguments, unsigned count, struct statement *fixed,
                          struct expr *self, struct expr *e)
{
    if (count && !(e->bindings = bind_parameters(parser, function, arguments, count)))
        return false;
    if (fixed) {
        fixed->next = e->bindings;
        e->bindings = fixed;
    }
    if (arguments->copies) {
        *arguments->copies_end = e->bindings;
        e->bindings = arguments->copies;
    }
    struct statement **end = &e->bindings;
    while (*end)
        end = &(*end)->next;
    if (function->initials && !read_initials(parser, function, self, end))
        return false;
    while (*end)
        end = &(*end)->next;
    return !function->is_constructor || !self || read_defaults(parser, function, self, end);
}

/* The call, read in place. */
static struct expr *read_body(struct parser *parser, const struct function *function,
                              const struct token *name, const struct token *explicit_,
                              const struct arguments *arguments, unsigned count, const struct object *object)
{
    struct scope members = {.outer = function->scope, .names = function->scope->names};
    struct scope scope = {.outer = object ? &members : function->scope, .names = function->scope->names};
    struct call_context call = {.function = function, .outer = parser->call, .record = function->record};
    call.gives_place = returns_reference(function);
    struct parser inner = *parser;
    inner.space = function->is_lambda ? parser->space : function->space;
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
    struct statement *fixed = self && !constructed && moves(self) ? parse_fix(&inner, name, &self) : NULL;
    bool ok = !self || bind_members(&inner, self);
    inner.scope = &scope;
    ok = ok && call_bind_template(&inner, function, explicit_, parser->scope, arguments);
    call.instance = instance_of(&scope);
    ok = ok && (!is_running(&call) || fail_to_recurse(parser, name, function));
    ok = ok && call_result_type(&inner, function, &call.type) &&
         read_bindings(&inner, function, arguments, count, fixed, self, e);
    const struct token *body =
        function->body ? function->body : call_parameter_at(function, UINT_MAX); /* behind the parameters */
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
    e = build_adopt(parser, e);
    return e && call.place ? place_behind(parser, e, call.place) : e;
}

/* What stands for the place that is returned: its address, or the value of what lies in registers. */
static struct expr *address_returned(struct parser *parser, struct call_context *call, struct expr *place)
{
    bool has_one = place->kind == EXPR_MEMORY && place->type.space != SPACE_CONSTANT;
    if (call->returns == 1)
        call->gives_place = has_one;
    if (!call->gives_place)
        return place;
    if (!has_one) {
        problem_at(parser->problem, place->source, place->begin,
                   "this function returns places in memory and others: only one of both is followed here");
        return NULL;
    }
    call->place = call->place ? call->place : place;
    call->type = place->a->type;
    return place->a;
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
        if (s->expr && call->gives_place && !(s->expr = address_returned(parser, call, s->expr)))
            return NULL;
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

/* May the argument be read as often as the parameter's name stands in the function? */
static bool may_be_repeated(const struct function *function, unsigned index, const struct expr *argument)
{
    const struct token *at = call_parameter_at(function, index);
    bool is_reference = false;
    for (; at->kind != TOKEN_END && !token_is_punct(at, ',') && !token_is_punct(at, ')'); at++)
        is_reference = is_reference || token_is_punct(at, '&');
    return argument && (only_computes(argument) ||
                        (is_reference && argument->kind == EXPR_MEMORY && only_computes(argument->a)));
}

/* Does the function's type end in &, is its body one return, and do its object and arguments only compute?
 * Then a call stands for the place that it returns. */
static bool returns_place(const struct function *function, const struct arguments *arguments,
                          const struct object *object)
{
    const struct token *body = function->body ? function->body : token_after_brackets(function->parameters);
    const struct expr *self = object ? object->value : NULL;
    while (token_is(body, "const"))
        body++;
    if (!returns_reference(function) || !token_is_punct(body, '{') || !token_is(body + 1, "return") ||
        (self && !only_computes(self->kind == EXPR_MEMORY ? self->a : self)))
        return false;
    const struct token *end = body + 2;
    while (end->kind != TOKEN_END && !token_is_punct(end, ';'))
        end++;
    for (unsigned i = 0; i < arguments->count; i++)
        if (!may_be_repeated(function, i, arguments->at[i]))
            return false;
    return token_is_punct(end + 1, '}');
}

/* The parameters as other names of their arguments. */
static bool alias_parameters(struct parser *parser, const struct function *function,
                             const struct arguments *arguments, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct type type;
        parser->at = call_parameter_at(function, i);
        if (i >= arguments->count || !parse_specifiers(parser, &type) || !parse_stars(parser, &type))
            return false;
        while (token_is_punct(parser->at, '&') || token_is(parser->at, "const") ||
               token_is(parser->at, "__restrict__"))
            parse_advance(parser);
        struct expr *value = arguments->at[i];
        if (!type_is_auto(&type) && !(value = build_convert(parser, value, type)))
            return false;
        if (parser->at->kind != TOKEN_NAME)
            continue;
        struct symbol *symbol = parse_declare(parser, SYMBOL_ALIAS, parser->at, value->type);
        if (!symbol)
            return false;
        symbol->initial = value;
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
    struct call_context call = {.function = function, .outer = parser->call, .record = function->record};
    struct parser inner = *parser;
    inner.space = function->space;
    inner.no_greater = false;
    inner.half_of = NULL;
    inner.scope = &members;
    if (object && object->value && !bind_members(&inner, object->value))
        return NULL;
    inner.scope = &scope;
    if (!call_bind_template(&inner, function, explicit_, parser->scope, arguments) ||
        !alias_parameters(&inner, function, arguments, count))
        return NULL;
    call.instance = instance_of(&scope);
    if (is_running(&call)) {
        fail_to_recurse(parser, name, function);
        return NULL;
    }
    inner.call = &call;
    const struct token *body = function->body ? function->body : token_after_brackets(function->parameters);
    while (!token_is(body, "return"))
        body++;
    inner.at = body + 1;
    return parse_expression(&inner);
}

struct expr *call_function(struct parser *parser, const struct function *function, const struct token *name,
                           const struct token *explicit_, const struct arguments *arguments, unsigned count,
                           const struct object *object)
{
    if (++parser->kernel->inlined > INLINE_LIMIT) {
        parse_fail(parser, name, "this kernel calls functions more than %d times", INLINE_LIMIT);
        return NULL;
    }
    if (!parse_enter(parser))
        return NULL;
    struct expr *e = returns_place(function, arguments, object)
                         ? read_place(parser, function, name, explicit_, arguments, count, object)
                         : read_body(parser, function, name, explicit_, arguments, count, object);
    parse_leave(parser);
    return e;
}
