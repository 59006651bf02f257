/* test_options.c - the table of options, the command line, and how it is refused. */
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../src/command.h"
#include "../src/option_row.h"

static const struct option_row *option_named(const char *name)
{
    for (size_t i = 0; i < option_count; i++)
        if (strcmp(option_rows[i].name, name) == 0)
            return &option_rows[i];
    return NULL;
}

static unsigned words_of(const char *argument)
{
    unsigned words = 1;
    for (; *argument; argument++)
        words += *argument == '|';
    return words;
}

static void every_row_of_options_is_sound(void **state)
{
    (void)state;
    assert_true(option_count <= OPTION_LIMIT);
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_rows[i];
        struct options options = {0};
        struct problem problem = {0};
        assert_ptr_equal(option_named(row->name), row); /* no name stands twice */
        assert_non_null(row->read);
        assert_true(row->place + row->width <= sizeof options);
        if (row->read == read_number || row->read == read_power || row->read == read_choice)
            assert_true(row->width == 4 || row->width == 8);
        if (row->read == read_number)
            assert_true(row->least < row->most && (row->width == 8 || row->most <= UINT32_MAX));
        if (row->read == read_choice)
            assert_int_equal(row->most, words_of(row->argument));
        assert_true((row->argument == NULL) == (row->read == read_flag));
        if (row->initial && !row->read(row, row->initial, &options, &problem))
            fail_msg("--%s: what holds where it is not given: %s", row->name, problem.message);
    }
}

/* A new option that names a file is guarded against being read and written at once by its row alone. */
static void paths_are_found_by_their_rows(void **state)
{
    (void)state;
    char *words[] = {"confirm", "-o", "a", "--record", "b", "--patterns", "c", "--configs", "d", NULL};
    const char *paths[OPTION_PATH_LIMIT];
    struct options o;
    struct problem problem = {0};
    assert_true(options_parse(&o, command_find("confirm"), 9, words, &problem));
    assert_int_equal(options_paths(&o, true, paths), 2);
    assert_string_equal(paths[0], "a");
    assert_string_equal(paths[1], "b");
    assert_int_equal(options_paths(&o, false, paths), 2);
    assert_string_equal(paths[0], "d");
    assert_string_equal(paths[1], "c");
    unsigned of_files = 0;
    for (size_t i = 0; i < option_count; i++)
        of_files += option_rows[i].read == read_input_path || option_rows[i].read == read_output_path;
    assert_true(of_files <= OPTION_PATH_LIMIT);
}

/* In no command does a name or a letter stand for two options. */
static void commands_take_options_that_exist(void **state)
{
    (void)state;
    for (size_t i = 0; i < command_count; i++)
        for (const char *const *name = commands[i].options; *name; name++) {
            const struct option_row *row = option_named(*name);
            if (!row)
                fail_msg("lanescope %s takes --%s, which is no option", commands[i].name, *name);
            for (const char *const *other = commands[i].options; other < name; other++) {
                assert_string_not_equal(*other, *name);
                assert_false(row->letter && option_named(*other)->letter == row->letter);
            }
        }
}

