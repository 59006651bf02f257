/* unit_template.c - what a template kernel's names stand for: given, written in the text, defaults, float. */
#include <stdio.h>
#include <string.h>

#include "unit_state.h"

/* An instantiation that the text writes: after <, of name<...>. */
struct instantiation {
    const struct token *at, *end; /* end: at > */
};

static bool same_tokens(const struct instantiation *a, const struct token *at, const struct token *end)
{
    if (a->end - a->at != end - at)
        return false;
    for (ptrdiff_t i = 0; i < end - at; i++)
        if (a->at[i].length != at[i].length || memcmp(a->at[i].text, at[i].text, at[i].length) != 0)
            return false;
    return true;
}

/* Can these arguments be read here? Those of a launch in a host template may be that template's own names. */
static bool can_bind(struct unit *unit, const struct template_names *names, const struct token *at)
{
    struct problem ignored = {0};
    struct parser parser = parser_at(unit, at, &ignored);
    struct scope scope = {.outer = &unit->globals, .names = unit->globals.names};
    unsigned given;
    parser.scope = &scope;
    return template_bind(&parser, names, at, &unit->globals, &given);
}

/* How many arguments stand between < and >? */
static unsigned template_items(const struct token *at, const struct token *end)
{
    unsigned count = at < end;
    int depth = 0;
    for (; at < end; at++) {
        depth += token_is_punct(at, '(') + token_is_punct(at, '<') - token_is_punct(at, ')') -
                 token_is_punct(at, '>');
        count += depth == 0 && token_is_punct(at, ',');
    }
    return count;
}

enum { INSTANTIATION_LIMIT = 32 };

/* The different instantiations that the text has of a template kernel. */
static unsigned find_instantiations(struct unit *unit, const struct kernel_entry *entry,
                                    const struct template_names *names,
                                    struct instantiation list[INSTANTIATION_LIMIT])
{
    unsigned count = 0;
    for (const struct token *at = unit->pre.tokens.at; at->kind != TOKEN_END; at++) {
        if (at == entry->name_token || !token_is(at, entry->name) || !token_is_punct(at + 1, '<'))
            continue;
        const struct token *end = template_after_head(at) - 1;
        bool known = false;
        for (unsigned i = 0; i < count; i++)
            known = known || same_tokens(&list[i], at + 2, end);
        bool fits =
            template_items(at + 2, end) > names->count /* which is said */ || can_bind(unit, names, at + 2);
        if (!known && count < INSTANTIATION_LIMIT && fits)
            list[count++] = (struct instantiation){at + 2, end};
    }
    return count;
}

static void list_instantiations(const struct instantiation *list, unsigned count, char *out, size_t size)
{
    size_t used = 0;
    *out = '\0';
    for (unsigned i = 0; i < count && used < size; i++) {
        const struct token *first = list[i].at, *last = list[i].end - 1;
        bool empty = list[i].end <= first || first->expanded || last->expanded || last->end <= first->begin;
        used +=
            (size_t)snprintf(out + used, size - used, "%s<%.*s>", i ? ", " : "",
                             empty ? 3 : (int)(last->end - first->begin < 60 ? last->end - first->begin : 60),
                             empty ? "..." : first->source->bytes + first->begin);
    }
}

/* Asks for all of a template's arguments: float for a type, 32 for a number. */
static void want_template(struct problem *problem, const struct template_names *names)
{
    char text[PROBLEM_WANT_SIZE] = "";
    for (unsigned i = 0; i < names->count && strlen(text) + 8 < sizeof text; i++) {
        strcat(text, i ? ", " : "");
        strcat(text, names->is_type[i] ? "float" : "32");
    }
    problem_offer(problem, PROBLEM_CURE_TEMPLATE);
    problem_want(problem, PROBLEM_CURE_TEMPLATE, "%s", text);
}

void unit_add_assumed(struct unit *unit, const struct token *name, bool is_integer)
{
    size_t used = strlen(unit->assumed);
    bool starts = !used || unit->assumed_integer != is_integer; /* "float for T, U, int for I" */
    unit->assumed_integer = is_integer;
    (void)snprintf(unit->assumed + used, sizeof unit->assumed - used, "%s%s%.*s", used ? ", " : "",
                   !starts      ? ""
                   : is_integer ? "int for "
                                : "float for ",
                   (int)(name->length < 40 ? name->length : 40), name->text);
}

/* What the names of a template kernel stand for: the given arguments, or what the text launches or
 * instantiates it with, or their defaults. */
bool unit_bind_template(struct unit *unit, struct parser *parser, const struct kernel_entry *entry,
                        const struct token *arguments)
{
    struct template_names names;
    struct instantiation list[INSTANTIATION_LIMIT];
    unsigned given;
    if (!entry->head.begin && arguments)
        return problem_say(parser->problem, "%s is no template, so it takes no arguments between < and >",
                           entry->name);
    if (!entry->head.begin)
        return true;
    if (!template_names(parser, &entry->head, &names))
        return false;
    if (!arguments) {
        unsigned count = find_instantiations(unit, entry, &names, list);
        if (count > 1) {
            char text[240];
            list_instantiations(list, count, text, sizeof text);
            problem_offer(parser->problem, PROBLEM_CURE_TEMPLATE);
            if (list[0].end > list[0].at && !list[0].at->expanded && !list[0].end[-1].expanded)
                problem_want(parser->problem, PROBLEM_CURE_TEMPLATE, "%.*s",
                             (int)(list[0].end[-1].end - list[0].at->begin),
                             list[0].at->source->bytes + list[0].at->begin);
            return problem_say(parser->problem, "the text has several instantiations of %s: %s", entry->name,
                               text);
        }
        arguments = count ? list[0].at : NULL;
    }
    if (!template_bind(parser, &names, arguments, parser->scope, &given))
        return false;
    for (unsigned i = 0; i < given; i++) {
        const struct symbol *symbol = names.has_name[i] ? parse_find(parser, names.name[i]) : NULL;
        if (symbol && symbol->is_assumed)
            unit_add_assumed(unit, names.name[i], symbol->type.kind == TYPE_INTEGER);
    }
    for (unsigned i = given; i < names.count; i++) {
        if (!names.standard[i] && names.is_type[i] && names.has_name[i]) {
            if (!template_assume_type(parser, &names, i))
                return false;
            unit_add_assumed(unit, names.name[i],
                             parse_find(parser, names.name[i])->type.kind == TYPE_INTEGER);
            continue;
        }
        if (!names.standard[i])
            want_template(parser->problem, &names);
        if (!template_bind_default(parser, &names, i))
            return false;
    }
    unit_note_arguments(unit, parser, &names);
    return true;
}
