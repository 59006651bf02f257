/* test_glossary.c - words and counters: the terminal UI's glossary and docs/glossary.md say the same, and
 * docs/nsight.md has every column of the ladder and every counter that is predicted.
 */
#include "tui_support.h"

#include "../sim/report/metric.h"
#include "../src/tui/panes.h"

/* A text without marks of emphasis and code, each run of blanks one blank; "**word**: text" becomes "word
 * text". */
static char *plain(const char *text)
{
    char *out = memory_take(strlen(text) + 2, 1);
    size_t used = 0;
    out[used++] = ' ';
    for (; *text; text++) {
        bool blank = *text == ' ' || *text == '\n';
        if (strncmp(text, "**:", 3) == 0)
            text += 2;
        else if (blank && out[used - 1] != ' ')
            out[used++] = ' ';
        else if (!blank && *text != '*' && *text != '`')
            out[used++] = *text;
    }
    out[used] = '\0';
    return out;
}

/* Terms with their texts, as the pane has them: a line that begins with a blank goes on with the one before.
 */
static void every_word_of_the_screen_is_in_the_document(void **state)
{
    (void)state;
    struct state s;
    char *text = read_file("docs/glossary.md"), *document = plain(text);
    char entry[1000] = "";
    unsigned words = 0;
    open_state(&s, "tiled", (struct scenario_options){0}, 24, 80);
    s.view = VIEW_GLOSSARY;
    for (int line = 0; line <= pane_lines(&s); line++) {
        char got[300] = "end";
        if (line < pane_lines(&s))
            pane_line(&s, line, got, sizeof got);
        if (got[0] != ' ' && entry[0]) {
            char *wanted = plain(entry);
            size_t length = strlen(wanted);
            wanted[length - (wanted[length - 1] == ' ')] = '\0';
            if (!strstr(document, wanted))
                fail_msg("docs/glossary.md does not say, as the terminal UI does:\n%s", entry);
            words++;
            free(wanted);
            entry[0] = '\0';
        }
        if (strspn(got, " ") != strlen(got))
            (void)snprintf(entry + strlen(entry), sizeof entry - strlen(entry), "%s ", got);
    }
    assert_true(words >= 25);
    state_free(&s);
    free(document);
    free(text);
}

static void the_document_has_the_words_of_the_field(void **state)
{
    (void)state;
    static const char *const words[] = {"sector",
                                        "line",
                                        "request",
                                        "wavefront",
                                        "ideal",
                                        "excess",
                                        "bank",
                                        "conflict",
                                        "broadcast",
                                        "coalescing",
                                        "pitch",
                                        "pad",
                                        "swizzle",
                                        "occupancy",
                                        "tile",
                                        "block order",
                                        "owner",
                                        "census",
                                        "lane",
                                        "warp",
                                        "guard",
                                        "race",
                                        "effective bandwidth"};
    char *text = read_file("docs/glossary.md"), mark[60];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        (void)snprintf(mark, sizeof mark, "\n- **%s**", words[i]);
        if (!strstr(text, mark))
            fail_msg("docs/glossary.md does not explain %s", words[i]);
    }
    free(text);
}

static void every_counter_has_its_row(void **state)
{
    (void)state;
    char *text = read_file("docs/nsight.md"), name[120];
    for (size_t i = 0; i < metric_count; i++) {
        (void)snprintf(name, sizeof name, "`%.*s`", (int)(strlen(metrics[i].name) - strlen(".sum")),
                       metrics[i].name);
        if (!strstr(text, name))
            fail_msg("docs/nsight.md does not name %s", name);
    }
    free(text);
}

/* But for those of the configuration, which no counter counts. */
static void every_column_of_the_ladder_has_its_row(void **state)
{
    (void)state;
    static const char *const configuration =
        ",rung,rows,cols,tile,block_rows,pitch,elem_bytes,device,rules,partial,";
    struct run run = run_program("ladder", "tiled", "-f", "csv", NULL);
    char *text = read_file("docs/nsight.md"), name[120], *cells;
    unsigned count = 0;
    assert_int_equal(run.code, 0);
    cells = run.out;
    cells[strcspn(cells, "\n")] = '\0';
    for (char *at = strtok(cells, ","); at; at = strtok(NULL, ",")) {
        (void)snprintf(name, sizeof name, ",%s,", at);
        if (strstr(configuration, name))
            continue;
        if (!strstr(text, at))
            fail_msg("docs/nsight.md does not have the ladder's column %s", at);
        count++;
    }
    assert_true(count >= 25);
    free(text);
    run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_word_of_the_screen_is_in_the_document),
        cmocka_unit_test(the_document_has_the_words_of_the_field),
        cmocka_unit_test(every_counter_has_its_row),
        cmocka_unit_test(every_column_of_the_ladder_has_its_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
