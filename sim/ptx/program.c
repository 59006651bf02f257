/* program.c - a list of instructions to a program. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coder.h"
#include "ptx.h"

/* Where each line of the text begins. */
static void find_lines(struct coder_of_ptx *c)
{
    const struct source *source = c->module->source;
    size_t capacity = 0;
    c->line_starts = module_grow(NULL, 0, &capacity, sizeof *c->line_starts);
    c->line_starts[c->line_count++] = 0;
    for (const char *at = source->bytes, *end = at + source->size;
         at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL;) {
        at++;
        c->line_starts = module_grow(c->line_starts, c->line_count, &capacity, sizeof *c->line_starts);
        c->line_starts[c->line_count++] = (uint32_t)(at - source->bytes);
    }
}

/* param_2, param_2+8, or the text's own name. */
static const char *parameter_name(struct coder_of_ptx *c, const struct parameter_slot *slot,
                                  const char *kernel)
{
    char name[200], member[40] = "";
    const char *text = slot->variable->name->text;
    size_t length = strlen(kernel);
    if (strncmp(text, kernel, length) == 0 && text[length] == '_')
        text += length + 1;
    if (slot->variable->space == PTX_GLOBAL) {
        ptx_base_name(text, name, sizeof name);
        return arena_copy(&c->module->arena, name, strlen(name));
    }
    if (slot->offset ||
        (slot->variable->size != slot->type.bytes && slot->variable->bytes != slot->type.bytes))
        (void)snprintf(member, sizeof member, "+%lld", (long long)slot->offset);
    (void)snprintf(name, sizeof name, "%.150s%s", text, member);
    return arena_copy(&c->module->arena, name, strlen(name));
}

static void take_parameters(struct coder_of_ptx *c, const struct function_of_ptx *kernel)
{
    struct program *p = c->program;
    p->parameter_count = c->list->slot_count;
    p->parameters = memory_take(p->parameter_count + 1u, sizeof *p->parameters);
    for (unsigned i = 0; i < p->parameter_count; i++) {
        const struct parameter_slot *slot = &c->list->slots[i];
        struct type type = type_integer((int)slot->type.bytes, true);
        if (slot->is_pointer)
            type = type_pointer(NULL, SPACE_GLOBAL); /* to what: said when its accesses are known */
        else if (slot->type.is_float || slot->type.bytes > 8)
            type = type_float(4);
        p->parameters[i].name = parameter_name(c, slot, kernel->name->text);
        p->parameters[i].type = type;
        p->parameters[i].position = slot->variable->index < 0 ? UINT_MAX : (unsigned)slot->variable->index;
        p->parameters[i].part =
            slot->offset / 4 < UINT_MAX - 1 && slot->offset > 0 ? (unsigned)(slot->offset / 4) + 1 : 0;
    }
}

static const struct type *cell_type(struct coder_of_ptx *c, unsigned bytes, bool is_float)
{
    struct type *type = arena_take(&c->module->arena, sizeof *type);
    *type =
        is_float && bytes < 16 ? type_float((int)bytes) : type_integer(bytes == 16 ? 8 : (int)bytes, true);
    if (bytes == 16)
        type->components = 2;
    return type;
}

static void finish_parameters(struct coder_of_ptx *c)
{
    for (unsigned i = 0; i < c->program->parameter_count; i++) {
        struct type *type = &c->program->parameters[i].type;
        const struct parameter_slot *slot = &c->list->slots[i];
        if (type->kind == TYPE_POINTER)
            type->to = cell_type(c, slot->cell_bytes ? slot->cell_bytes : 4,
                                 slot->cell_is_float || !slot->cell_bytes);
    }
    for (unsigned i = 0; i < c->program->shared_count; i++) {
        struct shared_array *array = &c->program->shared[i];
        array->element = *cell_type(c, c->granule, false);
        array->type = (struct type){.kind = TYPE_ARRAY,
                                    .space = SPACE_SHARED,
                                    .to = cell_type(c, c->granule, false),
                                    .count = array->bytes / c->granule};
    }
}

