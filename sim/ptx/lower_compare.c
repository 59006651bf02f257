/* lower_compare.c - setp, set, selp, slct. */
#include <string.h>

#include "coder.h"

static const struct comparison {
    const char *name;
    enum opcode op;
    bool swapped, is_unsigned;
} comparisons[] = {
    {"eq", OP_EQ, false, false}, {"ne", OP_NE, false, false}, {"lt", OP_LT, false, false},
    {"le", OP_LE, false, false}, {"gt", OP_LT, true, false},  {"ge", OP_LE, true, false},
    {"lo", OP_LT, false, true},  {"ls", OP_LE, false, true},  {"hi", OP_LT, true, true},
    {"hs", OP_LE, true, true},
};

/* Compares operands `first` and the next; the last type in the name is theirs. The register of the result. */
static unsigned compare(struct coder_of_ptx *c, unsigned first, struct ptx_type type)
{
    const struct comparison *row = NULL;
    unsigned result = coder_temporary(c);
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        row = op_has(c->in, comparisons[i].name) ? &comparisons[i] : row;
    if (type.is_float || !row) {
        coder_emit(c, OP_DATA, 0, result, 0, 0, 0);
        return result;
    }
    type.is_signed = !row->is_unsigned && (type.is_signed || row->op == OP_EQ || row->op == OP_NE);
    unsigned a = coder_use_as(c, first, type), b = coder_use_as(c, first + 1, type);
    coder_emit(c, row->op, kind_of_type(type), result, row->swapped ? b : a, row->swapped ? a : b, 0);
    return result;
}

static unsigned joined(struct coder_of_ptx *c, unsigned condition)
{
    struct ptx_type pred = {.is_pred = true, .components = 1};
    enum opcode op = op_has(c->in, "and") ? OP_AND : op_has(c->in, "or") ? OP_OR : OP_XOR;
    if (op == OP_XOR && !op_has(c->in, "xor"))
        return condition;
    unsigned other = coder_use(c, 3, pred), result = coder_temporary(c);
    coder_emit(c, op, NUMBER_I32, result, condition, other, 0);
    return result;
}

/* setp.lt.and.s32 p|q, a, b, c: p = (a < b) and c, q = not (a < b) and c */
bool lower_set_predicate(struct coder_of_ptx *c)
{
    struct ptx_type type;
    if (!op_type(c->in, 0, &type))
        return coder_fail(c, "setp names the type of what it compares");
    unsigned condition = compare(c, 1, type), inverse = coder_temporary(c);
    const struct operand *to = &c->in->operands[0];
    unsigned second = 0;
    if (to->part_count) {
        coder_emit(c, OP_NOT, 0, inverse, condition, 0, 0);
        if (type.is_float)
            coder_emit(c, OP_DATA, 0, inverse, 0, 0, 0);
        second = joined(c, inverse);
    }
    condition = joined(c, condition);
    coder_copy(c, to, condition);
    if (to->part_count)
        coder_copy(c, &to->parts[0], second);
    return !c->problem->set;
}

static bool put_selected(struct coder_of_ptx *c, unsigned condition, unsigned yes, unsigned no)
{
    unsigned result = coder_result(c, 0);
    coder_emit(c, OP_SELECT, 0, result, condition, yes, no);
    coder_put(c, &c->in->operands[0], result);
    return !c->problem->set;
}

/* set.lt.u32.s32 d, a, b: all bits or none */
bool lower_set(struct coder_of_ptx *c)
{
    struct ptx_type to, type;
    if (!op_type(c->in, 0, &to) || !op_type(c->in, 1, &type) || to.is_float)
        return lower_data(c);
    unsigned condition = joined(c, compare(c, 1, type));
    return put_selected(c, condition, coder_constant(c, -1, false), coder_constant(c, 0, false));
}

/* selp d, a, b, p; slct d, a, b, c: a where c >= 0 */
bool lower_select(struct coder_of_ptx *c)
{
    struct ptx_type type, pred = {.is_pred = true, .components = 1}, sign = {0};
    if (!op_type(c->in, 0, &type))
        return coder_fail(c, "this instruction names the type of its operands");
    unsigned yes = coder_use(c, 1, type), no = coder_use(c, 2, type), condition;
    if (op_is(c->in, "selp")) {
        condition = coder_use(c, 3, pred);
    } else if (op_type(c->in, 1, &sign) && !sign.is_float) {
        condition = coder_temporary(c);
        coder_emit(c, OP_LE, signed_kind(sign), condition, coder_constant(c, 0, false), coder_use(c, 3, sign),
                   0);
    } else {
        return lower_data(c);
    }
    return put_selected(c, condition, yes, no);
}
