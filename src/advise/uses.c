#include "uses.h"

#include <stdio.h>
#include <string.h>

#include "../../sim/lang/token.h"

/* The spans of [..][..] from `at` on; how many. *end: behind them. */
static unsigned subscripts_of(const struct token *at, struct span spans[USE_DIMENSIONS],
                              const struct token **end)
{
    unsigned count = 0;
    while (count < USE_DIMENSIONS && token_is_punct(at, PUNCT1('['))) {
        const struct token *after = token_after_brackets(at);
        if (after->kind == TOKEN_END)
            break;
        spans[count++] = (struct span){at->end, after[-1].begin};
        at = after;
    }
    *end = at;
    return count;
}

/* Would it matter that a subscript is evaluated twice? */
static bool has_effects(const struct token *at, size_t end)
{
    static const uint32_t effects[] = {PUNCT2('+', '+'), PUNCT2('-', '-'), PUNCT1('='),      PUNCT2('+', '='),
                                       PUNCT2('-', '='), PUNCT2('*', '='), PUNCT2('/', '='), PUNCT2('&', '='),
                                       PUNCT2('|', '='), PUNCT2('^', '=')};
    for (; at->kind != TOKEN_END && at->begin < end; at++)
        for (size_t i = 0; i < sizeof effects / sizeof *effects; i++)
            if (token_is_punct(at, effects[i]))
                return true;
    return false;
}

static void refuse(struct uses *uses, const struct token *at, const char *why)
{
    if (!uses->refusal[0])
        (void)snprintf(uses->refusal, sizeof uses->refusal, "line %d uses %.60s %s", token_line(at),
                       uses->array->name, why);
}

static void add_use(struct uses *uses, const struct token *name)
{
    struct use use = {.name = {name->begin, name->end}};
    const struct token *end;
    unsigned count = subscripts_of(name + 1, use.subscripts, &end);
    if (count < uses->dimensions)
        refuse(uses, name, "without all its subscripts");
    else if (has_effects(name + 1, end->begin))
        refuse(uses, name, "with a subscript that changes something");
    else if (uses->count == USE_LIMIT)
        refuse(uses, name, "once too often");
    else
        uses->list[uses->count++] = use;
}

/* Dimensions and their sizes, from the type. */
static void measure(struct uses *uses)
{
    const struct type *type = &uses->array->type;
    for (; type && type->kind == TYPE_ARRAY && uses->dimensions < USE_DIMENSIONS; type = type->to)
        uses->sizes[uses->dimensions++] = type->count;
    if (type && type->kind == TYPE_ARRAY)
        (void)snprintf(uses->refusal, sizeof uses->refusal, "%.60s has more than %u dimensions",
                       uses->array->name, USE_DIMENSIONS);
}

void uses_find(struct uses *uses, const struct scenario *scenario, unsigned index)
{
    const struct program *program = scenario->program;
    struct token_list tokens = {0};
    struct problem ignored = {0};
    bool shared = false; /* between __shared__ and its semicolon */
    *uses = (struct uses){.array = &program->shared[index], .index = index};
    measure(uses);
    if (!tokens_of(&scenario->text, &tokens, &ignored)) {
        token_list_free(&tokens);
        return;
    }
    for (const struct token *at = tokens.at; at->kind != TOKEN_END; at++) {
        bool inside = at->begin >= program->begin && at->begin < program->end;
        if (token_is(at, "__shared__"))
            shared = inside;
        if (token_is_punct(at, PUNCT1(';')))
            shared = false;
        if (!token_is(at, uses->array->name) || (!inside && at->kind == TOKEN_NAME))
            continue;
        const struct token *end, *before = at > tokens.at ? at - 1 : at;
        if (shared && !uses->is_declared)
            uses->is_declared = subscripts_of(at + 1, uses->declared, &end) == uses->dimensions;
        else if (!token_is_punct(before, PUNCT1('.')) && !token_is_punct(before, PUNCT2('-', '>')))
            add_use(uses, at);
    }
    token_list_free(&tokens);
    if (!uses->is_declared && !uses->refusal[0])
        (void)snprintf(uses->refusal, sizeof uses->refusal,
                       "the declaration of %.60s is not in the kernel's text", uses->array->name);
}
