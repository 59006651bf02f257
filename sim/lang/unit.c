/* unit.c - a text's top level: which kernels it has, and compiling one of them. */
#include "lang.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"

enum { KERNEL_LIMIT = 256 };

struct kernel_entry {
    char *name;
    const struct token *begin, *name_token, *end; /* end: the token after the closing brace */
    bool is_template;
};

struct unit {
    struct arena arena;
    struct preprocessor pre;
    const struct source *source;
    struct scope globals;
    struct kernel_tree file_shared; /* extern __shared__ at file level, seen by every kernel */
    struct kernel_entry kernels[KERNEL_LIMIT];
    unsigned kernel_count;
    struct program program;
    bool has_program;
};

static struct parser parser_at(struct unit *unit, const struct token *at, struct problem *problem)
{
    return (struct parser){.pre = &unit->pre,
                           .at = at,
                           .last = at,
                           .arena = &unit->arena,
                           .problem = problem,
                           .scope = &unit->globals,
                           .kernel = &unit->file_shared};
}

/* The token after the { } or ( ) that opens at `open`; the end if it never closes. */
static const struct token *after_brackets(const struct token *open, char opening, char closing)
{
    size_t depth = 0;
    for (; open->kind != TOKEN_END; open++) {
        if (token_is_punct(open, PUNCT1(opening)))
            depth++;
        else if (token_is_punct(open, PUNCT1(closing)) && --depth == 0)
            return open + 1;
    }
    return open;
}

/* const int TILE = 32; typedef float ELEM; extern __shared__ float s[]; whatever does not parse is passed
 * over: it may be host code, and a kernel that needs it will say that the name is not declared. */
static void try_declaration(struct unit *unit, const struct token *at)
{
    struct problem ignored = {0};
    struct parser parser = parser_at(unit, at, &ignored);
    struct type type;
    if (token_is(at, "extern") && token_is(at + 1, "__shared__")) {
        parse_advance(&parser);
        parse_shared(&parser, true);
        return;
    }
    if (token_is(at, "typedef") || token_is(at, "using")) {
        bool is_using = token_is(at, "using");
        const struct token *name = at + 1;
        parse_advance(&parser);
        if (is_using) {
            if (at[1].kind != TOKEN_NAME || !token_is_punct(at + 2, '='))
                return;
            parser.at = at + 3;
        }
        if (!parse_type(&parser, &type))
            return;
        name = is_using ? name : parser.at;
        if (name->kind == TOKEN_NAME)
            parse_declare(&parser, SYMBOL_TYPE, name, type);
        return;
    }
    bool is_const = false;
    for (const struct token *t = at; t->kind == TOKEN_NAME; t++)
        is_const = is_const || token_is(t, "const") || token_is(t, "constexpr");
    int64_t value;
    if (!is_const || !parse_at_type(&parser) || !parse_type(&parser, &type) || !type_is_index(&type))
        return;
    do {
        const struct token *name = parser.at;
        parse_advance(&parser);
        if (name->kind != TOKEN_NAME || !parse_accept(&parser, '=') ||
            !parse_constant_expression(&parser, &value))
            return;
        struct symbol *symbol = parse_declare(&parser, SYMBOL_CONSTANT, name, type);
        if (symbol)
            symbol->value = value;
    } while (parse_accept(&parser, ','));
}

static bool add_kernel(struct unit *unit, const struct token *begin, const struct token *paren,
                       const struct token *end, bool is_template, struct problem *problem)
{
    const struct token *name = paren - 1;
    if (unit->kernel_count == KERNEL_LIMIT)
        return problem_at(problem, name->source, name->begin, "the text has more than %d kernels",
                          KERNEL_LIMIT);
    unit->kernels[unit->kernel_count++] =
        (struct kernel_entry){.name = arena_copy(&unit->arena, name->text, name->length),
                              .begin = begin,
                              .name_token = name,
                              .end = end,
                              .is_template = is_template};
    return true;
}

