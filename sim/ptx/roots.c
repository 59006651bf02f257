/* roots.c - what a kernel reads of its parameters, which of them are pointers, and what registers may point
 * into.
 *
 * A 64-bit parameter is a pointer if the text says so (.ptr), if it is converted to an address of global
 * memory (cvta), or if it reaches an address; of several summands that could be one, those that are known to
 * be are. What is multiplied, divided, shifted or clamped is none.
 */
#include <stdlib.h>
#include <string.h>

#include "flat.h"

/* The variable and offset that an address means, through registers that hold a parameter's address. */
struct address_of {
    const struct variable *variable;
    int64_t offset;
};

struct finder {
    struct flat_list *list;
    const struct function_of_ptx *kernel;
    struct address_of *addresses; /* a register's */
    bool changed;
};

/* Registers that hold a parameter's own address: mov.b64 %rd1, name_param_0; */
static void find_addresses(struct finder *f)
{
    for (size_t i = 0; i < f->list->count; i++) {
        const struct flat *flat = &f->list->at[i];
        const struct ptx_instruction *in = flat->in;
        if (in->operand_count < 2 || in->operands[0].kind != OPERAND_REGISTER)
            continue;
        const struct operand *from = &in->operands[1];
        struct address_of *to = &f->addresses[flat_register(flat, &in->operands[0])];
        bool copies = op_is(in, "mov") || op_is(in, "cvta");
        if (copies && from->kind == OPERAND_VARIABLE && from->variable->space == PTX_PARAM)
            *to = (struct address_of){from->variable, from->value};
        else if (copies && from->kind == OPERAND_REGISTER)
            *to = f->addresses[flat_register(flat, from)];
        else if (op_is(in, "add") && from->kind == OPERAND_REGISTER && in->operand_count == 3 &&
                 in->operands[2].kind == OPERAND_INTEGER) {
            *to = f->addresses[flat_register(flat, from)];
            to->offset = sum_wrapped(to->offset, in->operands[2].value);
        }
    }
}

static bool is_of_kernel(const struct finder *f, const struct variable *variable)
{
    for (const struct variable *v = f->kernel->parameters; v; v = v->next)
        if (v == variable)
            return true;
    return false;
}

static bool add_slot(struct finder *f, const struct flat *flat, const struct parameter_slot *slot,
                     int64_t *home)
{
    struct flat_list *list = f->list;
    unsigned i = 0;
    while (i < list->slot_count &&
           (list->slots[i].variable != slot->variable || list->slots[i].offset != slot->offset ||
            list->slots[i].type.bytes != slot->type.bytes))
        i++;
    if (i == SLOT_LIMIT)
        return flat_fail(list, flat, "a kernel reads at most %d parameters and members of parameters here",
                         SLOT_LIMIT);
    if (i == list->slot_count)
        list->slots[list->slot_count++] = *slot;
    *home = (int64_t)i + 1;
    return true;
}

static int64_t register_of(struct finder *f, struct variable *variable, const struct frame_of_call *frame,
                           int64_t offset)
{
    struct parameter_register *r = variable->registers;
    while (r && (r->frame != frame || r->offset != offset))
        r = r->next;
    if (!r) {
        r = arena_take(&f->list->module->arena, sizeof *r);
        *r = (struct parameter_register){frame, offset, f->list->register_count++, variable->registers};
        variable->registers = r;
    }
    return -(int64_t)r->reg;
}

static unsigned component_count(const struct ptx_instruction *in)
{
    return op_has(in, "v4") ? 4 : op_has(in, "v2") ? 2 : 1;
}

static bool find_home(struct finder *f, struct flat *flat)
{
    const struct ptx_instruction *in = flat->in;
    bool loads = op_is(in, "ld");
    if ((!loads && !op_is(in, "st")) || !op_has(in, "param") || in->operand_count != 2)
        return true;
    const struct operand *address = &in->operands[loads ? 1 : 0];
    if (address->kind != OPERAND_ADDRESS)
        return flat_fail(f->list, flat, "an address in [ ] is expected here");
    const struct operand *base = &address->parts[0];
    struct address_of at = {.variable = base->variable, .offset = base->value};
    if (base->kind == OPERAND_REGISTER) {
        at = f->addresses[flat_register(flat, base)];
        at.offset = sum_wrapped(at.offset, base->value);
    }
    struct parameter_slot slot = {0};
    if (!at.variable || !op_type(in, 0, &slot.type))
        return flat_fail(f->list, flat,
                         "a parameter is read at a place here that only the run would tell, which is "
                         "not supported");
    struct home home = flat_home(flat->frame, at.variable, at.offset);
    if (home.operand)
        return flat_fail(f->list, flat, "a parameter in a register is not read as memory");
    slot.variable = home.variable;
    bool of_kernel = is_of_kernel(f, home.variable);
    if (of_kernel && !loads)
        return flat_fail(f->list, flat, "a kernel does not write its parameters");
    for (unsigned c = component_count(in); c-- > 0;) { /* the first component's home stays */
        slot.offset = sum_wrapped(home.offset, (int64_t)(c * slot.type.bytes));
        slot.is_definite = slot.is_pointer = home.variable->is_pointer;
        if (!of_kernel)
            flat->home = register_of(f, (struct variable *)home.variable, home.frame, slot.offset);
        else if (!add_slot(f, flat, &slot, &flat->home))
            return false;
    }
    return true;
}

