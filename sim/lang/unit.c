/* unit.c - a text's top level: which kernels it has, and compiling one of them. */
#include "unit_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* __constant__ float w[3], whose contents are not known; __device__ float w[3]. */
static void declare_data(struct parser *parser, enum symbol_kind kind)
{
    struct type type;
    while (token_is(parser->at, "__constant__") || token_is(parser->at, "__device__") ||
           token_is(parser->at, "__managed__") || token_is(parser->at, "static") ||
           token_is(parser->at, "extern") || token_is(parser->at, "volatile"))
        parse_advance(parser);
    if (!parse_specifiers(parser, &type))
        return;
    do {
        struct type own = type;
        if (!parse_stars(parser, &own))
            return;
        const struct token *name = parser->at;
        if (name->kind != TOKEN_NAME)
            return;
        parse_advance(parser);
        if (token_is_punct(parser->at, '(')) /* a function */
            return;
        if (token_is_punct(parser->at, '[') && !parse_array_part(parser, &own, true))
            return;
        struct symbol *symbol = parse_declare(parser, kind, name, own);
        if (symbol)
            symbol->declared = name;
        if (token_is_punct(parser->at, '=') || token_is_punct(parser->at, '{')) /* its first contents */
            while (parser->at->kind != TOKEN_END && !token_is_punct(parser->at, ';'))
                parse_advance(parser);
    } while (parse_accept(parser, ','));
}

/* texture<float, 2, cudaReadModeElementType> t; surface<void, 2> s: what a read gives is data of that type.
 */
static void declare_texture(struct parser *parser)
{
    struct type type = type_integer(4, true);
    bool normalized = false;
    int depth = 1;
    while (!token_is_punct(parser->at, '<'))
        parse_advance(parser);
    parse_advance(parser);
    if (!token_is(parser->at, "void") && !parse_specifiers(parser, &type))
        return;
    for (; depth > 0 && parser->at->kind != TOKEN_END; parse_advance(parser)) {
        normalized = normalized || token_is(parser->at, "cudaReadModeNormalizedFloat");
        depth += token_is_punct(parser->at, '<') - token_is_punct(parser->at, '>');
    }
    if (normalized) {
        type.kind = TYPE_FLOAT;
        type.is_signed = true;
        type.bytes = 4;
    }
    do {
        const struct token *name = parser->at;
        if (name->kind != TOKEN_NAME)
            return;
        parse_advance(parser);
        parse_declare(parser, SYMBOL_DATA, name, type);
    } while (parse_accept(parser, ','));
}

/* Is what is declared at `at` an array? */
static bool has_brackets(const struct token *at)
{
    while (at->kind == TOKEN_NAME || token_is_punct(at, '*'))
        at++;
    return token_is_punct(at, '[');
}

/* const int TILE = 32; typedef float ELEM; extern __shared__ float s[]; whatever does not parse is passed
 * over: it may be host code, and a kernel that needs it will say that the name is not declared. */
