#include "options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "crew.h"
#include "option_row.h"

const struct option_row *option_row_named(const char *name)
{
    for (size_t i = 0; i < option_count; i++)
        if (strcmp(option_rows[i].name, name) == 0)
            return &option_rows[i];
    return NULL;
}

void options_print_help(const char *const *names, FILE *out)
{
    for (; *names; names++) {
        const struct option_row *row = option_row_named(*names);
        char left[64];
        (void)snprintf(left, sizeof left, "%c%c%s--%s%s%s", row->letter ? '-' : ' ',
                       row->letter ? row->letter : ' ', row->letter ? ", " : "  ", row->name,
                       row->argument ? " " : "", row->argument ? row->argument : "");
        (void)fprintf(out, "  %-32s %s", left, row->help);
        if (row->initial)
            (void)fprintf(out, " (default %s)", row->initial);
        (void)fputc('\n', out);
    }
}

unsigned options_paths(const struct options *options, bool written, const char *paths[OPTION_PATH_LIMIT])
{
    unsigned count = 0;
    for (size_t i = 0; i < option_count && count < OPTION_PATH_LIMIT; i++) {
        const struct option_row *row = &option_rows[i];
        if (row->read != (written ? read_output_path : read_input_path))
            continue;
        paths[count] = *(const char *const *)(const void *)((const char *)options + row->place);
        count += paths[count] != NULL;
    }
    return count;
}

static void set_initial(struct options *options, struct problem *problem)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    *options = (struct options){
        .scenario = {.definition_name = "-D", .argument_name = "--arg", .data_name = "--data"}};
    for (size_t i = 0; i < option_count; i++)
        if (option_rows[i].initial)
            (void)option_rows[i].read(&option_rows[i], option_rows[i].initial, options, problem);
    options->color = isatty(STDOUT_FILENO) && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
}

/* What getopt_long returns for a row's long name: no character. */
enum { FIRST_VALUE = 256 };

/* The tables that getopt_long wants, for the options of one command. */
static void fill(const char *const *names, struct option *longs, char *shorts)
{
    *shorts++ = ':'; /* a missing value is told from an unknown option */
    for (; *names; names++) {
        const struct option_row *row = option_row_named(*names);
        *longs++ = (struct option){row->name, row->argument ? required_argument : no_argument, NULL,
                                   FIRST_VALUE + (int)(row - option_rows)};
        if (row->letter) {
            *shorts++ = row->letter;
            if (row->argument)
                *shorts++ = ':';
        }
    }
    *longs = (struct option){0};
    *shorts = '\0';
}

/* The row that getopt_long's value stands for. */
static const struct option_row *row_of(const char *const *names, int value)
{
    while (value < FIRST_VALUE && option_row_named(*names)->letter != value)
        names++;
    return value < FIRST_VALUE ? option_row_named(*names) : &option_rows[value - FIRST_VALUE];
}

bool options_parse(struct options *options, const struct command *command, int argc, char **argv,
                   struct problem *problem)
{
    struct option longs[OPTION_LIMIT + 1];
    char shorts[2 * OPTION_LIMIT + 4];
    int value;
    set_initial(options, problem);
    fill(command->options, longs, shorts);
    optind = 1;
    while ((value = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        if (value == ':')
            return problem_say(problem, "%s needs a value; see lanescope %s --help", argv[optind - 1],
                               command->name);
        if (value == '?' && optopt >= FIRST_VALUE)
            return problem_say(problem, "--%s takes no value", row_of(command->options, optopt)->name);
        if (value == '?' && optopt)
            return problem_say(
                problem,
                "-%c is no option of lanescope %s; see lanescope %s --help, and put -- before an "
                "operand that begins with -",
                optopt, command->name, command->name);
        if (value == '?')
            return problem_say(problem, "%s is no option of lanescope %s; see lanescope %s --help",
                               argv[optind - 1], command->name, command->name);
        const struct option_row *row = row_of(command->options, value);
        if (!row->read(row, optarg, options, problem))
            return false;
    }
    for (; optind < argc; optind++) {
        if (options->operand_count == OPTION_OPERAND_LIMIT)
            return problem_say(problem, "%s: one operand too many", argv[optind]);
        options->operands[options->operand_count++] = argv[optind];
    }
    return true;
}

unsigned options_workers(const struct options *options)
{
    return options->workers ? options->workers : crew_default();
}
