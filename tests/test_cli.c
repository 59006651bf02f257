/* test_cli.c - the program as people and scripts use it: outputs, refusals, exit codes. */
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void expect(struct run run, int code, const char *out, const char *err)
{
    if (run.code != code || !strstr(run.out, out) || !strstr(run.err, err))
        fail_msg("expected %d '%s' '%s', got %d '%.2000s' '%.1000s'", code, out, err, run.code, run.out,
                 run.err);
    run_free(&run);
}

static void expect_all(struct run run, int code, const char *out)
{
    if (run.code != code || strcmp(run.out, out) != 0)
        fail_msg("expected %d\n%s\ngot %d\n%s\n%s", code, out, run.code, run.out, run.err);
    run_free(&run);
}

/* A text in a file of its own, which the test removes. */
static const char *write_temporary(const char *text)
{
    static char name[40];
    (void)snprintf(name, sizeof name, "/tmp/lanescope-test-XXXXXX");
    int descriptor = mkstemp(name);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    assert_non_null(file);
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return name;
}

static struct run run_shell(const char *line)
{
    char copy[1000];
    (void)setenv("LANESCOPE", "./lanescope", 0);
    (void)snprintf(copy, sizeof copy, "%s", line);
    char *arguments[] = {"/bin/sh", "-c", copy, NULL};
    return run_arguments(arguments);
}

#define LADDER_HEADER                                                                                        \
    "rung,rows,cols,tile,block_rows,pitch,elem_bytes,device,load_requests,load_lines,load_sectors,"          \
    "load_sectors_per_request,load_ideal_sectors,load_efficiency,store_requests,store_lines,store_sectors,"  \
    "store_sectors_per_request,store_ideal_sectors,store_efficiency,shared_load_instructions,"               \
    "shared_load_wavefronts,shared_load_ideal,shared_load_excess,shared_store_instructions,"                 \
    "shared_store_wavefronts,shared_store_ideal,shared_store_excess,shared_bytes,blocks_per_sm,"             \
    "warps_per_sm,occupancy_percent,occupancy_limit,rules\n"
#define END ",8,64,100.0,warps,verified\n"

static void the_ladder_is_a_stable_csv(void **state)
{
    (void)state;
    expect_all(run_program("ladder", "-f", "csv", NULL), 0,
               LADDER_HEADER
               "copy,100,70,32,8,,4,sm_90,300,498,1100,3.67,900,81.8,300,498,1100,3.67,900,81.8,"
               "0,0,0,0,0,0,0,0,0" END
               "naive,100,70,32,8,,4,sm_90,300,498,1100,3.67,900,81.8,300,7000,7000,23.33,900,12.9,"
               "0,0,0,0,0,0,0,0,0" END
               "naive-swap,100,70,32,8,,4,sm_90,280,7000,7000,25.00,910,13.0,280,463,1015,3.62,910,"
               "89.7,0,0,0,0,0,0,0,0,0" END
               "tiled,100,70,32,8,32,4,sm_90,300,498,1100,3.67,900,81.8,280,463,1015,3.62,910,89.7,"
               "280,7000,280,6720,300,300,300,0,4096" END
               "padded,100,70,32,8,33,4,sm_90,300,498,1100,3.67,900,81.8,280,463,1015,3.62,910,89.7,"
               "280,280,280,0,300,300,300,0,4224" END
               "swizzled,100,70,32,8,32,4,sm_90,300,498,1100,3.67,900,81.8,280,463,1015,3.62,910,89.7,"
               "280,280,280,0,300,300,300,0,4096" END);
}

