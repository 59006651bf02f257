/* What goes in and comes back as text: ncu's table, lists of configurations and of accesses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../cuda/accesses.h"
#include "../cuda/counters.h"
#include "../cuda/judge.h"
#include "../cuda/sweep.h"

static struct source text_of(const char *bytes)
{
    return (struct source){"table.csv", bytes, strlen(bytes)};
}

static const char *const wanted[] = {"a__sectors.sum", "b__requests.sum"};

static void ncus_table_is_read(void **state)
{
    struct source text =
        text_of("==PROF== Connected to process 77 (/tmp/lanescope)\n"
                "\"ID\",\"Kernel Name\",\"b__requests.sum\",\"device__x\",\"a__sectors.sum\"\n"
                "\"\",\"\",\"request\",\"\",\"sector\"\n"
                "\"0\",\"tiled(const unsigned int *, int)\",\"12\",\"x\",\"67,108,864\"\n"
                "==PROF== Disconnected from process 77\n"
                "\"1\",\"naive\",\"n/a\",\"x\",\"0\"\n");
    struct counter_table table;
    struct problem problem = {0};
    (void)state;
    assert_true(counters_parse(&text, wanted, 2, &table, &problem));
    assert_int_equal(table.count, 2);
    assert_int_equal(table.rows[0].value[0], 67108864);
    assert_int_equal(table.rows[0].value[1], 12);
    assert_int_equal(table.rows[1].value[0], 0);
    assert_true(table.rows[1].value[1] == COUNTER_ABSENT);
    counter_table_free(&table);
}

static void ncus_table_without_a_column_or_a_launch_is_refused(void **state)
{
    struct counter_table table;
    struct problem problem = {0};
    struct source text = text_of("\"ID\",\"a__sectors.sum\"\n\"\",\"sector\"\n\"0\",\"1\"\n");
    (void)state;
    assert_false(counters_parse(&text, wanted, 2, &table, &problem));
    assert_non_null(strstr(problem.message, "b__requests.sum"));
    problem = (struct problem){0};
    text = text_of("\"ID\",\"a__sectors.sum\",\"b__requests.sum\"\n\"\",\"\",\"\"\n");
    assert_false(counters_parse(&text, wanted, 2, &table, &problem));
    assert_non_null(strstr(problem.message, "no launch"));
}

static bool has_size(const struct sweep *sweep, uint32_t rows, uint32_t cols)
{
    for (size_t i = 0; i < sweep->count; i++)
        if (sweep->list[i].options.rows == rows && sweep->list[i].options.cols == cols)
            return true;
    return false;
}

static void every_configuration_can_be_opened(const struct sweep *sweep)
{
    for (size_t i = 0; i < sweep->count; i++) {
        struct scenario scenario;
        struct problem problem = {0};
        if (!scenario_open(&scenario, sweep->list[i].text, &sweep->list[i].options, &problem))
            fail_msg("configuration %zu: %s", i, problem.message);
        scenario_close(&scenario);
    }
}

static void the_built_in_list_has_what_it_promises(void **state)
{
    struct sweep sweep = {0};
    unsigned widths = 0, tiles = 0, extra = 0, offsets = 0;
    (void)state;
    sweep_builtin(&sweep);
    for (size_t i = 0; i < sweep.count; i++) {
        const struct scenario_options *o = &sweep.list[i].options;
        widths |= o->elem_bytes;
        tiles |= o->tile == 3 ? 1 : o->tile == 16 ? 2 : o->tile == 32 ? 4 : 8;
        extra |= strcmp(sweep.list[i].name, "tiled") ? 0 : 1u << (o->pitch - o->tile);
        offsets |= (o->in_offset ? 1 : 0) | (o->out_offset ? 2 : 0);
    }
    assert_int_equal(widths, 31);
    assert_int_equal(tiles, 7);
    assert_int_equal(extra, 63);
    assert_int_equal(offsets, 3);
    assert_true(has_size(&sweep, 8192, 8192) && has_size(&sweep, 8191, 8193) && has_size(&sweep, 1, 1000));
    every_configuration_can_be_opened(&sweep);
    sweep_free(&sweep);
}

/* A pitch is the text's own, but of a rung whose headnote takes any. */
static void the_pitch_of_a_rung_is_what_its_text_says(void **state)
{
    static const struct {
        const char *rung;
        uint32_t tile;
        uint64_t pitches; /* bit n: tile + n */
        uint32_t large;
    } rungs_of[] = {{"copy", 3, 1, 32}, {"tiled", 3, 63, 32}, {"padded", 3, 63, 33}, {"swizzled", 3, 2, 32}};
    struct sweep sweep = {0};
    (void)state;
    sweep_builtin(&sweep);
    for (size_t r = 0; r < sizeof rungs_of / sizeof *rungs_of; r++) {
        uint64_t pitches = 0;
        for (size_t i = 0; i < sweep.count; i++) {
            const struct scenario_options *o = &sweep.list[i].options;
            if (strcmp(sweep.list[i].name, rungs_of[r].rung) != 0)
                continue;
            if (o->tile == rungs_of[r].tile)
                pitches |= UINT64_C(1) << (o->pitch - o->tile);
            if (o->rows > 8000)
                assert_int_equal(o->pitch, rungs_of[r].large);
        }
        assert_int_equal(pitches, rungs_of[r].pitches);
    }
    sweep_free(&sweep);
}

