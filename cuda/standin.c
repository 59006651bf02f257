/* standin.c - what compilers complain of, and the declarations that help. */
#include "standin.h"

#include <ctype.h>
#include <stdlib.h>

/* How compilers say it: `before` the name, `after` it; then perhaps where it was looked for. */
static const struct {
    const char *before, *after;
    bool is_type, scope_first;
} forms[] = {
    {"unknown type name '", "'", true, false},
    {"no type named '", "'", true, false},
    {"no template named '", "'", false, false},
    {"no member named '", "'", false, false},
    {"use of undeclared identifier '", "'", false, false},
    {"identifier \"", "\" is undefined", false, false},
    {"namespace \"", "\" has no member", false, true},
};

static bool is_plain(const char *name)
{
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != ':')
            return false;
    return *name && !isdigit((unsigned char)*name);
}

static bool take_name(char *out, size_t size, const char *begin, const char *end)
{
    if (!end || end <= begin || (size_t)(end - begin) >= size)
        return false;
    memcpy(out, begin, (size_t)(end - begin));
    out[end - begin] = '\0';
    return is_plain(out);
}

static bool read_complaint(const char *line, size_t length, struct complaint *c)
{
    char text[400];
    (void)snprintf(text, sizeof text, "%.*s", (int)(length < 399 ? length : 399), line);
    *c = (struct complaint){0};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const char *before = strstr(text, forms[i].before);
        const char *begin = before ? before + strlen(forms[i].before) : NULL;
        const char *end = begin ? strstr(begin, forms[i].after) : NULL;
        if (!end)
            continue;
        c->is_type = forms[i].is_type;
        if (forms[i].scope_first) {
            const char *member = strstr(end, "member \"");
            return take_name(c->scope, sizeof c->scope, begin, end) && member &&
                   take_name(c->name, sizeof c->name, member + 8, strchr(member + 8, '"'));
        }
        if (!take_name(c->name, sizeof c->name, begin, end) || strchr(c->name, ':'))
            return false;
        const char *scope = strstr(end, "in namespace '");
        if (!scope)
            return strncmp(forms[i].before, "no member", 9) != 0 && !strstr(end, " in '");
        return take_name(c->scope, sizeof c->scope, scope + 14, strchr(scope + 14, '\''));
    }
    return false;
}

/* What a toolkit or the language itself has: no business of ours. */
static bool is_left_alone(const struct complaint *c)
{
    static const char *const begins[] = {
        "curand", "cub",  "thrust",    "cutlass", "cute", "wmma",   "nvcuda",
        "std",    "cuda", "torch",     "at",      "c10",  "glm",    "cooperative_groups",
        "cg",     "__",   "lanescope", "nv_",     "mma",  "cublas", "tex",
        "surf",   "half", "Half"};
    const char *subject = *c->scope ? c->scope : c->name;
    size_t length = strcspn(subject, ":");
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        size_t n = strlen(begins[i]);
        bool is_prefix = n > 4 || begins[i][0] == '_' || strchr(begins[i], '_');
        if (strncmp(subject, begins[i], n) == 0 && (is_prefix || length == n))
            return true;
    }
    return false;
}

static bool is_known(const struct standins *s, const struct complaint *c)
{
    for (unsigned i = 0; i < s->count; i++)
        if (strcmp(s->list[i].name, c->name) == 0 && strcmp(s->list[i].scope, c->scope) == 0)
            return true;
    return false;
}

/* a::b around what is declared. */
static void open_scope(struct sheet *text, const char *scope)
{
    while (*scope) {
        size_t n = strcspn(scope, ":");
        put_text(text, "namespace ");
        put(text, scope, n);
        put_text(text, " { ");
        scope += n + strspn(scope + n, ":");
    }
}

static void close_scope(struct sheet *text, const char *scope)
{
    for (; *scope; scope += strspn(scope, ":")) {
        scope += strcspn(scope, ":");
        put_text(text, "} ");
    }
    put_text(text, "\n");
}

static bool take_complaint(struct standins *s, const struct token_list *tokens, const struct complaint *c,
                           bool values)
{
    struct name_use use;
    if (is_left_alone(c) || is_known(s, c) || s->count == STANDIN_LIMIT)
        return false;
    name_use_find(tokens, c->name, &use);
    if (standin_is_of_vectors(c->name) && (use.uses & USE_FUNCTION))
        return standin_add_vectors(s);
    if (values != (!c->is_type && !(use.uses & ~(unsigned)(USE_VALUE | USE_COMPARED))))
        return false;
    size_t before = s->text.size;
    open_scope(&s->text, c->scope);
    bool ok = standin_declare(s, c, &use);
    close_scope(&s->text, c->scope);
    if (!ok) {
        s->text.size = before;
        s->text.bytes[before] = '\0';
        return false;
    }
    memcpy(s->list[s->count].name, c->name, sizeof c->name);
    memcpy(s->list[s->count].scope, c->scope, sizeof c->scope);
    s->count++;
    return true;
}

static bool is_about_vectors(const char *error, size_t length)
{
    static const char *const begins[] = {"error: invalid operands to binary expression ('",
                                         "error: no matching function for call to 'make_",
                                         "error: no operator \"", "error: invalid argument type 'float",
                                         "error: no viable conversion from 'float"};
    char text[200];
    (void)snprintf(text, sizeof text, "%.*s", (int)(length < 199 ? length : 199), error);
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(text, begins[i], strlen(begins[i])) == 0)
            return standin_has_word(text, "float2") || standin_has_word(text, "float3") ||
                   standin_has_word(text, "float4") || standin_has_word(text, "int2") ||
                   standin_has_word(text, "int3") || standin_has_word(text, "int4") || i == 2;
    return false;
}

/* CUDA_KERNEL_LOOP(i, n) { ... }, which no compiler takes for a loop. */
static bool add_loops(struct standins *s, const struct device_part *part)
{
    if (s->has_loops || !strstr(part->text, "KERNEL_LOOP"))
        return false;
    s->has_loops = true;
    standin_note(s, "%s as loops over the grid%s", "CUDA_KERNEL_LOOP and its kin", "");
    return true;
}

/* All complaints of a log that are of values alone, or all others. */
static bool take_log(struct standins *s, const struct token_list *tokens, const char *log, bool values)
{
    bool learned = false;
    for (const char *line = log; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        struct complaint c;
        const char *error = strstr(line, "error");
        size_t length = strcspn(line, "\n");
        if (!error || error >= line + length)
            continue;
        if (!values && is_about_vectors(error, length))
            learned |= standin_add_vectors(s);
        if (read_complaint(error, (size_t)(line + length - error), &c))
            learned |= take_complaint(s, tokens, &c, values);
    }
    return learned;
}

/* Values come last: what was declared with a type that is not known looks like one. */
bool standins_learn(struct standins *s, const struct device_part *part, const char *log)
{
    const struct source source = {DEVICE_PART_FILE, part->text, part->size};
    struct token_list tokens = {0};
    struct problem ignored = {0};
    if (add_loops(s, part))
        return true;
    bool learned = tokens_of(&source, &tokens, &ignored) &&
                   (take_log(s, &tokens, log, false) || take_log(s, &tokens, log, true));
    token_list_free(&tokens);
    return learned;
}

void standins_free(struct standins *s)
{
    free(s->text.bytes);
    free(s->note.bytes);
    free(s->missing.bytes);
    *s = (struct standins){0};
}
