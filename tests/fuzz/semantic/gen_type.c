/* gen_type.c - chance, text, and the types with all their names. */
#include "gen.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void text_add_list(struct text *text, const char *format, va_list list)
{
    va_list copy;
    va_copy(copy, list);
    size_t needed = (size_t)vsnprintf(NULL, 0, format, copy) + 1;
    va_end(copy);
    if (text->size + needed > text->capacity) {
        text->capacity = 2 * (text->size + needed);
        text->at = realloc(text->at, text->capacity);
        if (!text->at)
            abort();
    }
    (void)vsnprintf(text->at + text->size, needed, format, list);
    text->size += needed - 1;
}

void text_add(struct text *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    text_add_list(text, format, list);
    va_end(list);
}

void name_make(char name[NAME], const char *format, ...)
{
    va_list list;
    va_start(list, format);
    (void)vsnprintf(name, NAME, format, list);
    va_end(list);
}

void both(struct gen *g, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    text_add_list(&g->cu, format, list);
    va_end(list);
    va_start(list, format);
    text_add_list(&g->host, format, list);
    va_end(list);
}

unsigned id_new(struct gen *g)
{
    return g->names++;
}

size_t id_open(struct gen *g)
{
    text_add(&g->host, "      u");
    return g->host.size - 7;
}

void id_close(struct gen *g, size_t at)
{
    char number[8];
    (void)snprintf(number, sizeof number, "%6u", id_new(g) % 1000000);
    if (at + 6 <= g->host.size)
        memcpy(g->host.at + at, number, 6);
}

uint32_t chance(struct gen *g, uint32_t below) /* splitmix64 */
{
    uint64_t z = (g->rng += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ (z >> 31)) >> 32) % below;
}

bool one_in(struct gen *g, uint32_t n)
{
    return chance(g, n) == 0;
}

struct rule *rule_choose(struct gen *g, struct rule *rules, unsigned count)
{
    unsigned total = 0;
    for (unsigned i = 0; i < count; i++)
        total += !rules[i].feature || gen_features[rules[i].feature - 1].on ? rules[i].weight : 0;
    uint32_t at = chance(g, total);
    for (unsigned i = 0; i < count; i++) {
        unsigned weight = !rules[i].feature || gen_features[rules[i].feature - 1].on ? rules[i].weight : 0;
        if (at < weight) {
            rules[i].used++;
            return &rules[i];
        }
        at -= weight;
    }
    return &rules[0];
}

struct ctype type_make(char kind, unsigned bytes, unsigned lanes, bool is_signed)
{
    return (struct ctype){kind, (uint8_t)bytes, (uint8_t)lanes, is_signed};
}

static const struct spelling {
    const char *name;
    char kind;
    uint8_t bytes;
    bool is_signed;
} spellings[] = {
    {"int", 'i', 4, true},
    {"int", 'i', 4, true},
    {"int", 'i', 4, true},
    {"unsigned", 'i', 4, false},
    {"unsigned", 'i', 4, false},
    {"unsigned int", 'i', 4, false},
    {"uint", 'i', 4, false},
    {"uint32_t", 'i', 4, false},
    {"int32_t", 'i', 4, true},
    {"signed", 'i', 4, true},
    {"signed int", 'i', 4, true},
    {"long", 'i', 8, true},
    {"long int", 'i', 8, true},
    {"long long", 'i', 8, true},
    {"long long int", 'i', 8, true},
    {"int64_t", 'i', 8, true},
    {"ptrdiff_t", 'i', 8, true},
    {"unsigned long", 'i', 8, false},
    {"unsigned long long", 'i', 8, false},
    {"long unsigned int", 'i', 8, false},
    {"uint64_t", 'i', 8, false},
    {"size_t", 'i', 8, false},
    {"short", 'i', 2, true},
    {"short int", 'i', 2, true},
    {"int16_t", 'i', 2, true},
    {"unsigned short", 'i', 2, false},
    {"ushort", 'i', 2, false},
    {"uint16_t", 'i', 2, false},
    {"char", 'i', 1, true},
    {"signed char", 'i', 1, true},
    {"int8_t", 'i', 1, true},
    {"unsigned char", 'i', 1, false},
    {"uchar", 'i', 1, false},
    {"uint8_t", 'i', 1, false},
    {"bool", 'b', 1, false},
    {"bool", 'b', 1, false},
    {"bool", 'b', 1, false},
    {"float", 'f', 4, true},
    {"double", 'f', 8, true},
    {"half", 'h', 2, true},
};

