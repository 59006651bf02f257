/* Every rung and its twin must compile for the architectures that NVRTC knows, each rung for every sixth of
 * them, beginning with another one, so that no architecture is left out (all pairs take minutes); the twin is
 * the same text with wrapped accesses. Without NVRTC the compilations are skipped, and counted as such. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../cuda/accesses.h"
#include "../cuda/buffers.h"
#include "../cuda/compiler.h"
#include "../cuda/confirm.h"
#include "../cuda/instrument.h"
#include "../sim/report/element.h"
#include "../sim/report/rung.h"
#include "support.h"

enum { ARCHITECTURE_LIMIT = 64, STRIDE = 6 };

static struct scenario_options shape_of(size_t index)
{
    static const struct {
        unsigned tile, block_rows, elem_bytes;
    } shapes[] = {{32, 8, 4}, {3, 3, 1}, {16, 4, 16}, {32, 32, 8}, {16, 16, 2}};
    return (struct scenario_options){.rows = 100,
                                     .cols = 70,
                                     .tile = shapes[index % 5].tile,
                                     .block_rows = shapes[index % 5].block_rows,
                                     .elem_bytes = shapes[index % 5].elem_bytes,
                                     .elem_type = element_integer_type(shapes[index % 5].elem_bytes)};
}

static void open_rung(const struct source *text, size_t shape, struct scenario *scenario)
{
    struct problem problem = {0};
    struct scenario_options options = shape_of(shape);
    if (!scenario_open(scenario, text, &options, &problem))
        fail_msg("%s: %s", text->name, problem.message);
}

static void compile(struct compiler *compiler, const struct scenario *scenario, const struct source *text,
                    int architecture)
{
    struct problem problem = {0};
    struct binary binary;
    struct compilation task = {.text = text,
                               .definitions = scenario->definitions,
                               .definition_count = scenario->definition_count,
                               .kernel = scenario->program->name,
                               .architecture = architecture};
    if (!compiler_compile(compiler, &task, &binary, &problem))
        fail_msg("%s for sm_%d: %s", text->name, architecture, problem.message);
    assert_memory_equal(binary.image, "\177ELF", 4);
    assert_non_null(strstr(binary.name, scenario->program->name));
    binary_free(&binary);
}

static void every_rung_and_twin_compiles(void **state)
{
    struct compiler *compiler;
    struct problem problem = {0};
    int architectures[ARCHITECTURE_LIMIT];
    unsigned compiled = 0;
    (void)state;
    if (!compiler_open(&compiler, &problem)) {
        print_message("note: skipped: %zu rungs and their twins are not compiled\n", rung_count);
        skip();
    }
    unsigned count = compiler_architectures(compiler, architectures, ARCHITECTURE_LIMIT);
    assert_true(count > 0);
    for (size_t r = 0; r < rung_count; r++)
        for (unsigned a = (unsigned)(r % STRIDE); a < count; a += STRIDE) {
            struct scenario scenario;
            open_rung(&rungs[r].source, r + a, &scenario);
            struct source twin = {rungs[r].source.name, NULL, 0};
            char *bytes = twin_text(scenario.program, &twin.size, NULL, &problem);
            assert_non_null(bytes);
            twin.bytes = bytes;
            compile(compiler, &scenario, &scenario.text, architectures[a]);
            compile(compiler, &scenario, &twin, architectures[a]);
            compiled += 2;
            free(bytes);
            scenario_close(&scenario);
        }
    print_message("note: %u texts compiled for %u architectures\n", compiled, count);
    compiler_close(compiler);
}

/* A user's kernel: casts, a compound assignment, __ldg, an include, two kernels in one file. */
static const char user_text[] = "// block: 32, 8\n"
                                "// grid: 2, 2\n"
                                "#include <cuda_runtime.h>\n"
                                "__global__ void other(float *out) { out[threadIdx.x] = 0.0f; }\n"
                                "__global__ void mine(const float4 *in, float *out, int rows, int cols)\n"
                                "{\n"
                                "    const float4 v = __ldg(&in[threadIdx.x]);\n"
                                "    out[threadIdx.x] = v.x;\n"
                                "    out[threadIdx.x] += in[threadIdx.x + cols].y;\n"
                                "    *reinterpret_cast<float4 *>(&out[4 * threadIdx.x]) = in[threadIdx.y];\n"
                                "}\n";

static void open_user(const char *bytes, const char *kernel, struct source *text, struct scenario *scenario)
{
    struct problem problem = {0};
    struct scenario_options options = {.rows = 100, .cols = 70, .kernel = kernel};
    *text = (struct source){"mine.cu", bytes, strlen(bytes)};
    if (!scenario_open(scenario, text, &options, &problem))
        fail_msg("%s", problem.message);
}

