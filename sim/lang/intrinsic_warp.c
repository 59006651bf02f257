/* intrinsic_warp.c - shuffles, votes, matches and reductions of a warp.
 *
 * The mask of lanes that they begin with says who takes part; here those are the lanes that run.
 */
#include <string.h>

#include "intrinsic.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static struct expr *word(struct parser *parser, const struct token *name, int64_t value)
{
    return build_integer(parser, value, type_integer(4, true), name);
}

struct expr *intrinsic_shuffle(struct parser *parser, const struct token *name, enum function_id function,
                               struct expr *value, struct expr *lane, struct expr *width)
{
    if (!value || !lane || !width)
        return NULL;
    bool moves =
        value->type.kind == TYPE_BOOL || value->type.kind == TYPE_INTEGER || value->type.kind == TYPE_FLOAT;
    if (!moves) {
        parse_fail(parser, name, "%.*s moves numbers and vectors only", (int)name->length, name->text);
        return NULL;
    }
    struct type type = value->type.has_names ? value->type : type_promote(value->type);
    type.is_const = false;
    struct expr *operands[] = {build_convert(parser, value, type),
                               build_convert(parser, lane, type_integer(4, true)),
                               build_convert(parser, width, type_integer(4, true))};
    return intrinsic_function(parser, name, function, type, operands, 3);
}

struct expr *intrinsic_vote(struct parser *parser, const struct token *name, enum function_id function,
                            struct expr *value, unsigned width)
{
    if (!value)
        return NULL;
    bool predicate = function >= FUNCTION_BALLOT && function <= FUNCTION_ALL;
    struct type type = type_integer(4, function == FUNCTION_ANY || function == FUNCTION_ALL);
    if (!predicate && !type_is_scalar(&value->type)) {
        parse_fail(parser, name, "%.*s works on numbers only", (int)name->length, name->text);
        return NULL;
    }
    value = predicate ? build_bool(parser, value) : build_convert(parser, value, type_promote(value->type));
    if (!value)
        return NULL;
    if (function >= FUNCTION_REDUCE_ADD && function <= FUNCTION_REDUCE_XOR)
        type = value->type;
    struct expr *operands[] = {value, word(parser, name, width)};
    return intrinsic_function(parser, name, function, type, operands, 2);
}

struct warp_name {
    const char *name;
    enum function_id function;
};

/* Each of the first has a form without mask, and each of all of them one that ends in _sync. */
static const struct warp_name shuffles[] = {{"__shfl", FUNCTION_SHUFFLE},
                                            {"__shfl_up", FUNCTION_SHUFFLE_UP},
                                            {"__shfl_down", FUNCTION_SHUFFLE_DOWN},
                                            {"__shfl_xor", FUNCTION_SHUFFLE_XOR}};
static const struct warp_name votes[] = {{"__ballot", FUNCTION_BALLOT},
                                         {"__any", FUNCTION_ANY},
                                         {"__all", FUNCTION_ALL},
                                         {"__match_any", FUNCTION_MATCH},
                                         {"__reduce_add", FUNCTION_REDUCE_ADD},
                                         {"__reduce_min", FUNCTION_REDUCE_MIN},
                                         {"__reduce_max", FUNCTION_REDUCE_MAX},
                                         {"__reduce_and", FUNCTION_REDUCE_AND},
                                         {"__reduce_or", FUNCTION_REDUCE_OR},
                                         {"__reduce_xor", FUNCTION_REDUCE_XOR}};

/* The row whose name this is, apart from the _sync. */
static const struct warp_name *find(const struct warp_name *table, size_t count, const char *text,
                                    size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(table[i].name) == length && memcmp(table[i].name, text, length) == 0)
            return &table[i];
    return NULL;
}

struct expr *intrinsic_warp(struct parser *parser, const struct token *name)
{
    size_t length = name->length;
    bool sync = length > 5 && memcmp(name->text + length - 5, "_sync", 5) == 0;
    length -= sync ? 5 : 0;
    const struct warp_name *shuffle = find(shuffles, COUNT(shuffles), name->text, length);
    const struct warp_name *vote = find(votes, sync ? COUNT(votes) : 3, name->text, length);
    struct intrinsic_call call;
    unsigned first = sync;
    if (shuffle) {
        if (!intrinsic_arguments(parser, name, first + 2, first + 3, &call))
            return NULL;
        return intrinsic_shuffle(parser, name, shuffle->function, call.at[first], call.at[first + 1],
                                 call.count > first + 2 ? call.at[first + 2] : word(parser, name, 32));
    }
    if (!vote || !intrinsic_arguments(parser, name, first + 1, first + 1, &call))
        return NULL;
    return intrinsic_vote(parser, name, vote->function, call.at[first], 32);
}
