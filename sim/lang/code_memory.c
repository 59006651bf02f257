/* code_memory.c - values into and out of places: registers, elements of local arrays, memory. */
#include "code.h"

/* A place among the registers: `base`, or with an index, base + that (0 to limit). */
struct spot {
    unsigned base, index;
    uint64_t limit;
    bool is_indexed;
};

struct target {
    struct spot spot;
    bool puns; /* numbers of another size stand there: `covered` of them, from `whole` on */
    struct spot whole;
    unsigned covered;
    const struct type *as; /* numbers of another type may stand there, of which these are the bits; or NULL */
};

static void target_as(struct target *t, const struct expr *e)
{
    if (t->as || e->is_other)
        t->as = &e->type;
}

static struct target code_target(struct coder *coder, const struct expr *e)
{
    struct target t = {0};
    switch (e->kind) {
    case EXPR_COMPONENT:
        t = code_target(coder, e->a);
        t.spot.base += (unsigned)e->value;
        target_as(&t, e);
        return t;
    case EXPR_PUN:
        t = code_target(coder, e->a);
        t.puns = true;
        t.whole = t.spot;
        t.covered = code_slots(&e->a->type);
        return t;
    case EXPR_ELEMENT: {
        t = code_target(coder, e->a);
        unsigned index = code_expression(coder, e->b);
        t.spot.limit += type_slots(&e->a->type) - type_slots(&e->type) - (uint64_t)e->value;
        t.spot.base += (unsigned)e->value;
        if (t.spot.is_indexed) {
            unsigned sum = code_registers(coder, 1);
            size_t at = code_emit(coder, OP_ADD, sum, t.spot.index, index, e);
            coder->program->code[at].kind = NUMBER_I64;
            index = sum;
        }
        t.spot.index = index;
        t.spot.is_indexed = true;
        target_as(&t, e);
        return t;
    }
    default:
        t.spot.base = code_expression(coder, e);
        return t;
    }
}

/* The same bits as numbers of that type. */
static unsigned code_as(struct coder *coder, const struct type *type, unsigned value, unsigned slots,
                        const struct expr *where)
{
    if (type->kind != TYPE_BOOL && (type->kind != TYPE_INTEGER || type->bytes == 8))
        return value;
    unsigned dst = code_registers(coder, slots);
    for (unsigned i = 0; i < slots; i++) {
        size_t at =
            code_emit(coder, type->kind == TYPE_BOOL ? OP_TO_BOOL : OP_CONVERT, dst + i, value + i, 0, where);
        if (type->kind != TYPE_BOOL)
            coder->program->code[at].kind = (uint8_t)code_number_kind(type);
    }
    return dst;
}

/* The first register of what stands there. */
static unsigned code_read(struct coder *coder, const struct target *t, unsigned slots,
                          const struct expr *where)
{
    unsigned dst = t->spot.base;
    if (t->spot.is_indexed || t->puns)
        dst = code_registers(coder, slots);
    for (unsigned i = 0; t->puns && i < slots; i++)
        code_emit(coder, OP_DATA, dst + i, 0, 0, where);
    for (unsigned i = 0; t->spot.is_indexed && !t->puns && i < slots; i++) {
        size_t at = code_emit(coder, OP_PICK, dst + i, t->spot.index, t->spot.base + i, where);
        coder->program->code[at].extra = (uint32_t)t->spot.limit;
    }
    return t->as && !t->puns ? code_as(coder, t->as, dst, slots, where) : dst;
}

unsigned code_part(struct coder *coder, const struct expr *e)
{
    struct target target = code_target(coder, e);
    return code_read(coder, &target, code_slots(&e->type), e);
}

static void code_write(struct coder *coder, const struct spot *spot, unsigned value, unsigned slots,
                       const struct expr *where)
{
    if (!spot->is_indexed) {
        code_move(coder, spot->base, value, slots, where);
        return;
    }
    for (unsigned i = 0; i < slots; i++) {
        size_t at = code_emit(coder, OP_PUT, spot->base + i, spot->index, value + i, where);
        coder->program->code[at].extra = (uint32_t)spot->limit;
    }
}

/* Of a place that is seen as numbers of another size: all that is covered becomes data. */
static void code_write_pun(struct coder *coder, const struct target *t, const struct expr *pun)
{
    unsigned data = code_registers(coder, t->covered);
    for (unsigned i = 0; i < t->covered; i++)
        code_emit(coder, OP_DATA, data + i, 0, 0, pun);
    code_write(coder, &t->whole, data, t->covered, pun);
}

/* One access of a value that takes several, or the only one. */
struct piece {
    const struct expr *memory; /* of the whole */
    unsigned pointer;          /* register, to the whole */
    uint64_t offset;           /* bytes from there */
    unsigned slot;             /* of the piece among the value's registers */
    struct type type;
    const struct type *whole; /* of a struct that moves as a vector; NULL: type says all */
};

