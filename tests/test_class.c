/* test_class.c - templates of structs, their specialisations, constructors, operators, inheritance. */
#include "exec_support.h"

#define OUT "__global__ void k(float *out) {\n"

static void a_template_is_read_for_its_arguments(void **state)
{
    (void)state;
    STORES("template <typename T, int N = 3> struct Pack { T v[N]; static const int size = N; };\n" OUT
           "Pack<float, 5> a; Pack<Pack<short, 4>> b; out[sizeof(a)] = 1; out[sizeof(b)] = 2;\n"
           "out[Pack<int>::size] = 3; out[Pack<Pack<int, 2>, 9>::size + threadIdx.x] = 4; }",
           1, 20, 24, 3, 10);
    STORES("template <typename T> struct Two { T a, b; };\n"
           "template <typename T> __device__ int width(Two<T> x) { T y = x.a; return sizeof(y); }\n"
           "template <int N> struct Num { int x; }; template <int M> __device__ int of(Num<M> n) { return M "
           "+ n.x; }\n" OUT "Two<double> t; t.a = 1; Two<char> c; c.a = 'x'; Num<9> n; n.x = 4;\n"
           "out[width(t)] = 0; out[width(c)] = 0; out[of(n)] = 0; }",
           0, 8, 1, 13);
    STORES("template <typename T> using pair = T[2]; template <bool B> struct If { enum { value = B ? 7 : 8 "
           "}; };\n"
           "namespace a { template <typename T> struct S { using type = T; }; }\n" OUT
           "typename a::S<double>::type d = 0; out[sizeof(d)] = 0; out[If<(3 > 2)>::value] = 0;\n"
           "out[If<false>::value] = 0; }",
           0, 8, 7, 8);
}

static void specialisations_come_before_the_rest(void **state)
{
    (void)state;
    static const char *const traits =
        "template <typename T> struct W { static constexpr int n = 1; };\n"
        "template <> struct W<float> { static constexpr int n = 4; };\n"
        "template <typename T> struct W<T *> { static constexpr int n = 10 + W<T>::n; };\n"
        "template <typename T> struct W<const T> { static constexpr int n = 20 + W<T>::n; };\n"
        "template <typename T, int N> struct P { enum { n = 30 + N }; }; template <typename T> struct P<T, "
        "0> { "
        "enum { n = 2 }; };\n"
        "template <int N> struct Log { static const int v = 1 + Log<N / 2>::v; }; template <> struct Log<1> "
        "{ static "
        "const int v = 0; };\n";
    char text[2000];
    (void)snprintf(
        text, sizeof text, "%s%s", traits,
        OUT "out[W<int>::n] = 0; out[W<float>::n] = 0; out[W<float *>::n] = 0; out[W<const float>::n] = 0;\n"
            "out[P<int, 1>::n] = 0; out[P<char, 0>::n] = 0; out[Log<64>::v] = 0; }");
    STORES(text, 0, 1, 4, 14, 24, 31, 2, 6);
}

/* Only declared, and defined by its specialisations. */
static void a_template_may_be_declared_alone(void **state)
{
    (void)state;
    STORES("template <typename T, int N> struct packed; template <> struct packed<float, 1> { using type = "
           "float; };\n"
           "template <> struct packed<float, 2> { using type = float2; };\n"
           "template <typename T> struct num { static constexpr int value = 2; }; template <typename T> "
           "struct num;\n" OUT
           "using P = typename packed<float, num<int>::value>::type; out[sizeof(P)] = 0; }",
           0, 8);
}

static void constructors_set_members(void **state)
{
    (void)state;
    STORES("struct V { int x, y; __device__ V(int a, int b = 2) : x(a), y{b} { x += 1; } __device__ V() : "
           "x(7), y() {} "
           "};\n"
           "struct Base { int a; __device__ int twice() const { return 2 * a; } };\n"
           "struct D : public Base { int b; __device__ explicit D(int q) { this->a = q; b = a + 1; } };\n" OUT
           "V v(threadIdx.x), w{3, 4}, z; V t = V(9, 8); D d(5);\n"
           "out[v.x * v.y] = 0; out[w.x * 10 + w.y] = 0; out[z.x + z.y] = 0; out[t.x + t.y] = 0;\n"
           "out[d.twice() + d.b] = 0; }",
           3, 8, 44, 7, 18, 16);
    STORES("struct P { float *p; int n; __device__ P(float *q, int m) : p(q), n(m) {}\n"
           "__device__ float &at(int y, int x) { return p[y * n + x]; } __device__ float *row(int y) { "
           "return p + y * "
           "n; }\n"
           "__device__ float &operator()(int i) { return p[2 * i]; } __device__ float &operator[](int i) { "
           "return "
           "this->p[i]; } };\n" OUT
           "P a(out, 10); a.at(threadIdx.x, 1) = 1; a(4) = 2; a[6] += 1; a.row(3)[2] = 1; }",
           2, 21, 8, 6, 6, 32);
}

