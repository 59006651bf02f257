/* test_lang.c - what the language accepts, what it refuses, where it says so, and that hostile texts end
 * there. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#define HEAD "__global__ void k(const float *in, float *out, int rows, int cols)\n{\n"

static bool compiles(const char *text, struct problem *problem)
{
    struct source source = text_source(text);
    struct unit *unit = unit_open(&source, NULL, 0, problem);
    bool ok = unit && unit_compile(unit, NULL, problem);
    unit_close(unit);
    return ok;
}

static void accept(const char *text)
{
    struct problem problem = {0};
    if (!compiles(text, &problem))
        fail_msg("%d:%d: %s", problem.line, problem.column, problem.message);
}

/* Refused at that place, with a message that has that word. */
static void refuse(const char *text, int line, int column, const char *word)
{
    struct problem problem = {0};
    if (compiles(text, &problem))
        fail_msg("this should be refused: %s", text);
    if (problem.line != line || problem.column != column || !strstr(problem.message, word))
        fail_msg("expected %d:%d %s, got %d:%d %s", line, column, word, problem.line, problem.column,
                 problem.message);
}

static void body(const char *statements)
{
    char text[2000];
    (void)snprintf(text, sizeof text, HEAD "int i = threadIdx.x;\n%s\n}\n", statements);
    accept(text);
}

/* The statement stands on line 4. */
static void refuse_body(const char *statements, int column, const char *word)
{
    char text[2000];
    (void)snprintf(text, sizeof text, HEAD "int i = threadIdx.x;\n%s\n}\n", statements);
    refuse(text, 4, column, word);
}

static void the_subset_is_accepted(void **state)
{
    (void)state;
    body("out[i] = in[i];");
    body("for (int j = 0; j < 4; ++j) { if (j == 2) continue; out[i + j] = in[i]; if (i > 3) break; }");
    body("int j = 0; while (j < 4) { j++; } do { j--; } while (j > 0); if (j) return; else out[i] = 1.5f;");
    body("unsigned long long a = (size_t)i * cols; long b = -1L; out[a] = in[b + 1];");
    body("__shared__ float tile[32][33]; tile[threadIdx.y][threadIdx.x] = in[i]; __syncthreads(); out[i] = "
         "tile[0][i];");
    body("extern __shared__ float dynamic[]; dynamic[i] = in[i]; __syncwarp(); out[i] = dynamic[i];");
    body("const float4 *v = reinterpret_cast<const float4 *>(in); float4 a = v[i]; out[i] = a.w;");
    body("float4 a = make_float4(in[i], 1.0f, 2, in[i + 1]); a.x = a.y; ((float4 *)out)[i] = a;");
    body("float2 p; p.x = in[i]; p.y = __ldg(in + i); reinterpret_cast<float2 *>(out)[i] = p;");
    body("int n = min(i, cols), m = max(n, 3); out[i ? n : m] = *(in + n); out[m] += in[0];");
    body(
        "const float *p = in + i; p += cols; p++; out[i] = *p; float *q = &out[i]; *q = *p; out[i] = p[-1];");
    body("out[i] = static_cast<float>(i); int u = int(3.0f) + (int)sizeof(float4) + sizeof(int[4]); out[u] = "
         "0;");
    body("bool ok = i < cols && !(i & 1) || i == 7; if (ok) out[i] = in[i]; int k = ok ? 1 : 2; out[k] = "
         "in[k];");
    body("auto x = i + 1; const auto y = x * 2u; auto p = in + y; volatile __shared__ float s[4]; s[0] = *p; "
         "out[x] = s[0];");
    body("#pragma unroll\nfor (;;) { break; }");
    body("typedef float T; T x = in[i]; out[i] = x; { int i = 3; out[i] = in[i]; } ;");
    body("int a = 0x1F + 0b11 + 017 + 1'000 + 5u + 7ull; out[a] = in[a]; a <<= 2; a ^= 3; a %= 7; out[a] = "
         "0;");
    body("unsigned x = threadIdx.x + blockIdx.y * blockDim.z + gridDim.x + warpSize; out[x] = in[x];");
}

