/* test_intrinsics.c - the functions and constants that CUDA gives a kernel. */
#include "exec_support.h"

#define OUT                                                                                                  \
    "#include <helper_math.h>\n__global__ void k(const float *in, float *out, int n) {\nint t = "            \
    "threadIdx.x;\n"

static void accept(const char *body)
{
    char text[2000];
    struct machine m;
    int64_t scalars[] = {3};
    (void)snprintf(text, sizeof text, OUT "%s\n}\n", body);
    if (!run_kernel(&m, text, 32, 1, scalars))
        fail_msg("%s: %d:%d: %s", body, m.problem.line, m.problem.column, m.problem.message);
    assert_int_equal(m.overflow.lanes, 0);
    end(&m);
}

static void refuse(const char *body, const char *word)
{
    char text[2000];
    struct machine m;
    int64_t scalars[] = {3};
    (void)snprintf(text, sizeof text, OUT "%s\n}\n", body);
    if (run_kernel(&m, text, 32, 1, scalars))
        fail_msg("this should be refused: %s", body);
    if (!strstr(m.problem.message, word))
        fail_msg("%s: expected %s, got %s", body, word, m.problem.message);
    assert_true(m.problem.line >= 4);
    end(&m);
}

/* The element that a lane stores to in `out[EXPRESSION] = 0;`, the last access. */
static int64_t number(const char *before, const char *expression, unsigned lane)
{
    char text[2000];
    struct machine m;
    int64_t scalars[] = {3};
    (void)snprintf(text, sizeof text, OUT "%s\nout[%s] = 0;\n}\n", before, expression);
    if (!run_kernel(&m, text, 32, 1, scalars))
        fail_msg("%s: %d:%d: %s", expression, m.problem.line, m.problem.column, m.problem.message);
    int64_t value = offset(&m.record.at[m.record.count - 1], lane) / 4;
    end(&m);
    return value;
}

#define EXPECT(expression, lane, value)                                                                      \
    do {                                                                                                     \
        int64_t got = number("", expression, lane);                                                          \
        if (got != (int64_t)(value))                                                                         \
            fail_msg("%s: %lld", expression, (long long)got);                                                \
    } while (0)

static void functions_of_integers_are_exact(void **state)
{
    (void)state;
    EXPECT("abs(t - 20)", 3, 17);
    EXPECT("llabs(-5ll - t)", 2, 7);
    EXPECT("__popc(t)", 31, 5);
    EXPECT("__popc(-1)", 0, 32);
    EXPECT("__popcll(-1)", 0, 64);
    EXPECT("__brev(t) >> 27", 3, 24);
    EXPECT("__brevll(t) >> 59", 3, 24);
    EXPECT("__clz(t)", 0, 32);
    EXPECT("__clz(t)", 5, 29);
    EXPECT("__clz(-1)", 5, 0);
    EXPECT("__clzll(t)", 5, 61);
    EXPECT("__ffs(t)", 0, 0);
    EXPECT("__ffs(t)", 12, 3);
    EXPECT("__ffsll(1ll << 40)", 12, 41);
    EXPECT("__mul24(t, -3) + 100", 7, 79);
    EXPECT("__mul24(0x1000002, 3)", 7, 6);
    EXPECT("__umul24(0xffffff, 2)", 0, 0x1fffffe);
    EXPECT("__mulhi(-1, 4) + 9", 0, 8);
    EXPECT("__umulhi(0xffffffffu, 4)", 0, 3);
    EXPECT("__umul64hi(~0ull, 4)", 0, 3);
    EXPECT("__mul64hi(-1ll, 4) + 9", 0, 8);
    EXPECT("__mul64hi(1ll << 62, 1 << 20)", 0, 1 << 18);
    EXPECT("__byte_perm(0x03020100, 0x07060504, 0x0005) & 0xff", 0, 5);
    EXPECT("__byte_perm(0x80, 0, 0x4448)", 0, 0x80); /* as nvcc 13.0 compiles it: three bits each */
    EXPECT("__funnelshift_l(0x80000000u, 0, 1 + 32)", 0, 1);
    EXPECT("__funnelshift_lc(5u, 0, 40)", 0, 5);
    EXPECT("__funnelshift_r(0, 1, 31)", 0, 2);
    EXPECT("__funnelshift_rc(7, 9, 99)", 0, 9);
    EXPECT("umax(t, 3) + umin(t, 3) + max(t, 5) + ullmin(t, 2)", 4, 4 + 3 + 5 + 2);
    EXPECT("INT_MAX - 2147483600 + CHAR_BIT + (UINT_MAX >> 28)", 0, 47 + 8 + 15);
    EXPECT("std::numeric_limits<int>::max() - 2147483640", 0, 7);
    EXPECT("std::numeric_limits<short>::lowest() + 32770", 0, 2);
    EXPECT("(int)(std::numeric_limits<unsigned char>::max())", 0, 255);
    EXPECT("(t >= 2 and not (t == 3)) or t xor 1", 0, 1);
    EXPECT("(compl t bitand 7) bitor 8", 2, 13);
    EXPECT("t not_eq 4", 4, 0);
    EXPECT("__builtin_expect(t, 1)", 4, 4);
}

