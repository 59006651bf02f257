/* differential.c - random kernels compiled to PTX by a real compiler and run here, against the same text
 * compiled as C++ for the host.
 *
 *     build/fuzz/ptx [--seed S] [--kernels N] [--compiler 'nvcc -arch=sm_90 -ptx'] [--keep]
 *
 * The kernels compute with integers of all widths, without signed overflow, loop, branch and call; each
 * result becomes the index of a volatile store, which a compiler neither leaves out nor merges. Each thread's
 * stores, in their order, must be the host's.
 */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../base/text.h"
#include "../../../sim/exec/exec.h"
#include "../../../sim/ptx/ptx.h"

enum { VARIABLES = 7, THREADS = 64, BLOCKS = 2, NOTES = 4096, BATCH = 40, CELLS = 1 << 16 };

struct gen {
    uint64_t state;
    FILE *out;
    unsigned left, depth, loops, serial;
};

static uint32_t chance(struct gen *g, uint32_t below)
{
    g->state = g->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((g->state >> 33) % below);
}

static void say(struct gen *g, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vfprintf(g->out, format, arguments);
    va_end(arguments);
}

static void leaf(struct gen *g)
{
    static const char *const names[] = {"threadIdx.x", "threadIdx.y", "blockIdx.x", "blockDim.x",
                                        "p",           "q",           "s"};
    uint32_t which = chance(g, 10);
    if (which < 5)
        say(g, "v%u", chance(g, VARIABLES));
    else if (which < 8)
        say(g, "%s", names[chance(g, 7)]);
    else if (which == 8)
        say(g, "%u", chance(g, 40));
    else
        say(g, "%dll", (int)chance(g, 2000000000) - 1000000000);
}

static void expression(struct gen *g, unsigned depth)
{
    static const char *const binary[] = {"+", "-", "*", "&", "|", "^", "+", "-", "*"};
    static const char *const compare[] = {"<", "<=", "==", "!=", ">", ">="};
    static const char *const types[] = {"int",   "unsigned",      "long long",      "unsigned long long",
                                        "short", "unsigned char", "unsigned short", "signed char"};
    static const char *const two[] = {"__mulhi", "__umulhi", "min",  "max",
                                      "__mul24", "umin",     "umax", "helper"};
    static const char *const one[] = {"__popc((unsigned)(", "__clz((int)(", "__brev((unsigned)(",
                                      "__ffs((int)(", "abs((short)("};
    if (!depth || chance(g, 5) == 0) {
        leaf(g);
        return;
    }
    uint32_t which = chance(g, 20);
    if (which < 8) { /* unsigned: a compiler may take signed overflow for impossible */
        bool wide = chance(g, 3) == 0;
        say(g, wide ? "(long long)((unsigned long long)(" : "(int)((unsigned)(");
        expression(g, depth - 1);
        say(g, ") %s (%s)(", binary[chance(g, 9)], wide ? "unsigned long long" : "unsigned");
        expression(g, depth - 1);
        say(g, "))");
    } else if (which < 10) {
        say(g, "((%s)(", types[chance(g, 8)]);
        expression(g, depth - 1);
        say(g, "))");
    } else if (which < 12) { /* any shift of 32 bits by less than 32 */
        bool left = chance(g, 2) == 0;
        say(g, "((%s)(", types[left ? 1 + 2 * chance(g, 2) : chance(g, 4)]);
        expression(g, depth - 1);
        say(g, ") %s (", left ? "<<" : ">>");
        expression(g, depth - 1);
        say(g, " & 31))");
    } else if (which < 14) {
        say(g, "((%s)(", types[chance(g, 4)]);
        expression(g, depth - 1);
        say(g, ") %s ((", chance(g, 2) ? "/" : "%");
        expression(g, depth - 1);
        say(g, " & 63) + 1))");
    } else if (which < 15) {
        say(g, "(");
        expression(g, depth - 1);
        say(g, " %s ", compare[chance(g, 6)]);
        expression(g, depth - 1);
        say(g, " ? ");
        expression(g, depth - 1);
        say(g, " : ");
        expression(g, depth - 1);
        say(g, ")");
    } else if (which < 17) {
        uint32_t function = chance(g, 8);
        const char *type = two[function][0] == 'u' || function == 1 ? "unsigned" : "int";
        say(g, "%s((%s)(", two[function], type);
        expression(g, depth - 1);
        say(g, "), (%s)(", type);
        expression(g, depth - 1);
        say(g, "))");
    } else if (which < 19) {
        say(g, "%s", one[chance(g, 5)]);
        expression(g, depth - 1);
        say(g, "))");
    } else {
        static const char *const three[] = {"__byte_perm", "__funnelshift_l", "__funnelshift_r", "__usad"};
        say(g, "%s((unsigned)(", three[chance(g, 4)]);
        expression(g, depth - 1);
        say(g, "), (unsigned)(");
        expression(g, depth - 1);
        say(g, "), (unsigned)(");
        expression(g, depth - 1);
        say(g, ") & 0x7777)");
    }
}

