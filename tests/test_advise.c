/* test_advise.c - advice: the known answers, each change applied to the text again, and what is no advice. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* Sixteen bytes at a time down the rows of a tile that is 128 bytes wide. */
static const char vectors[] =
    "// block: 32\n// grid: rows / 32\n// task: copy\n"
    "__global__ void v4(const float *in, float *out, int rows, int cols)\n{\n"
    "    __shared__ float s[32][32];\n    int t = threadIdx.x;\n"
    "    for (int c = 0; c < 8; c++)\n"
    "        *reinterpret_cast<float4 *>(&s[t / 8 + c * 4][t % 8 * 4]) =\n"
    "            reinterpret_cast<const float4 *>(in)[blockIdx.x * 256 + c * 32 + t];\n"
    "    __syncthreads();\n"
    "    for (int c = 0; c < 8; c++) {\n"
    "        float4 v = *reinterpret_cast<float4 *>(&s[t][c * 4]);\n"
    "        reinterpret_cast<float4 *>(out)[blockIdx.x * 256 + t * 8 + c] = v;\n    }\n}\n";

/* Elements of two bytes, read as words of four. */
static const char words[] =
    "// block: 32\n// grid: 4\n__global__ void h2(const short *in, short *out, int rows, int cols)\n{\n"
    "    __shared__ short s[64][64];\n    int t = threadIdx.x;\n"
    "    for (int r = 0; r < 64; r++)\n"
    "        *(short2 *)&s[r][t * 2] = ((const short2 *)in)[(blockIdx.x * 64 + r) * 32 + t];\n"
    "    __syncthreads();\n"
    "    for (int c = 0; c < 32; c++) {\n"
    "        ((short2 *)out)[(blockIdx.x * 32 + c) * 64 + t] = *(const short2 *)&s[t][c * 2];\n"
    "        ((short2 *)out)[(blockIdx.x * 32 + c) * 64 + 32 + t] = *(const short2 *)&s[t + 32][c * 2];\n"
    "    }\n}\n";

static void no_pitch_cleans_16_by_16_and_column_xor_row_does(void **state)
{
    (void)state;
    struct run run = run_program("advise", "-t", "16", "-b", "16", "-e", "4", NULL);
    assert_int_equal(run.code, 0);
    assert_non_null(strstr(run.out,
                           "pads: 32 tried, 1 to 32 elements more a row: each that there is modulo the 128 "
                           "bytes of the banks; none is free of excess\n"));
    assert_non_null(
        strstr(run.out, "swizzles: 46 tried, 2 free of excess: Swizzle<4,2,4>, Swizzle<3,3,4>\n"));
    assert_non_null(strstr(run.out, "the simplest: Swizzle<4,2,4> on byte offsets from its beginning, "
                                    "Swizzle<4,0,4> on elements\n    as C: byte ^ (byte >> 4 & 0x3c)\n"
                                    "    excess 1505 -> 0, shared bytes 1024 -> 1024, warps/SM 64 -> 64\n"));
    assert_non_null(strstr(run.out, "+            tile[j][threadIdx.x ^ j] = in[(size_t)y * cols + x];\n"));
    assert_non_null(strstr(run.out, "= tile[threadIdx.x][j ^ threadIdx.x];\n"));
    run_free(&run);
}

static void sixteen_bytes_down_a_row_of_128_want_3_4_3(void **state)
{
    (void)state;
    expect_run(
        run_program("advise", write_temporary(vectors), "-m", "64", "-n", "32", NULL), 0,
        " free of excess: Swizzle<3,4,3>\n"
        "  the simplest: Swizzle<3,4,3> on byte offsets from its beginning, Swizzle<3,2,3> on elements\n"
        "    as C: byte ^ (byte >> 3 & 0x70)\n",
        "");
    expect_run(run_program("advise", write_temporary(vectors), "-m", "64", "-n", "32", NULL), 0,
               "vector accesses fit as before, up to 16 bytes\n", "");
    /* an odd pad frees the banks and splits the vectors: it is none */
    expect_run(run_program("advise", write_temporary(vectors), "-m", "64", "-n", "32", NULL), 0,
               "4 free of excess: 4, 12, 20, 28\n", "");
}

