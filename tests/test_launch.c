/* test_launch.c - what the host code of a text says of its launches: block, grid, arguments, sizes. */
#include "support.h"

#include <string.h>

#define KERNEL                                                                                               \
    "__global__ void turn(float *dst, const float *src, int nx, int ny) {\n"                                 \
    "  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;\n"                          \
    "  for (int j = 0; j < 32; j += 8) if (x < nx && y + j < ny) dst[x * ny + y + j] = src[(y + j) * nx + "  \
    "x]; }\n"

/* The scenario of a text whose host code follows KERNEL. */
static struct scenario opened(const char *host, uint32_t rows, uint32_t cols)
{
    static char text[4000];
    static struct source source;
    struct scenario s;
    struct scenario_options options = {.rows = rows, .cols = cols};
    (void)snprintf(text, sizeof text, KERNEL "%s", host);
    source = text_source(text);
    open_scenario(&s, &source, &options);
    return s;
}

static void expect_launch(const char *host, uint32_t bx, uint32_t by, uint32_t gx, uint32_t gy, uint32_t rows,
                          uint32_t cols)
{
    struct scenario s = opened(host, 0, 0);
    if (s.launch.block[0] != bx || s.launch.block[1] != by || s.launch.grid[0] != gx ||
        s.launch.grid[1] != gy || s.rows != rows || s.cols != cols)
        fail_msg("%s: block %u x %u, grid %u x %u, %u rows, %u columns", host, s.launch.block[0],
                 s.launch.block[1], s.launch.grid[0], s.launch.grid[1], s.rows, s.cols);
    assert_int_equal(s.launch.arguments[2].value, cols);
    assert_int_equal(s.launch.arguments[3].value, rows);
    scenario_close(&s);
}

#define WHOLE "void f(float *a, float *b) { const int nx = 96, ny = 64;\n"

static void a_launch_is_read_in_each_form(void **state)
{
    (void)state;
    static const char *const hosts[] = {
        WHOLE
        "dim3 block(32, 8), grid((nx + 31) / 32, (ny + 31) / 32); turn<<<grid, block>>>(b, a, nx, ny); }",
        WHOLE "dim3 grid = dim3(nx / 32, ny / 32); turn<<<grid, dim3(32, 8)>>>(b, a, nx, ny); }",
        WHOLE
        "dim3 block{32, 8}; dim3 grid = {nx / 32, ny / 32}; turn<<<grid, block, 0, 0>>>(b, a, nx, ny); }",
        WHOLE "dim3 block, grid; block.x = 32; block.y = 8; grid.x = 3; grid.y = ny / block.x;\n"
              "turn<<<grid, block>>>(b, a, nx, ny); }",
        WHOLE "turn<<<dim3(ceil((float)nx / 32), ceil(ny / 32.0)), {32, 8}>>>(b, a, nx, ny); }",
        "#define NX 96\n#define UP(a, b) (((a) + (b) - 1) / (b))\nconst unsigned NY = 1 << 6;\n"
        "void f(float *a, float *b) { turn<<<dim3(UP(NX, 32), UP(NY, 32)), dim3(32, 256 / 32)>>>(b, a, NX, "
        "NY); }",
        "int up(int a, int b) { return (a + b - 1) / b; }\n"
        "void run(float *a, float *b, int w, int h) { dim3 g(up(w, 32), up(h, 32)); dim3 t(32, 8);\n"
        "turn<<<g, t>>>(b, a, w, h); }\nint main() { float *p = 0; size_t n = 64; run(p, p, 96, n); }",
        WHOLE "void *args[] = {&b, &a, (void *)&nx, (void *)&ny};\n"
              "cudaLaunchKernel((void *)turn, dim3(3, 2), dim3(32, 8), args, 0, 0); }",
        WHOLE "void *args[] = {&b, &a, &nx, &ny};\n"
              "cudaLaunchCooperativeKernel(turn, dim3(3, 2), dim3(32, 8), args); }",
        WHOLE "hipLaunchKernelGGL(turn, dim3(3, 2), dim3(32, 8), 0, 0, b, a, nx, ny); }",
        WHOLE "void (*k)(float *, const float *, int, int) = &turn; k<<<dim3(3, 2), dim3(32, 8)>>>(b, a, nx, "
              "ny); }",
        "int W = 96;\nstatic int H = 64;\nvoid f(float *a, float *b) {\n"
        "for (int i = 0; i < 10; i++) turn<<<dim3(W / 32, H / 32), dim3(32, 8)>>>(b, a, W, H); }",
        "int main(int argc, char **argv) { float *a = 0; int nx = argc > 1 ? atoi(argv[1]) : 96, ny = 64;\n"
        "if (argc > 2) ny = atoi(argv[2]);\nturn<<<dim3(nx / 32, ny / 32), dim3(32, 8)>>>(a, a, nx, ny); }",
        "int main() { float *a = 0; int nx = 90, ny = 32; nx += 6; ny *= 2;\n"
        "turn<<<dim3(nx / 32, ny / 32), dim3(32, 8)>>>(a, a, nx, ny); }",
        "int main() { float *a = 0; int nx = 96, ny = 64; { int nx = 5; (void)nx; }\n"
        "{ turn<<<dim3(nx / 32, ny / 32), dim3(32, 8)>>>(a, a, nx, ny); } }",
    };
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        expect_launch(hosts[i], 32, 8, 3, 2, 64, 96);
}

