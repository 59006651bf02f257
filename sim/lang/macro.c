/* macro.c - macros: their definitions, and their replacement by body and arguments. */
#include <stdlib.h>
#include <string.h>

#include "token.h"

enum { MACRO_DEPTH_LIMIT = 64, MACRO_PARAMETER_LIMIT = 32 };

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

bool macro_is_defined(struct preprocessor *pre, const struct token *name)
{
    uint32_t hash;
    struct macro *macro = *find(pre->macros, name->text, name->length, &hash);
    if (macro)
        macro->used = true;
    return macro != NULL;
}

void macro_forget(struct preprocessor *pre, const struct token *name)
{
    uint32_t hash;
    struct macro **at = find(pre->macros, name->text, name->length, &hash);
    if (*at) {
        *at = (*at)->next;
        pre->macro_count--;
    }
}

/* The replacement of `name`. NULL after filling the problem. */
static struct macro *define(struct preprocessor *pre, const struct token *name, const struct token *body,
                            size_t count)
{
    macro_forget(pre, name);
    if (pre->macro_count++ >= MACRO_COUNT_LIMIT) {
        problem_at(pre->problem, name->source, name->begin, "more than 4096 macros are defined");
        return NULL;
    }
    struct macro *macro = arena_take(pre->arena, sizeof *macro);
    macro->name = arena_copy(pre->arena, name->text, name->length);
    macro->name_length = name->length;
    struct token *copy = arena_take(pre->arena, (count + 1) * sizeof *body);
    if (count)
        memcpy(copy, body, count * sizeof *body);
    macro->body = copy;
    macro->body_count = count;
    struct macro **at = find(pre->macros, macro->name, macro->name_length, &macro->hash);
    *at = macro;
    return macro;
}

bool macro_define(struct preprocessor *pre, const struct token *name, const struct token *rest, size_t count)
{
    bool is_plain = !count || !token_is_punct(rest, '(') || rest->begin != name->end;
    uint32_t hash;
    struct macro *given = *find(pre->macros, name->text, name->length, &hash);
    if (given && given->is_given && is_plain) { /* a definition wins over the text's own */
        given->overrides = true;
        return true;
    }
    if (is_plain)
        return define(pre, name, rest, count) != NULL;
    struct token *parameters = arena_take(pre->arena, MACRO_PARAMETER_LIMIT * sizeof *parameters);
    unsigned parameter_count = 0;
    bool is_variadic = false, ok = true;
    size_t i = 1;
    for (; ok && i < count && !token_is_punct(&rest[i], ')'); i++) {
        if (token_is_punct(&rest[i], ',') && parameter_count && !is_variadic)
            i++;
        bool rest_of_them = i < count && token_is_punct(&rest[i], PUNCT3('.', '.', '.'));
        ok = i < count && parameter_count < MACRO_PARAMETER_LIMIT && !is_variadic &&
             (rest_of_them || rest[i].kind == TOKEN_NAME);
        if (!ok)
            break;
        parameters[parameter_count] = rest[i];
        if (rest_of_them) {
            parameters[parameter_count].kind = TOKEN_NAME;
            parameters[parameter_count].text = "__VA_ARGS__";
            parameters[parameter_count].length = 11;
        } else if (i + 1 < count && token_is_punct(&rest[i + 1], PUNCT3('.', '.', '.'))) { /* args... */
            rest_of_them = true;
            i++;
        }
        parameter_count++;
        is_variadic = rest_of_them;
    }
    if (!ok || i >= count)
        return problem_at(pre->problem, name->source, name->begin,
                          "the parameters of a macro are at most %d names between ( and )",
                          MACRO_PARAMETER_LIMIT);
    struct macro *macro = define(pre, name, rest + i + 1, count - i - 1);
    if (!macro)
        return false;
    macro->function_like = true;
    macro->parameters = parameters;
    macro->parameter_count = parameter_count;
    macro->is_variadic = is_variadic;
    return true;
}

bool preprocess_define(struct preprocessor *pre, const struct source *definition)
{
    struct token_list list = {0};
    struct macro *macro = NULL;
    bool ok = tokens_of(definition, &list, pre->problem);
    if (ok && list.at[0].kind != TOKEN_NAME)
        ok = problem_at(pre->problem, definition, 0, "a definition is NAME or NAME=VALUE");
    if (ok && list.count == 2) {
        static const struct source one = {"definition", "1", 1};
        struct token body = {.kind = TOKEN_NUMBER, .text = one.bytes, .length = 1, .end = 1, .source = &one};
        ok = (macro = define(pre, &list.at[0], &body, 1)) != NULL;
    } else if (ok && token_is_punct(&list.at[1], '?') && token_is_punct(&list.at[2], '=')) {
        ok = define(pre, &list.at[0], list.at + 3, list.count - 4) != NULL; /* yields to the text */
    } else if (ok && !token_is_punct(&list.at[1], '=')) {
        ok = problem_at(pre->problem, definition, list.at[1].begin,
                        "only object-like definitions are supported: NAME=VALUE");
    } else if (ok) {
        ok = (macro = define(pre, &list.at[0], list.at + 2, list.count - 3)) != NULL;
    }
    if (macro)
        macro->is_given = true;
    token_list_free(&list);
    return ok;
}

