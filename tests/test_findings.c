/* test_findings.c - the audit: each bug at its line with nothing else beside, none where there is none. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "../sim/report/audit.h"
#include "audit_support.h"
#include "../sim/report/matrix.h"

/* The whole audit, so many blocks at a time; free it with the scenario. */
static struct audit *audit_whole(const struct scenario *s, const struct audit_options *options, uint64_t step)
{
    struct problem problem = {0};
    struct audit *audit = audit_begin(s, options, &problem);
    if (!audit)
        fail_msg("%s", problem.message);
    while (audit_step(audit, step))
        ;
    return audit;
}

static void print_all(const struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        print_message("%s, line %d, follows from %d: %s\n", finding_word(findings->at[i].kind),
                      findings->at[i].line, findings->at[i].cause, findings->at[i].sentence);
}

static int marked_line(const struct source *text)
{
    const char *mark = strstr(text->bytes, "// <- here");
    int line, column;
    assert_non_null(mark);
    source_place(text, (size_t)(mark - text->bytes), &line, &column);
    return line;
}

static void check_kernel(const struct rung *kernel)
{
    struct scenario s;
    const struct scenario_options options = {0};
    open_scenario(&s, &kernel->source, &options);
    struct audit *audit = audit_whole(&s, NULL, 7);
    const struct audit_result *r = audit_result(audit);
    const struct findings *findings = &r->findings;
    bool faulty = s.note.finding.size != 0;
    assert_false(r->problem.set);
    assert_int_equal(r->done, r->total);
    if (findings->leading + findings->leading_notes != faulty) {
        print_all(findings);
        fail_msg("%s: %u findings lead, not %d", kernel->name,
                 (unsigned)(findings->leading + findings->leading_notes), faulty);
    }
    assert_int_equal(findings->count != 0, faulty);
    const struct finding *first = findings->at;
    if (faulty && (!headnote_says(&s.note.finding, finding_word(first->kind)) ||
                   first->line != marked_line(&kernel->source))) {
        print_all(findings);
        fail_msg("%s: it should be %.*s at line %d", kernel->name, (int)s.note.finding.size,
                 s.note.finding.bytes, marked_line(&kernel->source));
    }
    if (!faulty)
        assert_int_equal(r->verdict, AUDIT_CORRECT);
    audit_free(audit);
    scenario_close(&s);
}

static void each_bug_of_the_zoo_is_found_at_its_line_with_nothing_else_beside(void **state)
{
    (void)state;
    assert_true(zoo_count >= 40);
    for (size_t i = 0; i < zoo_count; i += 2)
        check_kernel(&zoo[i]);
}

static void the_corrected_twins_are_clean(void **state)
{
    (void)state;
    for (size_t i = 1; i < zoo_count; i += 2) {
        char name[100];
        (void)snprintf(name, sizeof name, "%s-fixed", zoo[i - 1].name);
        assert_string_equal(zoo[i].name, name);
        check_kernel(&zoo[i]);
    }
}

static void races_name_both_sides_and_the_line_of_the_barrier(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int line, other, barrier;
        bool after;
    } cases[] = {{"barrier-missing", 21, 15, 18, false}, {"barrier-missing-in-loop", 15, 19, 19, true}};
    for (unsigned i = 0; i < 2; i++) {
        struct scenario s;
        const struct scenario_options options = {0};
        open_scenario(&s, &kernel_find(cases[i].name)->source, &options);
        struct audit *audit = audit_whole(&s, NULL, 1000);
        const struct finding *f = &audit_result(audit)->findings.at[0];
        assert_int_equal(f->line, cases[i].line);
        assert_int_equal(f->other_line, cases[i].other);
        assert_int_equal(f->barrier_line, cases[i].barrier);
        assert_int_equal(f->after, cases[i].after);
        assert_true(f->has_thread && f->has_other && f->thread.warp != f->other.warp);
        audit_free(audit);
        scenario_close(&s);
    }
}

