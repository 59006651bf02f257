/* test_exec.c - the warp executor: masks, order, values, faults. */
#include "exec_support.h"

static void both_sides_of_an_if_run_under_their_masks(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m, KERNEL "if (t % 2) out[t] = 1.f; else if (t < 8) out[t + 100] = 2.f; out[t] = 3.f; }", 32,
             1);
    assert_int_equal(m.record.count, 3);
    assert_int_equal(mask_of(&m, 0), 0xaaaaaaaa);
    assert_int_equal(mask_of(&m, 1), 0x00000055);
    assert_int_equal(mask_of(&m, 2), 0xffffffff);
    end(&m);
}

static void loops_break_and_continue_lane_by_lane(void **state)
{
    (void)state;
    struct machine m;
    run_well(
        &m,
        KERNEL
        "for (int j = 0; j < t; j++) {\n if (j == 1) continue;\n if (j == 3) break;\n out[j] = in[t]; }\n"
        "out[9] = 0.f; }",
        8, 1);
    /* j = 0: lanes 1..7; j = 1: nobody; j = 2: lanes 3..7; j = 3: all who are left break */
    assert_int_equal(m.record.count, 5);
    assert_int_equal(mask_of(&m, 0), 0xfe);
    assert_int_equal(mask_of(&m, 1), 0xfe);
    assert_int_equal(mask_of(&m, 2), 0xf8);
    assert_int_equal(m.record.at[2].access.visit, 1);
    assert_int_equal(mask_of(&m, 4), 0xff);
    end(&m);
}

static void nested_loops_and_returns_keep_their_lanes_apart(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m,
             KERNEL "int n = 0;\nfor (int i = 0; i < 3; i++) {\n  for (int j = 0; j < 4; j++) {\n"
                    "    if (t == 5 && i == 1) return;\n    if (j > t) break;\n    n++;\n  }\n"
                    "  if (t == 0) continue;\n  n += 100;\n}\nout[n] = in[t]; }",
             8, 1);
    assert_int_equal(m.record.count, 2);
    assert_int_equal(mask_of(&m, 1), 0xdf); /* lane 5 returned */
    for (unsigned lane = 0; lane < 8; lane++) {
        if (lane == 5)
            continue;
        int64_t inner = lane + 1 < 4 ? lane + 1 : 4;
        assert_int_equal(offset(&m.record.at[1], lane), 4 * (3 * inner + (lane ? 300 : 0)));
    }
    end(&m);
}

static void a_copy_of_a_variable_leaves_the_variable(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m, KERNEL "int b = t + 1; int a = b; int c = a++; out[b + 100 * a + 1000 * c] = 1.f; }", 8, 1);
    for (unsigned lane = 0; lane < 8; lane++)
        assert_int_equal(offset(&m.record.at[0], lane),
                         4 * ((lane + 1) + 100 * (lane + 2) + 1000 * (lane + 1)));
    end(&m);
}

static void a_variable_may_be_set_in_the_lanes_that_use_it(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m,
             KERNEL "float v; int y; bool b; if (t < 8) { v = in[t]; y = 2 * t; b = t < 4; }\n"
                    "if (t < 6) { int z = y; out[z + y] = v; if (b) out[y] = v; if (y == 2) out[0] = 1.f; }\n"
                    "if (t >= 8) { v = in[0]; y = 1; } out[y] = v; }",
             32, 1);
    assert_int_equal(m.record.count, 6);
    assert_int_equal(mask_of(&m, 1), 0x3f);
    assert_int_equal(mask_of(&m, 2), 0xf);
    assert_int_equal(mask_of(&m, 3), 0x2);
    assert_int_equal(mask_of(&m, 5), 0xffffffff);
    end(&m);
}

static void a_do_loop_tests_last_and_continue_reaches_the_test(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m, KERNEL "int n = 0; do { n++; if (n == 2) continue; out[n] = 1.f; } while (n < t); }", 4, 1);
    static const uint32_t masks[] = {0xf, 0x8}; /* n = 1: all; n = 2: nobody stores; n = 3: lane 3 */
    assert_int_equal(m.record.count, 2);
    assert_int_equal(mask_of(&m, 0), masks[0]);
    assert_int_equal(mask_of(&m, 1), masks[1]);
    end(&m);
}