static void texts_around_the_kernel_are_passed_over(void **state)
{
    (void)state;
    accept("#include <cstdio>\nusing namespace std;\nnamespace a {\n" HEAD "}\n}\n"
           "int main() { printf(\"<<<%d>>>\\n\", 'x'); k<<<1, 2>>>(0, 0, 1, 2); return a::b->c; }\n");
    accept("extern \"C\" {\nstatic const int N = 4, M = N * 2;\nconstexpr unsigned Q = M + 1;\n"
           "__global__ void __launch_bounds__(256) k(float *out) { __shared__ float s[Q]; out[N] = s[M]; "
           "}\n}\n");
    accept("extern \"C\" __global__ void k(float *__restrict__ out, const bool b) { if (b) out[0] = 1.f; }");
    accept("#define CHECK(x) if (x) exit(1)\n__device__ int f(int x) { return x; }\n" HEAD
           "out[0] = in[0];}\n");
    accept("#ifdef A\n#error no\n#elif defined(B) && B > 2\nnonsense (\n#else\n#define T 4\n#endif\n#if T == "
           "4 && !defined X\n"
           "using E = float;\n__global__ void k(E *out) { out[T] = E(0); }\n#endif\n");
    accept("const char *t = R\"x(say \"hi\" )\" )x\";\n" HEAD "}\n");
    accept("#if 0\ndon't\n#endif\n" HEAD "}\n");
    accept("template <int N> __device__ void f() {}\nstruct s { int a; };\n__constant__ float c[4];\n" HEAD
           "}\n");
}

static void everything_else_is_refused_by_name_at_its_place(void **state)
{
    (void)state;
    refuse_body("float v[cols];", 9, "constant is needed");
    refuse_body("float v[9999];", 8, "local memory");
    refuse_body("float v[4]; v[4] = 1;", 13, "outside its local array");
    refuse_body("float v[4]; float *p = v; p = v + 1;", 29, "keeps the value");
    refuse_body("struct S { int a; } s; s.b = 1;", 26, "no member b");
    refuse_body("case 3: i = 1;", 1, "no switch around");
    refuse_body("switch (1.f) { }", 9, "works on integers");
    refuse_body("static_assert(2 < 1);", 1, "does not hold");
    refuse_body("auto f = [y = 1](int x) { return x; };", 11, "a lambda captures variables here");
    refuse_body("int a[2] = {1, 2}; auto f = [=](int x) { return a[x]; };", 49,
                "arrays and references by reference only");
    refuse_body("goto end;", 1, "goto");
    refuse_body("__nobody_knows(out, 1.0f);", 1, "__nobody_knows cannot be called");
    refuse_body("x = 1;", 1, "x is not declared");
    refuse_body("out[i] = in[1.5f];", 13, "index must be an integer");
    refuse_body("in[i] = 0;", 1, "const");
    refuse_body("i = in;", 5, "does not convert");
    refuse(HEAD "rows = 3\n}", 4, 1, "; is expected after the statement, not }");
}

