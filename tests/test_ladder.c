/* test_ladder.c - the rungs: the facts that the subject stands on, and counts against a plain restatement of
 * them. */
#include "support.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../sim/audit/ownermap.h"
#include "../sim/audit/owners.h"
#include "../sim/report/matrix.h"
#include "../sim/model/sector.h"
#include "../sim/report/summary.h"

static void map_scenario(const struct scenario *s, struct ownermap *map)
{
    struct problem problem = {0};
    struct execution *execution = execution_new(s->program, &s->launch, true, &problem);
    assert_non_null(execution);
    struct owners_task task = scenario_task(s);
    struct window whole = window_whole(&task);
    ownermap_init(map, &task, &whole);
    struct sink sink = {.self = map, .access = ownermap_access};
    assert_true(execution_run_blocks(execution, 0, launch_blocks(&s->launch), &sink, &problem));
    execution_free(execution);
}

/* What the output cell holds when the input cell (r, c) holds 10 r + c. */
static int64_t arrived(const struct scenario *s, const struct ownermap *map, uint64_t cell)
{
    struct origin origin = data_origin(map->cells[cell].token);
    assert_int_equal(origin.kind, ORIGIN_BUFFER);
    assert_int_equal(origin.buffer, s->in);
    int64_t element = origin.offset / (int64_t)s->elem_bytes;
    return 10 * (element / s->cols) + element % s->cols;
}

static void the_last_row_of_5x7_is_6_16_26_36_46(void **state)
{
    (void)state;
    static const int64_t last_row[] = {6, 16, 26, 36, 46};
    for (size_t rung = 1; rung < rung_count; rung++) {
        struct scenario s;
        struct ownermap map;
        struct scenario_options options = {.rows = 5, .cols = 7, .tile = 3, .block_rows = 3};
        open_scenario(&s, &rungs[rung].source, &options);
        if (s.is_copy) {
            scenario_close(&s);
            continue;
        }
        map_scenario(&s, &map);
        for (uint64_t cell = 0; cell < 35; cell++)
            assert_int_equal(map.cells[cell].writes, 1);
        for (uint64_t j = 0; j < 5; j++)
            assert_int_equal(arrived(&s, &map, 6 * 5 + j), last_row[j]);
        ownermap_free(&map);
        scenario_close(&s);
    }
}

static void the_tile_at_3_6_holds_two_cells_that_land_on_6_3_and_6_4(void **state)
{
    (void)state;
    struct scenario s;
    struct ownermap map;
    struct scenario_options options = {.rows = 5, .cols = 7, .tile = 3, .block_rows = 3};
    open_scenario(&s, &rung_find("padded")->source, &options);
    map_scenario(&s, &map);
    unsigned of_that_block = 0;
    for (uint64_t cell = 0; cell < 35; cell++)
        if (map.cells[cell].block[0] == 2 && map.cells[cell].block[1] == 1) {
            of_that_block++;
            assert_true(cell == 6 * 5 + 3 || cell == 6 * 5 + 4);
            assert_int_equal(arrived(&s, &map, cell), cell == 33 ? 36 : 46);
        }
    assert_int_equal(of_that_block, 2);
    ownermap_free(&map);
    scenario_close(&s);
}

static void audit(const struct source *text, const struct scenario_options *options,
                  struct owners_report *report)
{
    struct problem problem = {0};
    struct scenario s;
    open_scenario(&s, text, options);
    struct owners_task task = scenario_task(&s);
    struct owners *owners = owners_new(&task, &problem);
    struct execution *execution = execution_new(s.program, &s.launch, true, &problem);
    assert_non_null(owners);
    assert_non_null(execution);
    struct sink sink = {.self = owners, .access = owners_access};
    do
        assert_true(execution_run_blocks(execution, 0, launch_blocks(&s.launch), &sink, &problem));
    while (owners_next_pass(owners));
    assert_true(owners_report(owners, report, &problem));
    execution_free(execution);
    owners_free(owners);
    scenario_close(&s);
}

