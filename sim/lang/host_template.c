/* host_template.c - what a launch passes for its kernel's template: numbers from variables of the host code,
 * types and numbers that a host template gets from its own call.
 */
#include <stdio.h>
#include <string.h>

#include "host.h"
#include "unit_state.h"

enum { RESOLVE_DEPTH = 8 };

/* The < of the template that the function is, or NULL: behind `template` before its name. */
static const struct token *head_before(const struct host *host, const struct host_function *function)
{
    const struct token *found = NULL;
    for (const struct token *t = function->name; t > host->tokens; t--) {
        if (token_is_punct(t, ';') || token_is_punct(t, '}') || token_is_punct(t, '{'))
            break;
        if (token_is(t, "template") && token_is_punct(t + 1, '<'))
            found = t + 1;
    }
    return found;
}

/* Item `index` between < and >, at `open`. */
static bool item_of(const struct token *open, unsigned index, struct host_span *item)
{
    const struct token *end = template_after_head(open - 1) - 1, *begin = open + 1;
    int depth = 0;
    for (const struct token *t = begin; t <= end; t++) {
        bool ends = t == end || (depth == 0 && token_is_punct(t, ','));
        if (ends && index-- == 0) {
            *item = (struct host_span){begin, t};
            return begin < t;
        }
        if (ends)
            begin = t + 1;
        depth += token_opens(t) + token_is_punct(t, '<') - token_closes(t) - token_is_punct(t, '>');
    }
    return false;
}

bool host_template_argument(const struct host *host, struct host_place place, const struct token *name,
                            struct host_place *where, struct host_span *span)
{
    const struct token *open = place.function ? head_before(host, place.function) : NULL;
    struct host_span item;
    for (unsigned i = 0; open && item_of(open, i, &item); i++) {
        const struct token *equals = item.begin, *call = place.function->call;
        while (equals < item.end && !token_is_punct(equals, '='))
            equals++;
        if (!token_same_name(equals - 1, name))
            continue;
        if (call && token_is_punct(call + 1, '<') && item_of(call + 1, i, span)) {
            *where = (struct host_place){host_function_of(host, call), call, NULL};
            return true;
        }
        *span = (struct host_span){equals + 1, item.end};
        *where = (struct host_place){NULL, equals, NULL};
        return equals < item.end;
    }
    return false;
}

struct writer {
    char *out;
    size_t size, used;
    bool assumed; /* auto for a type that nothing says */
};

static void put(struct writer *w, const char *text, size_t length)
{
    if (w->used + length + 2 > w->size) {
        w->used = w->size; /* too long: no answer */
        return;
    }
    bool is_word = strchr(",<>:*&()[]", text[0]) == NULL;
    if (w->used && (w->out[w->used - 1] == ',' || (is_word && !strchr("<:(", w->out[w->used - 1]))))
        w->out[w->used++] = ' ';
    memcpy(w->out + w->used, text, length);
    w->used += length;
    w->out[w->used] = '\0';
}

static bool is_known(struct host *host, const struct token *name)
{
    struct problem ignored = {0};
    struct parser parser = parser_at(host->unit, name, &ignored);
    return parse_at_type(&parser) || parse_find(&parser, name) || parse_at_class(&parser, name);
}

/* The tokens as the kernel's text may read them: the names of host templates replaced, numbers worked out. */
static bool write_item(struct host *host, struct host_place place, struct host_span span, bool is_type,
                       unsigned depth, struct writer *w)
{
    if (depth == RESOLVE_DEPTH)
        return false;
    if (!is_type) {
        struct host_value v = host_evaluate(host, place, span);
        char text[32];
        if (v.kind == HOST_INTEGER && !v.assumed) {
            (void)snprintf(text, sizeof text, "%lld", (long long)v.n[0]);
            put(w, text, strlen(text));
            return true;
        }
    }
    for (const struct token *t = span.begin; t < span.end; t++) {
        struct host_place where;
        struct host_span own;
        bool is_name = t->kind == TOKEN_NAME && !token_is_punct(t - 1, PUNCT2(':', ':'));
        if (is_name && host_template_argument(host, place, t, &where, &own)) {
            if (!write_item(host, where, own, is_type, depth + 1, w))
                return false;
        } else if (is_name && is_type && span.end - span.begin == 1 && !is_known(host, t)) {
            put(w, "auto", 4);
            w->assumed = true;
        } else if (is_name && !is_type && !is_known(host, t)) {
            return false;
        } else {
            put(w, t->text, t->length);
        }
    }
    return true;
}

static unsigned count_stars(const struct token *at, const struct token *end)
{
    unsigned stars = 0;
    for (; at < end; at++)
        stars += token_is_punct(at, '*') || token_is_punct(at, '[');
    return stars;
}

static bool ends_declarator(const struct token *at)
{
    return token_is_punct(at, ';') || token_is_punct(at, ',') || token_is_punct(at, '=') ||
           token_is_punct(at, ')') || token_is_punct(at, '[');
}

