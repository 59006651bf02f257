/* standin.c - what compilers complain of, and the declarations that help. */
#include "standin.h"

#include <ctype.h>
#include <stdlib.h>

/* A name that an error is about. */
struct complaint {
    char name[STANDIN_NAME], scope[STANDIN_SCOPE];
    bool is_type;
};

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

static bool has_word(const char *name, const char *word)
{
    size_t n = strlen(word);
    for (; *name; name++) {
        size_t i = 0;
        while (i < n && tolower((unsigned char)name[i]) == word[i])
            i++;
        if (i == n)
            return true;
    }
    return false;
}

/* int32_cuda, uint8, idx_type: an integer by its name; NULL: none. */
static const char *integer_of_name(const char *name)
{
    static const struct {
        const char *word, *type;
    } words[] = {{"uint64", "unsigned long long"}, {"int64", "long long"},
                 {"uint32", "unsigned"},           {"int32", "int"},
                 {"uint16", "unsigned short"},     {"int16", "short"},
                 {"uint8", "unsigned char"},       {"int8", "signed char"}},
      exact[] = {{"u8", "unsigned char"},
                 {"u16", "unsigned short"},
                 {"u32", "unsigned"},
                 {"u64", "unsigned long long"},
                 {"i8", "signed char"},
                 {"i16", "short"},
                 {"i32", "int"},
                 {"i64", "long long"},
                 {"s32", "int"},
                 {"uchar", "unsigned char"},
                 {"byte", "unsigned char"},
                 {"BYTE", "unsigned char"},
                 {"uint", "unsigned"},
                 {"Int", "int"},
                 {"DWORD", "unsigned"},
                 {"WORD", "unsigned short"},
                 {"bit32", "unsigned"}};
    static const char *const ints[] = {"index", "idx", "size", "count", "offset", "mode", "kind", "enum"};
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        if (strcmp(name, exact[i].word) == 0)
            return exact[i].type;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (has_word(name, words[i].word))
            return words[i].type;
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        if (has_word(name, ints[i]))
            return "int";
    return NULL;
}

static void note(struct standins *s, const char *format, const char *name, const char *what)
{
    if (s->note.size)
        put_text(&s->note, "; ");
    put_format(&s->note, format, name, what);
}

static bool add_enumeration(struct standins *s, const struct complaint *c, const struct name_use *use)
{
    put_format(&s->text, "enum class %s : int { ", c->name);
    for (unsigned i = 0; i < use->member_count; i++)
        put_format(&s->text, "%s, ", use->members[i]);
    put_text(&s->text, "};\n");
    note(s, "%s as an enum%s", c->name, "");
    return true;
}

static bool add_struct(struct standins *s, const struct complaint *c, const struct name_use *use)
{
    char members[400] = "";
    put_format(&s->text, "struct %s { ", c->name);
    for (unsigned i = 0; i < use->member_count; i++) {
        size_t used = strlen(members);
        put_format(&s->text, "int %s; ", use->members[i]);
        (void)snprintf(members + used, sizeof members - used, "%s%s", i ? ", " : "", use->members[i]);
    }
    put_text(&s->text, "};\n");
    note(s, "%s as a struct of int %s", c->name, members);
    return true;
}

/* False: memory would depend on what nobody knows, or it is used as no such type is. */
static bool add_type(struct standins *s, const struct complaint *c, const struct name_use *use)
{
    const char *integer = integer_of_name(c->name);
    if ((use->uses & USE_SCOPE) && use->member_count && !use->has_calls && !(use->uses & USE_POINTER))
        return add_enumeration(s, c, use);
    if (use->has_calls || (use->uses & (USE_SCOPE | USE_CLASS)))
        return false;
    if (use->member_count)
        return !(use->uses & (USE_POINTER | USE_ARGUMENT)) && add_struct(s, c, use);
    const char *type = integer ? integer : use->is_counted ? "int" : "float";
    put_format(&s->text, "typedef %s %s;\n", type, c->name);
    note(s, "%s as %s", c->name, type);
    return true;
}

/* Functions that many headers have, and all alike. */
static bool add_known_function(struct standins *s, const struct complaint *c)
{
    static const char *const divisions[] = {"div_ceil", "ceil_div", "divceil", "ceildiv",  "cdiv",
                                            "divup",    "div_up",   "idivup",  "divideup", "round_up_div"};
    static const char *const additions[] = {"gpuAtomicAdd", "gpuAtomicAddNoReturn", "atomicAddNoRet",
                                            "atomAdd"};
    for (size_t i = 0; i < sizeof divisions / sizeof *divisions; i++)
        if (strlen(c->name) == strlen(divisions[i]) && has_word(c->name, divisions[i])) {
            put_format(&s->text,
                       "template <class A, class B> __host__ __device__ constexpr auto %s(A a, B b) { return "
                       "(a + b - 1) / b; }\n",
                       c->name);
            note(s, "%s(a, b) as (a + b - 1) / b%s", c->name, "");
            return true;
        }
    for (size_t i = 0; i < sizeof additions / sizeof *additions; i++)
        if (strcmp(c->name, additions[i]) == 0) {
            put_format(&s->text,
                       "template <class A, class B> __device__ __forceinline__ A %s(A *p, B v) { return "
                       "atomicAdd(p, (A)v); }\n",
                       c->name);
            note(s, "%s as atomicAdd%s", c->name, "");
            return true;
        }
    return false;
}