/* A block of `threads`, t its thread; the kernel copies 64 elements in one row. */
static const struct audit_result *audit_body(struct scenario *s, struct audit **audit, const char *body,
                                             unsigned threads, const struct audit_options *audit_options)
{
    static char text[2000];
    const struct scenario_options options = {.rows = 1, .cols = threads};
    (void)snprintf(text, sizeof text,
                   "// block: %u\n// grid: 1\n// task: copy\n"
                   "__global__ void k(const float *in, float *out, float *other) {\n"
                   "__shared__ float s[256]; int t = threadIdx.x;\n%s\n}",
                   threads, body);
    struct source source = text_source(text);
    open_scenario(s, &source, &options);
    *audit = audit_whole(s, audit_options, 1);
    return audit_result(*audit);
}

static void what_is_no_bug_of_the_zoo_is_found_too(void **state)
{
    (void)state;
    static const struct {
        enum finding_kind kind;
        unsigned threads;
        const char *body;
    } cases[] = {
        {FINDING_ENDLESS, 64, "out[t] = in[t]; int i = 0; while (i < 9) i &= 3;"},
        {FINDING_BARRIER_DIVERGED, 64,
         "if (t < 32) { __syncthreads(); s[t] = 0; } else { __syncthreads(); s[t] = 1; } out[t] = in[t];"},
        {FINDING_WRAP, 64, "unsigned h = t * 2654435769u; if (h == 1) other[0] = 0; out[t] = in[t];"},
        {FINDING_MEETING, 64, "out[t] = in[t]; other[0] = 1;"},
        {FINDING_PARTIAL_WARP, 48, "out[t] = in[t];"},
        {FINDING_BARRIER_UNNEEDED, 64, "__syncthreads(); out[t] = in[t];"},
        {FINDING_MERGED, 64,
         "s[4 * t] = 0; s[4 * t + 1] = 0; s[4 * t + 2] = 0; s[4 * t + 3] = 0; out[t] = in[t];"},
        {FINDING_UNSET_READ, 64,
         "float v = in[t]; if (t > 0) s[t] = v; __syncthreads(); out[63 - t] = s[63 - t];"},
        {FINDING_UNSET_READ, 64, "float v = s[t]; if (t < 0) v = 0; other[t] = v; out[t] = in[t];"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scenario s;
        struct audit *audit;
        const struct audit_result *r = audit_body(&s, &audit, cases[i].body, cases[i].threads, NULL);
        if (r->findings.leading + r->findings.leading_notes != 1 || r->findings.at[0].kind != cases[i].kind) {
            print_all(&r->findings);
            fail_msg("%s is what this should be: %s", finding_word(cases[i].kind), cases[i].body);
        }
        audit_free(audit);
        scenario_close(&s);
    }
}

static void strict_makes_a_fault_of_lanes_without_syncwarp(void **state)
{
    (void)state;
    for (int strict = 0; strict < 2; strict++) {
        const struct audit_options options = {.strict = strict != 0};
        struct scenario s;
        struct audit *audit;
        const struct audit_result *r =
            audit_body(&s, &audit, "s[63 - t] = in[63 - t]; out[t] = s[t];", 32, &options);
        (void)r;
        audit_free(audit);
        scenario_close(&s);
        r = audit_body(&s, &audit, "s[31 - t] = in[31 - t]; out[t] = s[t];", 32, &options);
        assert_int_equal(r->findings.leading, strict);
        assert_int_equal(r->verdict, strict ? AUDIT_NOT_CORRECT : AUDIT_CORRECT);
        audit_free(audit);
        scenario_close(&s);
    }
}

/* The same findings whichever slices it is run in, and readable in between. */
static void slices_make_no_difference(void **state)
{
    (void)state;
    for (size_t i = 0; i < zoo_count; i += 6) {
        struct scenario s;
        const struct scenario_options options = {0};
        struct problem problem = {0};
        open_scenario(&s, &zoo[i].source, &options);
        struct audit *whole = audit_whole(&s, NULL, UINT64_MAX), *sliced = audit_begin(&s, NULL, &problem);
        bool more = true;
        assert_int_equal(audit_result(sliced)->verdict, AUDIT_UNKNOWN);
        while (more) {
            more = audit_step(sliced, 1);
            const struct audit_result *r = audit_result(sliced);
            assert_true(r->done <= r->total);
            assert_int_equal(r->finished, !more);
        }
        const struct audit_result *a = audit_result(whole), *b = audit_result(sliced);
        assert_int_equal(a->findings.count, b->findings.count);
        assert_int_equal(a->verdict, b->verdict);
        for (size_t k = 0; k < a->findings.count; k++) {
            assert_int_equal(a->findings.at[k].kind, b->findings.at[k].kind);
            assert_int_equal(a->findings.at[k].cause, b->findings.at[k].cause);
            assert_string_equal(a->findings.at[k].sentence, b->findings.at[k].sentence);
        }
        audit_free(whole);
        audit_free(sliced);
        scenario_close(&s);
    }
}

/* Kernels with bugs and without, with edges and without: as many as can be told by census, to the unit. */
static void a_census_finds_what_every_block_shows(void **state)
{
    (void)state;
    static const struct scenario_options sizes[] = {{0},
                                                    {.rows = 200, .cols = 170},
                                                    {.rows = 128, .cols = 256},
                                                    {.rows = 133, .cols = 61, .tile = 8, .block_rows = 4}};
    const struct audit_options strict = {.strict = true};
    unsigned by_census = 0, faulty = 0;
    for (size_t i = 0; i < rung_count + zoo_count; i++)
        for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            const struct rung *kernel = i < rung_count ? &rungs[i] : &zoo[i - rung_count];
            struct problem problem = {0};
            struct scenario s;
            bool counted;
            if (!scenario_open(&s, &kernel->source, &sizes[k], &problem))
                continue;
            const char *difference = audit_difference(&s, k % 2 ? &strict : NULL, &counted);
            if (difference)
                fail_msg("%s at size %u: %s", kernel->name, k, difference);
            by_census += counted;
            faulty += counted && s.note.finding.size;
            scenario_close(&s);
        }
    print_message("%u by census, %u of them of kernels with bugs\n", by_census, faulty);
    assert_true(by_census > 150 && faulty > 50);
}

