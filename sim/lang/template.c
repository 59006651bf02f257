/* template.c - names between < and >: what a template stands for, and what stands for them. */
#include <string.h>

#include "parse.h"

#define TEMPLATE_LIMIT (sizeof((struct template_names *)0)->name / sizeof(struct token *))

/* How many template brackets it opens, less those that it closes. */
static int angles_of(const struct token *at)
{
    return token_is_punct(at, '<') - token_is_punct(at, '>') - 2 * token_is_punct(at, PUNCT2('>', '>')) -
           3 * token_is_punct(at, PUNCT3('>', '>', '>'));
}

/* Inside of ( ), [ ] and { } a < or > is an operator. */
const struct token *template_after_head(const struct token *at)
{
    int angles = 0, others = 0;
    for (at++; at->kind != TOKEN_END; at++) {
        others += token_opens(at) - token_closes(at);
        if (others < 0 || (others == 0 && token_is_punct(at, ';')))
            return at; /* never closed */
        if (others > 0)
            continue;
        angles += angles_of(at);
        if (angles <= 0)
            return at + 1;
    }
    return at;
}

/* The end of what begins at `at`: a comma or the head's end outside brackets. */
static const struct token *item_end(const struct token *at, const struct token *end)
{
    int angles = 0, others = 0;
    for (; at < end && at->kind != TOKEN_END; at++) {
        if (angles == 0 && others == 0 && token_is_punct(at, ','))
            return at;
        others += token_opens(at) - token_closes(at);
        if (others == 0)
            angles += angles_of(at);
    }
    return at;
}

bool template_names(struct parser *parser, const struct template_head *head, struct template_names *names)
{
    *names = (struct template_names){0};
    for (const struct token *at = head->begin; at && at < head->end;) {
        const struct token *end = item_end(at, head->end), *equals = at, *name;
        while (equals < end && !token_is_punct(equals, '='))
            equals++;
        name = equals - 1;
        for (const struct token *t = at; t + 2 < equals; t++) /* T (*name)(T) */
            if (token_is_punct(t, '(') && token_is_punct(t + 1, '*') && t[2].kind == TOKEN_NAME)
                name = t + 2;
        if (names->count == TEMPLATE_LIMIT)
            return parse_fail(parser, at, "a template has at most %d parameters here", (int)TEMPLATE_LIMIT);
        if (name < at)
            return parse_fail(parser, at, "a template's parameter is expected here");
        if (token_is_punct(name, PUNCT3('.', '.', '.')) || token_is_punct(name - 1, PUNCT3('.', '.', '.')))
            return parse_fail(parser, at, "templates with any number of parameters are not supported");
        bool is_type = token_is(at, "typename") || token_is(at, "class");
        names->name[names->count] = name;
        names->has_name[names->count] = name->kind == TOKEN_NAME && name > at;
        names->is_type[names->count] = is_type && name <= at + 1;
        names->is_template[names->count] = token_is(at, "template");
        names->standard[names->count] = equals < end ? equals + 1 : NULL;
        names->count++;
        at = end < head->end ? end + 1 : end;
    }
    return true;
}

/* Binds a function or a template of a struct by its name, where one stands alone at parser->at. */
static bool bind_named(struct parser *parser, const struct template_names *names, unsigned index,
                       struct scope *reader, bool *done)
{
    struct scope *own = parser->scope;
    parse_skip_std(parser);
    const struct token *at = parser->at, *next = at + 1;
    bool alone = at->kind == TOKEN_NAME && (token_is_punct(next, ',') || token_is_punct(next, '>') ||
                                            token_is_punct(next, PUNCT2('>', '>')));
    parser->scope = reader;
    const struct symbol *known = alone ? parse_find(parser, at) : NULL;
    struct symbol value = {.kind = SYMBOL_CONSTANT};
    if (known && (known->kind == SYMBOL_FUNCTION || known->kind == SYMBOL_TEMPLATE))
        value = *known;
    for (struct class_template *c = parser->classes; alone && !known && c && names->is_template[index];
         c = c->next)
        if (!c->pattern.begin && token_same_name(c->name_token, at) && value.kind == SYMBOL_CONSTANT)
            value = (struct symbol){.kind = SYMBOL_TEMPLATE, .class_template = c};
    for (const struct function *f = parser->functions;
         alone && !known && f && !names->is_template[index] && value.kind == SYMBOL_CONSTANT; f = f->next)
        if (token_is(at, f->name) && f->name_token->kind == TOKEN_NAME)
            value = (struct symbol){.kind = SYMBOL_FUNCTION, .function = f};
    parser->scope = own;
    *done = value.kind != SYMBOL_CONSTANT;
    if (!*done && names->is_template[index])
        return parse_fail(parser, at, "the name of a template of a struct in this file is expected here");
    if (!*done)
        return true;
    parse_advance(parser);
    struct symbol *symbol =
        names->has_name[index] ? parse_declare(parser, value.kind, names->name[index], type_void()) : NULL;
    if (symbol) {
        symbol->function = value.function;
        symbol->class_template = value.class_template;
    }
    return symbol || !names->has_name[index];
}

