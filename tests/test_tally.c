/* test_tally.c - a tally that remembers costs sums what each access costs by itself. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* Each access costed anew, beside the tally. */
struct both {
    struct tally tally;
    uint64_t units[64], ideal[64];
};

static void take(void *self, const struct access *access)
{
    struct both *both = self;
    struct access_cost cost = access_cost_of(access);
    both->units[access->site->id] += cost.units;
    both->ideal[access->site->id] += cost.ideal;
    tally_access(&both->tally, access);
}

static void run_both(const struct scenario *s, struct both *both)
{
    struct problem problem = {0};
    struct execution *execution = execution_new(s->program, &s->launch, false, &problem);
    assert_non_null(execution);
    assert_true(s->program->site_count <= 64);
    *both = (struct both){0};
    tally_init(&both->tally, s->program->site_count);
    struct sink sink = {.self = both, .access = take};
    if (!execution_run_blocks(execution, 0, launch_blocks(&s->launch), &sink, &problem))
        fail_msg("%s", problem.message);
    execution_free(execution);
    for (unsigned i = 0; i < s->program->site_count; i++) {
        assert_int_equal(both->tally.sites[i].units, both->units[i]);
        assert_int_equal(both->tally.sites[i].ideal, both->ideal[i]);
    }
}

#define HEAD                                                                                                 \
    "// block: 32\n// grid: 1\n__global__ void k(const float4 *in, float4 *out) {\nint t = threadIdx.x;\n"

static void open_text(const char *text, struct scenario *s)
{
    struct source source = text_source(text);
    struct scenario_options options = {.rows = 64, .cols = 64, .elem_bytes = 16};
    open_scenario(s, &source, &options);
}

/* Lanes of 16 bytes at one address: groups of a load merge (2 wavefronts), those of a store do not (4). Both
 * have the same pattern, mask, width and alignment. */
static void a_store_does_not_cost_what_the_load_of_its_shape_did(void **state)
{
    (void)state;
    static const char *const orders[] = {"float4 v = s[0]; s[0] = v;", "s[0] = in[0]; float4 v = s[0];"};
    for (size_t i = 0; i < 2; i++) {
        char text[400];
        struct scenario s;
        struct both both;
        (void)snprintf(text, sizeof text, HEAD "__shared__ float4 s[8];\n%s\nout[t] = v; }", orders[i]);
        open_text(text, &s);
        run_both(&s, &both);
        assert_int_equal(tally_sum(&both.tally, s.program, SHARED_LOAD).units, 2);
        assert_int_equal(tally_sum(&both.tally, s.program, SHARED_STORE).units, 4);
        tally_free(&both.tally);
        scenario_close(&s);
    }
}

/* One pattern, and at each step another alignment, mask, width or space. */
static void what_is_remembered_is_of_the_same_alignment_mask_width_and_space(void **state)
{
    (void)state;
    static const char text[] = HEAD
        "__shared__ __align__(16) char s[4096];\nconst char *g = (const char *)in; char *o = (char *)out;\n"
        "for (int j = 0; j < 40; j++) {\n"
        "  o[t + j] = g[t + j];\n  s[t + j] = g[t + 3 * j];\n  o[t + 2 * j] = s[t + j];\n"
        "  if (t < j) o[4 * t] = g[4 * t];\n  if (t < j) s[4 * t] = s[64 * t];\n"
        "  ((float *)o)[t + j] = ((const float *)s)[t + j];\n"
        "  ((float2 *)o)[t / 2 + j] = ((const float2 *)s)[t / 2 + j];\n"
        "  ((char *)s)[4 * t] = g[4 * t];\n  *(float *)(s + 4 * t) = *(const float *)(g + 4 * t);\n}\n}\n";
    struct scenario s;
    struct both both;
    open_text(text, &s);
    run_both(&s, &both);
    tally_free(&both.tally);
    scenario_close(&s);
}

static void rungs_of_every_width_and_offset_cost_what_their_accesses_do(void **state)
{
    (void)state;
    for (size_t rung = 0; rung < rung_count; rung++)
        for (unsigned shape = 0; shape < 10; shape++) {
            struct scenario s;
            struct both both;
            struct scenario_options options = {.rows = 70,
                                               .cols = 45 + shape,
                                               .tile = 32,
                                               .block_rows = 8,
                                               .elem_bytes = 1u << shape % 5,
                                               .in_offset = shape,
                                               .out_offset = 3 * shape};
            open_scenario(&s, &rungs[rung].source, &options);
            run_both(&s, &both);
            tally_free(&both.tally);
            scenario_close(&s);
        }
}

/* A compiler may load once; the rule is one access an appearance in the source. */
static void an_access_counts_as_often_as_it_is_written(void **state)
{
    (void)state;
    struct scenario s;
    struct both both;
    open_text("// block: 32\n// grid: 1\n__global__ void k(const float *in, float *out) {\n"
              "int i = threadIdx.x; out[i] = in[i] + in[i]; out[i] += 1.f; }\n",
              &s);
    run_both(&s, &both);
    assert_int_equal(tally_sum(&both.tally, s.program, GLOBAL_LOAD).requests, 3);
    assert_int_equal(tally_sum(&both.tally, s.program, GLOBAL_STORE).requests, 2);
    tally_free(&both.tally);
    scenario_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_does_not_cost_what_the_load_of_its_shape_did),
        cmocka_unit_test(what_is_remembered_is_of_the_same_alignment_mask_width_and_space),
        cmocka_unit_test(rungs_of_every_width_and_offset_cost_what_their_accesses_do),
        cmocka_unit_test(an_access_counts_as_often_as_it_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
