/* parse_asm.c - asm statements.
 *
 * What an asm computes is data. Plain loads and stores of global memory in it are accesses like any other:
 * ld.global and st.global with all their modifiers, of one or more components. Other instructions that go to
 * memory, wait or jump are refused by name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "intrinsic.h"

enum { OPERAND_LIMIT = 32 };

struct asm_operand {
    struct expr *e;
    bool is_output, is_read;
};

struct asm_statement {
    struct parser *parser;
    const struct token *at; /* its first string, for messages */
    char *text;             /* all strings, NUL-terminated */
    struct asm_operand operands[OPERAND_LIMIT];
    unsigned count;
    struct statement **end; /* where the next statement goes */
};

static bool add(struct asm_statement *a, struct expr *e)
{
    if (!e)
        return false;
    struct statement *s = arena_take(a->parser->arena, sizeof *s);
    *s = (struct statement){
        .kind = STATEMENT_EXPR, .begin = e->begin, .end = e->end, .source = e->source, .expr = e};
    *a->end = s;
    a->end = &s->next;
    return true;
}

static struct token sign(const struct asm_statement *a, uint32_t punct)
{
    struct token token = *a->at;
    token.kind = TOKEN_PUNCT;
    token.punct = punct;
    return token;
}

/* The strings before the first colon as one text: "\n" and "\t" are blanks. */
static bool take_text(struct asm_statement *a)
{
    struct parser *parser = a->parser;
    size_t size = 0, length = 0;
    for (const struct token *t = parser->at; t->kind == TOKEN_STRING; t++)
        size += t->length;
    a->at = parser->at;
    a->text = arena_take(parser->arena, size + 1);
    for (; parser->at->kind == TOKEN_STRING; parse_advance(parser)) {
        const char *text = parser->at->text;
        const char *open = memchr(text, '"', parser->at->length);
        for (uint32_t i = open ? (uint32_t)(open - text) + 1 : 0; i + 1 < parser->at->length; i++) {
            bool escape = text[i] == '\\' && i + 2 < parser->at->length;
            i += escape;
            a->text[length++] = escape && (text[i] == 'n' || text[i] == 't') ? ' ' : text[i];
        }
    }
    return a->at != parser->at || parse_fail(parser, parser->at, "an asm's text is expected here");
}

/* "=r"(place), [name] "l"(value), ...: up to a colon or the closing parenthesis. */
static bool take_operands(struct asm_statement *a, bool are_outputs)
{
    struct parser *parser = a->parser;
    while (!token_is_punct(parser->at, ':') && !token_is_punct(parser->at, PUNCT2(':', ':')) &&
           !token_is_punct(parser->at, ')')) {
        if (token_is_punct(parser->at, '['))
            return parse_fail(parser, parser->at, "named operands of an asm are not supported: number them");
        const struct token *kind = parser->at;
        if (kind->kind != TOKEN_STRING || a->count == OPERAND_LIMIT)
            return parse_fail(parser, kind,
                              "an operand of the asm is expected here; at most %d are supported",
                              OPERAND_LIMIT);
        parse_advance(parser);
        struct asm_operand *operand = &a->operands[a->count++];
        operand->is_output = are_outputs;
        operand->is_read = !are_outputs || memchr(kind->text, '+', kind->length) != NULL;
        if (!parse_expect(parser, '(', "before the operand") || !(operand->e = parse_expression(parser)) ||
            !parse_expect(parser, ')', "after the operand"))
            return false;
        if (!parse_accept(parser, ','))
            break;
    }
    return true;
}

/* What is read of memory is read once, before the text runs. */
static bool read_operands(struct asm_statement *a)
{
    for (unsigned i = 0; i < a->count; i++)
        if (a->operands[i].is_read && !add(a, a->operands[i].e))
            return false;
    return true;
}

static bool begins(const char *text, size_t length, const char *with)
{
    size_t n = strlen(with);
    return length >= n && memcmp(text, with, n) == 0;
}

/* A word of an opcode: between its dots. */
static bool has_part(const char *opcode, size_t length, const char *part)
{
    size_t n = strlen(part);
    for (size_t i = 0; i + n + 1 <= length; i++)
        if (opcode[i] == '.' && memcmp(opcode + i + 1, part, n) == 0 &&
            (i + 1 + n == length || opcode[i + 1 + n] == '.'))
            return true;
    return false;
}

/* ld.global.v4.f32: the type that moves; false: it is no plain load or store of global memory. */
static bool type_of_opcode(const char *opcode, size_t length, struct type *type)
{
    static const char *const others[] = {"shared", "local", "param", "const", "tex"};
    const char *last = opcode + length;
    while (last > opcode && last[-1] != '.')
        last--;
    if ((!begins(opcode, length, "ld.") && !begins(opcode, length, "st.")) || last == opcode ||
        !has_part(opcode, length, "global"))
        return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (has_part(opcode, length, others[i]))
            return false;
    int bits = atoi(last + 1);
    if (!strchr("bsuf", *last) || (bits != 8 && bits != 16 && bits != 32 && bits != 64))
        return false;
    *type = *last == 'f' ? type_float(bits / 8) : type_integer(bits / 8, *last == 's');
    type->components = has_part(opcode, length, "v4") ? 4 : has_part(opcode, length, "v2") ? 2 : 1;
    type->has_names = type->components > 1;
    return type_size(type) <= 16;
}

