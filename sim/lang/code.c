/* code.c - the program under construction: instructions, constants, sites, shared memory. */
#include "code.h"
#include "quiet.h"

#include <stdlib.h>
#include <string.h>

/* Doubles the array `*at` of `*capacity` items of `size` bytes when `count` fills it. */
static void grow(void *at, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return;
    void *old;
    memcpy(&old, at, sizeof old);
    *capacity = *capacity ? 2 * *capacity : 64;
    void *grown = memory_resize(old, *capacity, size);
    memcpy(at, &grown, sizeof grown);
}

uint32_t code_place(struct coder *coder, const struct source *source, uint32_t begin, uint32_t end)
{
    struct program *p = coder->program;
    if (p->place_count) {
        const struct place *last = &p->places[p->place_count - 1];
        if (last->source == source && last->begin == begin && last->end == end)
            return (uint32_t)p->place_count - 1;
    }
    grow(&p->places, p->place_count, &coder->place_capacity, sizeof *p->places);
    p->places[p->place_count] = (struct place){source, begin, end};
    return (uint32_t)p->place_count++;
}

size_t code_emit(struct coder *coder, enum opcode op, unsigned dst, unsigned a, unsigned b,
                 const struct expr *where)
{
    struct program *p = coder->program;
    grow(&p->code, p->code_count, &coder->code_capacity, sizeof *p->code);
    uint32_t place = where ? code_place(coder, where->source, where->begin, where->end) : 0;
    p->code[p->code_count] = (struct instruction){
        .op = (uint8_t)op, .dst = (uint16_t)dst, .a = (uint16_t)a, .b = (uint16_t)b, .place = place};
    return p->code_count++;
}

unsigned code_registers(struct coder *coder, unsigned count)
{
    unsigned first = coder->next_register;
    if (first > CODE_REGISTER_LIMIT || count > CODE_REGISTER_LIMIT - first) {
        problem_at(coder->problem, coder->program->source, coder->program->begin,
                   "this kernel needs more than %u registers here", CODE_REGISTER_LIMIT);
        return 0;
    }
    memset(coder->is_variable + first, 0, count * sizeof *coder->is_variable);
    coder->next_register += count;
    if (coder->next_register > coder->program->register_count)
        coder->program->register_count = coder->next_register;
    return first;
}

unsigned code_variable(struct coder *coder, unsigned count)
{
    unsigned first = code_registers(coder, count);
    for (unsigned i = 0; i < count; i++)
        coder->is_variable[first + i] = true;
    return first;
}

static unsigned add_constant(struct coder *coder, struct constant constant, const struct expr *where)
{
    struct program *p = coder->program;
    for (unsigned i = 0; i < p->constant_count; i++)
        if (p->constants[i].value == constant.value && p->constants[i].is_data == constant.is_data &&
            p->constants[i].is_real == constant.is_real)
            return CODE_FIRST_CONSTANT + i;
    if (p->constant_count == CODE_CONSTANT_LIMIT) {
        problem_at(coder->problem, where->source, where->begin, "this kernel has more than %u constants",
                   CODE_CONSTANT_LIMIT);
        return 0;
    }
    grow(&p->constants, p->constant_count, &coder->constant_capacity, sizeof *p->constants);
    p->constants[p->constant_count] = constant;
    return CODE_FIRST_CONSTANT + p->constant_count++;
}

unsigned code_constant(struct coder *coder, int64_t value, bool is_data, const struct expr *where)
{
    return add_constant(coder, (struct constant){.value = value, .is_data = is_data}, where);
}

unsigned code_real(struct coder *coder, double real, const struct expr *where)
{
    struct constant constant = {.is_data = true, .is_real = true, .real = real};
    memcpy(&constant.value, &real, sizeof real);
    return add_constant(coder, constant, where);
}

uint32_t code_narrowing(struct coder *coder, const struct type *from, const struct type *to)
{
    struct program *p = coder->program;
    grow(&p->narrowings, p->narrowing_count, &coder->narrowing_capacity, sizeof *p->narrowings);
    p->narrowings[p->narrowing_count] = (struct narrowing){*from, *to, -1};
    p->narrowings[p->narrowing_count].from.is_const = p->narrowings[p->narrowing_count].to.is_const = false;
    return (uint32_t)++p->narrowing_count;
}

uint32_t code_scale(struct coder *coder, uint64_t scale)
{
    struct program *p = coder->program;
    for (size_t i = 0; i < p->scale_count && i < 64; i++)
        if (p->scales[i] == scale)
            return (uint32_t)i;
    grow(&p->scales, p->scale_count, &coder->scale_capacity, sizeof *p->scales);
    p->scales[p->scale_count] = scale;
    return (uint32_t)p->scale_count++;
}

static void find_lines(struct coder *coder)
{
    const struct source *source = coder->program->source;
    size_t capacity = 0;
    for (size_t i = 0; i <= source->size; i++)
        if (i == 0 || source->bytes[i - 1] == '\n') {
            grow(&coder->line_starts, coder->line_count, &capacity, sizeof *coder->line_starts);
            coder->line_starts[coder->line_count++] = (uint32_t)i;
        }
}

