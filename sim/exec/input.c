/* input.c - what a warp's registers hold when it sets out. */
#include "data.h"
#include "real.h"

static void set_lanes(struct execution *e, struct value *value, const int64_t *values)
{
    *value = (struct value){.kind = VALUE_NUMBER};
    value->pattern = pattern_intern(&e->patterns, values, &value->base);
}

/* threadIdx, blockDim, gridDim, lane, warp: the same in every block. */
void input_set_builtins(struct execution *e, const struct warp *warp)
{
    struct value *r = warp->registers + e->program->first_builtin;
    const uint32_t *block = e->launch.block;
    int64_t thread[3][LANES], linear[LANES], lanes[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t id = warp->index * LANES + lane;
        thread[0][lane] = id % block[0];
        thread[1][lane] = id / block[0] % block[1];
        thread[2][lane] = id / block[0] / block[1];
        linear[lane] = id;
        lanes[lane] = lane;
    }
    for (int i = 0; i < 3; i++) {
        set_lanes(e, &r[BUILTIN_THREAD + i], thread[i]);
        r[BUILTIN_BLOCK_DIM + i] = (struct value){.kind = VALUE_NUMBER, .base = block[i]};
        r[BUILTIN_GRID_DIM + i] = (struct value){.kind = VALUE_NUMBER, .base = e->launch.grid[i]};
        r[BUILTIN_BLOCK + i] = (struct value){.kind = VALUE_NUMBER};
    }
    set_lanes(e, &r[BUILTIN_LINEAR], linear);
    set_lanes(e, &r[BUILTIN_LANE], lanes);
    r[BUILTIN_WARP] = (struct value){.kind = VALUE_NUMBER, .base = warp->index};
}

/* What a parameter holds when a thread begins: the same in all lanes. */
struct value input_argument(const struct execution *e, unsigned i)
{
    const struct type *type = &e->program->parameters[i].type;
    int64_t value = e->launch.arguments[i].value;
    switch (type->kind) {
    case TYPE_POINTER:
        return (struct value){.kind = VALUE_POINTER, .buffer = (uint16_t)i};
    case TYPE_FLOAT:
        if (e->launch.arguments[i].is_number && real_fits((double)value, type->bytes))
            return real_uniform((double)value);
        return (struct value){.kind = VALUE_DATA, .base = TOKEN_COMPUTED, .buffer = (uint16_t)(i + 1)};
    case TYPE_BOOL:
        return (struct value){.kind = VALUE_BOOL, .base = value ? UINT32_MAX : 0};
    default:
        return (struct value){.kind = VALUE_NUMBER, .base = type_wrap(type, value)};
    }
}

void input_set_program(struct execution *e, const struct warp *warp)
{
    const struct program *p = e->program;
    struct value *r = warp->registers;
    for (unsigned i = 0; i < p->parameter_count; i++)
        r[p->first_parameter + i] = input_argument(e, i);
    for (unsigned i = 0; i < p->shared_count; i++)
        r[p->first_builtin + BUILTIN_COUNT + i] =
            (struct value){.kind = VALUE_POINTER,
                           .buffer = (uint16_t)(p->is_compiled ? i | POINTER_IS_SHARED : i),
                           .base = (int64_t)p->shared[i].offset};
    for (unsigned i = 0; i < p->constant_count; i++) {
        struct value *constant = &r[p->first_constant + i];
        int64_t value = p->constants[i].value;
        if (p->constants[i].is_real)
            *constant = real_uniform(p->constants[i].real);
        else if (p->constants[i].is_data)
            *constant =
                (struct value){.kind = VALUE_DATA, .base = TOKEN_CONSTANT + (value & (TOKEN_RANGE - 1))};
        else
            *constant = (struct value){.kind = VALUE_NUMBER, .base = value};
    }
}