static void condition(struct gen *g)
{
    static const char *const compare[] = {"<", "<=", "==", "!=", ">", ">="};
    uint32_t joins = chance(g, 3);
    for (uint32_t i = 0; i <= joins; i++) {
        say(g, "%s(", i ? (chance(g, 2) ? " && " : " || ") : "");
        expression(g, 2);
        say(g, " & 7) %s %u", compare[chance(g, 6)], chance(g, 8));
    }
}

static void statements(struct gen *g, unsigned count);

static void block(struct gen *g, unsigned count)
{
    say(g, "{\n");
    statements(g, count);
    say(g, "}\n");
}

static void store(struct gen *g)
{
    say(g, "%s[(", chance(g, 3) ? "out" : "tile");
    expression(g, 2);
    say(g, ") & %s] = 1;\n", "1023");
}

static void loop(struct gen *g)
{
    unsigned n = g->serial++;
    g->loops++;
    if (chance(g, 2)) {
        say(g, "for (int i%u = 0; i%u < ((", n, n);
        expression(g, 2);
        say(g, ") & 3) + 1; i%u++) ", n);
        block(g, 3);
    } else {
        say(g, "int w%u = 0;\ndo {\nw%u++;\n", n, n);
        statements(g, 3);
        say(g, "} while (w%u < 4 && (", n);
        condition(g);
        say(g, "));\n");
    }
    g->loops--;
}

static void statement(struct gen *g)
{
    uint32_t which = chance(g, 20);
    if (which < 8 || g->depth > 4) {
        say(g, "v%u = ", chance(g, VARIABLES));
        expression(g, 3);
        say(g, ";\n");
    } else if (which < 12) {
        store(g);
    } else if (which < 15) {
        say(g, "if (");
        condition(g);
        say(g, ") ");
        block(g, 3);
        if (chance(g, 2)) {
            say(g, "else ");
            block(g, 3);
        }
    } else if (which < 17) {
        loop(g);
    } else if (which < 19 && g->loops) {
        say(g, "if (");
        condition(g);
        say(g, ") %s;\n", chance(g, 2) ? "break" : "continue");
    } else if (which == 19 && chance(g, 4) == 0) {
        say(g, "if (");
        condition(g);
        say(g, ") { out[v0 & 1023] = 2; return; }\n");
    } else {
        store(g);
    }
}

static void statements(struct gen *g, unsigned count)
{
    g->depth++;
    for (unsigned i = 0; i < count && g->left; i++, g->left--)
        statement(g);
    g->depth--;
}

