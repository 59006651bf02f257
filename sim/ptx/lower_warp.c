/* lower_warp.c - barriers, shuffles, votes, and what is passed over or refused. */
#include "coder.h"

static const struct ptx_type word = {.bytes = 4, .is_signed = true, .components = 1};

bool lower_nothing(struct coder_of_ptx *c)
{
    (void)c;
    return true;
}

bool lower_refuse(struct coder_of_ptx *c)
{
    return coder_fail(
        c,
        "%.*s has no counting rule here yet: the kernel can be followed if it is compiled without "
        "this instruction",
        (int)(c->in->op_length < 80 ? c->in->op_length : 80), c->in->op);
}

/* bar.red.popc.u32 d, 0, p; bar.red.and.pred and or.pred: a barrier that counts what its threads say. */
static bool lower_barrier_vote(struct coder_of_ptx *c)
{
    struct ptx_type pred = {.is_pred = true, .components = 1};
    bool count = op_has(c->in, "popc"), all = op_has(c->in, "and");
    if (c->in->operand_count < 3)
        return coder_fail(c, "bar.red has a result, a barrier and a predicate");
    unsigned said = coder_use(c, c->in->operand_count - 1, pred), votes = coder_temporary(c);
    coder_emit(c, OP_BARRIER_VOTE, 0, votes, said, said, count ? VOTE_COUNT : all ? VOTE_AND : VOTE_OR);
    if (count) {
        coder_put(c, &c->in->operands[0], votes);
        return !c->problem->set;
    }
    unsigned truth = coder_temporary(c);
    coder_emit(c, OP_TO_BOOL, 0, truth, votes, 0, 0);
    coder_copy(c, &c->in->operands[0], truth);
    return !c->problem->set;
}

/* bar.sync 0; barrier.sync 0; bar.warp.sync; a barrier of a part of the block orders less: it is refused. */
bool lower_barrier(struct coder_of_ptx *c)
{
    if (op_has(c->in, "warp")) {
        coder_emit(c, OP_SYNCWARP, 0, 0, 0, 0, 0);
        return true;
    }
    if (op_has(c->in, "cluster"))
        return lower_refuse(c);
    bool reduces = op_has(c->in, "red");
    if (op_has(c->in, "arrive") || (!reduces && c->in->operand_count > 1))
        return coder_fail(
            c, "a barrier for a part of the block's threads is not supported: bar.sync 0 is, which "
               "waits for all of them");
    if (reduces)
        return lower_barrier_vote(c);
    coder_emit(c, OP_BARRIER, 0, 0, 0, 0, 0);
    return true;
}

/* shfl.sync.up.b32 d|p, a, lane, clamp, members */
bool lower_shuffle(struct coder_of_ptx *c)
{
    static const char *const kinds[] = {"up", "down", "bfly", "idx"};
    unsigned kind = 0;
    while (kind < 4 && !op_has(c->in, kinds[kind]))
        kind++;
    if (kind == 4 || c->in->operand_count < 4)
        return coder_fail(c, "shfl is one of up, down, bfly, idx and has a lane and a clamp");
    const struct operand *to = &c->in->operands[0];
    unsigned a = coder_use(c, 1, word), b = coder_use(c, 2, word), clamp = coder_use(c, 3, word);
    unsigned there = to->part_count ? coder_temporary(c) : 0, result = coder_temporary(c);
    /* `extra` has 16 bits for each register; constants are numbered at the end, as `clamp` is one */
    coder_emit(c, OP_SHUFFLE, kind, result, a, b, clamp | (uint32_t)(there ? there + 1 : 0) << 16);
    coder_copy(c, to, result);
    if (to->part_count)
        coder_copy(c, &to->parts[0], there);
    return !c->problem->set;
}

/* vote.sync.ballot.b32 d, p, members; activemask.b32 d; elect.sync d|p, members */
bool lower_vote(struct coder_of_ptx *c)
{
    static const struct {
        const char *name;
        enum vote_kind kind;
    } votes[] = {{"ballot", VOTE_BALLOT}, {"any", VOTE_ANY}, {"all", VOTE_ALL}, {"uni", VOTE_SAME}};
    struct ptx_type pred = {.is_pred = true, .components = 1};
    unsigned kind = op_is(c->in, "activemask") ? VOTE_ACTIVE : VOTE_FIRST, condition = c->first_temporary;
    if (op_is(c->in, "vote")) {
        for (size_t i = 0; i < sizeof votes / sizeof *votes; i++)
            kind = op_has(c->in, votes[i].name) ? votes[i].kind : kind;
        condition = coder_use(c, 1, pred);
    }
    unsigned result = coder_temporary(c);
    coder_emit(c, OP_VOTE, kind, result, condition, 0, 0);
    const struct operand *to = c->in->operand_count ? &c->in->operands[0] : NULL;
    if (to && kind == VOTE_FIRST) {
        unsigned data = coder_temporary(c);
        coder_emit(c, OP_DATA, 0, data, 0, 0, 0);
        coder_copy(c, to, data);
        to = to->part_count ? &to->parts[0] : NULL;
    }
    if (to)
        coder_copy(c, to, result);
    return !c->problem->set;
}

/* match.any.sync.b32 d, a, members; redux.sync.add.s32 d, a, members; match.all.sync has a second result:
 * data */
bool lower_together(struct coder_of_ptx *c)
{
    static const struct {
        const char *name;
        enum function_id function;
    } reductions[] = {{"add", FUNCTION_REDUCE_ADD}, {"min", FUNCTION_REDUCE_MIN},
                      {"max", FUNCTION_REDUCE_MAX}, {"and", FUNCTION_REDUCE_AND},
                      {"or", FUNCTION_REDUCE_OR},   {"xor", FUNCTION_REDUCE_XOR}};
    enum function_id function = FUNCTION_MATCH;
    struct ptx_type type;
    if (op_has(c->in, "all") || !op_type(c->in, 0, &type) || type.is_float || c->in->operand_count < 3)
        return lower_data(c);
    for (size_t i = 0; op_is(c->in, "redux") && i < sizeof reductions / sizeof *reductions; i++)
        function = op_has(c->in, reductions[i].name) ? reductions[i].function : function;
    unsigned a = coder_use(c, 1, type), whole = coder_constant(c, 32, false), result = coder_temporary(c);
    coder_emit(c, OP_FUNCTION, kind_of_type(type), result, a, whole, function);
    coder_copy(c, &c->in->operands[0], coder_convert(c, result, NUMBER_I32)); /* as a register holds it */
    return !c->problem->set;
}

/* A function outside of the text: what it returns is data. */
bool lower_call(struct coder_of_ptx *c)
{
    for (unsigned i = 0; i < c->in->operand_count; i++) {
        const struct operand *list = &c->in->operands[i];
        if (list->kind == OPERAND_NAME)
            break; /* behind the name come arguments */
        for (unsigned k = 0; list->kind == OPERAND_LIST && k < list->part_count; k++) {
            const struct operand *o = &list->parts[k];
            unsigned data = coder_temporary(c);
            coder_emit(c, OP_DATA, 0, data, 0, 0, 0);
            coder_copy(c, o, data);
            struct home home = {0};
            if (o->kind == OPERAND_VARIABLE)
                home = flat_home(c->flat->frame, o->variable, o->value);
            for (const struct parameter_register *r = home.variable ? home.variable->registers : NULL; r;
                 r = r->next)
                if (r->frame == home.frame)
                    coder_emit(c, OP_MOVE, 0, coder_register(c, r->reg), data, 0, 0);
        }
    }
    return !c->problem->set;
}
