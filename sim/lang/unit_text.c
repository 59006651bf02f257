/* unit_text.c - a unit as C++ again: its text without macros, its template's arguments. */
#include <stdio.h>
#include <string.h>

#include "unit_state.h"

char *unit_text(const struct unit *unit, size_t *size)
{
    const struct token *first = unit->pre.tokens.at;
    size_t own = first->source == unit->source && !first->expanded ? first->begin : 0, bytes = own + 1;
    for (const struct token *t = first; t->kind != TOKEN_END; t++)
        bytes += t->length + 1u;
    char *text = memory_take(bytes, 1), *out = text;
    size_t begin = source_text_begin(unit->source);
    memset(out, ' ', own);
    if (own > begin)
        memcpy(out + begin, unit->source->bytes + begin, own - begin); /* comments, the headnote among them */
    for (char *c = out; c < out + own; c++)
        if (*c == '#' && (c == out || c[-1] == '\n')) /* a directive, which has had its say */
            *c = '/', c[1] = c + 1 < out + own ? '/' : c[1];
    out += own;
    for (const struct token *t = first; t->kind != TOKEN_END; t++) {
        memcpy(out, t->text, t->length);
        out += t->length;
        *out++ = t[1].starts_line ? '\n' : ' ';
    }
    *out = '\0';
    *size = (size_t)(out - text);
    return text;
}

void unit_note_arguments(struct unit *unit, const struct parser *parser, const struct template_names *names)
{
    size_t used = 0;
    for (unsigned i = 0; i < names->count; i++) {
        const struct symbol *symbol = names->has_name[i] ? parse_find(parser, names->name[i]) : NULL;
        char text[80];
        bool is_plain = symbol && symbol->type.kind <= TYPE_FLOAT;
        if (is_plain && symbol->kind == SYMBOL_TYPE && symbol->type.kind == TYPE_INTEGER &&
            !symbol->type.has_names)
            (void)snprintf(text, sizeof text, "%s%s", symbol->type.is_signed ? "" : "unsigned ",
                           symbol->type.bytes == 1   ? "char"
                           : symbol->type.bytes == 2 ? "short"
                           : symbol->type.bytes == 4 ? "int"
                                                     : "long");
        else if (is_plain && symbol->kind == SYMBOL_TYPE)
            type_print(&symbol->type, text, sizeof text);
        else if (is_plain && symbol->kind == SYMBOL_CONSTANT)
            (void)snprintf(text, sizeof text, "%lld", (long long)symbol->value);
        else
            is_plain = false;
        if (!is_plain || used + strlen(text) + 3 > sizeof unit->arguments) {
            unit->arguments[0] = '\0';
            return;
        }
        used += (size_t)snprintf(unit->arguments + used, sizeof unit->arguments - used, "%s%s", i ? ", " : "",
                                 text);
    }
}

const char *unit_template_arguments(const struct unit *unit)
{
    return unit->arguments;
}