static void set_line(const struct coder *coder, struct site *site)
{
    size_t low = 0, high = coder->line_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (coder->line_starts[middle] <= site->place.begin)
            low = middle;
        else
            high = middle;
    }
    site->line = (int)low + 1;
    site->column = (int)(site->place.begin - coder->line_starts[low]) + 1;
}

unsigned code_slots(const struct type *type)
{
    uint64_t slots = type_slots(type);
    return slots > CODE_REGISTER_LIMIT ? CODE_REGISTER_LIMIT + 1 : (unsigned)slots;
}

unsigned code_site(struct coder *coder, const struct expr *memory, enum access_op op)
{
    struct program *p = coder->program;
    uint64_t bytes = type_size(&memory->type);
    if (p->site_count == CODE_SITE_LIMIT) {
        problem_at(coder->problem, memory->source, memory->begin, "this kernel has more than %u accesses",
                   CODE_SITE_LIMIT);
        return 0;
    }
    grow(&p->sites, p->site_count, &coder->site_capacity, sizeof *p->sites);
    struct site *site = &p->sites[p->site_count];
    *site = (struct site){.id = p->site_count,
                          .kind = access_kind_of(memory->type.space, op),
                          .lane_bytes = (unsigned)bytes,
                          .components = memory->type.components,
                          .buffer = pointer_root(memory->a),
                          .place = {memory->source, memory->begin, memory->end},
                          .in_macro = memory->in_macro};
    if (memory->source == p->source)
        set_line(coder, site);
    else
        source_place(memory->source, memory->begin, &site->line, &site->column);
    if (site->kind->space == SPACE_GLOBAL && site->buffer >= 0) {
        p->parameters[site->buffer].is_stored |= site->kind->writes;
        p->parameters[site->buffer].is_loaded |= site->kind->reads;
    }
    if (memory->type.bytes < p->granule)
        p->granule = memory->type.bytes;
    return p->site_count++;
}

void code_open_mask(struct coder *coder)
{
    if (++coder->mask_depth > coder->program->mask_depth)
        coder->program->mask_depth = coder->mask_depth;
}

void code_close_mask(struct coder *coder)
{
    coder->mask_depth--;
}

enum number_kind code_number_kind(const struct type *type)
{
    int size = type->bytes == 1 ? 0 : type->bytes == 2 ? 1 : type->bytes == 4 ? 2 : 3;
    return (enum number_kind)(2 * size + !type->is_signed);
}

/* When a compiler comes to an array: those of the file and of functions stand where they are defined; a
 * template's instantiations come at the end of the text, each after those that it calls. */
static unsigned shared_stage(const struct kernel_tree *tree, const struct symbol *symbol)
{
    bool is_before = symbol->declared < tree->name_token;
    if (!symbol->finished && !is_before)
        return tree->is_template ? 4 : 1;
    if (symbol->is_of_template)
        return 3;
    return tree->is_template || is_before ? 0 : 2;
}

static bool shared_comes_before(const struct kernel_tree *tree, unsigned a, unsigned b)
{
    const struct symbol *x = tree->shared[a], *y = tree->shared[b];
    unsigned stage = shared_stage(tree, x), other = shared_stage(tree, y);
    if (stage != other)
        return stage < other;
    if (stage == 3 && x->finished != y->finished)
        return x->finished < y->finished;
    return stage == 0 || stage == 2 ? x->declared < y->declared : a < b;
}

