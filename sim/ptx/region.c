/* region.c - what a branch decides, where that is nothing but values. */
#include <stdlib.h>

#include "flat.h"

enum { REGION_LIMIT = 128 };

/* Does it touch no memory that counts, and is it no barrier? What it computes is then all that it does. */
static bool is_pure(const struct flat *flat)
{
    static const char *const acts[] = {
        "st",       "atom", "red",  "bar",  "barrier", "cp",   "mbarrier", "stmatrix", "ldmatrix", "wgmma",
        "multimem", "tex",  "suld", "sust", "ldu",     "wmma", "tld4",     "sured",    "brx"};
    const struct ptx_instruction *in = flat->in;
    if (op_is(in, "st") && (op_has(in, "param") || op_has(in, "param::func")))
        return !op_has(in, "v2") && !op_has(in, "v4");
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        if (op_is(in, acts[i]))
            return false;
    return !op_is(in, "ld") || op_has(in, "param") || op_has(in, "param::entry") ||
           op_has(in, "param::func") || op_has(in, "const") || op_has(in, "local");
}

static bool is_pure_block(const struct flat_list *list, uint32_t b)
{
    const struct block_of_ptx *block = &list->blocks[b];
    for (uint32_t i = block->begin; i < block->end; i++)
        if (list->at[i].kind == FLAT_PLAIN && !is_pure(&list->at[i]))
            return false;
    return true;
}

/* Blocks that are still to be looked at: the first in the order of the code comes first; with `back_last`
 * those before the branch come last. */
struct sweep {
    const struct flat_list *list;
    struct region *region;
    uint32_t from; /* the branch's own place in the order */
    bool back_last;
    uint32_t waiting[2 * BLOCK_SUCCESSORS + REGION_LIMIT];
    uint32_t count;
};

static uint64_t rank(const struct sweep *s, uint32_t b)
{
    uint32_t order = s->list->blocks[b].order;
    return s->back_last && order <= s->from ? (uint64_t)order + s->list->order_count : order;
}

static bool is_seen(const struct sweep *s, uint32_t b)
{
    for (uint32_t i = 0; i < s->region->count; i++)
        if (s->region->blocks[i] == b)
            return true;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->waiting[i] == b)
            return true;
    return false;
}

/* A failed assertion: its lanes go nowhere, and it is passed over. */
static bool is_trap(const struct flat_list *list, uint32_t b)
{
    const struct flat *last = &list->at[list->blocks[b].end - 1];
    return op_is(last->in, "trap") && last->in->guard < 0 && is_pure_block(list, b);
}

/* Where a block goes on to. False: a lane may be done there. */
static bool add_successors(struct sweep *s, uint32_t b)
{
    const struct block_of_ptx *block = &s->list->blocks[b];
    const struct flat *last = &s->list->at[block->end - 1];
    if (last->kind == FLAT_EXIT)
        return false;
    for (int i = 0; i < BLOCK_SUCCESSORS; i++) {
        uint32_t to = block->next[i];
        bool is_branch = last->kind == FLAT_BRANCH;
        if (to == NO_FLAT && (i == 1 ? is_branch : last->in->guard >= 0 || last->kind == FLAT_PLAIN))
            return false; /* over the end of the text */
        if (to != NO_FLAT && !is_trap(s->list, to) && !is_seen(s, to))
            s->waiting[s->count++] = to;
    }
    return true;
}

static uint32_t take_first(struct sweep *s)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < s->count; i++)
        if (rank(s, s->waiting[i]) < rank(s, s->waiting[best]))
            best = i;
    uint32_t b = s->waiting[best];
    s->waiting[best] = s->waiting[--s->count];
    return b;
}

static bool sweep(const struct flat_list *list, uint32_t branch, bool back_last, struct region *region)
{
    struct sweep s = {
        .list = list, .region = region, .from = list->blocks[branch].order, .back_last = back_last};
    region->count = 0;
    if (!add_successors(&s, branch))
        return false;
    while (s.count > 1) {
        uint32_t b = take_first(&s);
        if (region->count == REGION_LIMIT || !is_pure_block(list, b))
            return false;
        region->blocks[region->count++] = b;
        if (!add_successors(&s, b))
            return false;
    }
    region->meet = s.count ? s.waiting[0] : NO_FLAT;
    return s.count == 1;
}

bool region_find(const struct flat_list *list, uint32_t branch, struct region *region)
{
    const struct flat *last = &list->at[list->blocks[branch].end - 1];
    if (last->kind != FLAT_BRANCH || last->in->guard < 0)
        return false;
    region->blocks = memory_take(REGION_LIMIT, sizeof *region->blocks);
    if (sweep(list, branch, true, region) || sweep(list, branch, false, region))
        return true;
    region_free(region);
    return false;
}

void region_free(struct region *region)
{
    free(region->blocks);
    region->blocks = NULL;
}