static void try_declaration(struct unit *unit, const struct token *at)
{
    struct problem ignored = {0};
    struct parser parser = parser_at(unit, at, &ignored);
    struct type type;
    bool is_extern = token_is(at, "extern");
    const struct token *shared = at + is_extern;
    while (token_is(shared, "static") || token_is(shared, "volatile"))
        shared++;
    if (token_is(shared, "__shared__")) {
        parser.at = shared;
        parse_shared(&parser, is_extern);
        return;
    }
    if (token_is(at, "enum") || token_is(at, "struct") || token_is(at, "union") || token_is(at, "class")) {
        (void)parse_specifiers(&parser, &type);
        return;
    }
    bool is_constant = false, is_device = false, is_fixed = false;
    for (const struct token *t = at; t->kind == TOKEN_NAME; t++) {
        is_constant = is_constant || token_is(t, "__constant__");
        is_device = is_device || token_is(t, "__device__") || token_is(t, "__managed__");
        is_fixed = is_fixed || token_is(t, "const") || token_is(t, "constexpr");
    }
    if (is_constant || (is_device && (!is_fixed || has_brackets(at)))) {
        declare_data(&parser, is_constant ? SYMBOL_DATA : SYMBOL_DEVICE);
        return;
    }
    const struct token *texture = at + (token_is(at, "static") || token_is(at, "extern"));
    if ((token_is(texture, "texture") || token_is(texture, "surface")) && token_is_punct(texture + 1, '<')) {
        declare_texture(&parser);
        return;
    }
    if (token_is(at, "namespace")) {
        (void)parse_namespace_alias(&parser);
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
    if (!is_const || !parse_at_type(&parser) || !parse_type(&parser, &type) ||
        (!type_is_index(&type) && !(type.kind == TYPE_FLOAT && type_is_scalar(&type))))
        return;
    do {
        const struct token *name = parser.at;
        int64_t value;
        bool known;
        if (name->expanded && name->kind != TOKEN_NAME) /* -D N=64 and const int N = 4096 */
            while (parser.at->kind != TOKEN_END && parser.at->expanded && !token_is_punct(parser.at, '='))
                parse_advance(&parser);
        if (name != parser.at) {
            if (!parse_accept(&parser, '=') || !parse_assignment(&parser))
                return;
            continue;
        }
        parse_advance(&parser);
        bool brace = token_is_punct(parser.at, '{');
        if (name->kind != TOKEN_NAME || (!brace && !parse_accept(&parser, '=')))
            return;
        struct expr *initial =
            brace ? parse_braces(&parser, type) : parse_constant_initial(&parser, type, &value, &known);
        if (brace)
            known = initial && constant_value(initial, &value);
        known = known && type_is_index(&type);
        struct symbol *symbol = initial ? parse_declare(&parser, SYMBOL_CONSTANT, name, type) : NULL;
        if (!symbol)
            return;
        symbol->value = known ? value : 0;
        symbol->initial = known ? NULL : initial; /* overflows: said where a kernel uses it */
    } while (parse_accept(&parser, ','));
}

/* What stands between < and > after template at `begin`. */
static struct template_head head_of(const struct token *begin)
{
    if (!token_is(begin, "template") || !token_is_punct(begin + 1, '<'))
        return (struct template_head){0};
    return (struct template_head){begin + 2, template_after_head(begin) - 1};
}

/* The < of name<...> before the ( at `paren`; NULL: none stands there. */
static const struct token *pattern_before(const struct token *begin, const struct token *paren)
{
    int depth = 0;
    if (!token_is(begin, "template") ||
        !(token_is_punct(paren - 1, '>') || token_is_punct(paren - 1, PUNCT2('>', '>'))))
        return NULL;
    for (const struct token *t = paren - 1; t > begin + 2; t--) {
        depth += token_is_punct(t, '>') + 2 * token_is_punct(t, PUNCT2('>', '>')) - token_is_punct(t, '<');
        if (depth == 0)
            return t[-1].kind == TOKEN_NAME ? t : NULL;
    }
    return NULL;
}

/* The struct of struct::name; NULL: none stands before the name. */
static struct record *record_before(struct unit *unit, const struct token *name)
{
    struct problem ignored = {0};
    struct parser parser = parser_at(unit, name, &ignored);
    const struct symbol *symbol =
        name->is_qualified && name[-2].kind == TOKEN_NAME ? parse_find(&parser, name - 2) : NULL;
    return symbol && symbol->kind == SYMBOL_TYPE && symbol->type.kind == TYPE_STRUCT
               ? (struct record *)(uintptr_t)symbol->type.record
               : NULL;
}

static void add_function(struct unit *unit, const struct token *begin, const struct token *paren,
                         const struct token *end)
{
    const struct token *pattern = pattern_before(begin, paren), *name = pattern ? pattern - 1 : paren - 1;
    struct record *record = pattern ? NULL : record_before(unit, name);
    if (record) {
        parse_define_member(record, name, paren);
        return;
    }
    struct function *function = arena_take(&unit->arena, sizeof *function);
    *function = (struct function){.name = arena_copy(&unit->arena, name->text, name->length),
                                  .begin = begin,
                                  .name_token = name,
                                  .end = end,
                                  .parameters = paren,
                                  .head = head_of(begin),
                                  .scope = &unit->globals,
                                  .space = unit->space,
                                  .next = unit->functions};
    if (pattern)
        function->pattern = (struct template_head){pattern + 1, paren - 1};
    unit->functions = function;
}

/* template <...> struct name { ... }; or template <...> using name = ...; at `begin`. */
static void add_class(struct unit *unit, const struct token *begin, const struct token *end)
{
    const struct token *body = template_after_head(begin), *name = body + 1;
    bool is_alias = token_is(body, "using");
    if (!is_alias && !token_is(body, "struct") && !token_is(body, "class") && !token_is(body, "union"))
        return;
    while (token_is_punct(name + 1, '(') || token_is_punct(name, ')')) /* __align__(16) */
        name = token_is_punct(name, ')') ? name + 1 : token_after_brackets(name + 1);
    const struct token *open = name + 1;
    if (name->kind != TOKEN_NAME || (is_alias && !token_is_punct(open, '=')))
        return;
    struct class_template *c = arena_take(&unit->arena, sizeof *c);
    *c = (struct class_template){.name_token = name,
                                 .body = is_alias ? name + 2 : body,
                                 .head = head_of(begin),
                                 .is_alias = is_alias,
                                 .scope = &unit->globals,
                                 .space = unit->space,
                                 .next = unit->classes};
    if (token_is_punct(open, '<'))
        c->pattern = (struct template_head){open + 1, template_after_head(name) - 1};
    if (token_is_punct(open, ';')) /* a declaration says nothing more than what stands before it */
        for (const struct class_template *k = unit->classes; k; k = k->next)
            if (token_same_name(k->name_token, name) && space_same(k->space, unit->space))
                return;
    if (open <= end)
        unit->classes = c;
}

static bool add_kernel(struct unit *unit, const struct token *begin, const struct token *paren,
                       const struct token *end, struct problem *problem)
{
    const struct token *pattern = pattern_before(begin, paren), *name = pattern ? pattern - 1 : paren - 1;
    struct template_head head = head_of(begin);
    bool is_specialised = head.begin && head.begin == head.end;
    if (unit->kernel_count == KERNEL_LIMIT)
        return problem_at(problem, name->source, name->begin, "the text has more than %d kernels",
                          KERNEL_LIMIT);
    if (is_specialised)
        head = (struct template_head){0};
    unit->kernels[unit->kernel_count++] =
        (struct kernel_entry){.name = arena_copy(&unit->arena, name->text, name->length),
                              .begin = begin,
                              .name_token = name,
                              .end = end,
                              .head = head,
                              .is_specialised = is_specialised,
                              .space = unit->space};
    if (pattern)
        unit->kernels[unit->kernel_count - 1].pattern = (struct template_head){pattern + 1, paren - 1};
    return true;
}

/* Past the head of `extern "C" {` or `namespace a {` at `at`, whose items are items of the file; or NULL. */
static const struct token *past_wrapper(const struct token *at)
{
    if (token_is(at, "extern") && at[1].kind == TOKEN_STRING && token_is_punct(at + 2, '{'))
        return at + 3;
    if (token_is(at, "namespace"))
        for (; at->kind != TOKEN_END && !token_is_punct(at, ';'); at++)
            if (token_is_punct(at, '{'))
                return at + 1;
    return NULL;
}

/* `namespace a::b {`, whose brace is at `open`, or extern "C" {. */
static void enter_spaces(struct unit *unit, const struct token *at, const struct token *open)
{
    struct name_space *space = arena_take(&unit->arena, sizeof *space);
    *space = (struct name_space){NULL, unit->space}; /* of the brace */
    unit->space = space;
    for (at = token_is(at, "namespace") ? at + 1 : open; at < open; at++)
        if (at->kind == TOKEN_NAME) {
            space = arena_take(&unit->arena, sizeof *space);
            *space = (struct name_space){at, unit->space};
            unit->space = space;
        }
}

/* At the } of one. */
static void leave_spaces(struct unit *unit)
{
    while (unit->space && unit->space->name)
        unit->space = unit->space->outer;
    if (unit->space)
        unit->space = unit->space->outer;
}

/* Does the ( at `at` open a function's parameters? */
static bool opens_parameters(const struct token *begin, const struct token *at)
{
    if (at > begin + 1 && at[-1].kind == TOKEN_PUNCT && token_is(at - 2, "operator"))
        return true;
    if (at > begin + 3 && pattern_before(begin, at) &&
        token_is_punct(begin + 2, '>')) /* template <> f<int>( */
        return true;
    return at > begin && at[-1].kind == TOKEN_NAME && !token_is(at - 1, "__launch_bounds__") &&
           !token_is(at - 1, "__align__") && !token_is(at - 1, "alignas") &&
           !token_is(at - 1, "__attribute__");
}

/* One declaration or function definition at file level, from `at`; returns the token after it. */
static const struct token *take_item(struct unit *unit, const struct token *at, struct problem *problem)
{
    const struct token *wrapped = past_wrapper(at), *paren = NULL;
    if (wrapped) {
        enter_spaces(unit, at, wrapped - 1);
        return wrapped;
    }
    if (token_is_punct(at, '}'))
        leave_spaces(unit);
    bool is_kernel = false, is_device = false, in_initials = false;
    if (token_is(at, "extern") && at[1].kind == TOKEN_STRING)
        at += 2;
    const struct token *begin = at;
    if (token_is(at, "template") && token_is_punct(at + 1, '<'))
        at = template_after_head(at);
    for (; at->kind != TOKEN_END; at++) {
        is_kernel = is_kernel || token_is(at, "__global__");
        is_device = is_device || token_is(at, "__device__") || token_is(at, "constexpr");
        if (token_is_punct(at, ';')) {
            if (!token_is(begin, "template"))
                try_declaration(unit, begin);
            else if (!paren)
                add_class(unit, begin, at);
            return at + 1;
        }
        if (token_is_punct(at, '}'))
            return at + 1;
        if (token_is_punct(at, '{'))
            break;
        in_initials = in_initials || (paren && token_is_punct(at, ':'));
        if (token_is_punct(at, '(')) {
            paren = opens_parameters(begin, at) && !in_initials ? at : paren;
            at = after_brackets(at, '(', ')') - 1;
        }
    }
    const struct token *end =
        after_brackets(at, '{', '}'); /* the text's end if it is never closed: compiling */
    if (is_kernel && paren)           /* the kernel will say where */
        add_kernel(unit, begin, paren, end, problem);
    else if (is_device && paren)
        add_function(unit, begin, paren, end);
    if (!paren && token_is(begin, "template"))
        add_class(unit, begin, end);
    else if (!paren) /* enum { A, B }; const int N{3}; */
        try_declaration(unit, begin);
    return token_is_punct(end, ';') ? end + 1 : end;
}

/* Classes of libraries that the text uses and nobody defines. */
static void read_preludes(struct unit *unit, struct problem *problem)
{
    for (unsigned i = 0; i < prelude_count(); i++) {
        const struct source *source = prelude_piece(unit, i);
        struct token_list *list = &unit->preludes[unit->prelude_count];
        if (!source || unit->prelude_count == PRELUDE_LIMIT || !tokens_of(source, list, problem))
            continue;
        unit->prelude_count++;
        for (const struct token *at = list->at; at->kind != TOKEN_END && !problem->set;)
            at = take_item(unit, at, problem);
    }
}

/* [[maybe_unused]] and its kin say nothing about what a kernel does; what stands behind :: is marked. */
static void drop_attributes(struct token_list *tokens)
{
    static const char *const words[] = {"maybe_unused", "nodiscard", "likely",           "unlikely",
                                        "fallthrough",  "noreturn",  "no_unique_address"};
    size_t kept = 0;
    for (size_t i = 0; i < tokens->count; i++) {
        bool known = false;
        for (size_t k = 0; k < sizeof words / sizeof *words && i + 4 < tokens->count; k++)
            known = known || token_is(&tokens->at[i + 2], words[k]);
        if (known && token_is_punct(&tokens->at[i], '[') && token_is_punct(&tokens->at[i + 1], '[') &&
            token_is_punct(&tokens->at[i + 3], ']') && token_is_punct(&tokens->at[i + 4], ']'))
            i += 4;
        else
            tokens->at[kept++] = tokens->at[i];
    }
    tokens->count = kept;
    for (size_t i = 2; i < kept; i++)
        tokens->at[i].is_qualified = token_is_punct(&tokens->at[i - 1], PUNCT2(':', ':'));
}

struct unit *unit_open(const struct source *source, const struct source *definitions, size_t definition_count,
                       struct problem *problem)
{
    return unit_open_including(source, definitions, definition_count, NULL, problem);
}

/* What nvcc defines where it compiles for a device, and what projects define where they build with it. */
static bool define_compiler(struct unit *unit)
{
    static const char *const texts[] = {
        "__CUDACC__=1",           "__NVCC__=1",           "__CUDA_ARCH__=900",
        "__cplusplus=201703L",    "CUDART_VERSION=13000", "__CUDACC_VER_MAJOR__=13",
        "__CUDACC_VER_MINOR__=0", "__GNUC__=13",          "__linux__=1",
        "HAVE_CUDA?=1",           "USE_CUDA?=1",          "WITH_CUDA?=1"};
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof texts / sizeof *texts; i++) {
        struct source *definition = arena_take(&unit->arena, sizeof *definition);
        *definition = (struct source){"the compiler's own macros", texts[i], strlen(texts[i])};
        ok = preprocess_define(&unit->pre, definition);
    }
    return ok;
}