static int compare_slots(const void *a, const void *b)
{
    const struct parameter_slot *x = a, *y = b;
    if (x->variable->index != y->variable->index)
        return x->variable->index < y->variable->index ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset ? 1 : (int)x->type.bytes - (int)y->type.bytes;
}

/* Slots in the order of their places; homes follow. */
static bool find_homes(struct finder *f)
{
    struct flat_list *list = f->list;
    list->slots = arena_take(&list->module->arena, (SLOT_LIMIT + 1) * sizeof *list->slots);
    list->register_count++; /* register number 0 of -n would be no home */
    for (size_t i = 0; i < list->count; i++)
        if (!find_home(f, &list->at[i]))
            return false;
    struct parameter_slot before[SLOT_LIMIT];
    int64_t now[SLOT_LIMIT] = {0};
    memcpy(before, list->slots, sizeof before);
    qsort(list->slots, list->slot_count, sizeof *list->slots, compare_slots);
    for (unsigned i = 0; i < list->slot_count; i++)
        for (unsigned k = 0; k < list->slot_count; k++)
            if (compare_slots(&before[i], &list->slots[k]) == 0)
                now[i] = (int64_t)k + 1;
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i].home > 0)
            list->at[i].home = now[list->at[i].home - 1];
    return true;
}

static struct roots join(struct roots a, struct roots b)
{
    return (struct roots){a.parameters | b.parameters, a.shared || b.shared, a.local || b.local};
}

static uint64_t definite_slots(const struct flat_list *list)
{
    uint64_t mask = 0;
    for (unsigned i = 0; i < list->slot_count; i++)
        mask |= (uint64_t)list->slots[i].is_definite << i;
    return mask;
}

static struct roots roots_of(const struct flat_list *list, const struct flat *flat,
                             const struct operand *operand)
{
    if (operand->kind == OPERAND_REGISTER)
        return list->roots[flat_register(flat, operand)];
    if (operand->kind == OPERAND_VARIABLE)
        return (struct roots){.parameters =
                                  operand->variable->shared >= 0 && operand->variable->space == PTX_GLOBAL
                                      ? UINT64_C(1) << operand->variable->shared
                                      : 0,
                              .shared = operand->variable->space == PTX_SHARED,
                              .local = operand->variable->space == PTX_LOCAL};
    return (struct roots){0};
}

/* Of two summands one is the pointer. */
static struct roots sum(uint64_t definite, struct roots a, struct roots b)
{
    bool a_is = a.shared || a.local || (a.parameters & definite);
    bool b_is = b.shared || b.local || (b.parameters & definite);
    return a_is && !b_is ? a : b_is && !a_is ? b : join(a, b);
}

static void put(struct finder *f, uint32_t reg, struct roots roots)
{
    struct roots all = join(f->list->roots[reg], roots), *old = &f->list->roots[reg];
    if (all.parameters != old->parameters || all.shared != old->shared || all.local != old->local) {
        *old = all;
        f->changed = true;
    }
}

static struct roots home_roots(const struct flat_list *list, int64_t home)
{
    if (home > 0)
        return (struct roots){.parameters = list->slots[home - 1].type.bytes == 8 &&
                                                    !list->slots[home - 1].is_number &&
                                                    !list->slots[home - 1].type.is_float
                                                ? UINT64_C(1) << (home - 1)
                                                : 0};
    return home < 0 ? list->roots[-home] : (struct roots){0};
}

static bool is_copy(const struct ptx_instruction *in)
{
    return op_is(in, "mov") || op_is(in, "selp") || op_is(in, "cvta") || op_is(in, "shfl");
}

static bool keeps_address(const struct ptx_instruction *in)
{
    return op_is(in, "and") || op_is(in, "or") || op_is(in, "xor") || op_is(in, "min") || op_is(in, "max") ||
           op_is(in, "lop3") || op_is(in, "cvt") || op_is(in, "slct") || op_is(in, "sub");
}

/* The low bits of an address, or an address in 32 bits, lead into no buffer; shared memory has such
 * addresses. */
static bool is_short(const struct ptx_instruction *in)
{
    struct ptx_type type;
    for (unsigned i = 1; op_is(in, "and") && i < in->operand_count; i++)
        if (in->operands[i].kind == OPERAND_INTEGER && in->operands[i].value >= 0 &&
            in->operands[i].value <= UINT32_MAX)
            return true;
    return op_type(in, 0, &type) && type.bytes < 8;
}