static void and_or_run_their_right_side_only_where_it_counts(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m, KERNEL "if (t != 0 && 12 / t > 2 || t == 7) out[t] = 1.f; }", 8,
             1); /* 12 / 0 never happens */
    assert_int_equal(m.record.count, 1);
    assert_int_equal(mask_of(&m, 0), 0x9e); /* 1 2 3 4 and 7 */
    end(&m);
}

static void a_partial_warp_has_only_its_lanes(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m, KERNEL "out[t + 7 * threadIdx.y] = 1.f; }", 7, 5);
    assert_int_equal(m.record.count, 2);
    assert_int_equal(mask_of(&m, 0), 0xffffffff);
    assert_int_equal(mask_of(&m, 1), 0x7);
    for (unsigned id = 0; id < 35; id++)
        assert_int_equal(offset(&m.record.at[id / 32], id % 32), 4 * id);
    end(&m);
}

static void count_skipped(void *self, const struct site *site)
{
    ((unsigned *)self)[site->id]++;
}

static void ignore_access(void *self, const struct access *access)
{
    (void)self, (void)access;
}

/* 40 x 40 in tiles of 32: in the tile at (1, 1) three of the four passes of each warp lie below the matrix.
 */
static void accesses_that_no_lane_takes_are_told(void **state)
{
    (void)state;
    struct scenario s;
    struct problem problem = {0};
    unsigned skipped[4] = {0};
    struct scenario_options options = {.rows = 40, .cols = 40};
    open_scenario(&s, &rung_find("tiled")->source, &options);
    struct execution *execution = execution_new(s.program, &s.launch, false, &problem);
    struct sink sink = {.self = skipped, .access = ignore_access, .skipped = count_skipped};
    assert_true(execution_run_block(execution, (uint32_t[3]){0, 0, 0}, &sink, &problem));
    for (int i = 0; i < 4; i++)
        assert_int_equal(skipped[i], 0);
    assert_true(execution_run_block(execution, (uint32_t[3]){1, 1, 0}, &sink, &problem));
    for (int i = 0; i < 4; i++)
        assert_int_equal(skipped[i], 24);
    execution_free(execution);
    scenario_close(&s);
}

static void warps_take_turns_at_barriers(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m, KERNEL "out[t] = 1.f; __syncthreads(); out[t] = 2.f; out[t] = 3.f; }", 64, 1);
    static const uint32_t warps[] = {0, 1, 0, 0, 1, 1};
    assert_int_equal(m.record.count, 6);
    assert_int_equal(m.record.barriers, 1);
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(m.record.at[i].access.warp, warps[i]);
        assert_int_equal(m.record.at[i].access.step, i);
    }
    end(&m);
}

/* Whole warps first, in both orders; then some lanes of a warp, which are not waited for either. */
static void a_barrier_does_not_wait_for_what_has_returned(void **state)
{
    (void)state;
    static const struct {
        const char *returning;
        uint32_t warps[6], mask;
        unsigned accesses;
    } cases[] = {{"t >= 32", {0, 0}, UINT32_MAX, 2},
                 {"t < 64", {2, 2}, UINT32_MAX, 2},
                 {"t < 32 || t >= 64", {1, 1}, UINT32_MAX, 2},
                 {"t % 32 >= 8", {0, 1, 2, 0, 1, 2}, 0xff, 6}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct machine m;
        char text[300];
        (void)snprintf(text, sizeof text,
                       KERNEL "if (%s) return;\nout[t] = 1.f;\n__syncthreads();\nout[t] = 2.f; }",
                       cases[c].returning);
        run_well(&m, text, 96, 1);
        assert_int_equal(m.record.barriers, 1);
        assert_int_equal(m.record.count, cases[c].accesses);
        for (unsigned i = 0; i < cases[c].accesses; i++) {
            assert_int_equal(m.record.at[i].access.warp, cases[c].warps[i]);
            assert_int_equal(mask_of(&m, i), cases[c].mask);
            assert_int_equal(m.record.at[i].access.site->line, i < cases[c].accesses / 2 ? 4 : 6);
        }
        end(&m);
    }
}

