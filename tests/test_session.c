/* test_session.c - what a user interface knows of a launch, against the same said another way. */
#include "tui_support.h"

#include "../sim/session/explain.h"

#define PLAIN ((struct scenario_options){.rows = 100, .cols = 70})

static struct session *session_of(const char *rung, struct scenario_options options)
{
    struct problem problem = {0};
    struct session *session = session_open(rung, &rung_find(rung)->source, &options, &problem);
    if (!session)
        fail_msg("%s", problem.message);
    return session;
}

static struct session *session_of_text(const char *text, struct scenario_options options)
{
    static struct source source;
    struct problem problem = {0};
    source = (struct source){"mine.cu", text, strlen(text)};
    struct session *session = session_open("mine.cu", &source, &options, &problem);
    if (!session)
        fail_msg("%s", problem.message);
    return session;
}

static void enter_block(struct session *session, uint64_t index)
{
    struct problem problem = {0};
    uint32_t block[3];
    launch_block_at(&session->scenario.launch, index, block);
    assert_true(session_enter(session, block, &problem));
}

static bool ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

/* Of every lane of every access: it is on where the mask says so, and where it is off a guard says why. */
static void lanes_are_on_and_off_as_their_masks_say(void **state)
{
    (void)state;
    for (size_t rung = 0; rung < rung_count; rung++) {
        struct session *session = session_of(rungs[rung].name, PLAIN);
        struct lane_glass glass = {.execution = NULL};
        for (uint64_t block = 0; block < session->blocks; block++) {
            enter_block(session, block);
            for (size_t i = 0; i < session->trace.count; i += 7)
                for (unsigned lane = 0; lane < LANES; lane += 3) {
                    const struct trace_access *at = &session->trace.at[i];
                    char text[LANE_SIZE];
                    lane_explain(&glass, session, at, lane, text);
                    bool on = at->access.mask >> lane & 1;
                    if (!ends_with(text, on ? ": on" : " is false: off"))
                        fail_msg("%s, lane %u: %s", rungs[rung].name, lane, text);
                }
        }
        lane_glass_free(&glass);
        session_free(session);
    }
}

static void explain_lane(const char *text, unsigned site, unsigned lane, const char *says)
{
    struct session *session = session_of_text(text, (struct scenario_options){.rows = 8, .cols = 8});
    struct lane_glass glass = {.execution = NULL};
    char words[LANE_SIZE] = "";
    for (size_t i = 0; i < session->trace.count; i++)
        if (session->trace.at[i].access.site->id == site) {
            lane_explain(&glass, session, &session->trace.at[i], lane, words);
            break;
        }
    if (strcmp(words, says) != 0)
        fail_msg("\"%s\" instead of \"%s\"", words, says);
    lane_glass_free(&glass);
    session_free(session);
}

#define HEAD                                                                                                 \
    "// block: 32\n// grid: 1\n__global__ void k(const float *in, float *out, int rows, int cols) {\n"