static void each_refusal_says_what_is_wrong(void **state)
{
    (void)state;
    refuse(HEAD "int i = 99999999999999999999;\n}", 3, 9, "64 bits");
    refuse(HEAD "break;\n}", 3, 1, "no loop");
    refuse(HEAD "int i; int i;\n}", 3, 12, "declared twice");
    refuse(HEAD "int i = cols % 2.0f;\n}", 3, 14, "integers only");
    refuse(HEAD "float *p; p[0] = 1;\n}", 3, 11, "before it points anywhere");
    refuse(HEAD "__shared__ float s[cols];\n}", 3, 20, "constant is needed");
    refuse(HEAD "__shared__ float s[0];\n}", 3, 20, "dimension");
    refuse(HEAD "auto x;\n}", 3, 6, "auto needs a value");
    refuse(HEAD "int &x;\n}", 3, 6, "needs what it refers to");
    refuse(HEAD "long &x = cols;\n}", 3, 7, "place of its own type");
    refuse("__device__ int f(int x) { return f(x); }\n__global__ void k(int n) { n = f(1); }", 1, 34,
           "recursion");
    refuse("__device__ int f(int x) { return x; }\n__global__ void k(int n) { n = f(1, 2); }", 2, 32,
           "these 2 arguments");
    refuse(HEAD "float4 a; a.q = 1;\n}", 3, 13, "no component");
    refuse(HEAD "out->x = 1;\n}", 3, 6, "no component");
    refuse(HEAD "for (int i = 0; i < 3; i++\n}", 4, 1, ")");
    refuse(HEAD "if (cols) {\n", 4, 1, "never closed");
    refuse("/* never", 1, 1, "no closing */");
    refuse("__global__ void k() { \"abc }\n", 1, 23, "no closing \"");
    refuse("x R\"(abc\n", 1, 3, "raw string has no end");
    refuse("#if 1\n", 1, 1, "no #endif");
    refuse("#else\n", 1, 1, "no #if");
    refuse("#if 1 +\n#endif\n", 1, 8, "text ends where a value");
    refuse("#frobnicate\n", 1, 1, "frobnicate");
    refuse("#define F(x) x\n__global__ void k(int n) { n = F(1, 2); }", 2, 32,
           "takes 1 arguments; here are more");
    refuse("#define F(x, y) x\n__global__ void k(int n) { n = F(1); }", 2, 32, "takes 2 arguments, not 1");
    refuse("#define F(x) x\n__global__ void k(int n) { n = F(1; }", 2, 32, "no closing )");
    refuse("#define F(1) x\n", 1, 9, "parameters of a macro");
    refuse("#define F(x) x ## +\n__global__ void k(int n) { n = F(1); }", 2, 32, "no single word");
    refuse("template <int N>\n__global__ void k(int n) { }", 1, 15, "nothing says what");
    refuse("template <int N>\n__global__ void k(int n) { }\nvoid f() { k<1, 2><<<1, 1>>>(0); }", 3, 17,
           "here are more");
    refuse("__global__ void k(float **p) { p[0] = p[1]; }", 1, 37, "a pointer that is stored in memory");
    refuse("struct S { float *p; };\n__global__ void k(S *p) { S t = p[0]; p[1] = t; }", 2, 39,
           "a pointer that is stored in memory");
    refuse("__global__ void k(float ***p) { p[1][2][3] = 0; }", 1, 33, "where a pointer in memory points at");
    refuse("__global__ int k(float *p) { }", 1, 16, "returns void");
    refuse("int main() { }", 0, 0, "no __global__");
    refuse("__global__ void a() {} __global__ void b() {}", 0, 0, "several kernels: a, b");
}

static char *repeat(const char *before, const char *what, size_t times, const char *after)
{
    size_t length = strlen(what);
    char *text = malloc(strlen(before) + length * times + strlen(after) + 1);
    assert_non_null(text);
    char *at = text + sprintf(text, "%s", before);
    for (size_t i = 0; i < times; i++, at += length)
        memcpy(at, what, length);
    (void)strcpy(at, after);
    return text;
}

static void refuse_repeated(const char *before, const char *what, size_t times, const char *after,
                            const char *word)
{
    struct problem problem = {0};
    char *text = repeat(before, what, times, after);
    assert_false(compiles(text, &problem));
    if (!strstr(problem.message, word))
        fail_msg("%zu times %s: expected %s, got %s", times, what, word, problem.message);
    free(text);
}

static void hostile_texts_end_in_a_message(void **state)
{
    (void)state;
    const size_t many = 100000;
    refuse_repeated(HEAD "out[", "(", many, "", "deeper than");
    refuse_repeated(HEAD "out[", "in[", many, "", "deeper than");
    refuse_repeated(HEAD "rows = ", "-", many, "1;}", "");
    refuse_repeated(HEAD "rows = ", "!", many, "1;}", "deeper than");
    refuse_repeated(HEAD, "{", many, "", "deeper than");
    refuse_repeated(HEAD, "if (cols) ", many, ";}", "deeper than");
    refuse_repeated(HEAD, "for (;;) ", many, ";}", "deeper than");
    refuse_repeated(HEAD "rows = 0", "+ cols", many, ";}", "in a chain");
    refuse_repeated(HEAD "rows = 0", ", cols", many, ";}", "in a chain");
    refuse_repeated(HEAD "rows = ", "cols ? 1 : ", many, "2;}", "deeper than");
    refuse_repeated(HEAD "rows = ", "cols = ", many, "2;}", "deeper than");
    refuse_repeated("", "#if 1\n", many, "", "nest deeper");
    refuse_repeated(HEAD, "int a;", many, "}", "declared twice");
    refuse_repeated(HEAD, "rows = 1;", 400000, "}", "1048576 tokens");
    refuse_repeated(HEAD "__shared__ float s", "[1000]", 8, ";}", "1 GiB");
    refuse_repeated(HEAD, "out[0] = in[0];", 5000, "}", "4096 accesses");
    refuse_repeated("", "x", 5u << 20, "", "4 MiB");
}