static void tokens_travel_through_shared_memory(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m,
             KERNEL
             "__shared__ float s[32];\ns[t] = in[2 * t];\n__syncthreads();\nout[t] = s[31 - t];\n"
             "out[t] = s[t] + 1.f;\nout[t] = 5.f;\nfloat4 v = ((const float4 *)in)[t]; out[t] = v.z; }",
             32, 1);
    const struct seen *stores[4];
    unsigned n = 0;
    for (size_t i = 0; i < m.record.count; i++)
        if (m.record.at[i].access.site->kind->writes &&
            m.record.at[i].access.site->kind->space == SPACE_GLOBAL)
            stores[n++] = &m.record.at[i];
    assert_int_equal(n, 4);
    for (unsigned lane = 0; lane < 32; lane++) {
        struct origin origin = data_origin(stores[0]->value[lane]);
        assert_int_equal(origin.kind, ORIGIN_BUFFER);
        assert_int_equal(origin.buffer, 0);
        assert_int_equal(origin.offset, 8 * (31 - lane));
        assert_int_equal(data_origin(stores[1]->value[lane]).kind, ORIGIN_COMPUTED);
        assert_int_equal(data_origin(stores[2]->value[lane]).kind, ORIGIN_CONSTANT);
        assert_int_equal(data_origin(stores[3]->value[lane]).offset, 16 * lane + 8);
    }
    end(&m);
}

static void vectors_are_split_and_joined_in_shared_memory(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m,
             KERNEL
             "__shared__ float s[128];\n((float4 *)s)[t] = ((const float4 *)in)[t];\n__syncthreads();\n"
             "out[t] = s[t];\n((float4 *)out)[t] = ((float4 *)s)[31 - t]; }",
             32, 1);
    const struct seen *scalar = &m.record.at[3], *vector = &m.record.at[5];
    assert_int_equal(m.record.count, 6);
    assert_int_equal(data_origin(scalar->value[5]).offset, 20);
    assert_int_equal(data_origin(vector->value[5]).offset, 16 * 26);
    assert_int_equal(vector->access.site->components, 4);
    end(&m);
}

static void an_unwritten_tile_cell_is_seen_when_read(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m, KERNEL "__shared__ float s[64]; if (t < 8) s[t] = in[t]; __syncthreads(); out[t] = s[t]; }",
             32, 1);
    assert_int_equal(m.record.at[2].access.uninitialized, 0xffffff00);
    end(&m);
}

/* Nor does what the block before left count, a floating number that the simulator knows among it. */
static void a_tile_begins_unwritten_in_every_block(void **state)
{
    (void)state;
    static const char bytes[] =
        "// block: 32\n// grid: 2\n"
        "__global__ void k(float *out, const float *in)\n{\n    __shared__ float s[32];\n"
        "    if (blockIdx.x == 0)\n        s[threadIdx.x] = 2.5f;\n"
        "    out[threadIdx.x] = s[threadIdx.x] + in[threadIdx.x];\n}\n";
    struct source text = {"k.cu", bytes, sizeof bytes - 1};
    struct scenario s;
    struct problem problem = {0};
    struct scenario_options options = {.rows = 8, .cols = 8};
    open_scenario(&s, &text, &options);
    struct execution *execution = execution_new(s.program, &s.launch, true, &problem);
    struct recorded record = {calloc(SEEN_LIMIT, sizeof(struct seen)), 0, 0};
    struct sink sink = {.self = &record, .access = record_access};
    assert_true(execution_run_block(execution, (uint32_t[3]){0, 0, 0}, &sink, &problem));
    assert_int_equal(record.count, 4); /* the tile's store and load, then in, then out */
    assert_int_equal(record.at[1].access.uninitialized, 0);
    assert_true(execution_run_block(execution, (uint32_t[3]){1, 0, 0}, &sink, &problem));
    assert_int_equal(record.count, 7);
    assert_int_equal(record.at[4].access.uninitialized, 0xffffffff);
    free(record.at);
    execution_free(execution);
    scenario_close(&s);
}

