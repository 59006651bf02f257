/* declare.c - types, and declarations of variables. */
#include <string.h>

#include "module.h"

static bool is(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

bool type_read(const char *text, size_t length, struct ptx_type *type)
{
    static const struct {
        const char *name;
        struct ptx_type type;
    } types[] = {
        {"pred", {.is_pred = true, .components = 1}},
        {"b8", {.bytes = 1, .components = 1}},
        {"b16", {.bytes = 2, .components = 1}},
        {"b32", {.bytes = 4, .components = 1}},
        {"b64", {.bytes = 8, .components = 1}},
        {"b128", {.bytes = 16, .components = 1}},
        {"u8", {.bytes = 1, .components = 1}},
        {"u16", {.bytes = 2, .components = 1}},
        {"u32", {.bytes = 4, .components = 1}},
        {"u64", {.bytes = 8, .components = 1}},
        {"s8", {.bytes = 1, .is_signed = true, .components = 1}},
        {"s16", {.bytes = 2, .is_signed = true, .components = 1}},
        {"s32", {.bytes = 4, .is_signed = true, .components = 1}},
        {"s64", {.bytes = 8, .is_signed = true, .components = 1}},
        {"f16", {.bytes = 2, .is_float = true, .components = 1}},
        {"f32", {.bytes = 4, .is_float = true, .components = 1}},
        {"f64", {.bytes = 8, .is_float = true, .components = 1}},
        {"bf16", {.bytes = 2, .is_float = true, .components = 1}},
        {"tf32", {.bytes = 4, .is_float = true, .components = 1}},
        {"f16x2", {.bytes = 4, .is_float = true, .components = 2}},
        {"bf16x2", {.bytes = 4, .is_float = true, .components = 2}},
        {"f32x2", {.bytes = 8, .is_float = true, .components = 2}},
        {"u16x2", {.bytes = 4, .is_float = true, .components = 2}}, /* as data */
        {"s16x2", {.bytes = 4, .is_float = true, .components = 2}},
        {"e4m3x2", {.bytes = 2, .is_float = true, .components = 2}},
        {"e5m2x2", {.bytes = 2, .is_float = true, .components = 2}},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (is(text, length, types[i].name)) {
            *type = types[i].type;
            return true;
        }
    return false;
}

bool space_of(const char *text, size_t length, enum ptx_space *space)
{
    static const char *const names[] = {".param", ".shared", ".global", ".const", ".local"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (is(text, length, names[i])) {
            *space = (enum ptx_space)i;
            return true;
        }
    return false;
}

/* [4][8] or [], into the variable's size. */
static bool read_dimensions(struct module *m, struct variable *v)
{
    bool open = false;
    for (v->size = v->bytes; scan_accept(&m->scan, '[');) {
        int64_t count = 0;
        size_t at = m->scan.at;
        open = open || scan_at(&m->scan, ']');
        if (!open && !scan_integer(&m->scan, &count))
            return false;
        if (!open && (count < 0 || __builtin_mul_overflow(v->size, (uint64_t)count, &v->size) ||
                      v->size > UINT64_C(1) << 40))
            return scan_fail(&m->scan, at, "this array is larger than 1 TiB");
        if (!scan_expect(&m->scan, ']', "after a dimension"))
            return false;
    }
    if (open)
        v->size = 0;
    return true;
}

/* = {...} or = 5, up to what follows. */
static bool skip_initial(struct module *m)
{
    if (!scan_accept(&m->scan, '='))
        return true;
    if (scan_at(&m->scan, '{'))
        return scan_skip_braces(&m->scan);
    while (!scan_at(&m->scan, ';') && !scan_at(&m->scan, ',') && m->scan.at < m->scan.source->size)
        m->scan.at++;
    return true;
}

/* .align 4 .b8, .u64 .ptr .global .align 16, .v4 .f32 */
static bool read_attributes(struct module *m, struct variable *v)
{
    const char *text;
    struct ptx_type type;
    unsigned vector = 1;
    int64_t number;
    enum ptx_space ignored;
    while (scan_at(&m->scan, '.')) {
        size_t at = m->scan.at, length = scan_name(&m->scan, &text);
        if (is(text, length, ".align")) {
            if (!scan_integer(&m->scan, &number))
                return false;
            if (number < 1 || number > 1 << 20 || (number & (number - 1)))
                return scan_fail(&m->scan, at, "an alignment is a power of two");
            if (!v->is_pointer)
                v->alignment = (uint64_t)number;
        } else if (is(text, length, ".ptr")) {
            v->is_pointer = true;
        } else if (is(text, length, ".v2") || is(text, length, ".v4")) {
            vector = (unsigned)(text[2] - '0');
        } else if (length > 1 && type_read(text + 1, length - 1, &type)) {
            v->bytes = type.bytes;
            v->is_float = type.is_float;
        } else if (is(text, length, ".attribute")) {
            scan_skip_to(&m->scan, ')');
        } else if (!space_of(text, length, &ignored)) {
            return scan_fail(&m->scan, at, "%.*s is not known in a declaration",
                             (int)(length < 40 ? length : 40), text);
        }
    }
    v->bytes *= vector;
    return true;
}

struct variable *variable_read(struct module *m, enum ptx_space space)
{
    struct variable *v = arena_take(&m->arena, sizeof *v);
    const char *text;
    *v = (struct variable){.space = space, .alignment = 0, .bytes = 0, .index = -1, .shared = -1};
    if (!read_attributes(m, v))
        return NULL;
    size_t at = (scan_space(&m->scan), m->scan.at), length = scan_name(&m->scan, &text);
    v->begin = (uint32_t)at;
    if (!length || !v->bytes) {
        scan_fail(&m->scan, at, length ? "this variable has no type" : "a variable's name is expected here");
        return NULL;
    }
    v->name = name_intern(m, text, length);
    if (!v->alignment)
        v->alignment = v->bytes;
    if (scan_accept(&m->scan, '<')) { /* .param .b32 p<4>: names that nothing uses any more */
        scan_fail(&m->scan, at, "numbered variables are not supported");
        return NULL;
    }
    return read_dimensions(m, v) && skip_initial(m) ? v : NULL;
}
