/* device_part.c - the kernel, and what its names lead to. */
#include "device_part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"
#include "item.h"
#include "parse.h"

/* A name that items declare, or that what is kept speaks of. */
struct name {
    const char *text;
    uint32_t length;
    bool is_needed, is_declared;
    struct declaration {
        size_t item;
        struct declaration *next;
    } * items;         /* that declare it */
    struct name *next; /* of its bucket */
};

enum { NAME_BUCKETS = 4096, NAMESPACE_DEPTH = 16, SPLICE_DEPTH = 32, PART_LIMIT = 32 << 20 };

/* A text: the file, or one that is included. */
struct piece {
    const struct source *source;
    bool *keep; /* a byte of it */
    struct splice {
        size_t begin, end; /* of the directive */
        struct piece *piece;
    } * splices; /* in the order of the text */
    size_t splice_count;
    bool once, scanned, written;
    struct piece *next;
};

struct part {
    const struct device_part_request *request;
    struct arena arena;
    struct preprocessor pre;
    struct item *items;
    bool *needed;  /* an item is kept */
    char **scopes; /* the namespaces around an item */
    size_t count, capacity;
    size_t *queue; /* items whose names are still to be followed */
    size_t queued, followed;
    struct name *names[NAME_BUCKETS];
    struct piece *pieces;
};

static struct name *name_of(struct part *part, const struct token *token)
{
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < token->length; i++)
        hash = (hash ^ (unsigned char)token->text[i]) * 16777619u;
    struct name **bucket = &part->names[hash % NAME_BUCKETS];
    for (struct name *name = *bucket; name; name = name->next)
        if (name->length == token->length && memcmp(name->text, token->text, name->length) == 0)
            return name;
    struct name *name = arena_take(&part->arena, sizeof *name);
    *name = (struct name){.text = token->text, .length = token->length, .next = *bucket};
    *bucket = name;
    return name;
}

static void declare(struct part *part, size_t item, const struct token *token)
{
    struct name *name = name_of(part, token);
    struct declaration *declaration = arena_take(&part->arena, sizeof *declaration);
    *declaration = (struct declaration){item, name->items};
    name->items = declaration;
    name->is_declared = true;
}

static bool is_word(const struct token *at)
{
    static const char *const words[] = {"struct", "class", "union",  "enum",     "const", "constexpr",
                                        "static", "int",   "float",  "unsigned", "bool",  "double",
                                        "long",   "short", "signed", "char",     "void",  "decltype",
                                        "inline", "auto",  "size_t", "typename", "if",    "return"};
    if (at->kind != TOKEN_NAME)
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (token_is(at, words[i]))
            return true;
    return false;
}

static bool is_tag(const struct token *at)
{
    return token_is(at, "struct") || token_is(at, "class") || token_is(at, "union") || token_is(at, "enum");
}

/* enum { A, B = 2 }: the names between the braces. */
static void declare_enumerators(struct part *part, size_t item, const struct token *open)
{
    const struct token *end = item_after_brackets(open);
    for (const struct token *at = open + 1; at < end; at++)
        if (at->kind == TOKEN_NAME && (at == open + 1 || token_is_punct(at - 1, ',')))
            declare(part, item, at);
}

/* The names of a declaration that is no function: a tag, variables, a type. */
static void declare_names(struct part *part, size_t index)
{
    const struct item *item = &part->items[index];
    bool is_enum = false, tagged = false;
    for (const struct token *at = item->head; at < item->end && at->kind != TOKEN_END; at++) {
        if (token_is_punct(at, '(') || token_is_punct(at, '{') || token_is_punct(at, '[')) {
            if (token_is_punct(at, '{') && is_enum)
                declare_enumerators(part, index, at);
            at = item_after_brackets(at) - 1;
            continue;
        }
        is_enum = is_enum || token_is(at, "enum");
        tagged = tagged || is_tag(at);
        const struct token *next = at + 1;
        if (at->kind != TOKEN_NAME || is_word(at))
            continue;
        bool ends = next == item->end || token_is_punct(next, ';') || token_is_punct(next, '=') ||
                    token_is_punct(next, ',') || token_is_punct(next, '[') || token_is_punct(next, '{') ||
                    (tagged && (token_is_punct(next, ':') || token_is_punct(next, '<')));
        if (ends || token_is_punct(next, '('))
            declare(part, index, at);
    }
}

/* An operator is needed where one of the types that it takes is: float3 in operator+(const float3 &a, float3
 * b). */
