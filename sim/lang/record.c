/* record.c - structs and unions: members with their places, and member functions. */
#include <string.h>

#include "call.h"

/* Behind a constructor's list of initial values; *ok is false where it is none. */
static const struct token *after_initials(const struct token *at, bool *ok)
{
    for (;;) {
        while (at->kind == TOKEN_NAME || token_is_punct(at, PUNCT2(':', ':')))
            at++;
        if (token_is_punct(at, '<'))
            at = template_after_head(at - 1);
        *ok = token_is_punct(at, '(') || token_is_punct(at, '{');
        if (!*ok)
            return at;
        at = token_after_brackets(at);
        if (token_is_punct(at, PUNCT3('.', '.', '.')))
            at++;
        if (!token_is_punct(at, ','))
            return at;
        at++;
    }
}

/* Past a member function, a constructor or an operator, whose parameters begin at `parameters`; it can be
 * called by name. */
static bool take_function(struct parser *parser, struct record *record, const struct token *begin,
                          const struct token *name, const struct token *parameters)
{
    const struct token *at = token_after_brackets(parameters), *initials = NULL;
    bool ok = true;
    while (at->kind != TOKEN_END && !token_is_punct(at, '{') && !token_is_punct(at, ';') &&
           !token_is_punct(at, ':') && !token_is_punct(at, '}'))
        at = token_is_punct(at, '(') ? token_after_brackets(at) : at + 1;
    if (token_is_punct(at, ':')) {
        initials = at + 1;
        at = after_initials(initials, &ok);
    }
    const struct token *body = at;
    if (token_is_punct(at, ';') && token_is(at - 1, "default") && token_is_punct(parameters + 1, ')') &&
        record->name[0] && token_is(name, record->name))
        record->has_default = true;
    if (token_is_punct(at, '{'))
        at = token_after_brackets(at);
    else
        ok = false;
    struct function *function = arena_take(parser->arena, sizeof *function);
    bool is_template = token_is(begin, "template") && token_is_punct(begin + 1, '<');
    *function = (struct function){.name = arena_copy(parser->arena, name->text, name->length),
                                  .begin = begin,
                                  .name_token = name,
                                  .parameters = parameters,
                                  .end = at,
                                  .scope = parser->scope,
                                  .space = parser->space,
                                  .record = record,
                                  .is_constructor = record->name[0] && token_is(name, record->name),
                                  .initials = initials,
                                  .body = body,
                                  .next = (struct function *)(uintptr_t)record->functions};
    if (is_template)
        function->head = (struct template_head){begin + 2, template_after_head(begin) - 1};
    if (ok) {
        record->functions = function;
    } else if (token_is_punct(body, ';') && token_is_punct(body - 1, ')') + token_is(body - 1, "const") &&
               !is_template) {
        function->next = (struct function *)(uintptr_t)record->declared;
        record->declared = function;
    }
    parser->last = at - 1;
    parser->at = at;
    while (!ok && parser->at->kind != TOKEN_END && !token_is_punct(parser->at, ';') &&
           !token_is_punct(parser->at, '}'))
        parse_advance(parser);
    if (token_is_punct(parser->at, ';'))
        parse_advance(parser);
    return true;
}

void parse_define_member(struct record *record, const struct token *name, const struct token *parameters)
{
    struct function *f = (struct function *)(uintptr_t)record->declared, *before = NULL;
    unsigned least;
    struct function defined = {.parameters = parameters};
    for (; f; before = f, f = f->next) {
        bool is_const = token_is(token_after_brackets(f->parameters), "const");
        if (token_same_name(f->name_token, name) &&
            call_parameter_count(f, &least) == call_parameter_count(&defined, &least) &&
            is_const == token_is(token_after_brackets(parameters), "const"))
            break;
    }
    if (!f)
        return;
    const struct token *at = token_after_brackets(parameters);
    bool ok = true;
    while (at->kind != TOKEN_END && !token_is_punct(at, '{') && !token_is_punct(at, ':'))
        at = token_is_punct(at, '(') ? token_after_brackets(at) : at + 1;
    if (token_is_punct(at, ':')) {
        f->initials = at + 1;
        at = after_initials(at + 1, &ok);
    }
    if (!ok || !token_is_punct(at, '{'))
        return;
    if (before)
        before->next = f->next;
    else
        record->declared = f->next;
    f->body = at;
    f->end = token_after_brackets(at);
    f->definition = parameters;
    f->next = (struct function *)(uintptr_t)record->functions;
    record->functions = f;
}

