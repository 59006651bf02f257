/* test_data.c - addresses and conditions that depend on what memory holds: integers that the kernel put into
 * shared memory, and buffers whose contents are given. */
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../sim/exec/data.h"

/* Byte offsets and data of the active lanes of each access, as the whole launch has them. */
struct seen {
    const struct site *site;
    uint32_t mask;
    int64_t offset[LANES], token[LANES];
};

struct trial {
    struct source source;
    struct scenario scenario;
    struct problem problem;
    struct seen seen[2000];
    unsigned count;
    bool ok;
};

static void see(void *self, const struct access *access)
{
    struct trial *trial = self;
    assert_true(trial->count < 2000);
    struct seen *seen = &trial->seen[trial->count++];
    seen->site = access->site;
    seen->mask = access->mask;
    for (unsigned lane = 0; lane < LANES; lane++) {
        seen->offset[lane] = access_offset(access, lane);
        seen->token[lane] = access->site->kind->writes ? data_at(&access->data[0], lane) : 0;
    }
}

/* All blocks of a kernel's text, 8 x 8 matrices; `data` is a list ended by NULL. */
static struct trial *run_text(const char *text, bool track, const char *const *data)
{
    struct trial *trial = calloc(1, sizeof *trial);
    struct scenario_options options = {.rows = 8, .cols = 8, .seed = 1};
    trial->source = text_source(text);
    while (*data)
        options.data[options.data_count++] = *data++;
    if (!scenario_open(&trial->scenario, &trial->source, &options, &trial->problem))
        return trial;
    struct execution *execution =
        execution_new(trial->scenario.program, &trial->scenario.launch, track, &trial->problem);
    struct sink sink = {.self = trial, .access = see};
    trial->ok = execution && execution_run_blocks(execution, 0, launch_blocks(&trial->scenario.launch), &sink,
                                                  &trial->problem);
    execution_free(execution);
    return trial;
}

static void end(struct trial *trial)
{
    scenario_close(&trial->scenario);
    free(trial);
}

#define DATA(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NOTHING   ((const char *const[]){NULL})
#define HEAD      "// block: 32\n// grid: 2\n__global__ void k("
#define LAUNCH    "// block: 32\n// grid: 2\n"
#define KERNEL    "__global__ void k("
#define GATHER                                                                                               \
    HEAD "const float *in, const int *idx, float *out)\n{ int i = blockIdx.x * 32 + threadIdx.x;\n"          \
         "out[i] = in[idx[i]]; }\n"

static struct trial *run_well(const char *text, const char *const *data)
{
    struct trial *trial = run_text(text, false, data);
    if (!trial->ok)
        fail_msg("%d:%d: %s", trial->problem.line, trial->problem.column, trial->problem.message);
    return trial;
}

/* Fails, and the problem says `what`. */
static void fails(const char *text, const char *const *data, const char *what)
{
    struct trial *trial = run_text(text, false, data);
    assert_false(trial->ok);
    if (!strstr(trial->problem.message, what))
        fail_msg("'%s' should say '%s'", trial->problem.message, what);
    end(trial);
}

static void an_index_in_shared_memory_is_an_address(void **state)
{
    (void)state;
    const char *text = "// block: 64\n// grid: 1\n__global__ void k(const float *in, float *out) {\n"
                       "__shared__ int s[64]; __shared__ short2 v[64]; __shared__ bool b[64];\n"
                       "int t = threadIdx.x; s[t] = -3 * t; v[t].x = t; v[t].y = -t; b[t] = t % 3 == 0;\n"
                       "__syncthreads();\n"
                       "out[s[63 - t] + 189] = in[t];\n"
                       "short2 w = v[t ^ 1]; out[w.x - w.y] = in[t];\n"
                       "if (b[t]) out[t] = in[t]; }\n";
    for (int track = 0; track < 2; track++) {
        struct trial *trial = run_text(text, track, NOTHING);
        assert_true(trial->ok);
        unsigned stores = 0;
        for (unsigned i = 0; i < trial->count; i++) {
            const struct seen *seen = &trial->seen[i];
            if (seen->site->kind->id != GLOBAL_STORE)
                continue;
            int64_t first = seen->offset[0] / 4;
            bool odd = stores / 3; /* the second warp */
            if (stores % 3 == 0)
                for (int lane = 0; lane < 32; lane++)
                    assert_int_equal(seen->offset[lane], 4 * (189 - 3 * (63 - (lane + 32 * odd))));
            else if (stores % 3 == 1)
                for (int lane = 0; lane < 32; lane++)
                    assert_int_equal(seen->offset[lane], 4 * 2 * ((lane + 32 * odd) ^ 1));
            else
                assert_int_equal(seen->mask, odd ? 0x92492492 : 0x49249249);
            assert_true(first >= 0);
            stores++;
        }
        assert_int_equal(stores, 6);
        end(trial);
    }
}