static void declare_operator(struct part *part, size_t index)
{
    const struct item *item = &part->items[index];
    const struct token *end = item_after_brackets(item->parameters);
    for (const struct token *at = item->parameters; at < end; at++)
        if (at->kind == TOKEN_NAME && !is_word(at) &&
            (at[1].kind == TOKEN_NAME || token_is_punct(at + 1, '&') || token_is_punct(at + 1, '*') ||
             token_is_punct(at + 1, '<')))
            declare(part, index, at);
}

static void add_item(struct part *part, const struct item *item, const char *scope)
{
    if (part->count == part->capacity) {
        part->capacity = part->capacity ? 2 * part->capacity : 64;
        part->items = memory_resize(part->items, part->capacity, sizeof *part->items);
        part->scopes = memory_resize(part->scopes, part->capacity, sizeof *part->scopes);
    }
    part->items[part->count] = *item;
    part->scopes[part->count++] = arena_copy(&part->arena, scope, strlen(scope));
}

/* The scope with the name of a wrapper at its end. */
static void enter(char *scope, size_t size, const struct item *wrapper)
{
    for (const struct token *at = wrapper->begin; at < wrapper->end; at++)
        if (at->kind == TOKEN_NAME && !token_is(at, "namespace") && !token_is(at, "inline") &&
            !token_is(at, "extern")) {
            size_t used = strlen(scope);
            (void)snprintf(scope + used, size - used, "%.*s::", (int)at->length, at->text);
        }
}

static void cut_items(struct part *part)
{
    char scope[400] = "";
    size_t lengths[NAMESPACE_DEPTH], depth = 0;
    for (const struct token *at = part->pre.tokens.at; at->kind != TOKEN_END;) {
        struct item item = item_at(at, false);
        add_item(part, &item, scope);
        if (item.kind == ITEM_WRAPPER) {
            if (depth < NAMESPACE_DEPTH)
                lengths[depth] = strlen(scope);
            depth++;
            enter(scope, sizeof scope, &item);
        } else if (item.kind == ITEM_CLOSING && depth) {
            depth--;
            if (depth < NAMESPACE_DEPTH)
                scope[lengths[depth]] = '\0';
        }
        at = item.end;
    }
    part->needed = memory_take(part->count + 1, sizeof *part->needed);
    part->queue = memory_take(part->count + 1, sizeof *part->queue);
    for (size_t i = 0; i < part->count; i++) {
        const struct item *item = &part->items[i];
        if (item->kind == ITEM_FUNCTION && item->is_operator)
            declare_operator(part, i);
        else if (item->kind == ITEM_FUNCTION)
            declare(part, i, item->name);
        else if (item->kind == ITEM_CLASS || item->kind == ITEM_OTHER)
            declare_names(part, i);
    }
}

static bool device_can_see(const struct item *item)
{
    if (item->kind == ITEM_FUNCTION)
        return item->is_device || item->is_kernel;
    if (item->kind == ITEM_CLASS) { /* an explicit instantiation is the host's */
        const struct token *at = item->head;
        return !token_is(at, "template");
    }
    return item->kind == ITEM_OTHER && item->is_kept && !token_is(item->head, "template");
}

static void need_item(struct part *part, size_t index)
{
    if (part->needed[index] || !device_can_see(&part->items[index]))
        return;
    part->needed[index] = true;
    part->queue[part->queued++] = index;
}

static void need_name(struct part *part, const struct token *token)
{
    struct name *name = name_of(part, token);
    if (name->is_needed)
        return;
    name->is_needed = true;
    for (const struct declaration *d = name->items; d; d = d->next)
        if (!part->items[d->item].is_kernel)
            need_item(part, d->item);
}

static void follow(struct part *part)
{
    while (part->followed < part->queued) {
        const struct item *item = &part->items[part->queue[part->followed++]];
        for (const struct token *at = item->begin; at < item->end; at++)
            if (at->kind == TOKEN_NAME && at != item->name)
                need_name(part, at);
    }
}

static int line_of(const struct token *token)
{
    int line, column;
    source_place(token->source, token->begin, &line, &column);
    return line;
}

static bool is_called(const struct item *item, const char *kernel)
{
    char line[16];
    size_t length = item->name->length;
    if (strncmp(item->name->text, kernel, length) != 0)
        return false;
    (void)snprintf(line, sizeof line, ":%d", line_of(item->name));
    return !kernel[length] || strcmp(kernel + length, line) == 0;
}

