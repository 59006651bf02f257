/* warp.c - one warp through the code, masks and all. */
#include "affine.h"
#include "element.h"
#include "held.h"
#include "mask.h"
#include "quiet.h"
#include "parting.h"
#include "operate.h"
#include "usual.h"

/* An instruction that computes or moves values. The usual, which is numbers in all lanes, is done here;
 * operate() does the rest. */
static inline bool run_value(struct execution *e, struct warp *warp, const struct instruction *at)
{
    struct value *r = warp->registers;
    const struct value *a = &r[at->a], *b = &r[at->b];
    struct value *dst = &r[at->dst];
    switch ((enum opcode)at->op) {
    case OP_SET:
        if (a->kind == VALUE_PARTIAL)
            return operate(e, warp, at);
        *dst = *a;
        return true;
    case OP_MOVE:
        if (warp->active != warp_alive(warp) || a->kind <= VALUE_PARTIAL)
            return operate(e, warp, at);
        *dst = *a;
        return true;
    case OP_UNSET:
        *dst = (struct value){.kind = VALUE_UNSET};
        return true;
    case OP_ADD:
        if (!value_is_number(a) || !value_is_number(b))
            return operate(e, warp, at);
        if (!usual_add(e, at, a, b, dst))
            number_add(e, warp, at, a, b, dst);
        return true;
    case OP_ADD_TO:
        if (warp->active != warp_alive(warp) || !value_is_number(a) || !value_is_number(b))
            return operate(e, warp, at);
        if (!usual_add(e, at, a, b, dst))
            number_add(e, warp, at, a, b, dst);
        return true;
    case OP_MUL:
        if (!value_is_number(a) || !value_is_number(b))
            return operate(e, warp, at);
        if (!usual_multiply(e, at, a, b, dst))
            number_multiply(e, warp, at, a, b, dst);
        return true;
    case OP_CONVERT:
        if (!value_is_number(a))
            return operate(e, warp, at);
        *dst = number_convert(e, warp, at, a);
        return true;
    case OP_DATA:
        *dst = at->kind && e->followed ? held_sum(e, a, b) : data_computed();
        return true;
    case OP_REAL:
        return operate_real(e, warp, at);
    case OP_POINTER_ADD:
        if (a->kind != VALUE_POINTER || !value_is_number(b))
            return operate(e, warp, at);
        operate_pointer_add(e, at, a, b, dst);
        return true;
    case OP_PICK:
        return element_pick(e, warp, at);
    case OP_PUT:
        return element_put(e, warp, at);
    case OP_LOAD:
        return memory_load(e, warp, at);
    case OP_STORE:
        return memory_store(e, warp, at);
    case OP_ATOMIC:
        return memory_atomic(e, warp, at);
    default:
        return operate(e, warp, at);
    }
}

/* A condition that is not simply known. False: the warp has passed what depends on it, or a problem is set.
 */
static bool ask(struct execution *e, struct warp *warp, const struct instruction *at, uint32_t *lanes)
{
    struct value condition;
    if (!operate_condition(e, warp, at, &condition))
        return false;
    *lanes = condition.kind == VALUE_BOOL ? (uint32_t)condition.base & warp->active : 0;
    if (condition.kind == VALUE_BOOL || !warp->active)
        return true;
    const struct quiet *quiet = quiet_of(e, at);
    if (!quiet)
        return operate_refuse_condition(e, warp, at, &condition);
    warp->pc = quiet->end;
    (void)quiet_pass(e, warp, quiet, &condition);
    return false;
}

/* The active lanes for which the condition of a branch holds. False: as above. */
__attribute__((always_inline)) static inline bool condition(struct execution *e, struct warp *warp,
                                                            const struct instruction *at, uint32_t *lanes)
{
    const struct value *a = &warp->registers[at->a], *b = &warp->registers[at->b];
    if (!operate_is_compare_branch(at) && a->kind == VALUE_BOOL)
        *lanes = (uint32_t)a->base & warp->active;
    else if (!operate_is_compare_branch(at) || !value_is_number(a) || !value_is_number(b))
        return ask(e, warp, at, lanes);
    else if (usual_compare(e, at, (enum opcode)at->dst, a, b, lanes))
        *lanes &= warp->active;
    else
        *lanes = compare_numbers(e, at, (enum opcode)at->dst, a, b) & warp->active;
    return true;
}

__attribute__((cold, noinline)) static bool passed(const struct execution *e, const struct warp *warp,
                                                   uint32_t *pc)
{
    *pc = warp->pc;
    return !e->problem->set;
}

