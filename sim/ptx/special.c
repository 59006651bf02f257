/* special.c - special registers. */
#include <string.h>

#include "coder.h"

static bool xyz(const char *name, const char *prefix, unsigned *axis)
{
    size_t length = strlen(prefix);
    if (strncmp(name, prefix, length) != 0 || name[length] != '.' || name[length + 1] < 'x' ||
        name[length + 1] > 'z')
        return false;
    *axis = (unsigned)(name[length + 1] - 'x');
    return true;
}

static unsigned binary(struct coder_of_ptx *c, enum opcode op, enum number_kind kind, unsigned a, unsigned b)
{
    unsigned result = coder_temporary(c);
    coder_emit(c, op, kind, result, a, b, 0);
    return result;
}

/* Warps of a block. */
static unsigned warp_count(struct coder_of_ptx *c)
{
    unsigned size = c->program->first_builtin + BUILTIN_BLOCK_DIM;
    unsigned threads = binary(c, OP_MUL, NUMBER_I32, size, size + 1);
    threads = binary(c, OP_MUL, NUMBER_I32, threads, size + 2);
    threads = binary(c, OP_ADD, NUMBER_I32, threads, coder_constant(c, 31, false));
    return binary(c, OP_SHR, NUMBER_I32, threads, coder_constant(c, 5, false));
}

/* Lanes below, above and at this one, as bits. */
static unsigned lane_mask(struct coder_of_ptx *c, const char *which)
{
    unsigned lane = c->program->first_builtin + BUILTIN_LANE;
    unsigned bit = binary(c, OP_SHL, NUMBER_I32, coder_constant(c, 1, false), lane);
    unsigned minus = coder_constant(c, -1, false);
    unsigned below = binary(c, OP_ADD, NUMBER_I32, bit, minus);
    if (strcmp(which, "eq") == 0)
        return bit;
    if (strcmp(which, "lt") == 0)
        return below;
    if (strcmp(which, "ge") == 0)
        return binary(c, OP_XOR, NUMBER_I32, below, minus);
    unsigned to = binary(c, OP_OR, NUMBER_I32, below, bit);
    return strcmp(which, "le") == 0 ? to : binary(c, OP_XOR, NUMBER_I32, to, minus);
}

/* A launch without clusters: each block is one of its own. */
static bool cluster(struct coder_of_ptx *c, const char *name, unsigned *reg)
{
    static const struct {
        const char *name;
        int value;
    } known[] = {
        {"%cluster_ctarank", 0},  {"%cluster_nctarank", 1}, {"%is_explicit_cluster", 0},
        {"%cluster_ctaid.x", 0},  {"%cluster_ctaid.y", 0},  {"%cluster_ctaid.z", 0},
        {"%cluster_nctaid.x", 1}, {"%cluster_nctaid.y", 1}, {"%cluster_nctaid.z", 1},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].name) == 0) {
            *reg = coder_constant(c, known[i].value, false);
            return true;
        }
    return false;
}

/* What differs from run to run: data. */
static bool is_measured(const char *name)
{
    static const char *const prefixes[] = {
        "%clock",  "%globaltimer", "%smid",         "%nsmid",     "%gridid",        "%pm",
        "%envreg", "%total_smem",  "%dynamic_smem", "%aggr_smem", "%reserved_smem", "%current_graph_exec"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

unsigned coder_special(struct coder_of_ptx *c, const char *name)
{
    unsigned axis, first = c->program->first_builtin, reg;
    if (xyz(name, "%tid", &axis))
        return first + BUILTIN_THREAD + axis;
    if (xyz(name, "%ntid", &axis))
        return first + BUILTIN_BLOCK_DIM + axis;
    if (xyz(name, "%ctaid", &axis) || xyz(name, "%clusterid", &axis))
        return first + BUILTIN_BLOCK + axis;
    if (xyz(name, "%nctaid", &axis) || xyz(name, "%nclusterid", &axis))
        return first + BUILTIN_GRID_DIM + axis;
    if (strcmp(name, "%laneid") == 0)
        return first + BUILTIN_LANE;
    if (strcmp(name, "%warpid") == 0)
        return first + BUILTIN_WARP;
    if (strcmp(name, "%nwarpid") == 0)
        return warp_count(c);
    if (strncmp(name, "%lanemask_", 10) == 0)
        return lane_mask(c, name + 10);
    if (cluster(c, name, &reg))
        return reg;
    reg = coder_temporary(c);
    if (is_measured(name))
        coder_emit(c, OP_DATA, 0, reg, 0, 0, 0);
    else
        coder_fail(c, "%.60s is neither a register that is declared here nor a special one that is known",
                   name);
    return reg;
}
