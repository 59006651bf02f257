/* The doors to compilers: what a kernel's device part holds, and that clang and NVRTC compile it. Where one
 * of them is missing its compilations are skipped, and that is said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../cuda/compiler.h"
#include "../cuda/door.h"
#include "../cuda/instrument.h"
#include "../cuda/process.h"
#include "../sim/report/scenario.h"
#include "support.h"

/* A file as people write it: host code with the kernel's needs among it. */
static const char whole[] =
    "// block: 32\n"
    "// grid: 2\n"
    "#include <cuda_runtime.h>\n"
    "#include <vector>\n"
    "#define CHECK(x) do { if (x) std::abort(); } while (0)\n"
    "const int WIDTH = 3;\n"
    "struct Pair { float a, b; Pair() { std::puts(\"host\"); } __device__ float sum() const "
    "{ return a + b; } };\n"
    "std::vector<Pair> all;\n"
    "static void fill(std::vector<Pair> &v) { CHECK(cudaMalloc(0, 4)); }\n"
    "__device__ float get(const float *p, int i)\n"
    "{\n"
    "    return p[i * WIDTH];\n"
    "}\n"
    "__device__ Missing unused(Missing m) { return m; }\n"
    "template <int N> __global__ void k(float *out, const float *in, const Pair *pairs)\n"
    "{\n"
    "#pragma unroll\n"
    "    for (int i = 0; i < 2; i++)\n"
    "        out[threadIdx.x + i] = get(in, threadIdx.x) + get(in, threadIdx.x + N);\n"
    "}\n"
    "int main() { k<3><<<2, 32>>>(nullptr, nullptr, nullptr); return 0; }\n";

static struct device_part part_of(const char *name, const char *bytes, const char *kernel)
{
    struct source text = {name, bytes, strlen(bytes)};
    struct device_part_request request = {.text = &text, .kernel = kernel};
    struct device_part part;
    struct problem problem = {0};
    if (!device_part_of(&request, &part, &problem))
        fail_msg("%s", problem.message);
    return part;
}

static unsigned line_of(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    unsigned line = 1;
    assert_non_null(at);
    for (; at > text; at--)
        line += at[-1] == '\n';
    return line;
}

static void host_code_is_blanked_and_lines_stay(void **state)
{
    struct device_part part = part_of("whole.cu", whole, NULL);
    static const char *const kept[] = {"const int WIDTH",      "struct Pair",        "__device__ float sum",
                                       "__device__ float get", "__global__ void k(", "#pragma unroll",
                                       "#define CHECK"};
    static const char *const gone[] = {"#include", "int main", "fill", "std::vector", "unused", "puts"};
    (void)state;
    assert_int_equal(part.size, strlen(whole));
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        assert_int_equal(line_of(part.text, kept[i]), line_of(whole, kept[i]));
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        assert_null(strstr(part.text, gone[i]));
    assert_string_equal(part.kernel, "k");
    assert_string_equal(part.arguments, "3 ");
    assert_false(part.assumed);
    assert_int_equal(part.parameter_count, 3);
    assert_string_equal(part.parameters[1], "in");
    device_part_free(&part);
}

static void a_kernel_in_a_namespace_with_a_type_nobody_names(void **state)
{
    struct device_part part =
        part_of("a.cu",
                "namespace a { namespace b { void host() { launch(); }\n"
                "template <typename T, int N = 4> __global__ void k(T *p) { p[N] = 0; } } }\n",
                "k");
    (void)state;
    char *kernel = door_kernel_expression(&part);
    assert_string_equal(kernel, "a::b::k<float>");
    assert_true(part.assumed);
    free(kernel);
    device_part_free(&part);
}

static void a_number_that_nobody_names_is_asked_for(void **state)
{
    static const char bytes[] = "template <int N> __global__ void k(float *p) { p[N] = 0; }\n";
    struct source text = {"n.cu", bytes, sizeof bytes - 1};
    struct device_part_request request = {.text = &text};
    struct device_part part;
    struct problem problem = {0};
    (void)state;
    assert_false(device_part_of(&request, &part, &problem));
    assert_int_equal(problem.cure, PROBLEM_CURE_TEMPLATE);
    assert_non_null(strstr(problem.message, "int N"));
}

