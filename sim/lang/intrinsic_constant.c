/* intrinsic_constant.c - numbers that CUDA's headers name. */
#include <float.h>
#include <math.h>
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
    {"CLOCKS_PER_SEC", 8, true, 1000000},
    {"cudaBoundaryModeZero", 4, true, 0},
    {"cudaBoundaryModeClamp", 4, true, 1},
    {"cudaBoundaryModeTrap", 4, true, 2},
};

struct named_real {
    const char *name;
    double value;
};

static const struct named_real doubles[] = {
    {"DBL_MAX", DBL_MAX},
    {"DBL_MIN", DBL_MIN},
    {"DBL_EPSILON", DBL_EPSILON},
    {"HUGE_VAL", HUGE_VAL},
    {"M_PI", 3.14159265358979323846},
    {"M_PI_2", 1.57079632679489661923},
    {"M_PI_4", 0.78539816339744830962},
    {"M_1_PI", 0.31830988618379067154},
    {"M_2_PI", 0.63661977236758134308},
    {"M_2_SQRTPI", 1.12837916709551257390},
    {"M_E", 2.7182818284590452354},
    {"M_LOG2E", 1.4426950408889634074},
    {"M_LOG10E", 0.43429448190325182765},
    {"M_LN2", 0.69314718055994530942},
    {"M_LN10", 2.30258509299404568402},
    {"M_SQRT2", 1.41421356237309504880},
    {"M_SQRT1_2", 0.70710678118654752440},
    {"CUDART_INF", HUGE_VAL},
};
static const struct named_real floats[] = {
    {"INFINITY", HUGE_VAL},       {"FLT_MAX", FLT_MAX},    {"FLT_MIN", FLT_MIN},
    {"FLT_EPSILON", FLT_EPSILON}, {"HUGE_VALF", HUGE_VAL}, {"CUDART_INF_F", HUGE_VAL},
};

static bool begins(const struct token *name, const char *with)
{
    size_t length = strlen(with);
    return name->length > length && memcmp(name->text, with, length) == 0;
}

/* Data of which only the type is known: NAN, CUDART_PIO4_F. */
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

/* That of a floating type; of a half only that it is data. */
static struct expr *real_limit(struct parser *parser, const struct token *name, struct type type)
{
    double max = type.bytes == 8 ? DBL_MAX : (double)FLT_MAX,
           min = type.bytes == 8 ? DBL_MIN : (double)FLT_MIN;
    double value = token_is(name, "max")        ? max
                   : token_is(name, "lowest")   ? -max
                   : token_is(name, "min")      ? min
                   : token_is(name, "infinity") ? HUGE_VAL
                                                : 0;
    struct expr *e = data(parser, name, type);
    e->is_real = value != 0 && type.bytes > 2;
    e->real = value;
    return e;
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
    if (type.kind == TYPE_FLOAT && type_is_scalar(&type))
        return real_limit(parser, name, type);
    if (type.kind == TYPE_INTEGER && type_is_scalar(&type) && limit_of(name, &type, &value))
        return build_integer(parser, value, type, name);
    parse_fail(parser, name, "numeric_limits has max, min and lowest of integers and of floating types here");
    return NULL;
}

static struct expr *named(struct parser *parser, const struct token *name, const struct named_real *table,
                          size_t count, int bytes)
{
    for (size_t i = 0; i < count; i++)
        if (token_is(name, table[i].name)) {
            struct expr *e = data(parser, name, type_float(bytes));
            e->real = table[i].value;
            e->is_real = true;
            return e;
        }
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
    struct expr *real = named(parser, name, floats, COUNT(floats), 4);
    if (!real)
        real = named(parser, name, doubles, COUNT(doubles), 8);
    if (real || token_is(name, "NAN"))
        return real ? real : data(parser, name, type_float(4));
    if (!begins(name, "CUDART_"))
        return NULL;
    bool single = memcmp(name->text + name->length - 2, "_F", 2) == 0;
    return data(parser, name, type_float(single ? 4 : 8));
}
