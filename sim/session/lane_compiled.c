#include "lane_compiled.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum { CHAIN = 16, OPERAND_SIZE = 40 }; /* how far a register is followed to where it comes from */

struct reader {
    const struct program *program;
    const struct execution *execution;
    unsigned lane;
};

static bool number_in(const struct reader *r, unsigned reg, int64_t *value)
{
    unsigned first = r->program->first_constant;
    if (reg >= first && reg - first < r->program->constant_count) {
        *value = r->program->constants[reg - first].value;
        return !r->program->constants[reg - first].is_data;
    }
    return execution_lane_number(r->execution, reg, r->lane, value);
}

/* The last instruction before `at` that fills the register; NULL: none. */
static const struct instruction *writer_of(const struct program *program, unsigned reg, size_t at)
{
    while (at-- > 0) {
        const struct instruction *i = &program->code[at];
        if (i->op < OP_STORE && i->dst == reg)
            return i;
    }
    return NULL;
}

/* Past copies, from `at` backwards. */
static const struct instruction *origin_of(const struct program *program, unsigned reg, size_t at)
{
    const struct instruction *from = writer_of(program, reg, at);
    for (int i = 0; i < CHAIN && from && (from->op == OP_SET || from->op == OP_MOVE); i++)
        from = writer_of(program, from->a, (size_t)(from - program->code));
    return from;
}

/* The parameter or built-in that a register holds a copy of, by name; NULL: neither. */
static const char *name_of(const struct program *program, unsigned reg, size_t at)
{
    static const char *const builtins[BUILTIN_COUNT] = {
        "threadIdx.x", "threadIdx.y", "threadIdx.z", "blockIdx.x", "blockIdx.y", "blockIdx.z",
        "blockDim.x",  "blockDim.y",  "blockDim.z",  "gridDim.x",  "gridDim.y",  "gridDim.z"};
    for (int i = 0; i < CHAIN; i++) {
        if (reg >= program->first_parameter && reg < program->first_parameter + program->parameter_count)
            return program->parameters[reg - program->first_parameter].name;
        if (reg >= program->first_builtin && reg < program->first_builtin + BUILTIN_COUNT)
            return builtins[reg - program->first_builtin];
        const struct instruction *from = writer_of(program, reg, at);
        if (!from || (from->op != OP_SET && from->op != OP_MOVE && from->op != OP_CONVERT))
            return NULL;
        at = (size_t)(from - program->code);
        reg = from->a;
    }
    return NULL;
}

/* The text of operand `index` of the instruction there: "%r3". "" where there is none. */
static void operand_text(const struct place *place, unsigned index, char out[OPERAND_SIZE])
{
    const char *bytes = place->source->bytes;
    uint32_t at = place->begin, size = 0;
    while (at < place->end && !isspace((unsigned char)bytes[at])) /* its name */
        at++;
    for (unsigned commas = 0; at < place->end && bytes[at] != ';' && commas <= index; at++) {
        if (bytes[at] == ',')
            commas++;
        else if (commas == index && !isspace((unsigned char)bytes[at]) && size + 1 < OPERAND_SIZE)
            out[size++] = bytes[at];
    }
    out[size] = '\0';
}

static bool place_has(const struct place *place, const char *part)
{
    const char *bytes = place->source->bytes;
    size_t length = strlen(part);
    for (uint32_t at = place->begin; at + length <= place->end && !isspace((unsigned char)bytes[at]); at++)
        if (memcmp(bytes + at, part, length) == 0)
            return true;
    return false;
}

/* "cols (70)", "%r3 (71)", "31". */
static void say_operand(const struct reader *r, const struct instruction *compare, unsigned reg,
                        unsigned index, int64_t value, struct words *words)
{
    char text[OPERAND_SIZE];
    const char *name = name_of(r->program, reg, (size_t)(compare - r->program->code));
    operand_text(&r->program->places[compare->place], index, text);
    if (name || text[0] == '%')
        words_say(words, "%s (%" PRId64 ")", name ? name : text, value);
    else
        words_say(words, "%" PRId64, value);
}

