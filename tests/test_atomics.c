/* test_atomics.c - atomics: what they cost against what an H200 counted, and what they are to everything
 * else. */
#include "exec_support.h"

#include "../sim/audit/owners.h"
#include "../sim/model/sector.h"
#include "../sim/session/explain.h"

struct atomic_row {
    char instruction[40];
    uint32_t mask;
    int64_t offsets[32];
    long wavefronts, conflicts, requests, sectors; /* -1: not measured */
};

static long field(char **at)
{
    char *end, *begin = *at;
    long value = strtol(begin, &end, 10);
    *at = *end == ',' ? end + 1 : end;
    return end == begin ? -1 : value;
}

/* One line of tests/data/accesses_atomic.csv. */
static struct atomic_row read_row(char *line)
{
    struct atomic_row row = {0};
    char *at = strchr(line, ',') + 1, *comma = strchr(at, ',');
    assert_true((size_t)(comma - at) < sizeof row.instruction);
    memcpy(row.instruction, at, (size_t)(comma - at));
    row.mask = (uint32_t)strtoul(comma + 1, &at, 16);
    for (int lane = 0; lane < 32; lane++)
        row.offsets[lane] = strtoll(at + 1, &at, 10);
    at++;
    row.wavefronts = field(&at);
    row.conflicts = field(&at);
    row.requests = field(&at);
    row.sectors = field(&at);
    return row;
}

/* Differs from the row by nothing; or, counted in *higher, has one sector less. */
static void check_row(const struct atomic_row *row, unsigned *higher)
{
    bool compares = strstr(row->instruction, ".cas") != NULL;
    struct lanes lanes = {.lane_bytes = strstr(row->instruction, "64") ? 8 : 4,
                          .is_atomic = true,
                          .turns = compares ? 2 : 1,
                          .mask = row->mask,
                          .delta = row->offsets};
    if (strstr(row->instruction, "shared")) {
        struct bank_cost cost = bank_cost_of(&lanes);
        assert_int_equal(cost.wavefronts, row->wavefronts);
        assert_int_equal(cost.ideal, compares ? 2 : 1);
        struct bank_wavefront waves[BANK_WAVEFRONT_LIMIT];
        assert_int_equal(bank_wavefronts_of(&lanes, waves), row->wavefronts);
        if (!compares)
            assert_int_equal(cost.wavefronts - cost.ideal, row->conflicts);
        return;
    }
    struct sector_cost cost = sector_cost_of(&lanes);
    assert_int_equal(row->requests, 1);
    *higher += cost.sectors + 1 == row->sectors;
    if (cost.sectors + 1 != row->sectors)
        assert_int_equal(cost.sectors, row->sectors);
    uint32_t served = 0;
    for (unsigned part = 0; part < cost.sectors; part++)
        served |= sector_taking(&lanes, part);
    assert_int_equal(served, row->mask);
    assert_int_equal(sector_taking(&lanes, cost.sectors), 0);
}

static void recorded_atomics_cost_what_the_rules_say(void **state)
{
    (void)state;
    char *text = read_data("accesses_atomic.csv");
    unsigned rows = 0, higher = 0;
    for (char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1, rows++) {
        struct atomic_row row = read_row(line);
        check_row(&row, &higher);
    }
    free(text);
    assert_int_equal(rows, 305);
    assert_true(higher <= 2); /* two red.u32 rows counted one more */
}

#define HEAD                                                                                                 \
    "// block: 64\n// grid: 2\n__global__ void k(float *in, float *out, int *bins) {\nint t = "              \
    "threadIdx.x;\n"

static void tally_text(const char *body, struct site_tally *global, struct site_tally *shared)
{
    char text[1000];
    struct scenario s;
    struct tally tally;
    struct scenario_options options = {.rows = 16, .cols = 16, .elem_bytes = 4, .in = "in", .out = "out"};
    (void)snprintf(text, sizeof text, HEAD "%s\n}\n", body);
    struct source source = text_source(text);
    open_scenario(&s, &source, &options);
    tally_scenario(&s, &tally);
    *global = tally_sum(&tally, s.program, GLOBAL_ATOMIC);
    *shared = tally_sum(&tally, s.program, SHARED_ATOMIC);
    assert_int_equal(tally_sum(&tally, s.program, GLOBAL_LOAD).requests, 0);
    assert_int_equal(tally_sum(&tally, s.program, SHARED_STORE).requests, 0);
    tally_free(&tally);
    scenario_close(&s);
}

