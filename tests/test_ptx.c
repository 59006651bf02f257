/* test_ptx.c - PTX: the same accesses as the built-in language's for every rung; instructions; what is
 * refused. The files in tests/data/ptx are the rungs as nvcc 13.0 -arch=sm_90 -lineinfo compiles them. */
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/text.h"
#include "../sim/ptx/ptx.h"

static const char *const arguments[] = {"2=rows", "param_3 = cols"};

static void same_totals(const struct scenario *a, const struct scenario *b, const char *what)
{
    struct tally x, y;
    tally_scenario(a, &x);
    tally_scenario(b, &y);
    for (int kind = 0; kind < ACCESS_KINDS; kind++) {
        struct site_tally p = tally_sum(&x, a->program, (enum access_kind_id)kind);
        struct site_tally q = tally_sum(&y, b->program, (enum access_kind_id)kind);
        if (p.requests != q.requests || p.units != q.units || p.ideal != q.ideal || p.lines != q.lines)
            fail_msg("%s, %s: %llu requests of %llu built in, %llu of %llu as PTX", what,
                     access_kinds[kind].name, (unsigned long long)p.requests, (unsigned long long)p.units,
                     (unsigned long long)q.requests, (unsigned long long)q.units);
    }
    tally_free(&x);
    tally_free(&y);
}

/* A rung with macros, and its PTX, of a matrix that no tile divides. */
static void compare(const struct rung *rung, const char *path, unsigned tile, unsigned pitch, unsigned elem)
{
    struct scenario_options options = {
        .rows = 100, .cols = 70, .tile = tile, .pitch = pitch, .elem_bytes = elem};
    struct scenario built_in, compiled;
    struct text text;
    struct problem problem = {0};
    open_scenario(&built_in, &rung->source, &options);
    assert_true(text_read_file(&text, path, 1u << 24, &problem));
    options.tile = options.pitch = 0;
    options.argument_count = 2;
    memcpy(options.arguments, arguments, sizeof arguments);
    options.block.count = options.grid.count = 3;
    memcpy(options.block.size, built_in.launch.block, sizeof options.block.size);
    memcpy(options.grid.size, built_in.launch.grid, sizeof options.grid.size);
    open_scenario(&compiled, &text.source, &options);
    same_totals(&built_in, &compiled, path);
    scenario_close(&built_in);
    scenario_close(&compiled);
    text_close(&text);
}

static void every_rung_has_the_accesses_of_its_ptx(void **state)
{
    (void)state;
    for (size_t i = 0; i < rung_count; i++) {
        char path[100];
        (void)snprintf(path, sizeof path, "tests/data/ptx/%s.ptx", rungs[i].name);
        if (access(path, R_OK) == 0)
            compare(&rungs[i], path, 0, 0, 0);
    }
}

static void rungs_compiled_here_with_other_macros_agree_too(void **state)
{
    (void)state;
    static const char nvcc[] = "/usr/local/cuda/bin/nvcc";
    static const struct {
        unsigned tile, pitch, elem;
        const char *type;
    } macros[] = {
        {16, 17, 4, "float"}, {32, 36, 8, "double"}, {8, 8, 1, "'unsigned char'"}, {32, 33, 2, "short"}};
    if (access(nvcc, X_OK) != 0) {
        (void)puts("note: no nvcc here, so no rung was compiled to PTX");
        skip();
    }
    char path[] = "/tmp/lanescope-test-XXXXXX.ptx";
    int file = mkstemps(path, 4);
    assert_true(file >= 0);
    (void)close(file);
    for (size_t i = 0; i < rung_count; i++) {
        const unsigned m = (unsigned)i % 4;
        char line[400];
        if (strcmp(rungs[i].name, "lines") == 0)
            continue; /* where lines begin is reckoned from addresses as numbers: PTX with that is refused */
        bool pads = strstr(rungs[i].name, "naive") == NULL && strcmp(rungs[i].name, "copy") != 0;
        bool swizzles = strcmp(rungs[i].name, "swizzled") == 0;
        unsigned pitch = swizzles ? macros[m].tile : macros[m].pitch;
        (void)snprintf(line, sizeof line,
                       "%s -ptx -arch=sm_90 -DTILE=%u -DPITCH=%u -DELEM=%s -o %s cuda/ladder/%s.cu", nvcc,
                       macros[m].tile, pitch, macros[m].type, path, rungs[i].name);
        struct run run = run_shell(line);
        if (run.code != 0)
            fail_msg("%s: %s", line, run.err);
        run_free(&run);
        compare(&rungs[i], path, macros[m].tile, pads ? pitch : 0, macros[m].elem);
    }
    (void)unlink(path);
}