static void lanes_out_of_bounds_and_misaligned_are_named(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m,
             KERNEL "__shared__ float s[16]; s[t] = in[t - 1]; ((float2 *)(out + 1))[t].x = 1.f;\n"
                    "*(float2 *)(out + t) = make_float2(1.f, 2.f); out[(1 << 18) + t - 4] = 0.f; }",
             32, 1);
    assert_int_equal(m.record.at[0].access.out_of_bounds, 0x1);
    assert_int_equal(m.record.at[1].access.out_of_bounds, 0xffff0000);
    assert_int_equal(m.record.at[2].access.misaligned, 0); /* 4-byte components */
    assert_int_equal(m.record.at[3].access.misaligned, 0xaaaaaaaa);
    assert_int_equal(m.record.at[4].access.out_of_bounds, 0xfffffff0);
    end(&m);
}

static void one_lane_one_element_beyond_the_end_is_seen(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m, KERNEL "out[(1 << 18) - 31 + t] = in[(1 << 18) - 32 + t]; }", 32, 1);
    assert_int_equal(m.record.at[0].access.out_of_bounds, 0);
    assert_int_equal(m.record.at[1].access.out_of_bounds, 0x80000000);
    end(&m);
}

static void races_are_two_warps_at_one_cell_one_of_them_writing(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m,
             KERNEL "__shared__ float s[64];\ns[t] = in[t];\n__syncthreads();\nout[t] = s[0];\n"
                    "__syncthreads();\nif (t < 32) out[t] = s[t + 32];\nif (t >= 32) s[t] = in[t];\n"
                    "__syncthreads();\nif (t == 0) s[9] = in[0];\nif (t == 40) s[9] = in[1];\n"
                    "if (t == 41) out[0] = s[9]; }",
             64, 1);
    uint32_t racing = 0, lines[16] = {0};
    for (size_t i = 0; i < m.record.count; i++) {
        racing += (uint32_t)__builtin_popcount(m.record.at[i].access.hazard);
        lines[m.record.at[i].access.site->line] |= m.record.at[i].access.hazard;
    }
    assert_int_equal(lines[6], 0);          /* everybody reads one cell: no race */
    assert_int_equal(lines[9], 0xffffffff); /* warp 1 writes what warp 0 has read */
    assert_int_equal(lines[12], 0x100);     /* two write one cell */
    assert_int_equal(racing, 33);           /* warp 1 itself reads what it wrote: no race */
    end(&m);
}

/* The same instruction again, with other patterns, another factor, a comparison that turns. */
static void an_instruction_that_meets_other_operands_computes_anew(void **state)
{
    (void)state;
    struct machine m;
    assert_true(run_kernel(&m,
                           "__global__ void k(float *out) { int t = threadIdx.x, n = t;\n"
                           " for (int i = 3; i >= -3; i--) { out[t * i + 200] = 1.f; n = n + t;\n"
                           "  out[n] = 1.f; if (t <= i + 3) out[t] = 1.f; if (i != t - 3) out[t] = 1.f; } }",
                           32, 1, NULL));
    size_t at = 0;
    for (int i = 3; i >= -3; i--) {
        uint32_t most = 0, differ = 0;
        for (int t = 0; t < 32; t++) {
            assert_int_equal(offset(&m.record.at[at], (unsigned)t), 4 * (t * i + 200));
            assert_int_equal(offset(&m.record.at[at + 1], (unsigned)t), 4 * (t + (4 - i) * t));
            most |= (uint32_t)(t <= i + 3) << t;
            differ |= (uint32_t)(i != t - 3) << t;
        }
        at += 2;
        if (most)
            assert_int_equal(m.record.at[at++].access.mask, most);
        if (differ)
            assert_int_equal(m.record.at[at++].access.mask, differ);
    }
    assert_int_equal(at, m.record.count);
    end(&m);
}