static bool expand(struct preprocessor *pre, const struct token *tokens, size_t count, int depth,
                   const struct token *use, struct token_list *out);

/* An argument of a macro: some tokens of the text, and what they expand to. */
struct argument_tokens {
    const struct token *at;
    size_t count;
    struct token_list expanded;
};

/* Cuts "(a, b, ...)" into arguments; `used` is its number of tokens. */
static bool take_arguments(struct preprocessor *pre, const struct macro *macro, const struct token *tokens,
                           size_t count, struct argument_tokens *arguments, size_t *used,
                           const struct token *place)
{
    unsigned index = 0;
    int depth = 0;
    size_t begin = 1;
    for (size_t i = 0; i < count; i++) {
        depth += token_is_punct(&tokens[i], '(') - token_is_punct(&tokens[i], ')');
        bool splits = depth == 1 && token_is_punct(&tokens[i], ',') &&
                      !(macro->is_variadic && index + 1 == macro->parameter_count);
        if (!splits && depth > 0)
            continue;
        bool empty = depth == 0 && index == 0 && i == begin; /* f() has one empty argument, or none */
        if (index < macro->parameter_count)
            arguments[index] = (struct argument_tokens){.at = &tokens[begin], .count = i - begin};
        else if (!empty)
            return problem_at(pre->problem, place->source, place->begin,
                              "the macro %s takes %u arguments; here are more", macro->name,
                              macro->parameter_count);
        index++;
        begin = i + 1;
        if (depth > 0)
            continue;
        *used = i + 1;
        if (index + macro->is_variadic >= macro->parameter_count)
            return true;
        return problem_at(pre->problem, place->source, place->begin,
                          "the macro %s takes %u arguments, not %u", macro->name, macro->parameter_count,
                          index);
    }
    return problem_at(pre->problem, place->source, place->begin,
                      "the arguments of the macro %s have no closing )", macro->name);
}

static int parameter_of(const struct macro *macro, const struct token *token)
{
    for (unsigned i = 0; token->kind == TOKEN_NAME && i < macro->parameter_count; i++)
        if (macro->parameters[i].length == token->length &&
            memcmp(macro->parameters[i].text, token->text, token->length) == 0)
            return (int)i;
    return -1;
}

/* What # makes of an argument: no kernel looks into a string, so any will do. */
static struct token string_of(const struct token *hash)
{
    struct token string = *hash;
    string.kind = TOKEN_STRING;
    string.text = "\"\"";
    string.length = 2;
    return string;
}

/* The last token of `out` and `right` become one. */
static bool paste(struct preprocessor *pre, struct token_list *out, const struct token *right,
                  const struct token *place)
{
    struct token *left = &out->at[out->count - 1];
    struct source *source = arena_take(pre->arena, sizeof *source);
    size_t length = (size_t)left->length + right->length;
    char *bytes = arena_take(pre->arena, length + 1);
    memcpy(bytes, left->text, left->length);
    memcpy(bytes + left->length, right->text, right->length);
    *source = (struct source){place->source->name, bytes, length};
    struct token_list list = {0};
    bool ok = tokens_of(source, &list, pre->problem);
    if (ok && list.count != 2)
        ok = problem_at(pre->problem, place->source, place->begin, "## makes no single word of %.*s",
                        (int)(length < 60 ? length : 60), bytes);
    if (ok) {
        left->kind = list.at[0].kind;
        left->punct = list.at[0].punct;
        left->text = bytes;
        left->length = (uint32_t)length;
    }
    token_list_free(&list);
    return ok;
}

static void add_argument(struct token_list *out, const struct token *tokens, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct token token = tokens[i];
        token.expanded = true; /* it keeps its own place */
        token.starts_line = false;
        token_list_add(out, token);
    }
}