static void warps_exchange_numbers_exactly(void **state)
{
    (void)state;
    EXPECT("__shfl_sync(0xffffffff, t * 3, 5)", 9, 15);
    EXPECT("__shfl_sync(~0u, t, t + 1, 8)", 15, 8);
    EXPECT("__shfl_up_sync(~0u, t, 2)", 1, 1);
    EXPECT("__shfl_up_sync(~0u, t, 2)", 7, 5);
    EXPECT("__shfl_up_sync(~0u, t, 2, 4)", 5, 5);
    EXPECT("__shfl_down_sync(~0u, t, 16)", 3, 19);
    EXPECT("__shfl_down_sync(~0u, t, 16)", 17, 17);
    EXPECT("__shfl_xor_sync(~0u, t, 5)", 3, 6);
    EXPECT("__shfl_xor_sync(~0u, t, 16, 16)", 3, 3);
    EXPECT("__shfl_xor_sync(~0u, t, 16, 16)", 19, 3);
    EXPECT("__shfl_xor(t, 1)", 3, 2);
    EXPECT("__shfl(t, 4)", 3, 4);
    EXPECT("__ballot_sync(~0u, t < 4 && t != 1)", 3, 13);
    EXPECT("__any_sync(~0u, t == 40) + 2 * __all_sync(~0u, t < 32)", 3, 2);
    EXPECT("__popc(__activemask())", 3, 32);
    EXPECT("__match_any_sync(~0u, t / 3)", 3, 7 << 3);
    EXPECT("__reduce_add_sync(~0u, t)", 3, 496);
    EXPECT("__reduce_max_sync(~0u, t - 40) + 20", 3, 11);
    EXPECT("__reduce_min_sync(~0u, t + 2u)", 3, 2);
    EXPECT("__reduce_and_sync(~0u, t | 64u) + __reduce_or_sync(~0u, t) + __reduce_xor_sync(~0u, t)", 3,
           64 + 31);
    assert_int_equal(number("int m = 0; if (t % 2) m = __activemask(), m = __popc(m);", "m", 5), 16);
    assert_int_equal(number("int v = 0; if (t < 16) v = __shfl_xor_sync(0xffffu, t, 3);", "v", 5), 6);
    assert_int_equal(number("int c = __syncthreads_count(t < 7);", "c", 30), 7);
    assert_int_equal(number("int c = __syncthreads_or(t == 7) + 2 * __syncthreads_and(t == 7);", "c", 30), 1);
    assert_int_equal(number("int v; if (t == 3) v = 7 * t; v = __shfl_sync(~0u, v, 3);", "v", 5), 21);
    refuse("int v; if (t == 3) v = 7; v = __shfl_sync(~0u, v, t & 3); out[v] = 0;", "depends on");
    refuse("int v; v = __shfl_sync(~0u, v, 3); out[v] = 0;", "before it has a value");
    refuse("int v = 0; if (t < 16) v = __shfl_sync(~0u, t, 20); out[v] = 0;", "depends on");
    refuse("out[__shfl_sync(~0u, t, 1, n)] = 0;", "width of a shuffle");
    refuse("out[__ballot_sync(~0u, in[t] > 0)] = 0;", "depends on");
    refuse("out[__syncthreads_count(in[t] > 0)] = 0;", "depends on");
}

/* What lane 5 stores last. */
static struct origin stored(const char *body)
{
    char text[2000];
    struct machine m;
    int64_t scalars[] = {3};
    (void)snprintf(text, sizeof text, OUT "%s\n}\n", body);
    if (!run_kernel(&m, text, 32, 1, scalars))
        fail_msg("%s: %s", body, m.problem.message);
    struct origin origin = data_origin(m.record.at[m.record.count - 1].value[5]);
    end(&m);
    return origin;
}

