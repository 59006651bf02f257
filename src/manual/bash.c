/* bash.c - what bash needs to complete the command line. */
#include "expected.h"

/* Words and files into COMPREPLY, one a line so that names may have blanks. */
static void print_helpers(FILE *out)
{
    (void)fputs(
        "_lanescope_words() { mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -W \"$1\" -- "
        "\"$cur\"); }\n"
        "\n"
        "# Files with these ends (none: any), and the folders on the way to them.\n"
        "_lanescope_files()\n"
        "{\n"
        "    local end\n"
        "    compopt -o filenames 2>/dev/null\n"
        "    [ $# -gt 0 ] || mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
        "    for end; do\n"
        "        mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -f -X \"!*$end\" -- \"$cur\")\n"
        "    done\n"
        "    [ $# -eq 0 ] || mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -d -- \"$cur\")\n"
        "}\n"
        "\n",
        out);
}

static void print_expected(const struct expected *e, FILE *out)
{
    if (e->word_count) {
        (void)fputs("_lanescope_words '", out);
        expected_print_words(e, " ", out);
        (void)fputs("'; ", out);
    }
    if (e->end_count || e->any_file) {
        (void)fputs("_lanescope_files", out);
        for (unsigned i = 0; i < e->end_count; i++)
            (void)fprintf(out, " %s", e->ends[i]);
        (void)fputs("; ", out);
    }
    if (e->folders)
        (void)fputs("_lanescope_files /; ", out); /* no file ends so: folders alone */
}

/* The options of a command that take an argument, and what it may be. */
static void print_command(const struct command *command, FILE *out)
{
    const struct expected operand = expected_operand(command);
    (void)fprintf(out, "        %s)\n            case $before in\n", command->name);
    for (const char *const *name = command->options; *name; name++) {
        const struct option_row *row = option_row_named(*name);
        if (!row->argument)
            continue;
        const struct expected e = expected_argument(row);
        (void)fputs("                ", out);
        if (row->letter)
            (void)fprintf(out, "-%c|", row->letter);
        (void)fprintf(out, "--%s) ", row->name);
        print_expected(&e, out);
        (void)fputs("return ;;\n", out);
    }
    (void)fputs("            esac\n            options='", out);
    for (const char *const *name = command->options; *name; name++)
        (void)fprintf(out, "%s--%s", name == command->options ? "" : " ", *name);
    (void)fputs("'\n            [[ $cur == -* ]] || { ", out);
    print_expected(&operand, out);
    (void)fputs("return; } ;;\n", out);
}

void completion_bash(FILE *out)
{
    (void)fputs("# bash completion for lanescope: lanescope --completion bash\n\n", out);
    print_helpers(out);
    (void)fputs("_lanescope()\n"
                "{\n"
                "    local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options\n"
                "    COMPREPLY=()\n"
                "    # --option=word is three words here\n"
                "    if [ \"$cur\" = = ]; then\n"
                "        cur=\n"
                "    elif [ \"$before\" = = ]; then\n"
                "        before=${COMP_WORDS[COMP_CWORD-2]}\n"
                "    fi\n"
                "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                "        _lanescope_words '",
                out);
    for (size_t i = 0; i < command_count; i++)
        (void)fprintf(out, "%s ", commands[i].name);
    for (size_t i = 0; i < program_option_count; i++)
        (void)fprintf(out, "%s--%s", i ? " " : "", program_options[i].name);
    (void)fputs("'\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n", out);
    for (size_t i = 0; i < program_option_count; i++)
        if (program_options[i].argument) {
            (void)fprintf(out, "        --%s) _lanescope_words '", program_options[i].name);
            for (const char *c = program_options[i].argument; *c; c++)
                (void)fputc(*c == '|' ? ' ' : *c, out);
            (void)fputs("'; return ;;\n", out);
        }
    for (size_t i = 0; i < command_count; i++)
        print_command(&commands[i], out);
    (void)fputs("        *) return ;;\n"
                "    esac\n"
                "    _lanescope_words \"$options\"\n"
                "}\n"
                "\n"
                "complete -F _lanescope lanescope\n",
                out);
}
