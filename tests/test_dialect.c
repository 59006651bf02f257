/* test_dialect.c - what people write: variables that are copied, their own names in their first values, C++'s
 * small forms, arithmetic that leaves its type, loops that never end. */
#include "exec_support.h"

#define OUT "__global__ void k(float *out) {\n"

static void a_copied_variable_keeps_its_own_value(void **state)
{
    (void)state;
    STORES(OUT
           "int i = 0; { int q = threadIdx.x * 7; out[q] = 1; }\nint j = threadIdx.x + 1; i = j; out[j] = 2; "
           "out[i] = 3; }",
           5, 35, 6, 6);
    STORES(OUT "int i, j; i = j = threadIdx.x + 2; out[i] = 1; out[j] = 1; }", 3, 5, 5);
    STORES(OUT
           "int a = threadIdx.x + 1; int b = a; int c = b; c = b; b = a + 1; out[a] = out[b] = out[c] = 0; }",
           4, 5, 6, 5);
}

static void a_bool_that_a_branch_uses_can_be_used_again(void **state)
{
    (void)state;
    STORES(OUT
           "int x = threadIdx.x; { bool q = x < 30; out[q] = 1; }\nbool low = x < 3; if (low) out[x] = 1; "
           "out[low ? 10 : 20] = 2; }",
           0, 1, 0, 10);
    struct machine m;
    run_well(&m,
             OUT
             "int x = threadIdx.x; { bool q = x < 30; out[q] = 1; }\nbool low = x < 3; if (low) out[x] = 1; "
             "out[low ? 10 : 20] = 2; }",
             32, 1);
    assert_int_equal(offset(&m.record.at[2], 3), 80);
    end(&m);
    STORES(OUT "bool in = threadIdx.x < 9; while (in) { out[1] = 0; in = false; } if (in) out[2] = 0; "
               "out[in] = 0; }",
           1, 1, 0);
}

static void an_initial_value_sees_its_own_name(void **state)
{
    (void)state;
    struct machine m;
    assert_false(run_kernel(&m, OUT "int a = threadIdx.x; { int a = a + 1; out[a] = 0; } }", 32, 1, NULL));
    assert_non_null(strstr(m.problem.message, "before it has a value"));
    end(&m);
    STORES(OUT "int a = sizeof a; out[a] = 0; }", 0, 4);
}

static void the_small_forms_of_cpp_mean_what_they_mean(void **state)
{
    (void)state;
    STORES(OUT "out[(int(threadIdx.x) + 1)] = 0; out[unsigned(3)] = 0; out[int{4}] = 0; }", 2, 3, 3, 4);
    STORES(
        OUT
        "out['a'] = 0; out['\\n'] = 0; out['\\x41'] = 0; out['\\0'] = 0; out['\\''] = 0; out['\\101'] = 0; "
        "out[sizeof 'a'] = 0; }",
        0, 97, 10, 65, 0, 39, 65, 1);
    STORES(OUT "float4 *v = (float4 *)out; v->z = 1; float1 *o = (float1 *)out; o[2].x = 1; o->x = 2; }", 0,
           2, 2, 0);
    STORES(OUT "float *p = out, *q = p + 3, r = 1; q[1] = r; p[2] = r; }", 0, 4, 2);
    STORES(OUT "float *p; if (threadIdx.x & 1) p = out + 8; else p = out; p[1] = 0; }", 3, 9);
    STORES(OUT "enum { A, B = 5, C }; enum Side { LEFT, RIGHT }; Side s = RIGHT; out[C] = 0; out[s] = 0; }",
           0, 6, 1);
    STORES(OUT
           "enum class E : unsigned char { X = 3, Y }; E e = E::Y; out[(int)e] = 0; out[sizeof(E)] = 0; }",
           0, 4, 1);
    STORES(
        OUT
        "int a{3}, b{}, c = {7}; float4 v{1.f, 2.f}; int2 w = {4, 5}; out[a] = v.z; out[b] = 0; out[c] = 0; "
        "out[w.y] = 0; }",
        0, 3, 0, 7, 5);
    STORES(OUT "auto t = threadIdx; const dim3 d = blockDim; uint3 b = blockIdx; out[t.x + d.x + b.y] = 0; }",
           3, 35);
    STORES(OUT "std::uint8_t a = 255; a++; std::size_t b = 2; cuda::std::int32_t c = 3; out[a] = 0; "
               "out[std::min(b, (std::size_t)9) + c] = 0; }",
           0, 0, 5);
    STORES("enum { SIDE = 4 }; const int TWO{2};\n__global__ void k(float out[32]) { out[SIDE * TWO] = 0; }",
           0, 8);
    STORES("__global__ void k(float out[][8]) { out[2][threadIdx.x % 8] = 0; }", 3, 19);
    STORES("namespace a { namespace b { struct P { int x; }; __device__ int f(int x) { return x + 1; } const "
           "int N = 3; } }\n" OUT
           "a::b::P p = {a::b::f(4)}; out[p.x] = 0; out[a::b::N] = 0; cuComplex c; out[sizeof c] = 0; }",
           0, 5, 3, 8);
    STORES("\xef\xbb\xbf__global__ void k(float *out) { out[1] = 0; }", 0, 1);
}