/* The index of the kernel, or the number of items after filling the problem. */
static size_t find_kernel(struct part *part, struct problem *problem)
{
    const char *kernel = part->request->kernel, *file = part->request->text->name;
    size_t found = part->count;
    unsigned count = 0;
    for (size_t i = 0; i < part->count; i++) {
        const struct item *item = &part->items[i];
        if (item->kind != ITEM_FUNCTION || !item->is_kernel || !item->body)
            continue;
        if (kernel && !is_called(item, kernel))
            continue;
        found = i;
        count++;
    }
    if (count == 1)
        return found;
    if (!count && kernel)
        (void)problem_say(problem, "%s has no kernel named %s", file, kernel);
    else if (!count)
        (void)problem_say(problem, "%s has no __global__ function", file);
    else
        (void)problem_say(problem, "%s has %u kernels%s%s; choose one by its line: NAME:LINE", file, count,
                          kernel ? " named " : "", kernel ? kernel : "");
    return part->count;
}

/* The token after the > that closes the < at `open`; NULL where there is none in this statement. */
static const struct token *after_angles(const struct token *open)
{
    int depth = 0;
    for (const struct token *at = open; at->kind != TOKEN_END && !token_is_punct(at, ';'); at++) {
        if (token_is_punct(at, '(') || token_is_punct(at, '{'))
            at = item_after_brackets(at) - 1;
        depth += token_is_punct(at, '<') - token_is_punct(at, '>') - 2 * token_is_punct(at, PUNCT2('>', '>'));
        if (depth <= 0)
            return depth ? NULL : at + 1;
    }
    return NULL;
}

/* Do all names between < and > mean something to device code? The T of a host function's template does not.
 */
static bool are_known(struct part *part, const struct token *at, const struct token *end)
{
    static const char *const known[] = {"half", "__half", "int8_t",        "int16_t",  "int32_t",  "int64_t",
                                        "true", "false",  "uint8_t",       "uint16_t", "uint32_t", "uint64_t",
                                        "uint", "half2",  "__nv_bfloat16", "sizeof"};
    for (; at < end; at++) {
        bool ok = at->kind != TOKEN_NAME || is_word(at);
        for (size_t i = 0; !ok && i < sizeof known / sizeof *known; i++)
            ok = token_is(at, known[i]);
        const char digit = at->length > 1 ? at->text[at->length - 1] : 0;
        bool vector = !ok && digit >= '1' && digit <= '4'; /* float4 and its kin */
        if (!ok && !vector && !name_of(part, at)->items)
            return false;
    }
    return true;
}

static char *join(struct part *part, const struct token *at, const struct token *end)
{
    size_t size = 1;
    for (const struct token *t = at; t < end; t++)
        size += t->length + 1u;
    char *text = arena_take(&part->arena, size), *out = text;
    for (; at < end; at++) {
        memcpy(out, at->text, at->length);
        out += at->length;
        *out++ = ' ';
    }
    *out = '\0';
    return text;
}

/* Where the text launches or instantiates the template kernel with something: at its <; NULL: nowhere. */
static const struct token *find_use(struct part *part, const struct item *kernel)
{
    for (const struct token *at = part->pre.tokens.at; at->kind != TOKEN_END; at++) {
        if (at == kernel->begin)
            at = kernel->end;
        if (at->kind == TOKEN_END)
            break;
        if (at->kind != TOKEN_NAME || at->length != kernel->name->length ||
            memcmp(at->text, kernel->name->text, at->length) != 0 || !token_is_punct(at + 1, '<'))
            continue;
        const struct token *end = after_angles(at + 1);
        if (end && end - at > 3 && are_known(part, at + 2, end - 1))
            return at + 1;
    }
    return NULL;
}

/* float for each type that nothing is known of; false for another kind of parameter. Those with defaults keep
 * them. */
static bool assume_arguments(const struct item *kernel, char *out, size_t size)
{
    const struct token *at = kernel->begin + 2, *end = kernel->head - 1;
    size_t used = 0;
    *out = '\0';
    while (at < end) {
        const struct token *next = at, *name = at + 1;
        bool has_default = false;
        for (; next < end && !token_is_punct(next, ','); next++) {
            has_default = has_default || token_is_punct(next, '=');
            if (token_is_punct(next, '(') || token_is_punct(next, '<'))
                return false;
        }
        if (has_default)
            return true;
        bool is_type =
            (token_is(at, "typename") || token_is(at, "class")) && name->kind == TOKEN_NAME && next == at + 2;
        if (!is_type || used + 8 > size)
            return false;
        used += (size_t)snprintf(out + used, size - used, "%sfloat", used ? ", " : "");
        at = next + (next < end);
    }
    return true;
}

