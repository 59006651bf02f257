/* build.c - typed nodes: C's conversions and the checks that belong to them. */
#include "parse.h"

#include <string.h>

struct expr *build(struct parser *parser, enum expr_kind kind, struct type type, const struct token *from,
                   const struct token *to)
{
    struct expr *e = arena_take(parser->arena, sizeof *e);
    e->kind = kind;
    e->type = type;
    e->type.is_const = false;
    e->begin = from->begin;
    e->end = to->end;
    e->source = from->source;
    e->in_macro = from->expanded || to->expanded || from->source != to->source;
    return e;
}

struct expr *build_adopt(struct parser *parser, struct expr *e)
{
    unsigned depth = 0;
    const struct expr *children[] = {e->a, e->b, e->c};
    for (size_t i = 0; i < sizeof children / sizeof *children; i++)
        if (children[i] && children[i]->depth > depth)
            depth = children[i]->depth;
    for (unsigned i = 0; i < e->part_count; i++)
        if (e->parts[i]->depth > depth)
            depth = e->parts[i]->depth;
    e->depth = depth + 1;
    if (e->depth <= PARSE_TREE_DEPTH_LIMIT)
        return e;
    problem_at(parser->problem, e->source, e->begin, "this expression has more than %d operators in a chain",
               PARSE_TREE_DEPTH_LIMIT);
    return NULL;
}

struct expr *build_list(struct parser *parser, struct type type, unsigned count, const struct token *from,
                        const struct token *to)
{
    struct expr *e = build(parser, EXPR_VECTOR, type, from, to);
    e->parts = arena_take(parser->arena, count * sizeof(struct expr *));
    e->part_count = count;
    return e;
}

struct expr *build_over(struct parser *parser, enum expr_kind kind, struct type type, struct expr *a,
                        struct expr *b)
{
    struct expr *e = arena_take(parser->arena, sizeof *e);
    e->kind = kind;
    e->type = type;
    e->type.is_const = false;
    e->begin = a->begin;
    e->end = b ? b->end : a->end;
    e->source = a->source;
    e->in_macro = a->in_macro || (b && (b->in_macro || b->source != a->source));
    e->a = a;
    e->b = b;
    return build_adopt(parser, e);
}

static void *fail_at(struct parser *parser, const struct expr *e, const char *message)
{
    problem_at(parser->problem, e->source, e->begin, "%s", message);
    return NULL;
}

struct expr *build_integer(struct parser *parser, int64_t value, struct type type, const struct token *at)
{
    struct expr *e = build(parser, EXPR_INTEGER, type, at, at);
    e->value = value;
    return e;
}

struct expr *build_convert(struct parser *parser, struct expr *e, struct type type)
{
    if (!e)
        return NULL;
    type.is_const = false;
    bool scalars = type_is_scalar(&e->type) && type_is_scalar(&type);
    bool pointers = e->type.kind == TYPE_POINTER && type.kind == TYPE_POINTER;
    if (!pointers && type_same(&e->type, &type))
        return e;
    if (!scalars && !pointers && e->type.kind == TYPE_STRUCT) {
        struct expr *own = parse_conversion(parser, e, &type);
        if (own || parser->problem->set)
            return own;
    }
    /* An address in global memory as a number: only its lowest bits are known (exec/compiled.h). */
    bool address = e->type.kind == TYPE_POINTER && type_is_index(&type) && type.bytes == 8 &&
                   e->type.space == SPACE_GLOBAL;
    if (!scalars && !pointers && !address) {
        char from[80], to[80];
        type_print(&e->type, from, sizeof from);
        type_print(&type, to, sizeof to);
        problem_at(parser->problem, e->source, e->begin, "a value of type %s does not convert to %s", from,
                   to);
        return NULL;
    }
    if (pointers)
        type.space = e->type.space;
    struct expr *node = build_over(parser, EXPR_CONVERT, type, e, NULL);
    int64_t value;
    if (node && type_is_index(&type) && constant_value(node, &value)) {
        node->kind = EXPR_INTEGER;
        node->value = value;
    }
    return node;
}