/* The words of a type from `at` on, up to its stars or its name; false: none stand there. */
static bool type_words(const struct token *at, const struct token *name, struct host_span *type)
{
    while (token_is(at, "const") || token_is(at, "static") || token_is(at, "volatile"))
        at++;
    *type = (struct host_span){at, at};
    while (type->end < name &&
           (type->end->kind == TOKEN_NAME || token_is_punct(type->end, PUNCT2(':', ':'))) &&
           !token_is(type->end, "return") && !token_is(type->end, "auto") && !token_is(type->end, "const") &&
           !ends_declarator(type->end + 1))
        type->end++;
    return type->end > at;
}

/* The type that a host variable is declared with, in the function of the launch, and how many stars it has.
 */
static bool declared_type(const struct host_launch *launch, const struct token *name, struct host_span *type,
                          unsigned *stars)
{
    const struct host_function *f = launch->place.function;
    bool found = false;
    for (const struct token *t = f ? f->name + 1 : name; t < launch->place.at; t++) {
        const struct token *begin = t, *behind = t + 1;
        bool declares =
            token_same_name(t, name) && ends_declarator(behind) &&
            (token_is_punct(t - 1, '*') || t[-1].kind == TOKEN_NAME || token_is_punct(t - 1, ','));
        bool is_parameter = t < f->body;
        while (declares && !token_is_punct(begin - 1, ';') && !token_is_punct(begin - 1, '{') &&
               !token_is_punct(begin - 1, '}') && !token_is_punct(begin - 1, '(') &&
               !(is_parameter && token_is_punct(begin - 1, ',')))
            begin--;
        struct host_span words;
        if (!declares || !type_words(begin, t, &words))
            continue;
        const struct token *from = t;
        while (token_is_punct(from - 1, '*'))
            from--;
        if (from != words.end && !token_is_punct(from - 1, ',')) /* a * name */
            continue;
        *type = words;
        *stars = count_stars(from, t) + token_is_punct(behind, '[');
        found = true;
    }
    return found;
}

/* What an argument of the launch says its template's type is: of `T *a` and `double *d_a`, double. */
static bool deduced_type(const struct host_launch *launch, const struct kernel_entry *entry,
                         const struct token *name, struct host_span *type)
{
    struct host_span parameters[HOST_ARGUMENT_LIMIT];
    const struct token *open = entry->name_token + 1;
    unsigned count = token_is_punct(open, '(') ? host_list(open, parameters, HOST_ARGUMENT_LIMIT) : 0;
    for (unsigned i = 0; i < count && i < launch->argument_count; i++) {
        const struct token *at = parameters[i].begin, *argument = launch->arguments[i].begin;
        while (at < parameters[i].end && !token_same_name(at, name))
            at++;
        bool simple = at < parameters[i].end && !token_is_punct(at + 1, PUNCT2(':', ':')) &&
                      !token_is_punct(at + 1, '<') && !token_is_punct(at + 1, '>') &&
                      !token_is_punct(at + 1, ',');
        unsigned stars = 0, wanted = count_stars(at, parameters[i].end);
        if (simple && argument->kind == TOKEN_NAME && declared_type(launch, argument, type, &stars) &&
            stars == wanted)
            return true;
    }
    return false;
}

bool host_template_text(struct host *host, const struct host_launch *launch, const char *kernel, char *out,
                        size_t size, bool *assumed)
{
    const struct unit *unit = host->unit;
    const struct kernel_entry *entry = NULL;
    struct template_names names;
    struct problem ignored = {0};
    struct writer w = {out, size, 0, false};
    *out = '\0';
    for (unsigned i = 0; i < unit->kernel_count && !entry; i++)
        if (strcmp(unit->kernels[i].name, kernel) == 0 && unit->kernels[i].head.begin)
            entry = &unit->kernels[i];
    if (!entry)
        return false;
    struct parser parser = parser_at(host->unit, entry->name_token, &ignored);
    if (!template_names(&parser, &entry->head, &names))
        return false;
    const struct token *given = launch->template_arguments.begin;
    bool any = given != NULL;
    for (unsigned i = 0; i < names.count; i++) {
        struct host_span item;
        bool is_given = given && item_of(given - 1, i, &item);
        bool is_deduced = !is_given && names.is_type[i] && names.has_name[i] &&
                          deduced_type(launch, entry, names.name[i], &item);
        if (!is_given && !is_deduced && (names.standard[i] || !names.is_type[i]))
            break; /* its default, or the complaint that nothing says it */
        if (i)
            put(&w, ",", 1);
        any = any || is_deduced;
        if (!is_given && !is_deduced) {
            put(&w, "auto", 4);
            w.assumed = true;
        } else if (!write_item(host, launch->place, item, names.is_type[i], 0, &w)) {
            return false;
        }
    }
    *assumed = w.assumed;
    return any && w.used > 0 && w.used < size;
}
