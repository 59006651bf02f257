/* preprocess.c - directives: which lines count, and what they define. */
#include "token.h"

#include <stdlib.h>
#include <string.h>

#include "parse.h"

enum { CONDITION_DEPTH_LIMIT = 64, INCLUDE_DEPTH_LIMIT = 32 };

struct condition {
    bool taken;     /* this branch's lines count */
    bool was_taken; /* some branch of the chain already counted */
    bool outer;     /* the lines around count */
    bool saw_else;
    const struct token *where;
};

/* `defined X` and `defined(X)` become 0 or 1 before macros are replaced. */
static bool replace_defined(struct preprocessor *pre, const struct token *tokens, size_t count,
                            struct token_list *out)
{
    for (size_t i = 0; i < count; i++) {
        if (!token_is(&tokens[i], "defined")) {
            token_list_add(out, tokens[i]);
            continue;
        }
        bool paren = i + 1 < count && token_is_punct(&tokens[i + 1], '(');
        size_t name = i + (paren ? 2 : 1);
        if (name >= count || tokens[name].kind != TOKEN_NAME ||
            (paren && (name + 1 >= count || !token_is_punct(&tokens[name + 1], ')'))))
            return problem_at(pre->problem, tokens[i].source, tokens[i].begin,
                              "defined needs a name: defined(NAME)");
        bool known = macro_is_defined(pre, &tokens[name]);
        struct token token = tokens[i];
        token.kind = TOKEN_NUMBER;
        token.text = known ? "1" : "0";
        token.length = 1;
        token_list_add(out, token);
        i = name + (paren ? 1 : 0);
    }
    return true;
}

static bool condition_value(struct preprocessor *pre, const struct token *where, const struct token *tokens,
                            size_t count, bool *value)
{
    struct token_list plain = {0}, expanded = {0};
    bool ok = replace_defined(pre, tokens, count, &plain) &&
              preprocess_expand(pre, plain.at, plain.count, &expanded);
    if (ok) {
        for (size_t i = 0; i < expanded.count; i++)
            if (expanded.at[i].kind == TOKEN_NAME) { /* C's rule: a name that is left is 0 */
                expanded.at[i].kind = TOKEN_NUMBER;
                expanded.at[i].text = "0";
                expanded.at[i].length = 1;
            }
        struct token end = count ? tokens[count - 1] : *where;
        end.kind = TOKEN_END;
        end.begin = end.end;
        token_list_add(&expanded, end);
        int64_t number;
        ok = parse_constant(expanded.at, &number, pre->problem);
        *value = ok && number != 0;
    }
    token_list_free(&plain);
    token_list_free(&expanded);
    return ok;
}

struct directive {
    const struct token *hash, *word;
    const struct token *rest; /* after the word */
    size_t count;             /* of rest */
};

static bool begin_condition(struct preprocessor *pre, const struct directive *d, struct condition *stack,
                            size_t *depth)
{
    if (*depth + 1 >= CONDITION_DEPTH_LIMIT)
        return problem_at(pre->problem, d->hash->source, d->hash->begin,
                          "conditionals nest deeper than 64 levels");
    struct condition next = {.outer = stack[*depth].taken, .where = d->hash};
    bool value = false;
    if (next.outer) {
        if (token_is(d->word, "if")) {
            if (!condition_value(pre, d->word, d->rest, d->count, &value))
                return false;
        } else {
            if (!d->count || d->rest[0].kind != TOKEN_NAME)
                return problem_at(pre->problem, d->hash->source, d->hash->begin, "#%.*s needs a name",
                                  (int)d->word->length, d->word->text);
            value = macro_is_defined(pre, &d->rest[0]);
            value = token_is(d->word, "ifdef") ? value : !value;
        }
    }
    next.taken = next.was_taken = value; /* false where the lines around do not count */
    stack[++*depth] = next;
    return true;
}

static bool change_condition(struct preprocessor *pre, const struct directive *d, struct condition *stack,
                             size_t *depth)
{
    struct condition *top = &stack[*depth];
    bool is_endif = token_is(d->word, "endif");
    if (*depth == 0 || (top->saw_else && !is_endif))
        return problem_at(pre->problem, d->hash->source, d->hash->begin,
                          "#%.*s has no #if that it could belong to", (int)d->word->length, d->word->text);
    if (is_endif) {
        --*depth;
        return true;
    }
    bool value = true;
    if (token_is(d->word, "else"))
        top->saw_else = true;
    else if (top->outer && !top->was_taken && !condition_value(pre, d->word, d->rest, d->count, &value))
        return false;
    top->taken = top->outer && !top->was_taken && value;
    top->was_taken = top->was_taken || top->taken;
    return true;
}

static bool run(struct preprocessor *pre, const struct token_list *raw);

static struct included *find_included(const struct preprocessor *pre, const struct source *source)
{
    struct included *i = pre->included;
    while (i && i->source != source)
        i = i->next;
    return i;
}

static bool mark_once(struct preprocessor *pre, const struct source *source)
{
    struct included *included = find_included(pre, source);
    if (included)
        included->once = true;
    return true;
}