struct expr *build_bool(struct parser *parser, struct expr *e)
{
    if (e && e->type.kind == TYPE_POINTER) /* true: buffers and shared arrays are never null */
        return build_over(parser, EXPR_CONVERT, type_bool(), e, NULL);
    if (e && !type_is_scalar(&e->type))
        return fail_at(parser, e, "a condition must be a number");
    return build_convert(parser, e, type_bool());
}

struct expr *build_index(struct parser *parser, struct expr *pointer, struct expr *index,
                         const struct token *end)
{
    if (!pointer || !index)
        return NULL;
    if (pointer->type.kind != TYPE_POINTER && index->type.kind == TYPE_POINTER) {
        struct expr *swap = pointer;
        pointer = index;
        index = swap;
    }
    if (pointer->type.kind != TYPE_POINTER)
        return fail_at(parser, pointer, "only pointers and arrays can be indexed or added to");
    if (!type_is_index(&index->type))
        return fail_at(parser, index, "an index must be an integer");
    if (pointer->type.to->kind == TYPE_VOID)
        return fail_at(parser, pointer, "a pointer to void cannot be indexed: cast it first");
    struct expr *e = build_over(parser, EXPR_POINTER_ADD, pointer->type, pointer,
                                build_convert(parser, index, type_integer(8, true)));
    if (!e)
        return NULL;
    e->scale = type_size(pointer->type.to);
    if (pointer->begin > index->begin)
        e->begin = index->begin;
    if (end) {
        e->end = end->end;
        e->in_macro = pointer->in_macro || end->expanded || end->source != pointer->source;
    }
    return e;
}

struct expr *build_memory(struct parser *parser, struct expr *pointer, const struct token *from,
                          const struct token *to)
{
    if (!pointer || pointer->is_this)
        return pointer;
    if (pointer->type.kind != TYPE_POINTER || pointer->type.to->kind == TYPE_VOID)
        return fail_at(parser, pointer, "only a pointer to a value can be dereferenced");
    struct type element = *pointer->type.to;
    enum memory_space space = pointer->type.space;
    if (element.kind == TYPE_ARRAY) { /* an array stands for the address of its first element */
        pointer->array = pointer->type.to;
        pointer->type = type_pointer(element.to, space);
        return pointer;
    }
    if (space == SPACE_LOCAL) {
        struct expr *local = build_local(parser, pointer, element);
        if (local && from && to) {
            local->begin = from->begin;
            local->end = to->end;
        }
        return local;
    }
    struct expr *e = build_over(parser, EXPR_MEMORY, element, pointer, NULL);
    if (!e)
        return NULL;
    e->type.is_const = element.is_const;
    e->type.space = space;
    e->is_lvalue = true;
    if (from && to) {
        e->begin = from->begin;
        e->end = to->end;
        e->in_macro = from->expanded || to->expanded || from->source != to->source;
    }
    pointee_note(parser, e);
    return e;
}

/* A part of memory e: `offset` bytes from its beginning. */
static struct expr *build_part(struct parser *parser, struct expr *e, struct type part, uint64_t offset,
                               const struct token *name)
{
    struct type *to = arena_take(parser->arena, sizeof *to);
    *to = part;
    struct expr *add = build_over(parser, EXPR_POINTER_ADD, type_pointer(to, e->type.space), e->a, NULL);
    if (!add)
        return NULL;
    add->b = build_integer(parser, (int64_t)offset, type_integer(8, true), name);
    add->scale = 1;
    add->member = arena_copy(parser->arena, name->text, name->length);
    struct expr *memory = build_memory(parser, add, NULL, NULL);
    if (!memory)
        return NULL;
    memory->begin = e->begin;
    memory->end = name->end;
    memory->in_macro = e->in_macro || name->expanded;
    return memory;
}

struct expr *build_slots(struct parser *parser, struct expr *e, struct type type, int64_t slot)
{
    struct expr *part = build_over(parser, EXPR_COMPONENT, type, e, NULL);
    if (!part)
        return NULL;
    part->value = slot;
    part->is_lvalue = e->is_lvalue;
    part->type.is_const = e->type.is_const || type.is_const;
    return part;
}

/* A member of a union. Where all are of numbers of one size they share registers, whoever wrote last;
 * otherwise what is read is data. */
