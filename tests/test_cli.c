/* test_cli.c - what the commands print, for people and for scripts. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#define LADDER_HEADER                                                                                        \
    "rung,rows,cols,tile,block_rows,pitch,elem_bytes,device,load_requests,load_lines,load_sectors,"          \
    "load_sectors_per_request,load_ideal_sectors,load_efficiency,store_requests,store_lines,store_sectors,"  \
    "store_sectors_per_request,store_ideal_sectors,store_efficiency,shared_load_instructions,"               \
    "shared_load_wavefronts,shared_load_ideal,shared_load_excess,shared_store_instructions,"                 \
    "shared_store_wavefronts,shared_store_ideal,shared_store_excess,shared_bytes,blocks_per_sm,"             \
    "warps_per_sm,occupancy_percent,occupancy_limit,rules,global_atomic_requests,global_atomic_"             \
    "sectors,global_atomic_ideal,shared_atomic_instructions,shared_atomic_wavefronts,shared_atomic_ideal,"   \
    "shared_atomic_emulated,partial,store_partial_sectors,assumed\n"
#define END ",8,64,100.0,warps,verified,0,0,0,0,0,0,0,no,"

static void the_ladder_is_a_stable_csv(void **state)
{
    (void)state;
    expect_output(
        run_program("ladder", "-f", "csv", NULL), 0,
        LADDER_HEADER
        "copy,100,70,32,8,,4,sm_90,300,498,1100,3.67,900,81.8,300,498,1100,3.67,900,81.8,0,0,0,0,0,"
        "0,0,0,0" END "450,\n"
        "naive,100,70,32,8,,4,sm_90,300,498,1100,3.67,900,81.8,300,7000,7000,23.33,900,12.9,0,0,0,"
        "0,0,0,0,0,0" END "7000,\n"
        "naive-swap,100,70,32,8,,4,sm_90,280,7000,7000,25.00,910,13.0,280,463,1015,3.62,910,89.7,0,"
        "0,0,0,0,0,0,0,0" END "280,\n"
        "tiled,100,70,32,8,32,4,sm_90,300,498,1100,3.67,900,81.8,280,463,1015,3.62,910,89.7,280,"
        "7000,280,6720,300,300,300,0,4096" END "280,\n"
        "padded,100,70,32,8,33,4,sm_90,300,498,1100,3.67,900,81.8,280,463,1015,3.62,910,89.7,280,"
        "280,280,0,300,300,300,0,4224" END "280,\n"
        "swizzled,100,70,32,8,32,4,sm_90,300,498,1100,3.67,900,81.8,280,463,1015,3.62,910,89.7,280,"
        "280,280,0,300,300,300,0,4096" END "280,\n"
        "copy-tile,100,70,32,8,32,4,sm_90,300,498,1100,3.67,900,81.8,300,498,1100,3.67,900,81.8,"
        "300,300,300,0,300,300,300,0,4096" END "450,\n"
        "diagonal,100,70,32,8,33,4,sm_90,300,498,1100,3.67,900,81.8,280,463,1015,3.62,910,89.7,280,"
        "280,280,0,300,300,300,0,4224" END "280,\n"
        "inplace,100,70,32,8,33,4,sm_90,300,498,1100,3.67,900,81.8,280,463,1015,3.62,910,89.7,280,"
        "280,280,0,300,300,300,0,8448" END "280,\n"
        "wide,100,70,32,16,65,4,sm_90,300,498,1100,3.67,900,81.8,280,463,1015,3.62,910,89.7,280,"
        "280,280,0,300,300,300,0,16640,4,64,100.0,warps,verified,0,0,0,0,0,0,0,no,280,\n"
        "ordered,100,70,32,16,65,4,sm_90,300,498,1100,3.67,900,81.8,280,463,1015,3.62,910,89.7,280,"
        "280,280,0,300,300,300,0,16640,4,64,100.0,warps,verified,0,0,0,0,0,0,0,no,280,\n"
        "vector,100,70,32,16,,4,sm_90,416,1572,3900,9.38,1008,25.8,280,1364,3780,13.50,980,25.9,70,"
        "280,280,0,104,300,300,0,16384" END "3780,\n"
        "sheared,100,70,32,4,33,4,sm_90,324,537,1188,3.67,972,81.8,280,439,910,3.25,910,100.0,280,"
        "280,280,0,324,324,324,0,9504,16,64,100.0,warps,verified,0,0,0,0,0,0,0,no,70,\n"
        "lines,100,70,32,8,,4,sm_90,334,334,1335,4.00,1335,100.0,280,439,910,3.25,"
        "910,100.0,280,280,280,0,334,334,334,0,36764,6,48,75.0,shared,verified,0,0,0,0,0,0,0,no,70,\n");
}

static void counters_are_named_in_every_format(void **state)
{
    (void)state;
    expect_run(run_program("ladder", "--metrics", NULL), 0, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld", "");
    expect_run(
        run_program("ladder", "padded", "--metrics", "-f", "csv", NULL), 0,
        ",rules,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_"
        "ld.sum,",
        "");
    expect_run(run_program("ladder", "padded", "--metrics", "-f", "csv", NULL), 0,
               "verified,300,1100,280,1015,280,280,300,300,280,0,300,0,0,0,0,0,0,0,0,no,280,\n", "");
    expect_run(run_program("ladder", "padded", "--metrics", "-f", "json", NULL), 0,
               "\"smsp__inst_executed_op_shared_ld.sum\": 280", "");
}

static void the_ladder_takes_sizes_devices_and_single_rungs(void **state)
{
    (void)state;
    expect_run(run_program("ladder", "padded", "-m", "64", "-n", "64", "-t", "16", "-b", "4", "-p", "17",
                           "-e", "8", "-f", "csv", NULL),
               0, "padded,64,64,16,4,17,8,sm_90,", "");
    expect_run(run_program("ladder", "tiled", "-t", "3", NULL), 0, "block 3 x 3", "");
    expect_run(run_program("ladder", "--device", "86", NULL), 0, "sm_86: rules assumed", "");
    expect_run(run_program("ladder", "--registers", "255", "-f", "csv", NULL), 0, ",registers,verified,0",
               "");
    expect_run(run_program("ladder", "copy", "-f", "json", NULL), 0, "\"pitch\": null", "");
}

static void banks_tell_the_story_of_32_and_33(void **state)
{
    (void)state;
    expect_output(
        run_program("banks", "--pitch", "32,33", "-f", "csv", NULL), 0,
        "pitch,access,elem_bytes,lanes,unique_banks,ways,wavefronts,ideal_wavefronts,conflicts,bank_"
        "list,device,rules\n"
        "32,row write,4,32,32,1,1,1,0,0-31,sm_90,verified\n"
        "32,column read,4,32,1,32,32,1,31,0,sm_90,verified\n"
        "33,row write,4,32,32,1,1,1,0,0-31,sm_90,verified\n"
        "33,column read,4,32,32,1,1,1,0,0-31,sm_90,verified\n");
    /* a 16 x 17 tile under a 16 x 16 block is 2-way on both sides: pad by one is no cure there */
    expect_run(run_program("banks", "-t", "16", "-b", "16", "-p", "17", "-f", "csv", NULL), 0,
               "17,row write,4,32,31,2,2,1,1,0-15 17-31,sm_90,verified\n17,column read,4,32,31,2,2,1,1,", "");
    expect_run(run_program("banks", "-l", "-p", "33", NULL), 0, "  31  31   0   31    0  4,092  1,023    31",
               "");
    expect_run(run_program("banks", "-l", "-f", "csv", NULL), 0,
               "pitch,access,lane,thread_x,thread_y,tile_row,", "");
    expect_run(run_program("banks", "-t", "64", "-b", "32", NULL), 2, "", "1024");
}

