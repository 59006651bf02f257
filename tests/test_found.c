/* test_found.c - what random kernels found (tests/fuzz/semantic): one small kernel for each cause. */
#include "exec_support.h"

#define OUT "__global__ void k(float *out, int n) {\n"

/* The elements that lane 0 touches, in order; `expected` ends with -1000. */
static void touches(const char *text, const int *expected)
{
    struct machine m;
    size_t i = 0;
    if (!run_kernel(&m, text, 32, 1, (const int64_t[]){1, 2, 3, 4, 5, 6}))
        fail_msg("%s: %d:%d: %s", text, m.problem.line, m.problem.column, m.problem.message);
    for (; i < m.record.count && expected[i] != -1000; i++)
        if (offset(&m.record.at[i], 0) != 4 * expected[i])
            fail_msg("%s: access %zu is of element %lld, not %d", text, i,
                     (long long)offset(&m.record.at[i], 0) / 4, expected[i]);
    if (i < m.record.count || expected[i] != -1000)
        fail_msg("%s: %zu accesses", text, m.record.count);
    end(&m);
}

#define TOUCHES(text, ...) touches(text, (const int[]){__VA_ARGS__, -1000})

static void an_index_is_computed_once(void **state)
{
    (void)state;
    TOUCHES(OUT "int a[4] = {1, 2, 3, 4}; int i = 0; a[i++] *= 5; out[a[0] + i] = 0; out[a[1]] = 0; }", 6, 2);
    TOUCHES(OUT "int a[4] = {1, 2, 3, 4}; int i = 0; a[i++]++; --a[i--]; out[a[0]] = 0; out[a[1] + i] = 0; }",
            2, 1);
    TOUCHES(OUT "int a[2] = {1, 2}; a[(int)n & 1] += (a[1] = 7); out[a[1]] = 0; }", 14);
}

/* In C++17 what is assigned comes before the place that it is assigned to, and has the value from before
 * that. */
static void what_is_assigned_comes_first(void **state)
{
    (void)state;
    TOUCHES("__global__ void k(float *out, int n, const int *c) { __shared__ int s[32]; s[threadIdx.x] = 1; "
            "int a[4] = {1, 2, 3, 4}; a[s[0] & n] = s[2]; a[s[0] & n] += s[3]; out[s[0]] = s[4]; out[a[1]] = "
            "0; }",
            0, 2, 0, 3, 0, 4, 0, 1, 2);
    TOUCHES(OUT
            "int a[4] = {0, 0, 0, 0}, i = n, j = n; a[i++] = i; a[i += 1] = i; out[a[1]] = 0; out[a[3]] = 0; "
            "a[j++] += j + 4; out[a[1]] = 0; out[j] = 0; }",
            1, 2, 6, 2);
    TOUCHES(OUT "__shared__ int s[8]; int i = n; s[0] = 0; s[i++] = i; s[i++] = i += 3; s[i++ - 6] += i; "
                "out[s[1]] = 0; out[s[5]] = 0; out[s[0]] = 0; }",
            0, 1, 5, 0, 0, 1, 1, 5, 5, 0, 6);
    TOUCHES("struct V { int x, y; };\n" OUT
            "V w[2], v = {5, 6}; w[v.x++ & n] = v; out[w[1].x] = 0; out[v.x] = 0; }",
            5, 6);
}

/* A shift's left side comes before its right side; what op= changes comes after it. */
static void operands_are_read_from_left_to_right(void **state)
{
    (void)state;
    TOUCHES(
        OUT
        "int i = n, j = n, h = 2; i = i << i++; out[i] = 0; j += j++; out[j] = 0; h <<= h--; out[h] = 0; }",
        2, 3, 4);
    TOUCHES(OUT "float *p = out; p[(p += 3) - out] = 0; out[p - out] = 0; }", 3, 3);
    TOUCHES(OUT
            "int y = n; auto f = [&]() { y = 5; return 3; }; y += f(); out[y] = 0; out[y * 2 + f()] = 0; }",
            8, 19);
}