static void only_a_whole_number_of_the_same_width_comes_back(void **state)
{
    (void)state;
#define SHARED                                                                                               \
    "// block: 32\n// grid: 1\n__global__ void k(const float *in, float *out) {\nint t = threadIdx.x;\n"
    fails(SHARED "__shared__ float s[32]; s[t] = 1.f; out[((int *)s)[t]] = 1.f; }", NOTHING, "depends on");
    fails(SHARED "__shared__ unsigned char s[32]; s[t] = 1; if (t < 8) out[((int *)s)[t]] = 1.f; }", NOTHING,
          "depends on");
    fails(SHARED "__shared__ int s[32]; if (t < 31) s[t] = t; out[s[t]] = 1.f; }", NOTHING, "nobody wrote");
    fails(SHARED
          "__shared__ int s[32]; s[t] = t; if (t == 7) s[t] = ((const int *)in)[t]; out[s[t]] = 1.f; }",
          NOTHING, "`in`");
    const char *mixed =
        "struct __align__(8) two { float f; int i; };\nstruct __align__(8) pair { int a, b; };\n";
    char text[600];
    (void)snprintf(text, sizeof text,
                   "// block: 32\n// grid: 1\n%s__global__ void k(const float *in, float *out) {\n"
                   "int t = threadIdx.x; __shared__ two s[32]; two v; v.f = 1.f; v.i = t; s[t] = v;\n"
                   "two w = s[t]; out[w.i] = 1.f; }",
                   mixed);
    fails(text, NOTHING, "depends on"); /* moved by a vector of 8 bytes: which part is which is not kept */
    (void)snprintf(text, sizeof text,
                   "// block: 32\n// grid: 1\n%s__global__ void k(const float *in, float *out) {\n"
                   "int t = threadIdx.x; __shared__ pair s[32]; pair v; v.a = -t; v.b = 2 * t; s[t] = v;\n"
                   "pair w = s[t]; out[w.a + w.b] = 1.f; }",
                   mixed);
    struct trial *pairs = run_well(text, NOTHING);
    for (int lane = 0; lane < 32; lane++)
        assert_int_equal(pairs->seen[pairs->count - 1].offset[lane], 4 * lane);
    end(pairs);
    struct trial *trial =
        run_well(SHARED "__shared__ unsigned s[32]; s[t] = t - 1; out[((int *)s)[t] + 1] = 1.f; }", NOTHING);
    for (int lane = 0; lane < 32; lane++)
        assert_int_equal(trial->seen[trial->count - 1].offset[lane], 4 * lane);
    end(trial);
}

static void a_gather_reads_where_its_index_says(void **state)
{
    (void)state;
    struct trial *trial = run_well(GATHER, DATA("idx = (i * 7 + row - col + cols) % 64"));
    assert_int_equal(trial->count, 6);
    for (unsigned block = 0; block < 2; block++)
        for (int lane = 0; lane < 32; lane++) {
            int i = (int)block * 32 + lane;
            assert_int_equal(trial->seen[3 * block + 1].offset[lane], 4 * ((i * 7 + i / 8 - i % 8 + 8) % 64));
            assert_int_equal(trial->seen[3 * block + 2].offset[lane], 4 * i);
        }
    assert_int_equal(trial->scenario.in, 0); /* an index is not the matrix */
    end(trial);
    trial = run_well(HEAD "const int *idx, const float *in, float *out) { out[idx[threadIdx.x]] = in[0]; }",
                     DATA("idx=i"));
    assert_int_equal(trial->scenario.in, 1);
    end(trial);
}

static void a_histogram_counts_in_its_bins(void **state)
{
    (void)state;
    struct trial *trial = run_well(HEAD "const unsigned char *data, short *bins, float *out)\n"
                                        "{ int t = threadIdx.x; if (t == 0) for (int k = 0; k < 64; k++)\n"
                                        "bins[data[k]] += 1; if (t < 4) out[bins[t]] = 1.f; }",
                                   DATA("data=i % 4 == 3 ? 1 : i % 4", "bins=0"));
    const int want[2][4] = {{16, 32, 16, 0}, {32, 64, 32, 0}}; /* the second block goes on */
    unsigned block = 0;
    for (unsigned i = 0; i < trial->count; i++)
        if (trial->seen[i].mask == 0xf && trial->seen[i].site->kind->id == GLOBAL_STORE) {
            for (int lane = 0; lane < 4; lane++)
                assert_int_equal(trial->seen[i].offset[lane], 4 * want[block][lane]);
            block++;
        }
    assert_int_equal(block, 2);
    end(trial);
}

