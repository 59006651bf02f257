/* scenario_assume.c - values for what neither options nor headnote nor the text's launch say, so that a
 * kernel can be looked at at once. Each is drawn from what the kernel itself shows and is said in one
 * sentence:
 *
 * A scalar by its name (assumed_value()), handed on to the host's variables, so that the launch's own grid
 * follows. A block from __launch_bounds__, from a tile's macro or array, else 256 threads, or 32 x 8 where
 * the kernel looks at threadIdx.y. A grid that covers the matrix, in each direction by as much as the kernel
 * multiplies blockIdx with. Dynamic shared memory as far as the first block touches it.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario_parts.h"

enum { MOST_THREADS = 1024, USUAL_THREADS = 256, FEW = 4, PROBE_BUDGET = 1 << 18, PROBE_SHARED = 48 * 1024 };

static void say(struct scenario *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct scenario *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    scenario_append(s->assumed, sizeof s->assumed, ", ", format, arguments);
    va_end(arguments);
}

struct use {
    bool of[BUILTIN_COUNT];
    bool scaled[3];     /* blockIdx times something that is not looked at closer */
    uint64_t factor[3]; /* blockIdx times a constant; 0: none */
};

static int builtin_of(const struct program *p, const int8_t *copies, unsigned reg)
{
    return reg < p->register_count ? copies[reg] : -1;
}

/* blockIdx[axis] * other: by how much. */
static void take_product(const struct program *p, const int8_t *copies, unsigned axis, unsigned other,
                         bool is_shift, struct use *use)
{
    int builtin = builtin_of(p, copies, other);
    if (other >= p->first_constant && other < p->first_constant + p->constant_count) {
        int64_t value = p->constants[other - p->first_constant].value;
        if (is_shift)
            value = value >= 0 && value < 20 ? INT64_C(1) << value : 0;
        if (value >= 2 && value <= 1 << 20)
            use->factor[axis] = (uint64_t)value;
    } else if (builtin >= BUILTIN_BLOCK_DIM && builtin < BUILTIN_GRID_DIM && !is_shift) {
        use->scaled[axis] = true;
    }
}

static bool is_copy_op(unsigned op)
{
    return op == OP_SET || op == OP_MOVE || op == OP_CONVERT;
}

/* Which built-in variables the program looks at, and what it multiplies blockIdx with. */
static void find_uses(const struct program *p, struct use *use)
{
    int8_t *copies = memory_take(p->register_count + 1u, sizeof *copies);
    memset(copies, -1, p->register_count + 1u);
    for (unsigned i = 0; i < BUILTIN_COUNT; i++)
        copies[p->first_builtin + i] = (int8_t)i;
    *use = (struct use){0};
    for (size_t i = 0; i < p->code_count; i++) {
        const struct instruction *in = &p->code[i];
        int a = in->op == OP_UNSET ? -1 : builtin_of(p, copies, in->a);
        int b = is_copy_op(in->op) || in->op == OP_PASS_DATA ? -1 : builtin_of(p, copies, in->b);
        if (is_copy_op(in->op) && a >= 0 && in->dst >= p->first_builtin + BUILTIN_COUNT) {
            copies[in->dst] = (int8_t)a;
            continue;
        }
        if (a >= 0)
            use->of[a] = true;
        if (b >= 0)
            use->of[b] = true;
        if (in->op != OP_MUL && in->op != OP_SHL)
            continue;
        if (a >= BUILTIN_BLOCK && a < BUILTIN_BLOCK_DIM)
            take_product(p, copies, (unsigned)a - BUILTIN_BLOCK, in->b, in->op == OP_SHL, use);
        if (b >= BUILTIN_BLOCK && b < BUILTIN_BLOCK_DIM && in->op == OP_MUL)
            take_product(p, copies, (unsigned)b - BUILTIN_BLOCK, in->a, false, use);
    }
    free(copies);
}