static void macros_take_arguments(void **state)
{
    (void)state;
    STORES("#define IDX(r, c, ld) ((r) * (ld) + (c))\n#define CAT(a, b) a##b\n#define NAME(x) #x\n#define "
           "ANY(f, ...) "
           "IDX(__VA_ARGS__)\n#define REST(a...) IDX(a)\n#define TWICE(x) x + x\n#define NO() 0\n#define "
           "BARE 3 + "
           "TWICE(1)\n" OUT
           "int tx = threadIdx.x;\nout[IDX(CAT(t, x), 1,\n 2)] = NO();\nout[ANY(NAME(q), tx, 3, 4)] = "
           "0; out[REST(1, 2, 3)] = 0; out[TWICE(IDX(tx, 0, 1))] = 0; out[BARE] = 0;\nint IDX = 5; out[IDX] "
           "= 0; }",
           2, 5, 11, 5, 4, 5, 5);
    STORES("#define AT(p) (reinterpret_cast<float4 *>(&(p))[0])\n" OUT
           "AT(out[4 * threadIdx.x]) = AT(out[8]); }",
           3, 8, 12);
    STORES("#if defined(A)\n#endif\n#define IDX(x) (x > 2)\n#if IDX(3)\n" OUT "out[sizeof(ushort(3))] = 0; "
           "}\n#endif",
           0, 2);
}

static void functions_are_read_in_place(void **state)
{
    (void)state;
    STORES("__device__ __forceinline__ int idx(int r, int c, int ld) { return r * ld + c; }\n"
           "static __device__ void put(float *p, int i, float v = 1.f) { p[i] = v; }\n"
           "__device__ int over(int a) { return a; }\n__device__ int over(int a, int b) { return a + b; }\n"
           "constexpr int cdiv(int a, int b) { return (a + b - 1) / b; }\n"
           "__device__ void nothing(int) { return; }\n" OUT "int t = threadIdx.x;\n"
           "out[idx(1, t, 32)] = 0; put(out, t + 1, 2.f); put(out + 2, t); nothing(t); out[over(t) + over(1, "
           "2)] = 0; "
           "out[cdiv(7, 2)] = 0; }",
           5, 37, 6, 7, 8, 4);
    STORES("template <typename T> __device__ T clamp(T x, T lo, T hi) { if (x < lo) return lo; if (x > hi) "
           "return hi; "
           "return x; }\n__device__ int sum(int n) { int s = 0; for (int i = 0; i < 10; i++) { if (i == n) "
           "return s; s += "
           "i; } return -1; }\n" OUT
           "int t = threadIdx.x, s = 9; out[clamp(t, 2, 4)] = 0; s = t < 10 ? sum(t) : 3; out[s] = "
           "0; out[t] = 0; }",
           5, 4, 10, 5);
    STORES("template <int N, typename T = int> __device__ T times(T x) { return x * N; }\n" OUT
           "const int K = 3; out[times<K>(threadIdx.x)] = 0; out[times<2, unsigned char>(200)] = 0; }",
           2, 6, 144);
    STORES(OUT "int u = 3; auto f = [&](int i) { return i + u; }; auto g = [](int a, int b) -> int { return "
               "a * b; }; u = "
               "4; out[f(3)] = 0; out[g(2, 5)] = 0; }",
           0, 7, 10);
    STORES("__device__ float pick(const float *s, int i) { return s[i]; }\n" OUT
           "__shared__ float s[32]; out[0] = pick(s, threadIdx.x) + pick(out, 3); }",
           4, 4, 3, 0);
}

static void a_reference_is_another_name(void **state)
{
    (void)state;
    STORES("__device__ void swap(int &a, int &b) { int t = a; a = b; b = t; }\n" OUT
           "int t = threadIdx.x, u = 3; swap(t, u); out[t] = 0; out[u] = 0; int &r = u; r += 2; out[u] = 0; "
           "const int &c = "
           "t; t = 8; out[c] = 0; const int &v = t + 1; t = 0; out[v] = 0; }",
           6, 3, 6, 8, 8, 9);
    STORES(OUT "int i = 2; float &place = out[i]; i = 5; place = 1; place += 1; float4 q; float &y = q.y; y "
               "= 3; out[i] = "
               "q.y; }",
           0, 2, 2, 2, 5);
    STORES("__device__ void set(float &x) { x = 1; }\n" OUT
           "int i = 0; set(out[i++]); set(out[i++]); out[i] = 0; }",
           0, 0, 1, 2);
}

static void a_switch_takes_each_lane_to_its_label(void **state)
{
    (void)state;
    const char *text = OUT
        "int x = threadIdx.x; for (int i = 0; i < 2; i++) { switch (x % 5 + i) { case 0: out[0] = 0; "
        "break; case 1: out[1] = 0; case 2: out[2] = 0; if (x == 1) break; continue; default: out[9] = 0; "
        "break; case 4: { out[4] = 0; break; } } out[20] = 0; } out[30] = 0; }";
    STORES(text, 0, 0, 20, 1, 2, 30);
    STORES(text, 1, 1, 2, 20, 2, 20, 30);
    STORES(text, 4, 4, 20, 9, 20, 30);
    STORES("__device__ int f(int x) { switch (x) { case 1: return 7; case 2: break; default: return 8; } "
           "return 9; }\n" OUT "out[f(threadIdx.x)] = 0; out[threadIdx.x] = 0; }",
           2, 9, 2);
}

static void what_is_decided_while_compiling_is_not_looked_into(void **state)
{
    (void)state;
    STORES("template <bool FAST> __device__ void put(float *out) { if constexpr (FAST) out[1] = 0; else "
           "out[nowhere] = 0; if "
           "constexpr (!FAST) { if (x) y(); else z(); } else { out[2] = 0; } }\n" OUT
           "put<true>(out); static_assert(sizeof(int) == "
           "4, \"int\"); using T = unsigned char; out[T(257)] = 0; }",
           0, 1, 2, 1);
}

