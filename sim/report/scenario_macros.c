/* scenario_macros.c - the macros of a text: those that options give it, and those that it has. */
#include "scenario_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "element.h"
#include "rung.h"

/* The macros with an option of their own. */
enum { TILE, BLOCK_ROWS, PITCH, ELEM, MACROS };
static const struct {
    const char *name, *formula;
    enum problem_cure cure; /* the text's own value */
} macros[MACROS] = {
    [TILE] = {"TILE", "TILE", PROBLEM_CURE_NO_TILE},
    [BLOCK_ROWS] = {"BLOCK_ROWS", "BLOCK_ROWS", PROBLEM_CURE_NO_BLOCK_ROWS},
    [PITCH] = {"PITCH", "PITCH", PROBLEM_CURE_NO_PITCH},
    [ELEM] = {"ELEM", "sizeof(ELEM)", PROBLEM_CURE_NO_ELEMENT},
};

/* What the options say of a macro, of ELEM its bytes; 0: nothing. */
static uint64_t given_value(const struct scenario_options *o, unsigned macro)
{
    const uint64_t given[MACROS] = {o->tile, o->block_rows, o->pitch, o->elem_bytes};
    return given[macro];
}

static const char *definition_name(const struct scenario_options *o)
{
    return o->definition_name ? o->definition_name : "definition";
}

static void add_definition(struct scenario *s, struct source *list, const char *name, const char *text)
{
    struct source *source = &list[s->definition_count];
    *source = scenario_text(s, name, text);
    s->definitions[s->definition_count++] = source->bytes;
}

/* What an option says of a macro yields to the text's own: the ladder's files are told from others by that.
 */
static void add_option(struct scenario *s, struct source *list, const char *text)
{
    char yielding[96];
    const char *equals = strchr(text, '=');
    add_definition(s, list, "option", text);
    (void)snprintf(yielding, sizeof yielding, "%.*s?%s", (int)(equals - text), text, equals);
    list[s->definition_count - 1] = scenario_text(s, "option", yielding);
}

bool scenario_open_unit(struct scenario *s, struct problem *problem)
{
    const struct scenario_options *o = &s->options;
    struct source *list = arena_take(&s->arena, SCENARIO_DEFINITION_LIMIT * sizeof *list);
    s->definitions = arena_take(&s->arena, SCENARIO_DEFINITION_LIMIT * sizeof *s->definitions);
    for (unsigned i = 0; i < MACROS; i++) {
        char text[80];
        uint64_t given = given_value(o, i);
        if (i == ELEM && o->elem_type)
            (void)snprintf(text, sizeof text, "ELEM=%s", o->elem_type);
        else if (!given)
            continue;
        else if (i == ELEM)
            (void)snprintf(text, sizeof text, "ELEM=%s", element_type(o->elem_bytes));
        else
            (void)snprintf(text, sizeof text, "%s=%" PRIu64, macros[i].name, given);
        add_option(s, list, text);
    }
    for (unsigned i = 0; i < o->definition_count; i++)
        add_definition(s, list, definition_name(o), o->definitions[i]);
    struct source *nothing = arena_take(&s->arena, sizeof *nothing);
    *nothing = (struct source){s->text.name, "", 0};
    bool is_ptx = ptx_is_text(&s->text);
    if (is_ptx && s->options.compiler && s->options.compiler->only)
        return problem_say(problem, "%s is PTX already: there is nothing for a compiler to do", s->text.name);
    s->unit =
        unit_open_including(is_ptx ? nothing : &s->text, list, s->definition_count, o->includes, problem);
    s->ptx = s->unit && is_ptx ? ptx_open(&s->text, problem) : NULL;
    if (!s->unit || is_ptx)
        return s->ptx != NULL;
    for (unsigned i = 0; i < o->definition_count; i++) {
        char name[64];
        size_t length = strcspn(o->definitions[i], "=");
        (void)snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), o->definitions[i]);
        if (unit_overrides(s->unit, name))
            scenario_note(s, "%s instead of the text's own #define", o->definitions[i]);
    }
    return true;
}