/* What helper_math.h has. */
static bool is_of_vectors(const char *name)
{
    static const char *const names[] = {"dot", "cross", "normalize", "length", "lerp", "clamp", "reflect"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool add_vectors(struct standins *s)
{
    if (s->has_vectors)
        return false;
    s->has_vectors = true;
    note(s, "%s componentwise%s", "operators and functions of float4 and its kin", "");
    return true;
}

/* A name in capitals is a macro's: it may do anything. */
static bool is_shouted(const char *name)
{
    for (const char *c = name; *c; c++)
        if (islower((unsigned char)*c))
            return false;
    return true;
}

static bool add_function(struct standins *s, const struct complaint *c, const struct name_use *use)
{
    if (add_known_function(s, c))
        return true;
    if (is_shouted(c->name))
        return false;
    if (use->uses & USE_FUNCTION)
        put_format(&s->text,
                   "template <class T, class... A> __device__ lanescope_value<T, A...> %s(T, A...);\n",
                   c->name);
    if (use->uses & USE_FUNCTION_OF_TYPE)
        put_format(&s->text,
                   "template <class R, class... A> __device__ lanescope_result<R, A...> %s(A...);\n",
                   c->name);
    if (use->uses & USE_FUNCTION_OF_NUMBER)
        put_format(
            &s->text,
            "template <auto n, class T, class... A> __device__ lanescope_value<T, A...> %s(T, A...);\n",
            c->name);
    note(s, "%s() as data%s", c->name, "");
    return true;
}

static bool add_class(struct standins *s, const struct complaint *c, const struct name_use *use)
{
    put_format(&s->text, "template <class... P> struct %s {\n", c->name);
    for (unsigned i = 0; i < use->member_count; i++)
        put_format(&s->text,
                   "template <class... A> static __device__ lanescope_result<typename "
                   "lanescope_last<P...>::type, A...> %s(A...);\n",
                   use->members[i]);
    put_text(&s->text, "};\n");
    note(s, "what %s<> has as data%s", c->name, "");
    return true;
}

static bool add_constant(struct standins *s, const struct complaint *c)
{
    if (s->missing.size)
        put_text(&s->missing, ", ");
    put_text(&s->missing, c->name);
    s->list[s->count].is_constant = true;
    put_format(&s->text, "constexpr int %s = 32;\n", c->name); /* to find what else is missing */
    return true;
}

static bool add_enumerator(struct standins *s, const struct complaint *c)
{
    char value[20];
    (void)snprintf(value, sizeof value, "%u", s->enumerators);
    put_format(&s->text, "constexpr int %s = %u;\n", c->name, s->enumerators++);
    note(s, "%s as %s", c->name, value);
    return true;
}

static bool declare(struct standins *s, const struct complaint *c, const struct name_use *use)
{
    const unsigned functions = USE_FUNCTION | USE_FUNCTION_OF_TYPE | USE_FUNCTION_OF_NUMBER;
    bool is_type = c->is_type || (use->uses & USE_TYPE) || use->uses == USE_ARGUMENT;
    if (use->uses & USE_UNKNOWN)
        return false;
    if (is_type)
        return add_type(s, c, use);
    if (use->uses & USE_CLASS)
        return !(use->uses & (functions | USE_SCOPE)) && add_class(s, c, use);
    if (use->uses & functions)
        return add_function(s, c, use);
    if (use->uses & USE_SCOPE) {
        put_format(&s->text, "namespace %s {}\n", c->name);
        return true;
    }
    if (use->uses & USE_COMPARED)
        return add_enumerator(s, c);
    return (use->uses & (USE_VALUE | USE_ARGUMENT)) && add_constant(s, c);
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
    if (is_of_vectors(c->name) && (use.uses & USE_FUNCTION))
        return add_vectors(s);
    if (values != (!c->is_type && !(use.uses & ~(unsigned)(USE_VALUE | USE_COMPARED))))
        return false;
    size_t before = s->text.size;
    open_scope(&s->text, c->scope);
    bool ok = declare(s, c, &use);
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
            return has_word(text, "float2") || has_word(text, "float3") || has_word(text, "float4") ||
                   has_word(text, "int2") || has_word(text, "int3") || has_word(text, "int4") || i == 2;
    return false;
}

/* CUDA_KERNEL_LOOP(i, n) { ... }, which no compiler takes for a loop. */
static bool add_loops(struct standins *s, const struct device_part *part)
{
    if (s->has_loops || !strstr(part->text, "KERNEL_LOOP"))
        return false;
    s->has_loops = true;
    note(s, "%s as loops over the grid%s", "CUDA_KERNEL_LOOP and its kin", "");
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
            learned |= add_vectors(s);
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
