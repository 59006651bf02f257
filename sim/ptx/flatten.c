/* flatten.c - a kernel with the functions that it calls in place. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flat.h"

bool flat_fail(const struct flat_list *list, const struct flat *flat, const char *format, ...)
{
    char message[PROBLEM_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return problem_at(list->problem, list->module->source, flat->in->begin, "%s", message);
}

bool op_is(const struct ptx_instruction *in, const char *name)
{
    size_t length = strlen(name);
    return in->op_length >= length && memcmp(in->op, name, length) == 0 &&
           (in->op_length == length || in->op[length] == '.');
}

/* The part of the name at `*at`, which is moved behind it; length 0: there is none left. */
static size_t next_part(const struct ptx_instruction *in, size_t *at, const char **part)
{
    size_t begin = *at;
    while (begin < in->op_length && in->op[begin] != '.')
        begin++;
    size_t end = begin + (begin < in->op_length);
    *part = in->op + end;
    begin = end;
    while (end < in->op_length && in->op[end] != '.')
        end++;
    *at = end;
    return end - begin;
}

bool op_has(const struct ptx_instruction *in, const char *word)
{
    size_t at = 0, length, want = strlen(word);
    const char *part;
    while ((length = next_part(in, &at, &part)) > 0)
        if (length == want && memcmp(part, word, want) == 0)
            return true;
    return false;
}

bool op_type(const struct ptx_instruction *in, unsigned i, struct ptx_type *type)
{
    size_t at = 0, length;
    const char *part;
    while ((length = next_part(in, &at, &part)) > 0)
        if (type_read(part, length, type) && i-- == 0)
            return true;
    return false;
}