static struct expr *build_shared_member(struct parser *parser, struct expr *e, struct type type)
{
    struct expr *part = type_uniform_bytes(&e->type) ? build_slots(parser, e, type, 0)
                                                     : build_over(parser, EXPR_PUN, type, e, NULL);
    if (!part)
        return NULL;
    part->is_other = part->kind == EXPR_COMPONENT;
    part->is_lvalue = e->is_lvalue;
    return part;
}

/* s.member; an array among the members stands for its address. */
static struct expr *build_member(struct parser *parser, struct expr *e, const struct token *name)
{
    const struct member *member = type_member(&e->type, name->text, name->length);
    if (!member) {
        parse_fail(parser, name, "%s has no member %.*s",
                   *e->type.record->name ? e->type.record->name : "this struct",
                   (int)(name->length < 60 ? name->length : 60), name->text);
        return NULL;
    }
    struct type type = member->type;
    type.is_const = type.is_const || e->type.is_const;
    if (e->kind == EXPR_MEMORY)
        return build_part(parser, e, type, member->offset, name);
    struct expr *part = e->type.record->is_union ? build_shared_member(parser, e, type)
                                                 : build_slots(parser, e, type, (int64_t)member->slot);
    if (!part)
        return NULL;
    part->end = name->end;
    return type.kind == TYPE_ARRAY ? build_address(parser, part) : part;
}

struct expr *build_address(struct parser *parser, struct expr *e)
{
    struct type to = e->type;
    struct expr *address = build_over(parser, EXPR_ADDRESS, e->type, e, NULL);
    if (!address)
        return NULL;
    if (to.kind == TYPE_ARRAY) { /* the array stands for its first element's address */
        struct type *array = arena_take(parser->arena, sizeof *array);
        *array = to;
        address->array = array;
        struct type *element = arena_take(parser->arena, sizeof *element);
        *element = *to.to;
        element->is_const = element->is_const || to.is_const;
        address->type = type_pointer(element, SPACE_LOCAL);
    } else {
        struct type *own = arena_take(parser->arena, sizeof *own);
        *own = to;
        address->type = type_pointer(own, SPACE_LOCAL);
    }
    return address;
}

struct expr *build_component(struct parser *parser, struct expr *e, const struct token *name)
{
    static const char letters[] = "xyzw";
    if (!e)
        return NULL;
    const char *letter =
        name->length == 1 && name->kind == TOKEN_NAME ? strchr(letters, name->text[0]) : NULL;
    if (e->type.kind == TYPE_STRUCT)
        return build_member(parser, e, name);
    bool vector = e->type.kind == TYPE_INTEGER || e->type.kind == TYPE_FLOAT;
    if (!vector || !letter || !*letter || letter - letters >= e->type.components || !e->type.has_names) {
        parse_fail(parser, name, "there is no component %.*s here",
                   (int)(name->length < 40 ? name->length : 40), name->text);
        return NULL;
    }
    struct type component = type_component(e->type);
    if (e->kind == EXPR_MEMORY)
        return build_part(parser, e, component, (uint64_t)(letter - letters) * component.bytes, name);
    struct expr *part = build_slots(parser, e, component, letter - letters);
    if (part)
        part->end = name->end;
    return part;
}

static int join_roots(int a, int b)
{
    return a == b || b == ROOT_NONE_YET ? a : a == ROOT_NONE_YET ? b : ROOT_SEVERAL;
}

void build_pointer_roots(struct kernel_tree *kernel)
{
    bool changed = true;
    while (changed) { /* at most twice a variable: from none yet to one to several */
        changed = false;
        for (struct pointer_source *s = kernel->pointer_sources; s; s = s->next) {
            int root = join_roots(s->symbol->root, pointer_root(s->value));
            changed = changed || root != s->symbol->root;
            s->symbol->root = root;
        }
    }
}

void build_points_at(struct parser *parser, struct symbol *symbol, const struct expr *value)
{
    struct pointer_source *source = arena_take(parser->arena, sizeof *source);
    *source = (struct pointer_source){symbol, value, parser->kernel->pointer_sources};
    parser->kernel->pointer_sources = source;
}

