/* semantic.c - random kernels of the whole language, thread by thread through the host compiler, lane by lane
 * against lanescope.
 *
 *     semantic [--kernels N] [--seed S] [--seconds N] [--batch N] [--folder F] [--only K] [--reduce N]
 *              [--rules] [--without RULE] [--weight RULE N] [--ptx clang|nvcc|COMMAND]
 *
 * A kernel is a function of the seed and its number: `--seed S --only K` is that one again, reduced. The host
 * texts of a batch are compiled together, by $HOSTCXX (default: clang -x c++). It must evaluate operands from
 * left to right, as clang and lanescope do; C++ leaves that open and g++ sometimes begins on the right, so
 * that a thread's loads within one expression come in another order. With --ptx a compiler makes PTX of the
 * same text, and that is run in place of the CUDA text. --rules prints how often each feature was used,
 * --weight and --without change that. Kernels that differ are left in the folder, as found and (the first N
 * of --reduce) reduced. Exit code 1 if one differed, or if so many were refused that little was compared.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "compare.h"

enum { REASONS = 64, REDUCED = 3, REDUCE_SECONDS = 20, REFUSED_PART = 20, REFUSED_PART_OF_PTX = 6 };

struct options {
    uint64_t seed;
    unsigned long kernels, batch;
    long only, seconds, reduced;
    const char *folder, *source, *ptx; /* ptx: "clang", "nvcc", or a command */
    bool rules;
};

struct totals {
    unsigned long outcomes[5], accesses;
    struct {
        char message[200];
        unsigned long count, kernel;
    } reasons[REASONS];
    unsigned reasons_count;
};

static uint64_t current_seed;
static time_t reduce_until;
static unsigned long current_kernel;

static void crashed(int number)
{
    char text[120];
    int length = snprintf(text, sizeof text, "semantic: signal %d in --seed %llu --only %lu\n", number,
                          (unsigned long long)current_seed, current_kernel);
    (void)!write(2, text, (size_t)length);
    _exit(3);
}

static uint64_t kernel_seed(const struct options *options, unsigned long kernel)
{
    return options->seed * UINT64_C(0xd1342543de82ef95) + kernel * UINT64_C(0x2545f4914f6cdd1d) + 1;
}

static void write_file(const char *path, const struct text *text)
{
    FILE *file = fopen(path, "w");
    if (!file || fwrite(text->at, 1, text->size, file) != text->size || fclose(file)) {
        perror(path);
        exit(2);
    }
}

/* NULL if it does not compile. */
static void *compile(const struct options *options, const struct text *body, bool must)
{
    static unsigned long serial;
    char source[512], library[512], command[2048];
    const char *compiler = getenv("HOSTCXX"), *overflow = "-fwrapv";
    if (options->ptx &&
        strncmp(options->ptx, "nvcc", 4) == 0) /* what nvcc takes for impossible is not compared */
        overflow = "-fsanitize=signed-integer-overflow,shift-exponent -fsanitize-minimal-runtime";
    struct text whole = {0};
    text_add(&whole, "#include \"host.hpp\"\n%s", body->at);
    (void)snprintf(source, sizeof source, "%s/host.cpp", options->folder);
    (void)snprintf(library, sizeof library, "%s/host%ld_%lu.so", options->folder, (long)getpid(), serial++);
    write_file(source, &whole);
    free(whole.at);
    (void)snprintf(command, sizeof command,
                   "%s -std=c++17 -O0 %s -w -shared -fPIC -nostdlib -fno-exceptions -fno-rtti -I '%s' "
                   "-o '%s' '%s'%s",
                   compiler ? compiler : "clang -x c++", overflow, options->source, library, source,
                   must ? "" : " 2>/dev/null");
    if (system(command)) {
        if (must)
            exit(2);
        return NULL;
    }
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    (void)unlink(library);
    if (!handle) {
        (void)fprintf(stderr, "semantic: %s\n", dlerror());
        exit(2);
    }
    return handle;
}

