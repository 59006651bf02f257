/* parse_type.c - type specifiers, pointers, array parts. */
#include "intrinsic.h"
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
static const char *const qualifiers[] = {"const",    "volatile",     "constexpr",       "static",
                                         "register", "__restrict__", "__restrict",      "restrict",
                                         "inline",   "__device__",   "__forceinline__", "__host__"};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static bool is_known(const struct parser *parser, const struct token *name)
{
    struct type type;
    if (name->kind != TOKEN_NAME)
        return false;
    for (const struct function *f = parser->functions; f; f = f->next)
        if (token_is(name, f->name))
            return true;
    return parse_at_class(parser, name) || parse_find(parser, name) ||
           type_of_name(name->text, name->length, &type);
}

/* The token after std:: or cuda::std:: at `token`, or after cooperative groups' namespace; or `token`. */
static const struct token *past_std(const struct parser *parser, const struct token *token)
{
    const uint32_t colons = PUNCT2(':', ':');
    token += token_is(token, "typename");
    const struct token *at = token_is_punct(token, colons) ? token + 1 : token;
    if (at->kind == TOKEN_NAME && token_is_punct(at + 1, colons)) {
        const struct symbol *symbol = parse_find(parser, at);
        if (symbol ? symbol->kind == SYMBOL_NAMESPACE
                   : token_is(at, "cg") || token_is(at, "cooperative_groups"))
            return at + 2;
    }
    if (token_is(at, "cuda") && token_is_punct(at + 1, colons))
        at += 2;
    if (token_is(at, "std") && token_is_punct(at + 1, colons))
        return at + 2;
    while (at->kind == TOKEN_NAME && token_is_punct(at + 1, colons) && !parse_find(parser, at) &&
           (is_known(parser, at + 2) || token_is_punct(at + 3, colons)))
        at += 2; /* a namespace of the file, whose names are names of the file here */
    return at;
}

void parse_skip_std(struct parser *parser)
{
    const struct token *past = past_std(parser, parser->at);
    if (past != parser->at) {
        parser->last = past - 1;
        parser->at = past;
    }
}

/* Past the ::type behind a struct's name, as often as it stands there. False where something else does. */
static bool take_member_types(struct parser *parser, struct type *type)
{
    while (token_is_punct(parser->at, PUNCT2(':', ':')) && type->kind == TYPE_STRUCT) {
        const struct token *name = parser->at + 1 + token_is(parser->at + 1, "template");
        const struct symbol *symbol = parse_member_symbol(type, name);
        if (!symbol || symbol->kind != SYMBOL_TYPE)
            return parse_fail(parser, name, "%.*s is no type of %s",
                              (int)(name->length < 60 ? name->length : 60), name->text, type->record->name);
        *type = symbol->type;
        parser->last = name;
        parser->at = name + 1;
    }
    return true;
}

/* Does a type stand at the name of a template or of a struct, and not a function or constant of it? */
static bool at_struct_type(const struct parser *parser, const struct token *token)
{
    struct problem ignored = {0};
    struct parser ahead = *parser;
    bool is_class = parse_at_class(parser, token);
    const struct symbol *symbol = is_class ? NULL : parse_find(parser, token);
    struct type type = symbol ? symbol->type : type_void();
    ahead.problem = &ignored;
    ahead.at = token;
    if (!symbol && !parse_class(&ahead, &type))
        return token_is(parser->at, "typename") ||
               !token_is_punct(template_after_head(token),
                               PUNCT2(':', ':')); /* the same problem will be said */
    if (symbol)
        ahead.at++;
    return take_member_types(&ahead, &type);
}