/* Tells the sink of the accesses between here and `end`. */
static void tell_skipped(const struct execution *e, uint32_t pc, uint32_t end)
{
    for (; pc < end; pc++) {
        const struct instruction *at = &e->program->code[pc];
        if (at->op == OP_LOAD || at->op == OP_STORE || at->op == OP_ATOMIC)
            e->sink->skipped(e->sink->self, &e->program->sites[at->extra]);
    }
}

/* The warp goes on with `lanes` into this `if`; if there are none, to its end or else side. */
static inline void take(const struct execution *e, struct warp *warp, const struct instruction *at,
                        uint32_t lanes, uint32_t *pc)
{
    uint32_t before = warp->active;
    warp->active = lanes;
    if (lanes)
        return;
    if (before && e->sink->skipped)
        tell_skipped(e, *pc, at->extra);
    *pc = at->extra;
}

static inline bool enter_if(struct execution *e, struct warp *warp, const struct instruction *at,
                            uint32_t *pc)
{
    uint32_t lanes;
    if (!condition(e, warp, at, &lanes))
        return passed(e, warp, pc);
    mask_enter_if(warp, lanes);
    take(e, warp, at, lanes, pc);
    return true;
}

static inline bool narrow(struct execution *e, struct warp *warp, const struct instruction *at, uint32_t *pc)
{
    uint32_t lanes;
    if (!condition(e, warp, at, &lanes))
        return passed(e, warp, pc);
    take(e, warp, at, lanes, pc);
    return true;
}