static void order_shared(const struct kernel_tree *tree, unsigned *order)
{
    for (unsigned i = 0; i < tree->shared_count; i++) {
        unsigned at = i;
        for (; at > 0 && shared_comes_before(tree, i, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* Static arrays in the order in which a compiler comes to them, each at its alignment; dynamic ones share the
 * next multiple of 16. Measured on sm_90 with nvcc 13.0 (docs/model.md). */
static bool place_shared(struct coder *coder, const struct kernel_tree *tree)
{
    struct program *p = coder->program;
    p->shared = memory_take(tree->shared_count, sizeof *p->shared);
    p->shared_count = tree->shared_count;
    uint64_t at = 0;
    unsigned *order = memory_take(tree->shared_count + 1u, sizeof *order);
    order_shared(tree, order);
    for (unsigned place = 0; place < tree->shared_count; place++) {
        unsigned i = order[place];
        const struct symbol *symbol = tree->shared[i];
        struct type element = symbol->type;
        while (element.kind == TYPE_ARRAY)
            element = *element.to;
        p->shared[i] = (struct shared_array){
            .name = symbol->name, .element = element, .type = symbol->type, .dynamic = symbol->is_dynamic};
        if (symbol->is_dynamic) {
            p->has_dynamic_shared = true;
            continue;
        }
        at = (at + symbol->alignment - 1) / symbol->alignment * symbol->alignment;
        p->shared[i].offset = at;
        p->shared[i].bytes = type_size(&symbol->type);
        at += p->shared[i].bytes;
        if (at > UINT64_C(1) << 32)
            break;
    }
    free(order);
    if (at > UINT64_C(1) << 32)
        return problem_at(coder->problem, p->source, p->begin,
                          "the shared arrays are larger than 4 GiB together");
    p->static_shared_bytes = at;
    for (unsigned i = 0; i < tree->shared_count; i++)
        if (p->shared[i].dynamic)
            p->shared[i].offset = program_dynamic_offset(p);
    return true;
}

static void take_parameters(struct program *p, const struct kernel_tree *tree)
{
    p->parameters = memory_take(tree->parameter_count, sizeof *p->parameters);
    p->parameter_count = tree->parameter_count;
    for (unsigned i = 0; i < tree->parameter_count; i++)
        p->parameters[i] = (struct parameter){.name = tree->parameters[i]->name,
                                              .type = tree->parameters[i]->type,
                                              .origin = tree->parameters[i]->origin,
                                              .own_bytes = tree->parameters[i]->own_bytes,
                                              .pointed_from = (int)tree->parameters[i]->position,
                                              .has_default = tree->parameters[i]->has_default,
                                              .default_value = tree->parameters[i]->value,
                                              .position = tree->parameters[i]->position,
                                              .part = tree->parameters[i]->part,
                                              .offset = tree->parameters[i]->offset,
                                              .whole_bytes = tree->parameters[i]->whole_bytes};
}

/* How many registers it writes, from dst on. */
static unsigned written(const struct program *p, const struct instruction *at)
{
    switch (at->op) {
    case OP_LOAD:
        return p->sites[at->extra].components;
    case OP_PUT:
        return at->extra + 1;
    case OP_PASS_DATA:
        return at->b;
    case OP_BARRIER_VOTE:
        return 1;
    default:
        return at->op < OP_LOAD; /* what comes after it stores, branches or waits */
    }
}

static void find_changed_parameters(struct program *p)
{
    for (size_t i = 0; i < p->code_count; i++)
        for (unsigned k = written(p, &p->code[i]); k > 0; k--) {
            unsigned parameter = p->code[i].dst + k - 1 - p->first_parameter;
            if (parameter < p->parameter_count)
                p->parameters[parameter].is_changed = true;
        }
}

/* Gives the constants the registers behind all others. */
static void number_constants(struct program *p)
{
    for (size_t i = 0; i < p->code_count; i++) {
        uint16_t *fields[] = {&p->code[i].dst, &p->code[i].a, &p->code[i].b};
        for (int f = 0; f < 3; f++)
            if (*fields[f] >= CODE_FIRST_CONSTANT)
                *fields[f] = (uint16_t)(*fields[f] - CODE_FIRST_CONSTANT + p->register_count);
    }
    p->first_constant = p->register_count;
    p->register_count += p->constant_count;
}

/* The kernel may change its parameters. */
static void keep_pointer_bases(struct coder *coder, const struct kernel_tree *tree)
{
    for (unsigned i = 0; i < tree->parameter_count; i++) {
        unsigned root = tree->parameters[i]->position;
        if (tree->parameters[i]->origin != ORIGIN_POINTEE || coder->pointer_base[root])
            continue;
        coder->pointer_base[root] = code_variable(coder, 1);
        code_emit(coder, OP_SET, coder->pointer_base[root], coder->program->first_parameter + root, 0, NULL);
    }
}

bool code_kernel(const struct kernel_tree *tree, const struct source *source, struct arena *arena,
                 struct program *program, struct problem *problem)
{
    struct coder coder = {.program = program, .tree = tree, .arena = arena, .problem = problem};
    *program = (struct program){
        .name = tree->name, .source = source, .begin = tree->begin, .end = tree->end, .granule = 16};
    take_parameters(program, tree);
    if (!place_shared(&coder, tree))
        return false;
    find_lines(&coder);
    coder.is_variable = memory_take(CODE_REGISTER_LIMIT, sizeof *coder.is_variable);
    program->first_builtin = tree->parameter_count;
    code_variable(&coder, tree->parameter_count + BUILTIN_COUNT + tree->shared_count);
    keep_pointer_bases(&coder, tree);
    code_statement(&coder, tree->body);
    code_emit(&coder, OP_STOP, 0, 0, 0, NULL);
    if (!program->place_count)
        code_place(&coder, source, tree->begin, tree->begin);
    find_changed_parameters(program);
    if (tree->uncounted)
        program->uncounted =
            (struct place){tree->uncounted->source, tree->uncounted->begin, tree->uncounted->end};
    number_constants(program);
    if (!problem->set)
        quiet_find_all(program);
    free(coder.line_starts);
    free(coder.is_variable);
    return !problem->set;
}

void program_free(struct program *program)
{
    free(program->code);
    free(program->places);
    free(program->scales);
    free(program->narrowings);
    free(program->quiets);
    free(program->constants);
    free(program->parameters);
    free(program->shared);
    free(program->sites);
    *program = (struct program){0};
}