static void rows_of_a_sparse_matrix_have_their_lengths(void **state)
{
    (void)state;
    const char *text =
        "// block: 32\n// grid: 1\n__global__ void k(const int *row_ptr, const int *col, const "
        "float *value, const float *x, float *y)\n{ int r = threadIdx.x; if (r < 4) {\n"
        "float sum = 0.f; for (int k = row_ptr[r]; k < row_ptr[r + 1]; k++)\n"
        "sum += value[k] * x[col[k]]; y[r] = sum; } }\n";
    struct trial *trial = run_well(text, DATA("row_ptr=0,2,3,3,7", "col=5,1,0,7,6,2,4"));
    static const uint32_t masks[] = {0xb, 0x9, 0x8, 0x8}; /* rows of 2, 1, 0, 4 */
    static const int columns[4][4] = {{5, 0, -1, 7}, {1, -1, -1, 6}, {-1, -1, -1, 2}, {-1, -1, -1, 4}};
    unsigned round = 0;
    for (unsigned i = 0; i < trial->count; i++) {
        const struct seen *seen = &trial->seen[i];
        if (seen->site->buffer != 3)
            continue;
        assert_int_equal(seen->mask, masks[round]);
        for (int lane = 0; lane < 4; lane++)
            if (masks[round] >> lane & 1)
                assert_int_equal(seen->offset[lane], 4 * columns[round][lane]);
        round++;
    }
    assert_int_equal(round, 4);
    assert_int_equal(trial->scenario.launch.arguments[0].bytes, 20); /* a list says how large its buffer is */
    end(trial);
}

static void what_is_written_is_read_as_written(void **state)
{
    (void)state;
#define WRITES HEAD "const float *in, int *p, float *out) { int t = threadIdx.x, b = blockIdx.x;\n"
    /* other widths, vectors, a part of a cell, both blocks in their order */
    struct trial *trial =
        run_well(WRITES "p[t] = t + 100 * b; ((short *)p)[2 * t + 1] = 1; out[p[t] - 65536] = in[t];\n"
                        "((int2 *)p)[t] = make_int2(3, t); out[((int2 *)p)[t].y] = in[t];\n"
                        "out[((unsigned char *)p)[8 * t + 4]] = in[t];\n"
                        "if (b == 1) out[p[40] + 1] = in[t]; if (t == 0) p[40] = 7; }",
                 DATA("p=5"));
    unsigned stores = 0;
    for (unsigned i = 0; i < trial->count; i++)
        if (trial->seen[i].site->buffer == 2) {
            static const int factor[] = {1, 1, 1, 1, 1, 1, 0};
            int64_t first = stores == 3 ? 100 : stores == 6 ? 4 : 0;
            for (int lane = 0; lane < 32; lane++)
                assert_int_equal(trial->seen[i].offset[lane], 4 * (first + factor[stores] * lane));
            stores++;
        }
    assert_int_equal(stores, 7);
    end(trial);
    /* wider than a cell */
    trial = run_well(WRITES "out[((const long long *)p)[t] >> 32] = in[t]; __syncthreads();\n"
                            "((long long *)p)[t] = ((long long)t << 32) - 5; out[p[2 * t + 1] + 1] = in[t];\n"
                            "out[p[2 * t] + 5] = in[t]; ((long long *)p)[t] = (long long)t << 32 | 9; }",
                     DATA("p=i % 2 ? i / 2 : 9"));
    stores = 0;
    for (unsigned i = 0; i < trial->count; i++)
        if (trial->seen[i].site->buffer == 2) {
            for (int lane = 0; lane < 32; lane++)
                assert_int_equal(trial->seen[i].offset[lane], stores % 3 == 2 ? 0 : 4 * lane);
            stores++;
        }
    assert_int_equal(stores, 6);
    end(trial);
    /* data makes the cell data, a number a number again */
    fails(WRITES "p[t] = ((const int *)in)[t]; out[p[t]] = 1.f; }", DATA("p=0"), "`in`");
    fails(WRITES "((float *)p)[t] = 1.f; out[p[t]] = 1.f; }", DATA("p=0"), "depends on");
    end(run_well(WRITES "((float *)p)[t] = 1.f; p[t] = 0; out[p[t]] = 1.f; }", DATA("p=0")));
}

/* A block that runs alone, and a launch that runs again, find what the kernel began with. */
static void a_launch_begins_with_what_was_given(void **state)
{
    (void)state;
    struct problem problem = {0};
    struct scenario scenario;
    struct trial *trial = calloc(1, sizeof *trial);
    struct scenario_options options = {.rows = 8, .cols = 8, .data = {"p=0"}, .data_count = 1};
    struct source source = text_source(
        HEAD "const float *in, int *p, float *out) { int v = p[0]; if (threadIdx.x == 0) p[0] = v + 1;\n"
             "out[v] = in[v]; }");
    open_scenario(&scenario, &source, &options);
    struct execution *execution = execution_new(scenario.program, &scenario.launch, true, &problem);
    struct sink sink = {.self = trial, .access = see};
    assert_true(execution_run_blocks(execution, 0, 2, &sink, &problem));
    assert_true(execution_run_blocks(execution, 0, 1, &sink, &problem));
    assert_true(execution_run_blocks(execution, 1, 1, &sink, &problem));
    assert_true(execution_run_block(execution, (uint32_t[3]){1, 0, 0}, &sink, &problem));
    static const int want[] = {0, 1, 0, 1, 0};
    assert_int_equal(trial->count, 20);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(trial->seen[4 * i + 3].offset[0], 4 * want[i]);
    execution_free(execution);
    scenario_close(&scenario);
    free(trial);
}