static void kernel(struct gen *g, unsigned number)
{
    static const char *const types[VARIABLES] = {"int",   "unsigned",      "long long", "unsigned long long",
                                                 "short", "unsigned char", "int"};
    g->left = 40;
    g->depth = g->loops = 0;
    say(g, "static __device__ __noinline__ int helper%u(int a, int b)\n{\n", number);
    say(g, "    for (int i = 0; i < (b & 3); i++) { if (a & 1) a = (int)(3u * (unsigned)a + (unsigned)b); "
           "else a = (int)((unsigned)(a / 2) - (unsigned)b); }\n    "
           "return a;\n}\n");
    say(g, "#undef helper\n#define helper helper%u\n", number);
    say(g, "__global__ void k%u(out_t out, int p, unsigned q, long long s)\n{\nTILE\n", number);
    for (unsigned i = 0; i < VARIABLES; i++)
        say(g, "%s v%u = %s * %u + %u;\n", types[i], i, i % 2 ? "threadIdx.x" : "blockIdx.x", chance(g, 9),
            chance(g, 99));
    statements(g, 14);
    for (unsigned i = 0; i < VARIABLES; i++)
        say(g, "out[v%u & 1023] = 3;\n", i);
    say(g, "}\n");
}

struct note {
    long long index;
    int buffer;
};

struct thread_notes {
    struct note *at;
    unsigned count;
};

static void take_access(void *self, const struct access *access)
{
    struct thread_notes *threads = self;
    for (uint32_t lanes = access->mask; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        struct thread_notes *t = &threads[access->block[0] * THREADS + access->warp * LANES + lane];
        if (t->count < NOTES)
            t->at[t->count] =
                (struct note){access_offset(access, lane) / 4, access->site->kind->space == SPACE_SHARED};
        t->count++;
    }
}

static bool same(const struct thread_notes *mine, const struct note *host, unsigned count)
{
    if (mine->count != count)
        return false;
    for (unsigned i = 0; i < count && i < NOTES; i++)
        if (mine->at[i].index != host[i].index || mine->at[i].buffer != host[i].buffer)
            return false;
    return true;
}

typedef unsigned host_run(unsigned thread, unsigned block, struct note *notes, unsigned most);

/* 0: the same; 1: different; 2: refused. */
static int check(struct ptx_unit *unit, unsigned number, host_run *host)
{
    char name[20];
    (void)snprintf(name, sizeof name, "k%u", number);
    struct problem problem = {0};
    const struct program *program = ptx_compile(unit, name, &problem);
    struct launch launch = {.grid = {BLOCKS, 1, 1}, .block = {THREADS / 2, 2, 1}, .budget = 1 << 22};
    const int64_t values[] = {0, -77, 1234567, INT64_C(-9876543210123)};
    for (unsigned i = 0; program && i < program->parameter_count; i++) {
        unsigned place = (unsigned)(program->parameters[i].name[6] - '0');
        launch.arguments[i] = (struct argument){.value = values[place], .bytes = CELLS};
    }
    struct thread_notes mine[BLOCKS * THREADS] = {0};
    struct note *notes = calloc((size_t)(BLOCKS * THREADS + 1) * NOTES, sizeof *notes);
    for (unsigned t = 0; t < BLOCKS * THREADS; t++)
        mine[t].at = notes + (size_t)(t + 1) * NOTES;
    struct execution *e = program ? execution_new(program, &launch, false, &problem) : NULL;
    struct sink sink = {.self = mine, .access = take_access};
    bool ran = e && execution_run_blocks(e, 0, BLOCKS, &sink, &problem);
    int result = ran ? 0 : 2;
    for (unsigned t = 0; ran && t < BLOCKS * THREADS; t++) {
        unsigned count = host(t % THREADS, t / THREADS, notes, NOTES);
        if (!same(&mine[t], notes, count)) {
            (void)printf("%s: thread %u of block %u: %u stores here, %u of the host\n", name, t % THREADS,
                         t / THREADS, mine[t].count, count);
            for (unsigned i = 0; i < count && i < mine[t].count && i < NOTES; i++)
                if (mine[t].at[i].index != notes[i].index) {
                    (void)printf("    store %u: %lld here, %lld of the host\n", i, mine[t].at[i].index,
                                 notes[i].index);
                    break;
                }
            result = 1;
            break;
        }
    }
    if (!ran) {
        char text[1000];
        problem_format(&problem, NULL, text, sizeof text);
        (void)printf("%s: %s\n", name, text);
    }
    execution_free(e);
    free(notes);
    return result;
}

