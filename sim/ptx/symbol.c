/* symbol.c - names and what they mean, scope by scope. */
#include <stdlib.h>
#include <string.h>

#include "module.h"

void *module_grow(void *array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return array;
    *capacity = *capacity ? 2 * *capacity : 64;
    return memory_resize(array, *capacity, size);
}

static uint64_t hash_of(const char *text, size_t length)
{
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
    return hash ^ hash >> 29;
}

static void widen(struct module *m)
{
    size_t count = m->bucket_count ? 4 * m->bucket_count : 1024;
    struct name **buckets = memory_take(count, sizeof(struct name *));
    for (size_t i = 0; i < m->bucket_count; i++)
        for (struct name *name = m->buckets[i], *next; name; name = next) {
            struct name **bucket = &buckets[hash_of(name->text, name->length) & (count - 1)];
            next = name->next;
            name->next = *bucket;
            *bucket = name;
        }
    free(m->buckets);
    m->buckets = buckets;
    m->bucket_count = count;
}

struct name *name_find(const struct module *m, const char *text, size_t length)
{
    struct name *name = m->bucket_count ? m->buckets[hash_of(text, length) & (m->bucket_count - 1)] : NULL;
    while (name && (name->length != length || memcmp(name->text, text, length) != 0))
        name = name->next;
    return name;
}

struct name *name_intern(struct module *m, const char *text, size_t length)
{
    struct name *name = name_find(m, text, length);
    if (name)
        return name;
    if (m->name_count++ >= m->bucket_count)
        widen(m);
    struct name **bucket = &m->buckets[hash_of(text, length) & (m->bucket_count - 1)];
    name = arena_take(&m->arena, sizeof *name);
    *name = (struct name){.text = arena_copy(&m->arena, text, length), .length = length, .next = *bucket};
    *bucket = name;
    return name;
}

bool scope_open(struct module *m)
{
    if (m->depth + 1 == PTX_SCOPE_DEPTH)
        return scan_fail(&m->scan, m->scan.at, "scopes are nested more than %d deep", PTX_SCOPE_DEPTH);
    m->scopes[++m->depth] = NULL;
    return true;
}

void scope_close(struct module *m)
{
    for (struct symbol_of_ptx *symbol = m->scopes[m->depth]; symbol; symbol = symbol->next_in_scope)
        symbol->name->symbol = symbol->shadowed;
    m->depth--;
}

/* Declares it in an open scope; names that the scopes within it declare hide it. */
static struct symbol_of_ptx *declare_at(struct module *m, struct name *name, const struct symbol_of_ptx *from,
                                        unsigned depth)
{
    struct symbol_of_ptx *symbol = arena_take(&m->arena, sizeof *symbol), **at = &name->symbol;
    *symbol = *from;
    while (*at && (*at)->depth > depth)
        at = &(*at)->shadowed;
    symbol->name = name;
    symbol->depth = depth;
    symbol->shadowed = *at;
    *at = symbol;
    symbol->next_in_scope = m->scopes[depth];
    m->scopes[depth] = symbol;
    return symbol;
}

void symbol_declare(struct module *m, struct name *name, const struct symbol_of_ptx *symbol)
{
    declare_at(m, name, symbol, m->depth);
}

int register_new(struct module *m, struct ptx_type type)
{
    struct function_of_ptx *f = m->function;
    f->registers = module_grow(f->registers, f->register_count, &f->register_capacity, sizeof *f->registers);
    f->registers[f->register_count] = (struct register_of_ptx){.type = type};
    return (int)f->register_count++;
}

/* %r17 of a declared %r<20>. */
static const struct symbol_of_ptx *find_in_range(struct module *m, const char *text, size_t length,
                                                 const struct symbol_of_ptx *known)
{
    size_t digits = length;
    int64_t number = 0;
    while (digits > 0 && text[digits - 1] >= '0' && text[digits - 1] <= '9')
        digits--;
    if (digits == length || length - digits > 9 || (text[digits] == '0' && length - digits > 1))
        return known;
    for (size_t i = digits; i < length; i++)
        number = 10 * number + text[i] - '0';
    struct name *prefix = name_find(m, text, digits);
    const struct symbol_of_ptx *range = prefix ? prefix->symbol : NULL;
    if (!range || range->kind != SYMBOL_PTX_RANGE || number >= range->count ||
        (known && known->depth >= range->depth))
        return known;
    struct symbol_of_ptx symbol = {
        .kind = SYMBOL_PTX_REGISTER, .reg = register_new(m, range->type), .type = range->type};
    return declare_at(m, name_intern(m, text, length), &symbol, range->depth);
}

const struct symbol_of_ptx *symbol_find(struct module *m, const char *text, size_t length)
{
    struct name *name = name_find(m, text, length);
    const struct symbol_of_ptx *known = name ? name->symbol : NULL;
    if (known && known->depth == m->depth && known->kind != SYMBOL_PTX_RANGE)
        return known;
    const struct symbol_of_ptx *found = m->function ? find_in_range(m, text, length, known) : known;
    return found && found->kind == SYMBOL_PTX_RANGE ? NULL : found;
}
