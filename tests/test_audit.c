/* test_audit.c - the judgement of a kernel's output: cells, orders that nothing defines, faults. */
#include "support.h"

#include "../base/pages.h"

#include <string.h>

#include "../base/arena.h"
#include "../sim/audit/ownermap.h"
#include "../sim/audit/owners.h"
#include "../sim/report/matrix.h"

/* The totals must be those of the map: there is one judgement. */
static void assert_one_judgement(const struct owners_report *report, const struct ownermap *map)
{
    uint64_t missing = 0, wrong = 0, twice = 0, disagreeing = 0;
    for (uint64_t cell = 0; cell < report->cells; cell++) {
        enum cell_state state = map->cells[cell].state;
        assert_int_not_equal(state, CELL_WRONG_TWICE);
        missing += state == CELL_MISSING;
        wrong += cell_is_wrong(state);
        twice += cell_is_written_twice(state);
        disagreeing += state == CELL_DISAGREE;
    }
    assert_int_equal(missing, report->missing);
    assert_int_equal(wrong, report->wrong);
    assert_int_equal(twice, report->written_twice);
    assert_int_equal(disagreeing, report->disagreeing);
}

static void audit_with(const char *text, const struct scenario_options *options, struct owners_report *report)
{
    struct source source = text_source(text);
    struct problem problem = {0};
    struct scenario s;
    open_scenario(&s, &source, options);
    struct owners_task task = scenario_task(&s);
    struct window whole = window_whole(&task);
    struct owners *owners = owners_new(&task, &problem);
    struct execution *execution = execution_new(s.program, &s.launch, true, &problem);
    struct ownermap map;
    assert_non_null(owners);
    assert_non_null(execution);
    ownermap_init(&map, &task, &whole);
    struct sink sinks[] = {{.self = owners, .access = owners_access, .barrier = owners_barrier},
                           {.self = &map, .access = ownermap_access}};
    do
        assert_true(execution_run_blocks(execution, 0, launch_blocks(&s.launch), &sinks[0], &problem));
    while (owners_next_pass(owners));
    assert_true(execution_run_blocks(execution, 0, launch_blocks(&s.launch), &sinks[1], &problem));
    assert_true(owners_report(owners, report, &problem));
    assert_one_judgement(report, &map);
    ownermap_free(&map);
    execution_free(execution);
    owners_free(owners);
    scenario_close(&s);
}

/* A copy of `cols` elements in one row by one block of as many threads, t; `body` is the kernel's. */
static struct owners_report audit_body(const char *element, unsigned cols, const char *body)
{
    char text[2000];
    struct owners_report report;
    struct scenario_options options = {.rows = 1, .cols = cols};
    (void)snprintf(text, sizeof text,
                   "// block: %u\n// grid: 1\n// task: copy\n"
                   "__global__ void k(const %s *in, %s *out, float *other) {\n"
                   "__shared__ %s s[256]; int t = threadIdx.x;\n%s\n}",
                   cols, element, element, element, body);
    audit_with(text, &options, &report);
    return report;
}

static void assert_cells(const struct owners_report *r, uint64_t wrong, uint64_t twice, uint64_t disagreeing)
{
    assert_int_equal(r->missing, 0);
    assert_int_equal(r->wrong, wrong);
    assert_int_equal(r->written_twice, twice);
    assert_int_equal(r->disagreeing, disagreeing);
    assert_int_equal(r->correct, !wrong && !disagreeing);
}

static void a_vector_whose_parts_are_exchanged_is_wrong(void **state)
{
    (void)state;
    struct owners_report r =
        audit_body("float4", 8, "float4 v = in[t]; out[t] = make_float4(v.x, v.z, v.y, v.w);");
    assert_cells(&r, 8, 0, 0);
    r = audit_body("float4", 8, "float4 v = in[t]; out[t] = make_float4(v.x, v.y, v.z, v.w);");
    assert_cells(&r, 0, 0, 0);
}

