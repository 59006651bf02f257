/* code_expr.c - expressions to instructions. */
#include "code.h"

static enum opcode operation_of(uint32_t punct, const struct type *type)
{
    static const struct {
        uint32_t punct;
        enum opcode op;
    } table[] = {{'+', OP_ADD},
                 {'-', OP_SUB},
                 {'*', OP_MUL},
                 {'/', OP_DIV},
                 {'%', OP_MOD},
                 {'&', OP_AND},
                 {'|', OP_OR},
                 {'^', OP_XOR},
                 {PUNCT2('<', '<'), OP_SHL},
                 {PUNCT2('>', '>'), OP_SHR}};
    for (size_t i = 0; type_is_index(type) && i < sizeof table / sizeof *table; i++)
        if (table[i].punct == punct)
            return table[i].op;
    return OP_DATA;
}

void code_operation(struct coder *coder, uint32_t punct, const struct type *type, unsigned dst, unsigned a,
                    unsigned b, const struct expr *where)
{
    enum real_function real = punct == '+'   ? REAL_ADD
                              : punct == '-' ? REAL_SUBTRACT
                              : punct == '*' ? REAL_MULTIPLY
                              : punct == '/' ? REAL_DIVIDE
                                             : REAL_NONE;
    if (type->kind == TYPE_FLOAT) {
        code_real_function(coder, real, type, dst, a, b, where);
        return;
    }
    size_t at = code_emit(coder, operation_of(punct, type), dst, a, b, where);
    coder->program->code[at].kind = (uint8_t)code_number_kind(type);
}

void code_real_function(struct coder *coder, enum real_function function, const struct type *type,
                        unsigned dst, unsigned a, unsigned b, const struct expr *where)
{
    size_t at = code_emit(coder, OP_REAL, dst, a, b, where);
    coder->program->code[at].extra = (uint32_t)function;
    coder->program->code[at].kind = type->bytes;
}

/* What e works on, from left to right: a value is read before what stands right of it changes its variable;
 * but for that of `a op= b`, where C++17 has b first. */
static void code_operands(struct coder *coder, const struct expr *e, unsigned *a, unsigned *b)
{
    *a = code_expression(coder, e->a);
    if (!e->updates)
        *a = code_kept(coder, *a, code_slots(&e->a->type), e->b);
    *b = code_expression(coder, e->b);
}

static unsigned code_binary(struct coder *coder, const struct expr *e)
{
    unsigned a, b;
    code_operands(coder, e, &a, &b);
    unsigned dst = code_registers(coder, 1);
    code_operation(coder, e->op, &e->type, dst, a, b, e);
    return dst;
}

static unsigned code_compare(struct coder *coder, const struct expr *e)
{
    unsigned a, b;
    code_operands(coder, e, &a, &b);
    unsigned dst = code_registers(coder, 1);
    bool swap = e->op == '>' || e->op == PUNCT2('>', '=');
    enum opcode op = e->op == '<' || e->op == '>' ? OP_LT
                     : e->op == PUNCT2('=', '=')  ? OP_EQ
                     : e->op == PUNCT2('!', '=')  ? OP_NE
                                                  : OP_LE;
    size_t at = code_emit(coder, op, dst, swap ? b : a, swap ? a : b, e);
    coder->program->code[at].kind = (uint8_t)(e->a->type.kind != TYPE_POINTER ? code_number_kind(&e->a->type)
                                              : e->a->type.space == SPACE_SHARED ? (int)POINTER_SHARED
                                                                                 : (int)POINTER_GLOBAL);
    return dst;
}

void code_move(struct coder *coder, unsigned dst, unsigned src, unsigned count, const struct expr *where)
{
    for (unsigned i = 0; i < count; i++)
        code_emit(coder, OP_MOVE, dst + i, src + i, 0, where);
}

static bool is_word(const struct type *type)
{
    return type->kind == TYPE_INTEGER && type->bytes == 4 && type->components == 1;
}

/* The operand under a change of sign between 32-bit integers. */
static const struct expr *without_sign_change(const struct expr *e)
{
    return e->kind == EXPR_CONVERT && is_word(&e->type) && is_word(&e->a->type) ? e->a : e;
}