static void operators_and_conversions_are_functions(void **state)
{
    (void)state;
    STORES("struct Add { __device__ int operator()(int a, int b) const { return a + b; } static __device__ "
           "int two() { "
           "return 2; } };\n"
           "struct C { int v; __device__ C operator+(const C &o) const { C r; r.v = v + o.v; return r; } "
           "__device__ "
           "operator int() const { return v; } };\n" OUT
           "Add add; C a, b; a.v = 3; b.v = threadIdx.x; C c = a + b; int i = c;\n"
           "out[add(4, Add::two())] = 0; out[i] = 0; }",
           5, 6, 8);
    STORES("template <typename T> struct Shared { __device__ operator T *() { extern __shared__ int s[]; "
           "return (T *)s; "
           "} };\n" OUT "float *s = Shared<float>(); Shared<float> t; float *u = t; s[threadIdx.x + 1] = 1; "
           "out[threadIdx.x] = u[3]; }",
           4, 5, 3, 4);
}

static void functions_have_specialisations(void **state)
{
    (void)state;
    STORES(
        "template <typename T> __device__ int Inf();\ntemplate <> __device__ int Inf<float>() { return 4; }\n"
        "template <> __device__ int Inf<double>() { return 8; }\n"
        "template <typename A, typename B> __device__ A to(B b) { return 1; }\n"
        "template <> __device__ inline int to<int, float>(float x) { return 5; }\n"
        "template <> __device__ inline short to<short, float>(float x) { return 6; }\n"
        "template <int N> __device__ int num() { return N; }\ntemplate <> __device__ int num<3>() { return "
        "30; }\n" OUT
        "float v = 0; out[Inf<float>() + Inf<double>()] = v; out[to<int>(v)] = v; out[to<short>(v)] = v;\n"
        "out[to<int>(threadIdx.x)] = v; out[num<3>() + num<4>()] = v; }",
        0, 12, 5, 6, 1, 34);
    STORES(OUT "bool same = std::is_same<float, float>::value, other = is_same_v<int, float>;\n"
               "out[same * 2 + other] = 0; if constexpr (std::is_same<int, int>{}) out[7] = 0; }",
           0, 2, 7);
}

static void a_cast_to_a_reference_is_the_same_place(void **state)
{
    (void)state;
    STORES("struct S { int a; const __host__ __device__ float *p(const float *q) const { return q + a; } };\n"
           "__global__ void k(float *out) { float4 f; S s; s.a = 2;\n"
           "reinterpret_cast<int4 &>(f) = reinterpret_cast<const int4 &>(out[threadIdx.x * 4]);\n"
           "out[threadIdx.x] = f.x + s.p(out)[1]; }",
           3, 12, 3, 3);
}

static void refused(const char *text, int line, const char *word)
{
    struct machine m;
    if (run_kernel(&m, text, 32, 1, NULL))
        fail_msg("this should be refused: %s", text);
    if (m.problem.line != line || !strstr(m.problem.message, word))
        fail_msg("expected %d: %s, got %d: %s", line, word, m.problem.line, m.problem.message);
    end(&m);
}