/* All sequences of up to four writes: of the right value, of one wrong and of another wrong one. */
static void every_sequence_of_writes_is_judged_by_all_its_values(void **state)
{
    (void)state;
    static const char *const writes[] = {"out[t] = in[t];", "out[t] = in[(t + 1) % 4];",
                                         "out[t] = in[(t + 2) % 4];"};
    for (unsigned length = 1, count = 3; length <= 4; length++, count *= 3)
        for (unsigned sequence = 0; sequence < count; sequence++) {
            char body[400] = "";
            bool brought[3] = {false, false, false};
            unsigned rest = sequence;
            for (unsigned i = 0; i < length; i++, rest /= 3) {
                strcat(body, writes[rest % 3]);
                brought[rest % 3] = true;
            }
            bool differ = brought[0] + brought[1] + brought[2] > 1;
            struct owners_report r = audit_body("float", 4, body);
            assert_cells(&r, differ || brought[0] ? 0 : 4, length > 1 ? 4 : 0, differ ? 4 : 0);
        }
}

/* Wrong values are compared whole, in all their parts and in their order. */
static void wrong_vectors_agree_only_if_all_their_parts_do(void **state)
{
    (void)state;
    static const struct {
        const char *second;
        bool agree;
    } cases[] = {{"make_float2(v.y, v.x)", true},
                 {"make_float2(v.y, v.y)", false},
                 {"make_float2(v.x, v.x)", false},
                 {"make_float2(w.y, v.x)", false}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char body[300];
        (void)snprintf(body, sizeof body,
                       "float2 v = in[t], w = in[(t + 1) %% 8]; out[t] = make_float2(v.y, v.x); out[t] = %s;",
                       cases[i].second);
        struct owners_report r = audit_body("float2", 8, body);
        assert_cells(&r, cases[i].agree ? 8 : 0, 8, cases[i].agree ? 0 : 8);
    }
}

/* A value's halves are themselves: the second one lies behind the first. */
static void wide_values_are_read_back_in_parts(void **state)
{
    (void)state;
    struct owners_report r = audit_body(
        "float", 32,
        "if (t < 16) ((double *)s)[t] = ((const double *)in)[t];\n__syncthreads();\nout[t] = s[t];");
    assert_cells(&r, 0, 0, 0);
    r = audit_body("double", 16,
                   "float *half = (float *)s; const float *from = (const float *)in;\n"
                   "half[t] = from[t]; half[t + 16] = from[t + 16];\n__syncthreads();\nout[t] = s[t];");
    assert_cells(&r, 0, 0, 0);
}

/* Warps 0 and 1 read the cell, then one of them writes it: the other's read is in no order with that. */
static void a_write_races_with_every_reader_but_itself(void **state)
{
    (void)state;
    static const char *const writers[] = {"t == 33", "t == 70", "t == 2"};
    static const unsigned racing[] = {1, 1, 32};
    for (unsigned i = 0; i < 3; i++) {
        char body[300];
        (void)snprintf(body, sizeof body,
                       "s[t] = in[t];\n__syncthreads();\nif (t < 64) other[t] = s[0];\n"
                       "if (%s) s[0] = in[0];\n__syncthreads();\nout[t] = s[t];",
                       writers[i]);
        struct owners_report r = audit_body("float", 96, body);
        assert_int_equal(r.hazards, racing[i]);
        assert_false(r.correct);
    }
}

static void lanes_of_a_warp_need_a_syncwarp_between_store_and_load(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        unsigned cells;
    } cases[] = {
        {"s[31 - t] = in[31 - t]; out[t] = s[t];", 32},
        {"s[31 - t] = in[31 - t]; __syncwarp(); out[t] = s[t];", 0},
        {"s[31 - t] = in[31 - t]; __syncwarp(0xffffffff); out[t] = s[t];", 0},
        {"s[31 - t] = in[31 - t]; __syncthreads(); out[t] = s[t];", 0},
        {"s[t] = in[t]; out[t] = s[t];", 0},                                   /* its own */
        {"s[t] = in[t]; __syncwarp(); out[t] = s[t]; s[31 - t] = in[t];", 32}, /* read, then written */
        {"s[t] = in[t]; __syncwarp(); out[t] = s[t]; if (t < 2) other[t] = s[5];", 0}, /* read twice */
        {"if (t < 16) s[0] = in[0]; else s[0] = in[0]; out[t] = in[t];", 1},           /* written twice */
        {"for (int i = 0; i < 3; i++) { s[31 - t] = in[31 - t]; __syncwarp(); out[t] = s[t]; }", 32},
        {"for (int i = 0; i < 3; i++) { s[31 - t] = in[31 - t]; __syncwarp(); out[t] = s[t]; __syncwarp(); }",
         0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct owners_report r = audit_body("float", 32, cases[i].body);
        assert_true(r.correct);
        if (r.unordered != cases[i].cells)
            fail_msg("%s: %u cells", cases[i].body, (unsigned)r.unordered);
        assert_int_equal(r.disorder.source != NULL, cases[i].cells != 0);
        assert_int_equal(r.hazards, 0);
    }
}