/* One instruction's part; `sums`: also through arithmetic. */
static void pass(struct finder *f, const struct flat *flat, uint64_t definite, bool sums)
{
    struct flat_list *list = f->list;
    const struct ptx_instruction *in = flat->in;
    struct roots roots = {0};
    if (flat->home && op_is(in, "st")) {
        if (flat->home < 0 && in->operands[1].kind == OPERAND_REGISTER)
            put(f, (uint32_t)-flat->home, roots_of(list, flat, &in->operands[1]));
        return;
    }
    if (!in->operand_count || in->operands[0].kind != OPERAND_REGISTER || flat->kind != FLAT_PLAIN)
        return;
    if (flat->home)
        roots = home_roots(list, flat->home);
    else if (is_copy(in) || (sums && keeps_address(in)))
        for (unsigned i = 1; i < in->operand_count; i++)
            roots = join(roots, roots_of(list, flat, &in->operands[i]));
    if (!flat->home && !is_copy(in) && is_short(in))
        roots.parameters = 0;
    if (sums && op_is(in, "add") && in->operand_count == 3)
        roots = sum(definite, roots_of(list, flat, &in->operands[1]), roots_of(list, flat, &in->operands[2]));
    else if (sums && op_is(in, "mad") && in->operand_count == 4)
        roots = roots_of(list, flat, &in->operands[3]);
    put(f, flat_register(flat, &in->operands[0]), roots);
}

static void propagate(struct finder *f, uint64_t definite, bool sums)
{
    f->changed = true;
    for (int i = 0; f->changed && i < 64; i++) {
        f->changed = false;
        for (size_t k = 0; k < f->list->count; k++)
            pass(f, &f->list->at[k], definite, sums);
    }
}

static const struct operand *address_of_access(const struct ptx_instruction *in)
{
    for (unsigned i = 0; i < in->operand_count && i < 2; i++)
        if (in->operands[i].kind == OPERAND_ADDRESS)
            return &in->operands[i].parts[0];
    return NULL;
}

/* Notes which parameters reach addresses; of those that reach one, the definite ones where there are any. */
static void mark_pointers(struct finder *f, bool by_cvta)
{
    struct flat_list *list = f->list;
    uint64_t definite = definite_slots(list), found = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct flat *flat = &list->at[i];
        const struct operand *address = by_cvta && op_is(flat->in, "cvta") && flat->in->operand_count == 2
                                            ? &flat->in->operands[1]
                                            : NULL;
        if (!address && !flat->home)
            address = address_of_access(flat->in);
        if (!address)
            continue;
        uint64_t mask = roots_of(list, flat, address).parameters;
        found |= mask & definite ? mask & definite : mask;
    }
    for (unsigned i = 0; i < list->slot_count; i++)
        if (found >> i & 1) {
            list->slots[i].is_pointer = true;
            list->slots[i].is_definite = list->slots[i].is_definite || by_cvta;
        }
}

/* What is multiplied, divided, shifted or clamped is a number, unless it is known to be a pointer. */
static void mark_numbers(struct finder *f)
{
    static const char *const of_numbers[] = {"mul", "mad", "div", "rem", "shl", "min", "max"};
    struct flat_list *list = f->list;
    uint64_t numbers = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct ptx_instruction *in = list->at[i].in;
        bool counts = false;
        for (size_t k = 0; k < sizeof of_numbers / sizeof *of_numbers; k++)
            counts = counts || op_is(in, of_numbers[k]);
        for (unsigned k = 1; counts && k < in->operand_count && k < 3; k++) /* mad adds the third */
            numbers |= roots_of(list, &list->at[i], &in->operands[k]).parameters;
    }
    for (unsigned i = 0; i < list->slot_count; i++)
        list->slots[i].is_number = (numbers >> i & 1) && !list->slots[i].is_pointer;
}

/* Arrays of the module in global memory are parameters, too: pointers behind the others. */
static bool add_globals(struct finder *f)
{
    struct flat_list *list = f->list;
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < list->count; i++)
            for (unsigned k = 0; k < list->at[i].in->operand_count; k++) {
                struct operand *o = &list->at[i].in->operands[k];
                struct variable *v = o->kind == OPERAND_ADDRESS ? o->parts[0].variable : o->variable;
                if (!v || v->space != PTX_GLOBAL || (round && v->shared >= 0))
                    continue;
                v->shared = -1; /* of another kernel that was compiled */
                if (!round)
                    continue;
                if (list->slot_count == SLOT_LIMIT)
                    return flat_fail(list, &list->at[i], "a kernel has at most %d parameters and arrays here",
                                     SLOT_LIMIT);
                v->shared = (int)list->slot_count;
                list->slots[list->slot_count++] = (struct parameter_slot){
                    .variable = v, .type = {.bytes = 8}, .is_pointer = true, .is_definite = true};
            }
    return true;
}

bool roots_find(struct flat_list *list, const struct function_of_ptx *kernel)
{
    struct finder f = {.list = list, .kernel = kernel};
    f.addresses = memory_take(list->register_count + 1u, sizeof *f.addresses);
    find_addresses(&f);
    bool ok = find_homes(&f) && add_globals(&f);
    free(f.addresses);
    if (!ok)
        return false;
    list->roots = memory_take(list->register_count + 1u, sizeof *list->roots);
    propagate(&f, 0, false);
    mark_pointers(&f, true);
    mark_numbers(&f);
    memset(list->roots, 0, list->register_count * sizeof *list->roots);
    propagate(&f, definite_slots(list), true);
    mark_pointers(&f, false);
    return true;
}