struct unit *unit_open_including(const struct source *source, const struct source *definitions,
                                 size_t definition_count, const struct include_reader *reader,
                                 struct problem *problem)
{
    struct unit *unit = memory_take(1, sizeof *unit);
    unit->source = source;
    unit->pre.arena = &unit->arena;
    unit->pre.problem = problem;
    unit->file_shared.shared = arena_take(&unit->arena, PARSE_SHARED_LIMIT * sizeof(struct symbol *));
    unit->pre.reader = reader;
    bool ok = define_compiler(unit);
    for (size_t i = 0; ok && i < definition_count; i++)
        ok = preprocess_define(&unit->pre, &definitions[i]);
    if (ok && preprocess(&unit->pre, source)) {
        drop_attributes(&unit->pre.tokens);
        read_preludes(unit, problem);
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
    for (unsigned i = 0; i < unit->prelude_count; i++)
        token_list_free(&unit->preludes[i]);
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

const char *unit_assumed_types(const struct unit *unit)
{
    return unit->assumed;
}

bool unit_defines(const struct unit *unit, const char *name)
{
    return preprocess_find(&unit->pre, name, strlen(name)) != NULL;
}

bool unit_overrides(const struct unit *unit, const char *name)
{
    const struct macro *macro = preprocess_find(&unit->pre, name, strlen(name));
    return macro && macro->overrides;
}

bool unit_uses(const struct unit *unit, const char *name)
{
    const struct macro *macro = preprocess_find(&unit->pre, name, strlen(name));
    return macro && macro->used;
}

int unit_kernel_line(const struct unit *unit, unsigned index)
{
    return token_line(unit->kernels[index].name_token);
}

/* The kernels of that name (NULL: all), with commas; overloads with their lines. */
static void list_kernels(const struct unit *unit, const char *name, char *out, size_t size)
{
    size_t used = 0;
    *out = '\0';
    for (unsigned i = 0; i < unit->kernel_count && used < size; i++) {
        const struct kernel_entry *kernel = &unit->kernels[i];
        if (kernel->is_specialised)
            continue;
        unsigned same = 0;
        char line[16] = "";
        if (name && !token_is_chosen(kernel->name_token, name))
            continue;
        for (unsigned k = 0; k < unit->kernel_count; k++)
            same += !unit->kernels[k].is_specialised && strcmp(unit->kernels[k].name, kernel->name) == 0;
        if (same > 1)
            (void)snprintf(line, sizeof line, ":%d", token_line(kernel->name_token));
        int n = snprintf(out + used, size - used, "%s%s%s", used ? ", " : "", kernel->name, line);
        used += n > 0 ? (size_t)n : 0;
    }
}

static const struct kernel_entry *choose(const struct unit *unit, const char *name, struct problem *problem)
{
    char names[200];
    const struct kernel_entry *found = NULL;
    unsigned count = 0;
    for (unsigned i = 0; i < unit->kernel_count; i++) {
        if (unit->kernels[i].is_specialised && !(name && strchr(name, ':')))
            continue; /* it is taken where its template's arguments say so */
        if (!name || token_is_chosen(unit->kernels[i].name_token, name)) {
            found = &unit->kernels[i];
            count++;
        }
    }
    if (count == 1)
        return found;
    list_kernels(unit, count ? name : NULL, names, sizeof names);
    if (!unit->kernel_count)
        problem_say(problem, "%s has no __global__ function", unit->source->name);
    else if (!count)
        problem_say(problem, "%s has no kernel named %s; it has: %s", unit->source->name, name, names);
    else if (name)
        problem_say(problem, "%s has %u kernels named %s; choose one by its line: %s", unit->source->name,
                    count, name, names);
    else {
        problem_offer(problem, PROBLEM_CURE_KERNEL);
        problem_say(problem, "%s has several kernels: %s", unit->source->name, names);
    }
    return NULL;
}

/* float out[], float in[32], float a[][N]: pointers to what the brackets hold. */
bool parse_parameter_array(struct parser *parser, struct type *type)
{
    if (!token_is_punct(parser->at, '['))
        return true;
    if (!parse_array_part(parser, type, true))
        return false;
    *type = type_pointer(type->to, SPACE_GLOBAL);
    return true;
}

/* The numbers and pointers that a parameter is made of: itself, or n.x, n.y, n.z; `offset` bytes from its
 * beginning. */
static bool add_parameters(struct parser *parser, const struct token *name, struct symbol *symbol,
                           const char *path, const struct type *type, uint64_t offset)
{
    struct kernel_tree *kernel = parser->kernel;
    bool is_whole = type->kind == TYPE_POINTER || type_is_scalar(type);
    unsigned count = is_whole                    ? 1
                     : type->kind == TYPE_ARRAY  ? (unsigned)type->count
                     : type->kind == TYPE_STRUCT ? type->record->count
                                                 : type->components;
    if (type->kind == TYPE_VOID || (type->kind == TYPE_STRUCT && type->record->is_union))
        return parse_fail(parser, name,
                          "a kernel's parameters are pointers, numbers, vectors and structs here");
    if (is_whole && kernel->parameter_count == PARSE_PARAMETER_LIMIT)
        return parse_fail(parser, name,
                          "a kernel has at most %u parameters here, members of structs among them",
                          PARSE_PARAMETER_LIMIT);
    if (is_whole && symbol->name == path) {
        kernel->parameters[kernel->parameter_count++] = symbol;
        return true;
    }
    if (is_whole) {
        struct symbol *part = arena_take(parser->arena, sizeof *part);
        *part = (struct symbol){
            .kind = SYMBOL_PARAMETER, .name = path, .type = *type, .index = kernel->parameter_count};
        part->root = (int)part->index;
        part->position = symbol->position;
        part->part = kernel->parameter_count - symbol->index + 1;
        part->offset = offset;
        part->whole_bytes = symbol->whole_bytes;
        kernel->parameters[kernel->parameter_count++] = part;
        return true;
    }
    for (unsigned i = 0; i < count; i++) {
        char part[200];
        const struct member *member = type->kind == TYPE_STRUCT ? &type->record->members[i] : NULL;
        struct type own = member                     ? member->type
                          : type->kind == TYPE_ARRAY ? *type->to
                                                     : type_component(*type);
        int length = member                     ? snprintf(part, sizeof part, "%s.%s", path, member->name)
                     : type->kind == TYPE_ARRAY ? snprintf(part, sizeof part, "%s[%u]", path, i)
                                                : snprintf(part, sizeof part, "%s.%c", path, "xyzw"[i & 3]);
        if (length >= (int)sizeof part)
            return parse_fail(parser, name, "the names of this parameter's members are too long");
        uint64_t begin = offset + (member ? member->offset : i * type_size(&own));
        if (!add_parameters(parser, name, symbol, arena_copy(parser->arena, part, (size_t)length), &own,
                            begin))
            return false;
    }
    return true;
}

static bool parse_default(struct parser *parser, struct symbol *symbol)
{
    if (!parse_accept(parser, '='))
        return true;
    const struct token *at = parser->at;
    struct expr *e = parse_assignment(parser);
    if (!e || !type_is_index(&symbol->type)) /* a float is data, a pointer gets its buffer anyway */
        return e != NULL;
    e = build_convert(parser, e, symbol->type);
    symbol->has_default = e && constant_value(e, &symbol->value);
    return symbol->has_default || parse_fail(parser, at, "a default argument is a constant here");
}

/* A name for the parameter at this position, which has none: as compiled code calls it. */
static const struct token *unnamed(const struct parser *parser, struct token *name, unsigned position)
{
    char text[20];
    int length = snprintf(text, sizeof text, "param_%u", position);
    name->kind = TOKEN_NAME;
    name->length = (uint32_t)length;
    name->text = arena_copy(parser->arena, text, name->length);
    return name;
}

static bool parse_parameters(struct parser *parser)
{
    unsigned position = 0;
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
        struct token nobody = *name;
        if (token_is_punct(name, ',') || token_is_punct(name, ')')) { /* a parameter that nobody uses */
            name = unnamed(parser, &nobody, position);
        } else if (name->kind != TOKEN_NAME) {
            return parse_fail(parser, name, "a parameter's name is expected here");
        } else {
            parse_advance(parser);
        }
        if (!parse_parameter_array(parser, &type))
            return false;
        struct symbol *symbol = parse_declare(parser, SYMBOL_PARAMETER, name, type);
        if (!symbol)
            return false;
        symbol->index = kernel->parameter_count;
        symbol->root = (int)symbol->index;
        symbol->position = position++;
        symbol->whole_bytes = type_size(&type);
        if (!add_parameters(parser, name, symbol, symbol->name, &type, 0))
            return false;
        if (!parse_default(parser, symbol))
            return false;
    } while (parse_accept(parser, ','));
    return parse_expect(parser, ')', "after the parameters");
}

static bool parse_kernel_head(struct parser *parser, const struct kernel_entry *entry)
{
    for (const struct token *t = entry->begin; t < entry->name_token; t++)
        if (token_is(t, "void")) {
            parser->at = entry->pattern.begin ? entry->pattern.end + 1 : entry->name_token + 1;
            parser->last = parser->at - 1;
            return true;
        }
    return parse_fail(parser, entry->name_token, "a kernel returns void");
}

/* Leaves out the file's shared arrays that this kernel does not mention: it does not get them. */
static void drop_unused_shared(struct kernel_tree *tree, unsigned of_file)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < tree->shared_count; i++) {
        if (i < of_file && !tree->shared[i]->is_used)
            continue;
        tree->shared[kept] = tree->shared[i];
        tree->shared[kept]->index = kept;
        kept++;
    }
    tree->shared_count = kept;
}

