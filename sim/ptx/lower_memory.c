/* lower_memory.c - loads and stores. */
#include <string.h>

#include "coder.h"

/* What is accessed, as the instruction's name says it. */
struct form {
    struct ptx_type type;
    unsigned components;
    bool global, shared, constant, local, param, generic;
};

static bool read_form(struct coder_of_ptx *c, struct form *form)
{
    const struct ptx_instruction *in = c->in;
    *form = (struct form){.components = op_has(in, "v4")   ? 4
                                        : op_has(in, "v2") ? 2
                                                           : 1,
                          .global = op_has(in, "global") || op_is(in, "ldu"),
                          .shared = op_has(in, "shared") || op_has(in, "shared::cta"),
                          .constant = op_has(in, "const"),
                          .local = op_has(in, "local"),
                          .param =
                              op_has(in, "param") || op_has(in, "param::entry") || op_has(in, "param::func")};
    form->generic = !form->global && !form->shared && !form->constant && !form->local && !form->param;
    if (op_has(in, "shared::cluster"))
        return coder_fail(c, "shared memory of another block of a cluster is not supported");
    if (!op_type(in, 0, &form->type) || form->type.is_pred)
        return coder_fail(c, "the type of this access is not known");
    if (op_has(in, "v8") || form->components * form->type.bytes > 16)
        return coder_fail(
            c, "an access of more than 16 bytes a lane has no counting rule here yet; compile for an "
               "architecture before sm_100");
    return true;
}

static int single_bit(uint64_t bits)
{
    return bits && !(bits & (bits - 1)) ? __builtin_ctzll(bits) : -1;
}

static void place_site(struct coder_of_ptx *c, struct site *site)
{
    size_t low = 0, high = c->line_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (c->line_starts[middle] <= c->in->begin)
            low = middle;
        else
            high = middle;
    }
    site->place = (struct place){c->module->source, c->in->begin, c->in->end};
    site->line = (int)low + 1;
    site->column = (int)(c->in->begin - c->line_starts[low]) + 1;
    site->origin_file = c->in->file ? c->module->files[c->in->file] : NULL;
    site->origin_line = c->in->line;
}

static bool add_site(struct coder_of_ptx *c, enum memory_space space, enum access_op op,
                     const struct form *form, const struct roots *roots)
{
    struct program *p = c->program;
    if (p->site_count == CODER_SITES)
        return coder_fail(c, "a kernel has at most %d places that read or write memory here", CODER_SITES);
    p->sites = module_grow(p->sites, p->site_count, &c->site_capacity, sizeof *p->sites);
    struct site *site = &p->sites[p->site_count];
    *site = (struct site){.id = p->site_count++,
                          .kind = access_kind_of(space, op),
                          .lane_bytes = form->components * form->type.bytes,
                          .components = form->components,
                          .buffer = -1};
    place_site(c, site);
    if (space == SPACE_GLOBAL)
        site->buffer = single_bit(roots->parameters);
    else if (p->shared_count == 1)
        site->buffer = 0;
    for (unsigned i = 0; space == SPACE_GLOBAL && i < p->parameter_count; i++)
        if (roots->parameters >> i & 1) {
            p->parameters[i].is_stored |= site->kind->writes;
            p->parameters[i].is_loaded |= site->kind->reads;
            unsigned *cell = &c->list->slots[i].cell_bytes;
            *cell = *cell && *cell < form->type.bytes ? *cell : form->type.bytes;
            c->list->slots[i].cell_is_float |= form->type.is_float;
        }
    if (form->type.bytes < c->granule)
        c->granule = form->type.bytes;
    return true;
}

/* The access's site, or two: of global memory, then of shared memory. */
static bool add_sites(struct coder_of_ptx *c, enum access_op op, const struct form *form,
                      const struct operand *base, uint32_t *first)
{
    struct roots roots = {0};
    struct program *p = c->program;
    *first = p->site_count;
    if (base->kind == OPERAND_REGISTER)
        roots = c->list->roots[flat_register(c->flat, base)];
    else if (base->kind == OPERAND_VARIABLE && base->variable->space == PTX_GLOBAL &&
             base->variable->shared >= 0)
        roots.parameters = UINT64_C(1) << base->variable->shared;
    uint64_t definite = 0;
    for (unsigned i = 0; i < c->list->slot_count; i++)
        definite |= (uint64_t)c->list->slots[i].is_pointer << i;
    roots.parameters &= definite;
    bool global = form->global || (form->generic && (roots.parameters || !roots.shared));
    bool shared = form->shared || (form->generic && roots.shared);
    if (global && !add_site(c, SPACE_GLOBAL, op, form, &roots))
        return false;
    if (global && shared)
        p->sites[p->site_count - 1].is_generic = true;
    return !shared || add_site(c, SPACE_SHARED, op, form, &roots);
}

