/* build_local.c - pointers to local variables, resolved: `v[i]`, `*(float4 *)&v[4]`, `m[i][j]` are registers.
 */
#include "parse.h"

/* Where a pointer to local data leads: `place` and so many registers behind it. */
struct local {
    struct expr *place, *index; /* index NULL: 0 */
    unsigned bytes;             /* of each number there; 0: they differ */
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
            struct token at = {.source = part->source, .begin = part->begin, .end = part->end};
            if (part->kind == EXPR_ELEMENT && !local_add(parser, local, part->b, 1))
                return false;
            return local_add(parser, local, build_integer(parser, part->value, type_integer(8, true), &at),
                             1);
        }
        return true;
    case EXPR_CONVERT: /* of numbers whose sizes differ, only their own pointer can be followed */
        return local_of(parser, pointer->a, local) &&
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
    if (!puns || !e)
        return e;
    struct expr *pun = build_over(parser, EXPR_PUN, type, e, NULL);
    if (pun)
        pun->is_lvalue = e->is_lvalue;
    return pun;
}