static bool add_member(struct parser *parser, struct record *record, const struct token *name,
                       struct type type)
{
    uint64_t alignment = type_alignment(&type), size = type_size(&type), slots = type_slots(&type);
    if (record->count == RECORD_MEMBER_LIMIT)
        return parse_fail(parser, name, "a struct has at most %u members here", RECORD_MEMBER_LIMIT);
    if (!alignment || size > 1 << 20)
        return parse_fail(parser, name, "this member is too large");
    uint64_t offset = record->is_union ? 0 : (record->size + alignment - 1) / alignment * alignment;
    record->members[record->count++] =
        (struct member){.name = arena_copy(parser->arena, name->text, name->length),
                        .type = type,
                        .offset = offset,
                        .slot = record->is_union ? 0 : record->slots};
    if (record->alignment < alignment)
        record->alignment = alignment;
    record->size = record->is_union && record->size > size ? record->size : offset + size;
    record->slots = !record->is_union ? record->slots + slots : record->slots > slots ? record->slots : slots;
    return true;
}

/* The ( of a member function's parameters, where the member at `at` is one; its name stands in *name. */
static const struct token *function_at(const struct token *at, const struct token **name)
{
    for (; at->kind != TOKEN_END && !token_is_punct(at, ';') && !token_is_punct(at, '=') && !token_closes(at);
         at++) {
        if (token_is(at, "operator")) {
            bool is_call = token_is_punct(at + 1, '(') && token_is_punct(at + 2, ')');
            const struct token *sign = at + 1, *open = is_call ? at + 3 : at + 1;
            while (!token_is_punct(open, '(') && open->kind != TOKEN_END)
                open++;
            *name = sign->kind == TOKEN_PUNCT ? sign : at; /* one to a type is called operator */
            return open;
        }
        if (token_is_punct(at, '<') && at[-1].kind == TOKEN_NAME) {
            at = template_after_head(at - 1) - 1;
            continue;
        }
        bool words = token_is(at, "__align__") || token_is(at, "alignas") || token_is(at, "decltype") ||
                     token_is(at, "__launch_bounds__") || token_is(at, "__attribute__");
        if (words && token_is_punct(at + 1, '(')) {
            at = token_after_brackets(at + 1) - 1;
        } else if (token_is_punct(at, '(')) {
            *name = at - 1;
            return at[-1].kind == TOKEN_NAME ? at : NULL;
        } else if (token_opens(at)) {
            return NULL;
        }
    }
    return NULL;
}

/* Past what is not looked at, up to its ; or past its { }. */
static void skip_member(struct parser *parser)
{
    while (parser->at->kind != TOKEN_END && !token_is_punct(parser->at, ';') &&
           !token_is_punct(parser->at, '}')) {
        bool brace = token_is_punct(parser->at, '{');
        const struct token *after =
            token_opens(parser->at) ? token_after_brackets(parser->at) : parser->at + 1;
        parser->last = after - 1;
        parser->at = after;
        if (brace)
            break;
    }
    parse_accept(parser, ';');
}

/* A destructor runs where a variable's scope ends: one of the device that does something is not followed. */
static bool take_destructor(struct parser *parser, const struct token *begin, const struct token *tilde)
{
    const struct token *body = tilde + 2 + token_is_punct(tilde + 2, '(');
    bool is_device = false;
    for (const struct token *t = begin; t < tilde; t++)
        is_device = is_device || token_is(t, "__device__");
    while (body->kind != TOKEN_END && !token_is_punct(body, '{') && !token_is_punct(body, ';'))
        body++;
    if (is_device && token_is_punct(body, '{') && !token_is_punct(body + 1, '}'))
        return parse_fail(
            parser, tilde,
            "a destructor that does something is not followed here: call a function where the scope ends");
    skip_member(parser);
    return true;
}