static void guards_of_every_shape(void **state)
{
    (void)state;
    explain_lane(HEAD "int x = threadIdx.x; if (x >= cols) return; out[x] = in[x]; }", 0, 9,
                 "x = 9, x >= cols (8) is true: off");
    explain_lane(HEAD "int x = threadIdx.x; if (x < 4) { } else { out[x] = in[x]; } }", 0, 2,
                 "x = 2, x < 4 is true: off");
    explain_lane(HEAD "if (!(threadIdx.x > 5)) out[threadIdx.x] = in[threadIdx.x]; }", 0, 7,
                 "threadIdx.x (7) > 5 is true: off");
    explain_lane(HEAD "int x = threadIdx.x; if (x > 2 && (x < 6 || x == 8)) out[x] = in[x]; }", 0, 1,
                 "x = 1, x > 2 is false: off");
    explain_lane(HEAD "int x = threadIdx.x; if (x > 2 && (x < 6 || x == 8)) out[x] = in[x]; }", 0, 7,
                 "x = 7, (x < 6 || x == 8) is false: off");
    explain_lane(HEAD "for (int i = threadIdx.x; i < 4; i += 32) out[i] = in[i]; }", 0, 5,
                 "i = 5, i < 4 is false: off");
    explain_lane(HEAD "int x = threadIdx.x; out[x] = x < 8 ? in[x] : 0.0f; }", 0, 30,
                 "x = 30, x < 8 is false: off");
    explain_lane(HEAD "int x = threadIdx.x, y = (x + 1) * 2 - x % 3; if (x < 9) out[x] = in[y]; }", 0, 4,
                 "y = (4+1)*2-4%3 = 9, in[9]; x (4) < 9: on");
    explain_lane(HEAD "int x = threadIdx.x << 1; if (x < 9) out[x] = in[x]; }", 0, 4,
                 "x = 4<<1 = 8, in[8]; x < 9: on");
    /* what cannot be said is not said */
    explain_lane(HEAD "int x = threadIdx.x; if (x < 3) x = 40; if (x < 8) out[x] = in[x]; }", 0, 1,
                 "x = 40, x < 8 is false: off");
    explain_lane(HEAD "int x = threadIdx.x; if (x < 3) { x += 40; out[x & 7] = in[0]; } }", 1, 20,
                 "x = 20, x < 3 is false: off");
    explain_lane(HEAD "int x = threadIdx.x; if (x < 3) { x += 40; out[x & 7] = in[0]; } }", 1, 1,
                 "x = 41, out[41&7 = 1]; on");
}

#define PTX_HEAD                                                                                             \
    ".version 7.0\n.target sm_80\n.address_size 64\n"                                                        \
    ".visible .entry k(.param .u64 k_in, .param .u64 k_out, .param .u32 k_limit)\n{\n"                       \
    ".reg .pred %p<5>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<3>;\n"                                \
    "ld.param.u64 %rd1, [k_in]; cvta.to.global.u64 %rd2, %rd1; ld.param.u64 %rd3, [k_out];\n"                \
    "cvta.to.global.u64 %rd4, %rd3; ld.param.u32 %r2, [k_limit]; mov.u32 %r1, %tid.x;\n"                     \
    "mul.wide.u32 %rd5, %r1, 4; add.s64 %rd6, %rd2, %rd5; add.s64 %rd7, %rd4, %rd5;\n"                       \
    "add.s32 %r3, %r1, %r1;\n"

