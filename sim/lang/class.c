/* class.c - templates of structs: which text stands for a name and its arguments, read once for each.
 *
 * Of the specialisations whose pattern fits the arguments the last one of the text is taken, those without
 * names of their own before the others. A pattern is a type or a number, or one of its own names, alone or
 * with const before it or stars behind.
 */
#include <string.h>

#include "parse.h"

struct class_instance {
    const struct scope *names; /* what the template's names stand for */
    struct type type;
    struct class_instance *next;
};

/* The primary template of that name; NULL: none. */
static struct class_template *find_class(const struct parser *parser, const struct token *name)
{
    if (name->kind != TOKEN_NAME)
        return NULL;
    const struct symbol *symbol = parse_find(parser, name);
    if (symbol && symbol->kind == SYMBOL_TEMPLATE)
        return symbol->class_template;
    struct class_template *best = NULL;
    int best_rank = 0;
    for (struct class_template *c = parser->classes; c; c = c->next) {
        if (c->pattern.begin || !token_same_name(c->name_token, name))
            continue;
        int rank = space_rank(parser, name, c->space);
        if (best && rank == best_rank && !space_same(c->space, best->space))
            parse_fail((struct parser *)(uintptr_t)parser, name,
                       "%.*s is a template of several namespaces: write the one before it that is meant",
                       (int)(name->length < 80 ? name->length : 80), name->text);
        if (!best || rank > best_rank) {
            best = c;
            best_rank = rank;
        }
    }
    return best;
}

bool parse_at_class(const struct parser *parser, const struct token *name)
{
    if (!token_is_punct(name + 1, '<') || !find_class(parser, name))
        return false;
    const struct symbol *symbol = parse_find(parser, name); /* its own name inside of it is a type, too */
    return !symbol || symbol->kind == SYMBOL_TYPE || symbol->kind == SYMBOL_TEMPLATE;
}

static bool same_value(const struct symbol *a, const struct symbol *b)
{
    return a->kind == b->kind && a->value == b->value && a->function == b->function &&
           a->class_template == b->class_template && type_same(&a->type, &b->type) &&
           a->type.is_const == b->type.is_const;
}

static bool same_names(const struct scope *a, const struct scope *b)
{
    const struct symbol *s = a->symbols, *t = b->symbols;
    for (; s && t; s = s->next, t = t->next)
        if (!same_value(s, t))
            return false;
    return !s && !t;
}

static const struct symbol *symbol_in(const struct scope *scope, const struct token *name)
{
    const struct symbol *s = scope->symbols;
    while (s && !token_is(name, s->name))
        s = s->next;
    return s;
}

/* Is the name one of the head's? */
static bool is_own_name(const struct template_names *names, const struct token *name)
{
    for (unsigned i = 0; i < names->count; i++)
        if (names->has_name[i] && token_same_name(names->name[i], name))
            return true;
    return false;
}

/* A name of the pattern stands for this value, unless it stands for another already. */
static bool bind_name(struct parser *parser, const struct token *name, const struct symbol *value)
{
    const struct symbol *known = symbol_in(parser->scope, name);
    if (known)
        return same_value(known, value);
    struct symbol *symbol = parse_declare(parser, value->kind, name, value->type);
    if (symbol) {
        symbol->value = value->value;
        symbol->function = value->function;
        symbol->class_template = value->class_template;
    }
    return symbol != NULL;
}

/* Does the pattern at parser->at fit the value? Binds its names. */
static bool fits(struct parser *parser, const struct template_names *names, const struct symbol *value)
{
    struct symbol own = *value;
    if (value->kind == SYMBOL_TYPE && token_is(parser->at, "const") && parser->at[1].kind == TOKEN_NAME &&
        is_own_name(names, parser->at + 1)) {
        if (!own.type.is_const)
            return false;
        own.type.is_const = false;
        parse_advance(parser);
    }
    if (is_own_name(names, parser->at)) {
        const struct token *name = parser->at;
        parse_advance(parser);
        while (parse_accept(parser, '*')) {
            if (own.kind != SYMBOL_TYPE || own.type.kind != TYPE_POINTER)
                return false;
            own.type = *own.type.to;
        }
        return bind_name(parser, name, &own);
    }
    if (value->kind == SYMBOL_TYPE) {
        struct type type;
        return parse_type(parser, &type) && type_same(&type, &value->type) &&
               type.is_const == value->type.is_const;
    }
    int64_t number;
    parser->no_greater = true;
    return parse_constant_expression(parser, &number) && number == value->value;
}