/* What a template kernel is compiled with; NULL after filling the problem. */
static const char *choose_arguments(struct part *part, const struct item *kernel, bool *assumed,
                                    struct problem *problem)
{
    const struct token *use = find_use(part, kernel);
    char text[400];
    if (part->request->template_given)
        return part->request->template_given;
    if (use) {
        const struct token *end = after_angles(use) - 1;
        for (const struct token *t = use + 1; t < end; t++)
            if (t->kind == TOKEN_NAME)
                need_name(part, t);
        return join(part, use + 1, end);
    }
    *assumed = true;
    if (assume_arguments(kernel, text, sizeof text))
        return arena_copy(&part->arena, text, strlen(text));
    problem_offer(problem, PROBLEM_CURE_TEMPLATE);
    (void)problem_at(
        problem, kernel->name->source, kernel->name->begin,
        "nothing in the text says what the parameters of the template %.*s stand for: template <%.200s>",
        (int)kernel->name->length, kernel->name->text, join(part, kernel->begin + 2, kernel->head - 1));
    return NULL;
}

static struct piece *piece_of(struct part *part, const struct source *source)
{
    struct piece *piece = part->pieces;
    while (piece && piece->source != source)
        piece = piece->next;
    if (piece)
        return piece;
    piece = arena_take(&part->arena, sizeof *piece);
    *piece = (struct piece){
        .source = source, .keep = arena_take(&part->arena, source->size + 1), .next = part->pieces};
    part->pieces = piece;
    return piece;
}

/* What the tokens cover in the text where they begin. */
static void keep_bytes(struct part *part, const struct token *begin, const struct token *end, bool value)
{
    if (begin >= end)
        return;
    const struct source *source = begin->source;
    size_t from = source->size, to = 0;
    for (const struct token *at = begin; at < end; at++) {
        if (at->source != source)
            continue;
        from = at->begin < from ? at->begin : from;
        to = at->end > to && at->end <= source->size ? at->end : to;
    }
    if (from < to)
        memset(piece_of(part, source)->keep + from, value, to - from);
}

/* Takes the host's functions out of a class. */
static void drop_members(struct part *part, const struct item *item)
{
    const struct token *end = item->body ? item_after_brackets(item->body) - 1 : NULL;
    for (const struct token *at = item->body ? item->body + 1 : NULL; at && at < end;) {
        struct item member = item_at(at, true);
        if (member.kind == ITEM_CLASS)
            drop_members(part, &member);
        bool is_default = member.end - member.begin > 2 && token_is(member.end - 2, "default");
        if (member.kind == ITEM_FUNCTION && !member.is_device && !is_default && !member.begin->expanded &&
            member.end <= end)
            keep_bytes(part, member.begin, member.end, false);
        at = member.end;
    }
}

/* using namespace std; namespace cg = cooperative_groups; and namespaces of the text. */
static bool is_known_namespace(struct part *part, const struct item *item)
{
    const struct token *at = item->begin;
    bool is_using = token_is(at, "using") && token_is(at + 1, "namespace");
    bool is_alias = token_is(at, "namespace") && token_is_punct(at + 2, '=');
    if (!is_using && !is_alias)
        return false;
    const struct token *name = is_using ? at + 2 : at + 3;
    if (token_is(name, "std") || token_is(name, "cooperative_groups"))
        return true;
    for (size_t i = 0; i < part->count; i++)
        if (part->items[i].kind == ITEM_WRAPPER)
            for (const struct token *t = part->items[i].begin; t < part->items[i].end; t++)
                if (t->kind == TOKEN_NAME && t->length == name->length &&
                    memcmp(t->text, name->text, t->length) == 0)
                    return true;
    return false;
}

static void keep_items(struct part *part)
{
    for (size_t i = 0; i < part->count; i++) {
        const struct item *item = &part->items[i];
        bool always = item->kind == ITEM_WRAPPER || item->kind == ITEM_CLOSING;
        if (item->kind == ITEM_OTHER &&
            (token_is(item->begin, "using") || token_is(item->begin, "namespace")) &&
            is_known_namespace(part, item))
            always = true;
        if (always || part->needed[i])
            keep_bytes(part, item->begin, item->end, true);
    }
    for (size_t i = 0; i < part->count; i++)
        if (part->needed[i] && part->items[i].kind == ITEM_CLASS)
            drop_members(part, &part->items[i]);
}