/* The built-in scenario's launch for the same kernel as PTX: parameters by their numbers. */
static void compare_case(const struct scenario *built_in, const char *path)
{
    struct text text;
    struct problem problem = {0};
    assert_true(text_read_file(&text, path, 1u << 24, &problem));
    struct scenario compiled = *built_in;
    struct ptx_unit *unit = ptx_open(&text.source, &problem);
    compiled.program = unit ? ptx_compile(unit, built_in->program->name, &problem) : NULL;
    if (!compiled.program)
        fail_msg("%s: %s", path, problem.message);
    for (unsigned i = 0; i < compiled.program->parameter_count; i++) {
        unsigned place = (unsigned)atoi(compiled.program->parameters[i].name + strlen("param_"));
        compiled.launch.arguments[i] = built_in->launch.arguments[place];
    }
    same_totals(built_in, &compiled, built_in->program->name);
    ptx_close(unit);
    text_close(&text);
}

static void kernels_that_people_wrote_agree(void **state)
{
    (void)state;
    static const char *const names[] = {"c51_0", "c51_1", "c51_2", "c53_0", "c53_1",
                                        "c53_2", "c53_3", "c55_0", "c57_0", "c57_1",
                                        "c61_0", "c63_0", "c65_0", "c65_1", "c67_0"};
    static const char nvcc[] = "/usr/local/cuda/bin/nvcc";
    if (access(nvcc, X_OK) != 0)
        skip();
    char path[] = "/tmp/lanescope-test-XXXXXX.ptx";
    int file = mkstemps(path, 4);
    assert_true(file >= 0);
    (void)close(file);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char source[100], line[300];
        struct text text;
        struct problem problem = {0};
        struct scenario built_in;
        struct scenario_options options = {
            .rows = 64, .cols = 96, .block = {2, {16, 16, 1}}, .grid = {2, {4, 3, 1}}};
        (void)snprintf(source, sizeof source, "tests/data/cases/%s.cu", names[i]);
        (void)snprintf(line, sizeof line, "%s -w -ptx -arch=sm_90 -o %s %s", nvcc, path, source);
        expect_run(run_shell(line), 0, "", "");
        assert_true(text_read_file(&text, source, 1u << 20, &problem));
        open_scenario(&built_in, &text.source, &options);
        compare_case(&built_in, path);
        scenario_close(&built_in);
        text_close(&text);
    }
    (void)unlink(path);
}

/* The body of a kernel with one pointer and one number, and registers p0.., r0.., q0... */
static const char *kernel_text(const char *body)
{
    static char text[6000];
    (void)snprintf(
        text, sizeof text,
        ".version 8.0\n.target sm_80\n.address_size 64\n.extern .shared .align 16 .b8 dynamic[];\n"
        ".func (.param .b32 result) twice(.param .b32 a)\n{\n.reg .b32 %%r<3>;\nld.param.u32 %%r1, [a];\n"
        "add.s32 %%r2, %%r1, %%r1;\nst.param.b32 [result+0], %%r2;\nret;\n}\n"
        ".visible .entry k(.param .u64 k_param_0, .param .u32 k_param_1)\n{\n"
        ".reg .pred %%p<9>;\n.reg .b16 %%h<9>;\n.reg .b32 %%r<40>;\n.reg .f32 %%f<9>;\n.reg .b64 %%q<20>;\n"
        "ld.param.u64 %%q1, [k_param_0];\ncvta.to.global.u64 %%q2, %%q1;\nld.param.u32 %%r9, [k_param_1];\n"
        "mov.u32 %%r0, %%tid.x;\n%s\nret;\n}\n",
        body);
    return text;
}