/* One less is no finding: sums and products at both ends of int, in one lane and in all. */
static void int_ends_at_its_ends(void **state)
{
    (void)state;
    static const struct {
        const char *expression;
        int64_t a;
        uint64_t lanes;
    } cases[] = {
        {"a + 1", INT32_MAX - 1, 0},   {"a + 1", INT32_MAX, 32},         {"a + t", INT32_MAX - 31, 0},
        {"a + t", INT32_MAX - 30, 1},  {"a + -1", INT32_MIN + 1, 0},     {"a + -1", INT32_MIN, 32},
        {"a * 2", INT32_MIN / 2, 0},   {"a * 2", INT32_MAX / 2 + 1, 32}, {"(t + a) * 65536", 32736, 0},
        {"(t + a) * 65536", 32737, 1}, {"(t + a) * 65536", -32768, 0},   {"(t + a) * 65536", -32769, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        struct machine m;
        (void)snprintf(text, sizeof text,
                       "__global__ void k(float *out, int a) { int t = threadIdx.x; out[(%s) & 255] = 1.f; }",
                       cases[i].expression);
        assert_true(run_kernel(&m, text, 32, 1, &cases[i].a));
        if (m.overflow.lanes != cases[i].lanes)
            fail_msg("%s, a = %lld: %llu lanes overflow", cases[i].expression, (long long)cases[i].a,
                     (unsigned long long)m.overflow.lanes);
        end(&m);
    }
}

static void overflow_of_int_wraps_and_is_a_finding(void **state)
{
    (void)state;
    struct machine m;
    int64_t scalars[] = {70000};
    assert_true(run_kernel(
        &m,
        "__global__ void k(float *out, int n) {\nint y = threadIdx.x * 1000;\nsize_t good = (size_t)y * n;\n"
        "out[good] = 1.f;\nout[y * n] = 2.f; }",
        32, 1, scalars));
    assert_int_equal(offset(&m.record.at[0], 31), INT64_C(4) * 31000 * 70000);
    assert_int_equal(offset(&m.record.at[1], 31), 4 * (int64_t)(int32_t)(uint32_t)(UINT64_C(31000) * 70000));
    assert_int_equal(m.overflow.lanes, 1); /* 31000 * 70000 > 2^31 - 1; 30000 * 70000 is not */
    assert_int_equal(m.overflow.lane, 31);
    int line, column;
    source_place(m.overflow.place.source, m.overflow.place.begin, &line, &column);
    assert_int_equal(line, 5);
    end(&m);
}

/* int x = blockIdx.x * TILE + threadIdx.x past 2^31: the sum is unsigned and fits, the int does not. */
static void an_unsigned_sum_too_large_for_its_int_is_a_finding(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m, KERNEL "int x = threadIdx.x + 2147483630u; out[x & 1] = 1.f; }", 32, 1);
    assert_int_equal(m.overflow.lanes, 14);
    assert_int_equal(m.overflow.lane, 18);
    end(&m);
}

static void unsigned_subtraction_below_zero_is_no_finding(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m, KERNEL "unsigned u = threadIdx.x - 1u; if (u < 31u) out[u] = 1.f; }", 32, 1);
    assert_int_equal(m.record.at[0].access.mask, 0xfffffffe);
    assert_int_equal(m.overflow.lanes, 0);
    end(&m);
}

/* As the hardware shifts: by the width or more, nothing is left but copies of the sign. The counts differ
 * from lane to lane and the low bit of the shifted number does too, so that no constant is folded. */
static void a_shift_past_the_width_leaves_the_sign_or_nothing(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m,
             KERNEL "int minus = -64 - t, plus = 64 + t, by = 24 + t;\n"
                    "out[(minus >> by) + 1000] = 1.f;\nout[plus >> by] = 1.f;\n"
                    "out[(0xffffffc0u - t) >> by] = 1.f;\nout[(plus << (32 + t)) + 7] = 1.f;\n"
                    "out[((long long)minus >> (by + 32)) + 1000] = 1.f; }",
             32, 1);
    assert_int_equal(m.record.count, 5);
    for (unsigned lane = 0; lane < 32; lane++) {
        unsigned by = 24 + lane;
        assert_int_equal(offset(&m.record.at[0], lane), 4 * 999);
        assert_int_equal(offset(&m.record.at[1], lane), 0);
        assert_int_equal(offset(&m.record.at[2], lane),
                         by < 32 ? 4 * (int64_t)((UINT32_C(0xffffffc0) - lane) >> by) : 0);
        assert_int_equal(offset(&m.record.at[3], lane), 4 * 7);
        assert_int_equal(offset(&m.record.at[4], lane), 4 * 999);
    }
    end(&m);
}