/* Cells that a block writes more than once: the same by census where no other block writes them. */
static void what_a_block_writes_again_is_found_by_census(void **state)
{
    (void)state;
    static const char head[] = "// block: 32, 8\n// grid: (cols + 31) / 32, (rows + 7) / 8\n"
                               "__global__ void k(const float *in, float *out, int rows, int cols) {\n"
                               "int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;\n"
                               "if (x < cols && y < rows) ";
    static const struct {
        const char *body;
        bool counted; /* otherwise blocks share cells, or cells are missing as well */
    } cases[] = {
        {"{ out[x * rows + y] = in[y * cols + x]; out[x * rows + y] = in[y * cols + x]; } }", true},
        {"{ out[x * rows + y] = in[0]; out[x * rows + y] = in[y * cols + x]; } }", true},
        {"{ out[x * rows + y] = in[y * cols + x]; out[x * rows + y] = in[0]; } }", true},
        {"{ out[x * rows + y] = in[0]; out[x * rows + y] = in[0]; } }", true},
        {"{ out[x * rows + y] = in[0]; out[x * rows + y] = in[1]; out[x * rows + y] = in[0]; } }", true},
        {"for (int i = 0; i < 3; i++) out[x * rows + y] = in[y * cols + x]; }", true},
        {"out[x * rows + y - y % 2] = in[(y - y % 2) * cols + x]; }", false}, /* others are missing */
        {"{ out[x * rows + y] = in[y * cols + x]; out[0] = in[0]; } }", false},
        {"{ out[x * rows + y] = in[y * cols + x]; out[threadIdx.x * rows] = in[threadIdx.x]; } }", false},
        {"for (int i = y; i < y + 2 && i < rows; i++) out[x * rows + i] = in[i * cols + x]; }", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        bool counted;
        struct scenario s;
        const struct scenario_options options = {.rows = 64, .cols = 96};
        (void)snprintf(text, sizeof text, "%s%s", head, cases[i].body);
        struct source source = text_source(text);
        open_scenario(&s, &source, &options);
        const char *difference = audit_difference(&s, NULL, &counted);
        if (difference || counted != cases[i].counted)
            fail_msg("case %zu, by census %d: %s", i, counted, difference ? difference : "not as it was");
        scenario_close(&s);
    }
}

/* Sizes at which running block after block takes minutes: what a census can tell, it tells at once, and as at
 * small sizes: each bug at its line, nothing of the twins. Of tile-not-filled it shows what comes of it:
 * which of the input was not read only every block shows. */
static void bugs_are_found_at_any_size(void **state)
{
    (void)state;
    unsigned bugs = 0, twins = 0;
    for (size_t i = 0; i < zoo_count; i++) {
        const struct scenario_options options = {.rows = 46000, .cols = 45000};
        static const char *const counted[] = {"first-row-skipped", "barrier-missing",     "same-cell-store",
                                              "tile-not-filled",   "swizzle-on-one-side", "duplicate-writes"};
        bool is_counted = false; /* of others a census or a trial says too little, and blocks are run */
        for (unsigned k = 0; k < sizeof counted / sizeof *counted; k++)
            is_counted = is_counted || strncmp(zoo[i].name, counted[k], strlen(counted[k])) == 0;
        if (!is_counted || strstr(zoo[i].name, "in-loop"))
            continue;
        struct problem problem = {0};
        struct scenario s;
        if (!scenario_open(&s, &zoo[i].source, &options, &problem))
            continue;
        struct audit *audit = audit_begin(&s, NULL, &problem);
        enum { STEP = 4096 };
        uint64_t before = 0;
        bool more = audit && audit_step(audit, STEP);
        while (more && audit_result(audit)->regions && audit_progress(audit).done != before + STEP) {
            before = audit_progress(audit).done;
            more = audit_step(audit, STEP); /* a trial that runs its blocks ends this */
        }
        const struct audit_result *r = audit ? audit_result(audit) : NULL;
        if (r && r->finished && !r->problem.set && r->regions) {
            bool faulty = s.note.finding.size != 0;
            bool shows_less = strcmp(zoo[i].name, "tile-not-filled") == 0;
            if (r->findings.leading + r->findings.leading_notes != faulty ||
                (faulty && !shows_less && r->findings.at[0].line != marked_line(&zoo[i].source))) {
                print_all(&r->findings);
                fail_msg("%s: found by census at another place, or more", zoo[i].name);
            }
            bugs += faulty;
            twins += !faulty;
        }
        audit_free(audit);
        scenario_close(&s);
    }
    print_message("%u bugs and %u twins by census\n", bugs, twins);
    assert_true(bugs >= 3 && twins >= 4);
}

static void the_command_says_no_where_there_is_a_fault(void **state)
{
    (void)state;
    expect_run(run_program("audit", "naive", NULL), 0, "correct: a transpose of 100 x 70", "");
    expect_run(run_program("audit", "zoo:row", NULL), 2, "", "there is no rung zoo:row");
    expect_run(run_program("audit", "zoo:barrier-missing", NULL), 1,
               "a __syncthreads() is missing before line 18", "");
    expect_run(run_program("audit", "pad-unused", NULL), 1, "correct", "");
    expect_run(run_program("audit", "syncwarp-missing", NULL), 0, "note: lanes of a warp without __syncwarp",
               "");
    expect_run(run_program("audit", "syncwarp-missing", "--strict", NULL), 1, "not correct", "");
    expect_run(run_program("audit", "naive", "-m", "64", "-n", "64", "--alias", "out=in", NULL), 1,
               "race in global memory", "");
    expect_run(run_program("audit", "naive", "--alias", "out=rows", NULL), 2, "",
               "an alias names two pointer parameters of the kernel, OUT=IN, which out=rows does not");
    expect_run(run_program("zoo", "-f", "csv", NULL), 0, "\npad-unused,pad-unused,15,", "");
}

static void assertions_decide_the_exit_code(void **state)
{
    (void)state;
    static const struct {
        const char *rung, *condition;
        int code;
        const char *err;
    } cases[] = {
        {"padded", "excess == 0 && store_efficiency >= 80 && correct", 0, ""},
        {"tiled", "excess == 0 && store_efficiency >= 80 && correct", 1,
         "not so: excess == 0, where excess is"},
        {"naive", "correct && store_efficiency >= 80", 1, "not so: store_efficiency >= 80, where"},
        {"barrier-missing", "store_efficiency > 80", 0, ""},
        {"barrier-missing", "1 < 2 && shared_race == 0", 1,
         "not so: shared_race == 0, where shared_race is 1"},
        {"naive", "0 || !(load_requests * 2 - -1 >= 1e9 / 2)", 0, ""},
        {"naive", "(0 || 1) && 2 != 2", 1, "not so: 2 != 2\n"},
        {"naive", "0 || 2 < 1", 1, "not so: 0 || 2 < 1\n"},
        {"naive", "corect", 2, "assertion:1:1: there is no number of this name"},
        {"naive", "rung == 1", 2, "there is no number of this name"},
        {"naive", "1 == ", 2, "assertion:1:6: a number or a name is missing here"},
        {"naive", "(1", 2, "a ) is missing here"},
        {"naive", "1 2", 2, "the assertion should end here"},
        {"naive", "", 2, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct run run = run_program("audit", cases[i].rung, "--assert", cases[i].condition, NULL);
        if (run.code != cases[i].code || !strstr(run.err, cases[i].err))
            fail_msg("%s: %d, %s", cases[i].condition, run.code, run.err);
        run_free(&run);
    }
    char deep[400];
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    expect_run(run_program("audit", "naive", "--assert", deep, NULL), 2, "", "there are too many brackets");
}

static void more_than_the_hardware_has_is_a_finding(void **state)
{
    (void)state;
    expect_run(run_program("audit", "padded", "-t", "64", "-b", "32", NULL), 1, "at most 1024 threads", "");
    expect_run(run_program("audit", "padded", "-t", "512", "-b", "2", "-f", "csv", NULL), 1,
               "\n1,fault,limit,", "");
    expect_run(run_program("audit", "padded", "-t", "64", "-b", "32", "-f", "json", NULL), 1,
               "\"severity\": \"not-correct\"", "");
}

/* Which of two warps runs first must not matter: the same cells race, told of the same two lines. */
static void races_are_counted_in_cells_whoever_runs_first(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "if (t < 32) s[t] = in[t]; else other[t] = s[t & 31]; __syncthreads(); out[t] = in[t];",
        "if (t >= 32) s[t & 31] = in[t]; else other[t] = s[t]; __syncthreads(); out[t] = in[t];",
        "if (t < 32) { for (int i = 0; i < 3; i++) s[t] = in[t]; } else other[t] = s[t & 31]; "
        "__syncthreads(); "
        "out[t] = in[t];",
        "if (t >= 32) s[t & 31] = in[t]; else s[t] = in[t]; __syncthreads(); out[t] = in[t];"};
    for (unsigned i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct scenario s;
        struct audit *audit;
        const struct audit_result *r = audit_body(&s, &audit, bodies[i], 64, NULL);
        unsigned races = 0;
        for (size_t k = 0; k < r->findings.count; k++)
            if (r->findings.at[k].kind == FINDING_SHARED_RACE) {
                races++;
                assert_int_equal(r->findings.at[k].cells, 32);
            }
        assert_int_equal(races, 1);
        audit_free(audit);
        scenario_close(&s);
    }
}

/* What is right for these sizes only is a note, and which line says so. */
static void guards_of_one_side_are_noted_where_sizes_hide_them(void **state)
{
    (void)state;
    expect_run(run_program("audit", "zoo:no-load-mask", "-m", "64", "-n", "96", NULL), 0,
               "no-load-mask.cu:14: note: right for these sizes only", "");
    expect_run(run_program("audit", "zoo:retained-cols", "-m", "64", "-n", "64", NULL), 0,
               "retained-cols.cu:14: note: right for these sizes only", "");
    expect_run(run_program("audit", "naive", "-m", "64", "-n", "64", NULL), 0, "correct", "");
}

/* A counter beside the matrices is no exchange: nothing is kept for it, whatever the matrix's size. */
static void atomics_beside_the_matrices_cost_nothing(void **state)
{
    (void)state;
    static const char text[] = "// block: 256\n// grid: 1\n// task: copy\n"
                               "__global__ void k(const float *in, float *out, int *count) {\n"
                               "out[threadIdx.x] = in[threadIdx.x]; atomicAdd(count, 1); }";
    struct source source = text_source(text);
    const struct scenario_options options = {.rows = 4096, .cols = 4096};
    struct scenario s;
    open_scenario(&s, &source, &options);
    struct audit *audit = audit_whole(&s, NULL, 1);
    assert_int_equal(audit_result(audit)->findings.leading, 1);
    assert_int_equal(audit_result(audit)->findings.at[0].kind, FINDING_MISSING);
    audit_free(audit);
    scenario_close(&s);
}

/* A kernel's text under some options: the exit code, and what is said of it. */
static void expect_text(const char *text, const char *const options[4], int code, const char *out)
{
    char line[600];
    const char *name = write_temporary(text);
    (void)snprintf(line, sizeof line,
                   "mv %s %s.cu; \"$LANESCOPE\" audit %s.cu %s '%s' %s '%s'; c=$?; rm %s.cu; exit $c", name,
                   name, name, options[0], options[1], options[2], options[3], name);
    struct run run = run_shell(line);
    if (run.code != code || !strstr(run.out, out))
        fail_msg("%s %s: %d\n%s%s", options[0], options[1], run.code, run.out, run.err);
    run_free(&run);
}

static void other_tasks_are_judged_by_what_they_are(void **state)
{
    (void)state;
    static const char batch[] = "// block: 32, 8\n// grid: (cols + 31) / 32, (rows + 7) / 8, 3\n"
                                "__global__ void turn(const float *in, float *out, int rows, int cols) {\n"
                                "int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, z "
                                "= blockIdx.z * rows * cols;\n"
                                "if (x < cols && y < rows) out[z + x * rows + y] = in[z + y * cols + x]; }";
    expect_text(batch, (const char *[]){"--task", "batch:3", "-m", "40"}, 0,
                "correct: a transpose of 3 matrices of 40 x 70");
    expect_text(batch, (const char *[]){"--task", "batch:2", "-m", "40"}, 1, "out of bounds");
    expect_text(batch, (const char *[]){"--task", "batch:4", "-m", "40"}, 1,
                "with 3 x 5 x 4 everything is right: a matrix of the batch has no blocks");
    static const char permute[] =
        "// block: 48\n// grid: 64, 8\n// arg: a = 8\n// arg: b = 64\n// arg: c = 48\n"
        "__global__ void permute(const float *in, float *out, int a, int b, int c) {\n"
        "int k = threadIdx.x, j = blockIdx.x, i = blockIdx.y;\n"
        "out[(i * c + k) * b + j] = in[(i * b + j) * c + k]; }";
    expect_text(permute, (const char *[]){"--perm", "0,2,1", "--shape", "8,64,48"}, 0,
                "correct: a permutation 0,2,1 of 8 x 64 x 48");
    expect_text(permute, (const char *[]){"--perm", "1,0,2", "--shape", "8,64,48"}, 1, "cells wrong");
    static const char reverse[] = "// block: 256\n// grid: (rows * cols + 255) / 256\n"
                                  "__global__ void k(const float *in, float *out, int rows, int cols) {\n"
                                  "int i = blockIdx.x * 256 + threadIdx.x;\n"
                                  "if (i < rows * cols) out[rows * cols - 1 - i] = in[i]; }";
    expect_text(reverse, (const char *[]){"--task", "map:rows * cols - 1 - i", "-m", "30"}, 0,
                "correct: a map of 30 x 70");
    expect_text(reverse, (const char *[]){"--task", "map:row * cols + col", "-m", "30"}, 1,
                "2100 cells wrong");
    expect_run(run_program("audit", "naive", "--perm", "0,2,1", "--shape", "8,64", NULL), 2, "",
               "a permutation needs a shape with an extent for each axis");
    expect_run(run_program("audit", "naive", "--perm", "0,0", "--shape", "8,64", NULL), 2, "",
               "each of 0 to 1 once");
    expect_run(run_program("audit", "naive", "--perm", "1,0", "--shape", "8,64", "-m", "8", NULL), 2, "",
               "a shape says all sizes");
    expect_run(run_program("audit", "naive", "--perm", "1,0", "--shape", "9,6", NULL), 0,
               "permutation 1,0 of 9 x 6", "");
    expect_run(run_program("audit", "naive", "--task", "turn", NULL), 2, "",
               "--task takes transpose, copy, batch:N or map:FORMULA, not 'turn'");
    expect_run(run_program("owners", "naive", "--perm", "1,0", "--shape", "9,6", NULL), 0, "correct", "");
}

/* Five axes against plain loops: numpy's transpose, by its definition. */
static void permutations_are_those_of_their_definition(void **state)
{
    (void)state;
    static const uint32_t extents[5] = {2, 3, 4, 5, 6};
    struct random random = {7};
    for (int round = 0; round < 50; round++) {
        struct scenario_options options = {0};
        struct scenario s;
        options.axes.count = options.extents.count = 5;
        for (uint32_t i = 0; i < 5; i++) {
            uint32_t k = random_below(&random, i + 1);
            options.extents.at[i] = extents[i];
            options.axes.at[i] = options.axes.at[k];
            options.axes.at[k] = i;
        }
        open_scenario(&s, &rung_find("naive")->source, &options);
        struct owners_task task = scenario_task(&s);
        assert_int_equal(task_cells(&task), 720);
        for (uint32_t source = 0; source < 720; source++) {
            uint32_t index[5], rest = source;
            for (unsigned i = 5; i-- > 0; rest /= extents[i])
                index[i] = rest % extents[i];
            uint64_t cell = 0;
            for (unsigned i = 0; i < 5; i++)
                cell = cell * extents[options.axes.at[i]] + index[options.axes.at[i]];
            assert_int_equal(task_expected(&task, cell), source * 4);
        }
        scenario_close(&s);
    }
}

static void kernels_that_add_are_judged_by_what_they_add(void **state)
{
    (void)state;
    static const char head[] = "// block: 32, 8\n// grid: (cols + 31) / 32, (rows + 7) / 8\n"
                               "__global__ void add(const float *A, float *B, int rows, int cols) {\n"
                               "int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;\n"
                               "if (x < cols && y < rows) ";
    static const struct {
        const char *body;
        int code;
        const char *out;
    } cases[] = {{"B[x * rows + y] += A[y * cols + x]; }", 0, "has its own, added to what it held"},
                 {"B[x * rows + y] = A[y * cols + x] + B[x * rows + y]; }", 0, "added to what it held"},
                 {"B[x * rows + y] -= A[y * cols + x]; }", 1, "arithmetic where a move was due"},
                 {"B[x * rows + y] += A[y * cols + (x + 1) % cols]; }", 1, "7000 of 7000 cells wrong"},
                 {"{ B[x * rows + y] = 0; B[x * rows + y] += A[y * cols + x]; } }", 1, "7000 of 7000"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        (void)snprintf(text, sizeof text, "%s%s", head, cases[i].body);
        expect_text(text, (const char *[]){"-m", "100", "-n", "70"}, cases[i].code, cases[i].out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_bug_of_the_zoo_is_found_at_its_line_with_nothing_else_beside),
        cmocka_unit_test(the_corrected_twins_are_clean),
        cmocka_unit_test(races_name_both_sides_and_the_line_of_the_barrier),
        cmocka_unit_test(what_is_no_bug_of_the_zoo_is_found_too),
        cmocka_unit_test(strict_makes_a_fault_of_lanes_without_syncwarp),
        cmocka_unit_test(slices_make_no_difference),
        cmocka_unit_test(a_census_finds_what_every_block_shows),
        cmocka_unit_test(what_a_block_writes_again_is_found_by_census),
        cmocka_unit_test(bugs_are_found_at_any_size),
        cmocka_unit_test(assertions_decide_the_exit_code),
        cmocka_unit_test(more_than_the_hardware_has_is_a_finding),
        cmocka_unit_test(races_are_counted_in_cells_whoever_runs_first),
        cmocka_unit_test(guards_of_one_side_are_noted_where_sizes_hide_them),
        cmocka_unit_test(atomics_beside_the_matrices_cost_nothing),
        cmocka_unit_test(other_tasks_are_judged_by_what_they_are),
        cmocka_unit_test(permutations_are_those_of_their_definition),
        cmocka_unit_test(kernels_that_add_are_judged_by_what_they_add),
        cmocka_unit_test(the_command_says_no_where_there_is_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