/* How large a buffer is that is no matrix was only assumed: its formula goes on. */
static void a_formula_goes_on_behind_the_end(void **state)
{
    (void)state;
    struct trial *trial = run_well(HEAD "const float *in, const int *idx, float *out)\n"
                                        "{ out[threadIdx.x] = in[idx[1000 + threadIdx.x]]; }",
                                   DATA("idx=i%32"));
    const struct seen *load = &trial->seen[1];
    for (unsigned lane = 0; lane < LANES; lane++)
        assert_int_equal(load->offset[lane], 4 * ((1000 + lane) % 32));
    end(trial);
}

static void what_is_not_known_names_its_buffer(void **state)
{
    (void)state;
    fails(GATHER, NOTHING, "this address depends on what is loaded from `idx`, which is not known here");
    fails(HEAD "const int *a, float *out) { if (2 * a[threadIdx.x] + 1 < 9) out[0] = 1.f; }", NOTHING,
          "this condition depends on what is loaded from `a`");
    fails(HEAD "const int *a, float *out) { int v = a[0] - 1; switch (v) { case 1: out[0] = 1.f; } }",
          NOTHING, "depends on what is loaded from `a`");
    fails(HEAD "const float *a, float *out) { if (a[threadIdx.x] > 3.f) out[0] = 1.f; }", NOTHING,
          "this condition depends on what is loaded from `a`, which is not known here");
    fails(HEAD "const float *a, float *out) { if (expf(a[threadIdx.x]) > 3.f) out[0] = 1.f; }", NOTHING,
          "loaded from `a`, which is not known here");
    fails(HEAD "const float *a, float *out) { if (expf(a[threadIdx.x]) > 3.f) out[0] = 1.f; }", DATA("a=i"),
          "by floating-point arithmetic that rounds");
    fails(HEAD "float *out, float scale) { if (scale * 2 > 3.f) out[0] = 1.f; }", NOTHING,
          "depends on the floating-point parameter `scale`");
    fails(GATHER, DATA("idx=1,2,3"), "loaded from `idx`, outside of it");
    fails(HEAD "const int *in, int *out) { out[in[64 + threadIdx.x]] = 1; }", DATA("in=i%4"),
          "loaded from `in`, outside of it"); /* a matrix has its size */
    struct trial *trial = run_text(GATHER, false, NOTHING);
    assert_int_equal(trial->problem.cure, PROBLEM_CURE_DATA);
    assert_string_equal(trial->problem.subject, "idx");
    end(trial);
}

static void a_formula_is_what_c_says(void **state)
{
    (void)state;
    struct trial *trial = run_well(
        HEAD "const float *in, const long long *p, float *out) { long long v = p[threadIdx.x];\n"
             "out[v] = in[0]; }",
        DATA("p=i == 0 ? 5 : i > 9 && 100 / (i - 9) > 3 ? min(i, rows + 4) : (i ^ 3) << 1 | !(i & 1)"));
    for (int i = 0; i < 32; i++) {
        int want = i == 0 ? 5 : i > 9 && 100 / (i - 9) > 3 ? (i < 12 ? i : 12) : ((i ^ 3) << 1 | !(i & 1));
        assert_int_equal(trial->seen[2].offset[i], 4 * want);
    }
    end(trial);
    fails(GATHER, DATA("idx=10 / (i - 5)"), "idx[5] has no value");
    fails(GATHER, DATA("idx=i << 27"), "idx[16] would be 2147483648");
    fails(GATHER, DATA("idx=i << 62"), "idx[4] has no value");
    fails(GATHER, DATA("idx=threadIdx.x"), "a formula is made of integers");
    fails(GATHER, DATA("idx=i + 0.5"), "a formula is made of integers");
    fails(GATHER, DATA("idx=i = 3"), "a formula is made of integers");
    fails(GATHER, DATA("idx=i +"), "");
    fails(GATHER, DATA("idx=j"), "");
    char deep[2000] = "idx=";
    for (int i = 0; i < 100; i++)
        strcat(deep, "i+");
    fails(GATHER, DATA(strcat(deep, "i")), "more than 64 operators");
}

