/* table.c - which instruction is which. */
#include <string.h>

#include "coder.h"

static const struct row {
    const char *name;
    bool (*code)(struct coder_of_ptx *c);
} rows[] = {
    {"abs", lower_bits},
    {"activemask", lower_vote},
    {"add", lower_arithmetic},
    {"alloca", lower_refuse},
    {"and", lower_arithmetic},
    {"atom", lower_atomic},
    {"bar", lower_barrier},
    {"barrier", lower_barrier},
    {"bfe", lower_bits},
    {"bfi", lower_bits},
    {"bfind", lower_bits},
    {"brev", lower_bits},
    {"brkpt", lower_nothing},
    {"call", lower_call},
    {"clz", lower_bits},
    {"cnot", lower_bits},
    {"cvt", lower_convert},
    {"cvta", lower_move},
    {"discard", lower_nothing},
    {"div", lower_arithmetic},
    {"elect", lower_vote},
    {"fence", lower_nothing},
    {"griddepcontrol", lower_nothing},
    {"ld", lower_load},
    {"ldu", lower_load},
    {"lop3", lower_bits},
    {"mad", lower_multiply},
    {"mad24", lower_multiply},
    {"match", lower_together},
    {"max", lower_arithmetic},
    {"membar", lower_nothing},
    {"min", lower_arithmetic},
    {"mov", lower_move},
    {"mul", lower_multiply},
    {"mul24", lower_multiply},
    {"nanosleep", lower_nothing},
    {"neg", lower_arithmetic},
    {"not", lower_arithmetic},
    {"or", lower_arithmetic},
    {"pmevent", lower_nothing},
    {"popc", lower_bits},
    {"prefetch", lower_nothing},
    {"prefetchu", lower_nothing},
    {"prmt", lower_bits},
    {"red", lower_atomic},
    {"redux", lower_together},
    {"rem", lower_arithmetic},
    {"sad", lower_multiply},
    {"selp", lower_select},
    {"set", lower_set},
    {"setmaxnreg", lower_nothing},
    {"setp", lower_set_predicate},
    {"shf", lower_bits},
    {"shfl", lower_shuffle},
    {"shl", lower_shift},
    {"shr", lower_shift},
    {"slct", lower_select},
    {"st", lower_store},
    {"sub", lower_arithmetic},
    {"vote", lower_vote},
    {"xor", lower_arithmetic},
};

/* Integer instructions whose results are not computed: data. Others with a floating type are, too. */
static const char *const data[] = {"addc", "subc",       "madc",    "dp4a",     "dp2a",
                                   "fns",  "bmsk",       "szext",   "isspacep", "testp",
                                   "mapa", "getctarank", "istypep", "copysign", "createpolicy"};

bool lower_instruction(struct coder_of_ptx *c)
{
    const struct ptx_instruction *in = c->in;
    struct ptx_type type;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (op_is(in, rows[i].name))
            return rows[i].code(c);
    for (size_t i = 0; i < sizeof data / sizeof *data; i++)
        if (op_is(in, data[i]))
            return lower_data(c);
    static const char *const memory[] = {"ldmatrix", "stmatrix", "movmatrix", "mma",      "wmma", "wgmma",
                                         "tcgen05",  "cp",       "mbarrier",  "tex",      "tld4", "suld",
                                         "sust",     "sured",    "st",        "multimem", "brx"};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        if (op_is(in, memory[i]))
            return lower_refuse(c);
    if (op_type(in, 0, &type) && type.is_float && in->operand_count)
        return lower_data(c);
    return coder_fail(c, "%.*s is no instruction that is known here",
                      (int)(in->op_length < 80 ? in->op_length : 80), in->op);
}