/* "%r3 (71) >= cols (70)"; false where its operands have no numbers, or not this result. */
static bool say_comparison(const struct reader *r, const struct instruction *at, bool result,
                           struct words *words)
{
    int64_t a, b;
    if (!number_in(r, at->a, &a) || !number_in(r, at->b, &b))
        return false;
    bool is_unsigned = at->kind == NUMBER_U32 || at->kind == NUMBER_U64;
    bool less = is_unsigned ? (uint64_t)a < (uint64_t)b : a < b;
    bool holds = at->op == OP_LT   ? less
                 : at->op == OP_LE ? less || a == b
                 : at->op == OP_EQ ? a == b
                                   : a != b;
    const struct place *place = &r->program->places[at->place];
    bool swapped =
        (at->op == OP_LT || at->op == OP_LE) && (place_has(place, ".gt") || place_has(place, ".ge") ||
                                                 place_has(place, ".hi") || place_has(place, ".hs"));
    static const char *const signs[2][4] = {{"<", "<=", "==", "!="}, {">", ">=", "==", "!="}};
    if (holds != result)
        return false;
    say_operand(r, at, swapped ? at->b : at->a, 1, swapped ? b : a, words);
    words_say(words, " %s ", signs[swapped][at->op - OP_LT]);
    say_operand(r, at, swapped ? at->a : at->b, 2, swapped ? a : b, words);
    words_say(words, " is %s", result ? "true" : "false");
    return true;
}

/* What made the predicate what it is: one of those that `and` and `or` join decides. */
static bool say_predicate(const struct reader *r, unsigned reg, size_t before, bool result,
                          struct words *words, unsigned depth)
{
    const struct instruction *from = origin_of(r->program, reg, before);
    if (!from || depth > CHAIN)
        return false;
    size_t at = (size_t)(from - r->program->code);
    if (from->op >= OP_LT && from->op <= OP_NE)
        return say_comparison(r, from, result, words);
    if (from->op == OP_NOT)
        return say_predicate(r, from->a, at, !result, words, depth + 1);
    if (from->op != OP_AND && from->op != OP_OR)
        return false;
    const unsigned parts[2] = {from->a, from->b};
    for (int i = 0; i < 2; i++) {
        int64_t value;
        if (number_in(r, parts[i], &value) && (value != 0) == result &&
            say_predicate(r, parts[i], at, result, words, depth + 1))
            return true;
    }
    return false;
}

static size_t index_of(const struct program *program, const struct site *site)
{
    for (size_t i = 0; i < program->code_count; i++) {
        const struct instruction *at = &program->code[i];
        bool is_access = at->op == OP_LOAD || at->op == OP_STORE || at->op == OP_ATOMIC;
        if (is_access &&
            (at->extra == site->id || (at->extra + 1 == site->id && program->sites[at->extra].is_generic)))
            return i;
    }
    return program->code_count;
}

/* Does the instruction at `i` keep the lane from the access at `site`? Its predicate's value then. */
static bool keeps_away(const struct reader *r, size_t i, size_t site, bool *value)
{
    const struct instruction *at = &r->program->code[i];
    int64_t number;
    if ((at->op != OP_GUARD && at->op != OP_BRANCH) || !number_in(r, at->a, &number))
        return false;
    *value = number != 0;
    bool goes = *value != (at->kind == 1);
    if (at->op == OP_GUARD)
        return i < site && at->extra > site && !goes;
    if (i < site && at->extra > site)
        return goes;
    if (i + 1 < site && r->program->code[i + 1].op == OP_EXIT) /* a branch around an exit */
        return !goes;
    return i > site && at->extra <= site && !goes; /* the lane has left the loop */
}

static void say_off(const struct reader *r, const struct site *site, struct words *words)
{
    size_t here = index_of(r->program, site);
    for (size_t i = 0; i < r->program->code_count && here < r->program->code_count; i++) {
        const struct words before = *words;
        bool value;
        if (!keeps_away(r, i, here, &value))
            continue;
        if (say_predicate(r, r->program->code[i].a, i, value, words, 0))
            words_say(words, ": ");
        else
            *words = before;
        break;
    }
    words_say(words, "off");
}

static void say_on(const struct program *program, const struct access *access, unsigned lane,
                   struct words *words)
{
    const struct place *place = &access->site->place;
    const char *bytes = place->source->bytes;
    uint32_t begin = place->begin, end;
    while (begin < place->end && bytes[begin] != '[')
        begin++;
    for (end = begin; end < place->end && bytes[end] != ']';)
        end++;
    bool shared = access->site->kind->space == SPACE_SHARED;
    int64_t offset = access_offset(access, lane);
    const char *name = access->buffer < 0 ? ""
                       : shared           ? program->shared[access->buffer].name
                                          : program->parameters[access->buffer].name;
    if (shared && access->buffer >= 0)
        offset -= (int64_t)program->shared[access->buffer].offset;
    if (end < place->end && name[0])
        words_say(words, "%.*s is byte %" PRId64 " of %s; ", (int)(end + 1 - begin), bytes + begin, offset,
                  name);
    words_say(words, "on");
}

void lane_compiled_say(const struct program *program, const struct execution *execution,
                       const struct access *access, unsigned lane, struct words *words)
{
    const struct reader reader = {program, execution, lane};
    if (access->mask >> lane & 1)
        say_on(program, access, lane, words);
    else
        say_off(&reader, access->site, words);
}