/* The scalar that all of a struct is made of, where it is one; false: its parts differ. */
static bool uniform_scalar(const struct type *type, struct type *scalar, bool *any)
{
    bool same = true;
    if (type->kind == TYPE_ARRAY)
        return uniform_scalar(type->to, scalar, any);
    if (type->kind != TYPE_STRUCT) {
        same = !*any || (scalar->kind == type->kind && scalar->is_signed == type->is_signed);
        *scalar = *type;
        *any = true;
        return same;
    }
    for (unsigned i = 0; same && i < type->record->count; i++)
        same = uniform_scalar(&type->record->members[i].type, scalar, any);
    return same;
}

/* What the components of an access are; those of a struct whose parts differ are taken for data. */
static int held_kind(const struct type *type)
{
    struct type scalar = *type;
    bool any = false;
    if (!uniform_scalar(type, &scalar, &any) || !any)
        return HELD_DATA;
    return scalar.kind == TYPE_BOOL      ? (int)HELD_BOOL
           : scalar.kind == TYPE_INTEGER ? (int)HELD_NUMBER + (int)code_number_kind(&scalar)
           : scalar.kind == TYPE_FLOAT   ? (int)HELD_REAL
                                         : (int)HELD_DATA;
}

static void code_access(struct coder *coder, const struct piece *piece, enum access_op op, unsigned value)
{
    const struct expr *e = piece->memory;
    unsigned pointer = piece->pointer;
    if (piece->offset) {
        pointer = code_registers(coder, 1);
        unsigned offset = code_constant(coder, (int64_t)piece->offset, false, e);
        size_t add = code_emit(coder, OP_POINTER_ADD, pointer, piece->pointer, offset, e);
        coder->program->code[add].extra = code_scale(coder, 1);
    }
    struct expr own = *e;
    enum memory_space space = e->type.space;
    own.type = piece->type;
    own.type.space = space;
    size_t at = op != ACCESS_STORE ? code_emit(coder, OP_LOAD, value + piece->slot, pointer, 0, e)
                                   : code_emit(coder, OP_STORE, 0, pointer, value + piece->slot, e);
    uint32_t site = code_site(coder, &own, op);
    coder->program->code[at].extra = site;
    coder->program->code[at].kind = (uint8_t)held_kind(piece->whole ? piece->whole : &piece->type);
}

/* A pointer that lies in memory: where it lies says what it points at. */
static void code_pointee(struct coder *coder, const struct piece *piece, unsigned dst)
{
    const struct expr *e = piece->memory;
    int root = pointer_root(e->a);
    const struct symbol *to = pointee_of(coder->tree, root, piece->type.to);
    if (!to) {
        bool nests = root >= 0 && e->type.space == SPACE_GLOBAL;
        problem_at(coder->problem, e->source, e->begin,
                   nests
                       ? "a pointer that lies where a pointer in memory points at is not followed: pointers "
                         "lie in buffers of the kernel's parameters here"
                   : e->type.space == SPACE_GLOBAL
                       ? "a pointer is read here, and the text does not tell in which buffer it lies"
                       : "a pointer that lies in shared memory is not followed here");
        return;
    }
    unsigned number = code_registers(coder, 1), first = coder->program->first_parameter;
    size_t at = code_emit(coder, OP_POINTER_DIFFERENCE, number, piece->pointer, coder->pointer_base[root], e);
    coder->program->code[at].extra = code_scale(coder, 8);
    coder->program->code[at].kind = NUMBER_I64;
    if (piece->offset) {
        unsigned sum = code_registers(coder, 1);
        unsigned offset = code_constant(coder, (int64_t)(piece->offset / 8), false, e);
        at = code_emit(coder, OP_ADD, sum, number, offset, e);
        coder->program->code[at].kind = NUMBER_I64;
        number = sum;
    }
    at = code_emit(coder, OP_POINTER_ADD, dst, first + to->index, number, e);
    coder->program->code[at].extra = code_scale(coder, POINTEE_STRIDE);
}

/* A value moves as the compiler splits it: vectors of three by their components, of four of 8 bytes by
 * halves, structs by members unless their alignment lets a vector move them. Measured: double3 is three of 8
 * bytes. */
