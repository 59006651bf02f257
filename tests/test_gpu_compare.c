/* A recording as a GPU would make it, here made from the simulator's own stream, with one difference planted
 * at a time: each must be found, once, and said with its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../cuda/confirm.h"
#include "../cuda/instrument.h"
#include "../cuda/recording.h"
#include "../cuda/twinrun.h"
#include "../base/arena.h"
#include "../sim/report/rung.h"

enum { SHARED_BASE = 1024, BUFFER_BASE = 1 << 20 };

struct fixture {
    struct scenario scenario;
    struct execution *execution;
    struct recording recording;
    struct comparison_result result;
    uint32_t *passed; /* [thread of the launch][site], while recording */
};

static uint64_t linear(const struct recording *r, const struct access *access)
{
    return access->block[0] + (uint64_t)r->launch->grid[0] * access->block[1];
}

static uint64_t *record_at(const struct recording *r, uint64_t slot, unsigned site, uint32_t visit,
                           uint32_t thread)
{
    return &r->records[((slot * r->program->site_count + site) * r->capacity + visit) * r->threads + thread];
}

/* What the twin does, lane by lane. */
static void play_twin(void *self, const struct access *access)
{
    struct fixture *f = self;
    struct recording *r = &f->recording;
    const struct site *site = access->site;
    for (unsigned lane = 0; lane < 32; lane++) {
        if (!(access->mask >> lane & 1))
            continue;
        uint64_t block = linear(r, access), offset = (uint64_t)access_offset(access, lane);
        uint32_t thread = access->warp * 32 + lane;
        uint32_t visit = r->visits[(block * r->threads + thread) * r->program->site_count + site->id]++;
        uint64_t base = site->kind->space == SPACE_SHARED ? SHARED_BASE : r->base[access->buffer];
        *record_at(r, block, site->id, visit, thread) = base + offset;
        if (site->kind->space == SPACE_GLOBAL && site->kind->writes) {
            r->writes[offset / r->elem_bytes]++;
            r->owners[offset / r->elem_bytes] = (block * r->threads + thread) << TWIN_VISIT_BITS | visit;
        }
    }
}

static void record_launch(struct fixture *f)
{
    struct recording *r = &f->recording;
    struct problem problem = {0};
    const struct scenario *s = &f->scenario;
    struct sink sink = {.self = f, .access = play_twin};
    *r = (struct recording){.program = s->program,
                            .launch = &s->launch,
                            .shared_base = SHARED_BASE,
                            .threads = launch_threads(&s->launch),
                            .slot_count = launch_blocks(&s->launch),
                            .out = s->out,
                            .elem_bytes = s->elem_bytes,
                            .cells = (uint64_t)s->rows * s->cols};
    for (unsigned i = 0; i < s->program->parameter_count; i++)
        r->base[i] = BUFFER_BASE * (i + 1);
    r->blocks = memory_take(r->slot_count, sizeof *r->blocks);
    for (uint64_t i = 0; i < r->slot_count; i++)
        r->blocks[i] = i;
    assert_true(recording_visits(s->program, &s->launch, f->execution, r->blocks, r->slot_count, &r->capacity,
                                 &problem));
    r->capacity++;
    uint64_t lanes = r->slot_count * r->threads * r->program->site_count;
    r->visits = memory_take(lanes, sizeof *r->visits);
    r->records = memory_take(lanes * r->capacity, sizeof *r->records);
    memset(r->records, 0xff, lanes * r->capacity * sizeof *r->records);
    r->writes = memory_take(r->cells, sizeof *r->writes);
    r->owners = memory_take(r->cells, sizeof *r->owners);
    memset(r->owners, 0xff, r->cells * sizeof *r->owners);
    assert_true(execution_run_blocks(f->execution, 0, r->slot_count, &sink, &problem));
}

static void open_text(struct fixture *f, const struct source *text)
{
    struct problem problem = {0};
    struct scenario_options options = {.rows = 50, .cols = 37};
    *f = (struct fixture){.result = {0}};
    if (!scenario_open(&f->scenario, text, &options, &problem))
        fail_msg("%s", problem.message);
    f->execution = execution_new(f->scenario.program, &f->scenario.launch, false, &problem);
    assert_non_null(f->execution);
    record_launch(f);
}

static void open_fixture(struct fixture *f)
{
    open_text(f, &rung_find("tiled")->source);
}

static void close_fixture(struct fixture *f)
{
    recording_free(&f->recording);
    execution_free(f->execution);
    scenario_close(&f->scenario);
}

