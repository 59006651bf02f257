/* flow.c - blocks, and the order of their code: a loop's blocks together and before what follows the loop,
 * whatever else before what it leads to (Bourdoncle's weak topological order). Lanes that part meet again
 * where their ways first meet, because those further back run first (exec/parting.h). Of two ways the one
 * that is sooner at its end comes first.
 */
#include <stdlib.h>
#include <string.h>

#include "flat.h"

enum { LOOP_DEPTH = 100 };

static bool ends_block(const struct flat *flat)
{
    return flat->kind != FLAT_PLAIN;
}

/* Marks where blocks begin, makes them, and says of each flat in which it is. */
static void make_blocks(struct flat_list *list)
{
    bool *leads = memory_take(list->count + 1, sizeof *leads);
    uint32_t blocks = 0;
    for (size_t i = 0; i < list->count; i++) {
        leads[i + 1] = leads[i + 1] || ends_block(&list->at[i]);
        if (list->at[i].kind == FLAT_BRANCH)
            leads[list->at[i].target] = true;
    }
    leads[0] = true;
    for (size_t i = 0; i < list->count; i++)
        blocks += leads[i];
    list->blocks = memory_take(blocks + 1u, sizeof *list->blocks);
    list->block_of = memory_take(list->count + 1, sizeof *list->block_of);
    for (size_t i = 0; i < list->count; i++) {
        if (leads[i])
            list->blocks[list->block_count++] = (struct block_of_ptx){.begin = (uint32_t)i, .order = NO_FLAT};
        list->block_of[i] = list->block_count - 1;
        list->blocks[list->block_count - 1].end = (uint32_t)i + 1;
    }
    list->block_of[list->count] = NO_FLAT; /* the end of the text: an exit */
    free(leads);
}

static void link_blocks(struct flat_list *list)
{
    for (uint32_t b = 0; b < list->block_count; b++) {
        struct block_of_ptx *block = &list->blocks[b];
        const struct flat *last = &list->at[block->end - 1];
        bool always = last->in->guard < 0 && ends_block(last);
        block->next[0] = always ? NO_FLAT : list->block_of[block->end];
        block->next[1] = last->kind == FLAT_BRANCH ? list->block_of[last->target] : NO_FLAT;
    }
}

/* How far a block is from its end, back edges aside: what lies nearer comes first. Depth first, without
 * recursion. */
struct walk {
    uint32_t *stack, *height;
    uint8_t *state; /* 0: new, 1: open, 2: done */
};

static void find_heights(const struct flat_list *list, struct walk *walk)
{
    uint32_t depth = 0;
    walk->stack[depth++] = 0;
    while (depth) {
        uint32_t b = walk->stack[depth - 1];
        const struct block_of_ptx *block = &list->blocks[b];
        if (walk->state[b] == 2) {
            depth--;
            continue;
        }
        bool opens = walk->state[b] == 0;
        walk->state[b] = opens ? 1 : 2;
        for (int i = 0; i < BLOCK_SUCCESSORS; i++) {
            uint32_t to = block->next[i];
            if (to == NO_FLAT)
                continue;
            if (opens && walk->state[to] == 0)
                walk->stack[depth++] = to;
            if (!opens && walk->state[to] == 2 && walk->height[to] + 1 > walk->height[b])
                walk->height[b] = walk->height[to] + 1;
        }
        depth -= !opens;
    }
}

/* Tarjan's strongly connected components of the blocks at one level, without recursion; components come last
 * first. */
struct components {
    struct flat_list *list;
    const uint32_t *height;
    uint32_t *level; /* of a block: how many loops' heads it has been freed of; NO_FLAT: placed */
    uint32_t *number, *low, *stack, *calls;
    uint8_t *edge, *on_stack;
    uint32_t next, stacked;
    uint32_t placed; /* blocks that have their place, from the back */
};

/* The i-th successor in the order that is walked: the one further from its end first, so that it comes later.
 */
static uint32_t successor(const struct components *c, uint32_t block, unsigned i)
{
    const uint32_t *next = c->list->blocks[block].next;
    bool swap = next[0] != NO_FLAT && next[1] != NO_FLAT && c->height[next[1]] > c->height[next[0]];
    return next[swap ? 1 - i : i];
}

static bool order_from(struct components *c, uint32_t root, uint32_t level, unsigned depth);

/* A component is complete: its root stands deepest of its blocks on the stack. A loop's other blocks are
 * ordered among themselves first, without the way back to its head. */