/* Which parameter is the row's length is seen from the kernel, not from names or their order. */
static void sizes_are_found_by_use(void **state)
{
    (void)state;
    expect_launch(WHOLE "turn<<<dim3(3, 2), dim3(32, 8)>>>(b, a, nx, ny); }", 32, 8, 3, 2, 64, 96);
    struct scenario s;
    struct source source =
        text_source("__global__ void k(float *o, const float *i, int height, int width) {\n"
                    "int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;\n"
                    "if (x < height && y < width) o[y * height + x] = i[x * width + y]; }\n"
                    "void f(float *a) { k<<<dim3(4, 2), dim3(16, 16)>>>(a, a, 64, 32); }");
    struct scenario_options none = {0};
    open_scenario(&s, &source, &none);
    assert_int_equal(s.rows, 64);
    assert_int_equal(s.cols, 32);
    scenario_close(&s);
    source = text_source("__global__ void k(float *o, const float *i, int n) {\n"
                         "int x = blockIdx.x * 256 + threadIdx.x; if (x < n) o[x] = i[x]; }\n"
                         "void f(float *a) { int n = 1000; k<<<(n + 255) / 256, 256>>>(a, a, n); }");
    open_scenario(&s, &source, &none);
    assert_int_equal((uint64_t)s.rows * s.cols, 1000);
    scenario_close(&s);
    struct scenario_options given = {.rows = 30, .cols = 40};
    open_scenario(&s, &source, &given);
    assert_int_equal(s.launch.arguments[2].value, 1200);
    assert_int_equal(s.launch.grid[0], 5);
    scenario_close(&s);
    source = text_source("#define N 64\n__global__ void k(float *o, const float *i) {\n"
                         "int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;\n"
                         "o[x * 32 + y] = i[y * N + x]; }\n"
                         "void f(float *a) { k<<<dim3(8, 4), dim3(8, 8)>>>(a, a); }");
    open_scenario(&s, &source, &none);
    assert_int_equal(s.rows, 32);
    assert_int_equal(s.cols, 64);
    scenario_close(&s);
}

/* Sizes that are given go to the host's variables, and the grid is computed from them. */
static void given_sizes_are_carried_through(void **state)
{
    (void)state;
    struct scenario s =
        opened("void run(float *a, float *b, int w, int h) { dim3 g((w + 31) / 32, (h + 31) / 32);\n"
               "turn<<<g, dim3(32, 8)>>>(b, a, w, h); }\nint main() { float *p = 0; run(p, p, 96, 64); }",
               100, 200);
    assert_int_equal(s.launch.grid[0], 7);
    assert_int_equal(s.launch.grid[1], 4);
    assert_int_equal(s.launch.arguments[2].value, 200);
    assert_int_equal(s.launch.arguments[3].value, 100);
    scenario_close(&s);
    s = opened("int main(int argc, char **argv) { float *p = 0; int w = atoi(argv[1]), h = atoi(argv[2]);\n"
               "turn<<<dim3((w + 31) / 32, (h + 31) / 32), dim3(32, 8)>>>(p, p, w, h); }",
               0, 0); /* the usual size, where the text says none */
    assert_int_equal(s.rows, 100);
    assert_int_equal(s.launch.grid[0], 3);
    assert_int_equal(s.launch.grid[1], 4);
    assert_non_null(strstr(s.note_of_launch, "the file does not say which size"));
    scenario_close(&s);
}