static const struct source header = {
    "h.cuh", "#pragma once\n__device__ int twice(int i) { return 2 * i; }\nvoid h();\n", 69};

static const struct source *read_header(void *self, const char *name, const struct source *from)
{
    (void)self;
    (void)from;
    return strcmp(name, "h.cuh") == 0 ? &header : NULL;
}

static void an_included_text_stands_in_its_place(void **state)
{
    static const char bytes[] = "#include \"h.cuh\"\n#include \"h.cuh\"\n"
                                "__global__ void k(int *p) { p[twice(threadIdx.x)] = 0; }\n";
    const struct include_reader reader = {.read = read_header};
    struct source text = {"i.cu", bytes, sizeof bytes - 1};
    struct device_part_request request = {.text = &text, .includes = &reader};
    struct device_part part;
    struct problem problem = {0};
    (void)state;
    assert_true(device_part_of(&request, &part, &problem));
    const char *first = strstr(part.text, "int twice");
    assert_non_null(first);
    assert_null(strstr(first + 1, "int twice"));
    assert_non_null(strstr(part.text, "#line 1 \"h.cuh\""));
    assert_null(strstr(part.text, "void h()"));
    device_part_free(&part);
}

enum { CHAIN = 24 };

/* c0.h includes c1.h twice, which includes c2.h twice, ...; each is guarded. list.h only looks as if. */
static const struct source *read_chain(void *self, const char *name, const struct source *from)
{
    static char names[CHAIN + 1][8], texts[CHAIN + 1][200];
    static struct source sources[CHAIN + 1];
    static const struct source list = {"list.h", "#ifndef L\n#define L\n#endif\nITEM\n", 30};
    (void)self;
    (void)from;
    if (strcmp(name, "list.h") == 0)
        return &list;
    int i = atoi(name + 1);
    if (i < CHAIN)
        (void)snprintf(texts[i], sizeof texts[i],
                       "#ifndef C%d\n#define C%d\n#include \"c%d.h\"\n#include \"c%d.h\"\n#endif // C\n", i,
                       i, i + 1, i + 1);
    else
        (void)snprintf(texts[i], sizeof texts[i],
                       "#ifndef C\n#define C\n__device__ int deep(int i) { return i; }\n#endif\n");
    (void)snprintf(names[i], sizeof names[i], "c%d.h", i);
    sources[i] = (struct source){names[i], texts[i], strlen(texts[i])};
    return &sources[i];
}

/* Two to the 24th times the last header is no text for a compiler. */
static void a_guarded_header_is_written_once(void **state)
{
    static const char bytes[] =
        "#include \"c0.h\"\n__global__ void k(int *p) { p[deep(threadIdx.x)] = 0; }\n";
    static const char items[] = "#define ITEM int a;\nstruct p {\n#include \"list.h\"\n};\n#undef ITEM\n"
                                "#define ITEM int b;\nstruct q {\n#include \"list.h\"\n};\n"
                                "__global__ void k(p *x, q *y) { x->a = y->b; }\n";
    const struct include_reader reader = {.read = read_chain};
    struct source text = {"i.cu", bytes, sizeof bytes - 1};
    struct device_part_request request = {.text = &text, .includes = &reader};
    struct device_part part;
    struct problem problem = {0};
    (void)state;
    if (!device_part_of(&request, &part, &problem))
        fail_msg("%s", problem.message);
    const char *first = strstr(part.text, "int deep");
    assert_non_null(first);
    assert_null(strstr(first + 1, "int deep"));
    assert_true(part.size < 1 << 16);
    device_part_free(&part);
    text = (struct source){"i.cu", items, sizeof items - 1};
    assert_true(device_part_of(&request, &part, &problem));
    first = strstr(part.text, "#line 1 \"list.h\"");
    assert_non_null(first);
    assert_non_null(strstr(first + 1, "#line 1 \"list.h\""));
    device_part_free(&part);
}