/* char is a type beside signed char, although it has the same values. */
static void char_is_not_signed_char(void **state)
{
    (void)state;
    TOUCHES(OUT "signed char a = 1; int8_t d = 2; char b = 2; out[sizeof(n ? a : b)] = 0; out[sizeof(n ? b : "
                "'x')] = 0; "
                "out[sizeof(n ? a : d)] = 0; out[std::is_same<char, signed char>::value] = 0; }",
            4, 1, 1, 0);
}

static void a_pointer_of_an_array_is_moved_once(void **state)
{
    (void)state;
    TOUCHES(
        OUT
        "float *q[3] = {out, out + 10, out + 20}; int i = 0; q[i++] += 4; out[i] = 0; *q[0] = 0; *q[1] = 0; "
        "*q[i--]++ = 0; *q[1] = 0; out[i] = 0; *--q[i + 2] = 0; q[n] -= n; *q[n] = 0; }",
        1, 4, 10, 10, 11, 0, 19, 10);
}

static void a_load_in_an_index_is_one_load(void **state)
{
    (void)state;
    TOUCHES(OUT "__shared__ int s[32]; s[threadIdx.x] = 2; int a[4] = {1, 2, 3, 4}; a[s[threadIdx.x]] += 9; "
                "out[a[2]] = 0; }",
            0, 0, 12);
}

static void a_reference_stays_where_it_was_bound(void **state)
{
    (void)state;
    TOUCHES(
        OUT
        "int a[4] = {1, 2, 3, 4}; int i = n; int &r = a[i]; i = 3; r = 7; out[a[1]] = 0; out[a[3]] = 0; }",
        7, 4);
    TOUCHES(OUT "int a[4] = {1, 2, 3, 4}; int i = n; int *q = a + i; i = 3; *q = 7; q[1] = 9; out[a[1]] = 0; "
                "out[a[2]] = 0; }",
            7, 9);
    TOUCHES("__device__ void f(int &x, int &i) { i = 3; x = 7; }\n" OUT
            "int a[4] = {1, 2, 3, 4}; int i = n; f(a[i], i); out[a[1]] = 0; out[a[3]] = 0; }",
            7, 4);
}

static void an_access_through_a_reference_has_its_own_text(void **state)
{
    (void)state;
    static const char text[] = OUT "int a = 3;\nint &r = a;\nout[r] = 0; }";
    struct machine m;
    run_well(&m, text, 32, 1);
    const struct place *place = &m.record.at[0].access.site->place;
    assert_int_equal(place->end - place->begin, strlen("out[r]"));
    assert_memory_equal(text + place->begin, "out[r]", strlen("out[r]"));
    end(&m);
}

static void a_function_gives_what_stands_behind_its_arrow(void **state)
{
    (void)state;
    TOUCHES("__device__ auto f(int x) -> bool { return x; }\n" OUT "out[f(7)] = 0; }", 1);
    TOUCHES(OUT "auto f = [](int x) -> unsigned char { return x; }; out[f(257)] = 0; }", 1);
    TOUCHES("template <class T> __device__ auto f(int x) -> T { return x; }\n" OUT
            "out[f<short>(65537)] = 0; }",
            1);
}

static void auto_is_a_pointer_to_a_local_variable(void **state)
{
    (void)state;
    TOUCHES(OUT "int i = 3; auto *q = &i; --*q; out[i] = 0; const auto *r = &i; out[*r + 1] = 0; }", 2, 3);
    TOUCHES(OUT "const int N = 5; const int *q = &N; out[*q] = 0; constexpr short M = 6; auto *r = &M; "
                "const auto *s = &*r; out[*r] = 0; out[*s] = 0; }",
            5, 6, 6);
}

static void members_of_a_union_see_the_same_bits(void **state)
{
    (void)state;
    TOUCHES(OUT "union { unsigned u; int i; } v; v.u = 0xfffffffe; out[v.i + 8] = 0; v.i = -1; "
                "out[v.u > 5 ? 1 : 2] = 0; int *q = &v.i; v.u = 0xfffffffd; out[*q + 8] = 0; }",
            6, 1, 5);
    TOUCHES(OUT "int m = -3; unsigned w = *(unsigned *)&m; out[w > 5 ? 1 : 2] = 0; }", 1);
    struct machine m; /* of other sizes: data, not a guess */
    assert_false(run_kernel(&m, OUT "union { unsigned u; short s; } v; v.u = 0xfffffffe; out[v.s + 8] = 0; }",
                            32, 1, (const int64_t[]){1}));
    assert_non_null(strstr(m.problem.message, "depends on loaded data"));
    end(&m);
}

