/* formula.c - single expressions over a unit's macros and constants: formulas of a launch, probes of one
 * access. */
#include <string.h>

#include "unit_state.h"

/* Tokens of `text` with the unit's macros replaced, ending in TOKEN_END. */
static bool expand_text(struct unit *unit, const struct source *text, struct token_list *list,
                        struct problem *problem)
{
    struct token_list raw = {0};
    unit->pre.problem = problem;
    bool ok = tokens_of(text, &raw, problem) && preprocess_expand(&unit->pre, raw.at, raw.count - 1, list);
    if (ok)
        token_list_add(list, raw.at[raw.count - 1]);
    unit->pre.problem = NULL;
    token_list_free(&raw);
    return ok;
}

static bool at_end(struct parser *parser)
{
    if (parser->at->kind == TOKEN_END)
        return true;
    return parse_fail(parser, parser->at, "the expression should end here");
}

static struct symbol *declare(struct parser *parser, enum symbol_kind kind, const char *word,
                              const struct source *source)
{
    struct token name = {
        .kind = TOKEN_NAME, .text = word, .length = (uint32_t)strlen(word), .source = source};
    return parse_declare(parser, kind, &name, type_integer(8, true));
}

static void declare_bindings(struct parser *parser, const struct source *source,
                             const struct binding *bindings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct symbol *symbol = declare(parser, SYMBOL_CONSTANT, bindings[i].name, source);
        if (symbol)
            symbol->value = bindings[i].value;
    }
}

bool unit_evaluate(struct unit *unit, const struct source *formula, const struct binding *bindings,
                   size_t count, int64_t *value, struct problem *problem)
{
    struct token_list list = {0};
    struct scope scope = {.outer = &unit->globals, .names = unit->globals.names};
    if (!expand_text(unit, formula, &list, problem)) {
        token_list_free(&list);
        return false;
    }
    struct parser parser = parser_at(unit, list.at, problem);
    parser.scope = &scope;
    declare_bindings(&parser, formula, bindings, count);
    bool ok = !problem->set && parse_constant_expression(&parser, value) && at_end(&parser);
    token_list_free(&list);
    return ok;
}

/* Made of integers, their names and operators alone, so that it has a value wherever it is evaluated? */
static bool is_formula(const struct expr *e)
{
    bool is_name = e->kind == EXPR_VARIABLE && e->symbol->kind == SYMBOL_VARIABLE;
    bool is_leaf = e->kind == EXPR_INTEGER || is_name;
    bool has_operands = e->kind == EXPR_CONVERT || e->kind == EXPR_NEGATE || e->kind == EXPR_COMPLEMENT ||
                        e->kind == EXPR_NOT || e->kind == EXPR_BINARY || e->kind == EXPR_COMPARE ||
                        e->kind == EXPR_AND || e->kind == EXPR_OR || e->kind == EXPR_CONDITION ||
                        e->kind == EXPR_MINIMUM || e->kind == EXPR_MAXIMUM;
    return type_is_index(&e->type) && (is_leaf || has_operands) && (!e->a || is_formula(e->a)) &&
           (!e->b || is_formula(e->b)) && (!e->c || is_formula(e->c));
}

static bool check_formula(const struct source *text, const struct expr *e, struct problem *problem)
{
    if (e->depth > FORMULA_DEPTH)
        return problem_at(problem, text, 0, "this formula has more than %d operators in a chain",
                          FORMULA_DEPTH);
    return is_formula(e) ||
           problem_at(
               problem, text, 0,
               "a formula is made of integers, names of integers, C's operators, min and max; functions "
               "of the file and what a thread knows cannot be used in it");
}

bool unit_formula(struct unit *unit, const struct source *text, const char *const *names, unsigned name_count,
                  const struct binding *bindings, size_t binding_count, struct formula *formula,
                  struct problem *problem)
{
    struct token_list list = {0};
    struct scope scope = {.outer = &unit->globals, .names = unit->globals.names};
    *formula = (struct formula){0};
    if (expand_text(unit, text, &list, problem)) {
        struct parser parser = parser_at(unit, list.at, problem);
        parser.scope = &scope;
        declare_bindings(&parser, text, bindings, binding_count);
        for (unsigned i = 0; i < name_count; i++) {
            struct symbol *symbol = declare(&parser, SYMBOL_VARIABLE, names[i], text);
            if (symbol)
                symbol->index = i;
        }
        const struct expr *e = problem->set ? NULL : parse_expression(&parser);
        if (e && at_end(&parser) && check_formula(text, e, problem))
            formula->tree = e;
    }
    token_list_free(&list);
    return formula->tree != NULL;
}

/* In the lanes of `mask`; both sides of a choice are evaluated where they are taken, as C does. */
static uint32_t lanes_of(const struct expr *e, uint32_t mask, const int64_t (*names)[FORMULA_LANES],
                         int64_t value[FORMULA_LANES])
{
    int64_t other[FORMULA_LANES] = {0};
    uint32_t bad = 0, holds = 0;
    if (e->kind == EXPR_INTEGER || e->kind == EXPR_VARIABLE) {
        for (unsigned lane = 0; lane < FORMULA_LANES; lane++)
            value[lane] = e->kind == EXPR_INTEGER ? e->value : names[e->symbol->index][lane];
        return 0;
    }
    bad = lanes_of(e->a, mask, names, value);
    for (uint32_t lanes = mask & ~bad; lanes; lanes &= lanes - 1)
        holds |= (uint32_t)(value[__builtin_ctz(lanes)] != 0) << __builtin_ctz(lanes);
    if (e->kind == EXPR_AND || e->kind == EXPR_OR) {
        uint32_t open = (e->kind == EXPR_AND ? holds : ~holds) & mask & ~bad;
        if (open)
            bad |= lanes_of(e->b, open, names, other);
        for (unsigned lane = 0; lane < FORMULA_LANES; lane++)
            value[lane] = open >> lane & 1 ? other[lane] != 0 : holds >> lane & 1;
        return bad;
    }
    if (e->kind == EXPR_CONDITION) {
        uint32_t rest = mask & ~bad & ~holds;
        bad |= holds ? lanes_of(e->b, holds, names, value) : 0;
        bad |= rest ? lanes_of(e->c, rest, names, other) : 0;
        for (uint32_t lanes = rest; lanes; lanes &= lanes - 1)
            value[__builtin_ctz(lanes)] = other[__builtin_ctz(lanes)];
        return bad;
    }
    if (e->b)
        bad |= lanes_of(e->b, mask, names, other);
    for (uint32_t lanes = mask & ~bad; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        if (!constant_operation(e, value[lane], other[lane], &value[lane]))
            bad |= UINT32_C(1) << lane;
    }
    return bad;
}