static void kernels_may_be_templates(void **state)
{
    (void)state;
    STORES("template <int N, typename T = float, int M = N + 1>\n__global__ void k(T *out) { __shared__ T "
           "s[N][M]; "
           "out[sizeof(s) / sizeof(T)] = 0; }\nvoid host() { k<4><<<dim3(1), 32>>>(0); }",
           0, 20);
    STORES("template <class T>\n__global__ void k(T *out) { out[threadIdx.x] = 0; }\ntemplate __global__ "
           "void k<float>(float "
           "*);",
           7, 7);
}

static void local_arrays_live_in_registers(void **state)
{
    (void)state;
    STORES(OUT "int v[4], m[2][3] = {{1, 2, 3}, {4}}, few[] = {7, 8}; for (int i = 0; i < 4; i++) v[i] = i * "
               "3; out[v[2]] "
               "= 0; out[m[1][0]] = 0; out[m[0][2]] = 0; out[m[1][2]] = 0; out[few[1]] = 0; out[sizeof(m) / "
               "sizeof(*few)] = "
               "0; v[2] += 5; v[3]--; out[v[2] + v[3]] = 0; }",
           0, 6, 4, 3, 0, 8, 6, 19);
    STORES(OUT "int t = threadIdx.x, v[4] = {3, 1, 2, 0}; v[t % 4] += 10; out[v[0]] = 0; out[v[t & 1]] = 0; "
               "int k = 2; "
               "out[v[k]] = 0; }",
           1, 3, 11, 2);
    STORES("#define FLOAT4(p) (reinterpret_cast<float4 *>(&(p))[0])\n" OUT
           "float v[8]; FLOAT4(v[4]) = FLOAT4(out[4 * threadIdx.x]); FLOAT4(out[8]) = *(float4 *)&v[4]; int "
           "n[4] = {1, 2, 3, "
           "4}; int2 two = *(int2 *)(n + 2); out[two.y] = 0; int *p = n; out[p[1]] = 0; }",
           2, 8, 8, 4, 2);
    STORES("__device__ void fill(int *v, int n) { for (int i = 0; i < n; i++) v[i] = 2 * i; }\n__device__ "
           "int sum(const int "
           "(&v)[3]) { return v[0] + v[1] + v[2]; }\n" OUT "int v[3]; fill(v, 3); out[sum(v)] = 0; }",
           0, 6);
    struct machine m;
    assert_false(run_kernel(&m, OUT "int v[3] = {0}; for (int i = 0; i < 4; i++) v[i] = 1; }", 32, 1, NULL));
    assert_non_null(strstr(m.problem.message, "outside its local array"));
    end(&m);
    assert_false(run_kernel(&m, OUT "int v[3]; v[1] = 1; int i = 2; out[v[i]] = 1; }", 32, 1, NULL));
    assert_non_null(strstr(m.problem.message, "before it has a value"));
    end(&m);
}

static void structs_have_members_in_registers_and_memory(void **state)
{
    (void)state;
    STORES("struct Idx { int r, c; __device__ int at(int ld) const { return r * ld + c; } };\n" OUT
           "Idx q = {2, (int)threadIdx.x}, p; p = q; p.c += 1; out[q.at(32)] = 0; out[p.at(10)] = 0; struct "
           "{ float x; int "
           "v[2]; } s; s.v[1] = 4; int i = 1; out[s.v[i]] = s.x = 1; union { int a; int b; } u; u.a = 9; "
           "out[u.b] = 0; }",
           1, 65, 22, 4, 9);
    STORES("struct V { char a; short b; int c; double d; };\n" OUT "V *v = (V *)out; v[1].c = 1; v->d = 2; "
           "out[sizeof(V)] = 0; __shared__ V s[2]; s[threadIdx.x % 2].c = 3; }",
           1, 5, 2, 16, 5);
    /* 16 bytes that are aligned so move at once; double3 and a struct of floats by their parts */
    STORES("struct __align__(16) A { float a, b, c, d; }; struct B { float a, b; };\n" OUT
           "A *a = (A *)out; a[1] = a[2]; double3 *d = (double3 *)out; d[1] = d[0]; B *b = (B *)out; b[3] = "
           "b[1]; }",
           0, 8, 4, 0, 2, 4, 6, 8, 10, 2, 3, 6, 7);
}

static void parameters_may_be_structs_and_vectors(void **state)
{
    (void)state;
    struct machine m;
    int64_t scalars[] = {5, 7, 10, 1, 1};
    assert_true(run_kernel(
        &m,
        "struct P { int w, h; float *data; };\n__global__ void k(P p, dim3 n) { p.w++; p.data[p.h * "
        "threadIdx.x + p.w + n.x] = 0; }",
        32, 1, scalars));
    assert_int_equal(offset(&m.record.at[0], 2), 4 * (7 * 2 + 6 + 10));
    assert_int_equal(m.record.at[0].access.site->buffer, 2);
    const struct program *program = unit_compile(m.unit, NULL, &m.problem);
    assert_int_equal(program->parameter_count, 6);
    assert_string_equal(program->parameters[1].name, "p.h");
    assert_string_equal(program->parameters[5].name, "n.z");
    end(&m);
}

static void constant_data_is_no_access(void **state)
{
    (void)state;
    struct machine m;
    run_well(
        &m,
        "__constant__ float w[3], one; __global__ void k(float *out) { out[3] = w[threadIdx.x % 3] * one; }",
        32, 1);
    assert_int_equal(m.record.count, 1);
    end(&m);
    assert_false(run_kernel(&m, "__constant__ int w[3]; __global__ void k(float *out) { out[w[1]] = 0; }", 32,
                            1, NULL));
    end(&m);
}