static void a_trace_shows_each_lane_and_filters(void **state)
{
    (void)state;
    expect_run(
        run_program("trace", "tiled", "-m", "5", "-n", "7", "-t", "3", "-b", "3", "--at-block", "2,1", NULL),
        0,
        "step 3: block (2,1,0) warp 0, site 3, line 43: store out[(size_t)oy * rows + ox]\n"
        "    2 of 32 lanes, 4 bytes each: 1 sector, ideal 1\n"
        "    lane  0  thread (0,0,0)  element (6,3)  byte 132  sector 4\n"
        "    lane  1  thread (1,0,0)  element (6,4)  byte 136  sector 4\n"
        "    lane  2  thread (2,0,0)  inactive\n",
        "");
    expect_output(
        run_program("trace", "naive", "-m", "2", "-n", "2", "-t", "2", "-f", "csv", "--at-site", "1", NULL),
        0,
        "step,block_x,block_y,block_z,warp,site,line,visit,op,space,buffer,lane_bytes,lane,thread_x,thread_y,"
        "thread_z,active,row,col,byte,sector,word,bank,fault,device,rules,assumed\n"
        "1,0,0,0,0,1,28,0,store,global,out,4,0,0,0,0,1,0,0,0,0,0,,,sm_90,verified,\n"
        "1,0,0,0,0,1,28,0,store,global,out,4,1,1,0,0,1,1,0,8,0,2,,,sm_90,verified,\n"
        "1,0,0,0,0,1,28,0,store,global,out,4,2,0,1,0,1,0,1,4,0,1,,,sm_90,verified,\n"
        "1,0,0,0,0,1,28,0,store,global,out,4,3,1,1,0,1,1,1,12,0,3,,,sm_90,verified,\n");
    expect_run(run_program("trace", "padded", "--at-warp", "2-3", "--at-step", "16", "-f", "json", NULL), 0,
               "\"warp\": 2", "");
    expect_run(run_program("trace", "padded", "--at-warp", "9", NULL), 0, "", "no access of block");
    expect_run(run_program("trace", "padded", "--at-block", "3,0", NULL), 2, "",
               "outside the grid of 3 x 4 x 1");
}

