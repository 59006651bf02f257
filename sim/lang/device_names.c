/* device_names.c - which items of a text a kernel needs. */
#include "device_state.h"

#include <stdio.h>
#include <string.h>

struct name *device_name(struct part *part, const struct token *token)
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
    struct name *name = device_name(part, token);
    struct declaration *declaration = arena_take(&part->arena, sizeof *declaration);
    *declaration = (struct declaration){item, name->items};
    name->items = declaration;
}

bool device_is_word(const struct token *at)
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

/* enum { A, B = 2 }: the names between the braces. */
static void declare_enumerators(struct part *part, size_t item, const struct token *open)
{
    const struct token *end = token_after_brackets(open);
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
            at = token_after_brackets(at) - 1;
            continue;
        }
        is_enum = is_enum || token_is(at, "enum");
        tagged = tagged || item_is_class_word(at);
        const struct token *next = at + 1;
        if (at->kind != TOKEN_NAME || device_is_word(at))
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
    const struct token *end = token_after_brackets(item->parameters);
    for (const struct token *at = item->parameters; at < end; at++)
        if (at->kind == TOKEN_NAME && !device_is_word(at) &&
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

void device_cut(struct part *part)
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

void device_need_item(struct part *part, size_t index)
{
    if (part->needed[index] || !device_can_see(&part->items[index]))
        return;
    part->needed[index] = true;
    part->queue[part->queued++] = index;
}

void device_need_name(struct part *part, const struct token *token)
{
    struct name *name = device_name(part, token);
    if (name->is_needed)
        return;
    name->is_needed = true;
    for (const struct declaration *d = name->items; d; d = d->next)
        if (!part->items[d->item].is_kernel)
            device_need_item(part, d->item);
}

void device_follow(struct part *part)
{
    while (part->followed < part->queued) {
        const struct item *item = &part->items[part->queue[part->followed++]];
        for (const struct token *at = item->begin; at < item->end; at++)
            if (at->kind == TOKEN_NAME && at != item->name)
                device_need_name(part, at);
    }
}