/* What is changed where the text alone does not tell how is not known, so it is asked for. */
static void what_is_unknown_is_asked_for(void **state)
{
    (void)state;
    static const char *const hosts[] = {
        "int main(int argc, char **argv) { float *a = 0; int t = atoi(argv[1]);\n"
        "turn<<<dim3(3, 2), dim3(t, 8)>>>(a, a, 96, 64); }",
        "int main() { float *a = 0; int t = 1; while (t < 20) t *= 2;\n"
        "turn<<<dim3(3, 2), dim3(t, 8)>>>(a, a, 96, 64); }",
        "int main() { float *a = 0; int t = 8; scanf(\"%d\", &t);\n"
        "turn<<<dim3(3, 2), dim3(t, 8)>>>(a, a, 96, 64); }",
        "int main() { float *a = 0; int t; std::cin >> t;\n"
        "turn<<<dim3(3, 2), dim3(t, 8)>>>(a, a, 96, 64); }",
        "int main() { float *a = 0; turn<<<dim3(3, 2), dim3(t / 0, 8)>>>(a, a, 96, 64); }",
    };
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        char text[2000];
        (void)snprintf(text, sizeof text, KERNEL "%s", hosts[i]);
        struct source source = text_source(text);
        struct scenario s;
        struct scenario_options none = {0};
        struct problem problem = {0};
        if (scenario_open(&s, &source, &none, &problem))
            fail_msg("%s was taken: %s", hosts[i], s.note_of_launch);
        if (!strstr(problem.message, "lacks its block (t, of the launch in line"))
            fail_msg("%s: %s", hosts[i], problem.message);
        assert_int_equal(problem.want_count, 1);
    }
}

static void everything_missing_is_one_message(void **state)
{
    (void)state;
    const char *name = write_temporary(
        "#define TILE_DIM 16\n__global__ void k(float *o, const float *in, int mode, int stride) {\n"
        "extern __shared__ float s[]; s[mode % TILE_DIM] = in[0]; o[threadIdx.x * 2 + stride * 0] = s[0]; "
        "}\n");
    struct run run = run_program("owners", name, NULL);
    assert_int_equal(run.code, 2);
    assert_non_null(strstr(run.err, "k lacks its block, its grid, a value of its parameter mode"));
    char *line = strstr(run.err, "lanescope owners ");
    assert_non_null(line);
    char command[600] = "$LANESCOPE ";
    strncat(command, line + strlen("lanescope "), strcspn(line, "\n") - strlen("lanescope "));
    struct run again = run_shell(command); /* as pasted */
    if (again.code == 2 || !strstr(command, " --block 16x16 "))
        fail_msg("%s: %s%s", command, again.out, again.err);
    run_free(&again);
    run_free(&run);
    (void)remove(name);
}

static void templates_are_chosen(void **state)
{
    (void)state;
    const char *name = write_temporary(
        "template <int N, typename T> __global__ void k(T *o) { __shared__ T s[N]; s[threadIdx.x] = 1;\n"
        "o[threadIdx.x] = s[threadIdx.x]; }\nvoid f(float *a, double *b) { k<32, float><<<1, 32>>>(a);\n"
        "k<64, double><<<1, 64>>>(b); }\n");
    expect_run(run_program("ladder", name, NULL), 0, "k<32, float> of the launch in line 3, the first of 2; ",
               ""); /* as of several launches the first is taken */
    expect_run(run_program("ladder", name, "--template", "64, double", NULL), 0, "block 64 x 1", "");
    expect_run(run_program("ladder", name, "--kernel", "k<32, float>", NULL), 0, "block 32 x 1", "");
    expect_run(run_program("ladder", name, "--kernel", "k<32, float>", "--template", "1, int", NULL), 2, "",
               "arguments already");
    (void)remove(name);
    name =
        write_temporary("__global__ void k(float *o) { o[0] = 1; }\nvoid f(float *a) { k<<<1, 1>>>(a); }\n");
    expect_run(run_program("ladder", name, "--template", "3", NULL), 2, "", "k is no template");
    (void)remove(name);
    name =
        write_temporary("template <int N> __global__ void k(float *o) { o[N + threadIdx.x] = 1; }\n"
                        "template __global__ void k<1>(float *);\ntemplate __global__ void k<2>(float *);\n");
    expect_run(run_program("ladder", name, "--block", "32", "--grid", "1", NULL), 2, "",
               "the text has several instantiations of k: <1>, <2>");
    (void)remove(name);
}

