#include "bench_texts.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../base/arena.h"
#include "../../sim/lang/host.h"
#include "../../sim/ptx/ptx.h"

enum { KERNELS = 100, LINES = 40, PTX_LINES = 100000, ROUNDS = 9 };

struct text {
    char *bytes;
    size_t size, room;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *text, const char *format, ...)
{
    va_list arguments;
    if (text->size + 400 > text->room)
        text->bytes = memory_resize(text->bytes, text->room = text->room * 2 + 4096, 1);
    va_start(arguments, format);
    text->size += (size_t)vsnprintf(text->bytes + text->size, 400, format, arguments);
    va_end(arguments);
}

/* A kernel with its helper and its launch, as many lines as LINES. */
static void add_kernel(struct text *text, int k)
{
    add(text, "__device__ int swizzle%d(int r, int c) { return r * 32 + ((c + r) & 31); }\n", k);
    add(text,
        "template <typename T, int N> struct box%d { T v[N]; __device__ T &at(int i) { return v[i]; } };\n",
        k);
    add(text, "__global__ void kernel%d(const float *in, float *out, int rows, int cols)\n{\n", k);
    add(text, "    __shared__ float tile[32 * 32];\n    box%d<float, 4> local;\n", k);
    add(text, "    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;\n");
    for (int i = 0; i < LINES - 13; i++)
        add(text,
            "    if (x + %d < cols && y < rows) tile[swizzle%d(threadIdx.y, threadIdx.x)] = in[y * cols + x "
            "+ %d] + "
            "__expf(in[y]);\n",
            i, k, i);
    add(text,
        "    __syncthreads();\n    for (int i = 0; i < 4; i++)\n        local.at(i) = tile[threadIdx.x];\n");
    add(text, "    out[x * rows + y] = local.v[0];\n}\n");
    add(text,
        "void run%d(float *a, float *b, int n) { kernel%d<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(a, b, n, "
        "n); }\n",
        k, k);
}

static void add_ptx(struct text *text)
{
    add(text, ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n"
              ".reg .b32 %%r<99>;\n.reg .b64 %%rd<99>;\n.reg .f32 %%f<99>;\nld.param.u64 %%rd1, [a];\n"
              "mov.u32 %%r5, %%tid.x;\n");
    for (int i = 0; i < (PTX_LINES - 12) / 4; i++) {
        add(text, "add.s32 %%r%d, %%r5, %d;\n", 10 + i % 50, i % 97);
        add(text, "mul.wide.s32 %%rd%d, %%r%d, 4;\n", 10 + i % 50, 10 + i % 50);
        add(text, "add.s64 %%rd%d, %%rd1, %%rd%d;\n", 60 + i % 30, 10 + i % 50);
        if (i % 40 == 0)
            add(text, "ld.global.f32 %%f%d, [%%rd%d];\n", i % 90, 60 + i % 30);
        else
            add(text, "xor.b32 %%r%d, %%r%d, %d;\n", 60 + i % 30, 10 + i % 50, i);
    }
    add(text, "ret;\n}\n");
}

static double now_ms(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static void fail(const struct problem *problem)
{
    (void)fprintf(stderr, "bench: line %d: %s\n", problem->line, problem->message);
    exit(1);
}

static void read_cuda(const struct source *source)
{
    struct problem problem = {0};
    unsigned launches;
    struct unit *unit = unit_open(source, NULL, 0, &problem);
    if (!unit || !unit_compile(unit, "kernel99", &problem) ||
        !host_launches(unit_host(unit), "kernel99", &launches) || launches != 1)
        fail(&problem);
    unit_close(unit);
}

static void read_ptx(const struct source *source)
{
    struct problem problem = {0};
    struct ptx_unit *unit = ptx_open(source, &problem);
    if (!unit || !ptx_compile(unit, NULL, &problem))
        fail(&problem);
    ptx_close(unit);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(FILE *out, const char *what, const struct text *text,
                    void (*read)(const struct source *source))
{
    const struct source source = {"bench", text->bytes, text->size};
    double took[ROUNDS];
    unsigned lines = 0;
    for (size_t i = 0; i < text->size; i++)
        lines += text->bytes[i] == '\n';
    for (int i = 0; i < ROUNDS; i++) {
        double start = now_ms();
        read(&source);
        took[i] = now_ms() - start;
    }
    qsort(took, ROUNDS, sizeof *took, by_value);
    (void)fprintf(out, "  %-28s %6u lines, %5zu KB  %7.1f ms (%.1f to %.1f)\n", what, lines,
                  text->size / 1000, took[ROUNDS / 2], took[0], took[ROUNDS - 1]);
}

void bench_texts(FILE *out)
{
    struct text cuda = {0}, ptx = {0};
    for (int k = 0; k < KERNELS; k++)
        add_kernel(&cuda, k);
    add_ptx(&ptx);
    (void)fprintf(out, "texts read, processor time (median of %d)\n\n", ROUNDS);
    measure(out, "CUDA, the last kernel of 100", &cuda, read_cuda);
    measure(out, "PTX", &ptx, read_ptx);
    free(cuda.bytes);
    free(ptx.bytes);
}