unsigned op_results(const struct ptx_instruction *in)
{
    static const char *const none[] = {"st",         "red",
                                       "bra",        "brx",
                                       "call",       "bar",
                                       "barrier",    "membar",
                                       "fence",      "ret",
                                       "exit",       "trap",
                                       "prefetch",   "prefetchu",
                                       "nanosleep",  "cp",
                                       "stmatrix",   "brkpt",
                                       "pmevent",    "wgmma",
                                       "setmaxnreg", "griddepcontrol",
                                       "discard",    "stackrestore"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (op_is(in, none[i]))
            return op_is(in, "bar") || op_is(in, "barrier") ? op_has(in, "red") : 0;
    return in->operand_count > 0;
}

static struct flat *add(struct flat_list *list, enum flat_kind kind, const struct ptx_instruction *in,
                        struct frame_of_call *frame)
{
    if (list->count == PTX_FLAT_LIMIT) {
        problem_at(list->problem, list->module->source, in->begin,
                   "with its calls in place this kernel has more than %d instructions", PTX_FLAT_LIMIT);
        return NULL;
    }
    list->at = module_grow(list->at, list->count, &list->capacity, sizeof *list->at);
    struct flat *flat = &list->at[list->count++];
    *flat = (struct flat){.kind = kind, .in = in, .frame = frame, .target = NO_FLAT};
    return flat;
}

static bool is_ancestor(const struct function_of_ptx *f, uint32_t scope, uint32_t inner)
{
    while (inner != scope && inner)
        inner = f->scope_parents[inner];
    return inner == scope;
}

/* The label that the name means within that scope: the innermost. */
static const struct label *find_label(const struct function_of_ptx *f, const struct name *name,
                                      uint32_t scope)
{
    const struct label *best = NULL;
    for (const struct label *label = name->labels; label; label = label->next)
        if (label->function == f && is_ancestor(f, label->scope, scope) &&
            (!best || label->scope > best->scope))
            best = label;
    return best;
}

static bool flatten_function(struct flat_list *list, struct frame_of_call *frame, unsigned depth);

/* call (results), name, (arguments): what it calls, and its lists. */
static struct name *read_call(const struct ptx_instruction *in, struct frame_of_call *frame)
{
    struct name *name = NULL;
    for (unsigned i = 0; i < in->operand_count; i++) {
        const struct operand *o = &in->operands[i];
        if (o->kind == OPERAND_LIST && !name && !frame->results)
            frame->results = o;
        else if (o->kind == OPERAND_LIST && !frame->arguments)
            frame->arguments = o;
        else if (o->kind == OPERAND_REGISTER) /* which function it calls is known when it runs */
            return NULL;
        else if (o->kind == OPERAND_NAME && !name)
            name = o->name;
    }
    return name;
}

static bool flatten_call(struct flat_list *list, const struct ptx_instruction *in,
                         struct frame_of_call *caller, unsigned depth)
{
    struct frame_of_call *frame = arena_take(&list->module->arena, sizeof *frame);
    *frame = (struct frame_of_call){.caller = caller};
    struct name *name = read_call(in, frame);
    struct flat *at = add(list, FLAT_PLAIN, in, caller);
    if (!at)
        return false;
    if (!name)
        return flat_fail(list, at,
                         "a call through a register is not supported: which function it calls is not "
                         "known from the text");
    if (!name->function || !name->function->has_body)
        return true; /* outside: what it returns is data */
    if (depth == PTX_CALL_DEPTH)
        return flat_fail(list, at, "calls are nested more than %d deep here, or %s calls itself",
                         PTX_CALL_DEPTH, name->text);
    frame->function = name->function;
    list->count--;
    if (in->guard >= 0) {
        at->kind = FLAT_BRANCH;
        at->skips = true;
        list->count++;
    }
    size_t skip = list->count - 1;
    frame->first_register = list->register_count;
    list->register_count += (uint32_t)frame->function->register_count;
    if (!flatten_function(list, frame, depth + 1))
        return false;
    if (in->guard >= 0)
        list->at[skip].target = (uint32_t)list->count;
    return true;
}

static bool flatten_branch(struct flat_list *list, const struct ptx_instruction *in,
                           struct frame_of_call *frame)
{
    struct flat *flat = add(list, FLAT_BRANCH, in, frame);
    if (!flat)
        return false;
    const struct operand *to = in->operand_count ? &in->operands[0] : NULL;
    if (!to || to->kind != OPERAND_NAME)
        return flat_fail(list, flat, "a branch names a label");
    const struct label *label = find_label(frame->function, to->name, in->scope);
    if (!label)
        return flat_fail(list, flat, "there is no label %.60s here", to->name->text);
    flat->target = label->at; /* of the function; resolve() makes it one of the list */
    return true;
}

static void resolve(struct flat_list *list, const struct frame_of_call *frame, size_t first)
{
    for (size_t i = first; i < list->count; i++) {
        struct flat *flat = &list->at[i];
        if (flat->frame != frame || flat->kind != FLAT_BRANCH || flat->skips)
            continue;
        flat->target = flat->target == NO_FLAT ? frame->end : frame->flat_of[flat->target];
    }
}

static bool flatten_instruction(struct flat_list *list, const struct ptx_instruction *in,
                                struct frame_of_call *frame, unsigned depth)
{
    if (op_is(in, "call"))
        return flatten_call(list, in, frame, depth);
    if (op_is(in, "bra"))
        return flatten_branch(list, in, frame);
    if (op_is(in, "ret") && frame->caller)
        return add(list, FLAT_BRANCH, in, frame) != NULL; /* to the frame's end */
    bool ends = op_is(in, "ret") || op_is(in, "exit") || op_is(in, "trap");
    return add(list, ends ? FLAT_EXIT : FLAT_PLAIN, in, frame) != NULL;
}

static bool flatten_function(struct flat_list *list, struct frame_of_call *frame, unsigned depth)
{
    struct function_of_ptx *f = frame->function;
    size_t first = list->count;
    frame->flat_of = arena_take(&list->module->arena, (f->instruction_count + 1) * sizeof *frame->flat_of);
    for (size_t i = 0; i < f->instruction_count; i++) {
        frame->flat_of[i] = (uint32_t)list->count;
        if (!flatten_instruction(list, &f->instructions[i], frame, depth))
            return false;
    }
    frame->flat_of[f->instruction_count] = frame->end = (uint32_t)list->count;
    resolve(list, frame, first);
    return true;
}

bool flatten(struct flat_list *list, struct function_of_ptx *kernel)
{
    struct frame_of_call *frame = arena_take(&list->module->arena, sizeof *frame);
    *frame = (struct frame_of_call){.function = kernel};
    list->register_count = (uint32_t)kernel->register_count;
    return flatten_function(list, frame, 0);
}

void flat_list_free(struct flat_list *list)
{
    free(list->at);
    free(list->blocks);
    free(list->block_of);
    free(list->order);
    free(list->roots);
}

/* Which place has the variable in that list of parameters? -1: none. */
static int index_in(const struct variable *list, const struct variable *variable)
{
    int index = 0;
    for (; list; list = list->next, index++)
        if (list == variable)
            return index;
    return -1;
}

struct home flat_home(struct frame_of_call *frame, const struct variable *variable, int64_t offset)
{
    for (unsigned i = 0; frame->caller && i <= PTX_CALL_DEPTH; i++) {
        int argument = index_in(frame->function->parameters, variable);
        int result = index_in(frame->function->results, variable);
        const struct operand *list = argument >= 0 ? frame->arguments : frame->results;
        unsigned index = (unsigned)(argument >= 0 ? argument : result);
        if (argument < 0 && result < 0)
            break;
        if (!list || index >= list->part_count)
            return (struct home){.frame = frame, .variable = variable, .offset = offset};
        const struct operand *actual = &list->parts[index];
        frame = frame->caller;
        if (actual->kind != OPERAND_VARIABLE)
            return (struct home){.frame = frame, .operand = actual};
        variable = actual->variable;
        offset = sum_wrapped(offset, actual->value);
    }
    return (struct home){.frame = frame, .variable = variable, .offset = offset};
}