static void counters_are_named_in_every_format(void **state)
{
    (void)state;
    expect(run_program("ladder", "--metrics", NULL), 0, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld", "");
    expect(run_program("ladder", "padded", "--metrics", "-f", "csv", NULL), 0,
           ",rules,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_"
           "ld.sum,",
           "");
    expect(run_program("ladder", "padded", "--metrics", "-f", "csv", NULL), 0,
           "verified,300,1100,280,1015,280,280,300,300,280,0,300,0\n", "");
    expect(run_program("ladder", "padded", "--metrics", "-f", "json", NULL), 0,
           "\"smsp__inst_executed_op_shared_ld.sum\": 280", "");
}

static void the_ladder_takes_sizes_devices_and_single_rungs(void **state)
{
    (void)state;
    expect(run_program("ladder", "padded", "-m", "64", "-n", "64", "-t", "16", "-b", "4", "-p", "17", "-e",
                       "8", "-f", "csv", NULL),
           0, "padded,64,64,16,4,17,8,sm_90,", "");
    expect(run_program("ladder", "tiled", "-t", "3", NULL), 0, "block 3 x 3", "");
    expect(run_program("ladder", "--device", "86", NULL), 0, "sm_86: rules assumed", "");
    expect(run_program("ladder", "--registers", "255", "-f", "csv", NULL), 0, ",registers,verified\n", "");
    expect(run_program("ladder", "copy", "-f", "json", NULL), 0, "\"pitch\": null", "");
}

static void banks_tell_the_story_of_32_and_33(void **state)
{
    (void)state;
    expect_all(run_program("banks", "--pitch", "32,33", "-f", "csv", NULL), 0,
               "pitch,access,elem_bytes,lanes,unique_banks,ways,wavefronts,ideal_wavefronts,conflicts,bank_"
               "list,device,rules\n"
               "32,row write,4,32,32,1,1,1,0,0-31,sm_90,verified\n"
               "32,column read,4,32,1,32,32,1,31,0,sm_90,verified\n"
               "33,row write,4,32,32,1,1,1,0,0-31,sm_90,verified\n"
               "33,column read,4,32,32,1,1,1,0,0-31,sm_90,verified\n");
    /* a 16 x 17 tile under a 16 x 16 block is 2-way on both sides: pad by one is no cure there */
    expect(run_program("banks", "-t", "16", "-b", "16", "-p", "17", "-f", "csv", NULL), 0,
           "17,row write,4,32,31,2,2,1,1,0-15 17-31,sm_90,verified\n17,column read,4,32,31,2,2,1,1,", "");
    expect(run_program("banks", "-l", "-p", "33", NULL), 0, "  31  31   0   31    0  4,092  1,023    31", "");
    expect(run_program("banks", "-l", "-f", "csv", NULL), 0, "pitch,access,lane,thread_x,thread_y,tile_row,",
           "");
    expect(run_program("banks", "-t", "64", "-b", "32", NULL), 2, "", "1024");
}

static void a_trace_shows_each_lane_and_filters(void **state)
{
    (void)state;
    expect(
        run_program("trace", "tiled", "-m", "5", "-n", "7", "-t", "3", "-b", "3", "--at-block", "2,1", NULL),
        0,
        "step 3: block (2,1,0) warp 0, site 3, line 43: store out[(size_t)oy * rows + ox]\n"
        "    2 of 32 lanes, 4 bytes each: 1 sector, ideal 1\n"
        "    lane  0  thread (0,0,0)  element (6,3)  byte 132  sector 4\n"
        "    lane  1  thread (1,0,0)  element (6,4)  byte 136  sector 4\n"
        "    lane  2  thread (2,0,0)  inactive\n",
        "");
    expect_all(
        run_program("trace", "naive", "-m", "2", "-n", "2", "-t", "2", "-f", "csv", "--at-site", "1", NULL),
        0,
        "step,block_x,block_y,block_z,warp,site,line,visit,op,space,buffer,lane_bytes,lane,thread_x,thread_y,"
        "thread_z,active,row,col,byte,sector,word,bank,fault,device,rules\n"
        "1,0,0,0,0,1,28,0,store,global,out,4,0,0,0,0,1,0,0,0,0,0,,,sm_90,verified\n"
        "1,0,0,0,0,1,28,0,store,global,out,4,1,1,0,0,1,1,0,8,0,2,,,sm_90,verified\n"
        "1,0,0,0,0,1,28,0,store,global,out,4,2,0,1,0,1,0,1,4,0,1,,,sm_90,verified\n"
        "1,0,0,0,0,1,28,0,store,global,out,4,3,1,1,0,1,1,1,12,0,3,,,sm_90,verified\n");
    expect(run_program("trace", "padded", "--at-warp", "2-3", "--at-step", "16", "-f", "json", NULL), 0,
           "\"warp\": 2", "");
    expect(run_program("trace", "padded", "--at-warp", "9", NULL), 0, "", "no access of block");
    expect(run_program("trace", "padded", "--at-block", "3,0", NULL), 2, "", "outside the grid of 3 x 4 x 1");
}

static void owners_csv_and_json_say_what_the_exit_code_says(void **state)
{
    (void)state;
    const char *name = "build/owners_test.cu";
    static const struct {
        const char *body, *csv, *note;
    } cases[] = {
        {"s[63 - t] = in[63 - t]; if (t < 32) { __syncthreads(); } out[t] = s[t];",
         "0,0,0,0,0,0,0,0,32,0,0,1,0,4,no,sm_90,verified\n",
         "note: warps that ended without reaching this barrier: 1; the"},
        {"s[t | 1] = in[t]; __syncthreads(); out[t] = in[t];",
         "0,0,0,0,0,0,0,0,0,64,0,0,0,4,no,sm_90,verified\n", "which of them stays is not defined"},
        {"int n = 65536 + t; n = n * n; out[t] = in[t];", "0,0,0,0,0,0,0,0,0,0,0,0,0,4,no,sm_90,verified\n",
         "overflow"},
        {"s[t ^ 1] = in[t ^ 1]; out[t] = s[t];", "0,0,0,0,0,0,0,0,0,0,64,0,0,4,yes,sm_90,verified\n",
         "note: 64 shared cells pass between lanes of one warp"},
        {"if (t < 32) s[0] = in[0]; out[t] = in[t];", "0,0,0,0,0,0,0,0,0,0,0,0,0,4,yes,sm_90,verified\n",
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
        int code = strstr(cases[i].csv, "no") != NULL;
        expect(run_program("owners", name, "-m", "1", "-n", "64", "-f", "csv", NULL), code, cases[i].csv,
               cases[i].note);
        expect(run_program("owners", name, "-m", "1", "-n", "64", "-f", "json", NULL), code,
               code ? "\"elem_bytes\": 4, \"correct\": \"no\"" : "\"correct\": \"yes\"", cases[i].note);
        expect(run_program("owners", name, "-m", "1", "-n", "64", NULL), code,
               code ? "not correct: as a copy of 1 x 64 elements of 4 bytes it leaves"
                    : "correct: a copy of 1 x 64",
               cases[i].note);
    }
    (void)remove(name);
}

#define CUT "accesses, the --limit; what follows was not run."

static void a_trace_is_cut_at_its_limit_and_says_so(void **state)
{
    (void)state;
    const char *name = write_temporary("// block: 64\n// grid: 1\n__global__ void k(float *out)\n"
                                       "{ for (int i = 0; i < 1; i += 0) out[threadIdx.x] = 1.f; }\n");
    expect(run_program("trace", name, "--at-step", "700-900", "--limit", "1", NULL), 0,
           "step 700: block (0,0,0) warp 0", "");
    expect(run_program("trace", name, "--limit", "2", NULL), 0, "\ncut after 2 " CUT, "");
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
    expect(run_program("trace", name, "--limit", "0", NULL), 1, "step 100:", "never ends");
    (void)remove(name);
    /* what fits exactly is not cut */
    run = run_program("trace", "naive", "-m", "2", "-n", "2", "-t", "2", "--limit", "2", NULL);
    assert_int_equal(run.code, 0);
    assert_null(strstr(run.out, "cut after"));
    run_free(&run);
    expect(run_program("trace", "naive", "--limit", "-1", NULL), 2, "",
           "--limit takes a whole number from 0");
}

static void owners_judge_and_print_small_matrices(void **state)
{
    (void)state;
    expect(run_program("owners", "padded", "-m", "5", "-n", "7", "-t", "3", NULL), 0,
           "     0,6     1,6     2,6     3,6     4,6\n", "");
    expect(run_program("owners", "padded", "-m", "5", "-n", "7", "-t", "3", NULL), 0,
           "correct: a transpose of 5 x 7 elements of 4 bytes, each of the 35 output cells has its own\n",
           "");
    expect_all(
        run_program("owners", "swizzled", "-m", "1000", "-n", "777", "-f", "csv", NULL), 0,
        "missing,wrong,disagreeing,written_twice,out_of_bounds_reads,out_of_bounds_writes,misaligned_lanes,"
        "unset_tile_reads,racing_lanes,clashing_lanes,unordered_cells,missed_barriers,computed_writes,elem_"
        "bytes,correct,device,rules\n"
        "0,0,0,0,0,0,0,0,0,0,0,0,0,4,yes,sm_90,verified\n");
    expect(run_program("owners", "copy", "-m", "5", "-n", "7", NULL), 0, "correct: a copy of 5 x 7", "");
    expect(run_program("owners", "copy", "-m", "5", "-n", "7", "--task", "transpose", NULL), 1, "not correct",
           "");
    expect(run_program("owners", "naive", "-m", "5", "-n", "7", "--task", "copy", NULL), 1, "cells wrong",
           "");
    expect(
        run_program("owners", "tests/data/cases/c53_0.cu", "-m", "200", "-n", "100", "--block", "16x16",
                    "--grid", "7x13", NULL),
        1,
        "792 cells with writers that disagree, 908 lane reads out of bounds, 2504 lane writes out of bounds",
        "");
}

static void a_probe_answers_one_question(void **state)
{
    (void)state;
    expect_all(run_program("probe", "tx*P + ty", "--lane-bytes", "8", "--block", "32x32", "-D", "P=33", "-f",
                           "csv", NULL),
               0,
               "requests,wavefronts,ideal_wavefronts,conflicts,lines,sectors,misaligned_lanes,device,rules\n"
               "32,64,64,0,,,0,sm_90,verified\n");
    expect_all(run_program("probe", "tx*3 + 31", "--space", "global", "--device", "80", "-f", "csv", NULL), 0,
               "requests,wavefronts,ideal_wavefronts,conflicts,lines,sectors,misaligned_lanes,device,rules\n"
               "1,,,,4,13,0,sm_80,assumed\n");
    expect_all(run_program("probe", "lane * 32", "--active", "lane < 2", "-l", "-f", "csv", NULL), 0,
               "warp,lane,byte,word,bank,sector,device,rules\n0,0,0,0,0,0,sm_90,verified\n"
               "0,1,128,32,0,4,sm_90,verified\n");
    expect(run_program("probe", "lane", "-l", "-f", "json", NULL), 0, "\"lane\": 31, \"byte\": 124", "");
    expect(run_program("probe", "tx + 1", "--space", "global", NULL), 0,
           "warp  lanes  lines  sectors  ideal  bytes asked for\n   0     32      2        5", "");
    expect(run_program("probe", "threadIdx.x * 32", "--space", "global", "-f", "csv", NULL), 0,
           "1,,,,32,32,0,sm_90,verified\n", "");
    expect(run_program("probe", "lane", "--active", "lane < 16", "-l", NULL), 0, "   0    15", "");
    expect(run_program("probe", "tx", "--lane-bytes", "4", "--index-bytes", "2", NULL), 1, "",
           "16 lanes are misaligned");
    expect(run_program("probe", "bx * 64 + gdx", "--space", "global", "--block-idx", "3x1", "--grid", "5x2",
                       "-l", NULL),
           0, "788", "");
    expect(run_program("probe", "(int)threadIdx.x * 200000000", NULL), 1, "",
           "index:1:6: 32-bit arithmetic overflows");
    expect(run_program("probe", "tx - 1", NULL), 1, "", "1 lanes lie below the start");
    expect(run_program("probe", "tx +", NULL), 2, "",
           "index:1:5: the text ends where a value is expected\n    tx +\n        ^");
    expect(run_program("probe", "tx * q", NULL), 2, "", "index:1:6: q is not declared");
    expect(run_program("probe", "tx", "--active", "lane <", NULL), 2, "", "active:1:7");
    expect(run_program("probe", "tx", "-D", "9=3", NULL), 2, "", "NAME=VALUE");
    expect(run_program("probe", "tx", "--block-idx", "3", "--grid", "2", NULL), 2, "", "outside --grid");
    expect(run_program("probe", "1 / (tx - 3)", NULL), 2, "", "divides by zero");
}

static void wrong_command_lines_are_refused_with_a_hint(void **state)
{
    (void)state;
    static const struct {
        const char *a[8];
        const char *err;
    } wrong[] = {
        {{"frobnicate"}, "no command frobnicate"},
        {{"ladder", "--frobnicate"}, "--frobnicate is no option of lanescope ladder"},
        {{"ladder", "-z"}, "-z is no option"},
        {{"probe", "-tx"}, "put -- before an operand"},
        {{"ladder", "-p", "32,33"}, "the ladder takes one pitch"},
        {{"ladder", "-m"}, "-m needs a value"},
        {{"ladder", "-m", "-5"}, "--rows takes a whole number from 1 to 2147483647, not '-5'"},
        {{"ladder", "-m", "12x"}, "not '12x'"},
        {{"ladder", "-m", "99999999999999999999"}, "--rows takes"},
        {{"ladder", "-e", "3"}, "1, 2, 4, 8 or 16"},
        {{"ladder", "-f", "xml"}, "text|csv|json, not 'xml'"},
        {{"ladder", "--device", "sm_20"}, "sm_90"},
        {{"ladder", "nothing"}, "no rung nothing"},
        {{"ladder", "a", "b"}, "usage: lanescope ladder"},
        {{"trace"}, "usage: lanescope trace RUNG|FILE.cu"},
        {{"banks", "--pitch", "32,"}, "after each comma"},
        {{"banks", "--pitch", "33", "--rows", "3"}, "no option of lanescope banks"},
        {{"trace", "padded", "--at-warp", "5-2"}, "a number, or two"},
        {{"probe", "tx", "--block", "32x"}, "32x8"},
        {{"probe", "tx", "--block", "1024x1024"}, "at most 1024 threads"},
        {{"ladder", "tiled", "-m", "2147483647", "-n", "2147483647", "-e", "16"}, "64 TiB"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *program = getenv("LANESCOPE");
        char *a[10] = {(char *)(uintptr_t)(program ? program : "./lanescope")};
        for (int k = 0; k < 8; k++)
            a[k + 1] = (char *)(uintptr_t)wrong[i].a[k];
        expect(run_arguments(a), 2, "", wrong[i].err);
    }
}

static void help_names_every_command_and_option(void **state)
{
    (void)state;
    static const char *const names[] = {"ladder", "banks", "trace", "owners", "probe", "compare"};
    struct run run = run_program("--help", NULL);
    for (size_t i = 0; i < 6; i++)
        assert_non_null(strstr(run.out, names[i]));
    run_free(&run);
    for (size_t i = 0; i < 6; i++) {
        expect(run_program(names[i], "--help", NULL), 0, "usage: lanescope ", "");
        expect(run_program("help", names[i], NULL), 0, "--output FILE", "");
    }
    static const char *const tables[] = {"ladder", "banks",   "trace",   "owners",
                                         "probe",  "compare", "confirm", "modular"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        expect(run_program(tables[i], "--help", NULL), 0, "-f, --format text|csv|json", "");
        expect(run_program(tables[i], "--help", NULL), 0, "Exit codes: 0 fine; 1 the answer is no", "");
    }
    expect(run_program("--help", NULL), 0, "Exit codes: 0 fine; 1 the answer is no", "");
    expect(run_program("trace", "--help", NULL), 0, "0 for all (default 10000)", "");
    expect(run_program("ladder", "-h", NULL), 0, "-m, --rows N", "");
    expect(run_program("--version", NULL), 0, "lanescope ", "");
}

static void trouble_exits_2(void **state)
{
    (void)state;
    expect(run_program("ladder", "missing.cu", NULL), 2, "", "missing.cu cannot be read");
    expect(run_program("ladder", "tests/", NULL), 2, "", "cannot be read");
    expect(run_program("compare", "missing.csv", NULL), 2, "", "cannot be read");
    expect(run_program("confirm", "--configs", "missing.csv", NULL), 2, "", "cannot be read");
    expect(run_program("ladder", "-o", "/nonexistent/file", NULL), 2, "", "cannot be written");
    expect(run_program("ladder", "-o", "tests", NULL), 2, "", "tests cannot be written: Is a directory");
    if (access("/dev/full", W_OK) == 0) {
        expect(run_program("ladder", "-o", "/dev/full", NULL), 2, "", "failed: No space left");
        expect(run_program("trace", "padded", "-o", "/dev/full", NULL), 2, "", "failed: No space left");
    }
    expect(run_shell("$LANESCOPE ladder >&-"), 2, "", "writing to the standard output failed");
    expect(run_shell("{ $LANESCOPE trace padded; echo $? >&2; } | :"), 0, "", "failed: Broken pipe\n2\n");
}

static void a_faulty_kernel_exits_1_and_an_unsupported_one_2(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        int code;
        const char *err;
    } kernels[] = {
        {"if (threadIdx.x < 3) __syncthreads(); out[0] = 1.f;", 1, "reached by only some lanes"},
        {"if (threadIdx.x < 32) __syncthreads(); else { out[1] = 2.f; __syncthreads(); } out[0] = 1.f;", 1,
         "wait at another one"},
        {"for (int i = 0; i < 9; i += 0) out[0] = 1.f;", 1, "does not end within the budget"},
        {"out[(int)out[0]] = 1.f;", 2, "depends on loaded data"},
        {"asm(\"nop\");", 2, ""},
    };
    static const char *const commands[] = {"ladder", "trace", "owners"};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        char text[400];
        (void)snprintf(
            text, sizeof text,
            "// block: 64\n// grid: 1\n__global__ void k(const float *in, float *out)\n{ %s %s }\n",
            "float v = in[threadIdx.x]; out[threadIdx.x] = v;", kernels[i].body);
        const char *name = write_temporary(text);
        for (size_t k = 0; k < 3; k++)
            expect(run_program(commands[k], name, "--budget", "20000", "-o", "/dev/null", NULL),
                   kernels[i].code, "", kernels[i].err);
        (void)remove(name);
    }
}

static void a_file_brings_its_launch_or_is_told_how(void **state)
{
    (void)state;
    const char *path = "tests/data/cases/c57_0.cu";
    expect(run_program("ladder", path, NULL), 2, "",
           "c57_0.cu does not say its block; write a comment line `// block: 32, 8` at its top; or give it "
           "with --block 32x8");
    expect(run_program("ladder", path, "--block", "32", NULL), 2, "",
           " at its top; or give it with --grid 3x4");
    expect(run_program("ladder", path, "--block", "32", "--grid", "2x2", "-m", "64", "-n", "64", "-f", "csv",
                       NULL),
           0, "c57_0.cu,64,64,,,,4,sm_90,128,128,512,", "");
    expect(run_program("ladder", path, "--kernel", "c57_0", "--block", "32", "--grid", "2x2", "-m", "64",
                       "-n", "64", "-f", "csv", NULL),
           0, "c57_0.cu:c57_0,64,64,", "");
    expect(run_program("ladder", path, "--block", "32", "--grid", "3x2", "-m", "64", "-n", "64", NULL), 1, "",
           "out of bounds");
}

static void includes_are_passed_over_and_that_is_said(void **state)
{
    (void)state;
    char name[] = "/tmp/lanescope-test-XXXXXX";
    int descriptor = mkstemp(name);
    FILE *file = fdopen(descriptor, "w");
    (void)fputs("// block: 32\n// grid: 1\n#include <cstdio>\n#include \"x.h\"\n"
                "__global__ void k(float *out) { out[threadIdx.x] = 1.0f; }\nint main() { return 0; }\n",
                file);
    (void)fclose(file);
    expect(run_program("ladder", name, NULL), 0, "", "2 #include lines were passed over");
    (void)remove(name);
}

#define LAUNCH "// block: 32\n// grid: 1\n"

static void what_owners_cannot_judge_it_says(void **state)
{
    (void)state;
    const char *name = write_temporary(LAUNCH "__global__ void k(float *a, int rows, int cols) {\n"
                                              "    a[threadIdx.x] = a[31 - threadIdx.x];\n}\n");
    expect(run_program("owners", name, "-m", "4", "-n", "8", NULL), 2, "",
           ":4:22: the kernel also writes the buffer");
    (void)remove(name);
    name = write_temporary(
        LAUNCH
        "__global__ void k(const float *in, float *out) { out[threadIdx.x] = 2.0f * in[threadIdx.x]; }\n");
    expect(run_program("owners", name, "-m", "1", "-n", "32", NULL), 1, "32 cells wrong",
           "32 values written are results of arithmetic, which is not followed");
    (void)remove(name);
    name = write_temporary(LAUNCH "__global__ void k(int *flag, const float *a, const float *b, float *c) {\n"
                                  "    flag[0] = 1; c[threadIdx.x] = b[threadIdx.x] ; }\n");
    expect(run_program("owners", name, "-m", "1", "-n", "32", "--in", "b", "--out", "c", NULL), 0,
           "judged: b is the input, c the output", "");
    expect(run_program("owners", name, "-m", "1", "-n", "32", "--in", "d", NULL), 2, "",
           "d: the kernel has no pointer parameter of that name; name one with --in");
    (void)remove(name);
}

static void a_licence_may_stand_before_the_headnote(void **state)
{
    (void)state;
    const char *name =
        write_temporary("/* a licence\n   of two lines */\n\n" LAUNCH
                        "__global__ void k(float *out, int height) { out[threadIdx.x] = 1.f; }\n");
    expect(run_program("ladder", name, NULL), 2, "",
           "the parameter height has no value: a number, rows, cols or a formula of them; give it with --arg "
           "NAME=FORMULA");
    expect(run_program("ladder", name, "--arg", "height=rows", NULL), 0, "block 32 x 1", "");
    (void)remove(name);
}

static void a_file_must_use_what_it_is_given(void **state)
{
    (void)state;
    const char *name = write_temporary("// block: TILE\n// grid: 1\n#define PITCH 4\n"
                                       "__global__ void k(float *out) { out[threadIdx.x + PITCH] = 1.f; }\n");
    expect(run_program("ladder", name, "-t", "16", NULL), 0, "block 16 x 1", "");
    expect(run_program("ladder", name, "-t", "16", "-b", "4", NULL), 2, "",
           "does not use BLOCK_ROWS, so a value for it would change nothing; leave out --block-rows");
    expect(run_program("ladder", name, "-t", "16", "-p", "17", NULL), 2, "",
           "would change nothing; leave out --pitch");
    (void)remove(name);
}

static void an_option_and_its_macro_must_agree(void **state)
{
    (void)state;
    static const struct {
        const char *a[4];
        int code;
        const char *out, *err;
    } cases[] = {
        {{"-D", "TILE=16", "-t", "32"},
         2,
         "",
         "-D TILE=16 contradicts the 32 given for TILE; leave out --tile"},
        {{"-D", "TILE=8*4", "-t", "32"},
         2,
         "",
         "leave out --tile"}, /* (n + TILE - 1) / TILE would be another number */
        {{"-D", "PITCH=40", "-p", "33"}, 2, "", "leave out --pitch"},
        {{"-D", "BLOCK_ROWS=4", "-b", "8"}, 2, "", "leave out --block-rows"},
        {{"-D", "ELEM=double", "-e", "4"}, 2, "", "leave out --elem"},
        {{"-D", "ELEM=double", "-e", "8"}, 0, "8-byte elements", ""},
        {{"-D", "TILE=0x10", "-t", "16"}, 0, "block 16 x 8", ""},
        {{"-D", "TILES=3", "-t", "16"}, 0, "block 16 x 8", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const *a = cases[i].a;
        expect(run_program("ladder", "padded", a[0], a[1], a[2], a[3], NULL), cases[i].code, cases[i].out,
               cases[i].err);
        expect(run_program("ladder", a[2], a[3], a[0], a[1], NULL), cases[i].code, cases[i].out,
               cases[i].err);
    }
}

static void a_problem_names_the_option_that_helps(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *option, *value, *err;
    } cases[] = {
        {"(float *out) { extern __shared__ float s[]; out[0] = s[0]; }", "--shared", "0",
         "lanescope: the kernel uses extern __shared__ memory, and the launch has none; say how many bytes "
         "with --shared\n"},
        {"(float *out) { for (;;) out[0] = 1.f; }", "--budget", "9",
         " steps; if it does end, allow more with --budget\n    "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        (void)snprintf(text, sizeof text, LAUNCH "__global__ void k%s\n", cases[i].kernel);
        const char *name = write_temporary(text);
        expect(run_program("ladder", name, cases[i].option, cases[i].value, NULL), i ? 1 : 2, "",
               cases[i].err);
        (void)remove(name);
    }
}

static void overloads_are_told_apart_by_line(void **state)
{
    (void)state;
    const char *name = write_temporary(LAUNCH "__global__ void k(float *out) { out[threadIdx.x] = 1.f; }\n"
                                              "__global__ void k(double *out) { out[threadIdx.x] = 1.; }\n"
                                              "__global__ void other(char *out) { out[threadIdx.x] = 1; }\n");
    expect(run_program("ladder", name, NULL), 2, "",
           "has several kernels: k:3, k:4, other; choose one with --kernel\n");
    expect(run_program("ladder", name, "--kernel", "k", NULL), 2, "",
           "has 2 kernels named k; choose one by its line: k:3, k:4\n");
    expect(run_program("ladder", name, "--kernel", "k:3", NULL), 0, "4-byte elements", "");
    expect(run_program("trace", name, "--kernel", "k:4", NULL), 0, "8 bytes each", "");
    expect(run_program("ladder", name, "--kernel", "other", NULL), 0, "1-byte elements", "");
    expect(run_program("ladder", name, "--kernel", "k:5", NULL), 2, "",
           "no kernel named k:5; it has: k:3, k:4, other");
    (void)remove(name);
}

static void the_lab_has_rows_for_programs(void **state)
{
    (void)state;
    expect_all(run_program("modular", "-m", "8", "-a", "6", "-f", "csv", NULL), 0,
               "modulus,stride,period,k,residue\n8,6,4,0,0\n8,6,4,1,6\n8,6,4,2,4\n8,6,4,3,2\n");
    expect(run_program("modular", "-m", "1", "-f", "json", NULL), 0, "\"period\": 1, \"k\": 0", "");
}

static void overflow_is_reported_with_its_line(void **state)
{
    (void)state;
    char name[] = "/tmp/lanescope-test-XXXXXX";
    int descriptor = mkstemp(name);
    FILE *file = fdopen(descriptor, "w");
    (void)fputs("// block: 32\n// grid: 1\n// arg: n = 70000\n__global__ void k(float *out, int n) {\n"
                "    out[(size_t)(unsigned)(n * n)] = 1.0f;\n}\n",
                file);
    (void)fclose(file);
    expect(run_program("ladder", name, "-m", "70000", "-n", "70000", NULL), 1, "",
           ":5:27: 32-bit arithmetic overflows here");
    (void)remove(name);
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
        cmocka_unit_test(wrong_command_lines_are_refused_with_a_hint),
        cmocka_unit_test(help_names_every_command_and_option),
        cmocka_unit_test(trouble_exits_2),
        cmocka_unit_test(a_faulty_kernel_exits_1_and_an_unsupported_one_2),
        cmocka_unit_test(a_file_brings_its_launch_or_is_told_how),
        cmocka_unit_test(includes_are_passed_over_and_that_is_said),
        cmocka_unit_test(what_owners_cannot_judge_it_says),
        cmocka_unit_test(a_licence_may_stand_before_the_headnote),
        cmocka_unit_test(a_file_must_use_what_it_is_given),
        cmocka_unit_test(an_option_and_its_macro_must_agree),
        cmocka_unit_test(a_problem_names_the_option_that_helps),
        cmocka_unit_test(overloads_are_told_apart_by_line),
        cmocka_unit_test(the_lab_has_rows_for_programs),
        cmocka_unit_test(overflow_is_reported_with_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
