/* body.c - a function's body: declarations, labels, instructions. */
#include <string.h>

#include "module.h"

/* .reg .b32 %r<20>, %x; */
static bool read_registers(struct module *m)
{
    struct ptx_type type;
    const char *text;
    size_t at = (scan_space(&m->scan), m->scan.at), length = scan_name(&m->scan, &text);
    if (length < 2 || !type_read(text + 1, length - 1, &type))
        return scan_fail(&m->scan, at, "a register's type such as .b32 is expected here");
    do {
        struct symbol_of_ptx symbol = {.kind = SYMBOL_PTX_REGISTER, .type = type};
        at = (scan_space(&m->scan), m->scan.at);
        length = scan_name(&m->scan, &text);
        if (!length)
            return scan_fail(&m->scan, at, "a register's name is expected here");
        if (scan_accept(&m->scan, '<')) {
            symbol.kind = SYMBOL_PTX_RANGE;
            if (!scan_integer(&m->scan, &symbol.count) ||
                !scan_expect(&m->scan, '>', "after a number of registers"))
                return false;
        } else {
            symbol.reg = register_new(m, type);
        }
        symbol_declare(m, name_intern(m, text, length), &symbol);
    } while (scan_accept(&m->scan, ','));
    return scan_expect(&m->scan, ';', "after registers");
}

/* .loc 1 21 5, function_name $L + 3, inlined_at 1 40 3: where it stands, which of the texts is innermost. */
static bool read_location(struct module *m)
{
    int64_t file, line, column;
    if (!scan_integer(&m->scan, &file) || !scan_integer(&m->scan, &line) || !scan_integer(&m->scan, &column))
        return false;
    if (line > 0 && line <= INT32_MAX && file > 0 && file < PTX_FILE_LIMIT) { /* line 0: of no line */
        m->file = (int)file;
        m->line = (int)line;
    }
    const char *text;
    int64_t number;
    while (scan_accept(&m->scan, ',')) {
        if (scan_word(&m->scan, "function_name")) {
            if (!scan_name(&m->scan, &text))
                return scan_fail(&m->scan, m->scan.at, "a label is expected here");
            if (scan_accept(&m->scan, '+') && !scan_integer(&m->scan, &number))
                return false;
        } else if (!scan_word(&m->scan, "inlined_at") || !scan_integer(&m->scan, &number) ||
                   !scan_integer(&m->scan, &number) || !scan_integer(&m->scan, &number)) {
            return scan_fail(&m->scan, m->scan.at, "function_name or inlined_at is expected here");
        }
    }
    return true;
}

static bool read_variable(struct module *m, enum ptx_space space)
{
    struct variable *variable = variable_read(m, space);
    if (!variable)
        return false;
    struct symbol_of_ptx symbol = {.kind = SYMBOL_PTX_VARIABLE, .variable = variable};
    symbol_declare(m, variable->name, &symbol);
    return scan_expect(&m->scan, ';', "after a variable");
}

static bool read_directive(struct module *m)
{
    const char *text;
    enum ptx_space space;
    size_t begin = m->scan.at, length = scan_name(&m->scan, &text);
    if (length == 4 && memcmp(text, ".reg", 4) == 0)
        return read_registers(m);
    if (length == 4 && memcmp(text, ".loc", 4) == 0)
        return read_location(m);
    if (space_of(text, length, &space))
        return read_variable(m, space);
    if (length > 1) { /* .pragma, .branchtargets and others that say nothing of what is computed */
        scan_skip_to(&m->scan, ';');
        return true;
    }
    return scan_fail(&m->scan, begin, "an instruction or a directive is expected here");
}

static void add_label(struct module *m, struct name *name)
{
    struct label *label = arena_take(&m->arena, sizeof *label);
    *label = (struct label){.function = m->function,
                            .scope = m->scope,
                            .at = (uint32_t)m->function->instruction_count,
                            .next = name->labels};
    name->labels = label;
}

static bool read_guard(struct module *m, struct ptx_instruction *in)
{
    const char *text;
    if (!scan_accept(&m->scan, '@'))
        return true;
    in->guard_negated = scan_accept(&m->scan, '!');
    size_t at = (scan_space(&m->scan), m->scan.at), length = scan_name(&m->scan, &text);
    const struct symbol_of_ptx *symbol = length ? symbol_find(m, text, length) : NULL;
    if (!symbol || symbol->kind != SYMBOL_PTX_REGISTER || !symbol->type.is_pred)
        return scan_fail(&m->scan, at, "a predicate register is expected here");
    in->guard = symbol->reg;
    return true;
}

static bool is_op_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == ':' || c == '$' || c == '%';
}

/* An instruction, or a label, whose name looks the same up to the colon. */
static bool read_instruction(struct module *m)
{
    struct function_of_ptx *f = m->function;
    struct scan *scan = &m->scan;
    struct ptx_instruction in = {.guard = -1, .begin = (uint32_t)scan->at, .scope = m->scope};
    if (!read_guard(m, &in))
        return false;
    scan_space(scan);
    const char *bytes = scan->source->bytes;
    size_t begin = scan->at, at = begin;
    while (at < scan->source->size && is_op_byte(bytes[at]) &&
           !(bytes[at] == ':' &&
             !(at + 1 < scan->source->size && (bytes[at + 1] == ':' || bytes[at - 1] == ':'))))
        at++;
    scan->at = at;
    if (at == begin)
        return scan_fail(scan, begin, "an instruction is expected here");
    if (in.guard < 0 && scan_accept(scan, ':')) {
        add_label(m, name_intern(m, bytes + begin, at - begin));
        return true;
    }
    unsigned count;
    in.op = bytes + begin;
    in.op_length = (unsigned)(at - begin);
    if (!operand_list(m, ';', &in.operands, &count))
        return false;
    in.operand_count = (uint8_t)(count < 255 ? count : 255);
    in.end = (uint32_t)scan->at;
    in.file = m->file;
    in.line = m->line;
    f->instructions =
        module_grow(f->instructions, f->instruction_count, &f->instruction_capacity, sizeof *f->instructions);
    f->instructions[f->instruction_count++] = in;
    return true;
}

static uint32_t new_scope(struct module *m)
{
    struct function_of_ptx *f = m->function;
    f->scope_parents =
        module_grow(f->scope_parents, f->scope_count, &f->scope_capacity, sizeof *f->scope_parents);
    f->scope_parents[f->scope_count] = m->scope;
    return (uint32_t)f->scope_count++;
}

bool body_read(struct module *m)
{
    size_t opened = m->scan.at;
    unsigned outer = m->depth;
    m->scope = 0;
    m->scope = new_scope(m);
    while (scan_space(&m->scan), m->scan.at < m->scan.source->size) {
        char c = m->scan.source->bytes[m->scan.at];
        if (c == '{') {
            m->scan.at++;
            if (!scope_open(m))
                return false;
            m->scope = new_scope(m);
        } else if (c == '}') {
            m->scan.at++;
            if (m->depth == outer)
                return true;
            scope_close(m);
            m->scope = m->function->scope_parents[m->scope];
        } else if (c == ';') {
            m->scan.at++;
        } else if (!(c == '.' ? read_directive(m) : read_instruction(m))) {
            return false;
        }
    }
    return scan_fail(&m->scan, opened ? opened - 1 : 0, "this body is never closed: a } is missing");
}