/* A tree whose shared arrays begin with those of the file. */
void unit_begin_tree(struct unit *unit, struct kernel_tree *tree)
{
    *tree = (struct kernel_tree){0};
    tree->parameters = arena_take(&unit->arena, PARSE_PARAMETER_LIMIT * sizeof(struct symbol *));
    tree->shared = arena_take(&unit->arena, PARSE_SHARED_LIMIT * sizeof(struct symbol *));
    memcpy(tree->shared, unit->file_shared.shared, unit->file_shared.shared_count * sizeof *tree->shared);
    tree->shared_count = unit->file_shared.shared_count;
    for (unsigned i = 0; i < tree->shared_count; i++)
        tree->shared[i]->is_used = false;
}

const struct program *unit_finish(struct unit *unit, const struct kernel_tree *tree,
                                  const struct source *source, struct problem *problem)
{
    if (unit->has_program)
        program_free(&unit->program);
    unit->has_program = true;
    unit->tree = (struct kernel_tree){0};
    return code_kernel(tree, source, &unit->arena, &unit->program, problem) ? &unit->program : NULL;
}

/* Asks for all names that were read as constants of headers, in the place of what else was found. */
static bool want_constants(struct unit *unit, struct problem *problem)
{
    const struct assumptions *assumptions = &unit->assumptions;
    char names[200] = "", missing[PREPROCESS_MISSING_SIZE];
    if (!assumptions->constant_count)
        return true;
    *problem = (struct problem){0};
    for (unsigned i = 0; i < assumptions->constant_count; i++) {
        const struct token *name = assumptions->constants[i];
        size_t used = strlen(names);
        int length = (int)(name->length < 60 ? name->length : 60);
        if (used + 64 < sizeof names)
            (void)snprintf(names + used, sizeof names - used, "%s%.*s", i ? ", " : "", length, name->text);
        problem_want(problem, PROBLEM_CURE_DEFINITION, "%.*s=32", length, name->text);
    }
    const struct token *first = assumptions->constants[0];
    problem_offer_for(problem, PROBLEM_CURE_DEFINITION, assumptions->constant_count == 1 ? names : "NAME");
    return problem_at(problem, first->source, first->begin, "%s %s not declared%s", names,
                      assumptions->constant_count == 1 ? "is" : "are",
                      preprocess_missing(&unit->pre, missing, sizeof missing));
}