static void an_index_of_constant_data_is_read_where_it_lies(void **state)
{
    (void)state;
    STORES("__constant__ float w[64];\n__device__ float pick(const float *p, float *q, int i) { return p[i] "
           "+ q[9]; }\n"
           "__global__ void k(float *out) {\nint t = threadIdx.x; float *in = out + 100;\n"
           "const float *p = w + 3; for (int i = 0; i < 2; i++) out[i] = *p++;\n"
           "out[t] = w[(int)in[t]] + pick(w, out, t) + pick(&w[4], out, (int)in[t + 1]); }",
           2, 0, 1, 102, 9, 103, 9, 2);
}

static void textures_are_read_apart(void **state)
{
    (void)state;
    static const char text[] =
        "texture<float, 2, cudaReadModeElementType> tex; static texture<uchar4, 2, "
        "cudaReadModeNormalizedFloat> colour;\n"
        "surface<void, 2> surf;\n__global__ void k(float *out, cudaTextureObject_t object) {\n"
        "int t = threadIdx.x; float a = tex2D(tex, t + 0.5f, out[t]), c; float4 b = tex2D<float4>(object, t, "
        "1);\n"
        "tex1Dfetch(&c, object, t); b = tex2D(colour, 1, 2); c += tex1Dfetch<float>(object, t);\n"
        "surf2Dwrite(make_uchar4(1, 2, 3, 4), surf, 4 * t, 0, cudaBoundaryModeTrap); out[t + 40] = a + b.x + "
        "c; }";
    STORES(text, 3, 3, 43);
    struct machine m;
    run_well(&m, text, 32, 1);
    end(&m);
    assert_false(run_kernel(
        &m, "__global__ void k(float *out, cudaTextureObject_t object) {\nout[0] = tex2D(object, 1, 2); }",
        32, 1, (const int64_t[]){0}));
    assert_non_null(strstr(m.problem.message, "write its type, tex2D<float>(...)"));
    end(&m);
}

static void a_pointer_may_point_nowhere_at_first(void **state)
{
    (void)state;
    STORES(OUT
           "float *p = nullptr, *q = NULL, *r(0); int t = threadIdx.x; if (t < 40) p = out + 3; p[t] = 1;\n"
           "q = t < 40 ? out : nullptr; q[t] = 1; r = t > 40 ? nullptr : q + 1; r[t] = 2; }",
           4, 7, 4, 5);
    struct machine m;
    assert_false(run_kernel(&m, OUT "float *p = threadIdx.x > 40 ? out : nullptr; *p = 1; }", 32, 1, NULL));
    assert_non_null(strstr(m.problem.message, "before it has a value"));
    end(&m);
}

static void a_lambda_has_what_it_captures(void **state)
{
    (void)state;
    STORES(OUT
           "int t = threadIdx.x, n = 10; auto f = [=](int i) -> int { return t + n + i; };\n"
           "auto g = [n, &t, out](int i) { out[n + t + i] = 1; }; auto h = [&](int i) { return n + i; };\n"
           "t = 100; n = 20; out[f(1)] = 1; g(2); out[h(3)] = 1; }",
           4, 15, 112, 23);
    STORES("struct pair { int a, b; };\n" OUT
           "pair p = (pair){3, 4}; p = (pair){p.b, 5}; out[p.a * p.b] = 1; }",
           0, 20);
}

static void lists_are_values(void **state)
{
    (void)state;
    STORES("struct pair { int a, b; };\n__device__ int sum(pair p, int2 q = {1, 2}) { return p.a * p.b + q.x "
           "+ q.y; }\n"
           "__global__ void k(float *out, int /*unused*/, int) {\npair p; p = {2, 3}; int2 v; v = {4, 5};\n"
           "out[sum({2, 5}, {1, 1})] = 1; out[sum(p)] = 1; out[v.x + v.y] = 1; const int list[]{7, 8, 9}; "
           "out[list[1]] = 1; }",
           0, 12, 9, 9, 8);
    STORES(
        "__device__ int2 operator-(int2 a) { return make_int2(-a.y, -a.x); }\n"
        "__device__ float2 make_float2(float3 v) { return make_float2(v.x, v.y); }\n"
        "__global__ void k(float *out) {\nint2 a = -make_int2(-3, -4); out[a.x] = make_float2(make_float3(1, "
        "2, 3)).x;\n"
        "extern double __shared__ s[]; volatile float __shared__ w[32]; w[3] = 1; (void)a; (void)out[7]; }",
        0, 4, 3);
}

static void lists_may_leave_out_inner_braces(void **state)
{
    (void)state;
    STORES("struct P { int x, y; };\n" OUT
           "int m[2][2] = {1, 2, 3, 4}, z[2][3] = {0}; P p[2] = {5, 6, {7, 8}}, q = {9}; out[m[1][0]] "
           "= 0; out[z[1][2]] = 0; out[p[0].y] = 0; out[p[1].x] = 0; out[q.x + q.y] = 0; P r[1] = {q}; "
           "out[r[0].x] = 0; }",
           0, 3, 0, 6, 7, 9, 9);
}

static void an_asm_that_computes_yields_data(void **state)
{
    (void)state;
    STORES(OUT "float x; int y; asm volatile(\"add.f32 %0, %1, %1;\" : \"=f\"(x) : \"f\"(1.f)); "
               "asm(\"mov.u32 %0, %%smid;\" : "
               "\"=r\"(y)); asm volatile(\"\" ::: \"memory\"); out[1] = x + y; }",
           0, 1);
    struct machine m;
    assert_false(run_kernel(
        &m, OUT "float x; asm(\"@p ld.global.f32 %0, [%1];\" : \"=f\"(x) : \"l\"(out)); }", 32, 1, NULL));
    assert_non_null(strstr(m.problem.message, "goes to memory"));
    end(&m);
    assert_false(
        run_kernel(&m, OUT "int y; asm(\"mov.u32 %0, %%smid;\" : \"=r\"(y)); out[y] = 0; }", 32, 1, NULL));
    end(&m);
}