static void macros_that_explode_or_loop_end_in_a_message(void **state)
{
    (void)state;
    char text[4000] = "#define A0 1+1\n";
    for (int i = 1; i < 40; i++)
        (void)sprintf(text + strlen(text), "#define A%d A%d + A%d\n", i, i - 1, i - 1);
    (void)strcat(text, HEAD "rows = A39;}");
    struct problem problem = {0};
    assert_false(compiles(text, &problem));
    assert_non_null(strstr(problem.message, "expand to more than"));
    /* a macro that names itself stays a name, as in C */
    refuse("#define A B\n#define B A\n" HEAD "rows = A;}", 5, 8, "A is not declared");
}

static void macros_and_definitions_are_replaced(void **state)
{
    (void)state;
    struct problem problem = {0};
    struct source source =
        text_source("#ifndef TILE\n#define TILE 8\n#endif\n#define P (TILE + 1)\n#undef Q\n"
                    "__global__ void k(ELEM *out) { __shared__ ELEM s[TILE][P]; out[0] = s[0][0]; }");
    struct source definitions[] = {
        {"-D", "TILE=16", 7}, {"-D", "ELEM=unsigned short", 19}, {"-D", "FLAG", 4}};
    struct unit *unit = unit_open(&source, definitions, 3, &problem);
    assert_non_null(unit);
    const struct program *program = unit_compile(unit, "k", &problem);
    assert_non_null(program);
    assert_int_equal(program->static_shared_bytes, 16 * 17 * 2);
    assert_int_equal(program->sites[0].lane_bytes, 2);
    assert_true(unit_defines(unit, "FLAG"));
    assert_false(unit_defines(unit, "Q"));
    struct source formula = text_source("(rows + TILE - 1) / TILE * FLAG");
    struct binding rows = {"rows", 33};
    int64_t value;
    assert_true(unit_evaluate(unit, &formula, &rows, 1, &value, &problem));
    assert_int_equal(value, 3);
    formula = text_source("rows / 0");
    assert_false(unit_evaluate(unit, &formula, &rows, 1, &value, &problem));
    unit_close(unit);
}

/* Measured on sm_90 with nvcc 13.0: declaration order, natural alignment, dynamic memory at a multiple of 16.
 */
static void shared_arrays_lie_as_the_compiler_lays_them(void **state)
{
    (void)state;
    struct problem problem = {0};
    struct source source =
        text_source("__global__ void k(float *out) { __shared__ float2 a[17]; __shared__ char b[5]; "
                    "__shared__ char c[17];"
                    "__shared__ short d[1]; __shared__ float e[17]; extern __shared__ float f[];"
                    "out[0] = a[0].x; out[1] = b[0] + c[0] + d[0]; out[2] = e[0]; out[3] = f[0]; }");
    static const uint64_t offsets[] = {0, 136, 141, 158, 160, 240}; /* the device printed 1024 more of each */
    struct unit *unit = unit_open(&source, NULL, 0, &problem);
    const struct program *program = unit_compile(unit, NULL, &problem);
    assert_non_null(program);
    assert_int_equal(program->shared_count, 6);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(program->shared[i].offset, offsets[i]);
    unit_close(unit);
    /* double4 is 32 bytes, aligned to 16 (vector_types.h of CUDA) */
    source = text_source(
        "__global__ void k(double *out) { __shared__ char a[1]; __shared__ double4 b[1]; out[0] = b[0].x; }");
    unit = unit_open(&source, NULL, 0, &problem);
    program = unit_compile(unit, NULL, &problem);
    assert_non_null(program);
    assert_int_equal(program->shared[1].offset, 16);
    assert_int_equal(program->static_shared_bytes, 48);
    unit_close(unit);
}