static void every_rung_is_right_for_every_shape(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1},   {1, 97}, {97, 1},   {32, 32},
                                        {33, 31}, {5, 7},  {100, 70}, {64, 65}};
    static const uint32_t tiles[][2] = {{32, 8}, {32, 32}, {16, 16}, {16, 5}, {3, 3},
                                        {7, 2},  {24, 9},  {1, 1},   {13, 13}};
    static const unsigned elems[] = {1, 2, 4, 8, 16};
    for (size_t rung = 0; rung < rung_count; rung++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (size_t t = 0; t < sizeof tiles / sizeof *tiles; t++) {
                struct owners_report report;
                struct scenario_options options = {.rows = sizes[i][0],
                                                   .cols = sizes[i][1],
                                                   .tile = tiles[t][0],
                                                   .block_rows = tiles[t][1],
                                                   .elem_bytes = elems[(rung + i + t) % 5],
                                                   .in_offset = i,
                                                   .out_offset = t};
                audit(&rungs[rung].source, &options, &report);
                if (!report.correct || report.written_twice || report.uninitialized_tile_reads)
                    fail_msg("%s %u x %u, tile %u x %u: missing %" PRIu64 ", wrong %" PRIu64,
                             rungs[rung].name, sizes[i][0], sizes[i][1], tiles[t][0], tiles[t][1],
                             report.missing, report.wrong);
            }
}

/* The famous slip: the output's row length is rows, not cols. */
static void cols_as_output_stride_passes_on_squares_and_is_caught_on_rectangles(void **state)
{
    (void)state;
    const char *text = "// block: 16, 16\n// grid: (cols + 15) / 16, (rows + 15) / 16\n"
                       "__global__ void k(const float *in, float *out, int rows, int cols) {\n"
                       "int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;\n"
                       "if (x < cols && y < rows) out[x * cols + y] = in[y * cols + x]; }\n";
    struct source source = text_source(text);
    struct owners_report report;
    struct scenario_options options = {.rows = 64, .cols = 64};
    audit(&source, &options, &report);
    assert_true(report.correct);
    options.cols = 48;
    audit(&source, &options, &report);
    assert_false(report.correct);
    assert_true(report.missing > 0);
    options.rows = 48, options.cols = 64;
    audit(&source, &options, &report);
    assert_false(report.correct);
    assert_true(report.out_of_bounds_writes > 0);
}

/* Two wrong writers of a cell agree or do not: the second pass must tell. */
static void wrong_writers_that_agree_are_told_from_those_that_do_not(void **state)
{
    (void)state;
    const char *agree = "// block: 32\n// grid: 2\n__global__ void k(const float *in, float *out) {"
                        "out[threadIdx.x] = in[0]; }";
    const char *differ = "// block: 32\n// grid: 2\n__global__ void k(const float *in, float *out) {"
                         "out[threadIdx.x] = in[blockIdx.x + 1]; }";
    struct source source = text_source(agree);
    struct owners_report report;
    struct scenario_options options = {.rows = 4, .cols = 8};
    audit(&source, &options, &report);
    assert_int_equal(report.wrong, 31); /* cell 0 is right */
    assert_int_equal(report.written_twice, 32);
    assert_int_equal(report.disagreeing, 0);
    source = text_source(differ);
    audit(&source, &options, &report);
    assert_int_equal(report.wrong, 0);
    assert_int_equal(report.disagreeing, 32);
    assert_false(report.correct);
}

/* Without the barrier warp 0 reads cells that warp 1 has not written yet. */
static void a_missing_barrier_shows_as_unset_reads(void **state)
{
    (void)state;
    const struct source *good = &rung_find("tiled")->source;
    char *text = memory_take(good->size + 1, 1);
    memcpy(text, good->bytes, good->size);
    char *barrier = strstr(text, "__syncthreads();");
    assert_non_null(barrier);
    memset(barrier, ' ', strlen("__syncthreads();"));
    struct source source = text_source(text);
    struct owners_report report;
    struct scenario_options options = {.rows = 64, .cols = 64};
    audit(&source, &options, &report);
    assert_true(report.uninitialized_tile_reads > 0);
    assert_true(report.hazards > 0);
    assert_false(report.correct);
    free(text);
}