static bool write_batch(uint64_t seed, unsigned count, const char *folder)
{
    char path[300];
    for (int host = 0; host < 2; host++) {
        struct gen g = {.state = seed * 2654435761u + 17};
        (void)snprintf(path, sizeof path, "%s/%s", folder, host ? "host.cpp" : "kernels.cu");
        if (!(g.out = fopen(path, "w")))
            return false;
        if (host)
            say(&g, "#include \"%s/tests/fuzz/ptx/host.hpp\"\n#define TILE\n", getenv("PWD"));
        else
            say(&g, "typedef volatile int *out_t;\n#define TILE __shared__ volatile int tile[1024];\n"
                    "#define umin min\n#define umax max\n");
        for (unsigned i = 0; i < count; i++)
            kernel(&g, i);
        for (unsigned i = 0; host && i < count; i++)
            say(&g,
                "extern \"C\" unsigned run%u(unsigned thread, unsigned block, note *to, unsigned room)\n{\n"
                "threadIdx = {thread %% %d, thread / %d, 0}; blockIdx = {block, 0, 0}; blockDim = {%d, 2, "
                "1};\n"
                "gridDim = {%d, 1, 1}; notes = to; most = room; noted = 0;\n"
                "k%u(out_t{0}, -77, 1234567u, -9876543210123ll); return noted;\n}\n",
                i, THREADS / 2, THREADS / 2, THREADS / 2, BLOCKS, i);
        (void)fclose(g.out);
    }
    return true;
}

static bool run_batch(uint64_t seed, unsigned count, const char *compiler, unsigned results[3])
{
    char folder[] = "/tmp/lanescope-ptx-XXXXXX", command[1000], path[300];
    if (!mkdtemp(folder) || !write_batch(seed, count, folder))
        return false;
    (void)snprintf(
        command, sizeof command,
        "%s -o %s/kernels.ptx %s/kernels.cu 2>%s/log && "
        "c++ -w -O1 -fwrapv -shared -fPIC -o %s/host.so %s/host.cpp 2>>%s/log || { cat %s/log; false; }",
        compiler, folder, folder, folder, folder, folder, folder, folder);
    if (system(command) != 0) /* NOLINT: a tool that a developer runs */
        return false;
    struct problem problem = {0};
    struct text text;
    (void)snprintf(path, sizeof path, "%s/kernels.ptx", folder);
    struct ptx_unit *unit =
        text_read_file(&text, path, 1u << 28, &problem) ? ptx_open(&text.source, &problem) : NULL;
    (void)snprintf(command, sizeof command, "%s/host.so", folder);
    void *library = dlopen(command, RTLD_NOW);
    unsigned wrong = 0;
    for (unsigned i = 0; unit && library && i < count; i++) {
        char name[20];
        (void)snprintf(name, sizeof name, "run%u", i);
        void *symbol = dlsym(library, name);
        host_run *host;
        memcpy(&host, &symbol, sizeof host);
        int result = check(unit, i, host);
        results[result]++;
        wrong += result != 0;
    }
    if (!unit)
        (void)printf("%s:%d: %s\n", path, problem.line, problem.message);
    bool ok = unit && library;
    ptx_close(unit);
    text_close(&text);
    if (library)
        (void)dlclose(library);
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    if (ok && !wrong)
        return system(command) == 0; /* NOLINT */
    (void)printf("seed %llu: kept in %s\n", (unsigned long long)seed, folder);
    return ok;
}

int main(int argc, char **argv)
{
    uint64_t seed = 1;
    unsigned kernels = 200, results[3] = {0};
    const char *compiler = "/usr/local/cuda/bin/nvcc -w -arch=sm_90 -ptx";
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--kernels") == 0)
            kernels = (unsigned)strtoul(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--compiler") == 0)
            compiler = argv[i + 1];
    }
    for (unsigned done = 0; done < kernels; done += BATCH)
        if (!run_batch(seed + done, kernels - done < BATCH ? kernels - done : BATCH, compiler, results))
            return 1;
    (void)printf("%u kernels: %u the same, %u different, %u refused\n", kernels, results[0], results[1],
                 results[2]);
    return results[1] || results[2];
}
