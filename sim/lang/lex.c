/* lex.c - bytes to tokens. */
#include "token.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lexer {
    const struct source *source;
    size_t at;
    bool starts_line;
    struct problem *problem;
};

static char peek(const struct lexer *lexer, size_t ahead)
{
    size_t at = lexer->at + ahead;
    return at < lexer->source->size ? lexer->source->bytes[at] : '\0';
}

static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* To the end of a line, over the joined ones. */
static void skip_line(struct lexer *lexer)
{
    for (; lexer->at < lexer->source->size && peek(lexer, 0) != '\n'; lexer->at++)
        if (peek(lexer, 0) == '\\' &&
            (peek(lexer, 1) == '\n' || (peek(lexer, 1) == '\r' && peek(lexer, 2) == '\n')))
            lexer->at += peek(lexer, 1) == '\n' ? 1 : 2;
}

/* Passes blanks, newlines, joined lines and comments. False on a comment that never ends. */
static bool skip_blanks(struct lexer *lexer)
{
    while (lexer->at < lexer->source->size) {
        char c = peek(lexer, 0);
        if (c == '\n') {
            lexer->starts_line = true;
            lexer->at++;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            lexer->at++;
        } else if (c == '\\' && peek(lexer, 1) == '\n') {
            lexer->at += 2;
        } else if (c == '\\' && peek(lexer, 1) == '\r' && peek(lexer, 2) == '\n') {
            lexer->at += 3;
        } else if (c == '/' && peek(lexer, 1) == '/') {
            skip_line(lexer);
        } else if (c == '/' && peek(lexer, 1) == '*') {
            size_t start = lexer->at;
            lexer->at += 2;
            while (lexer->at < lexer->source->size && !(peek(lexer, 0) == '*' && peek(lexer, 1) == '/'))
                lexer->at++;
            if (lexer->at >= lexer->source->size)
                return problem_at(lexer->problem, lexer->source, start, "this comment has no closing */");
            lexer->at += 2;
        } else {
            return true;
        }
    }
    return true;
}

static uint32_t punct_at(const struct lexer *lexer, uint32_t *length)
{
    static const char *const three[] = {"<<=", ">>=", "...", "<<<", ">>>"};
    static const char *const two[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+=",
                                      "-=", "*=", "/=", "%=", "&=", "|=", "^=", "->", "::", "##"};
    char a = peek(lexer, 0), b = peek(lexer, 1), c = peek(lexer, 2);
    bool alone = !b || !strchr("<>=&|+-:#.", b); /* none of the longer ones goes on like that */
    for (size_t i = 0; !alone && i < sizeof three / sizeof *three; i++)
        if (a == three[i][0] && b == three[i][1] && c == three[i][2]) {
            *length = 3;
            return PUNCT3(a, b, c);
        }
    for (size_t i = 0; !alone && i < sizeof two / sizeof *two; i++)
        if (a == two[i][0] && b == two[i][1]) {
            *length = 2;
            return PUNCT2(a, b);
        }
    *length = 1;
    return a && strchr("+-*/%<>=!&|^~?:;,.(){}[]#", a) ? PUNCT1(a) : 0;
}

/* C++ has words for some punctuators: `and` is another spelling of &&. */
static void take_word(struct token *token)
{
    static const struct {
        const char *word;
        uint32_t punct;
    } words[] = {{"and", PUNCT2('&', '&')},
                 {"or", PUNCT2('|', '|')},
                 {"not", '!'},
                 {"not_eq", PUNCT2('!', '=')},
                 {"bitand", '&'},
                 {"bitor", '|'},
                 {"xor", '^'},
                 {"compl", '~'},
                 {"and_eq", PUNCT2('&', '=')},
                 {"or_eq", PUNCT2('|', '=')},
                 {"xor_eq", PUNCT2('^', '=')}};
    if (!strchr("abcnox", token->text[0]))
        return;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (token_is(token, words[i].word)) {
            token->kind = TOKEN_PUNCT;
            token->punct = words[i].punct;
        }
}

/* A string or character literal; false if it does not end on its line. */
static bool skip_quoted(struct lexer *lexer, char quote)
{
    lexer->at++;
    while (peek(lexer, 0) != quote) {
        if (lexer->at >= lexer->source->size || peek(lexer, 0) == '\n')
            return false;
        if (peek(lexer, 0) == '\\')
            lexer->at++;
        lexer->at++;
    }
    lexer->at++;
    return true;
}

/* A raw string of host code, R"x(...)x", from its R. 1 if it was one, 0 if not, -1 if it never ends. */
static int skip_raw_string(struct lexer *lexer)
{
    const char *bytes = lexer->source->bytes;
    size_t size = lexer->source->size, open = lexer->at + 2, delimiter = open;
    while (open < size && open - delimiter <= 16 && bytes[open] != '(')
        open++;
    size_t length = open - delimiter;
    if (open >= size || bytes[open] != '(')
        return 0;
    for (size_t at = open + 1; at + length + 1 < size; at++)
        if (bytes[at] == ')' && bytes[at + 1 + length] == '"' &&
            memcmp(bytes + at + 1, bytes + delimiter, length) == 0) {
            lexer->at = at + length + 2;
            return 1;
        }
    return -1;
}