static void expect_element(const char *body, int64_t bytes)
{
    struct origin origin = stored(body);
    if (origin.kind != ORIGIN_BUFFER || origin.offset != bytes)
        fail_msg("%s: kind %d, byte %lld", body, (int)origin.kind, (long long)origin.offset);
}

static void data_is_moved_where_it_is_moved_and_computed_where_it_is_computed(void **state)
{
    (void)state;
    expect_element("out[t] = __shfl_xor_sync(~0u, in[t], 3);", 4 * 6);
    expect_element("out[t] = __shfl_up_sync(~0u, in[t], 2);", 4 * 3);
    expect_element("((int *)out)[t] = __float_as_int(in[t]);", 4 * 5);
    expect_element("out[t] = __int_as_float(((const int *)in)[t]);", 4 * 5);
    expect_element("__half2 v = ((const half2 *)in)[t]; ((half *)out)[t] = __high2half(v);", 4 * 5 + 2);
    expect_element("half2 v = ((const half2 *)in)[t]; ((half2 *)out)[t] = __lowhigh2highlow(v);", 4 * 5 + 2);
    expect_element("const half *h = (const half *)in; ((half2 *)out)[t] = __halves2half2(h[t + 1], h[t]);",
                   12);
    expect_element("half2 v = ((const half2 *)in)[t]; v = __shfl_xor_sync(~0u, v, 1); ((half2 *)out)[t] = v;",
                   16);
    expect_element("__stcs(&out[t], __ldcg(&in[t + 1]));", 24);
    expect_element("double d = in[t]; out[t] = d;", 20);
    expect_element("int i = in[t]; out[t] = i;", 20);
    assert_int_equal(stored("out[t] = expf(in[t]);").kind, ORIGIN_COMPUTED);
    assert_int_equal(stored("out[t] = __int_as_float(t);").kind, ORIGIN_COMPUTED);
    assert_int_equal(stored("out[t] = (float)t;").kind, ORIGIN_CONSTANT);
    assert_int_equal(stored("if (t < 16) out[t] = __shfl_sync(~0u, in[t], 20);").kind, ORIGIN_COMPUTED);
}

static void every_function_of_data_has_a_type(void **state)
{
    (void)state;
    accept("out[t] = expf(1.f) + sqrtf(in[t]) + rsqrtf(2.f) + fabsf(-1.f) + powf(2.f, 3) + tanhf(0) + "
           "fmaf(1, 2, 3) + "
           "__fmaf_rn(1, 2, 3) + __expf(1) + __fdividef(1, 2) + __saturatef(3) + __fadd_rz(1, 2) + "
           "__frcp_rn(3) + "
           "__fsqrt_rd(2) + normcdff(1) + erff(2) + fmodf(1, 2) + hypotf(3, 4);");
    accept("double d = exp(1.0) + __dadd_rn(1, 2) + __fma_rn(1, 2, 3) + fma(1.0, 2.0, 3.0) + "
           "__int2double_rn(3); "
           "float f = exp(1.f) + __int2float_rn(3) + __double2float_rn(d) + max(1.f, d); out[t] = d + f;");
    accept(
        "half h = __float2half(in[t]); half2 v = __float2half2_rn(in[t]); v = __hadd2(v, __hmul2(v, v)); h = "
        "__hfma(h, h, __hmul(h, h)); float2 f = __half22float2(v); out[t] = f.x + __half2float(h) + "
        "hexp(h);");
    accept(
        "half2 v = __halves2half2(__float2half(1.f), __float2half(2.f)); v = v + v * v; v += v; h2exp(v); "
        "half h = "
        "v.x * v.y; h += v.x; bool b = __hgt(h, h) | isnan(in[t]) | (fabsf(in[t]) > INFINITY); out[t] = b;");
    accept("nv_bfloat162 v = make_bfloat162(__float2bfloat16(1.f), __float2bfloat16(in[t])); __nv_bfloat16 b "
           "= v.y; "
           "float2 f = __bfloat1622float2(v); out[t] = __bfloat162float(b) + f.y;");
    accept("float s, c; sincosf(in[t], &s, &c); __sincosf(s, &s, &c); out[t] = s * c + M_PI + FLT_MAX + NAN "
           "+ DBL_MAX + "
           "CUDART_INF_F + std::numeric_limits<float>::infinity() + FLT_EPSILON;");
    accept("printf(\"%d %f\\n\", t, in[t] > 0 && in[t] < 1 ? 1.f : 2.f); assert(in[t] > 0 && t < 9); "
           "__threadfence(); "
           "if (t > 90) __trap(); __nanosleep(100); long long a = clock64(); out[t] = clock() - a;");
    accept(
        "float4 a = ((const float4 *)in)[t]; float4 b = a * 2.f + a; b += a; ((float4 *)out)[t] += b - a;");
    accept("int2 a = make_int2(t, 1) + make_int2(2, 3); out[a.x * a.y] = __dp4a(1, 2, 3) + rintf(1);");
}