struct seen {
    unsigned accesses, skipped;
    uint32_t masks[64];
    int64_t first[64], last[64]; /* lanes 0 and 31 */
};

static void see(void *self, const struct access *access)
{
    struct seen *seen = self;
    if (seen->accesses < 64) {
        seen->masks[seen->accesses] = access->mask;
        seen->first[seen->accesses] = access_offset(access, 0);
        seen->last[seen->accesses] = access_offset(access, 31);
    }
    seen->accesses++;
}

static void see_skipped(void *self, const struct site *site)
{
    (void)site;
    ((struct seen *)self)->skipped++;
}

/* Runs one warp; the problem's message, or "". */
static const char *run_body(const char *body, struct seen *seen)
{
    static struct problem problem;
    struct source source = {"test.ptx", kernel_text(body), strlen(kernel_text(body))};
    problem = (struct problem){0};
    *seen = (struct seen){0};
    struct ptx_unit *unit = ptx_open(&source, &problem);
    const struct program *program = unit ? ptx_compile(unit, "k", &problem) : NULL;
    struct launch launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}, .dynamic_shared_bytes = 4096};
    for (unsigned i = 0; program && i < program->parameter_count; i++)
        launch.arguments[i] = (struct argument){.value = 1000, .bytes = 1 << 20};
    struct execution *e = program ? execution_new(program, &launch, true, &problem) : NULL;
    struct sink sink = {.self = seen, .access = see, .skipped = see_skipped};
    if (e)
        (void)execution_run_block(e, (const uint32_t[3]){0, 0, 0}, &sink, &problem);
    execution_free(e);
    ptx_close(unit);
    return problem.set ? problem.message : "";
}

/* An expression's value in %r1 for %r0 = 31, found by an address. */
static int64_t value_of(const char *instructions)
{
    char body[2000];
    struct seen seen;
    (void)snprintf(body, sizeof body,
                   "%s\ncvt.s64.s32 %%q3, %%r1;\nadd.s64 %%q4, %%q2, %%q3;\nst.global.u8 [%%q4], %%r0;",
                   instructions);
    assert_string_equal(run_body(body, &seen), "");
    assert_int_equal(seen.accesses, 1);
    return seen.last[0];
}