/* Warps 4 to 7 read what warps 0 to 3 wrote: in the order that warps are run here every value is right, but
 * nothing makes the hardware keep that order. */
static void a_race_is_seen_also_where_the_values_come_out_right(void **state)
{
    (void)state;
    static const char *const barriers[] = {"", "__syncthreads();"};
    for (int i = 0; i < 2; i++) {
        char text[600];
        (void)snprintf(
            text, sizeof text,
            "// block: 256\n// grid: 32\n// task: copy\n__global__ void k(const float *in, float *out) {\n"
            "__shared__ float t[128]; int x = threadIdx.x, b = blockIdx.x * 128;\n"
            "if (x < 128) t[x] = in[b + x];\n%s\nif (x >= 128) out[b + x - 128] = t[x - 128]; }",
            barriers[i]);
        struct source source = text_source(text);
        struct owners_report report;
        struct scenario_options options = {.rows = 64, .cols = 64};
        audit(&source, &options, &report);
        assert_int_equal(report.missing + report.wrong + report.disagreeing, 0);
        assert_int_equal(report.hazards, i ? 0 : 4096);
        assert_int_equal(report.correct, i == 1);
    }
}

/* Reads before a barrier, writes of others after it, then back: no race in the ladder, whatever the shape. */
static void the_rungs_have_no_races(void **state)
{
    (void)state;
    for (size_t rung = 0; rung < rung_count; rung++) {
        struct owners_report report;
        struct scenario_options options = {.rows = 77, .cols = 50, .tile = 16, .block_rows = 5};
        audit(&rungs[rung].source, &options, &report);
        assert_int_equal(report.hazards, 0);
    }
}

/* --- counts, restated from the table of h200.md --- */

struct config {
    const char *kernel;
    uint32_t rows, cols, tile, block_rows, pitch, elem;
    uint64_t in_offset, out_offset;
};

struct counts {
    uint64_t load_requests, load_sectors, store_requests, store_sectors;
    uint64_t shared_loads, load_wavefronts, shared_stores, store_wavefronts;
};

struct warp_access {
    int64_t at[32];
    uint32_t mask;
};

static void add_global(struct warp_access *a, uint32_t elem, uint64_t *requests, uint64_t *sectors)
{
    struct lanes lanes = {.lane_bytes = elem, .is_load = true, .mask = a->mask, .delta = a->at};
    *requests += a->mask != 0;
    *sectors += sector_cost_of(&lanes).sectors;
}

static void add_shared(struct warp_access *a, uint32_t elem, bool load, uint64_t *instructions,
                       uint64_t *wavefronts)
{
    struct lanes lanes = {.lane_bytes = elem, .is_load = load, .mask = a->mask, .delta = a->at};
    *instructions += a->mask != 0;
    *wavefronts += bank_cost_of(&lanes).wavefronts;
}

/* One iteration of one warp in one phase (0 load, 1 store). */
static void count_iteration(const struct config *c, uint32_t bx, uint32_t by, uint32_t warp,
                            uint32_t iteration, int phase, struct counts *n)
{
    struct warp_access load = {{0}, 0}, store = load, tile = load;
    bool is_naive = strncmp(c->kernel, "naive", 5) == 0, is_copy = strcmp(c->kernel, "copy") == 0;
    bool swapped = strcmp(c->kernel, "naive-swap") == 0, swizzled = strcmp(c->kernel, "swizzled") == 0;
    for (uint32_t lane = 0; lane < 32; lane++) {
        uint32_t id = warp * 32 + lane, tx = id % c->tile, ty = id / c->tile;
        uint64_t j = ty + (uint64_t)iteration * c->block_rows;
        if (id >= c->tile * c->block_rows || j >= c->tile)
            continue;
        uint64_t x = (uint64_t)bx * c->tile + (swapped ? j : tx),
                 y = (uint64_t)by * c->tile + (swapped ? tx : j);
        uint64_t ox = (uint64_t)by * c->tile + tx, oy = (uint64_t)bx * c->tile + j;
        uint64_t row = phase ? tx : j, col = phase ? j : tx;
        tile.at[lane] = (int64_t)((row * c->pitch + (swizzled ? row ^ col : col)) * c->elem);
        if (phase ? !(ox < c->rows && oy < c->cols) : !(x < c->cols && y < c->rows))
            continue;
        load.at[lane] = (int64_t)((y * c->cols + x + c->in_offset) * c->elem);
        store.at[lane] = (int64_t)(((is_copy    ? y * c->cols + x
                                     : is_naive ? x * c->rows + y
                                                : oy * c->rows + ox) +
                                    c->out_offset) *
                                   c->elem);
        load.mask |= UINT32_C(1) << lane;
    }
    store.mask = tile.mask = load.mask;
    bool direct = is_naive || is_copy;
    if (phase == 0)
        add_global(&load, c->elem, &n->load_requests, &n->load_sectors);
    if (phase == 1 || direct)
        add_global(&store, c->elem, &n->store_requests, &n->store_sectors);
    if (!direct && phase == 0)
        add_shared(&tile, c->elem, false, &n->shared_stores, &n->store_wavefronts);
    if (!direct && phase == 1)
        add_shared(&tile, c->elem, true, &n->shared_loads, &n->load_wavefronts);
}