/* The text of the #include at `hash`, where the preprocessor read it; NULL. */
static const struct source *included_at(struct part *part, const struct source *from,
                                        const struct token *hash, const struct token *end)
{
    const struct include_reader *reader = part->request->includes;
    const struct token *name = hash + 2;
    char path[400];
    if (!reader || part->request->keeps_includes || name >= end || name->kind != TOKEN_STRING ||
        name->length < 3 || name->length >= sizeof path)
        return NULL;
    memcpy(path, name->text + 1, name->length - 2u);
    path[name->length - 2u] = '\0';
    return reader->read(reader->self, path, from);
}

/* Directives stay, whatever is around them; pragmas only with it. */
static bool keep_directives(struct part *part, struct piece *piece, unsigned depth, struct problem *problem)
{
    struct token_list raw = {0};
    piece->scanned = true;
    bool ok = tokens_of(piece->source, &raw, problem);
    for (size_t i = 0; ok && i + 1 < raw.count;) {
        const struct token *hash = &raw.at[i++];
        if (!hash->starts_line || !token_is_punct(hash, '#'))
            continue;
        while (i + 1 < raw.count && !raw.at[i].starts_line)
            i++;
        const struct token *end = &raw.at[i];
        bool is_include = token_is(hash + 1, "include");
        if (token_is(hash + 1, "pragma")) {
            piece->once = piece->once || token_is(hash + 2, "once");
            continue;
        }
        keep_bytes(part, hash, end, !is_include || part->request->keeps_includes);
        const struct source *source = is_include ? included_at(part, piece->source, hash, end) : NULL;
        if (!source || depth == SPLICE_DEPTH)
            continue;
        struct piece *inner = piece_of(part, source);
        piece->splices = memory_resize(piece->splices, piece->splice_count + 1, sizeof *piece->splices);
        piece->splices[piece->splice_count++] = (struct splice){hash->begin, end[-1].end, inner};
        struct problem ignored = {0}; /* not understood: passed over, as the preprocessor did */
        if (!inner->scanned)
            (void)keep_directives(part, inner, depth + 1, &ignored);
    }
    token_list_free(&raw);
    return ok;
}

struct sheet {
    char *bytes;
    size_t size, capacity;
};

static void put(struct sheet *sheet, char c)
{
    if (sheet->size + 1 >= sheet->capacity) {
        sheet->capacity = 2 * sheet->capacity + 4096;
        sheet->bytes = memory_resize(sheet->bytes, sheet->capacity, 1);
    }
    sheet->bytes[sheet->size++] = c;
    sheet->bytes[sheet->size] = '\0';
}

static void put_line(struct sheet *sheet, int line, const char *name)
{
    char text[40];
    (void)snprintf(text, sizeof text, "\n#line %d \"", line);
    for (const char *c = text; *c; c++)
        put(sheet, *c);
    for (const char *c = name; *c; c++)
        put(sheet, *c == '"' || *c == '\\' || (unsigned char)*c < ' ' ? '_' : *c);
    put(sheet, '"');
    put(sheet, '\n');
}

/* The piece with those that it includes in their places. */
static bool write_piece(const struct part *part, struct piece *piece, unsigned depth, struct sheet *sheet)
{
    const struct source *source = piece->source;
    const char *name = depth ? source->name : DEVICE_PART_FILE;
    size_t next = 0;
    int line = 1;
    piece->written = true;
    for (size_t i = 0; i < source->size && sheet->size < PART_LIMIT; i++) {
        const struct splice *splice = next < piece->splice_count ? &piece->splices[next] : NULL;
        char c = source->bytes[i];
        if (splice && i == splice->begin) {
            next++;
            if (!(splice->piece->once && splice->piece->written) && depth < SPLICE_DEPTH) {
                put_line(sheet, 1, splice->piece->source->name);
                if (!write_piece(part, splice->piece, depth + 1, sheet))
                    return false;
                put_line(sheet, line, name);
            }
        }
        line += c == '\n';
        put(sheet, c == '\n' || piece->keep[i] ? c : ' ');
    }
    return sheet->size < PART_LIMIT;
}

static char *text_of(const char *bytes, size_t size)
{
    char *copy = memory_take(size + 1, 1);
    memcpy(copy, bytes, size);
    return copy;
}