static void an_asm_that_loads_or_stores_is_an_access(void **state)
{
    (void)state;
    STORES(OUT "float a, b, c, d; int v; int t = threadIdx.x;\n"
               "asm volatile(\"{\\n\\t.reg .u32 val;\\n\\tld.global.cs.v4.f32 {%0, %1, %2, %3}, [%4];\\n}\" "
               ": \"=f\"(a), \"=f\"(b), "
               "\"=f\"(c), \"=f\"(d) : \"l\"((float4 *)out + t));\n"
               "asm(\"ld.global.nc.L1::no_allocate.b32 %0, [%1 + 16];\" : \"=r\"(v) : \"l\"(out + t));\n"
               "asm(\"add.f32 %0, %1, %2;\" : \"=f\"(b) : \"f\"(a), \"f\"(out[t + 70]));\n"
               "asm volatile(\"st.global.cs.v2.f32 [%0], {%1, %2}; bar.sync 0;\" :: \"l\"(out + 2 * t), "
               "\"f\"(a), \"f\"(b) : \"memory\");\n"
               "asm volatile(\"st.global.u32 [%0], %1;\" :: \"l\"(out + 128 + t), \"r\"(v)); }",
           5, 20, 9, 75, 10, 133);
    struct machine m;
    run_well(&m,
             OUT
             "float a; int t = threadIdx.x; asm(\"ld.global.f32 %0, [%1];\" : \"=f\"(a) : \"l\"(out + t));\n"
             "asm(\"st.global.f32 [%0], %1;\" :: \"l\"(out + 64 + t), \"f\"(a)); asm(\"bar.sync 0;\"); }",
             32, 1);
    struct origin origin = data_origin(m.record.at[1].value[7]);
    assert_int_equal(origin.kind, ORIGIN_BUFFER);
    assert_int_equal(origin.offset, 28);
    assert_int_equal(m.record.barriers, 1);
    end(&m);
    static const char *const refused[] = {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0}, [%1];",
                                          "cp.async.ca.shared.global [%0], [%1], 16;", "bar.sync 1;",
                                          "ld.shared.f32 %0, [%1];", "exit;"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char text[400];
        (void)snprintf(text, sizeof text, OUT "float x; asm volatile(\"%s\" : \"=f\"(x) : \"l\"(out)); }",
                       refused[i]);
        assert_false(run_kernel(&m, text, 32, 1, NULL));
        assert_non_null(strstr(m.problem.message, "plain ld.global and st.global only"));
        end(&m);
    }
}

static void what_the_preprocessor_passes_over_or_reads_again(void **state)
{
    (void)state;
    STORES("#warning \"this\"\n#define SUM_OF(x, y) ((x) + (y))\n#define SUM SUM_OF\n#define TIMES "
           "_Pragma(\"unroll\") for (int i = 0; i < 2; i++)\n" OUT "out[SUM(3, 4)] = 1; TIMES out[i] = 1; }",
           0, 7, 0, 1);
}

static void questions_about_types_are_constants(void **state)
{
    (void)state;
    STORES("const float A = 2.5f, B{1.f}; static constexpr double C = 3.14159 * 2;\n"
           "template <class T> __device__ int kind() { if constexpr (std::is_same_v<T, double>) return 1; "
           "else if (std::is_same<T, "
           "float>::value) return 2; return std::is_integral<T>() + std::is_unsigned_v<T>; }\n" OUT
           "out[10 * kind<double>() + kind<float>()] = A * B; out[kind<unsigned>()] = 1; "
           "out[std::is_floating_point<half>{}] = 1;\n"
           "out[(int)C] = 1; dim3 d(7), e(2, 3), f = dim3(4, 5, 6); out[d.x + d.y + e.z] = 1; out[f.z] = 1;\n"
           "__shared__ alignas(alignof(float4)) float s[4]; s[0] = 1; half2 h(1.f, 2.f); out[alignof(h)] = "
           "h.x; }",
           0, 12, 2, 0, 6, 9, 6, 0, 4);
    struct machine m;
    assert_false(run_kernel(&m, OUT "out[std::is_same<half, __nv_bfloat16>::value] = 1; }", 32, 1, NULL));
    assert_non_null(strstr(m.problem.message, "are one type here"));
    end(&m);
}

static void pointers_compare_subtract_and_are_true(void **state)
{
    (void)state;
    STORES(OUT "float *p = out + threadIdx.x; out[p - out] = 0; if (p) out[1] = 0; if (!p) out[2] = 0; }", 7,
           7, 1);
    STORES(OUT "float *p = out + 3; out[p > out] = 0; out[p == out + 3] = 0; out[p != nullptr] = 0; out[NULL "
               "== p] = "
               "0; out[out - p + 9] = 0; }",
           0, 1, 1, 1, 0, 6);
    STORES("__global__ void k(float *out, const float *in) { out[in == out] = 0; out[out != in] = 0; }", 0, 0,
           1);
    STORES("__global__ void k(float *out) { __shared__ double s[8]; double *e = s + 8; int n = 0; for "
           "(double *p = s; p "
           "!= e; p++) n++; out[n] = 0; out[e - s] = 0; }",
           0, 8, 8);
    struct machine m;
    assert_false(run_kernel(
        &m, "__global__ void k(float *out, const float *in) { if (in < out) out[0] = 0; }", 32, 1, NULL));
    assert_non_null(strstr(m.problem.message, "have no order"));
    end(&m);
}