/* The text of #include "name", or NULL. */
static const struct source *read_include(const struct preprocessor *pre, const struct directive *d)
{
    const struct token *name = d->count ? &d->rest[0] : NULL;
    char path[400];
    if (!pre->reader || !name || name->kind != TOKEN_STRING || name->length < 3 ||
        name->length >= sizeof path || pre->include_depth >= INCLUDE_DEPTH_LIMIT)
        return NULL;
    memcpy(path, name->text + 1, name->length - 2);
    path[name->length - 2] = '\0';
    return pre->reader->read(pre->reader->self, path, name->source);
}

/* An included text that is not understood to its end (it may be a C++ library's) counts as passed over: who
 * needs the rest will say so. */
static bool include(struct preprocessor *pre, const struct directive *d)
{
    const struct source *source = read_include(pre, d);
    struct included *included = source ? find_included(pre, source) : NULL;
    if (included && included->once)
        return true;
    if (!source) {
        pre->skipped_includes++;
        return true;
    }
    if (!included) {
        included = arena_take(pre->arena, sizeof *included);
        *included = (struct included){.source = source, .next = pre->included};
        pre->included = included;
    }
    struct token_list raw = {0};
    struct problem ignored = {0}, *problem = pre->problem;
    pre->problem = &ignored;
    pre->include_depth++;
    if (!tokens_of(source, &raw, &ignored) || !run(pre, &raw))
        pre->skipped_includes++;
    else
        pre->tokens.count--; /* its TOKEN_END */
    pre->include_depth--;
    pre->problem = problem;
    token_list_free(&raw);
    return true;
}

static bool plain_directive(struct preprocessor *pre, const struct directive *d)
{
    const struct token *name = d->count ? &d->rest[0] : NULL;
    if (token_is(d->word, "define") || token_is(d->word, "undef")) {
        if (!name || name->kind != TOKEN_NAME)
            return problem_at(pre->problem, d->hash->source, d->hash->begin, "#%.*s needs a name",
                              (int)d->word->length, d->word->text);
        if (token_is(d->word, "define"))
            return macro_define(pre, name, d->rest + 1, d->count - 1);
        macro_forget(pre, name);
        return true;
    }
    if (token_is(d->word, "include"))
        return include(pre, d);
    if (token_is(d->word, "pragma") && name && token_is(name, "once"))
        return mark_once(pre, name->source);
    if (token_is(d->word, "pragma") || token_is(d->word, "line") || token_is(d->word, "warning"))
        return true;
    if (token_is(d->word, "error"))
        return problem_at(pre->problem, d->hash->source, d->hash->begin,
                          "the text stops itself here with #error");
    return problem_at(pre->problem, d->hash->source, d->hash->begin, "#%.*s is not supported",
                      (int)(d->word->length < 40 ? d->word->length : 40), d->word->text);
}

static bool directive(struct preprocessor *pre, const struct directive *d, struct condition *stack,
                      size_t *depth)
{
    if (token_is(d->word, "if") || token_is(d->word, "ifdef") || token_is(d->word, "ifndef"))
        return begin_condition(pre, d, stack, depth);
    if (token_is(d->word, "elif") || token_is(d->word, "else") || token_is(d->word, "endif"))
        return change_condition(pre, d, stack, depth);
    if (!stack[*depth].taken)
        return true;
    return plain_directive(pre, d);
}

static bool starts_directive(const struct token *token)
{
    return token->starts_line && token_is_punct(token, '#');
}

static bool run(struct preprocessor *pre, const struct token_list *raw)
{
    struct condition stack[CONDITION_DEPTH_LIMIT] = {{.taken = true, .outer = true}};
    size_t depth = 0;
    size_t i = 0;
    while (raw->at[i].kind != TOKEN_END) {
        size_t line_end = i + 1;
        const struct token *first = &raw->at[i];
        bool is_directive = starts_directive(first);
        while (raw->at[line_end].kind != TOKEN_END &&
               !(is_directive ? raw->at[line_end].starts_line : starts_directive(&raw->at[line_end])))
            line_end++; /* a directive is a line; a macro's arguments may stand on several others */
        if (is_directive) {
            if (line_end > i + 1) {
                struct directive d = {first, first + 1, first + 2, line_end - i - 2};
                if (!directive(pre, &d, stack, &depth))
                    return false;
            }
        } else if (stack[depth].taken && !preprocess_expand(pre, first, line_end - i, &pre->tokens)) {
            return false;
        }
        i = line_end;
    }
    if (depth)
        return problem_at(pre->problem, stack[depth].where->source, stack[depth].where->begin,
                          "this conditional has no #endif");
    token_list_add(&pre->tokens, raw->at[i]);
    return true;
}

bool preprocess(struct preprocessor *pre, const struct source *source)
{
    struct token_list raw = {0};
    bool ok = tokens_of(source, &raw, pre->problem) && run(pre, &raw);
    token_list_free(&raw);
    return ok;
}