static uint64_t differing_addresses(struct fixture *f)
{
    struct problem problem = {0};
    assert_true(recording_compare_addresses(&f->recording, f->execution, &f->result, &problem));
    return f->result.differ;
}

static uint64_t differing_owners(struct fixture *f)
{
    struct problem problem = {0};
    assert_true(recording_compare_owners(&f->recording, f->execution, &f->result, &problem));
    return f->result.differ;
}

static void assert_says(const struct fixture *f, const char *part)
{
    char text[600];
    difference_print(&f->result.first, &f->recording, text, sizeof text);
    if (!strstr(text, part))
        fail_msg("'%s' is not in '%s'", part, text);
}

static void a_true_recording_has_no_difference(void **state)
{
    struct fixture f;
    (void)state;
    open_fixture(&f);
    assert_int_equal(differing_addresses(&f), 0);
    assert_int_equal(f.result.compared, 4 * 50 * 37); /* load, store to the tile and back */
    assert_int_equal(differing_owners(&f), 0);
    assert_int_equal(f.result.compared, 50 * 37);
    close_fixture(&f);
}

static void one_lane_one_element_off_is_found(void **state)
{
    struct fixture f;
    (void)state;
    open_fixture(&f);
    *record_at(&f.recording, 0, 3, 2, 1 * 32 + 17) += 4; /* block 0, the global store, third visit, warp 1 */
    assert_int_equal(differing_addresses(&f), 1);
    assert_int_equal(f.result.first.kind, DIFFERENCE_ADDRESS);
    assert_int_equal(f.result.first.lane, 17);
    assert_int_equal(f.result.first.got - f.result.first.expected, 4);
    assert_says(&f, "block (0, 0, 0), warp 1, lane 17, visit 2, at tiled.cu:");
    assert_says(&f, "site 3 (global store)");
    close_fixture(&f);
}

static void shared_memory_that_begins_elsewhere_is_found(void **state)
{
    struct fixture f;
    (void)state;
    open_fixture(&f);
    f.recording.shared_base += 4;
    assert_int_equal(differing_addresses(&f), 2 * 50 * 37);
    assert_int_equal(f.result.first.site->kind->space, SPACE_SHARED);
    close_fixture(&f);
}

static void a_missing_access_is_found(void **state)
{
    struct fixture f;
    (void)state;
    open_fixture(&f);
    *record_at(&f.recording, 1, 0, 0, 3) = TWIN_NOT_WRITTEN;
    assert_int_equal(differing_addresses(&f), 1);
    assert_int_equal(f.result.first.kind, DIFFERENCE_MISSING);
    assert_says(&f, "got no access");
    close_fixture(&f);
}

static void an_access_too_many_is_found(void **state)
{
    struct fixture f;
    (void)state;
    open_fixture(&f);
    f.recording.visits[(2 * f.recording.threads + 40) * f.recording.program->site_count + 1]++;
    assert_int_equal(differing_addresses(&f), 1);
    assert_int_equal(f.result.first.kind, DIFFERENCE_VISITS);
    assert_int_equal(f.result.first.warp, 1);
    assert_int_equal(f.result.first.lane, 8);
    assert_says(&f, "accesses, got");
    close_fixture(&f);
}

static void another_owner_of_one_cell_is_found(void **state)
{
    struct fixture f;
    (void)state;
    open_fixture(&f);
    f.recording.owners[777] += UINT64_C(1) << TWIN_VISIT_BITS; /* the next lane */
    assert_int_equal(differing_owners(&f), 1);
    assert_int_equal(f.result.first.kind, DIFFERENCE_OWNER);
    assert_int_equal(f.result.first.cell, 777);
    assert_says(&f, "output cell 777, at tiled.cu:");
    close_fixture(&f);
}

static void another_visit_of_the_same_owner_is_found(void **state)
{
    struct fixture f;
    (void)state;
    open_fixture(&f);
    f.recording.owners[0] += 1;
    assert_int_equal(differing_owners(&f), 1);
    assert_says(&f, "visit 0, got");
    close_fixture(&f);
}

static void a_missing_write_is_found(void **state)
{
    struct fixture f;
    (void)state;
    open_fixture(&f);
    f.recording.writes[50 * 37 - 1] = 0;
    f.recording.owners[50 * 37 - 1] = TWIN_NOT_WRITTEN;
    assert_int_equal(differing_owners(&f), 1);
    assert_int_equal(f.result.first.kind, DIFFERENCE_WRITES);
    assert_says(&f, "got none");
    close_fixture(&f);
}

