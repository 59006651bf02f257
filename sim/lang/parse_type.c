/* parse_type.c - type specifiers, pointers, array parts. */
#include "parse.h"

#include <string.h>

struct specifiers {
    int longs, shorts, chars, ints, is_signed, is_unsigned;
    bool any, is_const;
    bool named;
    struct type type;
};

static bool is_word(const struct token *token, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (token_is(token, words[i]))
            return true;
    return false;
}

static const char *const integer_words[] = {"long",   "short",    "char",      "int",
                                            "signed", "unsigned", "__signed__"};
static const char *const qualifiers[] = {"const",    "volatile",     "constexpr",  "static",
                                         "register", "__restrict__", "__restrict", "restrict"};

#define COUNT(table) (sizeof(table) / sizeof *(table))

bool parse_at_type(const struct parser *parser)
{
    const struct token *token = parser->at;
    struct type type;
    if (token->kind != TOKEN_NAME)
        return false;
    if (is_word(token, integer_words, COUNT(integer_words)) ||
        is_word(token, qualifiers, COUNT(qualifiers)) || token_is(token, "void") || token_is(token, "auto"))
        return true;
    const struct symbol *symbol = parse_find(parser, token);
    if (symbol)
        return symbol->kind == SYMBOL_TYPE;
    return type_of_name(token->text, token->length, &type);
}

static bool take_word(struct parser *parser, struct specifiers *s)
{
    const struct token *token = parser->at;
    struct symbol *symbol;
    s->longs += token_is(token, "long");
    s->shorts += token_is(token, "short");
    s->chars += token_is(token, "char");
    s->ints += token_is(token, "int");
    s->is_signed += token_is(token, "signed") || token_is(token, "__signed__");
    s->is_unsigned += token_is(token, "unsigned");
    s->is_const = s->is_const || token_is(token, "const") || token_is(token, "constexpr");
    if (is_word(token, integer_words, COUNT(integer_words))) {
        s->any = true;
        return !s->named;
    }
    if (is_word(token, qualifiers, COUNT(qualifiers)))
        return true;
    if (s->named || s->any)
        return false;
    if (token_is(token, "void") || token_is(token, "auto")) {
        s->type = token_is(token, "void") ? type_void() : type_auto();
        return s->named = true;
    }
    if ((symbol = parse_find(parser, token)) != NULL) {
        s->type = symbol->type;
        return s->named = symbol->kind == SYMBOL_TYPE;
    }
    return s->named = type_of_name(token->text, token->length, &s->type);
}

static bool integer_type(struct parser *parser, const struct specifiers *s, const struct token *from,
                         struct type *type)
{
    int bytes = s->chars ? 1 : s->shorts ? 2 : s->longs ? 8 : 4;
    if (s->longs > 2 || s->shorts > 1 || s->chars > 1 || s->ints > 1 || s->is_signed + s->is_unsigned > 1 ||
        (s->chars && (s->ints || s->longs || s->shorts)) || (s->shorts && s->longs))
        return parse_fail(parser, from, "these type words do not go together");
    *type = type_integer(bytes, !s->is_unsigned);
    return true;
}

bool parse_type(struct parser *parser, struct type *type)
{
    const struct token *from = parser->at;
    struct specifiers s = {0};
    while (parse_at_type(parser) && take_word(parser, &s))
        parse_advance(parser);
    if (!s.named && !s.any)
        return parse_fail(parser, parser->at, "a type is expected here");
    if (s.named)
        *type = s.type;
    else if (!integer_type(parser, &s, from, type))
        return false;
    type->is_const = type->is_const || s.is_const;
    while (parse_accept(parser, '*')) {
        if (type->kind == TYPE_POINTER)
            return parse_fail(parser, parser->last, "pointers to pointers are not supported");
        struct type *to = arena_take(parser->arena, sizeof *to);
        *to = *type;
        *type = (struct type){.kind = TYPE_POINTER, .lanes = 1, .to = to};
        while (is_word(parser->at, qualifiers, COUNT(qualifiers))) {
            type->is_const = type->is_const || token_is(parser->at, "const");
            parse_advance(parser);
        }
    }
    if (token_is_punct(parser->at, '&'))
        return parse_fail(parser, parser->at, "references are not supported");
    return true;
}

static bool take_dimensions(struct parser *parser, bool first_may_be_empty, uint64_t *dimensions, int *count)
{
    *count = 0;
    while (parse_accept(parser, '[')) {
        const struct token *at = parser->at;
        int64_t value = 0;
        if (*count == 8)
            return parse_fail(parser, at, "an array has at most 8 dimensions here");
        if (!(*count == 0 && first_may_be_empty && token_is_punct(at, ']'))) {
            if (!parse_constant_expression(parser, &value))
                return false;
            if (value < 1 || value > (1 << 24))
                return parse_fail(parser, at, "an array's dimension is 1 to 16777216, not %lld",
                                  (long long)value);
        }
        if (!parse_expect(parser, ']', "after the dimension"))
            return false;
        dimensions[(*count)++] = (uint64_t)value;
    }
    return true;
}

bool parse_array_part(struct parser *parser, struct type *type, bool first_may_be_empty)
{
    const struct token *from = parser->at;
    uint64_t dimensions[8];
    int count;
    if (!take_dimensions(parser, first_may_be_empty, dimensions, &count))
        return false;
    uint64_t total = type_size(type);
    for (int i = count - 1; i >= 0; i--) {
        if (dimensions[i] && total > (1u << 30) / dimensions[i])
            return parse_fail(parser, from, "this array is larger than 1 GiB");
        total *= dimensions[i] ? dimensions[i] : 1;
        struct type *to = arena_take(parser->arena, sizeof *to);
        *to = *type;
        *type = (struct type){.kind = TYPE_ARRAY, .lanes = 1, .to = to, .count = dimensions[i]};
    }
    return true;
}
