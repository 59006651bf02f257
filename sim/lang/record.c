/* record.c - structs and unions: members with their places, and member functions. */
#include <string.h>

#include "parse.h"

/* Past a member function, a constructor or an operator, whose ( is at parser->at; it can be called by name.
 */
static bool take_function(struct parser *parser, struct record *record, const struct token *begin,
                          const struct token *name)
{
    const struct token *parameters = parser->at;
    int depth = 0;
    bool has_body = false;
    for (; parser->at->kind != TOKEN_END; parse_advance(parser)) {
        depth += token_is_punct(parser->at, '{') + token_is_punct(parser->at, '(') -
                 token_is_punct(parser->at, '}') - token_is_punct(parser->at, ')');
        has_body = has_body || token_is_punct(parser->at, '{');
        if (depth == 0 && (token_is_punct(parser->at, ';') || token_is_punct(parser->at, '}')))
            break;
    }
    struct function *function = arena_take(parser->arena, sizeof *function);
    *function = (struct function){.name = arena_copy(parser->arena, name->text, name->length),
                                  .begin = begin,
                                  .name_token = name,
                                  .parameters = parameters,
                                  .end = parser->at,
                                  .scope = parser->scope,
                                  .next = (struct function *)(uintptr_t)record->functions};
    if (has_body)
        record->functions = function;
    parse_advance(parser);
    if (token_is_punct(parser->at, ';'))
        parse_advance(parser);
    return true;
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

/* static constexpr int N = 8: no part of the struct, but S::N where its value is a constant. */
static bool take_static(struct parser *parser, const struct record *record, const struct token *name,
                        struct type type)
{
    if (!token_is_punct(parser->at, '=') || !type_is_index(&type) || !*record->name)
        return true;
    struct parser ahead = *parser;
    struct problem ignored = {0};
    int64_t value;
    ahead.problem = &ignored;
    parse_advance(&ahead);
    if (!parse_constant_expression(&ahead, &value))
        return true;
    struct token of = *name;
    of.text = record->name;
    of.length = (uint32_t)strlen(record->name);
    struct token scoped = parse_scoped_name(parser, &of, name);
    struct symbol *symbol = parse_declare(parser, SYMBOL_CONSTANT, &scoped, type);
    if (symbol)
        symbol->value = type_wrap(&type, value);
    return symbol != NULL;
}

/* int a, b[4]; or a function. */
static bool take_members(struct parser *parser, struct record *record)
{
    static const char *const passed[] = {"__device__", "__host__", "__forceinline__", "inline",  "static",
                                         "constexpr",  "explicit", "friend",          "virtual", "mutable"};
    const struct token *begin = parser->at;
    struct type type;
    bool is_static = false;
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
        if (token_is(parser->at, passed[i])) {
            is_static = is_static || token_is(parser->at, "static");
            parse_advance(parser);
            i = (size_t)-1;
        }
    bool is_constructor = token_is_punct(parser->at + 1, '(') || token_is_punct(parser->at, '~');
    if (is_constructor || token_is(parser->at, "template") || token_is(parser->at, "operator") ||
        token_is(parser->at, "using") || token_is(parser->at, "typedef")) {
        const struct token *name = parser->at;
        while (!token_is_punct(parser->at, '(') && !token_is_punct(parser->at, ';') &&
               parser->at->kind != TOKEN_END)
            parse_advance(parser);
        return take_function(parser, record, begin, name);
    }
    if (!parse_specifiers(parser, &type))
        return false;
    if (parse_accept(parser, ';')) { /* a struct without a name inside: its members are not seen */
        return parse_fail(parser, begin, "a member needs a name here");
    }
    do {
        struct type own = type;
        if (!parse_stars(parser, &own))
            return false;
        parse_accept(parser, '&');
        const struct token *name = parser->at;
        if (token_is(name, "operator")) {
            while (!token_is_punct(parser->at, '(') && parser->at->kind != TOKEN_END)
                parse_advance(parser);
            return take_function(parser, record, begin, name);
        }
        if (name->kind != TOKEN_NAME)
            return parse_fail(parser, name, "a member's name is expected here");
        parse_advance(parser);
        if (token_is_punct(parser->at, '('))
            return take_function(parser, record, begin, name);
        if (token_is_punct(parser->at, '[') && !parse_array_part(parser, &own, false))
            return false;
        if (is_static ? !take_static(parser, record, name, own) : !add_member(parser, record, name, own))
            return false;
        while (token_is_punct(parser->at, '=') ||
               token_is_punct(parser->at, '{')) { /* a default is not followed */
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

bool parse_record(struct parser *parser, struct type *type)
{
    bool is_union = token_is(parser->at, "union");
    struct record *record = arena_take(parser->arena, sizeof *record);
    *record = (struct record){.name = "", .is_union = is_union, .alignment = 1};
    parse_advance(parser);
    if (!take_alignment(parser, &record->alignment))
        return false;
    const struct token *name = parser->at->kind == TOKEN_NAME ? parser->at : NULL;
    if (name)
        parse_advance(parser);
    const struct symbol *known = name ? parse_find(parser, name) : NULL;
    if (!token_is_punct(parser->at, '{')) {
        if (!known || known->kind != SYMBOL_TYPE)
            return parse_fail(parser, name ? name : parser->at,
                              "the members of this struct are not known here");
        *type = known->type;
        return true;
    }
    if (name)
        record->name = arena_copy(parser->arena, name->text, name->length);
    record->members = arena_take(parser->arena, RECORD_MEMBER_LIMIT * sizeof *record->members);
    parse_advance(parser);
    while (!token_is_punct(parser->at, '}')) {
        bool access = (token_is(parser->at, "public") || token_is(parser->at, "private") ||
                       token_is(parser->at, "protected")) &&
                      token_is_punct(parser->at + 1, ':');
        if (access) {
            parse_advance(parser);
            parse_advance(parser);
        } else if (parser->at->kind == TOKEN_END || !take_members(parser, record)) {
            return parser->problem->set ? false
                                        : parse_fail(parser, parser->at, "the text ends inside this struct");
        }
    }
    parse_advance(parser);
    record->size = (record->size + record->alignment - 1) / record->alignment * record->alignment;
    record->size = record->size ? record->size : 1;
    *type = (struct type){.kind = TYPE_STRUCT, .components = 1, .record = record};
    return !name || parse_declare(parser, SYMBOL_TYPE, name, *type) != NULL;
}