/* Arguments that are variables of the host code, or names of a host template. */
static void templates_follow_their_launch(void **state)
{
    (void)state;
    const char *name = write_temporary(
        "template <typename T, int BX, bool Swap> __global__ void k(const T *in, T *out, int rows, int cols) "
        "{\n"
        "int c = blockIdx.x * BX + threadIdx.x, r = blockIdx.y;\n"
        "if (c < cols && r < rows) out[Swap ? c * rows + r : r * cols + c] = in[r * cols + c]; }\n"
        "template <typename V, int N> void launch(const V *a, V *b, int r, int c) {\n"
        "constexpr int block = N / 2; const int all = r * block; dim3 grid((c + block - 1) / block, r);\n"
        "k<V, block, true><<<grid, block>>>(a, b, r, c); }\n"
        "int main() { double *a, *b; launch<double, 128>(a, b, 50, 130); launch<float, 64>(0, 0, 2, 2); }\n");
    expect_run(run_program("owners", name, NULL), 0, "k<double, 64, 1> of the launch in line 6", "");
    expect_run(run_program("owners", name, NULL), 0, "a transpose of 50 x 130 elements of 8 bytes", "");
    expect_run(run_program("ladder", name, NULL), 0, "block 64 x 1, grid 3 x 50", "");
    (void)remove(name);
    name = write_temporary(
        "template <typename T, int N> __global__ void k(T *o) { o[N + threadIdx.x] = 1; }\n"
        "void f(int n, void *p) { AT_DISPATCH(n, ([&] { k<scalar_t, 7><<<1, 32>>>((scalar_t *)p); })); }\n");
    expect_run(run_program("ladder", name, NULL), 0,
               "k<float, 7> of the launch in line 2; float for T, which the text does not say", "");
    (void)remove(name);
    static const char *const doubles[] = {
        /* by a host template's call, and by what is passed */
        "template <class V> void host() { V *p; k<V><<<1, 32>>>(p, 3); } int main() { host<double>(); }\n",
        "int main() { float *a; double b, *p = 0; k<<<1, 32>>>(p, 3); }\n",
        "void run(const double *q, double *p, float *o) { k<<<1, 32>>>(p, 3); }\n",
        "template <class V> void host(V *p) { k<<<1, 32>>>(p, 3); } int main() { host<double>(0); }\n"};
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++) {
        char text[400];
        (void)snprintf(text, sizeof text,
                       "template <typename T> __global__ void k(T *o, int n) { o[n + threadIdx.x] = 1; }\n%s",
                       doubles[i]);
        name = write_temporary(text);
        expect_run(run_program("ladder", name, "--via", "builtin", NULL), 0,
                   "k<double> of the launch in line 2", "");
        (void)remove(name);
    }
    name = write_temporary(
        "template <typename index_t> __global__ void k(double *o, const index_t *n) { o[threadIdx.x] = 1; }\n"
        "int main() { k<<<1, 32>>>(0, get()); }\n");
    expect_run(run_program("ladder", name, "--via", "builtin", NULL), 0,
               "int for index_t, which the text does not say", "");
    (void)remove(name);
    name =
        write_temporary("template <typename T> __global__ void k(T *o, int n) { o[n + threadIdx.x] = 1; }\n"
                        "int main() { auto p = get(); k<<<1, 32>>>(p, 3); }\n");
    expect_run(run_program("ladder", name, "--via", "builtin", NULL), 0,
               "float for T, which the text does not say", "");
    (void)remove(name);
    name = write_temporary("template <int N> __global__ void k(float *o) { o[N + threadIdx.x] = 1; }\n"
                           "void f(int n, float *p) { n = read(); k<n><<<1, 32>>>(p); }\n");
    expect_run(run_program("ladder", name, NULL), 2, "",
               "nothing says what the template's parameter N stands for");
    (void)remove(name);
}