/* The types that were taken as float are the file's no longer. */
static void end_assumptions(struct unit *unit, const struct scope *globals)
{
    for (unsigned i = 0; i < unit->assumptions.type_count; i++)
        unit_add_assumed(unit, unit->assumptions.types[i], unit->assumptions.is_integer[i]);
    unit->globals = *globals;
}

static const struct program *compile_kernel(struct unit *unit, const char *name,
                                            const struct token *arguments, struct problem *problem)
{
    const struct kernel_entry *entry = choose(unit, name, problem);
    if (!entry)
        return NULL;
    const struct token *at = entry->name_token;
    struct kernel_tree tree;
    unit->assumed[0] = unit->arguments[0] = '\0';
    unit_begin_tree(unit, &tree);
    tree.name = entry->name;
    struct parser parser = parser_at(unit, at, problem);
    struct scope scope = {.outer = &unit->globals, .names = unit->globals.names};
    parser.scope = &scope;
    parser.kernel = &tree;
    parser.space = entry->space;
    parser.assumptions = &unit->assumptions;
    if (!unit_bind_template(unit, &parser, entry, arguments))
        return NULL;
    entry = unit_specialised(unit, &parser, entry);
    if (entry->is_specialised)
        scope = (struct scope){.outer = &unit->globals, .names = unit->globals.names};
    tree.begin = entry->begin->begin;
    tree.is_template = entry->head.begin != NULL;
    tree.name_token = entry->name_token;
    if (!parse_kernel_head(&parser, entry) || !parse_parameters(&parser) ||
        !(tree.body = parse_block(&parser)))
        return NULL;
    tree.end = parser.last->end;
    drop_unused_shared(&tree, unit->file_shared.shared_count);
    build_pointer_roots(&tree);
    if (!pointee_resolve(&parser))
        return NULL;
    const struct program *program = unit_finish(unit, &tree, unit->source, problem);
    unit->tree = tree;
    return program;
}

