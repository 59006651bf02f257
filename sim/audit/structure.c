#include "structure.h"

static bool is_access(const struct instruction *at)
{
    return at->op == OP_LOAD || at->op == OP_STORE || at->op == OP_ATOMIC;
}

/* Where the access is in the code; false for compiled code. */
static bool find_site(const struct program *program, unsigned site, size_t *pc)
{
    for (*pc = 0; !program->is_compiled && *pc < program->code_count; ++*pc)
        if (is_access(&program->code[*pc]) && program->code[*pc].extra == site)
            return true;
    return false;
}

static bool is_if(const struct instruction *at)
{
    return at->op == OP_IF || at->op == OP_IF_COMPARE || at->op == OP_NARROW || at->op == OP_NARROW_COMPARE;
}

static size_t loop_end(const struct program *program, size_t pc)
{
    unsigned depth = 1;
    for (pc++; pc < program->code_count; pc++) {
        depth += program->code[pc].op == OP_LOOP;
        if (program->code[pc].op == OP_LOOP_END && --depth == 0)
            return pc;
    }
    return pc;
}

static bool returns_within(const struct program *program, size_t from, size_t to)
{
    for (size_t pc = from; pc < to && pc < program->code_count; pc++)
        if (program->code[pc].op == OP_RETURN)
            return true;
    return false;
}

bool structure_guard(const struct program *program, unsigned site, bool loop_first, struct place *guard)
{
    size_t at;
    const struct instruction *around = NULL, *leaves = NULL, *loop = NULL;
    if (!find_site(program, site, &at))
        return false;
    bool waits = false; /* a barrier comes behind `leaves` */
    for (size_t pc = 0; pc < at; pc++) {
        const struct instruction *here = &program->code[pc];
        waits = waits || (leaves && (here->op == OP_BARRIER || here->op == OP_BARRIER_VOTE));
        if (is_if(here) && here->extra > at)
            around = here;
        else if (is_if(here) && returns_within(program, pc, here->extra))
            leaves = here;
        else if (here->op == OP_LOOP && loop_end(program, pc) > at)
            loop = here;
    }
    const struct instruction *best = waits                ? leaves
                                     : loop_first && loop ? loop
                                     : around             ? around
                                     : leaves             ? leaves
                                                          : loop;
    if (best)
        *guard = program->places[best->place];
    return best != NULL;
}

/* The outermost loop around `inside` that is not around `outside`. */
static const struct instruction *loop_of_one(const struct program *program, size_t inside, size_t outside)
{
    for (size_t pc = 0; pc < inside; pc++) {
        if (program->code[pc].op != OP_LOOP)
            continue;
        size_t end = loop_end(program, pc);
        if (end > inside && !(pc < outside && outside < end))
            return &program->code[pc];
    }
    return NULL;
}

static int line_at(const struct source *source, size_t offset)
{
    int line, column;
    source_place(source, offset, &line, &column);
    return line;
}

int structure_barrier_line(const struct program *program, unsigned first, unsigned second, bool *after)
{
    size_t a, b;
    *after = false;
    if (!find_site(program, first, &a) || !find_site(program, second, &b))
        return 0;
    *after = b < a || first == second; /* the second is of a later time round a loop */
    const struct instruction *loop = *after ? loop_of_one(program, a, b) : loop_of_one(program, b, a);
    const struct place *place =
        loop ? &program->places[loop->place] : &program->sites[*after ? first : second].place;
    if (!place->source)
        return 0;
    return line_at(place->source, *after && place->end ? place->end - 1 : place->begin);
}
