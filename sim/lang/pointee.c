/* pointee.c - buffers that no parameter names: __device__ variables, and what pointers in memory point at.
 *
 * Each becomes a parameter behind those that the kernel lists. A pointer that lies at the n-th 8 bytes of a
 * buffer points POINTEE_STRIDE * n bytes into the parameter that stands for all of them: two of them never
 * meet, and each begins at a multiple of 256 bytes, as parameters' buffers do.
 */
#include "parse.h"

#include <stdio.h>
#include <string.h>

static bool has_pointers(const struct type *type)
{
    if (type->kind == TYPE_ARRAY)
        return has_pointers(type->to);
    bool any = type->kind == TYPE_POINTER;
    for (unsigned i = 0; type->kind == TYPE_STRUCT && i < type->record->count; i++)
        any = any || has_pointers(&type->record->members[i].type);
    return any;
}

void pointee_note(struct parser *parser, struct expr *memory)
{
    if (memory->type.space != SPACE_GLOBAL || !has_pointers(&memory->type))
        return;
    struct pointer_place *place = arena_take(parser->arena, sizeof *place);
    *place = (struct pointer_place){memory, memory->a->member, parser->kernel->pointer_places};
    parser->kernel->pointer_places = place;
}

/* A parameter more; NULL after filling the problem. */
static struct symbol *add_parameter(struct parser *parser, const char *name, const struct type *to,
                                    enum parameter_origin origin)
{
    struct kernel_tree *kernel = parser->kernel;
    if (kernel->parameter_count == PARSE_PARAMETER_LIMIT) {
        parse_fail(parser, parser->last, "a kernel has at most %u parameters and other buffers here",
                   PARSE_PARAMETER_LIMIT);
        return NULL;
    }
    struct symbol *symbol = arena_take(parser->arena, sizeof *symbol);
    *symbol = (struct symbol){.kind = SYMBOL_PARAMETER,
                              .name = name,
                              .type = type_pointer(to, SPACE_GLOBAL),
                              .index = kernel->parameter_count,
                              .root = (int)kernel->parameter_count,
                              .position = kernel->parameter_count,
                              .whole_bytes = 8,
                              .origin = origin,
                              .has_space = true};
    kernel->parameters[kernel->parameter_count++] = symbol;
    return symbol;
}

const struct symbol *pointee_of(const struct kernel_tree *kernel, int root, const struct type *to)
{
    for (unsigned i = 0; root >= 0 && i < kernel->parameter_count; i++) {
        const struct symbol *symbol = kernel->parameters[i];
        if (symbol->origin == ORIGIN_POINTEE && (int)symbol->position == root &&
            type_same(symbol->type.to, to))
            return symbol;
    }
    return NULL;
}

/* "s.p" for the member p of what lies in s, "a.each" for what lies there itself; with a number where that is
 * taken. */
static const char *name_of(struct parser *parser, int root, const char *member)
{
    const char *from = parser->kernel->parameters[root]->name;
    char name[220];
    unsigned same = 1;
    int length = 0;
    for (bool taken = true; taken; same++) {
        length = snprintf(name, sizeof name, same > 1 ? "%.100s.%.90s%u" : "%.100s.%.90s", from,
                          member ? member : "each", same);
        taken = false;
        for (unsigned i = 0; i < parser->kernel->parameter_count; i++)
            taken = taken || strcmp(parser->kernel->parameters[i]->name, name) == 0;
    }
    return arena_copy(parser->arena, name, (size_t)length);
}

/* Gives all pointers in a value of this type, which lies in the buffer `root`, something to point at. */
static bool resolve_type(struct parser *parser, int root, const struct type *type, const char *member)
{
    if (type->kind == TYPE_ARRAY)
        return resolve_type(parser, root, type->to, member);
    for (unsigned i = 0; type->kind == TYPE_STRUCT && i < type->record->count; i++)
        if (!resolve_type(parser, root, &type->record->members[i].type, type->record->members[i].name))
            return false;
    if (type->kind != TYPE_POINTER || pointee_of(parser->kernel, root, type->to))
        return true;
    struct symbol *symbol = add_parameter(parser, name_of(parser, root, member), type->to, ORIGIN_POINTEE);
    if (symbol)
        symbol->position = (unsigned)root;
    return symbol != NULL;
}

bool pointee_resolve(struct parser *parser)
{
    for (bool again = parser->kernel->pointer_places != NULL; again;) {
        again = false;
        build_pointer_roots(parser->kernel);
        for (struct pointer_place *place = parser->kernel->pointer_places; place; place = place->next) {
            int root = place->memory->symbol ? ROOT_SEVERAL : pointer_root(place->memory->a);
            if (root < 0 || parser->kernel->parameters[root]->origin == ORIGIN_POINTEE)
                continue; /* said where code is made */
            if (!resolve_type(parser, root, &place->memory->type, place->member))
                return false;
            place->memory->symbol = parser->kernel->parameters[root]; /* done */
            if (place->memory->type.kind == TYPE_POINTER)
                place->memory->symbol =
                    (struct symbol *)(uintptr_t)pointee_of(parser->kernel, root, place->memory->type.to);
            again = true;
        }
    }
    return true;
}

struct expr *pointee_variable(struct parser *parser, const struct token *name, struct symbol *variable)
{
    const struct kernel_tree *kernel = parser->kernel;
    struct symbol *symbol = NULL;
    bool is_array = variable->type.kind == TYPE_ARRAY;
    for (unsigned i = 0; i < kernel->parameter_count && !symbol; i++)
        if (kernel->parameters[i]->origin == ORIGIN_VARIABLE &&
            kernel->parameters[i]->declared == variable->declared)
            symbol = kernel->parameters[i];
    if (!symbol) {
        struct type *to = arena_take(parser->arena, sizeof *to);
        *to = is_array ? *variable->type.to : variable->type;
        if (!kernel->parameters || !(symbol = add_parameter(parser, variable->name, to, ORIGIN_VARIABLE)))
            return NULL;
        symbol->declared = variable->declared;
        symbol->own_bytes = type_size(&variable->type);
    }
    struct expr *e = build(parser, EXPR_VARIABLE, symbol->type, name, name);
    e->symbol = symbol;
    if (!is_array)
        return build_memory(parser, e, name, name);
    e->array = &variable->type;
    return e;
}