static void a_warp_that_ends_without_a_barrier_missed_it(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        unsigned missed;
    } cases[] = {
        {"out[t] = in[t]; if (t < 32) __syncthreads();", 2},
        {"out[t] = in[t]; for (int i = 0; i < 2; i++) if (t < 64) __syncthreads();", 2},
        {"out[t] = in[t]; if (t >= 32) return; __syncthreads();", 0}, /* the idiom */
        {"out[t] = in[t]; __syncthreads();", 0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct owners_report r = audit_body("float", 96, cases[i].body);
        assert_true(r.correct);
        assert_int_equal(r.missed, cases[i].missed);
        assert_int_equal(r.barrier.source != NULL, cases[i].missed != 0);
    }
}

static void lanes_of_one_store_must_not_meet_with_different_values(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        unsigned different, equal;
    } cases[] = {
        {"s[t | 1] = in[t]; out[t] = in[t];", 32, 0},
        {"s[t | 1] = in[t | 1]; out[t] = in[t];", 0, 32},
        {"s[0] = in[3]; out[t] = in[t];", 0, 32},
        {"s[t / 3] = in[t == 1 ? 0 : t]; out[t] = in[t];", 32, 0},
        {"s[t < 2 ? 0 : t] = in[t]; out[t] = in[t];", 2, 0},
        {"s[31 - t] = in[t]; out[t] = in[t];", 0, 0},
        {"s[t ^ 5] = in[t]; out[t] = in[t];", 0, 0},
        {"if (t != 1) s[t < 2 ? 0 : t] = in[t]; out[t] = in[t];", 0, 0},
        {"other[t / 2] = in[t]; out[t] = in[t];", 32, 0},
        {"other[t / 2] = in[t / 2]; out[t] = in[t];", 0, 32},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct owners_report r = audit_body("float", 32, cases[i].body);
        if (r.clashing != cases[i].different || r.meeting != cases[i].equal)
            fail_msg("%s: %u different, %u equal", cases[i].body, (unsigned)r.clashing, (unsigned)r.meeting);
        assert_int_equal(r.correct, !cases[i].different);
        assert_int_equal(r.clash.source != NULL, cases[i].different != 0);
    }
    struct owners_report r = audit_body("float", 32, "out[t & ~1] = in[t]; out[t | 1] = in[t | 1];");
    assert_int_equal(r.clashing, 32);
    assert_int_equal(r.disagreeing, 16); /* seen in the output's cells too */
}

/* Lanes that overlap in part: equal where they bring the same components there. */
static void lanes_that_overlap_in_part_are_compared_there(void **state)
{
    (void)state;
    struct owners_report r = audit_body(
        "float", 32, "if (t < 8) *(float2 *)(s + t) = make_float2(in[t], in[t + 1]); out[t] = in[t];");
    assert_int_equal(r.clashing, 0);
    assert_int_equal(r.meeting, 8);
    assert_int_equal(r.misaligned, 4);
    r = audit_body("float", 32, "if (t < 8) *(float2 *)(s + t) = make_float2(in[t], in[t]); out[t] = in[t];");
    assert_int_equal(r.clashing, 8);
    r = audit_body("float", 32,
                   "if (t < 8) *(float *)((char *)s + 2 * t) = in[0]; out[t] = in[t];"); /* halves of it */
    assert_int_equal(r.clashing, 8);
    r = audit_body("float", 32, "if (t < 8) other[-1] = in[t]; out[t] = in[t];");
    assert_int_equal(r.clashing, 0); /* out of bounds: another finding */
    assert_int_equal(r.out_of_bounds_writes, 8);
}