#define CUT "accesses, the --limit; what follows was not run."

static void a_trace_is_cut_at_its_limit_and_says_so(void **state)
{
    (void)state;
    const char *name = write_temporary("// block: 64\n// grid: 1\n__global__ void k(float *out)\n"
                                       "{ for (int i = 0; i < 1; i += 0) out[threadIdx.x] = 1.f; }\n");
    expect_run(run_program("trace", name, "--at-step", "700-900", "--limit", "1", NULL), 0,
               "step 700: block (0,0,0) warp 0", "");
    expect_run(run_program("trace", name, "--limit", "2", NULL), 0, "\ncut after 2 " CUT, "");
    struct run run = run_program("trace", name, "-f", "json", "--limit", "3", NULL);
    assert_int_equal(run.code, 0);
    assert_non_null(strstr(run.err, "lanescope: cut after 3 " CUT));
    assert_non_null(strstr(run.out, "\"step\": 2,"));
    assert_null(strstr(run.out, "\"step\": 3,"));
    assert_string_equal(run.out + strlen(run.out) - 4, "}\n]\n");
    run_free(&run);
    run = run_program("trace", name, "-f", "csv", NULL); /* the default */
    assert_non_null(strstr(run.err, "lanescope: cut after 10000 " CUT));
    assert_non_null(strstr(run.out, "\n9999,0,0,0,0,"));
    assert_null(strstr(run.out, "\n10000,"));
    run_free(&run);
    expect_run(run_program("trace", name, "--limit", "0", NULL), 1, "step 100:", "never ends");
    (void)remove(name);
    /* what fits exactly is not cut */
    run = run_program("trace", "naive", "-m", "2", "-n", "2", "-t", "2", "--limit", "2", NULL);
    assert_int_equal(run.code, 0);
    assert_null(strstr(run.out, "cut after"));
    run_free(&run);
    expect_run(run_program("trace", "naive", "--limit", "-1", NULL), 2, "",
               "--limit takes a whole number from 0");
}