/* What the scenario of a text assumes, where it may. */
static void expect_assumed(const char *text, const char *assumed, uint32_t bx, uint32_t by, uint32_t gx,
                           uint32_t gy)
{
    struct source source = text_source(text);
    struct scenario s;
    struct scenario_options options = {.assume = true};
    open_scenario(&s, &source, &options);
    if (strcmp(s.assumed, assumed) != 0)
        fail_msg("%s:\n%s\n%s", text, s.assumed, assumed);
    assert_int_equal(s.launch.block[0], bx);
    assert_int_equal(s.launch.block[1], by);
    assert_int_equal(s.launch.grid[0], gx);
    assert_int_equal(s.launch.grid[1], gy);
    scenario_close(&s);
}

/* Without a launch a kernel is shown with one that its own text suggests, and each part of it is said. */
static void a_launch_is_assumed_from_evidence(void **state)
{
    (void)state;
    expect_assumed("__global__ void k(const float *in, float *out, int n) {\n"
                   "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i]; }\n",
                   "block 256, grid 28", 256, 1, 28, 1); /* n is known by its use: 100 x 70 */
    expect_assumed("__global__ void k(const float *in, float *out) {\n"
                   "int i = blockIdx.x * 128 + threadIdx.x; out[i] = in[i]; }\n",
                   "block 128 by what it multiplies blockIdx.x with, grid 55", 128, 1, 55, 1);
    expect_assumed("__global__ __launch_bounds__(64) void k(float *out) {\n"
                   "out[(blockIdx.x << 6) + threadIdx.x] = 1; }\n",
                   "block 64 by its text, grid 110", 64, 1, 110, 1);
    expect_assumed("__global__ void k(const float *in, float *out, int rows, int cols) {\n"
                   "__shared__ float t[16][17]; int x = blockIdx.x * 16 + threadIdx.x;\n"
                   "int y = blockIdx.y * 16 + threadIdx.y; if (x < cols && y < rows)\n"
                   "t[threadIdx.y][threadIdx.x] = in[y * cols + x]; __syncthreads();\n"
                   "x = blockIdx.y * 16 + threadIdx.x; y = blockIdx.x * 16 + threadIdx.y;\n"
                   "if (x < rows && y < cols) out[y * rows + x] = t[threadIdx.x][threadIdx.y]; }\n",
                   "block 16 x 16 by its tile, grid 5 x 7", 16, 16, 5, 7);
    expect_assumed("__global__ void k(float *out) { __shared__ float s[512]; s[threadIdx.x] = 1;\n"
                   "__syncthreads(); if (threadIdx.x == 0) out[blockIdx.x] = s[1]; }\n",
                   "block 512 by its shared array, grid 100", 512, 1, 100, 1); /* a row a block */
    expect_assumed("__global__ void k(float *out) { out[blockIdx.x] = 1; }\n",
                   "block 1 as the kernel has no threadIdx, grid 100", 1, 1, 100, 1);
}

/* A scalar gets the value that its name suggests; the host's variable too, so that the launch's own grid
 * follows. Dynamic shared memory is as large as the first block uses it. */
static void scalars_are_assumed_by_their_names(void **state)
{
    (void)state;
    expect_assumed("__global__ void k(float *out, int offset, int stride, int channels, bool fast) {\n"
                   "out[offset + stride * threadIdx.x + blockIdx.x * channels + fast] = 1; }\n"
                   "void f(float *a, int c) { k<<<(c + 1) / 2, 64>>>(a, 0, 1, c, true); }\n",
                   "channels = 4", 64, 1, 2, 1);
    expect_assumed("__global__ void k(float *out, int pad, int batch) { extern __shared__ double s[];\n"
                   "s[threadIdx.x + 1] = pad * batch; __syncthreads(); out[threadIdx.x] = s[threadIdx.x]; }\n"
                   "void f(float *a, int c) { k<<<1, 64, read()>>>(a, c, read()); }\n",
                   "pad = 0, batch = 4, 528 bytes of extern __shared__, as far as the first block reaches",
                   64, 1, 1, 1);
}

/* Nobody takes an assumed launch for one that was read: it is said first, it is a column, and what judges a
 * kernel asks instead. */
