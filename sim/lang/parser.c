/* parser.c - what all parts of the parser share. */
#include "parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool parse_fail(struct parser *parser, const struct token *token, const char *format, ...)
{
    char message[PROBLEM_MESSAGE_SIZE];
    va_list arguments;
    if (token->kind == TOKEN_OTHER && (token->text[0] < '!' || token->text[0] > '~')) /* would not print */
        return problem_at(parser->problem, token->source, token->begin,
                          "the byte 0x%02x means nothing in a kernel", (unsigned char)token->text[0]);
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return problem_at(parser->problem, token->source, token->begin, "%s", message);
}

void parse_advance(struct parser *parser)
{
    parser->last = parser->at;
    if (parser->at->kind != TOKEN_END)
        parser->at++;
}

bool parse_accept(struct parser *parser, uint32_t punct)
{
    if (!token_is_punct(parser->at, punct))
        return false;
    parse_advance(parser);
    return true;
}

bool parse_expect(struct parser *parser, uint32_t punct, const char *where)
{
    if (parse_accept(parser, punct))
        return true;
    const struct token *token = parser->at;
    char name[4] = {(char)(punct & 255), (char)(punct >> 8 & 255), (char)(punct >> 16 & 255), 0};
    if (token->kind == TOKEN_END)
        return parse_fail(parser, token, "the text ends where %s is expected %s", name, where);
    return parse_fail(parser, token, "%s is expected %s, not %.*s", name, where,
                      (int)(token->length < 40 ? token->length : 40), token->text);
}

bool parse_enter(struct parser *parser)
{
    if (parser->depth >= PARSE_DEPTH_LIMIT)
        return parse_fail(parser, parser->at, "this nests deeper than %d levels", PARSE_DEPTH_LIMIT);
    parser->depth++;
    return true;
}

void parse_leave(struct parser *parser)
{
    parser->depth--;
}

static struct symbol *find_in(const struct scope *scope, const struct token *name)
{
    for (struct symbol *symbol = scope->symbols; symbol; symbol = symbol->next)
        if (token_is(name, symbol->name))
            return symbol;
    return NULL;
}

/* The nearest of those that namespaces declare; where none is nearer than another, which one is meant is not
 * known.
 */
static struct symbol *find_nearest(const struct parser *parser, const struct scope *scope,
                                   const struct token *name)
{
    struct symbol *best = NULL;
    int best_rank = -1;
    bool several = false;
    for (struct symbol *symbol = scope->symbols; symbol; symbol = symbol->next) {
        int rank = token_is(name, symbol->name) ? space_rank(parser, name, symbol->space) : -1;
        several = rank > best_rank ? false : several || (rank >= 0 && rank == best_rank);
        if (rank > best_rank) {
            best = symbol;
            best_rank = rank;
        }
    }
    if (several)
        problem_at(parser->problem, name->source, name->begin,
                   "%.*s is declared in several namespaces: write the one before it that is meant",
                   (int)(name->length < 80 ? name->length : 80), name->text);
    return best;
}

struct symbol *parse_find(const struct parser *parser, const struct token *name)
{
    for (const struct scope *scope = parser->scope; scope; scope = scope->outer) {
        struct symbol *symbol = scope->has_twins ? find_nearest(parser, scope, name) : find_in(scope, name);
        if (symbol)
            return symbol;
    }
    return NULL;
}

struct symbol *parse_declare(struct parser *parser, enum symbol_kind kind, const struct token *name,
                             struct type type)
{
    struct symbol *twin = name->length ? find_in(parser->scope, name) : NULL;
    bool is_twice = twin && space_same(twin->space, parser->space);
    for (; twin && !is_twice; twin = twin->next)
        is_twice = token_is(name, twin->name) && space_same(twin->space, parser->space);
    if (is_twice) {
        parse_fail(parser, name, "%.*s is declared twice here", (int)(name->length < 60 ? name->length : 60),
                   name->text);
        return NULL;
    }
    if (parser->scope->names++ >= PARSE_NAME_LIMIT) {
        parse_fail(parser, name, "more than %u names are declared up to here", PARSE_NAME_LIMIT);
        return NULL;
    }
    struct symbol *symbol = arena_take(parser->arena, sizeof *symbol);
    symbol->kind = kind;
    symbol->name = arena_copy(parser->arena, name->text, name->length);
    symbol->type = type;
    symbol->space = parser->space;
    symbol->next = parser->scope->symbols;
    parser->scope->has_twins = parser->scope->has_twins || (name->length && find_in(parser->scope, name));
    parser->scope->symbols = symbol;
    return symbol;
}