/* Of compiled code: guards and branches of every shape, by what their predicates compare. */
static void guards_of_compiled_code(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        unsigned site, lane;
        const char *says;
    } cases[] = {
        {"setp.lt.u32 %p1, %r1, %r2; @%p1 ld.global.f32 %f1, [%rd6]; @%p1 st.global.f32 [%rd7], %f1;", 0, 9,
         "threadIdx.x (9) < limit (8) is false: off"},
        {"setp.lt.u32 %p1, %r1, %r2; @%p1 ld.global.f32 %f1, [%rd6]; @%p1 st.global.f32 [%rd7], %f1;", 0, 3,
         "[%rd6] is byte 12 of in; on"},
        {"setp.gt.s32 %p2, %r3, 19; @%p2 ret; st.global.f32 [%rd7], 0f00000000;", 0, 12,
         "%r3 (24) > 19 is true: off"},
        {"setp.gt.s32 %p2, %r3, 19; @%p2 bra DONE; st.global.f32 [%rd7], 0f00000000;\nDONE:", 0, 12,
         "%r3 (24) > 19 is true: off"},
        {"setp.ge.s32 %p1, %r1, %r2; setp.eq.s32 %p2, %r1, 3; or.pred %p3, %p1, %p2; @%p3 bra DONE;\n"
         "st.global.f32 [%rd7], 0f00000000;\nDONE:",
         0, 3, "threadIdx.x (3) == 3 is true: off"},
        {"setp.lt.s32 %p1, %r1, %r2; setp.ne.s32 %p2, %r1, 3; and.pred %p3, %p1, %p2; not.pred %p4, %p3;\n"
         "@%p4 bra DONE; st.global.f32 [%rd7], 0f00000000;\nDONE:",
         0, 3, "threadIdx.x (3) != 3 is false: off"},
        {"setp.lt.s32 %p1, %r1, %r2; @!%p1 bra DONE; st.global.f32 [%rd7], 0f00000000;\nDONE:", 0, 31,
         "threadIdx.x (31) < limit (8) is false: off"},
        /* the second turn: lanes that have left the loop */
        {"mov.u32 %r4, 0;\nAGAIN: st.global.f32 [%rd7], 0f00000000; add.s32 %r4, %r4, 4;\n"
         "setp.lt.s32 %p1, %r4, %r1; @%p1 bra AGAIN;",
         0, 2, "%r4 (4) < threadIdx.x (2) is false: off"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2000], words[LANE_SIZE] = "";
        (void)snprintf(text, sizeof text, "%s%s\nret;\n}\n", PTX_HEAD, cases[i].body);
        struct source source = {"k.ptx", text, strlen(text)};
        struct problem problem = {0};
        const struct scenario_options options = {.rows = 8,
                                                 .cols = 8,
                                                 .in = "in",
                                                 .out = "out",
                                                 .arguments = {"limit=8"},
                                                 .argument_count = 1,
                                                 .block = {.count = 1, .size = {32, 1, 1}},
                                                 .grid = {.count = 1, .size = {1, 1, 1}}};
        struct session *session = session_open("k.ptx", &source, &options, &problem);
        if (!session)
            fail_msg("case %zu: %s", i, problem.message);
        struct lane_glass glass = {.execution = NULL};
        for (size_t k = 0; k < session->trace.count; k++) /* the last: of a loop's turns the second */
            if (session->trace.at[k].access.site->id == cases[i].site &&
                session->trace.at[k].access.visit < 2)
                lane_explain(&glass, session, &session->trace.at[k], cases[i].lane, words);
        if (strcmp(words, cases[i].says) != 0)
            fail_msg("\"%s\" instead of \"%s\"", words, cases[i].says);
        lane_glass_free(&glass);
        session_free(session);
    }
}

/* "A (71) >= B (70) is true: off": do the numbers say so, is one of them the matrix's edge? */
static bool comparison_is_so(const char *text)
{
    static const char *const signs[] = {" >= ", " > ", " <= ", " < ", " == ", " != "};
    const char *sign = NULL;
    int which = 0;
    for (int i = 0; i < 6 && !sign; i++)
        sign = strstr(text, signs[which = i]);
    if (!sign || !ends_with(text, ": off"))
        return false;
    const char *left = strchr(text, '('), *right = strchr(sign, '(');
    long a = strtol(left && left < sign ? left + 1 : text, NULL, 10);
    long b = strtol(right ? right + 1 : sign + strlen(signs[which]), NULL, 10);
    bool holds = which == 0   ? a >= b
                 : which == 1 ? a > b
                 : which == 2 ? a <= b
                 : which == 3 ? a < b
                 : which == 4 ? a == b
                              : a != b;
    return strstr(text, holds ? " is true: " : " is false: ") && (b == 70 || b == 100 || a == 70 || a == 100);
}

/* The rungs as nvcc compiles them: each lane of each access of a corner block. */
static void lanes_of_compiled_rungs(void **state)
{
    (void)state;
    static const char *const rung_names[] = {"copy", "naive", "tiled", "padded", "swizzled"};
    unsigned off = 0;
    for (size_t i = 0; i < sizeof rung_names / sizeof *rung_names; i++) {
        char path[100], words[LANE_SIZE];
        struct problem problem = {0};
        (void)snprintf(path, sizeof path, "tests/data/ptx/%s.ptx", rung_names[i]);
        char *text = read_file(path);
        struct source source = {path, text, strlen(text)};
        struct scenario_options options = PLAIN;
        options.arguments[0] = "param_2=rows";
        options.arguments[1] = "param_3=cols";
        options.argument_count = 2;
        options.block = (struct shape){.count = 2, .size = {32, 8, 1}};
        options.grid = (struct shape){.count = 2, .size = {3, 4, 1}};
        struct session *session = session_open(path, &source, &options, &problem);
        if (!session)
            fail_msg("%s", problem.message);
        struct lane_glass glass = {.execution = NULL};
        enter_block(session, session->blocks - 1);
        for (size_t k = 0; k < session->trace.count; k++)
            for (unsigned lane = 0; lane < LANES; lane += 5) {
                const struct trace_access *at = &session->trace.at[k];
                bool on = at->access.mask >> lane & 1;
                lane_explain(&glass, session, at, lane, words);
                off += !on;
                if (on ? !ends_with(words, "; on") : !comparison_is_so(words))
                    fail_msg("%s, access %zu, lane %u: %s", path, k, lane, words);
            }
        lane_glass_free(&glass);
        session_free(session);
        free(text);
    }
    assert_true(off > 100);
}

