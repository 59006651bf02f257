/* zsh.c - what zsh needs to complete the command line. */
#include "expected.h"

#define QUOTE "'\\''" /* ' inside single quotes */

/* What completes a place: an action of _arguments. */
static void print_action(const struct expected *e, FILE *out)
{
    bool both = e->word_count && e->end_count;
    if (both)
        (void)fputs("_alternative \"words\\:word\\:(", out);
    else if (e->word_count)
        (void)fputc('(', out);
    expected_print_words(e, " ", out);
    if (both)
        (void)fputs(")\" \"files\\:file\\:", out);
    else if (e->word_count)
        (void)fputc(')', out);
    if (e->end_count) {
        const char *quote = both ? "\\\"" : "\"";
        bool several = e->end_count > 1; /* *(.csv) would be a qualifier */
        (void)fprintf(out, "_files -g %s*%s", quote, several ? "(" : "");
        for (unsigned i = 0; i < e->end_count; i++)
            (void)fprintf(out, "%s%s", i ? "|" : "", e->ends[i]);
        (void)fprintf(out, "%s%s%s", several ? ")" : "", quote, both ? "\"" : "");
    } else if (e->any_file) {
        (void)fputs("_files", out);
    } else if (e->folders) {
        (void)fputs("_files -/", out);
    } else if (!e->word_count) {
        (void)fputc(' ', out);
    }
}

/* An option that may stand several times excludes nothing, and is marked. */
static void print_option(const struct option_row *row, FILE *out)
{
    const char *equals = row->argument ? "=" : "", *plus = row->argument ? "+" : "";
    bool again = row->read == read_strings;
    (void)fputs("                '", out);
    if (row->letter && again)
        (void)fputs("*'", out);
    else if (row->letter)
        (void)fprintf(out, "(-%c --%s)'", row->letter, row->name);
    if (row->letter)
        (void)fprintf(out, "{-%c%s,--%s%s}'[", row->letter, plus, row->name, equals);
    else
        (void)fprintf(out, "%s--%s%s[", again ? "*" : "", row->name, equals);
    print_quoted(row->help, "\\[]", QUOTE, out);
    (void)fputc(']', out);
    if (row->argument) {
        const struct expected e = expected_argument(row);
        (void)fputc(':', out);
        print_quoted(row->argument, "\\:", QUOTE, out);
        (void)fputc(':', out);
        print_action(&e, out);
    }
    (void)fputs("' \\\n", out);
}

static void print_command(const struct command *command, FILE *out)
{
    const struct expected operand = expected_operand(command);
    (void)fprintf(out, "        %s)\n            _arguments -s \\\n", command->name);
    for (const char *const *name = command->options; *name; name++)
        print_option(option_row_named(*name), out);
    if (command->most_operands) {
        (void)fputs("                '1:", out);
        print_quoted(command->operands, "\\:", QUOTE, out);
        (void)fputc(':', out);
        print_action(&operand, out);
        (void)fputs("' ;;\n", out);
    } else {
        (void)fputs("                && return ;;\n", out);
    }
}

void completion_zsh(FILE *out)
{
    (void)fputs("#compdef lanescope\n"
                "# zsh completion for lanescope: lanescope --completion zsh\n\n"
                "_lanescope()\n"
                "{\n"
                "    local -a commands options\n"
                "    if (( CURRENT == 2 )); then\n"
                "        commands=(\n",
                out);
    for (size_t i = 0; i < command_count; i++) {
        (void)fprintf(out, "            '%s:", commands[i].name);
        print_quoted(commands[i].summary, "", QUOTE, out);
        (void)fputs("'\n", out);
    }
    (void)fputs("        )\n        options=(\n", out);
    for (size_t i = 0; i < program_option_count; i++) {
        (void)fprintf(out, "            '--%s:", program_options[i].name);
        print_quoted(program_options[i].help, "", QUOTE, out);
        (void)fputs("'\n", out);
    }
    (void)fputs("        )\n"
                "        _describe command commands\n"
                "        _describe -o option options\n"
                "        return\n"
                "    fi\n"
                "    shift words\n"
                "    (( CURRENT-- ))\n"
                "    case $words[1] in\n",
                out);
    for (size_t i = 0; i < program_option_count; i++)
        if (program_options[i].argument)
            (void)fprintf(out, "        --%s) compadd -- ${(s:|:):-'%s'} ;;\n", program_options[i].name,
                          program_options[i].argument);
    for (size_t i = 0; i < command_count; i++)
        print_command(&commands[i], out);
    (void)fputs("    esac\n"
                "}\n"
                "\n"
                "# A file of $fpath is run as the function itself; read by `source` it only defines it.\n"
                "if [ \"$funcstack[1]\" = _lanescope ]; then\n"
                "    _lanescope \"$@\"\n"
                "else\n"
                "    compdef _lanescope lanescope\n"
                "fi\n",
                out);
}
