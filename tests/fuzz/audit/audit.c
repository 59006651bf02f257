/* audit.c - random correct and buggy copies and transposes, audited by owners and by brute force.
 *
 *     audit [--audits N] [--seed S] [--only K]
 *
 * A plan is a kernel with some faults planted. It is printed as CUDA for lanescope, and carried out here by
 * plain loops over blocks, warps and lanes that move the number of each element (its index in the input), in
 * the order that exec.h promises. Every figure of the report must be the same; races are told apart from none
 * only, since which of the two lanes is counted is the simulator's affair. The audit by census must say the
 * same, and its example must be true. Exit code 1 if a figure differed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../sim/audit/owners.h"
#include "../../../sim/lang/lang.h"
#include "../../proof_support.h"

enum { CELLS = 128 * 128, TILE_CELLS = 64 * 80, UNSET = -1000000000, TORN = -2000000000 };

enum method { NAIVE, TILED, VECTOR };

struct plan {
    enum method method;
    bool is_copy;
    int rows, cols, elem_bytes;
    int tile, block_rows, pitch; /* NAIVE: the block is tile x block_rows */
    int step_x,
        step_y; /* from one block's elements to the next one's: smaller than the block, they overlap */
    int grid_x, grid_y;
    bool check_in_x, check_in_y, check_out_x, check_out_y;
    int in_stride, out_stride; /* elements */
    int out_shift;             /* added to every output index */
    int column_shift;          /* TILED: what is read of the tile */
    bool no_barrier, swizzled_in, swizzled_out, swapped_tile;
    int order[4];         /* VECTOR: components */
    int64_t limit;        /* VECTOR: vectors copied */
    int writes, shift[4]; /* NAIVE: so often each cell, from so many elements further */
    bool is_vector, torn; /* elements are float2 or float4; components change places */
};

struct cell {
    int writes;
    int64_t value;
    bool differ;
};

struct figures {
    int64_t missing, wrong, twice, disagreeing, reads_outside, writes_outside, unset;
    bool racing;
};

struct oracle {
    const struct plan *plan;
    struct cell cells[CELLS];
    int64_t tile[TILE_CELLS];
    int reader[TILE_CELLS],
        writer[TILE_CELLS]; /* warp that last did since the barrier, -1: none, -2: several */
    struct figures figures;
};

static uint64_t state;
static long proofs;