static bool add_shared(struct coder_of_ptx *c, struct variable *v, size_t *capacity)
{
    struct program *p = c->program;
    char name[120];
    if (p->shared_count == 1000)
        return problem_at(c->problem, c->module->source, v->begin,
                          "a kernel has at most 1000 shared arrays here");
    ptx_base_name(v->name->text, name, sizeof name);
    p->shared = module_grow(p->shared, p->shared_count, capacity, sizeof *p->shared);
    v->shared = (int)p->shared_count;
    p->shared[p->shared_count++] =
        (struct shared_array){.name = arena_copy(&c->module->arena, name, strlen(name)),
                              .bytes = v->size,
                              .offset = v->alignment,
                              .dynamic = v->size == 0};
    return true;
}

/* Arrays that the kernel mentions, in the order in which it does; placed as the built-in language places
 * them. */
static bool take_shared(struct coder_of_ptx *c)
{
    struct program *p = c->program;
    size_t capacity = 0;
    p->shared = module_grow(NULL, 0, &capacity, sizeof *p->shared);
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < c->list->count; i++)
            for (unsigned k = 0; k < c->list->at[i].in->operand_count; k++) {
                const struct operand *o = &c->list->at[i].in->operands[k];
                struct variable *v = o->kind == OPERAND_ADDRESS ? o->parts[0].variable : o->variable;
                if (!v || v->space != PTX_SHARED || (round && v->shared >= 0))
                    continue;
                v->shared = -1;
                if (round && !add_shared(c, v, &capacity))
                    return false;
            }
    uint64_t at = 0;
    for (unsigned i = 0; i < p->shared_count; i++) {
        struct shared_array *array = &p->shared[i];
        uint64_t alignment = array->offset;
        p->has_dynamic_shared |= array->dynamic;
        if (array->dynamic)
            continue;
        array->offset = (at + alignment - 1) / alignment * alignment;
        at = array->offset + array->bytes;
        if (at > UINT64_C(1) << 32)
            return problem_at(c->problem, p->source, p->begin,
                              "the shared arrays are larger than 4 GiB together");
    }
    p->static_shared_bytes = at;
    for (unsigned i = 0; i < p->shared_count; i++)
        if (p->shared[i].dynamic)
            p->shared[i].offset = program_dynamic_offset(p);
    return true;
}

/* Which registers are written where all lanes may be: those of one block that writes them before it reads
 * them, and those that only the first block writes, through which all lanes run once. */
struct use_of_register {
    uint32_t block;
    bool seen, elsewhere, only_first;
};

struct usage {
    struct use_of_register *of;
    bool first_loops;
};

static void note_use(struct usage *u, uint32_t reg, uint32_t block, bool writes, bool guarded)
{
    struct use_of_register *use = &u->of[reg];
    if (!use->seen)
        *use = (struct use_of_register){
            .seen = true, .block = block, .elsewhere = !writes || guarded, .only_first = true};
    use->elsewhere |= use->block != block || (writes && guarded);
    use->only_first &= !writes || (block == 0 && !guarded && !u->first_loops);
}

static void note_operand(struct usage *u, const struct flat *flat, const struct operand *o, uint32_t block,
                         bool writes)
{
    bool guarded = flat->in->guard >= 0;
    if (o->kind == OPERAND_REGISTER)
        note_use(u, flat_register(flat, o), block, writes, guarded);
    for (unsigned i = 0; i < o->part_count; i++)
        if (o->parts[i].kind == OPERAND_REGISTER)
            note_use(u, flat_register(flat, &o->parts[i]), block, writes && o->kind != OPERAND_ADDRESS,
                     guarded);
}

static void find_direct(struct coder_of_ptx *c)
{
    struct flat_list *list = c->list;
    struct usage u = {.of = memory_take(list->register_count + 1u, sizeof *u.of)};
    for (uint32_t b = 0; b < list->block_count; b++)
        for (int i = 0; i < BLOCK_SUCCESSORS; i++)
            u.first_loops |= list->blocks[b].next[i] == 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct flat *flat = &list->at[i];
        uint32_t block = list->block_of[i];
        bool call = op_is(flat->in, "call");
        unsigned results = op_results(flat->in);
        if (flat->in->guard >= 0)
            note_use(&u, flat->frame->first_register + (uint32_t)flat->in->guard, block, false, false);
        for (unsigned k = flat->in->operand_count; k-- > 0;) /* what is read comes first */
            note_operand(&u, flat, &flat->in->operands[k], block, call || k < results);
        if (flat->home < 0)
            u.of[-flat->home].elsewhere = u.of[-flat->home].seen = true;
    }
    for (uint32_t r = 0; r < list->register_count; r++)
        c->is_direct[r] = u.of[r].seen && (!u.of[r].elsewhere || u.of[r].only_first);
    free(u.of);
}