static void pads_of_narrow_elements_keep_words_whole(void **state)
{
    (void)state;
    expect_run(run_program("advise", write_temporary(words), "-m", "256", "-n", "64", NULL), 0,
               "pads: 64 tried, 1 to 64 elements more a row: each that there is modulo the 128 bytes of the "
               "banks; 16 free of excess: 2, 6, 10, 14, 18, 22, 26, 30, 34, 38, 42, 46, 50, 54, 58, 62\n"
               "  the smallest: 2 elements\n",
               "");
}

/* Where what is stored is a result of arithmetic, only the misaligned lanes tell that a pad splits words. */
static void a_pad_that_splits_words_is_not_the_same(void **state)
{
    (void)state;
    static const char sums[] =
        "// block: 32\n// grid: 4\n__global__ void h2(const short *in, short *out, int rows, int cols)\n{\n"
        "    __shared__ short s[64][64];\n    int t = threadIdx.x;\n"
        "    for (int r = 0; r < 64; r++)\n"
        "        *(short2 *)&s[r][t * 2] = ((const short2 *)in)[(blockIdx.x * 64 + r) * 32 + t];\n"
        "    __syncthreads();\n"
        "    for (int c = 0; c < 32; c++) {\n"
        "        short2 v = *(const short2 *)&s[t][c * 2];\n"
        "        out[(blockIdx.x * 32 + c) * 64 + t] = v.x + v.y;\n    }\n}\n";
    struct run run = run_program("advise", write_temporary(sums), "-m", "256", "-n", "64", "-f", "csv", NULL);
    const char *pad = strstr(run.out, ",s,pad,1,");
    assert_non_null(pad);
    assert_memory_equal(strstr(pad, ",,,,"), ",,,,no,no,no,2,", strlen(",,,,no,no,no,2,"));
    assert_non_null(strstr(run.out, ",0,yes,yes,yes,4,"));
    run_free(&run);
}

/* The field of csv that follows `before` at the beginning of a line. */
static bool row_says(const char *csv, const char *before, const char *column, const char *value)
{
    const char *line = strstr(csv, before), *name = csv;
    if (!line)
        return false;
    while (strncmp(name, column, strlen(column)) != 0 || name[strlen(column)] != ',') {
        name += strcspn(name, ",") + 1;
        line += *line == '"' ? strcspn(line + 1, "\"") + 1 : 0;
        line += strcspn(line, ",") + 1;
    }
    return strncmp(line, value, strlen(value)) == 0 &&
           (line[strlen(value)] == ',' || line[strlen(value)] == '\n');
}