static void what_is_assumed_is_said(void **state)
{
    (void)state;
    const char *name =
        write_temporary("__global__ void k(const float *in, float *out, int mode) {\n"
                        "out[blockIdx.x * 64 + threadIdx.x + mode * 0] = in[threadIdx.x]; }\n");
    const char *said = "mode = 4, block 64 by what it multiplies blockIdx.x with, grid 110";
    char text[200];
    (void)snprintf(text, sizeof text, "ASSUMED, as neither the file nor an option says it: %s; --block",
                   said);
    struct run run = run_program("ladder", name, NULL);
    assert_int_equal(run.code, 0);
    if (strncmp(run.out, text, strlen(text)) != 0)
        fail_msg("%s%s", run.out, run.err);
    run_free(&run);
    expect_run(run_program("trace", name, NULL), 0, text, "");
    (void)snprintf(text, sizeof text, ",\"%s\"\n", said);
    expect_run(run_program("ladder", name, "-f", "csv", NULL), 0, text, "ASSUMED, as neither");
    expect_run(run_program("lines", name, "-f", "csv", NULL), 0, text, "ASSUMED, as neither");
    expect_run(run_program("trace", name, "-f", "csv", NULL), 0, text, "ASSUMED, as neither");
    expect_run(
        run_program("ladder", name, "-f", "csv", "--block", "64", "--grid", "1", "--arg", "mode=0", NULL), 0,
        ",no,0,\n", "");
    static const char *const judges[] = {"owners", "audit", "confirm", "sweep", "advise"};
    for (size_t i = 0; i < sizeof judges / sizeof *judges; i++) {
        run = run_program(judges[i], name, NULL);
        if (run.code == 0 || run.code == 1 || strstr(run.out, "ASSUMED") || strstr(run.err, "ASSUMED"))
            fail_msg("%s: %s%s", judges[i], run.out, run.err);
        run_free(&run);
    }
    (void)remove(name);
}

/* The first turn of a loop over a list of sizes; numbers assigned in a chain; factors are no declarations. */
static void lists_and_chains_are_read(void **state)
{
    (void)state;
    const char *name =
        write_temporary("__global__ void k(float *o, int n) { if (threadIdx.x < n) o[threadIdx.x] = 1; }\n"
                        "void launch(float *a, int n, int size) { int all = n * size; k<<<(n + size - 1) / "
                        "size, size>>>(a, n); }\n"
                        "int main() { int sizes[] = {96, 128, 256}; int n, m; n = m = 960; float *a;\n"
                        "for (int j = 0; j < 3; j++) { int size = sizes[j]; launch(a, n, size); } }\n");
    expect_run(run_program("ladder", name, NULL), 0, "block 96 x 1, grid 10 x 1", "");
    (void)remove(name);
    name = write_temporary(
        "__global__ void k(float *o) { o[threadIdx.x] = 1; }\n"
        "int main() { int sizes[] = {96, 128}; sizes[0] = read(); k<<<1, sizes[0]>>>(0); }\n");
    expect_run(run_program("owners", name, NULL), 2, "", "lacks its block (sizes, of the launch in line 2");
    (void)remove(name);
}

/* Constants of headers that are not there are asked for all at once, types of them are float. */
static void what_nothing_declares_is_asked_for(void **state)
{
    (void)state;
    const char *name = write_temporary(
        "// block: 32\n// grid: 1\n#include <stdio.h>\n#include \"not_there.h\"\n"
        "__global__ void k(const real *in, foo::real_t *out, scalar a) {\n"
        "acc_t *p = reinterpret_cast<acc_t *>(out); acc_t sum = 0;\n"
        "for (int i = 0; i < COUNT; i++) sum += in[i * STRIDE + threadIdx.x];\np[threadIdx.x] = sum * a; }\n"
        "__global__ void h(at::Half *out) { out[threadIdx.x] = 0; }\n"
        "__global__ void s(float *out) { out[sizeof(unknown)] = 0; }\n"
        "__global__ void m(params p, float *out) { out[p.n] = 0; }\n");
    struct run run = run_program("ladder", name, "--via", "builtin", "--kernel", "k", NULL);
    assert_int_equal(run.code, 2);
    assert_non_null(strstr(run.err, ":7:21: COUNT, STRIDE are not declared; headers that were not found: "
                                    "\"not_there.h\"; if it is a constant, give it with -D NAME=VALUE"));
    assert_non_null(strstr(run.err, " -D COUNT=32 -D STRIDE=32\n"));
    run_free(&run);
    expect_run(run_program("ladder", name, "--kernel", "k", "-D", "COUNT=2", "-D", "STRIDE=64", "-m1",
                           "-n128", NULL),
               0, "float for real, real_t, scalar, acc_t, which the text does not say", "");
    expect_run(run_program("trace", name, "--kernel", "h", "-f", "csv", NULL), 0, ",62,", "");
    expect_run(run_program("ladder", name, "--via", "builtin", "--kernel", "s", NULL), 2, "",
               "unknown is not declared");
    expect_run(run_program("ladder", name, "--via", "builtin", "--kernel", "m", NULL), 2, "",
               "no component n here");
    (void)remove(name);
}