/* Registers of calls' parameters are always assigned under a mask; a list's reader may be of any frame. */
static void forget_parameters(struct coder_of_ptx *c)
{
    for (size_t i = 0; i < c->list->count; i++)
        if (c->list->at[i].home < 0)
            c->is_direct[-c->list->at[i].home] = false;
    for (size_t i = 0; i < c->list->count; i++)
        if (op_is(c->list->at[i].in, "call"))
            for (unsigned k = 0; k < c->list->at[i].in->operand_count; k++) {
                const struct operand *o = &c->list->at[i].in->operands[k];
                for (unsigned n = 0; n < o->part_count; n++)
                    if (o->parts[n].kind == OPERAND_REGISTER)
                        c->is_direct[flat_register(&c->list->at[i], &o->parts[n])] = false;
            }
}

static void begin_instruction(struct coder_of_ptx *c, const struct flat *flat)
{
    struct program *p = c->program;
    c->flat = flat;
    c->in = flat->in;
    c->temporaries = 0;
    p->places = module_grow(p->places, p->place_count, &c->place_capacity, sizeof *p->places);
    p->places[p->place_count] = (struct place){c->module->source, flat->in->begin, flat->in->end};
    c->place = (uint32_t)p->place_count++;
}

static unsigned guard_of(struct coder_of_ptx *c)
{
    return coder_register(c, c->flat->frame->first_register + (uint32_t)c->in->guard);
}

static bool lower_plain(struct coder_of_ptx *c)
{
    size_t guard = 0;
    bool guarded = c->in->guard >= 0;
    if (guarded)
        guard = coder_emit(c, OP_GUARD, c->in->guard_negated, 0, guard_of(c), 0, 0);
    if (!lower_instruction(c))
        return false;
    if (guarded)
        c->program->code[guard].extra = (uint32_t)coder_emit(c, OP_UNGUARD, 0, 0, 0, 0, 0);
    return true;
}

#define NO_BLOCK (NO_FLAT - 1) /* nothing follows: a jump is needed wherever it leads */

/* A jump to a block, or to the end: an exit. Its target is the block's number until all are placed. */
static void lower_goto(struct coder_of_ptx *c, uint32_t to, uint32_t following)
{
    if (to == NO_FLAT)
        coder_emit(c, OP_EXIT, 0, 0, 0, 0, 0);
    else if (to != following)
        coder_emit(c, OP_GOTO, 0, 0, 0, 0, to);
}

/* Is there nothing in the block but an exit? Lanes that go there are done at once. */
static bool is_exit(const struct flat_list *list, uint32_t block)
{
    if (block == NO_FLAT)
        return true;
    const struct flat *first = &list->at[list->blocks[block].begin];
    return first->kind == FLAT_EXIT && first->in->guard < 0;
}

static void forget_register(struct coder_of_ptx *c, uint32_t of_list, unsigned data)
{
    if (!c->is_direct[of_list]) /* else nobody reads it elsewhere */
        coder_emit(c, OP_MOVE, 0, coder_register(c, of_list), data, 0, 0);
}

/* Where a branch turned out to depend on data: what the blocks that it decides write is data, and on where
 * the ways meet. */