int pointer_root(const struct expr *pointer)
{
    switch (pointer->kind) {
    case EXPR_POINTER_ADD:
    case EXPR_CONVERT:
    case EXPR_ASSIGN:
        return pointer_root(pointer->a);
    case EXPR_COMMA:
        return pointer_root(pointer->b);
    case EXPR_CONDITION:
        return join_roots(pointer_root(pointer->b), pointer_root(pointer->c));
    case EXPR_INTEGER: /* a null */
        return ROOT_NONE_YET;
    case EXPR_SHARED:
        return (int)pointer->symbol->index;
    case EXPR_COMPONENT: /* a pointer in a struct parameter */
        return pointer->a->kind == EXPR_VARIABLE && pointer->a->symbol->kind == SYMBOL_PARAMETER
                   ? (int)pointer->a->symbol->index + (int)pointer->value
                   : ROOT_SEVERAL;
    case EXPR_VARIABLE:
        return pointer->symbol->root;
    case EXPR_MEMORY: /* a pointer in memory */
        return pointer->type.space != SPACE_GLOBAL ? ROOT_SEVERAL
               : pointer->symbol                   ? (int)pointer->symbol->index
                                                   : ROOT_NONE_YET;
    default:
        return ROOT_SEVERAL;
    }
}

static bool is_shift(uint32_t op)
{
    return op == PUNCT2('<', '<') || op == PUNCT2('>', '>');
}

static bool is_comparison(uint32_t op)
{
    return op == '<' || op == '>' || op == PUNCT2('<', '=') || op == PUNCT2('>', '=') ||
           op == PUNCT2('=', '=') || op == PUNCT2('!', '=');
}

bool build_is_null(const struct expr *e)
{
    return e->kind == EXPR_INTEGER && type_is_index(&e->type) && e->value == 0;
}

static struct expr *build_pointer_comparison(struct parser *parser, const struct token *op, struct expr *a,
                                             struct expr *b)
{
    bool equal = op->punct == PUNCT2('=', '='), unequal = op->punct == PUNCT2('!', '=');
    if ((equal || unequal) && (build_is_null(a) || build_is_null(b))) {
        struct expr *truth = build_bool(parser, build_is_null(a) ? b : a);
        return truth && equal ? build_over(parser, EXPR_NOT, type_bool(), truth, NULL) : truth;
    }
    if (a->type.kind != TYPE_POINTER || b->type.kind != TYPE_POINTER || a->type.space != b->type.space) {
        parse_fail(parser, op,
                   "a pointer compares with a pointer into the same memory space, or with nullptr");
        return NULL;
    }
    struct expr *e = build_over(parser, EXPR_COMPARE, type_bool(), a, b);
    if (e)
        e->op = op->punct;
    return e;
}

static struct expr *build_pointer_difference(struct parser *parser, const struct token *op, struct expr *a,
                                             struct expr *b)
{
    if (a->type.space != b->type.space || type_size(a->type.to) != type_size(b->type.to)) {
        parse_fail(parser, op, "only pointers into one array can be subtracted");
        return NULL;
    }
    struct expr *e = build_over(parser, EXPR_POINTER_DIFFERENCE, type_integer(8, true), a, b);
    if (e)
        e->scale = type_size(a->type.to);
    return e;
}

static struct expr *build_pointer_arithmetic(struct parser *parser, const struct token *op, struct expr *a,
                                             struct expr *b)
{
    if (is_comparison(op->punct))
        return build_pointer_comparison(parser, op, a, b);
    if (op->punct == '-' && a->type.kind == TYPE_POINTER && b->type.kind == TYPE_POINTER)
        return build_pointer_difference(parser, op, a, b);
    if (op->punct == '+')
        return build_index(parser, a, b, NULL);
    if (op->punct == '-' && a->type.kind == TYPE_POINTER && type_is_index(&b->type)) {
        struct type wide = type_integer(8, true);
        struct expr *index = build_convert(parser, b, wide);
        struct expr *negative = index ? build_over(parser, EXPR_NEGATE, wide, index, NULL) : NULL;
        return build_index(parser, a, negative, NULL);
    }
    parse_fail(parser, op, "pointers can be compared, subtracted, and moved by an integer only");
    return NULL;
}

static bool is_vector(const struct type *type)
{
    return type->has_names && (type->kind == TYPE_INTEGER || type->kind == TYPE_FLOAT);
}

