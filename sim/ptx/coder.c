/* coder.c - instructions, constants, registers. */
#include "coder.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

size_t coder_emit(struct coder_of_ptx *c, enum opcode op, unsigned kind, unsigned dst, unsigned a, unsigned b,
                  uint32_t extra)
{
    struct program *p = c->program;
    p->code = module_grow(p->code, p->code_count, &c->code_capacity, sizeof *p->code);
    p->code[p->code_count] = (struct instruction){.op = (uint8_t)op,
                                                  .kind = (uint8_t)kind,
                                                  .dst = (uint16_t)dst,
                                                  .a = (uint16_t)a,
                                                  .b = (uint16_t)b,
                                                  .extra = extra,
                                                  .place = c->place};
    return p->code_count++;
}

bool coder_fail(struct coder_of_ptx *c, const char *format, ...)
{
    char message[PROBLEM_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return problem_at(c->problem, c->module->source, c->in->begin, "%s", message);
}

unsigned coder_temporary(struct coder_of_ptx *c)
{
    if (c->temporaries == CODER_TEMPORARIES) {
        coder_fail(c, "this instruction has too many operands");
        return c->first_temporary;
    }
    return c->first_temporary + c->temporaries++;
}

unsigned coder_constant(struct coder_of_ptx *c, int64_t value, bool is_data)
{
    struct program *p = c->program;
    uint64_t hash = ((uint64_t)value * 2 + is_data) * UINT64_C(0x9e3779b97f4a7c15) >> 48;
    while (c->constant_slots[hash]) {
        const struct constant *known = &p->constants[c->constant_slots[hash] - 1];
        if (known->value == value && known->is_data == is_data)
            return CODER_REGISTERS + c->constant_slots[hash] - 1;
        hash = (hash + 1) & 0xffff;
    }
    if (p->constant_count == CODER_CONSTANTS) {
        coder_fail(c, "this kernel has more than %d constants", CODER_CONSTANTS);
        return CODER_REGISTERS;
    }
    p->constants[p->constant_count] = (struct constant){.value = value, .is_data = is_data};
    c->constant_slots[hash] = ++p->constant_count;
    return CODER_REGISTERS + p->constant_count - 1;
}

bool coder_is_constant(const struct coder_of_ptx *c, unsigned reg, int64_t *value)
{
    if (reg < CODER_REGISTERS || c->program->constants[reg - CODER_REGISTERS].is_data)
        return false;
    *value = c->program->constants[reg - CODER_REGISTERS].value;
    return true;
}

unsigned coder_register(struct coder_of_ptx *c, uint32_t of_list)
{
    if (!c->register_of[of_list]) {
        if (c->next_register == CODER_REGISTERS) {
            problem_at(c->problem, c->module->source, c->program->begin,
                       "this kernel needs more than %d registers", CODER_REGISTERS);
            return 0;
        }
        c->register_of[of_list] = (uint16_t)(++c->next_register);
    }
    return c->register_of[of_list] - 1u;
}