static void a_users_twin_wraps_each_access_once(void **state)
{
    struct source text;
    struct scenario scenario;
    struct problem problem = {0};
    (void)state;
    open_user(user_text, "mine", &text, &scenario);
    char *twin = twin_text(scenario.program, NULL, NULL, &problem);
    assert_non_null(twin);
    const char *own = strstr(twin, "#line 1");
    assert_non_null(own);
    unsigned calls = 0;
    for (const char *at = own; (at = strstr(at, "lanescope_record(")); at++)
        calls++;
    assert_int_equal(calls, scenario.program->site_count);
    assert_non_null(strstr(own, "__ldg(lanescope_record("));
    assert_non_null(strstr(own, "{ out[threadIdx.x] = 0.0f; }")); /* the other kernel is left alone */
    free(twin);
    scenario_close(&scenario);
}

static void a_users_twin_compiles(void **state)
{
    struct source text;
    struct scenario scenario;
    struct compiler *compiler;
    struct problem problem = {0};
    (void)state;
    if (!compiler_open(&compiler, &problem)) {
        print_message("note: skipped: 2 texts are not compiled\n");
        skip();
    }
    open_user(user_text, "mine", &text, &scenario);
    struct source twin = {"mine.cu", NULL, 0};
    char *bytes = twin_text(scenario.program, &twin.size, NULL, &problem);
    twin.bytes = bytes;
    compile(compiler, &scenario, &text, 90);
    compile(compiler, &scenario, &twin, 90);
    free(bytes);
    compiler_close(compiler);
    scenario_close(&scenario);
}

static void an_access_out_of_a_macro_is_refused_at_its_place(void **state)
{
    struct source text;
    struct scenario scenario;
    struct problem problem = {0};
    (void)state;
    open_user("// block: 32\n// grid: 1\n#define IN in[threadIdx.x]\n"
              "__global__ void mine(const float *in, float *out)\n{\n    out[threadIdx.x] = IN;\n}\n",
              "mine", &text, &scenario);
    assert_null(twin_text(scenario.program, NULL, NULL, &problem));
    assert_true(problem.set);
    assert_int_equal(problem.line, 6);
    scenario_close(&scenario);
}

static const char hidden_text[] =
    "// block: 32, 2\n// grid: 2, 2\n#define AT(r, c) a[(r) * n + (c)]\n"
    "#define FLOAT4(v) (reinterpret_cast<float4 *>(&(v))[0])\n"
    "template <typename T, int N> __global__ void mine(T *a, const T *b, int n)\n{\n"
    "    AT(threadIdx.y, threadIdx.x) = b[threadIdx.x + N];\n"
    "    FLOAT4(a[4 * threadIdx.x]) = FLOAT4(a[4 * threadIdx.x + 512]);\n}\n"
    "int main() { mine<float, 64><<<2, 32>>>(0, 0, 32); }\n";

/* The text as the simulator read it has every access written out, and no others. */
static void a_text_without_macros_has_a_twin(void **state)
{
    struct source text, plain = {"mine.cu", NULL, 0};
    struct scenario scenario, again;
    struct problem problem = {0};
    struct scenario_options options = {.rows = 100, .cols = 70};
    (void)state;
    open_user(hidden_text, "mine", &text, &scenario);
    assert_string_equal(unit_template_arguments(scenario.unit), "float, 64");
    char *bytes = unit_text(scenario.unit, &plain.size);
    plain.bytes = bytes;
    assert_null(strstr(strstr(bytes, "mine ("), "AT (")); /* the macro */
    assert_non_null(strstr(bytes, "// block: 32, 2"));
    if (!scenario_open(&again, &plain, &options, &problem))
        fail_msg("%s", problem.message);
    assert_int_equal(again.program->site_count, scenario.program->site_count);
    assert_null(twin_text(scenario.program, NULL, NULL, &problem));
    problem = (struct problem){0};
    char *twin = twin_text(again.program, NULL, NULL, &problem);
    if (!twin)
        fail_msg("%s", problem.message);
    free(twin);
    free(bytes);
    scenario_close(&again);
    scenario_close(&scenario);
}

static void a_dry_run_compiles_both_texts(void **state)
{
    (void)state;
    struct run run = run_program("confirm", "tests/data/hidden.cu", "--dry-run", "--addresses", NULL);
    if (run.code == 3) {
        run_free(&run);
        skip();
    }
    expect_run(run, 0, "1 configuration compiles, with every access recorded and without", "");
    expect_run(run_program("confirm", "tests/data/nonsense.cu", "--dry-run", NULL), 2, "", "nonsense.cu");
    expect_run(run_program("confirm", "tests/data/hidden.cu", "--via", "clang", NULL), 2, "",
               "leave out --via");
}