static void a_header_may_bring_functions_of_vectors(void **state)
{
    (void)state;
    accept("float3 a = ((const float3 *)in)[t], b = make_float3(2.f); a = normalize(lerp(a, -b, 0.5f)) * "
           "dot(a, b);\n"
           "a = clamp(cross(a, b), make_float3(0), fmaxf(a, b)); float4 c = make_float4(a, 1.f); a = "
           "make_float3(c);\n"
           "out[t] = a.x + length(a) + c.w;");
    expect_element("float3 a = ((const float3 *)in)[t]; float4 c = make_float4(1.f, a); out[t] = c.z;",
                   4 * 3 * 5 + 4);
    assert_int_equal(number("int2 a = make_int2(3, 4); int3 b = make_int3(a, 5); int2 c = make_int2(7);",
                            "b.y * b.z + c.x + c.y", 0),
                     34);
    refuse("out[(int)dot(make_float2(1, 2), make_float2(3, 4))] = 0;", "depends on");
}

static void a_choice_that_data_makes_is_data(void **state)
{
    (void)state;
    accept("float x = in[t]; out[t] = x > 0 ? x : 0.0f; x = x < 0 || x > 1 ? -x : x * 2; bool b = x > 0 && "
           "!(x < "
           "1); out[t] = b ? 1.f : t > 3 ? x : 2.f;");
    assert_int_equal(stored("float x = in[t]; out[t] = x > 0 ? x : 0.f;").kind, ORIGIN_COMPUTED);
    expect_element("float x = in[t]; out[t] = t >= 0 || x > 0 ? x : 0.f;", 20);
    refuse("out[t] = in[t] > 0 ? in[t + 1] : 0.f;", "depends on");
    refuse("if (in[t] > 0 || t > 3) out[t] = 0;", "depends on");
    refuse("int i = in[t] > 0 ? 1 : 2; out[i] = 0;", "depends on");
}

static void what_is_not_known_is_refused_by_name(void **state)
{
    (void)state;
    refuse("out[t] = nobody_wrote_this(in[t]);", "nobody_wrote_this cannot be called here");
    refuse("out[t] = std::numeric_limits<int2>::max();", "numeric_limits has max");
    refuse("__popc(1, 2);", "number of arguments: 1");
    refuse("out[t] = __float_as_nothing(in[t]);", "cannot be called");
    refuse("namespace cg = cooperative_groups; auto g = cg::coalesced_threads();",
           "coalesced_threads is not supported");
    refuse("cooperative_groups::this_grid().sync();", "the grid's sync is not supported");
    refuse("auto b = cooperative_groups::this_thread_block(); b.shfl(1, 2);", "shfl is not supported");
    refuse("auto b = cg::tiled_partition<33>(cg::this_thread_block());",
           "1, 2, 4, 8, 16 or 32 threads, not 33");
    refuse("float4 a = ((const float4 *)in)[t]; int2 b = make_int2(1, 2); a = a + b;", "not on vectors");
    refuse("out[(int)fabsf(in[t])] = 1.f;", "depends on");
}

static void an_operator_of_the_file_is_called(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m,
             "__device__ int2 operator+(int2 a, int2 b) { return make_int2(a.x + 10 * b.x, b.y); }\n"
             "__device__ float2 operator+(float2 a, float2 b) { return b; }\n"
             "__device__ void operator+=(int2 &a, int b) { a.x += b; }\n"
             "__global__ void k(float *out) { int2 a = make_int2(1, 2); a = a + make_int2(threadIdx.x, 3); a "
             "+= 5; "
             "out[a.x + a.y] = 0; }",
             32, 1);
    assert_int_equal(offset(&m.record.at[0], 2) / 4, 1 + 20 + 5 + 3);
    end(&m);
    assert_false(
        run_kernel(&m, "__global__ void k(float4 *out) { float4 a = out[0]; out[1] = a + a; }", 32, 1, NULL));
    assert_non_null(strstr(m.problem.message, "define it in this file"));
    end(&m);
}