static void the_same_seed_gives_the_same_list(void **state)
{
    struct sweep a = {0}, b = {0}, c = {0};
    unsigned same = 0;
    (void)state;
    sweep_random(&a, 7, 100);
    sweep_random(&b, 7, 100);
    sweep_random(&c, 8, 100);
    every_configuration_can_be_opened(&a);
    for (size_t i = 0; i < 100; i++) {
        assert_int_equal(a.list[i].options.rows, b.list[i].options.rows);
        assert_int_equal(a.list[i].options.pitch, b.list[i].options.pitch);
        same += a.list[i].options.rows == c.list[i].options.rows;
    }
    assert_true(same < 50);
    sweep_free(&a);
    sweep_free(&b);
    sweep_free(&c);
}

static void a_list_of_configurations_is_read(void **state)
{
    struct source text =
        text_of("# recorded\nkernel,rows,cols,tile,block_rows,pitch,elem_bytes,out_offset,other\n"
                "tiled,5,7,16,16,17,2,3,99\n");
    struct sweep sweep = {0};
    struct problem problem = {0};
    (void)state;
    assert_true(sweep_read(&sweep, &text, &problem));
    assert_int_equal(sweep.count, 1);
    assert_int_equal(sweep.list[0].options.cols, 7);
    assert_int_equal(sweep.list[0].options.out_offset, 3);
    assert_string_equal(sweep.list[0].options.elem_type, "unsigned short");
    sweep_free(&sweep);
}

static void a_bad_configuration_is_refused_with_its_line(void **state)
{
    static const char *const bad[][2] = {
        {"kernel,rows,cols,tile,block_rows,pitch,elem_bytes\nnone,5,7,16,16,17,2\n", "line 2: kernel"},
        {"kernel,rows,cols,tile,block_rows,pitch,elem_bytes\ntiled,5,0,16,16,17,2\n", "line 2: cols"},
        {"kernel,rows,cols,tile,block_rows,pitch,elem_bytes\ntiled,5,7,16,16,17,3\n", "elem_bytes"},
        {"kernel,rows,cols,tile,block_rows,pitch,elem_bytes\ntiled,5\n", "line 2: cols"},
        {"kernel,rows,tile,block_rows,pitch,elem_bytes\n", "no column cols"},
        {"kernel,rows,cols,tile,block_rows,pitch,elem_bytes,rows\ncopy,5,7,16,16,17,2,6\n",
         "'rows' is there twice"},
        {"", "empty"}};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct source text = text_of(bad[i][0]);
        struct sweep sweep = {0};
        struct problem problem = {0};
        assert_false(sweep_read(&sweep, &text, &problem));
        if (!strstr(problem.message, bad[i][1]))
            fail_msg("'%s' is not in '%s'", bad[i][1], problem.message);
        sweep_free(&sweep);
    }
}

static void an_impossible_configuration_is_refused_with_its_line(void **state)
{
    struct source text = text_of("# a list\nkernel,rows,cols,tile,block_rows,pitch,elem_bytes\n"
                                 "tiled,5,7,16,16,17,2\ntiled,5,7,16,16,15,2\n");
    struct sweep sweep = {0};
    struct scenario scenario;
    struct problem problem = {0};
    (void)state;
    assert_true(sweep_read(&sweep, &text, &problem));
    assert_true(configuration_open(&sweep.list[0], NULL, &scenario, &problem));
    scenario_close(&scenario);
    assert_false(configuration_open(&sweep.list[1], NULL, &scenario, &problem));
    assert_non_null(strstr(problem.message, "line 4: the pitch (15) must be at least the tile (16)"));
    sweep_free(&sweep);
}