static void fails(const char *statements, int line, const char *word)
{
    struct machine m;
    char text[1000];
    int64_t scalars[] = {3};
    (void)snprintf(text, sizeof text,
                   "__global__ void k(const int *in, int *out, int n) {\nint t = threadIdx.x;\n%s\n}",
                   statements);
    if (run_kernel(&m, text, 40, 1, scalars))
        fail_msg("this should fail: %s", statements);
    if (m.problem.line != line || !strstr(m.problem.message, word))
        fail_msg("expected line %d %s, got %d %s", line, word, m.problem.line, m.problem.message);
    end(&m);
}

static void a_condition_leaves_a_variable_in_the_lanes_that_set_it(void **state)
{
    (void)state;
    static const char *const operators[] = {"<", "<=", "==", "!=", ">", ">="};
    for (size_t k = 0; k < sizeof operators / sizeof *operators; k++)
        for (int i = 0; i < 8; i++) { /* whichever register it lies in */
            char text[400];
            (void)snprintf(text, sizeof text,
                           "int a, b, c, d, e, f, g, h;\n"
                           "if (t < 8) { a = b = c = d = e = f = g = h = t; }\n"
                           "if (t < 4) { if (%c %s 3) out[t] = 1; }\n"
                           "out[t] = %c;",
                           'a' + i, operators[k], 'a' + i);
            fails(text, 6, "only some of these lanes");
        }
}

static void what_cannot_be_known_or_go_on_is_said_with_its_place(void **state)
{
    (void)state;
    fails("out[in[t]] = 1;", 3, "address depends on what is loaded from `in`");
    fails("if (in[t] > 3) out[t] = 1;", 3, "condition depends on what is loaded from `in`");
    fails("int x;\nout[x] = 1;", 4, "before it has a value");
    fails("int y; if (t < 4) y = t;\nout[y] = 1;", 4, "only some of these lanes have given");
    fails("int y; if (t < 4) y = t;\nint z = y + 1;", 4, "only some of these lanes");
    fails("int y; if (t < 4) y = t;\nif (y < 3) out[t] = 1;", 4, "only some of these lanes");
    fails("int y; if (t < 4) y = t;\nif (y) out[t] = 1;", 4, "only some of these lanes");
    fails("int y; if (t < 4) y = t;\nint z = y; z = 0;", 4, "only some of these lanes");
    fails("int y; if (t < 4) y = in[t];\nout[t] = y;", 4, "only some of these lanes");
    fails("uint2 y; if (t < 4) y.y = t; y.x = 1;\n((uint2 *)out)[t] = y;", 4, "only some of these lanes");
    fails("const int *p = t & 1 ? in : out;\nout[t] = p[t];", 3, "different buffers");
    fails("const int *p = in; if (t & 1) p = out;\nout[t] = p[t];", 3, "different buffers");
    fails("out[t / (t - 5)] = 1;", 3, "divides by zero");
    fails("if (t < 3) __syncthreads(); __syncthreads();", 3, "only some lanes");
    fails("if (t < 32) __syncthreads(); else __syncthreads();", 3, "another one");
    fails("while (n) out[t] = 1;", 3, "never ends");
    fails("for (;;) __syncthreads();", 3, "never ends");
    fails("for (int j = 0; j < 100000000; j++) n += j ^ t;", 3, "does not end");
}