static void count_by_rule(const struct config *c, struct counts *n)
{
    uint32_t warps = (c->tile * c->block_rows + 31) / 32,
             iterations = (c->tile + c->block_rows - 1) / c->block_rows;
    bool direct = strncmp(c->kernel, "naive", 5) == 0 || strcmp(c->kernel, "copy") == 0;
    memset(n, 0, sizeof *n);
    for (uint32_t by = 0; by * (uint64_t)c->tile < c->rows; by++)
        for (uint32_t bx = 0; bx * (uint64_t)c->tile < c->cols; bx++)
            for (int phase = 0; phase < (direct ? 1 : 2); phase++)
                for (uint32_t warp = 0; warp < warps; warp++)
                    for (uint32_t i = 0; i < iterations; i++)
                        count_iteration(c, bx, by, warp, i, phase, n);
}

static void random_launches_count_what_the_table_says(void **state)
{
    (void)state;
    struct random random = {99};
    int rounds = is_sanitized() ? 60 : 600;
    for (int round = 0; round < rounds; round++) {
        static const char *const names[] = {"copy", "naive", "naive-swap", "tiled", "swizzled"};
        struct config c = {.kernel = names[random_below(&random, 5)],
                           .rows = 1 + random_below(&random, 150),
                           .cols = 1 + random_below(&random, 150),
                           .tile = 1 + random_below(&random, 32),
                           .elem = 1u << random_below(&random, 5),
                           .in_offset = random_below(&random, 40),
                           .out_offset = random_below(&random, 40)};
        c.block_rows = 1 + random_below(&random, c.tile);
        c.pitch = (strcmp(c.kernel, "swizzled") ? c.tile : 32) + random_below(&random, 6);
        struct scenario_options options = {.rows = c.rows,
                                           .cols = c.cols,
                                           .tile = c.tile,
                                           .block_rows = c.block_rows,
                                           .pitch = c.pitch,
                                           .elem_bytes = c.elem,
                                           .in_offset = c.in_offset,
                                           .out_offset = c.out_offset};
        struct scenario s;
        struct tally tally;
        struct counts n;
        open_scenario(&s, &rung_find(c.kernel)->source, &options);
        tally_scenario(&s, &tally);
        struct summary sum = summary_of(&s, &tally, 0);
        count_by_rule(&c, &n);
        assert_int_equal(sum.of[GLOBAL_LOAD].requests, n.load_requests);
        assert_int_equal(sum.of[GLOBAL_LOAD].units, n.load_sectors);
        assert_int_equal(sum.of[GLOBAL_STORE].requests, n.store_requests);
        assert_int_equal(sum.of[GLOBAL_STORE].units, n.store_sectors);
        assert_int_equal(sum.of[SHARED_LOAD].requests, n.shared_loads);
        assert_int_equal(sum.of[SHARED_LOAD].units, n.load_wavefronts);
        assert_int_equal(sum.of[SHARED_STORE].requests, n.shared_stores);
        assert_int_equal(sum.of[SHARED_STORE].units, n.store_wavefronts);
        tally_free(&tally);
        scenario_close(&s);
    }
}

