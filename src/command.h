/* command.h - what the program can be asked to do.
 *
 * A command is one row of the table in command.c and one function: it gets the parsed options and a stream to
 * print on, and returns an exit code. On a problem it fills it and returns; main prints it.
 */
#ifndef LANESCOPE_COMMAND_H
#define LANESCOPE_COMMAND_H

#include "exit_code.h"
#include "options.h"

struct command {
    const char *name;
    const char *operands; /* for the usage line */
    const char *summary;
    const char *const *options; /* names; ends with NULL */
    unsigned least_operands, most_operands;
    int (*run)(const struct options *options, FILE *out, struct problem *problem);
};

extern const struct command commands[];
extern const size_t command_count;

/* What the program is asked for instead of a command. */
struct program_option {
    const char *name;     /* without the dashes */
    const char *argument; /* NULL: takes none; words with | between them */
    const char *help;
};

extern const struct program_option program_options[];
extern const size_t program_option_count;

const struct command *command_find(const char *name);
void command_print_help(const struct command *command, FILE *out);
void program_print_help(FILE *out);

/* src/manual: made of the same tables, so that a new row is in them too. */
void program_print_manual(FILE *out);                        /* lanescope(1), in mdoc */
bool program_print_completion(const char *shell, FILE *out); /* false: it is none of bash, zsh and fish */

int command_ladder(const struct options *options, FILE *out, struct problem *problem);
int command_sweep(const struct options *options, FILE *out, struct problem *problem);
int command_advise(const struct options *options, FILE *out, struct problem *problem);
int command_list(const struct options *options, FILE *out, struct problem *problem);
int command_banks(const struct options *options, FILE *out, struct problem *problem);
int command_trace(const struct options *options, FILE *out, struct problem *problem);
int command_lines(const struct options *options, FILE *out, struct problem *problem);
int command_heatmap(const struct options *options, FILE *out, struct problem *problem);
int command_report(const struct options *options, FILE *out, struct problem *problem);
int command_owners(const struct options *options, FILE *out, struct problem *problem);
int command_audit(const struct options *options, FILE *out, struct problem *problem);
int command_zoo(const struct options *options, FILE *out, struct problem *problem);
int command_cycles(const struct options *options, FILE *out, struct problem *problem);
int command_view(const struct options *options, FILE *out, struct problem *problem);
int command_probe(const struct options *options, FILE *out, struct problem *problem);
int command_compare(const struct options *options, FILE *out, struct problem *problem);
int command_tui(const struct options *options, FILE *out, struct problem *problem);
int command_modular(const struct options *options, FILE *out, struct problem *problem);
int command_quiz(const struct options *options, FILE *out, struct problem *problem);
int command_confirm(const struct options *options, FILE *out, struct problem *problem);
int command_bench(const struct options *options, FILE *out, struct problem *problem);

#endif
