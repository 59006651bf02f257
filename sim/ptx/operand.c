/* operand.c - operands: registers, numbers, addresses, vectors. */
#include <string.h>

#include "module.h"

static bool next_is_digit(struct scan *scan)
{
    scan_space(scan);
    return scan->at < scan->source->size && scan->source->bytes[scan->at] >= '0' &&
           scan->source->bytes[scan->at] <= '9';
}

/* + 4, +-4, - 4, any number of them. */
static bool read_offset(struct module *m, int64_t *value)
{
    while (scan_at(&m->scan, '+') || scan_at(&m->scan, '-')) {
        int64_t more;
        (void)scan_accept(&m->scan, '+');
        if (!scan_integer(&m->scan, &more))
            return false;
        *value = (int64_t)((uint64_t)*value + (uint64_t)more);
    }
    return true;
}

static const struct name *special_end(struct module *m, size_t begin, struct operand *operand)
{
    struct scan *scan = &m->scan;
    const char *bytes = scan->source->bytes;
    if (scan->at + 1 < scan->source->size && bytes[scan->at] == '.' && bytes[scan->at + 1] >= 'w' &&
        bytes[scan->at + 1] <= 'z')
        scan->at += 2;
    struct name *name = name_intern(m, bytes + begin, scan->at - begin);
    operand->kind = OPERAND_SPECIAL;
    operand->text = name->text;
    return name;
}

static bool read_named(struct module *m, struct operand *operand)
{
    const char *text;
    struct scan *scan = &m->scan;
    scan_space(scan);
    size_t begin = scan->at, length = scan_name(scan, &text);
    if (!length || *text == '.')
        return scan_fail(scan, begin, "an operand is expected here");
    if (length == 1 && *text == '_')
        return true;
    const struct symbol_of_ptx *symbol = symbol_find(m, text, length);
    if (symbol && symbol->kind == SYMBOL_PTX_REGISTER) {
        operand->kind = OPERAND_REGISTER;
        operand->reg = symbol->reg;
        return true;
    }
    if (symbol) {
        operand->kind = OPERAND_VARIABLE;
        operand->variable = symbol->variable;
        return read_offset(m, &operand->value);
    }
    if (length == 7 && memcmp(text, "WARP_SZ", 7) == 0) {
        operand->kind = OPERAND_INTEGER;
        operand->value = 32;
        return true;
    }
    if (*text == '%' && special_end(m, begin, operand))
        return true;
    operand->kind = OPERAND_NAME;
    operand->name = name_intern(m, text, length);
    return true;
}

static bool read_number(struct module *m, struct operand *operand)
{
    bool negative = scan_accept(&m->scan, '-'), is_float;
    if (!next_is_digit(&m->scan))
        return scan_fail(&m->scan, m->scan.at, "a number is expected here");
    if (!scan_number(&m->scan, &operand->value, &is_float))
        return false;
    operand->kind = is_float ? OPERAND_FLOAT : OPERAND_INTEGER;
    if (negative)
        operand->value = (int64_t)(0 - (uint64_t)operand->value);
    return true;
}

/* [a + 4], [a, {x, y}]. */
static bool read_address(struct module *m, struct operand *operand)
{
    operand->kind = OPERAND_ADDRESS;
    if (!operand_list(m, ']', &operand->parts, &operand->part_count))
        return false;
    return operand->part_count > 0 || scan_fail(&m->scan, m->scan.at, "an address is expected here");
}

/* An operand that holds no other. */
static bool read_simple(struct module *m, struct operand *operand)
{
    operand->negated = scan_accept(&m->scan, '!');
    if (scan_at(&m->scan, '-') || next_is_digit(&m->scan))
        return read_number(m, operand);
    if (!read_named(m, operand))
        return false;
    if (!scan_accept(&m->scan, '|'))
        return true;
    operand->parts = arena_take(&m->arena, sizeof *operand->parts);
    operand->part_count = 1;
    return read_named(m, operand->parts);
}

/* Lists and addresses hold simple operands, and addresses a list too: no deeper. */
static bool read_nested(struct module *m, struct operand *operand, bool may_nest)
{
    *operand = (struct operand){.reg = -1};
    bool brace = scan_at(&m->scan, '{'), paren = scan_at(&m->scan, '(');
    if (may_nest && (brace || paren)) {
        m->scan.at++;
        operand->kind = OPERAND_LIST;
        return operand_list(m, brace ? '}' : ')', &operand->parts, &operand->part_count);
    }
    if (may_nest && scan_accept(&m->scan, '['))
        return read_address(m, operand);
    return read_simple(m, operand);
}

bool operand_list(struct module *m, char end, struct operand **operands, unsigned *count)
{
    struct operand list[256];
    bool may_nest = end == ';' || end == ']';
    for (*count = 0; !scan_accept(&m->scan, end); (*count)++) {
        if (*count && !scan_expect(&m->scan, ',', "between operands"))
            return false;
        if (*count == sizeof list / sizeof *list)
            return scan_fail(&m->scan, m->scan.at, "more than 256 operands stand here");
        if (end == ']' && scan_at(&m->scan, '['))
            return scan_fail(&m->scan, m->scan.at, "an address stands within an address");
        if (!read_nested(m, &list[*count], may_nest))
            return false;
        if (end == ']' && *count == 0 && !read_offset(m, &list[0].value))
            return false;
    }
    *operands = arena_take(&m->arena, *count * sizeof **operands + 1);
    if (*count)
        memcpy(*operands, list, *count * sizeof **operands);
    return true;
}