/* The body with its parameters replaced. */
static bool substitute(struct preprocessor *pre, const struct macro *macro,
                       const struct argument_tokens *arguments, const struct token *place,
                       struct token_list *out)
{
    bool pasting = false;
    for (size_t i = 0; i < macro->body_count; i++) {
        const struct token *token = &macro->body[i], *next = i + 1 < macro->body_count ? token + 1 : NULL;
        size_t first = out->count;
        bool pastes = next && token_is_punct(next, PUNCT2('#', '#'));
        int parameter = parameter_of(macro, token);
        if (token_is_punct(token, PUNCT2('#', '#')) && out->count) {
            pasting = true;
            continue;
        }
        if (token_is_punct(token, '#') && macro->function_like && next && parameter_of(macro, next) >= 0) {
            token_list_add(out, string_of(token));
            i++;
        } else if (parameter < 0) {
            token_list_add(out, *token);
        } else if (pastes || pasting) {
            add_argument(out, arguments[parameter].at, arguments[parameter].count);
        } else {
            add_argument(out, arguments[parameter].expanded.at, arguments[parameter].expanded.count);
        }
        bool comma = pasting && first && token_is_punct(&out->at[first - 1], ','); /* , ## __VA_ARGS__ */
        if (comma && first == out->count)
            out->count--;
        if (pasting && !comma && first && first < out->count) {
            struct token right = out->at[first];
            memmove(&out->at[first], &out->at[first + 1], (out->count - first - 1) * sizeof right);
            out->count--;
            size_t rest = out->count;
            out->count = first;
            bool ok = paste(pre, out, &right, place);
            out->count = rest;
            if (!ok)
                return false;
        }
        pasting = false;
        if (out->count >= TOKEN_COUNT_LIMIT)
            return problem_at(pre->problem, place->source, place->begin,
                              "the macros expand to more than 1048576 tokens");
    }
    return true;
}

/* The replacement of a macro whose name was just read, with the arguments in the tokens after it, of which it
 * says how many it used. */
static bool replace(struct preprocessor *pre, struct macro *macro, const struct token *tokens, size_t count,
                    size_t *used, int depth, const struct token *place, struct token_list *out)
{
    struct argument_tokens arguments[MACRO_PARAMETER_LIMIT] = {0};
    struct token_list body = {0};
    bool ok = !macro->function_like || take_arguments(pre, macro, tokens, count, arguments, used, place);
    struct token whole = *place; /* with its arguments */
    if (ok && *used && tokens[*used - 1].source == place->source && tokens[*used - 1].end > place->end)
        whole.end = tokens[*used - 1].end;
    for (unsigned i = 0; ok && i < macro->parameter_count; i++)
        ok = expand(pre, arguments[i].at, arguments[i].count, depth + 1, NULL, &arguments[i].expanded);
    ok = ok && substitute(pre, macro, arguments, place, &body);
    macro->busy = true;
    ok = ok && expand(pre, body.at, body.count, depth + 1, &whole, out);
    macro->busy = false;
    for (unsigned i = 0; i < macro->parameter_count; i++)
        token_list_free(&arguments[i].expanded);
    token_list_free(&body);
    return ok;
}

/* The macro with parameters that this token names, or NULL. */
static struct macro *called_macro(struct preprocessor *pre, const struct token *token)
{
    struct macro *macro =
        token->kind == TOKEN_NAME ? (struct macro *)preprocess_find(pre, token->text, token->length) : NULL;
    return macro && macro->function_like && !macro->busy ? macro : NULL;
}

static bool expand(struct preprocessor *pre, const struct token *tokens, size_t count, int depth,
                   const struct token *use, struct token_list *out)
{
    for (size_t i = 0; i < count; i++) {
        struct token token = tokens[i];
        struct macro *macro =
            token.kind == TOKEN_NAME ? (struct macro *)preprocess_find(pre, token.text, token.length) : NULL;
        const struct token *place = use && !token.expanded ? use : &tokens[i];
        if (pre->steps++ >= MACRO_STEP_LIMIT)
            return problem_at(pre->problem, place->source, place->begin,
                              "the macros take more than 4194304 steps to replace");
        bool called = i + 1 < count && token_is_punct(&tokens[i + 1], '(');
        if (macro && !macro->busy && (called || !macro->function_like)) {
            if (depth >= MACRO_DEPTH_LIMIT)
                return problem_at(pre->problem, place->source, place->begin,
                                  "macros nest deeper than 64 levels");
            size_t before = out->count;
            for (bool again = true; again;) {
                size_t used = 0;
                macro->used = true;
                if (!replace(pre, macro, tokens + i + 1, count - i - 1, &used, depth, place, out))
                    return false;
                i += used;
                /* what came out may end in another macro's name whose arguments stand behind the use */
                const struct macro *last = macro;
                macro = out->count > before ? called_macro(pre, &out->at[out->count - 1]) : NULL;
                again = macro && macro != last && i + 1 < count && token_is_punct(&tokens[i + 1], '(');
                out->count -= again;
            }
            continue;
        }
        if (called && token_is(&token, "_Pragma")) { /* like a #pragma: passed over */
            while (i + 1 < count && !token_is_punct(&tokens[i], ')'))
                i++;
            continue;
        }
        if (use && !token.expanded) {
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