/* Offsets in words. Where nvcc 13.0 puts them was read from its PTX; a GPU confirmed the addresses (sm_90).
 */
static void shared_arrays_of_functions_lie_where_a_compiler_comes_to_them(void **state)
{
    static const char functions[] =
        "template <int N> __device__ float fb(float v) { static __shared__ float B[100]; return B[0] = v * "
        "N; }\n"
        "template <int N> __device__ float fc(float v) { __shared__ float G[110]; G[0] = v; return fb<N>(v); "
        "}\n"
        "__device__ float fa(float v) { __shared__ float A[40]; return A[0] = v; }\n"
        "__device__ float fz(float v);\n";
    static const char body[] = "__global__ void k(float *y) { __shared__ float C[200]; float v = fc<1>(C[3] "
                               "= 1); __shared__ float D[40];\n"
                               "  v = fz(fa(v)); D[0] = v; v = fb<2>(v); fa(v); y[0] = v + D[0]; }\n"
                               "__device__ float fz(float v) { __shared__ float Z[50]; return Z[0] = v; }\n";
    static const struct {
        const char *head;
        unsigned c, g, b1, d, a, z, b2;
    } cases[] = {{"", 40, 430, 330, 240, 0, 280, 540},
                 {"template <int M = 1> ", 400, 190, 90, 600, 0, 40, 300}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const unsigned words[] = {cases[i].c, cases[i].g, cases[i].b1, cases[i].d,
                                  cases[i].a, cases[i].z, cases[i].b2};
        char text[2000];
        (void)snprintf(text, sizeof text, "%s%s%s", functions, cases[i].head, body);
        struct problem problem = {0};
        struct source source = text_source(text);
        struct unit *unit = unit_open(&source, NULL, 0, &problem);
        const struct program *program = unit_compile(unit, NULL, &problem);
        assert_non_null(program);
        assert_int_equal(program->shared_count, 7);
        for (unsigned k = 0; k < 7; k++)
            assert_int_equal(program->shared[k].offset, 4 * words[k]);
        unit_close(unit);
    }
}

static void sites_carry_their_own_text(void **state)
{
    (void)state;
    struct problem problem = {0};
    const char *text = "#define AT in[3]\n__global__ void k(const float4 *in, float *out)\n{\n"
                       "    out[threadIdx.x] = in[threadIdx.y + 1].z;\n    out[1] += AT.x;\n}\n";
    static const char *const spans[] = {"in[threadIdx.y + 1].z", "out[threadIdx.x]", NULL, "out[1]",
                                        "out[1]"};
    struct source source = text_source(text);
    struct unit *unit = unit_open(&source, NULL, 0, &problem);
    const struct program *program = unit_compile(unit, NULL, &problem);
    assert_non_null(program);
    assert_int_equal(program->site_count, 5);
    for (unsigned i = 0; i < 5; i++) {
        const struct site *site = &program->sites[i];
        assert_int_equal(site->in_macro, spans[i] == NULL);
        if (!spans[i])
            continue;
        assert_int_equal(site->place.end - site->place.begin, strlen(spans[i]));
        assert_memory_equal(text + site->place.begin, spans[i], strlen(spans[i]));
    }
    assert_int_equal(program->sites[0].line, 4);
    assert_int_equal(program->sites[0].column, 24);
    assert_int_equal(program->sites[0].lane_bytes, 4); /* the component, not the vector */
    assert_int_equal(program->sites[0].buffer, 0);
    assert_int_equal(program->sites[1].buffer, 1);
    unit_close(unit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_subset_is_accepted),
        cmocka_unit_test(texts_around_the_kernel_are_passed_over),
        cmocka_unit_test(everything_else_is_refused_by_name_at_its_place),
        cmocka_unit_test(each_refusal_says_what_is_wrong),
        cmocka_unit_test(hostile_texts_end_in_a_message),
        cmocka_unit_test(macros_that_explode_or_loop_end_in_a_message),
        cmocka_unit_test(macros_and_definitions_are_replaced),
        cmocka_unit_test(shared_arrays_lie_as_the_compiler_lays_them),
        cmocka_unit_test(shared_arrays_of_functions_lie_where_a_compiler_comes_to_them),
        cmocka_unit_test(sites_carry_their_own_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
