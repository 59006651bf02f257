/* table.c - which instruction is which. */
#include <string.h>

#include "coder.h"

static const struct row {
    const char *name;
    bool (*code)(struct coder_of_ptx *c);
} rows[] = {
    {"abs", code_bits},
    {"activemask", code_vote},
    {"add", code_arithmetic},
    {"alloca", code_refuse},
    {"and", code_arithmetic},
    {"atom", code_atomic},
    {"bar", code_barrier},
    {"barrier", code_barrier},
    {"bfe", code_bits},
    {"bfi", code_bits},
    {"bfind", code_bits},
    {"brev", code_bits},
    {"brkpt", code_nothing},
    {"call", code_call},
    {"clz", code_bits},
    {"cnot", code_bits},
    {"cvt", code_convert},
    {"cvta", code_move},
    {"discard", code_nothing},
    {"div", code_arithmetic},
    {"elect", code_vote},
    {"fence", code_nothing},
    {"griddepcontrol", code_nothing},
    {"ld", code_load},
    {"ldu", code_load},
    {"lop3", code_bits},
    {"mad", code_multiply},
    {"mad24", code_multiply},
    {"max", code_arithmetic},
    {"membar", code_nothing},
    {"min", code_arithmetic},
    {"mov", code_move},
    {"mul", code_multiply},
    {"mul24", code_multiply},
    {"nanosleep", code_nothing},
    {"neg", code_arithmetic},
    {"not", code_arithmetic},
    {"or", code_arithmetic},
    {"pmevent", code_nothing},
    {"popc", code_bits},
    {"prefetch", code_nothing},
    {"prefetchu", code_nothing},
    {"prmt", code_bits},
    {"red", code_atomic},
    {"rem", code_arithmetic},
    {"sad", code_multiply},
    {"selp", code_select},
    {"set", code_set},
    {"setmaxnreg", code_nothing},
    {"setp", code_set_predicate},
    {"shf", code_bits},
    {"shfl", code_shuffle},
    {"shl", code_shift},
    {"shr", code_shift},
    {"slct", code_select},
    {"st", code_store},
    {"sub", code_arithmetic},
    {"vote", code_vote},
    {"xor", code_arithmetic},
};

/* Integer instructions whose results are not computed: data. Others with a floating type are, too. */
static const char *const data[] = {"addc",  "subc",       "madc",    "dp4a",     "dp2a",        "fns",
                                   "match", "redux",      "bmsk",    "szext",    "isspacep",    "testp",
                                   "mapa",  "getctarank", "istypep", "copysign", "createpolicy"};

bool code_instruction(struct coder_of_ptx *c)
{
    const struct ptx_instruction *in = c->in;
    struct ptx_type type;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (op_is(in, rows[i].name))
            return rows[i].code(c);
    for (size_t i = 0; i < sizeof data / sizeof *data; i++)
        if (op_is(in, data[i]))
            return code_data(c);
    static const char *const memory[] = {"ldmatrix", "stmatrix", "movmatrix", "mma",      "wmma", "wgmma",
                                         "tcgen05",  "cp",       "mbarrier",  "tex",      "tld4", "suld",
                                         "sust",     "sured",    "st",        "multimem", "brx"};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        if (op_is(in, memory[i]))
            return code_refuse(c);
    if (op_type(in, 0, &type) && type.is_float && in->operand_count)
        return code_data(c);
    return coder_fail(c, "%.*s is no instruction that is known here",
                      (int)(in->op_length < 80 ? in->op_length : 80), in->op);
}
