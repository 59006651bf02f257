/* trait.c - questions about types: std::is_same<A, B>::value and its kin. */
#include "intrinsic.h"

enum trait {
    TRAIT_SAME,
    TRAIT_INTEGRAL,
    TRAIT_FLOATING,
    TRAIT_ARITHMETIC,
    TRAIT_SIGNED,
    TRAIT_UNSIGNED,
    TRAIT_POINTER
};

static const struct {
    const char *name;
    enum trait trait;
    bool is_value; /* is_same_v */
} traits[] = {{"is_same", TRAIT_SAME, false},
              {"is_same_v", TRAIT_SAME, true},
              {"is_integral", TRAIT_INTEGRAL, false},
              {"is_integral_v", TRAIT_INTEGRAL, true},
              {"is_floating_point", TRAIT_FLOATING, false},
              {"is_floating_point_v", TRAIT_FLOATING, true},
              {"is_arithmetic", TRAIT_ARITHMETIC, false},
              {"is_arithmetic_v", TRAIT_ARITHMETIC, true},
              {"is_signed", TRAIT_SIGNED, false},
              {"is_signed_v", TRAIT_SIGNED, true},
              {"is_unsigned", TRAIT_UNSIGNED, false},
              {"is_unsigned_v", TRAIT_UNSIGNED, true},
              {"is_pointer", TRAIT_POINTER, false},
              {"is_pointer_v", TRAIT_POINTER, true}};

static bool answer(enum trait trait, const struct type *a, const struct type *b)
{
    bool integral = type_is_index(a);
    bool floating = a->kind == TYPE_FLOAT && !a->has_names && a->bytes > 2; /* a half is a class */
    switch (trait) {
    case TRAIT_SAME:
        return type_same(a, b) && a->is_char == b->is_char;
    case TRAIT_INTEGRAL:
        return integral;
    case TRAIT_FLOATING:
        return floating;
    case TRAIT_ARITHMETIC:
        return integral || floating;
    case TRAIT_SIGNED:
        return floating || (integral && a->kind != TYPE_BOOL && a->is_signed);
    case TRAIT_UNSIGNED:
        return integral && (a->kind == TYPE_BOOL || !a->is_signed);
    case TRAIT_POINTER:
        return a->kind == TYPE_POINTER;
    }
    return false;
}

struct expr *intrinsic_trait(struct parser *parser, const struct token *name)
{
    const size_t count = sizeof traits / sizeof *traits;
    size_t i = 0;
    struct type a, b = type_void();
    while (i < count && !token_is(name, traits[i].name))
        i++;
    if (i == count || !parse_accept(parser, '<'))
        return NULL;
    bool pair = traits[i].trait == TRAIT_SAME;
    if (!parse_type(parser, &a) || (pair && !parse_expect(parser, ',', "between the types")) ||
        (pair && !parse_type(parser, &b)) || !parse_expect(parser, '>', "after the types"))
        return NULL;
    if (pair && a.kind == TYPE_FLOAT && b.kind == TYPE_FLOAT && a.bytes == 2 && b.bytes == 2 &&
        a.components == b.components) {
        parse_fail(parser, name,
                   "half and bfloat16 are one type here: whether these are the same is not known");
        return NULL;
    }
    struct expr *e = build_integer(parser, answer(traits[i].trait, &a, &b), type_bool(), name);
    if (traits[i].is_value)
        return e;
    if (parse_accept(parser, '{'))
        return parse_expect(parser, '}', "after the {") ? e : NULL;
    if (parse_accept(parser, '('))
        return parse_expect(parser, ')', "after the (") ? e : NULL;
    const struct token *what = parser->at + 1;
    if (!parse_expect(parser, PUNCT2(':', ':'), "after the types"))
        return NULL;
    if (!token_is(what, "value")) {
        parse_fail(parser, what, "of this only ::value is known");
        return NULL;
    }
    parse_advance(parser);
    return e;
}
