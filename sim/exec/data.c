/* data.c - tokens: where data came from. */
#include "data.h"

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

struct value data_of_value(const struct execution *e, const struct value *a)
{
    const struct pattern *pattern = e->patterns.at[a->pattern];
    struct value result = data_computed();
    if (a->kind == VALUE_DATA)
        return *a;
    if (a->kind == VALUE_NUMBER && a->base > -TOKEN_RANGE / 2 && a->base < TOKEN_RANGE / 2 &&
        pattern->low > -TOKEN_RANGE / 2 && pattern->high < TOKEN_RANGE / 2) {
        result.base = TOKEN_CONSTANT + a->base;
        result.pattern = a->pattern;
    }
    return result;
}