/* One declaration or function definition at file level, from `at`; returns the token after it. */
static const struct token *take_item(struct unit *unit, const struct token *at, struct problem *problem)
{
    const struct token *begin = at, *paren = NULL;
    bool is_kernel = false, is_template = token_is(at, "template");
    if (token_is(at, "extern") && at[1].kind == TOKEN_STRING) {
        at += 2;
        if (token_is_punct(at, '{')) /* extern "C" { ... }: its items are items of the file */
            return at + 1;
        begin = at;
    }
    if (token_is(at, "namespace"))
        while (at->kind != TOKEN_END && !token_is_punct(at, ';'))
            if (token_is_punct(at++, '{')) /* its items are items of the file */
                return at;
    for (; at->kind != TOKEN_END; at++) {
        if (token_is(at, "__global__"))
            is_kernel = true;
        if (token_is_punct(at, ';')) {
            try_declaration(unit, begin);
            return at + 1;
        }
        if (token_is_punct(at, '(')) {
            if (at > begin && at[-1].kind == TOKEN_NAME && !token_is(at - 1, "__launch_bounds__") &&
                !token_is(at - 1, "__align__"))
                paren = at;
            at = after_brackets(at, '(', ')') - 1;
        } else if (token_is_punct(at, '{')) {
            const struct token *end = after_brackets(at, '{', '}');
            if (is_kernel && paren)
                add_kernel(unit, begin, paren, end, is_template, problem);
            if (token_is_punct(end, ';'))
                end++;
            return end;
        } else if (token_is_punct(at, '}')) {
            return at + 1;
        }
        if (at->kind == TOKEN_END)
            break;
    }
    if (is_kernel && paren) { /* never closed: compiling it will say where */
        add_kernel(unit, begin, paren, at, is_template, problem);
    }
    return at;
}

struct unit *unit_open(const struct source *source, const struct source *definitions, size_t definition_count,
                       struct problem *problem)
{
    struct unit *unit = memory_take(1, sizeof *unit);
    unit->source = source;
    unit->pre.arena = &unit->arena;
    unit->pre.problem = problem;
    unit->file_shared.shared = arena_take(&unit->arena, PARSE_SHARED_LIMIT * sizeof(struct symbol *));
    bool ok = true;
    for (size_t i = 0; ok && i < definition_count; i++)
        ok = preprocess_define(&unit->pre, &definitions[i]);
    if (ok && preprocess(&unit->pre, source)) {
        const struct token *at = unit->pre.tokens.at;
        while (at->kind != TOKEN_END && !problem->set)
            at = take_item(unit, at, problem);
    }
    unit->pre.problem = NULL;
    if (!problem->set)
        return unit;
    unit_close(unit);
    return NULL;
}

void unit_close(struct unit *unit)
{
    if (!unit)
        return;
    if (unit->has_program)
        program_free(&unit->program);
    token_list_free(&unit->pre.tokens);
    arena_free(&unit->arena);
    free(unit);
}

unsigned unit_kernel_count(const struct unit *unit)
{
    return unit->kernel_count;
}

const char *unit_kernel_name(const struct unit *unit, unsigned index)
{
    return unit->kernels[index].name;
}

unsigned unit_skipped_includes(const struct unit *unit)
{
    return unit->pre.skipped_includes;
}

bool unit_defines(const struct unit *unit, const char *name)
{
    return preprocess_find(&unit->pre, name, strlen(name)) != NULL;
}

static const struct kernel_entry *choose(const struct unit *unit, const char *name, struct problem *problem)
{
    char names[200] = "";
    for (unsigned i = 0; i < unit->kernel_count; i++) {
        if (name && strcmp(unit->kernels[i].name, name) == 0)
            return &unit->kernels[i];
        size_t used = strlen(names);
        (void)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", unit->kernels[i].name);
    }
    if (!unit->kernel_count)
        problem_say(problem, "%s has no __global__ function", unit->source->name);
    else if (name)
        problem_say(problem, "%s has no kernel named %s; it has: %s", unit->source->name, name, names);
    else if (unit->kernel_count > 1)
        problem_say(problem, "%s has several kernels; choose one with --kernel: %s", unit->source->name,
                    names);
    else
        return &unit->kernels[0];
    return NULL;
}

static bool parse_parameters(struct parser *parser)
{
    struct kernel_tree *kernel = parser->kernel;
    if (!parse_expect(parser, '(', "before the parameters"))
        return false;
    if (token_is(parser->at, "void") && token_is_punct(parser->at + 1, ')'))
        parse_advance(parser);
    if (parse_accept(parser, ')'))
        return true;
    do {
        struct type type;
        if (!parse_type(parser, &type))
            return false;
        const struct token *name = parser->at;
        if (name->kind != TOKEN_NAME)
            return parse_fail(parser, name, "a parameter's name is expected here");
        parse_advance(parser);
        if (parse_accept(parser, '[')) { /* float out[] is a pointer */
            struct type *to = arena_take(parser->arena, sizeof *to);
            *to = type;
            type = (struct type){.kind = TYPE_POINTER, .lanes = 1, .to = to};
            if (!parse_expect(parser, ']', "after ["))
                return false;
        }
        bool fits = type.kind == TYPE_POINTER || type_is_scalar(&type);
        if (!fits)
            return parse_fail(parser, name, "a kernel's parameters are pointers and numbers here");
        if (kernel->parameter_count == PARSE_PARAMETER_LIMIT)
            return parse_fail(parser, name, "a kernel has at most %u parameters here", PARSE_PARAMETER_LIMIT);
        struct symbol *symbol = parse_declare(parser, SYMBOL_PARAMETER, name, type);
        if (!symbol)
            return false;
        symbol->index = kernel->parameter_count;
        kernel->parameters[kernel->parameter_count++] = symbol;
    } while (parse_accept(parser, ','));
    return parse_expect(parser, ')', "after the parameters");
}