/* Reads what stands for the name at parser->at, as `reader` sees it, and binds it in the parser's scope. */
static bool bind_one(struct parser *parser, const struct template_names *names, unsigned index,
                     struct scope *reader)
{
    bool no_greater = parser->no_greater, ok, done = false;
    struct scope *own = parser->scope;
    if (!names->is_type[index] && (!bind_named(parser, names, index, reader, &done) || done))
        return done && !parser->problem->set;
    parser->no_greater = true;
    parser->scope = reader;
    if (names->is_type[index]) {
        struct type type;
        bool is_unsaid =
            token_is(parser->at, "auto"); /* a launch's argument that the host code does not tell */
        if (is_unsaid) {
            parse_advance(parser);
            type = template_assumed_type(parser, names->name[index]);
        }
        ok = is_unsaid || parse_type(parser, &type);
        parser->scope = own;
        struct symbol *symbol = ok && names->has_name[index]
                                    ? parse_declare(parser, SYMBOL_TYPE, names->name[index], type)
                                    : NULL;
        if (symbol)
            symbol->is_assumed = is_unsaid;
        ok = ok && (symbol || !names->has_name[index]);
    } else {
        struct type type;
        int64_t value;
        struct parser head = *parser; /* int N, bool B, size_t M, auto X */
        const struct token *begin = names->name[index];
        while (begin[-1].kind == TOKEN_NAME && !token_is(&begin[-1], "template"))
            begin--;
        head.at = begin;
        head.scope = own;
        ok = parse_constant_expression(parser, &value) && parse_specifiers(&head, &type);
        parser->scope = own;
        if (ok && type_is_auto(&type))
            type = type_integer(4, true);
        if (ok && !type_is_index(&type))
            ok =
                parse_fail(parser, names->name[index], "a template's parameter is an integer or a type here");
        bool binds = ok && names->has_name[index];
        struct symbol *symbol =
            binds ? parse_declare(parser, SYMBOL_CONSTANT, names->name[index], type) : NULL;
        if (symbol)
            symbol->value = type_wrap(&type, value);
        ok = binds ? symbol != NULL : ok;
    }
    parser->no_greater = no_greater;
    return ok;
}

/* Past one >, which may be a half of >>. */
static bool close_arguments(struct parser *parser)
{
    if (token_is_punct(parser->at, PUNCT2('>', '>')) && parser->half_of != parser->at) {
        parser->half_of = parser->at;
        return true;
    }
    if (token_is_punct(parser->at, PUNCT2('>', '>'))) {
        parse_advance(parser);
        return true;
    }
    return parse_expect(parser, '>', "after the template's arguments");
}

static bool at_close(const struct parser *parser)
{
    return token_is_punct(parser->at, '>') || token_is_punct(parser->at, PUNCT2('>', '>'));
}

bool template_bind_here(struct parser *parser, const struct template_names *names, struct scope *reader,
                        unsigned *given)
{
    *given = 0;
    while (!at_close(parser)) {
        if (*given == names->count)
            return parse_fail(parser, parser->at, "this template takes %u arguments; here are more",
                              names->count);
        if (!bind_one(parser, names, *given, reader))
            return false;
        ++*given;
        if (!parse_accept(parser, ','))
            break;
    }
    return close_arguments(parser);
}

bool template_bind(struct parser *parser, const struct template_names *names, const struct token *arguments,
                   struct scope *reader, unsigned *given)
{
    *given = 0;
    if (!arguments)
        return true;
    struct parser inner = *parser;
    inner.at = arguments;
    inner.half_of = NULL;
    return template_bind_here(&inner, names, reader, given);
}

bool template_bind_default(struct parser *parser, const struct template_names *names, unsigned index)
{
    const struct token *at = parser->at;
    const struct token *name = names->name[index];
    if (!names->standard[index] && !names->has_name[index])
        return true; /* nobody asks */
    if (!names->standard[index])
        return parse_fail(parser, name, "nothing says what the template's parameter %.*s stands for",
                          (int)(name->length < 60 ? name->length : 60), name->text);
    parser->at = names->standard[index];
    bool ok = bind_one(parser, names, index, parser->scope);
    parser->at = at;
    return ok;
}

struct type template_assumed_type(struct parser *parser, const struct token *name)
{
    struct assumptions *assumptions = parser->assumptions;
    unsigned number = assumptions ? assumptions->assumed++ : 32;
    bool is_integer =
        (number < 32 && (assumptions->integers >> number & 1)) || type_name_counts(name->text, name->length);
    return is_integer ? type_integer(4, true) : type_float(4);
}

bool template_assume_type(struct parser *parser, const struct template_names *names, unsigned index)
{
    return parse_declare(parser, SYMBOL_TYPE, names->name[index],
                         template_assumed_type(parser, names->name[index])) != NULL;
}