/* A macro's value, or 0 if the text has none of that name or it is no positive number. */
static uint64_t macro_value(struct scenario *s, const char *name)
{
    struct problem ignored = {0};
    struct source formula = {name, name, strlen(name)};
    int64_t value;
    if (!unit_defines(s->unit, name) || !scenario_evaluate(s, &formula, &value, &ignored) || value < 0)
        return 0;
    return (uint64_t)value;
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_used(const struct scenario *s, const char *name)
{
    bool used = unit_uses(s->unit, name) || source_mentions(&s->note.block, name) ||
                source_mentions(&s->note.grid, name) || source_mentions(&s->note.shared, name);
    for (unsigned i = 0; i < s->note.argument_count; i++)
        used = used || source_mentions(&s->note.arguments[i], name);
    return used;
}

static bool is_rung(const struct scenario *s)
{
    for (size_t i = 0; i < rung_count; i++)
        if (rungs[i].source.bytes == s->text.bytes)
            return true;
    return false;
}

/* The macro's value, 0 if the text does not use it. A file that is given a value must use it; a rung need
 * not, since the whole ladder is run with one set of options. */
static bool take_macro(struct scenario *s, unsigned macro, uint64_t *value, struct problem *problem)
{
    const char *name = macros[macro].name;
    uint64_t given = given_value(&s->options, macro);
    bool used = is_used(s, name);
    *value = used ? macro_value(s, name) : 0;
    if (!given || is_rung(s) || *value == given)
        return true;
    problem_offer(problem, macros[macro].cure);
    if (!used)
        return problem_say(problem, "%s does not use %s, so a value for it would change nothing",
                           s->text.name, name);
    return problem_say(problem,
                       "%s defines %s itself, with no #ifndef %s around it, so another value would change "
                       "nothing",
                       s->text.name, name, name);
}

/* "NAME=..." or "NAME" of that name? */
static bool is_definition_of(const char *definition, const char *name)
{
    size_t length = strlen(name);
    return strncmp(definition, name, length) == 0 && !is_name_byte(definition[length]);
}

/* Does a definition say of a macro what its option says? One with an operator does not: 8*2 is not 16 where
 * a formula divides by it. */
static bool agrees(struct scenario *s, const char *definition, unsigned macro)
{
    struct problem ignored = {0};
    struct source formula = {macros[macro].name, macros[macro].formula, strlen(macros[macro].formula)};
    int64_t value;
    for (const char *c = definition; *c && macro != ELEM; c++)
        if (!is_name_byte(*c) && *c != '=')
            return false;
    return scenario_evaluate(s, &formula, &value, &ignored) &&
           value == (int64_t)given_value(&s->options, macro);
}

/* An option and a definition of its macro must say the same: neither silently overrides the other. */
static bool check_definitions(struct scenario *s, struct problem *problem)
{
    const struct scenario_options *o = &s->options;
    for (unsigned i = 0; i < o->definition_count; i++)
        for (unsigned k = 0; k < MACROS; k++) {
            uint64_t given = given_value(o, k);
            if (!given || !is_definition_of(o->definitions[i], macros[k].name) ||
                agrees(s, o->definitions[i], k))
                continue;
            problem_offer(problem, macros[k].cure);
            return problem_say(problem, "%s %s contradicts the %" PRIu64 " given for %s", definition_name(o),
                               o->definitions[i], given, macros[k].formula);
        }
    return true;
}

static bool check_rung_macros(const struct scenario *s, struct problem *problem)
{
    if (!is_rung(s)) /* what the names mean in a file is the file's business */
        return true;
    if (s->tile && s->block_rows && s->block_rows > s->tile)
        return problem_say(problem, "block rows (%" PRIu64 ") must not exceed the tile (%" PRIu64 ")",
                           s->block_rows, s->tile);
    if (s->tile && s->pitch && s->pitch < s->tile)
        return problem_say(problem, "the pitch (%" PRIu64 ") must be at least the tile (%" PRIu64 ")",
                           s->pitch, s->tile);
    return true;
}

bool scenario_take_macros(struct scenario *s, struct problem *problem)
{
    return check_definitions(s, problem) && take_macro(s, TILE, &s->tile, problem) &&
           take_macro(s, BLOCK_ROWS, &s->block_rows, problem) && take_macro(s, PITCH, &s->pitch, problem) &&
           check_rung_macros(s, problem);
}