/* Does the lower-case name begin with, end with or equal one of these? "x*", "*x", "x", "*x*". */
static bool is_like(const char *name, const char *const *patterns)
{
    size_t length = strlen(name);
    for (; *patterns; patterns++) {
        const char *p = *patterns;
        size_t n = strlen(p);
        bool open_left = p[0] == '*', open_right = p[n - 1] == '*';
        char core[24];
        (void)snprintf(core, sizeof core, "%.*s", (int)(n - open_left - open_right), p + open_left);
        n = strlen(core);
        if (open_left && open_right ? strstr(name, core) != NULL
            : open_left             ? length >= n && strcmp(name + length - n, core) == 0
            : open_right            ? strncmp(name, core, n) == 0
                                    : strcmp(name, core) == 0)
            return true;
    }
    return false;
}

/* What a scalar of that name stands for in most people's kernels. docs/language.md has the table. */
static int64_t assumed_value(const struct scenario *s, const char *name, unsigned *taken)
{
    static const char *const zeros[] = {"*off*",   "*start*", "*begin*", "*first*", "*pad*", "*base*",
                                        "*shift*", "*idx*",   "*index*", "*rank*",  "*id",   "beta",
                                        "*flag*",  "is*",     "use*",    "has*",    NULL};
    static const char *const ones[] = {"stride", "step", "inc*", "*dilation*", "*scale*", "alpha", NULL};
    static const char *const rows[] = {"*row*", "*height*", "h",    "m",      "ny", "*_h",
                                       "h_*",   "*ysize*",  "dimy", "size_y", NULL};
    static const char *const cols[] = {"*col*",   "*width*", "w",    "nx", "*_w",     "ld*",    "*stride*",
                                       "*pitch*", "*dim",    "dim*", "nz", "*xsize*", "size_x", NULL};
    static const char *const all[] = {"n",       "*size",  "len*", "*count", "*total*", "num*",
                                      "*length", "*elem*", "n_*",  "*len",   "size*",   NULL};
    static const char *const few[] = {"*batch*", "*head*", "*kernel*", "*group*", "*chunk*", NULL};
    const struct scenario_launch *from = s->from;
    char lower[64];
    const char *dot = strrchr(name, '.');
    size_t i = 0;
    for (name = dot ? dot + 1 : name; name[i] && i + 1 < sizeof lower; i++)
        lower[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] + 32 : name[i]);
    lower[i] = '\0';
    if (is_like(lower, zeros))
        return 0;
    if (!dot && is_like(lower, ones))
        return 1;
    if (is_like(lower, rows))
        return s->rows;
    if (is_like(lower, cols))
        return s->cols;
    if (is_like(lower, few) || !is_like(lower, all) || *taken > 1)
        return FEW;
    ++*taken;
    if (from->cols_of < 0 && from->rows_of < 0 && from->total_of < 0)
        return *taken == 1 ? (int64_t)s->rows * s->cols : s->cols;
    return from->cols_of < 0 && *taken == 1 ? s->cols : from->rows_of < 0 && *taken == 1 ? s->rows : FEW;
}

static int64_t within(const struct parameter *p, int64_t value)
{
    if (p->type.kind == TYPE_BOOL)
        return value != 0;
    return type_wrap(&p->type, value);
}

/* A value for each scalar that has none. */
static void assume_scalars(struct scenario *s)
{
    struct scenario_launch *from = s->from;
    bool any = false;
    unsigned taken = 0; /* names for a number of cells so far */
    for (unsigned i = 0; i < s->program->parameter_count; i++) {
        const struct parameter *p = &s->program->parameters[i];
        if (scenario_has_value(s, i))
            continue;
        int64_t value = within(p, assumed_value(s, p->name, &taken));
        scenario_override_argument(s, (int)i, value);
        say(s, "%.40s = %" PRId64, p->name, value);
        from->assumed_values[i] = any = true;
        from->values[i] = host_integer(value);
    }
    if (!any || !from->found)
        return;
    struct host_value kept[64];
    memcpy(kept, from->values, sizeof kept);
    scenario_evaluate_launch(s);
    for (unsigned i = 0; i < s->program->parameter_count; i++)
        if (from->assumed_values[i])
            from->values[i] = kept[i];
    if (from->block &&
        (uint64_t)from->block_size[0] * from->block_size[1] * from->block_size[2] > MOST_THREADS)
        from->block = false; /* one that cannot be is none */
}