#define GROUPS "namespace g = cooperative_groups;\n"

static void cooperative_groups_are_ranks_and_barriers(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m,
             GROUPS
             "template <int N> __device__ int last(g::thread_block_tile<N> tile) { return "
             "tile.shfl(threadIdx.x, N - 1); "
             "}\ntemplate <typename G> __device__ int of(const G &group) { return group.thread_rank() + "
             "group.size(); }\n"
             "__global__ void k(float *out) { const g::thread_block b = g::this_thread_block(); "
             "auto tile = g::tiled_partition<8>(b); b.sync(); g::sync(b); g::thread_block_tile<32> w = "
             "g::tiled_partition<32>(b); w.sync();\n"
             "out[b.thread_rank() * 1000 + b.size()] = 0;\n"
             "out[tile.thread_rank() * 1000 + tile.size() * 100 + tile.meta_group_rank() * 10 + "
             "tile.meta_group_size()] "
             "= 0;\n"
             "out[last(tile)] = 0; out[of(tile)] = 0; out[of(b)] = 0;\n"
             "out[tile.ballot(threadIdx.x % 2) + tile.any(threadIdx.x == 3) * 1000 + tile.all(threadIdx.x < "
             "8) * 2000] = "
             "0;\n"
             "out[g::reduce(tile, (int)threadIdx.x, g::plus<int>())] = 0;\n"
             "out[b.group_index().x * 100 + b.thread_index().y * 10 + b.dim_threads().y + "
             "g::this_grid().size()] = 0; }",
             32, 2);
    static const int64_t of_lane_9_of_warp_1[] = {41064, 1858, 15, 9, 105, 170, 92, 10 + 2 + 1024};
    assert_int_equal(m.record.barriers, 2);
    assert_int_equal(m.record.count, 16);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(offset(&m.record.at[8 + i], 9) / 4, of_lane_9_of_warp_1[i]);
    end(&m);
}

static void votes_of_a_block_are_counted_over_its_warps(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m,
             KERNEL "bool p = t % 3 == 0; out[__syncthreads_count(p)] = 0; out[__syncthreads_and(p)] = 0; }",
             80, 1);
    assert_int_equal(m.record.count, 6);
    assert_int_equal(offset(&m.record.at[0], 5) / 4, 27);
    assert_int_equal(offset(&m.record.at[2], 5) / 4, 27);
    assert_int_equal(offset(&m.record.at[3], 5) / 4, 0);
    end(&m);
    assert_false(run_kernel(
        &m,
        KERNEL "bool p = t > 90; if (t < 32) p = in[t] > 0; int n = __syncthreads_count(p); out[n] = 0; }",
        64, 1, NULL));
    assert_non_null(strstr(m.problem.message, "depends on loaded data"));
    end(&m);
}

static unsigned missed_so_far;

static void take_barrier(void *self, const struct barrier *barrier)
{
    (void)self;
    missed_so_far += barrier->missed;
}

static void a_barrier_under_a_guard_is_a_finding_with_figures(void **state)
{
    (void)state;
    struct scenario s;
    struct tally tally;
    struct problem problem = {0};
    struct source source = text_source(
        "// block: 32, 4\n// grid: 2\n__global__ void k(const float *in, float *out, int rows, int cols) {\n"
        "__shared__ float s[4][32]; int c = blockIdx.x * 32 + threadIdx.x, r = threadIdx.y;\n"
        "if (r < rows && c < cols) { s[r][threadIdx.x] = in[r * cols + c]; __syncthreads();\n"
        "out[r * cols + c] = s[r][threadIdx.x]; } }\n");
    struct scenario_options options = {.rows = 4, .cols = 40, .elem_bytes = 4};
    open_scenario(&s, &source, &options);
    struct execution *execution = execution_new(s.program, &s.launch, false, &problem);
    tally_init(&tally, s.program->site_count);
    missed_so_far = 0;
    struct sink sink = {.self = &tally, .access = tally_access, .barrier = take_barrier};
    assert_true(execution_run_blocks(execution, 0, 2, &sink, &problem));
    struct site_tally loads = tally_sum(&tally, s.program, GLOBAL_LOAD),
                      stores = tally_sum(&tally, s.program, SHARED_STORE);
    assert_int_equal(loads.requests, 8);
    assert_int_equal(loads.units, 20);
    assert_int_equal(stores.units, 8);
    assert_int_equal(missed_so_far, 4); /* the four warps of the ragged block */
    tally_free(&tally);
    execution_free(execution);
    scenario_close(&s);
    refuse("if (t < 3) __syncthreads(); __syncthreads();", "only some lanes");
    refuse("if (t < 3) __syncthreads(); else if (t < 9) __syncthreads();", "only some lanes");
    accept("if (t < 3) { __syncthreads(); __syncthreads(); } out[t] = 0;");
}

