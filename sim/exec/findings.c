/* findings.c - what a block that stands for others has found. */
#include <string.h>

#include "state.h"

struct findings findings_begin(struct execution *e)
{
    struct findings before = {e->overflow, e->wrap, e->local_array, e->narrowed};
    e->overflow = e->wrap = (struct overflow){0};
    e->local_array = (struct place){0};
    e->narrowed = (struct narrowed){0};
    return before;
}

/* Does block a run before b? */
static bool is_before(const uint32_t a[3], const uint32_t b[3])
{
    for (int k = 2; k >= 0; k--)
        if (a[k] != b[k])
            return a[k] < b[k];
    return false;
}

/* Lanes, as many as 64 bits hold. */
static uint64_t times(uint64_t lanes, uint64_t blocks, uint64_t before)
{
    uint64_t product, sum;
    if (__builtin_mul_overflow(lanes, blocks, &product) || __builtin_add_overflow(product, before, &sum))
        return UINT64_MAX;
    return sum;
}

static void add_overflow(struct overflow *now, const struct overflow *before, uint64_t blocks)
{
    uint64_t lanes = times(now->lanes, blocks, before->lanes);
    if (before->lanes && (!now->lanes || !is_before(now->block, before->block)))
        *now = *before;
    now->lanes = lanes;
}

void findings_end(struct execution *e, const struct findings *before, uint64_t blocks)
{
    add_overflow(&e->overflow, &before->overflow, blocks);
    add_overflow(&e->wrap, &before->wrap, blocks);
    if (before->local_array.source && (!e->local_array.source || !is_before(e->block, e->local_array_block)))
        e->local_array = before->local_array;
    else if (e->local_array.source)
        memcpy(e->local_array_block, e->block, sizeof e->block);
    uint64_t lanes = times(e->narrowed.lanes, blocks, before->narrowed.lanes);
    if (before->narrowed.lanes && (!e->narrowed.lanes || !is_before(e->block, e->narrowed_block)))
        e->narrowed = before->narrowed;
    else if (e->narrowed.lanes)
        memcpy(e->narrowed_block, e->block, sizeof e->block);
    e->narrowed.lanes = lanes;
}