static void lower_region(struct coder_of_ptx *c, const struct region *region, uint32_t following)
{
    const struct flat_list *list = c->list;
    unsigned data = coder_temporary(c);
    coder_emit(c, OP_DATA, 0, data, 0, 0, 0);
    for (uint32_t i = 0; i < region->count; i++)
        for (uint32_t at = list->blocks[region->blocks[i]].begin; at < list->blocks[region->blocks[i]].end;
             at++) {
            const struct flat *flat = &list->at[at];
            if (flat->home < 0 && op_is(flat->in, "st"))
                forget_register(c, (uint32_t)-flat->home, data);
            for (unsigned k = 0; k < op_results(flat->in); k++) {
                const struct operand *o = &flat->in->operands[k];
                if (o->kind == OPERAND_REGISTER)
                    forget_register(c, flat_register(flat, o), data);
                for (unsigned n = 0; o->kind != OPERAND_ADDRESS && n < o->part_count; n++)
                    if (o->parts[n].kind == OPERAND_REGISTER)
                        forget_register(c, flat_register(flat, &o->parts[n]), data);
            }
        }
    lower_goto(c, region->meet, following);
}

/* What follows a block's last instruction. */
static bool lower_end(struct coder_of_ptx *c, const struct block_of_ptx *block, uint32_t following)
{
    const struct flat_list *list = c->list;
    const struct flat *last = &list->at[block->end - 1];
    bool branches = last->kind == FLAT_BRANCH, exits = last->kind == FLAT_EXIT;
    begin_instruction(c, last);
    if (!branches && !exits) {
        lower_goto(c, block->next[0], following);
        return true;
    }
    uint32_t to = branches ? block->next[1] : NO_FLAT;
    bool negated = last->in->guard_negated != last->skips;
    if (last->in->guard < 0) {
        lower_goto(c, is_exit(list, to) ? NO_FLAT : to, following);
        return true;
    }
    struct region region = {0};
    bool passes = region_find(list, (uint32_t)(block - list->blocks), &region);
    size_t pass = passes ? coder_emit(c, OP_PASS_DATA, 0, 0, guard_of(c), 0, 0) : 0;
    if (is_exit(list, to)) { /* those for which the guard holds are done: the others go around the exit */
        size_t around = coder_emit(c, OP_BRANCH, !negated, 0, guard_of(c), 0, 0);
        coder_emit(c, OP_EXIT, 0, 0, 0, 0, 0);
        c->program->code[around].extra = (uint32_t)coder_emit(c, OP_JOIN, 0, 0, 0, 0, 1);
        c->program->code[around].b = 1; /* its target is known */
    } else {
        coder_emit(c, OP_BRANCH, negated, 0, guard_of(c), 0, to);
    }
    lower_goto(c, is_exit(list, block->next[0]) ? NO_FLAT : block->next[0], passes ? NO_BLOCK : following);
    if (passes) {
        c->program->code[pass].extra = (uint32_t)c->program->code_count;
        lower_region(c, &region, following);
        region_free(&region);
    }
    return true;
}

static bool lower_block(struct coder_of_ptx *c, uint32_t b, uint32_t following)
{
    const struct block_of_ptx *block = &c->list->blocks[b];
    begin_instruction(c, &c->list->at[block->begin]);
    coder_emit(c, OP_JOIN, 0, 0, 0, 0, 0);
    for (uint32_t i = block->begin; i < block->end; i++) {
        if (c->list->at[i].kind != FLAT_PLAIN)
            break;
        begin_instruction(c, &c->list->at[i]);
        if (!lower_plain(c))
            return false;
    }
    return lower_end(c, block, following);
}

/* Registers that lanes assign under a mask begin without a value in each block of the launch. */
static void lower_beginning(struct coder_of_ptx *c)
{
    for (uint32_t r = 0; r < c->list->register_count; r++)
        if (c->register_of[r] && !c->is_direct[r])
            coder_emit(c, OP_UNSET, 0, c->register_of[r] - 1u, 0, 0, 0);
}