static void code_pieces(struct coder *coder, struct piece piece, enum access_op op, unsigned value)
{
    struct type type = piece.type;
    unsigned slots = code_slots(&type), bytes = type_uniform_bytes(&type);
    uint64_t size = type_size(&type), offset = piece.offset;
    bool aligned =
        type_alignment(&type) == size && size <= 16 && bytes && (slots == 1 || slots == 2 || slots == 4);
    if (coder->problem->set)
        return;
    if (type.kind == TYPE_STRUCT && aligned) {
        piece.whole = &type;
        piece.type = type_integer((int)bytes, false);
        piece.type.components = (uint8_t)slots;
        piece.type.has_names = true;
        code_access(coder, &piece, op, value);
    } else if (type.kind == TYPE_STRUCT || type.kind == TYPE_ARRAY) {
        unsigned count = type.kind == TYPE_ARRAY ? (unsigned)type.count
                         : type.record->is_union ? 1
                                                 : type.record->count;
        unsigned first = piece.slot;
        for (unsigned i = 0; i < count; i++) {
            const struct member *member = type.kind == TYPE_STRUCT ? &type.record->members[i] : NULL;
            piece.type = member ? member->type : *type.to;
            piece.offset = offset + (member ? member->offset : i * type_size(type.to));
            piece.slot = first + (unsigned)(member ? member->slot : i * type_slots(type.to));
            code_pieces(coder, piece, op, value);
        }
    } else if (type.components == 3 || size > 16) {
        unsigned each = type.components == 3 ? 1 : 16u / type.bytes, first = piece.slot;
        piece.type.components = (uint8_t)each;
        for (unsigned i = 0; i < type.components; i += each) {
            piece.offset = offset + (uint64_t)i * type.bytes;
            piece.slot = first + i;
            code_access(coder, &piece, op, value);
        }
    } else {
        bool is_pointer = type.kind == TYPE_POINTER;
        if (is_pointer && op == ACCESS_STORE && piece.memory->type.space == SPACE_GLOBAL)
            problem_at(coder->problem, piece.memory->source, piece.memory->begin,
                       "a pointer that is stored in memory is not followed here");
        if (is_pointer)
            piece.type = type_integer(8, false);
        code_access(coder, &piece, op, value);
        piece.type = type;
        if (is_pointer && op == ACCESS_LOAD)
            code_pointee(coder, &piece, value + piece.slot);
    }
}

/* What an address changes on the way: k[i++]. */
static void code_steps(struct coder *coder, const struct expr *address)
{
    if (address->kind == EXPR_POINTER_ADD) {
        code_steps(coder, address->a);
        code_expression(coder, address->b);
    } else if (address->kind == EXPR_CONVERT) {
        code_steps(coder, address->a);
    } else if (address->kind != EXPR_CONSTANT_ADDRESS) {
        code_expression(coder, address);
    }
}

unsigned code_load(struct coder *coder, const struct expr *e)
{
    unsigned slots = code_slots(&e->type);
    if (e->type.space == SPACE_CONSTANT) { /* neither global nor shared memory; its contents are not known */
        code_steps(coder, e->a);
        unsigned dst = code_registers(coder, slots);
        for (unsigned i = 0; i < slots; i++)
            code_emit(coder, OP_DATA, dst + i, 0, 0, e);
        return dst;
    }
    unsigned pointer = code_expression(coder, e->a);
    unsigned dst = code_registers(coder, slots);
    code_pieces(coder, (struct piece){.memory = e, .pointer = pointer, .type = e->type}, ACCESS_LOAD, dst);
    return dst;
}

static void code_store(struct coder *coder, const struct expr *memory, unsigned pointer, unsigned value)
{
    if (memory->type.space == SPACE_CONSTANT)
        problem_at(coder->problem, memory->source, memory->begin,
                   "__constant__ data cannot be written by a kernel");
    code_pieces(coder, (struct piece){.memory = memory, .pointer = pointer, .type = memory->type},
                ACCESS_STORE, value);
}

unsigned code_assign(struct coder *coder, const struct expr *e)
{
    if (e->a->kind == EXPR_MEMORY) {
        struct program *p = coder->program;
        size_t narrowings = p->narrowing_count;
        unsigned value = code_expression(coder, e->b);
        if (p->narrowing_count > narrowings && e->b->kind == EXPR_CONVERT && e->a->type.space == SPACE_SHARED)
            p->narrowings[p->narrowing_count - 1].tile = pointer_root(e->a->a);
        value = code_kept(coder, value, code_slots(&e->type), e->a);
        unsigned pointer = code_expression(coder, e->a->a);
        code_store(coder, e->a, pointer, value);
        return value;
    }
    unsigned slots = code_slots(&e->type);
    unsigned old = e->postfix ? code_registers(coder, slots) : 0;
    if (e->postfix) { /* of a variable: there is no index to evaluate */
        struct target place = code_target(coder, e->a);
        unsigned before = code_read(coder, &place, slots, e);
        for (unsigned i = 0; i < slots; i++)
            code_emit(coder, OP_SET, old + i, before + i, 0, e);
    }
    unsigned value = code_expression(coder, e->b); /* first, as in C++17 */
    value = code_kept(coder, value, slots, e->a);
    struct target target = code_target(coder, e->a);
    if (target.puns)
        code_write_pun(coder, &target, e->a);
    else if (slots != 1 || target.spot.is_indexed ||
             !peephole_add_to(coder, value, target.spot.base)) /* i += 8 in one */
        code_write(coder, &target.spot, value, slots, e);
    return e->postfix ? old : target.spot.is_indexed || target.puns ? value : target.spot.base;
}