/* The batch's host text as PTX; exits if it does not compile, unless `must` is false. */
static struct ptx_unit *compile_ptx(const struct options *options, const struct text *body, struct text *ptx,
                                    bool must)
{
    static const char *const commands[][2] = {
        {"clang", "clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_80 -Xclang "
                  "-target-feature -Xclang +ptx70 -fdeclspec -std=c++17 -O2 -fwrapv -Wno-everything -S "
                  "-include cuda/door/clang.cuh"},
        {"nvcc", "nvcc -ptx -arch=sm_90 -std=c++17 -w --expt-relaxed-constexpr"}};
    char path[512], to[512], command[2048];
    const char *compiler = options->ptx;
    for (int i = 0; i < 2; i++)
        compiler = strcmp(compiler, commands[i][0]) == 0 ? commands[i][1] : compiler;
    struct text whole = {0};
    text_add(&whole, "#include \"device.hpp\"\n%s", body->at);
    (void)snprintf(path, sizeof path, "%s/device.cu", options->folder);
    (void)snprintf(to, sizeof to, "%s/device.ptx", options->folder);
    write_file(path, &whole);
    free(whole.at);
    (void)snprintf(command, sizeof command, "%s -I '%s' -o '%s' '%s'%s", compiler, options->source, to, path,
                   must ? "" : " 2>/dev/null");
    if (system(command)) {
        if (must)
            exit(2);
        return NULL;
    }
    FILE *file = fopen(to, "r");
    char line[4096];
    ptx->size = 0;
    while (file && fgets(line, sizeof line, file))
        text_add(ptx, "%s", line);
    if (file)
        (void)fclose(file);
    struct problem problem = {0};
    static struct source source;
    source = (struct source){"device.ptx", ptx->at, ptx->size};
    struct ptx_unit *unit = ptx_open(&source, &problem);
    if (!unit) {
        (void)fprintf(stderr, "semantic: %s:%d: %s\n", to, problem.line, problem.message);
        exit(2);
    }
    return unit;
}

/* By one front end or the other. */
static void compare_text(const struct options *options, const struct gen *g, struct ptx_unit *unit,
                         void *library, unsigned long kernel, struct comparison *result)
{
    if (options->ptx)
        compare_ptx(g, unit, library, (unsigned)kernel, result);
    else
        compare(g, library, (unsigned)kernel, kernel & 1, result);
}

/* One kernel with some statements and expressions left out. */
static bool still_differs(const struct options *options, struct gen *g, unsigned long kernel,
                          struct comparison *result)
{
    static struct text ptx;
    gen_kernel(g, kernel_seed(options, kernel), 0);
    void *library = compile(options, &g->host, false);
    if (!library)
        return false;
    struct ptx_unit *unit = options->ptx ? compile_ptx(options, &g->host, &ptx, false) : NULL;
    result->outcome = OUTCOME_EQUAL;
    if (!options->ptx || unit)
        compare_text(options, g, unit, library, 0, result);
    ptx_close(unit);
    (void)dlclose(library);
    return result->outcome == OUTCOME_DIFFERS;
}

static void reduce_by(const struct options *options, struct gen *g, unsigned long kernel, bool *skip,
                      unsigned count)
{
    struct comparison result;
    for (unsigned step = count < NUMBERS ? count : NUMBERS; step; step /= 2)
        for (unsigned from = 0; from < count && from < NUMBERS; from += step) {
            bool before[NUMBERS];
            if (time(NULL) > reduce_until)
                return;
            memcpy(before, skip, sizeof before);
            for (unsigned i = from; i < from + step && i < NUMBERS; i++)
                skip[i] = true;
            if (memcmp(before, skip, sizeof before) && !still_differs(options, g, kernel, &result))
                memcpy(skip, before, sizeof before);
        }
}

