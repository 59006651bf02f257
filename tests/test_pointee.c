/* test_pointee.c - buffers that no parameter names: what pointers in memory point at, __device__ variables.
 */
#include "exec_support.h"

/* What the kernel touched, one access after another: op, buffer's name, offset of a lane. */
static void touches(const char *text, unsigned lane, const char *expected)
{
    struct machine m;
    char seen[600] = "";
    const int64_t scalars[4] = {2, 3, 5, 7};
    assert_true(run_kernel(&m, text, 32, 1, scalars));
    size_t count = m.record.count;
    bool writes[SEEN_LIMIT];
    int buffer[SEEN_LIMIT];
    int64_t at[SEEN_LIMIT];
    for (size_t i = 0; i < count; i++) {
        writes[i] = m.record.at[i].access.site->kind->writes;
        buffer[i] = m.record.at[i].access.buffer;
        at[i] = offset(&m.record.at[i], lane);
    }
    const struct program *program = unit_compile(m.unit, NULL, &m.problem); /* for the names */
    assert_non_null(program);
    for (size_t i = 0; i < count; i++) {
        size_t used = strlen(seen);
        (void)snprintf(seen + used, sizeof seen - used, "%s%s %s %lld+%lld", used ? ", " : "",
                       writes[i] ? "st" : "ld", program->parameters[buffer[i]].name, (long long)(at[i] >> 32),
                       (long long)(at[i] & 0xffffffff));
    }
    end(&m);
    assert_string_equal(seen, expected);
}

static void a_pointer_in_memory_points_at_a_buffer_of_its_own(void **state)
{
    (void)state;
    touches("__global__ void k(float **in, float *const *out, int n) {\n"
            "out[n][threadIdx.x] = in[threadIdx.x][n + 1]; }",
            3, "ld in 0+24, ld in.each 3+12, ld out 0+16, st out.each 2+12");
    touches("__global__ void k(float **in) { in++; float **two = in + 1; float *p = *two; p[1] = 0;\n"
            "p = in[0]; p += threadIdx.x; *p = 1; }",
            5, "ld in 0+16, st in.each 2+4, ld in 0+8, st in.each 1+20");
    touches("__global__ void k(void **in) { ((double *)in[4])[threadIdx.x] = 0; }", 1,
            "ld in 0+32, st in.each 4+8");
}

static void pointers_in_structs_in_memory(void **state)
{
    (void)state;
    static const char *const s = "struct S { int n; float *p; const int *q; };\n";
    char text[400];
    (void)snprintf(text, sizeof text,
                   "%s__global__ void k(const S *s, float *out) { s[2].p[threadIdx.x] = 0; }", s);
    touches(text, 1, "ld s 0+56, st s.p 7+4");
    (void)snprintf(text, sizeof text,
                   "%s__global__ void k(const S *s, float *out) { S t = s[1]; t.p[threadIdx.x] = t.q[1]; }",
                   s);
    touches(text, 2, "ld s 0+24, ld s 0+32, ld s 0+40, ld s.q 5+4, st s.p 4+8");
    (void)snprintf(text, sizeof text,
                   "%s__device__ float &at(const S *s, int i) { return s->p[i]; }\n"
                   "__global__ void k(S *s) { at(s + 1, threadIdx.x) = 1; }",
                   s);
    touches(text, 2, "ld s 0+32, st s.p 4+8");
}

static void device_variables_are_buffers(void **state)
{
    (void)state;
    touches(
        "__device__ float table[64], other = 2; __device__ int2 pair;\n"
        "static __device__ const unsigned short fixed[2][3] = {{1, 2, 3}, {4, 5, 6}};\n"
        "__global__ void k(float *out) { out[1] = fixed[1][2] + table[threadIdx.x] + other; pair.y = 1;\n"
        "table[threadIdx.x + 1] = 0; atomicAdd(&other, 1.0f); }",
        2, "ld fixed 0+10, ld table 0+8, ld other 0+0, st out 0+4, st pair 0+4, st table 0+12, st other 0+0");
    touches("__device__ float *list[8]; __device__ float *one;\n"
            "__global__ void k() { list[2][threadIdx.x] = *one; }",
            1, "ld one 0+0, ld one.each 0+0, ld list 0+16, st list.each 2+4");
}

/* Known numbers: the same in each of the buffers. */
static void contents_are_given_for_each_buffer(void **state)
{
    (void)state;
    struct source text =
        text_source("__global__ void k(int **in, float *out) { out[in[3][threadIdx.x]] = 1; }\n"
                    "__device__ int map[4];\n"
                    "__global__ void v(float *out) { out[map[threadIdx.x & 3]] = 1; }\n");
    static const char *const formula[] = {"in.each=i+5"}, *const list[] = {"in.each=1,2"};
    struct scenario_options options = {.kernel = "k", .block = {1, {32, 1, 1}}, .grid = {1, {1, 1, 1}}};
    struct scenario scenario;
    struct problem problem = {0};
    options.data[0] = formula[0];
    options.data_count = 1;
    assert_true(scenario_open(&scenario, &text, &options, &problem));
    assert_int_equal(scenario.launch.arguments[0].bytes > 0, true);
    assert_non_null(strstr(scenario.note_of_launch, "in.each: what pointers in memory point at"));
    scenario_close(&scenario);
    options.data[0] = list[0];
    assert_false(scenario_open(&scenario, &text, &options, &problem));
    assert_non_null(strstr(problem.message, "stands for several buffers"));
    problem = (struct problem){0};
    options.kernel = "v";
    options.data[0] = "map=1,2,3";
    assert_false(scenario_open(&scenario, &text, &options, &problem));
    assert_non_null(strstr(problem.message, "map has 4 numbers; 3 are given"));
    problem = (struct problem){0};
    options.data[0] = "map=9,8,7,6";
    assert_true(scenario_open(&scenario, &text, &options, &problem));
    assert_int_equal(scenario.launch.arguments[1].bytes, 16);
    scenario_close(&scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pointer_in_memory_points_at_a_buffer_of_its_own),
        cmocka_unit_test(pointers_in_structs_in_memory),
        cmocka_unit_test(device_variables_are_buffers),
        cmocka_unit_test(contents_are_given_for_each_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