/* What a variable may point into is found from all that it is given, also through another variable. */
static void a_pointer_given_two_buffers_belongs_to_none(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m,
             "__global__ void k(float *a, float *b) { float *p = a, *q = p; for (int i = 0; i < 2; i++) { "
             "q[i] = 0; q = "
             "p; p = b; q = p; } float *r = a; r[0] = 0; }",
             32, 1);
    assert_int_equal(m.record.count, 3);
    assert_int_equal(m.record.at[0].access.buffer, 0);
    assert_int_equal(m.record.at[1].access.buffer, 1);
    assert_int_equal(m.record.at[0].access.site->buffer, -1);
    assert_int_equal(m.record.at[2].access.site->buffer, 0);
    end(&m);
}

static void shared_arrays_of_the_file_belong_to_who_mentions_them(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m,
             "__shared__ float unused[4096]; static __shared__ float s[32]; extern __shared__ float d[];\n"
             "__global__ void k(float *out) { s[threadIdx.x] = 0; out[0] = s[0]; }",
             32, 1);
    assert_int_equal(m.record.at[0].access.site->buffer, 0);
    const struct program *program =
        unit_compile(m.unit, NULL, &m.problem); /* another one: the record is old now */
    assert_int_equal(program->static_shared_bytes, 128);
    assert_false(program->has_dynamic_shared);
    end(&m);
}

/* A function is read anew for each call, but has one array; each instantiation of a template has its own. */
static void a_functions_shared_array_is_one_for_all_its_calls(void **state)
{
    (void)state;
    struct machine m;
    run_well(
        &m,
        "template <int N> __device__ float sum(float v) { __shared__ float s[32]; s[threadIdx.x] = v * N;\n"
        "  __syncthreads(); return s[31 - threadIdx.x]; }\n"
        "__device__ float twice(float v) { static __shared__ float t[32]; t[threadIdx.x] = v; return t[0]; "
        "}\n"
        "__global__ void k(const float *in, float *out) { float v = sum<1>(in[threadIdx.x]); v = sum<1>(v);\n"
        "  v = sum<2>(v); __syncthreads(); v = twice(v); __syncthreads(); out[threadIdx.x] = twice(v); }",
        32, 1);
    const struct program *program = unit_compile(m.unit, NULL, &m.problem);
    assert_int_equal(program->static_shared_bytes, 3 * 128);
    end(&m);
}

static void default_arguments_are_known(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m,
             "enum { N = 3 };\n__global__ void k(float *out, int n = 2 * N, float f = 1.f) { out[0] = f; }",
             32, 1);
    const struct program *program = unit_compile(m.unit, NULL, &m.problem);
    assert_true(program->parameters[1].has_default);
    assert_int_equal(program->parameters[1].default_value, 6);
    assert_false(program->parameters[0].has_default);
    end(&m);
}

