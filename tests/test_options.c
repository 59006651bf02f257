/* test_options.c - the table of options and the command line. */
#include "support.h"

#include <string.h>

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
    assert_int_equal(o.scenario.cols, 70); /* not given */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_options_is_sound),
        cmocka_unit_test(commands_take_options_that_exist),
        cmocka_unit_test(options_set_what_their_rows_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
