/* intrinsic_data.c - functions of data: which there are, the type of what they return, and which of them are
 * computed of numbers (exec/real.h).
 *
 * Of data no value is computed, so a name and its type are all there is to know of them. CUDA's names
 * follow rules: expf is exp of a float, __fadd_rn works on floats, __A2B_rn converts to B.
 */
#include <string.h>

#include "intrinsic.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Types by a letter: I, U, L, Q, s, S, c, C integers; H half, G two of them; F float, V two; D double; B
 * bool; A: that of the first argument; M: double if an argument is, or none is floating, else float. */
static struct type type_of_letter(char letter, const struct intrinsic_call *call)
{
    static const char integers[] = "cCsSIULQ"; /* of 1, 1, 2, 2, 4, 4, 8, 8 bytes */
    const char *integer = strchr(integers, letter);
    struct type type = type_float(letter == 'H' || letter == 'G' ? 2 : letter == 'D' ? 8 : 4);
    if (integer)
        return type_integer(1 << (integer - integers) / 2, (integer - integers) % 2 == 0);
    if (letter == 'B')
        return type_bool();
    if (letter == 'A' && call && call->count)
        type = call->at[0]->type;
    if (letter == 'G' || letter == 'V') {
        type.components = 2;
        type.has_names = true;
    }
    bool any_float = false, any_double = false;
    for (unsigned i = 0; letter == 'M' && call && i < call->count; i++) {
        any_float = any_float || call->at[i]->type.kind == TYPE_FLOAT;
        any_double = any_double || (call->at[i]->type.kind == TYPE_FLOAT && call->at[i]->type.bytes == 8);
    }
    if (letter == 'M' && (any_double || !any_float))
        type.bytes = 8;
    type.is_const = false;
    return type;
}

struct word {
    const char *text;
    char type;
};

/* Names that stand alone. */
static const struct word whole[] = {
    {"isnan", 'B'},    {"isinf", 'B'},       {"isfinite", 'B'}, {"signbit", 'B'},    {"__expf", 'F'},
    {"__exp10f", 'F'}, {"__logf", 'F'},      {"__log2f", 'F'},  {"__log10f", 'F'},   {"__sinf", 'F'},
    {"__cosf", 'F'},   {"__tanf", 'F'},      {"__powf", 'F'},   {"__fdividef", 'F'}, {"__saturatef", 'F'},
    {"__tanhf", 'F'},  {"__frsqrt_rn", 'F'}, {"clock", 'L'},    {"clock64", 'L'},    {"globaltimer", 'Q'},
    {"__hisnan", 'B'}, {"__hisinf", 'B'},    {"__dp4a", 'I'},   {"__dp2a_lo", 'I'},  {"__dp2a_hi", 'I'},
    {"lrintf", 'L'},   {"lrint", 'L'},       {"lroundf", 'L'},  {"lround", 'L'},     {"llrintf", 'L'},
    {"llrint", 'L'},   {"llroundf", 'L'},    {"llround", 'L'},  {"ilogbf", 'I'},     {"ilogb", 'I'},
    {"__sad", 'U'},    {"__usad", 'U'},      {"__rhadd", 'I'},  {"__uhadd", 'U'},    {"__urhadd", 'U'},
    {"__hcmadd", 'A'}, {"hrcp", 'A'},        {"h2rcp", 'A'},
};

/* Functions of <math.h>: NAME of any number, NAMEf of floats, hNAME and h2NAME of halves. */
static const char *const math[] = {
    "exp",           "exp2",      "exp10",  "expm1",   "log",    "log2",    "log10",      "log1p",
    "sqrt",          "rsqrt",     "cbrt",   "rcbrt",   "sin",    "cos",     "tan",        "asin",
    "acos",          "atan",      "sinh",   "cosh",    "tanh",   "asinh",   "acosh",      "atanh",
    "sinpi",         "cospi",     "tanpi",  "fabs",    "floor",  "ceil",    "trunc",      "round",
    "rint",          "nearbyint", "erf",    "erfc",    "erfinv", "erfcinv", "erfcx",      "lgamma",
    "tgamma",        "j0",        "j1",     "y0",      "y1",     "normcdf", "normcdfinv", "cyl_bessel_i0",
    "cyl_bessel_i1", "logb",      "pow",    "atan2",   "fmod",   "hypot",   "rhypot",     "remainder",
    "copysign",      "nextafter", "fdim",   "fdivide", "ldexp",  "scalbn",  "scalbln",    "fma",
    "norm3d",        "rnorm3d",   "norm4d", "rnorm4d", "norm",   "rnorm",   "jn",         "yn"};

