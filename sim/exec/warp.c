/* warp.c - one warp through the code, masks and all. */
#include "data.h"
#include "mask.h"

/* An operand that the instruction cannot take. Code that no lane runs (all have left the loop or continued)
 * has such operands rightly: its result goes nowhere. */
static bool fail_operand(struct execution *e, struct warp *warp, const struct instruction *at,
                         const struct value *value)
{
    if (!warp->active) {
        warp->registers[at->dst] = (struct value){.kind = VALUE_DATA, .base = TOKEN_COMPUTED};
        return true;
    }
    if (value->kind == VALUE_UNSET)
        return execution_fail(e, at, "a variable is used here before it has a value");
    if (value->kind == VALUE_DATA)
        return execution_fail(
            e, at,
            "this depends on loaded data or on floating-point arithmetic, whose values are not known here");
    return execution_fail(e, at, "this operation does not work on these values");
}

/* Arithmetic whose operands may turn out to be data. */
static bool arithmetic(struct execution *e, struct warp *warp, const struct instruction *at)
{
    const struct value *a = &warp->registers[at->a], *b = &warp->registers[at->b];
    struct value *dst = &warp->registers[at->dst];
    if (value_is_number(a) && value_is_number(b)) {
        *dst = number_arithmetic(e, warp, at, a, b);
        return !e->problem->set;
    }
    if (has_partial_operand(warp, at))
        return partial_operands(e, warp, at, arithmetic);
    if (a->kind == VALUE_UNSET || b->kind == VALUE_UNSET)
        return fail_operand(e, warp, at, a->kind == VALUE_UNSET ? a : b);
    *dst = (struct value){.kind = VALUE_DATA, .base = TOKEN_COMPUTED};
    return true;
}

static enum opcode comparison_of(const struct instruction *at)
{
    return (enum opcode)(at->op >= OP_LT && at->op <= OP_NE ? at->op : at->dst);
}

/* Two pointers into one buffer, or into shared memory, compare as their offsets do; others are unequal, and
 * have no order. */
static bool compare_pointers(struct execution *e, struct warp *warp, const struct instruction *at,
                             enum opcode op)
{
    const struct value *a = &warp->registers[at->a], *b = &warp->registers[at->b];
    if (a->buffer == b->buffer || at->kind == POINTER_SHARED) {
        warp->compared = compare_numbers(e, at, op, a, b);
        return true;
    }
    warp->compared = op == OP_NE ? UINT32_MAX : 0;
    return op == OP_EQ || op == OP_NE || !warp->active ||
           execution_fail(e, at, "pointers into different buffers have no order");
}

/* Lanes where the comparison holds between at's operands, into warp->compared; false if that is not known, or
 * a problem. */
static bool compare_values(struct execution *e, struct warp *warp, const struct instruction *at)
{
    enum opcode op = comparison_of(at);
    uint32_t *lanes = &warp->compared;
    const struct value *a = &warp->registers[at->a], *b = &warp->registers[at->b];
    if (value_is_number(a) && value_is_number(b)) {
        *lanes = compare_numbers(e, at, op, a, b);
        return true;
    }
    if (a->kind == VALUE_BOOL && b->kind == VALUE_BOOL && (op == OP_EQ || op == OP_NE)) {
        *lanes = (uint32_t)(a->base ^ b->base);
        *lanes = op == OP_NE ? *lanes : ~*lanes;
        return true;
    }
    if (a->kind == VALUE_POINTER && b->kind == VALUE_POINTER)
        return compare_pointers(e, warp, at, op);
    if (warp->active && has_partial_operand(warp, at))
        return partial_operands(e, warp, at, compare_values);
    if (warp->active && (a->kind == VALUE_UNSET || b->kind == VALUE_UNSET))
        return fail_operand(e, warp, at, a->kind == VALUE_UNSET ? a : b);
    return false;
}

static bool compare(struct execution *e, struct warp *warp, const struct instruction *at)
{
    struct value *dst = &warp->registers[at->dst];
    if (compare_values(e, warp, at)) {
        dst->base = warp->compared;
        dst->tag = VALUE_TAG(VALUE_BOOL, 0);
        return true;
    }
    *dst = (struct value){.kind = VALUE_DATA, .base = TOKEN_COMPUTED};
    return !e->problem->set;
}

static bool set_settled(struct execution *e, struct warp *warp, const struct instruction *at)
{
    (void)e;
    warp->registers[at->dst] = warp->registers[at->a];
    return true;
}

