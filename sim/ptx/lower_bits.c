/* lower_bits.c - instructions that see numbers as bits. */
#include "coder.h"

static const struct ptx_type word = {.bytes = 4, .is_signed = true, .components = 1};

static bool put(struct coder_of_ptx *c, enum bits_function function, unsigned kind, unsigned a, unsigned b,
                unsigned third)
{
    unsigned result = coder_result(c, 0);
    coder_emit(c, OP_BITS, kind, result, a, b, bits_extra(function, third));
    coder_put(c, &c->in->operands[0], result);
    return !c->problem->set;
}

static bool lower_one(struct coder_of_ptx *c, enum bits_function function, struct ptx_type type)
{
    unsigned a = coder_use(c, 1, type);
    return put(c, function, kind_of_type(type), a, a, a);
}

/* bfi d, a, b, first, count */
static bool lower_insert(struct coder_of_ptx *c, struct ptx_type type)
{
    unsigned a = coder_use(c, 1, type), b = coder_use(c, 2, type);
    unsigned first = coder_use(c, 3, word), count = coder_use(c, 4, word), where = coder_temporary(c);
    unsigned byte = coder_constant(c, 255, false), low = coder_temporary(c), high = coder_temporary(c);
    int64_t x, y;
    if (coder_is_constant(c, first, &x) && coder_is_constant(c, count, &y)) {
        where = coder_constant(c, (x & 255) | (y & 255) << 8, false);
    } else {
        coder_emit(c, OP_AND, NUMBER_I32, low, first, byte, 0);
        coder_emit(c, OP_AND, NUMBER_I32, high, count, byte, 0);
        coder_emit(c, OP_SHL, NUMBER_I32, high, high, coder_constant(c, 8, false), 0);
        coder_emit(c, OP_OR, NUMBER_I32, where, low, high, 0);
    }
    return put(c, BITS_INSERT, kind_of_type(type), a, b, where);
}

static bool lower_permute(struct coder_of_ptx *c)
{
    static const char *const modes[] = {"", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
    unsigned mode = 0;
    for (unsigned i = 1; i < sizeof modes / sizeof *modes; i++)
        mode = op_has(c->in, modes[i]) ? i : mode;
    unsigned a = coder_use(c, 1, word), b = coder_use(c, 2, word), selector = coder_use(c, 3, word);
    return put(c, BITS_PERMUTE, mode, a, b, selector);
}

static bool lower_logic(struct coder_of_ptx *c, struct ptx_type type)
{
    int64_t table;
    if (c->in->operand_count != 5 || c->in->operands[0].part_count)
        return coder_fail(c, "this form of lop3 is not supported");
    unsigned a = coder_use(c, 1, type), b = coder_use(c, 2, type), third = coder_use(c, 3, type);
    if (!coder_is_constant(c, coder_use(c, 4, word), &table) || table < 0 || table > 255)
        return coder_fail(c, "the table of lop3 is a number from 0 to 255");
    return put(c, BITS_LOGIC3, (unsigned)table, a, b, third);
}

static bool lower_funnel(struct coder_of_ptx *c)
{
    bool clamp = op_has(c->in, "clamp"), left = op_has(c->in, "l");
    unsigned a = coder_use(c, 1, word), b = coder_use(c, 2, word), count = coder_use(c, 3, word);
    enum bits_function function = left ? (clamp ? BITS_FUNNEL_LEFT_CLAMP : BITS_FUNNEL_LEFT)
                                       : (clamp ? BITS_FUNNEL_RIGHT_CLAMP : BITS_FUNNEL_RIGHT);
    return put(c, function, NUMBER_I32, a, b, count);
}

bool lower_bits(struct coder_of_ptx *c)
{
    static const struct {
        const char *name;
        enum bits_function function;
    } of_one[] = {
        {"popc", BITS_COUNT},   {"clz", BITS_LEADING_ZEROS}, {"brev", BITS_REVERSE},
        {"cnot", BITS_IS_ZERO}, {"abs", BITS_ABSOLUTE},
    };
    struct ptx_type type;
    if (!op_type(c->in, 0, &type) || type.is_float || type.is_pred || op_has(c->in, "sat"))
        return lower_data(c);
    for (size_t i = 0; i < sizeof of_one / sizeof *of_one; i++)
        if (op_is(c->in, of_one[i].name))
            return lower_one(c, of_one[i].function, type);
    if (op_is(c->in, "bfind"))
        return lower_one(c, op_has(c->in, "shiftamt") ? BITS_FIND_SHIFT : BITS_FIND, type);
    if (op_is(c->in, "bfe")) {
        unsigned a = coder_use(c, 1, type), first = coder_use(c, 2, word), count = coder_use(c, 3, word);
        return put(c, BITS_EXTRACT, kind_of_type(type), a, first, count);
    }
    if (op_is(c->in, "bfi"))
        return lower_insert(c, type);
    if (op_is(c->in, "prmt"))
        return lower_permute(c);
    return op_is(c->in, "lop3") ? lower_logic(c, type) : lower_funnel(c);
}