static void owners_judge_and_print_small_matrices(void **state)
{
    (void)state;
    expect_run(run_program("owners", "padded", "-m", "5", "-n", "7", "-t", "3", NULL), 0,
               "     0,6     1,6     2,6     3,6     4,6\n", "");
    expect_run(run_program("owners", "padded", "-m", "5", "-n", "7", "-t", "3", NULL), 0,
               "correct: a transpose of 5 x 7 elements of 4 bytes, each of the 35 output cells has its own\n",
               "");
    expect_output(
        run_program("owners", "swizzled", "-m", "1000", "-n", "777", "-f", "csv", NULL), 0,
        "missing,wrong,disagreeing,written_twice,out_of_bounds_reads,out_of_bounds_writes,misaligned_lanes,"
        "unset_tile_reads,racing_lanes,clashing_lanes,unordered_cells,missed_barriers,computed_writes,elem_"
        "bytes,correct,device,rules,partial\n"
        "0,0,0,0,0,0,0,0,0,0,0,0,0,4,yes,sm_90,verified,no\n");
    expect_run(run_program("owners", "copy", "-m", "5", "-n", "7", NULL), 0, "correct: a copy of 5 x 7", "");
    expect_run(run_program("owners", "copy", "-m", "5", "-n", "7", "--task", "transpose", NULL), 1,
               "not correct", "");
    expect_run(run_program("owners", "naive", "-m", "5", "-n", "7", "--task", "copy", NULL), 1, "cells wrong",
               "");
    expect_run(
        run_program("owners", "tests/data/cases/c53_0.cu", "-m", "200", "-n", "100", "--block", "16x16",
                    "--grid", "7x13", NULL),
        1,
        "792 cells with writers that disagree, 908 lane reads out of bounds, 2504 lane writes out of bounds",
        "");
}