static void single_accesses_are_read_and_bad_ones_refused(void **state)
{
    static const char head[] = "name,space,op,bytes,active_mask,offsets\n";
    static const char zeros[] = "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0";
    char bytes[600];
    struct access_list list = {0};
    struct problem problem = {0};
    struct source text;
    (void)state;
    (void)snprintf(bytes, sizeof bytes, "%sx,global,store,8,0x0000ffff,%s 16\n", head, zeros);
    text = text_of(bytes);
    assert_true(access_list_read(&list, &text, &problem));
    assert_int_equal(list.count, 1);
    assert_int_equal(list.list[0].offsets[31], 16);
    assert_int_equal(list.list[0].mask, 0xffff);
    for (unsigned i = 0; i < 3; i++) {
        static const char *const heads[] = {"x,global,store,8,0x1", "x,shared,load,4,0x1",
                                            "x,shared,load,4,0x0"};
        static const char *const ends[] = {" 4", "", " 0"}; /* not a multiple of 8; 31 only; no lane */
        char row[300];
        (void)snprintf(row, sizeof row, "%s,%s%s\n", heads[i], zeros, ends[i]);
        (void)snprintf(bytes, sizeof bytes, "%s%s", head, row);
        text = text_of(bytes);
        problem = (struct problem){0};
        assert_false(access_list_read(&list, &text, &problem));
        assert_non_null(strstr(problem.message, "line 2"));
    }
    text = text_of("space,op,bytes,active_mask,offsets,op\n");
    problem = (struct problem){0};
    assert_false(access_list_read(&list, &text, &problem));
    assert_non_null(strstr(problem.message, "'op' is there twice"));
    access_list_free(&list);
}

static void random_accesses_are_possible_ones(void **state)
{
    struct access_list list = {0};
    unsigned kinds = 0;
    (void)state;
    access_list_random(&list, 3, 400);
    for (size_t i = 0; i < list.count; i++) {
        const struct single_access *a = &list.list[i];
        kinds |=
            1u << ((a->space == SPACE_SHARED) * 10 + (a->op == ACCESS_STORE) * 5 + __builtin_ctz(a->bytes));
        assert_true(a->mask != 0);
        for (unsigned lane = 0; lane < 32; lane++) {
            assert_int_equal(a->offsets[lane] % a->bytes, 0);
            assert_true(a->offsets[lane] + a->bytes <= ACCESSES_SHARED_LIMIT - 1024);
        }
    }
    assert_int_equal(kinds, (1u << 20) - 1);
    access_list_free(&list);
}

static size_t metric_index(const char *name)
{
    const struct metric *metric = metric_find(name, strlen(name));
    assert_non_null(metric);
    return (size_t)(metric - metrics);
}

static void each_counter_is_judged_by_its_policy(void **state)
{
    size_t sectors = metric_index("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
    size_t raw = metric_index("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum");
    size_t dram = metric_index("dram__bytes_read.sum");
    struct counter_row row = {{0}};
    (void)state;
    row.value[sectors] = row.value[raw] = row.value[dram] = 100;
    assert_false(counter_judge(sectors, &(struct prediction){100, 100}, &row, 4).differs);
    assert_true(counter_judge(sectors, &(struct prediction){99, 99}, &row, 4).differs);
    assert_true(counter_judge(sectors, &(struct prediction){101, 101}, &row, 4).differs);
    assert_false(counter_judge(raw, &(struct prediction){99, 99}, &row, 4).differs);
    assert_int_equal(counter_judge(raw, &(struct prediction){99, 99}, &row, 4).verdict, VERDICT_ABOVE);
    assert_true(counter_judge(raw, &(struct prediction){101, 101}, &row, 4).differs);
    assert_false(counter_judge(dram, &(struct prediction){7, 7}, &row, 4).differs);
    row.value[sectors] = COUNTER_ABSENT;
    assert_int_equal(counter_judge(sectors, &(struct prediction){100, 100}, &row, 4).verdict, VERDICT_ABSENT);
}

/* 7 x 48, tile 17, swizzled, 16 bytes, on an H200: predicted 82, patched code says 73, the hardware 82. */
static void only_the_hardware_overrules_patched_code(void **state)
{
    size_t patched = metric_index("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum");
    size_t hardware = metric_index("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum");
    struct counter_row row = {{0}};
    (void)state;
    row.value[patched] = 73;
    row.value[hardware] = 82;
    assert_int_equal(counter_judge(patched, &(struct prediction){82, 82}, &row, 16).verdict,
                     VERDICT_OVERRULED);
    assert_true(
        counter_judge(patched, &(struct prediction){82, 82}, &row, 4).differs); /* no groups merge there */
    row.value[hardware] = 83;
    assert_true(counter_judge(patched, &(struct prediction){82, 82}, &row, 16).differs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ncus_table_is_read),
        cmocka_unit_test(ncus_table_without_a_column_or_a_launch_is_refused),
        cmocka_unit_test(the_built_in_list_has_what_it_promises),
        cmocka_unit_test(the_pitch_of_a_rung_is_what_its_text_says),
        cmocka_unit_test(the_same_seed_gives_the_same_list),
        cmocka_unit_test(a_list_of_configurations_is_read),
        cmocka_unit_test(a_bad_configuration_is_refused_with_its_line),
        cmocka_unit_test(each_counter_is_judged_by_its_policy),
        cmocka_unit_test(only_the_hardware_overrules_patched_code),
        cmocka_unit_test(an_impossible_configuration_is_refused_with_its_line),
        cmocka_unit_test(single_accesses_are_read_and_bad_ones_refused),
        cmocka_unit_test(random_accesses_are_possible_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