static void a_second_write_is_found(void **state)
{
    struct fixture f;
    (void)state;
    open_fixture(&f);
    f.recording.writes[5] = 2;
    assert_int_equal(differing_owners(&f), 1);
    assert_says(&f, "output cell 5: expected 1 writes, got 2");
    close_fixture(&f);
}

/* All 64 threads write cell 0: whichever was last is right, a stranger is not. */
static void of_several_writers_any_may_be_the_owner(void **state)
{
    static const char bytes[] =
        "// block: 64\n// grid: 1\n"
        "__global__ void all(const float *in, float *out) { out[0] = in[threadIdx.x]; }\n";
    struct source text = {"all.cu", bytes, sizeof bytes - 1};
    struct fixture f;
    (void)state;
    open_text(&f, &text);
    assert_int_equal(differing_owners(&f), 0);
    f.recording.owners[0] = UINT64_C(5) << TWIN_VISIT_BITS;
    assert_int_equal(differing_owners(&f), 0);
    f.recording.owners[0] = UINT64_C(64) << TWIN_VISIT_BITS;
    assert_int_equal(differing_owners(&f), 1);
    assert_says(&f, "one of its simulated writers");
    close_fixture(&f);
}

static void blocks_to_record_hold_the_corners_once(void **state)
{
    struct launch launch = {.grid = {100, 50, 1}, .block = {32, 8, 1}};
    uint64_t list[64], again[64];
    bool seen[5000] = {false};
    (void)state;
    uint64_t count = twin_choose_blocks(&launch, 64, 9, list);
    assert_in_range(count, 40, 64);
    for (uint64_t i = 0; i < count; i++) {
        assert_true(list[i] < 5000);
        assert_true(i == 0 || list[i] > list[i - 1]);
        seen[list[i]] = true;
    }
    assert_true(seen[0] && seen[99] && seen[4900] && seen[4999]);
    assert_int_equal(twin_choose_blocks(&launch, 64, 9, again), count);
    assert_memory_equal(list, again, count * sizeof *list);
    launch.grid[0] = launch.grid[1] = 8;
    assert_int_equal(twin_choose_blocks(&launch, 64, 9, list), 64);
    assert_int_equal(list[63], 63);
}

/* Of a text that is launched with one block of 64 threads. */
static void expect_disorder(const char *body, const char *expected)
{
    char text[600], said[DISORDER_TEXT];
    (void)snprintf(text, sizeof text,
                   "// block: 64\n// grid: 1\n"
                   "__global__ void k(const float *in, float *out) {\n"
                   "__shared__ float s[64]; int t = threadIdx.x;\n%s }\n",
                   body);
    struct source source = {"k.cu", text, strlen(text)};
    struct scenario_options options = {.rows = 8, .cols = 8};
    struct problem problem = {0};
    struct scenario s;
    if (!scenario_open(&s, &source, &options, &problem))
        fail_msg("%s: %s", body, problem.message);
    disorder_find(&s, said);
    if (*expected ? !strstr(said, expected) : *said)
        fail_msg("%s: %s", body, said);
    scenario_close(&s);
}

/* What differs because a kernel races is said to be that; a kernel that does not race is not excused. */
static void a_race_is_named(void **state)
{
    (void)state;
    expect_disorder("s[t] = in[t]; __syncthreads(); out[t] = s[63 - t];", "");
    expect_disorder("s[t] = in[t]; out[t] = s[63 - t];",
                    "the kernel races at k.cu:5, in block (0, 0, 0) first: ");
    expect_disorder("s[t] = in[t]; out[t] = s[63 - t];", "lanes touch shared cells that another lane writes");
    expect_disorder("out[t / 2] = in[t];", "64 lanes store another value than a lane beside them");
    expect_disorder("out[t / 2] = in[t / 2];", ""); /* the same value, whoever comes last */
    expect_disorder("s[t % 32] = in[t]; __syncthreads(); out[t] = s[t % 32];", "k.cu:5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_true_recording_has_no_difference),
        cmocka_unit_test(one_lane_one_element_off_is_found),
        cmocka_unit_test(shared_memory_that_begins_elsewhere_is_found),
        cmocka_unit_test(a_missing_access_is_found),
        cmocka_unit_test(an_access_too_many_is_found),
        cmocka_unit_test(another_owner_of_one_cell_is_found),
        cmocka_unit_test(another_visit_of_the_same_owner_is_found),
        cmocka_unit_test(a_missing_write_is_found),
        cmocka_unit_test(a_second_write_is_found),
        cmocka_unit_test(of_several_writers_any_may_be_the_owner),
        cmocka_unit_test(blocks_to_record_hold_the_corners_once),
        cmocka_unit_test(a_race_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
