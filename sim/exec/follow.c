/* follow.c - does shared memory have a say in where a kernel goes?
 *
 * Keeping what shared memory holds costs time, which a launch that is only counted need not spend on a tile
 * of the matrix. It must where integers are put into shared memory and, loaded again, become part of an
 * address or of a condition: then the numbers must be there. Found from the text alone, by the registers that
 * such a load reaches.
 */
#include <stdlib.h>

#include "../../base/arena.h"
#include "state.h"

enum { WORK = 1 << 22 }; /* steps of this search; a kernel that needs more is taken to depend on it */

static bool has_result(enum opcode op)
{
    return op < OP_STORE && op != OP_LOAD && op != OP_UNSET && op != OP_DATA;
}

/* Out of a local array, of which any element may be the one, or into it. True: something is newly marked. */
static bool carry_element(const struct instruction *at, bool *marked)
{
    bool any = false;
    for (uint32_t i = 0; i <= at->extra; i++) {
        unsigned to = at->op == OP_PUT ? at->dst + i : at->dst, from = at->op == OP_PUT ? at->b : at->b + i;
        any = any || (marked[from] && !marked[to]);
        marked[to] = marked[to] || marked[from];
    }
    return any;
}

/* Is a third operand of compiled code marked? */
static bool third_is_marked(const struct instruction *at, const bool *marked)
{
    return (at->op == OP_SELECT || at->op == OP_BITS || at->op == OP_SHUFFLE) && marked[at->extra & 0xffff];
}

/* Carries the marks through the code once. True: some are new. */
static bool carry(const struct program *program, bool has_reals, bool *marked, uint64_t *work)
{
    bool any = false;
    for (size_t i = 0; i < program->code_count && *work < WORK; i++) {
        const struct instruction *at = &program->code[i];
        const struct site *site = at->op == OP_LOAD ? &program->sites[at->extra] : NULL;
        bool loads = site && site->kind->space == SPACE_SHARED &&
                     (held_is_integer(at->kind) || (has_reals && at->kind == HELD_REAL));
        for (unsigned c = 0; loads && c < site->components; c++) {
            any = any || !marked[at->dst + c];
            marked[at->dst + c] = true;
        }
        bool is_element = at->op == OP_PICK || at->op == OP_PUT;
        *work += is_element ? at->extra + 1 : 1;
        if (is_element)
            any = carry_element(at, marked) || any;
        if (!has_result((enum opcode)at->op) || marked[at->dst] ||
            !(marked[at->a] || marked[at->b] || third_is_marked(at, marked)))
            continue;
        marked[at->dst] = any = true;
    }
    return any;
}

/* Does this instruction's doing depend on a marked register, and not only its result? */
static bool depends(const struct program *program, const struct instruction *at, bool has_cells,
                    const bool *marked)
{
    const struct site *site;
    bool either = marked[at->a] || marked[at->b];
    switch ((enum opcode)at->op) {
    case OP_POINTER_ADD:
    case OP_IF:
    case OP_IF_COMPARE:
    case OP_NARROW:
    case OP_NARROW_COMPARE:
    case OP_TEST:
    case OP_TEST_COMPARE:
    case OP_CASE:
        return either;
    case OP_PICK:
    case OP_PUT:
    case OP_BRANCH:
    case OP_GUARD:
        return marked[at->a];
    case OP_LOAD: /* compiled code adds to pointers as to numbers */
    case OP_ATOMIC:
        return program->is_compiled && marked[at->a];
    case OP_STORE:
        site = &program->sites[at->extra];
        for (unsigned c = 0; c < site->components; c++)
            if (has_cells && site->kind->space == SPACE_GLOBAL && marked[at->b + c])
                return true;
        return marked[at->a];
    default:
        return false;
    }
}

bool follow_shared(const struct program *program, bool has_cells, bool has_reals)
{
    bool *marked = memory_take(program->register_count, sizeof *marked);
    uint64_t work = 0;
    while (carry(program, has_reals, marked, &work) && work < WORK)
        ;
    bool follow = work >= WORK;
    for (size_t i = 0; !follow && i < program->code_count; i++)
        follow = depends(program, &program->code[i], has_cells, marked);
    free(marked);
    return follow;
}