/* A type or a constant of the struct; one that is not understood is not declared. */
static void try_declare(struct parser *parser, bool (*read)(struct parser *))
{
    struct problem ignored = {0};
    struct parser inner = *parser;
    inner.problem = &ignored;
    if (read(&inner)) {
        parser->at = inner.at;
        parser->last = inner.last;
    } else {
        skip_member(parser);
    }
}

/* static constexpr int a = 3, b = 2 * a; */
static bool read_constants(struct parser *parser)
{
    struct type type;
    if (!parse_specifiers(parser, &type))
        return false;
    do {
        const struct token *name = parser->at;
        int64_t value;
        bool known;
        parse_advance(parser);
        bool brace = token_is_punct(parser->at, '{');
        if (name->kind != TOKEN_NAME || (!brace && !parse_accept(parser, '=')))
            return false;
        struct expr *e =
            brace ? parse_braces(parser, type) : parse_constant_initial(parser, type, &value, &known);
        if (!e || (brace && !constant_value(e, &value)) || (!brace && !known))
            return false;
        struct symbol *symbol = parse_declare(parser, SYMBOL_CONSTANT, name, brace ? type : e->type);
        if (!symbol)
            return false;
        symbol->value = value;
    } while (parse_accept(parser, ','));
    return parse_accept(parser, ';');
}

/* a, b[4] and what follows, behind the words of their type. */
static bool take_data(struct parser *parser, struct record *record, struct type type)
{
    do {
        struct type own = type;
        if (!parse_stars(parser, &own))
            return false;
        if (token_is_punct(parser->at, '&'))
            return parse_fail(parser, parser->at,
                              "a member that is a reference is not followed here: a pointer is");
        const struct token *name = parser->at;
        if (name->kind != TOKEN_NAME)
            return parse_fail(parser, name, "a member's name is expected here");
        parse_advance(parser);
        if (token_is_punct(parser->at, '[') && !parse_array_part(parser, &own, false))
            return false;
        if (!add_member(parser, record, name, own))
            return false;
        while (token_is_punct(parser->at, '=') || token_is_punct(parser->at, '{')) { /* its default value */
            record->members[record->count - 1].initial = parser->at;
            int depth = 0;
            for (; parser->at->kind != TOKEN_END; parse_advance(parser)) {
                if (depth == 0 && (token_is_punct(parser->at, ',') || token_is_punct(parser->at, ';')))
                    break;
                depth += token_is_punct(parser->at, '{') + token_is_punct(parser->at, '(') -
                         token_is_punct(parser->at, '}') - token_is_punct(parser->at, ')');
            }
        }
    } while (parse_accept(parser, ','));
    return parse_expect(parser, ';', "after the member");
}

/* int a, b[4]; or a function, a type, a constant. */
static bool take_members(struct parser *parser, struct record *record)
{
    static const char *const passed[] = {"__device__", "__host__", "__forceinline__", "inline",
                                         "explicit",   "virtual",  "mutable",         "__inline__"};
    const struct token *begin = parser->at, *name = NULL;
    struct type type;
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
        if (token_is(parser->at, passed[i])) {
            parse_advance(parser);
            i = (size_t)-1;
        }
    if (token_is(parser->at, "typedef") || token_is(parser->at, "using")) {
        try_declare(parser, parse_typedef);
        return true;
    }
    const struct token *first = parser->at;
    bool is_type = token_is(first, "struct") || token_is(first, "union") || token_is(first, "class") ||
                   token_is(first, "enum");
    if (token_is(first, "template"))
        first = template_after_head(first);
    if (token_is_punct(first, '~'))
        return take_destructor(parser, begin, first);
    if (token_is(first, "friend") || token_is(first, "static_assert") ||
        (first != parser->at &&
         (token_is(first, "struct") || token_is(first, "class") || token_is(first, "using")))) {
        skip_member(parser);
        return true;
    }
    const struct token *open = is_type ? NULL : function_at(first, &name);
    if (open)
        return take_function(parser, record, begin, name, open);
    if (token_is(first, "static")) {
        try_declare(parser, read_constants);
        return true;
    }
    if (!parse_specifiers(parser, &type))
        return false;
    if (parse_accept(parser, ';')) /* a struct without a name inside: its members are not seen */
        return is_type && type.kind == TYPE_STRUCT && !*type.record->name
                   ? parse_fail(parser, begin, "a member needs a name here")
                   : true;
    return take_data(parser, record, type);
}