const struct kernel_tree *unit_tree(const struct unit *unit)
{
    return unit->has_program && unit->tree.body ? &unit->tree : NULL;
}

/* With int for the assumed types whose bit is set. */
static const struct program *compile_assuming(struct unit *unit, const char *name,
                                              const struct token *arguments, uint32_t integers,
                                              struct problem *problem)
{
    const struct scope globals = unit->globals;
    unit->assumptions =
        (struct assumptions){.problem = problem, .scope = &unit->globals, .integers = integers};
    const struct program *program = compile_kernel(unit, name, arguments, problem);
    end_assumptions(unit, &globals);
    return program;
}

/* A type that nothing says is float, unless the kernel makes sense only where it is int: an index. One of
 * them, or all. */
static const struct program *compile(struct unit *unit, const char *name, const struct token *arguments,
                                     struct problem *problem)
{
    const struct program *program = compile_assuming(unit, name, arguments, 0, problem);
    unsigned count = unit->assumptions.assumed;
    bool wants_integer = !program && count && strstr(problem->message, "integer");
    for (unsigned i = 0; !program && wants_integer && i <= count && i < 32; i++) {
        struct problem own = {0};
        program = compile_assuming(unit, name, arguments, i < count ? UINT32_C(1) << i : UINT32_MAX, &own);
        if (program)
            *problem = own;
    }
    if (!program && wants_integer) /* what is missing is what the first reading lacks */
        (void)compile_assuming(unit, name, arguments, 0, &(struct problem){0});
    return want_constants(unit, problem) ? program : NULL;
}

const struct program *unit_compile(struct unit *unit, const char *name, struct problem *problem)
{
    return compile(unit, name, NULL, problem);
}

const struct program *unit_compile_as(struct unit *unit, const char *name, const struct source *arguments,
                                      struct problem *problem)
{
    struct token_list list = {0};
    const struct program *program = NULL;
    if (!arguments)
        return compile(unit, name, NULL, problem);
    char *text =
        arena_take(&unit->arena, arguments->size + 2); /* between < and >: a name has a token before it */
    text[0] = '<';
    memcpy(text + 1, arguments->bytes, arguments->size);
    text[arguments->size + 1] = '>';
    struct source *closed = arena_take(&unit->arena, sizeof *closed);
    *closed = (struct source){arguments->name, text, arguments->size + 2};
    if (unit_expand(unit, closed, &list, problem))
        program = compile(unit, name, list.at + 1, problem);
    token_list_free(&list);
    return program;
}