static int chance(int below)
{
    uint64_t z = (state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (int)((z >> 33) % (uint64_t)below);
}

static bool one_in(int n)
{
    return chance(n) == 0;
}

static struct plan make_plan(void)
{
    static const int tiles[] = {4, 8, 16, 32}, bytes[] = {1, 2, 4, 8, 4, 16};
    struct plan p = {.method = (enum method)chance(3), .is_copy = one_in(3), .elem_bytes = bytes[chance(6)]};
    bool buggy = !one_in(5);
    p.is_vector = p.elem_bytes == 16 || (p.elem_bytes == 8 && one_in(2));
    p.writes = 1;
    p.rows = 1 + chance(70);
    p.cols = one_in(4) ? p.rows : 1 + chance(70);
    p.tile = tiles[chance(4)];
    p.block_rows = p.tile >> chance(3);
    p.block_rows = p.block_rows ? p.block_rows : 1;
    p.pitch = p.tile + chance(3);
    p.step_x = p.tile;
    p.step_y = p.method == TILED ? p.tile : p.block_rows;
    p.check_in_x = p.check_in_y = p.check_out_x = p.check_out_y = true;
    p.in_stride = p.cols;
    p.out_stride = p.is_copy ? p.cols : p.rows;
    p.swizzled_in = p.swizzled_out = one_in(3);
    for (int i = 0; i < 4; i++)
        p.order[i] = i;
    if (p.method == VECTOR) {
        p.is_copy = true;
        p.elem_bytes = 4;
        p.is_vector = false;
        p.cols = (p.cols + 3) / 4 * 4;
        p.in_stride = p.out_stride = p.cols;
        p.limit = (int64_t)p.rows * p.cols / 4;
    }
    for (int faults = buggy ? 1 + chance(4) : 0; faults; faults--)
        switch (chance(16)) {
        case 0:
            p.check_in_x = false;
            break;
        case 1:
            p.check_in_y = false;
            break;
        case 2:
            p.check_out_x = false;
            break;
        case 3:
            p.check_out_y = false;
            break;
        case 4:
            p.in_stride = p.rows;
            break;
        case 5:
            p.out_stride = p.is_copy ? p.rows : p.cols;
            break;
        case 6:
            p.out_shift = 1 - 2 * chance(2);
            break;
        case 7:
            p.column_shift = 1;
            break;
        case 8:
            p.no_barrier = true;
            break;
        case 9:
            p.swizzled_in = !p.swizzled_in;
            break;
        case 10:
            p.swapped_tile = true;
            break;
        case 11:
            p.step_x = p.step_x > 1 ? p.step_x - 1 : 1;
            break;
        case 12:
            p.step_y = p.step_y > 1 ? p.step_y - 1 : 1;
            break;
        case 13:
            p.writes = 2 + chance(3);
            for (int i = 0; i < 4; i++)
                p.shift[i] = chance(2);
            break;
        case 14:
            p.torn = p.is_vector;
            break;
        default:
            p.limit += one_in(2) ? 1 : -1;
            p.order[1 + chance(3)] = chance(4);
            p.out_stride += one_in(2);
        }
    int across = p.cols, down = p.rows;
    p.grid_x = (across + p.step_x - 1) / p.step_x;
    p.grid_y = (down + p.step_y - 1) / p.step_y;
    if (buggy && one_in(8) && p.grid_x > 1)
        p.grid_x--;
    return p;
}

/* The kernel's text. */

static int print_method(const struct plan *p, char *out, size_t size)
{
    const char *elem = p->is_vector         ? (p->elem_bytes == 8 ? "float2" : "float4")
                       : p->elem_bytes == 1 ? "unsigned char"
                       : p->elem_bytes == 2 ? "short"
                       : p->elem_bytes == 4 ? "float"
                                            : "double";
    int n =
        snprintf(out, size, "__global__ void k(const %s *in, %s *out, int rows, int cols)\n{\n", elem, elem);
#define ADD(...) n += snprintf(out + n, size - (size_t)n, __VA_ARGS__)
    if (p->method == VECTOR) {
        ADD("    int i = (blockIdx.y * gridDim.x + blockIdx.x) * %d + threadIdx.y * %d + threadIdx.x;\n",
            p->tile * p->block_rows, p->tile);
        ADD("    if (i < %" PRId64 ") {\n        float4 v = ((const float4 *)in)[i];\n", p->limit);
        ADD("        ((float4 *)out)[i] = make_float4(v.%c, v.%c, v.%c, v.%c);\n    }\n}\n",
            "xyzw"[p->order[0]], "xyzw"[p->order[1]], "xyzw"[p->order[2]], "xyzw"[p->order[3]]);
        return n;
    }
    ADD("    int x = blockIdx.x * %d + threadIdx.x, y = blockIdx.y * %d + threadIdx.y;\n", p->step_x,
        p->step_y);
    if (p->method == NAIVE) {
        ADD("    if (%s && %s)\n", p->check_in_x ? "x < cols" : "true", p->check_in_y ? "y < rows" : "true");
        ADD("        for (int n = 0; n < %d; n++) {\n", p->writes);
        ADD("            %s v = in[y * %d + x + (n == 0 ? %d : n == 1 ? %d : n == 2 ? %d : %d)];\n", elem,
            p->in_stride, p->shift[0], p->shift[1], p->shift[2], p->shift[3]);
        ADD("            out[%s * %d + %s + (%d)] = %s;\n        }\n}\n", p->is_copy ? "y" : "x",
            p->out_stride, p->is_copy ? "x" : "y", p->out_shift,
            !p->torn             ? "v"
            : p->elem_bytes == 8 ? "make_float2(v.y, v.x)"
                                 : "make_float4(v.x, v.z, v.y, v.w)");
        return n;
    }
    ADD("    __shared__ %s tile[%d][%d];\n    int r, c;\n", elem, p->tile + 1, p->pitch);
    ADD("    for (int j = 0; j < %d; j += %d)\n        if (%s && %s)\n", p->tile, p->block_rows,
        p->check_in_x ? "x < cols" : "true", p->check_in_y ? "y + j < rows" : "true");
    ADD("            tile[threadIdx.y + j][threadIdx.x%s] = in[(y + j) * %d + x];\n",
        p->swizzled_in ? " ^ threadIdx.y + j" : "", p->in_stride);
    ADD("%s", p->no_barrier ? "" : "    __syncthreads();\n");
    if (!p->is_copy)
        ADD("    x = blockIdx.y * %d + threadIdx.x;\n    y = blockIdx.x * %d + threadIdx.y;\n", p->step_y,
            p->step_x);
    ADD("    for (int j = 0; j < %d; j += %d)\n        if (%s && %s) {\n", p->tile, p->block_rows,
        !p->check_out_x ? "true"
        : p->is_copy    ? "x < cols"
                        : "x < rows",
        !p->check_out_y ? "true"
        : p->is_copy    ? "y + j < rows"
                        : "y + j < cols");
    bool by_row = p->is_copy != p->swapped_tile;
    ADD("            r = %s;\n            c = %s;\n", by_row ? "threadIdx.y + j" : "threadIdx.x",
        by_row ? "threadIdx.x" : "threadIdx.y + j");
    ADD("            out[(y + j) * %d + x + (%d)] = tile[r][%s + %d];\n        }\n}\n", p->out_stride,
        p->out_shift, p->swizzled_out ? "(c ^ r)" : "c", p->column_shift);
    return n;
#undef ADD
}

/* What it does, element by element. */

static int64_t read_input(struct oracle *o, int64_t index)
{
    if (index < 0 || index >= (int64_t)o->plan->rows * o->plan->cols)
        o->figures.reads_outside++;
    return index;
}

static void write_cell(struct oracle *o, int64_t index, int64_t value)
{
    struct cell *cell = &o->cells[index];
    cell->differ = cell->differ || (cell->writes && cell->value != value);
    cell->value = value;
    cell->writes++;
}

static void write_output(struct oracle *o, int64_t index, int64_t value)
{
    if (index < 0 || index >= (int64_t)o->plan->rows * o->plan->cols)
        o->figures.writes_outside++;
    else
        write_cell(o, index, value);
}

static void touch(struct oracle *o, int64_t at, int warp, bool writes)
{
    bool others_wrote = o->writer[at] != -1 && o->writer[at] != warp;
    bool others_read = o->reader[at] != -1 && o->reader[at] != warp;
    if (others_wrote || (writes && others_read))
        o->figures.racing = true;
    if (writes)
        o->writer[at] = o->writer[at] == -1 || o->writer[at] == warp ? warp : -2;
    else
        o->reader[at] = o->reader[at] == -1 || o->reader[at] == warp ? warp : -2;
}

static void forget_touches(struct oracle *o)
{
    for (int i = 0; i < TILE_CELLS; i++)
        o->reader[i] = o->writer[i] = -1;
}

static void fill_tile(struct oracle *o, int bx, int by, int warp)
{
    const struct plan *p = o->plan;
    for (int j = 0; j < p->tile; j += p->block_rows)
        for (int id = warp * 32; id < warp * 32 + 32 && id < p->tile * p->block_rows; id++) {
            int tx = id % p->tile, ty = id / p->tile, x = bx * p->step_x + tx, y = by * p->step_y + ty + j;
            if ((p->check_in_x && x >= p->cols) || (p->check_in_y && y >= p->rows))
                continue;
            int column = p->swizzled_in ? tx ^ (ty + j) : tx;
            int64_t at = (int64_t)(ty + j) * p->pitch + column;
            o->tile[at] = read_input(o, (int64_t)y * p->in_stride + x);
            touch(o, at, warp, true);
        }
}

static void empty_tile(struct oracle *o, int bx, int by, int warp)
{
    const struct plan *p = o->plan;
    for (int j = 0; j < p->tile; j += p->block_rows)
        for (int id = warp * 32; id < warp * 32 + 32 && id < p->tile * p->block_rows; id++) {
            int tx = id % p->tile, ty = id / p->tile;
            int x = p->is_copy ? bx * p->step_x + tx : by * p->step_y + tx;
            int y = (p->is_copy ? by * p->step_y : bx * p->step_x) + ty + j;
            if ((p->check_out_x && x >= (p->is_copy ? p->cols : p->rows)) ||
                (p->check_out_y && y >= (p->is_copy ? p->rows : p->cols)))
                continue;
            bool by_row = p->is_copy != p->swapped_tile;
            int r = by_row ? ty + j : tx, c = by_row ? tx : ty + j;
            int64_t at = (int64_t)r * p->pitch + (p->swizzled_out ? c ^ r : c) + p->column_shift;
            touch(o, at, warp, false);
            o->figures.unset += o->tile[at] == UNSET;
            write_output(o, (int64_t)y * p->out_stride + x + p->out_shift, o->tile[at]);
        }
}

static void run_tiled(struct oracle *o, int bx, int by)
{
    const struct plan *p = o->plan;
    int warps = (p->tile * p->block_rows + 31) / 32;
    for (int i = 0; i < TILE_CELLS; i++)
        o->tile[i] = UNSET;
    forget_touches(o);
    for (int warp = 0; warp < warps; warp++) {
        fill_tile(o, bx, by, warp);
        if (p->no_barrier)
            empty_tile(o, bx, by, warp);
    }
    if (p->no_barrier)
        return;
    forget_touches(o);
    for (int warp = 0; warp < warps; warp++)
        empty_tile(o, bx, by, warp);
}

static void run_naive(struct oracle *o, int bx, int by)
{
    const struct plan *p = o->plan;
    for (int ty = 0; ty < p->block_rows; ty++)
        for (int tx = 0; tx < p->tile; tx++) {
            int x = bx * p->step_x + tx, y = by * p->step_y + ty;
            if ((p->check_in_x && x >= p->cols) || (p->check_in_y && y >= p->rows))
                continue;
            for (int n = 0; n < p->writes; n++) {
                int64_t value = read_input(o, (int64_t)y * p->in_stride + x + p->shift[n]);
                int64_t to = p->is_copy ? (int64_t)y * p->out_stride + x : (int64_t)x * p->out_stride + y;
                write_output(o, to + p->out_shift, p->torn ? TORN - value : value);
            }
        }
}

static void run_vector(struct oracle *o, int bx, int by)
{
    const struct plan *p = o->plan;
    int64_t cells = (int64_t)p->rows * p->cols;
    int threads = p->tile * p->block_rows;
    for (int t = 0; t < threads; t++) {
        int64_t i = (int64_t)(by * p->grid_x + bx) * threads + t;
        if (i >= p->limit)
            continue;
        if (4 * i >= cells) { /* lanes are counted, and a lane moves four */
            o->figures.reads_outside++;
            o->figures.writes_outside++;
            continue;
        }
        for (int c = 0; c < 4; c++)
            write_cell(o, 4 * i + c, 4 * i + p->order[c]);
    }
}

static void run_oracle(struct oracle *o, const struct plan *p)
{
    memset(o, 0, sizeof *o);
    o->plan = p;
    for (int by = 0; by < p->grid_y; by++)
        for (int bx = 0; bx < p->grid_x; bx++)
            if (p->method == NAIVE)
                run_naive(o, bx, by);
            else if (p->method == TILED)
                run_tiled(o, bx, by);
            else
                run_vector(o, bx, by);
    for (int64_t i = 0; i < (int64_t)p->rows * p->cols; i++) {
        const struct cell *cell = &o->cells[i];
        int64_t right = p->is_copy ? i : i % p->rows * p->cols + i / p->rows;
        o->figures.missing += cell->writes == 0;
        o->figures.twice += cell->writes > 1;
        o->figures.disagreeing += cell->differ;
        o->figures.wrong += cell->writes && !cell->differ && cell->value != right;
    }
}

/* lanescope's answer. False, with a message, if it has none. */
static bool run_owners(const struct plan *p, const char *text, struct owners_report *report,
                       struct problem *problem)
{
    struct source source = {"audit.cu", text, strlen(text)};
    struct unit *unit = unit_open(&source, NULL, 0, problem);
    const struct program *program = unit ? unit_compile(unit, "k", problem) : NULL;
    struct launch launch = {.grid = {(uint32_t)p->grid_x, (uint32_t)p->grid_y, 1},
                            .block = {(uint32_t)p->tile, (uint32_t)p->block_rows, 1}};
    uint64_t bytes = (uint64_t)p->rows * (uint64_t)p->cols * (uint64_t)p->elem_bytes;
    launch.arguments[0].bytes = launch.arguments[1].bytes = bytes;
    launch.arguments[2].value = p->rows;
    launch.arguments[3].value = p->cols;
    struct execution *execution = program ? execution_new(program, &launch, true, problem) : NULL;
    struct owners_task task = {.rows = (uint32_t)p->rows,
                               .cols = (uint32_t)p->cols,
                               .elem_bytes = (unsigned)p->elem_bytes,
                               .in = 0,
                               .out = 1,
                               .is_copy = p->is_copy};
    struct owners *owners = execution ? owners_new(&task, problem) : NULL;
    struct sink sink = {.self = owners, .access = owners_access};
    bool ok = owners &&
              execution_run_blocks(execution, 0, (uint64_t)p->grid_x * (uint64_t)p->grid_y, &sink, problem);
    while (ok && owners_next_pass(owners))
        ok = execution_run_blocks(execution, 0, (uint64_t)p->grid_x * (uint64_t)p->grid_y, &sink, problem);
    ok = ok && owners_report(owners, report, problem);
    struct proof proof = {0};
    const char *differs = ok ? proof_agrees(program, &launch, &task, &proof) : NULL;
    proofs += ok && !proof.given_up;
    if (differs)
        ok = problem_say(problem, "by census: %s", differs);
    owners_free(owners);
    execution_free(execution);
    unit_close(unit);
    return ok;
}

static bool compare(const struct figures *f, const struct owners_report *r, bool *correct)
{
    *correct = !f->missing && !f->wrong && !f->disagreeing && !f->reads_outside && !f->writes_outside;
    const struct {
        const char *name;
        int64_t right;
        uint64_t found;
    } rows[] = {{"missing", f->missing, r->missing},
                {"wrong", f->wrong, r->wrong},
                {"written twice", f->twice, r->written_twice},
                {"disagreeing", f->disagreeing, r->disagreeing},
                {"reads out of bounds", f->reads_outside, r->out_of_bounds_reads},
                {"writes out of bounds", f->writes_outside, r->out_of_bounds_writes},
                {"unset tile reads", f->unset, r->uninitialized_tile_reads},
                {"races", f->racing, r->hazards != 0},
                {"computed", 0, r->computed}};
    bool same = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].right != (int64_t)rows[i].found) {
            printf("  %s: %" PRIu64 ", right is %" PRId64 "\n", rows[i].name, rows[i].found, rows[i].right);
            same = false;
        }
    return same;
}