static void integer_instructions_are_exact(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
    } cases[] = {
        {"mov.u32 %r1, %r0;", 31},
        {"sub.u32 %r1, 3, %r0;", -28},
        {"mad.lo.s32 %r1, %r0, -5, 7;", -148},
        {"mul.hi.u32 %r1, %r0, -1;", 30},
        {"mul.hi.s32 %r1, %r0, -1;", -1},
        {"mul.wide.u32 %q5, %r0, -1; shr.u64 %q5, %q5, 32; cvt.u32.u64 %r1, %q5;", 30},
        {"mul.wide.s32 %q5, %r0, -1; cvt.u32.u64 %r1, %q5;", -31},
        {"or.b32 %r2, %r0, 31; div.u32 %r1, -1, %r2;", 138547332},
        {"or.b32 %r2, %r0, 31; div.s32 %r1, -63, %r2;", -2},
        {"or.b32 %r2, %r0, 31; rem.s32 %r1, -63, %r2;", -1},
        {"or.b32 %r2, %r0, 31; rem.u32 %r1, -1, %r2;", 3},
        {"and.b32 %r2, %r0, 1; match.any.sync.b32 %r1, %r2, -1;", (int32_t)0xaaaaaaaa},
        {"redux.sync.add.s32 %r1, %r0, -1;", 496},
        {"sub.s32 %r2, %r0, 3; redux.sync.max.u32 %r1, %r2, -1;", -1},
        {"sub.s32 %r2, %r0, 3; redux.sync.min.s32 %r1, %r2, -1;", -3},
        {"redux.sync.xor.b32 %r1, %r0, -1;", 0},
        {"setp.gt.s32 %p1, %r0, 20; bar.red.popc.u32 %r1, 0, %p1;", 11},
        {"setp.gt.s32 %p1, %r0, 20; bar.red.or.pred %p2, 0, %p1; selp.b32 %r1, 5, 6, %p2;", 5},
        {"setp.gt.s32 %p1, %r0, 20; bar.red.and.pred %p2, 0, %p1; selp.b32 %r1, 5, 6, %p2;", 6},
        {"add.s64 %q5, %q2, -4; setp.lt.u64 %p1, %q5, %q2; selp.b32 %r1, 5, 6, %p1;", 5},
        {"ld.param.u8 %r1, [k_param_1];", 232},
        {"ld.param.s8 %r1, [k_param_1];", -24},
        {"shr.s32 %r1, -64, 3;", -8},
        {"shr.u32 %r1, -64, 28;", 15},
        {"shl.b32 %r1, %r0, 40;", 0},
        {"sub.s32 %r2, 0, %r0; shr.u32 %r1, %r2, 27;", 31},
        {"max.u32 %r1, %r0, -1;", -1},
        {"max.s32 %r1, %r0, -1;", 31},
        {"setp.lt.u32 %p1, %r0, -1; selp.b32 %r1, 5, 6, %p1;", 5},
        {"setp.lt.s32 %p1, %r0, -1; selp.b32 %r1, 5, 6, %p1;", 6},
        {"setp.hi.u32 %p1, -1, %r0; selp.b32 %r1, 5, 6, %p1;", 5},
        {"setp.eq.s32 %p2, 0, 1; setp.gt.or.s32 %p1|%p3, %r0, 40, !%p2; selp.b32 %r1, 5, 6, %p1;", 5},
        {"set.gt.u32.s32 %r1, %r0, 7;", -1},
        {"slct.s32.s32 %r1, 8, 9, -1;", 9},
        {"bfe.u32 %r1, 0xabcd, 4, 8;", 0xbc},
        {"bfe.s32 %r1, 0xabcd, 4, 8;", -68},
        {"bfi.b32 %r1, 3, 0xf0, 1, 2;", 0xf6},
        {"prmt.b32 %r1, 0x44332211, 0x00776655, 0x0145;", 0x11225566},
        {"lop3.b32 %r1, 12, 10, 6, 0x96;", 0},
        {"shf.l.wrap.b32 %r1, -1, 1, 4;", 31},
        {"shf.r.clamp.b32 %r1, 7, 9, 40;", 9},
        {"popc.b32 %r1, -1;", 32},
        {"clz.b32 %r1, %r0;", 27},
        {"brev.b32 %r2, 1; shr.u32 %r1, %r2, 31;", 1},
        {"bfind.u32 %r1, %r0;", 4},
        {"sad.s32 %r1, -5, 3, 2;", 10},
        {"abs.s32 %r1, -5;", 5},
        {"not.b32 %r1, 5;", -6},
        {"cnot.b32 %r1, 0;", 1},
        {"mul24.lo.s32 %r1, 0x1000003, 5;", 15},
        {"cvt.s32.s8 %r1, 200;", -56},
        {"cvt.u32.u8 %r1, 456;", 200},
        {"cvt.u16.u32 %h1, -1; cvt.u32.u16 %r1, %h1;", 65535},
        {"cvt.u16.u32 %h1, -1; cvt.s32.s16 %r1, %h1;", -1},
        {"mov.b64 %q5, {%r0, 7}; mov.b64 {%r2, %r1}, %q5;", 7},
        {"mov.u32 %r2, %nwarpid; mov.u32 %r3, %lanemask_lt; popc.b32 %r3, %r3; add.s32 %r1, %r2, %r3;", 32},
        {"shfl.sync.idx.b32 %r1, %r0, 5, 31, -1;", 5},
        {"shfl.sync.down.b32 %r1|%p1, %r0, 1, 31, -1; selp.b32 %r1, 1, 0, %p1;", 0},
        {"setp.gt.s32 %p1, %r0, 15; vote.sync.ballot.b32 %r2, %p1, -1; popc.b32 %r1, %r2;", 16},
        {"{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r0; call.uni (b), twice, (a); ld.param.b32 %r1, "
         "[b]; }",
         62},
        {"mov.u32 %r2, dynamic; add.s32 %r3, %r2, 44; sub.s32 %r1, %r3, %r2;", 44},
        {"mov.u32 %r2, dynamic; add.s32 %r3, %r2, 44; and.b32 %r1, %r3, 15;", 12},
        {"setp.ne.s64 %p1, %q2, 0; selp.b32 %r1, 1, 2, %p1;", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t value = value_of(cases[i].text);
        if (value != cases[i].value)
            fail_msg("%s: %lld, not %lld", cases[i].text, (long long)value, (long long)cases[i].value);
    }
}