static void no_thread_there(void **state)
{
    (void)state;
    struct session *session =
        session_of_text("// block: 20\n// grid: 1\n__global__ void k(float *out) { out[threadIdx.x] = 0; }\n",
                        (struct scenario_options){.rows = 20, .cols = 1});
    struct lane_glass glass = {.execution = NULL};
    char text[LANE_SIZE];
    lane_explain(&glass, session, &session->trace.at[0], 25, text);
    assert_string_equal(text, "no such thread: the block has 20");
    lane_glass_free(&glass);
    session_free(session);
}

/* The top of the launch, against every warp of every block looked at one by one. */
static void the_worst_are_the_worst(void **state)
{
    (void)state;
    for (size_t rung = 0; rung < rung_count; rung++) {
        struct session *session =
            session_of(rungs[rung].name, (struct scenario_options){.rows = 75, .cols = 53});
        while (session_count(session, 3))
            ;
        uint64_t most = 0, found = 0;
        const struct worst *worst = &session->worst;
        for (uint64_t block = 0; block < session->blocks; block++) {
            enum { SITES = 64 };
            uint64_t excess[32][SITES] = {{0}};
            assert_in_range(session->scenario.program->site_count, 1, SITES);
            enter_block(session, block);
            for (size_t i = 0; i < session->trace.count; i++) {
                const struct trace_access *at = &session->trace.at[i];
                excess[at->access.warp][at->access.site->id] += at->cost.units - at->cost.ideal;
            }
            for (unsigned warp = 0; warp < 32; warp++)
                for (unsigned site = 0; site < SITES; site++) {
                    most = excess[warp][site] > most ? excess[warp][site] : most;
                    for (unsigned row = 0; row < worst->count; row++) {
                        const struct worst_row *w = &worst->rows[row];
                        if (memcmp(w->block, session->trace.block, sizeof w->block) == 0 && w->warp == warp &&
                            w->site == site) {
                            assert_int_equal(w->units - w->ideal, excess[warp][site]);
                            found++;
                        }
                    }
                }
        }
        assert_int_equal(found, worst->count);
        assert_int_equal(worst->count ? worst->rows[0].units - worst->rows[0].ideal : 0, most);
        for (unsigned row = 1; row < worst->count; row++)
            assert_true(worst->rows[row].units - worst->rows[row].ideal <=
                        worst->rows[row - 1].units - worst->rows[row - 1].ideal);
        session_free(session);
    }
}

/* Each point of the curve is the launch with that pitch. */
static void the_curve_is_made_of_launches(void **state)
{
    (void)state;
    struct pitches pitches;
    struct session *session = session_of("tiled", PLAIN);
    assert_true(pitches_begin(&pitches, session));
    while (pitches_step(&pitches))
        ;
    assert_int_equal(pitches.count, 33);
    for (unsigned i = 0; i < pitches.count; i += 5) {
        struct scenario_options options = PLAIN;
        options.pitch = 32 + i;
        struct session *other = session_of("tiled", options);
        while (session_count(other, 100))
            ;
        const struct summary sum = session_summary(other);
        assert_int_equal(pitches.at[i].pitch, options.pitch);
        assert_int_equal(pitches.at[i].units, sum.of[SHARED_LOAD].units + sum.of[SHARED_STORE].units);
        assert_int_equal(pitches.at[i].ideal, sum.of[SHARED_LOAD].ideal + sum.of[SHARED_STORE].ideal);
        session_free(other);
    }
    session_free(session);
    session = session_of("naive", PLAIN);
    assert_false(pitches_begin(&pitches, session));
    session_free(session);
}

