/* group.c - cooperative groups: a block, tiles of a warp, and the grid's ranks.
 *
 * A group is a value that holds nothing: its type says which threads belong to it, and the rest follows from
 * the thread's place in its block.
 */
#include <string.h>

#include "intrinsic.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static struct type word(void)
{
    return type_integer(4, false);
}

static bool is_group_name(const struct token *token, bool call)
{
    static const char *const types[] = {"thread_block",    "thread_block_tile", "thread_group",
                                        "coalesced_group", "grid_group",        "cluster_group"};
    static const char *const calls[] = {"this_thread_block",
                                        "tiled_partition",
                                        "this_grid",
                                        "coalesced_threads",
                                        "this_cluster",
                                        "sync",
                                        "reduce",
                                        "binary_partition",
                                        "labeled_partition",
                                        "this_multi_grid"};
    for (size_t i = 0; !call && i < COUNT(types); i++)
        if (token_is(token, types[i]))
            return true;
    for (size_t i = 0; call && i < COUNT(calls); i++)
        if (token_is(token, calls[i]))
            return true;
    return false;
}

bool group_at_type(const struct token *token)
{
    return token->kind == TOKEN_NAME && is_group_name(token, false);
}

static bool refuse(struct parser *parser, const struct token *name)
{
    return parse_fail(
        parser, name,
        "%.*s is not supported: of cooperative groups a thread_block, tiles of 1 to 32 threads, and "
        "a grid's ranks are known",
        (int)name->length, name->text);
}

/* The width of a tile, a constant, at its first token. */
static bool tile_width(struct parser *parser, int64_t *width)
{
    const struct token *at = parser->at;
    bool no_greater = parser->no_greater;
    parser->no_greater = true;
    bool ok = parse_constant_expression(parser, width);
    parser->no_greater = no_greater;
    if (ok && (*width < 1 || *width > 32 || (*width & (*width - 1))))
        return parse_fail(parser, at, "a tile has 1, 2, 4, 8, 16 or 32 threads, not %lld", (long long)*width);
    return ok;
}

bool group_type(struct parser *parser, struct type *type)
{
    const struct token *name = parser->at;
    int64_t width;
    parse_advance(parser);
    if (token_is(name, "thread_block"))
        *type = type_group(GROUP_BLOCK);
    else if (token_is(name, "grid_group"))
        *type = type_group(GROUP_GRID);
    else if (token_is(name, "thread_group")) /* of any kind */
        *type = type_auto();
    else if (!token_is(name, "thread_block_tile"))
        return refuse(parser, name);
    if (!token_is(name, "thread_block_tile"))
        return true;
    if (!parse_expect(parser, '<', "after thread_block_tile") || !tile_width(parser, &width))
        return false;
    if (parse_accept(parser, ',')) { /* the group that it is a part of */
        struct type parent;
        if (!parse_type(parser, &parent))
            return false;
    }
    *type = type_group((int)width);
    return parse_expect(parser, '>', "after the tile's width");
}

static struct expr *group_value(struct parser *parser, const struct token *name, int threads)
{
    return build_integer(parser, 0, type_group(threads), name);
}

static struct expr *constant(struct parser *parser, const struct token *name, uint32_t value)
{
    return build_integer(parser, value, word(), name);
}

static struct expr *builtin(struct parser *parser, const struct token *name, int which)
{
    struct expr *e = build(parser, EXPR_BUILTIN, word(), name, parser->last);
    e->value = which;
    return e;
}

static struct expr *operation(struct parser *parser, const struct token *name, uint32_t op, struct expr *a,
                              struct expr *b)
{
    struct token sign = *name;
    sign.kind = TOKEN_PUNCT;
    sign.punct = op;
    return build_binary(parser, &sign, a, b);
}

/* x * y * z of blockDim or gridDim. */
static struct expr *product(struct parser *parser, const struct token *name, int first)
{
    struct expr *plane =
        operation(parser, name, '*', builtin(parser, name, first), builtin(parser, name, first + 1));
    return operation(parser, name, '*', plane, builtin(parser, name, first + 2));
}

/* blockIdx, counted with x fastest. */
static struct expr *block_rank(struct parser *parser, const struct token *name)
{
    struct expr *row = operation(parser, name, '+', builtin(parser, name, BUILTIN_BLOCK + 1),
                                 operation(parser, name, '*', builtin(parser, name, BUILTIN_GRID_DIM + 1),
                                           builtin(parser, name, BUILTIN_BLOCK + 2)));
    return operation(parser, name, '+', builtin(parser, name, BUILTIN_BLOCK),
                     operation(parser, name, '*', builtin(parser, name, BUILTIN_GRID_DIM), row));
}