static void pitch_32_costs_32_wavefronts_a_column_and_33_one(void **state)
{
    (void)state;
    for (uint32_t pitch = 32; pitch < 34; pitch++) {
        struct scenario s;
        struct tally tally;
        struct scenario_options options = {.rows = 64, .cols = 64, .pitch = pitch};
        open_scenario(&s, &rung_find("tiled")->source, &options);
        tally_scenario(&s, &tally);
        struct summary sum = summary_of(&s, &tally, 0);
        assert_int_equal(sum.of[SHARED_LOAD].requests, 64 * 64 / 32);
        assert_int_equal(sum.of[SHARED_LOAD].units, 64 * 64 / 32 * (pitch == 32 ? 32 : 1));
        assert_int_equal(sum.of[SHARED_LOAD].ideal, 64 * 64 / 32);
        assert_int_equal(sum.of[SHARED_STORE].units, 64 * 64 / 32);
        tally_free(&tally);
        scenario_close(&s);
    }
}

static void a_single_block_of_a_matrix_past_2_to_the_31_runs_and_int_overflow_is_seen(void **state)
{
    (void)state;
    struct problem problem = {0};
    const char *text = "// block: 32, 8\n// grid: (cols + 31) / 32, (rows + 7) / 8\n"
                       "__global__ void k(const float *in, float *out, int rows, int cols) {\n"
                       "int x = blockIdx.x * 32 + threadIdx.x;\nint y = blockIdx.y * 8 + threadIdx.y;\n"
                       "out[(size_t)x * rows + y] = in[y * cols + x]; }\n";
    struct source narrow = text_source(text);
    for (int wide = 0; wide < 2; wide++) {
        struct scenario s;
        struct tally tally;
        struct scenario_options options = {.rows = 65536, .cols = 65536};
        open_scenario(&s, wide ? &rung_find("padded")->source : &narrow, &options);
        struct execution *execution = execution_new(s.program, &s.launch, false, &problem);
        tally_init(&tally, s.program->site_count);
        struct sink sink = {.self = &tally, .access = tally_access};
        uint32_t last[3] = {s.launch.grid[0] - 1, s.launch.grid[1] - 1, 0};
        assert_true(execution_run_block(execution, last, &sink, &problem));
        const struct overflow *overflow = execution_overflow(execution);
        assert_int_equal(overflow->lanes != 0, !wide);
        assert_int_equal(tally_sum(&tally, s.program, GLOBAL_STORE).out_of_bounds, 0);
        if (!wide) {
            int line, column;
            source_place(overflow->place.source, overflow->place.begin, &line, &column);
            assert_int_equal(line, 6);
            assert_int_equal(column, 32);
        }
        tally_free(&tally);
        execution_free(execution);
        scenario_close(&s);
    }
}