/* A struct's own operator= and its constructor from another one are not passed over. */
static void copies_are_made_as_the_struct_says(void **state)
{
    (void)state;
    STORES("struct V { int x; __device__ V &operator=(const V &o) { x = o.x + 1; return *this; } };\n"
           "struct W { int x; __device__ W() : x(0) {} __device__ W(const W &o) { x = o.x + 1; } };\n"
           "__device__ int f(W w) { return w.x; }\n" OUT
           "V v, w; w.x = 6; v = w; out[v.x] = 0; W a; a.x = 3; W b(a), c = a; out[b.x] = 0; out[c.x] = 0; "
           "out[f(a)] = 0; }",
           0, 7, 4, 4, 4);
    STORES("struct V { int x; __device__ void operator+=(int n) { x += 2 * n; } __device__ V &operator++() { "
           "x += 5; "
           "return *this; } __device__ V operator++(int) { V old = *this; x += 7; return old; } };\n" OUT
           "V v; v.x = 0; v += 4; out[v.x] = 0; ++v; out[v.x] = 0; out[(v++).x] = 0; out[v.x] = 0; }",
           0, 8, 13, 13, 20);
    refused("struct V { int x; __device__ V &operator=(const V &o) { x = o.x + 1; return *this; } };\n"
            "struct W { V v; };\n" OUT "W a, b; a.v.x = 1; b = a; }",
            4, "operator= of its own");
}

static void members_have_default_values(void **state)
{
    (void)state;
    STORES(
        "struct V { int x = 5, y{2}; float *p = nullptr; int z; };\n"
        "struct W { int a; int b = a * 2; int c = 9; __device__ W(int q) : a(q), c(q + 1) {} };\n"
        "struct X { int n = 4; X() = default; }; struct A { int x; __device__ A() : x(5) {} }; struct B { A "
        "a; int y; "
        "};\n" OUT
        "V v; out[v.x + v.y] = 0; W w(3); out[w.b] = 0; out[w.c] = 0; X x; out[x.n] = 0; B b{}; out[b.a.x] = "
        "0; A q[2] = {A()}; out[q[1].x + b.y] = 0; }",
        0, 7, 6, 4, 4, 5, 5);
    STORES("struct V { int x = 5, y = 2, z; };\n" OUT
           "V v{}, w = {1}; out[v.x + v.z] = 0; out[w.x] = 0; out[w.y] = 0; out[V().y] = 0; }",
           0, 5, 1, 2, 2);
    refused("struct V { int x = 5, z; };\n" OUT "V v; out[v.z] = 0; }", 3, "before it has a value");
}

static void what_stands_in_several_namespaces_is_told_apart(void **state)
{
    (void)state;
    static const char *const spaces =
        "namespace a { const int N = 4; __device__ int f() { return 1; } struct S { int x = 7; };\n"
        "template <class T> struct P { T t; int n = 11; };\n"
        "namespace b { const int N = 8; __device__ int f() { return 2; } struct S { int y, x = 9; };\n"
        "template <class T> struct P { int n = 12; }; __device__ int h() { return f() + N; } }\n"
        "__device__ int h() { return f() + N + b::f() * 20; } namespace { __device__ int g() { return N; } } "
        "}\n"
        "namespace c { const int N = 16; __device__ int f() { return 3; } }\n";
    char text[2000];
    (void)snprintf(
        text, sizeof text, "%susing namespace c; namespace a {\n%s%s", spaces, OUT,
        "out[f()] = 0; out[N] = 0; out[b::f()] = 0; out[a::b::N] = 0; out[c::N + c::f()] = 0; out[h()] = 0;\n"
        "out[b::h()] = 0; S s; b::S t; out[s.x] = 0; out[t.x] = 0; P<int> p; b::P<int> q; out[p.n] = 0; "
        "out[q.n] = 0; out[g()] = 0; } }");
    STORES(text, 0, 1, 4, 2, 8, 19, 45, 10, 7, 9, 11, 12, 4);
    static const char *const uses[] = {"out[f()] = 0; }", "out[N] = 0; }", "S s; }", "P<int> p; }"};
    for (size_t i = 0; i < 4; i++) {
        (void)snprintf(text, sizeof text, "%susing namespace a; using namespace a::b;\n%s%s", spaces, OUT,
                       uses[i]);
        refused(text, 9, "several namespaces");
    }
    STORES("namespace a { __device__ int f() { return 1; } } __device__ int f() { return 2; }\n" OUT
           "out[::f()] = 0; out[f()] = 0; out[a::f()] = 0; }",
           0, 2, 2, 1);
}

/* s[i++].f(), at(k[1]): the object and the arguments are evaluated once, however often the function names
 * them. */