static void a_sum_that_reads_as_an_ints_is_no_wrap(void **state)
{
    (void)state;
    struct machine m;
    static const struct {
        const char *body;
        bool noted;
    } cases[] = {
        {"for (int i = -3; i < 3; i++) out[threadIdx.x + 9 + i] = 0;", false},
        {"int i = -3; out[threadIdx.x + i * blockDim.x + 200] = 0;", false},
        {"int i = -3; out[threadIdx.x + i * (t + 1u) + 200] = 0;", false},
        {"int i = -3; out[((i * (t + 1u)) << (t & 1u)) + 500u] = 0;", false},
        {"unsigned a = 3000000000u; out[(a + a + threadIdx.x) & 63] = 0;", true},
        {"unsigned a = 70000 + t; out[(a * a) & 63] = 0;", true},
        {"unsigned a = 3000000000u; out[(a << t) & 63] = 0;", true},
        {"unsigned a = 65536; out[(a * 65536u + t) & 63] = 0;", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        (void)snprintf(text, sizeof text, "__global__ void k(float *out) { int t = threadIdx.x; %s }",
                       cases[i].body);
        run_well(&m, text, 32, 1);
        if ((m.wrap.lanes != 0) != cases[i].noted || m.overflow.lanes)
            fail_msg("%s: %llu lanes", cases[i].body, (unsigned long long)m.wrap.lanes);
        end(&m);
    }
}

static void a_tile_of_another_type_is_named_not_called_wrong(void **state)
{
    (void)state;
    const char *name = "build/tile_test.cu";
    static const struct {
        const char *type, *note;
    } tiles[] = {
        {"int", "note: the tile s is int: data is converted from float when it is stored here"},
        {"half", "note: the tile s is half: data is converted from float"},
        {"double", ""},
        {"float", ""},
    };
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
        FILE *file = fopen(name, "w");
        assert_non_null(file);
        (void)fprintf(
            file,
            "// block: 8, 8\n// grid: 1\n__global__ void k(const float *in, float *out) {\n__shared__ %s "
            "s[8][9];\ns[threadIdx.y][threadIdx.x] = in[threadIdx.y * 8 + threadIdx.x];\n__syncthreads();\n"
            "out[threadIdx.y * 8 + threadIdx.x] = s[threadIdx.x][threadIdx.y]; }\n",
            tiles[i].type);
        assert_int_equal(fclose(file), 0);
        struct run run = run_program("owners", name, "-m", "8", "-n", "8", NULL);
        assert_int_equal(run.code, 0);
        if (!strstr(run.err, tiles[i].note) || (!*tiles[i].note && *run.err))
            fail_msg("%s: %s", tiles[i].type, run.err);
        assert_non_null(strstr(run.out, "correct: a transpose"));
        run_free(&run);
    }
    (void)remove(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_of_integers_are_exact),
        cmocka_unit_test(warps_exchange_numbers_exactly),
        cmocka_unit_test(data_is_moved_where_it_is_moved_and_computed_where_it_is_computed),
        cmocka_unit_test(every_function_of_data_has_a_type),
        cmocka_unit_test(a_header_may_bring_functions_of_vectors),
        cmocka_unit_test(a_choice_that_data_makes_is_data),
        cmocka_unit_test(what_is_not_known_is_refused_by_name),
        cmocka_unit_test(an_operator_of_the_file_is_called),
        cmocka_unit_test(cooperative_groups_are_ranks_and_barriers),
        cmocka_unit_test(votes_of_a_block_are_counted_over_its_warps),
        cmocka_unit_test(a_barrier_under_a_guard_is_a_finding_with_figures),
        cmocka_unit_test(a_sum_that_reads_as_an_ints_is_no_wrap),
        cmocka_unit_test(a_tile_of_another_type_is_named_not_called_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