/* A class that a kernel reads one number of may hold what only the host uses: it lies where it lies there. */
static void classes_of_the_host_keep_their_layout(void **state)
{
    static const enum door doors[] = {DOOR_CLANG, DOOR_NVRTC};
    static const char bytes[] =
        "#include <vector>\n#include <string>\n"
        "struct Log { std::vector<int> list; std::string name; int n;\n"
        "  void add(int i) { if (i < 0) throw std::invalid_argument(\"i\"); list.push_back(i); } };\n"
        "__global__ void k(int *p, const Log *log) { p[threadIdx.x] = log->n; }\n";
    struct source text = {"log.cu", bytes, sizeof bytes - 1};
    (void)state;
    for (size_t i = 0; i < sizeof doors / sizeof *doors; i++) {
        struct device_part_request request = {.text = &text};
        struct door_result result;
        struct problem problem = {0};
        if (!door_compile(doors[i], false, &request, &result, &problem)) {
            if (!strstr(problem.message, "there is no") && !strstr(problem.message, "NVRTC is missing") &&
                !strstr(problem.message, "without CUDA"))
                fail_msg("%s", problem.message);
            continue;
        }
        if (!strstr(result.ptx, "+56];")) /* 24 bytes of a vector, 32 of a string */
            fail_msg("%s", result.ptx);
        door_free(&result);
    }
}

static void doors_lead_to_ptx(void **state)
{
    static const enum door doors[] = {DOOR_CLANG, DOOR_NVRTC};
    struct source text = {"who\"; touch me; $(touch me).cu", whole,
                          strlen(whole)}; /* never on a command line */
    unsigned compiled = 0;
    (void)state;
    for (size_t i = 0; i < sizeof doors / sizeof *doors; i++) {
        struct device_part_request request = {.text = &text};
        struct door_result result;
        struct problem problem = {0};
        if (!door_compile(doors[i], false, &request, &result, &problem)) {
            if (!strstr(problem.message, "there is no") && !strstr(problem.message, "NVRTC is missing") &&
                !strstr(problem.message, "without CUDA"))
                fail_msg("%s", problem.message);
            print_message("note: skipped: %s\n", problem.message);
            continue;
        }
        assert_non_null(strstr(result.ptx, ".entry _Z1kILi3EEvPfPKfPK4Pair"));
        assert_non_null(strstr(result.ptx, DOOR_FILE));
        compiled++;
        door_free(&result);
    }
    print_message("note: %u compilers\n", compiled);
}

static void what_a_compiler_refuses_is_said_with_its_words(void **state)
{
    static const char bytes[] = "__global__ void k(Missing *p) { p[0] = 0; }\n";
    struct source text = {"m.cu", bytes, sizeof bytes - 1};
    struct device_part_request request = {.text = &text};
    struct door_result result;
    struct problem problem = {0};
    (void)state;
    assert_false(door_compile(DOOR_CLANG, false, &request, &result, &problem));
    if (strstr(problem.message, "there is no"))
        skip();
    assert_non_null(strstr(problem.message, "kernel.cu:1"));
    assert_non_null(strstr(problem.message, "Missing"));
}

/* Where the built-in language ends the program goes on with a compiler, and says so. goto.cu: 48 of each
 * block's 64 threads copy, in 4 blocks of 2 warps. */
static void a_refused_kernel_goes_through_a_compiler(void **state)
{
    static const char *const vias[] = {"clang", "nvrtc"};
    static const char said[] = "the built-in language does not take it: line 6: goto is not supported";
    const char *file = "tests/data/goto.cu";
    unsigned tried = 0;
    (void)state;
    expect_run(run_program("ladder", file, "--via", "builtin", NULL), 2, "", "goto is not supported");
    for (size_t i = 0; i < sizeof vias / sizeof *vias; i++) {
        struct run run = run_program("ladder", file, "--via", vias[i], "-f", "csv", NULL);
        if (run.code == 2) {
            print_message("note: skipped: %s\n", run.err);
            run_free(&run);
            continue;
        }
        tried++;
        /* requests, lines, sectors: 8, and 4 x 6 of 32 bytes for either side */
        expect_run(run, 0, ",8,8,24,3.00,24,100.0,8,8,24,3.00,24,100.0,", "skip compiled to PTX by");
        expect_run(run_program("trace", file, "--via", vias[i], NULL), 0,
                   "compiled from tests/data/goto.cu, line 7", "");
    }
    if (tried)
        expect_run(run_program("ladder", file, NULL), 0, said, "");
    else
        skip();
}