static void a_definition_wins(void **state)
{
    (void)state;
    const char *name = write_temporary(
        "#define N 4096\nconst int B = 2, M = 7;\n__global__ void k(const float *in, float *out) {\n"
        "int c = blockIdx.x * 8 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y; out[c * N + r] = in[r * N + "
        "c]; }\n"
        "void f(float *a) { k<<<dim3(N / 8, N / 8), dim3(8, 4 * B)>>>(a, a); }\n");
    expect_run(run_program("ladder", name, "-D", "N=64", NULL), 0,
               "N=64 instead of the text's own #define; block 8 x 8, grid 8 x 8", "");
    expect_run(run_program("owners", name, "-D", "N=64", "-D", "B=2", NULL), 0,
               "correct: a transpose of 64 x 64", "");
    expect_run(run_program("owners", name, "-DN=64", "-D", "B=1", NULL), 1, "cells missing", "");
    (void)remove(name);
}

static void a_shifted_pointer_has_something_before_it(void **state)
{
    (void)state;
    const char *name = write_temporary(
        "#define RADIUS 3\n__global__ void blur(const float *in, float *out, int n) {\n"
        "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i - RADIUS] + in[i + RADIUS]; "
        "}\n"
        "int main() { int n = 256; float *d_in, *d_out; cudaMalloc(&d_in, (n + 2 * RADIUS) * "
        "sizeof(float));\n"
        "cudaMalloc(&d_out, n * sizeof(float)); blur<<<n / 64, 64>>>(d_in + RADIUS, d_out, n); }\n");
    expect_run(run_program("ladder", name, NULL), 0, "rows * cols = n = 256", "");
    expect_run(run_program("ladder", name, "--offset", "in=0", NULL), 1, "", "out of bounds");
    expect_run(run_program("ladder", name, "--offset", "n=1", NULL), 2, "", "no such pointer");
    (void)remove(name);
}

/* Cells of vector buffers are what rows are counted in. */
static void the_element_is_seen_from_the_rows(void **state)
{
    (void)state;
    struct source source =
        text_source("__global__ void k(const float4 *in, float *out, int w, int h) {\n"
                    "int x = threadIdx.x, y = blockIdx.x; float4 v = in[y * (w / 4) + x];\n"
                    "out[(4 * x + 0) * h + y] = v.x; out[(4 * x + 1) * h + y] = v.y;\n"
                    "out[(4 * x + 2) * h + y] = v.z; out[(4 * x + 3) * h + y] = v.w; }\n"
                    "void f(float4 *a, float *b) { k<<<32, 16>>>(a, b, 64, 32); }");
    struct scenario s;
    struct scenario_options none = {0};
    open_scenario(&s, &source, &none);
    assert_int_equal(s.elem_bytes, 4);
    assert_int_equal(s.rows, 32);
    assert_int_equal(s.cols, 64);
    scenario_close(&s);
}

static void the_list_says_what_there_is(void **state)
{
    (void)state;
    const char *name = write_temporary(KERNEL "__global__ void other(float *o) { o[0] = 1; }\n" WHOLE
                                              "turn<<<dim3(3, 2), dim3(32, 8)>>>(b, a, nx, ny); "
                                              "turn<<<dim3(3, 2), dim3(32, ny)>>>(b, a, nx, 1); }\n");
    expect_run(
        run_program("list", name, "-f", "csv", NULL), 0,
        "turn,1,6,,32x8x1,3x2x1,,64,96,float *dst = b; const float *src = a; int nx = nx (96); int ny = "
        "ny (64),\n",
        "");
    expect_run(run_program("list", name, "-f", "csv", NULL), 0,
               "\nother,4,,,,,,,,float *o,\"other lacks its block", "");
    expect_run(run_program("list", name, "-f", "json", "--kernel", "other", NULL), 0, "\"launch_line\": null",
               "");
    expect_run(run_program("list", name, NULL), 0, "launched in line", "");
    (void)remove(name);
}