/* What __A2B and __A_as_B return, by what stands after the 2 or the _as_. The longer before the shorter. */
static const struct word results[] = {
    {"bfloat162", 'G'}, {"bfloat16", 'H'}, {"half2", 'G'},    {"half", 'H'},     {"float2", 'V'},
    {"float", 'F'},     {"double", 'D'},   {"uint", 'U'},     {"int", 'I'},      {"ull", 'Q'},
    {"ll", 'L'},        {"ushort", 'S'},   {"short", 's'},    {"uchar", 'C'},    {"char", 'c'},
    {"loint", 'I'},     {"hiint", 'I'},    {"longlong", 'L'}, {"ulonglong", 'Q'}};

static bool is(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* _rn, _rz, _ru or _rd at the end, and _sat, _relu. */
static size_t without_mode(const char *text, size_t length)
{
    static const char *const endings[] = {"_rn", "_rz", "_ru", "_rd", "_rna", "_sat", "_relu"};
    for (size_t i = 0; i < COUNT(endings); i++) {
        size_t n = strlen(endings[i]);
        if (length > n && memcmp(text + length - n, endings[i], n) == 0)
            return length - n;
    }
    return length;
}

/* __float2int_rn, __half22float2, __float_as_int: after the __. 0: it is no conversion. */
static char conversion(const char *text, size_t length)
{
    length = without_mode(text, length);
    for (size_t i = 0; i < COUNT(results); i++) {
        size_t n = strlen(results[i].text);
        if (length <= n || memcmp(text + length - n, results[i].text, n) != 0)
            continue;
        size_t left = length - n;
        if (text[left - 1] == '2' || (left >= 4 && memcmp(text + left - 4, "_as_", 4) == 0))
            return results[i].type;
    }
    return 0;
}

static bool is_math(const char *text, size_t length)
{
    for (size_t i = 0; i < COUNT(math); i++)
        if (is(text, length, math[i]))
            return true;
    return false;
}

/* After __h: eq, lt2, bgtu2, add2_sat, fma, ... */
static char half_function(const char *text, size_t length)
{
    static const char *const compare[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    static const char *const others[] = {"add",     "sub",     "mul",      "div",      "fma",  "neg",
                                         "abs",     "max",     "min",      "add2",     "sub2", "mul2",
                                         "div2",    "fma2",    "neg2",     "abs2",     "max2", "min2",
                                         "max_nan", "min_nan", "max2_nan", "min2_nan", "cmadd"};
    bool all = length > 1 && text[0] == 'b'; /* __hbeq2: of both */
    const char *word = text + all;
    size_t n = length - all;
    for (size_t i = 0; i < COUNT(compare); i++)
        if (n >= 2 && memcmp(word, compare[i], 2) == 0 && n <= 4)
            return all || !memchr(word, '2', n) ? 'B' : 'A';
    n = without_mode(text, length);
    for (size_t i = 0; i < COUNT(others); i++)
        if (is(text, n, others[i]))
            return 'A';
    return 0;
}

/* __fadd_rn, __dsqrt_rd, __fmaf_rn: after the __. */
static char rounded(const char *text, size_t length)
{
    static const char *const names[] = {"add", "sub", "mul", "div", "sqrt", "rcp", "rsqrt", "maf", "ma"};
    size_t n = without_mode(text, length);
    for (size_t i = 0; n < length && n > 1 && i < COUNT(names); i++)
        if (is(text + 1, n - 1, names[i]))
            return text[0] == 'd' || names[i][2] == '\0' ? 'D'
                   : text[0] == 'f'                      ? 'F'
                                                         : 0; /* fma is of doubles */
    return 0;
}

/* After __v: add2, maxs4, absdiffu2, cmpgeu4, sets2 and all others on the halves or bytes of a word. */
static bool is_of_parts(const char *text, size_t length)
{
    static const char *const names[] = {"add", "sub", "abs", "avg", "hadd",    "max",  "min",
                                        "neg", "sad", "cmp", "set", "iaddmax", "imax", "imin"};
    for (size_t i = 0; i < COUNT(names); i++) {
        size_t n = strlen(names[i]);
        if (length > n && memcmp(text, names[i], n) == 0)
            return text[length - 1] == '2' || text[length - 1] == '4';
    }
    return false;
}

static char letter_of(const struct token *name)
{
    const char *text = name->text;
    size_t length = name->length;
    for (size_t i = 0; i < COUNT(whole); i++)
        if (is(text, length, whole[i].text))
            return whole[i].type;
    if (is_math(text, length))
        return 'M';
    if (length > 1 && text[length - 1] == 'f' && is_math(text, length - 1))
        return 'F';
    if (length > 2 && text[0] == 'h' &&
        is_math(text + (text[1] == '2' ? 2 : 1), length - (text[1] == '2' ? 2 : 1)))
        return 'A';
    if (length < 4 || memcmp(text, "__", 2) != 0)
        return 0;
    text += 2;
    length -= 2;
    if (text[0] == 'v' && is_of_parts(text + 1, length - 1))
        return 'U';
    char letter = conversion(text, length);
    if (!letter && text[0] == 'h')
        letter = half_function(text + 1, length - 1);
    return letter ? letter : rounded(text, length);
}

bool intrinsic_data_type(const struct token *name, const struct intrinsic_call *call, struct type *type)
{
    char letter = letter_of(name);
    if (letter)
        *type = type_of_letter(letter, call);
    return letter != 0;
}

/* Functions whose result is a number where their operands are and nothing rounds: NAME, NAMEf, hNAME. */
static enum real_function real_of_math(const char *text, size_t length)
{
    static const struct {
        const char *name;
        enum real_function function;
    } table[] = {{"fabs", REAL_ABSOLUTE},     {"floor", REAL_FLOOR},      {"ceil", REAL_CEIL},
                 {"trunc", REAL_TRUNCATE},    {"round", REAL_ROUND},      {"rint", REAL_NEAREST},
                 {"nearbyint", REAL_NEAREST}, {"sqrt", REAL_SQUARE_ROOT}, {"fmod", REAL_FMOD},
                 {"copysign", REAL_COPYSIGN}, {"fma", REAL_FUSED},        {"lrint", REAL_NEAREST},
                 {"llrint", REAL_NEAREST},    {"lround", REAL_ROUND},     {"llround", REAL_ROUND}};
    for (size_t i = 0; i < COUNT(table); i++) {
        size_t n = strlen(table[i].name);
        if (length >= n && memcmp(text, table[i].name, n) == 0 &&
            (length == n || (length == n + 1 && text[n] == 'f')))
            return table[i].function;
    }
    return REAL_NONE;
}

/* __fadd_rn, __dmul_rz, __hsub, __fmaf_rn: after the __ and the letter of the type. */
static enum real_function real_of_operation(const char *text, size_t length)
{
    static const struct {
        const char *name;
        enum real_function function;
    } table[] = {{"add", REAL_ADD},      {"sub", REAL_SUBTRACT},     {"mul", REAL_MULTIPLY},
                 {"div", REAL_DIVIDE},   {"maf", REAL_FUSED},        {"ma", REAL_FUSED},
                 {"fma", REAL_FUSED},    {"sqrt", REAL_SQUARE_ROOT}, {"neg", REAL_NEGATE},
                 {"abs", REAL_ABSOLUTE}, {"max", REAL_MAXIMUM},      {"min", REAL_MINIMUM}};
    length = without_mode(text, length);
    for (size_t i = 0; i < COUNT(table); i++)
        if (is(text, length, table[i].name))
            return table[i].function;
    return REAL_NONE;
}

static enum real_function real_of_name(const char *text, size_t length)
{
    static const struct {
        const char *name;
        enum real_function function;
    } questions[] = {{"isnan", REAL_IS_NAN},
                     {"isinf", REAL_IS_INFINITE},
                     {"isfinite", REAL_IS_FINITE},
                     {"__hisnan", REAL_IS_NAN},
                     {"signbit", REAL_SIGN_BIT}};
    static const struct {
        const char *ending;
        enum real_function function;
    } modes[] = {{"_rn", REAL_NEAREST}, {"_rz", REAL_TRUNCATE}, {"_ru", REAL_CEIL}, {"_rd", REAL_FLOOR}};
    for (size_t i = 0; i < COUNT(questions); i++)
        if (is(text, length, questions[i].name))
            return questions[i].function;
    enum real_function function = real_of_math(text, length);
    if (function != REAL_NONE || length < 4 || memcmp(text, "__", 2) != 0)
        return function;
    char result = conversion(text + 2, length - 2);
    if (!result)
        return real_of_operation(text + 3, length - 3);
    if (strchr("HFD", result))
        return REAL_SAME;
    for (size_t i = 0; i < COUNT(modes); i++)
        if (memcmp(text + length - 3, modes[i].ending, 3) == 0)
            return modes[i].function;
    return REAL_NONE;
}

enum real_function intrinsic_real(const struct token *name, unsigned count)
{
    enum real_function function = real_of_name(name->text, name->length);
    unsigned operands = function == REAL_FUSED ? 3 : function >= REAL_NEGATE ? 1 : 2;
    return count == operands ? function : REAL_NONE;
}