static inline bool test_loop(struct execution *e, struct warp *warp, const struct instruction *at,
                             uint32_t *pc)
{
    uint32_t lanes;
    if (!condition(e, warp, at, &lanes))
        return passed(e, warp, pc);
    mask_stay_in_loop(warp, lanes);
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

static bool guard(struct execution *e, struct warp *warp, const struct instruction *at, uint32_t *pc)
{
    uint32_t lanes;
    if (!condition(e, warp, at, &lanes))
        return passed(e, warp, pc);
    parting_guard(warp, at->kind ? warp->active & ~lanes : lanes);
    if (!warp->active) {
        if (e->sink->skipped)
            tell_skipped(e, *pc, at->extra);
        *pc = at->extra;
    }
    return true;
}

/* A jump of the lanes that run. */
static inline bool go(struct execution *e, struct warp *warp, const struct instruction *at, uint32_t *pc)
{
    if (at->extra < *pc)
        return jump_back(e, warp, at, pc);
    *pc = parting_forward(warp, at->extra);
    return true;
}

static inline bool branch(struct execution *e, struct warp *warp, const struct instruction *at, uint32_t *pc)
{
    uint32_t lanes;
    if (!condition(e, warp, at, &lanes))
        return passed(e, warp, pc);
    lanes = at->kind ? warp->active & ~lanes : lanes;
    if (!lanes)
        return true;
    if (lanes == warp->active)
        return go(e, warp, at, pc);
    if (at->extra < *pc) { /* those that stay behind wait; they are behind all that wait already */
        parting_wait(warp, warp->active & ~lanes, *pc);
        warp->active = lanes;
        return jump_back(e, warp, at, pc);
    }
    parting_wait(warp, lanes, at->extra);
    warp->active &= ~lanes;
    return true;
}

static bool leave(struct warp *warp, uint32_t *pc)
{
    mask_exit(warp);
    if (warp->state == WARP_RUNNING && !warp->active)
        *pc = parting_resume(warp);
    return warp->state == WARP_RUNNING;
}

/* A label: its register holds the lanes that come in. */
static bool enter_case(struct execution *e, struct warp *warp, const struct instruction *at, uint32_t *pc)
{
    const struct value *lanes = &warp->registers[at->a];
    const struct quiet *quiet = lanes->kind == VALUE_DATA ? quiet_of(e, at) : NULL;
    if (lanes->kind == VALUE_BOOL)
        mask_enter_case(warp, (uint32_t)lanes->base);
    if (!quiet)
        return lanes->kind == VALUE_BOOL || !warp->frames[warp->depth - 1].saved ||
               operate_refuse_label(e, warp, at);
    *pc = quiet->end;
    return quiet_pass(e, warp, quiet, lanes);
}

/* A choice that only data knows, between values that cost nothing to compute: either way it is data. */
static bool pass_data(const struct execution *e, struct warp *warp, const struct instruction *at,
                      uint32_t *pc)
{
    struct value condition = warp->registers[at->a];
    if (warp->active && !partial_settle(e, warp, at, at->a, &condition))
        return false;
    if (condition.kind != VALUE_DATA)
        return true;
    for (unsigned i = 0; i < at->b; i++)
        warp->registers[at->dst + i] = data_computed();
    *pc = at->extra;
    return true;
}

/* Lanes that are not here are taken to go on to the kernel's end, as those of `if (x < n) { ...
 * __syncthreads();
 * ... }` do: an H200 then waits for those that are here. One that meets a barrier later was wrong to pass
 * this one. In compiled code they run first, as far as they come. */
static bool wait_at_barrier(const struct execution *e, struct warp *warp, const struct instruction *at,
                            uint32_t *pc)
{
    if (!warp->active)
        return true;
    if (at->op == OP_BARRIER && at->extra == BARRIER_OF_GRID && execution_sees_others(e))
        return execution_fail(
            e, at,
            "the grid's sync is not supported here: blocks run one after the other, so that what "
            "they write for each other is not followed. Split the kernel there; what it accesses can be "
            "counted as it is where nothing of that is followed");
    if (e->program->is_compiled && !warp->unguarded && warp->active != warp_alive(warp)) {
        parting_gather(warp, *pc - 1);
        if (warp->active != warp_alive(warp) && parting_yield(warp, pc))
            return true;
    }
    if (warp->active & warp->missed)
        return execution_missed(e, warp);
    uint32_t missing = warp_alive(warp) & ~warp->active;
    if (missing && !warp->missed)
        warp->missed_at = at;
    warp->missed |= missing;
    warp->state = WARP_WAITING;
    return false;
}

/* An instruction that decides which lanes run, and where. False: a problem is set, or the warp's state says
 * that it runs no longer. */
static inline bool run_control(struct execution *e, struct warp *warp, const struct instruction *at,
                               uint32_t *pc)
{
    switch ((enum opcode)at->op) {
    case OP_PASS_DATA:
        return pass_data(e, warp, at, pc);
    case OP_IF:
    case OP_IF_COMPARE:
        return enter_if(e, warp, at, pc);
    case OP_NARROW:
    case OP_NARROW_COMPARE:
        return narrow(e, warp, at, pc);
    case OP_ELSE:
        if (!mask_else(warp))
            *pc = at->extra;
        return true;
    case OP_END:
        mask_end_if(warp);
        return true;
    case OP_LOOP:
        mask_enter_loop(warp);
        return true;
    case OP_TEST:
    case OP_TEST_COMPARE:
        return test_loop(e, warp, at, pc);
    case OP_BREAK:
        mask_break(warp);
        return true;
    case OP_CONTINUE:
        mask_continue(warp);
        return true;
    case OP_END_STEP:
        warp->depth--;
        /* fall through */
    case OP_STEP:
        if (!mask_step_loop(warp))
            *pc = at->extra;
        return true;
    case OP_JUMP:
        return jump_back(e, warp, at, pc);
    case OP_LOOP_END:
        mask_leave_loop(warp);
        return true;
    case OP_CALL:
        mask_enter_call(warp);
        return true;
    case OP_LEAVE:
        mask_leave_call(warp);
        return true;
    case OP_CALL_END:
        mask_end_call(warp);
        return true;
    case OP_SWITCH:
        mask_enter_switch(warp);
        return true;
    case OP_CASE:
        return enter_case(e, warp, at, pc);
    case OP_SWITCH_END:
        mask_end_switch(warp);
        return true;
    case OP_GUARD:
        return guard(e, warp, at, pc);
    case OP_UNGUARD:
        parting_unguard(warp);
        return true;
    case OP_BRANCH:
        return branch(e, warp, at, pc);
    case OP_GOTO:
        return go(e, warp, at, pc);
    case OP_JOIN:
        parting_join(warp, *pc - 1);
        return true;
    case OP_EXIT:
        return leave(warp, pc);
    case OP_RETURN:
        mask_exit(warp);
        return warp->state == WARP_RUNNING;
    case OP_BARRIER:
        return wait_at_barrier(e, warp, at, pc);
    case OP_BARRIER_VOTE:
        return (!warp->active || partial_settle(e, warp, at, at->a, &warp->said)) &&
               wait_at_barrier(e, warp, at, pc);
    case OP_SYNCWARP:
        warp->stretch = warp->active ? ++e->stretches : warp->stretch;
        return true;
    default: /* OP_STOP */
        warp->state = WARP_DONE;
        return false;
    }
}

bool warp_run(struct execution *e, struct warp *warp)
{
    const struct instruction *code = e->program->code, *next = &code[warp->pc];
    const bool follows = e->follows;
    bool goes_on = true;
    warp->state = WARP_RUNNING;
    while (goes_on) {
        const struct instruction *at = next++;
        if (__builtin_expect(follows, false) && !affine_step(e, warp, at))
            break;
        if (at->op < OP_PASS_DATA) {
            goes_on = run_value(e, warp, at);
        } else {
            uint32_t pc = (uint32_t)(next - code);
            goes_on = run_control(e, warp, at, &pc);
            next = &code[pc];
        }
    }
    warp->pc = (uint32_t)(next - code);
    return warp->state != WARP_RUNNING;
}