/* Leaves KERNEL.cu, and KERNEL_reduced.cu with as many statements and expressions gone as can be. */
static void reduce(const struct options *options, unsigned long kernel)
{
    static struct gen g;
    static bool statements[NUMBERS], expressions[NUMBERS];
    char path[512];
    struct comparison result = {0};
    memset(statements, 0, sizeof statements);
    memset(expressions, 0, sizeof expressions);
    g.for_ptx = options->ptx != NULL;
    g.skip_statement = statements;
    g.skip_expression = expressions;
    reduce_until = time(NULL) + REDUCE_SECONDS;
    if (!still_differs(options, &g, kernel, &result))
        return;
    reduce_by(options, &g, kernel, statements, g.statements);
    reduce_by(options, &g, kernel, expressions, g.expressions);
    reduce_by(options, &g, kernel, statements, g.statements);
    still_differs(options, &g, kernel, &result);
    (void)snprintf(path, sizeof path, "%s/%llu_%lu_reduced.cu", options->folder,
                   (unsigned long long)options->seed, kernel);
    write_file(path, &g.cu);
    printf("  reduced to %s:\n  block %ux%ux%u grid %ux%ux%u: %s\n%s", path, g.block[0], g.block[1],
           g.block[2], g.grid[0], g.grid[1], g.grid[2], result.message, g.cu.at);
}

static void count_reason(struct totals *totals, const struct comparison *result, unsigned long kernel)
{
    char message[sizeof totals->reasons[0].message];
    memcpy(message, result->message, sizeof message);
    message[sizeof message - 1] = '\0';
    unsigned i = 0;
    for (; i < totals->reasons_count; i++)
        if (strcmp(totals->reasons[i].message, message) == 0)
            break;
    if (i == REASONS)
        return;
    if (i == totals->reasons_count) {
        memcpy(totals->reasons[i].message, message, sizeof message);
        totals->reasons[i].kernel = kernel;
        totals->reasons_count++;
    }
    totals->reasons[i].count++;
}

static void judge(const struct options *options, struct totals *totals, const struct gen *g,
                  unsigned long kernel, const struct comparison *result)
{
    char path[512];
    totals->outcomes[result->outcome]++;
    totals->accesses += result->accesses;
    if (result->outcome == OUTCOME_REFUSED) {
        count_reason(totals, result, kernel);
        if (options->only >= 0)
            printf("refused: line %d, column %d: %s\n%s", result->line, result->column, result->message,
                   g->cu.at);
    }
    if (result->outcome != OUTCOME_DIFFERS)
        return;
    (void)snprintf(path, sizeof path, "%s/%llu_%lu.cu", options->folder, (unsigned long long)options->seed,
                   kernel);
    write_file(path, &g->cu);
    printf("differs: --seed %llu --only %lu (%s): %s\n", (unsigned long long)options->seed, kernel, path,
           result->message);
    if (totals->outcomes[OUTCOME_DIFFERS] <= (unsigned long)options->reduced)
        reduce(options, kernel);
    (void)fflush(stdout);
}

static void run_batch(const struct options *options, unsigned long first, unsigned long count,
                      struct totals *totals)
{
    static struct gen g;
    struct text all = {0};
    g.for_ptx = options->ptx != NULL;
    for (unsigned long k = first; k < first + count; k++) {
        gen_kernel(&g, kernel_seed(options, k), (unsigned)k);
        text_add(&all, "%s", g.host.at);
    }
    static struct text ptx;
    void *library = compile(options, &all, true);
    struct ptx_unit *unit = options->ptx ? compile_ptx(options, &all, &ptx, true) : NULL;
    free(all.at);
    for (unsigned long k = first; k < first + count; k++) {
        struct comparison result;
        current_kernel = k;
        gen_kernel(&g, kernel_seed(options, k), (unsigned)k);
        compare_text(options, &g, unit, library, k, &result);
        judge(options, totals, &g, k, &result);
    }
    ptx_close(unit);
    (void)dlclose(library);
}