/* Offsets are the input's and the output's; other buffers begin where cudaMalloc puts them. */
static void misaligned_lanes_are_not_correct(void **state)
{
    (void)state;
    const char *text = "// block: 32\n// grid: 1\n// task: copy\n"
                       "__global__ void k(const float *in, float *out, float *other) { int t = threadIdx.x;\n"
                       "if (t < 8) ((float4 *)out)[t] = ((const float4 *)in)[t];\n"
                       "if (t < 8) ((float4 *)other)[t] = ((const float4 *)in)[t]; }";
    static const struct {
        uint64_t in, out;
        unsigned misaligned;
    } cases[] = {{0, 0, 0}, {4, 4, 0}, {2, 0, 16}, {0, 2, 8}, {1, 3, 24}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct owners_report r;
        struct scenario_options options = {
            .rows = 1, .cols = 32, .elem_bytes = 4, .in_offset = cases[i].in, .out_offset = cases[i].out};
        audit_with(text, &options, &r);
        assert_int_equal(r.misaligned, cases[i].misaligned);
        assert_int_equal(r.misalignment.source != NULL, cases[i].misaligned != 0);
        assert_int_equal(r.correct, !cases[i].misaligned);
    }
}

/* What a window shows is what the whole map shows there. */
static void a_window_is_a_part_of_the_map(void **state)
{
    (void)state;
    struct scenario s;
    struct problem problem = {0};
    struct scenario_options options = {.rows = 37, .cols = 23, .tile = 8, .block_rows = 4};
    open_scenario(&s, &rung_find("padded")->source, &options);
    struct owners_task task = scenario_task(&s);
    struct window whole = window_whole(&task), part = {5, 11, 7, 20};
    struct ownermap maps[2];
    struct execution *execution = execution_new(s.program, &s.launch, true, &problem);
    assert_int_equal(whole.rows, 23);
    for (int i = 0; i < 2; i++) {
        ownermap_init(&maps[i], &task, i ? &part : &whole);
        struct sink sink = {.self = &maps[i], .access = ownermap_access};
        assert_true(execution_run_blocks(execution, 0, launch_blocks(&s.launch), &sink, &problem));
        assert_false(maps[i].misfit);
    }
    for (uint64_t row = 0; row < part.rows; row++)
        for (uint64_t col = 0; col < part.cols; col++) {
            const struct owner *a = &maps[1].cells[row * part.cols + col];
            const struct owner *b = &maps[0].cells[(row + part.row) * whole.cols + col + part.col];
            assert_int_equal(a->state, CELL_RIGHT);
            assert_int_equal(a->token, b->token);
            assert_int_equal(a->step, b->step);
        }
    ownermap_free(&maps[0]);
    ownermap_free(&maps[1]);
    execution_free(execution);
    scenario_close(&s);
}

/* Little or much: zeroed, to be written to the last byte, and NULL where there is not so much. */
static void memory_of_gigabytes(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, PAGES_FROM - 1, PAGES_FROM, 3 * PAGES_FROM + 4097};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *memory = pages_take(sizes[i]);
        assert_non_null(memory);
        assert_int_equal(memory[0] | memory[sizes[i] / 2] | memory[sizes[i] - 1], 0);
        memory[0] = memory[sizes[i] - 1] = 1;
        pages_give(memory, sizes[i]);
    }
    assert_null(pages_take(UINT64_C(1) << 60));
    pages_give(NULL, 0);
    pages_give(NULL, 2 * PAGES_FROM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_gigabytes),
        cmocka_unit_test(a_vector_whose_parts_are_exchanged_is_wrong),
        cmocka_unit_test(every_sequence_of_writes_is_judged_by_all_its_values),
        cmocka_unit_test(wrong_vectors_agree_only_if_all_their_parts_do),
        cmocka_unit_test(wide_values_are_read_back_in_parts),
        cmocka_unit_test(a_write_races_with_every_reader_but_itself),
        cmocka_unit_test(lanes_of_a_warp_need_a_syncwarp_between_store_and_load),
        cmocka_unit_test(a_warp_that_ends_without_a_barrier_missed_it),
        cmocka_unit_test(lanes_of_one_store_must_not_meet_with_different_values),
        cmocka_unit_test(lanes_that_overlap_in_part_are_compared_there),
        cmocka_unit_test(misaligned_lanes_are_not_correct),
        cmocka_unit_test(a_window_is_a_part_of_the_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