/* In the text's own words: comments, blanks and other arrays do not mislead it. */
static void a_pitch_is_found_where_the_text_declares_it(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        uint64_t pitch; /* 0: none to be found */
        int line;
        uint64_t width; /* 0: whatever */
    } cases[] = {
        {"__shared__ float tile[8][32 + 1]; int t = threadIdx.x; tile[t % 8][t] = in[0]; out[0] = "
         "tile[0][0]; }",
         33, 4, 32},
        {"__shared__ float tile[32][33]; tile[0][0] = in[0]; out[0] = tile[0][0]; }", 33, 4, 32},
        {"__shared__ double tile[2][40]; tile[1][threadIdx.x % 20] = in[0]; out[0] = tile[0][0]; }", 40, 4,
         20},
        {"__shared__ float tile[4][8]; tile[0][threadIdx.x % 8] = in[0]; out[0] = tile[0][0]; }", 8, 4, 8},
        {"__shared__ float a[3],\n tile [ 4 ] [ 2 * 4 + 1 ]; tile[0][0] = in[0]; out[0] = tile[0][0] + a[0]; "
         "}",
         9, 5, 1},
        {"__shared__ float tiles[7]; __shared__ float tile[4][5]; tile[0][0] = in[0]; out[0] = tile[0][0] + "
         "tiles[0]; }",
         5, 4, 4},
        {"__shared__ float tile[32]; tile[0] = in[0]; out[0] = tile[0]; }", 0, 0, 0},
        {"out[0] = in[0]; }", 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600], *fresh;
        struct repitch found;
        struct problem problem = {0};
        (void)snprintf(text, sizeof text, HEAD "%s", cases[i].body);
        struct session *session = session_of_text(text, (struct scenario_options){.rows = 8, .cols = 8});
        assert_int_equal(repitch_find(session, NULL, &found), cases[i].pitch != 0);
        if (cases[i].pitch) {
            assert_int_equal(found.pitch, cases[i].pitch);
            assert_int_equal(found.line, cases[i].line);
            if (cases[i].width)
                assert_int_equal(repitch_width(session, &found), cases[i].width);
            struct session *other = repitch_open(session, &found, 17, &fresh, &problem);
            assert_non_null(other);
            struct repitch now;
            assert_true(repitch_find(other, NULL, &now));
            assert_int_equal(now.pitch, 17);
            session_free(other);
            free(fresh);
            assert_null(repitch_open(session, &found, 400000000, &fresh, &problem)); /* no such tile */
            assert_true(problem.set);
        }
        session_free(session);
    }
}

/* Sums by bank and by cell, against the accesses of all blocks one by one. */
static void conflicts_add_up(void **state)
{
    (void)state;
    static const unsigned elements[] = {4, 8, 16};
    for (size_t e = 0; e < 3; e++) {
        struct scenario_options options = {.rows = 75, .cols = 53, .elem_bytes = elements[e]};
        struct session *session = session_of("tiled", options);
        struct conflicts conflicts;
        struct conflict_banks banks;
        static struct conflict_cell cells[32 * 32];
        memset(cells, 0, sizeof cells);
        conflicts_init(&conflicts, session);
        while (conflicts_advance(&conflicts, 2))
            ;
        conflicts_sum(&conflicts, 0, &banks, cells, 32 * 32);
        assert_false(conflicts.cut || conflicts.failed || conflicts.sampled);
        uint64_t turns[BANK_COUNT] = {0}, units[32 * 32] = {0};
        for (uint64_t block = 0; block < session->blocks; block++) {
            enter_block(session, block);
            for (size_t i = 0; i < session->trace.count; i++) {
                const struct trace_access *at = &session->trace.at[i];
                struct lanes lanes = access_lanes(&at->access);
                unsigned words[BANK_COUNT];
                int64_t row, col;
                if (at->access.site->kind->space != SPACE_SHARED)
                    continue;
                bank_words_of(&lanes, words);
                for (unsigned bank = 0; bank < BANK_COUNT; bank++)
                    turns[bank] += words[bank];
                for (unsigned lane = 0; lane < LANES; lane++)
                    if (session_element(session, &at->access, lane, &row, &col))
                        units[row * 32 + col] += at->cost.units;
            }
        }
        for (unsigned bank = 0; bank < BANK_COUNT; bank++)
            assert_int_equal(banks.turns[bank], turns[bank]);
        for (size_t i = 0; i < 32 * 32; i++)
            assert_int_equal(cells[i].units, units[i]);
        conflicts_free(&conflicts);
        session_free(session);
    }
}