/* A copy for the active lanes: the others may hold anything. */
static inline bool set(struct execution *e, struct warp *warp, const struct instruction *at)
{
    if (warp->registers[at->a].kind == VALUE_PARTIAL && warp->active)
        return partial_operands(e, warp, at, set_settled);
    warp->registers[at->dst] = warp->registers[at->a];
    return true;
}

static bool move(struct execution *e, struct warp *warp, const struct instruction *at)
{
    const struct value *fresh = &warp->registers[at->a];
    if (!warp->active)
        return true;
    if (fresh->kind == VALUE_PARTIAL)
        return partial_operands(e, warp, at, move);
    if (fresh->kind == VALUE_UNSET)
        return fail_operand(e, warp, at, fresh);
    return partial_assign(e, warp, at, fresh);
}

/* ADD and MOVE at once, where not all lanes take part or the operands are no plain numbers. */
static bool add_to(struct execution *e, struct warp *warp, const struct instruction *at)
{
    struct value old = warp->registers[at->dst];
    if (!warp->active)
        return true;
    const struct value *a = &warp->registers[at->a], *b = &warp->registers[at->b];
    struct value fresh;
    if (value_is_number(a) && value_is_number(b)) {
        number_add(e, warp, at, a, b, &fresh);
        return partial_assign(e, warp, at, &fresh);
    }
    if (!arithmetic(e, warp, at))
        return false;
    fresh = warp->registers[at->dst];
    warp->registers[at->dst] = old;
    return partial_assign(e, warp, at, &fresh);
}

static bool negate(struct execution *e, struct warp *warp, const struct instruction *at)
{
    const struct value *a = &warp->registers[at->a];
    if (a->kind == VALUE_PARTIAL)
        return partial_operands(e, warp, at, negate);
    if (a->kind != VALUE_BOOL)
        return fail_operand(e, warp, at, a);
    warp->registers[at->dst] = (struct value){.kind = VALUE_BOOL, .base = (uint32_t)~a->base};
    return true;
}

static bool pointer_add(struct execution *e, struct warp *warp, const struct instruction *at)
{
    const struct value *a = &warp->registers[at->a], *b = &warp->registers[at->b];
    uint64_t scale = e->program->scales[at->extra];
    if (a->kind != VALUE_POINTER || !value_is_number(b)) {
        if (warp->active && has_partial_operand(warp, at))
            return partial_operands(e, warp, at, pointer_add);
        if (warp->active && b->kind == VALUE_DATA)
            return execution_fail(e, at, "this address depends on loaded data, which is not known here");
        return fail_operand(e, warp, at, a->kind != VALUE_POINTER ? a : b);
    }
    pattern_id x = (pattern_id)a->tag, y = (pattern_id)b->tag, sum = x;
    if (y) {
        struct pattern_cache *cache = cache_of(e, at);
        if (cache->a != x || cache->b != y) {
            cache->result = pattern_add(&e->patterns, x, pattern_scale(&e->patterns, y, (int64_t)scale));
            cache->a = x;
            cache->b = y;
        }
        sum = cache->result;
    }
    struct value *dst = &warp->registers[at->dst];
    uint64_t kind = a->tag >> 32;
    dst->base = (int64_t)((uint64_t)a->base + (uint64_t)b->base * scale);
    dst->tag = kind << 32 | sum;
    return true;
}

static bool pointer_difference(struct execution *e, struct warp *warp, const struct instruction *at)
{
    const struct value *a = &warp->registers[at->a], *b = &warp->registers[at->b];
    if (warp->active && has_partial_operand(warp, at))
        return partial_operands(e, warp, at, pointer_difference);
    if (a->kind != VALUE_POINTER || b->kind != VALUE_POINTER)
        return fail_operand(e, warp, at, a->kind != VALUE_POINTER ? a : b);
    if (warp->active && a->buffer != b->buffer)
        return execution_fail(e, at, "pointers into different buffers cannot be subtracted");
    struct instruction divide = *at;
    divide.op = OP_DIV;
    struct value bytes = {.base = (int64_t)((uint64_t)a->base - (uint64_t)b->base), .kind = VALUE_NUMBER};
    struct value scale = {.base = (int64_t)e->program->scales[at->extra], .kind = VALUE_NUMBER};
    bytes.pattern = pattern_subtract(&e->patterns, a->pattern, b->pattern);
    warp->registers[at->dst] = number_arithmetic(e, warp, &divide, &bytes, &scale);
    return true;
}