static struct expr *triple(struct parser *parser, const struct token *name, int first)
{
    struct type type;
    (void)type_of_name("uint3", 5, &type);
    struct expr *e = build_list(parser, type, 3, name, parser->last);
    for (int i = 0; i < 3; i++)
        e->parts[i] = builtin(parser, name, first + i);
    return build_adopt(parser, e);
}

/* The grid's is a barrier of the block's that the executor may refuse. */
static struct expr *wait(struct parser *parser, const struct token *name, const struct type *group)
{
    bool tile = group->bytes != GROUP_BLOCK && group->bytes != GROUP_GRID;
    struct expr *e = build(parser, tile ? EXPR_SYNCWARP : EXPR_BARRIER, type_void(), name, parser->last);
    e->value = group->bytes == GROUP_GRID ? BARRIER_OF_GRID : 0;
    return e;
}

/* thread_rank, size and their kin: no arguments. */
static struct expr *rank_or_size(struct parser *parser, const struct token *name, const struct type *group,
                                 bool *known)
{
    unsigned width = group->bytes;
    bool block = width == GROUP_BLOCK, grid = width == GROUP_GRID, tile = !block && !grid;
    bool size = token_is(name, "size") || token_is(name, "num_threads");
    struct expr *linear = builtin(parser, name, BUILTIN_LINEAR);
    *known = true;
    if (token_is(name, "thread_rank") && tile)
        return operation(parser, name, '&', linear, constant(parser, name, width - 1));
    if (token_is(name, "thread_rank") && block)
        return linear;
    if (token_is(name, "thread_rank")) {
        struct expr *before =
            operation(parser, name, '*', block_rank(parser, name), product(parser, name, BUILTIN_BLOCK_DIM));
        return operation(parser, name, '+', before, linear);
    }
    if (size && tile)
        return constant(parser, name, width);
    if (size && block)
        return product(parser, name, BUILTIN_BLOCK_DIM);
    if (size)
        return operation(parser, name, '*', product(parser, name, BUILTIN_BLOCK_DIM),
                         product(parser, name, BUILTIN_GRID_DIM));
    if (token_is(name, "meta_group_rank") && tile)
        return operation(parser, name, '/', linear, constant(parser, name, width));
    if (token_is(name, "meta_group_size") && tile)
        return operation(parser, name, '/',
                         operation(parser, name, '+', product(parser, name, BUILTIN_BLOCK_DIM),
                                   constant(parser, name, width - 1)),
                         constant(parser, name, width));
    if (token_is(name, "group_index") && block)
        return triple(parser, name, BUILTIN_BLOCK);
    if (token_is(name, "thread_index") && block)
        return triple(parser, name, BUILTIN_THREAD);
    if ((token_is(name, "dim_threads") || token_is(name, "group_dim")) && block)
        return triple(parser, name, BUILTIN_BLOCK_DIM);
    if ((token_is(name, "block_rank") || token_is(name, "num_blocks")) && grid)
        return token_is(name, "block_rank") ? block_rank(parser, name)
                                            : product(parser, name, BUILTIN_GRID_DIM);
    if (token_is(name, "is_valid"))
        return build_integer(parser, 1, type_bool(), name);
    *known = false;
    return NULL;
}

struct tile_name {
    const char *name;
    enum function_id function;
};

static const struct tile_name tile_names[] = {
    {"shfl", FUNCTION_SHUFFLE},
    {"shfl_up", FUNCTION_SHUFFLE_UP},
    {"shfl_down", FUNCTION_SHUFFLE_DOWN},
    {"shfl_xor", FUNCTION_SHUFFLE_XOR},
    {"ballot", FUNCTION_BALLOT},
    {"any", FUNCTION_ANY},
    {"all", FUNCTION_ALL},
    {"match_any", FUNCTION_MATCH},
};

static struct expr *tile_function(struct parser *parser, const struct token *name, unsigned width)
{
    const struct tile_name *found = NULL;
    struct intrinsic_call call;
    for (size_t i = 0; i < COUNT(tile_names); i++)
        if (token_is(name, tile_names[i].name))
            found = &tile_names[i];
    if (!found)
        return NULL;
    unsigned count = found->function < FUNCTION_BALLOT ? 2 : 1;
    if (!intrinsic_arguments(parser, name, count, count, &call))
        return NULL;
    return count == 2 ? intrinsic_shuffle(parser, name, found->function, call.at[0], call.at[1],
                                          build_integer(parser, width, type_integer(4, true), name))
                      : intrinsic_vote(parser, name, found->function, call.at[0], width);
}