/* Every cell of a correct transpose comes from where it belongs, through the tile where there is one. */
static void every_cell_has_its_story(void **state)
{
    (void)state;
    static const char *const names[] = {"naive", "tiled", "swizzled"};
    for (size_t rung = 0; rung < 3; rung++) {
        struct session *session =
            session_of(names[rung], (struct scenario_options){.rows = 20, .cols = 13, .tile = 8});
        struct ownership owners;
        ownership_init(&owners, session, 0, 0, 13, 20);
        while (ownership_advance(&owners, session, 4))
            ;
        for (int row = 0; row < 13; row++)
            for (int col = 0; col < 20; col++) {
                char text[STORY_SIZE], end[40], begin[64];
                story_tell(session, row, col, &owners.map.cells[row * 20 + col], text);
                (void)snprintf(begin, sizeof begin, "(%d,%d) <- block %d,%d ", row, col, row / 8, col / 8);
                (void)snprintf(end, sizeof end, " <- in(%d,%d)", col, row);
                if (strncmp(text, begin, strlen(begin)) != 0 || !ends_with(text, end) ||
                    (strstr(text, "<- tile[") != NULL) != (rung > 0))
                    fail_msg("%s: %s", names[rung], text);
            }
        ownership_free(&owners);
        session_free(session);
    }
}

static void a_wrong_cell_says_what_belongs_there(void **state)
{
    (void)state;
    struct session *session =
        session_of_text(HEAD "int t = threadIdx.x; if (t < 8) out[t] = in[t]; if (t == 0) out[9] = 3.0f; }",
                        (struct scenario_options){.rows = 8, .cols = 8});
    struct ownership owners;
    char text[STORY_SIZE];
    ownership_init(&owners, session, 0, 0, 8, 8);
    while (ownership_advance(&owners, session, 1))
        ;
    story_tell(session, 0, 1, &owners.map.cells[1], text);
    assert_string_equal(text,
                        "(0,1) <- block 0,0 warp 0 lane 1, line 4 <- in(0,1): WRONG, (1,0) belongs here");
    story_tell(session, 1, 1, &owners.map.cells[9], text);
    assert_string_equal(text,
                        "(1,1) <- block 0,0 warp 0 lane 0, line 4 <- a constant: WRONG, (1,1) belongs here");
    story_tell(session, 7, 7, &owners.map.cells[63], text);
    assert_string_equal(text, "(7,7): nobody writes it");
    ownership_free(&owners);
    session_free(session);
}

static void open_zoo(struct state *s, const struct rung *kernel, int rows, int cols)
{
    struct problem problem = {0};
    static const struct scenario_options none = {0};
    struct state_start start = {kernel->name, &kernel->source, true, &none, rows, cols, false};
    if (!state_init(s, &start, &problem))
        fail_msg("%s: %s", kernel->name, problem.message);
    finish_work(s);
}