/* (int)((unsigned)a + (unsigned)b) is a + b brought into int: modulo 2^32 the signs in between change
 * nothing, and an index that grew too large is seen. `int y = blockIdx.y * TILE + j` is of this kind. The
 * other way round, a sum below 0 is no overflow: `unsigned u = i + -1`. */
static bool code_plain_sum(struct coder *coder, const struct expr *e, unsigned *result)
{
    const struct expr *sum = e->a;
    if (!is_word(&e->type) || sum->kind != EXPR_BINARY || !is_word(&sum->type) ||
        (sum->op != '+' && sum->op != '-') || (sum->type.is_signed && !e->type.is_signed))
        return false;
    struct expr plain = *sum;
    plain.a = (struct expr *)without_sign_change(sum->a);
    plain.b = (struct expr *)without_sign_change(sum->b);
    unsigned a, b;
    code_operands(coder, &plain, &a, &b);
    *result = code_registers(coder, 1);
    size_t at = code_emit(coder, sum->op == '+' ? OP_ADD : OP_SUB, *result, a, b, sum);
    coder->program->code[at].kind = (uint8_t)code_number_kind(&e->type);
    return true;
}

/* Do some values of `from` not come back from `to`? */
static bool narrows(const struct type *from, const struct type *to)
{
    if (from->kind == TYPE_FLOAT && to->kind == TYPE_FLOAT)
        return to->bytes < from->bytes;
    return from->kind == TYPE_FLOAT || from->bytes >= to->bytes; /* a float of n bytes holds no int of n */
}

unsigned code_keep(struct coder *coder, const struct type *from, const struct type *to, unsigned a,
                   const struct expr *where)
{
    unsigned dst = code_registers(coder, 1);
    size_t at = code_emit(coder, OP_KEEP, dst, a, a, where);
    bool from_unsigned = from->kind == TYPE_INTEGER && from->bytes == 8 && !from->is_signed;
    uint8_t kind = to->kind == TYPE_FLOAT ? (uint8_t)(KEEP_REAL | to->bytes) : (uint8_t)code_number_kind(to);
    coder->program->code[at].kind = kind | (from_unsigned ? KEEP_FROM_U64 : 0);
    coder->program->code[at].extra = narrows(from, to) ? code_narrowing(coder, from, to) : 0;
    return dst;
}

/* A literal of floating type, or a conversion of a literal. False: it is none. */
static bool code_literal(struct coder *coder, const struct expr *e, unsigned *result)
{
    const struct expr *literal = e->kind == EXPR_CONVERT ? e->a : e;
    double real = literal->kind == EXPR_INTEGER ? (double)literal->value : literal->real;
    if (e->type.kind != TYPE_FLOAT || (literal->kind != EXPR_DATA && literal->kind != EXPR_INTEGER))
        return false;
    if (literal->kind == EXPR_DATA && !literal->is_real) {
        *result = code_constant(coder, literal->value, true, e);
        return true;
    }
    if (literal->kind == EXPR_INTEGER && !literal->type.is_signed && literal->type.bytes == 8)
        real = (double)(uint64_t)literal->value;
    if (e->type.bytes == 2 && !(real >= -256 && real <= 256 && real == (double)(int)real)) {
        *result = code_constant(coder, literal->value, true, e); /* may have to be rounded */
        return true;
    }
    *result = code_real(
        coder, e->type.bytes == 4 && real < 3.4e38 && real > -3.4e38 ? (double)(float)real : real, e);
    return true;
}

static unsigned code_convert(struct coder *coder, const struct expr *e)
{
    const struct type *from = &e->a->type, *to = &e->type;
    unsigned sum, literal;
    if (code_literal(coder, e, &literal))
        return literal;
    if (code_plain_sum(coder, e, &sum))
        return sum;
    unsigned a = code_expression(coder, e->a);
    if (to->kind == TYPE_POINTER ||
        (from->kind == TYPE_FLOAT && to->kind == TYPE_FLOAT && from->bytes == to->bytes))
        return a;
    if (to->kind == TYPE_FLOAT || (from->kind == TYPE_FLOAT && to->kind != TYPE_BOOL))
        return code_keep(coder, from, to, a, e);
    unsigned dst = code_registers(coder, 1);
    if (to->kind == TYPE_BOOL) {
        code_emit(coder, OP_TO_BOOL, dst, a, 0, e);
    } else if (from->kind == TYPE_BOOL) {
        code_emit(coder, OP_FROM_BOOL, dst, a, 0, e);
    } else {
        if (to->bytes == 8 || (to->bytes > from->bytes && (to->is_signed || !from->is_signed)))
            return a; /* every value fits, or keeps its 64 bits */
        size_t at = code_emit(coder, OP_CONVERT, dst, a, 0, e);
        coder->program->code[at].kind = (uint8_t)code_number_kind(to);
    }
    return dst;
}

