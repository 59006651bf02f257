/* preprocess.c - directives: which lines count, and what they define. */
#include "token.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"

enum {
    CONDITION_DEPTH_LIMIT = 64,
    INCLUDE_DEPTH_LIMIT = 32,
    INCLUDE_COUNT_LIMIT = 2048,
    MISSING_LIMIT = 64,
    INCLUDE_TOKEN_LIMIT = TOKEN_COUNT_LIMIT / 4 * 3
};

struct condition {
    bool taken;     /* this branch's lines count */
    bool was_taken; /* some branch of the chain already counted */
    bool outer;     /* the lines around count */
    bool saw_else;
    const struct token *where;
};

/* The token as a number of one digit. */
static struct token token_number(const struct token *at, const char *digit)
{
    struct token token = *at;
    token.kind = TOKEN_NUMBER;
    token.text = digit;
    token.length = 1;
    return token;
}

/* __has_include and its kin: what they ask for is not here. */
static bool asks_compiler(const struct token *at)
{
    return at->kind == TOKEN_NAME && at->length > 6 && memcmp(at->text, "__has_", 6) == 0;
}

/* `defined X` and `defined(X)` become 0 or 1 before macros are replaced. */
static bool replace_defined(struct preprocessor *pre, const struct token *tokens, size_t count,
                            struct token_list *out)
{
    for (size_t i = 0; i < count; i++) {
        if (asks_compiler(&tokens[i]) && i + 1 < count && token_is_punct(&tokens[i + 1], '(')) {
            token_list_add(out, token_number(&tokens[i], "0"));
            int depth = 0;
            do {
                i++;
                depth += token_opens(&tokens[i]) - token_closes(&tokens[i]);
            } while (depth > 0 && i + 1 < count);
            continue;
        }
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
        token_list_add(out, token_number(&tokens[i], known ? "1" : "0"));
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
            if (expanded.at[i].kind == TOKEN_NAME) /* C's rule: a name that is left is 0 */
                expanded.at[i] = token_number(&expanded.at[i], "0");
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

bool preprocess_include_name(const struct token *name, const struct token *end, char *out, size_t size)
{
    bool is_angle = name < end && token_is_punct(name, '<');
    if (name >= end || (name->kind != TOKEN_STRING && !is_angle))
        return false;
    const struct token *close = name + 1;
    while (is_angle && close < end && !token_is_punct(close, '>'))
        close++;
    if (is_angle && close == end)
        return false;
    const char *bytes = is_angle ? name->source->bytes + name->begin : name->text + 1;
    size_t length = is_angle ? close->begin - name->begin : name->length - 2u;
    if (length + 1 > size || length < (is_angle ? 2u : 1u) || memchr(bytes, '\0', length))
        return false;
    memcpy(out, bytes, length);
    out[length] = '\0';
    return true;
}

/* The text of #include "name" or <name>, or NULL. */
static const struct source *read_include(const struct preprocessor *pre, const struct directive *d)
{
    char name[400];
    if (!pre->reader || pre->include_depth >= INCLUDE_DEPTH_LIMIT ||
        pre->include_count >= INCLUDE_COUNT_LIMIT ||
        !preprocess_include_name(d->rest, d->rest + d->count, name, sizeof name))
        return NULL;
    return pre->reader->read(pre->reader->self, name, d->hash->source);
}

/* Appends to `out`, with a comma where there is something before. */
static void list_missing(const struct missing_include *missing, bool angles, char *out, size_t size,
                         unsigned *count)
{
    for (; missing; missing = missing->next) {
        bool is_angle = missing->name[0] == '<';
        size_t used = strlen(out);
        if (is_angle != angles || (is_angle && !strchr(missing->name, '.')))
            continue;
        if (++*count <= 3 && strlen(missing->name) < 60)
            (void)snprintf(out + used, size - used, "%s%s%s%s",
                           *count > 1 ? ", " : "; headers that were not found: ", is_angle ? "" : "\"",
                           missing->name, is_angle ? ">" : "\"");
    }
}

const char *preprocess_missing(const struct preprocessor *pre, char *out, size_t size)
{
    unsigned count = 0;
    *out = '\0';
    list_missing(pre ? pre->missing : NULL, false, out, size, &count);
    if (!count)
        list_missing(pre ? pre->missing : NULL, true, out, size, &count);
    return out;
}

/* Notes what an #include asked for in vain. */
static void pass_over(struct preprocessor *pre, const struct directive *d)
{
    char name[400];
    pre->skipped_includes++;
    if (!preprocess_include_name(d->rest, d->rest + d->count, name, sizeof name) ||
        (pre->reader && pre->reader->is_of_others && pre->reader->is_of_others(name + (name[0] == '<'))))
        return;
    struct missing_include *missing = arena_take(pre->arena, sizeof *missing), **end = &pre->missing;
    *missing = (struct missing_include){.name = arena_copy(pre->arena, name, strlen(name)),
                                        .where = d->hash->source,
                                        .begin = d->hash->begin};
    unsigned count = 0;
    while (*end && strcmp((*end)->name, name) != 0 && count++ < MISSING_LIMIT)
        end = &(*end)->next;
    if (!*end)
        *end = missing;
}

/* What an included text left open where it was broken off does not swallow the text around: the item that it
 * ended in goes, and what wraps items is closed. */
static void close_brackets(struct token_list *tokens, size_t from)
{
    size_t whole = from; /* behind the last whole item */
    unsigned wrappers = 0, closed_wrappers = 0, depth = 0;
    const struct token *at = tokens->at;
    size_t item = from;
    for (size_t i = from; i < tokens->count; i++) {
        bool opens = token_is_punct(&at[i], '{');
        if (opens && depth == 0 && (token_is(&at[item], "namespace") || token_is(&at[item], "extern"))) {
            wrappers++;
        } else if (token_is_punct(&at[i], '}') && depth == 0) {
            wrappers -= wrappers > 0;
        } else {
            depth += opens;
            depth -= token_is_punct(&at[i], '}');
            if (depth || !(token_is_punct(&at[i], ';') || token_is_punct(&at[i], '}')))
                continue;
        }
        item = whole = i + 1;
        closed_wrappers = wrappers;
    }
    struct token brace = tokens->count > from ? at[tokens->count - 1] : (struct token){.kind = TOKEN_END};
    tokens->count = whole;
    brace.kind = TOKEN_PUNCT;
    brace.punct = '}';
    brace.text = "}";
    brace.length = 1;
    brace.starts_line = false;
    for (unsigned i = 0; i < closed_wrappers; i++)
        token_list_add(tokens, brace);
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
        pass_over(pre, d);
        return true;
    }
    if (!included) {
        included = arena_take(pre->arena, sizeof *included);
        *included = (struct included){.source = source, .next = pre->included};
        pre->included = included;
    }
    struct token_list raw = {0};
    struct problem ignored = {0}, *problem = pre->problem;
    size_t before = pre->tokens.count;
    pre->problem = &ignored;
    pre->include_depth++;
    pre->include_count++;
    if (tokens_of(source, &raw, &ignored) && run(pre, &raw)) {
        pre->tokens.count--; /* its TOKEN_END */
    } else {
        pre->skipped_includes++;
        close_brackets(&pre->tokens, before);
    }
    if (pre->tokens.count > INCLUDE_TOKEN_LIMIT) /* the text itself needs the rest */
        pre->tokens.count = before;
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