static void expect_atomics(const char *body, unsigned requests, unsigned sectors, unsigned instructions,
                           unsigned wavefronts, unsigned emulated)
{
    struct site_tally global, shared;
    tally_text(body, &global, &shared);
    if (global.requests != requests || global.units != sectors || shared.requests != instructions ||
        shared.units != wavefronts || shared.emulated != emulated)
        fail_msg("%s: %u %u, %u %u %u", body, (unsigned)global.requests, (unsigned)global.units,
                 (unsigned)shared.requests, (unsigned)shared.units, (unsigned)shared.emulated);
}

static void each_form_is_one_request_of_its_kind(void **state)
{
    (void)state;
    expect_atomics("atomicAdd(&bins[t], 1);", 4, 16, 0, 0, 0);
    expect_atomics("atomicAdd(&out[t % 8], 1.f);", 4, 16, 0, 0, 0);
    expect_atomics("atomicMax(bins, t); atomicExch_block(bins + 1, 2); atomicCAS_system(bins, 0, 1);", 12,
                   12 * 32, 0, 0, 0);
    expect_atomics("__shared__ int s[64]; atomicAdd(&s[t], 1);", 0, 0, 4, 4, 0);
    expect_atomics("__shared__ unsigned n; atomicInc(&n, 7u);", 0, 0, 4, 4 * 32, 0);
    expect_atomics("__shared__ int s[64]; atomicCAS(&s[2 * (t % 32)], 0, t);", 0, 0, 4, 16, 0);
    expect_atomics("__shared__ float s[64]; atomicAdd(&s[t], 1.f);", 0, 0, 4, 0, 4);
    expect_atomics("__shared__ unsigned long long s[64]; atomicAdd(&s[t], 1ull);", 0, 0, 4, 0, 4);
    expect_atomics("if (t < 1) atomicSub(&bins[t], 1);", 2, 2, 0, 0, 0);
}

static void what_an_atomic_returns_or_leaves_is_data(void **state)
{
    (void)state;
    struct machine m;
    run_well(&m,
             "__global__ void k(int *out) { __shared__ int n; int t = threadIdx.x; if (t == 0) n = 0; "
             "__syncthreads(); int at = atomicAdd(&n, 1); __syncthreads(); out[t] = at; out[t + 32] = n; }",
             32, 1);
    assert_int_equal(m.record.count, 5);
    assert_int_equal(m.record.at[1].access.site->kind->id, SHARED_ATOMIC);
    assert_int_equal(data_origin(m.record.at[2].value[3]).kind, ORIGIN_COMPUTED);
    assert_int_equal(data_origin(m.record.at[4].value[3]).kind, ORIGIN_COMPUTED);
    assert_int_equal(m.record.at[3].access.uninitialized, 0);
    end(&m);
    assert_false(run_kernel(&m, "__global__ void k(int *out) { out[atomicAdd(out, 1)] = 2; }", 32, 1, NULL));
    assert_non_null(strstr(m.problem.message, "depends on loaded data"));
    end(&m);
}

/* Lanes in a race, of all accesses. */
static unsigned races(const char *body)
{
    struct machine m;
    char text[600];
    unsigned count = 0;
    (void)snprintf(text, sizeof text,
                   "__global__ void k(int *out) { __shared__ int s[64]; int t = threadIdx.x; %s }", body);
    run_well(&m, text, 64, 1);
    for (size_t i = 0; i < m.record.count; i++)
        count += (unsigned)__builtin_popcount(m.record.at[i].access.hazard);
    end(&m);
    return count;
}

static void atomics_do_not_race_with_atomics_but_with_all_else(void **state)
{
    (void)state;
    assert_int_equal(races("atomicAdd(&s[t % 32], 1); atomicMax(&s[t % 32], 1);"), 0);
    assert_int_equal(
        races("s[t] = 0; __syncthreads(); atomicAdd(&s[t % 32], 1); __syncthreads(); out[t] = s[0];"), 0);
    assert_int_equal(races("atomicAdd(&s[0], 1); out[t] = s[0];"), 64);
    assert_int_equal(races("s[t] = 0; atomicAdd(&s[63 - t], 1);"), 64);
    assert_int_equal(races("out[t] = s[1]; atomicAdd(&s[1], 1);"), 64);
}