static void an_object_and_arguments_are_evaluated_once(void **state)
{
    (void)state;
    STORES("struct V { int x, y; __device__ void set(int a) { x = a; y = a + 1; } };\n" OUT
           "V v[2] = {{0, 0}, {0, 0}}; int i = 0; v[i++].set(5); out[i] = 0; out[v[0].y] = 0; out[v[0].x] = "
           "0; }",
           0, 1, 6, 5);
    STORES("struct M { float *q; __device__ float &at(int i) { return q[i * i + i]; } "
           "__device__ float &second(int i) { int k = i + 1; return q[k]; } };\n" OUT
           "M m = {out}; int a[2] = {2, 3}, j = 0; m.at(a[j++]) = 0; out[j] = 0; m.at(a[j]) += 1; "
           "m.second(j++) = 1; "
           "out[j] = 0; }",
           0, 6, 1, 12, 12, 2, 2);
}

static void functions_are_arguments(void **state)
{
    (void)state;
    STORES("template <typename F> __device__ int app(F f, int x) { return f(x) + f(1); }\n"
           "template <class P> __device__ void count_if(int *c, int n, P &&p) { for (int i = 0; i < n; i++) "
           "if (p(i)) c[0] "
           "+= 1; }\n"
           "__device__ int twice(int x) { return 2 * x; }\n"
           "template <typename T> __device__ T point(T (*f)(T), T x) { return f(x); }\n"
           "struct V { int x; template <class F> __device__ int each(F f) const { return f(x); } };\n" OUT
           "int y = 3, c = 0; out[app([](int q) { return q + 1; }, 2)] = 0; out[app([=](int q) { return q + "
           "y; }, 2)] = 0;\n"
           "auto g = [&](int q) { y += q; return y; }; out[app(g, 2)] = 0; out[y] = 0; count_if(&c, 5, "
           "[](int i) { return i "
           "& 1; }); out[c] = 0; out[app(twice, 4)] = 0; out[point(twice, 4)] = 0; V v = {4}; "
           "out[v.each([&](int q) { "
           "return q * y; })] = 0; }",
           0, 5, 9, 11, 6, 2, 10, 8, 24);
    refused("__device__ int f(int x) { return x; } __device__ int f(float x) { return 1; }\n"
            "template <typename F> __device__ int app(F g) { return g(2); }\n" OUT "out[app(f)] = 0; }",
            4, "f");
}

static void member_functions_may_be_defined_outside(void **state)
{
    (void)state;
    STORES("class P { public: P(int a); __device__ int get(int x = 4) const; __device__ int get(int a, int "
           "b); __device__ "
           "void set(int v); static __device__ int st(int a); int m, n; };\n"
           "inline __device__ P::P(int a) : m(a), n{a + 1} { m += 1; }\n"
           "__device__ int P::get(int y) const { return m * y + n; } __device__ int P::get(int c, int d) { "
           "return c * d + m; "
           "}\n__device__ void P::set(int v) { m = v; } __device__ int P::st(int a) { return a + 20; }\n" OUT
           "P p(3); out[p.m] = 0; out[p.get(2)] = 0; out[p.get(2, 3)] = 0; p.set(9); out[p.get()] = 0; "
           "out[P::st(1)] = 0; }",
           0, 4, 12, 10, 40, 21);
    refused("struct P { int m; __device__ int get(); };\n" OUT "P p = {1}; out[p.get()] = 0; }", 3, "get");
}

/* f() const is for const objects; one that converts to a pointer is indexed as that. */
static void const_objects_have_their_own_functions(void **state)
{
    (void)state;
    STORES(
        "struct C { int x; __device__ int get() { return 1; } __device__ int get() const { return 2; } "
        "__device__ int "
        "both() const { return get() + 10 * this->get(); } };\n"
        "__device__ int of(const C &c) { return c.get(); }\n"
        "template <class T> struct S { __device__ operator T *() { extern __shared__ int s[]; return (T *)s; "
        "} "
        "__device__ operator const T *() const { extern __shared__ int s[]; return (T *)s; } };\n" OUT
        "C c = {0}; const C d = {0}; out[c.get()] = 0; out[c.both()] = 0; out[of(c)] = 0; out[d.get()] = 0; "
        "S<float> s; s[3] = 1; }",
        0, 1, 22, 2, 2, 3);
}

