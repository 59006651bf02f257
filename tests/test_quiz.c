/* test_quiz.c - the quiz: nothing trivial, nothing twice, all topics, sheets and keys that agree, and how it
 * asks. Whether its answers are right is tests/test_quiz_answers.c's.
 */
#include "terminal_support.h"

#include "../src/quiz/quiz.h"

static void open_quiz(struct quiz *quiz, uint64_t seed, unsigned count, const char *list)
{
    struct problem problem = {0};
    if (!quiz_make(quiz, seed, count, list, &problem))
        fail_msg("%s", problem.message);
    assert_int_equal(quiz->count, count);
}

static void no_question_is_trivial_or_asked_twice(void **state)
{
    (void)state;
    unsigned count = is_sanitized() ? 40 : 200;
    for (unsigned t = 0; t < topic_count; t++) {
        struct quiz quiz;
        unsigned different = 0;
        open_quiz(&quiz, 5, count, topics[t].name);
        for (unsigned i = 0; i < count; i++) {
            unsigned same = 0, before = 0;
            assert_string_equal(quiz.questions[i].topic, topics[t].name);
            for (unsigned k = 0; k < count; k++) {
                bool equal = strcmp(quiz.questions[i].answer, quiz.questions[k].answer) == 0;
                same += equal;
                before += equal && k < i;
                assert_true(k == i || strcmp(quiz.questions[i].text, quiz.questions[k].text) != 0);
            }
            different += before == 0;
            if (same * 5 > count * 2)
                fail_msg("%s: %u of %u answers are %s", topics[t].name, same, count,
                         quiz.questions[i].answer);
        }
        if (different < 5)
            fail_msg("%s: only %u different answers", topics[t].name, different);
        quiz_free(&quiz);
    }
}

static void topics_take_turns(void **state)
{
    (void)state;
    struct quiz quiz;
    unsigned seen = 0;
    open_quiz(&quiz, 9, topic_count, NULL);
    for (unsigned i = 0; i < topic_count; i++)
        for (unsigned t = 0; t < topic_count; t++)
            seen |= strcmp(quiz.questions[i].topic, topics[t].name) == 0 ? 1u << t : 0;
    assert_int_equal(seen, (1u << topic_count) - 1);
    quiz_free(&quiz);
    open_quiz(&quiz, 9, 5, "owner,banks");
    for (unsigned i = 0; i < 5; i++)
        assert_string_equal(quiz.questions[i].topic, i % 2 ? "owner" : "banks");
    quiz_free(&quiz);
    struct run help = run_program("quiz", "--help", NULL);
    for (unsigned t = 0; t < topic_count; t++)
        assert_non_null(strstr(help.out, topics[t].name));
    run_free(&help);
}

static void a_seed_stands_for_its_questions(void **state)
{
    (void)state;
    struct quiz a, b, other;
    open_quiz(&a, 77, 24, NULL);
    open_quiz(&b, 77, 24, NULL);
    open_quiz(&other, 78, 24, NULL);
    unsigned same = 0;
    for (unsigned i = 0; i < 24; i++) {
        assert_string_equal(a.questions[i].text, b.questions[i].text);
        assert_string_equal(a.questions[i].answer, b.questions[i].answer);
        same += strcmp(a.questions[i].text, other.questions[i].text) == 0;
    }
    assert_true(same < 3);
    quiz_free(&a);
    quiz_free(&b);
    quiz_free(&other);
}

/* The number in a column of the first row of a csv. */
static unsigned long csv_number(const char *csv, const char *column)
{
    const char *row = strchr(csv, '\n') + 1;
    for (const char *name = csv; strncmp(name, column, strlen(column)) != 0 || name[strlen(column)] != ',';) {
        name += strcspn(name, ",\n") + 1;
        row += strcspn(row, ",\n") + 1;
        assert_true(name < strchr(csv, '\n'));
    }
    return strtoul(row, NULL, 10);
}

