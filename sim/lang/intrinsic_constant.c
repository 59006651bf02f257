/* intrinsic_constant.c - numbers that CUDA's headers name. */
#include <string.h>

#include "intrinsic.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

struct named_integer {
    const char *name;
    int bytes;
    bool is_signed;
    int64_t value;
};

static const struct named_integer integers[] = {
    {"CHAR_BIT", 4, true, 8},
    {"SCHAR_MIN", 4, true, INT8_MIN},
    {"SCHAR_MAX", 4, true, INT8_MAX},
    {"CHAR_MIN", 4, true, INT8_MIN},
    {"CHAR_MAX", 4, true, INT8_MAX},
    {"UCHAR_MAX", 4, true, UINT8_MAX},
    {"SHRT_MIN", 4, true, INT16_MIN},
    {"SHRT_MAX", 4, true, INT16_MAX},
    {"USHRT_MAX", 4, true, UINT16_MAX},
    {"INT_MIN", 4, true, INT32_MIN},
    {"INT_MAX", 4, true, INT32_MAX},
    {"UINT_MAX", 4, false, UINT32_MAX},
    {"LONG_MIN", 8, true, INT64_MIN},
    {"LONG_MAX", 8, true, INT64_MAX},
    {"ULONG_MAX", 8, false, -1},
    {"LLONG_MIN", 8, true, INT64_MIN},
    {"LLONG_MAX", 8, true, INT64_MAX},
    {"ULLONG_MAX", 8, false, -1},
    {"INT8_MIN", 4, true, INT8_MIN},
    {"INT8_MAX", 4, true, INT8_MAX},
    {"UINT8_MAX", 4, true, UINT8_MAX},
    {"INT16_MIN", 4, true, INT16_MIN},
    {"INT16_MAX", 4, true, INT16_MAX},
    {"UINT16_MAX", 4, true, UINT16_MAX},
    {"INT32_MIN", 4, true, INT32_MIN},
    {"INT32_MAX", 4, true, INT32_MAX},
    {"UINT32_MAX", 4, false, UINT32_MAX},
    {"INT64_MIN", 8, true, INT64_MIN},
    {"INT64_MAX", 8, true, INT64_MAX},
    {"UINT64_MAX", 8, false, -1},
    {"SIZE_MAX", 8, false, -1},
};

/* Of data only the type is known: FLT_ and CUDART_..._F are floats, these and the rest of CUDART_ doubles. */
static const char *const doubles[] = {"DBL_MAX", "DBL_MIN", "DBL_EPSILON", "M_PI",       "M_PI_2",   "M_PI_4",
                                      "M_1_PI",  "M_2_PI",  "M_E",         "M_LOG2E",    "M_LOG10E", "M_LN2",
                                      "M_LN10",  "M_SQRT2", "M_SQRT1_2",   "M_2_SQRTPI", "HUGE_VAL"};
static const char *const floats[] = {"INFINITY", "NAN", "FLT_MAX", "FLT_MIN", "FLT_EPSILON", "HUGE_VALF"};

static bool begins(const struct token *name, const char *with)
{
    size_t length = strlen(with);
    return name->length > length && memcmp(name->text, with, length) == 0;
}

static struct expr *data(struct parser *parser, const struct token *name, struct type type)
{
    struct expr *e = build(parser, EXPR_DATA, type, name, parser->last);
    uint64_t hash = 14695981039346656037u; /* equal names, equal values */
    for (uint32_t i = 0; i < name->length; i++)
        hash = (hash ^ (unsigned char)name->text[i]) * 1099511628211u;
    e->value = (int64_t)(hash >> 20);
    return e;
}

/* The integer that a type's numeric_limits name. */
static bool limit_of(const struct token *name, const struct type *type, int64_t *value)
{
    unsigned bits = 8u * type->bytes;
    bool max = token_is(name, "max");
    if (!max && !token_is(name, "min") && !token_is(name, "lowest"))
        return false;
    uint64_t top = UINT64_C(1) << (bits - 1);
    if (type->is_signed)
        *value = max ? (int64_t)(top - 1) : (int64_t)(0 - top);
    else
        *value = max ? (int64_t)(top - 1 + top) : 0;
    return true;
}

/* numeric_limits<T>::max(), at the <. */
static struct expr *numeric_limit(struct parser *parser)
{
    struct type type;
    if (!parse_expect(parser, '<', "after numeric_limits") || !parse_type(parser, &type) ||
        !parse_expect(parser, '>', "after the type") ||
        !parse_expect(parser, PUNCT2(':', ':'), "after the >"))
        return NULL;
    const struct token *name = parser->at;
    int64_t value;
    parse_advance(parser);
    if (!parse_expect(parser, '(', "after the name") || !parse_expect(parser, ')', "after the ("))
        return NULL;
    if (type.kind == TYPE_FLOAT)
        return data(parser, name, type);
    if (type.kind == TYPE_INTEGER && limit_of(name, &type, &value))
        return build_integer(parser, value, type, name);
    parse_fail(parser, name, "numeric_limits has max, min and lowest of integers and of floating types here");
    return NULL;
}

struct expr *intrinsic_constant(struct parser *parser, const struct token *name)
{
    if (token_is(name, "numeric_limits") && token_is_punct(parser->at, '<'))
        return numeric_limit(parser);
    if (token_is_punct(parser->at, '('))
        return NULL;
    for (size_t i = 0; i < COUNT(integers); i++)
        if (token_is(name, integers[i].name))
            return build_integer(parser, integers[i].value,
                                 type_integer(integers[i].bytes, integers[i].is_signed), name);
    for (size_t i = 0; i < COUNT(floats); i++)
        if (token_is(name, floats[i]))
            return data(parser, name, type_float(4));
    for (size_t i = 0; i < COUNT(doubles); i++)
        if (token_is(name, doubles[i]))
            return data(parser, name, type_float(8));
    if (!begins(name, "CUDART_"))
        return NULL;
    bool single = memcmp(name->text + name->length - 2, "_F", 2) == 0;
    return data(parser, name, type_float(single ? 4 : 8));
}
