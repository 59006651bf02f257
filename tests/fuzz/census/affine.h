/* affine.h - random kernels whose addresses are, for the most part, sums of multiples of blockIdx: guards,
 * loops, tiles, divisions, masks, grid-stride loops; and a few that are not. A kernel is a function of its
 * seed.
 */
#ifndef LANESCOPE_FUZZ_AFFINE_H
#define LANESCOPE_FUZZ_AFFINE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../../../sim/exec/launch.h"

struct affine_kernel {
    char text[8000];
    size_t size;
    uint64_t state;
    struct launch launch;
    unsigned names, elem_bytes;
};

static uint32_t affine_chance(struct affine_kernel *k, uint32_t below)
{
    uint64_t z = (k->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z >> 33) % below);
}

static void affine_add(struct affine_kernel *k, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void affine_add(struct affine_kernel *k, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(k->text + k->size, sizeof k->text - k->size, format, list);
    va_end(list);
    k->size += n > 0 && (size_t)n < sizeof k->text - k->size ? (size_t)n : 0;
    k->text[k->size] = '\0';
}

/* An index without side effects; `depth` bounds it. */
static void affine_index(struct affine_kernel *k, unsigned depth)
{
    static const char *const leaves[] = {
        "blockIdx.x", "blockIdx.y", "blockIdx.z", "threadIdx.x", "threadIdx.y",    "x", "y", "x", "y", "rows",
        "cols",       "gridDim.x",  "linear",     "i",           "(int)blockIdx.x"};
    static const char *const constants[] = {"1", "2", "3", "4", "7", "8", "16", "31", "32", "33", "100"};
    uint32_t choice = affine_chance(k, 16);
    const char *constant = constants[affine_chance(k, 11)];
    if (!depth || choice < 3) {
        affine_add(k, "%s", leaves[affine_chance(k, 15)]);
    } else if (choice < 8) {
        affine_add(k, "(");
        affine_index(k, depth - 1);
        affine_add(k, choice < 6 ? " + " : " - ");
        affine_index(k, depth - 1);
        affine_add(k, ")");
    } else if (choice < 11) {
        affine_add(k, "(");
        affine_index(k, depth - 1);
        affine_add(k, " * %s)", affine_chance(k, 4) ? constant : "cols");
    } else if (choice < 13) {
        static const char *const ops[] = {"/", "%", "&", "|", "^", ">>", "<<"};
        const char *op = ops[affine_chance(k, 7)];
        bool shifts = op[0] == '<' || op[0] == '>';
        affine_add(k, "(");
        affine_index(k, depth - 1);
        affine_add(k, " %s %s)", op, shifts ? constants[affine_chance(k, 5)] : constant);
    } else if (choice == 13) {
        affine_add(k, "%s(", affine_chance(k, 2) ? "min" : "max");
        affine_add(k, "(int)(");
        affine_index(k, depth - 1);
        affine_add(k, "), (int)(");
        affine_index(k, depth - 1);
        affine_add(k, "))");
    } else if (choice == 14) {
        static const char *const types[] = {"int",       "unsigned", "size_t",
                                            "long long", "short",    "unsigned char"};
        affine_add(k, "((%s)(", types[affine_chance(k, 6)]);
        affine_index(k, depth - 1);
        affine_add(k, "))");
    } else {
        static const char *const others[] = {"(blockIdx.x ^ blockIdx.y)",
                                             "(blockIdx.x * blockIdx.y)",
                                             "((blockIdx.x + blockIdx.y) % gridDim.x)",
                                             "(blockIdx.x == 0 ? 1 : 5)",
                                             "-x",
                                             "~y",
                                             "__mul24(x, 3)"};
        affine_add(k, "%s", others[affine_chance(k, 7)]);
    }
}

static void affine_condition(struct affine_kernel *k)
{
    static const char *const usual[] = {"x < cols && y < rows", "x < cols",       "y < rows",
                                        "linear < rows * cols", "blockIdx.x > 0", "x + 1 < cols && x > 0"};
    static const char *const ops[] = {"<", "<=", ">", ">=", "==", "!="};
    static const char axes[] = "xyz";
    if (affine_chance(k, 6) == 0) { /* a triangle of blocks, or a band */
        static const char *const times[] = {"", " * 32", " * 3", " * 2", " * 4"};
        uint32_t a = affine_chance(k, 3), b = (a + 1 + affine_chance(k, 2)) % 3;
        const char *scale = times[affine_chance(k, 5)];
        affine_add(k, "(int)blockIdx.%c%s %s (int)blockIdx.%c%s + %d", axes[a], scale,
                   ops[affine_chance(k, 6)], axes[b], affine_chance(k, 8) ? scale : "",
                   affine_chance(k, 2) ? 0 : (int)affine_chance(k, 9) - 4);
        return;
    }
    if (affine_chance(k, 3)) {
        affine_add(k, "%s", usual[affine_chance(k, 6)]);
        return;
    }
    affine_index(k, 2);
    affine_add(k, " %s ", ops[affine_chance(k, 6)]);
    affine_index(k, 1);
}

/* One access of in, out or the tile. */
static void affine_move(struct affine_kernel *k)
{
    static const char *const cells[] = {"(size_t)y * cols + x", "(size_t)x * rows + y", "y * cols + x",
                                        "linear"};
    bool usual = affine_chance(k, 3);
    affine_add(k, "        ");
    switch (affine_chance(k, 5)) {
    case 0:
        affine_add(k, "tile[threadIdx.y & 15][threadIdx.x & 31] = in[");
        break;
    case 1:
        affine_add(k, "v = in[");
        break;
    case 2:
        affine_add(k, "out[(size_t)x * rows + y] = in[");
        break;
    case 3:
        affine_add(k, "v = ");
        affine_add(k, affine_chance(k, 2) ? "tile[(threadIdx.x + i) & 15][threadIdx.y & 31];\n" : "0.0f;\n");
        return;
    default:
        affine_add(k, "out[");
        if (usual)
            affine_add(k, "%s", cells[affine_chance(k, 4)]);
        else
            affine_index(k, 2);
        affine_add(k, "] = %s;\n", affine_chance(k, 3) ? "v" : "tile[threadIdx.x & 15][threadIdx.y & 31]");
        return;
    }
    if (usual)
        affine_add(k, "%s", cells[affine_chance(k, 4)]);
    else
        affine_index(k, 3);
    affine_add(k, "];\n");
}

static void affine_statement(struct affine_kernel *k, unsigned depth)
{
    uint32_t choice = affine_chance(k, 10);
    if (!depth || choice < 3) {
        affine_move(k);
    } else if (choice < 6) {
        affine_add(k, "    if (");
        affine_condition(k);
        affine_add(k, ") {\n");
        affine_statement(k, depth - 1);
        if (affine_chance(k, 3) == 0) {
            affine_add(k, "    } else {\n");
            affine_statement(k, depth - 1);
        }
        affine_add(k, "    }\n");
    } else if (choice == 6) {
        affine_add(k, "    for (i = %s; i < %s; i += %s) {\n",
                   affine_chance(k, 3) ? "threadIdx.y" : "blockIdx.x * blockDim.x + threadIdx.x",
                   affine_chance(k, 2) ? "8" : "cols",
                   affine_chance(k, 2) ? "blockDim.y" : "gridDim.x * blockDim.x");
        affine_statement(k, depth - 1);
        affine_add(k, "    }\n");
    } else if (choice == 7) {
        unsigned name = k->names++;
        affine_add(k, "    { const int n%u = ", name);
        affine_index(k, 3);
        affine_add(k, "; x = n%u; }\n", name);
    } else {
        static const char *const changes[] = {"x += 32", "y += blockDim.y",
                                              "y = blockIdx.x * 8 + threadIdx.y",
                                              "x = blockIdx.y * 32 + threadIdx.x", "linear++"};
        if (affine_chance(k, 3) == 0) {
            affine_add(k, "    if (");
            affine_condition(k);
            affine_add(k, ")\n    ");
        }
        affine_add(k, "    %s;\n", changes[affine_chance(k, 5)]);
    }
}

static void affine_launch(struct affine_kernel *k, unsigned elem, int64_t rows, int64_t cols)
{
    static const uint32_t blocks[][3] = {{32, 8, 1}, {16, 16, 1}, {8, 4, 1},
                                         {33, 2, 1}, {64, 1, 1},  {4, 4, 2}};
    struct launch *l = &k->launch;
    *l = (struct launch){.budget = 200000};
    memcpy(l->block, blocks[affine_chance(k, 6)], sizeof l->block);
    l->grid[0] = affine_chance(k, 4) ? 1 + affine_chance(k, 9) : 1 + affine_chance(k, 60);
    l->grid[1] = affine_chance(k, 4) ? 1 + affine_chance(k, 6) : 1;
    l->grid[2] = affine_chance(k, 4) ? 1 : 1 + affine_chance(k, 3);
    for (int i = 0; i < 2; i++) {
        l->arguments[i].bytes = (uint64_t)(rows * cols) * elem;
        l->arguments[i].misalignment = affine_chance(k, 3) ? 0 : elem * affine_chance(k, 64);
    }
    l->arguments[2].value = rows;
    l->arguments[3].value = cols;
}

/* Which block this one plays: itself, or one by another number. */
static void affine_number(struct affine_kernel *k)
{
    static const char *const numbers[] = {
        "bx = id / gridDim.y, by = id % gridDim.y",
        "by = id % gridDim.y, bx = (id / gridDim.y + by) % gridDim.x",
        "by = blockIdx.y, bx = (blockIdx.x + blockIdx.y) % gridDim.x",
        "bx = blockIdx.x, by = (blockIdx.y + gridDim.y * 20 - blockIdx.x) % gridDim.y",
        "bx = id % 5, by = id / 5",
        "bx = id / 8, by = id & 7",
        "bx = (id / 6) % 3, by = id % 6",
        "bx = blockIdx.x / 4, by = blockIdx.x % 4 + blockIdx.y * 4",
    };
    static const char *const types[] = {"int", "unsigned", "size_t"};
    if (affine_chance(k, 3)) {
        affine_add(k, "    const int bx = blockIdx.x, by = blockIdx.y;\n");
        return;
    }
    affine_add(k, "    const %s id = blockIdx.y * gridDim.x + blockIdx.x;\n", types[affine_chance(k, 3)]);
    affine_add(k, "    const int %s;\n", numbers[affine_chance(k, 8)]);
}

static inline void affine_make(struct affine_kernel *k, uint64_t seed)
{
    static const char *const types[] = {"char", "short", "float", "double", "float4", "float"};
    static const unsigned bytes[] = {1, 2, 4, 8, 16, 4};
    *k = (struct affine_kernel){.state = seed};
    unsigned type = affine_chance(k, 6);
    int64_t rows = 1 + affine_chance(k, 80), cols = 1 + affine_chance(k, 200);
    k->elem_bytes = bytes[type];
    affine_launch(k, bytes[type], rows, cols);
    affine_add(k,
               "__global__ void k(const %s *in, %s *out, int rows, int cols)\n{\n"
               "    __shared__ %s tile[16][%u];\n    %s v = in[0];\n    int i = 0;\n",
               types[type], types[type], types[type], 32 + affine_chance(k, 3), types[type]);
    affine_number(k);
    affine_add(k, "    int x = bx * %s + threadIdx.x, y = by * %s + threadIdx.y;\n",
               affine_chance(k, 4) ? "blockDim.x" : "10", affine_chance(k, 4) ? "blockDim.y" : "3");
    affine_add(k, "    int linear = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;\n");
    if (affine_chance(k, 2))
        affine_add(
            k, "    linear = linear * (blockDim.x * blockDim.y) + threadIdx.y * blockDim.x + threadIdx.x;\n");
    for (unsigned left = 2 + affine_chance(k, 6); left; left--) {
        affine_statement(k, 3);
        if (affine_chance(k, 4) == 0)
            affine_add(k, "    __syncthreads();\n");
    }
    affine_add(k, "    out[0] = v;\n}\n");
}

#endif