static void parse(int argc, char **argv, uint64_t *seed, long *audits, long *only)
{
    for (int i = 1; i + 1 < argc; i += 2)
        if (strcmp(argv[i], "--seed") == 0)
            *seed = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--audits") == 0)
            *audits = strtol(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--only") == 0)
            *only = strtol(argv[i + 1], NULL, 10);
        else {
            (void)fprintf(stderr, "audit: %s is no option; see tests/fuzz/audit/audit.c\n", argv[i]);
            exit(2);
        }
}

int main(int argc, char **argv)
{
    static struct oracle oracle;
    uint64_t seed = 1;
    long audits = 2000, only = -1, right = 0, different = 0;
    parse(argc, argv, &seed, &audits, &only);
    for (long i = only < 0 ? 0 : only; i < (only < 0 ? audits : only + 1); i++) {
        char text[4000];
        struct owners_report report = {0};
        struct problem problem = {0};
        bool correct;
        state = seed * UINT64_C(0xd1342543de82ef95) + (uint64_t)i * UINT64_C(0x2545f4914f6cdd1d);
        struct plan plan = make_plan();
        print_method(&plan, text, sizeof text);
        run_oracle(&oracle, &plan);
        bool ok = run_owners(&plan, text, &report, &problem);
        if (!ok)
            printf("  refused: %s\n", problem.message);
        ok = ok && compare(&oracle.figures, &report, &correct);
        if (ok) {
            right += correct;
            continue;
        }
        different++;
        printf("differs: --seed %" PRIu64
               " --only %ld: a %s of %d x %d, block %dx%d, grid %dx%d, %d bytes\n%s\n",
               seed, i, plan.is_copy ? "copy" : "transpose", plan.rows, plan.cols, plan.tile, plan.block_rows,
               plan.grid_x, plan.grid_y, plan.elem_bytes, text);
    }
    printf("audit: seed %" PRIu64
           ", %ld audits, %ld of them of correct kernels, %ld also by census: %ld differ\n",
           seed, only < 0 ? audits : 1, right, proofs, different);
    return different != 0;
}
