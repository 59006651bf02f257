/* function.c - functions of integers, each lane alone. */
#include "bits.h"
#include "lanes.h"

unsigned function_operands(enum function_id function)
{
    if (function == FUNCTION_ACTIVE)
        return 0;
    if (function >= FUNCTION_SHUFFLE)
        return function <= FUNCTION_SHUFFLE_XOR ? 3 : 2;
    if (function >= FUNCTION_BYTE_PERM && function <= FUNCTION_FUNNEL_RIGHT_CAP)
        return 3;
    return function == FUNCTION_MUL24 || function == FUNCTION_MULHI ? 2 : 1;
}

/* One lane. Beside PTX's functions there is one more. */
static uint64_t lane_function(enum function_id function, bool is_signed, unsigned bits, const int64_t *x)
{
    static const enum bits_function of_bits[] = {[FUNCTION_ABS] = BITS_ABSOLUTE,
                                                 [FUNCTION_POPC] = BITS_COUNT,
                                                 [FUNCTION_BREV] = BITS_REVERSE,
                                                 [FUNCTION_CLZ] = BITS_LEADING_ZEROS,
                                                 [FUNCTION_MUL24] = BITS_MUL24_LOW,
                                                 [FUNCTION_MULHI] = BITS_MUL_HIGH,
                                                 [FUNCTION_FUNNEL_LEFT] = BITS_FUNNEL_LEFT,
                                                 [FUNCTION_FUNNEL_LEFT_CAP] = BITS_FUNNEL_LEFT_CLAMP,
                                                 [FUNCTION_FUNNEL_RIGHT] = BITS_FUNNEL_RIGHT,
                                                 [FUNCTION_FUNNEL_RIGHT_CAP] = BITS_FUNNEL_RIGHT_CLAMP};
    unsigned kind = (bits == 64 ? NUMBER_I64 : NUMBER_I32) + (is_signed ? 0u : 1u);
    if (function == FUNCTION_FFS) {
        uint64_t value = bits == 64 ? (uint64_t)x[0] : (uint32_t)x[0];
        return value ? (uint64_t)__builtin_ctzll(value) + 1 : 0;
    }
    if (function == FUNCTION_BYTE_PERM) /* PRMT's plain mode; nvcc clears the bits that ask for a sign */
        return (uint64_t)bits_lane(BITS_PERMUTE, 0, x[0], x[1], x[2] & 0x7777);
    return (uint64_t)bits_lane(of_bits[function], kind, x[0], x[1], x[2]);
}

/* As a number of the type that the function returns: an int where it counts bits, else its operands'. */
static int64_t as_result(enum function_id function, bool is_signed, unsigned bits, uint64_t x)
{
    bool counts = function == FUNCTION_POPC || function == FUNCTION_CLZ || function == FUNCTION_FFS;
    if (counts || bits == 64)
        return (int64_t)x;
    return is_signed ? (int32_t)(uint32_t)x : (int64_t)(uint32_t)x;
}

bool function_of(struct execution *e, const struct instruction *at, const struct value *operands,
                 struct value *result)
{
    enum function_id function = (enum function_id)at->extra;
    unsigned count = function_operands(function), bits = at->kind >= NUMBER_I64 ? 64 : 32;
    bool is_signed = at->kind % 2 == 0;
    if (function == FUNCTION_BITS) { /* of a number they are data's that no cell holds */
        if (operands[0].kind == VALUE_DATA)
            *result = operands[0];
        return true;
    }
    for (unsigned i = 0; i < count; i++)
        if (!value_is_number(&operands[i]))
            return true;
    int64_t values[LANES];
    for (int lane = 0; lane < LANES; lane++) {
        int64_t x[FUNCTION_OPERANDS] = {0};
        for (unsigned i = 0; i < count; i++)
            x[i] = lanes_value(e, &operands[i], lane);
        values[lane] = as_result(function, is_signed, bits, lane_function(function, is_signed, bits, x));
    }
    *result = (struct value){.kind = VALUE_NUMBER};
    result->pattern = pattern_intern(&e->patterns, values, &result->base);
    return true;
}