static bool close_component(struct components *c, uint32_t head, uint32_t level, unsigned depth)
{
    uint32_t begin = c->stacked;
    do
        begin--;
    while (c->stack[begin] != head);
    uint32_t count = c->stacked - begin;
    c->stacked = begin;
    bool is_loop = count > 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t b = c->stack[begin + i];
        c->on_stack[b] = 0;
        c->level[b] = is_loop ? level + 1 : NO_FLAT;
        c->number[b] = 0;
    }
    c->level[head] = NO_FLAT;
    if (is_loop) {
        uint32_t *members = memory_take(count, sizeof *members);
        memcpy(members, &c->stack[begin], count * sizeof *members);
        bool ok = true;
        for (int i = 0; ok && i < BLOCK_SUCCESSORS; i++) {
            uint32_t to = successor(c, head, (unsigned)i);
            if (to != NO_FLAT && c->level[to] == level + 1 && !c->number[to])
                ok = order_from(c, to, level + 1, depth + 1);
        }
        for (uint32_t i = 0; ok && i < count; i++)
            if (c->level[members[i]] == level + 1 && !c->number[members[i]])
                ok = order_from(c, members[i], level + 1, depth + 1);
        free(members);
        if (!ok)
            return false;
    }
    c->list->order[--c->placed] = head;
    return true;
}

static void open_block(struct components *c, uint32_t block, uint32_t *called)
{
    c->number[block] = c->low[block] = ++c->next;
    c->edge[block] = 0;
    c->stack[c->stacked++] = block;
    c->on_stack[block] = 1;
    c->calls[(*called)++] = block;
}

/* The components that can be reached from `root` over blocks of that level. */
static bool order_from(struct components *c, uint32_t root, uint32_t level, unsigned depth)
{
    if (depth == LOOP_DEPTH)
        return flat_fail(c->list, &c->list->at[c->list->blocks[root].begin],
                         "loops are nested more than %d deep here", LOOP_DEPTH);
    uint32_t base = 0, called = 0;
    uint32_t *calls = c->calls;
    c->calls = memory_take(c->list->block_count, sizeof *c->calls);
    bool ok = true;
    open_block(c, root, &called);
    while (ok && called > base) {
        uint32_t b = c->calls[called - 1];
        if (c->edge[b] < BLOCK_SUCCESSORS) {
            uint32_t to = successor(c, b, c->edge[b]++);
            if (to == NO_FLAT || c->level[to] != level)
                continue;
            if (!c->number[to])
                open_block(c, to, &called);
            else if (c->on_stack[to] && c->number[to] < c->low[b])
                c->low[b] = c->number[to];
            continue;
        }
        called--;
        uint32_t low = c->low[b];
        if (called && low < c->low[c->calls[called - 1]])
            c->low[c->calls[called - 1]] = low;
        if (low == c->number[b])
            ok = close_component(c, b, level, depth);
    }
    free(c->calls);
    c->calls = calls;
    return ok;
}

static bool order_blocks(struct flat_list *list, const uint32_t *height)
{
    uint32_t n = list->block_count;
    struct components c = {.list = list, .height = height, .placed = n};
    c.level = memory_take(n, sizeof *c.level);
    c.number = memory_take(n, sizeof *c.number);
    c.low = memory_take(n, sizeof *c.low);
    c.stack = memory_take(n, sizeof *c.stack);
    c.edge = memory_take(n, sizeof *c.edge);
    c.on_stack = memory_take(n, sizeof *c.on_stack);
    list->order = memory_take(n, sizeof *list->order);
    bool ok = order_from(&c, 0, 0, 0);
    list->order_count = n - c.placed;
    memmove(list->order, list->order + c.placed, list->order_count * sizeof *list->order);
    for (uint32_t i = 0; i < list->order_count; i++)
        list->blocks[list->order[i]].order = i;
    free(c.level);
    free(c.number);
    free(c.low);
    free(c.stack);
    free(c.edge);
    free(c.on_stack);
    return ok;
}

bool flow_find(struct flat_list *list)
{
    if (!list->count)
        return true;
    make_blocks(list);
    link_blocks(list);
    struct walk walk = {.stack = memory_take(2 * (size_t)list->block_count + 2, sizeof *walk.stack),
                        .height = memory_take(list->block_count, sizeof *walk.height),
                        .state = memory_take(list->block_count, sizeof *walk.state)};
    find_heights(list, &walk);
    bool ok = order_blocks(list, walk.height);
    free(walk.stack);
    free(walk.height);
    free(walk.state);
    return ok;
}
