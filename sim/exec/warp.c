/* warp.c - one warp through the code, masks and all. */
#include "state.h"

bool execution_fail(struct execution *e, const struct instruction *at, const char *message)
{
    const struct place *place = &e->program->places[at->place];
    return problem_at(e->problem, place->source, place->begin, "%s", message);
}

static bool fail_operand(struct execution *e, const struct instruction *at, const struct value *value)
{
    if (value->kind == VALUE_UNSET)
        return execution_fail(e, at, "a variable is used here before it has a value");
    if (value->kind == VALUE_DATA)
        return execution_fail(e, at, "this depends on loaded data, which is not known here");
    return execution_fail(e, at, "this operation does not work on these values");
}

/* Arithmetic whose operands may turn out to be data. */
static bool arithmetic(struct execution *e, struct warp *warp, const struct instruction *at)
{
    const struct value *a = &warp->registers[at->a], *b = &warp->registers[at->b];
    struct value *dst = &warp->registers[at->dst];
    if (__builtin_expect(a->kind == VALUE_NUMBER && b->kind == VALUE_NUMBER, 1)) {
        *dst = number_arithmetic(e, warp, at, a, b);
        return !e->problem->set;
    }
    if (a->kind == VALUE_UNSET || b->kind == VALUE_UNSET)
        return fail_operand(e, at, a->kind == VALUE_UNSET ? a : b);
    *dst = (struct value){.kind = VALUE_DATA, .base = TOKEN_COMPUTED};
    return true;
}

static bool compare(struct execution *e, struct warp *warp, const struct instruction *at)
{
    const struct value *a = &warp->registers[at->a], *b = &warp->registers[at->b];
    struct value *dst = &warp->registers[at->dst];
    if (__builtin_expect(a->kind == VALUE_NUMBER && b->kind == VALUE_NUMBER, 1)) {
        *dst =
            (struct value){.kind = VALUE_BOOL,
                           .base = number_compare(e, (enum opcode)at->op, (enum number_kind)at->kind, a, b)};
        return true;
    }
    if (a->kind == VALUE_BOOL && b->kind == VALUE_BOOL && (at->op == OP_EQ || at->op == OP_NE)) {
        uint32_t differ = (uint32_t)(a->base ^ b->base);
        *dst = (struct value){.kind = VALUE_BOOL, .base = at->op == OP_NE ? differ : ~differ};
        return true;
    }
    if (a->kind == VALUE_UNSET || b->kind == VALUE_UNSET)
        return fail_operand(e, at, a->kind == VALUE_UNSET ? a : b);
    *dst = (struct value){.kind = VALUE_DATA, .base = TOKEN_COMPUTED};
    return true;
}

static bool move(struct execution *e, struct warp *warp, const struct instruction *at)
{
    const struct value *fresh = &warp->registers[at->a];
    struct value *old = &warp->registers[at->dst];
    uint32_t alive = warp->exists & ~warp->returned;
    if (fresh->kind == VALUE_UNSET)
        return fail_operand(e, at, fresh);
    if (warp->active == alive || old->kind == VALUE_UNSET) {
        *old = *fresh;
    } else if (fresh->kind == VALUE_BOOL && old->kind == VALUE_BOOL) {
        old->base = (int64_t)(((uint32_t)fresh->base & warp->active) | ((uint32_t)old->base & ~warp->active));
    } else if (fresh->kind == VALUE_POINTER || old->kind == VALUE_POINTER) {
        if (fresh->kind != old->kind || fresh->buffer != old->buffer)
            return execution_fail(e, at, "lanes would point into different buffers after this");
        *old = value_merge(e, warp->active, fresh, old);
    } else if (fresh->kind == VALUE_NUMBER && old->kind == VALUE_NUMBER) {
        *old = value_merge(e, warp->active, fresh, old);
    } else {
        struct value a = value_as_data(fresh), b = value_as_data(old);
        *old = value_merge(e, warp->active, &a, &b);
    }
    return true;
}