/* The operand that "%3" names; NULL: something else stands there. */
static struct asm_operand *operand_at(struct asm_statement *a, const char *text)
{
    char *end;
    if (text[0] != '%' || text[1] < '0' || text[1] > '9')
        return NULL;
    unsigned long number = strtoul(text + 1, &end, 10);
    return number < a->count ? &a->operands[number] : NULL;
}

/* The memory behind "[%4 + 16]". */
static struct expr *memory_at(struct asm_statement *a, const char *bracket, struct type type)
{
    struct parser *parser = a->parser;
    const char *text = bracket + 1 + strspn(bracket + 1, " ");
    struct asm_operand *operand = operand_at(a, text);
    struct type *to = arena_take(parser->arena, sizeof *to), *byte = arena_take(parser->arena, sizeof *byte);
    if (!operand || operand->e->type.kind != TYPE_POINTER || operand->e->type.space != SPACE_GLOBAL) {
        parse_fail(parser, a->at,
                   "what this asm accesses cannot be seen: its address is no pointer into global memory");
        return NULL;
    }
    *to = type;
    *byte = type_integer(1, true);
    const char *plus = strchr(text, '+'), *close = strchr(text, ']');
    struct expr *e = operand->e;
    if (plus && close && plus < close) {
        struct token sum = sign(a, '+');
        e = build_convert(parser, e, type_pointer(byte, SPACE_GLOBAL));
        e = e ? build_binary(parser, &sum, e,
                             build_integer(parser, atoll(plus + 1), type_integer(8, true), a->at))
              : NULL;
    }
    e = e ? build_convert(parser, e, type_pointer(to, SPACE_GLOBAL)) : NULL;
    e = e ? build_memory(parser, e, a->at, a->at) : NULL;
    if (e)
        e->in_macro = true; /* its text is no C++ */
    return e;
}

/* The same bits, or of integers of other sizes the same number, as another type. */
static struct expr *as_type(struct asm_statement *a, struct expr *e, struct type type)
{
    type.is_const = false;
    if (e->type.kind != type.kind && e->type.bytes == type.bytes && type_is_scalar(&e->type))
        return intrinsic_function(a->parser, a->at, FUNCTION_BITS, type, &e, 1);
    return build_convert(a->parser, e, type);
}

/* What is loaded goes to a variable of its own, and from there to the operands that the list names. */
static bool load(struct asm_statement *a, const char *list, const char *bracket, struct type type)
{
    struct parser *parser = a->parser;
    struct token nobody = {
        .kind = TOKEN_NAME, .text = "", .source = a->at->source, .begin = a->at->begin, .end = a->at->end};
    struct statement *bound = parse_bind(parser, &nobody, type, memory_at(a, bracket, type));
    if (!bound)
        return false;
    *a->end = bound;
    a->end = &bound->next;
    struct token equals = sign(a, '=');
    unsigned which = 0;
    for (const char *at = list; *at && at < bracket && which < type.components; at++) {
        struct asm_operand *operand = operand_at(a, at);
        bool is_other = !operand && ((*at >= 'a' && *at <= 'z') || *at == '_'); /* a register of its own */
        if (operand && operand->is_output) {
            struct expr *value = build(parser, EXPR_VARIABLE, type, a->at, a->at);
            value->symbol = bound->symbol;
            value->is_lvalue = true;
            if (type.has_names)
                value = build_slots(parser, value, type_component(type), which);
            value = value ? as_type(a, value, operand->e->type) : NULL;
            if (!value || !add(a, build_assign(parser, &equals, operand->e, value)))
                return false;
        }
        which += operand || is_other;
        if (operand || is_other)
            at += strcspn(at, ",}; ") - 1;
    }
    return true;
}

static bool store(struct asm_statement *a, const char *bracket, const char *list, struct type type)
{
    struct parser *parser = a->parser;
    struct expr *memory = memory_at(a, bracket, type);
    struct expr *value = build_list(parser, type, type.components, a->at, a->at);
    unsigned which = 0;
    for (const char *at = list; memory && *at && which < type.components; at++) {
        struct asm_operand *operand = operand_at(a, at);
        if (!operand && !(*at >= 'a' && *at <= 'z'))
            continue;
        value->parts[which] =
            operand ? as_type(a, operand->e, type_component(type))
                    : build_convert(parser, build(parser, EXPR_DATA, type_float(4), a->at, a->at),
                                    type_component(type));
        if (!value->parts[which++])
            return false;
        at += strcspn(at, ",}; ") - 1;
    }
    if (!memory || which < type.components)
        return memory && parse_fail(parser, a->at, "what this asm stores cannot be seen");
    struct token equals = sign(a, '=');
    value = type.components == 1 ? value->parts[0] : build_adopt(parser, value);
    return value && add(a, build_assign(parser, &equals, memory, value));
}