/* in += blockIdx.x * 32 stands in every SGEMM tutorial: the next block's thread begins with its own copy. */
static void a_changed_parameter_begins_anew_in_every_block(void **state)
{
    (void)state;
    struct problem problem = {0};
    struct source source = text_source("__global__ void k(float *out, int n, bool b) {\n"
                                       "out += blockIdx.x * 32; n -= 3; b = !b; out[n + b] = 0; }");
    struct unit *unit = unit_open(&source, NULL, 0, &problem);
    const struct program *program = unit ? unit_compile(unit, NULL, &problem) : NULL;
    assert_non_null(program);
    struct launch launch = {
        .grid = {3, 1, 1}, .block = {64, 1, 1}, .arguments = {{.bytes = 1 << 20}, {.value = 10}}};
    struct execution *execution = execution_new(program, &launch, false, &problem);
    struct recorded record = {.at = calloc(SEEN_LIMIT, sizeof *record.at)};
    struct sink sink = {.self = &record, .access = record_access};
    for (uint32_t block = 0; block < 3; block++)
        assert_true(execution_run_block(execution, (uint32_t[3]){block, 0, 0}, &sink, &problem));
    assert_int_equal(record.count, 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(offset(&record.at[i], 9), 4 * (i / 2 * 32 + 8));
    execution_free(execution);
    unit_close(unit);
    free(record.at);
}

static void a_thousand_else_ifs_are_a_chain(void **state)
{
    (void)state;
    char *text = malloc(200000), *at = text;
    at += sprintf(at, OUT "int x = threadIdx.x;\nif (x == 100) out[0] = 0;\n");
    for (int i = 0; i < 1000; i++)
        at += sprintf(at, "else if (x == %d) out[%d] = 0;\n", i, 2 * i);
    (void)sprintf(at, "else out[1] = 0; out[x] = 0; }");
    struct machine m;
    run_well(&m, text, 64, 1);
    assert_int_equal(m.record.count, 2 * 33);
    for (int i = 0; i < 32; i++) {
        assert_int_equal(m.record.at[i].access.mask, UINT32_C(1) << i);
        assert_int_equal(offset(&m.record.at[i], (unsigned)i), 8 * i);
    }
    assert_int_equal(m.record.at[32].access.mask, UINT32_MAX);
    end(&m);
    free(text);
}

struct overflow_case {
    const char *statements;
    uint64_t found, wrapped;
    enum overflow_kind kind;
};

static void what_leaves_its_type_is_found_and_what_wraps_is_noted(void **state)
{
    (void)state;
    static const struct overflow_case cases[] = {
        {"int plane = 65536 * 65536; out[plane] = 0;", 32, 0, OVERFLOW_SIGNED},
        {"const int plane = 65536 * 65536; out[plane] = 0;", 32, 0, OVERFLOW_SIGNED},
        {"int z = -(-2147483647 - 1); out[z & 1] = 0;", 32, 0, OVERFLOW_SIGNED},
        {"int z = (-2147483647 - 1) / -1; out[z & 1] = 0;", 32, 0, OVERFLOW_SIGNED},
        {"int t = threadIdx.x; out[(t + 2147483647) & 1] = 0;", 31, 0, OVERFLOW_SIGNED},
        {"long long t = threadIdx.x; out[(t + 9223372036854775807ll) & 1] = 0;", 31, 0, OVERFLOW_SIGNED},
        {"long long t = threadIdx.x; out[(-2ll - 9223372036854775807ll + t) & 1] = 0;", 63, 0,
         OVERFLOW_SIGNED},
        {"long long t = threadIdx.x; out[(t * 4611686018427387904ll) & 1] = 0;", 30, 0, OVERFLOW_SIGNED},
        {"long long t = threadIdx.x; out[(-t - 9223372036854775807ll) & 1] = 0;", 30, 0, OVERFLOW_SIGNED},
        {"out[1 << 31 & 1] = 0; int t = threadIdx.x; out[1 << t & 1] = 0;", 0, 0, OVERFLOW_SIGNED},
        {"int t = threadIdx.x; out[3 << t & 1] = 0;", 1, 0, OVERFLOW_SIGNED},
        {"out[-1 << 4 & 1] = 0;", 0, 0, OVERFLOW_SIGNED},
        {"long long t = threadIdx.x; out[(t << 60) & 1] = 0;", 16, 0, OVERFLOW_SIGNED},
        {"out[1 << 33 & 1] = 0;", 32, 0, OVERFLOW_SHIFT},
        {"int t = threadIdx.x; out[(1 >> (t + 1)) & 1] = 0;", 1, 0, OVERFLOW_SHIFT},
        {"int t = threadIdx.x; out[(1u << (t - 1)) & 1] = 0;", 1, 0, OVERFLOW_SHIFT},
        {"unsigned h = threadIdx.x * 2654435761u; out[h >> 24] = 0;", 0, 30, OVERFLOW_SIGNED},
        {"unsigned h = threadIdx.x - 1u; out[h >> 24] = 0;", 0, 0, OVERFLOW_SIGNED},
        {"unsigned long long h = threadIdx.x * 6364136223846793005ull; out[h & 1] = 0;", 0, 0,
         OVERFLOW_SIGNED},
        {"signed char c = threadIdx.x * 50; out[c & 1] = 0;", 0, 0, OVERFLOW_SIGNED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine m;
        char text[400];
        (void)snprintf(text, sizeof text, OUT "%s }", cases[i].statements);
        run_well(&m, text, 32, 1);
        if (m.overflow.lanes != cases[i].found || m.wrap.lanes != cases[i].wrapped ||
            (m.overflow.lanes && m.overflow.kind != cases[i].kind))
            fail_msg("%s: %llu found, %llu noted", cases[i].statements, (unsigned long long)m.overflow.lanes,
                     (unsigned long long)m.wrap.lanes);
        end(&m);
    }
}

static void a_constant_of_the_file_that_overflows_is_found_where_it_is_used(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m, "const int N = 65536 * 65536;\n__global__ void k(float *out) { out[N] = 0; }", 32, 1);
    assert_int_equal(m.overflow.lanes, 32);
    end(&m);
    STORES("#if 65536 * 65536 > 5 && -1 < 0\n#define AT 3\n#else\n#define AT 4\n#endif\n"
           "__global__ void k(float *out) { out[AT] = 0; }",
           0, 3);
}

static bool count_looks(void *self, struct watched *warp)
{
    (void)warp;
    return ++*(unsigned *)self < 5;
}

/* Ends in a problem with this word, after at most so many accesses. */
static void never_ends(const char *statements, const char *word, bool watched)
{
    struct problem problem = {0};
    char text[400];
    (void)snprintf(text, sizeof text, OUT "%s }", statements);
    struct source source = text_source(text);
    struct unit *unit = unit_open(&source, NULL, 0, &problem);
    const struct program *program = unit ? unit_compile(unit, NULL, &problem) : NULL;
    assert_non_null(program);
    unsigned looks = 0;
    struct watch watch = {.self = &looks, .go_on = count_looks};
    struct launch launch = {.grid = {1, 1, 1},
                            .block = {64, 1, 1},
                            .arguments = {{.bytes = 1 << 20}},
                            .budget = 1 << 22,
                            .watch = watched ? &watch : NULL};
    struct execution *execution = execution_new(program, &launch, false, &problem);
    struct recorded record = {.at = calloc(SEEN_LIMIT, sizeof *record.at)};
    struct sink sink = {.self = &record, .access = record_access};
    assert_false(execution_run_block(execution, (uint32_t[3]){0, 0, 0}, &sink, &problem));
    if (!strstr(problem.message, word) || problem.line != 2)
        fail_msg("%s: line %d: %s", statements, problem.line, problem.message);
    execution_free(execution);
    unit_close(unit);
    free(record.at);
}

static void an_endless_loop_is_found_by_its_state(void **state)
{
    (void)state;
    never_ends("while (1) out[0] = 0;", "never ends", false);
    never_ends("for (;;) __syncthreads();", "never ends", false);
    never_ends("int x = threadIdx.x; while (x < 100) { out[x] = 0; x = (x + 1) & 31; }", "never ends", false);
    never_ends("int x = 0; do { x = x ? 0 : 1; if (threadIdx.x < 3) continue; } while (threadIdx.x != 40);",
               "never ends", false);
    never_ends("unsigned long long x = 1; for (;;) x = x * 6364136223846793005ull + 1;", "budget", false);
    never_ends("unsigned long long x = 1; for (;;) x = x * 6364136223846793005ull + 1;", "was stopped", true);
}

static void a_long_loop_ends(void **state)
{
    (void)state;
    STORES(OUT "int n = 0; for (int i = 0; i < 300000; i++) n += i & 1; out[n] = 0; }", 0, 150000);
}

/* The same bits as another type: whole numbers stay known, others are data. */
static void memcpy_between_variables(void **state)
{
    (void)state;
    STORES("__global__ void k(float *out) { int a = 5; unsigned b; memcpy(&b, &a, sizeof(b)); out[b] = 0;\n"
           "int4 q = {1, 2, 3, 4}; int v[4]; memcpy(v, &q, 16); out[v[2]] = 0; v[0] = 7; memcpy(&q, v, "
           "sizeof(q));\n"
           "out[q.x] = 0; }",
           0, 5, 3, 7);
    static const struct {
        const char *text, *why;
    } refused[] = {
        {"__global__ void k(float *out, float *in) { memcpy(out, in, 16); }", "between two variables"},
        {"__global__ void k(float *out) { out[0] = curand_uniform(out); }", "NVRTC and nvcc"},
        {"__global__ void k(float *out) { unsigned a = __cvta_generic_to_shared(out); }",
         "cp.async, ldmatrix"},
        {"__global__ void k(float *out) { cub::BlockReduce<float, 32> r; }", "leave the collective out"},
        {"__global__ void k(float *out) { free(out); }", "inside a kernel"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct machine m;
        assert_false(run_kernel(&m, refused[i].text, 32, 1, NULL));
        if (!strstr(m.problem.message, refused[i].why))
            fail_msg("%s: %s", refused[i].text, m.problem.message);
        assert_int_equal(m.problem.line, 1);
        end(&m);
    }
}

static void small_forms(void **state)
{
    (void)state;
    STORES("__global__ void k([[maybe_unused]] const float *in, float *out) {\n"
           "int a[4] = {1, 2, 3, 4}; const int4 &v = (int4 &)a[0]; (int &)a[1] = 9;\n"
           "out[v.z] = 0; out[a[1]] = 0; float4 q = (float4 &)(out[8]); }",
           0, 3, 9, 8);
    STORES(
        "#define CALL(f, ...) f(0, ##__VA_ARGS__)\n__device__ int one(int a, int b = 5) { return a + b; }\n"
        "__global__ void k(float *out) { out[CALL(one)] = 0; out[CALL(one, 7)] = 0; }",
        0, 5, 7);
    STORES("__global__ void k(float *out) { extern __shared__ char *room[]; float *s = (float *)room;\n"
           "s[threadIdx.x] = 1; out[sizeof(std::byte)] = 0; }",
           2, 2, 1);
    STORES("__device__ double atomicExch(double *p, double v) {\n"
           "return atomicExch((unsigned long long *)p, 0ull); }\n"
           "__global__ void k(double *out) { atomicExch(out + 4, 1.0); }",
           0, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_forms),
        cmocka_unit_test(memcpy_between_variables),
        cmocka_unit_test(a_copied_variable_keeps_its_own_value),
        cmocka_unit_test(a_bool_that_a_branch_uses_can_be_used_again),
        cmocka_unit_test(an_initial_value_sees_its_own_name),
        cmocka_unit_test(the_small_forms_of_cpp_mean_what_they_mean),
        cmocka_unit_test(macros_take_arguments),
        cmocka_unit_test(functions_are_read_in_place),
        cmocka_unit_test(a_reference_is_another_name),
        cmocka_unit_test(a_switch_takes_each_lane_to_its_label),
        cmocka_unit_test(what_is_decided_while_compiling_is_not_looked_into),
        cmocka_unit_test(kernels_may_be_templates),
        cmocka_unit_test(local_arrays_live_in_registers),
        cmocka_unit_test(structs_have_members_in_registers_and_memory),
        cmocka_unit_test(parameters_may_be_structs_and_vectors),
        cmocka_unit_test(constant_data_is_no_access),
        cmocka_unit_test(an_index_of_constant_data_is_read_where_it_lies),
        cmocka_unit_test(textures_are_read_apart),
        cmocka_unit_test(a_pointer_may_point_nowhere_at_first),
        cmocka_unit_test(a_lambda_has_what_it_captures),
        cmocka_unit_test(lists_are_values),
        cmocka_unit_test(lists_may_leave_out_inner_braces),
        cmocka_unit_test(an_asm_that_computes_yields_data),
        cmocka_unit_test(an_asm_that_loads_or_stores_is_an_access),
        cmocka_unit_test(what_the_preprocessor_passes_over_or_reads_again),
        cmocka_unit_test(questions_about_types_are_constants),
        cmocka_unit_test(pointers_compare_subtract_and_are_true),
        cmocka_unit_test(a_pointer_given_two_buffers_belongs_to_none),
        cmocka_unit_test(shared_arrays_of_the_file_belong_to_who_mentions_them),
        cmocka_unit_test(a_functions_shared_array_is_one_for_all_its_calls),
        cmocka_unit_test(default_arguments_are_known),
        cmocka_unit_test(a_changed_parameter_begins_anew_in_every_block),
        cmocka_unit_test(a_thousand_else_ifs_are_a_chain),
        cmocka_unit_test(what_leaves_its_type_is_found_and_what_wraps_is_noted),
        cmocka_unit_test(a_constant_of_the_file_that_overflows_is_found_where_it_is_used),
        cmocka_unit_test(an_endless_loop_is_found_by_its_state),
        cmocka_unit_test(a_long_loop_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