/* Vectors have no operators of their own, but for pairs of halves. The file may define some; a header of the
 * file may (helper_math.h): these work component by component, as everybody's do. */
static struct expr *build_vector_binary(struct parser *parser, const struct token *op, struct expr *a,
                                        struct expr *b)
{
    struct expr *e = parse_operator(parser, op, a, b);
    if (e || parser->problem->set)
        return e;
    struct type type = is_vector(&a->type) ? a->type : b->type;
    bool arithmetic = op->punct == '+' || op->punct == '-' || op->punct == '*' || op->punct == '/';
    bool halves = type.kind == TYPE_FLOAT && type.bytes == 2;
    bool fits = is_vector(&a->type) && is_vector(&b->type)
                    ? type_same(&a->type, &b->type)
                    : type_is_scalar(&a->type) || type_is_scalar(&b->type);
    if (!is_vector(&type) || !arithmetic || !fits ||
        !(halves || (parser->pre && parser->pre->skipped_includes))) {
        parse_fail(
            parser, op,
            "this operator works on numbers, not on vectors: use their components, or define it in this "
            "file (an #include is not followed)");
        return NULL;
    }
    if (type_is_scalar(&a->type))
        a = build_convert(parser, a, type_component(type));
    if (type_is_scalar(&b->type))
        b = build_convert(parser, b, type_component(type));
    e = a && b ? build_over(parser, EXPR_VECTOR_BINARY, type, a, b) : NULL;
    if (e)
        e->op = op->punct;
    return e;
}

struct expr *build_binary(struct parser *parser, const struct token *op, struct expr *a, struct expr *b)
{
    if (!a || !b)
        return NULL;
    if (a->type.kind == TYPE_POINTER || b->type.kind == TYPE_POINTER)
        return build_pointer_arithmetic(parser, op, a, b);
    if (!type_is_scalar(&a->type) || !type_is_scalar(&b->type))
        return build_vector_binary(parser, op, a, b);
    bool integers_only =
        is_shift(op->punct) || op->punct == '%' || op->punct == '&' || op->punct == '|' || op->punct == '^';
    if (integers_only && (!type_is_index(&a->type) || !type_is_index(&b->type))) {
        parse_fail(parser, op, "this operator works on integers only");
        return NULL;
    }
    struct expr *e;
    if (is_shift(op->punct)) {
        a = build_convert(parser, a, type_promote(a->type));
        b = build_convert(parser, b, type_promote(b->type));
        e = a && b ? build_over(parser, EXPR_BINARY, a->type, a, b) : NULL;
    } else {
        struct type common = type_common(a->type, b->type);
        a = build_convert(parser, a, common);
        b = build_convert(parser, b, common);
        bool compare = is_comparison(op->punct);
        struct type type = compare ? type_bool() : common;
        e = a && b ? build_over(parser, compare ? EXPR_COMPARE : EXPR_BINARY, type, a, b) : NULL;
    }
    if (!e)
        return NULL;
    e->op = op->punct;
    int64_t value;
    if (type_is_index(&e->type) && constant_value(e, &value)) {
        e->kind = EXPR_INTEGER;
        e->value = value;
    }
    return e;
}

struct expr *build_condition(struct parser *parser, struct expr *a, struct expr *b, struct expr *c)
{
    a = build_bool(parser, a);
    if (!a || !b || !c)
        return NULL;
    struct type type = b->type;
    if (c->type.kind == TYPE_POINTER && build_is_null(b))
        type = c->type;
    bool one_is_null = (b->type.kind == TYPE_POINTER && build_is_null(c)) || type.kind != b->type.kind;
    if (one_is_null) {
        /* the side that points nowhere gives no value: what is used then is an error of the kernel's */
    } else if (type_is_scalar(&b->type) && type_is_scalar(&c->type)) {
        if (!type_same(&b->type, &c->type) || b->type.is_char != c->type.is_char)
            type = type_common(b->type, c->type);
    } else if (!type_same(&b->type, &c->type) ||
               (b->type.kind == TYPE_POINTER && b->type.space != c->type.space)) {
        return fail_at(parser, b, "the two sides of ?: must have one type and one memory space");
    }
    b = b->type.kind == TYPE_POINTER || !one_is_null ? build_convert(parser, b, type) : b;
    c = c->type.kind == TYPE_POINTER || !one_is_null ? build_convert(parser, c, type) : c;
    struct expr *e = b && c ? build_over(parser, EXPR_CONDITION, type, a, b) : NULL;
    if (!e)
        return NULL;
    e->c = c;
    e->end = c->end;
    return build_adopt(parser, e);
}