/* A function that is called twice has one text: its visits are recorded together. */
static void a_functions_twin_records_once_and_compiles(void **state)
{
    struct source text = {"whole.cu", whole, strlen(whole)};
    struct scenario_options options = {.rows = 8, .cols = 8};
    struct scenario s;
    struct problem problem = {0};
    struct compiler *compiler;
    struct binary binary;
    (void)state;
    static const char bytes[] = "// block: 32\n// grid: 2\n"
                                "#include <vector>\n"
                                "__device__ float get(const float *p, int i) { return p[i]; }\n"
                                "__global__ void k(float *out, const float *in, int *count)\n"
                                "{\n"
                                "    atomicAdd(&count[threadIdx.x], 1);\n"
                                "    __stcs(&out[threadIdx.x], __ldg(in + threadIdx.x) * 2);\n"
                                "    out[threadIdx.x] += get(in, threadIdx.x) + get(in, threadIdx.x + 1);\n"
                                "}\n"
                                "int main() { std::vector<int> v; }\n";
    text = (struct source){"twice.cu", bytes, sizeof bytes - 1};
    if (!scenario_open(&s, &text, &options, &problem))
        fail_msg("%s", problem.message);
    struct source twin = {"twice.cu", NULL, 0};
    unsigned lines;
    char *twin_bytes = twin_text(s.program, &twin.size, &lines, &problem);
    if (!twin_bytes)
        fail_msg("%s", problem.message);
    twin.bytes = twin_bytes;
    assert_int_equal(line_of(twin_bytes, "// block: 32"), lines + 1);
    const char *get = strstr(twin_bytes, "float get(");
    const char *call = strstr(get, "lanescope_record(");
    assert_true(strchr(get, '\n') > call);
    assert_true(strstr(call + 1, "lanescope_record(") > strchr(get, '\n'));
    struct device_part_request request = {.text = &twin, .kernel = "k"};
    struct device_part part;
    assert_true(device_part_of(&request, &part, &problem));
    if (compiler_open(&compiler, &problem)) {
        struct source source = {"twice.cu", NULL, 0};
        char *all = door_nvrtc_source(&part, &source.size);
        source.bytes = all;
        struct compilation task = {.text = &source, .kernel = "k", .architecture = 90, .has_headers = true};
        if (!compiler_compile(compiler, &task, &binary, &problem))
            fail_msg("%s", problem.message);
        binary_free(&binary);
        compiler_close(compiler);
        free(all);
    } else {
        print_message("note: skipped: a twin is not compiled\n");
    }
    device_part_free(&part);
    free(twin_bytes);
    scenario_close(&s);
}

static void one_text_in_two_memories_is_two_sites_of_one_span(void **state)
{
    static const char bytes[] = "// block: 32\n// grid: 1\n"
                                "__device__ float get(const float *p, int i) { return p[i]; }\n"
                                "__global__ void k(float *out, const float *in, int *n)\n"
                                "{\n"
                                "    __shared__ float s[32];\n"
                                "    s[threadIdx.x] = get(in, threadIdx.x);\n"
                                "    __syncthreads();\n"
                                "    out[threadIdx.x] = get(s, threadIdx.x);\n"
                                "    atomicAdd(n + threadIdx.x, 1);\n"
                                "}\n";
    struct source text = {"two.cu", bytes, sizeof bytes - 1};
    struct scenario_options options = {.rows = 8, .cols = 8};
    struct scenario s;
    struct problem problem = {0};
    (void)state;
    assert_true(scenario_open(&s, &text, &options, &problem));
    char *twin = twin_text(s.program, NULL, NULL, &problem);
    assert_non_null(twin);
    const char *get = strstr(twin, "float get(");
    assert_non_null(strstr(get, "6u, ")); /* shared, and only then; global likewise */
    assert_non_null(strstr(get, "4u, "));
    assert_non_null(strstr(get, "atomicAdd(lanescope_record(")); /* a pointer, not an element */
    free(twin);
    scenario_close(&s);
}