static unsigned code_sign(struct coder *coder, const struct expr *e)
{
    unsigned a = code_expression(coder, e->a);
    unsigned dst = code_registers(coder, 1);
    enum opcode op = e->kind == EXPR_NOT ? OP_NOT : e->kind == EXPR_NEGATE ? OP_NEG : OP_COM;
    if (e->type.kind == TYPE_FLOAT) {
        code_real_function(coder, REAL_NEGATE, &e->type, dst, a, a, e);
        return dst;
    }
    size_t at = code_emit(coder, op, dst, a, a, e);
    coder->program->code[at].kind = op == OP_DATA ? 0 : (uint8_t)code_number_kind(&e->type);
    return dst;
}

static unsigned code_min_max(struct coder *coder, const struct expr *e)
{
    unsigned a, b;
    code_operands(coder, e, &a, &b);
    unsigned dst = code_registers(coder, 1);
    bool minimum = e->kind == EXPR_MINIMUM;
    if (e->type.kind == TYPE_FLOAT) {
        code_real_function(coder, minimum ? REAL_MINIMUM : REAL_MAXIMUM, &e->type, dst, a, b, e);
        return dst;
    }
    enum opcode op = minimum ? OP_MIN : OP_MAX;
    size_t at = code_emit(coder, op, dst, a, b, e);
    coder->program->code[at].kind = op == OP_DATA ? 0 : (uint8_t)code_number_kind(&e->type);
    return dst;
}

/* Of which nothing is known: what __constant__ data holds, and where it lies. */
static unsigned code_data(struct coder *coder, const struct expr *e)
{
    unsigned dst = code_registers(coder, 1);
    code_emit(coder, OP_DATA, dst, 0, 0, e);
    return dst;
}

static unsigned code_pointer_add(struct coder *coder, const struct expr *e)
{
    unsigned a, b;
    code_operands(coder, e, &a, &b);
    if (e->type.space == SPACE_CONSTANT)
        return code_data(coder, e);
    unsigned dst = code_registers(coder, 1);
    size_t at = code_emit(coder, OP_POINTER_ADD, dst, a, b, e);
    coder->program->code[at].extra = code_scale(coder, e->scale);
    return dst;
}

static unsigned code_pointer_difference(struct coder *coder, const struct expr *e)
{
    unsigned a, b;
    code_operands(coder, e, &a, &b);
    unsigned dst = code_registers(coder, 1);
    size_t at = code_emit(coder, OP_POINTER_DIFFERENCE, dst, a, b, e);
    coder->program->code[at].extra = code_scale(coder, e->scale);
    coder->program->code[at].kind = NUMBER_I64;
    return dst;
}

static unsigned code_vector(struct coder *coder, const struct expr *e)
{
    unsigned dst = code_registers(coder, code_slots(&e->type)), at = dst;
    for (unsigned i = 0; i < e->part_count && !coder->problem->set; i++) {
        unsigned value = code_expression(coder, e->parts[i]), slots = code_slots(&e->parts[i]->type);
        for (unsigned k = 0; k < slots; k++)
            code_emit(coder, OP_SET, at + k, value + k, 0, e);
        at += slots;
    }
    return dst;
}

/* A function in place: its value, then its parameters, then its body. Where no return leaves early there is
 * nothing to come back from. */