/* The length of the kernel's first array of shared memory in one dimension, its first two in two; 0: none. */
static void tile_of(const struct program *p, uint64_t size[2])
{
    size[0] = size[1] = 0;
    for (unsigned i = 0; i < p->shared_count; i++) {
        const struct type *type = &p->shared[i].type;
        if (p->shared[i].dynamic || type->kind != TYPE_ARRAY)
            continue;
        bool is_flat = !type->to || type->to->kind != TYPE_ARRAY;
        size[0] = is_flat ? type->count : type->to->count;
        size[1] = is_flat ? 0 : type->count;
        return;
    }
}

/* One direction: 16, 32, ... threads that an array of so many cells has room for; 0: no sign. */
static uint32_t threads_for(uint64_t cells)
{
    static const uint32_t usual[] = {8, 16, 32, 64, 128, 256, 512, 1024};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (cells == usual[i] || cells == usual[i] + 1u)
            return usual[i];
    return 0;
}

static void assume_block(struct scenario *s, const struct use *use)
{
    struct scenario_launch *from = s->from;
    uint32_t *size = from->block_size;
    bool flat = !use->of[BUILTIN_THREAD + 1];
    bool alone = flat && !use->of[BUILTIN_THREAD] && !use->of[BUILTIN_LINEAR] && !use->of[BUILTIN_LANE] &&
                 !use->of[BUILTIN_WARP];
    uint64_t tile[2];
    uint32_t guess[2];
    const char *why = "";
    tile_of(s->program, tile);
    size[2] = 1;
    if (alone) {
        size[0] = size[1] = 1;
        why = " as the kernel has no threadIdx";
    } else if (scenario_guess_block(s, guess)) {
        size[0] = flat ? guess[0] * guess[1] : guess[0];
        size[1] = flat ? 1 : guess[1];
        why = " by its text";
    } else if (flat) {
        uint32_t threads = tile[1] ? 0 : threads_for(tile[0]);
        bool factor = use->factor[0] >= 32 && use->factor[0] <= 1024;
        size[0] = factor ? (uint32_t)use->factor[0] : threads >= 64 ? threads : USUAL_THREADS;
        size[1] = 1;
        why = factor ? " by what it multiplies blockIdx.x with" : threads >= 64 ? " by its shared array" : "";
    } else {
        uint32_t x = threads_for(tile[0]), y = threads_for(tile[1]);
        size[0] = x && y && x * y <= 1024 ? x : 32;
        size[1] = x && y && x * y <= 1024 ? y : 8;
        why = x && y && x * y <= 1024 ? " by its tile" : "";
    }
    from->block = true;
    if (size[1] > 1)
        say(s, "block %u x %u%s", size[0], size[1], why);
    else
        say(s, "block %u%s", size[0], why);
}

/* Block and grid into the launch as far as they are known, without a word. */
static void take_shapes(struct scenario *s)
{
    struct problem ignored = {0};
    size_t said = strlen(s->note_of_launch);
    (void)scenario_set_shapes(s, &ignored);
    s->note_of_launch[said] = '\0';
}

/* Blocks that cover `cells` in that direction. */
static uint32_t blocks_for(uint64_t cells, uint64_t step)
{
    uint64_t count = step ? (cells + step - 1) / step : cells;
    return count < 1 ? 1 : count > INT32_MAX ? INT32_MAX : (uint32_t)count;
}