static void parse(struct options *options, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "0";
        if (strcmp(argv[i], "--rules") == 0) {
            options->rules = true;
            continue;
        }
        if (strcmp(argv[i], "--kernels") == 0)
            options->kernels = strtoul(value, NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            options->seed = strtoull(value, NULL, 10);
        else if (strcmp(argv[i], "--seconds") == 0)
            options->seconds = strtol(value, NULL, 10);
        else if (strcmp(argv[i], "--batch") == 0)
            options->batch = strtoul(value, NULL, 10);
        else if (strcmp(argv[i], "--folder") == 0)
            options->folder = value;
        else if (strcmp(argv[i], "--source") == 0)
            options->source = value;
        else if (strcmp(argv[i], "--without") == 0 && gen_without(value))
            ;
        else if (strcmp(argv[i], "--reduce") == 0)
            options->reduced = strtol(value, NULL, 10);
        else if (strcmp(argv[i], "--weight") == 0 && i + 2 < argc && gen_weigh(value, argv[i + 2]))
            i++;
        else if (strcmp(argv[i], "--ptx") == 0)
            options->ptx = value;
        else if (strcmp(argv[i], "--only") == 0)
            options->only = strtol(value, NULL, 10);
        else {
            (void)fprintf(stderr, "semantic: %s is no option; see tests/fuzz/semantic/semantic.c\n", argv[i]);
            exit(2);
        }
        i++;
    }
}

int main(int argc, char **argv)
{
    static struct totals totals;
    struct options options = {.seed = 1,
                              .kernels = 2000,
                              .batch = 200,
                              .only = -1,
                              .reduced = REDUCED,
                              .seconds = 3600,
                              .folder = "build/fuzz/semantic.found",
                              .source = "tests/fuzz/semantic"};
    parse(&options, argc, argv);
    (void)mkdir(options.folder, 0777);
    compare_features();
    for (int i = 0; i < FEATURE_COUNT; i++)
        if (!gen_features[i].on)
            printf("not generated, since lanescope refuses it: %s\n", gen_features[i].name);
    current_seed = options.seed;
    (void)signal(SIGSEGV, crashed);
    (void)signal(SIGABRT, crashed);
    (void)signal(SIGFPE, crashed);
    time_t end = time(NULL) + options.seconds;
    unsigned long done = 0;
    if (options.only >= 0) {
        run_batch(&options, (unsigned long)options.only, 1, &totals);
        done = 1;
    }
    while (options.only < 0 && done < options.kernels && time(NULL) < end) {
        unsigned long count = options.kernels - done < options.batch ? options.kernels - done : options.batch;
        run_batch(&options, done, count, &totals);
        done += count;
    }
    for (unsigned i = 0; i < totals.reasons_count; i++)
        printf("refused %6lu (first: kernel %lu): %s\n", totals.reasons[i].count, totals.reasons[i].kernel,
               totals.reasons[i].message);
    if (options.rules)
        gen_print_rules();
    printf("semantic: seed %llu, %lu kernels: %lu equal in %lu warp accesses, %lu differ, %lu refused, %lu "
           "too long, %lu undefined\n",
           (unsigned long long)options.seed, done, totals.outcomes[OUTCOME_EQUAL], totals.accesses,
           totals.outcomes[OUTCOME_DIFFERS], totals.outcomes[OUTCOME_REFUSED], totals.outcomes[OUTCOME_LONG],
           totals.outcomes[OUTCOME_UNDEFINED]);
    unsigned part =
        options.ptx ? REFUSED_PART_OF_PTX : REFUSED_PART; /* what compilers keep in local memory */
    bool refuses = totals.outcomes[OUTCOME_REFUSED] * part > done && done > part;
    if (refuses)
        printf("more than one in %u is refused: see above why\n", part);
    return refuses || totals.outcomes[OUTCOME_DIFFERS];
}