/* The UI leads to the line that the zoo marks; twins are correct. */
static void the_zoo_in_the_header_and_the_list(void **state)
{
    (void)state;
    static const struct {
        int rows, cols;
    } sizes[] = {{24, 80}, {40, 120}};
    for (size_t i = 0; i < zoo_count; i++)
        for (size_t size = 0; size < 2; size++) {
            struct problem problem = {0};
            static const struct scenario_options none = {0};
            struct session *session = session_open(zoo[i].name, &zoo[i].source, &none, &problem);
            if (!session) { /* a fault in the first block ends the trace: the command tells of it */
                assert_int_equal(problem.kind, PROBLEM_KERNEL);
                continue;
            }
            session_free(session);
            struct state s;
            open_zoo(&s, &zoo[i], sizes[size].rows, sizes[size].cols);
            const char *mark = strstr(zoo[i].source.bytes, "// <- here");
            if (!mark) {
                assert_shows(&s, "correct (all blocks)");
                press(&s, "!");
                assert_shows(&s, "Nothing is wrong.");
            } else {
                char line[40];
                int number, column;
                source_place(&zoo[i].source, (size_t)(mark - zoo[i].source.bytes), &number, &column);
                (void)snprintf(line, sizeof line, "line %d", number);
                assert_shows(&s, line);
                assert_true(state_has_finding(&s.side[0], number) ||
                            verdict_finding(&s.side[0].verdict, 0)->severity == FINDING_NOTE);
                press(&s, "!");
                (void)snprintf(line, sizeof line, "\u203a line %d", number);
                assert_shows(&s, line);
                press(&s, "<Enter>");
                assert_int_equal(s.view, VIEW_PANES);
                press(&s, "<Back>N");
            }
            state_free(&s);
        }
}

static void the_headline(void **state)
{
    (void)state;
    struct state s;
    struct verdict verdict;
    char text[100];
    struct session *session = session_of("tiled", (struct scenario_options){.rows = 1000, .cols = 1000});
    verdict_begin(&verdict, session);
    (void)verdict_step(&verdict, session->blocks / 2);
    verdict_headline(&verdict, 60, text, sizeof text);
    assert_non_null(strstr(text, "not yet known "));
    while (verdict_step(&verdict, 100))
        ;
    verdict_headline(&verdict, 60, text, sizeof text);
    assert_string_equal(text, "correct (all blocks)");
    verdict_headline(&verdict, 10, text, sizeof text);
    assert_string_equal(text, "correct");
    verdict_free(&verdict);
    session_free(session);
    open_zoo(&s, kernel_find("barrier-missing"), 24, 80);
    verdict_headline(&s.side[0].verdict, 80, text, sizeof text);
    assert_non_null(strstr(text, "NOT CORRECT: 3,066 cells wrong, race at line "));
    verdict_headline(&s.side[0].verdict, 34, text, sizeof text);
    assert_non_null(strstr(text, "NOT CORRECT: race at line "));
    verdict_headline(&s.side[0].verdict, 12, text, sizeof text);
    assert_string_equal(text, "NOT CORRECT");
    state_free(&s);
}

static void lanes_that_share(void **state)
{
    (void)state;
    struct session *session = session_of("naive", PLAIN);
    char text[EXPLAIN_SIZE];
    explain_sharing(&session->trace.at[0], text);
    assert_string_equal(
        text, "Sector 0: lanes 0-7; sector 1: lanes 8-15; sector 2: lanes 16-23; sector 3: lanes 24-31.");
    explain_sharing(&session->trace.at[1], text);
    assert_string_equal(text, "No two lanes share a sector.");
    session_free(session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_are_on_and_off_as_their_masks_say),
        cmocka_unit_test(guards_of_every_shape),
        cmocka_unit_test(guards_of_compiled_code),
        cmocka_unit_test(lanes_of_compiled_rungs),
        cmocka_unit_test(no_thread_there),
        cmocka_unit_test(the_worst_are_the_worst),
        cmocka_unit_test(the_curve_is_made_of_launches),
        cmocka_unit_test(a_pitch_is_found_where_the_text_declares_it),
        cmocka_unit_test(conflicts_add_up),
        cmocka_unit_test(every_cell_has_its_story),
        cmocka_unit_test(a_wrong_cell_says_what_belongs_there),
        cmocka_unit_test(the_zoo_in_the_header_and_the_list),
        cmocka_unit_test(the_headline),
        cmocka_unit_test(lanes_that_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