static void random_numbers_are_of_their_seed(void **state)
{
    (void)state;
    struct trial *a = run_well(GATHER, DATA("idx=random:3..rows-2")),
                 *b = run_well(GATHER, DATA("idx=random:3..6"));
    uint64_t seen = 0;
    for (int lane = 0; lane < 32; lane++) {
        int64_t at = a->seen[1].offset[lane] / 4;
        assert_in_range(at, 3, 6);
        assert_int_equal(at * 4, b->seen[1].offset[lane]);
        seen |= UINT64_C(1) << at;
    }
    assert_int_equal(seen, 0x78);
    end(a);
    end(b);
    fails(GATHER, DATA("idx=random:7..3"), "from the smaller number");
    fails(GATHER, DATA("idx=random:7"), "random:LO..HI");
    fails(GATHER, DATA("idx=random:0..1099511627776"), "would be 1099511627776");
}

static void a_file_holds_integers_row_by_row(void **state)
{
    (void)state;
    static const struct {
        const char *text, *what; /* NULL: fine */
    } files[] = {
        {"# order\n5, 6,-0\r\n1,+2,63\n", NULL},
        {"", "holds no numbers"},
        {"a,b\n1,2\n", "line 1, field 1: 'a' is no whole number"},
        {"1,2\n3\n", "line 2: this row has 1 number"},
        {"1\n2.5\n", "line 2, field 1"},
        {"1\n\n99999999999\n", "would be 99999999999"},
        {"99999999999999999999\n", "does not fit 64 bits"},
        {"1,,2\n", "field 2"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char data[100];
        const char *name = write_temporary(files[i].text);
        (void)snprintf(data, sizeof data, "idx=@%s", name);
        const char *text = HEAD "const float *in, const int *idx, float *out)\n"
                                "{ if (threadIdx.x < 6) out[threadIdx.x] = in[idx[threadIdx.x]]; }\n";
        if (files[i].what) {
            fails(text, DATA(data), files[i].what);
        } else {
            static const int want[] = {5, 6, 0, 1, 2, 63};
            struct trial *trial = run_well(text, DATA(data));
            for (int lane = 0; lane < 6; lane++)
                assert_int_equal(trial->seen[1].offset[lane], 4 * want[lane]);
            end(trial);
        }
        (void)unlink(name);
    }
    fails(GATHER, DATA("idx=@/nowhere/at.all"), "cannot be read");
}

static void wrong_contents_are_said_to_be_wrong(void **state)
{
    (void)state;
    fails(GATHER, DATA("idx"), "NAME=CONTENTS");
    fails(GATHER, DATA("nobody=1"), "NAME=CONTENTS");
    fails(HEAD "const float *in, float *out) { if (in[0] > 3) out[0] = 1.f; }", DATA("in=i + 16777217"),
          "in[0] would be 16777217, and it holds -16777216 to 16777216");
    fails(HEAD "int **p) { }", DATA("p=1"), "");
    fails(HEAD "const struct s *in, float *out) { }", DATA("in=1"), "");
    fails(GATHER, DATA("idx="), "what it holds is missing");
    fails(GATHER, DATA("idx=,"), "");
    fails(GATHER, DATA("idx=1,2,"), "outside of it"); /* a list of two */
    fails(GATHER, DATA("idx=1,3000000000"), "idx[1] would be 3000000000");
    end(run_well(HEAD "const bool *b, float *out) { if (b[0]) out[0] = 1.f; }", DATA("b=2"))); /* true */
    fails(HEAD "int *a) { a[a[threadIdx.x]] = 1; }", DATA("a=1,2,3"), "64 numbers; 3 are given");
}

static void pass_over(void *self, const struct access *access)
{
    (void)self;
    (void)access;
}

/* A loop that waits for a number that is written elsewhere is not proved endless: another warp may write it.
 * One that looks at what nobody writes is. */
static void a_loop_over_written_numbers_is_not_called_endless(void **state)
{
    (void)state;
    static const struct {
        const char *body, *what;
    } loops[] = {
        {"while (p[0] == 0) out[0] = 1.f;", "never ends"},
        {"while (p[0] == 0) p[1] = 0;", "budget"},
        {"while (p[0] == 0) q[1] = 0;", "never ends"},
        {"__shared__ int s[32]; s[threadIdx.x] = 0; while (s[0] == 0) out[0] = 1.f;", "budget"},
        {"__shared__ int s[32]; s[threadIdx.x] = 0; int v = s[0]; while (v == 0) out[0] = 1.f;",
         "never ends"},
    };
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        char text[400];
        struct problem problem = {0};
        struct scenario scenario;
        struct scenario_options options = {
            .rows = 8, .cols = 8, .budget = 3000000, .data = {"p=0", "q=0"}, .data_count = 2};
        (void)snprintf(text, sizeof text, HEAD "const float *in, int *p, int *q, float *out) { %s }",
                       loops[i].body);
        struct source source = text_source(text);
        open_scenario(&scenario, &source, &options);
        struct execution *execution = execution_new(scenario.program, &scenario.launch, false, &problem);
        struct sink sink = {.access = pass_over};
        assert_false(execution_run_block(execution, (uint32_t[3]){0, 0, 0}, &sink, &problem));
        if (!strstr(problem.message, loops[i].what))
            fail_msg("%s: '%s' should say '%s'", loops[i].body, problem.message, loops[i].what);
        execution_free(execution);
        scenario_close(&scenario);
    }
}

