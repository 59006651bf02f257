/* intrinsic_atomic.c - atomicAdd and its kin: an access that reads, changes and writes. */
#include <string.h>

#include "intrinsic.h"

/* How the hardware runs it in shared memory: measured for 32-bit integers; adding floats or 64-bit integers
 * is a loop there, as 16-bit ones are. In global memory all are one request. */
static enum atomic_cost cost_of(const struct type *type, bool compares)
{
    if (type->space == SPACE_GLOBAL)
        return ATOMIC_ONCE;
    bool word = type->kind == TYPE_INTEGER && type->bytes == 4 && type->components == 1;
    return !word ? ATOMIC_EMULATED : compares ? ATOMIC_TWICE : ATOMIC_ONCE;
}

/* The operation: what stands between atomic and _block or _system. */
static bool is_atomic(const struct token *name, bool *compares)
{
    static const char *const operations[] = {"Add", "Sub", "Exch", "Min", "Max", "Inc",
                                             "Dec", "And", "Or",   "Xor", "CAS"};
    static const char *const scopes[] = {"", "_block", "_system"};
    if (name->length < 8 || memcmp(name->text, "atomic", 6) != 0)
        return false;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        for (size_t k = 0; k < sizeof scopes / sizeof *scopes; k++) {
            size_t n = strlen(operations[i]), m = strlen(scopes[k]);
            if (name->length == 6 + n + m && memcmp(name->text + 6, operations[i], n) == 0 &&
                memcmp(name->text + 6 + n, scopes[k], m) == 0) {
                *compares = strcmp(operations[i], "CAS") == 0;
                return true;
            }
        }
    return false;
}

struct expr *intrinsic_atomic(struct parser *parser, const struct token *name)
{
    struct intrinsic_call call;
    bool compares;
    bool addressed = token_is_punct(parser->at + 1, '&');
    if (!is_atomic(name, &compares) ||
        !intrinsic_arguments(parser, name, compares ? 3 : 2, compares ? 3 : 2, &call))
        return NULL;
    struct expr *memory = build_memory(parser, call.at[0], NULL, NULL);
    if (!memory)
        return NULL;
    if (memory->kind != EXPR_MEMORY || memory->type.is_const) {
        parse_fail(parser, name, "%.*s needs the address of a value that it may change", (int)name->length,
                   name->text);
        return NULL;
    }
    if (!addressed) { /* its span is no element's: the call's, as a hinted load's is */
        memory->begin = name->begin;
        memory->end = parser->last->end;
        memory->source = name->source;
        memory->in_macro = name->expanded || parser->last->expanded || name->source != parser->last->source;
    }
    struct type type = memory->type;
    struct expr *e = build(parser, EXPR_ATOMIC, type, name, parser->last);
    e->a = memory;
    e->part_count = call.count - 1;
    e->parts = arena_take(parser->arena, e->part_count * sizeof(struct expr *));
    e->value = cost_of(&memory->type, compares);
    for (unsigned i = 0; i < e->part_count; i++)
        if (!(e->parts[i] = build_convert(parser, call.at[i + 1], type)))
            return NULL;
    return build_adopt(parser, e);
}
