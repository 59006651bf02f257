/* standin_use.c - how a text uses a name: what stands before and after it. */
#include <stdio.h>
#include <string.h>

#include "standin.h"

static bool is_punct(const struct token *t, const char *one_of)
{
    if (t->kind != TOKEN_PUNCT)
        return false;
    for (; *one_of; one_of++)
        if (t->punct == PUNCT1(*one_of))
            return true;
    return false;
}

static bool is_any(const struct token *t, const char *const *words)
{
    for (; *words; words++)
        if (token_is(t, *words))
            return true;
    return false;
}

/* Words after which an expression or a statement begins. */
static bool is_keyword(const struct token *t)
{
    static const char *const words[] = {"return", "else", "case", "new", "throw", "goto", NULL};
    return is_any(t, words);
}

static bool is_qualifier(const struct token *t)
{
    static const char *const words[] = {"const",           "static",     "volatile",  "__restrict__",
                                        "__shared__",      "register",   "typename",  "inline",
                                        "__device__",      "__restrict", "constexpr", "__constant__",
                                        "__forceinline__", "extern",     "struct",    NULL};
    return is_any(t, words);
}

/* After the > of the < at `open`; NULL: it is no list of arguments. */
static const struct token *after_arguments(const struct token *open)
{
    int depth = 0;
    for (const struct token *at = open; at->kind != TOKEN_END && at < open + 60; at++) {
        if (is_punct(at, ";{}") || token_is_punct(at, PUNCT2('&', '&')) ||
            token_is_punct(at, PUNCT2('|', '|')))
            return NULL;
        if (is_punct(at, "("))
            at = token_after_brackets(at) - 1;
        depth += is_punct(at, "<") - is_punct(at, ">") - 2 * token_is_punct(at, PUNCT2('>', '>'));
        if (depth <= 0)
            return at + 1;
    }
    return NULL;
}

static void add_member(struct name_use *use, const struct token *t)
{
    char name[40];
    (void)snprintf(name, sizeof name, "%.*s", (int)(t->length < 39 ? t->length : 39), t->text);
    for (unsigned i = 0; i < use->member_count; i++)
        if (strcmp(use->members[i], name) == 0)
            return;
    if (use->member_count == sizeof use->members / sizeof *use->members) {
        use->has_calls = true;
        return;
    }
    memcpy(use->members[use->member_count++], name, sizeof name);
}

/* NAME<...>: a function's or a class's arguments, or a comparison. */
static unsigned use_with_arguments(struct name_use *use, const struct token *at)
{
    const struct token *after = after_arguments(at + 1);
    if (!after)
        return USE_VALUE;
    if (is_punct(after, "("))
        return at[2].kind == TOKEN_NUMBER ? USE_FUNCTION_OF_NUMBER : USE_FUNCTION_OF_TYPE;
    if (!token_is_punct(after, PUNCT2(':', ':')))
        return USE_UNKNOWN;
    unsigned parameters = 1;
    int depth = 0;
    for (const struct token *t = at + 2; t < after - 1; t++) {
        depth += is_punct(t, "<(") - is_punct(t, ">)");
        parameters += !depth && is_punct(t, ",");
        if (!depth && t->kind == TOKEN_NUMBER)
            return USE_UNKNOWN;
    }
    use->parameters = parameters;
    if (after[1].kind != TOKEN_NAME || !is_punct(after + 2, "("))
        return USE_UNKNOWN;
    add_member(use, after + 1);
    return USE_CLASS;
}

/* NAME * or NAME &: a declaration, a cast, or an operator. */
static unsigned use_with_star(const struct token *at)
{
    const struct token *before = at - 1, *after = at + 1;
    bool begins = is_punct(before, "(,;{}<") || is_qualifier(before);
    bool is_pointer = is_punct(after, "*");
    while (is_punct(after, "*&") || is_qualifier(after))
        after++;
    bool is_cast = is_punct(before, "(<") && is_punct(after, ")>");
    bool declares = begins && after->kind == TOKEN_NAME && is_punct(after + 1, ",)=;[");
    if (declares && is_punct(before, "(,") && !is_pointer && !is_punct(after + 1, ",)"))
        return USE_VALUE; /* f(a, b & c) */
    if (!is_cast && !declares)
        return USE_VALUE;
    return USE_TYPE | (is_pointer ? USE_POINTER : 0);
}