static bool convert(struct execution *e, struct warp *warp, const struct instruction *at)
{
    const struct value *a = &warp->registers[at->a];
    struct value *dst = &warp->registers[at->dst];
    if (at->op == OP_CONVERT && value_is_number(a)) {
        struct value result = number_convert(e, warp, at, a);
        dst->base = result.base;
        dst->tag = result.tag;
        return true;
    }
    if (warp->active && a->kind == VALUE_PARTIAL)
        return partial_operands(e, warp, at, convert);
    if (a->kind == VALUE_UNSET || a->kind == VALUE_PARTIAL)
        return fail_operand(e, warp, at, a);
    if (a->kind == VALUE_DATA) { /* data keeps its origin through integer conversions */
        *dst = *a;
        return true;
    }
    if (at->op == OP_FROM_BOOL && a->kind == VALUE_BOOL) {
        *dst = number_from_mask(e, (uint32_t)a->base);
    } else if (at->op == OP_TO_BOOL && a->kind == VALUE_NUMBER) {
        *dst = (struct value){.kind = VALUE_BOOL, .base = compare_is_not_zero(e, a)};
    } else if (at->op == OP_TO_BOOL && a->kind == VALUE_POINTER) {
        *dst = (struct value){.kind = VALUE_BOOL, .base = UINT32_MAX}; /* never null */
    } else {
        *dst = *a;
    }
    return true;
}

static bool do_nothing(struct execution *e, struct warp *warp, const struct instruction *at)
{
    (void)e, (void)warp, (void)at;
    return true;
}

/* The active lanes for which the condition of a branch holds. */
static inline bool condition(struct execution *e, struct warp *warp, const struct instruction *at,
                             uint32_t *lanes)
{
    const struct value *a = &warp->registers[at->a];
    if (at->op == OP_IF_COMPARE || at->op == OP_TEST_COMPARE || at->op == OP_NARROW_COMPARE) {
        if (!compare_values(e, warp, at)) {
            struct value data = {.kind = VALUE_DATA};
            *lanes = 0;
            return warp->active ? fail_operand(e, warp, at, &data) : !e->problem->set;
        }
        *lanes = warp->compared;
    } else if (a->kind == VALUE_BOOL) {
        *lanes = (uint32_t)a->base;
    } else if (warp->active && a->kind == VALUE_PARTIAL && warp->partials[at->a].kind == VALUE_BOOL) {
        if (!partial_operands(e, warp, at, do_nothing))
            return false;
        *lanes = (uint32_t)a->base;
    } else {
        *lanes = 0;
        return warp->active ? fail_operand(e, warp, at, a) : true;
    }
    *lanes &= warp->active;
    return true;
}

/* Tells the sink of the accesses between here and `end`. */
static void tell_skipped(const struct execution *e, uint32_t pc, uint32_t end)
{
    for (; pc < end; pc++) {
        const struct instruction *at = &e->program->code[pc];
        if (at->op == OP_LOAD || at->op == OP_STORE)
            e->sink->skipped(e->sink->self, &e->program->sites[at->extra]);
    }
}

/* No lane takes this `if`: on to its end or else side. `ran`: there were lanes that could have. */
static inline void skip(const struct execution *e, const struct instruction *at, bool ran, uint32_t *pc)
{
    if (ran && e->sink->skipped)
        tell_skipped(e, *pc, at->extra);
    *pc = at->extra;
}

static inline bool enter_if(struct execution *e, struct warp *warp, const struct instruction *at,
                            uint32_t *pc)
{
    uint32_t lanes;
    struct frame *frame = &warp->frames[warp->depth];
    if (!condition(e, warp, at, &lanes))
        return false;
    warp->depth++;
    frame->is_loop = 0;
    frame->saved = warp->active;
    frame->other = warp->active & ~lanes;
    warp->active = lanes;
    if (!lanes)
        skip(e, at, frame->saved != 0, pc);
    return true;
}

static inline bool narrow(struct execution *e, struct warp *warp, const struct instruction *at, uint32_t *pc)
{
    uint32_t lanes;
    if (!condition(e, warp, at, &lanes))
        return false;
    bool ran = warp->active != 0;
    warp->active = lanes;
    if (!lanes)
        skip(e, at, ran, pc);
    return true;
}