/* Every pad's verdict is that of the ladder with that pitch. */
static void pads_are_free_where_the_ladder_has_no_excess(void **state)
{
    (void)state;
    static const char *const cases[][3] = {{"16", "8", "4"}, {"32", "8", "4"},  {"8", "8", "8"},
                                           {"20", "5", "2"}, {"16", "4", "16"}, {"33", "3", "1"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const *c = cases[i];
        struct run advice = run_program("advise", "-t", c[0], "-b", c[1], "-e", c[2], "-f", "csv", NULL);
        char axis[40];
        unsigned period = 128 / (unsigned)atoi(c[2]), tile = (unsigned)atoi(c[0]), checked = 0;
        (void)snprintf(axis, sizeof axis, "PITCH=%u:%u", tile + 1, tile + period);
        struct run sweep = run_program("sweep", "tiled", "-t", c[0], "-b", c[1], "-e", c[2], "--sweep", axis,
                                       "-f", "csv", NULL);
        assert_int_equal(advice.code, 0);
        for (unsigned pad = 1; pad <= period && strstr(advice.out, ",pad,"); pad++, checked++) {
            char before[40], row[60];
            (void)snprintf(before, sizeof before, "\ntiled,tile,pad,%u,", pad);
            (void)snprintf(row, sizeof row, "\ntiled,100,70,%s,%s,%u,%s,", c[0], c[1], tile + pad, c[2]);
            bool is_free = row_says(advice.out, before, "free", "yes");
            assert_non_null(strstr(sweep.out, row));
            if (is_free != row_says(sweep.out, row, "excess", "0"))
                fail_msg("tile %s, block rows %s, %s bytes, pad %u", c[0], c[1], c[2], pad);
            assert_true(row_says(advice.out, before, "same", "yes"));
        }
        assert_true(checked == period || row_says(advice.out, "\ntiled,tile,none,,", "excess", "0"));
        run_free(&advice);
        run_free(&sweep);
    }
}

/* The last diff of the advice, applied by patch: the text is free of excess and does what it did. */
static void expect_applied(const char *text, const char *options, const char *audit, const char *which)
{
    char line[1200];
    FILE *file = fopen("build/advise.cu", "w");
    assert_non_null(file);
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
    (void)snprintf(
        line, sizeof line,
        "\"$LANESCOPE\" advise build/advise.cu %s | sed -n '/^%s: /,/^$/p' >build/advise.diff && "
        "cp build/advise.cu build/advised.cu && patch -s -p0 build/advised.cu build/advise.diff && "
        "\"$LANESCOPE\" advise build/advised.cu %s && \"$LANESCOPE\" owners build/advised.cu %s %s",
        options, which, options, options, audit);
    struct run run = run_shell(line);
    if (!strstr(run.out, "free of excess: nothing to change") || run.code != 0 ||
        !strstr(run.out, "\ncorrect: "))
        fail_msg("%s of\n%s\n%d %s %s", which, text, run.code, run.out, run.err);
    run_free(&run);
    (void)remove("build/advise.cu");
    (void)remove("build/advise.diff");
    (void)remove("build/advised.cu");
}

static void what_is_shown_can_be_applied_and_is_right(void **state)
{
    (void)state;
    if (system("patch --version >/dev/null 2>&1") != 0)
        skip();
    expect_applied(vectors, "-m 64 -n 32", "", "pads");
    expect_applied(vectors, "-m 64 -n 32", "", "swizzles");
    const struct rung *tiled = rung_find("tiled");
    expect_applied(tiled->source.bytes, "-t 16 -b 16", "", "swizzles");
    expect_applied(tiled->source.bytes, "-t 8 -b 8 -e 8", "", "swizzles");
    expect_applied(tiled->source.bytes, "", "", "pads");
    expect_applied(tiled->source.bytes, "", "", "swizzles");
}

#define HEAD                                                                                                 \
    "// block: 32\n// grid: 1\n__global__ void k(const float *in, float *out, int rows, int cols)\n{\n"
#define COLUMN                                                                                               \
    "int t = threadIdx.x;\nfor (int i = 0; i < 32; i++)\n s[i * 32 + t] = in[i * 32 + "                      \
    "t];\n__syncthreads();\n"                                                                                \
    "for (int i = 0; i < 32; i++)\n out[i * 32 + t] = s[t * 32 + i];\n}\n"

static void one_dimension_three_and_none_that_is_known(void **state)
{
    (void)state;
    expect_run(run_program("advise", write_temporary(HEAD "__shared__ float s[1024];\n" COLUMN), "-m", "32",
                           "-n", "32", NULL),
               0, "+__shared__ float s[1024 + 1024 / 32 * 1];\n", "");
    expect_run(run_program("advise", write_temporary(HEAD "__shared__ float s[1024];\n" COLUMN), "-m", "32",
                           "-n", "32", NULL),
               0, "+ out[i * 32 + t] = s[(t * 32 + i) ^ ((t * 32 + i) >> 5 & 31)];\n", "");
    expect_run(run_program("advise",
                           write_temporary("// shared: 4096\n" HEAD "extern __shared__ float s[];\n" COLUMN),
                           "-m", "32", "-n", "32", NULL),
               0, "pads: none tried: the launch gives its size", "");
    static const char three[] =
        "// block: 32, 4\n// grid: 1\n__global__ void k(const float *in, float *out, int rows, int cols)\n{\n"
        "__shared__ float s[4][32][32];\nint t = threadIdx.x, z = threadIdx.y;\n"
        "for (int i = 0; i < 32; i++) s[z][i][t] = in[(z * 32 + i) * 32 + t];\n__syncthreads();\n"
        "for (int i = 0; i < 32; i++) out[(z * 32 + i) * 32 + t] = s[z][t][i];\n}\n";
    expect_run(run_program("advise", write_temporary(three), "-m", "128", "-n", "32", NULL), 0,
               "= s[z][t][i ^ ((z * 32 + t) & 31)];\n", "");
    expect_run(run_program("advise", write_temporary(three), "-m", "128", "-n", "32", NULL), 0,
               "+__shared__ float s[4][32][32 + 1];\n", "");
}

static void what_cannot_be_rewritten_says_why(void **state)
{
    (void)state;
    static const char pointer[] =
        HEAD "__shared__ float q[32][32];\nfloat *row = q[threadIdx.x];\nint t = threadIdx.x;\n"
             "for (int i = 0; i < 32; i++) row[i] = in[i * 32 + t];\n__syncthreads();\n"
             "for (int i = 0; i < 32; i++) out[i * 32 + t] = q[i][t];\n}\n";
    expect_run(run_program("advise", write_temporary(pointer), "-m", "32", "-n", "32", NULL), 0,
               "swizzles: none tried: line 6 uses q without all its subscripts\n", "");
    expect_run(run_program("advise", write_temporary(pointer), "-m", "32", "-n", "32", NULL), 0,
               "  the smallest: 1 element\n    excess 992 -> 0,", "");
    static const char effect[] =
        HEAD "__shared__ float q[32][32];\nint t = threadIdx.x, i = 0;\n"
             "while (i < 32) q[t][i++] = in[t];\n__syncthreads();\nout[t] = q[t][0];\n}\n";
    expect_run(run_program("advise", write_temporary(effect), "-m", "32", "-n", "32", NULL), 0,
               "line 7 uses q with a subscript that changes something\n", "");
    static const char wide[] =
        HEAD "__shared__ float3 v[32][32];\nint t = threadIdx.x;\n"
             "v[t][0] = make_float3(1, 2, 3);\n__syncthreads();\nout[t] = v[t][0].x;\n}\n";
    expect_run(run_program("advise", write_temporary(wide), "-m", "32", "-n", "32", NULL), 0,
               "swizzles: none tried: its elements have 12 bytes\n", "");
    /* a macro hides a use: what is changed without it is wrong, and no advice */
    static const char hidden[] = "// block: 32\n// grid: 1\n#define AT(r, c) q[r][c]\n"
                                 "__global__ void k(const float *in, float *out, int rows, int cols)\n{\n"
                                 "__shared__ float q[32][32];\nint t = threadIdx.x;\n"
                                 "for (int i = 0; i < 32; i++) q[i][t] = in[i * 32 + t];\n__syncthreads();\n"
                                 "for (int i = 0; i < 32; i++) out[i * 32 + t] = AT(t, i);\n}\n";
    struct run run =
        run_program("advise", write_temporary(hidden), "-m", "32", "-n", "32", "-f", "csv", NULL);
    assert_int_equal(run.code, 0);
    assert_non_null(strstr(run.out, ",pad,1,992,0,64,64,0,yes,yes,yes,"));
    const char *swizzle = strstr(run.out, ",swizzle,\"Swizzle<5,2,5>\",992,");
    assert_non_null(swizzle);
    for (; swizzle; swizzle = strstr(swizzle, ",swizzle,")) {
        const char *yes = strstr(swizzle, ",yes,"), *end = strchr(swizzle, '\n');
        assert_true(!yes || yes > end); /* the same, free, best: none of them */
        swizzle = end;
    }
    run_free(&run);
    expect_run(run_program("advise", "tests/data/ptx/padded.ptx", NULL), 2, "",
               "advise changes a kernel's source");
}

static void axes_rows_and_beginnings_bring_sectors_to_the_ideal(void **state)
{
    (void)state;
    static const char walk[] =
        "// block: 32, 32\n// grid: (cols + 31) / 32, (rows + 31) / 32\n// task: copy\n"
        "__global__ void walk(const float *in, float *out, int rows, int cols)\n{\n"
        "    int r = blockIdx.y * 32 + threadIdx.x, c = blockIdx.x * 32 + threadIdx.y;\n"
        "    if (r < rows && c < cols)\n        out[r * cols + c] = in[r * cols + c];\n}\n";
    const char *name = write_temporary(walk);
    expect_run(run_program("advise", name, "-m", "64", "-n", "64", NULL), 0,
               "swap: threadIdx.x and threadIdx.y exchanged, in a block of 32 x 32\n"
               "  sectors 8192 -> 1024, ideal 1024 -> 1024; wavefronts 0 -> 0, warps/SM 64 -> 64\n"
               "  that is ideal\n",
               "");
    expect_run(run_program("advise", name, "-m", "64", "-n", "64", NULL), 0,
               "+    int r = blockIdx.y * 32 + threadIdx.y, c = blockIdx.x * 32 + threadIdx.x;\n", "");
    expect_run(run_program("advise", name, "-m", "100", "-n", "70", "--in-offset", "1", NULL), 0,
               "together: swap, start, rows\n"
               "  sectors 14000 -> 1800, ideal 1820 -> 1800; wavefronts 0 -> 0, warps/SM 64 -> 64\n"
               "  that is ideal\n",
               "");
    expect_run(run_program("advise", name, "-m", "100", "-n", "70", "--in-offset", "1", NULL), 0,
               "+        out[r * ((cols + 7) / 8 * 8) + c] = in[r * ((cols + 7) / 8 * 8) + c];\n", "");
    expect_run(run_program("advise", "padded", NULL), 0,
               "together: rows, rows\n  sectors 2115 -> 1810, ideal 1810", "");
    expect_run(run_program("advise", "padded", "-m", "64", "-n", "64", NULL), 0,
               "global memory: 1024 sectors, ideal 1024\n", "");
}

static void neighbours_are_loaded_at_once(void **state)
{
    (void)state;
    static const char points[] =
        "// block: 256\n// grid: (rows * cols / 4 + 255) / 256\n"
        "__global__ void norm(const float *p, float *out, int rows, int cols)\n{\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < rows * cols / 4) {\n"
        "        float x = p[4 * i], y = p[4 * i + 1];\n        float z = p[4 * i + 2] + p[4 * i + 3];\n"
        "        out[i] = x + y + z;\n    }\n}\n";
    expect_run(run_program("advise", write_temporary(points), "-m", "64", "-n", "64", NULL), 0,
               "vector: 4 loads of p, from line 7 on, as one float4\n"
               "  sectors 2176 -> 640, ideal 640 -> 640;",
               "");
    expect_run(run_program("advise", write_temporary(points), "-m", "64", "-n", "64", NULL), 0,
               "+        const float4 p_7 = *reinterpret_cast<const float4 *>(&p[4 * i]);\n"
               "+        float x = p_7.x, y = p_7.y;\n+        float z = p_7.z + p_7.w;\n",
               "");
    /* shifted by one element a vector would be misaligned: it is not tried */
    struct run run =
        run_program("advise", write_temporary(points), "-m", "64", "-n", "64", "--in-offset", "1", NULL);
    assert_int_equal(run.code, 0);
    assert_null(strstr(run.out, "\nvector: 4"));
    run_free(&run);
}

static void programs_read_every_candidate(void **state)
{
    (void)state;
    expect_run(run_program("advise", "-t", "16", "-b", "16", "-f", "csv", NULL), 0,
               "rung,array,kind,candidate,excess_before,sample_excess,units,ideal,excess,same,free,best,"
               "aligned_bytes,shared_bytes,blocks_per_sm,warps_per_sm,occupancy_percent,code,device,rules\n"
               "tiled,tile,none,,1505,",
               "");
    expect_run(
        run_program("advise", "-t", "16", "-b", "16", "-f", "json", NULL), 0,
        "\"candidate\": \"Swizzle<4,2,4>\", \"excess_before\": 1505, \"sample_excess\": 0, \"units\": 495, "
        "\"ideal\": 495, \"excess\": 0, \"same\": \"yes\", \"free\": \"yes\", \"best\": \"yes\", "
        "\"aligned_bytes\": 4, \"shared_bytes\": 1024,",
        "");
    expect_run(run_program("advise", "swizzled", NULL), 0, "free of excess: nothing to change\n", "");
    expect_run(run_program("advise", "naive", "-m", "64", "-n", "64", "-f", "csv", NULL), 0,
               "naive,global,none,,", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_pitch_cleans_16_by_16_and_column_xor_row_does),
        cmocka_unit_test(sixteen_bytes_down_a_row_of_128_want_3_4_3),
        cmocka_unit_test(pads_of_narrow_elements_keep_words_whole),
        cmocka_unit_test(a_pad_that_splits_words_is_not_the_same),
        cmocka_unit_test(pads_are_free_where_the_ladder_has_no_excess),
        cmocka_unit_test(what_is_shown_can_be_applied_and_is_right),
        cmocka_unit_test(one_dimension_three_and_none_that_is_known),
        cmocka_unit_test(what_cannot_be_rewritten_says_why),
        cmocka_unit_test(axes_rows_and_beginnings_bring_sectors_to_the_ideal),
        cmocka_unit_test(neighbours_are_loaded_at_once),
        cmocka_unit_test(programs_read_every_candidate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