static void what_people_write_around_templates(void **state)
{
    (void)state;
    STORES("struct L { float *p; template <int N> __device__ int at(int i) { return i + N; } };\n"
           "constexpr int most(int n) { return n + 1; } template <int N> __device__ int sum(uchar4 v[2]) { "
           "return v[0].x + "
           "v[1].y; }\n" OUT "L l = {out}; const auto &f = [&](int x) { return x + 3; }; auto g = [=] "
           "__device__(int x) { return x + 1; };\n"
           "out[l.template at<4>(2)] = 0; out[f(2)] = 0; out[g(2)] = 0; static_assert(most(2) == 3, \"\"); "
           "uchar4 c[2] = "
           "{7}; out[c[0].x] = 0; uint2 d[2] = {1, 2, 3}; out[d[0].y + d[1].x + d[1].y] = 0; int2 e[2] = "
           "{make_int2(5, 6), "
           "4}; out[e[0].y + e[1].x] = 0; out[sum<1>(c)] = 0; int n; float m = frexpf(2.5f, &n); double w = "
           "modf(1.5, &w); }",
           0, 6, 5, 3, 7, 5, 10, 7);
    STORES("__global__ void k(float *out) { __shared__ float s[4][32]; float4 *v = (float4 *)&s[2]; v[1] = "
           "make_float4(0, 0, 0, 0); float *w = (float *)(&s[1] + 1); *w = 4; }",
           0, 68, 64);
    refused(OUT "int n; float m = frexpf(2.5f, &n); out[n] = 0; }", 2, "depends on");
    refused(OUT "static_assert(sizeof(int) == 5, \"no\"); out[0] = 0; }", 2, "does not hold");
}

static void arguments_promote_rather_than_convert(void **state)
{
    (void)state;
    STORES("__device__ int g(float a) { return 3; } __device__ int g(double a) { return 4; } __device__ int "
           "g(long long a) "
           "{ return 5; } __device__ int g(char a) { return 6; } __device__ int g(unsigned a) { return 2; } "
           "__device__ int "
           "g(int a) { return 1; } __device__ int h(float a) { return 7; } __device__ int h(short a) { "
           "return 8; } "
           "__device__ int h(double a) { return 9; }\n" OUT
           "short s = 1; unsigned char c = 2; out[g(s)] = 0; out[g(c)] = 0; out[g(true)] = 0; out[g('a')] = "
           "0; out[g(1u)] "
           "= 0; out[g(1.0)] = 0; out[g(1.f)] = 0; out[g(1ll)] = 0; out[h(__float2half(1.f) == 1 ? s : s)] = "
           "0; }",
           0, 1, 1, 1, 6, 2, 4, 3, 5, 8);
    STORES("struct B { int x; __device__ int f() { return 1; } __device__ int g() { return f() + 10 * "
           "this->f(); } };\n"
           "struct D : B { __device__ int f() { return 2; } };\n" OUT
           "D d; out[d.f()] = 0; out[d.g()] = 0; }",
           0, 2, 11);
}

/* Neither is taken for what it is not. */
static void structs_that_cannot_be_read_are_no_numbers(void **state)
{
    (void)state;
    refused("struct W { int a : 3; int b, c; };\n__global__ void k(W *out) { out[threadIdx.x] = out[0]; }", 1,
            "after the member");
    refused("struct W { int &a; __device__ W(int &b) : a(b) {} };\n" OUT
            "int i = 1; W w(i); w.a = 2; out[i] = 0; }",
            1, "a member that is a reference");
    refused("struct W { float *p; __device__ ~W() { p[3] = 1; } };\n" OUT "W w = {out}; out[1] = 0; }", 1,
            "a destructor that does something");
    STORES("struct W { int n; ~W() { free(0); } }; struct U { int n; __device__ ~U() {} };\n" OUT
           "W w = {2}; U u = {3}; out[w.n] = 0; out[u.n] = 0; }",
           0, 2, 3);
}

static void what_is_not_understood_is_named(void **state)
{
    (void)state;
    refused("template <typename... T> struct S { int a; };\n" OUT "S<int> s; s.a = 1; out[s.a] = 0; }", 1,
            "any number of parameters");
    refused("template <typename T> struct S { T a; };\n" OUT "S<float>::type x; out[0] = 0; }", 3,
            "type is no constant, type or function of this struct");
    refused("template <int N> struct S { static const int v = S<N + 1>::v; };\n" OUT "out[S<0>::v] = 0; }", 3,
            "");
    refused("struct S { int a; __device__ S(int x) : a(x) {} };\n" OUT "S s(1, 2); out[s.a] = 0; }", 3,
            "no constructor of S takes these 2 arguments");
}