/* : public A, B<T>, whose members come first. */
static bool take_bases(struct parser *parser, struct record *record, struct scope *scope)
{
    if (!parse_accept(parser, ':'))
        return true;
    do {
        struct type base;
        while (token_is(parser->at, "public") || token_is(parser->at, "private") ||
               token_is(parser->at, "protected") || token_is(parser->at, "virtual"))
            parse_advance(parser);
        const struct token *name = parser->at;
        if (!parse_specifiers(parser, &base))
            return false;
        if (base.kind != TYPE_STRUCT || base.record->is_union)
            return parse_fail(parser, name, "a struct inherits from structs");
        const struct record *from = base.record;
        if (record->count + from->count > RECORD_MEMBER_LIMIT)
            return parse_fail(parser, name, "a struct has at most %u members here", RECORD_MEMBER_LIMIT);
        uint64_t begin = from->count
                             ? (record->size + from->alignment - 1) / from->alignment * from->alignment
                             : record->size; /* an empty one takes no room */
        for (unsigned i = 0; i < from->count; i++) {
            struct member member = from->members[i];
            member.offset += begin;
            member.slot += record->slots;
            record->members[record->count++] = member;
        }
        if (from->count)
            record->size = begin + from->size;
        if (record->alignment < from->alignment)
            record->alignment = from->alignment;
        record->slots += from->slots;
        if (!record->functions)
            record->functions = from->functions;
        else if (from->functions)
            return parse_fail(parser, name, "a struct inherits functions from one other at most here");
        if (from->scope && !scope->symbols)
            scope->symbols = from->scope->symbols;
    } while (parse_accept(parser, ','));
    return true;
}

/* __align__(16), alignas(16). */
static bool take_alignment(struct parser *parser, uint64_t *alignment)
{
    while (token_is(parser->at, "__align__") || token_is(parser->at, "alignas")) {
        int64_t value;
        parse_advance(parser);
        if (!parse_expect(parser, '(', "before the alignment") ||
            !parse_constant_expression(parser, &value) || !parse_expect(parser, ')', "after the alignment"))
            return false;
        if (value >= 1 && value <= 1024 && (value & (value - 1)) == 0 && (uint64_t)value > *alignment)
            *alignment = (uint64_t)value;
    }
    return true;
}

/* Members with default values, and no constructor that says so: `name() {}` does, at the struct's closing
 * brace. */
static void add_default_constructor(struct parser *parser, struct record *record, struct scope *scope)
{
    static const uint32_t signs[] = {'(', ')', '{', '}'};
    bool any = false, has_own = false;
    for (unsigned i = 0; i < record->count; i++)
        any = any || record->members[i].initial;
    for (const struct function *f = record->functions; f; f = f->next)
        has_own = has_own || f->is_constructor;
    if (!any || record->is_union || (has_own && !record->has_default))
        return;
    struct token *at = arena_take(parser->arena, 5 * sizeof *at);
    for (int i = 0; i < 5; i++) {
        at[i] = *parser->at;
        at[i].kind = i < 4 ? TOKEN_PUNCT : TOKEN_END;
        at[i].punct = i < 4 ? signs[i] : 0;
    }
    struct function *function = arena_take(parser->arena, sizeof *function);
    *function = (struct function){.name = record->name,
                                  .begin = at,
                                  .name_token = at,
                                  .parameters = at,
                                  .end = at + 4,
                                  .scope = scope,
                                  .space = parser->space,
                                  .record = record,
                                  .is_constructor = true,
                                  .body = at + 2,
                                  .next = (struct function *)(uintptr_t)record->functions};
    record->functions = function;
    record->is_aggregate = !has_own && !record->has_default;
    record->has_default = false;
}