static bool check_target(struct parser *parser, const struct token *op, const struct expr *a)
{
    if (a->type.kind == TYPE_POINTER && a->type.space == SPACE_LOCAL)
        return parse_fail(parser, op,
                          "a pointer to a local variable keeps the value it is declared with: use an index");
    if (!a->is_lvalue)
        return parse_fail(parser, op, "what stands left of this cannot be assigned to");
    if (a->type.is_const)
        return problem_at(parser->problem, a->source, a->begin, "this is const and cannot be written");
    return true;
}

struct expr *build_set(struct parser *parser, const struct token *op, struct expr *a, struct expr *b)
{
    if (!a || !b)
        return NULL;
    if (a->kind == EXPR_MEMORY && a->type.kind == TYPE_POINTER) {
        parse_fail(parser, op,
                   "a pointer that is stored in memory is not followed here: what is read there is "
                   "taken as it was when the kernel began");
        return NULL;
    }
    if (a->kind == EXPR_VARIABLE && a->type.kind == TYPE_POINTER && b->type.kind == TYPE_POINTER &&
        a->symbol->kind == SYMBOL_VARIABLE && !a->symbol->has_space) {
        a->symbol->has_space = true;
        a->symbol->type.space = a->type.space = b->type.space;
    }
    if (a->type.kind == TYPE_POINTER && (b->type.kind != TYPE_POINTER || a->type.space != b->type.space))
        return fail_at(parser, b, "a pointer can only be given a pointer into the same memory space");
    b = build_convert(parser, b, a->type);
    if (b && a->type.kind == TYPE_POINTER && b->type.space == SPACE_LOCAL)
        return fail_at(parser, b, "a pointer to a local variable keeps the value it is declared with");
    if (b && a->type.kind == TYPE_POINTER && a->kind == EXPR_VARIABLE)
        build_points_at(parser, a->symbol, b);
    return b ? build_over(parser, EXPR_ASSIGN, a->type, a, b) : NULL;
}

struct expr *build_assign(struct parser *parser, const struct token *op, struct expr *a, struct expr *b)
{
    if (!a || !b)
        return NULL;
    bool plain = op->punct == '=';
    struct expr *own = a->type.kind == TYPE_STRUCT ? parse_own_assignment(parser, op, a, b) : NULL;
    if (own || parser->problem->set || !check_target(parser, op, a))
        return own;
    if (plain)
        return build_set(parser, op, a, b);
    struct token simple = *op;
    simple.punct = op->punct == PUNCT2('+', '+')   ? '+'
                   : op->punct == PUNCT2('-', '-') ? '-'
                   : op->punct > 0xffff            ? op->punct & 0xffff
                                                   : op->punct & 0xff;
    if (is_vector(&a->type) || is_vector(&b->type)) {
        own = parse_operator(parser, op, a, b);
        if (own || parser->problem->set)
            return own;
    }
    bool once = a->kind == EXPR_MEMORY || build_is_indexed(a);
    if (once) { /* its address is computed once */
        bool vector = is_vector(&a->type) || is_vector(&b->type);
        bool local = a->kind != EXPR_MEMORY;
        struct expr *result = vector || local ? build_binary(parser, &simple, a, b) : NULL;
        if ((vector || local) && !result) /* there is no such operator */
            return NULL;
        bool moves = a->type.kind == TYPE_POINTER;
        if (moves && (b->type.kind == TYPE_POINTER || is_comparison(simple.punct)))
            return fail_at(parser, b, "a pointer can only be moved by an integer");
        struct expr *e = build_over(parser, EXPR_UPDATE, a->type, a, moves ? result->b : b);
        if (e)
            e->op = simple.punct;
        if (e && moves)
            e->scale = result->scale;
        return e;
    }
    b = build_binary(parser, &simple, a, b);
    if (b)
        b->updates = true;
    return build_set(parser, op, a, b);
}
