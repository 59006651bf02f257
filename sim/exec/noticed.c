/* noticed.c - what executions have found: of several put together, and of a block that stands for others. */
#include "state.h"

struct noticed execution_noticed(const struct execution *execution)
{
    return (struct noticed){execution->overflow, execution->wrap, execution->narrowed, execution->local_array,
                            execution->program->uncounted};
}

/* Lanes, as many as 64 bits hold. */
static uint64_t sum(uint64_t a, uint64_t b)
{
    uint64_t lanes;
    return __builtin_add_overflow(a, b, &lanes) ? UINT64_MAX : lanes;
}

static void add_overflow(struct overflow *to, const struct overflow *from)
{
    uint64_t lanes = sum(to->lanes, from->lanes);
    if (from->lanes && (!to->lanes || launch_block_before(from->block, to->block)))
        *to = *from;
    to->lanes = lanes;
}

void noticed_add(struct noticed *to, const struct noticed *from)
{
    const struct narrowed *narrowed = &from->narrowed;
    const struct local_array *local = &from->local_array;
    uint64_t lanes = sum(to->narrowed.lanes, narrowed->lanes);
    add_overflow(&to->overflow, &from->overflow);
    add_overflow(&to->wrap, &from->wrap);
    if (narrowed->lanes && (!to->narrowed.lanes || launch_block_before(narrowed->block, to->narrowed.block)))
        to->narrowed = *narrowed;
    to->narrowed.lanes = lanes;
    if (local->place.source &&
        (!to->local_array.place.source || launch_block_before(local->block, to->local_array.block)))
        to->local_array = *local;
    to->uncounted = from->uncounted; /* of the program */
}

static void set(struct execution *e, const struct noticed *noticed)
{
    e->overflow = noticed->overflow;
    e->wrap = noticed->wrap;
    e->narrowed = noticed->narrowed;
    e->local_array = noticed->local_array;
}

struct noticed noticed_begin(struct execution *e)
{
    static const struct noticed none;
    struct noticed before = execution_noticed(e);
    set(e, &none);
    return before;
}

static void multiply(uint64_t *lanes, uint64_t blocks)
{
    if (__builtin_mul_overflow(*lanes, blocks, lanes))
        *lanes = UINT64_MAX;
}

void noticed_end(struct execution *e, const struct noticed *before, uint64_t blocks)
{
    struct noticed now = execution_noticed(e);
    multiply(&now.overflow.lanes, blocks);
    multiply(&now.wrap.lanes, blocks);
    multiply(&now.narrowed.lanes, blocks);
    noticed_add(&now, before);
    set(e, &now);
}
