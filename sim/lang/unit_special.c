/* unit_special.c - template <> __global__ void name<int>(...): the kernel that stands for one instantiation.
 */
#include "unit_state.h"

#include <string.h>

/* Is what the pattern says for each of the template's names what they stand for? */
static bool pattern_fits(struct unit *unit, const struct parser *bound, const struct kernel_entry *entry,
                         const struct kernel_entry *special)
{
    struct problem ignored = {0};
    struct template_names names;
    struct parser parser = parser_at(unit, special->pattern.begin, &ignored);
    struct scope scope = {.outer = &unit->globals, .names = unit->globals.names};
    unsigned given;
    parser.scope = &scope;
    if (!template_names(&parser, &entry->head, &names) ||
        !template_bind(&parser, &names, special->pattern.begin, &unit->globals, &given))
        return false;
    for (unsigned i = 0; i < given; i++) {
        const struct symbol *a = names.has_name[i] ? parse_find(&parser, names.name[i]) : NULL;
        const struct symbol *b = names.has_name[i] ? parse_find(bound, names.name[i]) : NULL;
        if (a && b && (a->value != b->value || !type_same(&a->type, &b->type)))
            return false;
    }
    return true;
}

/* Have both the same types of parameters? */
static bool parameters_fit(struct unit *unit, const struct parser *bound, const struct kernel_entry *entry,
                           const struct kernel_entry *special)
{
    struct problem ignored = {0};
    struct parser a = *bound, b = parser_at(unit, special->name_token + 2, &ignored);
    a.problem = &ignored;
    a.at = entry->name_token + 2;
    for (;;) {
        struct type x, y;
        if (!parse_type(&a, &x) || !parse_type(&b, &y) || !type_same(&x, &y))
            return false;
        while (!token_is_punct(a.at, ',') && !token_is_punct(a.at, ')') && a.at->kind != TOKEN_END)
            parse_advance(&a);
        while (!token_is_punct(b.at, ',') && !token_is_punct(b.at, ')') && b.at->kind != TOKEN_END)
            parse_advance(&b);
        bool more = parse_accept(&a, ',');
        if (more != parse_accept(&b, ','))
            return false;
        if (!more)
            return true;
    }
}

const struct kernel_entry *unit_specialised(struct unit *unit, const struct parser *parser,
                                            const struct kernel_entry *entry)
{
    const struct kernel_entry *best = entry;
    for (unsigned i = 0; i < unit->kernel_count && entry->head.begin; i++) {
        const struct kernel_entry *special = &unit->kernels[i];
        if (!special->is_specialised || strcmp(special->name, entry->name) != 0)
            continue;
        bool fits = special->pattern.begin ? pattern_fits(unit, parser, entry, special)
                                           : parameters_fit(unit, parser, entry, special);
        if (fits)
            best = special;
    }
    return best;
}