enum { SPELLINGS = sizeof spellings / sizeof *spellings, INDEX_SPELLINGS = SPELLINGS - 3 };

struct ctype type_of_spelling(struct gen *g, const char **spelling)
{
    const struct spelling *s = &spellings[chance(g, INDEX_SPELLINGS)];
    *spelling = s->name;
    return type_make(s->kind, s->bytes, 1, s->is_signed);
}

struct ctype type_index(struct gen *g)
{
    const char *ignored;
    return type_of_spelling(g, &ignored);
}

/* Buffers hold scalars, vectors of at most 16 bytes, and those of 3, which are accessed a component at a
 * time. */
struct ctype type_element(struct gen *g)
{
    static const struct ctype types[] = {
        {'f', 4, 1, true},  {'f', 4, 1, true},  {'f', 4, 1, true},  {'f', 8, 1, true}, {'h', 2, 1, true},
        {'i', 4, 1, true},  {'i', 4, 1, false}, {'i', 1, 1, false}, {'i', 1, 1, true}, {'i', 2, 1, true},
        {'i', 2, 1, false}, {'i', 8, 1, true},  {'f', 4, 2, true},  {'f', 4, 4, true}, {'f', 8, 2, true},
        {'i', 4, 4, true},  {'i', 4, 2, false}, {'i', 1, 4, false}, {'i', 2, 2, true}, {'i', 2, 4, false},
        {'i', 8, 2, true},  {'i', 1, 2, true},  {'b', 1, 1, false}, {'f', 4, 3, true}, {'i', 1, 3, false},
        {'i', 2, 3, true},
    };
    return types[chance(g, sizeof types / sizeof *types)];
}

const char *type_vector_base(struct ctype type)
{
    static const char *const names[2][4] = {{"uchar", "ushort", "uint", "?"},
                                            {"char", "short", "int", "longlong"}};
    if (type.kind == 'f')
        return type.bytes == 4 ? "float" : "double";
    return names[type.is_signed][type.bytes == 1 ? 0 : type.bytes == 2 ? 1 : type.bytes == 4 ? 2 : 3];
}

/* char and signed char, long and long long are the same to ctype but not to a pointer: one of each is kept.
 */
static bool is_twin(const char *name)
{
    static const char *const twins[] = {"signed char",       "int8_t",    "long",     "long int",
                                        "int64_t",           "ptrdiff_t", "uint64_t", "unsigned long",
                                        "long unsigned int", "size_t"};
    for (unsigned i = 0; i < sizeof twins / sizeof *twins; i++)
        if (strcmp(twins[i], name) == 0)
            return true;
    return false;
}

const char *type_spell(struct gen *g, struct ctype type)
{
    static char name[4][24];
    static unsigned next;
    const char *found = "int";
    unsigned fitting = 0;
    if (type.lanes > 1) {
        char *at = name[next++ % 4];
        (void)snprintf(at, sizeof name[0], "%s%u", type_vector_base(type), type.lanes);
        return at;
    }
    for (unsigned i = 0; i < SPELLINGS; i++) {
        const struct spelling *s = &spellings[i];
        if (!is_twin(s->name) && s->kind == type.kind && s->bytes == type.bytes &&
            (s->kind == 'b' || s->is_signed == type.is_signed) && one_in(g, ++fitting))
            found = s->name;
    }
    return found;
}

struct ctype type_promoted(struct ctype type)
{
    if (type.kind == 'b' || (type.kind == 'i' && type.bytes < 4))
        return type_make('i', 4, 1, true);
    return type;
}

struct ctype type_both(struct ctype a, struct ctype b)
{
    a = type_promoted(a);
    b = type_promoted(b);
    if (a.bytes != b.bytes)
        return a.bytes > b.bytes ? a : b;
    return a.is_signed ? b : a;
}

bool type_equal(struct ctype a, struct ctype b)
{
    return a.kind == b.kind && a.bytes == b.bytes && a.lanes == b.lanes &&
           (a.kind == 'b' || a.is_signed == b.is_signed);
}

unsigned type_bytes(struct ctype type)
{
    return (unsigned)type.bytes * type.lanes;
}