static bool lower_blocks(struct coder_of_ptx *c)
{
    struct flat_list *list = c->list;
    struct program *p = c->program;
    uint32_t *starts = memory_take(list->block_count + 1u, sizeof *starts);
    bool ok = true;
    for (uint32_t i = 0; ok && i < list->order_count; i++) {
        starts[list->order[i]] = (uint32_t)p->code_count;
        ok = lower_block(c, list->order[i], i + 1 < list->order_count ? list->order[i + 1] : NO_FLAT) &&
             !c->problem->set;
    }
    for (size_t i = 0; ok && i < p->code_count; i++)
        if (p->code[i].op == OP_GOTO || (p->code[i].op == OP_BRANCH && !p->code[i].b))
            p->code[i].extra = starts[p->code[i].extra];
    free(starts);
    if (!ok)
        return false;
    /* the beginning stands in front: places in the code move on */
    size_t body = p->code_count;
    lower_beginning(c);
    size_t more = p->code_count - body;
    struct instruction *all = memory_take(p->code_count + 1, sizeof *all);
    if (p->code) {
        memcpy(all, p->code + body, more * sizeof *all);
        memcpy(all + more, p->code, body * sizeof *all);
    }
    free(p->code);
    p->code = all;
    for (size_t i = more; i < p->code_count; i++)
        if (all[i].op == OP_GOTO || all[i].op == OP_BRANCH || all[i].op == OP_GUARD ||
            all[i].op == OP_PASS_DATA)
            all[i].extra += (uint32_t)more;
    for (size_t i = more; i < p->code_count; i++)
        if (all[i].op == OP_BRANCH)
            all[i].b = 0;
    all[p->code_count++] = (struct instruction){.op = OP_STOP};
    return true;
}

static uint32_t renumber(const struct program *p, uint32_t reg)
{
    return reg >= CODER_REGISTERS ? reg - CODER_REGISTERS + p->first_constant : reg;
}

/* Gives the constants the registers behind all others. */
static void number_constants(struct program *p)
{
    p->first_constant = p->register_count;
    p->register_count += p->constant_count;
    for (size_t i = 0; i < p->code_count; i++) {
        struct instruction *at = &p->code[i];
        at->dst = (uint16_t)renumber(p, at->dst);
        at->a = (uint16_t)renumber(p, at->a);
        at->b = (uint16_t)renumber(p, at->b);
        if (at->op == OP_SELECT || at->op == OP_BITS || at->op == OP_SHUFFLE)
            at->extra = (at->extra & 0xffff0000u) | renumber(p, at->extra & 0xffff);
    }
}

static bool lower_program(struct coder_of_ptx *c, const struct function_of_ptx *kernel)
{
    struct program *p = c->program;
    take_parameters(c, kernel);
    if (!take_shared(c))
        return false;
    p->first_builtin = p->parameter_count;
    c->first_temporary = p->first_builtin + BUILTIN_COUNT + p->shared_count;
    c->next_register = c->first_temporary + CODER_TEMPORARIES;
    find_direct(c);
    forget_parameters(c);
    p->places = module_grow(p->places, 0, &c->place_capacity, sizeof *p->places);
    p->places[p->place_count++] = (struct place){p->source, p->begin, p->end};
    if (!lower_blocks(c))
        return false;
    p->register_count = c->next_register;
    number_constants(p);
    p->mask_depth = 36; /* frames: lanes that wait each hold one lane at least (exec/parting.h) */
    p->granule = c->granule;
    finish_parameters(c);
    return true;
}

bool ptx_code(struct flat_list *list, const struct function_of_ptx *kernel, const char *name,
              struct program *program)
{
    *program = (struct program){.name = name,
                                .source = list->module->source,
                                .begin = kernel->begin,
                                .end = kernel->end,
                                .is_compiled = true};
    struct coder_of_ptx c = {
        .list = list, .program = program, .module = list->module, .problem = list->problem, .granule = 16};
    find_lines(&c);
    c.register_of = memory_take(list->register_count + 1u, sizeof *c.register_of);
    c.is_direct = memory_take(list->register_count + 1u, sizeof *c.is_direct);
    c.constant_slots = memory_take(0x10000, sizeof *c.constant_slots);
    program->constants = memory_take(CODER_CONSTANTS, sizeof *program->constants);
    bool ok = lower_program(&c, kernel) && !list->problem->set;
    free(c.line_starts);
    free(c.register_of);
    free(c.is_direct);
    free(c.constant_slots);
    return ok;
}

void ptx_program_free(struct program *program)
{
    free(program->code);
    free(program->places);
    free(program->constants);
    free(program->parameters);
    free(program->shared);
    free(program->sites);
    *program = (struct program){0};
}