static bool is_local(const struct coder_of_ptx *c, const struct form *form, const struct operand *base)
{
    if (form->local || (base->kind == OPERAND_VARIABLE && base->variable->space == PTX_LOCAL))
        return true;
    if (!form->generic || base->kind != OPERAND_REGISTER)
        return false;
    const struct roots *roots = &c->list->roots[flat_register(c->flat, base)];
    return roots->local && !roots->shared && !roots->parameters;
}

static unsigned address(struct coder_of_ptx *c, const struct operand *base)
{
    struct ptx_type type = {.bytes = 8, .is_signed = true, .components = 1};
    unsigned reg = coder_value(c, base, type);
    if (base->kind != OPERAND_REGISTER || !base->value)
        return reg;
    unsigned moved = coder_temporary(c);
    coder_emit(c, OP_ADD, NUMBER_I64, moved, reg, coder_constant(c, base->value, false), 0);
    return moved;
}

static bool find_base(struct coder_of_ptx *c, unsigned operand, const struct operand **base)
{
    if (operand >= c->in->operand_count || c->in->operands[operand].kind != OPERAND_ADDRESS)
        return coder_fail(c, "an address in [ ] is expected here");
    *base = &c->in->operands[operand].parts[0];
    return true;
}

/* The register of a component of ld.param or st.param; what it is in the kernel's parameters. */
static bool parameter_register(struct coder_of_ptx *c, const struct operand *base, const struct form *form,
                               unsigned component, unsigned *reg)
{
    int64_t home = c->flat->home, offset = (int64_t)component * form->type.bytes;
    if (home > 0) {
        const struct parameter_slot *slot = &c->list->slots[home - 1];
        for (unsigned i = 0; i < c->list->slot_count; i++)
            if (c->list->slots[i].variable == slot->variable &&
                c->list->slots[i].offset == sum_wrapped(slot->offset, offset) &&
                c->list->slots[i].type.bytes == form->type.bytes) {
                *reg = i;
                return true;
            }
    } else if (home < 0 && !component) {
        *reg = coder_register(c, (uint32_t)-home);
        return true;
    } else if (home < 0 && base->kind == OPERAND_VARIABLE) {
        struct home at = flat_home(c->flat->frame, base->variable, sum_wrapped(base->value, offset));
        for (const struct parameter_register *r = at.variable->registers; r; r = r->next)
            if (r->frame == at.frame && r->offset == at.offset) {
                *reg = coder_register(c, r->reg);
                return true;
            }
    }
    return coder_fail(c, "this access to a parameter is not supported");
}

/* Component `i` of a value, which is a list where there are several. */
static const struct operand *component(const struct operand *value, unsigned i)
{
    return value->kind == OPERAND_LIST && i < value->part_count ? &value->parts[i] : value;
}

static bool check_components(struct coder_of_ptx *c, const struct form *form, const struct operand *value)
{
    unsigned count = value->kind == OPERAND_LIST ? value->part_count : 1;
    return count == form->components ||
           coder_fail(c, "this access has another number of components than its name says");
}

/* Is it an integer that the register `to` extends? */
static bool is_wider(const struct coder_of_ptx *c, const struct form *form, const struct operand *to)
{
    return to->kind == OPERAND_REGISTER && !form->type.is_float &&
           c->flat->frame->function->registers[to->reg].type.bytes > form->type.bytes;
}

/* What a loaded integer becomes: what its register holds; a wider register extends it. */
static unsigned held_as(const struct coder_of_ptx *c, const struct form *form, const struct operand *to)
{
    if (form->type.is_float || form->type.bytes > 8)
        return HELD_DATA;
    return HELD_NUMBER + (is_wider(c, form, to) ? kind_of_type(form->type) : signed_kind(form->type));
}