/* What each question says to run runs, and where it prints the number, prints the answer. */
static void the_command_shows_the_answer(void **state)
{
    (void)state;
    struct quiz quiz;
    unsigned numbers = 0;
    open_quiz(&quiz, 31, is_sanitized() ? 8 : 32, NULL);
    for (unsigned i = 0; i < quiz.count; i++) {
        const struct question *q = &quiz.questions[i];
        char line[500];
        bool counted = strcmp(q->topic, "wavefronts") == 0 || strcmp(q->topic, "sectors") == 0 ||
                       strcmp(q->topic, "lines") == 0;
        assert_memory_equal(q->command, "lanescope ", 10);
        /* one warp of the block alone */
        (void)snprintf(line, sizeof line, "\"$LANESCOPE\" %s %s", q->command + 10,
                       counted ? "--active 'warp == 0' -f csv" : "");
        struct run run = run_shell(line);
        if (run.code != 0)
            fail_msg("%s: %s", line, run.err);
        if (counted) {
            assert_int_equal(csv_number(run.out, q->topic), strtoul(q->answer, NULL, 10));
            numbers++;
        }
        run_free(&run);
    }
    assert_true(numbers >= 3);
    quiz_free(&quiz);
}

/* The n-th heading of a sheet, "## 2. sectors: 5"; "" where there is none. */
static void heading(const char *sheet, unsigned n, char out[120])
{
    char begin[20];
    (void)snprintf(begin, sizeof begin, "\n## %u. ", n);
    const char *at = strstr(sheet, begin);
    (void)snprintf(out, 120, "%.*s", at ? (int)strcspn(at + 1, "\n") : 0, at ? at + 1 : "");
}

static void sheet_and_key_agree(void **state)
{
    (void)state;
    struct run sheet = run_program("quiz", "--seed", "40", "--count", "16", "--sheet", NULL);
    struct run key = run_program("quiz", "--seed", "40", "--count", "16", "--answers", NULL);
    struct quiz quiz;
    open_quiz(&quiz, 40, 16, NULL);
    assert_int_equal(sheet.code, 0);
    assert_int_equal(key.code, 0);
    for (unsigned i = 0; i < 16; i++) {
        const struct question *q = &quiz.questions[i];
        char on_sheet[120], on_key[120], expected[120], first[24];
        heading(sheet.out, i + 1, on_sheet);
        heading(key.out, i + 1, on_key);
        (void)snprintf(expected, sizeof expected, "## %u. %s", i + 1, q->topic);
        assert_string_equal(on_sheet, expected);
        (void)snprintf(expected, sizeof expected, "## %u. %s: %s", i + 1, q->topic, q->answer);
        assert_string_equal(on_key, expected);
        (void)snprintf(first, sizeof first, "%.23s", q->text);
        assert_non_null(strstr(sheet.out, first));
        assert_null(strstr(sheet.out, q->steps[0])); /* the sheet gives nothing away */
        assert_null(strstr(sheet.out, q->command));
    }
    quiz_free(&quiz);
    run_free(&sheet);
    run_free(&key);
}

/* --json --sheet has the same questions without what is right. */
static void json_is_for_graders(void **state)
{
    (void)state;
    expect_run(run_program("quiz", "--count", "3", "--json", NULL), 0, "\"answer\": \"", "");
    struct run run = run_program("quiz", "--count", "3", "--json", "--sheet", NULL);
    assert_int_equal(run.code, 0);
    assert_null(strstr(run.out, "\"answer\": \""));
    assert_non_null(strstr(run.out, "\"answer\": null"));
    run_free(&run);
}

static struct run ask(const char *arguments, const char *typed)
{
    char line[4000];
    (void)snprintf(line, sizeof line, "printf '%s' | \"$LANESCOPE\" quiz %s", typed, arguments);
    return run_shell(line);
}

static void who_answers_all_right_scores_all(void **state)
{
    (void)state;
    struct quiz quiz;
    char typed[1000] = "";
    open_quiz(&quiz, 3, 8, NULL);
    for (unsigned i = 0; i < 8; i++)
        (void)snprintf(typed + strlen(typed), sizeof typed - strlen(typed), "  %s \\r\\n",
                       quiz.questions[i].answer);
    quiz_free(&quiz);
    expect_run(ask("--seed 3", typed), 0, "Score: 8 of 8 answered right.", "");
}