/* An instruction that this one word begins, and that is not understood: it goes to memory, waits or jumps. */
static bool acts(const char *opcode, size_t length)
{
    static const char *const words[] = {
        "ld.",   "st.",      "ldu.",     "atom",    "red.", "cp.",     "ldmatrix",  "stmatrix",  "prefetch",
        "wgmma", "mbarrier", "multimem", "tcgen05", "bar.", "barrier", "exit",      "ret",       "bra",
        "brx",   "call",     "suld",     "sust",    "tex",  "tld4",    "wmma.load", "wmma.store"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (begins(opcode, length, words[i]))
            return true;
    return false;
}

/* One instruction, up to its ; or the text's end. */
static bool run(struct asm_statement *a, char *text)
{
    bool guarded = false;
    struct type type;
    text += strspn(text, " \t\r\n{}");
    if (*text == '@') {
        guarded = true;
        text += strcspn(text, " ");
        text += strspn(text, " ");
    }
    size_t length = strcspn(text, " \t\r\n");
    const char *rest = text + length + strspn(text + length, " ");
    if (!guarded && length == strlen("bar.sync") && begins(text, length, "bar.sync") && *rest == '0' &&
        !strchr(rest, ','))
        return add(a, build(a->parser, EXPR_BARRIER, type_void(), a->at, a->at));
    bool known = type_of_opcode(text, length, &type);
    if (!known && !acts(text, length))
        return true;
    char *operands = text + length, *bracket = strchr(operands, '[');
    if (!known || guarded || !bracket)
        return parse_fail(a->parser, a->at,
                          "an asm that goes to memory, waits or jumps is supported for plain ld.global and "
                          "st.global only, not "
                          "for %s%.*s: write it in C++, or leave it out",
                          guarded ? "a guarded " : "", (int)(length < 60 ? length : 60), text);
    if (*text == 'l')
        return load(a, operands, bracket, type);
    char *list = strchr(bracket, ']');
    return list && store(a, bracket, list, type);
}

static bool run_text(struct asm_statement *a)
{
    for (char *at = a->text; at;) {
        char *next = strchr(at, ';');
        if (next)
            *next++ = '\0';
        if (!run(a, at))
            return false;
        at = next;
    }
    return true;
}

/* Does an instruction load into this output? Then that is its value. */
static bool is_loaded(const struct asm_statement *a, const char *text, unsigned index)
{
    char name[16];
    int length = snprintf(name, sizeof name, "%%%u", index);
    struct type type;
    for (const char *at = text; at; at = strchr(at, ';') ? strchr(at, ';') + 1 : NULL) {
        at += strspn(at, " \t\r\n{}");
        const char *bracket = strchr(at, '['), *end = strchr(at, ';');
        if (!begins(at, strlen(at), "ld.") || !type_of_opcode(at, strcspn(at, " \t\r\n"), &type) ||
            !bracket || (end && bracket > end))
            continue;
        for (const char *found = strstr(at, name); found && found < bracket; found = strstr(found + 1, name))
            if (found[length] < '0' || found[length] > '9')
                return true;
    }
    (void)a;
    return false;
}

/* Other outputs are data. */
static bool set_outputs(struct asm_statement *a)
{
    struct token equals = sign(a, '=');
    for (unsigned i = 0; i < a->count; i++) {
        struct expr *data = build(a->parser, EXPR_DATA, type_float(4), a->at, a->at);
        if (a->operands[i].is_output && !is_loaded(a, a->text, i) &&
            !add(a, build_assign(a->parser, &equals, a->operands[i].e, data)))
            return false;
    }
    return true;
}

struct statement *parse_asm(struct parser *parser)
{
    const struct token *from = parser->at;
    struct statement *block = arena_take(parser->arena, sizeof *block);
    *block = (struct statement){.kind = STATEMENT_BLOCK,
                                .begin = from->begin,
                                .end = from->end,
                                .source = from->source,
                                .is_declaration = true};
    struct asm_statement a = {.parser = parser, .end = &block->body};
    parse_advance(parser);
    while (token_is(parser->at, "volatile") || token_is(parser->at, "__volatile__"))
        parse_advance(parser);
    if (!parse_expect(parser, '(', "after asm") || !take_text(&a))
        return NULL;
    int section = 0;
    while (!token_is_punct(parser->at, ')')) { /* outputs, inputs, then what it clobbers */
        int colons = token_is_punct(parser->at, ':') + 2 * token_is_punct(parser->at, PUNCT2(':', ':'));
        section += colons;
        if (colons || section > 2) {
            if (parser->at->kind == TOKEN_END)
                break;
            parse_advance(parser);
        } else if (section == 0 || !take_operands(&a, section == 1)) {
            return parser->problem->set || !parse_expect(parser, ')', "after the asm") ? NULL : block;
        }
    }
    if (!parse_expect(parser, ')', "to close the asm") || !parse_expect(parser, ';', "after the asm"))
        return NULL;
    return read_operands(&a) && set_outputs(&a) && run_text(&a) ? block : NULL;
}