/* Overloads go by their lines, and what a template needs is shown. */
static void what_must_be_chosen_is_listed(void **state)
{
    static const char bytes[] =
        "__global__ void k(int *p) { p[0] = 0; }\n"
        "__global__ void k(float *p) { p[0] = 0; }\n"
        "template <class T, int N, bool B, class I = int> __global__ void t(T *p) { p[N] = B; }\n"
        "template <class T> void host() { t<T2, 3><<<1, 1>>>(0); }\n"
        "template <typename index_t, typename Point> __global__ void u(Point *p, index_t i) { p[i] = 0; }\n";
    struct source text = {"o.cu", bytes, sizeof bytes - 1};
    struct device_part_request request = {.text = &text, .kernel = "k"};
    struct device_part part;
    struct problem problem = {0};
    (void)state;
    assert_false(device_part_of(&request, &part, &problem));
    assert_non_null(strstr(problem.message, "k:1, k:2"));
    problem = (struct problem){0};
    request.kernel = "t";
    assert_false(device_part_of(&request, &part, &problem)); /* T2 is the host's, and no vector */
    assert_int_equal(problem.want_count, 1);
    assert_string_equal(problem.wants[0].value, "float, 32, true");
    problem = (struct problem){0};
    request.kernel = "u";
    assert_true(device_part_of(&request, &part, &problem));
    assert_string_equal(part.arguments, "int, float");
    device_part_free(&part);
}

/* Where a branch on data only computes, compiled code passes it. */
static void what_stops_at_data_goes_through_a_compiler(void **state)
{
    static const char file[] = "tests/data/threshold.cu";
    (void)state;
    expect_run(run_program("ladder", file, "--via", "builtin", NULL), 2, "",
               "this condition depends on what is loaded from `in`");
    struct run run = run_program("ladder", file, "--via", "clang", NULL);
    bool has_clang = run.code == 0;
    run_free(&run);
    if (!has_clang)
        skip();
    expect_run(run_program("ladder", file, NULL), 0, "does not take it: line 7: this condition depends", "");
}

static bool crash(void *self)
{
    (void)self;
    abort();
}

static bool answer(void *self)
{
    return *(bool *)self;
}

/* A library that crashes ends its copy of the process alone. */
static void a_crash_apart_is_a_failure(void **state)
{
    bool yes = true, no = false;
    (void)state;
    assert_int_equal(process_apart(crash, NULL, 10), PROCESS_FAILED);
    assert_int_equal(process_apart(answer, &yes, 10), PROCESS_FINE);
    assert_int_equal(process_apart(answer, &no, 10), PROCESS_FAILED);
}

static void programs_end_in_time(void **state)
{
    static const char *const slow[] = {"sleep", "30", NULL}, *const missing[] = {"no-such-compiler", NULL},
                             *const bad[] = {"false", NULL}, *const good[] = {"true", NULL};
    struct workplace place;
    struct problem problem = {0};
    char path[WORKPLACE_PATH];
    (void)state;
    assert_true(workplace_open(&place, &problem));
    assert_int_equal(process_run(&place, slow, NULL, "log", 1), PROCESS_TIMEOUT);
    assert_int_equal(process_run(&place, missing, NULL, "log", 1), PROCESS_MISSING);
    assert_int_equal(process_run(&place, bad, NULL, "log", 5), PROCESS_FAILED);
    assert_int_equal(process_run(&place, good, NULL, "log", 5), PROCESS_FINE);
    memcpy(path, place.path, sizeof path);
    workplace_close(&place);
    assert_null(fopen(path, "r"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(host_code_is_blanked_and_lines_stay),
        cmocka_unit_test(a_kernel_in_a_namespace_with_a_type_nobody_names),
        cmocka_unit_test(a_number_that_nobody_names_is_asked_for),
        cmocka_unit_test(an_included_text_stands_in_its_place),
        cmocka_unit_test(a_guarded_header_is_written_once),
        cmocka_unit_test(classes_of_the_host_keep_their_layout),
        cmocka_unit_test(doors_lead_to_ptx),
        cmocka_unit_test(what_a_compiler_refuses_is_said_with_its_words),
        cmocka_unit_test(a_refused_kernel_goes_through_a_compiler),
        cmocka_unit_test(a_functions_twin_records_once_and_compiles),
        cmocka_unit_test(one_text_in_two_memories_is_two_sites_of_one_span),
        cmocka_unit_test(what_must_be_chosen_is_listed),
        cmocka_unit_test(what_stops_at_data_goes_through_a_compiler),
        cmocka_unit_test(a_crash_apart_is_a_failure),
        cmocka_unit_test(programs_end_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