static void assume_grid(struct scenario *s, const struct use *use)
{
    struct scenario_launch *from = s->from;
    uint32_t *size = from->grid_size;
    const uint32_t *block = s->launch.block;
    take_shapes(s);
    size[0] = size[1] = size[2] = 1;
    bool wide = use->of[BUILTIN_BLOCK + 1];
    for (unsigned axis = 0; axis < 2; axis++) {
        uint64_t step = use->factor[axis] ? use->factor[axis] : use->scaled[axis] ? block[axis] : 1;
        uint64_t cells = axis ? s->rows : s->cols;
        if (!axis && !wide && !use->of[BUILTIN_THREAD + 1])
            cells = step > 1 ? (uint64_t)s->rows * s->cols : s->rows;
        if (use->of[BUILTIN_BLOCK + axis])
            size[axis] = blocks_for(cells, step);
    }
    from->grid = true;
    if (size[1] > 1)
        say(s, "grid %u x %u", size[0], size[1]);
    else
        say(s, "grid %u", size[0]);
}

struct reach {
    const struct program *program;
    uint64_t bytes;
};

static void take_reach(void *self, const struct access *access)
{
    struct reach *reach = self;
    if (access->site->kind->space != SPACE_SHARED)
        return;
    int64_t begin = (int64_t)program_dynamic_offset(reach->program);
    for (unsigned lane = 0; lane < 32; lane++)
        if (access->mask >> lane & 1) {
            int64_t end = access_offset(access, lane) + access->site->lane_bytes - begin;
            if (end > 0 && end <= PROBE_SHARED && (uint64_t)end > reach->bytes)
                reach->bytes = (uint64_t)end;
        }
}

/* How far the first block reaches into dynamic shared memory, in steps of 16 bytes. */
static void assume_shared(struct scenario *s)
{
    struct scenario_launch *from = s->from;
    struct reach reach = {s->program, 0};
    struct problem ignored = {0};
    struct sink sink = {.self = &reach, .access = take_reach};
    take_shapes(s);
    struct launch launch = s->launch;
    launch.watch = NULL;
    launch.budget = PROBE_BUDGET;
    launch.dynamic_shared_bytes = PROBE_SHARED;
    for (unsigned i = 0; i < s->program->parameter_count; i++) {
        const struct host_value *v = &from->values[i];
        int64_t value = (int)i == from->total_of  ? (int64_t)s->rows * s->cols
                        : (int)i == from->rows_of ? s->rows
                        : (int)i == from->cols_of ? s->cols
                        : v->kind == HOST_INTEGER ? v->n[0]
                                                  : 1;
        bool is_pointer = s->program->parameters[i].type.kind == TYPE_POINTER;
        launch.arguments[i].value = is_pointer ? 0 : value;
        launch.arguments[i].bytes = is_pointer ? SCENARIO_LARGE : 0;
    }
    struct execution *execution =
        launch_check(&launch, &ignored) ? execution_new(s->program, &launch, false, &ignored) : NULL;
    if (execution)
        (void)execution_run_block(execution, (const uint32_t[3]){0, 0, 0}, &sink, &ignored);
    execution_free(execution);
    uint64_t bytes = (reach.bytes + 15) / 16 * 16;
    bytes = bytes ? bytes : launch_threads(&launch) * 4;
    from->shared = host_integer((int64_t)bytes);
    say(s, "%" PRIu64 " bytes of extern __shared__%s", bytes,
        reach.bytes ? ", as far as the first block reaches" : "");
}

void scenario_assume(struct scenario *s)
{
    struct use use;
    if (!s->options.assume)
        return;
    assume_scalars(s);
    find_uses(s->program, &use);
    if (!scenario_has_block(s))
        assume_block(s, &use);
    if (!scenario_has_grid(s))
        assume_grid(s, &use);
    if (!scenario_has_shared(s))
        assume_shared(s);
}
