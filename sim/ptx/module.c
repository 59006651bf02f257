/* module.c - a text's top level: functions and variables. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

static bool is(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* (.param .u64 a, .param .align 8 .b8 b[16]) or (.reg .b32 r), declared in the function's scope. */
static bool read_parameters(struct module *m, struct variable **list)
{
    const char *text;
    unsigned count = 0;
    while (!scan_accept(&m->scan, ')')) {
        enum ptx_space space;
        if ((*list || count) && !scan_expect(&m->scan, ',', "between parameters"))
            return false;
        size_t at = (scan_space(&m->scan), m->scan.at), length = scan_name(&m->scan, &text);
        bool is_register = is(text, length, ".reg");
        if (!is_register && !(space_of(text, length, &space) && space == PTX_PARAM))
            return scan_fail(&m->scan, at, "a parameter is expected here: .param and its type and name");
        struct variable *v = variable_read(m, PTX_PARAM);
        if (!v)
            return false;
        if (++count > 64)
            return scan_fail(&m->scan, at, "a function has at most 64 parameters here");
        struct symbol_of_ptx symbol = {.kind = SYMBOL_PTX_VARIABLE, .variable = v};
        if (is_register) {
            symbol.kind = SYMBOL_PTX_REGISTER;
            symbol.type = (struct ptx_type){.bytes = v->bytes, .is_float = v->is_float, .components = 1};
            symbol.reg = register_new(m, symbol.type);
        }
        v->index = (int)count - 1;
        symbol_declare(m, v->name, &symbol);
        for (; *list; list = &(*list)->next)
            ;
        *list = v;
    }
    return true;
}

/* .maxntid 256, 1, 1 and others between parameters and body. */
static bool read_performance(struct module *m)
{
    const char *text;
    while (scan_at(&m->scan, '.')) {
        size_t length = scan_name(&m->scan, &text);
        bool required = is(text, length, ".reqntid"), largest = is(text, length, ".maxntid");
        if (is(text, length, ".pragma")) {
            scan_skip_to(&m->scan, ';');
            continue;
        }
        for (int i = 0; !scan_at(&m->scan, '.') && !scan_at(&m->scan, '{') && !scan_at(&m->scan, ';'); i++) {
            int64_t number;
            if (i && !scan_expect(&m->scan, ',', "between numbers"))
                return false;
            if (!scan_integer(&m->scan, &number))
                return false;
            if (required && i < 3 && number > 0 && number <= UINT32_MAX)
                m->function->required_block[i] = (uint32_t)number;
            if (largest && i < 3 && number > 0 && number <= UINT32_MAX)
                m->function->largest_block[i] = (uint32_t)number;
        }
    }
    return true;
}

static struct function_of_ptx *new_function(struct module *m, bool is_entry)
{
    struct function_of_ptx *f = arena_take(&m->arena, sizeof *f);
    f->is_entry = is_entry;
    *m->functions_end = f;
    m->functions_end = &f->next;
    return m->function = f;
}

/* .entry name (...) { } and .func (...) name (...) { }, from behind the word. */
static bool read_function(struct module *m, bool is_entry)
{
    const char *text;
    struct function_of_ptx *f = new_function(m, is_entry);
    m->file = m->line = 0;
    if (!scope_open(m))
        return false;
    if (scan_accept(&m->scan, '(') && !read_parameters(m, &f->results))
        return false;
    size_t at = (scan_space(&m->scan), m->scan.at), length = scan_name(&m->scan, &text);
    if (!length)
        return scan_fail(&m->scan, at, "a function's name is expected here");
    f->name = name_intern(m, text, length);
    f->begin = (uint32_t)at;
    if (scan_accept(&m->scan, '(') && !read_parameters(m, &f->parameters))
        return false;
    if (!read_performance(m))
        return false;
    if (!scan_accept(&m->scan, ';')) {
        f->has_body = true;
        if (!scan_expect(&m->scan, '{', "before a function's body") || !body_read(m))
            return false;
    }
    f->end = (uint32_t)m->scan.at;
    if (f->has_body || !f->name->function)
        f->name->function = f;
    scope_close(m);
    m->function = NULL;
    return true;
}