static bool pointer_add(struct execution *e, struct warp *warp, const struct instruction *at)
{
    const struct value *a = &warp->registers[at->a], *b = &warp->registers[at->b];
    uint64_t scale = e->program->scales[at->extra];
    if (a->kind != VALUE_POINTER || b->kind != VALUE_NUMBER) {
        if (b->kind == VALUE_DATA)
            return execution_fail(e, at, "this address depends on loaded data, which is not known here");
        return fail_operand(e, at, a->kind != VALUE_POINTER ? a : b);
    }
    warp->registers[at->dst] =
        (struct value){.kind = VALUE_POINTER,
                       .buffer = a->buffer,
                       .base = (int64_t)((uint64_t)a->base + (uint64_t)b->base * scale),
                       .pattern = pattern_add(&e->patterns, a->pattern,
                                              pattern_scale(&e->patterns, b->pattern, (int64_t)scale))};
    return true;
}

static bool convert(struct execution *e, struct warp *warp, const struct instruction *at)
{
    const struct value *a = &warp->registers[at->a];
    struct value *dst = &warp->registers[at->dst];
    if (a->kind == VALUE_UNSET)
        return fail_operand(e, at, a);
    if (a->kind == VALUE_DATA) { /* data keeps its origin through integer conversions */
        *dst = *a;
        return true;
    }
    if (at->op == OP_CONVERT && a->kind == VALUE_NUMBER) {
        *dst = number_convert(e, warp, at, a);
    } else if (at->op == OP_FROM_BOOL && a->kind == VALUE_BOOL) {
        *dst = number_from_mask(e, (uint32_t)a->base);
    } else if (at->op == OP_TO_BOOL && a->kind == VALUE_NUMBER) {
        struct value zero = {.kind = VALUE_NUMBER};
        *dst = (struct value){.kind = VALUE_BOOL, .base = number_compare(e, OP_NE, NUMBER_I64, a, &zero)};
    } else {
        *dst = *a;
    }
    return true;
}

/* The lanes for which a condition holds. */
static bool condition(struct execution *e, struct warp *warp, const struct instruction *at, uint32_t *lanes)
{
    const struct value *a = &warp->registers[at->a];
    if (a->kind != VALUE_BOOL) {
        *lanes = 0;
        if (!warp->active)
            return true;
        return fail_operand(e, at, a);
    }
    *lanes = (uint32_t)a->base & warp->active;
    return true;
}

static bool enter_if(struct execution *e, struct warp *warp, const struct instruction *at)
{
    uint32_t lanes;
    if (!condition(e, warp, at, &lanes))
        return false;
    warp->frames[warp->depth++] = (struct frame){.saved = warp->active, .other = warp->active & ~lanes};
    warp->active = lanes;
    if (!lanes)
        warp->pc = at->extra;
    return true;
}

static void enter_loop(struct warp *warp)
{
    warp->frames[warp->depth++] =
        (struct frame){.saved = warp->active, .gone_saved = warp->gone, .is_loop = 1};
}

static bool test_loop(struct execution *e, struct warp *warp, const struct instruction *at)
{
    uint32_t lanes;
    if (!condition(e, warp, at, &lanes))
        return false;
    warp->frames[warp->depth - 1].other |= warp->active & ~lanes;
    warp->active = lanes;
    if (!lanes)
        warp->pc = at->extra;
    return true;
}

static void step_loop(struct warp *warp, const struct instruction *at)
{
    const struct frame *frame = &warp->frames[warp->depth - 1];
    warp->gone = frame->gone_saved | frame->other | warp->returned;
    warp->active = frame->saved & ~warp->gone;
    if (!warp->active)
        warp->pc = at->extra;
}

static void leave_loop(struct warp *warp)
{
    const struct frame *frame = &warp->frames[--warp->depth];
    warp->gone = frame->gone_saved | warp->returned;
    warp->active = frame->saved & ~warp->gone;
}

static void break_loop(struct warp *warp)
{
    uint32_t depth = warp->depth;
    while (!warp->frames[depth - 1].is_loop)
        depth--;
    warp->frames[depth - 1].other |= warp->active;
    warp->gone |= warp->active;
    warp->active = 0;
}

static void return_lanes(struct warp *warp)
{
    warp->returned |= warp->active;
    warp->gone |= warp->active;
    warp->active = 0;
    if (!(warp->exists & ~warp->returned))
        warp->state = WARP_DONE;
}

