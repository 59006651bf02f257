/* quiet.c - the parts of a program that touch no memory and end where they end. */
#include "quiet.h"

#include <stdlib.h>

#include "../../base/arena.h"

/* An `if`, a loop, a switch or a function in place that is open. */
struct open_part {
    uint32_t begin;
    enum opcode op;
    bool acts;     /* touches memory, waits or ends the kernel */
    size_t escape; /* the outermost of the parts around that something in it goes to the end of, or its own
                      number */
    size_t first;  /* of the branches whose part is not known yet */
};

struct waiting {
    uint32_t branch;
    size_t depth; /* parts open around it */
};

struct search {
    struct program *program;
    struct open_part *open; /* [depth] */
    size_t depth, waiting_count;
    struct waiting *waiting;
};

static bool acts(enum opcode op)
{
    return op == OP_LOAD || op == OP_STORE || op == OP_ATOMIC || op == OP_BARRIER || op == OP_BARRIER_VOTE ||
           op == OP_SYNCWARP || op == OP_RETURN;
}

static bool is_branch(enum opcode op)
{
    return op == OP_IF || op == OP_IF_COMPARE || op == OP_NARROW || op == OP_NARROW_COMPARE ||
           op == OP_TEST || op == OP_TEST_COMPARE || op == OP_CASE;
}

/* What is left by this goes on behind the innermost part of such a kind. */
static void note_escape(struct search *s, enum opcode op)
{
    for (size_t i = s->depth; i > 0; i--) {
        struct open_part *part = &s->open[i - 1];
        bool is_target = op == OP_LEAVE   ? part->op == OP_CALL
                         : op == OP_BREAK ? part->op == OP_LOOP || part->op == OP_SWITCH
                                          : part->op == OP_LOOP;
        if (is_target) {
            struct open_part *inner = &s->open[s->depth - 1];
            inner->escape = i - 1 < inner->escape ? i - 1 : inner->escape;
            return;
        }
    }
}

static void open_part(struct search *s, uint32_t at, enum opcode op)
{
    s->open[s->depth] = (struct open_part){at, op, false, s->depth, s->waiting_count};
    s->depth++;
}

static void add(struct program *p, const struct search *s, const struct waiting *branch, uint32_t end)
{
    const struct open_part *part = &s->open[s->depth];
    p->quiets[p->quiet_count++] = (struct quiet){.branch = branch->branch,
                                                 .begin = part->begin,
                                                 .end = end,
                                                 .frames = (uint32_t)(branch->depth - s->depth),
                                                 .restores = part->op != OP_IF};
}

/* The branches that waited for it have it, unless something leaves it. */
static void close_part(struct search *s, uint32_t at)
{
    struct open_part *part = &s->open[--s->depth];
    bool is_closed = part->escape >= s->depth;
    for (size_t i = part->first; is_closed && !part->acts && i < s->waiting_count; i++)
        add(s->program, s, &s->waiting[i], at);
    if (is_closed)
        s->waiting_count = part->first;
    if (!s->depth)
        return;
    struct open_part *outer = &s->open[s->depth - 1];
    outer->acts = outer->acts || part->acts;
    if (part->escape < outer->escape)
        outer->escape = part->escape;
}

static void see(struct search *s, uint32_t at)
{
    enum opcode op = (enum opcode)s->program->code[at].op;
    bool opens_if = op == OP_IF || op == OP_IF_COMPARE;
    size_t depth = s->depth;
    if (opens_if || op == OP_LOOP || op == OP_SWITCH || op == OP_CALL)
        open_part(s, at, opens_if ? OP_IF : op);
    if (is_branch(op))
        s->waiting[s->waiting_count++] = (struct waiting){at, depth};
    if (s->depth && acts(op))
        s->open[s->depth - 1].acts = true;
    if (op == OP_BREAK || op == OP_CONTINUE || op == OP_LEAVE)
        note_escape(s, op);
    if (op == OP_END || op == OP_END_STEP || op == OP_LOOP_END || op == OP_SWITCH_END || op == OP_CALL_END)
        close_part(s, at);
}

static int by_branch(const void *a, const void *b)
{
    const struct quiet *x = a, *y = b;
    return (x->branch > y->branch) - (x->branch < y->branch);
}

void quiet_find_all(struct program *program)
{
    struct search s = {.program = program};
    size_t branches = 0;
    for (size_t i = 0; i < program->code_count; i++)
        branches += is_branch((enum opcode)program->code[i].op);
    s.open = memory_take(program->mask_depth + 1u, sizeof *s.open);
    s.waiting = memory_take(branches + 1, sizeof *s.waiting);
    program->quiets = memory_take(branches + 1, sizeof *program->quiets);
    for (size_t i = 0; i < program->code_count; i++)
        see(&s, (uint32_t)i);
    qsort(program->quiets, program->quiet_count, sizeof *program->quiets, by_branch);
    free(s.open);
    free(s.waiting);
}