static void lanes_part_and_meet_again(void **state)
{
    (void)state;
    struct seen seen;
    /* each lane leaves the loop in its own round; behind it all run together */
    assert_string_equal(
        run_body("mov.u32 %r1, 0;\n$loop: add.s32 %r1, %r1, 1;\nsetp.le.s32 %p1, %r1, %r0;\n"
                 "st.global.u32 [%q2], %r1;\n@%p1 bra $loop;\n"
                 "mul.wide.s32 %q3, %r1, 4;\nadd.s64 %q4, %q2, %q3;\nst.global.u32 [%q4], %r1;",
                 &seen),
        "");
    assert_int_equal(seen.accesses, 33);
    assert_int_equal(seen.masks[31], 0x80000000u);
    assert_int_equal(seen.masks[32], 0xffffffffu);
    assert_int_equal(seen.first[32], 4);
    assert_int_equal(seen.last[32], 128);
    /* out of two loops at once, and a side that the text has behind its end */
    assert_string_equal(
        run_body("mov.u32 %r1, 0;\n$outer: mov.u32 %r2, 0;\n$inner: setp.eq.s32 %p1, %r2, %r0;\n"
                 "@%p1 bra $out;\nadd.s32 %r2, %r2, 1;\nsetp.lt.s32 %p2, %r2, 4;\n@%p2 bra $inner;\n"
                 "add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p3, %r1, 3;\n@%p3 bra $outer;\nbra $end;\n"
                 "$out: st.global.u32 [%q2], %r1;\n$end: st.global.u32 [%q2+4], %r1;",
                 &seen),
        "");
    assert_int_equal(seen.accesses, 2);
    assert_int_equal(seen.masks[0], 0xfu);
    assert_int_equal(seen.masks[1], 0xffffffffu);
    /* a guard of one instruction; none of its lanes: passed over */
    assert_string_equal(
        run_body("setp.lt.s32 %p1, %r0, 3;\n@%p1 st.global.u32 [%q2], %r0;\nsetp.lt.s32 %p2, %r0, 0;\n"
                 "@%p2 st.global.u32 [%q2], %r0;\n@!%p2 st.global.u32 [%q2], %r0;",
                 &seen),
        "");
    assert_int_equal(seen.accesses, 2);
    assert_int_equal(seen.skipped, 1);
    assert_int_equal(seen.masks[0], 7);
    /* lanes that skip a barrier and exit do not hold the others up; lanes at two barriers do */
    assert_string_equal(
        run_body("setp.lt.s32 %p1, %r0, 8;\n@%p1 bra $end;\nbar.sync 0;\nst.global.u32 [%q2], %r0;\n$end:",
                 &seen),
        "");
    assert_int_equal(seen.masks[0], 0xffffff00u);
    assert_non_null(strstr(
        run_body("setp.lt.s32 %p1, %r0, 8;\n@%p1 bra $one;\nbar.sync 0;\nbra $end;\n$one: bar.sync 0;\n"
                 "$end: st.global.u32 [%q2], %r0;",
                 &seen),
        "this barrier is reached by only some lanes"));
}