struct expr *group_method(struct parser *parser, struct expr *group, const struct token *name)
{
    bool known;
    const struct type *type = &group->type;
    struct expr *e = rank_or_size(parser, name, type, &known);
    bool waits = token_is(name, "sync") || token_is(name, "barrier_wait");
    if (known || waits) {
        if (!parse_expect(parser, '(', "after the name") || !parse_expect(parser, ')', "after the ("))
            return NULL;
        return known ? e : wait(parser, name, type);
    }
    if (type->bytes <= 32)
        e = tile_function(parser, name, type->bytes);
    if (!e && !parser->problem->set)
        refuse(parser, name);
    return e;
}

static struct expr *partition(struct parser *parser, const struct token *name)
{
    struct intrinsic_call call;
    int64_t width = 0;
    bool known = parse_accept(parser, '<');
    if (known && (!tile_width(parser, &width) || !parse_expect(parser, '>', "after the tile's width")))
        return NULL;
    if (!intrinsic_arguments(parser, name, known ? 1 : 2, known ? 1 : 2, &call))
        return NULL;
    if (!known && (!constant_value(call.at[1], &width) || width < 1 || width > 32 || (width & (width - 1)))) {
        parse_fail(parser, name, "the width of a tile is a constant here: 1, 2, 4, 8, 16 or 32");
        return NULL;
    }
    return group_value(parser, name, (int)width);
}

/* plus<float>() and its kin, from the name to the closing bracket. */
static bool take_operation(struct parser *parser, enum function_id *function)
{
    static const struct tile_name names[] = {
        {"plus", FUNCTION_REDUCE_ADD},    {"less", FUNCTION_REDUCE_MIN},  {"greater", FUNCTION_REDUCE_MAX},
        {"bit_and", FUNCTION_REDUCE_AND}, {"bit_or", FUNCTION_REDUCE_OR}, {"bit_xor", FUNCTION_REDUCE_XOR}};
    parse_skip_std(parser);
    const struct token *name = parser->at;
    const struct tile_name *found = NULL;
    struct type type;
    for (size_t i = 0; i < COUNT(names); i++)
        if (token_is(name, names[i].name))
            found = &names[i];
    if (!found)
        return parse_fail(parser, name, "plus, less, greater, bit_and, bit_or or bit_xor is expected here");
    *function = found->function;
    parse_advance(parser);
    if (parse_accept(parser, '<') && !token_is_punct(parser->at, '>') && !parse_type(parser, &type))
        return false;
    parse_accept(parser, '>');
    return parse_accept(parser, '{')
               ? parse_expect(parser, '}', "after the {")
               : parse_expect(parser, '(', "after the name") && parse_expect(parser, ')', "after the (");
}

/* reduce(tile, value, plus<T>()): exact on integers, data of data. */
static struct expr *reduce(struct parser *parser, const struct token *name)
{
    struct intrinsic_call call = {.name = name, .count = 1};
    enum function_id function = FUNCTION_REDUCE_ADD;
    if (!parse_expect(parser, '(', "before the arguments"))
        return NULL;
    struct expr *tile = parse_assignment(parser);
    if (!tile || !parse_expect(parser, ',', "after the group"))
        return NULL;
    if (tile->type.kind != TYPE_GROUP || tile->type.bytes > 32) {
        parse_fail(parser, name, "reduce works on a tile of 1 to 32 threads here");
        return NULL;
    }
    if (!(call.at[0] = parse_assignment(parser)) || !parse_expect(parser, ',', "after the value") ||
        !take_operation(parser, &function) || !parse_expect(parser, ')', "after the arguments"))
        return NULL;
    if (type_is_index(&call.at[0]->type))
        return intrinsic_vote(parser, name, function, call.at[0], tile->type.bytes);
    return intrinsic_computed(parser, &call, call.at[0]->type);
}

struct expr *group_call(struct parser *parser, const struct token *name)
{
    struct intrinsic_call call;
    if (!is_group_name(name, true))
        return NULL;
    if (token_is(name, "tiled_partition"))
        return partition(parser, name);
    if (token_is(name, "reduce"))
        return reduce(parser, name);
    bool sync = token_is(name, "sync"), block = token_is(name, "this_thread_block");
    if (!sync && !block && !token_is(name, "this_grid")) {
        refuse(parser, name);
        return NULL;
    }
    if (!intrinsic_arguments(parser, name, sync, sync, &call))
        return NULL;
    if (!sync)
        return group_value(parser, name, block ? GROUP_BLOCK : GROUP_GRID);
    if (call.at[0]->type.kind != TYPE_GROUP) {
        parse_fail(parser, name, "sync needs a cooperative group");
        return NULL;
    }
    return wait(parser, name, &call.at[0]->type);
}