static void wrong_configurations_are_refused_with_a_reason(void **state)
{
    (void)state;
    static const struct {
        struct scenario_options options;
        const char *word;
    } wrong[] = {
        {{.rows = UINT32_MAX, .cols = 4}, "1 to 2147483647"},
        {{.rows = 4, .cols = 4, .tile = 32, .block_rows = 33}, "block rows"},
        {{.rows = 4, .cols = 4, .tile = 32, .pitch = 31}, "pitch"},
        {{.rows = 4, .cols = 4, .elem_bytes = 3}, "1, 2, 4, 8 or 16"},
        {{.rows = 4, .cols = 4, .tile = 64, .block_rows = 32}, "1024 threads"},
        {{.rows = 4, .cols = 4, .tile = 128, .block_rows = 8, .elem_bytes = 16}, "shared memory"},
        {{.rows = INT32_MAX, .cols = INT32_MAX, .elem_bytes = 16}, "64 TiB"},
        {{.rows = INT32_MAX, .cols = 1}, "CUDA refuses"},
        {{.rows = 4, .cols = 4, .definitions = {"TILE=hello"}, .definition_count = 1}, "not declared"},
        {{.rows = 4, .cols = 4, .arguments = {"nobody=4"}, .argument_count = 1}, "no such parameter"},
        {{.rows = 4, .cols = 4, .kernel = "other"}, "no kernel named other"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct problem problem = {0};
        struct scenario s;
        assert_false(scenario_open(&s, &rung_find("tiled")->source, &wrong[i].options, &problem));
        if (!strstr(problem.message, wrong[i].word))
            fail_msg("expected %s, got %s", wrong[i].word, problem.message);
    }
}

struct recount {
    struct tally tally;
    uint64_t lines[2]; /* [op] */
};

/* Lines by the addresses themselves, lane by lane. */
static void recount_access(void *self, const struct access *access)
{
    struct recount *r = self;
    int64_t lines[64];
    unsigned count = 0;
    tally_access(&r->tally, access);
    if (access->site->kind->space != SPACE_GLOBAL)
        return;
    for (unsigned lane = 0; lane < 32; lane++)
        for (unsigned end = 0; (access->mask >> lane & 1) && end < 2; end++) {
            int64_t byte = access_offset(access, lane) + access->misalignment;
            int64_t line = unit_of(byte + (end ? (int64_t)access->site->lane_bytes - 1 : 0), LINE_BYTES);
            unsigned i = 0;
            while (i < count && lines[i] != line)
                i++;
            if (i == count)
                lines[count++] = line;
        }
    r->lines[access->site->kind->op] += count;
}

/* The tally remembers costs by the sector; lines need the place in the line too. */
static void lines_are_those_of_the_addresses(void **state)
{
    (void)state;
    struct random random = {11};
    for (size_t round = 0; round < (is_sanitized() ? 10 : 60); round++) {
        struct recount r = {0};
        struct scenario s;
        struct problem problem = {0};
        struct scenario_options options = {.rows = 1 + random_below(&random, 90),
                                           .cols = 1 + random_below(&random, 90),
                                           .elem_bytes = 1u << random_below(&random, 5),
                                           .in_offset = random_below(&random, 70),
                                           .out_offset = random_below(&random, 70)};
        open_scenario(&s, &rungs[round % rung_count].source, &options);
        struct execution *execution = execution_new(s.program, &s.launch, false, &problem);
        tally_init(&r.tally, s.program->site_count);
        struct sink sink = {.self = &r, .access = recount_access};
        assert_true(execution_run_blocks(execution, 0, launch_blocks(&s.launch), &sink, &problem));
        struct summary sum = summary_of(&s, &r.tally, 0);
        assert_int_equal(sum.of[GLOBAL_LOAD].lines, r.lines[ACCESS_LOAD]);
        assert_int_equal(sum.of[GLOBAL_STORE].lines, r.lines[ACCESS_STORE]);
        assert_int_equal(sum.of[SHARED_LOAD].lines, 0);
        tally_free(&r.tally);
        execution_free(execution);
        scenario_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_row_of_5x7_is_6_16_26_36_46),
        cmocka_unit_test(the_tile_at_3_6_holds_two_cells_that_land_on_6_3_and_6_4),
        cmocka_unit_test(every_rung_is_right_for_every_shape),
        cmocka_unit_test(cols_as_output_stride_passes_on_squares_and_is_caught_on_rectangles),
        cmocka_unit_test(wrong_writers_that_agree_are_told_from_those_that_do_not),
        cmocka_unit_test(a_missing_barrier_shows_as_unset_reads),
        cmocka_unit_test(a_race_is_seen_also_where_the_values_come_out_right),
        cmocka_unit_test(the_rungs_have_no_races),
        cmocka_unit_test(random_launches_count_what_the_table_says),
        cmocka_unit_test(pitch_32_costs_32_wavefronts_a_column_and_33_one),
        cmocka_unit_test(a_single_block_of_a_matrix_past_2_to_the_31_runs_and_int_overflow_is_seen),
        cmocka_unit_test(wrong_configurations_are_refused_with_a_reason),
        cmocka_unit_test(lines_are_those_of_the_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
