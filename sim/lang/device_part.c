/* device_part.c - the kernel, and what its names lead to. */
#include "device_state.h"
#include "type.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_kernel(const struct item *item)
{
    return item->kind == ITEM_FUNCTION && item->is_kernel && item->body;
}

/* NAME:LINE of each kernel that `choice` may mean. */
static void list_kernels(const struct part *part, const char *choice, char *out, size_t size)
{
    size_t used = 0;
    *out = '\0';
    for (size_t i = 0; i < part->count && used < size; i++) {
        const struct token *name = part->items[i].name;
        if (is_kernel(&part->items[i]) && (!choice || token_is_chosen(name, choice)))
            used +=
                (size_t)snprintf(out + used, size - used, "%s%.*s:%d", used ? ", " : "",
                                 (int)(name->length < 80 ? name->length : 80), name->text, token_line(name));
    }
}

/* The index of the kernel, or the number of items after filling the problem. */
static size_t find_kernel(struct part *part, struct problem *problem)
{
    const char *kernel = part->request->kernel, *file = part->request->text->name;
    size_t found = part->count;
    unsigned count = 0;
    char names[400];
    for (size_t i = 0; i < part->count; i++) {
        if (!is_kernel(&part->items[i]) || (kernel && !token_is_chosen(part->items[i].name, kernel)))
            continue;
        found = i;
        count++;
    }
    list_kernels(part, kernel, names, sizeof names);
    if (count == 1)
        return found;
    if (!count && kernel)
        (void)problem_say(problem, "%s has no kernel named %s", file, kernel);
    else if (!count)
        (void)problem_say(problem, "%s has no __global__ function", file);
    else
        (void)problem_say(problem, "%s has %u kernels%s%s; choose one by its line: %s", file, count,
                          kernel ? " named " : "", kernel ? kernel : "", names);
    return part->count;
}

/* The token after the > that closes the < at `open`; NULL where there is none in this statement. */
static const struct token *after_angles(const struct token *open)
{
    int depth = 0;
    for (const struct token *at = open; at->kind != TOKEN_END && !token_is_punct(at, ';'); at++) {
        if (token_is_punct(at, '(') || token_is_punct(at, '{'))
            at = token_after_brackets(at) - 1;
        depth += token_is_punct(at, '<') - token_is_punct(at, '>') - 2 * token_is_punct(at, PUNCT2('>', '>'));
        if (depth <= 0)
            return depth ? NULL : at + 1;
    }
    return NULL;
}

/* float4 and its kin */
static bool is_vector(const struct token *at)
{
    static const char *const kinds[] = {"char",     "short", "int",    "long",
                                        "longlong", "float", "double", "half"};
    const char digit = at->length > 1 ? at->text[at->length - 1] : 0;
    size_t begin = at->text[0] == 'u', length = at->length - 1u - begin;
    for (size_t i = 0; digit >= '1' && digit <= '4' && i < sizeof kinds / sizeof *kinds; i++)
        if (strlen(kinds[i]) == length && memcmp(at->text + begin, kinds[i], length) == 0)
            return true;
    return false;
}

/* Do all names between < and > mean something to device code? The T of a host function's template does not.
 */
static bool are_known(struct part *part, const struct token *at, const struct token *end)
{
    static const char *const known[] = {"half",     "__half",        "int8_t",   "int16_t",   "int32_t",
                                        "int64_t",  "true",          "false",    "uint8_t",   "uint16_t",
                                        "uint32_t", "uint64_t",      "intptr_t", "uintptr_t", "uint",
                                        "half2",    "__nv_bfloat16", "sizeof"};
    for (; at < end; at++) {
        bool ok = at->kind != TOKEN_NAME || device_is_word(at);
        for (size_t i = 0; !ok && i < sizeof known / sizeof *known; i++)
            ok = token_is(at, known[i]);
        if (!ok && !is_vector(at) && !device_name(part, at)->items)
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

/* What the parameters could stand for: float for a type, 32 for a number. False: nothing is known of some
 * that are no types, so the arguments are only an example. Those with defaults keep them. */
static bool assume_arguments(const struct item *kernel, char *out, size_t size)
{
    bool sure = true;
    const struct token *at = kernel->begin + 2, *end = kernel->head - 1;
    size_t used = 0;
    *out = '\0';
    while (at < end) {
        const struct token *next = at, *name = at + 1;
        bool has_default = false;
        for (; next < end && !token_is_punct(next, ','); next++) {
            has_default = has_default || token_is_punct(next, '=');
            if (token_is_punct(next, '(') || token_is_punct(next, '<'))
                sure = false;
        }
        if (has_default)
            return sure;
        bool is_type =
            (token_is(at, "typename") || token_is(at, "class")) && name->kind == TOKEN_NAME && next == at + 2;
        sure = sure && is_type;
        if (used + 8 > size)
            return false;
        used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "",
                                 is_type ? type_name_counts(name->text, name->length) ? "int" : "float"
                                 : token_is(at, "bool") ? "true"
                                                        : "32");
        at = next + (next < end);
    }
    return sure;
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
                device_need_name(part, t);
        return join(part, use + 1, end);
    }
    *assumed = true;
    if (assume_arguments(kernel, text, sizeof text))
        return arena_copy(&part->arena, text, strlen(text));
    problem_offer(problem, PROBLEM_CURE_TEMPLATE);
    problem_want(problem, PROBLEM_CURE_TEMPLATE, "%s", text);
    (void)problem_at(
        problem, kernel->name->source, kernel->name->begin,
        "nothing in the text says what the parameters of the template %.*s stand for: template <%.200s>",
        (int)kernel->name->length, kernel->name->text, join(part, kernel->begin + 2, kernel->head - 1));
    return NULL;
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
    const struct token *end = token_after_brackets(kernel->parameters) - 1, *name = NULL;
    for (const struct token *at = kernel->parameters + 1; at <= end; at++) {
        if (at < end && at->kind == TOKEN_NAME && !device_is_word(at))
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
    struct piece *piece = device_piece(part, text);
    struct sheet sheet = {.bytes = memory_take(1, 1), .capacity = 1};
    if (!device_write(part, piece, 0, &sheet)) {
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
        device_cut(&part);
        size_t kernel = find_kernel(&part, problem);
        ok = kernel < part.count;
        if (ok) {
            const struct item *item = &part.items[kernel];
            const char *arguments = NULL;
            if (token_is(item->begin, "template")) {
                arguments = choose_arguments(&part, item, &out->assumed, problem);
                ok = arguments != NULL;
            }
            device_need_item(&part, kernel);
            device_follow(&part);
            device_keep_items(&part);
            ok = ok && device_keep_directives(&part, device_piece(&part, request->text), 0, problem) &&
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