/* Where neither way does more than compute, it makes no difference to what is counted which is taken. */
static void data_may_decide_what_is_only_computed(void **state)
{
    (void)state;
#define DATA "ld.global.f32 %f1, [%q2];\nsetp.gt.f32 %p1, %f1, 0f00000000;\nmov.u32 %r1, 1;\n"
#define PUT  "mul.wide.s32 %q3, %r1, 4;\nadd.s64 %q4, %q2, %q3;\nst.global.f32 [%q4], %f2;\n"
    static const char data[] = "depends on";
    static const struct {
        const char *text, *problem;
        unsigned accesses;
    } cases[] = {
        {DATA "@%p1 bra $else;\nadd.f32 %f2, %f1, %f1;\nbra $join;\n$else: neg.f32 %f2, %f1;\n"
              "$join: st.global.f32 [%q2], %f2;",
         "", 2},
        /* a loop that nobody knows how often it turns, with another inside; an assertion */
        {DATA "$loop: add.f32 %f1, %f1, %f2;\nsetp.lt.f32 %p2, %f1, 0f00000000;\n@%p2 bra $loop;\n"
              "mul.f32 %f1, %f1, %f1;\nsetp.lt.f32 %p3, %f1, 0f00000000;\n@%p3 bra $loop;\n"
              "st.global.f32 [%q2], %f1;",
         "", 2},
        {DATA "@%p1 bra $fine;\ntrap;\n$fine: st.global.f32 [%q2], %f1;", "", 2},
        /* a pointer that some lanes would not have any more, and nobody uses */
        {DATA "mov.u64 %q5, %q2;\nsetp.gt.s32 %p2, %r0, 15;\n@%p2 bra $join;\n@%p1 bra $join;\n"
              "add.s64 %q5, %q2, 8;\n$join: st.global.f32 [%q2], %f1;",
         "", 2},
        /* what is written there is no number any more; a store may not be made or left out; nor an exit */
        {DATA "@%p1 bra $join;\nmov.u32 %r1, 2;\n$join: " PUT, data, 0},
        {DATA "@%p1 bra $join;\nst.global.f32 [%q2], %f1;\n$join: st.global.f32 [%q2], %f1;", data, 0},
        {DATA "@%p1 bra $end;\n" PUT "$end:", data, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct seen seen;
        const char *message = run_body(cases[i].text, &seen);
        if (*cases[i].problem ? !strstr(message, cases[i].problem) : *message != '\0')
            fail_msg("%s: %s", cases[i].text, message);
        if (!*cases[i].problem)
            assert_int_equal(seen.accesses, cases[i].accesses);
    }
#undef DATA
#undef PUT
}

static void generic_addresses_go_where_they_point(void **state)
{
    (void)state;
    struct seen seen;
    assert_string_equal(
        run_body("mov.u64 %q5, dynamic;\ncvta.shared.u64 %q6, %q5;\nst.u32 [%q6+8], %r0;\n"
                 "setp.gt.s32 %p1, %r9, 5;\nselp.b64 %q7, %q1, %q6, %p1;\nld.u32 %r1, [%q7+16];",
                 &seen),
        "");
    assert_int_equal(seen.accesses, 2);
    assert_int_equal(seen.first[0], 8);
    assert_int_equal(seen.first[1], 16);
}

/* .reqntid, or else the largest block that .maxntid allows; what was asked for comes before both. A buffer's
 * contents are numbers here as in source. */
static void a_block_and_data_of_ptx(void **state)
{
    static const char form[] =
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        ".visible .entry k(.param .u64 p, .param .u64 i)\n.maxntid 64, 2\n%s{\n"
        ".reg .b32 %%r<4>;\n.reg .b64 %%q<9>;\nld.param.u64 %%q1, [p];\nld.param.u64 %%q2, [i];\n"
        "mov.u32 %%r1, %%tid.x;\nmul.wide.u32 %%q3, %%r1, 4;\nadd.s64 %%q4, %%q2, %%q3;\n"
        "ld.global.u32 %%r2, [%%q4];\nmul.wide.u32 %%q5, %%r2, 4;\nadd.s64 %%q6, %%q1, %%q5;\n"
        "st.global.u32 [%%q6], %%r1;\nret;\n}\n";
    static const struct {
        const char *directive;
        unsigned given, block[2];
    } cases[] = {{"", 0, {64, 2}}, {".reqntid 32\n", 0, {32, 1}}, {".reqntid 32\n", 16, {16, 1}}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1200];
        struct scenario s;
        struct problem problem = {0};
        struct scenario_options options = {
            .rows = 8, .cols = 8, .grid = {1, {1, 1, 1}}, .data = {"i = 31 - i % 32"}, .data_count = 1};
        options.block = (struct shape){cases[i].given ? 1 : 0, {cases[i].given, 1, 1}};
        (void)snprintf(text, sizeof text, form, cases[i].directive);
        struct source source = {"block.ptx", text, strlen(text)};
        if (!scenario_open(&s, &source, &options, &problem))
            fail_msg("%s", problem.message);
        assert_int_equal(s.launch.block[0], cases[i].block[0]);
        assert_int_equal(s.launch.block[1], cases[i].block[1]);
        assert_true((strstr(s.note_of_launch, ".maxntid") != NULL) == (i == 0));
        struct seen seen = {0};
        struct sink sink = {.self = &seen, .access = see};
        struct execution *e = execution_new(s.program, &s.launch, false, &problem);
        if (!execution_run_block(e, (const uint32_t[3]){0, 0, 0}, &sink, &problem))
            fail_msg("%s", problem.message);
        assert_int_equal(seen.first[1], 4 * 31);
        execution_free(e);
        scenario_close(&s);
    }
}

