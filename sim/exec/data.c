/* data.c - tokens: where data came from. */
#include "data.h"
#include "lanes.h"

struct origin data_origin(int64_t token)
{
    int64_t class = data_class(token);
    struct origin origin = {.offset = token - class * (INT64_C(1) << ORIGIN_SHIFT)};
    if (class >= 3) {
        origin.kind = ORIGIN_BUFFER;
        origin.buffer = (unsigned)(class - 3);
    } else {
        origin.kind = class == 2 ? ORIGIN_CONSTANT : class == 1 ? ORIGIN_COMPUTED : ORIGIN_UNINITIALIZED;
    }
    return origin;
}

int64_t data_token(unsigned buffer, int64_t offset)
{
    return TOKEN_BUFFER(buffer) + offset;
}

int64_t data_token_of_real(int64_t bits)
{
    uint64_t x = (uint64_t)bits * 0x9e3779b97f4a7c15u;
    return TOKEN_CONSTANT + (int64_t)((x ^ x >> 32) & (TOKEN_RANGE - 1));
}

static struct value token_of_real(struct execution *e, const struct value *real)
{
    struct value result = {.kind = VALUE_DATA, .base = data_token_of_real(real->base)};
    int64_t tokens[LANES];
    if (!real->pattern)
        return result;
    for (int lane = 0; lane < LANES; lane++)
        tokens[lane] = data_token_of_real(lanes_value(e, real, lane));
    result.pattern = pattern_intern(&e->patterns, tokens, &result.base);
    return result;
}

struct value data_of_value(struct execution *e, const struct value *a)
{
    const struct pattern *pattern = e->patterns.at[a->pattern];
    struct value result = data_computed();
    if (a->kind == VALUE_DATA)
        return *a;
    if (a->kind == VALUE_REAL)
        return token_of_real(e, a);
    if (a->kind == VALUE_NUMBER && a->base > -TOKEN_RANGE / 2 && a->base < TOKEN_RANGE / 2 &&
        pattern->low > -TOKEN_RANGE / 2 && pattern->high < TOKEN_RANGE / 2) {
        result.base = TOKEN_CONSTANT + a->base;
        result.pattern = a->pattern;
    }
    return result;
}
