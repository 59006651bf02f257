/* test_recorded.c - lanescope compare on what an H200 counted (tests/data/h200.md). */
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void ends_with(const char *text, const char *tail)
{
    size_t length = strlen(text), n = strlen(tail);
    if (length < n || strcmp(text + length - n, tail) != 0)
        fail_msg("expected ... %s, got ... %s", tail, length > 200 ? text + length - 200 : text);
}

static void all_2550_single_accesses_agree(void **state)
{
    (void)state;
    struct run run = run_program("compare", "tests/data/accesses.csv", NULL);
    assert_string_equal(run.out, "2550 rows, 0 differ\n");
    assert_int_equal(run.code, 0);
    run_free(&run);
}

static void all_1341_launches_agree_but_the_documented_row(void **state)
{
    (void)state;
    struct run run = run_program("compare", "tests/data/launches.csv", NULL);
    ends_with(run.out, "1341 rows, 1 differ\n");
    assert_non_null(strstr(run.out, "tiled 1181 x 622, tile 17, block rows 16, pitch 17, 16 bytes: "
                                    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum: "
                                    "predicted 94560, measured 94449"));
    assert_int_equal(run.code, 1);
    run_free(&run);
}

static void the_launches_that_outgrow_the_l2_agree(void **state)
{
    (void)state;
    if (is_sanitized()) {
        (void)puts("note: the launches of 8192 x 8192 and more are left to uninstrumented builds");
        skip();
    }
    struct run run = run_program("compare", "tests/data/launches_large.csv", NULL);
    assert_string_equal(run.out, "18 rows, 0 differ\n");
    run_free(&run);
}

/* A table with one planted difference, or one fault: what is said of it. */
static void compare_as(const char *text, const char *format, int code, const char *out, const char *err)
{
    char path[] = "/tmp/lanescope-test-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
    struct run run = run_program("compare", path, "-f", format, NULL);
    if (run.code != code || !strstr(run.out, out) || !strstr(run.err, err))
        fail_msg("expected %d '%s' '%s', got %d '%s' '%s'", code, out, err, run.code, run.out, run.err);
    run_free(&run);
    (void)remove(path);
}

static void compare_text(const char *text, int code, const char *out, const char *err)
{
    compare_as(text, "text", code, out, err);
}

#define ACCESS "name,space,op,bytes,active_mask,offsets,wavefronts,bank_conflicts\n"
#define ZEROS  "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"
#define LAUNCH "kernel,rows,cols,tile,block_rows,pitch,elem_bytes"

static void a_planted_difference_is_found_in_each_kind(void **state)
{
    (void)state;
    compare_text(ACCESS "a,shared,load,4,0xffffffff," ZEROS ",1,0\n", 0, "1 rows, 0 differ", "");
    compare_text(ACCESS "a,shared,load,4,0xffffffff," ZEROS ",2,0\n", 1,
                 "line 2: a: wavefronts: predicted 1, measured 2\n1 rows, 1 differ", "");
    compare_text(ACCESS "a,shared,load,4,4294967295," ZEROS ",,1\n", 1,
                 "bank_conflicts: predicted 0, measured 1", "");
    compare_text(LAUNCH ",l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\ncopy,5,7,3,3,3,1,8\n", 0,
                 "1 rows, 0 differ", "");
    compare_text(LAUNCH ",l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\ncopy,5,7,3,3,3,1,9\n", 1,
                 "copy 5 x 7, tile 3, block rows 3, pitch 3, 1 bytes: l1tex__t_sectors", "");
    /* instructions that a compiler may issue with every lane off: only where a warp has none */
    compare_text(LAUNCH ",smsp__inst_executed_op_shared_st.sum\ntiled,6,6,3,3,3,1,4\n", 0, "0 differ", "");
    compare_text(LAUNCH ",smsp__inst_executed_op_shared_st.sum\ntiled,6,6,3,3,3,1,5\n", 1, "1 differ", "");
    compare_text(LAUNCH ",smsp__inst_executed_op_shared_st.sum\ntiled,40,40,32,8,33,4,80\n", 0, "0 differ",
                 "");
    compare_text(LAUNCH ",smsp__inst_executed_op_shared_st.sum\ntiled,40,40,32,8,33,4,128\n", 0, "0 differ",
                 "");
    compare_text(LAUNCH ",smsp__inst_executed_op_shared_st.sum\ntiled,40,40,32,8,33,4,129\n", 1, "1 differ",
                 "");
    compare_text(LAUNCH ",smsp__inst_executed_op_shared_st.sum\ntiled,40,40,32,8,33,4,79\n", 1, "1 differ",
                 "");
    /* hardware wavefronts may lie above the rule, never below */
    compare_text(LAUNCH ",l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum\ntiled,5,7,3,3,3,1,7\n", 0,
                 "0 differ", "");
    compare_text(LAUNCH ",l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum\ntiled,5,7,3,3,3,1,5\n", 1,
                 "1 differ", "");
}