static void what_was_assumed_is_said(void **state)
{
    (void)state;
    const char *name = write_temporary(GATHER);
    expect_run(run_program("ladder", name, "--data", "idx=random:0..63", "--seed", "7", NULL), 0,
               "assumed data: idx = random:0..63, seed 7\n", "");
    expect_run(run_program("trace", name, "--data", "idx=i", NULL), 0, "assumed data: idx = i\n", "");
    expect_run(run_program("owners", name, "-m", "1", "-n", "64", "--task", "copy", "--data", "idx=i", NULL),
               0, "assumed data: idx = i\n", "");
    expect_run(run_program("owners", name, "--in", "idx", "--data", "idx=i", NULL), 2, "",
               "cannot be followed to where they go");
    expect_run(run_program("ladder", name, NULL), 2, "", "give it with --data idx=FORMULA");
    (void)unlink(name);
}

/* Where the last store of each warp goes, in floats: what an expression of a[i] = 3 * i - 20 is. */
static void expect_number(const char *expression, const char *const *data, int64_t (*want)(int64_t a))
{
    char text[800];
    (void)snprintf(text, sizeof text,
                   HEAD "const float *a, const double *d, const __half *h, float *out)\n"
                        "{ int i = blockIdx.x * 32 + threadIdx.x; float x = a[i]; (void)x;\n"
                        "out[500 + (int)(%s)] = 1.f; }\n",
                   expression);
    struct trial *trial = run_well(text, data);
    const struct seen *last = &trial->seen[trial->count - 1];
    for (int lane = 0; lane < 32; lane++)
        if (last->offset[lane] != 4 * (500 + want(3 * (32 + lane) - 20)))
            fail_msg("%s, lane %d: %lld", expression, lane, (long long)last->offset[lane] / 4 - 500);
    end(trial);
}

static int64_t itself(int64_t a)
{
    return a;
}
static int64_t negated(int64_t a)
{
    return -a;
}
static int64_t half_up(int64_t a)
{
    return (a + 1) / 2;
}
static int64_t half_down(int64_t a)
{
    return a / 2;
}
static int64_t bounded(int64_t a)
{
    return a > 100 ? 100 : a;
}
static int64_t sum(int64_t a)
{
    return 2 * a + 3;
}
static int64_t is_odd(int64_t a)
{
    return a % 2 != 0;
}

static void floating_numbers_that_are_given_are_exact(void **state)
{
    (void)state;
    const char *const *data = DATA("a=3 * i - 20", "d=3 * i - 20", "h=3 * (i % 32) + 76");
    expect_number("x", data, itself);
    expect_number("d[i]", data, itself);
    expect_number("__half2float(h[i])", data, itself);
    expect_number("-x", data, negated);
    expect_number("x * 0.5f + 0.5f", data, half_up);
    expect_number("ceilf(x / 2)", data, half_up);
    expect_number("__float2int_rd(0.5 * d[i])", data, half_down);
    expect_number("truncf(0.5f * x)", data, half_down);
    expect_number("fminf(x, 100.f)", data, bounded);
    expect_number("max(-100.f, -x) * -1", data, bounded);
    expect_number("x > 100 ? 100 : x", data, bounded);
    expect_number("fmaf(x, 2.f, 3.f)", data, sum);
    expect_number("fabsf(-x - x - 3)", data, sum);
    expect_number("sqrtf(x * x)", data, itself);
    expect_number("fmodf(x, 2.f)", data, is_odd);
    expect_number("x == FLT_MAX || isnan(x) || isinf(x) || x >= INFINITY ? 1 : x", data, itself);
    expect_number("__shfl_xor_sync(~0u, __shfl_xor_sync(~0u, x, 5), 5)", data, itself);
    expect_number("((const float2 *)a)[i / 2].x * (i % 2 == 0) + ((const float2 *)a)[i / 2].y * (i % 2)",
                  data, itself);
}

static void structs_of_one_kind_of_number_hold_what_is_given(void **state)
{
    (void)state;
    struct trial *trial = run_well(
        LAUNCH "struct pair { unsigned key, value; };\nstruct body { float4 p; float m[4]; };\n" KERNEL
               "const pair *p, const body *b, float *out)\n{ int t = threadIdx.x;\n"
               "if (p[t].value > 21) out[p[t].key] = 1; if (b[t].m[1] < 40) out[(int)b[t].p.z] = 1; }\n",
        DATA("p=i", "b=i"));
    assert_int_equal(trial->seen[2].mask, 0xfffff800); /* 2 t + 1 > 21 */
    assert_int_equal(trial->seen[2].offset[20], 4 * 40);
    assert_int_equal(trial->seen[5].mask, 0x1f); /* 8 t + 5 < 40 */
    assert_int_equal(trial->seen[5].offset[3], 4 * 26);
    end(trial);
    fails(LAUNCH "struct both { int i; float x; };\n" KERNEL
                 "const both *p, float *out)\n{ out[p[0].i] = 1; }\n",
          DATA("p=i"), "no buffer of numbers");
}

