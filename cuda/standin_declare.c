/* standin_declare.c - the declarations that stand in. */
#include "standin.h"

#include <ctype.h>
#include <stdlib.h>

bool standin_has_word(const char *name, const char *word)
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
        if (standin_has_word(name, words[i].word))
            return words[i].type;
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        if (standin_has_word(name, ints[i]))
            return "int";
    return NULL;
}

void standin_note(struct standins *s, const char *format, const char *name, const char *what)
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
    standin_note(s, "%s as an enum%s", c->name, "");
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
    standin_note(s, "%s as a struct of int %s", c->name, members);
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
    standin_note(s, "%s as %s", c->name, type);
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
        if (strlen(c->name) == strlen(divisions[i]) && standin_has_word(c->name, divisions[i])) {
            put_format(&s->text,
                       "template <class A, class B> __host__ __device__ constexpr auto %s(A a, B b) { return "
                       "(a + b - 1) / b; }\n",
                       c->name);
            standin_note(s, "%s(a, b) as (a + b - 1) / b%s", c->name, "");
            return true;
        }
    for (size_t i = 0; i < sizeof additions / sizeof *additions; i++)
        if (strcmp(c->name, additions[i]) == 0) {
            put_format(&s->text,
                       "template <class A, class B> __device__ __forceinline__ A %s(A *p, B v) { return "
                       "atomicAdd(p, (A)v); }\n",
                       c->name);
            standin_note(s, "%s as atomicAdd%s", c->name, "");
            return true;
        }
    return false;
}

/* What helper_math.h has. */
bool standin_is_of_vectors(const char *name)
{
    static const char *const names[] = {"dot", "cross", "normalize", "length", "lerp", "clamp", "reflect"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

bool standin_add_vectors(struct standins *s)
{
    if (s->has_vectors)
        return false;
    s->has_vectors = true;
    standin_note(s, "%s componentwise%s", "operators and functions of float4 and its kin", "");
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
    standin_note(s, "%s() as data%s", c->name, "");
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
    standin_note(s, "what %s<> has as data%s", c->name, "");
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
    standin_note(s, "%s as %s", c->name, value);
    return true;
}

bool standin_declare(struct standins *s, const struct complaint *c, const struct name_use *use)
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