bool lower_load(struct coder_of_ptx *c)
{
    struct form form;
    const struct operand *base = NULL, *to = c->in->operands;
    uint32_t site;
    if (!read_form(c, &form) || !find_base(c, 1, &base) || !check_components(c, &form, to))
        return false;
    if (form.param && c->flat->home) {
        for (unsigned i = 0; i < form.components; i++) {
            unsigned reg;
            if (!parameter_register(c, base, &form, i, &reg))
                return false;
            if (is_wider(c, &form, component(to, i)))
                reg = coder_convert(c, reg, kind_of_type(form.type));
            coder_copy(c, component(to, i), reg);
        }
        return !c->problem->set;
    }
    if (form.constant || form.param || is_local(c, &form, base))
        return lower_data(c);
    unsigned at = address(c, base);
    if (!add_sites(c, ACCESS_LOAD, &form, base, &site))
        return false;
    bool direct = form.components == 1 && component(to, 0)->kind == OPERAND_REGISTER;
    unsigned first = direct ? coder_result_of(c, component(to, 0)) : coder_temporary(c);
    for (unsigned i = 1; i < form.components; i++)
        (void)coder_temporary(c); /* in a row */
    coder_emit(c, OP_LOAD, held_as(c, &form, component(to, 0)), first, at, 0, site);
    for (unsigned i = 0; i < form.components; i++)
        coder_put(c, component(to, i), first + i);
    return !c->problem->set;
}

bool lower_store(struct coder_of_ptx *c)
{
    struct form form;
    const struct operand *base = NULL, *value = c->in->operand_count > 1 ? &c->in->operands[1] : NULL;
    uint32_t site;
    if (!value)
        return coder_fail(c, "a store has an address and a value");
    if (!read_form(c, &form) || !find_base(c, 0, &base) || !check_components(c, &form, value))
        return false;
    if (form.param) {
        for (unsigned i = 0; i < form.components; i++) {
            unsigned reg;
            if (!parameter_register(c, base, &form, i, &reg))
                return false;
            coder_emit(c, OP_MOVE, 0, reg, coder_value(c, component(value, i), form.type), 0, 0);
        }
        return !c->problem->set;
    }
    if (is_local(c, &form, base))
        return true; /* what is read there is data anyway */
    unsigned at = address(c, base), first = coder_value(c, component(value, 0), form.type);
    if (form.components > 1) {
        unsigned values[4] = {first};
        for (unsigned i = 1; i < form.components; i++)
            values[i] = coder_value(c, component(value, i), form.type);
        first = coder_temporary(c);
        for (unsigned i = 1; i < form.components; i++)
            (void)coder_temporary(c);
        for (unsigned i = 0; i < form.components; i++)
            coder_emit(c, OP_SET, 0, first + i, values[i], 0, 0);
    }
    if (!add_sites(c, ACCESS_STORE, &form, base, &site))
        return false;
    coder_emit(c, OP_STORE, 0, 0, at, first, site);
    return !c->problem->set;
}

/* How the hardware runs it: in shared memory known for 32-bit integers; others are a loop there. */
static enum atomic_cost cost_of(const struct coder_of_ptx *c, const struct site *site,
                                const struct form *form)
{
    if (site->kind->space == SPACE_GLOBAL)
        return ATOMIC_ONCE;
    bool word = !form->type.is_float && form->type.bytes == 4 && form->components == 1;
    return !word ? ATOMIC_EMULATED : op_has(c->in, "cas") ? ATOMIC_TWICE : ATOMIC_ONCE;
}

/* atom.global.add.u32 d, [a], b and red.global.add.u32 [a], b: what was there before is data. */
bool lower_atomic(struct coder_of_ptx *c)
{
    struct form form;
    const struct operand *base = NULL;
    uint32_t first;
    bool red = op_is(c->in, "red");
    if (op_has(c->in, "async"))
        return lower_refuse(c);
    if (!read_form(c, &form) || !find_base(c, red ? 0 : 1, &base))
        return false;
    unsigned at = address(c, base), old = coder_temporary(c);
    for (unsigned i = 1; i < form.components; i++)
        (void)coder_temporary(c);
    if (!add_sites(c, ACCESS_ATOMIC, &form, base, &first))
        return false;
    for (unsigned i = first; i < c->program->site_count; i++)
        c->program->sites[i].atomic = cost_of(c, &c->program->sites[i], &form);
    coder_emit(c, OP_ATOMIC, 0, old, at, 0, first);
    for (unsigned i = 0; !red && i < form.components; i++)
        coder_copy(c, component(&c->in->operands[0], i), old + i);
    return !c->problem->set;
}