static void what_is_not_followed_is_named(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];", "has no counting rule here yet"},
        {"frobnicate.b32 %r1, %r2;", "frobnicate.b32 is no instruction"},
        {"bra $nowhere;", "there is no label $nowhere"},
        {"ld.global.u32 %r1, [%q2];\nmul.wide.s32 %q3, %r1, 4;\nadd.s64 %q4, %q2, %q3;\nst.global.u32 [%q4], "
         "%r0;",
         "this address depends on what is loaded from `param_0`"},
        {"shr.u64 %q3, %q2, 4;\nst.global.u64 [%q2], %q3;", "this computes with an address"},
        {"call (%r1), %q3, (%r2), proto;", "a call through a register"},
        {"mov.u32 %r1, %nothing;", "%nothing is neither a register"},
        {"add.s32 %r1, %r2", "is expected here"},
        {"bar.sync 1, 64;", "a part of the block"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct seen seen;
        const char *message = run_body(cases[i][0], &seen);
        if (!strstr(message, cases[i][1]))
            fail_msg("%s: %s", cases[i][0], message);
    }
}

static void names_are_demangled_to_the_functions_own(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"_Z9transposePfPKfii", "transpose"},
        {"transpose", "transpose"},
        {"_Z4gemmILi16EEvPKfS1_Pfi", "gemm"},
        {"_ZN4cute6kernelIfLi3EEEvPT_", "kernel"},
        {"_ZZ5tiledPKfPfiiE4tile", "tile"},
        {"_Z", "_Z"},
        {"_Z99x", "_Z99x"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[40];
        ptx_base_name(cases[i][0], name, sizeof name);
        assert_string_equal(name, cases[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rung_has_the_accesses_of_its_ptx),
        cmocka_unit_test(rungs_compiled_here_with_other_macros_agree_too),
        cmocka_unit_test(kernels_that_people_wrote_agree),
        cmocka_unit_test(integer_instructions_are_exact),
        cmocka_unit_test(lanes_part_and_meet_again),
        cmocka_unit_test(data_may_decide_what_is_only_computed),
        cmocka_unit_test(generic_addresses_go_where_they_point),
        cmocka_unit_test(a_block_and_data_of_ptx),
        cmocka_unit_test(what_is_not_followed_is_named),
        cmocka_unit_test(names_are_demangled_to_the_functions_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
