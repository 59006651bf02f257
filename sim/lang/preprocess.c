/* preprocess.c - directives and object-like macros. */
#include "token.h"

#include <stdlib.h>
#include <string.h>

#include "parse.h"

enum { CONDITION_DEPTH_LIMIT = 64, MACRO_DEPTH_LIMIT = 64 };

struct condition {
    bool taken;     /* this branch's lines count */
    bool was_taken; /* some branch of the chain already counted */
    bool outer;     /* the lines around count */
    bool saw_else;
    const struct token *where;
};

/* The link that points at the macro of that name, or at the NULL where it would be added. */
static struct macro **find(struct macro *const *buckets, const char *name, size_t length, uint32_t *hash)
{
    *hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        *hash = (*hash ^ (unsigned char)name[i]) * 16777619u;
    struct macro **at = (struct macro **)&buckets[*hash % MACRO_BUCKETS];
    while (*at &&
           !((*at)->hash == *hash && (*at)->name_length == length && memcmp((*at)->name, name, length) == 0))
        at = &(*at)->next;
    return at;
}

const struct macro *preprocess_find(const struct preprocessor *pre, const char *name, size_t length)
{
    uint32_t hash;
    return *find(pre->macros, name, length, &hash);
}

/* The same, for a text that asks whether it is defined. */
static bool is_defined(struct preprocessor *pre, const struct token *name)
{
    uint32_t hash;
    struct macro *macro = *find(pre->macros, name->text, name->length, &hash);
    if (macro)
        macro->used = true;
    return macro != NULL;
}

static void forget(struct preprocessor *pre, const struct token *name)
{
    uint32_t hash;
    struct macro **at = find(pre->macros, name->text, name->length, &hash);
    if (*at) {
        *at = (*at)->next;
        pre->macro_count--;
    }
}

/* NULL after filling the problem. */
static struct macro *define(struct preprocessor *pre, const struct token *name, const struct token *body,
                            size_t count)
{
    forget(pre, name);
    if (pre->macro_count++ >= MACRO_COUNT_LIMIT) {
        problem_at(pre->problem, name->source, name->begin, "more than 4096 macros are defined");
        return NULL;
    }
    struct macro *macro = arena_take(pre->arena, sizeof *macro);
    macro->name = arena_copy(pre->arena, name->text, name->length);
    macro->name_length = name->length;
    macro->body = arena_take(pre->arena, (count + 1) * sizeof *body);
    if (count)
        memcpy(macro->body, body, count * sizeof *body);
    macro->body_count = count;
    struct macro **at = find(pre->macros, macro->name, macro->name_length, &macro->hash);
    *at = macro;
    return macro;
}

bool preprocess_define(struct preprocessor *pre, const struct source *definition)
{
    struct token_list list = {0};
    bool ok = tokens_of(definition, &list, pre->problem);
    if (ok && list.at[0].kind != TOKEN_NAME)
        ok = problem_at(pre->problem, definition, 0, "a definition is NAME or NAME=VALUE");
    if (ok && list.count == 2) {
        static const struct source one = {"definition", "1", 1};
        struct token body = {.kind = TOKEN_NUMBER, .text = one.bytes, .length = 1, .end = 1, .source = &one};
        ok = define(pre, &list.at[0], &body, 1) != NULL;
    } else if (ok && !token_is_punct(&list.at[1], '=')) {
        ok = problem_at(pre->problem, definition, list.at[1].begin,
                        "only object-like definitions are supported: NAME=VALUE");
    } else if (ok) {
        ok = define(pre, &list.at[0], list.at + 2, list.count - 3) != NULL;
    }
    token_list_free(&list);
    return ok;
}

static bool expand(struct preprocessor *pre, const struct token *tokens, size_t count, int depth,
                   const struct token *use, struct token_list *out)
{
    for (size_t i = 0; i < count; i++) {
        struct token token = tokens[i];
        struct macro *macro =
            token.kind == TOKEN_NAME ? (struct macro *)preprocess_find(pre, token.text, token.length) : NULL;
        const struct token *place = use ? use : &tokens[i];
        if (pre->steps++ >= MACRO_STEP_LIMIT)
            return problem_at(pre->problem, place->source, place->begin,
                              "the macros take more than 4194304 steps to replace");
        if (macro && !macro->busy && !macro->function_like) {
            if (depth >= MACRO_DEPTH_LIMIT)
                return problem_at(pre->problem, place->source, place->begin,
                                  "macros nest deeper than 64 levels");
            macro->used = true;
            macro->busy = true;
            bool ok = expand(pre, macro->body, macro->body_count, depth + 1, place, out);
            macro->busy = false;
            if (!ok)
                return false;
            continue;
        }
        if (use) {
            token.source = use->source;
            token.begin = use->begin;
            token.end = use->end;
            token.expanded = true;
            token.starts_line = false;
        }
        if (out->count >= TOKEN_COUNT_LIMIT)
            return problem_at(pre->problem, place->source, place->begin,
                              "the macros expand to more than 1048576 tokens");
        token_list_add(out, token);
    }
    return true;
}

bool preprocess_expand(struct preprocessor *pre, const struct token *tokens, size_t count,
                       struct token_list *out)
{
    return expand(pre, tokens, count, 0, NULL, out);
}

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
        bool known = is_defined(pre, &tokens[name]);
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
            value = is_defined(pre, &d->rest[0]);
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

static bool plain_directive(struct preprocessor *pre, const struct directive *d)
{
    const struct token *name = d->count ? &d->rest[0] : NULL;
    if (token_is(d->word, "define") || token_is(d->word, "undef")) {
        if (!name || name->kind != TOKEN_NAME)
            return problem_at(pre->problem, d->hash->source, d->hash->begin, "#%.*s needs a name",
                              (int)d->word->length, d->word->text);
        if (token_is(d->word, "undef"))
            forget(pre, name);
        else {
            struct macro *macro = define(pre, name, d->rest + 1, d->count - 1);
            if (!macro)
                return false;
            macro->function_like =
                d->count > 1 && token_is_punct(&d->rest[1], '(') && d->rest[1].begin == name->end;
        }
        return true;
    }
    if (token_is(d->word, "include")) {
        pre->skipped_includes++;
        return true;
    }
    if (token_is(d->word, "pragma") || token_is(d->word, "line"))
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

static bool run(struct preprocessor *pre, const struct token_list *raw)
{
    struct condition stack[CONDITION_DEPTH_LIMIT] = {{.taken = true, .outer = true}};
    size_t depth = 0;
    size_t i = 0;
    while (raw->at[i].kind != TOKEN_END) {
        size_t line_end = i + 1;
        while (raw->at[line_end].kind != TOKEN_END && !raw->at[line_end].starts_line)
            line_end++;
        const struct token *first = &raw->at[i];
        if (token_is_punct(first, '#') && first->starts_line) {
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
