/* fish.c - what fish needs to complete the command line. */
#include "expected.h"

#define QUOTE "\\'" /* ' inside single quotes */

static void print_files(const struct expected *e, FILE *out)
{
    for (unsigned i = 0; i < e->end_count; i++)
        (void)fprintf(out, "%s(__fish_complete_suffix %s)", i ? " " : "", e->ends[i]);
}

static void print_words(const struct expected *e, FILE *out)
{
    if (!e->word_count && !e->end_count && !e->folders)
        return;
    (void)fputs(" -a '", out);
    expected_print_words(e, " ", out);
    if (e->word_count && e->end_count)
        (void)fputc(' ', out);
    print_files(e, out);
    if (e->folders)
        (void)fputs("(__fish_complete_directories (commandline -ct))", out);
    (void)fputc('\'', out);
}

static void print_description(const char *text, FILE *out)
{
    (void)fputs(" -d '", out);
    print_quoted(text, "\\", QUOTE, out);
    (void)fputs("'\n", out);
}

static void print_option(const struct command *command, const struct option_row *row, FILE *out)
{
    (void)fprintf(out, "complete -c lanescope -n '__lanescope_in %s'", command->name);
    if (row->letter)
        (void)fprintf(out, " -s %c", row->letter);
    (void)fprintf(out, " -l %s", row->name);
    if (row->argument) {
        const struct expected e = expected_argument(row);
        (void)fputs(e.any_file ? " -r -F" : " -x", out);
        print_words(&e, out);
    }
    print_description(row->help, out);
}

static void print_command(const struct command *command, FILE *out)
{
    const struct expected operand = expected_operand(command);
    (void)fprintf(out, "\ncomplete -c lanescope -n __lanescope_first -a %s", command->name);
    print_description(command->summary, out);
    for (const char *const *name = command->options; *name; name++)
        print_option(command, option_row_named(*name), out);
    if (operand.word_count || operand.end_count) {
        (void)fprintf(out, "complete -c lanescope -n '__lanescope_in %s'", command->name);
        print_words(&operand, out);
        (void)fputc('\n', out);
    }
}

void completion_fish(FILE *out)
{
    (void)fputs("# fish completion for lanescope: lanescope --completion fish\n\n"
                "function __lanescope_first\n"
                "    test (count (commandline -opc)) -eq 1\n"
                "end\n\n"
                "function __lanescope_in\n"
                "    set -l words (commandline -opc)\n"
                "    test (count $words) -gt 1; and test $words[2] = $argv[1]\n"
                "end\n\n"
                "complete -c lanescope -f\n",
                out);
    for (size_t i = 0; i < program_option_count; i++) {
        const struct program_option *o = &program_options[i];
        (void)fprintf(out, "complete -c lanescope -n __lanescope_first -l %s", o->name);
        print_description(o->help, out);
        if (o->argument) {
            (void)fprintf(out, "complete -c lanescope -n '__lanescope_in --%s' -a '", o->name);
            for (const char *c = o->argument; *c; c++)
                (void)fputc(*c == '|' ? ' ' : *c, out);
            (void)fputs("'\n", out);
        }
    }
    for (size_t i = 0; i < command_count; i++)
        print_command(&commands[i], out);
}