static bool parse_kernel_head(struct parser *parser, const struct kernel_entry *entry)
{
    for (const struct token *t = entry->begin; t < entry->name_token; t++)
        if (token_is(t, "void")) {
            parser->at = entry->name_token;
            parse_advance(parser);
            return true;
        }
    return parse_fail(parser, entry->name_token, "a kernel returns void");
}

/* A tree whose shared arrays begin with those of the file. */
static void begin_tree(struct unit *unit, struct kernel_tree *tree)
{
    *tree = (struct kernel_tree){0};
    tree->parameters = arena_take(&unit->arena, PARSE_PARAMETER_LIMIT * sizeof(struct symbol *));
    tree->shared = arena_take(&unit->arena, PARSE_SHARED_LIMIT * sizeof(struct symbol *));
    memcpy(tree->shared, unit->file_shared.shared, unit->file_shared.shared_count * sizeof *tree->shared);
    tree->shared_count = unit->file_shared.shared_count;
}

static const struct program *finish(struct unit *unit, const struct kernel_tree *tree,
                                    const struct source *source, struct problem *problem)
{
    if (unit->has_program)
        program_free(&unit->program);
    unit->has_program = true;
    return code_kernel(tree, source, &unit->arena, &unit->program, problem) ? &unit->program : NULL;
}

const struct program *unit_compile(struct unit *unit, const char *name, struct problem *problem)
{
    const struct kernel_entry *entry = choose(unit, name, problem);
    if (!entry)
        return NULL;
    const struct token *at = entry->name_token;
    if (entry->is_template) {
        problem_at(problem, at->source, at->begin,
                   "template kernels are not supported yet: replace the parameters by #define");
        return NULL;
    }
    struct kernel_tree tree;
    begin_tree(unit, &tree);
    tree.name = entry->name;
    tree.begin = entry->begin->begin;
    struct parser parser = parser_at(unit, at, problem);
    struct scope scope = {.outer = &unit->globals, .names = unit->globals.names};
    parser.scope = &scope;
    parser.kernel = &tree;
    if (!parse_kernel_head(&parser, entry) || !parse_parameters(&parser) ||
        !(tree.body = parse_block(&parser)))
        return NULL;
    tree.end = parser.last->end;
    return finish(unit, &tree, unit->source, problem);
}

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
    for (size_t i = 0; i < count; i++) {
        struct token name = {.kind = TOKEN_NAME,
                             .text = bindings[i].name,
                             .length = (uint32_t)strlen(bindings[i].name),
                             .source = formula};
        struct symbol *symbol = parse_declare(&parser, SYMBOL_CONSTANT, &name, type_integer(8, true));
        if (symbol)
            symbol->value = bindings[i].value;
    }
    bool ok = !problem->set && parse_constant_expression(&parser, value) && at_end(&parser);
    token_list_free(&list);
    return ok;
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
    struct type pointer = {.kind = TYPE_POINTER, .lanes = 1, .to = byte, .space = probe->space};
    struct symbol *buffer = arena_take(parser->arena, sizeof *buffer);
    buffer->name = "buffer";
    buffer->type = pointer;
    struct expr *root;
    if (probe->space == SPACE_SHARED) {
        buffer->kind = SYMBOL_SHARED;
        buffer->dynamic = true;
        buffer->alignment = 16;
        buffer->type = (struct type){.kind = TYPE_ARRAY, .lanes = 1, .to = byte, .space = SPACE_SHARED};
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
    type.lanes = (uint8_t)(lane_bytes / type.bytes);
    return type;
}

const struct program *unit_compile_probe(struct unit *unit, const struct probe *probe,
                                         struct problem *problem)
{
    struct kernel_tree tree;
    begin_tree(unit, &tree);
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
        struct expr *value = build(&parser, EXPR_VECTOR, *moved, &at, &at);
        for (unsigned i = 0; i < moved->lanes; i++)
            value->parts[i] = zero;
        struct token equals = {.kind = TOKEN_PUNCT, .punct = '=', .source = probe->index};
        e = build_assign(&parser, &equals, e, build_adopt(&parser, value));
    }
    if (!e)
        return NULL;
    struct statement body = {.kind = STATEMENT_EXPR, .source = probe->index, .expr = e};
    struct statement guard = {.kind = STATEMENT_IF, .source = probe->index, .expr = active, .body = &body};
    tree.body = active ? &guard : &body;
    return finish(unit, &tree, probe->index, problem);
}
