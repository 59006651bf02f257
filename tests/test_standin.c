/* test_standin.c - names that a device part uses and nothing declares: what compilers complain of, and what
 * is put in their place. The complaints are clang 14's and NVRTC 13.0's. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "../cuda/door.h"
#include "../cuda/standin.h"

static const char text[] =
    "// block: 32\n// grid: 2\n"
    "__global__ void k(scalar_t *out, const scalar_t *in, MatrixDim d, MODE mode, int32_cuda n)\n"
    "{\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < div_ceil(d.rows * d.cols, n) && mode == FAST)\n"
    "        out[i] = shrink(in[i]) + ScalarConvert<int, float>::to(3);\n"
    "}\n";

static const char clang_log[] = "kernel.cu:3:19: error: unknown type name 'scalar_t'\n"
                                "kernel.cu:3:35: error: unknown type name 'scalar_t'\n"
                                "kernel.cu:3:50: error: unknown type name 'MatrixDim'\n"
                                "kernel.cu:3:63: error: unknown type name 'MODE'\n"
                                "kernel.cu:3:63: error: unknown type name 'int32_cuda'\n"
                                "kernel.cu:6:10: error: use of undeclared identifier 'div_ceil'\n"
                                "kernel.cu:6:40: error: use of undeclared identifier 'FAST'\n"
                                "kernel.cu:7:12: error: use of undeclared identifier 'shrink'\n"
                                "kernel.cu:7:40: error: use of undeclared identifier 'ScalarConvert'\n";
static const char nvrtc_log[] = "kernel.cu(3): error: identifier \"scalar_t\" is undefined\n"
                                "kernel.cu(3): error: identifier \"MatrixDim\" is undefined\n"
                                "kernel.cu(3): error: identifier \"MODE\" is undefined\n"
                                "kernel.cu(3): error: identifier \"int32_cuda\" is undefined\n"
                                "kernel.cu(6): error: identifier \"div_ceil\" is undefined\n"
                                "kernel.cu(6): error: identifier \"FAST\" is undefined\n"
                                "kernel.cu(7): error: identifier \"shrink\" is undefined\n"
                                "kernel.cu(7): error: identifier \"ScalarConvert\" is undefined\n";

static struct device_part part_of(const char *bytes)
{
    return (struct device_part){.text = (char *)bytes, .size = strlen(bytes)};
}

static void learn(struct standins *s, const char *bytes, const char *log)
{
    struct device_part part = part_of(bytes);
    *s = (struct standins){0};
    for (unsigned round = 0; round < STANDIN_ROUNDS && standins_learn(s, &part, log); round++)
        ;
}

static void a_names_use_tells_its_kind(void **state)
{
    static const char *const logs[] = {clang_log, nvrtc_log};
    static const char *const declared[] = {"typedef float scalar_t;",
                                           "struct MatrixDim { int rows; int cols; }",
                                           "typedef int MODE;",
                                           "typedef int int32_cuda;",
                                           "(a + b - 1) / b",
                                           "constexpr int FAST = 0;",
                                           "lanescope_value<T, A...> shrink(T, A...)",
                                           "struct ScalarConvert"};
    (void)state;
    for (size_t l = 0; l < 2; l++) {
        struct standins s;
        learn(&s, text, logs[l]);
        for (size_t i = 0; i < sizeof declared / sizeof *declared; i++)
            if (!strstr(s.text.bytes, declared[i]))
                fail_msg("%s is missing in %s", declared[i], s.text.bytes);
        assert_non_null(strstr(s.note.bytes, "scalar_t as float"));
        assert_non_null(strstr(s.note.bytes, "MatrixDim as a struct of int rows, cols"));
        assert_non_null(strstr(s.note.bytes, "shrink() as data"));
        assert_int_equal(s.missing.size, 0);
        standins_free(&s);
    }
}

/* Where a guess would decide an address, or an access would not be counted. */
static void some_names_have_no_stand_in(void **state)
{
    static const struct {
        const char *text, *log;
    } cases[] = {
        {"void k(block_q4 *p) { p[0].d = p[1].qs; }", "error: unknown type name 'block_q4'\n"}, /* a layout */
        {"void k(View v) { v.at(3) = 1; }", "error: unknown type name 'View'\n"}, /* members that act */
        {"void k(float *p) { LOAD(p, 1); }", "error: use of undeclared identifier 'LOAD'\n"}, /* a macro */
        {"void k(curandState s) { s.d = 1; }", "error: unknown type name 'curandState'\n"}, /* a toolkit's */
        {"void k(float *p) { p[0] = thrust::max(1, 2); }", "error: use of undeclared identifier 'thrust'\n"},
        {"void k(float *p) { p[0] = T<1, 2>::f(); }", "error: no template named 'T'\n"},
        {"void k(float *p) { p[0] = x; }", "error: this is about something else\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct standins s = {0};
        struct device_part part = part_of(cases[i].text);
        if (standins_learn(&s, &part, cases[i].log))
            fail_msg("%s: %s", cases[i].text, s.text.bytes);
        standins_free(&s);
    }
}

static void types_come_before_what_looks_like_a_constant(void **state)
{
    static const char bytes[] = "void k(float *p) { idx_t row = 3; p[row * BLOCK] = a::b::cast<int>(2); }";
    static const char log[] = "error: unknown type name 'idx_t'\nerror: use of undeclared identifier 'row'\n"
                              "error: use of undeclared identifier 'BLOCK'\n"
                              "error: no member named 'cast' in namespace 'a::b'\n";
    struct standins s = {0};
    struct device_part part = part_of(bytes);
    (void)state;
    assert_true(standins_learn(&s, &part, log));
    assert_null(s.missing.bytes);
    assert_non_null(strstr(s.text.bytes, "namespace a { namespace b { template"));
    assert_true(standins_learn(&s, &part, "error: use of undeclared identifier 'BLOCK'\n"));
    assert_string_equal(s.missing.bytes, "BLOCK");
    assert_false(standins_learn(&s, &part, "error: use of undeclared identifier 'BLOCK'\n")); /* known */
    standins_free(&s);
}

static void loops_and_vectors_of_well_known_headers(void **state)
{
    static const char bytes[] = "void k(float4 *p, int n) { CUDA_KERNEL_LOOP(i, n) { p[i] = p[i] * 2.f; } }";
    struct standins s;
    (void)state;
    learn(&s, bytes, "error: invalid operands to binary expression ('float4' and 'float')\n");
    assert_true(s.has_loops && s.has_vectors);
    standins_free(&s);
}

/* Stand-ins are asked for only after the text alone was refused, are said, and constants are asked for. */
static void a_compiler_is_asked_again(void **state)
{
    struct source source = {"k.cu", text, strlen(text)};
    static const char sized[] = "__global__ void k(float *p) { p[threadIdx.x * BLOCK] = WARPS; }\n";
    struct source other = {"b.cu", sized, sizeof sized - 1};
    struct device_part_request request = {.text = &source};
    struct door_result result;
    struct problem problem = {0};
    (void)state;
    if (!door_compile(DOOR_CLANG, true, &request, &result, &problem)) {
        if (strstr(problem.message, "there is no"))
            skip();
        fail_msg("%s", problem.message);
    }
    assert_non_null(strstr(result.assumed, "MatrixDim as a struct"));
    door_free(&result);
    assert_false(door_compile(DOOR_CLANG, false, &request, &result, &problem));
    problem = (struct problem){0};
    request.text = &other;
    assert_false(door_compile(DOOR_CLANG, true, &request, &result, &problem));
    assert_int_equal(problem.cure, PROBLEM_CURE_DEFINITION);
    assert_int_equal(problem.want_count, 2);
    assert_string_equal(problem.wants[0].value, "BLOCK=32");
    expect_run(run_program("ladder", "tests/data/standins.cu", "--via", "clang", "-f", "csv", NULL), 0, "",
               "assumed, as nothing here declares it: MatrixDim");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_names_use_tells_its_kind),
        cmocka_unit_test(some_names_have_no_stand_in),
        cmocka_unit_test(types_come_before_what_looks_like_a_constant),
        cmocka_unit_test(loops_and_vectors_of_well_known_headers),
        cmocka_unit_test(a_compiler_is_asked_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