static void a_grids_sync_is_a_barrier_where_nothing_is_followed(void **state)
{
    (void)state;
    const char *text = LAUNCH "namespace cg = cooperative_groups;\n" KERNEL
                              "int *a, float *out)\n{ auto g = cg::this_grid(); int t = threadIdx.x;\n"
                              "out[t] = 1; g.sync(); out[t + a[t]] = 2; a[t] = 1; }\n";
    struct trial *trial = run_text(text, true, NOTHING);
    assert_false(trial->ok);
    assert_non_null(strstr(trial->problem.message, "the grid's sync is not supported"));
    end(trial);
    fails(text, DATA("a=0"), "the grid's sync is not supported");
    end(run_well(LAUNCH
                 "namespace cg = cooperative_groups;\n" KERNEL
                 "const int *a, float *out)\n{ cg::sync(cg::this_grid()); out[a[threadIdx.x]] = 1; }\n",
                 DATA("a=0")));
}

static void what_rounds_is_data(void **state)
{
    (void)state;
    static const char *const rounding[] = {"x / 3.f",
                                           "x * 0.1f",
                                           "x + 1e-9f",
                                           "sqrtf(x)",
                                           "x * 3e38f * 3e38f",
                                           "x - 16777216.f * 16777215.f",
                                           "__fdividef(x, 2.f)",
                                           "__int_as_float(__float_as_int(x))",
                                           "((const int *)a)[i]",
                                           "((const short *)a)[i]"};
    for (size_t i = 0; i < sizeof rounding / sizeof *rounding; i++) {
        char text[400];
        (void)snprintf(text, sizeof text,
                       HEAD "const float *a, float *out)\n{ int i = threadIdx.x + 1; float x = a[i];\n"
                            "out[500 + (int)(%s)] = 1.f; }\n",
                       rounding[i]);
        fails(text, DATA("a=3 * i + 1"), "this address depends on");
    }
}

static void floating_numbers_move_through_memory(void **state)
{
    (void)state;
    struct trial *trial = run_well("// block: 32\n// grid: 1\n__global__ void k(float *a, float *out) {\n"
                                   "__shared__ float s[32]; __shared__ float4 v[8]; int t = threadIdx.x;\n"
                                   "s[t] = a[t] * 2; __syncthreads(); if (s[31 - t] < 20) out[t] = 1.f;\n"
                                   "a[t] += 100; if (a[t ^ 1] >= 116) out[t] = 2.f;\n"
                                   "if (t < 8) v[t] = make_float4(t, s[0], 2 * t, 0); __syncthreads();\n"
                                   "float4 w = v[t / 4]; out[(int)(w.x + w.z)] = s[t]; }\n",
                                   DATA("a=i"));
    uint32_t masks[2], found = 0;
    const struct seen *last = &trial->seen[trial->count - 1];
    for (unsigned i = 0; i < trial->count; i++)
        if (trial->seen[i].site->kind->id == GLOBAL_STORE && trial->seen[i].site->buffer == 1 && found < 2)
            masks[found++] = trial->seen[i].mask;
    assert_int_equal(masks[0], 0xffc00000); /* 2 * (31 - t) < 20 */
    assert_int_equal(masks[1], 0xffff0000); /* (t ^ 1) + 100 >= 116 */
    for (int lane = 0; lane < 32; lane++)
        assert_int_equal(last->offset[lane], 4 * 3 * (lane / 4));
    end(trial);
}

/* What follows a condition that only data knows. */
#define UNKNOWN                                                                                              \
    HEAD "const float *in, int *out)\n{ int t = threadIdx.x; float x = in[t]; int i = t; float m = "         \
         "0;\n"