static void owners_csv_and_json_say_what_the_exit_code_says(void **state)
{
    (void)state;
    const char *name = "build/owners_test.cu";
    static const struct {
        const char *body, *csv, *note;
    } cases[] = {
        {"s[63 - t] = in[63 - t]; if (t < 32) { __syncthreads(); } out[t] = s[t];",
         "0,0,0,0,0,0,0,0,32,0,0,1,0,4,no,sm_90,verified,no\n",
         "note: warps that ended, all or some of their lanes, without reaching this barrier: 1; the"},
        {"s[t | 1] = in[t]; __syncthreads(); out[t] = in[t];",
         "0,0,0,0,0,0,0,0,0,64,0,0,0,4,no,sm_90,verified,no\n", "which of them stays is not defined"},
        {"int n = 65536 + t; n = n * n; out[t] = in[t];",
         "0,0,0,0,0,0,0,0,0,0,0,0,0,4,no,sm_90,verified,no\n", "overflow"},
        {"s[t ^ 1] = in[t ^ 1]; out[t] = s[t];", "0,0,0,0,0,0,0,0,0,0,64,0,0,4,yes,sm_90,verified,no\n",
         "note: 64 shared cells pass between lanes of one warp"},
        {"if (t < 32) s[0] = in[0]; out[t] = in[t];", "0,0,0,0,0,0,0,0,0,0,0,0,0,4,yes,sm_90,verified,no\n",
         "note: 32 lanes store the value"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        FILE *file = fopen(name, "w");
        assert_non_null(file);
        (void)fprintf(
            file,
            "// block: 64\n// grid: 1\n// task: copy\n__global__ void k(const float *in, float *out) {\n"
            "__shared__ float s[64]; int t = threadIdx.x; %s }\n",
            cases[i].body);
        assert_int_equal(fclose(file), 0);
        int code = strstr(cases[i].csv, ",no,sm_90") != NULL;
        expect_run(run_program("owners", name, "-m", "1", "-n", "64", "-f", "csv", NULL), code, cases[i].csv,
                   cases[i].note);
        expect_run(run_program("owners", name, "-m", "1", "-n", "64", "-f", "json", NULL), code,
                   code ? "\"elem_bytes\": 4, \"correct\": \"no\"" : "\"correct\": \"yes\"", cases[i].note);
        expect_run(run_program("owners", name, "-m", "1", "-n", "64", NULL), code,
                   code ? "not correct: as a copy of 1 x 64 elements of 4 bytes it leaves"
                        : "correct: a copy of 1 x 64",
                   cases[i].note);
    }
    (void)remove(name);
}

static void a_probe_answers_one_question(void **state)
{
    (void)state;
    expect_output(
        run_program("probe", "tx*P + ty", "--lane-bytes", "8", "--block", "32x32", "-D", "P=33", "-f", "csv",
                    NULL),
        0,
        "requests,wavefronts,ideal_wavefronts,conflicts,lines,sectors,misaligned_lanes,device,rules\n"
        "32,64,64,0,,,0,sm_90,verified\n");
    expect_output(
        run_program("probe", "tx*3 + 31", "--space", "global", "--device", "80", "-f", "csv", NULL), 0,
        "requests,wavefronts,ideal_wavefronts,conflicts,lines,sectors,misaligned_lanes,device,rules\n"
        "1,,,,4,13,0,sm_80,assumed\n");
    expect_output(run_program("probe", "lane * 32", "--active", "lane < 2", "-l", "-f", "csv", NULL), 0,
                  "warp,lane,byte,word,bank,sector,device,rules\n0,0,0,0,0,0,sm_90,verified\n"
                  "0,1,128,32,0,4,sm_90,verified\n");
    expect_run(run_program("probe", "lane", "-l", "-f", "json", NULL), 0, "\"lane\": 31, \"byte\": 124", "");
    expect_run(run_program("probe", "tx + 1", "--space", "global", NULL), 0,
               "warp  lanes  lines  sectors  ideal  bytes asked for\n   0     32      2        5", "");
    expect_run(run_program("probe", "threadIdx.x * 32", "--space", "global", "-f", "csv", NULL), 0,
               "1,,,,32,32,0,sm_90,verified\n", "");
    expect_run(run_program("probe", "lane", "--active", "lane < 16", "-l", NULL), 0, "   0    15", "");
    expect_run(run_program("probe", "tx", "--lane-bytes", "4", "--index-bytes", "2", NULL), 1, "",
               "16 lanes are misaligned");
    expect_run(run_program("probe", "bx * 64 + gdx", "--space", "global", "--block-idx", "3x1", "--grid",
                           "5x2", "-l", NULL),
               0, "788", "");
    expect_run(run_program("probe", "(int)threadIdx.x * 200000000", NULL), 1, "",
               "index:1:6: 32-bit arithmetic overflows");
    expect_run(run_program("probe", "tx - 1", NULL), 1, "", "1 lanes lie below the start");
    expect_run(run_program("probe", "tx +", NULL), 2, "",
               "index:1:5: the text ends where a value is expected\n    tx +\n        ^");
    expect_run(run_program("probe", "tx * q", NULL), 2, "", "index:1:6: q is not declared");
    expect_run(run_program("probe", "tx", "--active", "lane <", NULL), 2, "", "active:1:7");
    expect_run(run_program("probe", "tx", "-D", "9=3", NULL), 2, "", "NAME=VALUE");
    expect_run(run_program("probe", "tx", "--block-idx", "3", "--grid", "2", NULL), 2, "", "outside --grid");
    expect_run(run_program("probe", "1 / (tx - 3)", NULL), 2, "", "divides by zero");
}

static void the_lab_has_rows_for_programs(void **state)
{
    (void)state;
    expect_output(run_program("modular", "-m", "8", "-a", "6", "-f", "csv", NULL), 0,
                  "modulus,stride,period,k,residue\n8,6,4,0,0\n8,6,4,1,6\n8,6,4,2,4\n8,6,4,3,2\n");
    expect_run(run_program("modular", "-m", "1", "-f", "json", NULL), 0, "\"period\": 1, \"k\": 0", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ladder_is_a_stable_csv),
        cmocka_unit_test(counters_are_named_in_every_format),
        cmocka_unit_test(the_ladder_takes_sizes_devices_and_single_rungs),
        cmocka_unit_test(banks_tell_the_story_of_32_and_33),
        cmocka_unit_test(a_trace_shows_each_lane_and_filters),
        cmocka_unit_test(a_trace_is_cut_at_its_limit_and_says_so),
        cmocka_unit_test(owners_judge_and_print_small_matrices),
        cmocka_unit_test(owners_csv_and_json_say_what_the_exit_code_says),
        cmocka_unit_test(a_probe_answers_one_question),
        cmocka_unit_test(the_lab_has_rows_for_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