/* What a kernel is given is its own list of parameters: a struct in one piece. */
static void structs_are_passed_in_one_piece(void **state)
{
    static const char bytes[] =
        "// block: 32\n// grid: 1\n// arg: s.a = 1\n// arg: s.b = 2\n// arg: s.c = 3\n// arg: m = 7\n"
        "struct S { char a; int b; long c; };\n"
        "__global__ void mine(S s, int m)\n{\n    __shared__ int t[64];\n    t[s.a + s.b + s.c + m] = "
        "0;\n}\n";
    struct source text;
    struct scenario scenario;
    struct problem problem = {0};
    struct buffers buffers;
    (void)state;
    open_user(bytes, "mine", &text, &scenario);
    if (!buffers_open(&buffers, NULL, scenario.program, &scenario.launch, NULL, 0, &problem))
        fail_msg("%s", problem.message);
    struct {
        char a;
        int b;
        long c;
    } s;
    int m;
    memcpy(&s, buffers.arguments[0], sizeof s);
    memcpy(&m, buffers.arguments[1], sizeof m);
    assert_int_equal(s.a, 1);
    assert_int_equal(s.b, 2);
    assert_int_equal(s.c, 3);
    assert_int_equal(m, 7);
    scenario_close(&scenario);
}

static void buffers_are_as_large_as_the_kernel_reaches(void **state)
{
    static const char bytes[] =
        "// block: 32\n// grid: 2\n__global__ void mine(float *a, const float *b)\n{\n"
        "    int i = blockIdx.x * 32 + threadIdx.x;\n    a[i - 3] = b[10000 + i];\n}\n";
    struct source text;
    struct scenario scenario;
    struct problem problem = {0};
    struct reach reach;
    (void)state;
    open_user(bytes, "mine", &text, &scenario);
    struct execution *execution = execution_new(scenario.program, &scenario.launch, false, &problem);
    assert_true(reach_find(execution, &scenario.launch, &reach, &problem));
    assert_int_equal(reach.low[0], -12);
    assert_int_equal(reach.high[0], 4 * 61);
    assert_int_equal(reach.high[1], 4 * 10064);
    execution_free(execution);
    scenario_close(&scenario);
}

static void what_nvrtc_refuses_is_said_with_its_words(void **state)
{
    static const char bytes[] = "__global__ void mine(float *out) { out[0] = nonsense; }\n";
    struct source text = {"mine.cu", bytes, sizeof bytes - 1};
    struct compilation task = {.text = &text, .kernel = "mine", .architecture = 90};
    struct compiler *compiler;
    struct binary binary;
    struct problem problem = {0};
    (void)state;
    if (!compiler_open(&compiler, &problem)) {
        print_message("note: skipped: 1 text is not compiled\n");
        skip();
    }
    assert_false(compiler_compile(compiler, &task, &binary, &problem));
    assert_non_null(strstr(problem.message, "nonsense"));
    compiler_close(compiler);
}

/* One inline instruction for each space, direction and width. */
static void every_single_access_kernel_compiles(void **state)
{
    struct compiler *compiler;
    struct binary binary;
    struct problem problem = {0};
    (void)state;
    if (!compiler_open(&compiler, &problem)) {
        print_message("note: skipped: 20 texts are not compiled\n");
        skip();
    }
    for (unsigned kind = 0; kind < 20; kind++) {
        char bytes[1500];
        access_kernel_text(kind % 2 ? SPACE_SHARED : SPACE_GLOBAL, kind / 2 % 2 ? ACCESS_STORE : ACCESS_LOAD,
                           1u << kind / 4, bytes, sizeof bytes);
        assert_true(strlen(bytes) + 1 < sizeof bytes);
        struct source text = {"access.cu", bytes, strlen(bytes)};
        struct compilation task = {.text = &text, .kernel = "access", .architecture = 90};
        if (!compiler_compile(compiler, &task, &binary, &problem))
            fail_msg("%s\n%s", problem.message, bytes);
        binary_free(&binary);
    }
    compiler_close(compiler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_users_twin_wraps_each_access_once),
        cmocka_unit_test(an_access_out_of_a_macro_is_refused_at_its_place),
        cmocka_unit_test(every_rung_and_twin_compiles),
        cmocka_unit_test(a_users_twin_compiles),
        cmocka_unit_test(every_single_access_kernel_compiles),
        cmocka_unit_test(a_text_without_macros_has_a_twin),
        cmocka_unit_test(a_dry_run_compiles_both_texts),
        cmocka_unit_test(structs_are_passed_in_one_piece),
        cmocka_unit_test(buffers_are_as_large_as_the_kernel_reaches),
        cmocka_unit_test(what_nvrtc_refuses_is_said_with_its_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