/* A preprocessing number: digits, letters, dots, and a sign after an exponent. */
static void skip_number(struct lexer *lexer)
{
    for (;;) {
        char c = peek(lexer, 0), next = peek(lexer, 1);
        if ((c == 'e' || c == 'E' || c == 'p' || c == 'P') && (next == '+' || next == '-'))
            lexer->at += 2;
        else if (is_digit(c) || is_name_start(c) || c == '.' || (c == '\'' && is_digit(next)))
            lexer->at++;
        else
            return;
    }
}

static bool next_token(struct lexer *lexer, struct token *token)
{
    lexer->starts_line = lexer->starts_line || lexer->at == source_text_begin(lexer->source);
    if (!skip_blanks(lexer))
        return false;
    *token = (struct token){.source = lexer->source,
                            .starts_line = lexer->starts_line,
                            .text = lexer->source->bytes + lexer->at,
                            .begin = (uint32_t)lexer->at};
    lexer->starts_line = false;
    char c = peek(lexer, 0);
    int raw = c == 'R' && peek(lexer, 1) == '"' ? skip_raw_string(lexer) : 0;
    if (raw < 0)
        return problem_at(lexer->problem, lexer->source, token->begin, "this raw string has no end");
    if (lexer->at >= lexer->source->size && !raw) {
        token->kind = TOKEN_END;
    } else if (raw) {
        token->kind = TOKEN_STRING;
    } else if (is_name_start(c)) {
        token->kind = TOKEN_NAME;
        while (is_name_start(peek(lexer, 0)) || is_digit(peek(lexer, 0)))
            lexer->at++;
    } else if (is_digit(c) || (c == '.' && is_digit(peek(lexer, 1)))) {
        token->kind = TOKEN_NUMBER;
        skip_number(lexer);
    } else if (c == '"' || c == '\'') {
        bool closed = skip_quoted(lexer, c);
        token->kind = c == '"' ? TOKEN_STRING : closed ? TOKEN_CHARACTER : TOKEN_OTHER;
        if (!closed && c == '"')
            return problem_at(lexer->problem, lexer->source, token->begin, "this string has no closing \"");
        if (!closed) /* an apostrophe in text that does not count: #if 0, #error */
            lexer->at = token->begin + 1;
    } else {
        uint32_t length;
        token->punct = punct_at(lexer, &length);
        token->kind = token->punct ? TOKEN_PUNCT : TOKEN_OTHER;
        lexer->at += length;
    }
    if (lexer->at > lexer->source->size)
        lexer->at = lexer->source->size;
    token->end = (uint32_t)lexer->at;
    token->length = token->end - token->begin;
    if (token->kind == TOKEN_NAME && token->length <= 6)
        take_word(token);
    return true;
}

bool tokens_of(const struct source *source, struct token_list *list, struct problem *problem)
{
    if (source->size > SOURCE_SIZE_LIMIT)
        return problem_say(problem, "%s is larger than the 4 MiB that a kernel's text may have",
                           source->name);
    struct lexer lexer = {.source = source, .at = source_text_begin(source), .problem = problem};
    for (;;) {
        struct token token;
        if (!next_token(&lexer, &token))
            return false;
        if (list->count >= TOKEN_COUNT_LIMIT)
            return problem_at(problem, source, token.begin, "the text has more than 1048576 tokens");
        token_list_add(list, token);
        if (token.kind == TOKEN_END)
            return true;
    }
}

bool token_same_name(const struct token *a, const struct token *b)
{
    return a->kind == TOKEN_NAME && b->kind == TOKEN_NAME && a->length == b->length &&
           memcmp(a->text, b->text, a->length) == 0;
}

bool token_opens(const struct token *token)
{
    return token_is_punct(token, '(') || token_is_punct(token, '[') || token_is_punct(token, '{');
}

bool token_closes(const struct token *token)
{
    return token_is_punct(token, ')') || token_is_punct(token, ']') || token_is_punct(token, '}');
}

const struct token *token_after_brackets(const struct token *open)
{
    size_t depth = 0;
    for (; open->kind != TOKEN_END; open++) {
        depth += token_opens(open);
        if (token_closes(open) && depth > 0 && --depth == 0)
            return open + 1;
    }
    return open;
}

int token_line(const struct token *token)
{
    int line, column;
    source_place(token->source, token->begin, &line, &column);
    return line;
}

bool token_is_chosen(const struct token *name, const char *choice)
{
    char line[16];
    if (strncmp(name->text, choice, name->length) != 0)
        return false;
    (void)snprintf(line, sizeof line, ":%d", token_line(name));
    return !choice[name->length] || strcmp(choice + name->length, line) == 0;
}

void token_list_add(struct token_list *list, struct token token)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 256;
        list->at = memory_resize(list->at, list->capacity, sizeof *list->at);
    }
    list->at[list->count++] = token;
}

void token_list_free(struct token_list *list)
{
    free(list->at);
    *list = (struct token_list){0};
}