static void the_ladder_shows_atomics_and_says_what_it_does_not_predict(void **state)
{
    (void)state;
    const char *name = "build/atomics_test.cu";
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    (void)fputs(
        "// block: 32\n// grid: 1\n__global__ void k(const float *in, float *out) { __shared__ float s[32]; "
        "atomicAdd(&s[0], in[threadIdx.x]); atomicAdd(&out[threadIdx.x % 4], 1.f); }\n",
        file);
    assert_int_equal(fclose(file), 0);
    expect_run(run_program("ladder", name, "-m", "4", "-n", "8", NULL), 0, "emulated",
               "a compiler writes a loop, whose wavefronts are not predicted");
    expect_run(run_program("ladder", name, "-m", "4", "-n", "8", "-f", "csv", NULL), 0,
               ",1,8,1,1,0,0,1,no,0,\n", "");
    expect_run(run_program("trace", name, "-m", "4", "-n", "8", NULL), 0, "atomic out[threadIdx.x % 4]", "");
    expect_run(run_program("trace", name, "-m", "4", "-n", "8", NULL), 0,
               "a loop of the compiler's, not predicted", "");
    expect_run(run_program("owners", name, "-m", "4", "-n", "8", NULL), 1, "28 cells missing, 4 cells wrong",
               "32 lanes update global memory by atomics");
    expect_run(run_program("owners", name, "-m", "4", "-n", "8", "-f", "csv", NULL), 1, "\n28,4,0,0,", "");
    file = fopen(name, "w");
    assert_non_null(file);
    (void)fputs("// block: 32\n// grid: 1\n// task: copy\n__global__ void k(const float *in, float *out) { "
                "out[threadIdx.x] = "
                "in[threadIdx.x]; atomicAdd(&out[threadIdx.x % 4], 1.f); }\n",
                file);
    assert_int_equal(fclose(file), 0);
    expect_run(run_program("owners", name, "-m", "4", "-n", "8", NULL), 1,
               "4 cells with writers that disagree", "");
    (void)remove(name);
}

static void a_session_explains_each_of_them(void **state)
{
    (void)state;
    static const struct {
        const char *body, *words;
        unsigned parts;
    } cases[] = {
        {"atomicAdd(&bins[0], 1);", "Global atomic: 32 lanes: 32 sectors. Lanes of one address are served",
         32},
        {"__shared__ int s[64]; atomicAdd(&s[t & 1], 1);",
         "Shared atomic: 32 lanes: 16 wavefronts. Each lane", 16},
        {"__shared__ float s[64]; atomicAdd(&s[t], 1.f);", "the compiler writes a loop", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[500], out[EXPLAIN_SIZE];
        struct problem problem = {0};
        struct scenario_options options = {.rows = 16, .cols = 16, .elem_bytes = 4, .in = "in", .out = "out"};
        (void)snprintf(text, sizeof text, HEAD "%s\n}\n", cases[i].body);
        struct source source = text_source(text);
        struct session *session = session_open("test.cu", &source, &options, &problem);
        if (!session)
            fail_msg("%s", problem.message);
        explain_access(session, &session->trace.at[0], out);
        if (!strstr(out, cases[i].words))
            fail_msg("expected %s, got %s", cases[i].words, out);
        assert_int_equal(access_parts(&session->trace.at[0]), cases[i].parts);
        for (unsigned part = 0; part < cases[i].parts; part++)
            assert_true(access_part_lanes(&session->trace.at[0], part) != 0);
        session_free(session);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_atomics_cost_what_the_rules_say),
        cmocka_unit_test(each_form_is_one_request_of_its_kind),
        cmocka_unit_test(what_an_atomic_returns_or_leaves_is_data),
        cmocka_unit_test(atomics_do_not_race_with_atomics_but_with_all_else),
        cmocka_unit_test(the_ladder_shows_atomics_and_says_what_it_does_not_predict),
        cmocka_unit_test(a_session_explains_each_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