/* The kernel that a template's arguments stand for may be written on its own. */
static void kernels_have_specialisations(void **state)
{
    static const char text[] = "template <typename T> __global__ void g(T *out) { out[1] = 1; }\n"
                               "template <> __global__ void g<int>(int *out) { out[2] = 1; }\n"
                               "template <> __global__ void g(double *out) { out[4] = 1; }\n"
                               "template <int N, typename T> __global__ void h(T *out) { out[N] = 1; }\n"
                               "template <> __global__ void h<3, float>(float *out) { out[9] = 1; }\n";
    static const struct {
        const char *kernel, *arguments;
        int64_t scale;
    } cases[] = {{"g", "float", 1}, {"g", "int", 2},      {"g", "double", 4},   {"g:2", NULL, 2},
                 {"g:3", NULL, 4},  {"h", "4, float", 4}, {"h", "3, float", 9}, {"h", "3, int", 3}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct problem problem = {0};
        struct source source = text_source(text),
                      arguments = text_source(cases[i].arguments ? cases[i].arguments : "");
        struct unit *unit = unit_open(&source, NULL, 0, &problem);
        const struct program *program =
            unit_compile_as(unit, cases[i].kernel, cases[i].arguments ? &arguments : NULL, &problem);
        if (!program)
            fail_msg("%s<%s>: %s", cases[i].kernel, arguments.bytes, problem.message);
        bool found = false; /* the index is a constant of the program */
        for (unsigned k = 0; k < program->constant_count; k++)
            found = found || program->constants[k].value == cases[i].scale;
        assert_true(found);
        assert_int_equal(program->site_count, 1);
        unit_close(unit);
    }
}

/* What a type stands for, where nothing says it: float, or int where only that makes sense. */
static void a_type_that_is_an_index_is_an_integer(void **state)
{
    static const char text[] = "template <typename T, typename I> __global__ void k(T *out, const I *map) {\n"
                               "I x = map[threadIdx.x]; out[x] = 1; }\n";
    struct problem problem = {0};
    struct source source = text_source(text);
    (void)state;
    struct unit *unit = unit_open(&source, NULL, 0, &problem);
    const struct program *program = unit_compile(unit, NULL, &problem);
    assert_non_null(program);
    assert_string_equal(unit_assumed_types(unit), "float for T, int for I");
    assert_int_equal(program->parameters[1].type.to->kind, TYPE_INTEGER);
    unit_close(unit);
}

static void a_template_may_call_itself_to_an_end(void **state)
{
    (void)state;
    STORES("template <int i> __device__ int f(int x) { return x + f<i - 1>(x + 1); }\n"
           "template <> __device__ int f<0>(int x) { return x; }\n"
           "template <int i> __device__ int g(int x) { if constexpr (i > 0) return g<i - 1>(2 * x); else "
           "return x; }\n" OUT "out[f<3>(threadIdx.x)] = 0; out[g<4>(1)] = 0; }",
           1, 1 + 2 + 3 + 4, 16);
}

static void constructors_may_be_defaulted(void **state)
{
    (void)state;
    STORES("struct V { int x, y; V() = default; __device__ V(int a) : x(a), y(a + 1) {} };\n"
           "template <typename T> struct W { T v[2]; };\n" OUT
           "V v; v.x = 3; v.y = 1; V w(5), z{}, u = V(); using X = struct W<V>; X a; a.v[1] = w;\n"
           "out[v.x] = 0; out[w.y] = 0; out[z.x + u.y] = 0; out[a.v[1].y + 1] = 0; }",
           0, 3, 6, 0, 7);
}

/* Where no header defines them. The strides are the parameters: 1 data_, then sizes, then strides. */
static void tensors_have_accessors(void **state)
{
    static const char text[] =
        "__global__ void k(torch::PackedTensorAccessor32<float, 2, torch::RestrictPtrTraits> a,\n"
        "at::PackedTensorAccessor64<float, 3> b) {\n"
        "if (threadIdx.x < a.size(1)) b[1][threadIdx.x][2] = a[2][threadIdx.x]; }";
    const int64_t numbers[] = {4, 20, 100, 1, 7, 7, 7, 1000, 10, 1}; /* sizes and strides of both */
    struct machine m;
    (void)state;
    assert_true(run_kernel(&m, text, 32, 1, numbers));
    assert_string_equal(unit_borrowed(m.unit), "PackedTensorAccessor32 as PyTorch has it");
    assert_int_equal(m.record.count, 2);
    assert_int_equal(mask_of(&m, 0), 0xfffff);
    assert_int_equal(offset(&m.record.at[0], 3), 4 * (200 + 3));
    assert_int_equal(offset(&m.record.at[1], 3), 4 * (1000 + 30 + 2));
    end(&m);
    STORES("struct pair { int a; }; " OUT "pair p; p.a = 3; out[p.a] = 0; }", 0, 3); /* the file's own */
    STORES(OUT "std::pair<int, float> p = std::make_pair(4, 1.0f); std::array<int, 3> q; q[1] = 2;\n"
               "out[p.first] = 0; out[q[1] + q.size()] = 0; }",
           0, 4, 5);
}