static inline bool test_loop(struct execution *e, struct warp *warp, const struct instruction *at,
                             uint32_t *pc)
{
    uint32_t lanes;
    if (!condition(e, warp, at, &lanes))
        return false;
    warp->frames[warp->depth - 1].other |= warp->active & ~lanes;
    warp->active = lanes;
    if (!lanes)
        *pc = at->extra;
    return true;
}

static inline bool jump_back(struct execution *e, struct warp *warp, const struct instruction *at,
                             uint32_t *pc)
{
    warp->spent += *pc - at->extra;
    *pc = at->extra;
    if (pattern_table_is_full(&e->patterns))
        execution_collect(e);
    return warp->spent <= warp->look_at || loop_look(e, warp, at);
}

static bool wait_at_barrier(struct execution *e, struct warp *warp, const struct instruction *at)
{
    uint32_t alive = warp->exists & ~warp->returned;
    if (!warp->active)
        return true;
    if (warp->active != alive)
        return execution_fault(
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
    uint32_t pc = warp->pc;
    bool ok = true;
    warp->state = WARP_RUNNING;
    while (ok) {
        const struct instruction *at = &code[pc++];
        switch ((enum opcode)at->op) {
        case OP_SET:
            ok = set(e, warp, at);
            break;
        case OP_MOVE:
            if (warp->active == (warp->exists & ~warp->returned) && r[at->a].kind > VALUE_PARTIAL)
                r[at->dst] = r[at->a];
            else
                ok = move(e, warp, at);
            break;
        case OP_UNSET:
            r[at->dst] = (struct value){.kind = VALUE_UNSET};
            break;
        case OP_ADD:
            if (value_is_number(&r[at->a]) && value_is_number(&r[at->b]))
                number_add(e, warp, at, &r[at->a], &r[at->b], &r[at->dst]);
            else
                ok = arithmetic(e, warp, at);
            break;
        case OP_ADD_TO:
            if (warp->active == (warp->exists & ~warp->returned) && value_is_number(&r[at->a]) &&
                value_is_number(&r[at->b]))
                number_add(e, warp, at, &r[at->a], &r[at->b], &r[at->dst]);
            else
                ok = add_to(e, warp, at);
            break;
        case OP_MUL:
            if (value_is_number(&r[at->a]) && value_is_number(&r[at->b]))
                number_multiply(e, warp, at, &r[at->a], &r[at->b], &r[at->dst]);
            else
                ok = arithmetic(e, warp, at);
            break;
        case OP_SUB:
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
            ok = negate(e, warp, at);
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
        case OP_POINTER_DIFFERENCE:
            ok = pointer_difference(e, warp, at);
            break;
        case OP_LOAD:
            ok = memory_load(e, warp, at);
            break;
        case OP_STORE:
            ok = memory_store(e, warp, at);
            break;
        case OP_IF:
        case OP_IF_COMPARE:
            ok = enter_if(e, warp, at, &pc);
            break;
        case OP_NARROW:
        case OP_NARROW_COMPARE:
            ok = narrow(e, warp, at, &pc);
            break;
        case OP_ELSE:
            warp->active = warp->frames[warp->depth - 1].other; /* they were idle: none of them is gone */
            if (!warp->active)
                pc = at->extra;
            break;
        case OP_END:
            warp->active = warp->frames[--warp->depth].saved & ~warp->gone;
            break;
        case OP_LOOP:
            enter_loop(warp);
            break;
        case OP_TEST:
        case OP_TEST_COMPARE:
            ok = test_loop(e, warp, at, &pc);
            break;
        case OP_BREAK:
            break_loop(warp);
            break;
        case OP_CONTINUE:
            warp->gone |= warp->active;
            warp->active = 0;
            break;
        case OP_END_STEP:
            warp->depth--;
            step_loop(warp, at, &pc);
            break;
        case OP_STEP:
            step_loop(warp, at, &pc);
            break;
        case OP_JUMP:
            ok = jump_back(e, warp, at, &pc);
            break;
        case OP_LOOP_END:
            leave_loop(warp);
            break;
        case OP_RETURN:
            return_lanes(warp);
            if (warp->state == WARP_DONE)
                return true;
            break;
        case OP_BARRIER:
            ok = wait_at_barrier(e, warp, at);
            warp->pc = pc;
            if (warp->state == WARP_WAITING)
                return true;
            break;
        case OP_SYNCWARP:
            warp->stretch = warp->active ? ++e->stretches : warp->stretch;
            break;
        case OP_STOP:
            warp->state = WARP_DONE;
            return true;
        }
    }
    return false;
}
