/* page.c - lanescope(1), in the macros of mdoc(7). */
#include <string.h>

#include "../../base/version.h"
#include "../command.h"
#include "../option_row.h"

enum { LINE_WIDTH = 72 };

/* A backslash is no escape here, dashes are those of the keyboard, and f() is no call of the C library. */
static void print_plain(const char *text, int length, FILE *out)
{
    for (int i = 0; i < length; i++)
        if (text[i] == '\\')
            (void)fputs("\\e", out);
        else if (text[i] == '-' && (i == 0 || text[i - 1] == '-'))
            (void)fputs("\\-", out);
        else if (text[i] == '(' && i + 1 < length && text[i + 1] == ')')
            (void)fputs("\\&(", out);
        else
            (void)fputc(text[i], out);
}

/* Running text, filled: a new sentence is a new line, and no line begins with what would be a macro. */
static void paragraph(const char *text, FILE *out)
{
    int column = 0;
    for (int length; *(text += strspn(text, " \n")); text += length) {
        length = (int)strcspn(text, " \n");
        bool new_line = column && (column + 1 + length > LINE_WIDTH || (text[-2] == '.' && text[-3] != '.'));
        if (new_line)
            column = 0;
        (void)fputs(new_line ? "\n" : column ? " " : "", out);
        if (!column && (*text == '.' || *text == '\''))
            (void)fputs("\\&", out);
        print_plain(text, length, out);
        column += length + 1;
    }
    if (column)
        (void)fputc('\n', out);
}

/* An argument of a macro: in quotes where it has blanks. */
static void print_argument(const char *text, FILE *out)
{
    const char *quote = strchr(text, ' ') ? "\"" : "";
    (void)fprintf(out, " %s", quote);
    print_plain(text, (int)strlen(text), out);
    (void)fputs(quote, out);
}

static void print_option(const struct option_row *row, FILE *out)
{
    (void)fputs(".It", out);
    if (row->letter)
        (void)fprintf(out, " Fl %c ,", row->letter);
    (void)fprintf(out, " Fl \\-%s", row->name);
    if (row->argument) {
        (void)fputs(" Ar", out);
        print_argument(row->argument, out);
    }
    (void)fputc('\n', out);
    paragraph(row->help, out);
    if (row->initial)
        (void)fprintf(out, "(default %s)\n", row->initial);
}

/* Only those that exist for it. */
static void print_command(const struct command *command, FILE *out)
{
    (void)fprintf(out, ".It Ic %s", command->name);
    if (*command->operands) {
        (void)fputs(" Ar", out);
        print_argument(command->operands, out);
    }
    (void)fputc('\n', out);
    paragraph(command->summary, out);
    (void)fputs(".Pp\nOptions:\n", out);
    for (const char *const *name = command->options; *name; name++)
        (void)fprintf(out, ".Fl \\-%s %c\n", *name, name[1] ? ',' : '.');
}

static void print_synopsis(FILE *out)
{
    (void)fputs(".Sh SYNOPSIS\n.Nm\n.Ar command\n.Op Ar operand\n.Op Ar options\n", out);
    for (size_t i = 0; i < program_option_count; i++) {
        (void)fprintf(out, ".Nm\n.Fl \\-%s", program_options[i].name);
        if (program_options[i].argument) {
            (void)fputs(" Ar", out);
            print_argument(program_options[i].argument, out);
        }
        (void)fputc('\n', out);
    }
}

static void print_options(FILE *out)
{
    (void)fputs(".Sh OPTIONS\nWhich command takes which stands with the command.\n.Bl -tag -width Ds\n", out);
    for (size_t i = 0; i < option_count; i++)
        print_option(&option_rows[i], out);
    (void)fputs(".El\n", out);
}

static const char description[] =
    "A CUDA kernel's own source is read, its address arithmetic is run on the CPU, warp by warp, and the "
    "sectors, "
    "banks, wavefronts and owners of its accesses are shown for any matrix size, tile and pitch. No GPU is "
    "needed; the counts are those of the hardware's counters for accesses as they are written. "
    "RUNG is one of the kernels that come with the program, or zoo:NAME one of those with a bug; FILE.cu is "
    "a "
    "file of your own, also of a whole program, and may be what a compiler made of one (FILE.ptx). "
    "Alone, the program opens its terminal UI.";

static const struct {
    const char *name, *what;
} variables[] = {
    {"CUDA_HOME", "Where the toolkit lies: NVRTC and Nsight Compute are looked for there."},
    {"NO_COLOR", "No colours, unless asked for by an option."},
    {"COLORFGBG", "What the terminal says of its background, light or dark."},
    {"EDITOR", "What the terminal UI opens a kernel's file with; VISUAL comes first."},
    {"TMPDIR", "Where a compiler's files lie while it runs."},
};

static const struct {
    const char *command, *what;
} examples[] = {
    {"lanescope", "the terminal UI"},
    {"lanescope ladder -m 1000 -n 700", "all kernels that come with it, as a table"},
    {"lanescope banks --pitch 32,33", "what a float of padding is good for"},
    {"lanescope audit mine.cu --assert 'excess == 0 && correct'", "a grader: the exit code decides"},
};

static void print_end(FILE *out)
{
    (void)fputs(".Sh ENVIRONMENT\n.Bl -tag -width Ds\n", out);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        (void)fprintf(out, ".It Ev %s\n", variables[i].name);
        paragraph(variables[i].what, out);
    }
    (void)fputs(".El\n.Sh EXIT STATUS\n", out);
    paragraph(EXIT_CODES_HELP, out);
    (void)fputs(".Sh EXAMPLES\n.Bl -tag -width Ds\n", out);
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        (void)fputs(".It Li", out);
        print_argument(examples[i].command, out);
        (void)fputc('\n', out);
        paragraph(examples[i].what, out);
    }
    (void)fputs(".El\n.Sh CAVEATS\n", out);
    paragraph(
        "The rules are verified against hardware counters on sm_90; for other architectures every report "
        "says that they are assumed. Caches, time and what a compiler makes of an access are not "
        "modelled: docs/model.md says what that leaves out.",
        out);
}

void program_print_manual(FILE *out)
{
    (void)fputs(".\\\" Made by lanescope --man of the tables behind --help.\n"
                ".Dd " LANESCOPE_DATE "\n"
                ".Dt LANESCOPE 1\n"
                ".Os\n"
                ".Sh NAME\n"
                ".Nm lanescope\n"
                ".Nd see what a CUDA kernel asks of memory, without a GPU\n",
                out);
    print_synopsis(out);
    (void)fputs(".Sh DESCRIPTION\n", out);
    paragraph(description, out);
    (void)fputs(".Sh COMMANDS\n.Bl -tag -width Ds\n", out);
    for (size_t i = 0; i < command_count; i++)
        print_command(&commands[i], out);
    (void)fputs(".El\n", out);
    print_options(out);
    print_end(out);
}