uint32_t formula_values(const struct formula *formula, uint32_t mask, const int64_t (*names)[FORMULA_LANES],
                        int64_t value[FORMULA_LANES])
{
    return lanes_of(formula->tree, mask, names, value) & mask;
}

static struct expr *probe_expression(struct unit *unit, const struct source *text, struct kernel_tree *tree,
                                     struct problem *problem)
{
    struct token_list list = {0};
    struct expr *e = NULL;
    struct scope scope = {.outer = &unit->globals, .names = unit->globals.names};
    if (expand_text(unit, text, &list, problem)) {
        struct parser parser = parser_at(unit, list.at, problem);
        parser.scope = &scope;
        parser.kernel = tree;
        parser.probe_names = true;
        e = parse_expression(&parser);
        if (e && !at_end(&parser))
            e = NULL;
        if (e && text != NULL && !type_is_index(&e->type)) {
            problem_at(problem, text, 0, "an integer is needed here");
            e = NULL;
        }
    }
    token_list_free(&list);
    return e;
}

static struct expr *probe_address(struct parser *parser, const struct probe *probe, struct expr *index,
                                  const struct token *at)
{
    struct type *byte = arena_take(parser->arena, sizeof *byte);
    *byte = type_integer(1, false);
    struct type pointer = type_pointer(byte, probe->space);
    struct symbol *buffer = arena_take(parser->arena, sizeof *buffer);
    buffer->name = "buffer";
    buffer->type = pointer;
    struct expr *root;
    if (probe->space == SPACE_SHARED) {
        buffer->kind = SYMBOL_SHARED;
        buffer->is_dynamic = true;
        buffer->alignment = 16;
        buffer->type = (struct type){.kind = TYPE_ARRAY, .components = 1, .to = byte, .space = SPACE_SHARED};
        buffer->index = parser->kernel->shared_count;
        parser->kernel->shared[parser->kernel->shared_count++] = buffer;
        root = build(parser, EXPR_SHARED, pointer, at, at);
    } else {
        buffer->kind = SYMBOL_PARAMETER;
        parser->kernel->parameters[parser->kernel->parameter_count++] = buffer;
        root = build(parser, EXPR_VARIABLE, pointer, at, at);
    }
    root->symbol = buffer;
    struct expr *base = build_integer(parser, probe->base_bytes, type_integer(8, true), at);
    struct expr *address = build_index(parser, build_index(parser, root, base, NULL), index, NULL);
    if (address)
        address->scale = probe->index_bytes;
    return address;
}

/* The vector type that moves this many bytes with components of at most 4. */
static struct type probe_type(unsigned lane_bytes)
{
    struct type type = type_integer(lane_bytes < 4 ? (int)lane_bytes : 4, false);
    type.components = (uint8_t)(lane_bytes / type.bytes);
    type.has_names = type.components > 1;
    return type;
}

const struct program *unit_compile_probe(struct unit *unit, const struct probe *probe,
                                         struct problem *problem)
{
    struct kernel_tree tree;
    unit_begin_tree(unit, &tree);
    tree.name = "probe";
    tree.end = (uint32_t)probe->index->size;
    struct token at = {.kind = TOKEN_NAME, .source = probe->index, .end = (uint32_t)probe->index->size};
    struct parser parser = parser_at(unit, &at, problem);
    parser.kernel = &tree;
    struct expr *index = probe_expression(unit, probe->index, &tree, problem);
    struct expr *active = probe->active ? probe_expression(unit, probe->active, &tree, problem) : NULL;
    if (!index || (probe->active && !(active = build_bool(&parser, active))))
        return NULL;
    struct expr *address = probe_address(&parser, probe, index, &at);
    struct type *moved = arena_take(&unit->arena, sizeof *moved);
    *moved = probe_type(probe->lane_bytes);
    if (!address)
        return NULL;
    address->type.to = moved;
    struct expr *e = build_memory(&parser, address, &at, &at);
    if (e && probe->op == ACCESS_STORE) {
        struct expr *zero = build_integer(&parser, 0, type_integer(moved->bytes, false), &at);
        struct expr *value = build_list(&parser, *moved, moved->components, &at, &at);
        for (unsigned i = 0; i < moved->components; i++)
            value->parts[i] = zero;
        struct token equals = {.kind = TOKEN_PUNCT, .punct = '=', .source = probe->index};
        e = build_assign(&parser, &equals, e, build_adopt(&parser, value));
    }
    if (!e)
        return NULL;
    struct statement body = {.kind = STATEMENT_EXPR, .source = probe->index, .expr = e};
    struct statement guard = {.kind = STATEMENT_IF, .source = probe->index, .expr = active, .body = &body};
    tree.body = active ? &guard : &body;
    return unit_finish(unit, &tree, probe->index, problem);
}
