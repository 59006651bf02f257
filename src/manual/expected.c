#include "expected.h"

#include <ctype.h>
#include <string.h>

#include "../../sim/report/rung.h"

static void add(struct expected *expected, const char *word, size_t length)
{
    if (expected->word_count < sizeof expected->words / sizeof *expected->words)
        (void)snprintf(expected->words[expected->word_count++], EXPECTED_WORD_SIZE, "%.*s", (int)length,
                       word);
}

/* Of a list with | between them. */
static void add_list(struct expected *expected, const char *list)
{
    for (size_t length; *list; list += length + (list[length] == '|')) {
        length = strcspn(list, "|");
        add(expected, list, length);
    }
}

struct expected expected_argument(const struct option_row *row)
{
    struct expected e = {0};
    if (row->read == read_choice || row->read == read_color)
        add_list(&e, row->argument);
    else if (row->read == read_power)
        add_list(&e, "1|2|4|8|16");
    else if (row->read == read_device)
        for (size_t i = 0; i < device_count; i++)
            add(&e, devices[i].name, strlen(devices[i].name));
    else if (row->read == read_output_path)
        e.any_file = true;
    else if (row->read == read_input_path)
        e.ends[e.end_count++] = ".csv";
    e.folders = strcmp(row->argument, "FOLDER") == 0;
    return e;
}

/* Operands are written as in the usage line: [RUNG|FILE.cu|all]. Small letters stand for themselves. */
struct expected expected_operand(const struct command *command)
{
    struct expected e = {0};
    size_t length;
    for (const char *at = command->operands + strspn(command->operands, "["); *at;
         at += length + strspn(at + length, "|]")) {
        length = strcspn(at, "|]");
        if (length == 4 && memcmp(at, "RUNG", 4) == 0) {
            for (size_t i = 0; i < rung_count; i++)
                add(&e, rungs[i].name, strlen(rungs[i].name));
        } else if (length == 7 && memcmp(at, "FILE.cu", 7) == 0) {
            e.ends[e.end_count++] = ".cu";
            e.ends[e.end_count++] = ".ptx";
        } else if (length == 8 && memcmp(at, "FILE.csv", 8) == 0) {
            e.ends[e.end_count++] = ".csv";
        } else if (islower((unsigned char)*at)) {
            add(&e, at, length);
        }
    }
    return e;
}

void expected_print_words(const struct expected *expected, const char *between, FILE *out)
{
    for (unsigned i = 0; i < expected->word_count; i++)
        (void)fprintf(out, "%s%s", i ? between : "", expected->words[i]);
}

void print_quoted(const char *text, const char *special, const char *quote, FILE *out)
{
    for (; *text; text++)
        if (*text == '\'')
            (void)fputs(quote, out);
        else
            (void)fprintf(out, "%s%c", strchr(special, *text) ? "\\" : "", *text);
}

bool program_print_completion(const char *shell, FILE *out)
{
    static const struct {
        const char *name;
        void (*print)(FILE *out);
    } shells[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shells[i].name, shell) == 0) {
            shells[i].print(out);
            return true;
        }
    return false;
}
