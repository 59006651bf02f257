/* build_local.c - pointers to local variables, resolved: `v[i]`, `*(float4 *)&v[4]`, `m[i][j]` are registers.
 */
#include "parse.h"

/* Where a pointer to local data leads: `place` and so many registers behind it. */
struct local {
    struct expr *place, *index; /* index NULL: 0 */
    unsigned bytes;             /* of each number there; 0: they differ */
    bool is_cast;
};

static bool local_add(struct parser *parser, struct local *local, struct expr *step, int64_t slots)
{
    struct type wide = type_integer(8, true);
    struct token at = {.source = step->source, .begin = step->begin, .end = step->end};
    struct token times = {.kind = TOKEN_PUNCT, .punct = '*', .source = step->source, .begin = step->begin},
                 plus = times;
    plus.punct = '+';
    struct expr *moved = build_binary(parser, &times, build_convert(parser, step, wide),
                                      build_integer(parser, slots, wide, &at));
    local->index = local->index ? build_binary(parser, &plus, local->index, moved) : moved;
    return local->index != NULL;
}

/* False with no problem set: this is no address that the text tells. */
static bool local_of(struct parser *parser, struct expr *pointer, struct local *local)
{
    switch (pointer->kind) {
    case EXPR_ADDRESS:
        *local = (struct local){.place = pointer->a, .bytes = type_uniform_bytes(&pointer->a->type)};
        if (pointer->a->kind == EXPR_ELEMENT ||
            pointer->a->kind == EXPR_COMPONENT) { /* a part sees its whole */
            struct expr *part = pointer->a;
            local->bytes = type_uniform_bytes(&part->a->type);
            local->place = part->a;
            local->is_cast = part->is_other;
            struct token at = {.source = part->source, .begin = part->begin, .end = part->end};
            if (part->kind == EXPR_ELEMENT && !local_add(parser, local, part->b, 1))
                return false;
            return local_add(parser, local, build_integer(parser, part->value, type_integer(8, true), &at),
                             1);
        }
        return true;
    case EXPR_CONVERT: /* of numbers whose sizes differ, only their own pointer can be followed */
        return local_of(parser, pointer->a, local) && (local->is_cast = true) &&
               (local->bytes ||
                type_uniform_bytes(pointer->type.to) == type_uniform_bytes(pointer->a->type.to));
    case EXPR_POINTER_ADD: {
        if (!local_of(parser, pointer->a, local))
            return false;
        const struct type *step = pointer->a->type.to;
        if (local->bytes && pointer->scale % local->bytes == 0)
            return local_add(parser, local, pointer->b, (int64_t)(pointer->scale / local->bytes));
        return !local->bytes && pointer->scale == type_size(step) &&
               local_add(parser, local, pointer->b, (int64_t)type_slots(step));
    }
    default:
        return false;
    }
}

struct expr *build_local(struct parser *parser, struct expr *pointer, struct type type)
{
    struct local local;
    if (!local_of(parser, pointer, &local)) {
        if (!parser->problem->set)
            problem_at(parser->problem, pointer->source, pointer->begin,
                       "a pointer to a local variable can only be dereferenced where it is formed");
        return NULL;
    }
    int64_t slot = 0;
    bool is_constant = !local.index || constant_value(local.index, &slot);
    bool puns = local.bytes && type_uniform_bytes(&type) != local.bytes;
    struct type seen = type;
    if (puns) { /* as many whole numbers of the place as cover it */
        seen = type_integer((int)local.bytes, false);
        struct type *one = arena_take(parser->arena, sizeof *one);
        *one = seen;
        uint64_t count = (type_size(&type) + local.bytes - 1) / local.bytes;
        if (count > 1)
            seen = (struct type){.kind = TYPE_ARRAY, .components = 1, .to = one, .count = count};
    }
    struct expr *e = build_slots(parser, local.place, seen, slot);
    if (!e)
        return NULL;
    if (!is_constant) {
        e->kind = EXPR_ELEMENT;
        e->b = local.index;
        e->value = 0;
        e = build_adopt(parser, e);
    } else if (slot < 0 || (uint64_t)slot + type_slots(&seen) > type_slots(&local.place->type)) {
        {
            problem_at(parser->problem, pointer->source, pointer->begin, "this lies outside its local array");
            return NULL;
        }
    }
    if (e)
        e->is_other = local.is_cast && !puns;
    if (!puns || !e)
        return e;
    struct expr *pun = build_over(parser, EXPR_PUN, type, e, NULL);
    if (pun)
        pun->is_lvalue = e->is_lvalue;
    return pun;
}

/* A variable that holds `value` from here on; what declares it goes to *end. */
static struct expr *hold(struct parser *parser, struct expr *value, struct statement ***end)
{
    int64_t known;
    if (constant_value(value, &known))
        return value;
    struct symbol *symbol = arena_take(parser->arena, sizeof *symbol);
    *symbol =
        (struct symbol){.kind = SYMBOL_VARIABLE, .name = "", .type = value->type, .root = ROOT_NONE_YET};
    symbol->type.is_const = false;
    struct statement *s = arena_take(parser->arena, sizeof *s);
    *s = (struct statement){.kind = STATEMENT_DECLARE,
                            .begin = value->begin,
                            .end = value->end,
                            .source = value->source,
                            .symbol = symbol,
                            .expr = value};
    **end = s;
    *end = &s->next;
    struct expr *e = arena_take(parser->arena, sizeof *e);
    *e = (struct expr){.kind = EXPR_VARIABLE,
                       .type = symbol->type,
                       .begin = value->begin,
                       .end = value->end,
                       .source = value->source,
                       .in_macro = value->in_macro,
                       .symbol = symbol};
    return e;
}

struct expr *build_fixed(struct parser *parser, struct expr *place, struct statement ***end)
{
    bool element = place->kind == EXPR_ELEMENT;
    bool moved = place->kind == EXPR_POINTER_ADD && place->type.space == SPACE_LOCAL;
    bool passes = place->kind == EXPR_COMPONENT || place->kind == EXPR_PUN || place->kind == EXPR_ADDRESS ||
                  (place->kind == EXPR_CONVERT && place->type.kind == TYPE_POINTER);
    if (!element && !moved && !passes)
        return place;
    struct expr *copy = arena_take(parser->arena, sizeof *copy);
    *copy = *place;
    copy->a = build_fixed(parser, place->a, end);
    if (element || moved)
        copy->b = hold(parser, place->b, end);
    return copy;
}

bool build_is_indexed(const struct expr *place)
{
    while (place->kind == EXPR_COMPONENT || place->kind == EXPR_PUN)
        place = place->a;
    return place->kind == EXPR_ELEMENT;
}