static void an_index_of_constant_data_is_computed(void **state)
{
    (void)state;
    TOUCHES("__constant__ float c[8];\n" OUT "int i = 0; out[9] = c[i++]; out[i] = 0; }", 9, 1);
}

static void enums_of_a_scope_have_their_own_names(void **state)
{
    (void)state;
    TOUCHES(OUT "enum class E { A, B = 5 }; enum class F { A = 2, B }; int A = 9; out[(int)E::B] = 0; "
                "out[(int)F::B] = 0; out[A] = 0; }",
            5, 3, 9);
}

static void static_members_are_no_part_of_a_struct(void **state)
{
    (void)state;
    TOUCHES("struct S { static constexpr int N = 6; int a, b; };\n" OUT
            "S s = {1, 2}; out[s.b] = 0; out[sizeof(S)] = 0; out[S::N] = 0; S::N[out] = 0; }",
            2, 8, 6, 6);
}

/* Each block begins with the parameters that the launch gave. */
static void a_changed_element_of_a_parameter_is_the_threads_own(void **state)
{
    (void)state;
    struct machine m;
    assert_true(
        run_kernel(&m,
                   "struct P { int a[2]; };\n__global__ void k(float *out, P p, int i) {\nout[p.a[1]] = 0; "
                   "p.a[i & 1] += 5; out[p.a[1]] = 0; }",
                   32, 1, (const int64_t[]){1, 2, 3}));
    const struct program *program = unit_compile(m.unit, NULL, &m.problem);
    struct execution *e = execution_new(program, &m.launch, false, &m.problem);
    struct recorded record = {.at = m.record.at};
    struct sink sink = {.self = &record, .access = record_access};
    for (uint32_t block = 0; block < 3; block++)
        assert_true(execution_run_block(e, (uint32_t[3]){block, 0, 0}, &sink, &m.problem));
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(offset(&record.at[i], 0), 4 * (i % 2 ? 7 : 2));
    execution_free(e);
    end(&m);
}

static void an_atomics_address_comes_before_its_operands(void **state)
{
    (void)state;
    TOUCHES("__global__ void k(int *out, const int *in, int n) {\n__shared__ int s[32]; s[threadIdx.x] = 3; "
            "atomicAdd(&out[s[threadIdx.x]], in[7]); }",
            0, 0, 7, 3);
}

static void a_condition_at_a_loops_end_does_not_skip_its_step(void **state)
{
    (void)state;
    TOUCHES(OUT "for (int l = 0; ; l++) { if (l > 1) break; (__popc(l) && n); } out[9] = 0; }", 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_index_is_computed_once),
        cmocka_unit_test(what_is_assigned_comes_first),
        cmocka_unit_test(operands_are_read_from_left_to_right),
        cmocka_unit_test(char_is_not_signed_char),
        cmocka_unit_test(a_pointer_of_an_array_is_moved_once),
        cmocka_unit_test(a_load_in_an_index_is_one_load),
        cmocka_unit_test(a_reference_stays_where_it_was_bound),
        cmocka_unit_test(an_access_through_a_reference_has_its_own_text),
        cmocka_unit_test(a_function_gives_what_stands_behind_its_arrow),
        cmocka_unit_test(auto_is_a_pointer_to_a_local_variable),
        cmocka_unit_test(members_of_a_union_see_the_same_bits),
        cmocka_unit_test(an_index_of_constant_data_is_computed),
        cmocka_unit_test(enums_of_a_scope_have_their_own_names),
        cmocka_unit_test(static_members_are_no_part_of_a_struct),
        cmocka_unit_test(a_changed_element_of_a_parameter_is_the_threads_own),
        cmocka_unit_test(a_condition_at_a_loops_end_does_not_skip_its_step),
        cmocka_unit_test(an_atomics_address_comes_before_its_operands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