static void a_condition_on_data_passes_where_no_memory_hangs_on_it(void **state)
{
    (void)state;
    static const char *const passing[] = {
        "if (x > m) m = x;",
        "if (x > m) { m = x; i = 3; } else if (x < 0) m = -x; else { float y = x; m = y; }",
        "if (t < 9 && x > 0 && x < 3) m = 1;",
        "if (x > 0 || x < -3) m = 1;",
        "while (x > 1) x *= 0.5f;",
        "do { x -= 1; if (x == 5) break; if (x == 7) continue; m += x; } while (x > 0);",
        "for (int j = 0; j < 4; j++) { if (x > j) continue; m += j; }",
        "int k = (int)x; switch (k) { case 0: m = 1; case 1: m = 2; break; default: m = 3; }",
        "auto f = [&](float a, float b) { if (a > b) return a; return b; }; m = f(x, m);",
        "auto f = [&](float a) { for (int j = 0; j < 4; j++) if (a > j) return j; return -1; }; m = f(x);",
        "float q[4] = {0, 0, 0, 0}; if (x > 0) q[t % 4] = x; m = q[t % 4];",
        "m = x > 0 ? (x > 1 ? m++ : --m) : x;",
    };
    for (size_t k = 0; k < sizeof passing / sizeof *passing; k++) {
        char text[700];
        (void)snprintf(text, sizeof text, UNKNOWN "%s\n out[t] = m; }\n", passing[k]);
        struct trial *trial = run_text(text, false, NOTHING);
        if (!trial->ok || trial->count != 4)
            fail_msg("%s: %u accesses, %s", passing[k], trial->count, trial->problem.message);
        for (unsigned i = 0; i < trial->count; i++)
            assert_int_equal(trial->seen[i].mask, UINT32_MAX);
        end(trial);
    }
}

static void what_only_data_knows_moves_no_lane(void **state)
{
    (void)state;
    static const char *const refused[] = {
        "if (x > m) out[t] = 1;",
        "if (x > m) return;",
        "if (x > m) { __syncthreads(); }",
        "while (x > m) m += in[t];",
        "for (int j = 0; j < 4; j++) { if (x > j) break; out[j] = 1; }",
        "if (x > m) i = 3; out[i] = 1;",
        "switch ((int)x) { case 1: i = 3; } out[i] = 1;",
        "int *p = out; if (x > m) p++; *p = 1;",
        "auto f = [&](float a) { if (a > 0) return 1; return 2; }; out[f(x)] = 1;",
        "for (int j = 0; j < 4; j++) { if (x > j) continue; i++; } if (i > 3) out[t] = 1;",
        "int q[2] = {0, 1}; if (x > 0) q[t & 1] = 1; out[q[0]] = 1;",
    };
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        char text[700];
        (void)snprintf(text, sizeof text, UNKNOWN "%s }\n", refused[k]);
        fails(text, NOTHING, "depends on");
    }
}

/* What is not assigned there is known still, and which lanes run. */
static void a_passed_part_leaves_the_rest_alone(void **state)
{
    (void)state;
    struct trial *trial = run_well(
        UNKNOWN "for (int j = 0; j < 2; j++) { if (t < 16) { if (x > 0) { m = 1; if (m > 2) m = 3; } }\n"
                "else out[2 * i + j] = 1; } out[i] = 2; }\n",
        NOTHING);
    for (unsigned step = 1; step <= 2; step++) {
        assert_int_equal(trial->seen[step].mask, 0xffff0000);
        for (int lane = 16; lane < 32; lane++)
            assert_int_equal(trial->seen[step].offset[lane], 8 * lane + 4 * (int64_t)(step - 1));
    }
    assert_int_equal(trial->seen[3].mask, UINT32_MAX);
    assert_int_equal(trial->seen[3].offset[31], 4 * 31);
    end(trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_index_in_shared_memory_is_an_address),
        cmocka_unit_test(only_a_whole_number_of_the_same_width_comes_back),
        cmocka_unit_test(a_gather_reads_where_its_index_says),
        cmocka_unit_test(a_histogram_counts_in_its_bins),
        cmocka_unit_test(rows_of_a_sparse_matrix_have_their_lengths),
        cmocka_unit_test(what_is_written_is_read_as_written),
        cmocka_unit_test(a_launch_begins_with_what_was_given),
        cmocka_unit_test(what_is_not_known_names_its_buffer),
        cmocka_unit_test(a_formula_goes_on_behind_the_end),
        cmocka_unit_test(a_formula_is_what_c_says),
        cmocka_unit_test(random_numbers_are_of_their_seed),
        cmocka_unit_test(a_file_holds_integers_row_by_row),
        cmocka_unit_test(wrong_contents_are_said_to_be_wrong),
        cmocka_unit_test(a_loop_over_written_numbers_is_not_called_endless),
        cmocka_unit_test(what_was_assumed_is_said),
        cmocka_unit_test(floating_numbers_that_are_given_are_exact),
        cmocka_unit_test(structs_of_one_kind_of_number_hold_what_is_given),
        cmocka_unit_test(a_grids_sync_is_a_barrier_where_nothing_is_followed),
        cmocka_unit_test(what_rounds_is_data),
        cmocka_unit_test(floating_numbers_move_through_memory),
        cmocka_unit_test(a_condition_on_data_passes_where_no_memory_hangs_on_it),
        cmocka_unit_test(what_only_data_knows_moves_no_lane),
        cmocka_unit_test(a_passed_part_leaves_the_rest_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