/* One size for both is a square; of two sizes, one used for both is a mistake that is shown. */
static void a_square_is_no_mistake(void **state)
{
    (void)state;
    const char *name = write_temporary("__global__ void k(const float *in, float *out, int n) {\n"
                                       "int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + "
                                       "threadIdx.y; out[x * n + y] = in[y * n + x]; }\n"
                                       "int main(int c, char **v) { float *a; int n = atoi(v[1]); k<<<dim3(n "
                                       "/ 8, n / 8), dim3(8, 8)>>>(a, a, n); "
                                       "}\n");
    expect_run(run_program("owners", name, "-m", "64", NULL), 0, "correct: a transpose of 64 x 64", "");
    expect_run(run_program("owners", name, "-m", "64", "-n", "32", NULL), 2, "",
               "n is both the rows and the columns");
    (void)remove(name);
    expect_run(run_program("ladder", "tests/data/cases/c65_0.cu", "-m", "200", "-n", "100", "--block",
                           "16x16", "--grid", "6x12", NULL),
               1, "200 x 100 matrix", "out of bounds");
}

/* Hostile host code ends, and quickly. */
static void riddles_end(void **state)
{
    (void)state;
    static char text[60000];
    size_t used = (size_t)snprintf(text, sizeof text,
                                   KERNEL "int f0(int a) { return f0(a) + f0(a); }\n"
                                          "int main() { float *p = 0; int v0 = f0(1);\n");
    for (int i = 1; i < 400; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "int v%d = v%d + v%d + f0(v%d);\n", i,
                                 i - 1, i - 1, i - 1);
    used += (size_t)snprintf(text + used, sizeof text - used, "turn<<<v399, v398>>>(p, p, v397, v396); }\n");
    struct source source = text_source(text);
    struct scenario s;
    struct scenario_options none = {0};
    struct problem problem = {0};
    assert_false(scenario_open(&s, &source, &none, &problem));
    static const char *const broken[] = {"void f() { turn<<<",
                                         "void f() { turn<<<1, 2>>>(",
                                         "x<<<1,2>>>()",
                                         "void f() { turn<<<(((((, )))>>>(a[[[); }",
                                         "<<<1, 2>>>",
                                         "> <<<1, 2>>>();",
                                         "void f() { dim3 b(; turn<<<b, b.x.y>>>(); }",
                                         "int main( { turn<<<1,1>>>(",
                                         "void f() { cudaLaunchKernel(turn, 1, 2, args, 3); }"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        (void)snprintf(text, sizeof text, KERNEL "%s", broken[i]);
        source = text_source(text);
        problem = (struct problem){0};
        if (scenario_open(&s, &source, &none, &problem))
            scenario_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_launch_is_read_in_each_form),
        cmocka_unit_test(sizes_are_found_by_use),
        cmocka_unit_test(given_sizes_are_carried_through),
        cmocka_unit_test(what_is_unknown_is_asked_for),
        cmocka_unit_test(everything_missing_is_one_message),
        cmocka_unit_test(a_launch_is_assumed_from_evidence),
        cmocka_unit_test(scalars_are_assumed_by_their_names),
        cmocka_unit_test(what_is_assumed_is_said),
        cmocka_unit_test(templates_are_chosen),
        cmocka_unit_test(templates_follow_their_launch),
        cmocka_unit_test(lists_and_chains_are_read),
        cmocka_unit_test(what_nothing_declares_is_asked_for),
        cmocka_unit_test(a_definition_wins),
        cmocka_unit_test(a_shifted_pointer_has_something_before_it),
        cmocka_unit_test(the_element_is_seen_from_the_rows),
        cmocka_unit_test(the_list_says_what_there_is),
        cmocka_unit_test(a_square_is_no_mistake),
        cmocka_unit_test(riddles_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