static unsigned code_call(struct coder *coder, const struct expr *e)
{
    unsigned components = code_slots(&e->type);
    unsigned result = code_variable(coder, components);
    e->symbol->index = result;
    for (unsigned i = 0; i < components; i++)
        code_emit(coder, OP_UNSET, result + i, 0, 0, e);
    for (const struct statement *s = e->bindings; s; s = s->next)
        code_statement(coder, s);
    if (e->value) {
        code_emit(coder, OP_CALL, 0, 0, 0, e);
        code_open_mask(coder);
    }
    code_statement(coder, e->body);
    if (e->value) {
        code_emit(coder, OP_CALL_END, 0, 0, 0, e);
        code_close_mask(coder);
    }
    coder->next_register = result + components;
    return result;
}

static unsigned code_vector_binary(struct coder *coder, const struct expr *e)
{
    unsigned a, b;
    code_operands(coder, e, &a, &b);
    unsigned dst = code_registers(coder, e->type.components);
    struct type component = type_component(e->type);
    for (unsigned i = 0; i < e->type.components; i++)
        code_operation(coder, e->op, &component, dst + i, a + (e->a->type.has_names ? i : 0),
                       b + (e->b->type.has_names ? i : 0), e);
    return dst;
}

static unsigned code_shared(struct coder *coder, const struct expr *e)
{
    /* The launch puts a pointer to each shared array behind the built-ins. */
    return coder->program->first_builtin + BUILTIN_COUNT + e->symbol->index;
}

unsigned code_expression(struct coder *coder, const struct expr *e)
{
    if (coder->problem->set)
        return 0;
    switch (e->kind) {
    case EXPR_INTEGER:
        if (e->type.kind == TYPE_BOOL) {
            unsigned dst = code_registers(coder, 1);
            code_emit(coder, OP_TO_BOOL, dst, code_constant(coder, e->value, false, e), 0, e);
            return dst;
        }
        return code_constant(coder, e->value, false, e);
    case EXPR_DATA: {
        unsigned literal = 0;
        (void)code_literal(coder, e, &literal);
        return literal;
    }
    case EXPR_VARIABLE:
        return e->symbol->kind == SYMBOL_PARAMETER ? coder->program->first_parameter + e->symbol->index
                                                   : e->symbol->index;
    case EXPR_SHARED:
        return code_shared(coder, e);
    case EXPR_BUILTIN:
        return coder->program->first_builtin + (unsigned)e->value;
    case EXPR_CONVERT:
        return code_convert(coder, e);
    case EXPR_NEGATE:
    case EXPR_COMPLEMENT:
    case EXPR_NOT:
        return code_sign(coder, e);
    case EXPR_BINARY:
        return code_binary(coder, e);
    case EXPR_COMPARE:
        return code_compare(coder, e);
    case EXPR_AND:
    case EXPR_OR:
        return code_logical(coder, e);
    case EXPR_CONDITION:
        return code_condition(coder, e);
    case EXPR_COMMA:
        code_expression(coder, e->a);
        return code_expression(coder, e->b);
    case EXPR_MINIMUM:
    case EXPR_MAXIMUM:
        return code_min_max(coder, e);
    case EXPR_POINTER_ADD:
        return code_pointer_add(coder, e);
    case EXPR_POINTER_DIFFERENCE:
        return code_pointer_difference(coder, e);
    case EXPR_MEMORY:
        return code_load(coder, e);
    case EXPR_COMPONENT:
    case EXPR_ELEMENT:
    case EXPR_PUN:
        return code_part(coder, e);
    case EXPR_ADDRESS:
        problem_at(coder->problem, e->source, e->begin,
                   "the address of a local variable can only be dereferenced here");
        return 0;
    case EXPR_CONSTANT_ADDRESS:
        return code_data(coder, e);
    case EXPR_VECTOR:
        return code_vector(coder, e);
    case EXPR_CALL:
        return code_call(coder, e);
    case EXPR_ASSIGN:
        return code_assign(coder, e);
    case EXPR_UPDATE:
        return code_update(coder, e);
    case EXPR_FUNCTION:
        return code_function(coder, e);
    case EXPR_COMPUTED:
        return code_computed(coder, e);
    case EXPR_ATOMIC:
        return code_atomic(coder, e);
    case EXPR_VECTOR_BINARY:
        return code_vector_binary(coder, e);
    case EXPR_BARRIER:
        return code_barrier(coder, e);
    case EXPR_SYNCWARP:
        code_emit(coder, OP_SYNCWARP, 0, 0, 0, e);
        return 0;
    }
    return 0;
}