static unsigned use_at(struct name_use *use, const struct token *at, const struct token *first)
{
    const struct token *before = at > first ? at - 1 : at, *next = at + 1;
    if (is_punct(before, ".") || token_is_punct(before, PUNCT2('-', '>')) || token_is(before, "template"))
        return 0;
    if (token_is_punct(next, PUNCT2(':', ':'))) {
        if (next[1].kind == TOKEN_NAME)
            add_member(use, next + 1);
        return USE_SCOPE | (next[1].kind == TOKEN_NAME && is_punct(next + 2, "(<") ? USE_UNKNOWN : 0);
    }
    if (is_punct(next, "<"))
        return use_with_arguments(use, at);
    if (is_punct(next, "("))
        return before->kind == TOKEN_NAME && !is_keyword(before) ? 0 : USE_FUNCTION;
    if (next->kind == TOKEN_NAME && !is_keyword(next))
        return USE_TYPE | (is_qualifier(next) && is_punct(next + 1, "*") ? USE_POINTER : 0);
    if (is_punct(next, "*&"))
        return use_with_star(at);
    if (is_punct(before, "<,") && (is_punct(next, ">,") || token_is_punct(next, PUNCT2('>', '>'))))
        return USE_ARGUMENT;
    if (is_punct(before, "(") && is_punct(next, ")") && at - 2 >= first &&
        (at[-2].kind != TOKEN_NAME || is_keyword(at - 2)) &&
        (next[1].kind == TOKEN_NAME || next[1].kind == TOKEN_NUMBER || is_punct(next + 1, "(*&")))
        return USE_TYPE;
    bool compared = token_is(before, "case") || token_is_punct(before, PUNCT2('=', '=')) ||
                    token_is_punct(before, PUNCT2('!', '=')) || token_is_punct(next, PUNCT2('=', '=')) ||
                    token_is_punct(next, PUNCT2('!', '='));
    return compared ? USE_COMPARED : USE_VALUE;
}

static bool is_name(const struct token *t, const char *name, size_t length)
{
    return t->kind == TOKEN_NAME && t->length == length && memcmp(t->text, name, length) == 0;
}

/* What is done with variables of the type. */
static void follow_variable(struct name_use *use, const struct token_list *tokens,
                            const struct token *variable)
{
    int brackets = 0;
    for (size_t i = 2; i + 2 < tokens->count; i++) {
        const struct token *at = &tokens->at[i], *next = at + 1;
        brackets = is_punct(at, ";{}") ? 0 : brackets + is_punct(at, "[") - is_punct(at, "]");
        if (!token_same_name(at, variable) || is_punct(at - 1, ".") ||
            token_is_punct(at - 1, PUNCT2('-', '>')))
            continue;
        use->is_counted |= brackets > 0 || token_is(at - 2, "switch") ||
                           token_is_punct(next, PUNCT2('=', '=')) || token_is_punct(next, PUNCT2('!', '='));
        const struct token *after = next;
        while (is_punct(after, "["))
            after = token_after_brackets(after);
        bool is_member = is_punct(after, ".") || token_is_punct(after, PUNCT2('-', '>'));
        if (is_member && after[1].kind == TOKEN_NAME) {
            add_member(use, after + 1);
            use->has_calls |= is_punct(after + 2, "([.<") || after != next || !is_punct(after, ".");
        }
        use->has_calls |= is_punct(next, "(") && at != variable;
    }
}

void name_use_find(const struct token_list *tokens, const char *name, struct name_use *use)
{
    size_t length = strlen(name);
    *use = (struct name_use){0};
    for (size_t i = 1; i + 1 < tokens->count; i++) { /* something stands before it and behind it */
        const struct token *at = &tokens->at[i];
        if (!is_name(at, name, length))
            continue;
        unsigned uses = use_at(use, at, tokens->at);
        use->uses |= uses;
        const struct token *variable = at + 1;
        while (is_punct(variable, "*&") || is_qualifier(variable))
            variable++;
        if ((uses & USE_TYPE) && variable->kind == TOKEN_NAME)
            follow_variable(use, tokens, variable);
    }
}