static void static_members_are_read_by_way_of_an_object(void **state)
{
    (void)state;
    STORES("template <int N, class T> struct Q { static constexpr int size = N; enum { most = N + 1 }; T "
           "a[N]; };\n" OUT
           "Q<3, short> q = {{1, 2, 3}}; out[q.a[1] * q.size + Q<5, short>::size] = 0; out[q.most] = 0; }",
           0, 11, 4);
}

static void templates_take_functions_and_templates(void **state)
{
    (void)state;
    STORES("template <typename T> struct Sum { __device__ T operator()(T a, T b) const { return a + b; } };\n"
           "template <typename T> struct Max { __device__ T operator()(T a, T b) const { return max(a, b); } "
           "};\n"
           "using fun = int (*)(int);\n"
           "__device__ int twice(int x) { return 2 * x; } __device__ int thrice(int x) { return 3 * x; }\n"
           "template <fun F> __device__ int apply(int x) { return F(x); }\n"
           "template <fun F> __device__ int again(int x) { return apply<F>(apply<F>(x)); }\n"
           "template <int (*F)(int), int N> __device__ int other(int x) { return F(x) + N; }\n"
           "template <template <typename> class Op, typename T, int W = 4> __device__ T all(T v) {\n"
           "return Op<T>()(v, (T)W); }\n"
           "template <template <typename T> class Op> struct Holder { __device__ int get(int x) {\n"
           "return Op<int>()(x, 1); } };\n" OUT
           "out[apply<twice>(3)] = 0; out[apply<thrice>(3)] = 0; out[again<thrice>(1)] = 0;\n"
           "out[other<twice, 5>(1)] = 0; out[all<Sum, int>(2)] = 0; out[all<Max, int, 9>(2)] = 0;\n"
           "Holder<Max> h; out[h.get(11)] = 0; Holder<Sum> g; out[g.get(11)] = 0; }",
           0, 6, 9, 9, 7, 6, 9, 11, 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(templates_take_functions_and_templates),
        cmocka_unit_test(static_members_are_read_by_way_of_an_object),
        cmocka_unit_test(constructors_may_be_defaulted),
        cmocka_unit_test(tensors_have_accessors),
        cmocka_unit_test(kernels_have_specialisations),
        cmocka_unit_test(a_type_that_is_an_index_is_an_integer),
        cmocka_unit_test(a_template_may_call_itself_to_an_end),
        cmocka_unit_test(a_template_is_read_for_its_arguments),
        cmocka_unit_test(specialisations_come_before_the_rest),
        cmocka_unit_test(a_template_may_be_declared_alone),
        cmocka_unit_test(constructors_set_members),
        cmocka_unit_test(operators_and_conversions_are_functions),
        cmocka_unit_test(functions_have_specialisations),
        cmocka_unit_test(a_cast_to_a_reference_is_the_same_place),
        cmocka_unit_test(copies_are_made_as_the_struct_says),
        cmocka_unit_test(members_have_default_values),
        cmocka_unit_test(what_stands_in_several_namespaces_is_told_apart),
        cmocka_unit_test(an_object_and_arguments_are_evaluated_once),
        cmocka_unit_test(functions_are_arguments),
        cmocka_unit_test(member_functions_may_be_defined_outside),
        cmocka_unit_test(const_objects_have_their_own_functions),
        cmocka_unit_test(what_people_write_around_templates),
        cmocka_unit_test(arguments_promote_rather_than_convert),
        cmocka_unit_test(structs_that_cannot_be_read_are_no_numbers),
        cmocka_unit_test(what_is_not_understood_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