/* (T)((C)old op (C)b) of integers: T is what the memory holds, C the type that C computes in. */
static unsigned code_updated(struct coder *coder, const struct expr *e, unsigned old, unsigned b)
{
    bool shifts = e->op == PUNCT2('<', '<') || e->op == PUNCT2('>', '>');
    struct type left = type_promote(e->a->type), right = type_promote(e->b->type);
    struct type common = shifts ? left : type_common(left, right);
    struct symbol names[2] = {{.kind = SYMBOL_VARIABLE, .index = old}, {.kind = SYMBOL_VARIABLE, .index = b}};
    struct expr parts[6]; /* the two operands, both converted, the operation, its result converted */
    for (int i = 0; i < 6; i++)
        parts[i] = (struct expr){.kind = i < 2    ? EXPR_VARIABLE
                                         : i == 4 ? EXPR_BINARY
                                                  : EXPR_CONVERT,
                                 .type = common,
                                 .begin = e->begin,
                                 .end = e->end,
                                 .source = e->source,
                                 .op = e->op,
                                 .a = i == 4   ? &parts[2]
                                      : i == 5 ? &parts[4]
                                      : i >= 2 ? &parts[i - 2]
                                               : NULL,
                                 .b = i == 4 ? &parts[3] : NULL,
                                 .symbol = i < 2 ? &names[i] : NULL};
    parts[0].type = e->a->type;
    parts[1].type = e->b->type;
    parts[3].type = shifts ? right : common;
    parts[5].type = e->a->type;
    return code_expression(coder, &parts[5]);
}

/* The same of any numbers. */
static unsigned code_new_value(struct coder *coder, const struct expr *e, unsigned old, unsigned b)
{
    if (type_is_index(&e->a->type) && type_is_index(&e->b->type))
        return code_updated(coder, e, old, b);
    struct type type = e->a->type;
    if (type.kind == TYPE_POINTER) {
        unsigned moved = code_registers(coder, 1);
        size_t at = code_emit(coder, OP_POINTER_ADD, moved, old, b, e);
        coder->program->code[at].extra = code_scale(coder, e->scale);
        return moved;
    }
    bool plain = type_is_scalar(&type) && type_is_scalar(&e->b->type) && type.kind == TYPE_FLOAT;
    if (plain && type_is_index(&e->b->type))
        b = code_keep(coder, &e->b->type, &type, b, e);
    else if (plain && e->b->type.bytes > type.bytes)
        type = e->b->type;
    unsigned slots = code_slots(&e->type), result = code_registers(coder, slots);
    if (plain)
        code_operation(coder, e->op, &type, result, old, b, e);
    if (plain && type.bytes > e->a->type.bytes)
        code_real_function(coder, REAL_SAME, &e->a->type, result, result, result, e);
    for (unsigned i = 0; i < slots && !plain; i++)
        code_emit(coder, OP_DATA, result + i, old + i, b, e);
    return result;
}

/* a op= b where a is an element by an index: b first, as in C++17; the index once. */
static unsigned code_update_element(struct coder *coder, const struct expr *e)
{
    unsigned b = code_expression(coder, e->b), slots = code_slots(&e->type);
    b = code_kept(coder, b, code_slots(&e->b->type), e->a);
    struct target target = code_target(coder, e->a);
    unsigned old = code_read(coder, &target, slots, e);
    unsigned result = code_new_value(coder, e, old, b);
    if (target.puns)
        code_write_pun(coder, &target, e->a);
    else
        code_write(coder, &target.spot, result, slots, e);
    return e->postfix ? old : result;
}

/* a op= b where a is memory: b first; the address once, a load, a store. */
unsigned code_update(struct coder *coder, const struct expr *e)
{
    if (e->a->kind != EXPR_MEMORY)
        return code_update_element(coder, e);
    unsigned b = code_expression(coder, e->b);
    b = code_kept(coder, b, code_slots(&e->b->type), e->a);
    unsigned pointer = code_expression(coder, e->a->a);
    unsigned slots = code_slots(&e->type), old = code_registers(coder, slots);
    code_pieces(coder, (struct piece){.memory = e->a, .pointer = pointer, .type = e->a->type}, ACCESS_LOAD,
                old);
    unsigned result = code_new_value(coder, e, old, b);
    code_store(coder, e->a, pointer, result);
    return e->postfix ? old : result;
}