static bool jump_back(struct execution *e, struct warp *warp, const struct instruction *at)
{
    warp->spent += warp->pc - at->extra;
    warp->pc = at->extra;
    if (pattern_table_is_full(&e->patterns))
        execution_collect(e);
    if (warp->spent <= e->launch.budget)
        return true;
    const struct place *place = &e->program->places[at->place];
    return problem_at(e->problem, place->source, place->begin,
                      "this loop does not end: block (%u, %u, %u), warp %u passed %llu steps here",
                      e->block[0], e->block[1], e->block[2], warp->index,
                      (unsigned long long)e->launch.budget);
}

static bool wait_at_barrier(struct execution *e, struct warp *warp, const struct instruction *at)
{
    uint32_t alive = warp->exists & ~warp->returned;
    if (!warp->active)
        return true;
    if (warp->active != alive)
        return execution_fail(
            e, at,
            "this barrier is reached by only some lanes of a warp; every thread of the block "
            "that is still running must reach it");
    warp->state = WARP_WAITING;
    return true;
}

bool warp_run(struct execution *e, struct warp *warp)
{
    const struct instruction *code = e->program->code;
    struct value *r = warp->registers;
    bool ok = true;
    warp->state = WARP_RUNNING;
    while (ok && warp->state == WARP_RUNNING) {
        const struct instruction *at = &code[warp->pc++];
        switch ((enum opcode)at->op) {
        case OP_SET:
            r[at->dst] = r[at->a];
            break;
        case OP_MOVE:
            ok = move(e, warp, at);
            break;
        case OP_UNSET:
            r[at->dst] = (struct value){.kind = VALUE_UNSET};
            break;
        case OP_ADD:
        case OP_SUB:
        case OP_MUL:
        case OP_DIV:
        case OP_MOD:
        case OP_AND:
        case OP_OR:
        case OP_XOR:
        case OP_SHL:
        case OP_SHR:
        case OP_NEG:
        case OP_COM:
        case OP_MIN:
        case OP_MAX:
            ok = arithmetic(e, warp, at);
            break;
        case OP_LT:
        case OP_LE:
        case OP_EQ:
        case OP_NE:
            ok = compare(e, warp, at);
            break;
        case OP_NOT:
            if (r[at->a].kind == VALUE_BOOL)
                r[at->dst] = (struct value){.kind = VALUE_BOOL, .base = (uint32_t)~r[at->a].base};
            else
                ok = fail_operand(e, at, &r[at->a]);
            break;
        case OP_CONVERT:
        case OP_TO_BOOL:
        case OP_FROM_BOOL:
            ok = convert(e, warp, at);
            break;
        case OP_DATA:
            r[at->dst] = (struct value){.kind = VALUE_DATA, .base = TOKEN_COMPUTED};
            break;
        case OP_POINTER_ADD:
            ok = pointer_add(e, warp, at);
            break;
        case OP_LOAD:
            ok = memory_load(e, warp, at);
            break;
        case OP_STORE:
            ok = memory_store(e, warp, at);
            break;
        case OP_IF:
            ok = enter_if(e, warp, at);
            break;
        case OP_ELSE:
            warp->active = warp->frames[warp->depth - 1].other & ~warp->gone;
            if (!warp->active)
                warp->pc = at->extra;
            break;
        case OP_END:
            warp->active = warp->frames[--warp->depth].saved & ~warp->gone;
            break;
        case OP_LOOP:
            enter_loop(warp);
            break;
        case OP_TEST:
            ok = test_loop(e, warp, at);
            break;
        case OP_BREAK:
            break_loop(warp);
            break;
        case OP_CONTINUE:
            warp->gone |= warp->active;
            warp->active = 0;
            break;
        case OP_STEP:
            step_loop(warp, at);
            break;
        case OP_JUMP:
            ok = jump_back(e, warp, at);
            break;
        case OP_LOOP_END:
            leave_loop(warp);
            break;
        case OP_RETURN:
            return_lanes(warp);
            break;
        case OP_BARRIER:
            ok = wait_at_barrier(e, warp, at);
            break;
        case OP_STOP:
            warp->state = WARP_DONE;
            break;
        }
    }
    return ok;
}