/* The scope of a specialisation where it fits the values of the primary's names; NULL. */
static struct scope *specialised(struct parser *parser, const struct class_template *c,
                                 const struct template_names *primary, const struct scope *values)
{
    struct problem ignored = {0};
    struct parser inner = *parser;
    struct template_names names = {0};
    struct scope *scope = arena_take(parser->arena, sizeof *scope);
    *scope = (struct scope){.outer = c->scope, .names = c->scope->names};
    inner.problem = &ignored;
    inner.scope = scope;
    inner.at = c->pattern.begin;
    inner.half_of = NULL;
    if (c->head.begin < c->head.end && !template_names(&inner, &c->head, &names))
        return NULL;
    for (unsigned i = 0; i < primary->count; i++) {
        const struct symbol *value = primary->has_name[i] ? symbol_in(values, primary->name[i]) : NULL;
        if (!value || !fits(&inner, &names, value))
            return NULL;
        if (!parse_accept(&inner, ','))
            return i + 1 == primary->count ? scope : NULL;
    }
    return NULL;
}

static bool read_instance(struct parser *parser, const struct class_template *c,
                          const struct template_names *names, struct scope *scope, struct type *type)
{
    const struct class_template *best = c;
    struct scope *best_scope = scope;
    for (const struct class_template *s = parser->classes; s; s = s->next) {
        struct scope *own = s->pattern.begin && token_same_name(s->name_token, c->name_token) &&
                                    space_same(s->space, c->space)
                                ? specialised(parser, s, names, scope)
                                : NULL;
        bool is_full = s->head.begin == s->head.end;
        if (own && (best == c || (is_full && best->head.begin != best->head.end))) {
            best = s;
            best_scope = own;
        }
    }
    struct parser inner = *parser;
    inner.scope = best_scope;
    inner.at = best->body;
    inner.space = best->space;
    inner.half_of = NULL;
    inner.no_greater = false;
    return best->is_alias ? parse_type(&inner, type) : parse_record(&inner, type);
}

bool parse_class(struct parser *parser, struct type *type)
{
    const struct token *name = parser->at;
    struct class_template *c = find_class(parser, name);
    struct template_names names;
    struct scope *scope = arena_take(parser->arena, sizeof *scope);
    struct parser inner = *parser;
    unsigned given;
    *scope = (struct scope){.outer = c->scope, .names = c->scope->names};
    inner.scope = scope;
    inner.at = name + 2;
    if (!template_names(&inner, &c->head, &names) || !parse_enter(parser))
        return false;
    inner.depth = parser->depth;
    bool ok = template_bind_here(&inner, &names, parser->scope, &given);
    for (unsigned i = given; ok && i < names.count; i++)
        ok = template_bind_default(&inner, &names, i);
    parse_leave(parser);
    if (!ok)
        return false;
    parser->at = inner.at;
    parser->last = inner.last;
    parser->half_of = inner.half_of;
    for (struct class_instance *i = c->instances; i; i = i->next)
        if (same_names(i->names, scope)) {
            *type = i->type;
            return true;
        }
    struct scope *values =
        arena_take(parser->arena, sizeof *values); /* reading the text adds names to `scope` */
    *values = *scope;
    if (++c->instance_count > CLASS_INSTANCE_LIMIT)
        return parse_fail(parser, name, "more than %u instances of this template are needed",
                          CLASS_INSTANCE_LIMIT);
    if (!read_instance(&inner, c, &names, scope, type))
        return false;
    if (type->kind == TYPE_STRUCT && !c->is_alias) {
        struct record *record = (struct record *)(uintptr_t)type->record;
        record->template_name = arena_copy(parser->arena, name->text, name->length);
        record->arguments = values;
    }
    struct class_instance *instance = arena_take(parser->arena, sizeof *instance);
    *instance = (struct class_instance){values, *type, c->instances};
    c->instances = instance;
    return true;
}

const struct symbol *parse_member_symbol(const struct type *type, const struct token *name)
{
    const struct scope *scope = type->kind == TYPE_STRUCT ? type->record->scope : NULL;
    return scope ? symbol_in(scope, name) : NULL;
}

const struct symbol *parse_class_argument(const struct type *type, const struct token *name, unsigned index)
{
    if (type->kind != TYPE_STRUCT || !type->record->template_name ||
        !token_is(name, type->record->template_name))
        return NULL;
    unsigned count = 0;
    for (const struct symbol *s = type->record->arguments->symbols; s; s = s->next)
        count++;
    const struct symbol *s = type->record->arguments->symbols;
    for (unsigned i = 0; s && index < count && i < count - 1 - index; i++)
        s = s->next;
    return index < count ? s : NULL;
}