/* Values reach their places: one of each width, and the ends of a range. */
static void options_set_what_their_rows_name(void **state)
{
    (void)state;
    char *words[] = {"trace",     "naive", "-m", "2147483647", "--in-offset", "1099511627776",
                     "--limit",   "5",     "-p", "33",         "--at-block",  "3,1",
                     "--at-warp", "2-5",   "-D", "A=1",        "-DB=2",       NULL};
    struct options o;
    struct problem problem = {0};
    assert_true(options_parse(&o, command_find("trace"), 17, words, &problem));
    assert_int_equal(o.scenario.rows, INT32_MAX);
    assert_int_equal(o.scenario.cols, 0); /* not given: the file, or the usual */
    assert_int_equal(o.scenario.in_offset, UINT64_C(1) << 40);
    assert_int_equal(o.scenario.pitch, 33);
    assert_int_equal(o.at_block.count, 2);
    assert_true(o.at_warp.given && o.at_warp.first == 2 && o.at_warp.last == 5);
    assert_int_equal(o.scenario.definition_count, 2);
    assert_string_equal(o.scenario.definitions[1], "B=2");
    assert_int_equal(o.operand_count, 1);
    char *probe[] = {"probe", "tx", "--space", "global", "--op", "store", "--base", "-128", NULL};
    assert_true(options_parse(&o, command_find("probe"), 8, probe, &problem));
    assert_int_equal(o.space, SPACE_GLOBAL);
    assert_int_equal(o.op, ACCESS_STORE);
    assert_true(o.base == -128);
    assert_int_equal(o.lane_bytes, 4);
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
        {{"ladder", "a", "b"}, "'b' is one too many: lanescope ladder [RUNG|FILE.cu]; see"},
        {{"zoo", "a"}, "lanescope zoo takes options alone, not 'a'; see lanescope zoo --help"},
        {{"trace"}, "say what of: lanescope trace RUNG|FILE.cu; see"},
        {{"banks", "--pitch", "32,"}, "after each comma"},
        {{"banks", "--pitch", "33", "--rows", "3"}, "no option of lanescope banks"},
        {{"trace", "padded", "--at-warp", "5-2"}, "a number, or two"},
        {{"probe", "tx", "--block", "32x"}, "32x8"},
        {{"probe", "tx", "--block", "1024x1024"}, "at most 1024 threads"},
        {{"ladder", "tiled", "-m", "2147483647", "-n", "2147483647", "-e", "16"}, "8 PiB"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *program = getenv("LANESCOPE");
        char *a[10] = {(char *)(uintptr_t)(program ? program : "./lanescope")};
        for (int k = 0; k < 8; k++)
            a[k + 1] = (char *)(uintptr_t)wrong[i].a[k];
        expect_run(run_arguments(a), 2, "", wrong[i].err);
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
        expect_run(run_program(names[i], "--help", NULL), 0, "usage: lanescope ", "");
        expect_run(run_program("help", names[i], NULL), 0, "--output FILE", "");
    }
    static const char *const tables[] = {"ladder", "banks",   "trace",   "owners",
                                         "probe",  "compare", "confirm", "modular"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        expect_run(run_program(tables[i], "--help", NULL), 0, "-f, --format text|csv|json", "");
        expect_run(run_program(tables[i], "--help", NULL), 0, "Exit codes: 0 fine; 1 the answer is no", "");
    }
    expect_run(run_program("--help", NULL), 0, "Exit codes: 0 fine; 1 the answer is no", "");
    expect_run(run_program("trace", "--help", NULL), 0, "0 for all (default 10000)", "");
    expect_run(run_program("ladder", "-h", NULL), 0, "-m, --rows N", "");
    expect_run(run_program("--version", NULL), 0, "lanescope ", "");
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
        expect_run(run_program("ladder", "padded", a[0], a[1], a[2], a[3], NULL), cases[i].code, cases[i].out,
                   cases[i].err);
        expect_run(run_program("ladder", a[2], a[3], a[0], a[1], NULL), cases[i].code, cases[i].out,
                   cases[i].err);
    }
}

#define LAUNCH "// block: 32\n// grid: 1\n"

static void a_problem_names_the_option_that_helps(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *option, *value, *err;
    } cases[] = {
        {"(float *out) { extern __shared__ float s[]; out[0] = s[0]; }", "--shared", "0",
         "lanescope: k lacks the bytes of its extern __shared__ memory: options, comment lines at the "
         "file's top or a launch in it would say\n"},
        {"(float *out) { for (;;) out[0] = 1.f; }", "--budget", "9",
         " steps; if it does end, allow more with --budget\n    "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        (void)snprintf(text, sizeof text, LAUNCH "__global__ void k%s\n", cases[i].kernel);
        const char *name = write_temporary(text);
        expect_run(run_program(i ? "ladder" : "audit", name, cases[i].option, cases[i].value, NULL),
                   i ? 1 : 2, "", cases[i].err);
        (void)remove(name);
    }
}

static void trouble_exits_2(void **state)
{
    (void)state;
    expect_run(run_program("ladder", "missing.cu", NULL), 2, "", "missing.cu cannot be read");
    expect_run(run_program("ladder", "tests/", NULL), 2, "", "cannot be read");
    expect_run(run_program("compare", "missing.csv", NULL), 2, "", "cannot be read");
    expect_run(run_program("confirm", "--configs", "missing.csv", NULL), 2, "", "cannot be read");
    expect_run(run_program("ladder", "-o", "/nonexistent/file", NULL), 2, "", "cannot be written");
    expect_run(run_program("ladder", "-o", "tests", NULL), 2, "", "tests cannot be written: Is a directory");
    if (access("/dev/full", W_OK) == 0) {
        expect_run(run_program("ladder", "-o", "/dev/full", NULL), 2, "", "failed: No space left");
        expect_run(run_program("trace", "padded", "-o", "/dev/full", NULL), 2, "", "failed: No space left");
    }
    expect_run(run_shell("$LANESCOPE ladder >&-"), 2, "", "writing to the standard output failed");
    expect_run(run_shell("{ $LANESCOPE trace padded; echo $? >&2; } | :"), 0, "", "failed: Broken pipe\n2\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_options_is_sound),
        cmocka_unit_test(commands_take_options_that_exist),
        cmocka_unit_test(paths_are_found_by_their_rows),
        cmocka_unit_test(options_set_what_their_rows_name),
        cmocka_unit_test(wrong_command_lines_are_refused_with_a_hint),
        cmocka_unit_test(help_names_every_command_and_option),
        cmocka_unit_test(an_option_and_its_macro_must_agree),
        cmocka_unit_test(a_problem_names_the_option_that_helps),
        cmocka_unit_test(trouble_exits_2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