/* .file 1 "name.cu", 123, 456 */
static bool read_file(struct module *m)
{
    int64_t number;
    const char *text;
    size_t length;
    if (!scan_integer(&m->scan, &number) || !scan_string(&m->scan, &text, &length))
        return false;
    if (number > 0 && number < PTX_FILE_LIMIT)
        m->files[number] = arena_copy(&m->arena, text, length);
    while (scan_accept(&m->scan, ','))
        if (!scan_integer(&m->scan, &number))
            return false;
    return true;
}

static bool skip_line(struct module *m)
{
    while (m->scan.at < m->scan.source->size && m->scan.source->bytes[m->scan.at] != '\n')
        m->scan.at++;
    return true;
}

static bool read_version(struct module *m)
{
    scan_space(&m->scan);
    size_t at = m->scan.at;
    bool old = at + 1 < m->source->size && m->source->bytes[at] < '3' && m->source->bytes[at + 1] == '.';
    return skip_line(m) && (!old || scan_fail(&m->scan, at, "PTX older than 3.0 is not supported"));
}

static bool read_item(struct module *m)
{
    const char *text;
    enum ptx_space space;
    size_t begin = m->scan.at, length = scan_name(&m->scan, &text);
    if (is(text, length, ".version"))
        return read_version(m);
    if (is(text, length, ".target"))
        return skip_line(m);
    if (is(text, length, ".address_size")) {
        int64_t bits;
        size_t at = m->scan.at;
        return scan_integer(&m->scan, &bits) &&
               (bits == 64 ||
                scan_fail(&m->scan, at, "addresses of 64 bits are supported, not of %d", (int)bits));
    }
    if (is(text, length, ".file"))
        return read_file(m);
    if (is(text, length, ".section")) {
        while (m->scan.at < m->scan.source->size && !scan_at(&m->scan, '{'))
            m->scan.at++;
        return scan_skip_braces(&m->scan);
    }
    if (is(text, length, ".visible") || is(text, length, ".extern") || is(text, length, ".weak") ||
        is(text, length, ".common"))
        return true;
    if (is(text, length, ".entry") || is(text, length, ".func"))
        return read_function(m, text[1] == 'e');
    if (space_of(text, length, &space)) {
        struct variable *v = variable_read(m, space);
        struct symbol_of_ptx symbol = {.kind = SYMBOL_PTX_VARIABLE, .variable = v};
        if (v)
            symbol_declare(m, v->name, &symbol);
        return v && scan_expect(&m->scan, ';', "after a variable");
    }
    if (is(text, length, ".pragma") || is(text, length, ".alias") || is(text, length, ".attribute")) {
        scan_skip_to(&m->scan, is(text, length, ".attribute") ? ')' : ';');
        return true;
    }
    if (m->scan.source->bytes[begin] == '@')
        return skip_line(m);
    return scan_fail(&m->scan, begin, "this is no directive of PTX that is known here");
}

bool module_read(struct module *m)
{
    if (m->source->size > UINT32_MAX)
        return problem_say(m->problem, "%s is larger than 4 GiB", m->source->name);
    m->functions_end = &m->functions;
    m->scan = (struct scan){.source = m->source, .at = source_text_begin(m->source), .problem = m->problem};
    while (scan_space(&m->scan), m->scan.at < m->source->size && m->source->bytes[m->scan.at])
        if (!read_item(m))
            return false;
    return true;
}

void module_free(struct module *m)
{
    for (struct function_of_ptx *f = m->functions; f; f = f->next) {
        free(f->registers);
        free(f->instructions);
        free(f->scope_parents);
    }
    free(m->buckets);
    arena_free(&m->arena);
}