static void wrong_input_asks_again(void **state)
{
    (void)state;
    const char *arguments = "--seed 3 --topic banks --count 1";
    struct run run = ask(arguments, "abc\\n\\n99\\n-4\\n3.5\\n4 5\\n\\0\\n31\\n");
    unsigned again = 0;
    for (const char *at = run.out; (at = strstr(at, "type a whole number from 1 to 32")) != NULL; at++)
        again++;
    assert_int_equal(again, 7);
    assert_non_null(strstr(run.out, "'abc' is no answer here: type"));
    assert_non_null(strstr(run.out, "99 cannot be: type"));
    assert_non_null(strstr(run.out, "Not this time: it is"));
    expect_run(run, 0, "Score: 0 of 1 answered right.", "");
    char line[600];
    memset(line, '7', 500);
    (void)snprintf(line + 500, 100, "\\n31\\n");
    expect_run(ask(arguments, line), 0, "that is too long: type a whole number", "");
    expect_run(ask("--topic owner --count 1", "1 2 3\\n1 2 3 40\\n1 2 3 4 5\\nx\\n1,2 warp 3 lane 4"), 0,
               "a warp has lanes 0 to 31, not 40: type four numbers", "");
    expect_run(ask("--topic pitch --count 1", "1000\\nNONE\\n"), 0, "1000 is not among the pitches: type",
               "");
}

static void the_end_of_input_is_an_end(void **state)
{
    (void)state;
    expect_run(ask("--seed 3", ""), 0, "Score: 0 of 0 answered right, 8 of 8 questions left.", "");
    /* a last line without a newline is an answer */
    expect_run(ask("--seed 3 --topic banks --count 2", "5"), 0, "Score: 0 of 1 answered right, 1 of 2", "");
    expect_run(run_shell("\"$LANESCOPE\" quiz <&-"), 2, "", "reading the answers failed");
}

/* In a real terminal: prompts come before what is typed, and Ctrl-D gives the shell back with the score. */
static void a_terminal_is_asked(void **state)
{
    struct terminal *t = *state;
    begin(t, 100, 40);
    start(t, "", "quiz --seed 3 --topic banks --count 2 && echo ended with $?");
    expect(t, "Your prediction (a whole number from 1 to 32):");
    keys(t, "some Enter");
    expect(t, "'some' is no answer here: type a whole number from 1 to 32:");
    keys(t, "17 Enter");
    expect(t, "Right: 17.");
    expect(t, "Question 2 of 2: banks");
    keys(t, "C-d");
    expect(t, "Score: 1 of 1 answered right, 1 of 2 questions left.");
    expect(t, "ended with 0");
}

static void what_is_asked_for_wrongly_is_refused(void **state)
{
    (void)state;
    expect_run(run_program("quiz", "--topic", "bonks", NULL), 2, "",
               "--topic takes one or more of banks, sectors");
    expect_run(run_program("quiz", "--topic", "banks,", NULL), 2, "", "--topic takes one or more of");
    expect_run(run_program("quiz", "--topic", "", NULL), 2, "", "--topic takes one or more of");
    expect_run(run_program("quiz", "--sheet", "--answers", NULL), 2, "", "ask for one of them");
    expect_run(run_program("quiz", "--json", "-f", "csv", NULL), 2, "", "leave out one");
    expect_run(run_program("quiz", "-o", "/dev/null", NULL), 2, "", "-o needs something to write");
    expect_run(run_program("quiz", "--count", "0", NULL), 2, "", "from 1 to 200");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_question_is_trivial_or_asked_twice),
        cmocka_unit_test(topics_take_turns),
        cmocka_unit_test(a_seed_stands_for_its_questions),
        cmocka_unit_test(the_command_shows_the_answer),
        cmocka_unit_test(sheet_and_key_agree),
        cmocka_unit_test(json_is_for_graders),
        cmocka_unit_test(who_answers_all_right_scores_all),
        cmocka_unit_test(wrong_input_asks_again),
        cmocka_unit_test(the_end_of_input_is_an_end),
        cmocka_unit_test_setup_teardown(a_terminal_is_asked, set_up, tear_down),
        cmocka_unit_test(what_is_asked_for_wrongly_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