static void any_block_can_run_alone_and_again(void **state)
{
    (void)state;
    struct scenario s;
    struct problem problem = {0};
    struct scenario_options options = {.rows = 100, .cols = 70};
    open_scenario(&s, &rung_find("swizzled")->source, &options);
    struct execution *execution = execution_new(s.program, &s.launch, true, &problem);
    struct recorded first = {calloc(SEEN_LIMIT, sizeof(struct seen)), 0, 0};
    struct recorded again = {calloc(SEEN_LIMIT, sizeof(struct seen)), 0, 0};
    struct sink sink = {.self = &first, .access = record_access},
                other = {.self = &again, .access = record_access};
    assert_true(execution_run_block(execution, (uint32_t[3]){2, 3, 0}, &sink, &problem));
    for (uint32_t i = 0; i < 12; i++)
        assert_true(execution_run_block(
            execution, (uint32_t[3]){i % 3, i / 3, 0},
            &(struct sink){.self = &(struct recorded){again.at, 0, 0}, .access = record_access}, &problem));
    again.count = 0;
    assert_true(execution_run_block(execution, (uint32_t[3]){2, 3, 0}, &other, &problem));
    assert_int_equal(first.count, again.count);
    assert_true(first.count > 0);
    for (size_t i = 0; i < first.count; i++) {
        assert_int_equal(first.at[i].access.mask, again.at[i].access.mask);
        for (uint32_t lanes = first.at[i].access.mask; lanes;
             lanes &= lanes - 1) { /* idle lanes mean nothing */
            int lane = __builtin_ctz(lanes);
            assert_int_equal(first.at[i].delta[lane] + first.at[i].access.base,
                             again.at[i].delta[lane] + again.at[i].access.base);
            assert_int_equal(first.at[i].value[lane], again.at[i].value[lane]);
        }
    }
    free(first.at);
    free(again.at);
    execution_free(execution);
    scenario_close(&s);
}

static void impossible_launches_are_refused(void **state)
{
    (void)state;
    struct problem problem = {0};
    struct launch launch = {.grid = {1, 1, 1}, .block = {32, 33, 1}};
    assert_false(launch_check(&launch, &problem));
    assert_non_null(strstr(problem.message, "1024"));
    struct launch grids[] = {{.grid = {1, 65536, 1}, .block = {1, 1, 1}},
                             {.grid = {2147483648u, 1, 1}, .block = {1, 1, 1}},
                             {.grid = {0, 1, 1}, .block = {1, 1, 1}},
                             {.grid = {1, 1, 1}, .block = {1, 1, 65}}};
    for (size_t i = 0; i < 4; i++) {
        problem.set = false;
        assert_false(launch_check(&grids[i], &problem));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_sides_of_an_if_run_under_their_masks),
        cmocka_unit_test(loops_break_and_continue_lane_by_lane),
        cmocka_unit_test(nested_loops_and_returns_keep_their_lanes_apart),
        cmocka_unit_test(a_copy_of_a_variable_leaves_the_variable),
        cmocka_unit_test(a_variable_may_be_set_in_the_lanes_that_use_it),
        cmocka_unit_test(a_do_loop_tests_last_and_continue_reaches_the_test),
        cmocka_unit_test(and_or_run_their_right_side_only_where_it_counts),
        cmocka_unit_test(a_partial_warp_has_only_its_lanes),
        cmocka_unit_test(accesses_that_no_lane_takes_are_told),
        cmocka_unit_test(warps_take_turns_at_barriers),
        cmocka_unit_test(a_barrier_does_not_wait_for_what_has_returned),
        cmocka_unit_test(tokens_travel_through_shared_memory),
        cmocka_unit_test(vectors_are_split_and_joined_in_shared_memory),
        cmocka_unit_test(an_unwritten_tile_cell_is_seen_when_read),
        cmocka_unit_test(a_tile_begins_unwritten_in_every_block),
        cmocka_unit_test(lanes_out_of_bounds_and_misaligned_are_named),
        cmocka_unit_test(one_lane_one_element_beyond_the_end_is_seen),
        cmocka_unit_test(races_are_two_warps_at_one_cell_one_of_them_writing),
        cmocka_unit_test(an_instruction_that_meets_other_operands_computes_anew),
        cmocka_unit_test(int_ends_at_its_ends),
        cmocka_unit_test(overflow_of_int_wraps_and_is_a_finding),
        cmocka_unit_test(an_unsigned_sum_too_large_for_its_int_is_a_finding),
        cmocka_unit_test(unsigned_subtraction_below_zero_is_no_finding),
        cmocka_unit_test(a_shift_past_the_width_leaves_the_sign_or_nothing),
        cmocka_unit_test(a_condition_leaves_a_variable_in_the_lanes_that_set_it),
        cmocka_unit_test(what_cannot_be_known_or_go_on_is_said_with_its_place),
        cmocka_unit_test(any_block_can_run_alone_and_again),
        cmocka_unit_test(impossible_launches_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