/* { ... }: the members. */
static bool take_body(struct parser *parser, struct record *record, struct scope *scope)
{
    struct scope *around = parser->scope;
    *scope = (struct scope){.outer = around, .names = around->names};
    record->members = arena_take(parser->arena, RECORD_MEMBER_LIMIT * sizeof *record->members);
    if (!take_bases(parser, record, scope) || !parse_expect(parser, '{', "before the members"))
        return false;
    parser->scope = scope;
    bool ok = true;
    while (ok && !token_is_punct(parser->at, '}')) {
        bool access = (token_is(parser->at, "public") || token_is(parser->at, "private") ||
                       token_is(parser->at, "protected")) &&
                      token_is_punct(parser->at + 1, ':');
        if (access) {
            parse_advance(parser);
            parse_advance(parser);
        } else if (parse_accept(parser, ';')) {
        } else if (parser->at->kind == TOKEN_END || !take_members(parser, record)) {
            ok = parser->problem->set ? false
                                      : parse_fail(parser, parser->at, "the text ends inside this struct");
        }
    }
    parser->scope = around;
    if (!ok)
        return false;
    add_default_constructor(parser, record, scope);
    parse_advance(parser);
    record->scope = scope;
    record->size = (record->size + record->alignment - 1) / record->alignment * record->alignment;
    record->size = record->size ? record->size : 1;
    return true;
}

bool parse_record(struct parser *parser, struct type *type)
{
    bool is_union = token_is(parser->at, "union");
    const struct token *after =
        token_is_punct(parser->at + 2, '<') ? template_after_head(parser->at + 1) : NULL;
    if (after && !token_is_punct(after, '{') && !token_is_punct(after, ':') &&
        parse_at_class(parser, parser->at + 1)) { /* struct name<float> */
        parse_advance(parser);
        return parse_class(parser, type);
    }
    struct record *record = arena_take(parser->arena, sizeof *record);
    struct scope *scope = arena_take(parser->arena, sizeof *scope);
    *record = (struct record){.name = "", .is_union = is_union, .alignment = 1};
    parse_advance(parser);
    if (!take_alignment(parser, &record->alignment))
        return false;
    const struct token *name = parser->at->kind == TOKEN_NAME ? parser->at : NULL;
    bool is_template = name && token_is_punct(name + 1, '<'); /* a specialisation's arguments */
    if (name)
        parse_advance(parser);
    if (is_template)
        parser->at = template_after_head(name);
    if (token_is(parser->at, "final"))
        parse_advance(parser);
    const struct symbol *known = name ? parse_find(parser, name) : NULL;
    if (!token_is_punct(parser->at, '{') && !token_is_punct(parser->at, ':')) {
        if (!known || known->kind != SYMBOL_TYPE)
            return parse_fail(parser, name ? name : parser->at,
                              "the members of this struct are not known here");
        *type = known->type;
        return true;
    }
    if (name)
        record->name = arena_copy(parser->arena, name->text, name->length);
    *type = (struct type){.kind = TYPE_STRUCT, .components = 1, .record = record};
    struct symbol *own = name ? parse_declare(parser, SYMBOL_TYPE, name, *type) : NULL;
    if (name && !own)
        return false;
    if (take_body(parser, record, scope))
        return true;
    struct problem *broken = arena_take(parser->arena, sizeof *broken); /* said where the type is used */
    *broken = *parser->problem;
    record->broken = broken;
    return false;
}