static void programs_get_every_value(void **state)
{
    (void)state;
#define HEAD "line,row,counter,predicted,most,measured,agrees,device,rules\n"
    compare_as(ACCESS "a,shared,load,4,0xffffffff," ZEROS ",2,0\n", "csv", 1,
               HEAD "2,a,wavefronts,1,1,2,no,sm_90,verified\n2,a,bank_conflicts,0,0,0,yes,sm_90,verified\n",
               "");
    compare_as(LAUNCH ",l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum\ntiled,5,7,3,3,3,1,7\n", "csv",
               0, ",6,,7,yes,sm_90,verified\n", "");
    compare_as(LAUNCH ",smsp__inst_executed_op_shared_st.sum\ntiled,40,40,32,8,33,4,100\n", "csv", 0,
               ",80,128,100,yes,", "");
    compare_as(ACCESS "a,shared,load,4,0xffffffff," ZEROS ",2,0\n", "json", 1,
               "{\"line\": 2, \"row\": \"a\", \"counter\": \"wavefronts\", \"predicted\": 1, \"most\": 1, "
               "\"measured\": 2, \"agrees\": \"no\"",
               "");
    compare_as(LAUNCH "\ncopy,5,7,3,3,3,1\n", "json", 2, "[]\n", "no measured value");
}

static void columns_that_are_absent_are_not_asked_for_and_unknown_ones_are_named(void **state)
{
    (void)state;
    compare_text("# a comment\n" LAUNCH "\ncopy,5,7,3,3,3,1\n", 2, "", "no measured value");
    compare_text(LAUNCH ",mood,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum\ncopy,5,7,3,3,3,1,fine,6\n", 0,
                 "1 rows, 0 differ", "'mood' is not known and is ignored");
    compare_text(
        LAUNCH
        ",dram__bytes_read.sum,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum\ncopy,5,7,3,3,3,1,9,6\n",
        0, "0 differ", "");
    compare_text("space,op,bytes,active_mask,offsets,sectors\nglobal,store,4,0x1," ZEROS ",1\n", 0,
                 "1 rows, 0 differ", "");
}

static void faulty_tables_are_refused_with_the_line(void **state)
{
    (void)state;
    compare_text("", 2, "", "is empty");
    compare_text("kernel,rows\ncopy,1\n", 2, "", "has no column cols");
    compare_text(LAUNCH "\ncopy,5,7,3,3,3\n", 2, "", "line 2 has 6 fields");
    compare_text(LAUNCH "\ncopy,5,0,3,3,3,1\n", 2, "", "line 2: cols must be a number from 1");
    compare_text(LAUNCH "\nfast,5,7,3,3,3,1\n", 2, "", "line 2: kernel must be a rung");
    compare_text(LAUNCH "\ncopy,5,7,3,3,3,3\n", 2, "", "1, 2, 4, 8 or 16");
    compare_text(ACCESS "a,shared,load,4,0xffffffff,1 2 3,1,0\n", 2, "", "32 byte offsets");
    compare_text(ACCESS "a,shared,load,3,0xffffffff," ZEROS ",1,0\n", 2, "", "1, 2, 4, 8 or 16");
    compare_text(ACCESS "a,local,load,4,0xffffffff," ZEROS ",1,0\n", 2, "", "shared or global");
    compare_text(ACCESS "a,shared,load,4,0x1ffffffff," ZEROS ",1,0\n", 2, "", "active_mask");
    compare_text(LAUNCH "\ncopy,5,7,3,3,3,1\ntiled,5,7,3,3,2,1\n", 2, "",
                 "line 3: the pitch (2) must be at least the tile (3)");
    compare_text(LAUNCH "\npadded,90,90,32,32,4000,16\n", 2, "", "line 2: a block needs ");
    compare_text("kernel,rows,cols,tile,block_rows,pitch,elem_bytes,rows\ncopy,5,7,3,3,3,1,5\n", 2, "",
                 "line 1: the column 'rows' is there twice, as number 2 and 8");
    compare_text(LAUNCH ",mood,mood\ncopy,5,7,3,3,3,1,a,b\n", 2, "", "'mood' is there twice");
    compare_text("space,op,bytes,active_mask,offsets,sectors,sectors\nglobal,store,4,0x1," ZEROS ",1,2\n", 2,
                 "", "'sectors' is there twice");
    compare_text(ACCESS "\"a,shared\n", 2, "", "no closing quote");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_2550_single_accesses_agree),
        cmocka_unit_test(all_1341_launches_agree_but_the_documented_row),
        cmocka_unit_test(the_launches_that_outgrow_the_l2_agree),
        cmocka_unit_test(a_planted_difference_is_found_in_each_kind),
        cmocka_unit_test(programs_get_every_value),
        cmocka_unit_test(columns_that_are_absent_are_not_asked_for_and_unknown_ones_are_named),
        cmocka_unit_test(faulty_tables_are_refused_with_the_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