static bool preprocess_text(struct part *part, struct problem *problem)
{
    static const struct source given[] = {{"device", "__CUDACC__", 10},
                                          {"device", "__CUDA_ARCH__=700", 17},
                                          {"device", "CUDART_VERSION=12000", 20},
                                          {"device", "CUDA_VERSION=12000", 18}};
    const struct device_part_request *request = part->request;
    part->pre.arena = &part->arena;
    part->pre.problem = problem;
    part->pre.reader = request->includes;
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof given / sizeof *given; i++)
        ok = preprocess_define(&part->pre, &given[i]);
    for (unsigned i = 0; ok && i < request->definition_count; i++) {
        struct source *source = arena_take(&part->arena, sizeof *source);
        *source = (struct source){"definition", request->definitions[i], strlen(request->definitions[i])};
        ok = preprocess_define(&part->pre, source);
    }
    return ok && preprocess(&part->pre, request->text);
}

/* The names of the kernel's parameters: the last word of each, brackets and defaults aside. */
static void write_parameters(const struct item *kernel, struct device_part *out)
{
    const struct token *end = item_after_brackets(kernel->parameters) - 1, *name = NULL;
    for (const struct token *at = kernel->parameters + 1; at <= end; at++) {
        if (at < end && at->kind == TOKEN_NAME && !is_word(at))
            name = at;
        bool skips = token_is_punct(at, '=') || token_is_punct(at, '[');
        int depth = 0;
        for (; (skips || depth) && at < end && (depth > 0 || !token_is_punct(at, ',')); at++)
            depth += (token_is_punct(at, '(') || token_is_punct(at, '{') || token_is_punct(at, '<')) -
                     (token_is_punct(at, ')') || token_is_punct(at, '}') || token_is_punct(at, '>'));
        if (at < end && token_is_punct(at, '<')) { /* pair<int, float> a: the comma is the type's */
            const struct token *after = after_angles(at);
            if (after && after <= end)
                at = after - 1;
        }
        if ((at < end && !token_is_punct(at, ',')) || at == kernel->parameters + 1)
            continue;
        out->parameters = memory_resize(out->parameters, out->parameter_count + 1u, sizeof *out->parameters);
        out->parameters[out->parameter_count++] = name ? text_of(name->text, name->length) : text_of("", 0);
        name = NULL;
    }
}

static bool write_part(struct part *part, size_t kernel, const char *arguments, struct device_part *out,
                       struct problem *problem)
{
    const struct source *text = part->request->text;
    const struct item *item = &part->items[kernel];
    struct piece *piece = piece_of(part, text);
    struct sheet sheet = {0};
    put(&sheet, '\n');
    sheet.size = 0;
    if (!write_piece(part, piece, 0, &sheet)) {
        free(sheet.bytes);
        return problem_say(problem, "%s is larger than 32 MiB with all that it includes", text->name);
    }
    out->text = sheet.bytes;
    out->size = sheet.size;
    out->kernel = text_of(item->name->text, item->name->length);
    write_parameters(item, out);
    out->scope = text_of(part->scopes[kernel], strlen(part->scopes[kernel]));
    out->arguments = arguments ? text_of(arguments, strlen(arguments)) : NULL;
    return true;
}

bool device_part_of(const struct device_part_request *request, struct device_part *out,
                    struct problem *problem)
{
    struct part part = {.request = request};
    *out = (struct device_part){0};
    bool ok = preprocess_text(&part, problem);
    if (ok) {
        cut_items(&part);
        size_t kernel = find_kernel(&part, problem);
        ok = kernel < part.count;
        if (ok) {
            const struct item *item = &part.items[kernel];
            const char *arguments = NULL;
            if (token_is(item->begin, "template")) {
                arguments = choose_arguments(&part, item, &out->assumed, problem);
                ok = arguments != NULL;
            }
            need_item(&part, kernel);
            follow(&part);
            keep_items(&part);
            ok = ok && keep_directives(&part, piece_of(&part, request->text), 0, problem) &&
                 write_part(&part, kernel, arguments, out, problem);
        }
    }
    free(part.items);
    free(part.scopes);
    free(part.needed);
    free(part.queue);
    for (struct piece *piece = part.pieces; piece; piece = piece->next)
        free(piece->splices);
    token_list_free(&part.pre.tokens);
    arena_free(&part.arena);
    return ok;
}

void device_part_free(struct device_part *part)
{
    for (unsigned i = 0; i < part->parameter_count; i++)
        free(part->parameters[i]);
    free(part->parameters);
    free(part->text);
    free(part->kernel);
    free(part->scope);
    free(part->arguments);
    *part = (struct device_part){0};
}