bool parse_at_type(const struct parser *parser)
{
    const struct token *token = past_std(parser, parser->at);
    struct type type;
    if (token->kind != TOKEN_NAME)
        return false;
    if (is_word(token, integer_words, COUNT(integer_words)) ||
        is_word(token, qualifiers, COUNT(qualifiers)) || token_is(token, "void") || token_is(token, "auto") ||
        token_is(token, "enum") || token_is(token, "struct") || token_is(token, "union") ||
        token_is(token, "class"))
        return true;
    const struct symbol *symbol = parse_find(parser, token);
    bool is_struct = symbol && symbol->kind == SYMBOL_TYPE && token_is_punct(token + 1, PUNCT2(':', ':'));
    if (is_struct || parse_at_class(parser, token))
        return at_struct_type(parser, token);
    if (symbol)
        return symbol->kind == SYMBOL_TYPE;
    return group_at_type(token) || type_of_name(token->text, token->length, &type);
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

struct token parse_scoped_name(struct parser *parser, const struct token *of, const struct token *name)
{
    struct token whole = *name;
    size_t length = (size_t)of->length + 2 + name->length;
    char *text = arena_take(parser->arena, length + 1);
    memcpy(text, of->text, of->length);
    memcpy(text + of->length, "::", 2);
    memcpy(text + of->length + 2, name->text, name->length);
    text[length] = '\0';
    whole.text = text;
    whole.length = (uint32_t)length;
    whole.is_qualified = false;
    return whole;
}

/* `of`: the enum class that it belongs to; NULL: it stands among all names. */
static bool declare_enumerator(struct parser *parser, const struct token *name, const struct token *of,
                               struct type type, int64_t value)
{
    struct token scoped;
    if (of)
        scoped = parse_scoped_name(parser, of, name);
    struct symbol *symbol = parse_declare(parser, SYMBOL_CONSTANT, of ? &scoped : name, type);
    if (!symbol)
        return false;
    symbol->value = value;
    return true;
}

static bool parse_enumerators(struct parser *parser, const struct token *of, struct type type)
{
    int64_t value = 0;
    while (!token_is_punct(parser->at, '}')) {
        const struct token *name = parser->at;
        if (name->kind != TOKEN_NAME)
            return parse_fail(parser, name, "a name is expected here");
        parse_advance(parser);
        if (parse_accept(parser, '=') && !parse_constant_expression(parser, &value))
            return false;
        if (type_wrap(&type, value) != value)
            return parse_fail(parser, name, "%lld does not fit the type of this enum", (long long)value);
        if (!declare_enumerator(parser, name, of, type, value))
            return false;
        value++;
        if (!parse_accept(parser, ','))
            break;
    }
    return parse_expect(parser, '}', "after the last name of an enum");
}

bool parse_enum(struct parser *parser, struct type *type)
{
    parse_advance(parser); /* enum */
    bool is_scoped = token_is(parser->at, "class") || token_is(parser->at, "struct");
    if (is_scoped)
        parse_advance(parser);
    const struct token *name = parser->at->kind == TOKEN_NAME ? parser->at : NULL;
    *type = type_integer(4, true);
    if (name)
        parse_advance(parser);
    const struct symbol *known = name ? parse_find(parser, name) : NULL;
    bool has_list = token_is_punct(parser->at, '{') || token_is_punct(parser->at, ':');
    if (!has_list && known && known->kind == SYMBOL_TYPE) {
        *type = known->type;
        return true;
    }
    if (!has_list)
        return parse_fail(parser, parser->at, "an enum's list of names is expected here: enum { A, B }");
    if (parse_accept(parser, ':') && (!parse_specifiers(parser, type) || !type_is_index(type)))
        return parse_fail(parser, parser->last, "an enum's type is an integer");
    return (!name || parse_declare(parser, SYMBOL_TYPE, name, *type)) &&
           parse_expect(parser, '{', "before the names of an enum") &&
           parse_enumerators(parser, is_scoped ? name : NULL, *type);
}

static bool integer_type(struct parser *parser, const struct specifiers *s, const struct token *from,
                         struct type *type)
{
    int bytes = s->chars ? 1 : s->shorts ? 2 : s->longs ? 8 : 4;
    if (s->longs > 2 || s->shorts > 1 || s->chars > 1 || s->ints > 1 || s->is_signed + s->is_unsigned > 1 ||
        (s->chars && (s->ints || s->longs || s->shorts)) || (s->shorts && s->longs))
        return parse_fail(parser, from, "these type words do not go together");
    *type = type_integer(bytes, !s->is_unsigned);
    type->is_char = s->chars && !s->is_unsigned && !s->is_signed;
    return true;
}

static bool is_record_word(const struct token *token)
{
    return token_is(token, "struct") || token_is(token, "union") || token_is(token, "class");
}

/* Words that stand before a name and are no type. */
static bool is_keyword(const struct token *at)
{
    static const char *const words[] = {
        "else",     "return",  "goto",  "sizeof",  "delete",   "new",    "throw",     "case",  "typename",
        "template", "using",   "asm",   "typedef", "operator", "do",     "if",        "while", "for",
        "switch",   "default", "break", "__asm",   "__asm__",  "extern", "__shared__"};
    return is_word(at, words, COUNT(words));
}

/* The last name of a::b::name at `at`, if nothing declares it and what follows makes it a type. */
static const struct token *assumed_type(const struct parser *parser, const struct token *at)
{
    at += token_is(at, "typename");
    while (at->kind == TOKEN_NAME && token_is_punct(at + 1, PUNCT2(':', ':')))
        at += 2;
    const struct token *next = at + 1;
    if (at->kind != TOKEN_NAME || is_keyword(at) || is_known(parser, at))
        return NULL;
    while (token_is_punct(next, '*') || is_word(next, qualifiers, COUNT(qualifiers)))
        next++;
    bool points = next > at + 1;
    if (next->kind == TOKEN_NAME) { /* NAME x, NAME *x = ... */
        struct parser ahead = *parser;
        ahead.at = next;
        bool declares = token_is_punct(next + 1, ',') || token_is_punct(next + 1, ')') ||
                        token_is_punct(next + 1, ';') || token_is_punct(next + 1, '=') ||
                        token_is_punct(next + 1, '[') || (!points && token_is_punct(next + 1, '('));
        return declares && !is_keyword(next) && !parse_at_type(&ahead) ? at : NULL;
    }
    bool ends = token_is_punct(next, '>') && token_is_punct(next + 1, '('); /* reinterpret_cast<NAME *>(p) */
    return ends && (token_is_punct(at - 1, '<') || token_is(at - 1, "const")) ? at : NULL;
}

bool parse_assumes_type(const struct parser *parser)
{
    return parser->assumptions && parser->problem == parser->assumptions->problem &&
           assumed_type(parser, parser->at);
}

/* Declares the unknown type at parser->at: float, unless it is one of other libraries' whose size is known.
 */
static bool assume_type(struct parser *parser, struct type *type)
{
    static const struct {
        const char *name;
        uint8_t bytes;
        bool is_float;
    } known[] = {{"Half", 2, true},          {"BFloat16", 2, true},     {"bfloat16", 2, true},
                 {"cudaStream_t", 8, false}, {"cudaEvent_t", 8, false}, {"hipStream_t", 8, false}};
    struct assumptions *assumptions = parser->assumptions;
    const struct token *name = assumed_type(parser, parser->at);
    size_t i = 0;
    while (i < COUNT(known) && !token_is(name, known[i].name))
        i++;
    if (i < COUNT(known))
        *type = known[i].is_float ? type_float(known[i].bytes) : type_integer(known[i].bytes, false);
    else if (assumptions->type_count == ASSUMED_LIMIT)
        return parse_fail(parser, name, "more than %d types are not declared", ASSUMED_LIMIT);
    else {
        *type = template_assumed_type(parser, name);
        assumptions->is_integer[assumptions->type_count] = type->kind == TYPE_INTEGER;
        assumptions->types[assumptions->type_count++] = name;
    }
    parser->last = name;
    parser->at = name + 1;
    struct parser file = *parser;
    file.scope = assumptions->scope;
    return parse_declare(&file, SYMBOL_TYPE, name, *type) != NULL;
}

bool parse_specifiers(struct parser *parser, struct type *type)
{
    const struct token *from = parser->at;
    struct specifiers s = {0};
    char missing[PREPROCESS_MISSING_SIZE];
    while (parse_at_type(parser)) {
        parse_skip_std(parser);
        bool is_enum = token_is(parser->at, "enum");
        if ((is_enum || is_record_word(parser->at)) && !s.named && !s.any) {
            if (!(is_enum ? parse_enum(parser, &s.type) : parse_record(parser, &s.type)))
                return false;
            s.named = true;
            continue;
        }
        if (parse_at_class(parser, parser->at) && !s.named && !s.any) {
            if (!parse_class(parser, &s.type) || !take_member_types(parser, &s.type))
                return false;
            s.named = true;
            continue;
        }
        if (group_at_type(parser->at) && !s.named && !s.any && !parse_find(parser, parser->at)) {
            if (!group_type(parser, &s.type))
                return false;
            s.named = true;
            continue;
        }
        bool was_named = s.named;
        if (!take_word(parser, &s))
            break;
        parse_advance(parser);
        if (s.named && !was_named && !take_member_types(parser, &s.type))
            return false;
    }
    if (!s.named && !s.any && parse_assumes_type(parser)) {
        if (!assume_type(parser, &s.type))
            return false;
        s.named = true;
        while (is_word(parser->at, qualifiers, COUNT(qualifiers))) {
            s.is_const = s.is_const || token_is(parser->at, "const");
            parse_advance(parser);
        }
    }
    if (s.named && s.type.kind == TYPE_STRUCT && s.type.record->broken) {
        if (!parser->problem->set)
            *parser->problem = *s.type.record->broken;
        return false;
    }
    const struct token *first = parser->at + token_is(parser->at, "typename");
    if (!s.named && !s.any && token_is_punct(first + 1, PUNCT2(':', ':')) &&
        parse_refuse_known(parser, first))
        return false;
    if (!s.named && !s.any)
        return parse_fail(
            parser, parser->at, "a type is expected here%s",
            parser->at->kind == TOKEN_NAME ? preprocess_missing(parser->pre, missing, sizeof missing) : "");
    if (s.named)
        *type = s.type;
    else if (!integer_type(parser, &s, from, type))
        return false;
    type->is_const = type->is_const || s.is_const;
    return true;
}

bool parse_stars(struct parser *parser, struct type *type)
{
    while (parse_accept(parser, '*')) {
        struct type *to = arena_take(parser->arena, sizeof *to);
        *to = *type;
        *type = type_pointer(to, SPACE_GLOBAL);
        while (is_word(parser->at, qualifiers, COUNT(qualifiers))) {
            type->is_const = type->is_const || token_is(parser->at, "const");
            parse_advance(parser);
        }
    }
    return true;
}

bool parse_type(struct parser *parser, struct type *type)
{
    return parse_specifiers(parser, type) && parse_stars(parser, type);
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
        *type = (struct type){.kind = TYPE_ARRAY, .components = 1, .to = to, .count = dimensions[i]};
    }
    return true;
}
